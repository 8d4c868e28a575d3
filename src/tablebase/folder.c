/* SPDX-License-Identifier: MIT */
/* folder.c - see folder.h. */
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

/* --- room ----------------------------------------------------------------------------------- */
/* A file without a name, as long as it must be. -1, with errno set, on failure. */
static int scratch_file(const char *folder, size_t bytes)
{
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) { /* not every file system has nameless files */
        ply_text name = ply_text_growing();
        ply_text_format(&name, "%s/scratch-XXXXXX", folder);
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

ply_status ply_tablebase_memory_reserve(memory_budget *room, size_t bytes, tablebase_array *array,
                                        ply_error *error)
{
    *array = (tablebase_array){.bytes = bytes};
    array->on_disk = room->limit > 0 && (bytes > room->limit || room->used > room->limit - bytes);
    void *data;
    if (array->on_disk) {
        int file = scratch_file(room->folder, bytes);
        if (file < 0)
            return ply_error_set(error, PLY_IO, "%s: %zu MiB of working space: %s", room->folder,
                                 bytes >> 20, strerror(errno));
        data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    } else {
        data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (data != MAP_FAILED)
            madvise(data, bytes, MADV_HUGEPAGE); /* random access misses fewer page tables */
    }
    if (data == MAP_FAILED)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory: %zu MiB", bytes >> 20);
    array->data = data;
    if (!array->on_disk)
        room->used += bytes;
    return PLY_OK;
}

void ply_tablebase_memory_release(memory_budget *room, tablebase_array *array)
{
    if (!array->data)
        return;
    munmap(array->data, array->bytes);
    if (!array->on_disk)
        room->used -= array->bytes;
    *array = (tablebase_array){0};
}

/* --- the folder ----------------------------------------------------------------------------- */
void ply_tablebase_folder_path(const ply_rules *rules, const char *dir, ply_text *out)
{
    ply_text_format(out, "%s/%s/", dir, rules->game->id);
    rules->indexing->retrograde(rules)->rules_name(rules, out);
}

void ply_tablebase_file_path(const tablebase_folder *store, size_t class_index, const char *ending,
                             ply_text *out)
{
    ply_text_format(out, "%s/", ply_text_cstr(&store->folder));
    store->rules->indexing->class_name(store->rules, class_index, out);
    ply_text_string(out, ending);
}

static ply_status make_folders(char *path, ply_error *error)
{
    for (char *at = path + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char kept = *at;
        *at = '\0';
        int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        if (failed)
            ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
        *at = kept;
        if (failed)
            return PLY_IO;
        if (!kept)
            return PLY_OK;
    }
}

ply_status ply_tablebase_file_check_header(const ply_rules *rules, const ply_retrograde *retro,
                                           const void *work, size_t class_index,
                                           tablebase_kind kind, const tablebase_header *header,
                                           const char *path, ply_error *error)
{
    char rules_text[TABLE_RULES_TEXT], class_text[TABLE_CLASS_TEXT];
    ply_text name = ply_text_fixed(rules_text, sizeof rules_text);
    retro->rules_name(rules, &name);
    ply_text class_name = ply_text_fixed(class_text, sizeof class_text);
    rules->indexing->class_name(rules, class_index, &class_name);
    if (strcmp(header->game, rules->game->id) != 0 || strcmp(header->rules, rules_text) != 0 ||
        strcmp(header->class_name, class_text) != 0)
        return ply_error_set(error, PLY_IO, "%s: a table of %s %s %s, not of %s %s %s", path,
                             header->game, header->rules, header->class_name, rules->game->id,
                             rules_text, class_text);
    if (header->kind != kind)
        return ply_error_set(error, PLY_IO, "%s: not %s", path,
                             kind == TABLE_VALUES ? "a finished table" : "a checkpoint");
    uint64_t slots = retro->slots(work, class_index);
    if (kind == TABLE_VALUES && header->slots != slots)
        return ply_error_set(error, PLY_IO, "%s: %llu values; the class has %llu", path,
                             (unsigned long long)header->slots, (unsigned long long)slots);
    return PLY_OK;
}

/* --- which classes -------------------------------------------------------------------------- */
typedef struct reach {
    unsigned total, more, fewer; /* pieces at most: together, and on the two sides */
} reach;

static bool read_reach(const char *text, reach *r)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    uint64_t first, second;
    if (!ply_cursor_number(&cursor, 999, &first))
        return false;
    *r = (reach){(unsigned)first, (unsigned)first, (unsigned)first};
    if (ply_cursor_accept(&cursor, 'v')) {
        if (!ply_cursor_number(&cursor, 999, &second) || first == 0 || second == 0)
            return false;
        r->total = (unsigned)(first + second);
        r->more = (unsigned)(first > second ? first : second);
        r->fewer = (unsigned)(first > second ? second : first);
    }
    return ply_cursor_done(&cursor) && r->total >= 2;
}

/* Whether a class is within reach; *is_last: it has all the pieces that the reach allows. */
static bool within(const ply_retrograde *retro, size_t class_index, const reach *r, bool *is_last)
{
    unsigned own, other;
    retro->class_pieces(class_index, &own, &other);
    *is_last = own + other == r->total;
    unsigned more = own > other ? own : other, fewer = own > other ? other : own;
    return fewer > 0 && own + other <= r->total && more <= r->more && fewer <= r->fewer;
}

/* By order, then by number: each slice after those it needs. */
static int compare_slices(const void *a, const void *b, void *retro)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    uint32_t p = ((const ply_retrograde *)retro)->class_order(x);
    uint32_t q = ((const ply_retrograde *)retro)->class_order(y);
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

static ply_status list_slices(tablebase_folder *store, const char *up_to, ply_error *error)
{
    reach r;
    bool reached = false, is_last = false;
    if (!read_reach(up_to, &r))
        return ply_error_set(error, PLY_BAD_OPTION,
                             "'%s' is neither a number of pieces, 2 or more, nor AvB", up_to);
    /* Whether there are so many pieces at all is asked before anything costly. */
    for (size_t i = 0; i < store->class_count && !reached; i++)
        reached = within(store->retro, i, &r, &is_last) && is_last;
    if (!reached)
        return ply_error_set(error, PLY_BAD_OPTION, "'%s' is more than the game has pieces", up_to);
    store->slices = malloc(store->class_count * sizeof *store->slices);
    if (!store->slices)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < store->class_count; i++) {
        if (!within(store->retro, i, &r, &is_last))
            continue;
        ply_status status = store->retro->prepare(store->work, i);
        if (status == PLY_LIMIT ||
            (status == PLY_OK && store->retro->slots(store->work, i) >> PLY_SLOT_BITS))
            return ply_error_set(error, PLY_LIMIT, "'%s' is more than tables can hold", up_to);
        if (status != PLY_OK)
            return ply_error_set(error, status, "out of memory");
        if (i >= store->retro->class_partner(i) && store->retro->slots(store->work, i) > 0)
            store->slices[store->slice_count++] = i;
    }
    qsort_r(store->slices, store->slice_count, sizeof *store->slices, compare_slices,
            (void *)(uintptr_t)store->retro);
    return PLY_OK;
}

static ply_status open_parts(tablebase_folder *store, const ply_tablebase_job *job, bool creates,
                             ply_error *error)
{
    const ply_rules *rules = store->rules;
    store->retro->rules_name(rules, &store->rules_name);
    ply_tablebase_folder_path(rules, job->dir, &store->folder);
    store->work = store->retro->open(rules);
    store->class_count = rules->indexing->class_count(rules);
    store->values = calloc(store->class_count, sizeof *store->values);
    store->team = ply_workers_start(job->threads);
    if (!store->work || !store->values || !store->team || !ply_text_complete(&store->folder) ||
        !ply_text_complete(&store->rules_name))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    store->room =
        (memory_budget){.folder = ply_text_cstr(&store->folder), .limit = job->memory_mb << 20};
    store->progress = job->progress;
    ply_status status = list_slices(store, job->up_to, error);
    return status == PLY_OK && creates ? make_folders(store->folder.data, error) : status;
}

const char *ply_tablebase_default_reach(const ply_rules *rules)
{
    return ply_tablebase_available(rules) ? rules->indexing->retrograde(rules)->reach : NULL;
}

ply_status ply_tablebase_folder_open(tablebase_folder *store, const ply_rules *rules,
                                     const ply_tablebase_job *job, bool creates, ply_error *error)
{
    if (!ply_tablebase_available(rules))
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no tables", rules->game->id);
    *store = (tablebase_folder){.rules = rules,
                                .retro = rules->indexing->retrograde(rules),
                                .rules_name = ply_text_growing(),
                                .folder = ply_text_growing()};
    ply_status status = open_parts(store, job, creates, error);
    if (status != PLY_OK)
        ply_tablebase_folder_close(store);
    return status;
}

void ply_tablebase_folder_close(tablebase_folder *store)
{
    for (size_t i = 0; store->values && i < store->class_count; i++)
        ply_tablebase_memory_release(&store->room, &store->values[i].array);
    free(store->values);
    free(store->slices);
    if (store->work)
        store->retro->close(store->work);
    if (store->team)
        ply_workers_stop(store->team);
    ply_text_free(&store->rules_name);
    ply_text_free(&store->folder);
}

/* --- loading -------------------------------------------------------------------------------- */
typedef struct unpacking {
    const tablebase_file *file;
    tablebase_unpacker **unpackers;
    unsigned char *to;
    const char *path;
    ply_error *errors; /* one for each worker */
} unpacking;

enum { UNPACK_PIECE = 64 }; /* blocks */

static void unpack_piece(void *context, size_t piece, unsigned worker)
{
    unpacking *u = context;
    uint64_t first = (uint64_t)piece * UNPACK_PIECE;
    for (uint64_t i = first; i < first + UNPACK_PIECE && i < u->file->block_count; i++)
        if (u->errors[worker].status == PLY_OK)
            ply_tablebase_file_block(u->file, u->unpackers[worker], i,
                                     u->to + i * TABLE_BLOCK * u->file->header.value_bytes, u->path,
                                     &u->errors[worker]);
}

ply_status ply_tablebase_unpack_all(tablebase_folder *store, const tablebase_file *file, void *to,
                                    const char *path, ply_error *error)
{
    unsigned workers = ply_workers_size(store->team);
    unpacking u = {.file = file, .to = to, .path = path};
    u.unpackers = calloc(workers, sizeof *u.unpackers);
    u.errors = calloc(workers, sizeof *u.errors);
    bool good = u.unpackers && u.errors;
    for (unsigned i = 0; good && i < workers; i++)
        good = (u.unpackers[i] = ply_tablebase_unpacker_new()) != NULL;
    ply_status status = PLY_OK;
    if (!good) {
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    } else {
        ply_workers_run(store->team,
                        (size_t)((file->block_count + UNPACK_PIECE - 1) / UNPACK_PIECE),
                        unpack_piece, &u);
        for (unsigned i = 0; i < workers && status == PLY_OK; i++)
            if ((status = u.errors[i].status) != PLY_OK && error)
                *error = u.errors[i];
    }
    for (unsigned i = 0; u.unpackers && i < workers; i++)
        ply_tablebase_unpacker_free(u.unpackers[i]);
    free(u.unpackers);
    free(u.errors);
    return status;
}

static ply_status load_file(tablebase_folder *store, size_t class_index, const char *path,
                            ply_error *error)
{
    tablebase_values *v = &store->values[class_index];
    tablebase_file file;
    ply_status status = ply_tablebase_file_open(&file, path, error);
    if (status != PLY_OK)
        return status;
    status = ply_tablebase_file_check_header(store->rules, store->retro, store->work, class_index,
                                             TABLE_VALUES, &file.header, path, error);
    if (status == PLY_OK)
        status = ply_tablebase_memory_reserve(
            &store->room, (size_t)(file.header.slots * file.header.value_bytes), &v->array, error);
    if (status == PLY_OK)
        status = ply_tablebase_unpack_all(store, &file, v->array.data, path, error);
    v->header = file.header;
    v->value_bytes = file.header.value_bytes;
    v->slots = file.header.slots;
    if (status != PLY_OK)
        ply_tablebase_memory_release(&store->room, &v->array);
    ply_tablebase_file_close(&file);
    return status;
}

ply_status ply_tablebase_folder_load(tablebase_folder *store, size_t class_index, ply_error *error)
{
    if (store->values[class_index].array.data)
        return PLY_OK;
    ply_text path = ply_text_growing();
    ply_tablebase_file_path(store, class_index, ".plt", &path);
    ply_status status = ply_text_complete(&path)
                            ? load_file(store, class_index, ply_text_cstr(&path), error)
                            : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_text_free(&path);
    return status;
}

enum { NEXT_LIMIT = 1024 };

ply_status ply_tablebase_folder_load_next(tablebase_folder *store, size_t class_index,
                                          size_t more_bytes, ply_error *error)
{
    size_t next[NEXT_LIMIT];
    size_t count = store->retro->class_next(class_index, next);
    count += store->retro->class_next(store->retro->class_partner(class_index), next + count);
    size_t needed = more_bytes;
    for (size_t i = 0; i < count; i++)
        if (!store->values[next[i]].array.data)
            needed += (size_t)store->retro->slots(store->work, next[i]);
    if (store->room.limit > 0 && store->room.used + needed > store->room.limit)
        for (size_t i = 0; i < store->class_count; i++) {
            bool kept = false;
            for (size_t k = 0; k < count && !kept; k++)
                kept = next[k] == i;
            if (!kept)
                ply_tablebase_memory_release(&store->room, &store->values[i].array);
        }
    for (size_t i = 0; i < count; i++) {
        ply_status status = store->retro->slots(store->work, next[i]) > 0
                                ? ply_tablebase_folder_load(store, next[i], error)
                                : PLY_OK;
        if (status != PLY_OK)
            return status;
    }
    return PLY_OK;
}
