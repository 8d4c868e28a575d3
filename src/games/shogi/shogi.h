/* SPDX-License-Identifier: MIT */
/*
 * shogi.h - a position of shogi, to the bit.
 *
 * Squares are the note's: one unsigned byte, eleven to a rank, files 9 to 1 from the left, seen by
 * Black (sente), who moves up the page.
 *
 *       9   8   7   6   5   4   3   2   1
 *       0   1   2   3   4   5   6   7   8 |  9  10   a     forward  Black -11   White +11
 *      11  12  13  14  15  16  17  18  19 | 20  21   b     right of Black       +1
 *      22  23  24  25  26  27  28  29  30 | 31  32   c     off the board: p > 96 || p % 11 > 8
 *      33  ...                            |          d     Black promotes on p < 31,
 *      88  89  90  91  92  93  94  95  96 |          i     White on p > 65
 *
 * A piece is one byte, the note's attribute code; 0x40, a bit the note keeps free, marks an empty
 * square:
 *
 *       7 6 5 4 3 2 1 0
 *       0 e h o p k k k     kkk  0 pawn 1 lance 2 knight 3 silver 4 bishop 5 rook 6 gold 7 king
 *                           p promoted   o owner, 1 White   h in hand   e empty
 *
 * A move is the note's 16 bits:
 *
 *      15      14      13 ....... 7   6 ....... 0
 *      drop    promote     to            from          a drop has the kind (0-6) for from
 *
 * A hand is a 64-bit word with the number of pieces of kind k in byte k. The position keeps, beside
 * a byte a square, ten sets of squares by the way pieces move (promoted pawns, lances, knights and
 * silvers are golds there) and two by colour. Sets are square_set.h; the note's arrays are piece_list.c.
 */
#ifndef PLY_GAMES_SHOGI_SHOGI_H
#define PLY_GAMES_SHOGI_SHOGI_H

#include "core/isa.h"
#include "games/shogi/rules/square_set.h"
#include <plyverse/game.h>

enum {
    SHOGI_WIDTH = 11, /* of a rank in square numbers; nine of them are squares */
    SHOGI_SQUARES = 97,
    SHOGI_SIDE = 9,
    SHOGI_NOWHERE = 127, /* where the king is of a player who has none */
    SHOGI_PIECES = 40,
    /*
     * 593 are the most with two kings (proved by others). Without the other king there are
     * positions with 596, but never more than 599: 531 drops of all seven kinds on an empty board,
     * and what each further piece adds where it stands best, less the drops its square costs: rook
     * 28, bishop 17, three silvers 12, three lances 9, king 2, others nothing.
     */
    SHOGI_MAX_MOVES = 600,
    SHOGI_KINDS = 8,
    SHOGI_CLASSES = 10,
    SHOGI_DIRECTIONS = 8,
    SHOGI_ACTIONS = 27 * 81,
};

/* Kinds as the note numbers them; the first ten are also the classes of movement. */
enum {
    SHOGI_PAWN,
    SHOGI_LANCE,
    SHOGI_KNIGHT,
    SHOGI_SILVER,
    SHOGI_BISHOP,
    SHOGI_ROOK,
    SHOGI_GOLD,
    SHOGI_KING,
    SHOGI_HORSE, /* class of a promoted bishop */
    SHOGI_DRAGON,
};

enum { SHOGI_BLACK, SHOGI_WHITE };

enum {
    SHOGI_CODE_KIND = 0x07,
    SHOGI_CODE_PROMOTED = 0x08,
    SHOGI_CODE_WHITE = 0x10,
    SHOGI_CODE_HAND = 0x20,
    SHOGI_CODE_EMPTY = 0x40,
};

enum { SHOGI_MOVE_PROMOTE = 0x4000, SHOGI_MOVE_DROP = 0x8000 };

/* What moves are asked for: the note's modes. */
enum {
    SHOGI_SIMPLE,   /* pieces' moves, two pawns on a file, dead pieces, king safety */
    SHOGI_STANDARD, /* a pawn drop that mates is excluded too: the rules of the game */
    SHOGI_TSUME,    /* standard moves that give check */
};

typedef struct shogi_position {
    shogi_stored_set by[SHOGI_CLASSES]; /* both colours' pieces by class of movement */
    shogi_stored_set colour[2];
    uint64_t hand[2];             /* byte k: pieces of kind k */
    uint64_t board_key;           /* Zobrist key of squares and side: exclusive or */
    uint64_t hand_key;            /* key of the hands: a sum, one term a piece */
    uint8_t board[SHOGI_SQUARES]; /* codes */
    uint8_t side;                 /* SHOGI_BLACK or SHOGI_WHITE to move */
    uint8_t zero[6];
    uint32_t ply; /* number of the move to be played, from 1 */
    uint32_t zero2;
} shogi_position;

_Static_assert(sizeof(shogi_position) == 336, "a position is 336 bytes");
_Static_assert(_Alignof(shogi_position) == 8, "and aligned to 8");

/* What it takes to go back. */
typedef struct shogi_undo_info {
    uint64_t board_key, hand_key; /* before the move */
    uint16_t move;
    uint8_t captured; /* code, or SHOGI_CODE_EMPTY */
    uint8_t zero[5];
} shogi_undo_info;

_Static_assert(sizeof(shogi_undo_info) == 24, "a undo is 24 bytes");

/* The rule options. */
enum { SHOGI_OPTION_IMPASSE, SHOGI_OPTION_PLIES };
enum { SHOGI_IMPASSE_NONE, SHOGI_IMPASSE_27, SHOGI_IMPASSE_24, SHOGI_IMPASSE_TRY };

/* --- squares -------------------------------------------------------------------------------- */
static inline bool shogi_is_square(unsigned p)
{
    return p <= 96 && p % SHOGI_WIDTH <= 8;
}

static inline int shogi_rank(int square) /* 0 is rank a */
{
    return square / SHOGI_WIDTH;
}

static inline int shogi_column(int square) /* 0 is file 9 */
{
    return square % SHOGI_WIDTH;
}

static inline int shogi_square(int column, int rank)
{
    return rank * SHOGI_WIDTH + column;
}

/* Whether pieces of a colour promote there. */
static inline bool shogi_in_zone(int colour, int square)
{
    return colour == SHOGI_BLACK ? square < 31 : square > 65;
}

/* --- codes and moves ------------------------------------------------------------------------ */
static inline int shogi_code_class(int code)
{
    /* Four bits for each of the sixteen kinds with and without promotion. */
    return (int)((UINT64_C(0x0098666676543210) >> ((code & 15) * 4)) & 15);
}

static inline int shogi_code_owner(int code)
{
    return (code >> 4) & 1;
}

static inline int shogi_move_from(ply_move move)
{
    return (int)(move & 127);
}

static inline int shogi_move_to(ply_move move)
{
    return (int)((move >> 7) & 127);
}

static inline bool shogi_move_is_drop(ply_move move)
{
    return (move & SHOGI_MOVE_DROP) != 0;
}

static inline bool shogi_move_promotes(ply_move move)
{
    return (move & SHOGI_MOVE_PROMOTE) != 0;
}

static inline ply_move shogi_move_make(int from, int to, bool promote)
{
    return (ply_move)(from | to << 7 | (promote ? SHOGI_MOVE_PROMOTE : 0));
}

static inline ply_move shogi_drop_make(int kind, int to)
{
    return (ply_move)(kind | to << 7 | SHOGI_MOVE_DROP);
}

static inline unsigned shogi_hand_count(uint64_t hand, int kind)
{
    return (unsigned)(hand >> (kind * 8)) & 0xFF;
}

static inline uint64_t shogi_hand_one(int kind)
{
    return (uint64_t)1 << (kind * 8);
}

/* Where the king of a colour is, SHOGI_NOWHERE for none. */
static inline int shogi_king(const shogi_position *p, int colour)
{
    return set_first((p->by[SHOGI_KING] & p->colour[colour]) | set_of(SHOGI_NOWHERE));
}

/* Pieces of a kind in a full set. */
extern const uint8_t shogi_kind_total[SHOGI_KINDS];

/* --- hot code, compiled for several machines (kernel_isa.c) --------------------------------- */
typedef struct shogi_kernels {
    /* Legal moves of the player to move; returns how many. out: SHOGI_MAX_MOVES. */
    size_t (*moves)(const shogi_position *p, int mode, ply_move *out);
    /* Those that capture or promote; standard moves only. */
    size_t (*noisy)(const shogi_position *p, ply_move *out);
    /* How many; standard moves only. */
    size_t (*count)(const shogi_position *p);
    /* Move number k of the list. */
    ply_move (*nth)(const shogi_position *p, size_t k);
    /* Legal moves of the player to move, who is in check; counting may stop at `most`. */
    unsigned (*answers)(const shogi_position *p, unsigned most);
    /* How many pieces of each colour attack a square. */
    void (*support)(const shogi_position *p, int square, unsigned counts[2]);
    /* A move that mates at once, by check, or PLY_MOVE_NONE. Leaves the position as it was. */
    ply_move (*mate)(shogi_position *p);
    /* Leaves at depth >= 1, the last two plies counted without being walked. */
    uint64_t (*perft)(shogi_position *p, int depth);
    /* The same by playing every move and taking it back. */
    uint64_t (*visit)(shogi_position *p, int depth);
    size_t (*playout)(const ply_rules *rules, shogi_position *p, ply_rng *rng, size_t max_plies,
                      ply_outcome *outcome);
} shogi_kernels;

PLY_ISA_DECLARE(const shogi_kernels, shogi_kernels_of);

/* --- board.c -------------------------------------------------------------------------------- */
ply_status shogi_start(const ply_rules *rules, void *position);
size_t shogi_moves(const ply_rules *rules, const void *position, ply_move *out);
/* The moves of a mode (see above); shogi_moves gives SHOGI_STANDARD. */
size_t shogi_moves_of_mode(const shogi_position *p, int mode, ply_move *out);
size_t shogi_count(const ply_rules *rules, const void *position);
ply_move shogi_nth(const ply_rules *rules, const void *position, size_t k);
ply_status shogi_play(const ply_rules *rules, void *position, ply_move move, void *undo);
void shogi_undo(const ply_rules *rules, void *position, ply_move move, const void *undo);
/* Lets the other player move; for search. The undo has move 0, and undo knows it. */
void shogi_null_move(const ply_rules *rules, void *position, void *undo);
int shogi_side(const ply_rules *rules, const void *position);
uint64_t shogi_hash(const ply_rules *rules, const void *position);
uint64_t shogi_compute_hash(const ply_rules *rules, const void *position);
uint64_t shogi_perft(const ply_rules *rules, void *position, int depth, int mode);
size_t shogi_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                     ply_outcome *outcome);
void shogi_image(const ply_rules *rules, const void *position, uint32_t i, void *out);
/* Makes an empty board; then pieces are put on it; then the keys are made. */
void shogi_clear_board(shogi_position *p);
void shogi_put(shogi_position *p, int code, int square);
void shogi_finish(shogi_position *p);
/* Every square that some piece of a colour attacks (or defends). */
shogi_set shogi_attacks(const shogi_position *p, int colour);
/* The pieces of a colour that attack a square, over `occupied`. */
shogi_set shogi_attackers(const shogi_position *p, int colour, int square, shogi_set occupied);
/* Squares a piece of that code would attack from a square. */
shogi_set shogi_piece_attacks(int code, int square, shogi_set occupied);
bool shogi_in_check(const shogi_position *p, int colour);
/* Whether a standard move is among the legal ones. */
bool shogi_is_legal(const shogi_position *p, ply_move move);
/* Whether a pawn dropped by the player to move on `square` (a legal drop otherwise) mates. */
bool shogi_is_pawn_drop_mate(const shogi_position *p, int square);

/* --- outcome.c ------------------------------------------------------------------------------ */
ply_outcome shogi_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                          size_t plies);

/* The same where there is a legal move, without looking for one. */
ply_outcome shogi_node_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                               size_t plies);

typedef enum shogi_repetition {
    SHOGI_REPEAT_NONE,
    SHOGI_REPEAT_DRAW,     /* the same position, no perpetual check */
    SHOGI_REPEAT_WIN,      /* the other player checked all along: the player to move wins */
    SHOGI_REPEAT_LOSS,     /* the player to move checked all along */
    SHOGI_REPEAT_SUPERIOR, /* same board, the player to move has more in hand now */
    SHOGI_REPEAT_INFERIOR, /* same board, and less */
} shogi_repetition;

/*
 * What an engine wants to know inside its search: how the position compares with the nearest
 * earlier one on the same board with the same player to move. *times is how often the position
 * itself has occurred, this time included.
 */
shogi_repetition shogi_find_repetition(const shogi_position *p, const shogi_undo_info *undo_stack,
                                       size_t plies, unsigned *times);
/* The end of the game by a fourth occurrence; PLY_ONGOING if it is not one. */
ply_outcome shogi_repetition_outcome(const shogi_position *p, const shogi_undo_info *undo_stack,
                                     size_t plies);

/* For search: the end by repetition if the same moves went on; a draw unless one player only
 * checks. */
ply_outcome shogi_repeated_outcome(const ply_rules *rules, const void *position,
                                   const void *undo_stack, size_t plies);

/* How far the player to move is with entering the enemy camp. */
typedef struct shogi_entering {
    bool king_in_camp;
    bool in_check;
    unsigned pieces; /* own pieces in the camp, the king not counted */
    unsigned points; /* of those and of the hand: rooks and bishops 5, others 1 */
} shogi_entering;

shogi_entering shogi_entering_now(const shogi_position *p);
/* The end of the game by the impasse rule in force; PLY_ONGOING if it does not apply. */
ply_outcome shogi_impasse_outcome(const ply_rules *rules, const shogi_position *p);

/* --- piece_list.c --------------------------------------------------------------------------------- */
/* The note's own arrays. Pieces 1 and 2 are the kings, then 2 R, 2 B, 4 G, 4 S, 4 N, 4 L, 18 P. */
typedef struct shogi_note {
    uint8_t board[SHOGI_SQUARES];       /* number of the piece on a square, 0 for none */
    int16_t goma_pos[SHOGI_PIECES + 1]; /* 0-96 a square, 97 Black's hand, 98 White's, 99 the box */
    uint8_t goma_cde[SHOGI_PIECES + 1]; /* attribute code */
} shogi_note;

enum { SHOGI_NOTE_HAND = 97, SHOGI_NOTE_BOX = 99, SHOGI_SAVED_BYTES = 80 };

/* The first of the numbers that pieces of a kind have, and one past the last. */
void shogi_note_numbers(int kind, int *first, int *end);
void shogi_note_from_position(const shogi_position *p, shogi_note *note);
/* PLY_BAD_POSITION, with the reason, if the arrays do not agree or break the rules. */
ply_status shogi_note_to_position(const shogi_note *note, int side, shogi_position *p,
                                  ply_error *error);
/* Plays a legal move on the arrays alone; pieces keep their numbers. */
void shogi_note_play(shogi_note *note, int side, ply_move move);
/*
 * goma_pos[1..40] and goma_cde[1..40] in a row. The note says nothing about the player to move: it
 * is bit 6 of the first code (king 1), one of the two bits kept free, 1 for White.
 */
void shogi_save(const shogi_position *p, uint8_t bytes[SHOGI_SAVED_BYTES]);
ply_status shogi_load(const uint8_t bytes[SHOGI_SAVED_BYTES], shogi_position *p, ply_error *error);

/* --- sfen.c --------------------------------------------------------------------------------- */
ply_status shogi_parse(const ply_rules *rules, void *position, ply_cursor *cursor);
void shogi_format(const ply_rules *rules, const void *position, ply_text *out);
void shogi_format_move(const ply_rules *rules, const void *position, ply_move move, ply_text *out);
ply_status shogi_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                            ply_move *move);
/* Reads USI text without asking whether the move is legal. */
ply_status shogi_parse_usi(const shogi_position *p, ply_cursor *cursor, ply_move *move);
/* Fails at the cursor with the rule that a move breaks. */
ply_status shogi_explain_illegal(const shogi_position *p, ply_move move, ply_cursor *at_move);
/* NULL, or why a position cannot be; writes into buffer where the reason needs numbers. */
const char *shogi_position_fault(const shogi_position *p, char *buffer, size_t size);
/* A letter of "PLNSBRGK"; the same order as the kinds. */
extern const char shogi_letters[SHOGI_KINDS + 1];

/* --- render.c --------------------------------------------------------------------------------- */
void shogi_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out);
void shogi_json(const ply_rules *rules, const void *position, ply_text *out);
void shogi_notes(const ply_rules *rules, const void *position, ply_text *out);
void shogi_display_move(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                        ply_text *out);

/* --- observation.c -------------------------------------------------------------------------------- */
enum { SHOGI_PLANES = 14 + 14 + 7 + 7 + 1 };
void shogi_observe(const ply_rules *rules, const void *position, uint8_t *out);
uint32_t shogi_action(const ply_rules *rules, const void *position, ply_move move);
ply_move shogi_action_move(const ply_rules *rules, const void *position, uint32_t action);

/* --- weights.c -------------------------------------------------------------------------------- */
int32_t shogi_evaluate(const ply_rules *rules, const void *position);
size_t shogi_terms(const ply_rules *rules, const void *position, ply_term *out);

/* --- move_order.c -------------------------------------------------------------------------------- */
void shogi_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                       size_t count, int32_t *scores);
bool shogi_mover_in_check(const ply_rules *rules, const void *position);
/* Captures and promotions. */
bool shogi_is_noisy(const ply_rules *rules, const void *position, ply_move move);
size_t shogi_noisy_moves(const ply_rules *rules, const void *position, ply_move *out);
/* Worth of the exchange that a move begins on its square, both sides taking while it pays. */
int32_t shogi_see(const ply_rules *rules, const void *position, ply_move move);
bool shogi_gives_check(const shogi_position *p, ply_move move);

/* The game, as the registry lists it. */
extern const ply_game shogi_game;

#endif
