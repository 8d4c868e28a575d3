/* SPDX-License-Identifier: MIT */
/*
 * note_fived.c - the 5D chess design note, followed section by section with <plyverse/fived.h>:
 * shared boards, the two coordinate systems, full moves, vectors, and generated steps.
 *
 * It is C and C++: cc note_fived.c -lplyverse, or c++ -x c++ note_fived.c -lplyverse.
 */
#include <plyverse/fived.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(ply_status status, const char *what)
{
    if (status == PLY_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, ply_status_text(status));
    exit(EXIT_FAILURE);
}

static void play(ply_state *state, const char *moves)
{
    check(ply_state_play_text(state, moves, strlen(moves), NULL), moves);
}

static void print_vec4(fived_vec4 a)
{
    printf("vec4(%2d,%2d,%2d,%2d)", fived_vec4_x(a), fived_vec4_y(a), fived_vec4_t(a),
           fived_vec4_l(a));
}

/* Every board as (LTt)c at its (u, v); = marks the boards that `other` has too. */
static void print_multiverse(const ply_state *state, const ply_state *other)
{
    fived_overview o = fived_position_overview(state->rules, state->position);
    for (int l = o.lo; l <= o.hi; l++) {
        char name[16];
        ply_text text = ply_text_fixed(name, sizeof name);
        int first, last, t, c;
        fived_format_timeline(o.even, l, &text);
        if (!fived_timeline_boards(state->rules, state->position, l, &first, &last))
            continue;
        for (int v = first; v <= last; v++) {
            unsigned u = fived_l_to_u(l);
            const fived_piece *board = fived_board_at_uv(state->rules, state->position, u, v);
            bool shared = board == fived_board_at_uv(other->rules, other->position, u, v);
            fived_v_to_tc(v, &t, &c);
            printf("  (%sT%d)%c at (%u,%d)%s", name, t, c ? 'b' : 'w', u, v, shared ? " =" : "");
        }
        printf("\n");
    }
    printf("  %s plays; the present is T%d, %s\n", o.side ? "Black" : "White", o.present_t,
           o.present_c ? "Black's" : "White's");
}

/* A game is a state and the moves behind it; states share the boards they have in common. */
static void structure(ply_state *game)
{
    ply_state before;
    bool may;
    play(game, "(0T1)Nb1c3 submit (0T1)Ng8f6 submit");
    check(ply_state_copy(&before, game), "copy");
    printf("state 0\n");
    print_multiverse(&before, game);
    play(game, "(0T2)Nc3>>(0T1)c5");
    printf("state 1, after a knight has gone back to turn 1; = is a board of state 0\n");
    print_multiverse(game, &before);
    check(fived_may_submit(game->rules, game->position, &may), "submit");
    printf("submitted: %s; may submit: %s\n", fived_submitted(game) ? "yes" : "no",
           may ? "yes" : "no");
    play(game, "submit");
    printf("submitted: %s\n", fived_submitted(game) ? "yes" : "no");
    ply_state_free(&before);
}

/* LTCXY stores moves, UVXY indexes boards. */
static void coordinates(void)
{
    printf("u to l and back:");
    for (unsigned u = 0; u < 7; u++)
        printf(" %u:%d:%u", u, fived_u_to_l(u), fived_l_to_u(fived_u_to_l(u)));
    printf("\nv to (t,c) and back:");
    for (int v = 2; v < 7; v++) {
        int t, c;
        fived_v_to_tc(v, &t, &c);
        printf(" %d:(%d,%d):%d", v, t, c, fived_tc_to_v(t, c));
    }
    printf("\n");
}

/* A vector is one word, and so is the sum of two. */
static void vectors(void)
{
    fived_vec4 a = fived_vec4_make(3, 1, 5, 0), b = fived_vec4_make(-1, 1, 0, -1);
    printf("a ");
    print_vec4(a);
    printf(", b ");
    print_vec4(b);
    printf("\na + b ");
    print_vec4(fived_vec4_add(a, b));
    printf(", a - b ");
    print_vec4(fived_vec4_sub(a, b));
    printf(", 3 * b ");
    print_vec4(fived_vec4_scale(b, 3));
    printf("\na == a: %d, a == b: %d, compare: %d\n", fived_vec4_equal(a, a),
           fived_vec4_equal(a, b), fived_vec4_compare(a, b));
    printf("the four widths are 32 bits together: %s\n",
           FIVED_X_BITS + FIVED_Y_BITS + FIVED_T_BITS + FIVED_L_BITS == 32 ? "yes" : "no");
}

/* data FullMove = Submit | Move Vec4 Vec4 */
static void print_full_move(ply_move move)
{
    fived_full_move m = fived_full_move_unpack(move);
    if (m.is_submit) {
        printf("  Submit\n");
        return;
    }
    printf("  Move ");
    print_vec4(m.from);
    printf(" ");
    print_vec4(m.to);
    printf("%s\n", fived_full_move_pack(m) == move ? "" : " lost in packing");
}

/* What the note's script prints: choose n of x, y, t, l, and a sign for each. */
static void steps(void)
{
    static const fived_kind kinds[] = {FIVED_ROOK, FIVED_BISHOP, FIVED_UNICORN, FIVED_DRAGON};
    bool slides;
    for (int n = 1; n <= 4; n++)
        printf("%d of 4 dimensions: %u steps\n", n,
               (unsigned)fived_piece_steps(kinds[n - 1], 0, &slides)->count);
    const fived_steps *dragon = fived_piece_steps(FIVED_DRAGON, 0, &slides);
    for (uint32_t i = dragon->count; i-- > 0;) {
        print_vec4(dragon->step[i]);
        printf("%s", i % 4 ? ", " : ",\n");
    }
}

/* Moves of all pieces but pawns on one board, by adding steps until something is in the way. */
static int ride(const ply_state *state, int l, int t)
{
    int side = fived_position_overview(state->rules, state->position).side, moves = 0;
    for (int square = 0; square < 64; square++) {
        fived_vec4 from = fived_vec4_make(square % 8, square / 8, t, l);
        int piece = fived_piece_at(state->rules, state->position, from, side);
        if (piece <= 0 || fived_piece_colour((fived_piece)piece) != side ||
            fived_piece_kind((fived_piece)piece) == FIVED_PAWN)
            continue;
        bool slides;
        const fived_steps *s =
            fived_piece_steps(fived_piece_kind((fived_piece)piece), side, &slides);
        for (uint32_t i = 0; i < s->count; i++) {
            fived_vec4 at = fived_vec4_add(from, s->step[i]);
            int target = fived_piece_at(state->rules, state->position, at, side);
            for (; target == 0 && slides; moves++) {
                at = fived_vec4_add(at, s->step[i]);
                target = fived_piece_at(state->rules, state->position, at, side);
            }
            moves += target == 0 || (target > 0 && fived_piece_colour((fived_piece)target) != side);
        }
    }
    return moves;
}

static void moves(const ply_state *state, int l, int t)
{
    ply_move *list = (ply_move *)malloc(state->rules->max_moves * sizeof *list);
    if (!list)
        exit(EXIT_FAILURE);
    size_t count = state->rules->game->moves(state->rules, state->position, list), others = 0;
    int side = state->rules->game->side(state->rules, state->position);
    for (size_t i = 0; i < count; i++) {
        fived_full_move m = fived_full_move_unpack(list[i]);
        int piece = fived_piece_at(state->rules, state->position, m.from, side);
        others += piece > 0 && fived_piece_kind((fived_piece)piece) != FIVED_PAWN;
    }
    printf("%d moves by riding along the steps, %zu in the game's list\n", ride(state, l, t),
           others);
    free(list);
}

int main(void)
{
    ply_rules rules, two;
    ply_state game, even;
    check(ply_rules_make(&rules, ply_game_find("5dchess"), "standard", NULL), "rules");
    check(ply_state_init(&game, &rules), "game");
    play(&game, "(0T1)e2e3 submit (0T1)e7e6 submit");
    moves(&game, 0, 2);
    check(ply_state_restart(&game), "restart");
    structure(&game);
    for (size_t i = game.plies - 2; i < game.plies; i++)
        print_full_move(game.moves[i]);
    coordinates();
    vectors();
    steps();
    check(ply_rules_make(&two, ply_game_find("5dchess"), "standard-two-timelines", NULL), "rules");
    check(ply_state_init(&even, &two), "game");
    printf("two timelines at the start\n");
    print_multiverse(&even, &even);
    ply_state_free(&even);
    ply_state_free(&game);
    return EXIT_SUCCESS;
}
