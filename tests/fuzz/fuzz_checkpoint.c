/* SPDX-License-Identifier: MIT */
/*
 * fuzz_checkpoint.c - bytes as what a solver has kept of a mate in three. Sums would stop nearly every
 * input, so each is read twice: as it is, and with all sums made right. A run follows either way.
 */
#include "core/hash.h"
#include "fuzz/fuzz.h"

static const char problem[] = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";

/* The sums of the head and of as many blocks as there are. */
static void mend(fuzz_bytes *b)
{
    size_t head = b->size >= 16 ? (size_t)(fuzz_get64(b->data + 8) % (1 << 20)) : 0, at = 0;
    size_t words = 5 + (head + 7) / 8;
    uint64_t sum = 0;
    while (b->size >= 8 && at + 8 <= b->size - 8) {
        for (; words > 0 && at + 8 <= b->size - 8; words--, at += 8)
            sum = ply_mix64(sum ^ fuzz_get64(b->data + at)) + PLY_GOLDEN;
        fuzz_put64(b->data + at, sum);
        at += 8;
        words = 4096 * 4;
    }
}

static void go_on(ply_solver *solver, const ply_state *state, fuzz_bytes *b)
{
    ply_proof_source source = {.read = fuzz_read, .context = b, .size = b->size};
    ply_solve_limits limits = {.nodes = 2000, .resume = true};
    ply_solve_report report;
    ply_error error = {0};
    ply_status status = ply_solver_load(solver, state->position, &limits, &source, &error);
    FUZZ_CHECK(status == PLY_OK || (status == PLY_IO && error.message[0]));
    FUZZ_CHECK(ply_solver_run(solver, state->position, &limits, NULL, NULL, &report) == PLY_OK);
    /* Refused: it is the mate that it always was. */
    FUZZ_CHECK(status == PLY_OK || report.verdict == PLY_VERDICT_WIN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ply_rules rules;
    static ply_state state;
    static ply_solver *solver;
    if (!solver) {
        const ply_game *game = ply_game_find("shogi");
        ply_solve_options options = {.memory_mb = 16};
        FUZZ_CHECK(game && ply_rules_make(&rules, game, NULL, NULL) == PLY_OK);
        FUZZ_CHECK(ply_state_init(&state, &rules) == PLY_OK);
        FUZZ_CHECK(ply_state_parse(&state, problem, strlen(problem), NULL) == PLY_OK);
        solver = ply_solver_new(&rules, ply_goal_find(game, "mate"), &options);
    }
    fuzz_bytes b = {malloc(size + 1), size};
    FUZZ_CHECK(b.data && solver);
    if (size)
        memcpy(b.data, data, size);
    go_on(solver, &state, &b);
    mend(&b);
    go_on(solver, &state, &b);
    free(b.data);
    return 0;
}
