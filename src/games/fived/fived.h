/* SPDX-License-Identifier: MIT */
/*
 * fived.h - 5D chess: what the engine adds to the public header: boards, timelines, positions.
 *
 *     position -- multiverse -- timelines[u] -- boards[0] boards[1] ... boards[end - start]
 *        |            |                            |         |
 *        |            |-- free boards            board     board ...       shared, immutable
 *        |            `-- kept turn query
 *        `-- hash, range of timelines, side to move
 *
 * A board is 64 bytes, one per square, followed by what the move generator needs: bitboards by way
 * of moving and by colour, unmoved pieces, the en-passant square and a key. Boards never change.
 * They are shared by reference count, also between copies of a position. A move appends one board
 * (two for a jump) and removes nothing, so each further state costs only the boards it changed. The
 * undo entry written by play leads back to the state before. No flag records which boards have been
 * moved this turn: a timeline on which the player has already moved ends in a board of the other
 * colour.
 *
 * <plyverse/fived.h> draws coordinates, squares, pieces and moves to the bit.
 */
#ifndef PLY_GAMES_FIVED_FIVED_H
#define PLY_GAMES_FIVED_FIVED_H

#include "core/bits.h"
#include "core/hash.h"
#include <plyverse/fived.h>
#include <plyverse/solve.h>
#include <stdalign.h>
#ifndef __CUDACC__
#include <stdatomic.h>
#endif

/* Devices have no copies of positions that share boards, and one thread for each position. */
#ifdef __CUDACC__
#define FIVED_ATOMIC(type) type
#else
#define FIVED_ATOMIC(type) _Atomic(type)
#endif

/* --- pieces --------------------------------------------------------------------------------- */
/* Bitboards by way of moving; a kind may be in several. */
enum fived_set {
    FIVED_SLIDERS_1, /* slide along one dimension: rook, princess, queen, royal queen */
    FIVED_SLIDERS_2,
    FIVED_SLIDERS_3,
    FIVED_SLIDERS_4,
    FIVED_LEAPERS,  /* knights */
    FIVED_STEPPERS, /* kings and common kings */
    FIVED_PAWNS,    /* pawns and brawns */
    FIVED_BRAWNS,
    FIVED_ROYALS, /* kings and royal queens */
    FIVED_SETS,
};

/* --- boards --------------------------------------------------------------------------------- */
typedef struct fived_board {
    alignas(64) fived_piece square[64];
    uint64_t set[FIVED_SETS];
    uint64_t colour[2];
    uint64_t unmoved;
    uint64_t hash;                     /* exclusive or of fived_keys[piece][square] */
    FIVED_ATOMIC(uint32_t) references; /* timelines of all positions that hold it */
    int8_t en_passant;                 /* the square a pawn has just stepped over, or -1 */
    uint8_t zero[3];
} fived_board;

_Static_assert(sizeof(fived_board) == 192, "a board takes three cache lines");

PLY_HD void fived_set_references(fived_board *board, uint32_t count)
{
#ifdef __CUDACC__
    board->references = count;
#else
    atomic_store_explicit(&board->references, count, memory_order_relaxed);
#endif
}

PLY_HD uint64_t fived_board_occupied(const fived_board *board)
{
    return board->colour[0] | board->colour[1];
}

/* Edit a board that is not yet part of a position. */
PLY_HD_EXTERN void fived_board_clear(fived_board *board);
PLY_HD_EXTERN void fived_board_put(fived_board *board, int square, fived_piece piece);
PLY_HD_EXTERN void fived_board_remove(fived_board *board, int square);

/* --- timelines and positions ---------------------------------------------------------------- */
typedef struct fived_timeline {
    fived_board **boards; /* boards[v - start] */
    int32_t start, end;   /* v of the first and of the last board; end < start: unused */
    uint32_t room;
} fived_timeline;

struct fived_turn_query;

/* What a position owns. */
typedef struct fived_multiverse {
    fived_timeline *timelines; /* by u */
    uint32_t timeline_room;
    uint32_t free_count;
    fived_board *free; /* boards for reuse, linked through their first bytes */
    uint64_t version;  /* changes whenever the position does */
    /*
     * Working memory for questions about legal turns, or NULL. fived_turn_query_open takes it and
     * fived_turn_query_close puts it back, both atomically.
     */
    FIVED_ATOMIC(struct fived_turn_query *) query;
} fived_multiverse;

typedef struct fived_position {
    fived_multiverse *multiverse;
    uint64_t hash;
    uint64_t valid;             /* squares on a board of this size */
    uint32_t board_count;       /* on all timelines */
    int16_t lo, hi;             /* the timelines that exist */
    int16_t start_lo, start_hi; /* those that existed at the start */
    uint16_t promotions;        /* kinds a pawn may promote to, one bit per kind */
    uint8_t width, height;
    uint8_t side; /* 0 White, 1 Black to move */
    uint8_t even; /* the middle timelines are called +0 and -0 */
    uint8_t zero[6];
} fived_position;

_Static_assert(sizeof(fived_position) == 48, "no hidden padding");

/* The undo entry (ply_undo). */
typedef struct fived_undo_info {
    uint64_t hash;
    uint32_t type; /* enum fived_move_type */
    int16_t from_timeline, to_timeline;
} fived_undo_info;

/* Within a board; to the end of another timeline; to any other board; the end of the turn. */
enum fived_move_type { FIVED_PHYSICAL, FIVED_HOP, FIVED_BRANCH, FIVED_SUBMITTED };

enum {
    FIVED_TIMELINE_LIMIT = FIVED_L_MAX - 2, /* timelines are numbered from -limit to limit */
    FIVED_TIME_LIMIT = FIVED_T_MAX - 1,
    FIVED_MAX_MOVES = 1 << 17,
    FIVED_DEFAULT_PLIES = 200, /* random games hardly ever end, and every ply costs more */
};

/* --- lookups ------------------------------------------------------------------------------- */
PLY_HD const fived_timeline *fived_position_timeline(const fived_position *p, int l)
{
    return &p->multiverse->timelines[fived_l_to_u(l)];
}

/* The board at (l, v), or NULL. */
PLY_HD const fived_board *fived_position_board(const fived_position *p, int l, int v)
{
    if (l < p->lo || l > p->hi)
        return NULL;
    const fived_timeline *timeline = fived_position_timeline(p, l);
    return v >= timeline->start && v <= timeline->end ? timeline->boards[v - timeline->start]
                                                      : NULL;
}

/* The active timelines when White has created `white` timelines and Black `black`. */
PLY_HD void fived_active_range(const fived_position *p, int white, int black, int *lo, int *hi)
{
    *lo = p->start_lo - (black < white + 1 ? black : white + 1);
    *hi = p->start_hi + (white < black + 1 ? white : black + 1);
}

/* The v of the present: the earliest end of an active timeline. */
PLY_HD_EXTERN int fived_position_present(const fived_position *p);

/* --- moves ---------------------------------------------------------------------------------- */
/* A square of the multiverse. */
typedef struct fived_location {
    int l, t, x, y;
} fived_location;

PLY_HD ply_move fived_move_make(fived_location from, fived_location to, int promotion)
{
    fived_full_move m = {.from = fived_vec4_make(from.x, from.y, from.t, from.l),
                         .to = fived_vec4_make(to.x, to.y, to.t, to.l),
                         .promotion = (fived_kind)promotion};
    return fived_full_move_pack(m);
}

/* The coordinates of a vector. */
PLY_HD fived_location fived_vec4_location(fived_vec4 a)
{
    fived_location s = {fived_vec4_l(a), fived_vec4_t(a), fived_vec4_x(a), fived_vec4_y(a)};
    return s;
}

PLY_HD fived_location fived_move_location(uint32_t word)
{
    fived_vec4 a = {word};
    fived_location s = {fived_vec4_l(a), fived_vec4_t(a), fived_vec4_x(a) & 7, fived_vec4_y(a) & 7};
    return s;
}

PLY_HD fived_location fived_move_from(ply_move move)
{
    return fived_move_location((uint32_t)move);
}

PLY_HD fived_location fived_move_to(ply_move move)
{
    return fived_move_location((uint32_t)(move >> 32));
}

/* --- rule options --------------------------------------------------------------------------- */
enum {
    FIVED_OPTION_PROMOTION, /* sum of 1 Q, 2 R, 4 B, 8 N, 16 S, 32 U, 64 D, 128 C; 0: see docs */
    FIVED_OPTION_NEW_TIMELINE_EP, /* en passant as the first reply on a new timeline */
    FIVED_OPTION_NEAR_CASTLE,     /* castling with the rook two squares away */
    FIVED_OPTION_CHECK_PASS,      /* which boards pass in the test for check */
    FIVED_OPTIONS,
};
enum { FIVED_PASS_PRESENT, FIVED_PASS_ALL };
enum { FIVED_NEAR_OFF, FIVED_NEAR_ON, FIVED_NEAR_A_SIDE }; /* a-side: towards the a-file only */

/* --- constants generated by gen_steps.c ----------------------------------------------------- */
/* A direction from board to board, and the number of dimensions it uses. */
typedef struct fived_direction {
    int8_t t, l, dimensions;
} fived_direction;

/* Knight moves that leave the board: where the board lies, and the square offsets on it. */
typedef struct fived_leap {
    int8_t t, l;
    struct {
        int8_t x, y;
    } on[4];
    uint8_t count;
} fived_leap;

typedef struct fived_shift {
    uint64_t mask; /* squares that stay on the board */
    int rotation;
} fived_shift;

#ifdef __CUDACC__
#include "fived/steps.inc"
#else
extern const fived_steps fived_steps_rook, fived_steps_bishop, fived_steps_unicorn,
    fived_steps_dragon, fived_steps_princess, fived_steps_queen, fived_steps_knight,
    fived_steps_white_pawn_advance, fived_steps_black_pawn_advance, fived_steps_white_pawn_capture,
    fived_steps_black_pawn_capture, fived_steps_white_brawn_capture,
    fived_steps_black_brawn_capture, fived_steps_none;
extern const fived_direction fived_directions[8];
extern const fived_leap fived_leaps[16];
extern const fived_shift fived_shifts[5][5]; /* [y + 2][x + 2] */
/* The squares `far` steps away from a square: [far][square]. */
extern const uint64_t fived_straight_squares[8][64], fived_diagonal_squares[8][64];
extern const uint64_t fived_keys[64][64]; /* [piece][square] */
extern const uint64_t fived_side_key;
/* The sets a kind is in, one bit per set (steps.c). */
extern const uint16_t fived_kind_sets[16];
#endif

/* As fived_piece_steps (steps.c). */
PLY_HD_EXTERN const fived_steps *fived_steps_of(fived_kind kind, int colour, bool *slides);

/* Moves all squares of a set; those that leave 8x8 are dropped. */
PLY_HD uint64_t fived_shift_by(uint64_t squares, const fived_shift *shift)
{
    squares &= shift->mask;
    return squares << shift->rotation | squares >> (-shift->rotation & 63);
}

/* The same by (x, y), each from -2 to 2. */
PLY_HD uint64_t fived_shifted(uint64_t squares, int x, int y)
{
    return fived_shift_by(squares, &fived_shifts[y + 2][x + 2]);
}

/* What a board at (l, v) adds to the hash of a position. */
PLY_HD uint64_t fived_board_key(uint64_t board_hash, int l, int v)
{
    return ply_mix64(board_hash + (uint64_t)(uint32_t)(l * 65536 + v) * PLY_GOLDEN);
}

/* --- variants (variants.c) ------------------------------------------------------------------ */
enum { FIVED_VARIANTS = 44 };
extern const ply_variant fived_variants[FIVED_VARIANTS];

/* --- positions (position.c) ----------------------------------------------------------------- */
/* Makes an empty multiverse. After a failure there is nothing to clear. */
ply_status fived_position_init(fived_position *p, int width, int height);
/* Appends a board at (l, v) and takes a reference; the timeline may be new. */
ply_status fived_position_append(fived_position *p, int l, int v, fived_board *board);
/* A board to edit, reused if possible; NULL when out of memory. Recycle makes it free again. */
PLY_HD_EXTERN fived_board *fived_board_alloc(fived_multiverse *multiverse);
PLY_HD_EXTERN void fived_board_recycle(fived_multiverse *multiverse, fived_board *board);
/* Bytes of the timelines and of their boards, shared ones included; without the kept query. */
size_t fived_position_bytes(const fived_position *p);

ply_status fived_start(const ply_rules *rules, void *position);
ply_status fived_copy(const ply_rules *rules, void *to, const void *from);
void fived_clear(const ply_rules *rules, void *position);
PLY_HD_EXTERN ply_status fived_play(const ply_rules *rules, void *position, ply_move move,
                                    void *undo);
void fived_undo(const ply_rules *rules, void *position, ply_move move, const void *undo);
int fived_side(const ply_rules *rules, const void *position);
uint64_t fived_hash(const ply_rules *rules, const void *position);
uint64_t fived_compute_hash(const ply_rules *rules, const void *position);
/* The kinds a pawn may promote to under the option, given the kinds on the boards. */
uint16_t fived_promotion_kinds(int32_t option, uint16_t kinds);
/* The type of a move of the position. */
PLY_HD_EXTERN enum fived_move_type fived_move_type_of(const fived_position *p, ply_move move);
/* Builds the board that follows `from` after a physical move. */
PLY_HD_EXTERN void fived_board_after(fived_board *out, const fived_board *from, int from_square,
                                     int to_square, fived_kind promotion);
/* Builds the board that follows `to` after a piece arrives from another board. */
PLY_HD_EXTERN void fived_board_arrive(fived_board *out, const fived_board *to, int square,
                                      fived_piece piece, fived_kind promotion);
/* Builds the board that follows `from` after a piece leaves it. */
PLY_HD_EXTERN void fived_board_leave(fived_board *out, const fived_board *from, int square);

/* --- the other functions of the game --------------------------------------------------------- */
/* legal.c */
/*
 * PLY_LIMIT if the player to move has FIVED_MAX_MOVES candidate moves or more; PLY_NO_MEMORY if
 * there is not enough memory to find out.
 */
PLY_HD_EXTERN ply_status fived_position_check_size(const ply_rules *rules, const fived_position *p);
/*
 * The game interface lets moves, count, nth and perft report no error. When memory runs out the
 * first two return 0, nth returns PLY_MOVE_NONE and perft returns PLY_PERFT_FAILED. fived_outcome
 * then says PLY_ONGOING, so "no move, yet not over" means out of memory, never the end of the game.
 */
size_t fived_moves(const ply_rules *rules, const void *position, ply_move *out);
size_t fived_count(const ply_rules *rules, const void *position);
ply_move fived_nth(const ply_rules *rules, const void *position, size_t k);
/* Passes the legal moves, in the order of the list, to a visitor until it returns false. */
typedef bool fived_move_visitor(void *context, ply_move move);
void fived_each_move(const ply_rules *rules, const void *position, fived_move_visitor *visit,
                     void *context);
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

/* network.c */
enum { FIVED_MAX_FEATURES = PLY_ACTIVE_FEATURES };
const char *fived_network_family(const ply_rules *rules);
uint32_t fived_feature_count(const ply_rules *rules);
size_t fived_features(const ply_rules *rules, const void *position, int player, uint16_t *out);
unsigned fived_phase(const ply_rules *rules, const void *position, unsigned phases);

/* svg.c */
void fived_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
               ply_text *out);

/* layout.c */
void fived_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out);

/* evaluate.c */
enum { FIVED_WEIGHTS = 2 * (FIVED_KINDS - 1) + 13 };
extern const int16_t fived_weights[FIVED_WEIGHTS];
extern const char *const fived_weight_names[FIVED_WEIGHTS];
/* The value of a kind on an active timeline, and the bonus for the square a piece is on. */
int fived_kind_value(fived_kind kind);
int fived_square_value(const fived_position *p, fived_piece piece, int square);
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
                                 const ply_turn_request *request, bool *complete);

/* legal.c */
/* Whether the player could lose a royal piece by passing. PLY_NO_MEMORY leaves *check alone. */
ply_status fived_test_check(const ply_rules *rules, const fived_position *p, bool *check);
/* The same as a hook; false when out of memory. */
bool fived_in_check(const ply_rules *rules, const void *position);

/* The game, as the registry lists it. */
extern const ply_game fived_game;

#endif
