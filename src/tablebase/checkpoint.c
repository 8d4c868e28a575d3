/* SPDX-License-Identifier: MIT */
/* checkpoint.c - see checkpoint.h. */
#include "tablebase/checkpoint.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ZSTD_LEVEL = 1,
    PROGRESS_CHUNK_BITS = 40, /* of the header's progress field; the distance is above */
    CHUNK_BLOCKS = CHUNK_CELLS / TABLEBASE_BLOCK_VALUES,
    GENERATIONS = 2,
};

/* --- saving --------------------------------------------------------------------------------- */
void ply_tablebase_name_header(const tablebase_folder *folder, size_t class_index,
                               tablebase_header *header)
{
    ply_text game = ply_text_fixed(header->game, sizeof header->game);
    ply_text_string(&game, folder->rules->game->id);
    ply_text name = ply_text_fixed(header->class_name, sizeof header->class_name);
    folder->rules->indexing->class_name(folder->rules, class_index, &name);
    ply_text rules = ply_text_fixed(header->rules, sizeof header->rules);
    ply_text_string(&rules, ply_text_cstr(&folder->rules_name));
}

static void cells_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    memcpy(out, slice_plain_cells(context) + first, count * sizeof *out);
}

/* Makes *path a new text, which the caller frees even after a failure. */
static ply_status part_path(const tablebase_folder *folder, size_t class_index, unsigned generation,
                            unsigned rank, unsigned ranks, ply_text *path, ply_error *error)
{
    char extension[64] = ".part";
    if (ranks > 1)
        snprintf(extension, sizeof extension, ".%c-%u-%u.part", (char)('a' + generation), rank,
                 ranks);
    return ply_tablebase_file_path(folder, class_index, extension, path, error);
}

ply_status ply_tablebase_checkpoint_save(slice *s, unsigned generation, ply_error *error)
{
    tablebase_header header = {.kind = TABLEBASE_CHECKPOINT,
                               .value_bytes = 2,
                               .slots = s->cell_count,
                               .part = s->rank,
                               .parts = s->ranks,
                               .phase = s->phase,
                               .progress = s->distance << PROGRESS_CHUNK_BITS | s->chunk};
    ply_tablebase_name_header(s->folder, s->class_index[0], &header);
    ply_text path;
    ply_status status =
        part_path(s->folder, s->class_index[0], generation, s->rank, s->ranks, &path, error);
    if (status == PLY_OK)
        status = ply_tablebase_file_write(ply_text_cstr(&path), &header, cells_source, s,
                                          s->folder->workers, ZSTD_LEVEL, NULL, error);
    ply_text_free(&path);
    return status;
}

/* --- which checkpoints there are -------------------------------------------------------------- */
/* What the name of a checkpoint says; .tmp: it was never finished. */
typedef struct part_name {
    unsigned generation, rank, ranks;
    bool unfinished;
} part_name;

/* Whether a file name is that of a checkpoint of a class. */
static bool parse_name(const char *file, const char *class_name, part_name *name)
{
    size_t length = strlen(class_name);
    if (strncmp(file, class_name, length) != 0)
        return false;
    const char *rest = file + length;
    *name = (part_name){.ranks = 1};
    char generation;
    int used = 0;
    if (sscanf(rest, ".%c-%u-%u.part%n", &generation, &name->rank, &name->ranks, &used) == 3 &&
        used > 0) {
        name->generation = (unsigned)(generation - 'a');
        if (name->generation >= GENERATIONS || name->ranks < 2 || name->ranks > MAX_RANKS ||
            name->rank >= name->ranks)
            return false;
        rest += used;
    } else if (strncmp(rest, ".part", 5) == 0) {
        rest += 5;
    } else {
        return false;
    }
    name->unfinished = strcmp(rest, ".tmp") == 0;
    return name->unfinished || *rest == '\0';
}

typedef struct part_list {
    part_name *names;
    size_t count;
} part_list;

/* Lists the checkpoints of a class. A folder that cannot be read has none. */
static bool list_parts(const tablebase_folder *folder, size_t class_index, part_list *list)
{
    char class_name[TABLEBASE_CLASS_TEXT];
    ply_text text = ply_text_fixed(class_name, sizeof class_name);
    folder->rules->indexing->class_name(folder->rules, class_index, &text);
    *list = (part_list){0};
    DIR *directory = opendir(ply_text_cstr(&folder->path));
    size_t room = 0;
    bool good = true;
    for (struct dirent *entry; directory && good && (entry = readdir(directory));) {
        part_name name;
        if (!parse_name(entry->d_name, class_name, &name))
            continue;
        if (list->count == room) {
            room = room ? 2 * room : 16;
            part_name *names = realloc(list->names, room * sizeof *names);
            good = names != NULL;
            if (!good)
                break;
            list->names = names;
        }
        list->names[list->count++] = name;
    }
    if (directory)
        closedir(directory);
    return good;
}

void ply_tablebase_checkpoint_remove(const tablebase_folder *folder, size_t class_index,
                                     const slice *keep)
{
    part_list list;
    list_parts(folder, class_index, &list);
    for (size_t i = 0; i < list.count; i++) {
        const part_name *name = &list.names[i];
        ply_text path;
        if (keep && name->ranks == keep->ranks)
            continue;
        if (part_path(folder, class_index, name->generation, name->rank, name->ranks, &path,
                      NULL) == PLY_OK) {
            if (name->unfinished)
                ply_text_string(&path, ".tmp");
            unlink(ply_text_cstr(&path));
        }
        ply_text_free(&path);
    }
    free(list.names);
}

/* --- loading -------------------------------------------------------------------------------- */
/* All files of one generation. */
typedef struct part_set {
    unsigned generation, ranks;
    tablebase_file *files; /* by rank */
    uint64_t phase, progress;
} part_set;

static void close_set(part_set *set)
{
    for (unsigned i = 0; set->files && i < set->ranks; i++)
        ply_tablebase_file_close(&set->files[i]);
    free(set->files);
    set->files = NULL;
}

static ply_status open_part(const slice *s, part_set *set, unsigned rank, ply_error *error)
{
    const tablebase_folder *folder = s->folder;
    ply_text path;
    ply_status status =
        part_path(folder, s->class_index[0], set->generation, rank, set->ranks, &path, error);
    const char *name = ply_text_cstr(&path);
    tablebase_file *file = &set->files[rank];
    if (status == PLY_OK)
        status = ply_tablebase_file_open(file, name, error);
    const tablebase_header *header = &file->header;
    if (status == PLY_OK)
        status = ply_tablebase_file_check_header(folder->rules, folder->retrograde,
                                                 folder->workspace, s->class_index[0],
                                                 TABLEBASE_CHECKPOINT, header, name, error);
    if (status == PLY_OK &&
        (header->slots != part_values(s->start[2], rank, set->ranks) || header->value_bytes != 2 ||
         header->parts != set->ranks || header->part != rank))
        status = ply_error_set(error, PLY_IO, "%s: this checkpoint is for a slice of another size",
                               name);
    if (status == PLY_OK && rank == 0) {
        set->phase = header->phase;
        set->progress = header->progress;
    }
    /* A generation that was being replaced has parts from two moments. */
    if (status == PLY_OK && (header->phase != set->phase || header->progress != set->progress))
        status = ply_error_set(error, PLY_IO, "%s: the other parts are from another moment", name);
    ply_text_free(&path);
    return status;
}

static ply_status open_set(const slice *s, part_set *set, ply_error *error)
{
    set->files = calloc(set->ranks, sizeof *set->files);
    ply_status status = set->files ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (unsigned rank = 0; rank < set->ranks && status == PLY_OK; rank++)
        status = open_part(s, set, rank, error);
    if (status != PLY_OK)
        close_set(set);
    return status;
}

/* Opens the set that is furthest, if there is one. The first reason why another was rejected is
 * the error if none remains. */
static ply_status choose_set(const slice *s, part_set *best, ply_error *error)
{
    part_list list;
    *best = (part_set){0};
    if (!list_parts(s->folder, s->class_index[0], &list)) {
        free(list.names);
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    ply_error rejected = {0};
    for (size_t i = 0; i < list.count; i++) {
        if (list.names[i].unfinished || list.names[i].rank != 0)
            continue;
        part_set set = {.generation = list.names[i].generation, .ranks = list.names[i].ranks};
        ply_error reason = {0};
        if (open_set(s, &set, &reason) != PLY_OK) {
            if (rejected.status == PLY_OK)
                rejected = reason;
        } else if (!best->files || set.phase > best->phase ||
                   (set.phase == best->phase && set.progress > best->progress)) {
            close_set(best);
            *best = set;
        } else {
            close_set(&set);
        }
    }
    free(list.names);
    if (best->files || rejected.status == PLY_OK)
        return PLY_OK;
    if (error)
        *error = rejected;
    return rejected.status;
}

typedef struct restoring {
    slice *s;
    const part_set *set;
    unpack_team team;
} restoring;

/* Copies one own chunk from the part that has it. */
static void restore_chunk(void *context, size_t chunk, unsigned worker)
{
    restoring *r = context;
    slice *s = r->s;
    ply_error *error = &r->team.errors[worker];
    uint64_t wanted = (uint64_t)chunk * s->ranks + s->rank;
    unsigned rank = (unsigned)(wanted % r->set->ranks);
    const tablebase_file *file = &r->set->files[rank];
    uint64_t first = wanted / r->set->ranks * CHUNK_BLOCKS;
    uint16_t *to = (uint16_t *)s->array.data + (uint64_t)chunk * CHUNK_CELLS;
    ply_text path;
    part_path(s->folder, s->class_index[0], r->set->generation, rank, r->set->ranks, &path, error);
    for (uint64_t i = first; i < first + CHUNK_BLOCKS && i < file->block_count; i++)
        if (error->status == PLY_OK)
            ply_tablebase_file_block(file, r->team.unpackers[worker], i,
                                     to + (i - first) * TABLEBASE_BLOCK_VALUES,
                                     ply_text_cstr(&path), error);
    ply_text_free(&path);
}

static ply_status restore_cells(slice *s, const part_set *set, ply_error *error)
{
    restoring r = {.s = s, .set = set};
    if (ply_tablebase_unpack_team_open(&r.team, s->folder->workers))
        ply_workers_run(s->folder->workers, s->chunk_count, restore_chunk, &r);
    return ply_tablebase_unpack_team_close(&r.team, error);
}

uint64_t ply_tablebase_checkpoint_initialised(const slice *s)
{
    if (s->phase != PHASE_INIT)
        return s->cell_count;
    uint64_t cells = (uint64_t)own_chunks(s, s->chunk) * CHUNK_CELLS;
    return cells < s->cell_count ? cells : s->cell_count;
}

/* Recomputes decided_at and longest from the cells. False when a cell is impossible. */
static bool restore_distances(slice *s)
{
    uint64_t end = ply_tablebase_checkpoint_initialised(s);
    for (uint64_t cell = 0; cell < end; cell++) {
        unsigned content = cell_get(s, cell), distance = content & ~(unsigned)CELL_DECIDED;
        if (!(content & CELL_DECIDED))
            continue;
        if (distance > MAX_DISTANCE)
            return false;
        cell_decide(s, cell, distance);
    }
    return true;
}

ply_status ply_tablebase_checkpoint_load(slice *s, unsigned *generation, ply_error *error)
{
    part_set set;
    *generation = 0;
    ply_status status = choose_set(s, &set, error);
    if (status != PLY_OK || !set.files)
        return status;
    *generation = set.ranks == s->ranks && set.generation == 0;
    status = restore_cells(s, &set, error);
    if (status == PLY_OK) {
        s->phase = set.phase;
        s->distance = set.progress >> PROGRESS_CHUNK_BITS;
        s->chunk = set.progress & (((uint64_t)1 << PROGRESS_CHUNK_BITS) - 1);
        if (s->phase > PHASE_PASSES || s->chunk > s->chunk_total ||
            s->distance > MAX_DISTANCE + 1 || !restore_distances(s))
            status = ply_error_set(error, PLY_IO, "%s: a checkpoint is inconsistent",
                                   ply_text_cstr(&s->folder->path));
    }
    close_set(&set);
    return status;
}
