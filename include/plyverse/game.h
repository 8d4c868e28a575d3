/* SPDX-License-Identifier: MIT */
/*
 * game.h - the interface that every game implements.
 *
 * A game is a const struct: a description, the rules as functions, and pointers to optional groups
 * of hooks (counting, search, network, tuning, indexing, openings, learning, display). Rules in
 * force (ply_rules) are a variant plus options; they are made once and shared by all threads.
 *
 * A position is a block of rules->position_bytes bytes whose layout only the game knows. The caller
 * allocates it; a game allocates only what its own `copy` and `clear` manage. Playing a move writes
 * an undo entry of rules->undo_bytes bytes into memory the caller provides. Consecutive entries
 * form the undo stack, which the end-of-game rules read to detect repetition.
 *
 *     ply_rules                 game, variant and options; sizes
 *        |
 *     position  --play(move)--> position'       writes undo_stack[k]
 *     position  <--undo(move)-- position'       reads undo_stack[k]; restores every byte
 *
 * Workload: moves, count, play and undo are called hundreds of millions of times. They trust their
 * arguments and allocate nothing, except in 5D chess, whose boards and queries come from the heap.
 * Text functions take input from users and check everything.
 *
 * Thread safety: a game and its rules are read-only. Functions that take a const position may run on
 * several threads at once; those that change it need it for themselves.
 *
 * A hook marked optional may be NULL. The ply_game_* functions below call it or, when it is
 * missing, a generic default that gives the same answer; the conformance tests compare the two.
 */
#ifndef PLYVERSE_GAME_H
#define PLYVERSE_GAME_H

#include <plyverse/rng.h>
#include <plyverse/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A move of any game, 64 bits, meaning private to the game. 0 is never a legal move. */
typedef uint64_t ply_move;
#define PLY_MOVE_NONE ((ply_move)0)

/* Players are 0 (who starts from the usual start position) and 1. */
typedef enum ply_result {
    PLY_ONGOING,
    PLY_FIRST_WINS,
    PLY_SECOND_WINS,
    PLY_DRAW,
} ply_result;

typedef struct ply_outcome {
    ply_result result;
    const char *reason; /* a short id such as "no-move"; NULL while the game goes on */
} ply_outcome;

/* The outcome in which `player` (0 or 1) wins. */
PLY_HD ply_outcome ply_outcome_win(int player, const char *reason)
{
    ply_outcome outcome = {player == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS, reason};
    return outcome;
}

typedef struct ply_game ply_game;

/* A rule that can be set: a whole number from low to high, or one of a list of names. */
typedef struct ply_option {
    const char *name;
    const char *help;
    int32_t low, high;        /* with names: 0 and the number of names minus one */
    const char *const *names; /* NULL for numbers */
    int32_t default_value;    /* used where a variant does not set the option */
} ply_option;

#define PLY_OPTION_LIMIT 16

typedef struct ply_setting {
    const char *name; /* an option's name */
    int32_t value;
} ply_setting;

/* A named set of rules. settings ends with {NULL, 0}; NULL means all defaults. */
typedef struct ply_variant {
    const char *id;
    const char *name;
    const ply_setting *settings;
    const void *data; /* private to the game, such as a start position */
} ply_variant;

typedef struct ply_counting_hooks ply_counting_hooks;
typedef struct ply_search_hooks ply_search_hooks;
typedef struct ply_network_hooks ply_network_hooks;
typedef struct ply_tuning_hooks ply_tuning_hooks;
typedef struct ply_indexing_hooks ply_indexing_hooks;
typedef struct ply_opening_hooks ply_opening_hooks;
typedef struct ply_learning_hooks ply_learning_hooks;
typedef struct ply_display_hooks ply_display_hooks;

/* Rules in force. Made by ply_rules_make; read-only after that; safe to share between threads. */
typedef struct ply_rules {
    const ply_game *game;
    const ply_variant *variant;
    int32_t option[PLY_OPTION_LIMIT]; /* in the order of game->options */
    /* The game's hooks. Never NULL: where the game has none, a struct of zeros. */
    const ply_counting_hooks *counting;
    const ply_search_hooks *search;
    const ply_network_hooks *network;
    const ply_tuning_hooks *tuning;
    const ply_indexing_hooks *indexing;
    const ply_opening_hooks *openings;
    const ply_learning_hooks *learning;
    const ply_display_hooks *display;
    /* Set by the game's setup: */
    size_t position_bytes;   /* a multiple of 8 */
    size_t undo_bytes;       /* a multiple of 8; may be 0 */
    size_t max_moves;        /* no position has more legal moves */
    size_t max_predecessors; /* 0 when the game does not list predecessors */
    uint32_t symmetries;     /* images of a position with the same value, including the identity */
    uint32_t actions;        /* size of the action numbering; 0: none */
    uint32_t default_plies;  /* random games are cut off after this many by default; 0: no advice */
    uint16_t planes, plane_height, plane_width; /* shape of observe; 0: none */
} ply_rules;

/* What play writes so that undo can take the move back: rules->undo_bytes bytes whose layout only
 * the game knows. */
typedef void ply_undo;

/* Room for the text of any one move, the NUL included. */
#define PLY_MOVE_TEXT 128

enum ply_draw_flags {
    PLY_DRAW_COLOUR = 1, /* ANSI colours */
    PLY_DRAW_ASCII = 2,  /* no characters beyond ASCII */
};

enum ply_svg_flags {
    PLY_SVG_FLIPPED = 1, /* the board is turned round, as the player above sees it */
    PLY_SVG_BARE = 2,    /* nothing is drawn behind the boards: the page has a background */
};

/* A way to read or write whole game records; declared in record.h. */
typedef struct ply_format ply_format;
/* Something a player can try to force; declared in solve.h. */
typedef struct ply_goal ply_goal;
/* A position's words and bytes with a legend; declared in layout.h. */
typedef struct ply_layout ply_layout;
/* What the tablebase builder needs from a game; declared in src/model/retrograde.h. */
typedef struct ply_retrograde ply_retrograde;

/* A list of moves other than the legal ones, such as the checks of a mating problem. */
typedef struct ply_move_mode {
    const char *id; /* as in `moves --mode ID` */
    const char *help;
    /* Writes every move of the mode once, at most rules->max_moves of them; returns the number. */
    size_t (*moves)(const ply_rules *rules, const void *position, ply_move *out);
} ply_move_mode;

struct ply_game {
    const char *id;
    const char *name;
    const char *summary; /* one line */
    const char *player_names[2];
    const ply_option *options;
    size_t option_count;
    const ply_variant *variants; /* the first is the default */
    size_t variant_count;
    /*
     * A turn consists of several moves by the same player (5D chess). Perft then counts turns, and
     * search expands whole turns; counting->turns and search->promising_turns are required.
     */
    bool multi_move_turns;
    const ply_format *formats; /* the game's own record formats; may be NULL */
    size_t format_count;
    const ply_goal *goals; /* what can be solved for, the default first; may be NULL */
    size_t goal_count;
    const ply_move_mode *move_modes; /* ways to list moves, one of them legal moves; may be NULL */
    size_t move_mode_count;

    /* Checks the options together and fills in the sizes. */
    ply_status (*setup)(ply_rules *rules, ply_error *error);

    /* --- positions -------------------------------------------------------------------------- */
    /* Writes the start position over uninitialised bytes. */
    ply_status (*start)(const ply_rules *rules, void *position);
    /*
     * Parses a position over uninitialised bytes. Reads exactly one position; the caller checks
     * what follows. After a failure the bytes need no clear.
     */
    ply_status (*parse)(const ply_rules *rules, void *position, ply_cursor *cursor);
    void (*format)(const ply_rules *rules, const void *position, ply_text *out);
    /* Optional, for positions that own memory. Without them a position is copied by memcpy. */
    ply_status (*copy)(const ply_rules *rules, void *to, const void *from);
    void (*clear)(const ply_rules *rules, void *position);

    /* --- moves ------------------------------------------------------------------------------ */
    /* Writes every legal move once, at most rules->max_moves of them; returns the number. */
    size_t (*moves)(const ply_rules *rules, const void *position, ply_move *out);
    /* Optional: the number of legal moves. Default: the length of the list. */
    size_t (*count)(const ply_rules *rules, const void *position);
    /* Optional: move number k of the list, k < count. Default: taken from the list. */
    ply_move (*nth)(const ply_rules *rules, const void *position, size_t k);
    /*
     * Plays a legal move and writes the undo entry. The entry owns no memory: a position owns what
     * it owns with or without its undo stack. PLY_LIMIT or PLY_NO_MEMORY leave everything as it
     * was.
     */
    ply_status (*play)(const ply_rules *rules, void *position, ply_move move, ply_undo *undo);
    /* Takes back the last move played, using the entry that play wrote. */
    void (*undo)(const ply_rules *rules, void *position, ply_move move, const ply_undo *undo);
    /* The player to move: 0 or 1. The same player may move several times in a row. */
    int (*side)(const ply_rules *rules, const void *position);
    /* Whether the game is over. undo_stack holds `plies` entries, oldest first. */
    ply_outcome (*outcome)(const ply_rules *rules, const void *position, const ply_undo *undo_stack,
                           size_t plies);
    /* A 64-bit key maintained by play and undo; equal positions have equal keys. */
    uint64_t (*hash)(const ply_rules *rules, const void *position);
    /* The same key computed from scratch; tests compare the two. */
    uint64_t (*compute_hash)(const ply_rules *rules, const void *position);
    void (*format_move)(const ply_rules *rules, const void *position, ply_move move, ply_text *out);
    /* Parses a move that is legal in the position; fails with the reason and the location. */
    ply_status (*parse_move)(const ply_rules *rules, const void *position, ply_cursor *cursor,
                             ply_move *move);

    /* --- optional groups of hooks; any may be NULL ------------------------------------------ */
    const ply_counting_hooks *counting;
    const ply_search_hooks *search;
    const ply_network_hooks *network;
    const ply_tuning_hooks *tuning;
    const ply_indexing_hooks *indexing;
    const ply_opening_hooks *openings;
    const ply_learning_hooks *learning;
    const ply_display_hooks *display;
};

/* What perft and playout return when memory runs out. */
#define PLY_PERFT_FAILED UINT64_MAX
#define PLY_PLAYOUT_FAILED SIZE_MAX

/* Perft and random playouts. Every member is optional. */
struct ply_counting_hooks {
    const char *const *modes; /* ways to count, the default first, NULL at the end; NULL: one */
    int fast_depth;           /* the depth that perft handles quickly in one call; 0: 4 */
    /*
     * The number of leaves at depth >= 1, on one thread, counted according to modes[mode]. Leaves
     * the position unchanged. PLY_PERFT_FAILED when memory runs out.
     */
    uint64_t (*perft)(const ply_rules *rules, void *position, int depth, int mode);
    /* How often modes[mode] counts this move. Default: once. */
    uint64_t (*multiplicity)(const ply_rules *rules, const void *position, ply_move move, int mode);
    /*
     * For games with multi_move_turns: calls visit with the moves of each legal turn, counted
     * according to modes[mode], until it returns false. The moves are in playing order and end the
     * turn.
     */
    ply_status (*turns)(const ply_rules *rules, const void *position, int mode,
                        bool (*visit)(void *context, const ply_move *moves, size_t count),
                        void *context);
    /*
     * Plays random moves from the position, each legal move equally likely, until the game ends or
     * max_plies have been played; returns the number of plies. The position is left where the game
     * ended. PLY_PLAYOUT_FAILED when memory runs out. Default: built from count, nth and outcome.
     */
    size_t (*playout)(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                      ply_outcome *outcome);
};

/* What a game declares about itself so that the search can prune more. */
enum ply_search_trait {
    PLY_TRAIT_LATE_MOVE_REDUCTIONS = 1, /* late quiet moves are rarely best: reduce their depth */
    PLY_TRAIT_NOISY_FORCED = 2,         /* where a noisy move exists, no other move is legal */
    PLY_TRAIT_FUTILITY = 4,             /* a quiet move rarely changes the evaluation by much */
    PLY_TRAIT_NULL_MOVE = 8,            /* zugzwang is rare: null-move pruning is sound enough */
    PLY_TRAIT_LATE_MOVE_PRUNING = 16,   /* many well-ordered moves: near the leaves skip the late
                                           quiet ones and those with a losing SEE */
};

#define PLY_CANDIDATE_NOISY (1 << 16)
#define PLY_MOVE_CLASSES 2048

/* Which turns a search over whole turns asks for. */
typedef struct ply_turn_request {
    size_t most;                    /* no more than these, the most promising; 1: any turn */
    bool noisy;                     /* only turns that change material */
    int32_t least;                  /* noisy: only turns that may win more than this */
    bool (*stopped)(void *context); /* polled about every millisecond: true ends the search */
    bool (*visit)(void *context, const ply_move *moves, size_t count, int32_t score);
    void *context;
} ply_turn_request;

/*
 * A board that the search keeps beside the position, for games whose hooks would otherwise compute
 * the same things anew at every node. All members are required. The functions with the name of a
 * search hook return what that hook returns; alpha-beta calls them instead.
 */
typedef struct ply_search_board_hooks {
    /* The size of a board that can follow max_plies moves from where it was set up. */
    size_t (*bytes)(const ply_rules *rules, size_t max_plies);
    /* Sets up a position. The bytes are aligned for any type, and zero before the first time. */
    void (*init)(const ply_rules *rules, const void *position, size_t max_plies, void *board);
    /* Follows a move from the position, or a null move (PLY_MOVE_NONE), before it is played. */
    void (*play)(const ply_rules *rules, const void *position, ply_move move, void *board);
    /* Takes back the last move followed. */
    void (*undo)(const ply_rules *rules, void *board);
    int32_t (*evaluate)(const ply_rules *rules, const void *position, void *board);
    size_t (*candidates)(const ply_rules *rules, const void *position, void *board, ply_move *out,
                         int32_t *scores);
    ply_move (*find_win)(const ply_rules *rules, const void *position, void *board, int effort,
                         int *plies, uint64_t *nodes);
    bool (*in_check)(const ply_rules *rules, const void *position, void *board);
} ply_search_board_hooks;

/* The highest level of a player: full strength. */
#define PLY_LEVEL_FULL 10

/* How a player of limited strength chooses moves. A limit of 0 means no such limit. */
typedef struct ply_level {
    /*
     * Approximate playing strength, on a scale where the greedy player has 1000; 0: not measured.
     * Only differences within a game mean something.
     */
    int elo;
    int depth;            /* plies; turns for games with multi_move_turns */
    uint32_t nodes;       /* of alpha-beta */
    uint32_t temperature; /* in hundredths of a piece: how careless; 0: not at all */
    uint32_t overlook;    /* percent of the quiet moves that are overlooked; of noisy ones, half */
} ply_level;

/* Hooks for the search. Every member is optional. */
struct ply_search_hooks {
    unsigned traits; /* PLY_TRAIT_*: what the search may rely on */
    /*
     * The outcome of a position that has a legal move, without looking for one; unspecified where
     * there is none. The search asks this at every node. Default: outcome.
     */
    ply_outcome (*node_outcome)(const ply_rules *rules, const void *position,
                                const ply_undo *undo_stack, size_t plies);
    /*
     * The same for a position that has not occurred before in the game, so that nothing need be
     * looked up to detect repetition. Default: node_outcome.
     */
    ply_outcome (*fresh_outcome)(const ply_rules *rules, const void *position,
                                 const ply_undo *undo_stack, size_t plies);
    /*
     * How the search scores a position that already occurred on the undo stack: the outcome that
     * repeating on would bring. Default: a draw.
     */
    ply_outcome (*repetition_outcome)(const ply_rules *rules, const void *position,
                                      const ply_undo *undo_stack, size_t plies);
    /* The value for the player to move, in hundredths of the smallest piece. */
    int32_t (*evaluate)(const ply_rules *rules, const void *position);
    /* Scores moves for ordering; higher is tried first. Default: all 0. */
    void (*score_moves)(const ply_rules *rules, const void *position, const ply_move *moves,
                        size_t count, int32_t *scores);
    /*
     * The moves a search should try instead of all legal ones, scored as by score_moves. Never
     * empty where there is a legal move; each move is legal and listed once; the same for the same
     * position. Moves left out lose at once or are rarely any good. A score of PLY_CANDIDATE_NOISY
     * or more marks a noisy move. Default: moves and score_moves.
     */
    size_t (*candidates)(const ply_rules *rules, const void *position, ply_move *out,
                         int32_t *scores);
    /*
     * Looks for a forced win of the player to move that can be proved quickly. Returns its first
     * move and sets *plies to the maximum length, or returns PLY_MOVE_NONE. effort grows with what
     * is at stake: 0 at the leaves. Adds the positions visited to *nodes. A game that has this needs
     * no noisy moves.
     */
    ply_move (*find_win)(const ply_rules *rules, const void *position, int effort, int *plies,
                         uint64_t *nodes);
    /* Whether the player to move must answer a threat, such as a check. Default: never. */
    bool (*in_check)(const ply_rules *rules, const void *position);
    /* Whether in_check will hold after a legal move. Default: after no move. */
    bool (*gives_check)(const ply_rules *rules, const void *position, ply_move move);
    /*
     * A move that wins at once, or PLY_MOVE_NONE. The search asks at many nodes, so this must be
     * fast. Leaves the position unchanged. Default: none is found.
     */
    ply_move (*winning_move)(const ply_rules *rules, void *position);
    /*
     * A number below PLY_MOVE_CLASSES that moves share if they do the same, such as bringing the
     * same kind of piece to the same square: the statistics of the search are kept by class.
     * Default: a hash of the move.
     */
    unsigned (*move_class)(const ply_rules *rules, const void *position, ply_move move);
    /* Passes the turn; undo takes it back as PLY_MOVE_NONE. Needed for PLY_TRAIT_NULL_MOVE. */
    void (*null_move)(const ply_rules *rules, void *position, ply_undo *undo);
    /* Static exchange evaluation of a noisy move on its target square. Default: 0. */
    int32_t (*see)(const ply_rules *rules, const void *position, ply_move move);
    /* Whether a move is noisy: changes material or the like. Default: no move is. */
    bool (*is_noisy)(const ply_rules *rules, const void *position, ply_move move);
    /* All noisy moves. Default: moves filtered by is_noisy. */
    size_t (*noisy_moves)(const ply_rules *rules, const void *position, ply_move *out);
    /*
     * For games with multi_move_turns: calls request->visit with promising legal turns, each with a
     * first estimate of its value (higher is better; in no order). Finds at least one turn where
     * one is legal, unless only noisy turns are requested. *complete: no legal turn was left out.
     * visit may play on the position if it takes everything back.
     */
    ply_status (*promising_turns)(const ply_rules *rules, const void *position,
                                  const ply_turn_request *request, bool *complete);
    /* A faster way to evaluate, candidates, find_win and in_check, all of which the game has. */
    const ply_search_board_hooks *board;
    /* The levels of players, PLY_LEVEL_FULL of them, weakest first. Default: general ones. */
    const ply_level *levels;
    /*
     * Margins of the alpha-beta search, as in ply_search_options.parameters, for the margins that
     * differ from the general ones. Default: none differs.
     */
    const char *parameters;
};

/* No position has more active features, and no move changes more of them, for one player. */
#define PLY_ACTIVE_FEATURES 4096
#define PLY_FEATURE_CHANGES 64

/* The features that a move adds and removes. */
typedef struct ply_feature_changes {
    size_t added_count, removed_count;
    uint16_t added[PLY_FEATURE_CHANGES], removed[PLY_FEATURE_CHANGES];
} ply_feature_changes;

/* What a move does to one cell of a network that pools cells (ply_network_hooks.per_cell). */
typedef struct ply_cell_change {
    uint16_t cell;
    uint16_t removed,
        added; /* features; the same number twice: the cell has no features any more */
} ply_cell_change;

/* No move changes more: eight neighbours in each of four directions, and its own cell. */
#define PLY_CELL_CHANGES 33
/* Of a move that fills no cell (ply_network_hooks.move_cell). */
#define PLY_NO_CELL UINT32_MAX

/*
 * Positions as the input of a neural network (network.h). A position has active features for each
 * player, numbered from that player's point of view: the same position with colours exchanged gives
 * the same numbers to the other player. A feature that is listed several times counts as often.
 * Required members, unless the whole group is missing: all but changes and those of networks that
 * pool cells.
 */
struct ply_network_hooks {
    const char
        *feature_set;  /* names the numbering; changes whenever a number changes its meaning */
    size_t max_active; /* no position has more active features; PLY_ACTIVE_FEATURES at most */
    /*
     * The family of networks that serves these rules, such as "checkers-english"; NULL: none. Rules
     * that differ only in notation, start position or draw rules share a family.
     */
    const char *(*family)(const ply_rules *rules);
    /* Features are numbered from 0 to one less than this; 65535 at most. */
    uint32_t (*feature_count)(const ply_rules *rules);
    /* Writes the active features for a player (0 or 1), in any order; returns their number. */
    size_t (*features)(const ply_rules *rules, const void *position, int player, uint16_t *out);
    /*
     * What a legal move changes, given the position before it; PLY_MOVE_NONE is a null move. False:
     * list the features again. Optional; default: false.
     */
    bool (*changes)(const ply_rules *rules, const void *position, ply_move move, int player,
                    ply_feature_changes *out);
    /* The phase of the game as a number below `phases`, from the opening to the ending. */
    unsigned (*phase)(const ply_rules *rules, const void *position, unsigned phases);
    /*
     * A network that pools cells has an accumulator for each cell of the board and adds up what the
     * activation makes of them (docs/networks.md). Then per_cell is not 0, `features` lists exactly
     * per_cell features for each cell, in order of the cells, and feature 0 is no feature at all:
     * its weights are 0, and a cell without others counts nothing.
     */
    unsigned per_cell;
    uint32_t (*cells)(
        const ply_rules *rules); /* of a board; at most PLY_ACTIVE_FEATURES / per_cell */
    /*
     * What a legal move changes, from the point of view of player 0, given the position before it;
     * returns the number of changes, each of another cell.
     */
    size_t (*cell_changes)(const ply_rules *rules, const void *position, ply_move move,
                           ply_cell_change *out);
    /* The number that a feature of player 0 has for player 1; its own inverse. */
    uint16_t (*exchanged)(const ply_rules *rules, uint16_t feature);
    /*
     * The cell that a legal move fills, or PLY_NO_CELL for a move that fills none, such as a pass.
     * A network with a policy head scores moves by their cells.
     */
    uint32_t (*move_cell)(const ply_rules *rules, ply_move move);
};

/*
 * A term of a linear evaluation: weight number `index` counts `count` / PLY_TERM_ONE times, signed
 * from the point of view of the player to move. A weight that fades with the game phase has counts
 * that are not multiples of PLY_TERM_ONE.
 */
#define PLY_TERM_ONE 256
typedef struct ply_term {
    uint32_t index;
    int32_t count;
} ply_term;

/* The evaluation as a weighted sum, for tuning. */
struct ply_tuning_hooks {
    size_t weight_count, max_terms;
    const int16_t *weights;          /* the game's table, written by tools/tune */
    const char *const *weight_names; /* one per weight; may be NULL */
    /*
     * Writes at most max_terms terms and returns the number. search->evaluate is the sum of
     * weights[index] * count over them, divided by PLY_TERM_ONE and rounded towards zero.
     */
    size_t (*terms)(const ply_rules *rules, const void *position, ply_term *out);
};

/* Symmetries and the numbering of positions, for tablebases. Every member is optional. */
struct ply_indexing_hooks {
    /* Image number i < rules->symmetries; 0 is the position itself. All have the same value. */
    void (*image)(const ply_rules *rules, const void *position, uint32_t i, void *out);
    /* One chosen image, the same for all images. Default: the one with the smallest key. */
    void (*canonical)(const ply_rules *rules, const void *position, void *out);
    /* Positions are numbered without gaps within classes of equal material. */
    size_t (*class_count)(const ply_rules *rules);
    uint64_t (*class_size)(const ply_rules *rules, size_t class_index);
    void (*class_name)(const ply_rules *rules, size_t class_index, ply_text *out);
    ply_status (*rank)(const ply_rules *rules, const void *position, size_t *class_index,
                       uint64_t *number);
    ply_status (*unrank)(const ply_rules *rules, size_t class_index, uint64_t number,
                         void *position);
    /* Writes every position from which a legal move leads here, each once; returns the number. */
    size_t (*predecessors)(const ply_rules *rules, const void *position, void *out);
    /* Fast numbering and moves in both directions. A game without it has no tablebases. */
    const ply_retrograde *(*retrograde)(const ply_rules *rules);
};

/* An opening procedure that players agree on before the game, such as swap2. */
typedef struct ply_opening_rule {
    const char *id, *name, *help;
} ply_opening_rule;

/* What a player can do during an opening procedure. */
typedef enum ply_opening_act {
    PLY_OPENING_PLACE,   /* plays a move; who will have which side is still open */
    PLY_OPENING_OFFER,   /* offers a move for the opponent to choose from */
    PLY_OPENING_CHOOSE,  /* plays one of the moves offered */
    PLY_OPENING_DECLARE, /* announces a number, such as how many moves will be offered */
    PLY_OPENING_SWAP,    /* takes the other side */
    PLY_OPENING_STAY,    /* keeps the side */
    PLY_OPENING_EXTEND,  /* continues the procedure instead of settling the sides */
} ply_opening_act;

/* Room for the text and the label of an action, the NUL included. */
#define PLY_OPENING_TEXT 16
#define PLY_OPENING_LABEL 48
/* No procedure plays or offers more moves than this. */
#define PLY_OPENING_MOVES 32

typedef struct ply_opening_action {
    ply_opening_act act;
    ply_move move;                 /* of PLACE, OFFER and CHOOSE; otherwise PLY_MOVE_NONE */
    int number;                    /* of DECLARE; otherwise 0 */
    char text[PLY_OPENING_TEXT];   /* what `perform` parses */
    char label[PLY_OPENING_LABEL]; /* for people, such as "Take White" */
} ply_opening_action;

/*
 * Openings: named ones, decks to draw from, and opening procedures. `count` and `get` come together
 * and are optional. A game that lists `rules` implements every member below it; the others leave
 * those members zero.
 */
struct ply_opening_hooks {
    size_t (*count)(const ply_rules *rules);
    /*
     * Appends the name of opening i ("" for none), the text of its start position ("" for the usual
     * one) and its moves, separated by spaces. Barred openings are marked in the name. PLY_LIMIT
     * when there is no such opening.
     */
    ply_status (*get)(const ply_rules *rules, size_t i, ply_text *name, ply_text *position,
                      ply_text *moves);

    /* --- opening procedures ----------------------------------------------------------------- */
    /*
     * A procedure runs between two people, player 0 (who begins it) and player 1. It settles the
     * first moves of the game and which of the two plays which side. Its state is procedure_bytes
     * plain bytes in memory the caller provides, aligned as by malloc; copying the bytes copies the
     * procedure.
     */
    const ply_opening_rule *rules; /* those to offer to people; ends with {0}. NULL: none */
    size_t procedure_bytes;
    /* The variant a rule is meant for when the players name none; NULL: the game's default. */
    const char *(*default_variant)(const char *rule);
    /*
     * Begins the procedure named `rule`, which may be one that the list above leaves out, over
     * uninitialised bytes. PLY_BAD_OPTION when there is none or it does not suit these rules.
     */
    ply_status (*begin)(const ply_rules *rules, const char *rule, void *procedure,
                        ply_error *error);
    /* The player who acts now, 0 or 1; -1 when the procedure is over. */
    int (*to_act)(const ply_rules *rules, const void *procedure);
    /* Calls visit once for each action possible now, until it returns false. */
    void (*actions)(const ply_rules *rules, const void *procedure,
                    bool (*visit)(void *context, const ply_opening_action *action), void *context);
    /*
     * Parses the text of one action and performs it; the caller checks what follows. On failure the
     * cursor's error says why, and the procedure is unchanged.
     */
    ply_status (*perform)(const ply_rules *rules, void *procedure, ply_cursor *cursor);
    /* The moves played so far, legal from the start position, at most PLY_OPENING_MOVES. */
    size_t (*moves)(const ply_rules *rules, const void *procedure, ply_move *out);
    /* The moves offered so far, at most PLY_OPENING_MOVES. */
    size_t (*offers)(const ply_rules *rules, const void *procedure, ply_move *out);
    /* The player who has the first side of the game as things stand: 0 or 1. */
    int (*first_side)(const ply_rules *rules, const void *procedure);
    /* One line for people: who acts and what they can do. */
    void (*describe)(const ply_rules *rules, const void *procedure, ply_text *out);
};

/* What `action` returns for a move that the numbering does not cover. */
#define PLY_ACTION_NONE UINT32_MAX

/* Planes other than the game's own, such as those of another program. */
typedef struct ply_observation {
    const char *name; /* "pgx" */
    uint16_t planes;  /* of plane_height x plane_width bytes */
    /* As ply_learning_hooks.observe. */
    void (*observe)(const ply_rules *rules, const void *position, int viewer, uint8_t *out);
} ply_observation;

/*
 * For games whose positions grow without bound: what a batch needs to bound them, and to keep them on
 * a device. A position fits within `boards` if a device with memory for that many boards can play on
 * from it; a batch with that bound truncates a game whose position does not fit.
 */
typedef struct ply_bounded_hooks {
    size_t max_boards; /* the largest bound that devices support */
    bool (*fits)(const ply_rules *rules, const void *position, size_t boards);
    /* A position that fits as one block without pointers, and the memory of a game on a device. */
    size_t flat_bytes, device_bytes;
    void (*flatten)(const ply_rules *rules, const void *position, void *out);
} ply_bounded_hooks;

/*
 * Positions and moves as numbers, for machine learning (batch.h). Every member is optional, but
 * `action` and `action_move` come together.
 */
struct ply_learning_hooks {
    /* planes x plane_height x plane_width bytes, from the point of view of a player (0 or 1). */
    void (*observe)(const ply_rules *rules, const void *position, int viewer, uint8_t *out);
    /*
     * The number of a legal move, below rules->actions, and back (PLY_MOVE_NONE if not legal). Only
     * a game whose moves have no bound (5D chess) may return PLY_ACTION_NONE.
     */
    uint32_t (*action)(const ply_rules *rules, const void *position, ply_move move);
    ply_move (*action_move)(const ply_rules *rules, const void *position, uint32_t action);
    /*
     * Sets bit a % 64 of word a / 64 for every legal action a and clears all others, up to the end
     * of the last word; returns the number of legal actions. Default: from moves and action.
     */
    size_t (*mask)(const ply_rules *rules, const void *position, uint64_t *bits);
    /* Plays an action known to be legal, as play does, and writes its move to *move. Default: plays
     * action_move(action). */
    ply_status (*step)(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                       ply_undo *undo);
    /* The number of symmetries as batch.h defines them. Default: 1. */
    uint32_t (*symmetries)(const ply_rules *rules);
    /* The maps of symmetry i, 0 < i < symmetries. Needed with `symmetries`. */
    void (*symmetry)(const ply_rules *rules, uint32_t i, uint32_t *cells, uint32_t *actions);
    /* Observations to choose in place of `observe`. Default: none. */
    const ply_observation *observations;
    size_t observation_count;
    /* For games whose positions grow without bound. Default: none. */
    const ply_bounded_hooks *bounded;
};

/* A way in which players write moves. */
typedef struct ply_notation {
    const char *id;       /* "western" */
    const char *name;     /* "Western" */
    const char *language; /* of the text, as in HTML: "en", "ja" */
    /* Writes a move, such as ７六歩; last is the previous move or PLY_MOVE_NONE. */
    void (*move)(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                 ply_text *out);
} ply_notation;

/* How a game is shown to people. Every member is optional. */
struct ply_display_hooks {
    /* A board for a terminal; last is the move just played or PLY_MOVE_NONE. Default: format. */
    void (*draw)(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                 ply_text *out);
    /* A complete SVG drawing of the board that needs no other file; flags: a sum of PLY_SVG_*.
     * Default: what draw writes, as lines of text. */
    void (*svg)(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out);
    /* The members of a JSON object that the web app draws from, without the braces. */
    void (*json)(const ply_rules *rules, const void *position, ply_text *out);
    /* Lines about the position beyond its moves, such as forbidden points; "" for none. */
    void (*notes)(const ply_rules *rules, const void *position, ply_text *out);
    /* The name of player 0 or 1 where it depends on the variant. Default: player_names. */
    const char *(*player_name)(const ply_rules *rules, int player);
    /* The notations players use, the usual one first. Default: one, that of format_move. */
    const ply_notation *notations;
    size_t notation_count;
    /*
     * Adds the position's words and bytes as they are in memory. Fields with an offset follow each
     * other without gaps and together are the whole position. last is the move just played or
     * PLY_MOVE_NONE. Default: all bytes as one field.
     */
    void (*layout)(const ply_rules *rules, const void *position, ply_move last, ply_layout *out);
};

/* --- the registry --------------------------------------------------------------------------- */
/* The games of the library, then those the program has registered. All functions of this section
 * and the next are safe from any thread. */
PLY_API size_t ply_game_count(void);
/* Game number i, or NULL. */
PLY_API const ply_game *ply_game_at(size_t i);
/* The game of that id, or NULL. */
PLY_API const ply_game *ply_game_find(const char *id);
/*
 * Adds the caller's own game to the list, for the rest of the process; it must never be freed.
 * PLY_BAD_ARGUMENT: a required member is missing. PLY_LIMIT: another game has that id, or there are
 * PLY_REGISTERED_GAMES already. Registering a game again is a no-op. A game need not be registered
 * to be played: ply_rules_make takes any game.
 */
#define PLY_REGISTERED_GAMES 64
PLY_API ply_status ply_game_register(const ply_game *game);

/*
 * Makes rules from text: NAME, NAME:option=value,option=value or :option=value; "" or NULL selects
 * the default variant. game may be one of the library's or the caller's own. PLY_UNKNOWN_GAME if it
 * is NULL, so the result of ply_game_find can be passed on. On failure error (may be NULL) says what
 * is wrong and where, and the rules can only be passed to ply_state_init, which fails as well.
 */
PLY_API ply_status ply_rules_make(ply_rules *rules, const ply_game *game, const char *variant,
                                  ply_error *error);
/* Writes the text that makes these rules; it names only options that differ from the variant's. */
PLY_API void ply_rules_format(const ply_rules *rules, ply_text *out);
/* The value of option number i in a variant. */
PLY_API int32_t ply_variant_option(const ply_game *game, const ply_variant *variant, size_t i);

/* --- calls with defaults -------------------------------------------------------------------- */
/*
 * The defaults do not allocate; a game's own function may. Where a default needs a list of moves it
 * is on the stack, so a game with more than PLY_STACK_MOVES moves in a position must implement
 * count and nth. A search calls these millions of times per second, so they trust their arguments;
 * the functions of state.h do not.
 */
#define PLY_STACK_MOVES 2048
PLY_API size_t ply_game_count_moves(const ply_rules *rules, const void *position);
PLY_API ply_move ply_game_nth_move(const ply_rules *rules, const void *position, size_t k);
PLY_API ply_status ply_game_copy(const ply_rules *rules, void *to, const void *from);
PLY_API void ply_game_clear(const ply_rules *rules, void *position);
PLY_API ply_outcome ply_game_node_outcome(const ply_rules *rules, const void *position,
                                          const ply_undo *undo_stack, size_t plies);
PLY_API int32_t ply_game_evaluate(const ply_rules *rules, const void *position);
PLY_API void ply_game_score_moves(const ply_rules *rules, const void *position,
                                  const ply_move *moves, size_t count, int32_t *scores);
PLY_API bool ply_game_is_noisy(const ply_rules *rules, const void *position, ply_move move);
PLY_API size_t ply_game_noisy_moves(const ply_rules *rules, const void *position, ply_move *out);
/* out and scratch: rules->position_bytes each. */
PLY_API void ply_game_canonical(const ply_rules *rules, const void *position, void *out,
                                void *scratch);
/* bits: (rules->actions + 63) / 64 words; scratch: rules->max_moves moves. Needs `action`. */
PLY_API size_t ply_game_mask(const ply_rules *rules, const void *position, uint64_t *bits,
                             ply_move *scratch);
PLY_API ply_status ply_game_step(const ply_rules *rules, void *position, uint32_t action,
                                 ply_move *move, ply_undo *undo);
PLY_API const char *ply_game_player_name(const ply_rules *rules, int player);
/* Writes a move in notation number i of the game; past the end as format_move does. */
PLY_API void ply_game_display_move(const ply_rules *rules, const void *position, ply_move move,
                                   ply_move last, size_t notation, ply_text *out);
PLY_API void ply_game_draw(const ply_rules *rules, const void *position, ply_move last,
                           unsigned flags, ply_text *out);
PLY_API void ply_game_svg(const ply_rules *rules, const void *position, ply_move last,
                          unsigned flags, ply_text *out);

#ifdef __cplusplus
}
#endif
#endif
