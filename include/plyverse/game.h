/*
 * game.h - the one interface behind which every game stands.
 *
 * A game is a const struct of functions, found by id. Its rules in force (ply_rules) are a variant
 * plus options; they are made once and shared by all threads. A position is a block of
 * rules->position_bytes bytes whose meaning only the game knows: callers allocate it, games never
 * do (but for what a game's `copy` and `clear` manage). Playing a move writes a record of
 * rules->record_bytes bytes into memory of the caller's; undo takes it back. The row of records
 * from the start of the game is the trail, which the end-of-game rules read to see repetitions.
 *
 *     ply_rules                 which game, variant and options; sizes
 *        |
 *     position  --play(move)--> position'       record[k] is written, trail grows
 *     position  <--undo(move)-- position'       record[k] is read; every byte is as before
 *
 * Workload: moves, count, play and undo are called hundreds of millions of times; they allocate
 * nothing and check nothing. Text functions are called by people; they check everything.
 *
 * Functions marked optional may be NULL. ply_game_* below calls them or, when they are missing,
 * a generic default that gives the same answer; the conformance tests compare the two.
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
static inline ply_outcome ply_outcome_win(int player, const char *reason)
{
    ply_outcome outcome = {player == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS, reason};
    return outcome;
}

typedef struct ply_game ply_game;

/* A rule that can be set: a whole number from low to high, or one of a list of names. */
typedef struct ply_option {
    const char *name;
    const char *help;
    int32_t low, high;        /* with names: 0 and the number of names less one */
    const char *const *names; /* NULL for numbers */
    int32_t fallback;         /* the value where a variant does not say */
} ply_option;

#define PLY_OPTION_LIMIT 16

typedef struct ply_setting {
    const char *name; /* an option's name */
    int32_t value;
} ply_setting;

/* A named set of rules. settings ends with {NULL, 0}; NULL means all fallbacks. */
typedef struct ply_variant {
    const char *id;
    const char *name;
    const ply_setting *settings;
    const void *data; /* the game's own, such as a start position */
} ply_variant;

/* A way of opening that people agree on before the game, such as swap2. */
typedef struct ply_opening_rule {
    const char *id, *name, *help;
} ply_opening_rule;

/* Rules in force. Made by ply_rules_make; read-only after that; safe to share between threads. */
typedef struct ply_rules {
    const ply_game *game;
    const ply_variant *variant;
    int32_t option[PLY_OPTION_LIMIT]; /* in the order of game->options */
    /* Set by the game's setup: */
    size_t position_bytes;   /* a multiple of 8 */
    size_t record_bytes;     /* a multiple of 8; may be 0 */
    size_t max_moves;        /* no position has more legal moves */
    size_t max_predecessors; /* 0 when the game has none to offer */
    uint32_t symmetries;     /* images of a position with the same value, the identity included */
    uint32_t actions;        /* size of the action numbering; 0: none */
    uint16_t planes, plane_height, plane_width; /* shape of observe; 0: none */
} ply_rules;

/* Room for the text of any one move, the NUL included. */
#define PLY_MOVE_TEXT 128

enum ply_draw_flags {
    PLY_DRAW_COLOUR = 1, /* ANSI colours */
    PLY_DRAW_ASCII = 2,  /* no characters beyond ASCII */
};

/* What a game declares about itself so that the search can be bolder. */
enum ply_search_trait {
    PLY_TRAIT_REDUCTIONS = 1,   /* late quiet moves are rarely best: search them less deep first */
    PLY_TRAIT_NOISY_FORCED = 2, /* where there is a noisy move, no other is legal */
    PLY_TRAIT_FUTILITY = 4,     /* a quiet move rarely changes the evaluation by much */
    PLY_TRAIT_PASS = 8,         /* having to move is rarely a burden: try what passing would give */
    PLY_TRAIT_LATE = 16,        /* moves are many and in good order: leave out the late quiet ones
                                   near the leaves, and those whose exchange loses */
};

/*
 * A term of an evaluation that is a sum: weight number `index` counts `count` / PLY_TERM_ONE times,
 * with its sign as the player to move sees it. A weight that fades with the phase of the game has
 * counts that are no multiples of PLY_TERM_ONE.
 */
#define PLY_TERM_ONE 256
typedef struct ply_term {
    uint32_t index;
    int32_t count;
} ply_term;

#define PLY_CANDIDATE_NOISY (1 << 16)

/* A way to read or write whole game records; declared in record.h. */
typedef struct ply_format ply_format;
/* Something a player can try to force; declared in solve.h. */
typedef struct ply_goal ply_goal;

/* What the builder of tables asks of a game; declared in src/model/retrograde.h. */
typedef struct ply_retro ply_retro;

/* Which turns a search by turns wants to see. */
typedef struct ply_turn_wish {
    size_t most;                    /* no more than these, the most promising */
    bool noisy;                     /* only such as change material */
    bool (*stopped)(void *context); /* asked every millisecond or so: true ends it */
    bool (*visit)(void *context, const ply_move *moves, size_t count, int32_t score);
    void *context;
} ply_turn_wish;

struct ply_game {
    const char *id;
    const char *name;
    const char *summary; /* one line */
    const char *player_names[2];
    const ply_option *options;
    size_t option_count;
    const ply_variant *variants; /* the first is the default */
    size_t variant_count;
    const char *const
        *perft_modes;        /* ways to count, the default first, NULL at the end; NULL: one */
    bool perft_counts_turns; /* a ply of perft is a turn of several moves, not one move */
    int perft_plies; /* so many plies the game's own perft takes quickly in one call; 0: 4 */
    const ply_format *formats; /* record formats of the game's own; may be NULL */
    size_t format_count;
    const ply_goal *goals; /* what can be solved for, the default first; may be NULL */
    size_t goal_count;

    /* Checks the options together and fills in the sizes. */
    ply_status (*setup)(ply_rules *rules, ply_error *error);

    /* --- positions -------------------------------------------------------------------------- */
    /* Writes the start position over uninitialised bytes. */
    ply_status (*start)(const ply_rules *rules, void *position);
    /*
     * Reads a position over uninitialised bytes. Reads the whole position and nothing more; the
     * caller sees to what follows. On failure the bytes hold nothing that needs clear.
     */
    ply_status (*parse)(const ply_rules *rules, void *position, ply_cursor *cursor);
    void (*format)(const ply_rules *rules, const void *position, ply_text *out);
    /* Optional, for positions that own something: bytes are plain without them. */
    ply_status (*copy)(const ply_rules *rules, void *to, const void *from);
    void (*clear)(const ply_rules *rules, void *position);

    /* --- moves ------------------------------------------------------------------------------ */
    /* Writes all legal moves, at most rules->max_moves, each once; returns how many. */
    size_t (*moves)(const ply_rules *rules, const void *position, ply_move *out);
    /* Optional: how many legal moves. Default: the length of the list. */
    size_t (*count)(const ply_rules *rules, const void *position);
    /* Optional: move number k of the list, k < count. Default: from the list. */
    ply_move (*nth)(const ply_rules *rules, const void *position, size_t k);
    /*
     * Plays a legal move and writes the record, which owns nothing: what a position owns, it owns
     * with or without its trail. PLY_LIMIT or PLY_NO_MEMORY leave all as it was.
     */
    ply_status (*play)(const ply_rules *rules, void *position, ply_move move, void *record);
    /* Takes back the move played last, with the record it wrote. */
    void (*undo)(const ply_rules *rules, void *position, ply_move move, const void *record);
    /* Who moves: 0 or 1. The same player may move several times in a row. */
    int (*side)(const ply_rules *rules, const void *position);
    /* Whether the game is over. records: the trail, oldest first; plies of them. */
    ply_outcome (*outcome)(const ply_rules *rules, const void *position, const void *records,
                           size_t plies);
    /*
     * Optional: the same where the position has a legal move, without looking for one; where it
     * has none, anything. What search asks at every node. Default: outcome.
     */
    ply_outcome (*verdict)(const ply_rules *rules, const void *position, const void *records,
                           size_t plies);
    /*
     * Optional: what search takes a position for that stood on the board before in the trail: the
     * end that going on so would bring. Default: a draw.
     */
    ply_outcome (*repeated)(const ply_rules *rules, const void *position, const void *records,
                            size_t plies);
    /* A 64-bit key kept by play and undo; equal positions have equal keys. */
    uint64_t (*hash)(const ply_rules *rules, const void *position);
    /* The same key computed from nothing: the test of the one above. */
    uint64_t (*rehash)(const ply_rules *rules, const void *position);
    void (*format_move)(const ply_rules *rules, const void *position, ply_move move, ply_text *out);
    /* Reads a move that is legal in the position; fails with the reason and the place. */
    ply_status (*parse_move)(const ply_rules *rules, const void *position, ply_cursor *cursor,
                             ply_move *move);

    /* --- walking (optional) ----------------------------------------------------------------- */
    /* Leaves at depth >= 1 on one thread, counted in perft_modes[mode]; leaves position as it is.
     */
    uint64_t (*perft)(const ply_rules *rules, void *position, int depth, int mode);
    /* How often perft_modes[mode] counts this move. Default: once. */
    uint64_t (*weight)(const ply_rules *rules, const void *position, ply_move move, int mode);
    /*
     * For games whose perft counts turns: calls visit with the moves of each legal turn, counted in
     * perft_modes[mode], until it says false. The moves are in playing order and end the turn.
     */
    ply_status (*turns)(const ply_rules *rules, const void *position, int mode,
                        bool (*visit)(void *context, const ply_move *moves, size_t count),
                        void *context);
    /*
     * Plays random moves from position, each legal move equally likely, until the game ends or
     * max_plies have been played; returns how many. Position is left as it fell. Default: count,
     * nth and outcome.
     */
    size_t (*playout)(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                      ply_outcome *outcome);

    /* --- playing well (optional) ------------------------------------------------------------ */
    unsigned search_traits; /* PLY_TRAIT_*: what the search may count on */
    /* How good the position is for the player to move, in hundredths of the smallest piece. */
    int32_t (*evaluate)(const ply_rules *rules, const void *position);
    /*
     * For tuning: the evaluation taken apart. Writes at most max_terms terms and returns how many;
     * evaluate is the sum of weights[index] * count over them, divided by PLY_TERM_ONE and rounded
     * towards zero. The weights are the game's own table, written by tools/tune.
     */
    size_t weight_count, max_terms;
    const int16_t *weights;
    const char *const *weight_names; /* one a weight; may be NULL */
    size_t (*terms)(const ply_rules *rules, const void *position, ply_term *out);
    /* Larger is better tried first. Default: all 0. */
    void (*order)(const ply_rules *rules, const void *position, const ply_move *moves, size_t count,
                  int32_t *scores);
    /*
     * The moves that a search should try in place of all legal ones, with their scores as order
     * would give them: never none where there is a legal move, each legal and named once, the same
     * for the same position. What is left out loses at once or is rarely any good. A score of
     * PLY_CANDIDATE_NOISY or more marks a noisy move. Default: moves and order.
     */
    size_t (*candidates)(const ply_rules *rules, const void *position, ply_move *out,
                         int32_t *scores);
    /*
     * A forced win of the player to move that the game can prove in a short time: its first move,
     * and in how many plies the game ends at most; PLY_MOVE_NONE when it finds none. effort grows
     * with what is at stake: 0 at the leaves. The positions looked at are added to *nodes. A game
     * that has this needs no noisy moves.
     */
    ply_move (*forced)(const ply_rules *rules, const void *position, int effort, int *plies,
                       uint64_t *nodes);
    /* Whether the player to move must answer a threat, such as a check. Default: never. */
    bool (*threatened)(const ply_rules *rules, const void *position);
    /* Lets the other player move; undo takes it back as PLY_MOVE_NONE. With PLY_TRAIT_PASS. */
    void (*pass)(const ply_rules *rules, void *position, void *record);
    /* What a noisy move wins or loses when all exchange on its square. Default: 0. */
    int32_t (*exchange)(const ply_rules *rules, const void *position, ply_move move);
    /* Whether a move changes material or the like. Default: no move does. */
    bool (*is_noisy)(const ply_rules *rules, const void *position, ply_move move);
    /* All noisy moves. Default: moves filtered by is_noisy. */
    size_t (*noisy)(const ply_rules *rules, const void *position, ply_move *out);

    /*
     * For games by turns: calls wish->visit with promising legal turns of the position, each with a
     * first judgement of it (larger is better; in no order). Where there is a legal turn it finds
     * one, unless only noisy ones are wanted. *complete: no legal turn was left out. visit may play
     * on the position if it takes everything back.
     */
    ply_status (*good_turns)(const ply_rules *rules, const void *position,
                             const ply_turn_wish *wish, bool *complete);

    /* --- solving (optional) ----------------------------------------------------------------- */
    /* Image number i < rules->symmetries; 0 is the position itself. All have the same value. */
    void (*image)(const ply_rules *rules, const void *position, uint32_t i, void *out);
    /* One chosen image, the same for all images. Default: the one with the smallest key. */
    void (*canonical)(const ply_rules *rules, const void *position, void *out);
    /* Positions numbered without gaps within classes of equal material. */
    size_t (*class_count)(const ply_rules *rules);
    uint64_t (*class_size)(const ply_rules *rules, size_t class_index);
    void (*class_name)(const ply_rules *rules, size_t class_index, ply_text *out);
    ply_status (*rank)(const ply_rules *rules, const void *position, size_t *class_index,
                       uint64_t *number);
    ply_status (*unrank)(const ply_rules *rules, size_t class_index, uint64_t number,
                         void *position);
    /* Writes all positions from which a legal move leads here, each once; returns how many. */
    size_t (*predecessors)(const ply_rules *rules, const void *position, void *out);
    /* Fast numbering and moves back and forth, for solved tables. Without it there are none. */
    const ply_retro *(*retro)(const ply_rules *rules);

    /* --- openings (optional): named ones, and decks to draw from ------------------------------ */
    size_t (*opening_count)(const ply_rules *rules);
    /*
     * Appends the name of opening i ("" for none), the text of the position it starts from ("" for
     * the usual one) and its moves, parted by blanks; those that should not be drawn say so in
     * their name. PLY_LIMIT when there is no such opening.
     */
    ply_status (*opening)(const ply_rules *rules, size_t i, ply_text *name, ply_text *position,
                          ply_text *moves);
    /* Ways of opening with acts of their own, such as swap2; ends with {0}. NULL: none. */
    const ply_opening_rule *opening_rules;

    /* --- learning (optional) ---------------------------------------------------------------- */
    /* planes x plane_height x plane_width bytes, seen by the player to move. */
    void (*observe)(const ply_rules *rules, const void *position, uint8_t *out);
    /* The number of a legal move, below rules->actions, and back (PLY_MOVE_NONE if not legal). */
    uint32_t (*action)(const ply_rules *rules, const void *position, ply_move move);
    ply_move (*action_move)(const ply_rules *rules, const void *position, uint32_t action);

    /* --- looking (optional) ----------------------------------------------------------------- */
    /* A board for a terminal; last is the move just played or PLY_MOVE_NONE. Default: format. */
    void (*draw)(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                 ply_text *out);
    /* The members of a JSON object that the page draws from, without the braces. */
    void (*json)(const ply_rules *rules, const void *position, ply_text *out);
    /* Lines about the position beyond its moves, such as forbidden points; "" for none. */
    void (*notes)(const ply_rules *rules, const void *position, ply_text *out);
    /* The name of player 0 or 1 where it depends on the variant. Default: player_names. */
    const char *(*player_name)(const ply_rules *rules, int player);
    /* A move as people write it, such as ７六歩; last is the move before it or PLY_MOVE_NONE.
     * Default: format_move. */
    void (*say_move)(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                     ply_text *out);
};

/* --- the registry --------------------------------------------------------------------------- */
PLY_API size_t ply_game_count(void);
/* Game number i, or NULL. */
PLY_API const ply_game *ply_game_at(size_t i);
/* The game of that id, or NULL. */
PLY_API const ply_game *ply_game_find(const char *id);

/*
 * Makes rules from text: NAME, NAME:option=value,option=value or :option=value; "" or NULL is the
 * default variant. On failure error (may be NULL) says what and where.
 */
PLY_API ply_status ply_rules_make(ply_rules *rules, const ply_game *game, const char *variant,
                                  ply_error *error);
/* The text that makes these rules again: only options that differ from the variant's are named. */
PLY_API void ply_rules_format(const ply_rules *rules, ply_text *out);
/* What the variant alone gives option number i. */
PLY_API int32_t ply_variant_option(const ply_game *game, const ply_variant *variant, size_t i);

/* --- calls with defaults -------------------------------------------------------------------- */
/*
 * None of these allocates. Where a default needs a list of moves it is on the stack, so a game with
 * more than PLY_STACK_MOVES moves in a position brings its own count and nth.
 */
#define PLY_STACK_MOVES 2048
PLY_API size_t ply_game_count_moves(const ply_rules *rules, const void *position);
PLY_API ply_move ply_game_nth_move(const ply_rules *rules, const void *position, size_t k);
PLY_API ply_status ply_game_copy(const ply_rules *rules, void *to, const void *from);
PLY_API void ply_game_clear(const ply_rules *rules, void *position);
PLY_API ply_outcome ply_game_verdict(const ply_rules *rules, const void *position,
                                     const void *records, size_t plies);
PLY_API int32_t ply_game_evaluate(const ply_rules *rules, const void *position);
PLY_API void ply_game_order(const ply_rules *rules, const void *position, const ply_move *moves,
                            size_t count, int32_t *scores);
PLY_API bool ply_game_is_noisy(const ply_rules *rules, const void *position, ply_move move);
PLY_API size_t ply_game_noisy(const ply_rules *rules, const void *position, ply_move *out);
/* out and scratch: rules->position_bytes each. */
PLY_API void ply_game_canonical(const ply_rules *rules, const void *position, void *out,
                                void *scratch);
PLY_API const char *ply_game_player_name(const ply_rules *rules, int player);
PLY_API void ply_game_say_move(const ply_rules *rules, const void *position, ply_move move,
                               ply_move last, ply_text *out);
PLY_API void ply_game_draw(const ply_rules *rules, const void *position, ply_move last,
                           unsigned flags, ply_text *out);

#ifdef __cplusplus
}
#endif
#endif
