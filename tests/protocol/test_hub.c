/* SPDX-License-Identifier: MIT */
/* test_hub.c - conversations in Hub. */
#include "protocol/talk.h"

static const char start[] = "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

static void test_hello(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "hub", NULL, NULL);
    const char *sent = talk_ask(&t, "hub");
    assert_int_equal(strncmp(sent, "id name=Plyverse version=", 25), 0);
    assert_non_null(strstr(sent, "\nparam name=variant value=english type=enum values=\"english "
                                 "russian brazilian "));
    assert_non_null(strstr(sent, "\nparam name=threads value=1 type=int min=1 max=4\n"));
    assert_non_null(strstr(sent, "\nparam name=hash value=4 type=int min=1 max=64\n"));
    assert_non_null(strstr(sent, "\nparam name=ponder value=false type=bool\n"));
    assert_string_equal(talk_last_line(&t), "wait");
    talk_expect(&t, "set-param name=threads value=2", "");
    talk_expect(&t, "set-param name=\"variant\" value=\"russian\"", "");
    talk_expect_words(&t, "hub", "param name=variant value=russian ");
    talk_expect_words(&t, "hub", "param name=threads value=2 ");
    talk_expect(&t, "init", "ready\n");
    talk_expect(&t, "ping", "pong\n");
    talk_expect(&t, "new-game", "");
    talk_expect(&t, "quit", "");
    assert_false(t.open);
    talk_close(&t);
}

static void test_search(void **state)
{
    (void)state;
    char first[64] = "";
    for (int i = 0; i < 2; i++) {
        talk t;
        talk_open(&t, "hub", NULL, NULL);
        talk_expect(&t, start, "");
        talk_expect(&t, "level depth=6", "");
        const char *sent = talk_ask(&t, "go think");
        const char *words[] = {"info depth=6 score=", " nodes=", " time=", " nps=", " pv=\""};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            assert_non_null(strstr(sent, words[k]));
        const char *done = talk_last_line(&t);
        int from, to;
        assert_int_equal(sscanf(done, "done move=%d-%d ponder=", &from, &to), 2);
        if (i == 0)
            snprintf(first, sizeof first, "%s", done);
        assert_string_equal(done, first);
        talk_close(&t);
    }
}

/* Captures name the pieces taken, in any order, in both directions. */
static void test_captures(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "hub", NULL, NULL);
    talk_expect(&t, "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18 15x22x18\"", "");
    talk_expect(&t, "level depth=1", "");
    talk_ask(&t, "go think"); /* White must recapture */
    const char *done = talk_last_line(&t);
    assert_true(strncmp(done, "done move=25x18x22", 18) == 0 ||
                strncmp(done, "done move=26x17x22", 18) == 0);
    /* A double jump: the white man on 26 takes 22 and 14, given in both orders. */
    talk_expect(&t, "pos pos=Weeeeeeeeeeeeebeeeeeeebeeeweeeeee", "");
    talk_ask(&t, "go think");
    assert_string_equal(talk_last_line(&t), "done move=26x10x14x22");
    talk_expect(&t, "pos pos=Weeeeeeeeeeeeebeeeeeeebeeeweeeeee moves=\"26x10x22x14\"", "");
    talk_expect(&t, "pos pos=Weeeeeeeeeeeeebeeeeeeebeeeweeeeee moves=\"26x10x14x14\"",
                "error message=\"pos: not a legal move: '26x10x14x14'\"\n");
    talk_close(&t);
}

/* Rule sets that name squares by letters are played by figures here. */
static void test_letters_become_figures(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "hub", NULL, "russian");
    talk_expect(&t, "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"22-18 11-15\"", "");
    talk_expect(&t, "level nodes=1000", "");
    talk_expect_words(&t, "go think", "done move=18x11x15");
    talk_expect(&t, "set-param name=variant value=brazilian", "");
    talk_expect(&t, "pos start moves=\"22-18 11-15\"", "");
    talk_expect_words(&t, "go think", "done move=18x11x15");
    talk_close(&t);
}

static void test_levels(void **state)
{
    (void)state;
    static const char *const levels[] = {"level move-time=0.02", "level time=0.3",
                                         "level moves=9 time=0.291587", "level time=0.1 inc=0.01",
                                         "level nodes=500"};
    talk t;
    talk_open(&t, "hub", NULL, NULL);
    talk_expect(&t, start, "");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        talk_expect(&t, levels[i], "");
        talk_expect_last(&t, "go think", "done move=");
    }
    talk_expect(&t, "level infinite", "");
    talk_send(&t, "go analyze");
    t.open = ply_session_line(t.session, "ping", 4); /* the search continues */
    t.open = ply_session_line(t.session, "stop", 4);
    assert_non_null(strstr(t.sent.data, "pong\n"));
    assert_int_equal(strncmp(talk_last_line(&t), "done move=", 10), 0);
    talk_expect(&t, "level move-time=0.01", "");
    talk_send(&t, "go ponder");
    talk_expect_last(&t, "ponder-hit", "done move=");
    talk_close(&t);
}

/* A win in n plies is 100 - n / 100 men, as clients expect. */
static void test_win(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "hub", NULL, NULL);
    talk_expect(&t, "pos pos=Weeeeeeeeeeeeebeeewweeeeeeeeeeeee", "");
    talk_expect(&t, "level depth=3", "");
    talk_expect_words(&t, "go think", " score=99.9");
    talk_close(&t);
}

static void test_bad_lines(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "hub", NULL, NULL);
    talk_expect(&t, "fly me to=the moon", ""); /* ignored, as the protocol prescribes */
    talk_expect(&t, "pos pos=Wxyz",
                "error message=\"pos: expected W or B and 32 of w b W B e, not 'Wxyz'\"\n");
    talk_expect(&t, "go think", "error message=\"go: there is no position with a legal move\"\n");
    talk_expect_words(&t, "pos pos=Wweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb", "error message=\"pos: ");
    talk_expect(&t, "pos pos=\"W", "error message=\"pos: unterminated quote\"\n");
    talk_expect(&t, "pos start moves=\"9-9\"", "error message=\"pos: not a legal move: '9-9'\"\n");
    talk_expect(&t, "level depth=deep", "error message=\"level: bad value of 'depth'\"\n");
    talk_expect(&t, "set-param name=speed value=9",
                "error message=\"set-param: no option 'speed'\"\n");
    talk_expect(&t, "go", "error message=\"go: expected think, ponder or analyze\"\n");
    talk_expect(&t, "pos start", "");
    talk_expect(&t, "level depth=2 mood=good", "");
    talk_expect_last(&t, "go think loud", "done move=");
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello),     cmocka_unit_test(test_search),
        cmocka_unit_test(test_captures),  cmocka_unit_test(test_letters_become_figures),
        cmocka_unit_test(test_levels),    cmocka_unit_test(test_win),
        cmocka_unit_test(test_bad_lines),
    };
    return cmocka_run_group_tests_name("hub", tests, NULL, NULL);
}
