/* SPDX-License-Identifier: MIT */
/*
 * checkers.h - positions and moves of checkers, and the rules in force.
 *
 * The squares, the masks and the words of a board are in <plyverse/checkers.h>, which is public. This
 * header adds what the library keeps to itself.
 *
 * The index of a square (0 to 31) counts the dark squares in bit order: index = bit / 2. The
 * English number of a square is index + 1.
 *
 * A move, 64 bits:
 *
 *     63                          32 31          11   10    9       5 4        0
 *    +------------------------------+--------------+-------+---------+----------+
 *    | captured squares, by index   | 0            | crown | to      | from     |
 *    +------------------------------+--------------+-------+---------+----------+
 *
 * crown: a man becomes a king. A jump over several pieces is one move. Paths from the same square
 * to the same square over the same pieces are one move, too; where notation needs the path, it is
 * reconstructed from the board (move_text.c).
 *
 * Workload: English perft and playouts run near the machine's limit and have code of their own
 * (english_isa.c, english_perft_isa.c). The other rule sets share one general move generator
 * (general_isa.c), which finds the same moves when given English rules.
 */
#ifndef PLY_GAMES_CHECKERS_CHECKERS_H
#define PLY_GAMES_CHECKERS_CHECKERS_H

#include "core/bits.h"
#include "core/isa.h"
#include <plyverse/checkers.h>
#include <plyverse/record.h>

enum {
    CHECKERS_MAX_PREDECESSORS = 1 << 16, /* the most seen is about 5000 */
    CHECKERS_MAX_QUIET_PREDECESSORS = CHECKERS_PIECES * (13 + 2),
    CHECKERS_QUIET_LIMIT = 1000, /* the maximum of the option quiet */
    CHECKERS_MAX_PATH = 13,      /* squares of a jump over all twelve enemy pieces */
};

enum { CHECKERS_MAN, CHECKERS_KING };

/* The words of checkers_board, and what is kept up to date as moves are played. */
typedef struct checkers_position {
    union {
        struct {
            uint64_t black_men, black_kings, white_men, white_kings;
        };
        uint64_t board[2][2]; /* by colour and kind */
    };
    uint64_t hash;  /* Zobrist key of the pieces and the side to move */
    uint32_t quiet; /* plies since a man moved or a piece was captured */
    uint8_t turn;   /* CHECKERS_BLACK or CHECKERS_WHITE to move */
    uint8_t zero[3];
} checkers_position;

_Static_assert(sizeof(checkers_position) == 48, "a position is 48 bytes");

/* An undo entry is the position before the move: undo copies it, repetition compares it. */
typedef checkers_position checkers_undo_info;

/* --- rules ---------------------------------------------------------------------------------- */
/* The options that affect how pieces move come first. English has 0 for all of them. */
enum {
    CHECKERS_OPTION_KING,
    CHECKERS_OPTION_MEN,
    CHECKERS_OPTION_CROWNING,
    CHECKERS_OPTION_CHOICE,
    CHECKERS_OPTION_PREY,
    CHECKERS_OPTION_LIFTING,
    CHECKERS_OPTION_STARTS,
    CHECKERS_OPTION_ROWS,
    CHECKERS_OPTION_NOTATION,
    CHECKERS_OPTION_MIRROR,
    CHECKERS_OPTION_SIGN,
    CHECKERS_OPTION_REPEAT,
    CHECKERS_OPTION_QUIET,
    CHECKERS_OPTION_ENDINGS,
};
enum { CHECKERS_KING_SHORT, CHECKERS_KING_FLYING, CHECKERS_KING_CLOSE };
enum { CHECKERS_MEN_FORWARD, CHECKERS_MEN_BACK };
enum { CHECKERS_CROWNING_ENDS, CHECKERS_CROWNING_CONTINUES, CHECKERS_CROWNING_WAITS };
enum {
    CHECKERS_CHOICE_FREE,
    CHECKERS_CHOICE_KING,    /* if a king can capture, one must */
    CHECKERS_CHOICE_MOST,    /* the most pieces */
    CHECKERS_CHOICE_QUALITY, /* the most pieces, then the most kings among them */
    CHECKERS_CHOICE_ITALIAN, /* the most pieces, by a king, the most kings, a king captured first */
};
enum { CHECKERS_PREY_ANY, CHECKERS_PREY_SPARE_KINGS };
enum { CHECKERS_LIFTING_END, CHECKERS_LIFTING_ONCE };
enum { CHECKERS_SIGN_X, CHECKERS_SIGN_COLON, CHECKERS_SIGN_HYPHEN };
enum {
    CHECKERS_ENDINGS_NONE,
    CHECKERS_ENDINGS_RUSSIAN,
    CHECKERS_ENDINGS_BRAZILIAN,
    CHECKERS_ENDINGS_POOL,
    CHECKERS_ENDINGS_SPANISH,
};

/* Modes of perft: moves, or every path of a capture. */
enum { CHECKERS_COUNT_DISTINCT, CHECKERS_COUNT_PATHS };

/* Whether pieces move as in English checkers; notation and draw rules may differ. */
PLY_HD bool checkers_is_english(const ply_rules *rules)
{
    const int32_t *o = rules->option;
    return (o[CHECKERS_OPTION_KING] | o[CHECKERS_OPTION_MEN] | o[CHECKERS_OPTION_CROWNING] |
            o[CHECKERS_OPTION_CHOICE] | o[CHECKERS_OPTION_PREY]) == 0;
}

/* --- squares -------------------------------------------------------------------------------- */
PLY_HD int checkers_bit_of(int index)
{
    return 2 * index + !(index >> 2 & 1);
}

PLY_HD uint64_t checkers_square(int index)
{
    return ply_bit(checkers_bit_of(index));
}

PLY_HD int checkers_index_of(int bit)
{
    return bit >> 1;
}

/* Packs a board into 32 bits by index: each pair of bits has one dark square. */
PLY_HD uint32_t checkers_pack(uint64_t board)
{
    uint64_t b = (board | board >> 1) & 0x5555555555555555u;
    b = (b | b >> 1) & 0x3333333333333333u;
    b = (b | b >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    b = (b | b >> 4) & 0x00FF00FF00FF00FFu;
    b = (b | b >> 8) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(b | b >> 16);
}

PLY_HD uint64_t checkers_unpack(uint32_t squares)
{
    uint64_t b = squares;
    b = (b | b << 16) & 0x0000FFFF0000FFFFu;
    b = (b | b << 8) & 0x00FF00FF00FF00FFu;
    b = (b | b << 4) & 0x0F0F0F0F0F0F0F0Fu;
    b = (b | b << 2) & 0x3333333333333333u;
    b = (b | b << 1) & 0x5555555555555555u;
    return (b | b << 1) & CHECKERS_DARK_SQUARES;
}

/* The board turned by 180 degrees: bit i becomes bit 63 - i. */
PLY_HD uint64_t checkers_rotate(uint64_t b)
{
    return ply_reverse_bits(b);
}

/* --- derived sets --------------------------------------------------------------------------- */
PLY_HD uint64_t checkers_pieces_of(const checkers_position *p, int colour)
{
    return p->board[colour][CHECKERS_MAN] | p->board[colour][CHECKERS_KING];
}

/* The squares with a piece. */
PLY_HD uint64_t checkers_occupied(const checkers_position *p)
{
    return checkers_pieces_of(p, CHECKERS_BLACK) | checkers_pieces_of(p, CHECKERS_WHITE);
}

/* The row on which a colour's men are crowned. */
PLY_HD uint64_t checkers_crown_row(int colour)
{
    return colour == CHECKERS_BLACK ? CHECKERS_WHITE_END_MASK : CHECKERS_BLACK_END_MASK;
}

/* --- directions ----------------------------------------------------------------------------- */
enum { CHECKERS_ALL_DIRECTIONS = 15 }; /* a set: bit d for direction d */

/* The set of directions in which a colour's men move. */
PLY_HD unsigned checkers_forward(int colour)
{
    return colour == CHECKERS_BLACK ? 3 : 12;
}

/* --- moves ---------------------------------------------------------------------------------- */
#define CHECKERS_MOVE_CROWN ((ply_move)1 << 10)

PLY_HD int checkers_move_from(ply_move move)
{
    return (int)(move & 31);
}

PLY_HD int checkers_move_to(ply_move move)
{
    return (int)(move >> 5 & 31);
}

PLY_HD uint32_t checkers_move_captured(ply_move move)
{
    return (uint32_t)(move >> 32);
}

/* Whether two moves have the same first and last square. */
PLY_HD bool checkers_same_ends(ply_move a, ply_move b)
{
    return ((a ^ b) & 0x3FF) == 0;
}

PLY_HD ply_move checkers_move_make(int from, int to, uint32_t captured, bool crown)
{
    return (ply_move)from | (ply_move)to << 5 | (crown ? CHECKERS_MOVE_CROWN : 0) |
           (ply_move)captured << 32;
}

/* --- generated by gen_zobrist.c ------------------------------------------------------------- */
#ifdef __CUDACC__
#include "checkers/zobrist.inc"
#else
extern const uint64_t checkers_keys[2][2][CHECKERS_SQUARES];    /* colour, kind, index */
extern const uint64_t checkers_choose[33][CHECKERS_PIECES + 1]; /* C(n, k) */
extern const uint64_t checkers_turn_key;                        /* part of the key when White is to move */
#endif

/*
 * Two paths lead to the same square over the same pieces only if one of them goes round a closed
 * loop, which captures at least four pieces, or, where pieces are lifted at once, if a flying king
 * goes to and fro on one diagonal, which takes at least three.
 */
enum { CHECKERS_MIN_LOOP = 3, CHECKERS_MIN_SHORT_LOOP = 4 };

/* --- the general move generator (general_isa.c) --------------------------------------------- */
/* One path of a capture. */
typedef struct checkers_path {
    ply_move move;
    uint32_t score; /* by the option choice: only captures with the highest score are legal */
    uint8_t count;  /* squares: one more than the pieces captured */
    uint8_t square[CHECKERS_MAX_PATH]; /* where the piece stands, first to last, by index */
} checkers_path;

typedef void checkers_visitor(void *context, const checkers_path *path);

/* Visits every path of every capture, before the rules choose among them by score. */
void checkers_visit_captures(const ply_rules *rules, const checkers_position *p,
                             checkers_visitor *visit, void *context);
/* Lists all legal moves; returns the number. times (may be NULL): the number of paths of each. */
size_t checkers_general_moves(const ply_rules *rules, const checkers_position *p, ply_move *out,
                              uint32_t *times);

/* What general_isa.c exports; the two functions above pick the version for this machine. */
typedef struct checkers_general {
    void (*visit_captures)(const ply_rules *rules, const checkers_position *p,
                           checkers_visitor *visit, void *context);
    size_t (*moves)(const ply_rules *rules, const checkers_position *p, ply_move *out,
                    uint32_t *times);
    size_t (*count)(const ply_rules *rules, const checkers_position *p);
    uint64_t (*perft)(const ply_rules *rules, const checkers_position *p, int depth, int mode);
} checkers_general;

PLY_ISA_DECLARE(const checkers_general, checkers_general_of);

/* --- hot loops, compiled for several instruction sets --------------------------------------- */
/* english_isa.c: English rules */
typedef struct checkers_english {
    size_t (*moves)(const checkers_position *p, ply_move *out);
    size_t (*count)(const checkers_position *p);
    ply_move (*nth)(const checkers_position *p, size_t k);
    size_t (*captures)(const checkers_position *p, ply_move *out); /* 0: there is none */
    size_t (*playout)(const ply_rules *rules, checkers_position *p, ply_rng *rng, size_t max_plies,
                      ply_outcome *outcome);
} checkers_english;

PLY_ISA_DECLARE(const checkers_english, checkers_english_of);

/* english_perft_isa.c: English rules */
typedef struct checkers_english_perft {
    uint64_t (*perft)(const checkers_position *p, int depth, int mode);
} checkers_english_perft;

PLY_ISA_DECLARE(const checkers_english_perft, checkers_english_perft_of);

/* evaluate_isa.c: all rules */
typedef struct checkers_evaluator {
    int32_t (*evaluate)(const ply_rules *rules, const checkers_position *p);
    size_t (*terms)(const ply_rules *rules, const checkers_position *p, ply_term *out);
} checkers_evaluator;

PLY_ISA_DECLARE(const checkers_evaluator, checkers_evaluator_of);

/* --- the game interface, by file ------------------------------------------------------------- */
/* board.c */
ply_status checkers_start(const ply_rules *rules, void *position);
size_t checkers_moves(const ply_rules *rules, const void *position, ply_move *out);
size_t checkers_count(const ply_rules *rules, const void *position);
ply_move checkers_nth(const ply_rules *rules, const void *position, size_t k);
ply_status checkers_play(const ply_rules *rules, void *position, ply_move move, void *undo);
void checkers_undo(const ply_rules *rules, void *position, ply_move move, const void *undo);
int checkers_side(const ply_rules *rules, const void *position);
ply_outcome checkers_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                             size_t plies);
ply_outcome checkers_node_outcome(const ply_rules *rules, const void *position,
                                  const void *undo_stack, size_t plies);
ply_outcome checkers_fresh_outcome(const ply_rules *rules, const void *position,
                                   const void *undo_stack, size_t plies);
uint64_t checkers_hash(const ply_rules *rules, const void *position);
uint64_t checkers_compute_hash(const ply_rules *rules, const void *position);
uint64_t checkers_perft(const ply_rules *rules, void *position, int depth, int mode);
uint64_t checkers_multiplicity(const ply_rules *rules, const void *position, ply_move move,
                               int mode);
size_t checkers_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                        ply_outcome *outcome);
void checkers_image(const ply_rules *rules, const void *position, uint32_t i, void *out);
void checkers_canonical(const ply_rules *rules, const void *position, void *out);
/* Computes all members from the boards and the turn; the count of quiet plies becomes 0. */
void checkers_finish(checkers_position *position);
/* Plays a move without writing an undo entry. */
void checkers_apply(checkers_position *p, ply_move move);

/* position_text.c: squares and positions as text */
void checkers_format_square(const ply_rules *rules, int index, ply_text *out);
/* The same with a letter and a number, or as a number, whichever kind the rule set uses. */
void checkers_format_square_as(const ply_rules *rules, bool letters, int index, ply_text *out);
/* Reads a square written as a number or as a letter and a number. */
ply_status checkers_parse_square(const ply_rules *rules, ply_cursor *cursor, int *index);
ply_status checkers_parse(const ply_rules *rules, void *position, ply_cursor *cursor);
void checkers_format(const ply_rules *rules, const void *position, ply_text *out);
/* Row and column of a square as the board is displayed, with row 0 at the top. */
void checkers_shown_at(const ply_rules *rules, int index, int *row, int *column);

/* move_text.c */
void checkers_display_numbers(const ply_rules *rules, const void *position, ply_move move,
                              ply_move last, ply_text *out);
void checkers_display_letters(const ply_rules *rules, const void *position, ply_move move,
                              ply_move last, ply_text *out);
void checkers_format_move(const ply_rules *rules, const void *position, ply_move move,
                          ply_text *out);
ply_status checkers_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                               ply_move *move);
/*
 * The same, but a capture that fits several moves is no error: writes all of them, at most
 * CHECKERS_MAX_READINGS, and their number.
 */
enum { CHECKERS_MAX_READINGS = 16 };
#define CHECKERS_AMBIGUOUS "ambiguous capture: give the whole path"
ply_status checkers_parse_readings(const ply_rules *rules, const void *position, ply_cursor *cursor,
                                   ply_move readings[CHECKERS_MAX_READINGS], size_t *reading_count);

/* render.c */
void checkers_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                   ply_text *out);
void checkers_json(const ply_rules *rules, const void *position, ply_text *out);
void checkers_notes(const ply_rules *rules, const void *position, ply_text *out);
/* svg.c */
void checkers_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                  ply_text *out);

/* layout.c */
void checkers_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out);
const char *checkers_player_name(const ply_rules *rules, int player);

/* weights.c */
enum { CHECKERS_WEIGHTS = 118, CHECKERS_MAX_TERMS = 82 };
extern const int16_t checkers_weights[CHECKERS_WEIGHTS];
extern const char *const checkers_weight_names[CHECKERS_WEIGHTS];

/* search_hooks.c */
int32_t checkers_evaluate(const ply_rules *rules, const void *position);
size_t checkers_terms(const ply_rules *rules, const void *position, ply_term *out);
void checkers_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                          size_t count, int32_t *scores);
size_t checkers_noisy_moves(const ply_rules *rules, const void *position, ply_move *out);
bool checkers_is_noisy(const ply_rules *rules, const void *position, ply_move move);

/* network.c */
const char *checkers_network_family(const ply_rules *rules);
uint32_t checkers_feature_count(const ply_rules *rules);
size_t checkers_features(const ply_rules *rules, const void *position, int player, uint16_t *out);
bool checkers_feature_changes(const ply_rules *rules, const void *position, ply_move move,
                              int player, ply_feature_changes *out);
unsigned checkers_phase(const ply_rules *rules, const void *position, unsigned phases);

/* index.c */
size_t checkers_class_count(const ply_rules *rules);
uint64_t checkers_class_size(const ply_rules *rules, size_t class_index);
void checkers_class_name(const ply_rules *rules, size_t class_index, ply_text *out);
ply_status checkers_rank(const ply_rules *rules, const void *position, size_t *class_index,
                         uint64_t *number);
ply_status checkers_unrank(const ply_rules *rules, size_t class_index, uint64_t number,
                           void *position);

/* predecessors.c */
size_t checkers_predecessors(const ply_rules *rules, const void *position, void *out);
/* The predecessors by quiet moves only, at most CHECKERS_MAX_QUIET_PREDECESSORS; all rule sets. */
size_t checkers_quiet_predecessors(const ply_rules *rules, const checkers_position *position,
                                   checkers_position *out);

/* The game, as the registry lists it. */
extern const ply_game checkers_game;

#endif
