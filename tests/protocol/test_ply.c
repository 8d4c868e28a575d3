/* SPDX-License-Identifier: MIT */
/* test_ply.c - conversations in our own protocol, for every game. */
#include "core/clock.h"
#include "protocol/talk.h"

static void test_hello(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "ply", "neighbours", NULL);
    const char *said = ask(&t, "ply");
    assert_int_equal(strncmp(said, "id name Plyverse ", 17), 0);
    assert_non_null(strstr(said, "\nprotocol 1\n"));
    for (size_t i = 0; i < ply_game_count(); i++) {
        char line[128];
        snprintf(line, sizeof line, "\nplays %s ", ply_game_at(i)->id);
        assert_non_null(strstr(said, line));
    }
    assert_non_null(strstr(said, "\ngame neighbours slide\n"));
    assert_non_null(strstr(said, "\noption name Hash type spin default 4 min 1 max 64\n"));
    assert_string_equal(last_line(&t), "plyok");
    talk_expect(&t, "isready", "readyok\n");
    talk_expect(&t, "game checkers russian:quiet=20", "game checkers russian:quiet=20\n");
    talk_expect(&t, "game chess", "error game: no such game\n");
    talk_expect_words(&t, "game checkers martian", "error game: ");
    talk_expect(&t, "setoption name Variant value brazilian", "");
    talk_expect_words(&t, "ply", "\ngame checkers brazilian\n");
    talk_expect(&t, "setoption name Variant value english:quiet=50", "");
    talk_expect_words(&t, "ply", "\ngame checkers english:quiet=50\n");
    talk_expect(&t, "quit", "");
    assert_false(t.resume);
    talk_close(&t);
}

/* Every game: moves are listed, played, taken back and found; play and undo keep the position. */
static void test_every_game(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++) {
        const ply_game *game = ply_game_at(g);
        talk t;
        talk_open(&t, "ply", game->id, NULL);
        char line[512], before[4096], move[PLY_MOVE_TEXT];
        snprintf(before, sizeof before, "%s", ask(&t, "state"));
        assert_int_equal(strncmp(before, "state player 1 plies 0 result ongoing position ", 47), 0);
        unsigned count = 0;
        assert_int_equal(sscanf(ask(&t, "moves"), "moves %u %127s", &count, move), 2);
        assert_true(count > 0);
        snprintf(line, sizeof line, "play %s", move);
        talk_expect(&t, line, "");
        assert_non_null(strstr(ask(&t, "state"), " plies 1 "));
        talk_expect(&t, "undo", "");
        talk_expect(&t, "state", before);
        talk_expect(&t, "undo", "error undo: there are only 0 moves to take back\n");
        ask(&t, "go nodes 300");
        assert_int_equal(sscanf(last_line(&t), "bestmove %127s", move), 1);
        snprintf(line, sizeof line, "position start moves %s", move);
        talk_expect(&t, line, "");
        /* The position's own text leads back to it. */
        snprintf(before, sizeof before, "%s", strstr(ask(&t, "state"), " position ") + 10);
        char *set = malloc(strlen(before) + 32);
        sprintf(set, "position text %s", before);
        talk_expect(&t, set, "");
        assert_string_equal(strstr(ask(&t, "state"), " position ") + 10, before);
        free(set);
        talk_expect(&t, "newgame", "");
        assert_non_null(strstr(ask(&t, "state"), " plies 0 "));
        talk_close(&t);
    }
}

static void test_search_words(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "ply", "neighbours", NULL);
    talk_expect(&t, "setoption name MultiPV value 2", "");
    ask(&t, "go depth 3");
    assert_non_null(strstr(t.said.data, "info depth 3 seldepth "));
    assert_non_null(strstr(t.said.data, " multipv 2 score cp "));
    talk_expect(&t, "setoption name MultiPV value 1", "");
    talk_expect_last(&t, "go time1 100 time2 100", "bestmove ");
    talk_expect_last(&t, "go time1 10 time2 10 inc1 10 inc2 10 movestogo 3", "bestmove ");
    talk_expect_last(&t, "go byoyomi 20", "bestmove ");
    talk_expect_last(&t, "go mate 3 depth 4", "bestmove ");
    tell(&t, "go infinite");
    tell(&t, "stop");
    assert_int_equal(strncmp(last_line(&t), "bestmove ", 9), 0);
    tell(&t, "go ponder movetime 10");
    talk_expect_last(&t, "ponderhit", "bestmove ");
    /* A line that changes the game while it thinks: the answer comes first. */
    tell(&t, "go infinite");
    talk_expect_words(&t, "state", "bestmove ");
    assert_int_equal(strncmp(last_line(&t), "state player 1 ", 15), 0);
    talk_close(&t);
}

/* A forced win is told in plies; a lost game has no move. */
static void test_ends(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "ply", "gomoku", NULL);
    talk_expect(&t, "position start moves h8 a1 i8 a3 j8 a5 k8 a7", "");
    ask(&t, "go depth 2");
    assert_non_null(strstr(t.said.data, " score win 1 "));
    const char *best = last_line(&t);
    assert_true(strcmp(best, "bestmove g8") == 0 || strcmp(best, "bestmove l8") == 0);
    talk_expect(&t, "play l8", "");
    assert_non_null(strstr(ask(&t, "state"), " result first reason "));
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

static void test_options_that_fail(void **state)
{
    (void)state;
    ply_error error = {0};
    ply_session_options options = {.protocol = "uci"};
    assert_null(ply_session_new(&options, &error));
    assert_string_equal(error.message, "no protocol 'uci'");
    options = (ply_session_options){.protocol = "usi", .game = "checkers"};
    assert_null(ply_session_new(&options, &error));
    assert_string_equal(error.message, "usi is for shogi, not for checkers");
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
        cmocka_unit_test(test_hello),        cmocka_unit_test(test_every_game),
        cmocka_unit_test(test_search_words), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_bad_lines),    cmocka_unit_test(test_options_that_fail),
    };
    return cmocka_run_group_tests_name("ply", tests, NULL, NULL);
}
