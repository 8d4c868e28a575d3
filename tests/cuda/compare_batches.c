/* SPDX-License-Identifier: MIT */
/* compare_batches.c - see compare_batches.h. */
#include "cuda/compare_batches.h"
#include <plyverse/plyverse.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    ply_batch *host, *device;
    const ply_batch_arrays *h, *d;
    unsigned char *copy; /* of one array of the device */
    char *message;
    size_t room;
} pair;

static bool same_array(pair *p, const char *name, const void *host, const void *device,
                       size_t row_bytes)
{
    size_t games = p->h->games;
    if (!host || p->message[0])
        return !p->message[0];
    if (ply_batch_read(p->device, p->copy, device, games * row_bytes) != PLY_OK) {
        snprintf(p->message, p->room, "%s cannot be read", name);
        return false;
    }
    for (size_t g = 0; g < games; g++)
        if (memcmp((const unsigned char *)host + g * row_bytes, p->copy + g * row_bytes,
                   row_bytes) != 0) {
            size_t at = 0;
            const unsigned char *x = (const unsigned char *)host + g * row_bytes;
            while (x[at] == p->copy[g * row_bytes + at])
                at++;
            snprintf(p->message, p->room,
                     "%s differs in game %zu at byte %zu: %d, on the device %d", name, g, at, x[at],
                     p->copy[g * row_bytes + at]);
            return false;
        }
    return true;
}

static bool same_arrays(pair *p)
{
    const ply_batch_arrays *h = p->h, *d = p->d;
    size_t plane = (size_t)h->planes * h->height * h->width;
    return same_array(p, "plies", h->plies, d->plies, 4) &&
           same_array(p, "legal_counts", h->legal_counts, d->legal_counts, 4) &&
           same_array(p, "terminated", h->terminated, d->terminated, 1) &&
           same_array(p, "truncated", h->truncated, d->truncated, 1) &&
           same_array(p, "results", h->results, d->results, 1) &&
           same_array(p, "illegal", h->illegal, d->illegal, 1) &&
           same_array(p, "players", h->players, d->players, 1) &&
           same_array(p, "rewards", h->rewards, d->rewards, 8) &&
           same_array(p, "mask_bits", h->mask_bits, d->mask_bits, 8 * (size_t)h->mask_words) &&
           same_array(p, "mask_bytes", h->mask_bytes, d->mask_bytes, h->actions) &&
           same_array(p, "legal_actions", h->legal_actions, d->legal_actions,
                      4 * (size_t)h->list_room) &&
           same_array(p, "keys", h->keys, d->keys, 8) &&
           same_array(p, "observations", h->observations, d->observations, plane) &&
           same_array(p, "final_observations", h->final_observations, d->final_observations, plane);
}

static bool open_pair(pair *p, const comparison *c, const ply_rules *rules)
{
    ply_error error;
    ply_batch_options o = {.games = c->games,
                           .max_plies = c->max_plies,
                           .outputs = c->outputs,
                           .seed = 7,
                           .threads = c->threads,
                           .reset = c->reset,
                           .illegal = c->illegal,
                           .history = c->history,
                           .repetition = c->repetition,
                           .observation = c->observation,
                           .max_boards = c->max_boards};
    if (ply_batch_new(&p->host, rules, &o, &error) != PLY_OK) {
        snprintf(p->message, p->room, "%s", error.message);
        return false;
    }
    o.device = PLY_DEVICE_CUDA;
    if (ply_batch_new(&p->device, rules, &o, &error) != PLY_OK) {
        snprintf(p->message, p->room, "%s", error.message);
        return false;
    }
    p->h = ply_batch_data(p->host);
    p->d = ply_batch_data(p->device);
    size_t row = (size_t)p->h->planes * p->h->height * p->h->width;
    row = row > 8 * (size_t)p->h->mask_words ? row : 8 * (size_t)p->h->mask_words;
    row = row > p->h->actions ? row : p->h->actions;
    row = row > 4 * (size_t)p->h->list_room ? row : 4 * (size_t)p->h->list_room;
    p->copy = malloc(c->games * (row + 8));
    return p->copy && same_arrays(p);
}

/* Steps with actions that the host drew; the device draws, too, and must draw the same. */
static bool step_both(pair *p, const comparison *c, uint64_t number, int32_t *actions,
                      int32_t *drawn, int32_t *device_actions)
{
    ply_batch_sample(p->host, actions);
    ply_batch_sample(p->device, device_actions);
    if (ply_batch_read(p->device, drawn, device_actions, c->games * sizeof *drawn) != PLY_OK ||
        memcmp(actions, drawn, c->games * sizeof *drawn) != 0) {
        snprintf(p->message, p->room, "actions drawn before step %llu differ",
                 (unsigned long long)number);
        return false;
    }
    if (c->some_illegal) {
        for (size_t g = number % 5; g < c->games; g += 5)
            actions[g] = (int32_t)(ply_batch_random(11, g, number) % (p->h->actions + 2)) - 1;
        if (ply_batch_write(p->device, device_actions, actions, c->games * sizeof *actions) !=
            PLY_OK)
            return false;
    }
    if (ply_batch_step(p->host, actions) != PLY_OK ||
        ply_batch_step(p->device, device_actions) != PLY_OK) {
        snprintf(p->message, p->room, "step %llu fails", (unsigned long long)number);
        return false;
    }
    return same_arrays(p);
}

static uint64_t compare_steps(pair *p, const comparison *c)
{
    /* The caller's actions live in an array of the device that the batch does not read. */
    int32_t *actions = calloc(c->games, sizeof *actions), *drawn = calloc(c->games, sizeof *drawn);
    int32_t *device_actions = (int32_t *)(void *)p->d->rewards; /* overwritten by the step itself */
    bool same = actions && drawn;
    ply_batch_options extra = {.games = c->games, .device = PLY_DEVICE_CUDA};
    ply_batch *lender = NULL; /* its arrays are memory on the device */
    ply_rules rules = {0};
    ply_error error;
    same = same && ply_rules_make(&rules, ply_game_find("neighbours"), NULL, &error) == PLY_OK &&
           ply_batch_new(&lender, &rules, &extra, &error) == PLY_OK;
    if (lender)
        device_actions = (int32_t *)(void *)ply_batch_data(lender)->plies;
    for (uint64_t i = 0; i < c->steps && same; i++)
        same = step_both(p, c, i, actions, drawn, device_actions);
    ply_batch_free(lender);
    free(actions);
    free(drawn);
    return same ? c->steps * c->games : 0;
}

typedef struct random_launch {
    ply_batch *batch;
    uint64_t steps;
    ply_batch_totals totals;
    ply_status status;
} random_launch;

static void *run_launch(void *context)
{
    random_launch *l = context;
    l->status = ply_batch_random_steps(l->batch, l->steps, &l->totals);
    return NULL;
}

/* The host plays while the device does. */
static bool launch_both(pair *p, uint64_t steps, ply_batch_totals *totals)
{
    random_launch host = {.batch = p->host, .steps = steps};
    random_launch device = {.batch = p->device, .steps = steps};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_launch, &host) != 0)
        return false;
    run_launch(&device);
    pthread_join(thread, NULL);
    if (host.status != PLY_OK || device.status != PLY_OK) {
        snprintf(p->message, p->room, "random steps fail");
        return false;
    }
    *totals = host.totals;
    if (memcmp(&host.totals, &device.totals, sizeof host.totals) == 0)
        return true;
    snprintf(p->message, p->room, "totals differ: %llu plies, on the device %llu",
             (unsigned long long)host.totals.plies, (unsigned long long)device.totals.plies);
    return false;
}

static bool compare_random(pair *p, const comparison *c, uint64_t *plies)
{
    for (uint64_t done = 0; done < c->random_steps; done += c->per_launch) {
        ply_batch_totals totals;
        if (!launch_both(p, c->per_launch, &totals) || !same_arrays(p))
            return false;
        *plies += totals.plies;
        if (c->told)
            c->told(*plies);
    }
    return true;
}

static bool same_saved(pair *p, size_t games)
{
    for (size_t g = 0; g < games; g += games / 4 + 1) {
        ply_text host = ply_text_growing(), device = ply_text_growing();
        bool same = ply_batch_save(p->host, g, &host) == PLY_OK &&
                    ply_batch_save(p->device, g, &device) == PLY_OK &&
                    strcmp(ply_text_cstr(&host), ply_text_cstr(&device)) == 0;
        ply_text_free(&host);
        ply_text_free(&device);
        if (!same) {
            snprintf(p->message, p->room, "game %zu is saved differently", g);
            return false;
        }
    }
    return true;
}

uint64_t compare_batches(const comparison *c, char *message, size_t room)
{
    ply_rules rules;
    ply_error error;
    uint64_t plies = 0;
    pair p = {.message = message, .room = room};
    message[0] = '\0';
    if (ply_rules_make(&rules, ply_game_find(c->game), c->rules, &error) != PLY_OK) {
        snprintf(message, room, "%s", error.message);
        return 0;
    }
    bool same = open_pair(&p, c, &rules);
    if (same && c->steps > 0) {
        plies = compare_steps(&p, c);
        same = plies > 0;
    }
    same = same && compare_random(&p, c, &plies) && same_saved(&p, c->games);
    ply_batch_free(p.host);
    ply_batch_free(p.device);
    free(p.copy);
    if (!same && !message[0])
        snprintf(message, room, "out of memory, or a device failed");
    return same ? plies : 0;
}
