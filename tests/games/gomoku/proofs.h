/* proofs.h - proofs of gomoku's verdicts, written to memory and checked. */
#ifndef PLY_TESTS_GOMOKU_PROOFS_H
#define PLY_TESTS_GOMOKU_PROOFS_H

#include "support/support.h"
#include <plyverse/solve.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    unsigned char *data;
    size_t count, room;
} bytes;

static inline bool sink(void *context, const void *data, size_t count)
{
    bytes *b = context;
    if (b->count + count > b->room) {
        b->room = 2 * (b->count + count);
        b->data = realloc(b->data, b->room);
    }
    memcpy(b->data + b->count, data, count);
    b->count += count;
    return true;
}

static inline size_t read_bytes(void *context, uint64_t offset, void *out, size_t count)
{
    const bytes *b = context;
    size_t left = offset < b->count ? b->count - (size_t)offset : 0;
    count = count < left ? count : left;
    memcpy(out, b->data + offset, count);
    return count;
}

/* Writes the proof of the last verdict and has it checked. */
static inline void check_proof(ply_solver *solver, const ply_solve_report *report, const char *name)
{
    bytes b = {0};
    ply_error error = {0};
    ply_proof_summary summary;
    assert_int_equal(ply_solver_prove(solver, sink, &b), PLY_OK);
    ply_proof_source source = {.read = read_bytes, .context = &b, .size = b.count};
    if (ply_proof_check(ply_game_find("gomoku"), &source, 0, NULL, &summary, NULL, &error) !=
        PLY_OK)
        fail_msg("%s: %s", name, error.message);
    assert_int_equal(summary.verdict, report->verdict);
    assert_int_equal(summary.plies, report->plies);
    free(b.data);
}

#endif
