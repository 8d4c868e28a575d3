/* SPDX-License-Identifier: MIT */
/*
 * retrograde.h - what a game provides for building endgame tablebases (src/tablebase).
 *
 * This is the fast counterpart of rank, unrank and predecessors in game.h: the same classes, but
 * positions are numbered up to symmetry and moves are made directly on the numbers.
 *
 * A class holds all positions of equal material; classes are those of rules->indexing->class_count.
 * A slot is one index within a class:
 *
 *     63                  40 39                                     0
 *    +----------------------+----------------------------------------+
 *    | class                | number within the class                |
 *    +----------------------+----------------------------------------+
 *
 * Symmetric positions share a slot. The numbering may have holes: slots that stand for no position
 * because all of their positions belong to another slot. No function below ever returns a hole.
 *
 * A move that changes no material leads from a class to its partner, in which the other player is
 * to move. A class and its partner form a slice; the builder solves one slice at a time. All other
 * moves (captures, promotions) leave the slice and lead to classes of lower order.
 *
 * Workload: exits, successors and predecessors are called for billions of slots; the rest is called
 * once per class or once per probe. All functions are thread-safe except open, prepare_class and
 * close. Every slot passed in must belong to a class that has been prepared.
 */
#ifndef PLY_MODEL_RETROGRADE_H
#define PLY_MODEL_RETROGRADE_H

#include <plyverse/game.h>

typedef uint64_t ply_slot;
enum { PLY_SLOT_BITS = 40 };
/* The player to move has no piece left: a loss, stored in no tablebase. */
#define PLY_SLOT_NO_PIECES UINT64_MAX
/* Returned by exits for a slot that is a hole. */
#define PLY_SLOT_HOLE SIZE_MAX
/* class_exits lists at most this many classes. */
enum { PLY_CLASS_EXITS = 512 };

PLY_HD ply_slot ply_slot_make(size_t class_index, uint64_t number)
{
    return (ply_slot)class_index << PLY_SLOT_BITS | number;
}

PLY_HD size_t ply_slot_class(ply_slot slot)
{
    return (size_t)(slot >> PLY_SLOT_BITS);
}

PLY_HD uint64_t ply_slot_number(ply_slot slot)
{
    return slot & (((uint64_t)1 << PLY_SLOT_BITS) - 1);
}

/*
 * Optional: the same for games whose quiet moves change nothing but the set of squares of the
 * player who moves. Then a class has a second numbering, by rows:
 *
 *     cell x of a class = the position of slot x of its partner, with the players exchanged
 *
 * A row holds the positions with one enemy set (up to symmetry), and each column one own set. Row r
 * of the cells and row r of the partner's slots belong to the same set. So all quiet moves of the
 * cells of a row lead to the slots of that row, and all captures to a few rows of another class.
 * That keeps the work on a row within a cache, and needs one exchange of rows and columns for each
 * value, where slots need one random access for each move.
 *
 * There are no holes: if a symmetry fixes the row's set, several columns stand for one position, and
 * all of them count.
 *
 * A place is row << 32 | column. The functions work on lists of columns of one row; a row is set up
 * by open in row_bytes bytes of memory. Thread-safe, each thread with its own row.
 */
typedef struct ply_retrograde_rows {
    size_t row_bytes;
    size_t max_exits, max_predecessors; /* of a cell */
    size_t max_exit_rows;
    size_t max_images; /* places that stand for one position */
    /* The number of columns of the cells of a class. */
    uint32_t (*columns)(const void *workspace, size_t class_index);
    void (*open)(const void *workspace, size_t class_index, uint64_t row_number, void *row);
    /* The number of positions that a column stands for when symmetric ones count separately. */
    unsigned (*weight)(const void *row);
    /* The rows of the class after a capture that the row's cells lead to; returns the number. */
    size_t (*exit_rows)(const void *row, uint64_t *out);
    /*
     * For `count` columns from `first`: the number of moves inside the slice and of those that leave
     * it, by column, and the latter: number of the exit row << 32 | column there, which is no hole,
     * or PLY_SLOT_NO_PIECES.
     */
    void (*exits)(const void *row, uint32_t first, size_t count, uint8_t *inner_moves,
                  uint8_t *exit_counts, uint64_t *out);
    /* The columns of the cells that have a move to one of the slots given by their columns in this
     * row, once per move; returns the number. */
    size_t (*predecessors)(const void *row, const uint32_t *columns, size_t count, uint32_t *out);
    /* The place of each cell among the slots of its class, if that has several, one of them. */
    void (*slots)(const void *row, const uint32_t *columns, size_t count, uint64_t *out);
    /* All of those places; returns the number. */
    size_t (*all_slots)(const void *row, const uint32_t *columns, size_t count, uint64_t *out);
    /*
     * For `count` columns from `first`: the slot of each cell, the number of its legal moves, and the
     * slot after each of them. For the verifier: it shares no code with exits and predecessors.
     */
    void (*successors)(const void *row, uint32_t first, size_t count, ply_slot *cells,
                       uint8_t *counts, ply_slot *out);
} ply_retrograde_rows;

struct ply_retrograde {
    /* The default size of the tablebase, as ply_tablebase_job.up_to: built within seconds. */
    const char *default_up_to;
    size_t max_successors, max_predecessors;

    /* --- classes ---------------------------------------------------------------------------- */
    /* Names the rules as far as the tablebase depends on them; fit for a file name. */
    void (*rules_name)(const ply_rules *rules, ply_text *out);
    /* The number of pieces of the player to move and of the opponent. */
    void (*class_pieces)(size_t class_index, unsigned *own, unsigned *enemy);
    /* Classes are solved in ascending order. */
    uint32_t (*class_order)(size_t class_index);
    /* The other class of the slice; a class may be its own partner. */
    size_t (*class_partner)(size_t class_index);
    /* Lists the classes that moves out of the slice lead to; returns the number. */
    size_t (*class_exits)(size_t class_index, size_t *out);

    /* --- workspace -------------------------------------------------------------------------- */
    /* Allocates the lookup tables that the functions below use. NULL when out of memory. */
    void *(*open)(const ply_rules *rules);
    void (*close)(void *workspace);
    /* Sets up a class. PLY_LIMIT when it is too large, or PLY_NO_MEMORY. */
    ply_status (*prepare_class)(void *workspace, size_t class_index);
    /* The number of slots of a prepared class, holes included. */
    uint64_t (*slot_count)(const void *workspace, size_t class_index);

    /* --- positions -------------------------------------------------------------------------- */
    /* The class of a position; cheap, and works for classes that are not prepared. */
    size_t (*class_of)(const void *position);
    ply_slot (*slot_of)(const void *workspace, const void *position);
    /* Writes one of the positions of a slot. */
    void (*position_of)(const void *workspace, ply_slot slot, void *position);
    /* The number of positions a slot stands for when symmetric ones count separately; 0: a hole. */
    unsigned (*orbit_size)(const void *workspace, ply_slot slot);

    /* --- moves ------------------------------------------------------------------------------ */
    /* Lists the slot after each legal move, once per move; returns the number. */
    size_t (*successors)(const void *workspace, ply_slot slot, ply_slot *out);
    /*
     * Lists the successors outside the slice and sets *inner_moves to the number of moves that stay
     * inside. Returns the number listed, or PLY_SLOT_HOLE.
     */
    size_t (*exits)(const void *workspace, ply_slot slot, ply_slot *out, unsigned *inner_moves);
    /*
     * Lists the slots inside the slice that have a move to this one, once per move; returns the
     * number. Over a whole slice, a slot is listed exactly inner_moves times.
     */
    size_t (*predecessors)(const void *workspace, ply_slot slot, ply_slot *out);

    const ply_retrograde_rows *rows; /* NULL: the game has no rows */
};

#endif
