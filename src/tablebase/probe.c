/* SPDX-License-Identifier: MIT */
/*
 * probe.c - asking tables, from any number of threads and processes.
 *
 * Files are mapped; a block that is asked for is unpacked into a cache of fixed size. The cache is
 * divided into sets of a few blocks, each with its own lock, so that threads rarely wait for each
 * other; within a set the block used longest ago makes way.
 */
#include "core/hash.h"
#include "core/json_write.h"
#include "tablebase/folder.h"
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { WAYS = 4, MEMORY_MB = 64, ENDING = 4 };
/* What stands for the time of a folder that is not there, or that may change within the tick. */
enum { STAMP_ABSENT = -1, STAMP_UNSURE = -2 };

typedef struct cached {
    uint64_t key; /* place of the block's first value; UINT64_MAX: none */
    uint64_t used;
    unsigned char *values; /* room for a block of two bytes a value */
} cached;

typedef struct cache_set {
    pthread_mutex_t lock;
    uint64_t clock;
    tablebase_unpacker *unpacker;
    cached way[WAYS];
} cache_set;

struct ply_tablebase {
    const ply_rules *rules;
    const ply_retrograde *retro;
    void *work;
    size_t class_count, table_count;
    unsigned pieces;
    tablebase_file *files; /* by class; no bytes where there is none */
    ply_text folder;
    int64_t stamp; /* of the folder before it was read */
    cache_set *sets;
    size_t set_count;
    pthread_mutex_t error_lock;
    ply_error error; /* the first damage met */
};

/* --- opening -------------------------------------------------------------------------------- */
static int64_t nanos_of(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* When names in the folder changed last: a finished table is renamed into it. */
static int64_t folder_stamp(const ply_text *folder)
{
    struct stat about;
    return stat(ply_text_cstr(folder), &about) == 0 ? nanos_of(about.st_mtim) : STAMP_ABSENT;
}

/*
 * The stamp to compare with later. File systems count time in ticks of milliseconds, so a folder
 * changed just now could change again and show the same time.
 */
static int64_t stamp_before_reading(const ply_text *folder)
{
    enum { TICK = 50000000 };
    struct timespec now;
    int64_t stamp = folder_stamp(folder);
    clock_gettime(CLOCK_REALTIME, &now);
    return stamp >= 0 && nanos_of(now) - stamp < TICK ? STAMP_UNSURE : stamp;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct names {
    char **list;
    size_t count;
} names;

static void names_free(names *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->list[i]);
    free(n->list);
}

/* The files of the folder that end in .plt, in order, without the ending. */
static ply_status names_read(names *n, const char *folder, ply_error *error)
{
    *n = (names){0};
    DIR *dir = opendir(folder);
    if (!dir)
        return errno == ENOENT ? PLY_OK
                               : ply_error_set(error, PLY_IO, "%s: %s", folder, strerror(errno));
    ply_status status = PLY_OK;
    for (struct dirent *entry; status == PLY_OK && (entry = readdir(dir)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length <= ENDING || strcmp(entry->d_name + length - ENDING, ".plt") != 0)
            continue;
        char **grown = realloc(n->list, (n->count + 1) * sizeof *grown);
        char *name = grown ? strndup(entry->d_name, length - ENDING) : NULL;
        n->list = grown ? grown : n->list;
        if (name)
            n->list[n->count++] = name;
        else
            status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    closedir(dir);
    if (n->count > 0)
        qsort(n->list, n->count, sizeof *n->list, compare_names);
    return status;
}

static ply_status open_class(ply_tablebase *t, size_t class_index, const char *name,
                             ply_error *error)
{
    ply_text path = ply_text_growing();
    ply_text_format(&path, "%s/%s.plt", ply_text_cstr(&t->folder), name);
    const char *text = ply_text_cstr(&path);
    ply_status status = t->retro->prepare(t->work, class_index);
    if (status != PLY_OK)
        ply_error_set(error, status, "%s: %s", text, ply_status_text(status));
    else if ((status = ply_tablebase_file_open(&t->files[class_index], text, error)) == PLY_OK)
        status =
            ply_tablebase_file_check_header(t->rules, t->retro, t->work, class_index, TABLE_VALUES,
                                            &t->files[class_index].header, text, error);
    ply_text_free(&path);
    if (status != PLY_OK)
        return status;
    unsigned own, other;
    t->retro->class_pieces(class_index, &own, &other);
    t->pieces = own + other > t->pieces ? own + other : t->pieces;
    t->table_count++;
    return PLY_OK;
}

static ply_status open_files(ply_tablebase *t, ply_error *error)
{
    names n;
    ply_status status = names_read(&n, ply_text_cstr(&t->folder), error);
    size_t found = 0;
    for (size_t i = 0; i < t->class_count && status == PLY_OK && found < n.count; i++) {
        char class_text[TABLE_CLASS_TEXT], *key = class_text;
        ply_text name = ply_text_fixed(class_text, sizeof class_text);
        t->rules->indexing->class_name(t->rules, i, &name);
        if (!bsearch(&key, n.list, n.count, sizeof *n.list, compare_names))
            continue;
        found++;
        status = open_class(t, i, class_text, error);
    }
    if (status == PLY_OK && found < n.count)
        status = ply_error_set(error, PLY_IO,
                               "%s: a file ending in .plt that is named after no "
                               "class",
                               ply_text_cstr(&t->folder));
    names_free(&n);
    return status;
}

static ply_status make_cache(ply_tablebase *t, size_t memory_mb)
{
    size_t blocks = ((memory_mb ? memory_mb : MEMORY_MB) << 20) / (2 * TABLE_BLOCK);
    size_t wanted = blocks / WAYS ? blocks / WAYS : 1;
    if (!(t->sets = calloc(wanted, sizeof *t->sets)))
        return PLY_NO_MEMORY;
    for (; t->set_count < wanted; t->set_count++) {
        cache_set *set = &t->sets[t->set_count];
        if (pthread_mutex_init(&set->lock, NULL) != 0)
            return PLY_NO_MEMORY;
        for (int i = 0; i < WAYS; i++)
            set->way[i].key = UINT64_MAX;
    }
    return PLY_OK;
}

ply_status ply_tablebase_open(const ply_rules *rules, const char *dir, size_t memory_mb,
                              ply_tablebase **tables, ply_error *error)
{
    *tables = NULL;
    if (!ply_tablebase_available(rules))
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no tables", rules->game->id);
    ply_tablebase *t = calloc(1, sizeof *t);
    if (!t)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    t->rules = rules;
    t->retro = rules->indexing->retrograde(rules);
    t->folder = ply_text_growing();
    pthread_mutex_init(&t->error_lock, NULL);
    ply_tablebase_folder_path(rules, dir, &t->folder);
    t->class_count = rules->indexing->class_count(rules);
    t->files = calloc(t->class_count, sizeof *t->files);
    t->work = t->retro->open(rules);
    ply_status status = PLY_OK;
    if (!t->files || !t->work || !ply_text_complete(&t->folder) ||
        make_cache(t, memory_mb) != PLY_OK)
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (status == PLY_OK) {
        t->stamp = stamp_before_reading(&t->folder);
        status = open_files(t, error);
    }
    if (status != PLY_OK)
        ply_tablebase_close(t);
    else
        *tables = t;
    return status;
}

void ply_tablebase_close(ply_tablebase *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->set_count; i++) {
        for (int k = 0; k < WAYS; k++)
            free(t->sets[i].way[k].values);
        ply_tablebase_unpacker_free(t->sets[i].unpacker);
        pthread_mutex_destroy(&t->sets[i].lock);
    }
    for (size_t i = 0; t->files && i < t->class_count; i++)
        ply_tablebase_file_close(&t->files[i]);
    free(t->sets);
    free(t->files);
    if (t->work)
        t->retro->close(t->work);
    ply_text_free(&t->folder);
    pthread_mutex_destroy(&t->error_lock);
    free(t);
}

size_t ply_tablebase_count(const ply_tablebase *tables)
{
    return tables->table_count;
}

unsigned ply_tablebase_pieces(const ply_tablebase *tables)
{
    return tables->pieces;
}

bool ply_tablebase_changed(const ply_tablebase *tables)
{
    return folder_stamp(&tables->folder) != tables->stamp;
}

bool ply_tablebase_available(const ply_rules *rules)
{
    return rules->indexing->retrograde != NULL;
}

/* --- one value ------------------------------------------------------------------------------ */
static void note_error(ply_tablebase *t, const ply_error *error)
{
    pthread_mutex_lock(&t->error_lock);
    if (t->error.status == PLY_OK)
        t->error = *error;
    pthread_mutex_unlock(&t->error_lock);
}

bool ply_tablebase_error(ply_tablebase *t, ply_error *error)
{
    pthread_mutex_lock(&t->error_lock);
    bool any = t->error.status != PLY_OK;
    if (error)
        *error = t->error;
    pthread_mutex_unlock(&t->error_lock);
    return any;
}

static ply_status fill_way(ply_tablebase *t, cache_set *set, cached *way, size_t class_index,
                           uint64_t block, ply_error *error)
{
    if (!set->unpacker && !(set->unpacker = ply_tablebase_unpacker_new()))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (!way->values && !(way->values = malloc(2 * TABLE_BLOCK)))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    way->key = UINT64_MAX;
    char class_text[TABLE_CLASS_TEXT];
    ply_text name = ply_text_fixed(class_text, sizeof class_text);
    t->rules->indexing->class_name(t->rules, class_index, &name);
    return ply_tablebase_file_block(&t->files[class_index], set->unpacker, block, way->values,
                                    class_text, error);
}

/* The stored value of a place whose class has a file. */
static bool look_up(ply_tablebase *t, ply_slot place, unsigned *value)
{
    size_t class_index = ply_slot_class(place);
    uint64_t block = ply_slot_number(place) / TABLE_BLOCK;
    size_t at = (size_t)(ply_slot_number(place) % TABLE_BLOCK);
    uint64_t key = place - at;
    cache_set *set = &t->sets[ply_mix64(key) % t->set_count];
    pthread_mutex_lock(&set->lock);
    cached *way = NULL, *oldest = &set->way[0];
    for (int i = 0; i < WAYS && !way; i++) {
        if (set->way[i].key == key)
            way = &set->way[i];
        if (set->way[i].used < oldest->used)
            oldest = &set->way[i];
    }
    ply_error error;
    bool good = true;
    if (!way) {
        way = oldest;
        if ((good = fill_way(t, set, way, class_index, block, &error) == PLY_OK))
            way->key = key;
    }
    if (good) {
        way->used = ++set->clock;
        *value = t->files[class_index].header.value_bytes == 1
                     ? way->values[at]
                     : ((const uint16_t *)(const void *)way->values)[at];
    }
    pthread_mutex_unlock(&set->lock);
    if (!good)
        note_error(t, &error);
    return good;
}

static ply_tablebase_value value_of(unsigned stored)
{
    if (stored == 0)
        return (ply_tablebase_value){PLY_TABLEBASE_DRAW, 0};
    return (ply_tablebase_value){stored & 1 ? PLY_TABLEBASE_LOSS : PLY_TABLEBASE_WIN,
                                 (int)stored - 1};
}

bool ply_tablebase_probe(ply_tablebase *t, const void *position, ply_tablebase_value *value)
{
    size_t class_index = t->retro->class_of(position);
    unsigned own, other, stored = 1;
    if (!t->files[class_index].bytes) {
        t->retro->class_pieces(class_index, &own, &other);
        if (own > 0 || t->table_count == 0)
            return false;
    } else if (!look_up(t, t->retro->place(t->work, position), &stored)) {
        return false;
    }
    *value = value_of(stored);
    return true;
}

/* --- each move ------------------------------------------------------------------------------ */
static ply_tablebase_value value_before(ply_tablebase_value after)
{
    if (after.result == PLY_TABLEBASE_DRAW)
        return after;
    return (ply_tablebase_value){after.result == PLY_TABLEBASE_WIN ? PLY_TABLEBASE_LOSS
                                                                   : PLY_TABLEBASE_WIN,
                                 after.plies + 1};
}

size_t ply_tablebase_moves(ply_tablebase *t, const void *position, ply_tablebase_move *out)
{
    const ply_rules *rules = t->rules;
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    unsigned char *copy = malloc(rules->position_bytes), *undo = malloc(rules->undo_bytes + 1);
    size_t count = 0;
    if (moves && copy && undo) {
        memcpy(copy, position, rules->position_bytes); /* games with tables own nothing */
        count = rules->game->moves(rules, position, moves);
    }
    for (size_t i = 0; i < count; i++) {
        ply_tablebase_value after;
        out[i] = (ply_tablebase_move){.move = moves[i]};
        if (rules->game->play(rules, copy, moves[i], undo) != PLY_OK)
            continue;
        if ((out[i].known = ply_tablebase_probe(t, copy, &after)))
            out[i].value = value_before(after);
        rules->game->undo(rules, copy, moves[i], undo);
    }
    free(moves);
    free(copy);
    free(undo);
    return count;
}

/* --- words ---------------------------------------------------------------------------------- */
static const char *const result_words[] = {"draw", "win", "loss"};

void ply_tablebase_value_text(ply_tablebase_value value, ply_text *out)
{
    if (value.result == PLY_TABLEBASE_DRAW)
        ply_text_string(out, "drawn");
    else
        ply_text_format(out, "%s in %d", value.result == PLY_TABLEBASE_WIN ? "won" : "lost",
                        value.plies);
}

static void json_value(bool known, ply_tablebase_value value, ply_text *out)
{
    ply_json_member_bool(out, "known", known);
    if (!known)
        return;
    char text[32];
    ply_text words = ply_text_fixed(text, sizeof text);
    ply_tablebase_value_text(value, &words);
    ply_json_member_string(out, "result", result_words[value.result]);
    ply_json_member_unsigned(out, "plies", (uint64_t)value.plies);
    ply_json_member_string(out, "text", text);
}

void ply_tablebase_json(ply_tablebase *t, const void *position, ply_text *out)
{
    ply_tablebase_value value = {PLY_TABLEBASE_DRAW, 0};
    bool known = ply_tablebase_probe(t, position, &value);
    json_value(known, value, out);
    ply_tablebase_move *moves = malloc(t->rules->max_moves * sizeof *moves);
    size_t count = moves ? ply_tablebase_moves(t, position, moves) : 0;
    ply_json_name(out, "moves");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        char text[PLY_MOVE_TEXT];
        ply_text move = ply_text_fixed(text, sizeof text);
        t->rules->game->format_move(t->rules, position, moves[i].move, &move);
        ply_json_open(out, '{');
        ply_json_member_string(out, "move", text);
        json_value(moves[i].known, moves[i].value, out);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    free(moves);
}

/* --- the list ------------------------------------------------------------------------------- */
typedef struct listed {
    uint32_t order;
    size_t class_index;
} listed;

static int compare_listed(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    if (x->order != y->order)
        return (x->order > y->order) - (x->order < y->order);
    return (x->class_index > y->class_index) - (x->class_index < y->class_index);
}

static void describe(const ply_tablebase *t, size_t class_index, void *position,
                     ply_tablebase_info *info)
{
    const tablebase_header *h = &t->files[class_index].header;
    *info = (ply_tablebase_info){.slots = h->slots,
                                 .bytes = t->files[class_index].size,
                                 .wins = h->wins,
                                 .losses = h->losses,
                                 .draws = h->draws,
                                 .longest = (unsigned)h->longest};
    memcpy(info->name, h->class_name, sizeof info->name);
    t->retro->position(t->work, ply_slot_make(class_index, h->longest_slot), position);
    ply_text text = ply_text_fixed(info->example, sizeof info->example);
    t->rules->game->format(t->rules, position, &text);
}

ply_status ply_tablebase_list(const ply_rules *rules, const char *dir, ply_tablebase_info **list,
                              size_t *count, ply_error *error)
{
    ply_tablebase *t;
    *list = NULL;
    *count = 0;
    ply_status status = ply_tablebase_open(rules, dir, 1, &t, error);
    if (status != PLY_OK)
        return status;
    listed *order = calloc(t->table_count + 1, sizeof *order);
    void *position = malloc(rules->position_bytes);
    *list = calloc(t->table_count + 1, sizeof **list);
    if (!order || !position || !*list) {
        free(*list);
        *list = NULL;
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    } else {
        for (size_t i = 0; i < t->class_count; i++)
            if (t->files[i].bytes)
                order[(*count)++] = (listed){t->retro->class_order(i), i};
        qsort(order, *count, sizeof *order, compare_listed);
        for (size_t i = 0; i < *count; i++)
            describe(t, order[i].class_index, position, &(*list)[i]);
    }
    free(order);
    free(position);
    ply_tablebase_close(t);
    return status;
}
