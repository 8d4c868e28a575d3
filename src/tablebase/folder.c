/* SPDX-License-Identifier: MIT */
/* folder.c - paths, memory and loaded classes of a folder; see folder.h. */
#include "tablebase/folder.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- memory --------------------------------------------------------------------------------- */
/* Makes an unlinked file of the given size. Returns -1 and sets errno on failure. */
static int scratch_file(const char *dir, size_t bytes)
{
    int file = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) { /* not every file system supports O_TMPFILE */
        ply_text name = ply_text_growing();
        ply_text_format(&name, "%s/scratch-XXXXXX", dir);
        if (ply_text_complete(&name) && (file = mkostemp(name.data, O_CLOEXEC)) >= 0)
            unlink(name.data);
        ply_text_free(&name);
    }
    if (file < 0)
        return -1;
    int reason = posix_fallocate(file, 0, (off_t)bytes);
    if (reason != 0) {
        close(file);
        errno = reason;
        return -1;
    }
    return file;
}

ply_status ply_tablebase_memory_reserve(memory_budget *budget, size_t bytes, budget_array *array,
                                        ply_error *error)
{
    *array = (budget_array){.bytes = bytes};
    array->on_disk =
        budget->limit > 0 && (bytes > budget->limit || budget->used > budget->limit - bytes);
    void *data;
    if (array->on_disk) {
        int file = scratch_file(budget->scratch_dir, bytes);
        if (file < 0)
            return ply_error_set(error, PLY_IO, "%s: cannot reserve %zu MiB of scratch space: %s",
                                 budget->scratch_dir, bytes >> 20, strerror(errno));
        data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    } else {
        data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (data != MAP_FAILED)
            madvise(data, bytes, MADV_HUGEPAGE); /* random access: fewer TLB misses */
    }
    if (data == MAP_FAILED)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory: %zu MiB needed", bytes >> 20);
    array->data = data;
    if (!array->on_disk)
        budget->used += bytes;
    return PLY_OK;
}

void ply_tablebase_memory_release(memory_budget *budget, budget_array *array)
{
    if (!array->data)
        return;
    munmap(array->data, array->bytes);
    if (!array->on_disk)
        budget->used -= array->bytes;
    *array = (budget_array){0};
}

/* --- paths and headers ---------------------------------------------------------------------- */
void ply_tablebase_folder_path(const ply_rules *rules, const char *dir, ply_text *out)
{
    ply_text_format(out, "%s/%s/", dir, rules->game->id);
    rules->indexing->retrograde(rules)->rules_name(rules, out);
}

ply_status ply_tablebase_file_path(const tablebase_folder *folder, size_t class_index,
                                   const char *extension, ply_text *path, ply_error *error)
{
    *path = ply_text_growing();
    ply_text_format(path, "%s/", ply_text_cstr(&folder->path));
    folder->rules->indexing->class_name(folder->rules, class_index, path);
    ply_text_string(path, extension);
    return ply_text_complete(path) ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

/* Makes a directory and its parents. */
static ply_status make_directories(char *path, ply_error *error)
{
    for (char *at = path + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char saved = *at;
        *at = '\0';
        int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        if (failed)
            ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
        *at = saved;
        if (failed)
            return PLY_IO;
        if (!saved)
            return PLY_OK;
    }
}

ply_status ply_tablebase_file_check_header(const ply_rules *rules, const ply_retrograde *retrograde,
                                           const void *workspace, size_t class_index,
                                           tablebase_kind kind, const tablebase_header *header,
                                           const char *path, ply_error *error)
{
    char rules_text[TABLEBASE_RULES_TEXT], class_text[TABLEBASE_CLASS_TEXT];
    ply_text name = ply_text_fixed(rules_text, sizeof rules_text);
    retrograde->rules_name(rules, &name);
    ply_text class_name = ply_text_fixed(class_text, sizeof class_text);
    rules->indexing->class_name(rules, class_index, &class_name);
    if (strcmp(header->game, rules->game->id) != 0 || strcmp(header->rules, rules_text) != 0 ||
        strcmp(header->class_name, class_text) != 0)
        return ply_error_set(error, PLY_IO, "%s: a file for %s %s %s, not for %s %s %s", path,
                             header->game, header->rules, header->class_name, rules->game->id,
                             rules_text, class_text);
    if (header->kind != kind)
        return ply_error_set(error, PLY_IO, "%s: not %s", path,
                             kind == TABLEBASE_FINISHED ? "a finished tablebase" : "a checkpoint");
    uint64_t slots = retrograde->slot_count(workspace, class_index);
    if (kind == TABLEBASE_FINISHED && header->slots != slots)
        return ply_error_set(error, PLY_IO, "%s: it has %llu values; the class has %llu", path,
                             (unsigned long long)header->slots, (unsigned long long)slots);
    return PLY_OK;
}

uint64_t ply_tablebase_folder_slice_slots(const tablebase_folder *folder, size_t class_index)
{
    size_t partner = folder->retrograde->class_partner(class_index);
    uint64_t slots = folder->retrograde->slot_count(folder->workspace, class_index);
    return partner == class_index
               ? slots
               : slots + folder->retrograde->slot_count(folder->workspace, partner);
}

/* --- which slices --------------------------------------------------------------------------- */
/* Upper limits on pieces: in total, on the stronger side and on the weaker side. */
typedef struct piece_limits {
    unsigned total, stronger, weaker;
} piece_limits;

/* Parses ply_tablebase_job.up_to. */
static bool parse_limits(const char *text, piece_limits *limits)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    uint64_t first, second;
    if (!ply_cursor_number(&cursor, 999, &first))
        return false;
    *limits = (piece_limits){(unsigned)first, (unsigned)first, (unsigned)first};
    if (ply_cursor_accept(&cursor, 'v')) {
        if (!ply_cursor_number(&cursor, 999, &second) || first == 0 || second == 0)
            return false;
        limits->total = (unsigned)(first + second);
        limits->stronger = (unsigned)(first > second ? first : second);
        limits->weaker = (unsigned)(first > second ? second : first);
    }
    return ply_cursor_done(&cursor) && limits->total >= 2;
}

/* Whether a class is within the limits; *is_largest: it has the largest total they allow. */
static bool is_within(const ply_retrograde *retrograde, size_t class_index,
                      const piece_limits *limits, bool *is_largest)
{
    unsigned own, enemy;
    retrograde->class_pieces(class_index, &own, &enemy);
    *is_largest = own + enemy == limits->total;
    unsigned stronger = own > enemy ? own : enemy, weaker = own > enemy ? enemy : own;
    return weaker > 0 && own + enemy <= limits->total && stronger <= limits->stronger &&
           weaker <= limits->weaker;
}

/* By order, then by number, so that each slice follows those it depends on. */
static int compare_slices(const void *a, const void *b, void *retrograde)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    uint32_t p = ((const ply_retrograde *)retrograde)->class_order(x);
    uint32_t q = ((const ply_retrograde *)retrograde)->class_order(y);
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

static ply_status list_slices(tablebase_folder *folder, const char *up_to, ply_error *error)
{
    piece_limits limits;
    bool found = false, is_largest = false;
    if (!parse_limits(up_to, &limits))
        return ply_error_set(error, PLY_BAD_OPTION,
                             "'%s' is neither a number of pieces (at least 2) nor of the form AvB",
                             up_to);
    /* Check that the game has that many pieces before doing anything expensive. */
    for (size_t i = 0; i < folder->class_count && !found; i++)
        found = is_within(folder->retrograde, i, &limits, &is_largest) && is_largest;
    if (!found)
        return ply_error_set(error, PLY_BAD_OPTION, "'%s': the game does not have that many pieces",
                             up_to);
    folder->slices = malloc(folder->class_count * sizeof *folder->slices);
    if (!folder->slices)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < folder->class_count; i++) {
        if (!is_within(folder->retrograde, i, &limits, &is_largest))
            continue;
        ply_status status = folder->retrograde->prepare_class(folder->workspace, i);
        if (status == PLY_LIMIT ||
            (status == PLY_OK &&
             folder->retrograde->slot_count(folder->workspace, i) >> PLY_SLOT_BITS))
            return ply_error_set(error, PLY_LIMIT, "'%s': too many pieces for a tablebase", up_to);
        if (status != PLY_OK)
            return ply_error_set(error, status, "out of memory");
        if (i >= folder->retrograde->class_partner(i) &&
            folder->retrograde->slot_count(folder->workspace, i) > 0)
            folder->slices[folder->slice_count++] = i;
    }
    qsort_r(folder->slices, folder->slice_count, sizeof *folder->slices, compare_slices,
            (void *)(uintptr_t)folder->retrograde);
    return PLY_OK;
}

static ply_status open_members(tablebase_folder *folder, const ply_tablebase_job *job, bool create,
                               ply_error *error)
{
    const ply_rules *rules = folder->rules;
    folder->retrograde->rules_name(rules, &folder->rules_name);
    ply_tablebase_folder_path(rules, job->dir, &folder->path);
    folder->workspace = folder->retrograde->open(rules);
    folder->class_count = rules->indexing->class_count(rules);
    folder->values = calloc(folder->class_count, sizeof *folder->values);
    folder->workers = ply_workers_start(job->threads);
    if (!folder->workspace || !folder->values || !folder->workers ||
        !ply_text_complete(&folder->path) || !ply_text_complete(&folder->rules_name))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    folder->budget =
        (memory_budget){.scratch_dir = ply_text_cstr(&folder->path), .limit = job->memory_mb << 20};
    folder->progress = job->progress;
    const char *up_to = job->up_to ? job->up_to : ply_tablebase_default_reach(rules);
    ply_status status = list_slices(folder, up_to, error);
    return status == PLY_OK && create ? make_directories(folder->path.data, error) : status;
}

const char *ply_tablebase_default_reach(const ply_rules *rules)
{
    return ply_tablebase_available(rules) ? rules->indexing->retrograde(rules)->default_up_to
                                          : NULL;
}

ply_status ply_tablebase_folder_open(tablebase_folder *folder, const ply_rules *rules,
                                     const ply_tablebase_job *job, bool create, ply_error *error)
{
    if (!rules || !rules->game || !job->dir)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no rules or no folder");
    if (!ply_tablebase_available(rules))
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no tablebases", rules->game->id);
    *folder = (tablebase_folder){.rules = rules,
                                 .retrograde = rules->indexing->retrograde(rules),
                                 .rules_name = ply_text_growing(),
                                 .path = ply_text_growing()};
    ply_status status = open_members(folder, job, create, error);
    if (status != PLY_OK)
        ply_tablebase_folder_close(folder);
    return status;
}

void ply_tablebase_folder_close(tablebase_folder *folder)
{
    ply_tablebase_folder_drop(folder);
    free(folder->values);
    free(folder->slices);
    if (folder->workspace)
        folder->retrograde->close(folder->workspace);
    if (folder->workers)
        ply_workers_stop(folder->workers);
    ply_text_free(&folder->rules_name);
    ply_text_free(&folder->path);
}

/* --- loading -------------------------------------------------------------------------------- */
bool ply_tablebase_unpack_team_open(unpack_team *team, ply_workers *workers)
{
    *team = (unpack_team){.workers = ply_workers_size(workers)};
    team->unpackers = calloc(team->workers, sizeof *team->unpackers);
    team->errors = calloc(team->workers, sizeof *team->errors);
    bool good = team->unpackers && team->errors;
    for (unsigned i = 0; good && i < team->workers; i++)
        good = (team->unpackers[i] = ply_tablebase_unpacker_new()) != NULL;
    if (!good && team->errors)
        ply_error_set(&team->errors[0], PLY_NO_MEMORY, "out of memory");
    return good;
}

ply_status ply_tablebase_unpack_team_close(unpack_team *team, ply_error *error)
{
    ply_status status =
        team->errors ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (unsigned i = 0; i < team->workers && status == PLY_OK; i++)
        if ((status = team->errors[i].status) != PLY_OK && error)
            *error = team->errors[i];
    for (unsigned i = 0; team->unpackers && i < team->workers; i++)
        ply_tablebase_unpacker_free(team->unpackers[i]);
    free(team->unpackers);
    free(team->errors);
    return status;
}

enum { CHUNK_BLOCKS = CHUNK_CELLS / TABLEBASE_BLOCK_VALUES };

typedef struct unpacking {
    const tablebase_file *file;
    unsigned rank, ranks;
    unpack_team team;
    unsigned char *to;
    const char *path;
} unpacking;

static void unpack_chunk(void *context, size_t chunk, unsigned worker)
{
    unpacking *u = context;
    ply_error *error = &u->team.errors[worker];
    uint64_t first = ((uint64_t)chunk * u->ranks + u->rank) * CHUNK_BLOCKS;
    unsigned char *to = u->to + (uint64_t)chunk * CHUNK_CELLS * u->file->header.value_bytes;
    size_t step = (size_t)TABLEBASE_BLOCK_VALUES * u->file->header.value_bytes;
    for (uint64_t i = first; i < first + CHUNK_BLOCKS && i < u->file->block_count; i++)
        if (error->status == PLY_OK)
            ply_tablebase_file_block(u->file, u->team.unpackers[worker], i, to + (i - first) * step,
                                     u->path, error);
}

ply_status ply_tablebase_folder_unpack(tablebase_folder *folder, const tablebase_file *file,
                                       unsigned rank, unsigned ranks, void *to, const char *path,
                                       ply_error *error)
{
    unpacking u = {.file = file, .rank = rank, .ranks = ranks, .to = to, .path = path};
    uint64_t values = part_values(file->header.slots, rank, ranks);
    if (ply_tablebase_unpack_team_open(&u.team, folder->workers))
        ply_workers_run(folder->workers, (size_t)((values + CHUNK_CELLS - 1) / CHUNK_CELLS),
                        unpack_chunk, &u);
    return ply_tablebase_unpack_team_close(&u.team, error);
}

static ply_status load_file(tablebase_folder *folder, size_t class_index, unsigned rank,
                            unsigned ranks, const char *path, ply_error *error)
{
    tablebase_values *v = &folder->values[class_index];
    tablebase_file file;
    ply_status status = ply_tablebase_file_open(&file, path, error);
    if (status != PLY_OK)
        return status;
    status =
        ply_tablebase_file_check_header(folder->rules, folder->retrograde, folder->workspace,
                                        class_index, TABLEBASE_FINISHED, &file.header, path, error);
    uint64_t values = part_values(file.header.slots, rank, ranks);
    if (status == PLY_OK && values > 0)
        status = ply_tablebase_memory_reserve(
            &folder->budget, (size_t)(values * file.header.value_bytes), &v->array, error);
    if (status == PLY_OK && values > 0)
        status =
            ply_tablebase_folder_unpack(folder, &file, rank, ranks, v->array.data, path, error);
    v->header = file.header;
    v->value_bytes = file.header.value_bytes;
    if (status != PLY_OK)
        ply_tablebase_memory_release(&folder->budget, &v->array);
    ply_tablebase_file_close(&file);
    return status;
}

ply_status ply_tablebase_folder_load_part(tablebase_folder *folder, size_t class_index,
                                          unsigned rank, unsigned ranks, ply_error *error)
{
    if (folder->values[class_index].array.data)
        return PLY_OK;
    ply_text path;
    ply_status status = ply_tablebase_file_path(folder, class_index, ".plt", &path, error);
    if (status == PLY_OK)
        status = load_file(folder, class_index, rank, ranks, ply_text_cstr(&path), error);
    ply_text_free(&path);
    return status;
}

ply_status ply_tablebase_folder_load(tablebase_folder *folder, size_t class_index, ply_error *error)
{
    return ply_tablebase_folder_load_part(folder, class_index, 0, 1, error);
}

void ply_tablebase_folder_drop(tablebase_folder *folder)
{
    for (size_t i = 0; folder->values && i < folder->class_count; i++)
        ply_tablebase_memory_release(&folder->budget, &folder->values[i].array);
}

size_t ply_tablebase_folder_exits(const tablebase_folder *folder, size_t class_index, size_t *exits)
{
    size_t listed = folder->retrograde->class_exits(class_index, exits);
    listed += folder->retrograde->class_exits(folder->retrograde->class_partner(class_index),
                                              exits + listed);
    size_t count = 0; /* classes without positions have no file */
    for (size_t i = 0; i < listed; i++)
        if (folder->retrograde->slot_count(folder->workspace, exits[i]) > 0)
            exits[count++] = exits[i];
    return count;
}

ply_status ply_tablebase_folder_load_exits(tablebase_folder *folder, size_t class_index,
                                           size_t extra_bytes, ply_error *error)
{
    size_t exits[2 * PLY_CLASS_EXITS];
    size_t count = ply_tablebase_folder_exits(folder, class_index, exits);
    size_t needed = extra_bytes;
    for (size_t i = 0; i < count; i++)
        if (!folder->values[exits[i]].array.data)
            needed += (size_t)folder->retrograde->slot_count(folder->workspace, exits[i]);
    if (folder->budget.limit > 0 && folder->budget.used + needed > folder->budget.limit)
        for (size_t i = 0; i < folder->class_count; i++) {
            bool is_exit = false;
            for (size_t k = 0; k < count && !is_exit; k++)
                is_exit = exits[k] == i;
            if (!is_exit)
                ply_tablebase_memory_release(&folder->budget, &folder->values[i].array);
        }
    for (size_t i = 0; i < count; i++) {
        ply_status status = ply_tablebase_folder_load(folder, exits[i], error);
        if (status != PLY_OK)
            return status;
    }
    return PLY_OK;
}
