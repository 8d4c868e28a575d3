/* SPDX-License-Identifier: MIT */
/*
 * gomoku.h - gomoku and renju, five in a row: freestyle, standard, renju and caro.
 *
 * Cells, lines, patterns and windows are in <plyverse/gomoku.h>, which is public. This header adds
 * what the library keeps to itself.
 *
 * The position counts the windows, and the shapes made of two neighbouring windows:
 *
 *     totals[colour]        five | four | three | two                   16 bits each, lowest first
 *     totals[2 + colour]    straight four | open three | broken three | open two
 *
 *     straight four   .XXXX.              two windows of four that share their stones
 *     open three      .XXX.. or ..XXX.    a stone at one end makes a straight four
 *     broken three    .XX.X. or .X.XX.    a stone inside makes a straight four
 *     open two        two stones and two empty cells between two empty cells
 *
 * Workload: play and undo with the totals updated, tens of millions per second; playouts that
 * update only the lines; all forbidden points of a renju position.
 */
#ifndef PLY_GAMES_GOMOKU_GOMOKU_H
#define PLY_GAMES_GOMOKU_GOMOKU_H

#include "core/bits.h"
#include "core/isa.h"
#include <plyverse/gomoku.h>

/* What ends the game; rules->variant->data points to one of these. */
enum gomoku_rule {
    GOMOKU_FREESTYLE,     /* five or more */
    GOMOKU_STANDARD,      /* exactly five */
    GOMOKU_RENJU,         /* Black exactly five and with forbidden points, White five or more */
    GOMOKU_CARO,          /* exactly five, not between two enemy stones */
    GOMOKU_CARO_OVERLINE, /* five, not between two enemy stones, or six or more */
    GOMOKU_RULES,
};

/* In renju: whether Black may play a forbidden point, and loses by it. */
enum { GOMOKU_FORBIDDEN_ILLEGAL, GOMOKU_FORBIDDEN_LOSES };

enum {
    GOMOKU_REACH = 6, /* cells of a line that a stone on a forbidden point can affect, each way */
    GOMOKU_MAX_SHAPES = 8, /* two in each direction */
};

/* The kinds of forbidden points, numbered as in the published test boards. */
enum gomoku_forbidden {
    GOMOKU_ALLOWED,
    GOMOKU_DOUBLE_THREE,
    GOMOKU_DOUBLE_FOUR,
    GOMOKU_OVERLINE,
};

/* How a stone ended the game: the values of gomoku_position.ended. */
enum {
    GOMOKU_NOT_ENDED,
    GOMOKU_ROW_BLACK,
    GOMOKU_ROW_WHITE,
    GOMOKU_LOST_BY_FORBIDDEN, /* plus the kind of the forbidden point Black played */
};

typedef struct gomoku_position {
    uint64_t hash;
    uint16_t stones; /* on the board */
    uint8_t side;    /* to move */
    uint8_t passes;  /* in a row, 0 to 2; the second ends the game */
    uint8_t ended;
    uint8_t zero[3];
    uint64_t totals[4]; /* the pattern counts */
    uint64_t lines[];   /* gomoku_line_count of them */
} gomoku_position;

/* The undo entry: everything but the lines. */
typedef struct gomoku_undo_info {
    uint64_t head[6];
} gomoku_undo_info;

_Static_assert(sizeof(gomoku_position) == sizeof(gomoku_undo_info), "the undo entry is the head");
_Static_assert(__builtin_offsetof(gomoku_position, totals) == 16, "layout of the head");

/* --- rules ---------------------------------------------------------------------------------- */
PLY_HD enum gomoku_rule gomoku_rule_of(const ply_rules *rules)
{
    return *(const enum gomoku_rule *)rules->variant->data;
}

PLY_HD int gomoku_cell_count(const ply_rules *rules)
{
    return gomoku_width(rules) * gomoku_height(rules);
}

/* --- lines ---------------------------------------------------------------------------------- */
/* The winning rows of the colour in a line: one bit for each, at the X bit of its first cell. */
PLY_HD __attribute__((always_inline)) uint64_t gomoku_line_wins(uint64_t line, int colour,
                                                                enum gomoku_rule rule, int row)
{
    uint64_t own = (line >> colour) & GOMOKU_X_BITS, pairs = own & (own >> 2);
    uint64_t run = row == 3   ? pairs & (own >> 4)
                   : row == 4 ? pairs & (pairs >> 4)
                   : row == 5 ? pairs & (pairs >> 4) & (own >> 8)
                              : pairs & (pairs >> 4) & (pairs >> 8);
    if (rule == GOMOKU_FREESTYLE || (rule == GOMOKU_RENJU && colour == GOMOKU_WHITE))
        return run;
    if (rule != GOMOKU_CARO_OVERLINE)
        run &= ~(own << 2) & ~(own >> (2 * row));
    if (rule == GOMOKU_CARO || rule == GOMOKU_CARO_OVERLINE) {
        uint64_t enemy = (line >> !colour) & GOMOKU_X_BITS;
        run &= ~((enemy << 2) & (enemy >> (2 * row)));
    }
    return run;
}

/* --- Zobrist keys (zobrist.c) ---------------------------------------------------------------- */
#ifdef __CUDACC__
#include "gomoku/zobrist.inc"
#else
extern const uint64_t gomoku_keys[2][GOMOKU_MAX_CELLS];
extern const uint64_t gomoku_state_keys[6 + 4]; /* side; passes 0..2; ended */
#endif

/* The part of the key that is not about stones. */
PLY_HD uint64_t gomoku_state_key(int side, int passes, int ended)
{
    return (side ? gomoku_state_keys[0] : 0) ^ gomoku_state_keys[1 + passes] ^
           gomoku_state_keys[4 + (ended >= GOMOKU_LOST_BY_FORBIDDEN
                                      ? ended - GOMOKU_LOST_BY_FORBIDDEN
                                      : 0)];
}

/* --- kernels, compiled for each instruction set (kernel_isa.c) ------------------------------- */
typedef struct gomoku_kernels {
    void (*play)(const ply_rules *rules, gomoku_position *p, int cell, gomoku_undo_info *undo);
    void (*count)(int width, int height, int row, const uint64_t *lines, uint64_t totals[4]);
    size_t (*playout)(const ply_rules *rules, gomoku_position *p, ply_rng *rng, size_t max_plies);
} gomoku_kernels;

PLY_ISA_DECLARE(const gomoku_kernels, gomoku_kernels_of);

/* --- the rules (board.c) --------------------------------------------------------------------- */
ply_status gomoku_start(const ply_rules *rules, void *position);
size_t gomoku_moves(const ply_rules *rules, const void *position, ply_move *out);
size_t gomoku_count(const ply_rules *rules, const void *position);
ply_move gomoku_nth(const ply_rules *rules, const void *position, size_t k);
ply_status gomoku_play(const ply_rules *rules, void *position, ply_move move, void *undo);
void gomoku_undo(const ply_rules *rules, void *position, ply_move move, const void *undo);
int gomoku_side(const ply_rules *rules, const void *position);
ply_outcome gomoku_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                           size_t plies);
uint64_t gomoku_hash(const ply_rules *rules, const void *position);
uint64_t gomoku_compute_hash(const ply_rules *rules, const void *position);
uint64_t gomoku_perft(const ply_rules *rules, void *position, int depth, int mode);
size_t gomoku_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                      ply_outcome *outcome);
/* Puts a stone on an empty cell of a position that is being set up. Call gomoku_finish_setup when
 * all stones are there. */
void gomoku_put_stone(const ply_rules *rules, gomoku_position *p, int cell, int colour);
/* Computes what follows from the stones, the side and the passes: ended, totals and key.
 * PLY_BAD_POSITION when both players have a winning row. */
ply_status gomoku_finish_setup(const ply_rules *rules, gomoku_position *p);
/* Whether the game is over: a win, two passes or a full board. */
bool gomoku_is_over(const ply_rules *rules, const gomoku_position *p);

/* --- renju (forbidden.c) --------------------------------------------------------------------- */
/* Whether an empty cell is forbidden to Black, and why. A stone that makes five never is. */
enum gomoku_forbidden gomoku_forbidden_at(const ply_rules *rules, const gomoku_position *p,
                                          int cell);
/* Marks all forbidden points in rows[y], bit x, and returns their number. kinds (may be NULL) has
 * room for GOMOKU_MAX_CELLS and receives the kind of each marked cell. */
int gomoku_forbidden_points(const ply_rules *rules, const gomoku_position *p, uint32_t *rows,
                            uint8_t *kinds);
/*
 * The cells that a classification depends on: one more stone anywhere else would not change it.
 * Without both_colours that stone is white, and only cells that could turn an allowed point into a
 * forbidden one are traced. White stones remove fours and threes, so only false threes matter then.
 */
typedef struct gomoku_trace {
    uint32_t rows[GOMOKU_MAX_SIDE]; /* bit x of rows[y] */
    bool both_colours;
} gomoku_trace;
/* The stones of one of the threes or fours that make a point forbidden, or of the overline; the
 * stone on the point itself is one of them. */
typedef struct gomoku_shape {
    int count, cells[2 * GOMOKU_REACH];
} gomoku_shape;

/* The shapes that a black stone on a forbidden point makes; returns their number. */
int gomoku_forbidden_shapes(const ply_rules *rules, const gomoku_position *p, int cell,
                            gomoku_shape shapes[GOMOKU_MAX_SHAPES]);
/* As gomoku_forbidden_at, on bare lines, which are changed temporarily. trace may be NULL. */
enum gomoku_forbidden gomoku_classify(int width, int height, uint64_t *lines, int cell,
                                      gomoku_trace *trace);
/* "double-three" and the like. */
const char *gomoku_forbidden_name(enum gomoku_forbidden kind);

/* --- patterns (patterns.c) ------------------------------------------------------------------- */
/* The pattern counts of one colour, unpacked from the totals. */
typedef struct gomoku_shapes {
    int five, four, three, two;     /* windows */
    int straight_four, simple_four; /* fours by kind */
    int open_three, broken_three;   /* ways to a straight four by kind */
    int open_two;
} gomoku_shapes;
gomoku_shapes gomoku_shapes_of(const gomoku_position *p, int colour);

/*
 * What a stone on each empty cell of a line would make, under the rule in force and for both
 * colours at once: the X bit of a cell is about X, the O bit about O.
 */
typedef struct gomoku_points {
    uint64_t five;       /* wins */
    uint64_t four;       /* makes a four */
    uint64_t straight;   /* makes a straight four */
    uint64_t three;      /* makes an open or broken three */
    uint64_t two;        /* makes an open two */
    uint64_t four_twice; /* makes a four in two windows */
    uint64_t overline;   /* makes six or more */
} gomoku_points;
gomoku_points gomoku_points_of(uint64_t line, int length, enum gomoku_rule rule, int row);

void gomoku_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                        size_t count, int32_t *scores);
bool gomoku_is_noisy(const ply_rules *rules, const void *position, ply_move move);

/* --- features of networks (network.c) -------------------------------------------------------- */
enum {
    GOMOKU_MAX_NETWORK_SIDE = 22, /* of a board with a network */
    GOMOKU_MAX_FEATURES = GOMOKU_DIRECTIONS * GOMOKU_MAX_NETWORK_SIDE * GOMOKU_MAX_NETWORK_SIDE
};
const char *gomoku_network_family(const ply_rules *rules);
uint32_t gomoku_feature_count(const ply_rules *rules);
size_t gomoku_features(const ply_rules *rules, const void *position, int player, uint16_t *out);
unsigned gomoku_phase(const ply_rules *rules, const void *position, unsigned phases);
uint32_t gomoku_network_cells(const ply_rules *rules);
size_t gomoku_cell_changes(const ply_rules *rules, const void *position, ply_move move,
                           ply_cell_change *out);
uint16_t gomoku_exchanged_feature(const ply_rules *rules, uint16_t feature);
uint32_t gomoku_network_move_cell(const ply_rules *rules, ply_move move);

/* --- search and evaluation (search_hooks.c) -------------------------------------------------- */
/*
 * The first weights are those of the pattern counts. Then come three sets of weights for what a
 * stone on an empty cell would make (search_board.h): rules without forbidden points, Black in
 * renju, White in renju; of each, one weight per combination as the player to move and one as the
 * opponent.
 */
enum {
    GOMOKU_COUNT_WEIGHTS = 17,
    GOMOKU_COMBINATIONS = 330,
    GOMOKU_CODE_SETS = 3,
    GOMOKU_WEIGHTS = GOMOKU_COUNT_WEIGHTS + GOMOKU_CODE_SETS * 2 * GOMOKU_COMBINATIONS,
};
extern const int16_t gomoku_weights[GOMOKU_WEIGHTS];
extern const char *const gomoku_weight_names[GOMOKU_WEIGHTS];
int32_t gomoku_evaluate(const ply_rules *rules, const void *position);
size_t gomoku_terms(const ply_rules *rules, const void *position, ply_term *out);
size_t gomoku_candidates(const ply_rules *rules, const void *position, ply_move *out,
                         int32_t *scores);
ply_move gomoku_find_win(const ply_rules *rules, const void *position, int effort, int *plies,
                         uint64_t *nodes);
bool gomoku_in_check(const ply_rules *rules, const void *position);
/* The weights of a colour's combinations: as the player to move, then as the opponent. */
PLY_HD const int16_t *gomoku_code_weights(enum gomoku_rule rule, int colour)
{
    int set = rule == GOMOKU_RENJU ? 1 + colour : 0;
    return gomoku_weights + GOMOKU_COUNT_WEIGHTS + set * 2 * GOMOKU_COMBINATIONS;
}
void gomoku_null_move(const ply_rules *rules, void *position, void *undo);

/* --- openings (balanced_openings.c; procedures are in opening_rules.h) ----------------------- */
size_t gomoku_opening_count(const ply_rules *rules);
ply_status gomoku_opening_get(const ply_rules *rules, size_t i, ply_text *name, ply_text *position,
                              ply_text *moves);

/* --- symmetry (symmetry.c) ------------------------------------------------------------------- */
/* The cell to which image i maps a cell. There are 8 images, 4 if the board is not square. */
int gomoku_image_cell(int width, int height, uint32_t i, int cell);
void gomoku_image(const ply_rules *rules, const void *position, uint32_t i, void *out);
/* The image whose rows, compared as numbers from row 1 up, are smallest. */
void gomoku_canonical(const ply_rules *rules, const void *position, void *out);

/* --- text (position_text.c) and display (render.c) ------------------------------------------- */
void gomoku_format_cell(int cell, ply_text *out);
/* Parses a cell of the board, such as h8. */
ply_status gomoku_parse_cell(const ply_rules *rules, ply_cursor *cursor, int *cell);
ply_status gomoku_parse(const ply_rules *rules, void *position, ply_cursor *cursor);
void gomoku_format(const ply_rules *rules, const void *position, ply_text *out);
void gomoku_format_move(const ply_rules *rules, const void *position, ply_move move, ply_text *out);
ply_status gomoku_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                             ply_move *move);
/* Parses a cell, "pass" or "--" without checking whether the move is legal. */
ply_status gomoku_parse_any_move(const ply_rules *rules, ply_cursor *cursor, ply_move *move);
/* Fails at at_move, with the reason, when the move is not legal. */
ply_status gomoku_check_move(const ply_rules *rules, const gomoku_position *p, ply_move move,
                             ply_cursor *at_move);
void gomoku_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                 ply_text *out);
void gomoku_json(const ply_rules *rules, const void *position, ply_text *out);
void gomoku_notes(const ply_rules *rules, const void *position, ply_text *out);
/* svg.c */
void gomoku_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out);

/* layout.c */
void gomoku_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out);

/* The game, as the registry lists it. */
extern const ply_game gomoku_game;

#endif
