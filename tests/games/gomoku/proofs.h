/* SPDX-License-Identifier: MIT */
/* proofs.h - writing proofs of gomoku verdicts to memory and checking them. */
#ifndef PLY_TESTS_GOMOKU_PROOFS_H
#define PLY_TESTS_GOMOKU_PROOFS_H

#include "solve/solve_support.h"

/* Writes the proof of the last verdict and checks it. */
static inline void check_proof(ply_solver *solver, const ply_solve_report *report, const char *name)
{
    memory_file file = {0};
    ply_error error = {0};
    ply_proof_summary summary;
    ply_status status = ply_solver_prove(solver, memory_sink, &file);
    if (status != PLY_OK)
        fail_msg("%s: no proof: %s", name, ply_status_text(status));
    if (memory_check(ply_game_find("gomoku"), &file, 0, &summary, NULL, &error) != PLY_OK)
        fail_msg("%s: %s", name, error.message);
    assert_int_equal(summary.verdict, report->verdict);
    assert_int_equal(summary.plies, report->plies);
    free(file.bytes);
}

#endif
