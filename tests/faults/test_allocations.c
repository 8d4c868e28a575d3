/* SPDX-License-Identifier: MIT */
/*
 * test_allocations.c - the library when memory runs out.
 *
 * Each scenario is run once to count its allocations, and then once for every n with the n-th
 * allocation failing. It must either succeed with the same answer or report that memory ran out;
 * it must never crash, leak (the sanitizer build checks that) or answer wrongly. The linker
 * redirects the allocation functions to the wrappers below.
 */
#include "connect_four.h"
#include "core/hash.h"
#include "support/random_network.h"
#include "support/support.h"
#include "train/play.h"
#include "train/positions.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- failing on request --------------------------------------------------------------------- */
static atomic_ullong allocations; /* since the scenario began */
static atomic_ullong failing;     /* this one fails; 0: none */

static bool fails(void)
{
    if (atomic_fetch_add(&allocations, 1) + 1 != atomic_load(&failing))
        return false;
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
    return fails() ? NULL : __real_strndup(text, length);
}

/* --- scenarios ------------------------------------------------------------------------------ */
typedef struct scenario {
    const char *name;
    const ply_game *(*game)(void);
    const char *variant, *position, *moves, *goal, *format;
    ply_search_kind kind;
    unsigned threads;
    bool quality_may_drop; /* with less memory the search may play another legal move */
    ply_status (*run)(const struct scenario *s, const ply_rules *rules, ply_state *state,
                      uint64_t *digest);
} scenario;

static void digest_text(const ply_text *text, uint64_t *digest)
{
    for (size_t i = 0; i < text->length && !text->failed; i++)
        *digest = ply_mix64(*digest + (unsigned char)text->data[i]);
}

static ply_status run_state(const scenario *s, const ply_rules *rules, ply_state *state,
                            uint64_t *digest)
{
    (void)s;
    ply_state copy;
    ply_move *moves = __real_calloc(rules->max_moves, sizeof *moves);
    ply_text text = ply_text_growing();
    ply_status status = ply_state_copy(&copy, state);
    if (status != PLY_OK) {
        free(moves);
        return status;
    }
    for (int ply = 0; ply < 6 && status == PLY_OK; ply++) {
        size_t count = rules->game->moves(rules, copy.position, moves);
        if (count == 0) /* 5D chess has no other way to say so than to list no move */
            status = PLY_NO_MEMORY;
        else
            status = ply_state_play(&copy, moves[count / 2]);
        if (status == PLY_OK)
            rules->game->format(rules, copy.position, &text);
        *digest = ply_mix64(*digest + count);
    }
    if (text.failed)
        status = PLY_NO_MEMORY;
    digest_text(&text, digest);
    while (ply_state_undo(&copy))
        continue;
    ply_state_free(&copy);
    ply_text_free(&text);
    free(moves);
    return status;
}

static ply_status run_layout(const scenario *s, const ply_rules *rules, ply_state *state,
                             uint64_t *digest)
{
    (void)s;
    (void)rules;
    ply_layout *layout, *before;
    ply_text text = ply_text_growing(), json = ply_text_growing();
    ply_status status = ply_layout_of_state(state, &layout, &before);
    if (status == PLY_OK) {
        ply_layout_text(layout, before, &text);
        ply_layout_json(layout, before, &json);
        status = text.failed || json.failed ? PLY_NO_MEMORY : PLY_OK;
        digest_text(&text, digest);
        digest_text(&json, digest);
        ply_layout_free(layout);
        ply_layout_free(before);
    }
    ply_text_free(&text);
    ply_text_free(&json);
    return status;
}

static ply_status run_perft(const scenario *s, const ply_rules *rules, ply_state *state,
                            uint64_t *digest)
{
    (void)rules;
    ply_perft_options options = {.threads = s->threads, .hash_mb = 1};
    return ply_perft(state, 2, &options, digest, NULL, NULL);
}

static ply_status run_playouts(const scenario *s, const ply_rules *rules, ply_state *state,
                               uint64_t *digest)
{
    (void)rules;
    ply_playout_options options = {.games = 2, .seed = 5, .threads = s->threads, .max_plies = 20};
    ply_playout_totals totals = {0};
    ply_status status = ply_playouts(state, &options, &totals);
    *digest = totals.signature;
    return status;
}

static ply_status run_search(const scenario *s, const ply_rules *rules, ply_state *state,
                             uint64_t *digest)
{
    ply_search_options options = {.kind = s->kind, .memory_mb = 1, .threads = s->threads};
    ply_search_limits limits = {.nodes = 200};
    ply_search_report report = {0};
    ply_searcher *searcher = ply_searcher_new(rules, &options);
    if (!searcher)
        return PLY_NO_MEMORY;
    ply_status status = ply_searcher_run(searcher, state, &limits, NULL, NULL, &report);
    if (status == PLY_OK) {
        assert_true(report.pv_count > 0 && report.pv[0].length > 0);
        *digest = report.pv[0].moves[0];
    }
    ply_searcher_free(searcher);
    return status;
}

/* Written by main; for checkers. */
static char network_path[] = "/tmp/plyverse-faults-network-XXXXXX";

static void write_network(void)
{
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    random_shape shape = {.width = 32, .l1 = 8, .l2 = 8, .buckets = 2, .output_scale = 100};
    random_network network = random_network_make(&rules, &shape);
    int fd = mkstemp(network_path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, network.bytes, network.size), (ssize_t)network.size);
    close(fd);
    free(network.bytes);
}

/* A network is loaded and evaluates; a search uses it or reports that memory ran out. */
static ply_status run_network(const scenario *s, const ply_rules *rules, ply_state *state,
                              uint64_t *digest)
{
    ply_network *network;
    ply_error error = {0};
    ply_status status = ply_network_load(rules, network_path, &network, &error);
    if (status != PLY_OK) {
        assert_null(network);
        return status;
    }
    *digest = (uint64_t)ply_network_evaluate(network, state->position);
    ply_network_free(network);
    ply_search_options options = {.kind = s->kind, .memory_mb = 1, .network = network_path};
    ply_search_limits limits = {.nodes = 200};
    ply_search_report report = {0};
    ply_searcher *searcher = ply_searcher_new(rules, &options);
    if (!searcher)
        return PLY_NO_MEMORY;
    status = ply_searcher_run(searcher, state, &limits, NULL, NULL, &report);
    if (status == PLY_OK)
        *digest = ply_mix64(*digest + (uint64_t)report.pv[0].score);
    ply_searcher_free(searcher);
    return status;
}

static ply_status run_player(const scenario *s, const ply_rules *rules, ply_state *state,
                             uint64_t *digest)
{
    (void)s;
    ply_player_spec spec = {.kind = PLY_PLAYER_ALPHABETA, .level = 3, .nodes = 100, .seed = 1};
    ply_player *player = ply_player_new(rules, &spec);
    ply_player_answer answer = {0};
    if (!player)
        return PLY_NO_MEMORY;
    ply_status status = ply_player_choose(player, state, NULL, NULL, NULL, &answer);
    if (status == PLY_OK)
        *digest = answer.pv.moves[0];
    ply_player_free(player);
    return status;
}

/* A file in memory that never allocates through the wrappers. */
typedef struct memory_file {
    unsigned char bytes[1 << 20];
    size_t size;
} memory_file;

static bool memory_write(void *context, const void *bytes, size_t count)
{
    memory_file *file = context;
    if (file->size + count > sizeof file->bytes)
        return false;
    memcpy(file->bytes + file->size, bytes, count);
    file->size += count;
    return true;
}

static size_t memory_read(void *context, uint64_t offset, void *bytes, size_t count)
{
    const memory_file *file = context;
    if (offset >= file->size)
        return 0;
    if (count > file->size - offset)
        count = file->size - (size_t)offset;
    memcpy(bytes, file->bytes + offset, count);
    return count;
}

static memory_file proof, checkpoint;

static ply_status check_proof(const ply_rules *rules, uint64_t *digest)
{
    ply_proof_source source = {.read = memory_read, .context = &proof, .size = proof.size};
    ply_proof_summary summary;
    ply_error error = {0};
    ply_status status = ply_proof_check(rules->game, &source, 0, NULL, &summary, NULL, &error);
    *digest = ply_mix64(*digest + summary.nodes);
    return status;
}

/* Solves, writes the proof, has it checked, and continues from a checkpoint. */
static ply_status run_solver(const scenario *s, const ply_rules *rules, ply_state *state,
                             uint64_t *digest)
{
    ply_solve_options options = {.memory_mb = 8, .threads = s->threads};
    ply_solve_limits limits = {.nodes = 200000};
    ply_solve_report report = {0};
    ply_error error = {0};
    ply_solver *solver = ply_solver_new(rules, ply_goal_find(rules->game, s->goal), &options);
    if (!solver)
        return PLY_NO_MEMORY;
    ply_status status = ply_solver_run(solver, state->position, &limits, NULL, NULL, &report);
    proof.size = checkpoint.size = 0;
    if (status == PLY_OK && report.verdict == PLY_VERDICT_UNKNOWN)
        status = PLY_NO_MEMORY;
    if (status == PLY_OK) {
        *digest = report.verdict;
        status = ply_solver_prove(solver, memory_write, &proof);
    }
    if (status == PLY_OK)
        status = check_proof(rules, digest);
    if (status == PLY_OK && ply_solver_can_save(solver)) {
        ply_proof_source source = {.read = memory_read, .context = &checkpoint};
        status = ply_solver_save(solver, memory_write, &checkpoint);
        source.size = checkpoint.size;
        if (status == PLY_OK)
            status = ply_solver_load(solver, state->position, &limits, &source, &error);
    }
    ply_solver_free(solver);
    return status;
}

static ply_status run_record(const scenario *s, const ply_rules *rules, ply_state *state,
                             uint64_t *digest)
{
    const ply_format *format = ply_format_find(rules->game, s->format);
    ply_record record, again = {0};
    ply_error error = {0};
    ply_text text = ply_text_growing();
    bool found = false;
    uint32_t node = 0;
    ply_status status = ply_record_init(&record, rules);
    if (status != PLY_OK)
        return status;
    status = ply_record_set_tag(&record, "Event", 5, "Test", 4);
    for (size_t i = 0; i < state->plies && status == PLY_OK; i++)
        status = ply_record_add(&record, node, state->moves[i], &node);
    if (status == PLY_OK)
        status = ply_record_add_comment(&record, node, "last", 4);
    if (status == PLY_OK)
        status = format->write(&record, &text, &error);
    if (status == PLY_OK && text.failed)
        status = PLY_NO_MEMORY;
    if (status == PLY_OK && format->read && ply_record_init(&again, rules) == PLY_OK) {
        ply_cursor cursor = ply_cursor_make(text.data, text.length, &error);
        status = format->read(&cursor, &again, &found);
        *digest = again.node_count;
        const char *event = ply_record_tag_value(&again, "Event");
        if (status == PLY_OK && event)
            *digest += strlen(event) << 32;
        ply_record_free(&again);
    } else if (status == PLY_OK && format->read) {
        status = PLY_NO_MEMORY;
    }
    digest_text(&text, digest);
    ply_text_free(&text);
    ply_record_free(&record);
    return status;
}

static void ignore_line(void *context, const char *line, size_t length)
{
    (void)context;
    (void)line;
    (void)length;
}

/* A protocol may answer anything when memory runs out; it must live on and say goodbye. */
static ply_status run_session(const scenario *s, const ply_rules *rules, ply_state *state,
                              uint64_t *digest)
{
    (void)state;
    static const char *const lines[] = {"ply",         "isready",       "position start",
                                        "go nodes 50", "setoption x y", "quit"};
    ply_session_options options = {.protocol = s->format,
                                   .game = rules->game->id,
                                   .search = &(ply_search_options){.memory_mb = 1},
                                   .writer = ignore_line};
    ply_error error = {0};
    ply_session *session = ply_session_new(&options, &error);
    if (!session)
        return PLY_NO_MEMORY;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ply_session_line(session, lines[i], strlen(lines[i]));
        ply_session_wait(session);
    }
    ply_session_finish(session);
    ply_session_free(session);
    *digest = 1;
    return PLY_OK;
}

static void remove_tree(const char *path)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

static ply_status run_tablebase(const scenario *s, const ply_rules *rules, ply_state *state,
                                uint64_t *digest)
{
    char dir[] = "/tmp/plyverse-faults-XXXXXX";
    assert_non_null(mkdtemp(dir));
    ply_tablebase_job job = {.dir = dir, .up_to = "1v1", .threads = s->threads};
    ply_error error = {0};
    ply_tablebase *tablebase = NULL;
    ply_tablebase_value value = {0};
    ply_status status = ply_tablebase_build(rules, &job, &error);
    if (status == PLY_OK)
        status = ply_tablebase_verify(rules, &job, &error);
    if (status == PLY_OK)
        status = ply_tablebase_open(rules, dir, 1, &tablebase, &error);
    if (status == PLY_OK) {
        *digest = ply_tablebase_count(tablebase);
        if (!ply_tablebase_probe(tablebase, state->position, &value))
            status = PLY_NO_MEMORY;
        *digest = ply_mix64(*digest + (uint64_t)value.plies);
        ply_tablebase_close(tablebase);
    }
    remove_tree(dir);
    return status;
}

static ply_status ignore_position(void *context, const train_position *p, ply_error *error)
{
    (void)error;
    *(uint64_t *)context += p->ply;
    return PLY_OK;
}

/* Plays games into a file and reads its positions. */
static ply_status run_selfplay(const scenario *s, const ply_rules *rules, ply_state *state,
                               uint64_t *digest)
{
    (void)state;
    char dir[] = "/tmp/plyverse-faults-XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/games", dir);
    const char *paths[] = {path};
    train_play_options options = {.games = 2,
                                  .nodes = 20,
                                  .opening_plies = 2,
                                  .balance = 1000,
                                  .draw = -1,
                                  .max_plies = 12,
                                  .network = "none",
                                  .threads = s->threads};
    train_walk walk = {.game = rules->game,
                       .paths = paths,
                       .path_count = 1,
                       .per_game = 4,
                       .visit = ignore_position,
                       .context = digest};
    ply_error error = {0};
    ply_status status = train_play(rules->game, &options, path, &error);
    if (status == PLY_OK)
        status = train_walk_run(&walk, &error);
    remove_tree(dir);
    return status;
}

static const ply_game *find_fived(void)
{
    return ply_game_find("5dchess");
}

static const ply_game *find_shogi(void)
{
    return ply_game_find("shogi");
}

static const ply_game *find_checkers(void)
{
    return ply_game_find("checkers");
}

static const ply_game *find_neighbours(void)
{
    return ply_game_find("neighbours");
}

static const ply_game *find_gomoku(void)
{
    return ply_game_find("gomoku");
}

static const ply_game *find_custom(void)
{
    return &connect_four_game;
}

#define MATE_IN_3 "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1"
#define GAMES_WITH(text, function, ...)                                      \
    {text " 5dchess", find_fived, .run = function, __VA_ARGS__},             \
        {text " shogi", find_shogi, .run = function, __VA_ARGS__},           \
        {text " checkers", find_checkers, .run = function, __VA_ARGS__},     \
        {text " neighbours", find_neighbours, .run = function, __VA_ARGS__}, \
        {text " gomoku", find_gomoku, .run = function, __VA_ARGS__},         \
    {                                                                        \
        text " custom", find_custom, .run = function, __VA_ARGS__            \
    }

static const scenario scenarios[] = {
    GAMES_WITH("state", run_state, .threads = 1),
    GAMES_WITH("perft", run_perft, .threads = 1),
    GAMES_WITH("perft on two threads", run_perft, .threads = 2),
    GAMES_WITH("playouts", run_playouts, .threads = 1),
    GAMES_WITH("alpha-beta", run_search, .kind = PLY_SEARCH_ALPHABETA, .quality_may_drop = true),
    GAMES_WITH("mcts", run_search, .kind = PLY_SEARCH_MCTS, .quality_may_drop = true),
    /* Without 5D chess, whose random games are long. */
    {"mcts by playouts shogi", find_shogi, .kind = PLY_SEARCH_PLAYOUTS, .quality_may_drop = true,
     .run = run_search},
    {"mcts by playouts gomoku", find_gomoku, .kind = PLY_SEARCH_PLAYOUTS, .quality_may_drop = true,
     .run = run_search},
    {"mcts by playouts custom", find_custom, .kind = PLY_SEARCH_PLAYOUTS, .quality_may_drop = true,
     .run = run_search},
    GAMES_WITH("player", run_player, .quality_may_drop = true),
    {"alpha-beta on two threads", find_checkers, .kind = PLY_SEARCH_ALPHABETA, .threads = 2,
     .quality_may_drop = true, .run = run_search},
    {"solver shogi", find_shogi, .position = MATE_IN_3, .goal = "mate", .run = run_solver},
    {"solver shogi on two threads", find_shogi, .threads = 2, .position = MATE_IN_3, .goal = "mate",
     .quality_may_drop = true, .run = run_solver},
    {"solver gomoku", find_gomoku, .moves = "h8 a1 h9 a3 h10 a5", .goal = "vcf", .run = run_solver},
    {"solver custom", find_custom, .moves = "d d e e", .goal = "win", .run = run_solver},
    {"record ply", find_neighbours, .moves = "b1b3 f6f5", .format = "ply", .run = run_record},
    {"record json", find_neighbours, .moves = "b1b3 f6f5", .format = "json", .run = run_record},
    {"record ply custom", find_custom, .moves = "d d e e", .format = "ply", .run = run_record},
    {"record kif", find_shogi, .moves = "7g7f 3c3d", .format = "kif", .run = run_record},
    {"record ki2", find_shogi, .moves = "7g7f 3c3d", .format = "ki2", .run = run_record},
    {"record csa", find_shogi, .moves = "7g7f 3c3d", .format = "csa", .run = run_record},
    {"record western", find_shogi, .moves = "7g7f 3c3d", .format = "western", .run = run_record},
    {"record jkf", find_shogi, .moves = "7g7f 3c3d", .format = "jkf", .run = run_record},
    {"record pdn", find_checkers, .moves = "11-15 23-19", .format = "pdn", .run = run_record},
    {"record sgf", find_gomoku, .moves = "h8 h9", .format = "sgf", .run = run_record},
    {"record 5dpgn", find_fived, .format = "5dpgn", .run = run_record},
    {"self-play", find_neighbours, .threads = 1, .quality_may_drop = true, .run = run_selfplay},
    {"layout shogi", find_shogi, .moves = "7g7f", .run = run_layout},
    {"layout 5dchess", find_fived, .moves = "e2e4", .run = run_layout},
    {"layout of a game without the hook", find_custom, .run = run_layout},
    {"session ply", find_neighbours, .format = "ply", .run = run_session},
    {"session usi", find_shogi, .format = "usi", .run = run_session},
    {"session gomocup", find_gomoku, .format = "gomocup", .run = run_session},
    {"session hub", find_checkers, .format = "hub", .run = run_session},
    {"network", find_checkers, .kind = PLY_SEARCH_ALPHABETA, .run = run_network},
    {"network with mcts", find_checkers, .kind = PLY_SEARCH_MCTS, .quality_may_drop = true,
     .run = run_network},
    {"tablebase", find_neighbours, .position = "6/6/2b3/3w2/6/6 w", .run = run_tablebase},
};

enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

/* --- every n -------------------------------------------------------------------------------- */
static ply_status attempt(const scenario *s, uint64_t fail_at, uint64_t *digest, uint64_t *count)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    *digest = 0;
    assert_int_equal(ply_rules_make(&rules, s->game(), s->variant, &error), PLY_OK);
    assert_int_equal(ply_state_init(&state, &rules), PLY_OK);
    if (s->position)
        assert_int_equal(ply_state_parse(&state, s->position, strlen(s->position), &error), PLY_OK);
    if (s->moves)
        assert_int_equal(ply_state_play_text(&state, s->moves, strlen(s->moves), &error), PLY_OK);
    atomic_store(&allocations, 0);
    atomic_store(&failing, fail_at);
    ply_status status = s->run(s, &rules, &state, digest);
    atomic_store(&failing, 0);
    *count = atomic_load(&allocations);
    ply_state_free(&state);
    return status;
}

static void test_scenario(void **context)
{
    const scenario *s = *context;
    uint64_t expected, digest, count, total;
    assert_int_equal(attempt(s, 0, &expected, &total), PLY_OK);
    /* Long runs are sampled beyond the first allocations; the long tier tries every one. */
    uint64_t dense = test_is_long() ? total : test_rounds(300, 0), stride = 1;
    for (uint64_t n = 1; n <= total; n += stride) {
        ply_status status = attempt(s, n, &digest, &count);
        if (status != PLY_OK && status != PLY_NO_MEMORY && status != PLY_LIMIT)
            fail_msg("allocation %llu of %llu: %s", (unsigned long long)n,
                     (unsigned long long)total, ply_status_name(status));
        if (status == PLY_OK && !s->quality_may_drop && digest != expected)
            fail_msg("allocation %llu of %llu: another answer", (unsigned long long)n,
                     (unsigned long long)total);
        if (n >= dense)
            stride = total / 100 + 1;
    }
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[SCENARIOS];
    size_t count = 0;
    write_network();
    for (size_t i = 0; i < SCENARIOS; i++)
        if (argc < 2 || strstr(scenarios[i].name, argv[1]))
            tests[count++] = (struct CMUnitTest){.name = scenarios[i].name,
                                                 .test_func = test_scenario,
                                                 .initial_state = (void *)&scenarios[i]};
    int failed = _cmocka_run_group_tests("allocations", tests, count, NULL, NULL);
    unlink(network_path);
    return failed;
}
