/* SPDX-License-Identifier: MIT */
/*
 * neighbours_tables.h - solves Neighbours on a CUDA device, at two bits per position.
 *
 * All values stay in the device's memory (rows.h draws them); what leaves it are counts, checksums
 * and single values. A solver is used by one thread at a time.
 */
#ifndef PLY_CUDA_NEIGHBOURS_TABLES_H
#define PLY_CUDA_NEIGHBOURS_TABLES_H

#include "cuda/driver.h"
#include "games/neighbours/tablebase/rederive.h"

typedef struct neighbours_solver neighbours_solver;

enum { SOLVER_MAX_PASSES = 1024 };

/* What is known of a class. Symmetric positions count separately. */
typedef struct neighbours_class_report {
    int own, enemy;
    uint64_t positions;
    uint64_t values[3];                   /* by VALUE_...; as decided by the passes */
    unsigned longest;                     /* the last pass that decided a position */
    unsigned passes;                      /* how many there were */
    uint64_t decided[SOLVER_MAX_PASSES];  /* by each pass */
    double seconds[SOLVER_MAX_PASSES];    /* since the start of the slice, after each pass */
    double solve_seconds, verify_seconds; /* of the slice: the class and its partner */
    bool verified;
    uint64_t checksum;
} neighbours_class_report;

/*
 * Prepares to solve the classes with at most up_to_own pieces on one side and up_to_enemy on the
 * other, which are 1 to 6. PLY_NO_MEMORY if the device has too little memory, with both figures.
 */
ply_status neighbours_solver_open(neighbours_solver **solver, ply_cuda *cuda, int path_rule,
                                  int up_to_own, int up_to_enemy, ply_error *error);
/* Frees the solver and its tables on the device (the lookup tables when that is closed). NULL is a
 * no-op. */
void neighbours_solver_close(neighbours_solver *solver);

/* The slices in the order in which they are to be solved: own <= enemy. False: there are no more. */
bool neighbours_solver_slice(const neighbours_solver *solver, size_t number, int *own, int *enemy);

/* Called after each pass; a false result stops the solver (PLY_STOPPED). */
typedef bool neighbours_solver_listener(void *context, int own, int enemy, unsigned pass,
                                        uint64_t decided, double seconds);
/* Solves a class and its partner; all before it must have been solved. */
ply_status neighbours_solver_solve(neighbours_solver *solver, int own, int enemy,
                                   neighbours_solver_listener *listener, void *context,
                                   ply_error *error);
/* Derives every value of a class and its partner again. PLY_BAD_POSITION: one does not follow from
 * its moves, or the counts differ. */
ply_status neighbours_solver_verify(neighbours_solver *solver, int own, int enemy,
                                    ply_error *error);

/* The report of a class that has been solved; NULL otherwise. */
const neighbours_class_report *neighbours_solver_report(const neighbours_solver *solver, int own,
                                                        int enemy);
/* The value of a position of a class that has been solved, VALUE_... */
ply_status neighbours_solver_value(neighbours_solver *solver, neighbours_pair boards, int *value,
                                   ply_error *error);
/* The labels (LABEL_..., rederive.h) of many positions. Any 64-bit words may be given. */
ply_status neighbours_solver_label(neighbours_solver *solver, const neighbours_pair *positions,
                                   size_t count, uint8_t *labels, ply_error *error);
/* The shape of a class's table of values; words is in the device's memory. */
neighbours_planes neighbours_solver_planes(const neighbours_solver *solver, int own, int enemy);
/* Copies words of a class's table to the host. */
ply_status neighbours_solver_read(neighbours_solver *solver, int own, int enemy, uint64_t first,
                                  size_t count, uint32_t *words, ply_error *error);
/* The checksums of a class's blocks of 2^24 words (rederive.h). The caller frees *sums. */
ply_status neighbours_solver_checksums(neighbours_solver *solver, int own, int enemy,
                                       uint64_t **sums, size_t *count, ply_error *error);

#endif
