/* SPDX-License-Identifier: MIT */
/*
 * test_pgx.c - the observation "pgx" of batches of shogi, against planes made here from the SFEN of
 * each position: a board of letters, and pieces that walk over it step by step.
 */
#include "support/support.h"
#include <ctype.h>
#include <plyverse/batch.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = 119, AREA = 81, GAMES = 8 };

/* A board as the viewer sees it, own pieces in capitals; promoted: 8 more than the letter's number. */
typedef struct board {
    int kind[9][9]; /* -1: empty */
    bool own[9][9];
    int hand[2][7]; /* own, the opponent's */
} board;

static const char letters[] = "PLNSBRGK";

static int number_of(char letter)
{
    return (int)(strchr(letters, toupper((unsigned char)letter)) - letters);
}

static void put(board *b, int viewer, int row, int column, char letter, bool promoted)
{
    int r = viewer ? 8 - row : row, c = viewer ? 8 - column : column;
    b->kind[r][c] = number_of(letter) + (promoted ? 8 : 0);
    b->own[r][c] = (isupper((unsigned char)letter) != 0) == !viewer;
}

static board read_sfen(const char *text, int viewer)
{
    board b = {0};
    memset(b.kind, -1, sizeof b.kind);
    int row = 0, column = 0;
    bool promoted = false;
    for (; *text != ' '; text++) {
        if (*text == '/') {
            row++;
            column = 0;
        } else if (*text == '+') {
            promoted = true;
        } else if (isdigit((unsigned char)*text)) {
            column += *text - '0';
        } else {
            put(&b, viewer, row, column++, *text, promoted);
            promoted = false;
        }
    }
    text += 3; /* whose turn it is */
    for (int count = 0; *text != ' ' && *text != '-'; text++) {
        if (isdigit((unsigned char)*text)) {
            count = 10 * count + *text - '0';
            continue;
        }
        bool own = (isupper((unsigned char)*text) != 0) == !viewer;
        b.hand[!own][number_of(*text)] = count ? count : 1;
        count = 0;
    }
    return b;
}

/* How a piece moves as its owner sees the board: steps of (rows up, columns right), and sliding ones. */
static const char *const walks[14] = {
    "n",      /* P */
    "N",      /* L */
    "hH",     /* N: jumps */
    "nabcd",  /* S */
    "ABCD",   /* B */
    "NSEW",   /* R */
    "nsewab", /* G */
    "nsewabcd" /* K */,
    "nsewab",
    "nsewab",
    "nsewab",
    "nsewab",
    "ABCDnsew",
    "NSEWabcd",
};

static void direction_of(char walk, int *up, int *right)
{
    static const struct {
        char name;
        int up, right;
    } all[] = {{'n', 1, 0},  {'s', -1, 0}, {'e', 0, 1},   {'w', 0, -1},
               {'a', 1, -1}, {'b', 1, 1},  {'c', -1, -1}, {'d', -1, 1}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].name == tolower((unsigned char)walk)) {
            *up = all[i].up;
            *right = all[i].right;
        }
}

/* Adds 1 to `reached` wherever the piece attacks. */
static void attack(const board *b, int row, int column, int reached[9][9])
{
    int forward = b->own[row][column] ? 1 : -1;
    for (const char *walk = walks[b->kind[row][column]]; *walk; walk++) {
        int up = 2, right = *walk == 'H' ? 1 : -1;
        bool jumps = *walk == 'h' || *walk == 'H', slides = !jumps && isupper((unsigned char)*walk);
        if (!jumps)
            direction_of(*walk, &up, &right);
        int r = row, c = column;
        do {
            r -= forward * up;
            c += forward * right;
            if (r < 0 || r > 8 || c < 0 || c > 8)
                break;
            reached[r][c]++;
        } while (slides && b->kind[r][c] < 0);
    }
}

static void fill_plane(uint8_t *planes, int *at, bool value)
{
    memset(planes + (*at)++ * AREA, value, AREA);
}

static void army_planes(const board *b, bool own, uint8_t *planes, int *at, int total[9][9])
{
    memset(total, 0, 81 * sizeof(int));
    for (int kind = 0; kind < 14; kind++) {
        int reached[9][9] = {{0}};
        for (int s = 0; s < AREA; s++)
            if (b->kind[s / 9][s % 9] == kind && b->own[s / 9][s % 9] == own) {
                planes[(*at + kind) * AREA + s] = 1;
                attack(b, s / 9, s % 9, reached);
            }
        for (int s = 0; s < AREA; s++) {
            planes[(*at + 14 + kind) * AREA + s] = reached[s / 9][s % 9] > 0;
            total[s / 9][s % 9] += reached[s / 9][s % 9];
        }
    }
    for (int n = 1; n <= 3; n++)
        for (int s = 0; s < AREA; s++)
            planes[(*at + 27 + n) * AREA + s] = total[s / 9][s % 9] >= n;
    *at += 31;
}

static void pgx_planes(const ply_state *state, uint8_t *planes)
{
    static const char order[] = "PLNSGBR";
    static const int most[] = {8, 4, 4, 4, 4, 2, 2};
    char text[256];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_state_format(state, &out);
    board b = read_sfen(ply_text_cstr(&out), ply_state_side(state));
    int at = 0, own[9][9], enemy[9][9];
    bool checked = false;
    memset(planes, 0, PLANES * AREA);
    army_planes(&b, true, planes, &at, own);
    army_planes(&b, false, planes, &at, enemy);
    for (int who = 0; who < 2; who++)
        for (int k = 0; k < 7; k++)
            for (int n = 1; n <= most[k]; n++)
                fill_plane(planes, &at, b.hand[who][number_of(order[k])] >= n);
    for (int s = 0; s < AREA; s++)
        checked |= b.kind[s / 9][s % 9] == 7 && b.own[s / 9][s % 9] && enemy[s / 9][s % 9] > 0;
    fill_plane(planes, &at, checked);
    assert_int_equal(at, PLANES);
}

static ply_batch *open_batch(const ply_rules *rules, ply_batch_options options)
{
    ply_batch *batch;
    ply_error error;
    options.observation = "pgx";
    options.outputs = PLY_BATCH_OBSERVATIONS;
    if (ply_batch_new(&batch, rules, &options, &error) != PLY_OK)
        fail_msg("%s", error.message);
    assert_int_equal(ply_batch_data(batch)->planes, PLANES);
    return batch;
}

static void test_random_games(void **test_state)
{
    (void)test_state;
    ply_rules rules;
    test_make_rules(&rules, "shogi", "");
    ply_batch *batch = open_batch(&rules, (ply_batch_options){.games = GAMES, .seed = 5});
    const ply_batch_arrays *a = ply_batch_data(batch);
    int32_t actions[GAMES];
    uint8_t expected[PLANES * AREA];
    unsigned checks = 0, hands = 0, promoted = 0;
    for (int step = 0; step < 400; step++) {
        for (size_t g = 0; g < GAMES; g++) {
            ply_state state;
            const uint8_t *row = a->observations + g * sizeof expected;
            assert_int_equal(ply_batch_get(batch, g, &state), PLY_OK);
            pgx_planes(&state, expected);
            for (size_t i = 0; i < sizeof expected; i++)
                if (row[i] != expected[i])
                    fail_msg("game %zu, step %d: plane %zu, square %zu is %d", g, step, i / AREA,
                             i % AREA, row[i]);
            checks += row[118 * AREA];
            hands += row[64 * AREA];
            promoted += memchr(row + 12 * AREA, 1, AREA) != NULL;
            ply_state_free(&state);
        }
        ply_batch_sample(batch, actions);
        assert_int_equal(ply_batch_step(batch, actions), PLY_OK);
    }
    assert_true(checks > 10 && hands > 10 && promoted > 10); /* the games have shown everything */
    ply_batch_free(batch);
}

/* Planes of the starting position as the tests of Pgx state them. */
static void test_start(void **test_state)
{
    (void)test_state;
    static const struct {
        int plane;
        const char *squares;
    } published[] = {
        {0, "000000000000000000000000000000000000000000000000000000111111111000000000000000000"},
        {14, "000000000000000000000000000000000000000000000111111111000000000000000000000000000"},
        {28, "000000000000000000000000000000000000000000000111111111101000111111111111101111110"},
        {29, "000000000000000000000000000000000000000000000000000000101000001011111101001010000"},
        {30, "000000000000000000000000000000000000000000000000000000100000000001111100000000000"},
        {31, "000000000000000000111111111000000000000000000000000000000000000000000000000000000"},
        {45, "000000000000000000000000000111111111000000000000000000000000000000000000000000000"},
        {59, "011111101111111111111000101111111111000000000000000000000000000000000000000000000"},
    };
    ply_rules rules;
    test_make_rules(&rules, "shogi", "");
    ply_batch *batch = open_batch(&rules, (ply_batch_options){.games = 1});
    const uint8_t *row = ply_batch_data(batch)->observations;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        for (int s = 0; s < AREA; s++)
            if (row[published[i].plane * AREA + s] != published[i].squares[s] - '0')
                fail_msg("plane %d, square %d", published[i].plane, s);
    ply_batch_free(batch);
}

static void test_other_names(void **test_state)
{
    (void)test_state;
    ply_rules rules;
    ply_batch *batch;
    ply_error error;
    const ply_batch_options pgx = {.observation = "pgx"}, other = {.observation = "other"};
    test_make_rules(&rules, "shogi", "");
    assert_int_equal(ply_batch_new(&batch, &rules, &other, &error), PLY_UNSUPPORTED);
    assert_string_equal(error.message, "shogi has no observation 'other'");
    test_make_rules(&rules, "checkers", "");
    assert_int_equal(ply_batch_new(&batch, &rules, &pgx, &error), PLY_UNSUPPORTED);
    assert_string_equal(error.message, "checkers has no observation 'pgx'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_other_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
