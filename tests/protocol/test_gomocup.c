/* SPDX-License-Identifier: MIT */
/* test_gomocup.c - conversations in the Gomocup protocol and Yixin-Board's additions. */
#include "protocol/talk.h"

static void open_board(talk *t, const char *start)
{
    talk_open(t, "gomocup", NULL, NULL);
    talk_expect(t, start, "OK\n");
    talk_expect(t, "INFO timeout_turn 5000", "");
    talk_expect(t, "INFO max_node 3000", "");
}

/* Passes a line in; the last line of the answer must be a single point. */
static void expect_point(talk *t, const char *line, int *x, int *y)
{
    char rest;
    talk_ask(t, line);
    if (sscanf(talk_last_line(t), "%d,%d%c", x, y, &rest) != 2)
        fail_msg("'%s' was answered '%s'", line, talk_last_line(t));
}

static void test_begin(void **state)
{
    (void)state;
    talk t;
    int x, y;
    talk_open(&t, "gomocup", NULL, NULL);
    talk_expect_words(&t, "ABOUT", "name=\"Plyverse\", version=\"");
    talk_expect(&t, "BEGIN", "ERROR there is no board; send START first\n");
    talk_expect(&t, "RESTART", "ERROR there is no board; send START first\n");
    talk_expect(&t, "START 4", "ERROR boards are 5x5 to 32x32\n");
    talk_expect(&t, "START 33", "ERROR boards are 5x5 to 32x32\n");
    talk_expect(&t, "START", "ERROR boards are 5x5 to 32x32\n");
    talk_expect(&t, "START 20", "OK\n");
    talk_expect(&t, "RECTSTART 9,12", "OK\n");
    talk_expect(&t, "RECTSTART 9", "ERROR boards are 5x5 to 32x32\n");
    talk_expect(&t, "START 15\r\n", "OK\n");
    talk_expect(&t, "INFO max_node 2000", "");
    expect_point(&t, "BEGIN", &x, &y);
    assert_true(x >= 0 && x < 15 && y >= 0 && y < 15);
    talk_expect(&t, "BEGIN", "ERROR the board is not empty\n");
    talk_expect(&t, "RESTART", "OK\n");
    expect_point(&t, "begin", &x, &y);
    talk_expect(&t, "END", "");
    assert_false(t.open);
    talk_close(&t);
}

/* The same lines get the same answer. */
static void test_turn(void **state)
{
    (void)state;
    int first_x = -1, first_y = -1, x, y;
    for (int i = 0; i < 2; i++) {
        talk t;
        open_board(&t, "START 15");
        expect_point(&t, "TURN 7,7", &x, &y);
        if (i == 0) {
            first_x = x;
            first_y = y;
        }
        assert_true(x == first_x && y == first_y);
        char line[32];
        snprintf(line, sizeof line, "TURN %d,%d", x, y);
        talk_expect_last(&t, line, "ERROR "); /* there is a stone */
        talk_expect_last(&t, "TURN 15,3", "ERROR expected a point x,y on the board");
        talk_expect_last(&t, "TURN 3", "ERROR expected a point x,y on the board");
        talk_expect_last(&t, "TURN 3,3,1", "ERROR expected a point x,y on the board");
        expect_point(&t, "TURN 0,0", &x, &y);
        talk_close(&t);
    }
}

static void read_board(talk *t, const char *command, const char *const *lines)
{
    talk_send(t, command);
    for (; *lines; lines++)
        talk_send(t, *lines);
}

static void test_board(void **state)
{
    (void)state;
    static const char *const four[] = {"3,7,1", "0,0,2", "4,7,1", "0,2,2", "5,7,1",
                                       "0,4,2", "6,7,1", "0,6,2", NULL};
    /* The opponent has the four, and the stones come in another order: we are White. */
    static const char *const theirs[] = {"3,7,2", "4,7,2",   "5,7,2",   "6,7,2",
                                         "2,7,1", "14,14,1", "14,12,1", NULL};
    talk t;
    int x, y;
    open_board(&t, "START 15");
    read_board(&t, "BOARD", four);
    expect_point(&t, "DONE", &x, &y);
    assert_true((x == 2 || x == 7) && y == 7);
    read_board(&t, "BOARD", theirs);
    expect_point(&t, "DONE", &x, &y);
    assert_true(x == 7 && y == 7); /* the only defence */
    talk_send(&t, "BOARD");
    expect_point(&t, "DONE", &x, &y);
    talk_send(&t, "BOARD");
    talk_expect(&t, "3,7", "ERROR expected x,y,1 or x,y,2 on the board\n");
    talk_expect(&t, "3,7,4", "");
    talk_expect(&t, "DONE", "");
    talk_send(&t, "BOARD");
    talk_send(&t, "3,3,1");
    talk_send(&t, "3,3,2");
    talk_expect_last(&t, "DONE", "ERROR two stones on 3,3");
    talk_send(&t, "BOARD");
    talk_expect(&t, "ABOUT me",
                "ERROR DONE is missing\nname=\"Plyverse\", version=\"0.1.0\", "
                "author=\"the Plyverse authors\"\n");
    talk_close(&t);
}

static void test_play_and_takeback(void **state)
{
    (void)state;
    talk t;
    int x, y;
    open_board(&t, "START 15");
    talk_expect(&t, "PLAY 7,7", "7,7\n");
    talk_expect(&t, "PLAY 7,7", "ERROR Black has a stone on h8 already\n");
    talk_expect(&t, "PLAY 8,7", "8,7\n");
    talk_expect(&t, "TAKEBACK 8,7", "OK\n");
    talk_expect(&t, "TAKEBACK 8,7", "ERROR there is no stone on 8,7\n");
    talk_expect(&t, "PLAY 8,7", "8,7\n");
    talk_expect(&t, "TAKEBACK 7,7", "OK\n"); /* not the last stone: Black moves again */
    talk_expect(&t, "PLAY 7,7", "7,7\n");
    expect_point(&t, "TURN 6,6", &x, &y);
    talk_close(&t);
}

static void test_rules(void **state)
{
    (void)state;
    /* 7,7 is a three-three for Black: two open threes cross there. */
    static const char *const crossed[] = {"5,7,1",  "0,0,2", "6,7,1",   "14,0,2", "7,5,1",
                                          "0,14,2", "7,6,1", "14,14,2", NULL};
    talk t;
    open_board(&t, "START 15");
    talk_expect(&t, "INFO rule 4", "");
    read_board(&t, "yxboard", crossed);
    talk_expect(&t, "DONE", "");
    talk_expect(&t, "yxshowforbid", "FORBID 0707.\n");
    talk_expect_last(&t, "PLAY 7,7", "ERROR h8 is forbidden to Black: ");
    talk_expect(&t, "INFO rule 2", ""); /* Yixin-Board's number for renju */
    talk_expect(&t, "yxshowforbid", "FORBID 0707.\n");
    talk_expect(&t, "INFO rule 0", ""); /* the stones stay */
    talk_expect(&t, "yxshowforbid", "FORBID .\n");
    talk_expect(&t, "PLAY 7,7", "7,7\n");
    talk_expect(&t, "TAKEBACK 7,7", "OK\n");
    /* Six in a row wins in freestyle, but not where exactly five is required. */
    static const char *const six[] = {"1,7,1", "0,0,2", "2,7,1", "0,2,2", "3,7,1", "0,4,2",
                                      "5,7,1", "0,6,2", "6,7,1", "0,8,2", NULL};
    for (unsigned rule = 0; rule < 10; rule++) {
        if (rule != 0 && rule != 1 && rule != 8 && rule != 9)
            continue;
        char line[32];
        snprintf(line, sizeof line, "INFO rule %u", rule);
        talk_expect(&t, "RESTART", "OK\n");
        talk_expect(&t, line, "");
        read_board(&t, "yxboard", six);
        talk_expect(&t, "DONE", "");
        talk_expect(&t, "PLAY 4,7", "4,7\n");
        bool wins = !(rule & 1);
        if (wins)
            talk_expect_last(&t, "PLAY 14,14", "ERROR the game is over");
        else
            talk_expect(&t, "PLAY 14,14", "14,14\n");
    }
    talk_close(&t);
}

static void test_info(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "INFO timeout_turn 20",
        "INFO timeout_match 60000",
        "INFO time_left 30000",
        "INFO max_memory 83886080",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO folder /tmp/somewhere",
        "INFO max_depth 4",
        "INFO max_node 5000",
        "INFO hash_size 2048",
        "INFO thread_num 2",
        "INFO thread_num 1",
        "INFO thread_split_depth 8",
        "INFO caution_factor 2",
        "INFO pondering 0",
        "INFO checkmate 0",
        "INFO nbestsym 0",
        "INFO usedatabase 0",
        "INFO time_increment 0",
        "INFO unheard_of 7",
        "INFO",
        "INFO rule",
        "INFO rule twelve",
        "INFO max_node -1",
    };
    talk t;
    int x, y;
    talk_open(&t, "gomocup", NULL, NULL);
    talk_expect(&t, "START 15", "OK\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        talk_expect(&t, lines[i], "");
    double start = test_cpu_seconds();
    expect_point(&t, "BEGIN", &x, &y);
    assert_true(test_cpu_seconds() - start < 2);
    talk_expect(&t, "INFO timeout_turn 0", ""); /* as fast as possible */
    start = test_cpu_seconds();
    expect_point(&t, "TURN 0,0", &x, &y);
    assert_true(test_cpu_seconds() - start < 2);
    talk_expect_words(&t, "INFO evaluate 3,3", "DEBUG 3,3 is worth ");
    talk_expect(&t, "INFO evaluate 0,0", "DEBUG 0,0 is not a legal move\n");
    talk_expect(&t, "INFO timeout_turn 60000",
                ""); /* on a busy machine, 0 may end before depth 1 */
    talk_expect(&t, "INFO show_detail 1", "");
    talk_expect_words(&t, "TURN 14,14", "MESSAGE (1) depth ");
    talk_close(&t);
}

static void test_yixin(void **state)
{
    (void)state;
    talk t;
    int x, y;
    open_board(&t, "START 15");
    const char *sent = talk_ask(&t, "yxnbest 3");
    assert_non_null(strstr(sent, "MESSAGE (1) depth "));
    assert_non_null(strstr(sent, "MESSAGE (3) depth "));
    assert_int_equal(sscanf(talk_last_line(&t), "%d,%d", &x, &y), 2);
    talk_expect(&t, "yxhashclear", "MESSAGE the transposition table is empty\n");
    talk_expect_words(&t, "yxshowinfo", "MESSAGE INFO MAX_THREAD_NUM 4\n");
    /* A stopped search answers at once. */
    talk_expect(&t, "INFO max_node 0", "");
    talk_expect(&t, "INFO timeout_turn 100000", "");
    double start = test_cpu_seconds();
    talk_send(&t, "TURN 0,0");
    t.open = ply_session_line(t.session, "yxstop", 6);
    assert_true(test_cpu_seconds() - start < 2);
    assert_int_equal(sscanf(talk_last_line(&t), "%d,%d", &x, &y), 2);
    /* Blocked points are not played; all but the first row are blocked. */
    talk_expect(&t, "RESTART", "OK\n");
    talk_expect(&t, "INFO max_node 3000", "");
    talk_send(&t, "yxblock");
    for (int i = 15; i < 225; i++) {
        char line[16];
        snprintf(line, sizeof line, "%d,%d", i % 15, i / 15);
        talk_send(&t, line);
    }
    talk_expect(&t, "DONE", "");
    expect_point(&t, "BEGIN", &x, &y);
    assert_int_equal(y, 0);
    talk_expect(&t, "yxblockreset", "");
    expect_point(&t, "yxbalanceone 0", &x, &y);
    int x2, y2;
    talk_ask(&t, "yxbalancetwo 0");
    assert_int_equal(sscanf(talk_last_line(&t), "%d,%d %d,%d", &x, &y, &x2, &y2), 4);
    assert_true(x != x2 || y != y2);
    talk_close(&t);
}

static void test_swap2(void **state)
{
    (void)state;
    talk t;
    int x[3], y[3];
    char line[64], rest;
    open_board(&t, "START 15");
    talk_send(&t, "SWAP2BOARD");
    talk_ask(&t, "DONE");
    assert_int_equal(sscanf(talk_last_line(&t), "%d,%d %d,%d %d,%d%c", &x[0], &y[0], &x[1], &y[1],
                            &x[2], &y[2], &rest),
                     6);
    talk_send(&t, "SWAP2BOARD");
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "%d,%d", x[i], y[i]);
        talk_send(&t, line);
    }
    talk_ask(&t, "DONE");
    const char *answer = talk_last_line(&t);
    int stones = sscanf(answer, "%d,%d %d,%d%c", &x[0], &y[0], &x[1], &y[1], &rest);
    assert_true(strcmp(answer, "SWAP") == 0 || stones == 2 || stones == 4);
    /* Black has an open three and the move is White's: Black is clearly better. */
    static const char *const lost[] = {"5,7", "0,0", "6,7", "0,14", "7,7", NULL};
    read_board(&t, "SWAP2BOARD", lost);
    talk_expect_last(&t, "DONE", "SWAP");
    talk_send(&t, "SWAP2BOARD");
    talk_send(&t, "1,1");
    talk_expect(&t, "DONE", "ERROR SWAP2BOARD takes 0, 3 or 5 stones\n");
    talk_close(&t);
}

static void test_bad_lines(void **state)
{
    (void)state;
    talk t;
    open_board(&t, "START 15");
    talk_expect(&t, "FLY 3,3", "UNKNOWN command FLY\n");
    talk_expect(&t, "yxsomething", "UNKNOWN command yxsomething\n");
    talk_expect(&t, "", "");
    talk_expect(&t, "DONE", "UNKNOWN command DONE\n");
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begin),     cmocka_unit_test(test_turn),
        cmocka_unit_test(test_board),     cmocka_unit_test(test_play_and_takeback),
        cmocka_unit_test(test_rules),     cmocka_unit_test(test_info),
        cmocka_unit_test(test_yixin),     cmocka_unit_test(test_swap2),
        cmocka_unit_test(test_bad_lines),
    };
    return cmocka_run_group_tests_name("gomocup", tests, NULL, NULL);
}
