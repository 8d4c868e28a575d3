/* SPDX-License-Identifier: MIT */
/* test_usi.c - transcripts of USI. */
#include "protocol/talk.h"

static void test_hello(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    const char *sent = talk_ask(&t, "usi");
    assert_int_equal(strncmp(sent, "id name Plyverse ", 17), 0);
    assert_non_null(strstr(sent, "\nid author "));
    assert_non_null(strstr(sent, "\noption name USI_Hash type spin default 4 min 1 max 64\n"));
    assert_non_null(strstr(sent, "\noption name USI_Ponder type check default false\n"));
    assert_non_null(strstr(sent, "\noption name Threads type spin default 1 min 1 max 4\n"));
    assert_non_null(strstr(sent, "\noption name MultiPV type spin default 1 min 1 max 64\n"));
    assert_non_null(strstr(sent, "\noption name impasse type combo default 27 var none var 27 "));
    assert_string_equal(talk_last_line(&t), "usiok");
    talk_expect(&t, "isready", "readyok\n");
    talk_expect(&t, "usinewgame", "");
    talk_expect(&t, "", "");
    talk_expect(&t, "gameover win", "");
    talk_expect(&t, "ponderhit", "");
    talk_expect(&t, "stop", "");
    talk_expect(&t, "quit", "");
    assert_false(t.open);
    talk_close(&t);
}

static void test_options(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    talk_expect(&t, "setoption name USI_Hash value 8", "");
    talk_expect(&t, "setoption name USI_Ponder value true", "");
    talk_expect(&t, "setoption name Threads value 2", "");
    talk_expect(&t, "setoption name MultiPV value 3", "");
    talk_expect(&t, "setoption name Engine value mcts", "");
    talk_expect(&t, "setoption name impasse value try", "");
    talk_expect(&t, "setoption name ClearHash", "");
    talk_expect_words(&t, "usi", "option name USI_Hash type spin default 8 ");
    talk_expect_words(&t, "usi", "option name USI_Ponder type check default true\n");
    talk_expect_words(&t, "usi", "option name Threads type spin default 2 ");
    talk_expect_words(&t, "usi", "option name MultiPV type spin default 3 ");
    talk_expect_words(&t, "usi", "option name Engine type combo default mcts ");
    talk_expect_words(&t, "usi", "option name impasse type combo default try ");
    talk_expect(&t, "setoption name USI_Hash value 100000",
                "info string setoption: Hash cannot be '100000'\n");
    talk_expect(&t, "setoption name Colour value red",
                "info string setoption: no option 'Colour'\n");
    talk_expect(&t, "setoption value 3", "info string setoption: expected name N [value V]\n");
    talk_expect_words(&t, "usi", "option name USI_Hash type spin default 8 ");
    talk_close(&t);
}

/* The same lines get the same answer; info is complete; the best move is legal. */
static void test_search(void **state)
{
    (void)state;
    char first[64] = "";
    for (int i = 0; i < 2; i++) {
        talk t;
        talk_open(&t, "usi", NULL, NULL);
        talk_expect(&t, "position startpos moves 7g7f 3c3d 2g2f", "");
        const char *sent = talk_ask(&t, "go nodes 20000");
        assert_int_equal(strncmp(sent, "info depth 1 seldepth ", 22), 0);
        const char *words[] = {" score cp ", " nodes ", " nps ", " hashfull ", " time ", " pv "};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            assert_non_null(strstr(sent, words[k]));
        assert_null(strstr(sent, "multipv"));
        const char *best = talk_last_line(&t);
        assert_int_equal(strncmp(best, "bestmove ", 9), 0);
        assert_non_null(strstr(best, " ponder "));
        if (i == 0)
            snprintf(first, sizeof first, "%s", best);
        assert_string_equal(best, first);
        /* The move and the expected reply can be played. */
        char line[128], move[8] = "", reply[8] = "";
        assert_int_equal(sscanf(best, "bestmove %7s ponder %7s", move, reply), 2);
        snprintf(line, sizeof line, "position startpos moves 7g7f 3c3d 2g2f %s %s", move, reply);
        talk_expect(&t, line, "");
        talk_close(&t);
    }
}

static void test_multipv_and_searchmoves(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    talk_expect(&t, "setoption name MultiPV value 3", "");
    talk_expect(&t, "position startpos", "");
    talk_ask(&t, "go depth 3");
    assert_non_null(strstr(t.sent.data, " multipv 1 "));
    assert_non_null(strstr(t.sent.data, " multipv 3 "));
    assert_null(strstr(t.sent.data, " multipv 4 "));
    talk_expect(&t, "setoption name MultiPV value 1", "");
    talk_expect_last(&t, "go depth 4 searchmoves 9g9f", "bestmove 9g9f");
    talk_expect_last(&t, "go searchmoves 1g1f depth 4", "bestmove 1g1f");
    talk_expect_words(&t, "go depth 1 searchmoves 9g9e", "info string not a legal move: '9g9e'\n");
    talk_expect_last(&t, "go depth 1 searchmoves 9g9e", "bestmove ");
    talk_close(&t);
}

static void test_clocks(void **state)
{
    (void)state;
    static const char *const orders[] = {
        "go btime 300 wtime 300",
        "go btime 0 wtime 0 byoyomi 60",
        "go btime 1000 wtime 1000 binc 50 winc 50",
        "go movetime 40",
        "go btime -30 wtime 500 byoyomi 40",
        "go btime 400 wtime 400 movestogo 10",
    };
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    talk_expect(&t, "position startpos", "");
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        double start = test_cpu_seconds();
        talk_expect_last(&t, orders[i], "bestmove ");
        assert_true(test_cpu_seconds() - start < 2);
    }
    talk_expect_words(&t, "go btime abc depth 1", "info string no number after 'btime'\n");
    talk_expect_words(&t, "go depth 1 quickly", "info string not understood in go: 'quickly'\n");
    talk_close(&t);
}

static void test_stop_and_ponder(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    talk_send(&t, "position startpos");
    for (int i = 0; i < 20; i++) {
        /* Stopped at once, perhaps before the search has begun. */
        talk_send(&t, "go infinite");
        double start = test_cpu_seconds();
        talk_send(&t, "stop");
        assert_true(test_cpu_seconds() - start < 2);
        assert_int_equal(strncmp(talk_last_line(&t), "bestmove ", 9), 0);
        ply_text_clear(&t.sent);
    }
    /* There is no answer during pondering, whatever the limits. */
    talk_send(&t, "go ponder btime 10 wtime 10 byoyomi 10");
    struct timespec pause = {.tv_nsec = 80000000};
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&t.lock);
    assert_null(strstr(ply_text_cstr(&t.sent), "bestmove"));
    pthread_mutex_unlock(&t.lock);
    t.open = ply_session_line(t.session, "ponderhit", 9);
    ply_session_wait(t.session);
    assert_int_equal(strncmp(talk_last_line(&t), "bestmove ", 9), 0);
    /* A ponderhit that comes before the search has begun is not lost either. */
    for (int i = 0; i < 20; i++) {
        talk_send(&t, "go ponder btime 10 wtime 10 byoyomi 10");
        talk_ask(&t, "ponderhit");
    }
    talk_send(&t, "go ponder infinite");
    talk_send(&t, "stop");
    assert_int_equal(strncmp(talk_last_line(&t), "bestmove ", 9), 0);
    /* gameover and quit stop a search without an answer. */
    talk_send(&t, "go infinite");
    talk_send(&t, "gameover lose");
    talk_send(&t, "go infinite");
    talk_send(&t, "quit");
    assert_false(t.open);
    /* The client disconnects during a search: the answer still comes. */
    ply_text_clear(&t.sent);
    ply_session_line(t.session, "go infinite", 11);
    ply_session_finish(t.session);
    assert_int_equal(strncmp(talk_last_line(&t), "bestmove ", 9), 0);
    talk_close(&t);
}

static void test_ends(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    /* Mated: a gold on 5b guarded by a pawn on 5c. */
    talk_expect(&t, "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "");
    talk_expect_last(&t, "go depth 3", "bestmove resign");
    /* 28 points and ten pieces in the camp: the game may be declared won. */
    talk_expect(&t, "position sfen +R+R1K5/PPPPPPPPP/+B+B7/9/9/9/9/4k4/9 b 4G4S4N4L9P 1", "");
    talk_expect_last(&t, "go depth 3", "bestmove win");
    talk_expect(&t, "setoption name impasse value none", "");
    talk_expect(&t, "position sfen +R+R1K5/PPPPPPPPP/+B+B7/9/9/9/9/4k4/9 b 4G4S4N4L9P 1", "");
    talk_ask(&t, "go depth 2");
    assert_null(strstr(t.sent.data, "bestmove win"));
    talk_close(&t);
}

static void test_mate(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    /* A gold in hand, the king on 5a, a pawn on 5c: G*5b mates. */
    talk_expect(&t, "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "");
    talk_expect_last(&t, "go mate 10000", "checkmate G*5b");
    talk_expect_last(&t, "go mate infinite", "checkmate G*5b");
    talk_ask(&t, "go mate 10000");
    assert_non_null(strstr(t.sent.data, " score mate 1 "));
    /* There is no check at the start of the game, so no mate by checks. */
    talk_expect(&t, "position startpos", "");
    talk_expect_last(&t, "go mate 10000", "checkmate nomate");
    /* A mate in 1525 plies is not found in 30 milliseconds. */
    talk_expect(&t,
                "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/"
                "2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
                "");
    talk_expect_last(&t, "go mate 30", "checkmate timeout");
    talk_send(&t, "go mate infinite");
    talk_expect_last(&t, "stop", "checkmate timeout");
    talk_expect(&t, "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "");
    talk_expect_last(&t, "go mate 1000", "checkmate nomate");
    talk_close(&t);
}

/* A classic problem of three plies: the whole variation is sent, and it ends the game. */
static void test_mate_line_is_complete(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    const char *position = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
    char line[256];
    snprintf(line, sizeof line, "position sfen %s", position);
    talk_expect(&t, line, "");
    talk_expect_last(&t, "go mate 20000", "checkmate ");
    const char *moves = strchr(talk_last_line(&t), ' ');
    ply_rules rules;
    ply_state s;
    ply_error error;
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&s, &rules, position);
    if (ply_state_play_text(&s, moves, strlen(moves), &error) != PLY_OK)
        fail_msg("%s: %s", moves, error.message);
    assert_int_equal(ply_state_outcome(&s).result, PLY_FIRST_WINS);
    assert_true(s.plies == 3);
    ply_state_free(&s);
    talk_close(&t);
}

static void test_bad_lines(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "usi", NULL, NULL);
    talk_expect(&t, "hello", "info string unknown command 'hello'\n");
    talk_expect(&t, "\x7f\xff", "info string unknown command '?\?'\n");
    talk_expect_words(&t, "position", "info string position: expected startpos or sfen\n");
    talk_expect_last(&t, "go depth 1", "bestmove resign"); /* there is no position now */
    talk_expect(&t, "position startpos", "");
    talk_expect_last(&t, "go depth 1", "bestmove ");
    talk_expect_words(&t, "position startpos here", "more text after startpos");
    talk_expect_words(&t, "position sfen 9/9 b - 1", "info string position: column ");
    talk_expect_words(&t, "position startpos moves 7g7f 7g7f", "info string moves: column ");
    talk_expect_last(&t, "go depth 1", "bestmove resign");
    talk_expect(&t, "  position   startpos\tmoves 7g7f\r\n", "");
    talk_expect_last(&t, "go depth 1\r\n", "bestmove ");
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_multipv_and_searchmoves),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_stop_and_ponder),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_mate),
        cmocka_unit_test(test_mate_line_is_complete),
        cmocka_unit_test(test_bad_lines),
    };
    return cmocka_run_group_tests_name("usi", tests, NULL, NULL);
}
