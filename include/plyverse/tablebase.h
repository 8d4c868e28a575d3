/* SPDX-License-Identifier: MIT */
/*
 * tablebase.h - endgame tablebases: probing, building and verifying them.
 *
 * A tablebase file holds the exact value of every position of a class of equal material: win, loss
 * or draw for the player to move, and the number of plies to the end of the game with best play by
 * both sides (the winner hurries, the loser delays). The game ends when the player to move cannot
 * move. Draws by repetition or by move limits depend on the game so far and are not stored: a
 * position is a draw if neither side can force the end.
 *
 * The files of one set of rules are in one folder, DIR/GAME/RULES/CLASS.plt. docs/tablebases.md
 * specifies the format to the byte. Files are memory-mapped, so processes share them. Each block
 * is checked against its checksum when it is read.
 *
 * Thread safety: any number of threads may use a tablebase at a time, except while it is closed.
 * Building and verifying run threads of their own; several calls are independent but for the lock of
 * the folder.
 *
 * In a library built without zstd and xxHash, ply_tablebase_available returns false and the other
 * functions fail with PLY_UNSUPPORTED or find nothing.
 */
#ifndef PLYVERSE_TABLEBASE_H
#define PLYVERSE_TABLEBASE_H

#include <plyverse/device.h>
#include <plyverse/progress.h>
#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the library supports tablebases and the game has them. */
PLY_API bool ply_tablebase_available(const ply_rules *rules);

/* --- probing -------------------------------------------------------------------------------- */
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
    ply_tablebase_value value; /* for the player who makes the move; plies include the move */
} ply_tablebase_move;

/*
 * Opens all tablebase files of these rules below dir. memory_mb limits the cache of decompressed
 * blocks (0: 64). rules must outlive the tablebase. A missing or empty folder opens; probes then
 * find nothing. A damaged or foreign .plt file is an error, and `error` names it and gives the
 * reason. On failure *tablebase is NULL.
 */
PLY_API ply_status ply_tablebase_open(const ply_rules *rules, const char *dir, size_t memory_mb,
                                      ply_tablebase **tablebase, ply_error *error);
/* Frees the tablebase. NULL is a no-op. */
PLY_API void ply_tablebase_close(ply_tablebase *tablebase);
/* The number of files. */
PLY_API size_t ply_tablebase_count(const ply_tablebase *tablebase);
/* The largest number of pieces on the board in any of the files; 0 when there is none. */
PLY_API unsigned ply_tablebase_pieces(const ply_tablebase *tablebase);
/*
 * Whether the folder has changed since it was opened, so that opening it again may find more.
 * Long-running programs can poll this: it costs one stat call.
 */
PLY_API bool ply_tablebase_changed(const ply_tablebase *tablebase);

/*
 * Looks up the value of a position. Returns false when no file covers it, or when its block is
 * damaged; ply_tablebase_error tells the two apart. Thread-safe.
 */
PLY_API bool ply_tablebase_probe(ply_tablebase *tablebase, const void *position,
                                 ply_tablebase_value *value);
/*
 * Looks up the value of each legal move, in the order of game->moves. `moves` must have room for
 * rules->max_moves entries. Returns the number of moves; 0, with ply_tablebase_error, when memory
 * runs out. Thread-safe.
 */
PLY_API size_t ply_tablebase_moves(ply_tablebase *tablebase, const void *position,
                                   ply_tablebase_move *moves);
/*
 * Writes the members of a JSON object: the value of the position and of each move. The members are
 * listed in docs/tablebases.md.
 */
PLY_API void ply_tablebase_json(ply_tablebase *tablebase, const void *position, ply_text *out);
/* Writes "won in 23", "lost in 4" or "drawn". */
PLY_API void ply_tablebase_value_text(ply_tablebase_value value, ply_text *out);
/*
 * Whether a probe has met a damaged block or run out of memory since the tablebase was opened.
 * Copies the first such error to *error (may be NULL). Thread-safe.
 */
PLY_API bool ply_tablebase_error(ply_tablebase *tablebase, ply_error *error);

/* --- building and verifying ----------------------------------------------------------------- */
/* The default for ply_tablebase_job.up_to, a constant; NULL when the game has no tablebases. */
PLY_API const char *ply_tablebase_default_reach(const ply_rules *rules);

typedef struct ply_tablebase_job {
    size_t size; /* sizeof(ply_tablebase_job); 0: the same */
    const char *dir;
    /*
     * The classes to cover: "N" for at most N pieces on the board, or "AvB" for at most A pieces on
     * one side and B on the other, whichever side that is. NULL: ply_tablebase_default_reach.
     */
    const char *up_to;
    unsigned threads;       /* 0: 1 */
    size_t memory_mb;       /* working memory beyond this is kept in files in dir; 0: no limit */
    unsigned checkpoint;    /* seconds between checkpoints; 0: 60; UINT_MAX: as often as possible */
    ply_progress *progress; /* may be NULL; units are positions */
    /* Called after each slice (a class and its partner) is finished; may be NULL. */
    void (*listener)(void *context, const char *class_name, uint64_t positions, double seconds);
    void *context;
    /* PLY_DEVICE_CUDA: slices are built or verified on CUDA device number device_index. The files
     * are the same; there are no checkpoints within a slice. */
    ply_device device;
    int device_index;
} ply_tablebase_job;

/*
 * Builds the files that are missing. A build that was stopped (PLY_STOPPED), killed, or ran out of
 * disk space (PLY_IO) continues when called again. The files are the same byte for byte, whatever
 * the number of threads and interruptions. A folder is locked against a second builder (PLY_IO).
 * PLY_UNSUPPORTED: there is no such device. PLY_NO_MEMORY: a slice does not fit into its memory.
 */
PLY_API ply_status ply_tablebase_build(const ply_rules *rules, const ply_tablebase_job *job,
                                       ply_error *error);
/*
 * Checks every block against its checksum and every value against those of its successors. The job's
 * progress may be stopped (PLY_STOPPED). PLY_BAD_POSITION: a value or a count is wrong. PLY_IO: a
 * file is missing or damaged.
 */
PLY_API ply_status ply_tablebase_verify(const ply_rules *rules, const ply_tablebase_job *job,
                                        ply_error *error);

typedef struct ply_tablebase_info {
    char name[40];                /* of the class */
    uint64_t slots;               /* values stored */
    uint64_t bytes;               /* size of the file */
    uint64_t wins, losses, draws; /* positions; symmetric ones count separately */
    unsigned longest;             /* plies of the longest win or loss */
    char example[160];            /* a position of that length */
} ply_tablebase_info;

/*
 * Lists the files in the folder, in build order. The caller frees *list with ply_free. Fails as
 * ply_tablebase_open does; *list is then NULL and *count 0.
 */
PLY_API ply_status ply_tablebase_list(const ply_rules *rules, const char *dir,
                                      ply_tablebase_info **list, size_t *count, ply_error *error);

#ifdef __cplusplus
}
#endif
#endif
