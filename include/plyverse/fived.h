/* SPDX-License-Identifier: MIT */
/*
 * fived.h - 5D chess as its design note describes it: boards, the multiverse, coordinates, moves,
 * and the steps of the pieces.
 *
 *     ply_state             the note's game: a position, and the moves that lead back from it
 *        |
 *     position              the note's state: a multiverse, and who plays
 *        |
 *     multiverse            boards by (u, v)
 *        |
 *     board  board  ...     64 bytes each; shared by all positions that have them; never change
 *
 * A square of a board is x + 8y, whatever the size of the board:
 *
 *     y 7  56 57 .. 63
 *       0   0  1 ..  7
 *           x 0     7
 *
 * A piece in a byte:    7 6    5        4       3     0
 *                      | 0 | unmoved | black | kind    |     0: an empty square
 *
 * Coordinates. Moves name boards by LTC: timeline l, time t, and c, the player to move on the board
 * (0 White, 1 Black). Boards are indexed by UV:
 *
 *     l  ... -2 -1  0  1  2 ...         (t, c)  (0,0) (0,1) (1,0) (1,1) (2,0) ...
 *     u       3  1  0  2  4                v      0     1     2     3     4
 *
 * If the game starts with an even number of timelines, the middle two are called +0 and -0. They are
 * l = 0 and l = -1, the next are l = 1 and l = -2, and so on; so neighbouring timelines always differ
 * by one. fived_format_timeline writes the names.
 *
 * A move in 64 bits is Submit, all ones, or Move(from, to):
 *
 *     63        32 31           0
 *    | to (vec4)  | from (vec4) |
 *
 * Squares have x and y from 0 to 7, so the top bits of x and y are free: they hold the kind that a
 * pawn promotes to, bits 0 and 1 in from.x and from.y, bits 2 and 3 in to.x and to.y.
 *
 * The functions below take the position of any ply_state whose rules are those of game "5dchess".
 * They allocate nothing (fived_may_submit may) and may be called from several threads as long as the
 * position does not change. docs/design-notes.md maps the design note's terms to these names.
 */
#ifndef PLYVERSE_FIVED_H
#define PLYVERSE_FIVED_H

#include <plyverse/fived_vec4.h>
#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- pieces --------------------------------------------------------------------------------- */
typedef enum fived_kind {
    FIVED_NONE,
    FIVED_PAWN,
    FIVED_BRAWN,
    FIVED_KNIGHT,
    FIVED_BISHOP,
    FIVED_ROOK,
    FIVED_UNICORN,
    FIVED_DRAGON,
    FIVED_PRINCESS,
    FIVED_QUEEN,
    FIVED_KING,
    FIVED_COMMON_KING,
    FIVED_ROYAL_QUEEN,
    FIVED_KINDS
} fived_kind;

typedef uint8_t fived_piece;
enum { FIVED_BLACK = 16, FIVED_UNMOVED = 32 };

PLY_HD fived_kind fived_piece_kind(fived_piece piece)
{
    return (fived_kind)(piece & 15);
}

/* 0 White, 1 Black; 0 for an empty square. */
PLY_HD int fived_piece_colour(fived_piece piece)
{
    return piece >> 4 & 1;
}

/* The letter of a kind, in upper case; ' ' for FIVED_NONE. */
PLY_API char fived_kind_letter(fived_kind kind);

/* --- coordinates ---------------------------------------------------------------------------- */
PLY_HD unsigned fived_l_to_u(int l)
{
    return l >= 0 ? 2 * (unsigned)l : 2 * (unsigned)-l - 1;
}

PLY_HD int fived_u_to_l(unsigned u)
{
    return u & 1 ? -(int)((u + 1) / 2) : (int)(u / 2);
}

PLY_HD int fived_tc_to_v(int t, int c)
{
    return 2 * t + c;
}

PLY_HD void fived_v_to_tc(int v, int *t, int *c)
{
    *t = v >> 1;
    *c = v & 1;
}

/* Writes the name of timeline l; even: the game started with an even number of timelines. */
PLY_API void fived_format_timeline(bool even, int l, ply_text *out);

/* --- the multiverse ------------------------------------------------------------------------- */
/* A position at a glance. Timelines lo to hi exist, without gaps. */
typedef struct fived_overview {
    int width, height;        /* of every board, 1 to 8 */
    int lo, hi;               /* the timelines that exist */
    int start_lo, start_hi;   /* those that existed at the start */
    int active_lo, active_hi; /* those that count for the present */
    int present_t, present_c; /* the present: the earliest end of an active timeline */
    int side;                 /* who plays: 0 White, 1 Black */
    bool even;                /* the middle timelines are called +0 and -0 */
} fived_overview;

PLY_API fived_overview fived_position_overview(const ply_rules *rules, const void *position);

/*
 * The boards of timeline l are those with v from *first to *last. Returns false, and leaves both
 * alone, where there is no such timeline.
 */
PLY_API bool fived_timeline_boards(const ply_rules *rules, const void *position, int l, int *first,
                                   int *last);

/*
 * The 64 squares of a board, or NULL where there is none. Squares outside width x height are empty.
 * The position owns the board; it lives until the move that made it is taken back and every copy of
 * the position that has it is gone.
 */
PLY_API const fived_piece *fived_board_at(const ply_rules *rules, const void *position, int l,
                                          int t, int c);
/* The same by UV. */
PLY_API const fived_piece *fived_board_at_uv(const ply_rules *rules, const void *position,
                                             unsigned u, int v);
/* The piece on a square of the board (l, t, c) that `at` names, 0 if empty; -1: no such square. */
PLY_API int fived_piece_at(const ply_rules *rules, const void *position, fived_vec4 at, int c);

/* --- moves ---------------------------------------------------------------------------------- */
#define FIVED_SUBMIT UINT64_MAX

/* Submit | Move(from, to), and the kind that a pawn promotes to. */
typedef struct fived_full_move {
    bool is_submit; /* the other members are then 0 */
    fived_vec4 from, to;
    fived_kind promotion; /* FIVED_NONE unless a pawn promotes */
} fived_full_move;

PLY_HD ply_move fived_full_move_pack(fived_full_move m)
{
    uint64_t kind = (uint64_t)m.promotion, from = m.from.word, to = m.to.word;
    from |= (kind & 1) << (FIVED_X_SHIFT + FIVED_X_BITS - 1);
    from |= (kind >> 1 & 1) << (FIVED_Y_SHIFT + FIVED_Y_BITS - 1);
    to |= (kind >> 2 & 1) << (FIVED_X_SHIFT + FIVED_X_BITS - 1);
    to |= (kind >> 3 & 1) << (FIVED_Y_SHIFT + FIVED_Y_BITS - 1);
    return m.is_submit ? FIVED_SUBMIT : from | to << 32;
}

/* The kind a pawn promotes to by this move, which is no submit; FIVED_NONE for other moves. */
PLY_HD fived_kind fived_move_promotion(ply_move move)
{
    uint32_t from = (uint32_t)move, to = (uint32_t)(move >> 32);
    return (fived_kind)((from >> (FIVED_X_SHIFT + FIVED_X_BITS - 1) & 1) |
                        (from >> (FIVED_Y_SHIFT + FIVED_Y_BITS - 1) & 1) << 1 |
                        (to >> (FIVED_X_SHIFT + FIVED_X_BITS - 1) & 1) << 2 |
                        (to >> (FIVED_Y_SHIFT + FIVED_Y_BITS - 1) & 1) << 3);
}

PLY_HD fived_full_move fived_full_move_unpack(ply_move move)
{
    const uint32_t kind_bits =
        FIVED_TOP(FIVED_X_BITS, FIVED_X_SHIFT) | FIVED_TOP(FIVED_Y_BITS, FIVED_Y_SHIFT);
    fived_full_move m = {true, {0}, {0}, FIVED_NONE};
    if (move == FIVED_SUBMIT)
        return m;
    m.is_submit = false;
    m.from.word = (uint32_t)move & ~kind_bits;
    m.to.word = (uint32_t)(move >> 32) & ~kind_bits;
    m.promotion = fived_move_promotion(move);
    return m;
}

/*
 * Whether the player who moved last has submitted, so that the other player is at the start of a
 * turn. False in a state in which nothing has been played.
 */
PLY_HD bool fived_submitted(const ply_state *state)
{
    return state->plies > 0 && state->moves[state->plies - 1] == FIVED_SUBMIT;
}

/* Sets *may to whether the player may submit now. PLY_NO_MEMORY leaves it alone. */
PLY_API ply_status fived_may_submit(const ply_rules *rules, const void *position, bool *may);

/* --- steps ---------------------------------------------------------------------------------- */
/*
 * The steps of a piece, generated by one rule: choose n of the dimensions x, y, t, l and a sign for
 * each. Rook, bishop, unicorn and dragon use n = 1, 2, 3 and 4 (8, 24, 32 and 16 steps), the princess
 * 1 and 2, queens and kings all (80). A knight moves 2 along one dimension and 1 along another (48).
 */
typedef struct fived_steps {
    uint32_t count;
    fived_vec4 step[80];
} fived_steps;

/*
 * The steps by which a piece captures, which for all but pawns and brawns are those by which it
 * moves; none for FIVED_NONE. *slides: whether it may repeat a step. The list is constant.
 */
PLY_API const fived_steps *fived_piece_steps(fived_kind kind, int colour, bool *slides);
/* The steps by which pawns and brawns move without capturing. */
PLY_API const fived_steps *fived_pawn_advances(int colour);

/* The widths of x, y, t and l that the library was built with; the headers installed with it agree. */
PLY_API void fived_vec4_widths(int widths[4]);

#ifdef __cplusplus
}
#endif
#endif
