/* SPDX-License-Identifier: MIT */
/* batch.c - making a batch: its options, its memory, its arrays; symmetries. See batch.h. */
#include "batch/batch_internal.h"
#include "batch/device.h"
#include "core/clock.h"
#include "core/options.h"
#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 64,
    DEFAULT_PLIES = 1000,
    DEFAULT_LIST_ROOM = 1024,
    MAX_PLIES = 1 << 24,
    MAX_HISTORY = 64,
    MAX_REPETITION = 8,
    ALL_OUTPUTS = 2 * PLY_BATCH_FINAL_OBSERVATIONS - 1,
};
/* Keeps every product of sizes below far away from overflow. */
static const size_t MAX_GAMES = (size_t)1 << 28;

size_t ply_batch_default_plies(const ply_rules *rules)
{
    return rules && rules->default_plies ? rules->default_plies : DEFAULT_PLIES;
}

/* --- memory --------------------------------------------------------------------------------- */
/* Zeroed memory that ply_batch_free frees; NULL when it runs out. */
static void *take(ply_batch *b, size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total) || total > SIZE_MAX / 2)
        return NULL;
    total = (total + ALIGN - 1) / ALIGN * ALIGN;
    void *memory = aligned_alloc(ALIGN, total ? total : ALIGN);
    if (memory) {
        memset(memory, 0, total);
        b->memory[b->memory_count++] = memory;
    }
    return memory;
}

/* An array of the batch: the caller's, or one of its own. False when memory runs out. */
static bool take_array(ply_batch *b, const void *lent, size_t row_bytes, void *array)
{
    void *memory = NULL;
    if (lent)
        memcpy(&memory, &lent, sizeof memory);
    else
        memory = take(b, b->options.games, row_bytes);
    memcpy(array, &memory, sizeof memory);
    return memory != NULL;
}

static bool take_arrays(ply_batch *b, const ply_batch_arrays *lent)
{
    ply_batch_arrays *a = &b->arrays;
    unsigned outputs = b->options.outputs;
    return take_array(b, lent->rewards, 2 * sizeof(float), &a->rewards) &&
           take_array(b, lent->terminated, 1, &a->terminated) &&
           take_array(b, lent->truncated, 1, &a->truncated) &&
           take_array(b, lent->illegal, 1, &a->illegal) &&
           take_array(b, lent->players, 1, &a->players) &&
           take_array(b, lent->results, 1, &a->results) &&
           take_array(b, lent->plies, sizeof(uint32_t), &a->plies) &&
           take_array(b, lent->legal_counts, sizeof(uint32_t), &a->legal_counts) &&
           take_array(b, lent->choices, sizeof(int32_t), &a->choices) &&
           (!(outputs & PLY_BATCH_OBSERVATIONS) ||
            take_array(b, lent->observations, b->observation_bytes, &a->observations)) &&
           (!(outputs & PLY_BATCH_MASK_BITS) ||
            take_array(b, lent->mask_bits, a->mask_words * sizeof(uint64_t), &a->mask_bits)) &&
           (!(outputs & PLY_BATCH_MASK_BYTES) ||
            take_array(b, lent->mask_bytes, a->actions, &a->mask_bytes)) &&
           (!(outputs & PLY_BATCH_LEGAL_ACTIONS) ||
            take_array(b, lent->legal_actions, a->list_room * sizeof(int32_t),
                       &a->legal_actions)) &&
           (!(outputs & PLY_BATCH_KEYS) || take_array(b, lent->keys, sizeof(uint64_t), &a->keys)) &&
           (!(outputs & PLY_BATCH_FINAL_OBSERVATIONS) ||
            take_array(b, lent->final_observations, b->observation_bytes, &a->final_observations));
}

static bool take_games(ply_batch *b)
{
    const ply_rules *rules = b->rules;
    const ply_batch_options *o = &b->options;
    size_t games = o->games + 1;
    b->position_stride = (rules->position_bytes + ALIGN - 1) / ALIGN * ALIGN;
    b->undo_stride = (o->max_plies * rules->undo_bytes + ALIGN - 1) / ALIGN * ALIGN;
    bool native = rules->learning->mask != NULL;
    b->games = calloc(games, sizeof *b->games);
    b->positions = take(b, games * (1 + o->history), b->position_stride);
    b->masks = take(b, games, b->arrays.mask_words * sizeof(uint64_t));
    b->kernels = PLY_ISA_PICK(ply_batch_kernels_of);
    bool filtered = rules->search->fresh_outcome != NULL;
    b->filters = filtered ? take(b, games, FILTER_WORDS * sizeof(uint64_t)) : NULL;
    b->fresh = take(b, o->threads, b->position_stride);
    b->shares = take(b, o->threads, sizeof *b->shares);
    b->undo_stacks = calloc(games, b->undo_stride + ALIGN);
    b->moves = calloc(games, o->max_plies * sizeof(ply_move));
    b->past_keys = o->repetition ? calloc(games, o->max_plies * sizeof(uint64_t)) : NULL;
    b->scratch = native ? NULL : calloc(o->threads, rules->max_moves * sizeof(ply_move));
    return b->games && b->positions && b->masks && b->fresh && b->shares && b->undo_stacks &&
           b->moves && (b->filters || !filtered) && (b->past_keys || !o->repetition) &&
           (b->scratch || native);
}

void ply_batch_free(ply_batch *batch)
{
    if (!batch)
        return;
    for (size_t g = 0; batch->games && g <= batch->options.games; g++)
        if (batch->games[g].has_position)
            ply_game_clear(batch->rules, batch_position(batch, g));
    ply_batch_device_close(batch->device);
    ply_batch_free(batch->start);
    ply_workers_stop(batch->workers);
    free(batch->games);
    free(batch->undo_stacks);
    free(batch->moves);
    free(batch->past_keys);
    free(batch->scratch);
    for (unsigned i = 0; i < batch->memory_count; i++)
        free(batch->memory[i]);
    free(batch);
}

const ply_batch_arrays *ply_batch_data(const ply_batch *batch)
{
    return batch ? &batch->arrays : NULL;
}

/* --- options -------------------------------------------------------------------------------- */
static void fill_in_defaults(ply_batch_options *o, const ply_rules *rules)
{
    if (o->games == 0)
        o->games = 1;
    if (o->threads == 0)
        o->threads = 1;
    if (o->max_plies == 0)
        o->max_plies = ply_batch_default_plies(rules);
    if (o->max_boards == 0 && o->device != PLY_DEVICE_CPU && rules->learning->bounded)
        o->max_boards = rules->learning->bounded->max_boards;
    if (o->list_room == 0)
        o->list_room =
            rules->max_moves < DEFAULT_LIST_ROOM ? (uint32_t)rules->max_moves : DEFAULT_LIST_ROOM;
}

static ply_status check_options(const ply_batch_options *o, const ply_rules *rules,
                                ply_error *error)
{
    unsigned planes = PLY_BATCH_OBSERVATIONS | PLY_BATCH_FINAL_OBSERVATIONS;
    if (rules->actions == 0 || !rules->learning->action || !rules->learning->action_move)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no action numbering", rules->game->id);
    if ((o->outputs & planes) && (rules->planes == 0 || !rules->learning->observe))
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no observations", rules->game->id);
    if (o->history > 0 && rules->game->copy)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "%s has no history planes: its positions contain their past",
                             rules->game->id);
    if (o->games > MAX_GAMES || o->threads > PLY_MAX_THREADS || o->max_plies > MAX_PLIES)
        return ply_error_set(error, PLY_BAD_OPTION,
                             "a batch has at most %zu games, %d threads and "
                             "%d plies",
                             MAX_GAMES, PLY_MAX_THREADS, MAX_PLIES);
    const ply_bounded_hooks *bounded = rules->learning->bounded;
    if (o->max_boards > 0 && !bounded)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no number of boards to bound",
                             rules->game->id);
    if (o->device != PLY_DEVICE_CPU && bounded && o->max_boards > bounded->max_boards)
        return ply_error_set(error, PLY_BAD_OPTION, "on a device a game has at most %zu boards",
                             bounded->max_boards);
    if (o->history > MAX_HISTORY || o->repetition > MAX_REPETITION)
        return ply_error_set(error, PLY_BAD_OPTION,
                             "at most %d earlier positions and %d repetition planes", MAX_HISTORY,
                             MAX_REPETITION);
    const char *unknown = o->outputs > ALL_OUTPUTS                         ? "outputs"
                          : (unsigned)o->device > PLY_DEVICE_CUDA          ? "device"
                          : (unsigned)o->reset > PLY_BATCH_RESET_NEVER     ? "reset"
                          : (unsigned)o->illegal > PLY_BATCH_ILLEGAL_FAILS ? "illegal"
                                                                           : NULL;
    if (unknown)
        return ply_error_set(error, PLY_BAD_OPTION, "the option `%s` has an unknown value",
                             unknown);
    if (o->start && (!batch_same_rules(o->start->rules, rules) || o->start->plies > o->max_plies))
        return ply_error_set(error, PLY_BAD_OPTION,
                             "the start is of other rules, or has more than %zu plies",
                             o->max_plies);
    return PLY_OK;
}

/* The number of the observation with that name; 0: the game's own. */
static ply_status find_observation(const char *name, const ply_rules *rules, unsigned *number,
                                   ply_error *error)
{
    *number = 0;
    if (!name)
        return PLY_OK;
    for (unsigned i = 0; i < rules->learning->observation_count; i++)
        if (strcmp(rules->learning->observations[i].name, name) == 0) {
            *number = i + 1;
            return PLY_OK;
        }
    return ply_error_set(error, PLY_UNSUPPORTED, "%s has no observation '%s'", rules->game->id,
                         name);
}

static void set_shape(ply_batch *b)
{
    const ply_rules *rules = b->rules;
    ply_batch_arrays *a = &b->arrays;
    const ply_observation own = {.planes = rules->planes, .observe = rules->learning->observe};
    const ply_observation *seen =
        b->observation ? &rules->learning->observations[b->observation - 1] : &own;
    size_t cells = (size_t)rules->plane_height * rules->plane_width;
    b->plane_bytes = seen->planes * cells;
    b->observe = seen->observe;
    *a = (ply_batch_arrays){
        .size = sizeof *a,
        .games = b->options.games,
        .actions = rules->actions,
        .mask_words = (rules->actions + 63) / 64,
        .list_room = b->options.list_room,
    };
    if (seen->planes > 0) {
        a->planes = seen->planes * (1 + b->options.history) + b->options.repetition;
        a->height = rules->plane_height;
        a->width = rules->plane_width;
    }
    b->observation_bytes = a->planes * cells;
}

/* Sets up where games start, and starts them. */
static ply_status begin(ply_batch *b, const ply_state *start)
{
    ply_state usual;
    ply_status status = start ? PLY_OK : ply_state_init(&usual, b->rules);
    if (status != PLY_OK)
        return status;
    status = ply_batch_place(b, b->options.games, start ? start : &usual);
    if (!start)
        ply_state_free(&usual);
    if (status != PLY_OK)
        return status;
    ply_batch_look(b, b->options.games, 0);
    for (size_t g = 0; g < b->options.games; g++)
        b->games[g].stream = batch_stream(b->options.seed, g);
    return ply_batch_reset(b, NULL);
}

/* Sets up the games on the host, or on a device. */
static ply_status open_host(ply_batch *b, const ply_state *start, const ply_batch_arrays *lent,
                            ply_error *error)
{
    b->workers = ply_workers_start(b->options.threads);
    ply_status status =
        b->workers && take_games(b) && take_arrays(b, lent) ? begin(b, start) : PLY_NO_MEMORY;
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}

static ply_status open_device(ply_batch *b, const ply_state *start, const ply_batch_arrays *lent,
                              ply_error *error)
{
    const ply_batch_options one = {.max_plies = b->options.max_plies,
                                   .history = b->options.history,
                                   .repetition = b->options.repetition,
                                   .start = start};
    ply_status status = ply_batch_new(&b->start, b->rules, &one, error);
    return status == PLY_OK ? ply_batch_device_open(&b->device, b, lent, &b->arrays, error)
                            : status;
}

ply_status ply_batch_new(ply_batch **batch, const ply_rules *rules,
                         const ply_batch_options *options, ply_error *error)
{
    ply_batch_options o;
    ply_batch_arrays lent;
    if (!batch)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the batch");
    *batch = NULL;
    if (!rules || !rules->game)
        return ply_error_set(error, PLY_UNKNOWN_GAME, "no rules");
    ply_options_copy(&o, sizeof o, options);
    ply_options_copy(&lent, sizeof lent, o.arrays);
    fill_in_defaults(&o, rules);
    unsigned observation;
    ply_status status = check_options(&o, rules, error);
    if (status == PLY_OK)
        status = find_observation(o.observation, rules, &observation, error);
    if (status != PLY_OK)
        return status;
    ply_batch *b = calloc(1, sizeof *b);
    if (!b)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    b->rules = rules;
    b->options = o;
    b->options.start = NULL;
    b->options.arrays = NULL;
    b->options.observation = NULL;
    b->observation = observation;
    set_shape(b);
    status = o.device == PLY_DEVICE_CPU ? open_host(b, o.start, &lent, error)
                                        : open_device(b, o.start, &lent, error);
    if (status != PLY_OK) {
        ply_batch_free(b);
        return status;
    }
    *batch = b;
    return PLY_OK;
}

/* --- devices -------------------------------------------------------------------------------- */
ply_device ply_batch_device_of(const ply_batch *batch, int *device_index)
{
    if (device_index)
        *device_index = batch && batch->device ? ply_batch_device_index(batch->device) : 0;
    return batch && batch->device ? PLY_DEVICE_CUDA : PLY_DEVICE_CPU;
}

void *ply_batch_stream(const ply_batch *batch)
{
    return batch && batch->device ? ply_batch_device_stream(batch->device) : NULL;
}

ply_status ply_batch_wait(ply_batch *batch, ply_error *error)
{
    if (!batch)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no batch");
    return batch->device ? ply_batch_device_wait(batch->device, error) : PLY_OK;
}

ply_status ply_batch_read(ply_batch *batch, void *to, const void *array, size_t bytes)
{
    if (!batch || (bytes > 0 && (!to || !array)))
        return PLY_BAD_ARGUMENT;
    if (batch->device)
        return ply_batch_device_read(batch->device, to, array, bytes);
    if (bytes > 0)
        memcpy(to, array, bytes);
    return PLY_OK;
}

ply_status ply_batch_write(ply_batch *batch, void *array, const void *from, size_t bytes)
{
    if (!batch || (bytes > 0 && (!array || !from)))
        return PLY_BAD_ARGUMENT;
    if (batch->device)
        return ply_batch_device_write(batch->device, array, from, bytes);
    if (bytes > 0)
        memcpy(array, from, bytes);
    return PLY_OK;
}

/* --- threads -------------------------------------------------------------------------------- */
/* Games are handed out in parts of this many. A thread that has done its share waits this long
 * before it takes over parts of another's. */
enum { PART_GAMES = 16, OWNER_NANOS = 10000 };

typedef struct batch_job {
    ply_batch *batch;
    batch_work *work;
    void *context;
    size_t parts, share; /* of all games; of each thread */
    _Atomic ply_status status;
} batch_job;

static void run_part(batch_job *job, size_t part, unsigned worker)
{
    size_t first = part * PART_GAMES, end = first + PART_GAMES;
    if (end > job->batch->options.games)
        end = job->batch->options.games;
    ply_status status = job->work(job->batch, first, end, worker, job->context);
    if (status != PLY_OK)
        atomic_store_explicit(&job->status, status, memory_order_relaxed);
}

/* The number of parts in a thread's share. */
static size_t share_parts(const batch_job *job, unsigned owner)
{
    size_t first = owner * job->share;
    size_t left = first < job->parts ? job->parts - first : 0;
    return left < job->share ? left : job->share;
}

/* Works on the parts of a share that nobody has begun. */
static void run_share(batch_job *job, unsigned owner, unsigned worker)
{
    size_t parts = share_parts(job, owner), part;
    while ((part = atomic_fetch_add_explicit(&job->batch->shares[owner].taken, 1,
                                             memory_order_relaxed)) < parts)
        run_part(job, owner * job->share + part, worker);
}

/* Waits until a share's parts have been begun, but not past a time of the clock. */
static void wait_for_owner(const batch_job *job, unsigned owner, uint64_t latest)
{
    const batch_share *share = &job->batch->shares[owner];
    size_t parts = share_parts(job, owner);
    while (atomic_load_explicit(&share->taken, memory_order_relaxed) < parts &&
           ply_clock_nanos() < latest)
        ply_pause();
}

/*
 * A thread's own share first, whose games are in its core's cache; then what others have not begun.
 * Taking over a part costs more than the part itself in most games, because its games change from
 * cache to cache now and back in the next step; so the owner, if it has a core, is given some time.
 */
static void run_shares(void *context, size_t item, unsigned worker)
{
    (void)item;
    batch_job *job = context;
    unsigned threads = job->batch->options.threads;
    run_share(job, worker, worker);
    uint64_t latest =
        ply_workers_have_cores(job->batch->workers) ? ply_clock_nanos() + OWNER_NANOS : 0;
    for (unsigned i = 1; i < threads; i++) {
        unsigned owner = (worker + i) % threads;
        wait_for_owner(job, owner, latest);
        run_share(job, owner, worker);
    }
}

ply_status ply_batch_run(ply_batch *batch, batch_work *work, void *context)
{
    size_t games = batch->options.games, threads = batch->options.threads;
    size_t parts = (games + PART_GAMES - 1) / PART_GAMES;
    if (threads == 1 || parts == 1)
        return work(batch, 0, games, 0, context);
    batch_job job = {.batch = batch,
                     .work = work,
                     .context = context,
                     .parts = parts,
                     .share = (parts + threads - 1) / threads};
    for (size_t i = 0; i < threads; i++)
        atomic_store_explicit(&batch->shares[i].taken, 0, memory_order_relaxed);
    ply_workers_run_some(batch->workers, run_shares, &job);
    return job.status;
}

/* --- symmetries ----------------------------------------------------------------------------- */
uint32_t ply_batch_symmetries(const ply_rules *rules)
{
    return rules && rules->learning->symmetries ? rules->learning->symmetries(rules) : 1;
}

ply_status ply_batch_symmetry(const ply_rules *rules, uint32_t i, uint32_t *cells,
                              uint32_t *actions)
{
    if (!rules || i >= ply_batch_symmetries(rules))
        return PLY_LIMIT;
    if (i > 0) {
        rules->learning->symmetry(rules, i, cells, actions);
        return PLY_OK;
    }
    uint32_t cell_count = (uint32_t)rules->plane_height * rules->plane_width;
    for (uint32_t c = 0; cells && c < cell_count; c++)
        cells[c] = c;
    for (uint32_t a = 0; actions && a < rules->actions; a++)
        actions[a] = a;
    return PLY_OK;
}
