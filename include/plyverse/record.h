/* SPDX-License-Identifier: MIT */
/*
 * record.h - a game record: a tree of moves with comments, and what is known about the game.
 *
 *     record -- tags       name and value, in the order of the file
 *            -- start      text of the position the game starts from, "" for the usual one
 *            -- nodes[0]   the root, which has no move; its first child begins the main line
 *                 |-- child -- child ...        main line: always the first child
 *                 `-- sibling ...               variations, in the order of the file
 *            -- result
 *
 * Nodes name each other by index, so a record can be copied by copying arrays. Every move in a
 * record is legal where it stands: readers replay as they read. Formats are tables of two
 * functions; a game lists its own, and `ply` (plain text) and `json` serve every game.
 *
 * A node may have a setup in place of a move: the board is changed by hand, as some formats allow
 * in the middle of a game. Whoever walks a record goes from node to node by ply_record_enter.
 */
#ifndef PLYVERSE_RECORD_H
#define PLYVERSE_RECORD_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLY_NAG_LIMIT 6

typedef struct ply_record_node {
    ply_move move;
    uint32_t parent;  /* index; 0 is the root */
    uint32_t child;   /* first child, 0 for none */
    uint32_t sibling; /* next variation, 0 for none */
    int32_t millis;   /* time spent on the move, -1 when unknown */
    char *comment;    /* after the move; NULL for none */
    char *setup;      /* text of a position put on the board, and then no move; NULL for none */
    uint8_t nag_count;
    uint8_t nags[PLY_NAG_LIMIT]; /* numeric annotation glyphs */
} ply_record_node;

typedef struct ply_record_tag {
    char *name, *value;
} ply_record_tag;

typedef struct ply_record {
    ply_rules rules; /* rules.game is NULL in an empty record */
    char *start;     /* NULL for the rules' own start position */
    ply_record_tag *tags;
    size_t tag_count;
    ply_record_node *nodes; /* nodes[0] is the root */
    size_t node_count, node_capacity;
    ply_result result; /* PLY_ONGOING when unknown or unfinished */
    char *ending;      /* how it ended, such as "resign" or "no-move"; NULL when not said */
} ply_record;

struct ply_format {
    const char *id; /* as in `convert --to ID` */
    const char *name;
    const char *extension; /* of its files, without the dot */
    /*
     * Reads the next game at the cursor into an empty record whose rules are the caller's wish
     * (a format that names its own rules overrides them). At the end of the text: PLY_OK, and
     * *found false. NULL: cannot be read.
     */
    ply_status (*read)(ply_cursor *cursor, ply_record *record, bool *found);
    /* Appends the record; several in a row make a file of several games. NULL: not written. */
    ply_status (*write)(const ply_record *record, ply_text *out, ply_error *error);
};

/* An empty record: a root and no moves. */
PLY_API ply_status ply_record_init(ply_record *record, const ply_rules *rules);
PLY_API void ply_record_free(ply_record *record);
/* Drops moves, tags and start; keeps the rules. */
PLY_API ply_status ply_record_clear(ply_record *record);
PLY_API ply_status ply_record_set_start(ply_record *record, const char *text, size_t length);
/* Sets a tag, over an older one of the same name. */
PLY_API ply_status ply_record_set_tag(ply_record *record, const char *name, size_t name_length,
                                      const char *value, size_t value_length);
/* The value of a tag, or NULL. */
PLY_API const char *ply_record_tag_value(const ply_record *record, const char *name);
/* Adds a move as the last child of parent; *node gets its index. */
PLY_API ply_status ply_record_add(ply_record *record, uint32_t parent, ply_move move,
                                  uint32_t *node);
/* Adds a setup as the last child of parent; the text must read as a position. */
PLY_API ply_status ply_record_add_setup(ply_record *record, uint32_t parent, const char *text,
                                        size_t length, uint32_t *node);
/* Appends to a node's comment, with a blank between. */
PLY_API ply_status ply_record_add_comment(ply_record *record, uint32_t node, const char *text,
                                          size_t length);
/* Adds a glyph; those past PLY_NAG_LIMIT are PLY_LIMIT. */
PLY_API ply_status ply_record_add_nag(ply_record *record, uint32_t node, uint8_t nag);
PLY_API ply_status ply_record_set_ending(ply_record *record, ply_result result, const char *ending);
/* A fresh state at the record's start. */
PLY_API ply_status ply_record_start_state(const ply_record *record, ply_state *state,
                                          ply_error *error);
/* From a node's parent to the node: plays its move, or sets its position up with no trail. */
PLY_API ply_status ply_record_enter(const ply_record *record, uint32_t node, ply_state *state,
                                    ply_error *error);
/* A fresh state at a node. */
PLY_API ply_status ply_record_state_at(const ply_record *record, uint32_t node, ply_state *state,
                                       ply_error *error);
/* A fresh state at the end of the main line. */
PLY_API ply_status ply_record_final_state(const ply_record *record, ply_state *state,
                                          ply_error *error);

/* Format number i of a game: its own first, then those that serve every game; NULL past the end. */
PLY_API const ply_format *ply_format_at(const ply_game *game, size_t i);
PLY_API const ply_format *ply_format_find(const ply_game *game, const char *id);

#ifdef __cplusplus
}
#endif
#endif
