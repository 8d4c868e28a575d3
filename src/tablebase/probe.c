/* SPDX-License-Identifier: MIT */
/*
 * probe.c - probing tablebases, from any number of threads and processes.
 *
 * Files are memory-mapped. A block that is probed is decompressed into a cache of fixed size. The
 * cache is set-associative: each set holds a few blocks behind its own lock, so threads rarely wait
 * for each other, and evicts its least recently used block.
 */
#include "core/hash.h"
#include "core/text/json_write.h"
#include "tablebase/folder.h"
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { CACHE_WAYS = 4, DEFAULT_MEMORY_MB = 64 };
static const char extension[] = ".plt";
/* Time stamps of a missing folder, and of one that may still change within the same clock tick. */
enum { STAMP_ABSENT = -1, STAMP_UNSURE = -2 };

typedef struct cached_block {
    uint64_t key;          /* slot of the first value; UINT64_MAX: empty */
    uint64_t last_used;    /* by the clock of the set */
    unsigned char *values; /* room for a block of two-byte values */
} cached_block;

typedef struct cache_set {
    pthread_mutex_t lock;
    uint64_t clock; /* counts probes */
    tablebase_unpacker *unpacker;
    cached_block block[CACHE_WAYS];
} cache_set;

struct ply_tablebase {
    const ply_rules *rules;
    const ply_retrograde *retrograde;
    void *workspace; /* of retrograde */
    size_t class_count, file_count;
    unsigned pieces;       /* the most on the board in any file */
    tablebase_file *files; /* by class; without bytes where there is no file */
    ply_text path;         /* of the folder */
    int64_t stamp;         /* of the folder, taken before it was read */
    cache_set *sets;
    size_t set_count;
    pthread_mutex_t error_lock;
    ply_error error; /* the first that a probe met */
};

/* --- opening -------------------------------------------------------------------------------- */
static int64_t to_nanos(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* When the folder's entries last changed: a finished file is renamed into it. */
static int64_t folder_stamp(const ply_text *path)
{
    struct stat info;
    return stat(ply_text_cstr(path), &info) == 0 ? to_nanos(info.st_mtim) : STAMP_ABSENT;
}

/*
 * The stamp to compare with later. File systems keep time in ticks of several milliseconds, so a
 * folder that has just changed could change again without a new time stamp.
 */
static int64_t stamp_before_reading(const ply_text *path)
{
    enum { TICK_NANOS = 50000000 };
    struct timespec now;
    int64_t stamp = folder_stamp(path);
    clock_gettime(CLOCK_REALTIME, &now);
    return stamp >= 0 && to_nanos(now) - stamp < TICK_NANOS ? STAMP_UNSURE : stamp;
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

/* Lists the .plt files of the folder, sorted, without the extension. */
static ply_status names_read(names *n, const char *folder, ply_error *error)
{
    *n = (names){0};
    DIR *dir = opendir(folder);
    if (!dir)
        return errno == ENOENT ? PLY_OK
                               : ply_error_set(error, PLY_IO, "%s: %s", folder, strerror(errno));
    ply_status status = PLY_OK;
    for (struct dirent *entry; status == PLY_OK && (entry = readdir(dir)) != NULL;) {
        const size_t suffix = sizeof extension - 1, length = strlen(entry->d_name);
        if (length <= suffix || strcmp(entry->d_name + length - suffix, extension) != 0)
            continue;
        char **grown = realloc(n->list, (n->count + 1) * sizeof *grown);
        char *name = grown ? strndup(entry->d_name, length - suffix) : NULL;
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
    ply_text_format(&path, "%s/%s%s", ply_text_cstr(&t->path), name, extension);
    const char *text = ply_text_cstr(&path);
    ply_status status =
        path.failed ? PLY_NO_MEMORY : t->retrograde->prepare_class(t->workspace, class_index);
    if (status != PLY_OK)
        ply_error_set(error, status, "%s: %s", text, ply_status_text(status));
    else if ((status = ply_tablebase_file_open(&t->files[class_index], text, error)) == PLY_OK)
        status = ply_tablebase_file_check_header(t->rules, t->retrograde, t->workspace, class_index,
                                                 TABLEBASE_FINISHED, &t->files[class_index].header,
                                                 text, error);
    ply_text_free(&path);
    if (status != PLY_OK)
        return status;
    unsigned own, enemy;
    t->retrograde->class_pieces(class_index, &own, &enemy);
    t->pieces = own + enemy > t->pieces ? own + enemy : t->pieces;
    t->file_count++;
    return PLY_OK;
}

static ply_status open_files(ply_tablebase *t, ply_error *error)
{
    names n;
    ply_status status = names_read(&n, ply_text_cstr(&t->path), error);
    size_t found = 0;
    for (size_t i = 0; i < t->class_count && status == PLY_OK && found < n.count; i++) {
        char class_text[TABLEBASE_CLASS_TEXT], *key = class_text;
        ply_text name = ply_text_fixed(class_text, sizeof class_text);
        t->rules->indexing->class_name(t->rules, i, &name);
        if (!bsearch(&key, n.list, n.count, sizeof *n.list, compare_names))
            continue;
        found++;
        status = open_class(t, i, class_text, error);
    }
    if (status == PLY_OK && found < n.count)
        status = ply_error_set(error, PLY_IO, "%s: a .plt file is not named after a class",
                               ply_text_cstr(&t->path));
    names_free(&n);
    return status;
}

static ply_status make_cache(ply_tablebase *t, size_t memory_mb)
{
    /* Rounds down to whole sets, but makes at least one. */
    size_t blocks =
        ((memory_mb ? memory_mb : DEFAULT_MEMORY_MB) << 20) / (2 * TABLEBASE_BLOCK_VALUES);
    size_t wanted = blocks / CACHE_WAYS ? blocks / CACHE_WAYS : 1;
    if (!(t->sets = calloc(wanted, sizeof *t->sets)))
        return PLY_NO_MEMORY;
    for (; t->set_count < wanted; t->set_count++) {
        cache_set *set = &t->sets[t->set_count];
        if (pthread_mutex_init(&set->lock, NULL) != 0)
            return PLY_NO_MEMORY;
        for (int i = 0; i < CACHE_WAYS; i++)
            set->block[i].key = UINT64_MAX;
    }
    return PLY_OK;
}

ply_status ply_tablebase_open(const ply_rules *rules, const char *dir, size_t memory_mb,
                              ply_tablebase **tablebase, ply_error *error)
{
    if (!tablebase)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the tablebase");
    *tablebase = NULL;
    if (!rules || !rules->game || !dir)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no rules or no folder");
    if (!ply_tablebase_available(rules))
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no tablebases", rules->game->id);
    ply_tablebase *t = calloc(1, sizeof *t);
    if (!t)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    t->rules = rules;
    t->retrograde = rules->indexing->retrograde(rules);
    t->path = ply_text_growing();
    pthread_mutex_init(&t->error_lock, NULL);
    ply_tablebase_folder_path(rules, dir, &t->path);
    t->class_count = rules->indexing->class_count(rules);
    t->files = calloc(t->class_count, sizeof *t->files);
    t->workspace = t->retrograde->open(rules);
    ply_status status = PLY_OK;
    if (!t->files || !t->workspace || !ply_text_complete(&t->path) ||
        make_cache(t, memory_mb) != PLY_OK)
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (status == PLY_OK) {
        t->stamp = stamp_before_reading(&t->path);
        status = open_files(t, error);
    }
    if (status != PLY_OK)
        ply_tablebase_close(t);
    else
        *tablebase = t;
    return status;
}

void ply_tablebase_close(ply_tablebase *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->set_count; i++) {
        for (int k = 0; k < CACHE_WAYS; k++)
            free(t->sets[i].block[k].values);
        ply_tablebase_unpacker_free(t->sets[i].unpacker);
        pthread_mutex_destroy(&t->sets[i].lock);
    }
    for (size_t i = 0; t->files && i < t->class_count; i++)
        ply_tablebase_file_close(&t->files[i]);
    free(t->sets);
    free(t->files);
    if (t->workspace)
        t->retrograde->close(t->workspace);
    ply_text_free(&t->path);
    pthread_mutex_destroy(&t->error_lock);
    free(t);
}

size_t ply_tablebase_count(const ply_tablebase *t)
{
    return t ? t->file_count : 0;
}

unsigned ply_tablebase_pieces(const ply_tablebase *t)
{
    return t ? t->pieces : 0;
}

bool ply_tablebase_changed(const ply_tablebase *t)
{
    return t && folder_stamp(&t->path) != t->stamp;
}

bool ply_tablebase_available(const ply_rules *rules)
{
    return rules && rules->game && rules->indexing->retrograde != NULL;
}

/* --- probing -------------------------------------------------------------------------------- */
static void keep_first_error(ply_tablebase *t, const ply_error *error)
{
    pthread_mutex_lock(&t->error_lock);
    if (t->error.status == PLY_OK)
        t->error = *error;
    pthread_mutex_unlock(&t->error_lock);
}

bool ply_tablebase_error(ply_tablebase *t, ply_error *error)
{
    if (!t)
        return false;
    pthread_mutex_lock(&t->error_lock);
    bool any = t->error.status != PLY_OK;
    if (error)
        *error = t->error;
    pthread_mutex_unlock(&t->error_lock);
    return any;
}

static ply_status fill_block(ply_tablebase *t, cache_set *set, cached_block *cached,
                             size_t class_index, uint64_t block, ply_error *error)
{
    if (!set->unpacker && !(set->unpacker = ply_tablebase_unpacker_new()))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (!cached->values && !(cached->values = malloc(2 * TABLEBASE_BLOCK_VALUES)))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    cached->key = UINT64_MAX;
    char class_text[TABLEBASE_CLASS_TEXT];
    ply_text name = ply_text_fixed(class_text, sizeof class_text);
    t->rules->indexing->class_name(t->rules, class_index, &name);
    return ply_tablebase_file_block(&t->files[class_index], set->unpacker, block, cached->values,
                                    class_text, error);
}

/* Reads the stored value of a slot whose class has a file. */
static bool look_up(ply_tablebase *t, ply_slot slot, unsigned *value)
{
    size_t class_index = ply_slot_class(slot);
    uint64_t block = ply_slot_number(slot) / TABLEBASE_BLOCK_VALUES;
    size_t at = (size_t)(ply_slot_number(slot) % TABLEBASE_BLOCK_VALUES);
    uint64_t key = slot - at;
    cache_set *set = &t->sets[ply_mix64(key) % t->set_count];
    pthread_mutex_lock(&set->lock);
    cached_block *cached = NULL, *oldest = &set->block[0];
    for (int i = 0; i < CACHE_WAYS && !cached; i++) {
        if (set->block[i].key == key)
            cached = &set->block[i];
        if (set->block[i].last_used < oldest->last_used)
            oldest = &set->block[i];
    }
    ply_error error;
    bool good = true;
    if (!cached) {
        cached = oldest;
        if ((good = fill_block(t, set, cached, class_index, block, &error) == PLY_OK))
            cached->key = key;
    }
    if (good) {
        cached->last_used = ++set->clock;
        *value = t->files[class_index].header.value_bytes == 1
                     ? cached->values[at]
                     : ((const uint16_t *)(const void *)cached->values)[at];
    }
    pthread_mutex_unlock(&set->lock);
    if (!good)
        keep_first_error(t, &error);
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
    if (!t || !position || !value)
        return false;
    size_t class_index = t->retrograde->class_of(position);
    unsigned own, enemy, stored = 1; /* no pieces: lost in 0 plies */
    if (!t->files[class_index].bytes) {
        t->retrograde->class_pieces(class_index, &own, &enemy);
        if (own > 0 || t->file_count == 0)
            return false;
    } else if (!look_up(t, t->retrograde->slot_of(t->workspace, position), &stored)) {
        return false;
    }
    *value = value_of(stored);
    return true;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* The value of a move, given that of the position it leads to. */
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
    if (!t || !position || !out)
        return 0;
    const ply_rules *rules = t->rules;
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    unsigned char *copy = malloc(rules->position_bytes), *undo = malloc(rules->undo_bytes + 1);
    size_t count = 0;
    if (moves && copy && undo) {
        memcpy(copy, position, rules->position_bytes); /* these positions own no memory */
        count = rules->game->moves(rules, position, moves);
    } else {
        ply_error error = {0};
        ply_error_set(&error, PLY_NO_MEMORY, "out of memory");
        keep_first_error(t, &error);
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

/* --- text and JSON -------------------------------------------------------------------------- */
static const char *const result_names[] = {"draw", "win", "loss"};

void ply_tablebase_value_text(ply_tablebase_value value, ply_text *out)
{
    if (!out)
        return;
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
    ply_text description = ply_text_fixed(text, sizeof text);
    ply_tablebase_value_text(value, &description);
    ply_json_member_string(out, "result", result_names[value.result]);
    ply_json_member_unsigned(out, "plies", (uint64_t)value.plies);
    ply_json_member_string(out, "text", text);
}

void ply_tablebase_json(ply_tablebase *t, const void *position, ply_text *out)
{
    if (!t || !position || !out)
        return;
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

/* --- listing -------------------------------------------------------------------------------- */
typedef struct listed_class {
    uint32_t order;
    size_t class_index;
} listed_class;

static int compare_listed(const void *a, const void *b)
{
    const listed_class *x = a, *y = b;
    if (x->order != y->order)
        return (x->order > y->order) - (x->order < y->order);
    return (x->class_index > y->class_index) - (x->class_index < y->class_index);
}

static void fill_info(const ply_tablebase *t, size_t class_index, void *position,
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
    t->retrograde->position_of(t->workspace, ply_slot_make(class_index, h->longest_slot), position);
    ply_text text = ply_text_fixed(info->example, sizeof info->example);
    t->rules->game->format(t->rules, position, &text);
}

ply_status ply_tablebase_list(const ply_rules *rules, const char *dir, ply_tablebase_info **list,
                              size_t *count, ply_error *error)
{
    if (list)
        *list = NULL;
    if (count)
        *count = 0;
    if (!list || !count)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the list");
    ply_tablebase *t;
    ply_status status = ply_tablebase_open(rules, dir, 1, &t, error);
    if (status != PLY_OK)
        return status;
    listed_class *order = calloc(t->file_count + 1, sizeof *order);
    void *position = malloc(rules->position_bytes);
    *list = calloc(t->file_count + 1, sizeof **list);
    if (!order || !position || !*list) {
        free(*list);
        *list = NULL;
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    } else {
        for (size_t i = 0; i < t->class_count; i++)
            if (t->files[i].bytes)
                order[(*count)++] = (listed_class){t->retrograde->class_order(i), i};
        qsort(order, *count, sizeof *order, compare_listed);
        for (size_t i = 0; i < *count; i++)
            fill_info(t, order[i].class_index, position, &(*list)[i]);
    }
    free(order);
    free(position);
    ply_tablebase_close(t);
    return status;
}
