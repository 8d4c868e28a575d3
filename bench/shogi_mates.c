/* SPDX-License-Identifier: MIT */
/*
 * shogi_mates.c - collects mating problems of known length from random games, and times the solver.
 *
 *     cc -O2 -Iinclude bench/shogi_mates.c build/libplyverse.a -lpthread -lm -o build/shogi_mates
 *     build/shogi_mates COUNT SEED [FILE]      collects problems and times them
 *     build/shogi_mates -f LENGTH FILE         times the problems of a file, one SFEN per line
 *
 * Positions of random games are solved for the shortest win; COUNT problems each of 3, 7 and 11
 * plies are kept, and written to FILE as length, tab, SFEN. Each set is then solved PASSES times
 * for the time alone, every problem from an empty transposition table and without asking for the
 * shortest win, and once more with every proof checked. Prints the mean processor time per problem
 * in the fastest pass.
 */
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KINDS = 3, TEXT = 256, PASSES = 5, MAX_PROBLEMS = 100000 };
static const unsigned lengths[KINDS] = {3, 7, 11};

typedef struct problem_set {
    char (*texts)[TEXT];
    size_t count;
} problem_set;

typedef struct memory {
    unsigned char *bytes;
    size_t count, capacity;
} memory;

/* Appends to a proof in memory. */
static bool append_bytes(void *context, const void *bytes, size_t count)
{
    memory *m = context;
    if (m->count + count > m->capacity) {
        m->capacity = 2 * (m->count + count);
        m->bytes = realloc(m->bytes, m->capacity);
        if (!m->bytes)
            return false;
    }
    memcpy(m->bytes + m->count, bytes, count);
    m->count += count;
    return true;
}

/* Reads from a proof in memory. */
static size_t read_bytes(void *context, uint64_t offset, void *bytes, size_t count)
{
    memory *m = context;
    if (offset >= m->count)
        return 0;
    if (count > m->count - offset)
        count = m->count - (size_t)offset;
    memcpy(bytes, m->bytes + offset, count);
    return count;
}

static double seconds_since(clock_t from)
{
    return (double)(clock() - from) / CLOCKS_PER_SEC;
}

/* Fills the sets from random games. */
static void gather(const ply_rules *rules, ply_solver *solver, problem_set *sets, size_t wanted,
                   uint64_t seed)
{
    ply_state state;
    if (ply_state_init(&state, rules) != PLY_OK)
        exit(2);
    ply_move moves[600];
    for (uint64_t game = 0;; game++) {
        ply_rng rng = ply_rng_make(seed, game);
        ply_state_restart(&state);
        while (state.plies < 300 && ply_state_outcome(&state).result == PLY_ONGOING) {
            size_t count = rules->game->moves(rules, state.position, moves);
            if (ply_state_play(&state, moves[ply_rng_below(&rng, (uint32_t)count)]) != PLY_OK)
                exit(2);
            if (state.plies < 40 || ply_state_outcome(&state).result != PLY_ONGOING)
                continue;
            ply_solve_limits limits = {.nodes = 4000, .shortest = true};
            ply_solve_report report;
            ply_solver_run(solver, state.position, &limits, NULL, NULL, &report);
            if (report.verdict != PLY_VERDICT_WIN || !report.shortest)
                continue;
            bool open = false, kept = false;
            for (int k = 0; k < KINDS; k++) {
                if (report.plies == lengths[k] && sets[k].count < wanted) {
                    ply_text text = ply_text_fixed(sets[k].texts[sets[k].count], TEXT);
                    rules->game->format(rules, state.position, &text);
                    sets[k].count += ply_text_complete(&text);
                    kept = true;
                }
                open |= sets[k].count < wanted;
            }
            if (!open) {
                ply_state_free(&state);
                return;
            }
            if (kept)
                fprintf(stderr, "\r%zu %zu %zu", sets[0].count, sets[1].count, sets[2].count);
        }
    }
}

/* Processor seconds to solve all problems of a set once. */
static double time_pass(const ply_rules *rules, ply_solver *solver, const problem_set *s)
{
    unsigned char *positions = calloc(s->count, rules->position_bytes);
    ply_state state;
    if (!positions || ply_state_init(&state, rules) != PLY_OK)
        exit(2);
    for (size_t i = 0; i < s->count; i++) {
        ply_state_parse(&state, s->texts[i], strlen(s->texts[i]), NULL);
        memcpy(positions + i * rules->position_bytes, state.position, rules->position_bytes);
    }
    clock_t from = clock();
    for (size_t i = 0; i < s->count; i++) {
        ply_solve_report report;
        ply_solver_run(solver, positions + i * rules->position_bytes, NULL, NULL, NULL, &report);
    }
    double seconds = seconds_since(from);
    ply_state_free(&state);
    free(positions);
    return seconds;
}

/*
 * Times a set, checks every proof, and returns the number of problems with a wrong answer or proof.
 */
static size_t measure(const ply_rules *rules, ply_solver *solver, const problem_set *s,
                      unsigned length)
{
    ply_state state;
    if (ply_state_init(&state, rules) != PLY_OK)
        exit(2);
    double total = time_pass(rules, solver, s);
    for (int pass = 1; pass < PASSES; pass++) {
        double seconds = time_pass(rules, solver, s);
        total = seconds < total ? seconds : total;
    }
    uint64_t nodes = 0;
    size_t wrong = 0, longer = 0, shorter = 0;
    for (size_t i = 0; i < s->count; i++) {
        ply_solve_report report;
        ply_state_parse(&state, s->texts[i], strlen(s->texts[i]), NULL);
        ply_solver_run(solver, state.position, NULL, NULL, NULL, &report);
        nodes += report.nodes;
        memory proof = {0};
        ply_proof_summary summary;
        ply_error error = {0};
        bool good = report.verdict == PLY_VERDICT_WIN &&
                    ply_solver_prove(solver, append_bytes, &proof) == PLY_OK;
        ply_proof_source file = {.read = read_bytes, .context = &proof, .size = proof.count};
        good =
            good && ply_proof_check(rules->game, &file, 0, NULL, &summary, NULL, &error) == PLY_OK;
        wrong += !good;
        longer += good && report.plies > length;
        shorter += good && report.plies < length;
        free(proof.bytes);
    }
    printf("%2u plies: %zu problems, %zu wrong, %zu longer, %zu shorter than that, mean %.4f ms, "
           "%.0f nodes\n",
           length, s->count, wrong, longer, shorter, 1000 * total / (double)s->count,
           (double)nodes / (double)s->count);
    ply_state_free(&state);
    return wrong;
}

static int measure_file(const ply_rules *rules, ply_solver *solver, unsigned length,
                        const char *path)
{
    FILE *file = fopen(path, "r");
    problem_set s = {calloc(MAX_PROBLEMS, TEXT), 0};
    if (!file || !s.texts)
        return 2;
    while (s.count < MAX_PROBLEMS && fgets(s.texts[s.count], TEXT, file)) {
        char *text = s.texts[s.count];
        text[strcspn(text, "\r\n")] = '\0';
        if (strncmp(text, "sfen ", 5) == 0)
            memmove(text, text + 5, strlen(text + 5) + 1);
        s.count += text[0] != '\0';
    }
    fclose(file);
    int result = measure(rules, solver, &s, length) ? 1 : 0;
    free(s.texts);
    return result;
}

int main(int argc, char **argv)
{
    size_t wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    ply_rules rules;
    if (ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL) != PLY_OK)
        return 2;
    ply_solver *solver = ply_solver_new(&rules, ply_goal_find(rules.game, "mate"), NULL);
    if (argc == 4 && strcmp(argv[1], "-f") == 0)
        return measure_file(&rules, solver, (unsigned)strtoul(argv[2], NULL, 10), argv[3]);
    problem_set sets[KINDS];
    for (int k = 0; k < KINDS; k++)
        sets[k] = (problem_set){calloc(wanted, TEXT), 0};
    gather(&rules, solver, sets, wanted, seed);
    fprintf(stderr, "\n");
    FILE *file = argc > 3 ? fopen(argv[3], "w") : NULL;
    size_t wrong = 0;
    for (int k = 0; k < KINDS; k++) {
        for (size_t i = 0; file && i < sets[k].count; i++)
            fprintf(file, "%u\t%s\n", lengths[k], sets[k].texts[i]);
        wrong += measure(&rules, solver, &sets[k], lengths[k]);
        free(sets[k].texts);
    }
    if (file)
        fclose(file);
    ply_solver_free(solver);
    return wrong ? 1 : 0;
}
