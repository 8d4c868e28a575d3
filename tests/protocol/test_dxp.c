/* SPDX-License-Identifier: MIT */
/*
 * test_dxp.c - DamExchange: single messages, and a whole game between two sessions.
 */
#include "protocol/talk.h"

#define NAME "Tester                          " /* 32 wide */
#define REPLY "APlyverse                        "

static void test_messages(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "dxp", NULL, NULL);
    talk_expect(&t, "R02" NAME "W005075A", REPLY "1\n"); /* unknown version */
    talk_expect(&t, "R01" NAME "X005075A", REPLY "2\n");
    talk_expect(&t, "R01", REPLY "2\n");
    talk_expect(&t, "M0000111500", "Cthere is no game\n");
    /* English: Black starts, and we are White. */
    talk_expect(&t, "R01" NAME "W001075A", REPLY "0\n");
    talk_expect(&t, "R01" NAME "W001075A", REPLY "2\n"); /* one game at a time */
    talk_expect(&t, "M0000112500", "Cnot a legal move\n");
    talk_expect(&t, "M00001115", "Cmalformed move\n");
    talk_expect(&t, "Q", "Cunknown message\n");
    talk_expect(&t, "Chello", "");
    talk_expect(&t, "K0", "");
    talk_expect(&t, "B001Z", "K0\n"); /* where we are already */
    talk_expect(&t, "B009Z", "K1\n");
    talk_expect(&t, "E9", "Cmalformed game end\n");
    talk_expect(&t, "E20", "E00\n");
    assert_true(t.open);
    talk_expect(&t, "E01", "");
    assert_false(t.open);
    talk_close(&t);
}

/* From a position: a capture names the pieces taken. */
static void test_position_and_capture(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "dxp", NULL, NULL);
    /* White to move takes 22 and 14 with the man on 26; then Black has lost. */
    talk_expect(&t, "R01" NAME "W001075BWeeeeeeeeeeeeezeeeeeeezeeeweeeeee",
                REPLY "0\nM00002610021422\n");
    talk_expect(&t, "E10", "E00\n");
    talk_expect(&t, "R01" NAME "Z001075BWeeeeeeeeeeeeezeeeeeeezeeeweeeeee", REPLY "0\n");
    /* The pieces taken may come in any order. We have no piece left and lose. */
    talk_expect(&t, "M00002610022214", "E10\n");
    talk_expect(&t, "R01" NAME "W001075BWeeeeeeeeeeeeezeeeeeeezeeeweeee", REPLY "2\n");
    talk_close(&t);
}

/* Two sessions; each receives what the other sends. */
typedef struct pair {
    talk side[2];
} pair;

static void test_whole_game(void **state)
{
    (void)state;
    pair p;
    for (int i = 0; i < 2; i++) {
        talk_init(&p.side[i]);
        ply_session_options options = talk_options(&p.side[i], "dxp");
        options.connects = i == 0;
        options.variant = "russian";
        talk_open_with(&p.side[i], &options);
    }
    ply_rules rules;
    ply_state game;
    test_make_rules(&rules, "checkers", "russian:notation=N2,sign=x");
    test_make_state(&game, &rules, NULL);
    int moves = 0, ends = 0;
    char received[2][512] = {"", ""};
    snprintf(received[1], sizeof received[1], "%s", ply_text_cstr(&p.side[0].sent));
    assert_int_equal(strncmp(received[1], "R01Plyverse", 11), 0);
    for (int to = 1; received[to][0] && ends < 2; to = !to) {
        char *save = NULL;
        ply_text_clear(&p.side[to].sent);
        for (char *line = strtok_r(received[to], "\n", &save); line;
             line = strtok_r(NULL, "\n", &save)) {
            assert_int_not_equal(line[0], 'C');
            if (line[0] == 'E')
                ends++;
            if (line[0] == 'M') {
                /* It must be legal: some move from and to these squares. */
                int from = (line[5] - '0') * 10 + line[6] - '0';
                int target = (line[7] - '0') * 10 + line[8] - '0';
                size_t count = ply_game_count_moves(&rules, game.position), k = 0;
                for (; k < count; k++) {
                    char text[PLY_MOVE_TEXT];
                    ply_text out = ply_text_fixed(text, sizeof text);
                    ply_move move = ply_game_nth_move(&rules, game.position, k);
                    rules.game->format_move(&rules, game.position, move, &out);
                    char *last = text + strlen(text);
                    while (last > text && last[-1] >= '0' && last[-1] <= '9')
                        last--;
                    if (atoi(text) == from && atoi(last) == target &&
                        ply_state_play(&game, move) == PLY_OK)
                        break;
                }
                assert_true(k < count);
                moves++;
            }
            ply_session_line(p.side[to].session, line, strlen(line));
            /* Cut the search short: the answer comes at once. */
            ply_session_finish(p.side[to].session);
        }
        snprintf(received[!to], sizeof received[!to], "%s", ply_text_cstr(&p.side[to].sent));
    }
    assert_true(moves > 20);
    assert_int_equal(ends, 2);
    ply_state_free(&game);
    for (int i = 0; i < 2; i++)
        talk_close(&p.side[i]);
}

static void test_back_request(void **state)
{
    (void)state;
    talk t;
    talk_open(&t, "dxp", NULL, NULL);
    talk_send(&t, "R01" NAME "W001075A");
    talk_send(&t, "M0000111500");
    ply_session_finish(t.session); /* it answers at once */
    assert_int_equal(talk_last_line(&t)[0], 'M');
    talk_expect(&t, "B001Z", "K0\n"); /* back to the start: Black to move again */
    talk_send(&t, "M0000121600");
    ply_session_finish(t.session);
    assert_int_equal(talk_last_line(&t)[0], 'M');
    talk_send(&t, "B001W"); /* White to move: we move again */
    ply_session_finish(t.session);
    assert_int_equal(talk_last_line(&t)[0], 'M');
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_position_and_capture),
        cmocka_unit_test(test_whole_game),
        cmocka_unit_test(test_back_request),
    };
    return cmocka_run_group_tests_name("dxp", tests, NULL, NULL);
}
