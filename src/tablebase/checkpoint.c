/* SPDX-License-Identifier: MIT */
/* checkpoint.c - see checkpoint.h. */
#include "tablebase/checkpoint.h"
#include "model/retrograde_cell.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ZSTD_LEVEL = 1,
    PROGRESS_CHUNK_BITS = 40, /* of the header's progress field; the distance is above */
    MAX_PARTS = 1 << 12,
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
    const checkpoint *c = context;
    memcpy(out, c->cells + first, count * sizeof *out);
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

ply_status ply_tablebase_checkpoint_save(const checkpoint *c, unsigned generation, ply_error *error)
{
    tablebase_header header = {.kind = TABLEBASE_CHECKPOINT,
                               .value_bytes = 2,
                               .slots = c->cell_count,
                               .part = c->rank,
                               .parts = c->ranks,
                               .phase = c->phase,
                               .progress = c->distance << PROGRESS_CHUNK_BITS | c->chunk};
    ply_tablebase_name_header(c->folder, c->class_index, &header);
    checkpoint source = *c;
    ply_text path;
    ply_status status =
        part_path(c->folder, c->class_index, generation, c->rank, c->ranks, &path, error);
    if (status == PLY_OK)
        status = ply_tablebase_file_write(ply_text_cstr(&path), &header, cells_source, &source,
                                          c->folder->workers, ZSTD_LEVEL, NULL, error);
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
        if (name->generation >= GENERATIONS || name->ranks < 2 || name->ranks > MAX_PARTS ||
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
                                     unsigned keep_ranks)
{
    part_list list;
    list_parts(folder, class_index, &list);
    for (size_t i = 0; i < list.count; i++) {
        const part_name *name = &list.names[i];
        ply_text path;
        if (keep_ranks && name->ranks == keep_ranks)
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

static ply_status open_part(const checkpoint *c, part_set *set, unsigned rank, ply_error *error)
{
    const tablebase_folder *folder = c->folder;
    ply_text path;
    ply_status status =
        part_path(folder, c->class_index, set->generation, rank, set->ranks, &path, error);
    const char *name = ply_text_cstr(&path);
    tablebase_file *file = &set->files[rank];
    if (status == PLY_OK)
        status = ply_tablebase_file_open(file, name, error);
    const tablebase_header *header = &file->header;
    if (status == PLY_OK)
        status = ply_tablebase_file_check_header(folder->rules, folder->retrograde,
                                                 folder->workspace, c->class_index,
                                                 TABLEBASE_CHECKPOINT, header, name, error);
    if (status == PLY_OK &&
        (header->slots != c->part_cells(c->context, rank, set->ranks) || header->value_bytes != 2 ||
         header->parts != set->ranks || header->part != rank))
        status = ply_error_set(error, PLY_IO, "%s: this checkpoint is for a slice of another size",
                               name);
    if (status == PLY_OK && (header->phase < c->first_phase || header->phase > c->first_phase + 1))
        status = ply_error_set(error, PLY_IO,
                               "%s: this checkpoint is of another version; remove it", name);
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

static ply_status open_set(const checkpoint *c, part_set *set, ply_error *error)
{
    set->files = calloc(set->ranks, sizeof *set->files);
    ply_status status = set->files ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (unsigned rank = 0; rank < set->ranks && status == PLY_OK; rank++)
        status = open_part(c, set, rank, error);
    if (status != PLY_OK)
        close_set(set);
    return status;
}

/* Opens the set that is furthest, if there is one. The first reason why another was rejected is
 * the error if none remains. */
static ply_status choose_set(const checkpoint *c, part_set *best, ply_error *error)
{
    part_list list;
    *best = (part_set){0};
    if (!list_parts(c->folder, c->class_index, &list)) {
        free(list.names);
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    ply_error rejected = {0};
    for (size_t i = 0; i < list.count; i++) {
        if (list.names[i].unfinished || list.names[i].rank != 0)
            continue;
        part_set set = {.generation = list.names[i].generation, .ranks = list.names[i].ranks};
        ply_error reason = {0};
        if (open_set(c, &set, &reason) != PLY_OK) {
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
    checkpoint *c;
    const part_set *set;
    unpack_team team;
} restoring;

/* Copies one run of own cells from the part that has it. */
static void restore_run(void *context, size_t number, unsigned worker)
{
    restoring *r = context;
    checkpoint *c = r->c;
    ply_error *error = &r->team.errors[worker];
    checkpoint_run run;
    if (error->status != PLY_OK)
        return;
    c->run(c->context, number, r->set->ranks, &run);
    ply_text path;
    part_path(c->folder, c->class_index, r->set->generation, run.part, r->set->ranks, &path, error);
    if (error->status == PLY_OK)
        ply_tablebase_file_range(&r->set->files[run.part], r->team.unpackers[worker], run.part_cell,
                                 (size_t)run.count, c->cells + run.cell, ply_text_cstr(&path),
                                 error);
    ply_text_free(&path);
}

static ply_status restore_cells(checkpoint *c, const part_set *set, ply_error *error)
{
    restoring r = {.c = c, .set = set};
    if (ply_tablebase_unpack_team_open(&r.team, c->folder->workers))
        ply_workers_run(c->folder->workers, c->run_count, restore_run, &r);
    return ply_tablebase_unpack_team_close(&r.team, error);
}

ply_status ply_tablebase_checkpoint_reject(const checkpoint *c, ply_error *error)
{
    return ply_error_set(error, PLY_IO, "%s: a checkpoint is inconsistent",
                         ply_text_cstr(&c->folder->path));
}

ply_status ply_tablebase_checkpoint_load(checkpoint *c, unsigned *generation, bool *found,
                                         ply_error *error)
{
    part_set set;
    *generation = 0;
    ply_status status = choose_set(c, &set, error);
    *found = status == PLY_OK && set.files;
    if (!*found)
        return status;
    *generation = set.ranks == c->ranks && set.generation == 0;
    status = restore_cells(c, &set, error);
    c->phase = set.phase;
    c->distance = set.progress >> PROGRESS_CHUNK_BITS;
    c->chunk = set.progress & (((uint64_t)1 << PROGRESS_CHUNK_BITS) - 1);
    if (status == PLY_OK && (c->chunk > c->chunk_total || c->distance > MAX_DISTANCE + 1))
        status = ply_tablebase_checkpoint_reject(c, error);
    close_set(&set);
    return status;
}
