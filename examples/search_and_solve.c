/* SPDX-License-Identifier: MIT */
/* search_and_solve.c - a search, a forced win with a proof in memory, and a record in two formats. */
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_variation(const ply_state *from, const ply_move *moves, size_t count)
{
    ply_state state;
    ply_text text = ply_text_growing();
    if (ply_state_copy(&state, from) != PLY_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        ply_text_char(&text, ' ');
        ply_state_move_text(&state, moves[i], &text);
        if (ply_state_play(&state, moves[i]) != PLY_OK)
            break;
    }
    printf("%s\n", ply_text_cstr(&text));
    ply_text_free(&text);
    ply_state_free(&state);
}

static int search(const ply_state *state)
{
    ply_searcher *searcher = ply_searcher_new(state->rules, NULL);
    ply_search_limits limits = {.depth = 6};
    ply_search_report report;
    ply_text score = ply_text_growing();
    if (!searcher || ply_searcher_run(searcher, state, &limits, NULL, NULL, &report) != PLY_OK)
        return EXIT_FAILURE;
    ply_score_text(report.pv[0].score, &score);
    printf("search: %s:", ply_text_cstr(&score));
    print_variation(state, report.pv[0].moves, 1);
    ply_text_free(&score);
    ply_searcher_free(searcher);
    return EXIT_SUCCESS;
}

static int solve(const ply_state *state)
{
    const ply_game *game = state->rules->game;
    ply_solver *solver = ply_solver_new(state->rules, ply_goal_find(game, "mate"), NULL);
    ply_solve_report report;
    if (!solver || ply_solver_run(solver, state->position, NULL, NULL, NULL, &report) != PLY_OK)
        return EXIT_FAILURE;
    printf("solve: mate in %u:", report.plies);
    print_variation(state, report.pv, report.pv_length);

    /* Anyone can check the proof without trusting the solver. */
    ply_proof_memory memory = {0};
    ply_proof_summary summary;
    ply_error error;
    if (ply_solver_prove(solver, ply_proof_memory_sink, &memory) != PLY_OK)
        return EXIT_FAILURE;
    ply_proof_source source = ply_proof_memory_source(&memory);
    if (ply_proof_check(game, &source, 0, NULL, &summary, NULL, &error) != PLY_OK)
        return EXIT_FAILURE;
    printf("proof: %zu bytes, checked: win in %u\n", memory.size, summary.plies);
    ply_free(memory.bytes);
    ply_solver_free(solver);
    return EXIT_SUCCESS;
}

static int convert(const ply_rules *rules)
{
    const char *usi = "position startpos moves 7g7f 3c3d 8h2b+\n";
    const ply_format *format = ply_format_detect(rules, usi, strlen(usi));
    ply_text out = ply_text_growing();
    ply_record record;
    ply_error error;
    if (!format ||
        ply_record_read(&record, rules, usi, strlen(usi), format->id, &error) != PLY_OK ||
        ply_record_write(&record, "csa", &out, &error) != PLY_OK)
        return EXIT_FAILURE;
    printf("record: from %s to csa, %zu moves, %zu bytes\n", format->id, record.node_count - 1,
           out.length);
    ply_text_free(&out);
    ply_record_free(&record);
    return EXIT_SUCCESS;
}

int main(void)
{
    ply_rules rules;
    ply_state state;
    const char *problem = "4k4/9/4P4/9/9/9/9/9/9 b GRrb3g4s4n4l17p 1";
    if (ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK ||
        ply_state_parse(&state, problem, strlen(problem), NULL) != PLY_OK)
        return EXIT_FAILURE;
    int failed = search(&state) || solve(&state) || convert(&rules);
    ply_state_free(&state);
    return failed;
}
