/* SPDX-License-Identifier: MIT */
/*
 * tablebase.h - solved endings: building them, checking them, asking them.
 *
 * A table holds for every position of a class of material who wins, and in how many plies with
 * best play of both: the winner hurries, the loser delays. Distances are counted to the end of the
 * game, which is the position where the player to move cannot move. Draws by repetition and by
 * counting moves are not in the tables: what neither side can force to an end is a draw.
 *
 * Tables of one set of rules lie in one folder, DIR/GAME/RULES/CLASS.plt; docs/tables.md gives the
 * format to the byte. Files are read through memory maps and shared by all processes; every block
 * is checked by its sum when it is read.
 *
 * Where the library was built without zstd, these functions answer PLY_UNSUPPORTED.
 */
#ifndef PLYVERSE_TABLEBASE_H
#define PLYVERSE_TABLEBASE_H

#include <plyverse/progress.h>
#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the library can read and write tables at all, and whether the game has any. */
PLY_API bool ply_tablebase_available(const ply_rules *rules);

/* --- asking --------------------------------------------------------------------------------- */
typedef struct ply_tablebase ply_tablebase;

typedef enum ply_tablebase_result {
    PLY_TABLEBASE_DRAW,
    PLY_TABLEBASE_WIN, /* for the player to move */
    PLY_TABLEBASE_LOSS,
} ply_tablebase_result;

typedef struct ply_tablebase_value {
    ply_tablebase_result result;
    int plies; /* to the end of the game; 0 for a draw */
} ply_tablebase_value;

typedef struct ply_tablebase_move {
    ply_move move;
    bool known;
    ply_tablebase_value value; /* for the player who makes the move; plies count the move */
} ply_tablebase_move;

/*
 * Opens all tables of these rules below dir. rules must outlive the tables. memory_mb is for
 * blocks kept unpacked (0: 64). A file that is damaged or not one of ours fails the opening, with
 * its name and the reason in error. A folder without tables opens well and knows nothing.
 */
PLY_API ply_status ply_tablebase_open(const ply_rules *rules, const char *dir, size_t memory_mb,
                                      ply_tablebase **tables, ply_error *error);
PLY_API void ply_tablebase_close(ply_tablebase *tables);
/* How many tables there are, and the most pieces on the board that any of them has. */
PLY_API size_t ply_tablebase_count(const ply_tablebase *tables);
PLY_API unsigned ply_tablebase_pieces(const ply_tablebase *tables);
/*
 * Whether the folder has changed since it was opened, so that opening it again may find more: what
 * a program that runs for long asks, now and then. Costs one look at the folder.
 */
PLY_API bool ply_tablebase_changed(const ply_tablebase *tables);

/*
 * The value of a position; false when no table has it. Safe from several threads. A block that is
 * damaged answers false too; ply_tablebase_error then says what and where.
 */
PLY_API bool ply_tablebase_probe(ply_tablebase *tables, const void *position,
                                 ply_tablebase_value *value);
/*
 * The value of each legal move, in the order of game->moves; moves has room for rules->max_moves.
 * Returns how many.
 */
PLY_API size_t ply_tablebase_moves(ply_tablebase *tables, const void *position,
                                   ply_tablebase_move *moves);
/* Writes the members of a JSON object: the position's value and each move's; see docs/tables.md. */
PLY_API void ply_tablebase_json(ply_tablebase *tables, const void *position, ply_text *out);
/* "won in 23", "lost in 4", "drawn". */
PLY_API void ply_tablebase_value_text(ply_tablebase_value value, ply_text *out);
/* The first damage met while probing, if any. */
PLY_API bool ply_tablebase_error(ply_tablebase *tables, ply_error *error);

/* --- building and checking ------------------------------------------------------------------ */
/* How far the game's tables go unless told otherwise, as up_to below; NULL where there are none. */
PLY_API const char *ply_tablebase_default_reach(const ply_rules *rules);

typedef struct ply_tablebase_job {
    const char *dir;
    /*
     * How far: "N" for up to N pieces on the board, or "AvB" for up to that many on the two sides,
     * whichever has more.
     */
    const char *up_to;
    unsigned threads;       /* 0: 1 */
    size_t memory_mb;       /* what does not fit goes to files in dir; 0: no limit */
    unsigned checkpoint;    /* seconds between checkpoints; 0: 60; UINT_MAX: as often as can be */
    ply_progress *progress; /* may be NULL; units are positions */
    /* Told of each slice (a class and its partner) when it is done; may be NULL. */
    void (*listener)(void *context, const char *class_name, uint64_t positions, double seconds);
    void *context;
} ply_tablebase_job;

/*
 * Builds the tables that are missing. When stopped (PLY_STOPPED), killed, or out of disk (PLY_IO),
 * the same call later goes on where it was; the files are the same in the end, byte by byte, and
 * do not depend on the number of threads. Only one builder works in a folder at a time.
 */
PLY_API ply_status ply_tablebase_build(const ply_rules *rules, const ply_tablebase_job *job,
                                       ply_error *error);
/*
 * Checks every block's sum, derives every value again from those of the positions after each move,
 * and compares. PLY_BAD_POSITION: the values are wrong; PLY_IO: a file is missing or damaged.
 */
PLY_API ply_status ply_tablebase_verify(const ply_rules *rules, const ply_tablebase_job *job,
                                        ply_error *error);

typedef struct ply_tablebase_info {
    char name[40];                /* of the class */
    uint64_t slots;               /* values stored */
    uint64_t bytes;               /* of the file */
    uint64_t wins, losses, draws; /* positions, symmetric ones counted each */
    unsigned longest;             /* plies of the longest win or loss */
    char example[160];            /* a position with that distance */
} ply_tablebase_info;

/* What is in the folder, in the order of building; fails as ply_tablebase_open does. */
PLY_API ply_status ply_tablebase_list(const ply_rules *rules, const char *dir,
                                      ply_tablebase_info **list, size_t *count, ply_error *error);

#ifdef __cplusplus
}
#endif
#endif
