/* SPDX-License-Identifier: MIT */
/*
 * shogi.h - shogi as its design note describes it: squares, numbered pieces, moves, attacks.
 *
 * docs/design-notes.md explains the note and lists each of its terms with the symbol here. Games
 * are played through <plyverse/state.h>; what is here looks inside them.
 *
 * A square is one byte. Ranks are eleven numbers apart and files run from 9 to 1, left to right, as
 * seen by Black (sente), who moves up the page. One column on each side is off the board, and so is
 * whatever lies beyond the ends, because a byte below 0 wraps around to 255:
 *
 *            9   8   7   6   5   4   3   2   1
 *     -1 |   0   1   2   3   4   5   6   7   8 |  9   a     forward: Black -11, White +11
 *     10 |  11  12  13  14  15  16  17  18  19 | 20   b     to Black's right: +1
 *     21 |  22  23  24  25  26  27  28  29  30 | 31   c     off the board: p > 96 || p % 11 > 8
 *     32 |  33  ...                            |      d     Black's promotion zone: p < 31
 *     87 |  88  89  90  91  92  93  94  95  96 | 97   i     White's promotion zone: p > 65
 *
 * A piece is a one-byte code. The note leaves bits 6 and 7 free; a position marks its empty squares
 * with bit 6:
 *
 *       7 6 5 4 3 2 1 0
 *       0 e h o p k k k     kkk  kind: 0 pawn   1 lance  2 knight  3 silver
 *                                      4 bishop 5 rook   6 gold    7 king
 *                           p promoted   o owner, 1 White   h in hand   e empty
 *
 * A move has 16 bits; a ply_move of shogi is that number:
 *
 *      15      14      13 ....... 7   6 ....... 0
 *      drop    promote     to            from          a drop has the kind (0-6) in place of from
 *
 * The kind of a piece never changes; its type says how it moves now. A promoted pawn, lance, knight
 * or silver has type gold, a promoted bishop or rook has type horse or dragon, and every other
 * piece has the type of its kind.
 *
 * The numbered-piece form of a position (shogi_piece_list) is the note's own: three arrays about 40
 * pieces, each with a number. The engine keeps positions in another form (shogi_position), which is
 * private; docs/design-notes.md says why.
 *
 * Nothing here allocates. All functions are safe to call from several threads on different objects.
 */
#ifndef PLYVERSE_SHOGI_H
#define PLYVERSE_SHOGI_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SHOGI_STRIDE = 11,  /* square numbers from one rank to the next; nine of them are squares */
    SHOGI_SQUARES = 97, /* square numbers are below this */
    SHOGI_SIDE = 9,     /* ranks and files */
    SHOGI_PIECES = 40,  /* pieces in a complete set, numbered from 1 */
    SHOGI_DIRECTIONS = 8,
    SHOGI_NO_SQUARE = 127, /* the square of a king that is not on the board */
    SHOGI_LIST_HAND = 97,  /* goma_pos of a piece in Black's hand; 98 is White's */
    SHOGI_LIST_BOX = 99,   /* goma_pos of a piece that is not in the game */
    SHOGI_SAVED_BYTES = 80,
    /*
     * No position has more moves, in any mode. With two kings on the board the maximum is 593
     * (proved by others). Without the opposing king there are positions with 596 moves, but none
     * with more than 599: 531 drops of all seven kinds on an empty board, plus what each further
     * piece adds on its best square less the drops that its square costs: rook 28, bishop 17, three
     * silvers 12, three lances 9, king 2, the others nothing.
     */
    SHOGI_MAX_MOVES = 600,
    SHOGI_MAX_CHECKERS = 10, /* one in each direction and two knights */
};

/* Kinds, numbered as in the piece code, and types: the eight kinds, horse and dragon. */
enum {
    SHOGI_PAWN,
    SHOGI_LANCE,
    SHOGI_KNIGHT,
    SHOGI_SILVER,
    SHOGI_BISHOP,
    SHOGI_ROOK,
    SHOGI_GOLD,
    SHOGI_KING,
    SHOGI_HORSE,  /* type of a promoted bishop */
    SHOGI_DRAGON, /* type of a promoted rook */
    SHOGI_KINDS = SHOGI_KING + 1,
    SHOGI_TYPES = SHOGI_DRAGON + 1,
};

enum { SHOGI_BLACK, SHOGI_WHITE };

/* The bits of a piece code. */
enum {
    SHOGI_CODE_KIND = 0x07,
    SHOGI_CODE_PROMOTED = 0x08,
    SHOGI_CODE_WHITE = 0x10,
    SHOGI_CODE_HAND = 0x20,
    SHOGI_CODE_EMPTY = 0x40,
};

/* The two highest bits of a move. */
enum { SHOGI_MOVE_PROMOTE = 0x4000, SHOGI_MOVE_DROP = 0x8000 };

/* Modes of move generation; each is stricter than the one before. */
enum {
    SHOGI_SIMPLE,   /* legal except that a pawn drop may give mate */
    SHOGI_STANDARD, /* the rules of the game: no pawn-drop mate */
    SHOGI_TSUME,    /* the standard moves that give check */
};

/* --- squares -------------------------------------------------------------------------------- */
/* The test for the edge: false off the board. A sum in byte arithmetic (shogi_step) may be given
 * without a test for numbers below 0. */
PLY_HD bool shogi_is_square(unsigned p)
{
    return p <= 96 && p % SHOGI_STRIDE <= 8;
}

/* A square plus a step, as a byte: what leaves the board is not a square (shogi_is_square). */
PLY_HD uint8_t shogi_step(int square, int step)
{
    return (uint8_t)(square + step);
}

PLY_HD int shogi_rank(int square) /* 0 is rank a */
{
    return square / SHOGI_STRIDE;
}

PLY_HD int shogi_column(int square) /* 0 is file 9 */
{
    return square % SHOGI_STRIDE;
}

PLY_HD int shogi_square(int column, int rank)
{
    return rank * SHOGI_STRIDE + column;
}

/* Whether a square is in the promotion zone of a colour. */
PLY_HD bool shogi_in_zone(int colour, int square)
{
    return colour == SHOGI_BLACK ? square < 31 : square > 65;
}

/*
 * The step of a direction. Directions are numbered so that 7 - d is the opposite of d:
 *
 *     0 1 2        -12 -11 -10
 *     3 . 4         -1   .  +1        1 is Black's forward
 *     5 6 7        +10 +11 +12
 */
PLY_HD int shogi_direction_step(int direction)
{
    static const int8_t steps[SHOGI_DIRECTIONS] = {-12, -11, -10, -1, 1, 10, 11, 12};
    return steps[direction];
}

/* --- codes and moves ------------------------------------------------------------------------ */
/* The type of a piece: see the top of this file. */
PLY_HD int shogi_code_type(int code)
{
    /* A table of sixteen 4-bit entries, indexed by the promotion bit and the kind. */
    return (int)((UINT64_C(0x0098666676543210) >> ((code & 15) * 4)) & 15);
}

PLY_HD int shogi_code_owner(int code)
{
    return (code >> 4) & 1;
}

PLY_HD int shogi_move_from(ply_move move)
{
    return (int)(move & 127);
}

PLY_HD int shogi_move_to(ply_move move)
{
    return (int)((move >> 7) & 127);
}

PLY_HD bool shogi_move_is_drop(ply_move move)
{
    return (move & SHOGI_MOVE_DROP) != 0;
}

PLY_HD bool shogi_move_promotes(ply_move move)
{
    return (move & SHOGI_MOVE_PROMOTE) != 0;
}

PLY_HD ply_move shogi_move_make(int from, int to, bool promote)
{
    return (ply_move)(from | to << 7 | (promote ? (int)SHOGI_MOVE_PROMOTE : 0));
}

PLY_HD ply_move shogi_drop_make(int kind, int to)
{
    return (ply_move)(kind | to << 7 | SHOGI_MOVE_DROP);
}

/*
 * How a piece moves: lists of steps, each ended by 0. A flow is repeated until it meets a piece or
 * the edge. White's numbers are Black's negated.
 */
typedef struct shogi_movement {
    int8_t steps[SHOGI_DIRECTIONS + 1]; /* single steps, and the jumps of a knight */
    int8_t flows[5];
} shogi_movement;

/* The movement of the piece with a code, of which only type and owner matter. A constant. */
PLY_API const shogi_movement *shogi_movement_of(int code);

/* --- positions and moves -------------------------------------------------------------------- */
/* A position of the engine: rules->position_bytes bytes, made by the functions of state.h. */
typedef struct shogi_position shogi_position;

/* The position of a state whose game is shogi. It changes as moves are played in the state. */
PLY_HD const shogi_position *shogi_position_of(const ply_state *state)
{
    return (const shogi_position *)state->position;
}

/* Writes the moves of a mode to out, which has room for SHOGI_MAX_MOVES; returns their number. */
PLY_API size_t shogi_moves_of_mode(const shogi_position *p, int mode, ply_move *out);
/* Whether the king of a colour is attacked; false if that colour has no king. */
PLY_API bool shogi_in_check(const shogi_position *p, int colour);
/*
 * Whether a pawn that the player to move drops on `square` gives mate. The drop must be legal but
 * for that.
 */
PLY_API bool shogi_is_pawn_drop_mate(const shogi_position *p, int square);

/* --- numbered pieces ------------------------------------------------------------------------ */
/*
 * The note's form of a position. (Goma means piece.) Numbers 1 and 2 are the kings of Black and
 * White. In arrays made from a position the other numbers are
 *
 *     3-4 rooks        5-6 bishops       7-10 golds       11-14 silvers
 *     15-18 knights    19-22 lances      23-40 pawns
 *
 * and within a kind the pieces on the board come first, in the order of their squares, then Black's
 * hand, White's hand and the box. So equal positions give equal arrays. Arrays from elsewhere may
 * number all pieces but the kings in any order, as the note allows.
 */
typedef struct shogi_piece_list {
    uint8_t board[SHOGI_SQUARES];       /* number of the piece on a square, or 0 */
    int16_t goma_pos[SHOGI_PIECES + 1]; /* a square, 97 Black's hand, 98 White's, 99 the box */
    uint8_t goma_cde[SHOGI_PIECES + 1]; /* piece code */
} shogi_piece_list;

/* The numbers of the pieces of a kind run from *first to *end - 1. */
PLY_API void shogi_piece_list_numbers(int kind, int *first, int *end);
PLY_API void shogi_piece_list_from_position(const shogi_position *p, shogi_piece_list *list);
/*
 * Builds a position over uninitialised bytes, with `side` to move and move number 1.
 * PLY_BAD_POSITION, with the reason in error (may be NULL), if the arrays contradict each other or
 * the position breaks the rules.
 */
PLY_API ply_status shogi_piece_list_to_position(const shogi_piece_list *list, int side,
                                                shogi_position *p, ply_error *error);
/* Plays a legal move of `side` on the arrays alone; pieces keep their numbers. */
PLY_API void shogi_piece_list_play(shogi_piece_list *list, int side, ply_move move);

/* --- attack analysis ------------------------------------------------------------------------ */
/* A piece that may only move along a line because of a slider behind it; 0 and 0: none. */
typedef struct shogi_pin {
    uint8_t blocker, attacker; /* piece numbers */
} shogi_pin;

/*
 * What the note finds out about the opponent before it lists moves. Pieces are given by their
 * numbers. A square that holds a piece of the opponent counts as attacked if another one defends
 * it.
 *
 * A move of the king is legal if its target is attacked neither directly nor by a flow, and if no
 * flow that attacks the king moves on in the direction of the move. With two checkers only the king
 * may move. Any other piece may move within the line of its pin and, in check, to a square of
 * `defence`, where a drop is possible as well unless no_drops is set.
 */
typedef struct shogi_analysis {
    uint8_t direct[SHOGI_SQUARES]; /* who attacks by a step or a jump; of several, the highest */
    uint8_t flow[SHOGI_SQUARES];   /* bit d: a slider attacks it, moving in direction d */
    uint8_t king;                  /* square of the king, or SHOGI_NO_SQUARE */
    uint8_t checker_count;
    uint8_t checkers[SHOGI_MAX_CHECKERS]; /* in the order of their numbers */
    shogi_pin pins[SHOGI_DIRECTIONS];     /* by direction, as seen from the king */
    uint8_t pinned[SHOGI_PIECES + 1];     /* 1 + the direction of a piece's pin; 0: not pinned */
    uint8_t defence[SHOGI_SQUARES];       /* 1: capturing or blocking here answers the check */
    bool in_check;
    bool double_check; /* two checkers or more: only the king may move */
    bool no_drops;     /* the one checker attacks directly: nothing can be dropped in between */
} shogi_analysis;

/*
 * Analyses the threats against `side`. The arrays must be those of a position: made by
 * shogi_piece_list_from_position, or such that shogi_piece_list_to_position accepts them.
 */
PLY_API void shogi_analyse(const shogi_piece_list *list, int side, shogi_analysis *analysis);

/* --- the 80-byte save ------------------------------------------------------------------------ */
/*
 * A saved position is goma_pos[1..40] followed by goma_cde[1..40], one byte each:
 *
 *     0 ............ 39   40 ........... 79
 *     goma_pos[1..40]     goma_cde[1..40]
 *
 * The note does not save the player to move; here it is bit 6 of byte 40 (the code of Black's
 * king), 1 for White. The number of the next move is not saved. As text, in --position and wherever
 * a position is parsed, it is "80:" and 160 hexadecimal digits.
 */
PLY_API void shogi_save(const shogi_position *p, uint8_t bytes[SHOGI_SAVED_BYTES]);
/*
 * Builds a position over uninitialised bytes, with move number 1. PLY_BAD_POSITION if there is no
 * such position; error (may be NULL) then has the reason and, as its offset, the byte at fault.
 * Where no single byte is at fault, as with two pawns on a file, error has no location (line 0).
 */
PLY_API ply_status shogi_load(const uint8_t bytes[SHOGI_SAVED_BYTES], shogi_position *p,
                              ply_error *error);
/*
 * The same for a state: sets its position and forgets its moves. On failure the state is unchanged.
 * PLY_UNSUPPORTED if its game is not shogi.
 */
PLY_API ply_status shogi_state_load(ply_state *state, const uint8_t bytes[SHOGI_SAVED_BYTES],
                                    ply_error *error);

#ifdef __cplusplus
}
#endif
#endif
