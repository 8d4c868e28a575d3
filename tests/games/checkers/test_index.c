/* SPDX-License-Identifier: MIT */
/*
 * test_index.c - numbers of positions and predecessors, against forward generation and published
 * counts (OEIS A055213; win, loss and draw counts of small endings).
 */
#include "games/checkers/checkers.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

/* Positions by number of pieces, of both sides or of one side alone, with one side to move. */
static void test_published_sizes(void **state)
{
    (void)state;
    static const uint64_t published[] = {
        0,          120,         6972,         261224,        7092774,       148688232,
        2503611964, 34779531480, 406309208481, 4048627642976, 34778882769216};
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    uint64_t found[2 * CHECKERS_PIECES + 1] = {0};
    unsigned __int128 all = 0;
    for (size_t c = 0; c < checkers_class_count(&rules); c++) {
        checkers_position p;
        uint64_t size = checkers_class_size(&rules, c);
        assert_true(size > 0 && size < UINT64_MAX / 4);
        assert_int_equal(checkers_unrank(&rules, c, size - 1, &p), PLY_OK);
        assert_int_equal(checkers_unrank(&rules, c, size, &p), PLY_LIMIT);
        int pieces = ply_popcount(checkers_occupied(&p));
        if (pieces <= 10)
            found[pieces] += size;
        all += size;
    }
    for (int n = 1; n <= 10; n++)
        assert_true(found[n] == published[n]);
    /* 1 to 24 pieces: 500 995 484 682 338 672 639; and the empty board. */
    unsigned __int128 total = (unsigned __int128)500995484682338 * 1000000 + 672639 + 1;
    assert_true(all == total);
}

/* All numbers of small classes and random numbers of large classes round-trip. */
static void test_round_trip(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    ply_rng rng = ply_rng_make(5, 5);
    for (size_t c = 0; c < checkers_class_count(&rules); c++) {
        uint64_t size = checkers_class_size(&rules, c), step = size < 3000 ? 1 : 0;
        for (uint64_t i = 0; i < (step ? size : 20); i++) {
            checkers_position p;
            size_t back_class;
            uint64_t number = step ? i : ply_rng_next(&rng) % size, back;
            assert_int_equal(checkers_unrank(&rules, c, number, &p), PLY_OK);
            assert_int_equal(p.turn, CHECKERS_BLACK);
            assert_true(!(p.black_men & CHECKERS_WHITE_END_MASK));
            assert_true(!(p.white_men & CHECKERS_BLACK_END_MASK));
            assert_int_equal(checkers_rank(&rules, &p, &back_class, &back), PLY_OK);
            assert_true(back_class == c && back == number);
            checkers_position twin;
            checkers_image(&rules, &p, 1, &twin);
            assert_int_equal(twin.turn, CHECKERS_WHITE);
            assert_int_equal(checkers_rank(&rules, &twin, &back_class, &back), PLY_OK);
            assert_true(back_class == c && back == number);
        }
    }
}

static void random_position(checkers_position *p, ply_rng *rng, uint32_t most)
{
    *p = (checkers_position){.turn = (uint8_t)ply_rng_below(rng, 2)};
    for (int i = 0; i < 4; i++)
        for (uint32_t left = ply_rng_below(rng, most); left > 0; left--) {
            uint64_t square = checkers_square((int)ply_rng_below(rng, 32));
            if (!(checkers_occupied(p) & square) &&
                (i % 2 == CHECKERS_KING || !(square & checkers_crown_row(i / 2))))
                p->board[i / 2][i % 2] |= square;
        }
    checkers_finish(p);
}

static bool contains(const checkers_position *list, size_t count, const checkers_position *p)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].hash == p->hash && memcmp(list[i].board, p->board, sizeof p->board) == 0)
            return true;
    return false;
}

/* A child has its parent among its predecessors; each predecessor has a move to the child. */
static void check_against_forward(const char *variant, uint32_t most, int positions)
{
    ply_rules rules;
    test_make_rules(&rules, "checkers", variant);
    checkers_position *before = malloc((rules.max_predecessors + 1) * sizeof *before);
    checkers_position quiet[CHECKERS_MAX_QUIET_PREDECESSORS];
    for (int i = 0; i < positions; i++) {
        ply_rng rng = ply_rng_make(77, (uint64_t)i);
        checkers_position p;
        random_position(&p, &rng, most);
        ply_move moves[CHECKERS_MAX_MOVES];
        size_t count = checkers_moves(&rules, &p, moves);
        if (count == 0)
            continue;
        ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
        checkers_position child = p;
        checkers_apply(&child, move);
        size_t quiets = checkers_quiet_predecessors(&rules, &child, quiet);
        assert_int_equal(contains(quiet, quiets, &p), checkers_move_captured(move) == 0);
        if (rules.max_predecessors == 0)
            continue;
        size_t found = checkers_predecessors(&rules, &child, before);
        assert_true(found < rules.max_predecessors);
        assert_true(contains(before, found, &p));
        for (int tries = 0; tries < 20; tries++) {
            const checkers_position *q = &before[ply_rng_below(&rng, (uint32_t)found)];
            bool leads = false;
            count = checkers_moves(&rules, q, moves);
            for (size_t k = 0; k < count && !leads; k++) {
                checkers_position again = *q;
                checkers_apply(&again, moves[k]);
                leads = memcmp(again.board, child.board, sizeof child.board) == 0;
            }
            assert_true(leads);
        }
        /* No duplicates. */
        for (size_t a = 0; a < found && found < 300; a++)
            assert_false(contains(before + a + 1, found - a - 1, &before[a]));
    }
    free(before);
}

static void test_predecessors(void **state)
{
    (void)state;
    int positions = test_is_long() ? 20000 : 2000;
    check_against_forward("english", 7, positions);
    check_against_forward("english", 2, positions);
    check_against_forward("italian", 5, positions);
    check_against_forward("russian", 5, positions);
    check_against_forward("brazilian", 5, positions);
    check_against_forward("thai", 5, positions);
}

/* --- small endings solved by rank, unrank, moves and quiet predecessors --------------------- */
enum { UNKNOWN, WIN, LOSS };

typedef struct solution {
    size_t offsets[128];        /* of the first position of each class */
    size_t classes[128], count; /* those in which both sides have pieces */
    int pieces[128];
    uint8_t *values, *dirty;
    size_t size;
} solution;

static size_t position_index(const ply_rules *rules, const solution *t, const checkers_position *p)
{
    size_t class_index;
    uint64_t number;
    checkers_rank(rules, p, &class_index, &number);
    for (size_t i = 0; i < t->count; i++)
        if (t->classes[i] == class_index)
            return t->offsets[i] + (size_t)number;
    return SIZE_MAX; /* the player to move has no pieces and has lost */
}

static uint8_t evaluate(const ply_rules *rules, const solution *t, const checkers_position *p)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, p, moves);
    bool all_win = true;
    for (size_t i = 0; i < count; i++) {
        checkers_position child = *p;
        checkers_apply(&child, moves[i]);
        size_t index = position_index(rules, t, &child);
        uint8_t value = index == SIZE_MAX ? LOSS : t->values[index];
        if (value == LOSS)
            return WIN;
        all_win = all_win && value == WIN;
    }
    return all_win ? LOSS : UNKNOWN;
}

/* Re-evaluates dirty positions; the predecessors of newly decided ones become dirty. */
static bool sweep(const ply_rules *rules, solution *t, int pieces)
{
    bool changed = false;
    for (size_t i = 0; i < t->count; i++) {
        uint64_t size = t->pieces[i] == pieces ? checkers_class_size(rules, t->classes[i]) : 0;
        for (uint64_t n = 0; n < size; n++) {
            size_t index = t->offsets[i] + n;
            if (!t->dirty[index] || t->values[index] != UNKNOWN)
                continue;
            t->dirty[index] = 0;
            checkers_position p, before[CHECKERS_MAX_QUIET_PREDECESSORS];
            checkers_unrank(rules, t->classes[i], n, &p);
            t->values[index] = evaluate(rules, t, &p);
            if (t->values[index] == UNKNOWN)
                continue;
            changed = true;
            size_t count = checkers_quiet_predecessors(rules, &p, before);
            for (size_t k = 0; k < count; k++)
                t->dirty[position_index(rules, t, &before[k])] = 1;
        }
    }
    return changed;
}

/* Win, loss and draw counts by number of pieces; both sides have pieces. */
static void test_small_endings(void **state)
{
    (void)state;
    static const uint64_t published[5][3] = {
        [2] = {716, 402, 2370}, [3] = {100250, 87305, 8477}, [4] = {2574304, 1917090, 1717922}};
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    int most = test_is_long() ? 4 : 3;
    static solution *t; /* static, so that it is no leak if the test is skipped below */
    t = calloc(1, sizeof *t);
    for (size_t c = 0; c < checkers_class_count(&rules); c++) {
        checkers_position p;
        checkers_unrank(&rules, c, 0, &p);
        int black = ply_popcount(checkers_pieces_of(&p, CHECKERS_BLACK));
        int white = ply_popcount(checkers_pieces_of(&p, CHECKERS_WHITE));
        if (black == 0 || white == 0 || black + white > most)
            continue;
        assert_true(t->count < 128);
        t->classes[t->count] = c;
        t->pieces[t->count] = black + white;
        t->offsets[t->count++] = t->size;
        t->size += (size_t)checkers_class_size(&rules, c);
    }
    t->values = calloc(t->size, 1);
    t->dirty = malloc(t->size);
    memset(t->dirty, 1, t->size);
    for (int pieces = 2; pieces <= most; pieces++)
        while (sweep(&rules, t, pieces))
            continue;
    uint64_t counts[5][3] = {{0}};
    for (size_t i = 0; i < t->count; i++)
        for (uint64_t n = 0; n < checkers_class_size(&rules, t->classes[i]); n++) {
            checkers_position p;
            checkers_unrank(&rules, t->classes[i], n, &p);
            uint8_t value = t->values[t->offsets[i] + n];
            counts[ply_popcount(checkers_occupied(&p))][value == WIN ? 0 : value == LOSS ? 1 : 2]++;
        }
    for (int n = 2; n <= most; n++)
        for (int k = 0; k < 3; k++)
            assert_int_equal(counts[n][k], published[n][k]);

    /* Endings solved by another program, if the file is available. */
    FILE *truth = test_open_truth("checkers_wld_english.tsv");
    char line[512];
    int compared = 0;
    while (truth && fgets(line, sizeof line, truth)) {
        char fen[256], word[16];
        int pieces;
        if (sscanf(line, "%255s %d %15s", fen, &pieces, word) != 3 || pieces > most)
            continue;
        ply_state s;
        test_make_state(&s, &rules, fen);
        size_t index = position_index(&rules, t, s.position);
        uint8_t value = t->values[index];
        const char *name = value == WIN ? "WIN" : value == LOSS ? "LOSS" : "DRAW";
        if (strcmp(name, word) != 0)
            fail_msg("%s is %s, not %s", fen, word, name);
        ply_state_free(&s);
        compared++;
    }
    if (truth) {
        fclose(truth);
        assert_true(compared >= 5);
    }
    free(t->values);
    free(t->dirty);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_sizes),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_predecessors),
        cmocka_unit_test(test_small_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
