/* SPDX-License-Identifier: MIT */
/* tablebases.c - see tablebases.h. */
#include "server/library/tablebases.h"
#include "core/clock.h"
#include <stdlib.h>
#include <string.h>

enum {
    RETRY_SECONDS = 1, /* after a failure to open */
    BUILD_THREADS = 2,
};

bool tablebases_open(tablebases *t, const char *dir)
{
    *t = (tablebases){.dir = strdup(dir)};
    pthread_mutex_init(&t->lock, NULL);
    return t->dir != NULL;
}

void tablebases_close(tablebases *t)
{
    for (int i = 0; i < TABLEBASES_OPEN_LIMIT; i++)
        ply_tablebase_close(t->entries[i].tablebase);
    free(t->dir);
    pthread_mutex_destroy(&t->lock);
}

static void open_entry(tablebases *t, tablebases_entry *entry)
{
    entry->opened_nanos = ply_clock_nanos();
    if (ply_tablebase_available(&entry->rules))
        ply_tablebase_open(&entry->rules, t->dir, 0, &entry->tablebase, NULL);
}

/* Reopens an entry whose files have changed, or that could not be opened a while ago. */
static void refresh_entry(tablebases *t, tablebases_entry *entry)
{
    if (entry->tablebase ? ply_tablebase_changed(entry->tablebase)
                         : ply_clock_seconds_since(entry->opened_nanos) >= RETRY_SECONDS) {
        ply_tablebase_close(entry->tablebase);
        entry->tablebase = NULL;
        open_entry(t, entry);
    }
}

/* The tablebase of these rules, or NULL. Evicts the least recently used entry. */
static ply_tablebase *find_tablebase(tablebases *t, const ply_rules *rules)
{
    tablebases_entry *oldest = &t->entries[0];
    for (int i = 0; i < TABLEBASES_OPEN_LIMIT; i++) {
        tablebases_entry *entry = &t->entries[i];
        if (entry->rules.game == rules->game &&
            memcmp(entry->rules.option, rules->option, sizeof rules->option) == 0) {
            entry->last_used = ++t->clock;
            refresh_entry(t, entry);
            return entry->tablebase;
        }
        oldest = entry->last_used < oldest->last_used ? entry : oldest;
    }
    ply_tablebase_close(oldest->tablebase);
    *oldest = (tablebases_entry){.rules = *rules, .last_used = ++t->clock};
    open_entry(t, oldest);
    return oldest->tablebase;
}

bool tablebases_probe(tablebases *t, const ply_rules *rules, const void *position,
                      ply_tablebase_value *value, ply_tablebase_move *moves, size_t *count)
{
    pthread_mutex_lock(&t->lock);
    ply_tablebase *tablebase = find_tablebase(t, rules);
    bool known = tablebase && ply_tablebase_probe(tablebase, position, value);
    *count = tablebase ? ply_tablebase_moves(tablebase, position, moves) : 0;
    pthread_mutex_unlock(&t->lock);
    return known;
}

static bool has_options(const ply_rules *rules)
{
    ply_text text = ply_text_growing();
    ply_rules_format(rules, &text);
    bool has = strchr(ply_text_cstr(&text), ':') != NULL;
    ply_text_free(&text);
    return has;
}

ply_tablebase *tablebases_lend(tablebases *t, const ply_rules *rules)
{
    ply_tablebase *tablebase;
    ply_tablebase_job job = {.dir = t->dir, .threads = BUILD_THREADS};
    if (!ply_tablebase_available(rules) ||
        ply_tablebase_open(rules, t->dir, 0, &tablebase, NULL) != PLY_OK)
        return NULL;
    if (ply_tablebase_count(tablebase) > 0 || has_options(rules))
        return tablebase;
    ply_tablebase_close(tablebase);
    tablebase = NULL;
    if (ply_tablebase_build(rules, &job, NULL) == PLY_OK)
        ply_tablebase_open(rules, t->dir, 0, &tablebase, NULL);
    return tablebase;
}
