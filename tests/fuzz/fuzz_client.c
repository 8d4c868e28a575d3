/* SPDX-License-Identifier: MIT */
/*
 * fuzz_client.c - what an engine may say in a match or an analysis. The first byte selects which,
 * and the protocol; every line after it is what the program writes, whatever we send. The functions
 * of match/process.h are replaced by ones that read the input. A move that is accepted, or part of a
 * variation, must be legal.
 */
#include "fuzz/grammar.h"
#include "match/engine.h"

/* --- a program whose output is the input -------------------------------------------------------- */
struct match_process {
    const char *at, *end;
    char line[4096];
};

static match_process program;

match_process *ply_match_process_start(const char *command, const char *name,
                                       const atomic_bool *stop, match_traffic *traffic,
                                       void *context, ply_error *error)
{
    (void)command, (void)name, (void)stop, (void)traffic, (void)context, (void)error;
    return &program;
}

bool ply_match_process_send(match_process *process, const char *line)
{
    FUZZ_CHECK(!strchr(line, '\n'));
    return process->at < process->end;
}

match_read ply_match_process_read(match_process *process, uint64_t deadline, const char **line)
{
    (void)deadline;
    size_t left = (size_t)(process->end - process->at), length = 0;
    if (left == 0)
        return MATCH_READ_END;
    while (length < left && process->at[length] != '\n')
        length++;
    size_t room = sizeof process->line - 1, used = length < room ? length : room;
    memcpy(process->line, process->at, used);
    process->line[used] = '\0';
    process->at += length + (length < left);
    *line = process->line;
    return MATCH_READ_LINE;
}

void ply_match_process_exit_text(match_process *process, ply_text *out)
{
    (void)process;
    ply_text_string(out, "status 1");
}

uint64_t ply_match_process_cpu_nanos(const match_process *process)
{
    (void)process;
    return 0;
}

void ply_match_process_end(match_process *process)
{
    (void)process;
}

/* --- the mutator ------------------------------------------------------------------------------- */
static const char *const words[] = {"usiok\n",
                                    "readyok\n",
                                    "id name x\n",
                                    "bestmove 7g7f\n",
                                    "bestmove resign\n",
                                    "bestmove win\n",
                                    "info depth 1 score cp 12 pv 7g7f\n",
                                    "info score mate -3\n",
                                    "info depth 3 multipv 2 nodes 99 pv 7g7f 3c3d 2g2f\n",
                                    "info depth=3 multipv=2 score=0.1 pv=\"11-15 22-18\"\n",
                                    "info score mate +\n",
                                    "option name USI_Hash type spin default 16 min 1 max 9\n",
                                    "plyok\n",
                                    "OK\n",
                                    "7,7\n",
                                    "8,8\n",
                                    "ERROR x\n",
                                    "MESSAGE x\n",
                                    "DEBUG x\n",
                                    "UNKNOWN x\n",
                                    "SUGGEST 7,7\n",
                                    "name=\"x\"\n",
                                    "id name=x version=1\n",
                                    "wait\n",
                                    "ready\n",
                                    "info score=0.12 depth=3\n",
                                    "info score=+100.00\n",
                                    "done move=11-15\n",
                                    "done move=11x18x25\n",
                                    "done\n",
                                    "param name=cputime type=bool\n",
                                    "error message=x\n",
                                    "1. P7g-7f\n",
                                    "1. ... P3c-3d\n",
                                    "My move is: 7g7f\n",
                                    "7g7f",
                                    "P*5e",
                                    "h8",
                                    "a1a2",
                                    "\n",
                                    " ",
                                    "-",
                                    "999999999999",
                                    "ponder 3c3d",
                                    NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    size_t first = size > 0;
    return first + grammar_mutate(data + first, size - first, max_size - first, words, &rng);
}

/* --- an analysis -------------------------------------------------------------------------------- */
static void check_variation(void *context, const match_info *info)
{
    ply_state copy;
    FUZZ_CHECK(info->line >= 1 && info->line <= 3 && info->count > 0 && info->depth >= 0);
    FUZZ_CHECK(ply_state_copy(&copy, context) == PLY_OK);
    for (size_t i = 0; i < info->count; i++) {
        ply_text move = ply_text_growing();
        copy.rules->game->format_move(copy.rules, copy.position, info->moves[i], &move);
        FUZZ_CHECK(ply_state_play_text(&copy, ply_text_cstr(&move), move.length, NULL) == PLY_OK);
        ply_text_free(&move);
    }
    ply_state_free(&copy);
}

/* --- the target -------------------------------------------------------------------------------- */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *spec, *game;
    } kinds[] = {{"usi:x", "shogi"},    {"gomocup:x", "gomoku"}, {"hub:x", "checkers"},
                 {"xshogi:x", "shogi"}, {"ply:x", "neighbours"}, {"ply:x", "5dchess"}};
    if (size == 0)
        return 0;
    size_t kind = data[0] % (sizeof kinds / sizeof kinds[0]);
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    match_answer answer = {0};
    program.at = (const char *)data + 1;
    program.end = (const char *)data + size;
    FUZZ_CHECK(ply_rules_make(&rules, ply_game_find(kinds[kind].game), NULL, NULL) == PLY_OK);
    FUZZ_CHECK(ply_state_init(&state, &rules) == PLY_OK);
    match_engine_options options = {.rules = &rules, .spec = kinds[kind].spec, .timeout = 1000};
    match_engine *engine = ply_match_engine_open(&options, &error);
    FUZZ_CHECK(engine);
    ply_text start = ply_text_growing();
    rules.game->format(&rules, state.position, &start);
    match_limits limits = {.nodes = 10};
    match_turn turn = {.limits = &limits,
                       .deadline = UINT64_MAX,
                       .start_text = ply_text_cstr(&start),
                       .usual_start = true};
    bool ready = ply_match_engine_new_game(engine, 0, &answer);
    FUZZ_CHECK(ready || answer.detail[0]);
    if (ready && data[0] >= 128) {
        atomic_bool enough = false;
        match_analysis analysis = {
            .lines = 3, .enough = &enough, .listener = check_variation, .context = &state};
        turn.analysis = &analysis;
        ply_match_engine_analyse(engine, &state, &turn, &answer);
        ready = false;
    }
    for (int ply = 0; ply < 20 && ready && ply_state_outcome(&state).result == PLY_ONGOING; ply++) {
        answer = (match_answer){0};
        ply_match_engine_think(engine, &state, &turn, &answer);
        if (answer.kind != MATCH_MOVE)
            break;
        ply_text move = ply_text_growing(); /* what parses is legal */
        rules.game->format_move(&rules, state.position, answer.move, &move);
        FUZZ_CHECK(ply_state_play_text(&state, ply_text_cstr(&move), move.length, &error) ==
                   PLY_OK);
        ply_text_free(&move);
    }
    FUZZ_CHECK(memchr(answer.detail, 0, sizeof answer.detail));
    ply_match_engine_game_over(engine, 0);
    ply_match_engine_close(engine);
    ply_text_free(&start);
    ply_state_free(&state);
    return 0;
}
