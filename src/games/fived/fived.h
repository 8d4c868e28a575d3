/* SPDX-License-Identifier: MIT */
/*
 * fived.h - 5D chess: boards, timelines, positions.
 *
 *     position -- store -- lines[u] -- row[0] row[1] ... row[end - start]      references
 *        |          |                    |      |
 *        |          `-- free boards    board  board ...                        shared, immutable
 *        `-- hash, line range, side
 *
 * A board is 64 bytes, one a square, and beside them what the generator wants: sets of squares by
 * way of moving, colours, unmoved pieces, the en-passant square and a key. Boards never change and
 * are shared by reference count, between copies of a position as well; playing a move appends one
 * board (two for a jump) to the rows and takes nothing away, so a state costs the boards it
 * changed. A position is one state; the row of undo_stack that play fills is the way back to the
 * states before. What has been moved this turn needs no flag: a line that the player to move has
 * already used ends in a board of the other colour.
 *
 * Coordinates. LTCXY names boards in moves: timeline l, time t, colour c of who moves on the board.
 * UVXY indexes them: u = 0, 1, 2, 3, 4 for l = 0, -1, 1, -2, 2 and v = 2t + c. With an even number
 * of lines at the start the middle ones are called +0 and -0; inside they are l = 0 and l = -1, and
 * -1 is called -2 and so on, so that neighbouring lines differ by one.
 *
 * A square is x + 8y whatever the size of the board:
 *
 *     y 7  56 57 .. 63
 *       0   0  1 ..  7
 *           x 0     7
 *
 * A piece in a byte:    7 6    5        4       3     0
 *                      | 0 | unmoved | black | kind    |     0: an empty square
 *
 * A move in 64 bits:    63        32 31        0
 *                      | to (vec4)  | from (vec4) |   submit: all ones
 * with the kind that a pawn becomes in the top bits of from.x, from.y, to.x and to.y (1, 2, 4, 8).
 */
#ifndef PLY_GAMES_FIVED_FIVED_H
#define PLY_GAMES_FIVED_FIVED_H

#include "core/bits.h"
#include "core/hash.h"
#include "games/fived/rules/vec4.h"
#include <plyverse/game.h>
#include <plyverse/solve.h>
#include <stdalign.h>

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
    FIVED_KINDS,
} fived_kind;

typedef uint8_t fived_piece;
enum { FIVED_BLACK = 16, FIVED_UNMOVED = 32 };

static inline fived_kind fived_piece_kind(fived_piece piece)
{
    return (fived_kind)(piece & 15);
}

static inline int fived_piece_colour(fived_piece piece)
{
    return piece >> 4 & 1;
}

/* Sets of squares by way of moving; a kind may be in several. */
enum fived_set {
    FIVED_ALONG_1, /* sliders along one axis: rook, princess, queen, royal queen */
    FIVED_ALONG_2,
    FIVED_ALONG_3,
    FIVED_ALONG_4,
    FIVED_LEAPERS,  /* knights */
    FIVED_STEPPERS, /* kings and common kings */
    FIVED_PAWNS,    /* pawns and brawns */
    FIVED_BRAWNS,
    FIVED_ROYALS, /* kings and royal queens */
    FIVED_SETS,
};

/* Which sets a kind is in, bit by bit. */
extern const uint16_t fived_kind_sets[16];

/* --- boards --------------------------------------------------------------------------------- */
typedef struct fived_board {
    alignas(64) fived_piece square[64];
    uint64_t set[FIVED_SETS];
    uint64_t colour[2];
    uint64_t unmoved;
    uint64_t hash;       /* exclusive or of fived_keys[piece][square] */
    uint32_t references; /* how many rows of all positions hold it; changed atomically */
    int8_t passed;       /* square a pawn has just stepped over, -1 for none */
    uint8_t zero[3];
} fived_board;

_Static_assert(sizeof(fived_board) == 192, "a board and what belongs to it: three cache lines");

static inline uint64_t fived_board_occupied(const fived_board *board)
{
    return board->colour[0] | board->colour[1];
}

/* Editing a board that nobody else sees yet. */
void fived_board_clear(fived_board *board);
void fived_board_put(fived_board *board, int square, fived_piece piece);
void fived_board_remove(fived_board *board, int square);

/* --- lines and positions -------------------------------------------------------------------- */
typedef struct fived_line {
    fived_board **row;  /* row[v - start] */
    int32_t start, end; /* the v of the first and the last board; end < start: no such line */
    uint32_t room;
} fived_line;

typedef struct fived_store {
    fived_line *lines; /* by u */
    uint32_t line_room;
    uint32_t free_count;
    fived_board *free; /* given back and ready; linked through their first bytes */
} fived_store;

typedef struct fived_position {
    fived_store *store;
    uint64_t hash;
    uint64_t valid;    /* squares there are */
    uint32_t boards;   /* in all rows */
    int16_t lo, hi;    /* the lines there are */
    int16_t lo0, hi0;  /* those there were at the start */
    uint16_t becoming; /* kinds that a pawn may become, bit by kind */
    uint8_t width, height;
    uint8_t side; /* 0 White, 1 Black to move */
    uint8_t even; /* the middle lines are called +0 and -0 */
    uint8_t zero[2];
} fived_position;

_Static_assert(sizeof(fived_position) == 48, "a position's own bytes");

/* What play notes for undo and for the eye. */
typedef struct fived_undo_info {
    uint64_t hash;
    uint32_t kind; /* enum fived_move_type */
    int16_t from_line, to_line;
} fived_undo_info;

enum fived_move_type { FIVED_PHYSICAL, FIVED_HOP, FIVED_BRANCH, FIVED_SUBMITTED };

enum {
    FIVED_LINE_LIMIT = FIVED_L_MAX - 2, /* lines are numbered from -limit to limit */
    FIVED_TIME_LIMIT = FIVED_T_MAX - 1,
    FIVED_MAX_MOVES = 1 << 17,
    FIVED_MAX_TURN = 2 * FIVED_L_MAX + 2, /* moves in a turn, the submit included */
};

/* --- coordinates ---------------------------------------------------------------------------- */
static inline unsigned fived_l_to_u(int l)
{
    return l >= 0 ? 2 * (unsigned)l : 2 * (unsigned)-l - 1;
}

static inline int fived_u_to_l(unsigned u)
{
    return u & 1 ? -(int)((u + 1) / 2) : (int)(u / 2);
}

static inline int fived_tc_to_v(int t, int c)
{
    return 2 * t + c;
}

static inline void fived_v_to_tc(int v, int *t, int *c)
{
    *t = v >> 1;
    *c = v & 1;
}

static inline const fived_line *fived_position_line(const fived_position *p, int l)
{
    return &p->store->lines[fived_l_to_u(l)];
}

/* The board at (l, v), or NULL. */
static inline const fived_board *fived_position_board(const fived_position *p, int l, int v)
{
    if (l < p->lo || l > p->hi)
        return NULL;
    const fived_line *line = fived_position_line(p, l);
    return v >= line->start && v <= line->end ? line->row[v - line->start] : NULL;
}

/* The lines that are active when White has made `white` lines and Black `black`. */
static inline void fived_active_range(const fived_position *p, int white, int black, int *lo,
                                      int *hi)
{
    *lo = p->lo0 - (black < white + 1 ? black : white + 1);
    *hi = p->hi0 + (white < black + 1 ? white : black + 1);
}

/* The v of the present: the earliest end of an active line. */
int fived_position_present(const fived_position *p);

/* --- moves ---------------------------------------------------------------------------------- */
#define FIVED_SUBMIT UINT64_MAX

typedef struct fived_spot {
    int l, t, x, y;
} fived_spot;

static inline ply_move fived_move_make(fived_spot from, fived_spot to, int becomes)
{
    uint64_t a = fived_vec4_make(from.x, from.y, from.t, from.l).word;
    uint64_t b = fived_vec4_make(to.x, to.y, to.t, to.l).word;
    uint64_t kind = (uint64_t)becomes;
    a |= (kind & 1) << (FIVED_X_SHIFT + FIVED_X_BITS - 1);
    a |= (kind >> 1 & 1) << (FIVED_Y_SHIFT + FIVED_Y_BITS - 1);
    b |= (kind >> 2 & 1) << (FIVED_X_SHIFT + FIVED_X_BITS - 1);
    b |= (kind >> 3 & 1) << (FIVED_Y_SHIFT + FIVED_Y_BITS - 1);
    return a | b << 32;
}

static inline fived_spot fived_move_spot(uint32_t word)
{
    fived_vec4 a = {word};
    fived_spot s = {fived_vec4_l(a), fived_vec4_t(a), fived_vec4_x(a) & 7, fived_vec4_y(a) & 7};
    return s;
}

static inline fived_spot fived_move_from(ply_move move)
{
    return fived_move_spot((uint32_t)move);
}

static inline fived_spot fived_move_to(ply_move move)
{
    return fived_move_spot((uint32_t)(move >> 32));
}

/* The kind a pawn becomes by this move, FIVED_NONE for other moves. */
static inline fived_kind fived_move_becomes(ply_move move)
{
    uint32_t a = (uint32_t)move, b = (uint32_t)(move >> 32);
    return (fived_kind)((a >> (FIVED_X_SHIFT + FIVED_X_BITS - 1) & 1) |
                        (a >> (FIVED_Y_SHIFT + FIVED_Y_BITS - 1) & 1) << 1 |
                        (b >> (FIVED_X_SHIFT + FIVED_X_BITS - 1) & 1) << 2 |
                        (b >> (FIVED_Y_SHIFT + FIVED_Y_BITS - 1) & 1) << 3);
}

/* --- rule options --------------------------------------------------------------------------- */
enum {
    FIVED_OPTION_PROMOTION,   /* sum of 1 Q, 2 R, 4 B, 8 N, 16 S, 32 U, 64 D, 128 C; 0: see docs */
    FIVED_OPTION_NEW_LINE_EP, /* en passant as the first reply on a new line */
    FIVED_OPTION_NEAR_CASTLE, /* castling with the rook two squares away */
    FIVED_OPTION_CHECK_PASS,  /* who passes when asking whether a player is in check */
    FIVED_OPTIONS,
};
enum { FIVED_PASS_PRESENT, FIVED_PASS_ALL };
enum { FIVED_NEAR_OFF, FIVED_NEAR_ON, FIVED_NEAR_A_SIDE }; /* a-side: towards the first file only */

/* --- tables, made by gen_steps.c ------------------------------------------------------------ */
typedef struct fived_step {
    int8_t x, y, t, l;
} fived_step;

typedef struct fived_steps {
    uint8_t count;
    fived_step step[80];
} fived_steps;

extern const fived_steps fived_steps_rook, fived_steps_bishop, fived_steps_unicorn,
    fived_steps_dragon, fived_steps_princess, fived_steps_queen, fived_steps_knight,
    fived_steps_white_pawn_walk, fived_steps_black_pawn_walk, fived_steps_white_pawn_take,
    fived_steps_black_pawn_take, fived_steps_white_brawn_take, fived_steps_black_brawn_take;

/* A direction among the boards, and along how many axes it goes. */
typedef struct fived_fan {
    int8_t t, l, axes;
} fived_fan;
extern const fived_fan fived_fans[8];

/* Where knights go that leave the board: the board, and the squares of it. */
typedef struct fived_leap {
    int8_t t, l;
    struct {
        int8_t x, y;
    } on[4];
    uint8_t count;
} fived_leap;
extern const fived_leap fived_leaps[16];

typedef struct fived_shift {
    uint64_t stay;
    int rotation;
} fived_shift;
extern const fived_shift fived_shifts[5][5]; /* [y + 2][x + 2] */

extern const uint64_t fived_keys[64][64]; /* [piece][square] */
extern const uint64_t fived_side_key;

/* All squares of a set moved by (x, y), each from -2 to 2; what leaves 8x8 is dropped. */
static inline uint64_t fived_shift_by(uint64_t squares, const fived_shift *shift)
{
    squares &= shift->stay;
    return squares << shift->rotation | squares >> (-shift->rotation & 63);
}

static inline uint64_t fived_shifted(uint64_t squares, int x, int y)
{
    return fived_shift_by(squares, &fived_shifts[y + 2][x + 2]);
}

/* What a board at (l, v) adds to the key of a position. */
static inline uint64_t fived_board_key(uint64_t board_hash, int l, int v)
{
    return ply_mix64(board_hash + (uint64_t)(uint32_t)(l * 65536 + v) * PLY_GOLDEN);
}

/* --- variants (variants.c) ------------------------------------------------------------------ */
enum { FIVED_VARIANTS = 44 };
extern const ply_variant fived_variants[FIVED_VARIANTS];

/* --- positions (position.c) ----------------------------------------------------------------- */
/* An empty multiverse. On failure nothing needs clear. */
ply_status fived_position_init(fived_position *p, int width, int height);
/* Appends a board (not yet counted) to line l, which may be new; v is where it must stand. */
ply_status fived_position_append(fived_position *p, int l, int v, fived_board *board);
/* A board to edit, from the free ones if there are any; NULL when memory is out. */
fived_board *fived_store_take(fived_store *store);
void fived_store_give(fived_store *store, fived_board *board);
/* Boards the position holds, the free ones included: what it costs. */
size_t fived_position_bytes(const fived_position *p);

ply_status fived_start(const ply_rules *rules, void *position);
ply_status fived_copy(const ply_rules *rules, void *to, const void *from);
void fived_clear(const ply_rules *rules, void *position);
ply_status fived_play(const ply_rules *rules, void *position, ply_move move, void *undo);
void fived_undo(const ply_rules *rules, void *position, ply_move move, const void *undo);
int fived_side(const ply_rules *rules, const void *position);
uint64_t fived_hash(const ply_rules *rules, const void *position);
uint64_t fived_compute_hash(const ply_rules *rules, const void *position);
/* The kinds a pawn may become under the option, given the kinds on the boards. */
uint16_t fived_becoming(int32_t option, uint16_t kinds);
/* What a move is where it stands; the move is one of the position's. */
enum fived_move_type fived_move_type_of(const fived_position *p, ply_move move);
/* Builds the board that follows `from` when a move within it is made. */
void fived_board_after(fived_board *out, const fived_board *from, int from_square, int to_square,
                       fived_kind becomes);
/* Builds the board that follows `to` when a piece arrives on it. */
void fived_board_arrive(fived_board *out, const fived_board *to, int square, fived_piece piece,
                        fived_kind becomes);
/* Builds the board that follows `from` when a piece leaves it. */
void fived_board_leave(fived_board *out, const fived_board *from, int square);

/* --- the rest of the adapter ---------------------------------------------------------------- */
/* legal.c */
/* Whether the moves of the player to move are fewer than FIVED_MAX_MOVES. */
bool fived_position_fits(const ply_rules *rules, const fived_position *p);
size_t fived_moves(const ply_rules *rules, const void *position, ply_move *out);
size_t fived_count(const ply_rules *rules, const void *position);
ply_move fived_nth(const ply_rules *rules, const void *position, size_t k);
ply_outcome fived_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                          size_t plies);
size_t fived_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                     ply_outcome *outcome);
uint64_t fived_perft(const ply_rules *rules, void *position, int depth, int mode);
ply_status fived_turns(const ply_rules *rules, const void *position, int mode,
                       bool (*visit)(void *context, const ply_move *moves, size_t count),
                       void *context);

/* position_text.c */
ply_status fived_parse(const ply_rules *rules, void *position, ply_cursor *cursor);
void fived_format(const ply_rules *rules, const void *position, ply_text *out);
void fived_format_move(const ply_rules *rules, const void *position, ply_move move, ply_text *out);
ply_status fived_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                            ply_move *move);

/* render.c */
void fived_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out);
void fived_json(const ply_rules *rules, const void *position, ply_text *out);
void fived_display_move(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                        ply_text *out);
void fived_notes(const ply_rules *rules, const void *position, ply_text *out);

/* evaluate.c */
enum { FIVED_WEIGHTS = 2 * (FIVED_KINDS - 1) + 8 };
extern const int16_t fived_weights[FIVED_WEIGHTS];
extern const char *const fived_weight_names[FIVED_WEIGHTS];
/* What a piece of a kind is worth on an active line, and what it gains by its square. */
int fived_kind_value(fived_kind kind);
int fived_place_value(const fived_position *p, fived_piece piece, int square);
size_t fived_terms(const ply_rules *rules, const void *position, ply_term *out);
int32_t fived_evaluate(const ply_rules *rules, const void *position);
void fived_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                       size_t count, int32_t *scores);
bool fived_is_noisy(const ply_rules *rules, const void *position, ply_move move);

/* goals.c */
enum { FIVED_GOALS = 2 };
extern const ply_goal fived_goals[FIVED_GOALS];
/* mate_solver.c */
extern const ply_solver_kind fived_mate_solver;

/* promising_turns.c */
ply_status fived_promising_turns(const ply_rules *rules, const void *position,
                                 const ply_turn_request *wish, bool *complete);
bool fived_mover_in_check(const ply_rules *rules, const void *position);

/* The game, as the registry lists it. */
extern const ply_game fived_game;

#endif
