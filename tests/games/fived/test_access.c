/* SPDX-License-Identifier: MIT */
/* test_access.c - <plyverse/fived.h> alone, over random games: it agrees with the game's own text. */
#include "support/support.h"
#include <ctype.h>
#include <plyverse/fived.h>
#include <stdlib.h>
#include <string.h>

static const char *const variants[] = {"standard",
                                       "standard-two-timelines",
                                       "misc-timeline-battlegrounds",
                                       "focused-just-brawns",
                                       "focused-just-knights",
                                       "misc-king-of-kings",
                                       "very-small",
                                       NULL};

typedef void position_check(const ply_rules *rules, ply_state *state, const ply_move *moves,
                            size_t count);

/* Plays random games of every variant and calls check in each position. */
static void each_position(position_check *check, uint64_t stream)
{
    for (size_t i = 0; variants[i]; i++) {
        ply_rules rules;
        ply_state state;
        if (ply_rules_make(&rules, ply_game_find("5dchess"), variants[i], NULL) != PLY_OK)
            fail_msg("no variant %s", variants[i]);
        ply_move *moves = malloc(rules.max_moves * sizeof *moves);
        assert_non_null(moves);
        for (uint64_t game = 0; game < 2; game++) {
            ply_rng rng = ply_rng_make(stream, 16 * i + game);
            test_make_state(&state, &rules, NULL);
            for (int ply = 0; ply < 50; ply++) {
                size_t count = rules.game->moves(&rules, state.position, moves);
                check(&rules, &state, moves, count);
                if (count == 0)
                    break;
                ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
                assert_int_equal(ply_state_play(&state, move), PLY_OK);
            }
            ply_state_free(&state);
        }
        free(moves);
    }
}

/* --- boards --------------------------------------------------------------------------------- */
static void write_board(const fived_overview *o, const fived_piece *board, ply_text *out)
{
    for (int y = o->height - 1; y >= 0; y--) {
        int empty = 0;
        for (int x = 0; x <= o->width; x++) {
            fived_piece piece = x < o->width ? board[x + 8 * y] : 0;
            if (empty > 0 && (piece || x == o->width))
                ply_text_format(out, "%d", empty);
            empty = piece ? 0 : empty + 1;
            if (!piece)
                continue;
            char letter = fived_kind_letter(fived_piece_kind(piece));
            ply_text_char(out, fived_piece_colour(piece) ? (char)tolower(letter) : letter);
            if (piece & FIVED_UNMOVED)
                ply_text_char(out, '*');
        }
        if (y > 0)
            ply_text_char(out, '/');
    }
}

/* The whole position in 5DFEN, from nothing but the public functions. */
static void write_position(const ply_rules *rules, const void *position, ply_text *out)
{
    fived_overview o = fived_position_overview(rules, position);
    for (int l = o.lo; l <= o.hi; l++) {
        int first, last, t, c;
        assert_true(fived_timeline_boards(rules, position, l, &first, &last));
        for (int v = first; v <= last; v++) {
            fived_v_to_tc(v, &t, &c);
            ply_text_string(out, l > o.lo || v > first ? " [" : "[");
            write_board(&o, fived_board_at(rules, position, l, t, c), out);
            ply_text_char(out, ':');
            fived_format_timeline(o.even, l, out);
            ply_text_format(out, ":%d:%c]", t, c ? 'b' : 'w');
        }
    }
    if (o.start_lo != o.lo || o.start_hi != o.hi) {
        ply_text_string(out, " lines=");
        fived_format_timeline(o.even, o.start_lo, out);
        ply_text_string(out, "..");
        fived_format_timeline(o.even, o.start_hi, out);
    }
    if (o.present_c != o.side)
        ply_text_string(out, o.side ? " b" : " w");
}

static void check_text(const ply_rules *rules, ply_state *state, const ply_move *moves,
                       size_t count)
{
    (void)moves;
    (void)count;
    ply_text ours = ply_text_growing(), theirs = ply_text_growing();
    write_position(rules, state->position, &ours);
    rules->game->format(rules, state->position, &theirs);
    assert_string_equal(ply_text_cstr(&ours), ply_text_cstr(&theirs));
    ply_text_free(&ours);
    ply_text_free(&theirs);
}

static void test_text(void **unused)
{
    (void)unused;
    each_position(check_text, 31);
}

/* LTC and UV name the same boards, and there are no others; a vector finds every piece. */
static void check_coordinates(const ply_rules *rules, ply_state *state, const ply_move *moves,
                              size_t count)
{
    (void)moves;
    (void)count;
    const void *p = state->position;
    fived_overview o = fived_position_overview(rules, p);
    int first = 0, last = 0, t, c;
    for (int l = o.lo - 2; l <= o.hi + 2; l++) {
        bool exists = fived_timeline_boards(rules, p, l, &first, &last);
        assert_int_equal(exists, l >= o.lo && l <= o.hi);
        for (int v = first - 2; v <= last + 2; v++) {
            fived_v_to_tc(v, &t, &c);
            const fived_piece *board = fived_board_at(rules, p, l, t, c);
            assert_ptr_equal(board, fived_board_at_uv(rules, p, fived_l_to_u(l), v));
            assert_int_equal(board != NULL, exists && v >= first && v <= last);
            for (int y = -1; y <= 8; y++)
                for (int x = -1; x <= 8; x++) {
                    int piece = fived_piece_at(rules, p, fived_vec4_make(x, y, t, l), c);
                    bool on = board && x >= 0 && x < o.width && y >= 0 && y < o.height;
                    assert_int_equal(piece, on ? board[x + 8 * y] : -1);
                }
        }
    }
    assert_null(fived_board_at(rules, p, 0, 1, 2));
    assert_null(fived_board_at(rules, p, 0, INT32_MAX, 0));
    assert_null(fived_board_at_uv(rules, p, UINT32_MAX, 2));
}

static void test_coordinates(void **unused)
{
    (void)unused;
    each_position(check_coordinates, 32);
}

/*
 * A timeline that a player made is active unless it puts the player more than one ahead of the
 * opponent; the present is where the first active timeline ends.
 */
static void check_active_timelines(const ply_rules *rules, ply_state *state, const ply_move *moves,
                                   size_t count)
{
    (void)moves;
    (void)count;
    fived_overview o = fived_position_overview(rules, state->position);
    int white = o.hi - o.start_hi, black = o.start_lo - o.lo, present = INT32_MAX;
    for (int l = o.lo; l <= o.hi; l++) {
        int first, last,
            ahead = l > o.start_hi   ? l - o.start_hi - black
                    : l < o.start_lo ? o.start_lo - l - white
                                     : 0;
        assert_int_equal(ahead <= 1, l >= o.active_lo && l <= o.active_hi);
        assert_true(fived_timeline_boards(rules, state->position, l, &first, &last));
        if (ahead <= 1 && last < present)
            present = last;
    }
    assert_int_equal(fived_tc_to_v(o.present_t, o.present_c), present);
}

static void test_active_timelines(void **unused)
{
    (void)unused;
    each_position(check_active_timelines, 32);
}

static size_t count_boards(const ply_rules *rules, const ply_state *a, const ply_state *b,
                           size_t *shared)
{
    size_t boards = 0;
    fived_overview o = fived_position_overview(rules, a->position);
    for (int l = o.lo; l <= o.hi; l++) {
        int first, last;
        assert_true(fived_timeline_boards(rules, a->position, l, &first, &last));
        for (int v = first; v <= last; v++, boards++)
            *shared += fived_board_at_uv(rules, a->position, fived_l_to_u(l), v) ==
                       fived_board_at_uv(rules, b->position, fived_l_to_u(l), v);
    }
    return boards;
}

/*
 * The note's drawing: a multiverse holds references to boards. A copy shares all of them. After a
 * move it has one new board, or two after a jump, and shares the rest.
 */
static void check_sharing(const ply_rules *rules, ply_state *state, const ply_move *moves,
                          size_t count)
{
    ply_state copy;
    size_t shared = 0;
    assert_int_equal(ply_state_copy(&copy, state), PLY_OK);
    size_t boards = count_boards(rules, state, &copy, &shared);
    assert_int_equal(shared, boards);
    for (size_t i = 0; i < count; i += 7) {
        fived_full_move m = fived_full_move_unpack(moves[i]);
        fived_vec4 difference = fived_vec4_sub(m.to, m.from);
        size_t made = m.is_submit ? 0 : fived_vec4_within_board(difference) ? 1 : 2;
        assert_int_equal(ply_state_play(&copy, moves[i]), PLY_OK);
        shared = 0;
        assert_int_equal(count_boards(rules, &copy, state, &shared), boards + made);
        assert_int_equal(shared, boards);
        ply_state_undo(&copy);
    }
    ply_state_free(&copy);
}

static void test_sharing(void **unused)
{
    (void)unused;
    each_position(check_sharing, 33);
}

/* --- moves ---------------------------------------------------------------------------------- */
/* Whether d is k times a step of the list, k from 1 to most. */
static bool is_multiple(fived_vec4 d, const fived_steps *steps, int most)
{
    for (uint32_t i = 0; i < steps->count; i++)
        for (int k = 1; k <= most; k++)
            if (fived_vec4_equal(d, fived_vec4_scale(steps->step[i], k)))
                return true;
    return false;
}

static void check_move(const ply_rules *rules, const void *p, int side, ply_move move)
{
    fived_full_move m = fived_full_move_unpack(move);
    assert_true(fived_full_move_pack(m) == move);
    assert_int_equal(m.is_submit, move == FIVED_SUBMIT);
    if (m.is_submit)
        return;
    int piece = fived_piece_at(rules, p, m.from, side),
        target = fived_piece_at(rules, p, m.to, side);
    assert_true(piece > 0 && target >= 0);
    assert_int_equal(fived_piece_colour((fived_piece)piece), side);
    assert_true(target == 0 || fived_piece_colour((fived_piece)target) != side);
    fived_kind kind = fived_piece_kind((fived_piece)piece);
    fived_vec4 d = fived_vec4_sub(m.to, m.from);
    assert_true(fived_vec4_equal(fived_vec4_add(m.from, d), m.to));
    bool slides, unmoved = piece & FIVED_UNMOVED;
    const fived_steps *steps = fived_piece_steps(kind, side, &slides);
    if (kind == FIVED_PAWN || kind == FIVED_BRAWN) {
        assert_true(is_multiple(d, steps, 1) ||
                    (target == 0 && is_multiple(d, fived_pawn_advances(side), unmoved ? 2 : 1)));
        return;
    }
    assert_int_equal(m.promotion, FIVED_NONE);
    bool castles = kind == FIVED_KING && unmoved && target == 0 &&
                   (fived_vec4_equal(d, fived_vec4_make(2, 0, 0, 0)) ||
                    fived_vec4_equal(d, fived_vec4_make(-2, 0, 0, 0)));
    assert_true(castles || is_multiple(d, steps, slides ? 127 : 1));
}

/* Every legal move is a submit, or leads along the steps of its piece; the submit is known. */
static void check_moves(const ply_rules *rules, ply_state *state, const ply_move *moves,
                        size_t count)
{
    bool may = false, listed = false;
    int side = fived_position_overview(rules, state->position).side;
    assert_int_equal(side, rules->game->side(rules, state->position));
    for (size_t i = 0; i < count; i++) {
        check_move(rules, state->position, side, moves[i]);
        listed = listed || moves[i] == FIVED_SUBMIT;
    }
    assert_int_equal(fived_may_submit(rules, state->position, &may), PLY_OK);
    assert_int_equal(may, listed);
    /* The player changes exactly when the last move was a submit. */
    bool submitted = fived_submitted(state);
    assert_int_equal(submitted, state->plies > 0 && state->moves[state->plies - 1] == FIVED_SUBMIT);
    if (state->plies > 0) {
        ply_state before;
        assert_int_equal(ply_state_copy(&before, state), PLY_OK);
        ply_state_undo(&before);
        assert_int_equal(rules->game->side(rules, before.position) != side, submitted);
        ply_state_free(&before);
    }
}

static void test_moves(void **unused)
{
    (void)unused;
    each_position(check_moves, 34);
}

/* --- names and steps ------------------------------------------------------------------------ */
/* An even start has timelines -1 -0 +0 +1, numbered -2 -1 0 1; an odd one has -1 0 1. */
static void test_timeline_names(void **unused)
{
    (void)unused;
    static const struct {
        bool even;
        int l;
        const char *name;
    } known[] = {{false, -1, "-1"}, {false, 0, "0"}, {false, 1, "1"}, {true, -2, "-1"},
                 {true, -1, "-0"},  {true, 0, "+0"}, {true, 1, "+1"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char name[16];
        ply_text text = ply_text_fixed(name, sizeof name);
        fived_format_timeline(known[i].even, known[i].l, &text);
        assert_string_equal(name, known[i].name);
    }
}

/* The number of steps of each kind, and whether it slides; the widths of the library. */
static void test_steps(void **unused)
{
    (void)unused;
    static const struct {
        fived_kind kind;
        uint32_t count;
        bool slides;
    } known[] = {
        {FIVED_NONE, 0, false},       {FIVED_PAWN, 4, false},   {FIVED_BRAWN, 8, false},
        {FIVED_KNIGHT, 48, false},    {FIVED_BISHOP, 24, true}, {FIVED_ROOK, 8, true},
        {FIVED_UNICORN, 32, true},    {FIVED_DRAGON, 16, true}, {FIVED_PRINCESS, 32, true},
        {FIVED_QUEEN, 80, true},      {FIVED_KING, 80, false},  {FIVED_COMMON_KING, 80, false},
        {FIVED_ROYAL_QUEEN, 80, true}};
    assert_int_equal(sizeof known / sizeof known[0], FIVED_KINDS);
    for (int colour = 0; colour < 2; colour++) {
        for (size_t i = 0; i < FIVED_KINDS; i++) {
            bool slides;
            assert_int_equal(fived_piece_steps(known[i].kind, colour, &slides)->count,
                             known[i].count);
            assert_int_equal(slides, known[i].slides);
        }
        assert_int_equal(fived_pawn_advances(colour)->count, 2);
    }
    int widths[4];
    fived_vec4_widths(widths);
    assert_int_equal(widths[0], FIVED_X_BITS);
    assert_int_equal(widths[1], FIVED_Y_BITS);
    assert_int_equal(widths[2], FIVED_T_BITS);
    assert_int_equal(widths[3], FIVED_L_BITS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_active_timelines),
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_timeline_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
