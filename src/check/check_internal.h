/* SPDX-License-Identifier: MIT */
/*
 * check_internal.h - a proof being checked, and how its file is read (proof_reader.c); check.c walks the tree.
 *
 * Functions that answer bool say false when the proof is rejected: the first reason stays in the
 * checker, with the byte where it was met.
 */
#ifndef PLY_CHECK_CHECK_INTERNAL_H
#define PLY_CHECK_CHECK_INTERNAL_H

#include <plyverse/solve.h>

enum { WINDOW_BYTES = 1 << 16, MAX_TEXT = 1 << 16, MAX_DEPTH = 1 << 20 };
#define NO_LABEL UINT64_MAX

/* The letters of the format. */
enum { OP_LEAF = 0, OP_CHOOSE = 1, OP_ALL = 2, OP_REF = 3, OP_LABEL = 4, OP_ROWS = 5 };
enum { ITEM_END = 0, ITEM_MOVE = 1, ITEM_ELSE = 2 };

typedef enum frame_kind { FRAME_NEW, FRAME_CHOOSE, FRAME_ALL, FRAME_ELSE } frame_kind;

typedef struct frame {
    ply_move move;      /* that led here */
    uint64_t label;     /* of this node, or NO_LABEL */
    uint64_t else_from; /* where the node of `else` begins */
    size_t first;       /* of its moves on the stack; those left to cover reach to the next frame */
    uint32_t longest;   /* plies of the longest branch so far */
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
    uint64_t claimed_plies, label_total, table; /* from the tail */
    uint64_t labels_begun;
    unsigned else_depth;
    uint64_t nodes;
    size_t deepest;

    uint64_t at; /* the next byte */
    uint64_t window_from;
    size_t window_count;
    unsigned char *window;

    frame *frames;
    size_t depth, frame_capacity; /* frames in use: depth + 1 */
    ply_move *moves;
    size_t move_count, move_capacity;
    unsigned char *undo_stack;
    ply_text identity;
    char *text; /* MAX_TEXT */
    ply_error *error;
    ply_status status;
} checker;

/* Always false. */
bool ply_check_reject(checker *c, ply_status status, uint64_t offset, const char *message);
/* The same for what stands at the byte that comes next. */
bool ply_check_bad(checker *c, const char *message);
/* Whether the caller's patience is over; then the proof is rejected. */
bool ply_check_should_stop(checker *c);

bool ply_check_read_at(checker *c, uint64_t offset, void *bytes, size_t count);
bool ply_check_read_word(checker *c, uint64_t offset, uint64_t *value);
bool ply_check_take_byte(checker *c, unsigned *byte);
bool ply_check_take_varint(checker *c, uint64_t *value);
bool ply_check_take_word(checker *c, uint64_t *value);
/* A text into c->text, NUL-terminated; no NUL inside. */
bool ply_check_take_text(checker *c, size_t *length);
/* The row of a label: where it begins and how long its win is. */
bool ply_check_read_row(checker *c, uint64_t label, uint64_t *offset, uint64_t *plies);

/* The node `rows`, behind its letter; the attacker is to move and play is open (winning_sets.c). */
bool ply_check_take_rows(checker *c);

/* What stands around the tree: sizes and sum first, then game, rules, goal and position. */
bool ply_check_read_tail(checker *c);
bool ply_check_read_head(checker *c, const ply_game *game, ply_proof_summary *summary,
                         ply_text *position_text);

#endif
