/* SPDX-License-Identifier: MIT */
/*
 * test_null.c - no function of the library crashes when it is passed NULL or a number out of range.
 *
 * null_calls.py makes the calls from the headers. Each runs in a process of its own with its copy of
 * the fixture, so a call may do what it likes with it, and a crash is reported by name.
 */
#include "support/support.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fixture {
    ply_rules rules;
    ply_state state;
    ply_move moves[64];
    ply_record record;
    ply_text text;
    ply_error error;
    ply_batch *batch, *other_batch;
    ply_batch_options batch_options;
    ply_batch_totals batch_totals;
    ply_book *book; /* none: it cannot be opened */
    ply_book_move book_move;
    ply_book_options book_options;
    ply_rng rng;
    ply_layout *layout, *layouts[2];
    ply_network *network, *other_network;
    ply_perft_options perft_options;
    ply_perft_entry entries[64];
    ply_playout_options playout_options;
    ply_playout_totals totals;
    ply_player *player;
    ply_player_spec spec;
    ply_player_answer answer;
    ply_progress progress;
    ply_proof_memory memory;
    ply_proof_source source;
    ply_proof_summary summary;
    ply_result result;
    ply_searcher *searcher;
    ply_search_options search_options;
    ply_search_kind kind;
    ply_search_limits limits;
    ply_search_report report;
    ply_session *session;
    ply_session_options session_options;
    ply_solver *solver;
    ply_solve_options solve_options;
    ply_solve_limits solve_limits;
    ply_solve_report verdict;
    ply_solve_try attempt;
    ply_tablebase *tablebase, *other_tablebase;
    ply_tablebase_job job;
    ply_tablebase_info *infos;
    ply_tablebase_move table_moves[64];
    ply_tablebase_value value;
    char buffer[64];
    const char *folder;
    unsigned char bytes[4096];
    uint64_t words[64];
    uint32_t indices[4096];
    int32_t numbers[64];
    int number;
    size_t count;
    bool stop;
} fixture;

static void make_fixture(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->folder = "/dev/null/tables"; /* which cannot be created */
    test_make_rules(&f->rules, "neighbours", NULL);
    test_make_state(&f->state, &f->rules, "6/6/2w3/2w3/3b2/6 w");
    assert_in_range(ply_state_moves(&f->state, f->moves, 64), 1, 64);
    assert_int_equal(ply_record_from_state(&f->record, &f->state), PLY_OK);
    f->text = ply_text_growing();
    assert_int_equal(ply_batch_new(&f->batch, &f->rules, NULL, NULL), PLY_OK);
    f->layout = ply_layout_make(&f->rules, f->state.position, PLY_MOVE_NONE);
    assert_int_equal(ply_network_load(&f->rules, NULL, &f->network, NULL), PLY_OK);
    f->limits = (ply_search_limits){.nodes = 10};
    f->spec = (ply_player_spec){.nodes = 10, .memory_mb = 1};
    f->search_options = (ply_search_options){.memory_mb = 1};
    f->solve_options = (ply_solve_options){.memory_mb = 1};
    f->player = ply_player_new(&f->rules, &f->spec);
    f->searcher = ply_searcher_new(&f->rules, &f->search_options);
    f->session_options = (ply_session_options){.search = &f->search_options};
    f->session = ply_session_new(&f->session_options, NULL);
    f->solver = ply_solver_new(&f->rules, ply_goal_find(f->rules.game, NULL), &f->solve_options);
    assert_true(f->layout && f->player && f->searcher && f->session && f->solver);
    f->source = ply_proof_memory_source(&f->memory);
    f->job = (ply_tablebase_job){.dir = f->folder, .up_to = "2"};
    if (ply_tablebase_available(&f->rules))
        assert_int_equal(ply_tablebase_open(&f->rules, "missing", 0, &f->tablebase, NULL), PLY_OK);
}

static void free_fixture(fixture *f)
{
    ply_tablebase_close(f->tablebase);
    ply_solver_free(f->solver);
    ply_session_free(f->session);
    ply_searcher_free(f->searcher);
    ply_player_free(f->player);
    ply_network_free(f->network);
    ply_layout_free(f->layout);
    ply_batch_free(f->batch);
    ply_record_free(&f->record);
    ply_state_free(&f->state);
    free(f);
}

#define CALL(number, ...)                 \
    static void call_##number(fixture *f) \
    {                                     \
        (void)f;                          \
        (void)(__VA_ARGS__);              \
    }
#include "api/null_calls.inc"
#undef CALL

typedef struct null_call {
    const char *text;
    void (*make)(fixture *f);
} null_call;

#define CALL(number, ...) {#__VA_ARGS__, call_##number},
static const null_call null_calls[] = {
#include "api/null_calls.inc"
};
#undef CALL

static void test_calls(void **state)
{
    (void)state;
    enum { CALLS = sizeof null_calls / sizeof null_calls[0], AT_LEAST = 300 };
    assert_true(CALLS > AT_LEAST); /* the headers have been found */
    unsigned failed = 0;
    fixture *f = malloc(sizeof *f);
    assert_non_null(f);
    make_fixture(f);
    for (size_t i = 0; i < CALLS; i++) {
        pid_t child = fork();
        if (child == 0) {
            signal(SIGSEGV, SIG_DFL); /* cmocka has its own */
            null_calls[i].make(f);
            _exit(0);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status != 0) {
            failed++;
            print_error("%s: %s %d\n", null_calls[i].text, WIFSIGNALED(status) ? "signal" : "exit",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
    free_fixture(f);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
