/* SPDX-License-Identifier: MIT */
/* test_ply.c - transcripts of our own protocol, for every game. */
#include "core/clock.h"
#include "protocol/talk.h"

static void test_hello(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "ply", "neighbours", NULL);
    const char *sent = talk_ask(&t, "ply");
    assert_int_equal(strncmp(sent, "id name Plyverse ", 17), 0);
    assert_non_null(strstr(sent, "\nprotocol 1\n"));
    for (size_t i = 0; i < ply_game_count(); i++) {
        char line[128];
        snprintf(line, sizeof line, "\nplays %s ", ply_game_at(i)->id);
        assert_non_null(strstr(sent, line));
    }
    assert_non_null(strstr(sent, "\ngame neighbours slide\n"));
    assert_non_null(strstr(sent, "\noption name Hash type spin default 4 min 1 max 64\n"));
    assert_string_equal(talk_last_line(&t), "plyok");
    talk_expect(&t, "isready", "readyok\n");
    talk_expect(&t, "game checkers russian:quiet=20", "game checkers russian:quiet=20\n");
    talk_expect(&t, "game chess", "error game: no such game\n");
    talk_expect_words(&t, "game checkers martian", "error game: ");
    talk_expect(&t, "setoption name Variant value brazilian", "");
    talk_expect_words(&t, "ply", "\ngame checkers brazilian\n");
    talk_expect(&t, "setoption name Variant value english:quiet=50", "");
    talk_expect_words(&t, "ply", "\ngame checkers english:quiet=50\n");
    talk_expect(&t, "quit", "");
    assert_false(t.open);
    talk_close(&t);
}

/* Every game: moves are listed, played, taken back and searched; undo restores the position. */
static void test_every_game(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++) {
        const ply_game *game = ply_game_at(g);
        talk t;
        talk_open(&t, "ply", game->id, NULL);
        char line[512], before[4096], move[PLY_MOVE_TEXT];
        snprintf(before, sizeof before, "%s", talk_ask(&t, "state"));
        assert_int_equal(strncmp(before, "state player 1 plies 0 result ongoing position ", 47), 0);
        unsigned count = 0;
        assert_int_equal(sscanf(talk_ask(&t, "moves"), "moves %u %127s", &count, move), 2);
        assert_true(count > 0);
        snprintf(line, sizeof line, "play %s", move);
        talk_expect(&t, line, "");
        assert_non_null(strstr(talk_ask(&t, "state"), " plies 1 "));
        talk_expect(&t, "undo", "");
        talk_expect(&t, "state", before);
        talk_expect(&t, "undo", "error undo: there are only 0 moves to take back\n");
        talk_ask(&t, "go nodes 300");
        assert_int_equal(sscanf(talk_last_line(&t), "bestmove %127s", move), 1);
        snprintf(line, sizeof line, "position start moves %s", move);
        talk_expect(&t, line, "");
        /* The position's text sets up the same position. */
        snprintf(before, sizeof before, "%s", strstr(talk_ask(&t, "state"), " position ") + 10);
        char *set = malloc(strlen(before) + 32);
        sprintf(set, "position text %s", before);
        talk_expect(&t, set, "");
        assert_string_equal(strstr(talk_ask(&t, "state"), " position ") + 10, before);
        free(set);
        talk_expect(&t, "newgame", "");
        assert_non_null(strstr(talk_ask(&t, "state"), " plies 0 "));
        talk_close(&t);
    }
}

static void test_search_words(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "ply", "neighbours", NULL);
    talk_expect(&t, "setoption name MultiPV value 2", "");
    talk_ask(&t, "go depth 3");
    assert_non_null(strstr(t.sent.data, "info depth 3 seldepth "));
    assert_non_null(strstr(t.sent.data, " multipv 2 score cp "));
    talk_expect(&t, "setoption name MultiPV value 1", "");
    talk_expect_last(&t, "go time1 100 time2 100", "bestmove ");
    talk_expect_last(&t, "go time1 10 time2 10 inc1 10 inc2 10 movestogo 3", "bestmove ");
    talk_expect_last(&t, "go byoyomi 20", "bestmove ");
    talk_expect_last(&t, "go mate 3 depth 4", "bestmove ");
    talk_send(&t, "go infinite");
    talk_send(&t, "stop");
    assert_int_equal(strncmp(talk_last_line(&t), "bestmove ", 9), 0);
    talk_send(&t, "go ponder movetime 10");
    talk_expect_last(&t, "ponderhit", "bestmove ");
    /* A command that needs the position during a search: the answer comes first. */
    talk_send(&t, "go infinite");
    talk_expect_words(&t, "state", "bestmove ");
    assert_int_equal(strncmp(talk_last_line(&t), "state player 1 ", 15), 0);
    talk_close(&t);
}

/* A forced win is reported in plies; a finished game has no move. */
static void test_ends(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "ply", "gomoku", NULL);
    talk_expect(&t, "position start moves h8 a1 i8 a3 j8 a5 k8 a7", "");
    talk_ask(&t, "go depth 2");
    assert_non_null(strstr(t.sent.data, " score win 1 "));
    const char *best = talk_last_line(&t);
    assert_true(strcmp(best, "bestmove g8") == 0 || strcmp(best, "bestmove l8") == 0);
    talk_expect(&t, "play l8", "");
    assert_non_null(strstr(talk_ask(&t, "state"), " result first reason "));
    talk_expect(&t, "go depth 2", "bestmove none\n");
    talk_expect(&t, "moves", "moves 0\n");
    talk_close(&t);
}

static void test_bad_lines(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "ply", "neighbours", NULL);
    talk_expect(&t, "usi", "error unknown command 'usi'\n");
    talk_expect(&t, "position", "error position: expected start or text\n");
    talk_expect_words(&t, "go depth 1", "bestmove none\n");
    talk_expect(&t, "play a1", "error play: there is no position\n");
    talk_expect(&t, "position start", "");
    talk_expect_words(&t, "position text nonsense", "error position: column 1: ");
    talk_expect(&t, "newgame", "");
    talk_expect_words(&t, "play z9", "error play: column 1: ");
    talk_expect(&t, "undo x", "error undo: expected a number of moves\n");
    talk_expect_words(&t, "setoption name Hash value many",
                      "error setoption: Hash cannot be 'many'\n");
    talk_expect_last(&t, "go depth 2", "bestmove ");
    talk_close(&t);
}

/* A game that is not in the registry can be played all the same. */
static void test_custom_game(void **state)
{
    (void)state;
    ply_game custom = *ply_game_find("neighbours");
    custom.id = "custom";
    custom.name = "A custom game";
    assert_null(ply_game_find(custom.id));
    talk t;
    talk_init(&t);
    ply_session_options options = talk_options(&t, "ply");
    options.custom_game = &custom;
    options.variant = "jump";
    talk_open_with(&t, &options);
    talk_expect_words(&t, "ply", "\nplays custom A custom game\n");
    talk_expect_words(&t, "ply", "\ngame custom jump\n");
    talk_expect(&t, "position start moves a1a2 a6a5", "");
    talk_expect_last(&t, "go depth 2", "bestmove ");
    talk_expect(&t, "game checkers", "game checkers english\n");
    talk_expect(&t, "game custom", "game custom slide\n");
    talk_expect(&t, "moves",
                "moves 14 a1a2 a1b2 b1b3 b1d3 c1c3 c1e3 c1a3 d1d3 d1f3 d1b3 e1e3 e1c3 f1f2 f1e2\n");
    talk_close(&t);
    /* A protocol for one game still refuses it. */
    ply_error error = {0};
    options.protocol = "hub";
    assert_null(ply_session_new(&options, &error));
    assert_string_equal(error.message, "protocol hub is for checkers, not for custom");
}

static void test_options_that_fail(void **state)
{
    (void)state;
    ply_error error = {0};
    ply_session_options options = {.protocol = "uci"};
    assert_null(ply_session_new(&options, &error));
    assert_string_equal(error.message, "no protocol 'uci'");
    options = (ply_session_options){.protocol = "usi", .game = "checkers"};
    assert_null(ply_session_new(&options, &error));
    assert_string_equal(error.message, "protocol usi is for shogi, not for checkers");
    options = (ply_session_options){.protocol = "ply", .game = "go"};
    assert_null(ply_session_new(&options, &error));
    assert_string_equal(error.message, "no game 'go'");
    options = (ply_session_options){.protocol = "hub", .variant = "martian"};
    assert_null(ply_session_new(&options, &error));
    for (size_t i = 0; ply_protocol_at(i); i++)
        assert_ptr_equal(ply_protocol_find(ply_protocol_at(i)->id), ply_protocol_at(i));
    ply_session_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello),
        cmocka_unit_test(test_every_game),
        cmocka_unit_test(test_search_words),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_custom_game),
        cmocka_unit_test(test_options_that_fail),
    };
    return cmocka_run_group_tests_name("ply", tests, NULL, NULL);
}
