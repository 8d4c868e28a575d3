/* SPDX-License-Identifier: MIT */
/*
 * shogi.h - the engine's position, to the bit, and the functions of the game.
 *
 * <plyverse/shogi.h> defines squares, piece codes and moves, and the design note's own form of a
 * position. The engine's form differs: besides one code per square, a position holds ten square
 * sets by type and two by colour (rules/square_set.h), because all pieces of a type then move with
 * one shift. A hand is a 64-bit word whose byte k counts the pieces of kind k.
 *
 * Functions without a comment implement the hook of the same name in <plyverse/game.h>. Nothing
 * here allocates, except that random games of more than 1,024 plies move their undo stack to the
 * heap. All functions are safe to call from several threads on different positions.
 */
#ifndef PLY_GAMES_SHOGI_SHOGI_H
#define PLY_GAMES_SHOGI_SHOGI_H

#include "core/isa.h"
#include "games/shogi/rules/square_set.h"
#include <plyverse/shogi.h>

struct shogi_position {
    shogi_stored_set by_type[SHOGI_TYPES]; /* pieces of both colours */
    shogi_stored_set colour[2];
    uint64_t hand[2];             /* byte k: pieces of kind k */
    uint64_t board_key;           /* Zobrist key of board and side to move (exclusive or) */
    uint64_t hand_key;            /* key of the hands: a sum with one term per piece */
    uint8_t board[SHOGI_SQUARES]; /* piece codes */
    uint8_t side;                 /* the player to move */
    uint8_t zero[6];
    uint32_t ply; /* the number of the next move, from 1 */
    uint32_t zero2;
};

_Static_assert(sizeof(shogi_position) == 336, "a position is 336 bytes");
_Static_assert(_Alignof(shogi_position) == 8, "a position is aligned to 8 bytes");

/* An undo entry. A null move has move 0. */
typedef struct shogi_undo_info {
    uint64_t board_key, hand_key; /* before the move */
    uint16_t move;
    uint8_t captured; /* piece code, or SHOGI_CODE_EMPTY */
    uint8_t zero[5];
} shogi_undo_info;

_Static_assert(sizeof(shogi_undo_info) == 24, "an undo entry is 24 bytes");

/* Indices and values of the rule options. */
enum { SHOGI_OPTION_IMPASSE, SHOGI_OPTION_PLIES };
enum { SHOGI_IMPASSE_NONE, SHOGI_IMPASSE_27, SHOGI_IMPASSE_24, SHOGI_IMPASSE_TRY };

/* --- hands and kings -------------------------------------------------------------------------- */
PLY_HD unsigned shogi_hand_count(uint64_t hand, int kind)
{
    return (unsigned)(hand >> (kind * 8)) & 0xFF;
}

PLY_HD uint64_t shogi_hand_one(int kind)
{
    return (uint64_t)1 << (kind * 8);
}

/* The square of a king, or SHOGI_NO_SQUARE if that colour has none. */
PLY_HD int shogi_king(const shogi_position *p, int colour)
{
    return set_first((p->by_type[SHOGI_KING] & p->colour[colour]) | set_of(SHOGI_NO_SQUARE));
}

/* The number of pieces of each kind in a complete set. */
extern const uint8_t shogi_kind_total[SHOGI_KINDS];
/* The number of pieces of a kind on the board and in both hands. */
unsigned shogi_count_kind(const shogi_position *p, int kind);
/* The kinds that can be in hand, in the order in which notation lists them: R B G S N L P. */
extern const uint8_t shogi_hand_order[SHOGI_KING];

/* --- hot code, compiled once per instruction set (rules/kernel_isa.c) ------------------------ */
typedef struct shogi_kernels {
    /*
     * Writes the legal moves of a mode and returns their number. out has room for SHOGI_MAX_MOVES.
     */
    size_t (*moves)(const shogi_position *p, int mode, ply_move *out);
    /* The standard moves that capture or promote. */
    size_t (*noisy)(const shogi_position *p, ply_move *out);
    /* The number of standard moves. */
    size_t (*count)(const shogi_position *p);
    /* Move number k of the standard list. */
    ply_move (*nth)(const shogi_position *p, size_t k);
    /*
     * The number of evasions: legal moves of the player to move, who is in check. A result below
     * `limit` is exact; counting may stop once `limit` is reached.
     */
    unsigned (*evasions)(const shogi_position *p, unsigned limit);
    /* The number of pieces of each colour that attack a square. */
    void (*attacker_counts)(const shogi_position *p, int square, unsigned counts[2]);
    /* A move that gives mate, or PLY_MOVE_NONE. Leaves the position unchanged. */
    ply_move (*mate_in_one)(shogi_position *p);
    /* The number of leaves at depth >= 1. The last two plies are counted without being played. */
    uint64_t (*perft)(shogi_position *p, int depth);
    /* The same, playing and taking back every move. */
    uint64_t (*perft_visit)(shogi_position *p, int depth);
    /* A random game; see ply_counting_hooks.playout. */
    size_t (*playout)(const ply_rules *rules, shogi_position *p, ply_rng *rng, size_t max_plies,
                      ply_outcome *outcome);
} shogi_kernels;

PLY_ISA_DECLARE(const shogi_kernels, shogi_kernels_of);

/* --- rules/board.c -------------------------------------------------------------------------- */
ply_status shogi_start(const ply_rules *rules, void *position);
size_t shogi_moves(const ply_rules *rules, const void *position, ply_move *out);
size_t shogi_count(const ply_rules *rules, const void *position);
ply_move shogi_nth(const ply_rules *rules, const void *position, size_t k);
ply_status shogi_play(const ply_rules *rules, void *position, ply_move move, void *undo);
void shogi_undo(const ply_rules *rules, void *position, ply_move move, const void *undo);
/* The undo entry has move 0: shogi_undo with PLY_MOVE_NONE takes the null move back. */
void shogi_null_move(const ply_rules *rules, void *position, void *undo);
int shogi_side(const ply_rules *rules, const void *position);
uint64_t shogi_hash(const ply_rules *rules, const void *position);
uint64_t shogi_compute_hash(const ply_rules *rules, const void *position);
uint64_t shogi_perft(const ply_rules *rules, void *position, int depth, int mode);
size_t shogi_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                     ply_outcome *outcome);
void shogi_image(const ply_rules *rules, const void *position, uint32_t i, void *out);
/* Setting up a position: clear the board, put the pieces, set hands and side, compute the keys. */
void shogi_clear_board(shogi_position *p);
/* The square must be empty. */
void shogi_put_piece(shogi_position *p, int code, int square);
void shogi_compute_keys(shogi_position *p);
/* All squares that pieces of a colour attack or defend. */
shogi_set shogi_attacks(const shogi_position *p, int colour);
/* The pieces of a colour that attack a square, given the occupied squares. */
shogi_set shogi_attackers(const shogi_position *p, int colour, int square, shogi_set occupied);
/* The squares that a piece attacks from a square, given the occupied squares. */
shogi_set shogi_piece_attacks(int code, int square, shogi_set occupied);
/* Whether the move is a standard legal move. Any 64-bit value is allowed. */
bool shogi_is_legal(const shogi_position *p, ply_move move);

/* --- rules/outcome.c ------------------------------------------------------------------------ */
ply_outcome shogi_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                          size_t plies);

ply_outcome shogi_node_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                               size_t plies);

ply_outcome shogi_fresh_outcome(const ply_rules *rules, const void *position,
                                const void *undo_stack, size_t plies);

typedef enum shogi_repetition {
    SHOGI_REPEAT_NONE,
    SHOGI_REPEAT_DRAW,     /* the same position; no perpetual check */
    SHOGI_REPEAT_WIN,      /* the opponent gave check with every move: the player to move wins */
    SHOGI_REPEAT_LOSS,     /* the player to move gave check with every move */
    SHOGI_REPEAT_SUPERIOR, /* the same board, but the player to move now has more in hand */
    SHOGI_REPEAT_INFERIOR, /* the same board, but less in hand */
} shogi_repetition;

/*
 * How a position compares with the most recent earlier one that has the same board and the same
 * player to move. *times receives the number of occurrences of the position itself, this one
 * included.
 */
shogi_repetition shogi_find_repetition(const shogi_position *p, const shogi_undo_info *undo_stack,
                                       size_t plies, unsigned *times);
/* The outcome if this is the fourth occurrence of the position, else PLY_ONGOING. */
ply_outcome shogi_fourfold_outcome(const shogi_position *p, const shogi_undo_info *undo_stack,
                                   size_t plies);

/*
 * For the search: the outcome if the players kept repeating their moves. A draw, unless exactly one
 * player has given check with every move.
 */
ply_outcome shogi_repetition_outcome(const ply_rules *rules, const void *position,
                                     const void *undo_stack, size_t plies);

/* What the entering-king rules count for the player to move. The camp is their promotion zone. */
typedef struct shogi_impasse_score {
    bool king_in_camp;
    bool in_check;
    unsigned pieces; /* own pieces in the camp without the king */
    unsigned points; /* of those pieces and the hand: 5 for a rook or bishop, 1 for any other */
} shogi_impasse_score;

shogi_impasse_score shogi_impasse_score_of(const shogi_position *p);
/*
 * The number of pieces that must be in the camp, and the points with which a player wins by the
 * 27-point or the 24-point rule. By the 24-point rule, SHOGI_IMPASSE_DRAW_POINTS are enough for a
 * draw.
 */
enum { SHOGI_IMPASSE_PIECES = 10, SHOGI_IMPASSE_DRAW_POINTS = 24 };
PLY_HD unsigned shogi_impasse_winning_points(int rule, int colour)
{
    return rule == SHOGI_IMPASSE_24 ? 31 : colour == SHOGI_BLACK ? 28 : 27;
}

/* The outcome by the impasse rule in force, or PLY_ONGOING. */
ply_outcome shogi_impasse_outcome(const ply_rules *rules, const shogi_position *p);

/* --- notation/sfen.c ------------------------------------------------------------------------ */
ply_status shogi_parse(const ply_rules *rules, void *position, ply_cursor *cursor);
void shogi_format(const ply_rules *rules, const void *position, ply_text *out);
void shogi_format_move(const ply_rules *rules, const void *position, ply_move move, ply_text *out);
ply_status shogi_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                            ply_move *move);
/* Parses a move in USI notation without checking that it is legal. */
ply_status shogi_parse_usi(ply_cursor *cursor, ply_move *move);
/* Fails at the cursor with PLY_ILLEGAL_MOVE, naming the rule that an illegal move breaks. */
ply_status shogi_explain_illegal(const shogi_position *p, ply_move move, ply_cursor *at_move);
/* Parses "80:" and 160 hexadecimal digits: a saved position (notation/saved.c). */
ply_status shogi_parse_saved(shogi_position *p, ply_cursor *cursor);
void shogi_format_saved(const shogi_position *p, ply_text *out);
/* Whether a saved position is next at the cursor. */
bool shogi_is_saved(const ply_cursor *cursor);
/* Why a position is impossible, written into buffer; NULL if it is possible. */
const char *shogi_position_fault(const shogi_position *p, char *buffer, size_t size);
/* The SFEN letters of the kinds: "PLNSBRGK". */
extern const char shogi_piece_letters[SHOGI_KINDS + 1];

/* --- display/render.c ----------------------------------------------------------------------- */
void shogi_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out);
void shogi_json(const ply_rules *rules, const void *position, ply_text *out);
void shogi_notes(const ply_rules *rules, const void *position, ply_text *out);
/* --- display/svg.c -------------------------------------------------------------------------- */
void shogi_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
               ply_text *out);

/* --- display/layout.c ----------------------------------------------------------------------- */
void shogi_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out);

/* --- notation/japanese_text.c --------------------------------------------------------------- */
void shogi_display_japanese(const ply_rules *rules, const void *position, ply_move move,
                            ply_move last, ply_text *out);

/* --- notation/plain_formats.c --------------------------------------------------------------- */
void shogi_display_western(const ply_rules *rules, const void *position, ply_move move,
                           ply_move last, ply_text *out);

/* --- eval/network.c ------------------------------------------------------------------------- */
const char *shogi_network_family(const ply_rules *rules);
uint32_t shogi_feature_count(const ply_rules *rules);
size_t shogi_features(const ply_rules *rules, const void *position, int player, uint16_t *out);
bool shogi_feature_changes(const ply_rules *rules, const void *position, ply_move move, int player,
                           ply_feature_changes *out);
unsigned shogi_phase(const ply_rules *rules, const void *position, unsigned phases);

/* --- eval/weights.c ------------------------------------------------------------------------- */
int32_t shogi_evaluate(const ply_rules *rules, const void *position);
size_t shogi_terms(const ply_rules *rules, const void *position, ply_term *out);

/* --- eval/move_order.c ---------------------------------------------------------------------- */
void shogi_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                       size_t count, int32_t *scores);
bool shogi_mover_in_check(const ply_rules *rules, const void *position);
/* Captures and promotions are noisy. */
bool shogi_is_noisy(const ply_rules *rules, const void *position, ply_move move);
size_t shogi_noisy_moves(const ply_rules *rules, const void *position, ply_move *out);
/* Static exchange evaluation (SEE), for any legal move. */
int32_t shogi_see(const ply_rules *rules, const void *position, ply_move move);
/* Whether a legal move gives check. */
bool shogi_gives_check(const shogi_position *p, ply_move move);
/* The hooks gives_check, winning_move and move_class. */
bool shogi_is_check(const ply_rules *rules, const void *position, ply_move move);
ply_move shogi_mate_in_one(const ply_rules *rules, void *position);
unsigned shogi_move_class(const ply_rules *rules, const void *position, ply_move move);

/* The game, as the registry lists it. */
extern const ply_game shogi_game;

#endif
