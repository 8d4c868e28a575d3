/* SPDX-License-Identifier: MIT */
/*
 * record.h - game records: a tree of moves with comments and tags.
 *
 *     record -- tags       names and values, in file order
 *            -- start      text of the start position; NULL for the usual one
 *            -- nodes[0]   the root, which has no move
 *            |     `-- child -- child -- ...       the main variation: always the first child
 *            |           `-- sibling -- ...        other variations, in file order
 *            -- result
 *
 * Nodes refer to each other by index. Every move of a record is legal where it stands: readers play
 * the moves as they parse them. A format is a pair of functions, read and write; a game lists its
 * own formats, and `ply` (plain text) and `json` (write-only) are available for every game.
 *
 * Instead of a move a node may have a setup: a new position in the middle of the game, which some
 * formats allow. Use ply_record_enter to go from a node to its child; it handles both kinds.
 *
 * Ownership: a record owns everything in it, until ply_record_free; functions copy what they are
 * given. Functions that return PLY_NO_MEMORY leave it unchanged unless they say otherwise.
 *
 * Text: all strings of a record are UTF-8. Malformed bytes of the text that a function is given
 * become U+FFFD, the replacement character.
 *
 * Thread safety: a record may be used by one thread at a time, but functions that take a const record
 * may run on several threads at once. Functions about formats are safe from any thread.
 */
#ifndef PLYVERSE_RECORD_H
#define PLYVERSE_RECORD_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLY_NAG_LIMIT 6

typedef struct ply_record_node {
    ply_move move;    /* PLY_MOVE_NONE for the root and for a setup */
    uint32_t parent;  /* index; 0 is the root */
    uint32_t child;   /* first child; 0: none */
    uint32_t sibling; /* next variation; 0: none */
    int32_t millis;   /* time spent on the move, for the root on the ending; -1: unknown */
    char *comment;    /* after the move; NULL: none */
    char *setup;      /* text of the position set up in place of a move; NULL: none */
    uint8_t nag_count;
    uint8_t nags[PLY_NAG_LIMIT]; /* numeric annotation glyphs (NAGs) */
} ply_record_node;

typedef struct ply_record_tag {
    char *name, *value;
} ply_record_tag;

typedef struct ply_record {
    ply_rules rules; /* rules.game is NULL in an empty record */
    char *start;     /* text of the start position; NULL for the usual one */
    ply_record_tag *tags;
    size_t tag_count;
    ply_record_node *nodes; /* nodes[0] is the root */
    size_t node_count, node_capacity;
    ply_result result; /* PLY_ONGOING when unknown or unfinished */
    char *ending;      /* how it ended, such as "resign" or "no-move"; NULL: not stated */
} ply_record;

/* How the comments of a format state scores. */
typedef enum ply_score_style {
    PLY_SCORES_NONE, /* the format has no comments */
    PLY_SCORES_EVAL, /* [%eval 0.35] and [%eval #-5], as in PGN */
    PLY_SCORES_KIFU, /* #評価値=35 and #詰み=先手勝ち:5手, as shogi programs write them */
} ply_score_style;

struct ply_format {
    const char *id; /* as in `convert --to ID` */
    const char *name;
    const char *extension; /* of its files, without the dot */
    /*
     * Patterns to recognise a file by: one of them occurs in every file of the format. Ends with
     * NULL. In a pattern, ~ stands for the start of the text, ^ for the start and $ for the end of a
     * line, # for a digit, % for a hexadecimal digit, @ for an ASCII letter, ! for a byte beyond
     * ASCII, * for the characters other than white space before the next one that fits. NULL if it
     * cannot be read.
     */
    const char *const *signs;
    /*
     * Reads the next game at the cursor into an empty record. The record's rules are those the
     * caller requested; a format that states the rules overrides them. At the end of the text,
     * returns PLY_OK and sets *found to false. NULL: the format cannot be read.
     */
    ply_status (*read)(ply_cursor *cursor, ply_record *record, bool *found);
    /* Appends the record. Calling it repeatedly writes a file of several games. NULL: the format
     * cannot be written. */
    ply_status (*write)(const ply_record *record, ply_text *out, ply_error *error);
    /*
     * Moves the cursor from the beginning of a game that cannot be read to where the next one may
     * begin, or to the end of the text. NULL: that place cannot be found.
     */
    void (*skip)(ply_cursor *cursor);
    ply_score_style scores;
};

/* --- whole records -------------------------------------------------------------------------- */
/*
 * Makes *record, which is uninitialised, a record of a state: its start position, its moves and, if
 * the game is over, its result. The caller frees it. After a failure there is nothing to free.
 */
PLY_API ply_status ply_record_from_state(ply_record *record, const ply_state *state);
/*
 * Reads the first game of a text into *record, which is uninitialised; the caller frees it. format
 * is the id of a format, or NULL: ply_format_detect finds it. rules are those to assume where the
 * format states none. After a failure there is nothing to free, and error (may be NULL) says what is
 * wrong and where. PLY_UNSUPPORTED: the game has no such format, or it cannot be read.
 *
 * To read a file of several games, call the format's `read` until it finds no more.
 */
PLY_API ply_status ply_record_read(ply_record *record, const ply_rules *rules, const char *text,
                                   size_t length, const char *format, ply_error *error);
/*
 * Appends the record in the format with that id. Some formats are not UTF-8, such as KIF in Shift
 * JIS. PLY_UNSUPPORTED: the game has no such format, it cannot be written, or it cannot express the
 * record; error (may be NULL) says which.
 */
PLY_API ply_status ply_record_write(const ply_record *record, const char *format, ply_text *out,
                                    ply_error *error);

/* --- building and walking records ----------------------------------------------------------- */
/* Makes an empty record: a root and no moves. The record copies the rules. The caller frees it; after
 * a failure there is nothing to free. */
PLY_API ply_status ply_record_init(ply_record *record, const ply_rules *rules);
/* Frees what is in the record, which is then empty. NULL is a no-op. */
PLY_API void ply_record_free(ply_record *record);
/* Removes everything but the rules. */
PLY_API ply_status ply_record_clear(ply_record *record);
PLY_API ply_status ply_record_set_start(ply_record *record, const char *text, size_t length);
/* Sets a tag, replacing one of the same name. */
PLY_API ply_status ply_record_set_tag(ply_record *record, const char *name, size_t name_length,
                                      const char *value, size_t value_length);
/* The value of a tag, or NULL. Valid until the tag changes. */
PLY_API const char *ply_record_tag_value(const ply_record *record, const char *name);
/* Adds a move, legal at parent, as the last child of parent; *node is its index. */
PLY_API ply_status ply_record_add(ply_record *record, uint32_t parent, ply_move move,
                                  uint32_t *node);
/* Adds a setup as the last child of parent; the text must be a valid position. */
PLY_API ply_status ply_record_add_setup(ply_record *record, uint32_t parent, const char *text,
                                        size_t length, uint32_t *node);
/* Appends to a node's comment, separated by a space. */
PLY_API ply_status ply_record_add_comment(ply_record *record, uint32_t node, const char *text,
                                          size_t length);
/* The same, separated by a line break. */
PLY_API ply_status ply_record_add_comment_line(ply_record *record, uint32_t node, const char *text,
                                               size_t length);
/* Adds an annotation glyph. PLY_LIMIT when the node already has PLY_NAG_LIMIT of them. */
PLY_API ply_status ply_record_add_nag(ply_record *record, uint32_t node, uint8_t nag);
/* Sets the result and how the game ended; ending may be NULL. */
PLY_API ply_status ply_record_set_ending(ply_record *record, ply_result result, const char *ending);
/* Makes a state at the start of the record. After a failure there is nothing to free. */
PLY_API ply_status ply_record_start_state(const ply_record *record, ply_state *state,
                                          ply_error *error);
/* Moves a state from the node's parent to the node: plays the move, or sets up the position and
 * forgets the moves before it. */
PLY_API ply_status ply_record_enter(const ply_record *record, uint32_t node, ply_state *state,
                                    ply_error *error);
/* Makes a state at a node. After a failure there is nothing to free. */
PLY_API ply_status ply_record_state_at(const ply_record *record, uint32_t node, ply_state *state,
                                       ply_error *error);
/* Makes a state at the end of the main variation. After a failure there is nothing to free. */
PLY_API ply_status ply_record_final_state(const ply_record *record, ply_state *state,
                                          ply_error *error);

/*
 * Finds the score that a program has left in a comment, in any of the styles above or as ShogiGUI,
 * floodgate, Kishin Analytics and K-Shogi write it: for player 0, in hundredths, or a forced win as
 * in search.h. *depth gets the depth of the search if it is stated, else 0. Returns false, and
 * changes nothing, if there is none. comment may be NULL.
 */
PLY_API bool ply_comment_read_score(const char *comment, int32_t *score, int *depth);
/* Appends a score for player 0 in a style; depth 0 is not written. Nothing for PLY_SCORES_NONE. */
PLY_API void ply_comment_write_score(ply_score_style style, int32_t score, int depth,
                                     ply_text *out);

/* --- formats -------------------------------------------------------------------------------- */
/* Format number i of a game: its own first, then those of every game; NULL past the end. */
PLY_API const ply_format *ply_format_at(const ply_game *game, size_t i);
/* The format with that id, or NULL. */
PLY_API const ply_format *ply_format_find(const ply_game *game, const char *id);
/*
 * The format that a text is written in, or NULL if no format that can be read recognises it. Among
 * those that do, it is the one that reads the most moves from the first game, the earliest in the
 * list if several do; if none can read that game, the one that gets furthest, whose error says what
 * is wrong. rules are those to assume where the format states none.
 */
PLY_API const ply_format *ply_format_detect(const ply_rules *rules, const char *text,
                                            size_t length);

/* Whether a text has one of the signs of a format. A text without any is not a record in it. False
 * for NULL. To find the format of a text, call ply_format_detect. */
PLY_API bool ply_format_recognises(const ply_format *format, const char *text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
