/* SPDX-License-Identifier: MIT */
/* vct_threads.c - see vct_threads.h. */
#include "games/gomoku/solve/vct_threads.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(GOMOKU_TEAM_MARKS == 1 << 14, "the top 14 bits of a key");

void gomoku_vct_team_free(gomoku_vct_team *team)
{
    if (!team)
        return;
    for (unsigned i = 0; i < team->count; i++) {
        gomoku_vct_free(&team->mates[i].vct);
        free(team->mates[i].undo);
    }
    free(team->mates);
    free(team);
}

gomoku_vct_team *gomoku_vct_team_new(gomoku_vct *leader, unsigned count, size_t bytes)
{
    gomoku_vct_team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->leader = leader;
    team->mates = calloc(count, sizeof *team->mates);
    bool ready = team->mates != NULL;
    for (unsigned i = 0; i < count && ready; i++) {
        gomoku_vct_mate *m = &team->mates[i];
        m->undo = calloc(GOMOKU_MAX_CELLS + 1, sizeof *m->undo);
        team->count = i + 1;
        ready = m->undo && gomoku_vct_init(&m->vct, &m->field, leader->table, bytes) == PLY_OK;
    }
    if (!ready) {
        gomoku_vct_team_free(team);
        return NULL;
    }
    return team;
}

void gomoku_vct_team_clear(gomoku_vct_team *team)
{
    for (unsigned i = 0; i < team->count; i++)
        gomoku_vcf_clear(&team->mates[i].vct.vcf);
}

/* For the leader, who may not look into the tables of the others. */
static void note_bytes(gomoku_vct_mate *m)
{
    const gomoku_vct *v = &m->vct;
    atomic_store_explicit(&m->bytes,
                          (v->vcf.mask + 1) * sizeof *v->vcf.table +
                              v->children_room * sizeof *v->children,
                          memory_order_relaxed);
}

/* A mate knows of limits only through the leader, who asks him to stop. */
static bool resume(void *context, uint64_t nodes)
{
    gomoku_vct_mate *m = context;
    (void)nodes;
    atomic_store_explicit(&m->nodes, m->vct.nodes, memory_order_relaxed);
    note_bytes(m);
    return !atomic_load_explicit(&m->vct.team->stop, memory_order_relaxed);
}

static void *work(void *context)
{
    gomoku_vct_mate *m = context;
    gomoku_vct_team *team = m->vct.team;
    int verdict = gomoku_vct_root(&m->vct);
    resume(m, 0);
    if (verdict) {
        atomic_store(&team->verdict, verdict);
        atomic_store(&team->stop, true);
    }
    return NULL;
}

void gomoku_vct_team_start(gomoku_vct_team *team)
{
    gomoku_vct *leader = team->leader;
    gomoku_vct_table_share(leader->table);
    atomic_store(&team->stop, false);
    atomic_store(&team->verdict, 0);
    leader->marks = true;
    for (unsigned i = 0; i < team->count; i++) {
        gomoku_vct_mate *m = &team->mates[i];
        gomoku_vct *v = &m->vct;
        m->field = team->root;
        m->field.undo = m->undo;
        m->field.depth = 0;
        v->attacker = leader->attacker;
        v->all = leader->all;
        v->may_pass = leader->may_pass;
        v->vcf_limit = leader->vcf_limit;
        v->stage = leader->stage;
        v->limit = UINT64_MAX;
        v->nodes = v->vcf.nodes = 0;
        v->plies = leader->root_plies;
        v->children_used = 0;
        v->stopped = v->incomplete = false;
        v->go_on = v->vcf.go_on = resume;
        v->context = v->vcf.context = m;
        v->team = team;
        v->number = i + 1;
        v->marks = true;
        atomic_store(&m->nodes, 0);
        if (pthread_create(&m->thread, NULL, work, m) != 0)
            break; /* fewer then */
        team->running = i + 1;
    }
}

int gomoku_vct_team_end(gomoku_vct_team *team)
{
    gomoku_vct *leader = team->leader;
    atomic_store(&team->stop, true);
    for (unsigned i = 0; i < team->running; i++) {
        gomoku_vct_mate *m = &team->mates[i];
        pthread_join(m->thread, NULL);
        leader->incomplete |= m->vct.incomplete;
        leader->nodes += m->vct.nodes;
        leader->vcf.nodes += m->vct.vcf.nodes;
        atomic_store(&m->nodes, 0);
    }
    team->running = 0;
    leader->marks = false;
    return atomic_load(&team->verdict);
}

uint64_t gomoku_vct_team_nodes(const gomoku_vct_team *team)
{
    uint64_t nodes = 0;
    for (unsigned i = 0; i < team->running; i++)
        nodes += atomic_load_explicit(&team->mates[i].nodes, memory_order_relaxed);
    return nodes;
}

size_t gomoku_vct_team_bytes(const gomoku_vct_team *team)
{
    size_t bytes = sizeof *team;
    for (unsigned i = 0; i < team->count; i++)
        bytes += sizeof team->mates[i] + (GOMOKU_MAX_CELLS + 1) * sizeof *team->mates[i].undo +
                 atomic_load_explicit(&team->mates[i].bytes, memory_order_relaxed);
    return bytes;
}
