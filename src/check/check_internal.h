/* SPDX-License-Identifier: MIT */
/*
 * check_internal.h - the checker, shared by check.c (the tree), proof_reader.c (the file) and
 * winning_sets.c (one kind of node).
 *
 * Functions that return bool return false when the proof is rejected. The checker keeps the first
 * reason and the byte at which it occurred.
 */
#ifndef PLY_CHECK_CHECK_INTERNAL_H
#define PLY_CHECK_CHECK_INTERNAL_H

#include <plyverse/solve.h>

enum {
    WINDOW_BYTES = 1 << 16,
    MAX_TEXT = 1 << 16,
    MAX_DEPTH = 1 << 20,
    MAX_TEST_NODES = 1000000, /* of one test whether the goal allows a move */
};
#define NO_LABEL UINT64_MAX

/* The first byte of a node, and of an item of `all`. */
enum { OP_LEAF = 0, OP_CHOOSE = 1, OP_ALL = 2, OP_REF = 3, OP_LABEL = 4, OP_WINNING_SETS = 5 };
enum { ITEM_END = 0, ITEM_MOVE = 1, ITEM_ELSE = 2 };

typedef enum frame_kind { FRAME_NEW, FRAME_CHOOSE, FRAME_ALL, FRAME_ELSE } frame_kind;

typedef struct frame {
    ply_move move;        /* that led here */
    uint64_t label;       /* of this node, or NO_LABEL */
    uint64_t else_offset; /* where the node of `else` begins */
    size_t first;         /* index of its first move on the stack */
    uint32_t longest;     /* plies of the longest branch so far */
    frame_kind kind;
} frame;

typedef struct checker {
    const ply_proof_source *source;
    const volatile bool *stop;
    uint64_t max_nodes;
    ply_rules rules;
    const ply_goal *goal;
    void *position;
    bool has_position;
    int attacker, chooser;
    bool win;
    uint64_t claimed_plies, label_total, label_table; /* from the end of the file */
    uint64_t labels_begun;
    unsigned else_depth;
    uint64_t nodes;
    size_t deepest;

    uint64_t at;            /* offset of the next byte */
    uint64_t window_offset; /* the part of the file in memory */
    size_t window_bytes;
    unsigned char *window;

    frame *frames;
    size_t depth, frame_capacity; /* frames in use: depth + 1 */
    ply_move *moves;
    size_t move_count, move_capacity;
    unsigned char *undo_stack;
    ply_text identity;
    char *text; /* the last text read; MAX_TEXT bytes */
    ply_error *error;
    ply_status status;
} checker;

/* Rejects the proof at a byte. Returns false. */
bool ply_check_reject(checker *c, ply_status status, uint64_t offset, const char *message);
/* Rejects the proof as malformed at the next byte. Returns false. */
bool ply_check_bad(checker *c, const char *message);
/* Whether a limit was reached or the caller stopped the check; the proof is then rejected. */
bool ply_check_should_stop(checker *c);

/* Read at an offset. */
bool ply_check_read_at(checker *c, uint64_t offset, void *bytes, size_t count);
bool ply_check_read_word(checker *c, uint64_t offset, uint64_t *value);
/* Read at c->at and advance. */
bool ply_check_take_byte(checker *c, unsigned *byte);
bool ply_check_take_varint(checker *c, uint64_t *value);
bool ply_check_take_word(checker *c, uint64_t *value);
/* Reads a text into c->text and terminates it; it contains no NUL. */
bool ply_check_take_text(checker *c, size_t *length);
/* Reads a label's entry in the label table: the offset of its node and the length of its win. */
bool ply_check_read_label(checker *c, uint64_t label, uint64_t *offset, uint64_t *plies);

/* Checks a winning-sets node after its first byte. The attacker is to move in an open position. */
bool ply_check_take_winning_sets(checker *c);

/* Verifies the magic and the checksum, and reads the end of the file. Call first. */
bool ply_check_read_tail(checker *c);
/* Reads the header: rules, goal, attacker, verdict and position. */
bool ply_check_read_header(checker *c, const ply_game *game, ply_proof_summary *summary,
                           ply_text *position_text);

#endif
