/* SPDX-License-Identifier: MIT */
/* test_play.c - play and undo, memory, hashes, the end of the game, limits. */
#include "games/fived/turns/turn_query.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

/* The number of boards on the timelines of a position; each must have one reference. */
static size_t boards_on_timelines(const fived_position *p)
{
    size_t count = 0;
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *line = fived_position_timeline(p, l);
        for (int v = line->start; v <= line->end; v++) {
            assert_int_equal(line->boards[v - line->start]->references, 1);
            count++;
        }
    }
    return count;
}

/*
 * Random moves and takebacks: no board leaks, and undo restores every byte of the position.
 */
static void test_a_million_moves(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"standard", "misc-timeline-battlegrounds",
                                           "focused-just-brawns", "standard-two-timelines"};
    size_t steps = test_is_long() ? 1000000 : 60000, done = 0;
    for (size_t v = 0; v < 4; v++) {
        ply_rules rules;
        ply_state state;
        test_make_rules(&rules, "5dchess", variants[v]);
        test_make_state(&state, &rules, NULL);
        fived_position *p = state.position;
        fived_position start = *p;
        ply_rng rng = ply_rng_make(6, v);
        fived_turn_query q;
        fived_turn_query_init(&q);
        for (size_t i = 0; i < steps / 4; i++, done++) {
            /* The game grows to about 60 plies on average. Any candidate will do, legal or not. */
            if (state.plies > 0 && ply_rng_below(&rng, 120) < 30 + state.plies) {
                ply_state_undo(&state);
                continue;
            }
            assert_int_equal(fived_turn_query_prepare(&q, &rules, p), PLY_OK);
            uint32_t count =
                q.royal_lost ? 0 : q.candidates.physical_count + q.candidates.jump_count;
            uint32_t k = ply_rng_below(&rng, count + 1);
            bool submits = k == count;
            if (submits && (fived_position_present(p) & 1) == p->side && count > 0)
                k = 0, submits = false;
            ply_move move = submits ? FIVED_SUBMIT
                            : k < q.candidates.physical_count
                                ? fived_physical_move(&q, k)
                                : fived_jump_move(&q, k - q.candidates.physical_count);
            fived_position before = *p;
            assert_int_equal(ply_state_play(&state, move), PLY_OK);
            assert_true(ply_state_undo(&state));
            assert_memory_equal(p, &before, sizeof before);
            assert_int_equal(ply_state_play(&state, move), PLY_OK);
            if (i % 1000 == 0)
                assert_int_equal(boards_on_timelines(p), p->board_count);
        }
        size_t held = p->board_count + p->multiverse->free_count;
        while (ply_state_undo(&state))
            continue;
        assert_memory_equal(p, &start, sizeof start);
        assert_int_equal(boards_on_timelines(p), start.board_count);
        /* Nothing leaked: the position holds as many boards as before, more of them free. */
        assert_int_equal(p->board_count + p->multiverse->free_count, held);
        assert_true(rules.game->hash(&rules, p) == rules.game->compute_hash(&rules, p));
        fived_turn_query_free(&q);
        ply_state_free(&state);
    }
    print_message("%zu moves and takebacks\n", done);
}

/* Every legal move begins some random game. */
static void test_random_games_begin_with_every_move(void **unused)
{
    (void)unused;
    enum {
        MOVES = 64,
        TRIES = 60
    }; /* a move is missed with probability (1 - 1/n)^(60 n) = e^-60 */
    ply_rules rules;
    ply_state state;
    ply_move moves[FIVED_MAX_MOVES];
    uint64_t after[MOVES];
    bool seen[MOVES] = {false};
    test_make_rules(&rules, "5dchess", "small");
    test_make_state(&state, &rules, NULL);
    size_t count = rules.game->moves(&rules, state.position, moves), found = 0;
    assert_in_range(count, 2, MOVES);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(ply_state_play(&state, moves[i]), PLY_OK);
        after[i] = fived_hash(&rules, state.position);
        assert_true(ply_state_undo(&state));
    }
    ply_rng rng = ply_rng_make(1, 0);
    for (size_t game = 0; game < count * TRIES; game++) {
        fived_position copy;
        ply_outcome outcome;
        assert_int_equal(fived_copy(&rules, &copy, state.position), PLY_OK);
        assert_int_equal(fived_playout(&rules, &copy, &rng, 1, &outcome), 1);
        uint64_t hash = fived_hash(&rules, &copy);
        size_t i = 0;
        while (i < count && after[i] != hash)
            i++;
        assert_true(i < count);
        found += !seen[i];
        seen[i] = true;
        fived_clear(&rules, &copy);
    }
    assert_int_equal(found, count);
    ply_state_free(&state);
}

/* Another state costs only the boards it changed, however long the game is. */
static void test_memory_of_a_state(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "standard");
    test_make_state(&state, &rules, NULL);
    static const char *const back_and_forth[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    fived_position *p = state.position;
    int turns = FIVED_TIME_LIMIT - 1 < 200 ? FIVED_TIME_LIMIT - 1 : 200;
    for (int i = 0; i < 2 * turns; i++) {
        size_t boards = p->board_count;
        size_t bytes = fived_position_bytes(p);
        const char *move = back_and_forth[i % 4];
        assert_int_equal(ply_state_play_text(&state, move, strlen(move), NULL), PLY_OK);
        assert_int_equal(ply_state_play(&state, FIVED_SUBMIT), PLY_OK);
        assert_int_equal(p->board_count, boards + 1);
        /*
         * One board, and now and then an array that doubles: at most 8 bytes for each of its
         * boards.
         */
        size_t grown = fived_position_bytes(p) - bytes;
        assert_true(grown >= sizeof(fived_board) &&
                    grown <= sizeof(fived_board) + 8 * boards + 256);
    }
    print_message("%u boards in %zu bytes, %.1f bytes per state\n", p->board_count,
                  fived_position_bytes(p), (double)fived_position_bytes(p) / p->board_count);
    assert_true(fived_position_bytes(p) / p->board_count < 230);
    /* Every board is in memory, and so is the pointer to it. */
    assert_true(fived_position_bytes(p) >=
                p->board_count * (sizeof(fived_board) + sizeof(fived_board *)));
    ply_state_free(&state);
}

/* Copies share boards but are independent. */
static void test_copies(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state, copy;
    test_make_rules(&rules, "5dchess", "standard");
    test_make_state(&state, &rules, NULL);
    assert_int_equal(ply_state_play_text(&state, "e4 submit e5 submit", 19, NULL), PLY_OK);
    assert_int_equal(ply_state_copy(&copy, &state), PLY_OK);
    fived_position *p = state.position, *q = copy.position;
    for (int v = 2; v <= 4; v++) {
        assert_ptr_equal(fived_position_board(p, 0, v), fived_position_board(q, 0, v));
        assert_int_equal(fived_position_board(p, 0, v)->references, 2);
    }
    uint64_t hash = p->hash;
    while (ply_state_undo(&copy))
        continue;
    assert_true(p->hash == hash && rules.game->compute_hash(&rules, p) == hash);
    ply_state_free(&state);
    assert_int_equal(fived_position_board(q, 0, 2)->references, 1);
    ply_state_free(&copy);
}

/* Moves that do not branch commute: the same multiverse, the same key. */
static void test_hash_of_orders(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state one, two;
    test_make_rules(&rules, "5dchess", "standard-two-timelines");
    test_make_state(&one, &rules, NULL);
    test_make_state(&two, &rules, NULL);
    static const char forth[] = "(+0T1)e4 (-0T1)Nf3 submit", back[] = "(-0T1)Nf3 (+0T1)e4 submit";
    assert_int_equal(ply_state_play_text(&one, forth, strlen(forth), NULL), PLY_OK);
    assert_int_equal(ply_state_play_text(&two, back, strlen(back), NULL), PLY_OK);
    assert_true(rules.game->hash(&rules, one.position) == rules.game->hash(&rules, two.position));
    assert_true(rules.game->hash(&rules, one.position) ==
                rules.game->compute_hash(&rules, one.position));
    ply_state_free(&one);
    ply_state_free(&two);
}

static ply_outcome outcome_of(const char *variant, const char *boards)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", variant);
    test_make_state(&state, &rules, boards);
    ply_outcome outcome = ply_state_outcome(&state);
    size_t moves = rules.game->count(&rules, state.position);
    assert_int_equal(moves > 0, outcome.result == PLY_ONGOING);
    ply_state_free(&state);
    return outcome;
}

static void test_ends(void **unused)
{
    (void)unused;
    /* A back rank mate and a stalemate on the only board there ever was. */
    ply_outcome mate = outcome_of("", "[R5k1/5ppp/8/8/8/8/8/6K1:0:1:b]");
    assert_int_equal(mate.result, PLY_FIRST_WINS);
    assert_string_equal(mate.reason, "checkmate");
    ply_outcome stale = outcome_of("", "[7k/5Q2/6K1/8/8/8/8/8:0:1:b]");
    assert_int_equal(stale.result, PLY_DRAW);
    assert_string_equal(stale.reason, "stalemate");
    /* The same mate, but a knight can go to the past: to a board where the king is not attacked. */
    assert_int_equal(outcome_of("",
                                "[6k1/5ppp/8/8/8/n7/8/R5K1:0:1:b] [6k1/5ppp/8/8/8/n7/8/R5K1:0:2:w] "
                                "[R5k1/5ppp/8/8/8/n7/8/6K1:0:2:b]")
                         .result,
                     PLY_ONGOING);
    /* An end board of the enemy attacks a king in the past: nothing helps. */
    assert_int_equal(outcome_of("", "[4k3/8/8/8/8/8/8/4K3:0:1:w] [4k3/8/8/8/8/8/8/4K3:0:1:b] "
                                    "[4k3/8/8/8/8/8/8/4K3:0:2:w] [8/8/8/8/8/8/8/4r3:1:2:b] "
                                    "[4k3/8/8/8/8/8/8/4K3:0:2:b] [4k3/8/8/8/8/8/8/4K3:0:3:w] w")
                         .result,
                     PLY_SECOND_WINS);
}

/*
 * A back-rank mate on every one of many timelines is mate; with an escape square for each king it
 * is not. The bounds are those of the project; real games with 18 and 120 timelines take 0.1 and
 * 0.6 ms.
 */
static void test_many_timelines(void **unused)
{
    (void)unused;
    static const struct {
        int timelines;
        double seconds;
    } sizes[] = {{8, 0.020}, {50, 0.150}};
    for (size_t i = 0; i < 2; i++)
        for (int hole = 0; hole < 2; hole++) {
            ply_rules rules;
            ply_state state;
            ply_text text = ply_text_growing();
            for (int l = -sizes[i].timelines; l <= sizes[i].timelines; l++)
                ply_text_format(&text, "[R5k1/5%s/8/8/8/8/8/6K1:%d:1:b] ", hole ? "p1p" : "ppp", l);
            test_make_rules(&rules, "5dchess", "");
            test_make_state(&state, &rules, text.data);
            double best = 1.0;
            for (int k = 0; k < 5; k++) {
                double start = test_cpu_seconds();
                ply_outcome outcome = ply_state_outcome(&state);
                double seconds = test_cpu_seconds() - start;
                best = seconds < best ? seconds : best;
                assert_int_equal(outcome.result, hole ? PLY_ONGOING : PLY_FIRST_WINS);
            }
            assert_true(best < sizes[i].seconds);
            ply_text_free(&text);
            ply_state_free(&state);
        }
}

/* In check, with legal turns, every one of which moves the present back. */
static void test_softmate(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "");
    test_make_state(&state, &rules,
                    "[6k1/5ppp/8/8/8/n7/8/R5K1:0:1:b] [6k1/5ppp/8/8/8/n7/8/R5K1:0:2:w] "
                    "[R5k1/5ppp/8/8/8/n7/8/6K1:0:2:b]");
    fived_turn_query q;
    fived_turn_query_init(&q);
    assert_int_equal(fived_turn_query_prepare(&q, &rules, state.position), PLY_OK);
    assert_true(fived_turn_query_in_check(&q));
    assert_true(fived_turn_query_exists(&q, false));
    assert_false(fived_turn_query_exists(&q, true));
    fived_turn_query_free(&q);
    ply_text notes = ply_text_growing();
    rules.display->notes(&rules, state.position, &notes);
    assert_non_null(strstr(notes.data, "softmate"));
    ply_text_free(&notes);
    ply_state_free(&state);
}

static void test_limits(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    char text[128], words[64];
    if (FIVED_T_BITS == 12)
        assert_int_equal(FIVED_TIME_LIMIT, 2046);
    test_make_rules(&rules, "5dchess", "");
    snprintf(text, sizeof text, "[4k3/8/8/8/8/8/8/4K3:0:%d:w]", FIVED_TIME_LIMIT);
    test_make_state(&state, &rules, text);
    ply_error error = {0};
    assert_int_equal(ply_state_play_text(&state, "Kd1", 3, &error), PLY_LIMIT);
    snprintf(words, sizeof words, "turn %d is the last possible", FIVED_TIME_LIMIT);
    assert_non_null(strstr(error.message, words));
    assert_int_equal(state.plies, 0);
    ply_state_free(&state);
    snprintf(text, sizeof text, "[4k3/8/8/8/8/8/8/4K3:0:%d:w]", FIVED_TIME_LIMIT + 1);
    test_bad_position(&rules, text, 24, "turn from 0");
}

/* One branch beyond the last possible timeline is refused and changes nothing. */
static void test_timeline_limit(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    ply_text text = ply_text_growing();
    ply_text_string(&text, "[2k/3/K2:0:1:w] [2k/3/K2:0:1:b] [2k/3/K2:0:2:w] ");
    for (int l = 1; l <= FIVED_TIMELINE_LIMIT; l++)
        ply_text_format(&text, "[3/3/3:%d:2:b] ", l);
    test_make_rules(&rules, "5dchess", "");
    test_make_state(&state, &rules, text.data);
    fived_position before = *(fived_position *)state.position;
    fived_location from = {.l = 0, .t = 2, .x = 0, .y = 0}, to = {.l = 0, .t = 1, .x = 1, .y = 0};
    assert_int_equal(ply_state_play(&state, fived_move_make(from, to, 0)), PLY_LIMIT);
    assert_memory_equal(state.position, &before, sizeof before);
    ply_state_free(&state);
    ply_text_clear(&text);
    ply_text_format(&text, "[3/3/3:%d:1:w]", FIVED_TIMELINE_LIMIT + 1);
    test_bad_position(&rules, text.data, 8, "the number of a timeline");
    ply_text_free(&text);
}

/*
 * Queens on many timelines, none blocking another, together have more moves than a list can hold.
 * A submit that would give them the move is refused.
 */
static void test_move_limit(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    ply_text text = ply_text_growing();
    ply_text_string(&text, "[8/8/8/8/8/8/8/n7:0:1:b] ");
    for (int l = 1; l <= 1200; l++) {
        int x = l % 8, y = l / 8 % 8;
        ply_text_format(&text, "[");
        for (int rank = 7; rank >= 0; rank--) {
            if (rank != y)
                ply_text_char(&text, '8');
            else
                ply_text_format(&text, x == 0 ? "Q7" : x == 7 ? "7Q" : "%dQ%d", x, 7 - x);
            ply_text_char(&text, rank ? '/' : ':');
        }
        ply_text_format(&text, "%d:2:w] ", l);
    }
    test_make_rules(&rules, "5dchess", "");
    if (FIVED_TIMELINE_LIMIT < 1200) { /* narrow vectors: so many timelines cannot be */
        assert_int_equal(ply_state_init(&state, &rules), PLY_OK);
        assert_int_not_equal(ply_state_parse(&state, text.data, text.length, NULL), PLY_OK);
        ply_state_free(&state);
        ply_text_free(&text);
        return;
    }
    test_make_state(&state, &rules, text.data);
    assert_int_equal(ply_state_play_text(&state, "(0T1)Nb3", 8, NULL), PLY_OK);
    fived_position before = *(fived_position *)state.position;
    assert_int_equal(ply_state_play(&state, FIVED_SUBMIT), PLY_LIMIT);
    assert_memory_equal(state.position, &before, sizeof before);
    ply_state_free(&state);
    ply_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_million_moves),
        cmocka_unit_test(test_random_games_begin_with_every_move),
        cmocka_unit_test(test_memory_of_a_state),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_hash_of_orders),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_softmate),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_timeline_limit),
        cmocka_unit_test(test_move_limit),
        cmocka_unit_test(test_many_timelines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
