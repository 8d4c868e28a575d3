/* SPDX-License-Identifier: MIT */
/*
 * note_shogi.c - the shogi design note as a program: its squares, its pieces, its moves, and its way
 * of listing legal moves, which looks at the opponent's attacks first.
 *
 * Compiles as C11 and as C++17:
 *     cc note_shogi.c $(pkg-config --cflags --libs plyverse)
 */
#include <plyverse/plyverse.h>
#include <plyverse/shogi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int owner(const shogi_piece_list *b, int number)
{
    return shogi_code_owner(b->goma_cde[number]);
}

/* Whether a piece would be stuck for ever: no room ahead of a pawn, a lance or a knight. */
static bool is_stuck(int side, int code, int to)
{
    int ahead = side == SHOGI_BLACK ? shogi_rank(to) : 8 - shogi_rank(to);
    int type = shogi_code_type(code);
    return ahead < (type <= SHOGI_LANCE ? 1 : type == SHOGI_KNIGHT ? 2 : 0);
}

/* 1. The moves of the king: to squares without a direct or a flow attack, and not along a flow. */
static size_t king_moves(const shogi_piece_list *b, int side, const shogi_analysis *a,
                         ply_move *out)
{
    size_t n = 0;
    for (int d = 0; d < SHOGI_DIRECTIONS && a->king != SHOGI_NO_SQUARE; d++) {
        uint8_t to = shogi_step(a->king, shogi_direction_step(d));
        if (!shogi_is_square(to) || (b->board[to] && owner(b, b->board[to]) == side))
            continue;
        if (!a->direct[to] && !a->flow[to] && !(a->flow[a->king] >> d & 1))
            out[n++] = shogi_move_make(a->king, to, false);
    }
    return n;
}

/* One move of a piece on the board, with and without promotion, if the analysis allows it. */
static size_t piece_move(const shogi_piece_list *b, int g, int to, const shogi_analysis *a,
                         ply_move *out)
{
    int code = b->goma_cde[g], side = owner(b, g), from = b->goma_pos[g];
    bool zone = shogi_in_zone(side, from) || shogi_in_zone(side, to);
    size_t n = 0;
    if ((b->board[to] && owner(b, b->board[to]) == side) || (a->in_check && !a->defence[to]))
        return 0;
    if (!is_stuck(side, code, to))
        out[n++] = shogi_move_make(from, to, false);
    if (zone && (code & 15) < SHOGI_GOLD)
        out[n++] = shogi_move_make(from, to, true);
    return n;
}

/* 2. The moves of a piece; one that blocks a flow to the king stays on that line. */
static size_t piece_moves(const shogi_piece_list *b, int g, const shogi_analysis *a, ply_move *out)
{
    const shogi_movement *m = shogi_movement_of(b->goma_cde[g]);
    int pin = a->pinned[g] ? shogi_direction_step(a->pinned[g] - 1) : 0;
    size_t n = 0;
    for (const int8_t *v = m->steps; *v; v++) {
        uint8_t to = shogi_step(b->goma_pos[g], *v);
        if (shogi_is_square(to) && (!pin || *v == pin || *v == -pin))
            n += piece_move(b, g, to, a, out + n);
    }
    for (const int8_t *v = m->flows; *v; v++) {
        uint8_t to = shogi_step(b->goma_pos[g], *v);
        for (bool open = !pin || *v == pin || *v == -pin; open && shogi_is_square(to);
             to = shogi_step(to, *v)) {
            n += piece_move(b, g, to, a, out + n);
            open = b->board[to] == 0;
        }
    }
    return n;
}

/* 3. Drops of a kind: on empty squares, in check only between the king and the attacker. */
static size_t drops(const shogi_piece_list *b, int side, int kind, unsigned pawn_files,
                    const shogi_analysis *a, ply_move *out)
{
    size_t n = 0;
    for (int to = 0; to < SHOGI_SQUARES; to++)
        if (shogi_is_square((unsigned)to) && !b->board[to] && !is_stuck(side, kind, to) &&
            (!a->in_check || a->defence[to]) &&
            !(kind == SHOGI_PAWN && (pawn_files >> shogi_column(to) & 1)))
            out[n++] = shogi_drop_make(kind, to);
    return n;
}

/* The note's FetchMoves in mode 0: first the opponent's attacks, then the moves they allow. */
static size_t fetch_moves(const shogi_piece_list *b, int side, ply_move *out)
{
    shogi_analysis a;
    shogi_analyse(b, side, &a);
    size_t n = king_moves(b, side, &a, out);
    unsigned pawn_files = 0, held = 0;
    if (a.double_check) /* the note's fast_leave_flag */
        return n;
    for (int g = 3; g <= SHOGI_PIECES; g++) {
        int code = b->goma_cde[g];
        if (b->goma_pos[g] == SHOGI_LIST_HAND + side)
            held |= 1u << (code & SHOGI_CODE_KIND);
        if (b->goma_pos[g] >= SHOGI_SQUARES || owner(b, g) != side)
            continue;
        if ((code & 15) == SHOGI_PAWN)
            pawn_files |= 1u << shogi_column(b->goma_pos[g]);
        n += piece_moves(b, g, &a, out + n);
    }
    for (int kind = 0; kind < SHOGI_KING && !a.no_drops; kind++) /* the note's no_placing_flag */
        if (held >> kind & 1)
            n += drops(b, side, kind, pawn_files, &a, out + n);
    return n;
}

static int by_number(const void *a, const void *b)
{
    ply_move x = *(const ply_move *)a, y = *(const ply_move *)b;
    return (x > y) - (x < y);
}

static void print_squares(void)
{
    puts("squares (-- is off the board):");
    for (int rank = 0; rank < SHOGI_SIDE; rank++) {
        for (int column = -1; column <= SHOGI_SIDE; column++) {
            uint8_t p = shogi_step(shogi_square(0, rank), column);
            if (shogi_is_square(p))
                printf(" %02d", p);
            else
                printf(" --");
        }
        printf("  %c\n", 'a' + rank);
    }
}

static void print_pieces(const shogi_piece_list *b)
{
    printf("Black's king: goma_pos %d, goma_cde 0x%02x; White's king: %d, 0x%02x\n", b->goma_pos[1],
           b->goma_cde[1], b->goma_pos[2], b->goma_cde[2]);
    const int8_t *black = shogi_movement_of(SHOGI_KNIGHT)->steps;
    const int8_t *white = shogi_movement_of(SHOGI_KNIGHT | SHOGI_CODE_WHITE)->steps;
    printf("knights jump %d and %d, White's %d and %d\n", black[0], black[1], white[1], white[0]);
}

/* Plays a random game; every list of moves must equal the library's. Returns the plies. */
static size_t play_random_game(ply_state *state, uint64_t seed, size_t limit)
{
    ply_rng rng = ply_rng_make(seed, 0);
    shogi_piece_list b;
    ply_move mine[SHOGI_MAX_MOVES], theirs[SHOGI_MAX_MOVES];
    shogi_piece_list_from_position(shogi_position_of(state), &b);
    for (size_t ply = 0; ply < limit; ply++) {
        int side = (int)(ply & 1);
        size_t n = fetch_moves(&b, side, mine);
        if (shogi_moves_of_mode(shogi_position_of(state), SHOGI_SIMPLE, theirs) != n)
            exit(EXIT_FAILURE);
        qsort(mine, n, sizeof mine[0], by_number);
        qsort(theirs, n, sizeof theirs[0], by_number);
        if (memcmp(mine, theirs, n * sizeof mine[0]) != 0)
            exit(EXIT_FAILURE);
        n = shogi_moves_of_mode(shogi_position_of(state), SHOGI_STANDARD, theirs);
        if (n == 0) /* whoever has no move loses */
            return ply;
        ply_move move = theirs[ply_rng_below(&rng, (uint32_t)n)];
        shogi_piece_list_play(&b, side, move);
        ply_state_play(state, move);
    }
    return limit;
}

int main(void)
{
    ply_rules rules;
    ply_state state;
    shogi_piece_list b;
    ply_move moves[SHOGI_MAX_MOVES];
    uint8_t bytes[SHOGI_SAVED_BYTES];
    if (ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK)
        return EXIT_FAILURE;
    print_squares();
    shogi_piece_list_from_position(shogi_position_of(&state), &b);
    print_pieces(&b);
    printf("7g7f is 68 | 57 << 7 = %u; 8h2b+ is 78 | 18 << 7 | 16384 = %u; G*5e is %u\n",
           (unsigned)shogi_move_make(68, 57, false), (unsigned)shogi_move_make(78, 18, true),
           (unsigned)shogi_drop_make(SHOGI_GOLD, 48));

    size_t plies = 0;
    for (uint64_t game = 1; game <= 10; game++) {
        plies += play_random_game(&state, game, 2000);
        ply_state_restart(&state);
    }
    printf("10 random games, %zu plies: the note's lists equal the library's\n", plies);

    /* A pawn on 1b would give mate, so it may not be dropped there. */
    const char *text = "7lk/9/8S/9/9/9/9/7L1/8K b P 1";
    if (ply_state_parse(&state, text, strlen(text), NULL) != PLY_OK)
        return EXIT_FAILURE;
    for (int mode = SHOGI_SIMPLE; mode <= SHOGI_TSUME; mode++)
        printf("mode %d: %zu moves\n", mode,
               shogi_moves_of_mode(shogi_position_of(&state), mode, moves));
    printf("pawn-drop mate on 1b: %s\n",
           shogi_is_pawn_drop_mate(shogi_position_of(&state), 19) ? "yes" : "no");

    shogi_save(shogi_position_of(&state), bytes);
    ply_state_restart(&state);
    if (shogi_state_load(&state, bytes, NULL) != PLY_OK)
        return EXIT_FAILURE;
    ply_text out = ply_text_growing();
    rules.game->format(&rules, state.position, &out);
    printf("saved in %zu bytes and loaded: %s\n", sizeof bytes, ply_text_cstr(&out));
    ply_text_free(&out);
    ply_state_free(&state);
    return EXIT_SUCCESS;
}
