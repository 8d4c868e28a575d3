/* SPDX-License-Identifier: MIT */
/* openings.c - the openings of a match; see match.h. */
#include "core/hash.h"
#include "match/match.h"
#include "model/random_plies.h"
#include "model/variation.h"
#include <plyverse/search.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHUFFLE_STREAM = 0x6F70656E, /* random numbers independent of those of the games */
    INITIAL_CAPACITY = 64,
    RANDOM_ATTEMPTS = 1000,
};

static void free_opening(match_opening *opening)
{
    free(opening->name);
    free(opening->start);
    free(opening->moves);
}

void ply_match_openings_free(match_openings *o)
{
    for (size_t i = 0; i < o->count; i++)
        free_opening(&o->items[i]);
    free(o->items);
    *o = (match_openings){0};
}

ply_status ply_match_openings_add(match_openings *o, const char *name, const char *start,
                                  const char *moves)
{
    if (o->count == o->capacity) {
        size_t capacity = o->capacity ? o->capacity * 2 : INITIAL_CAPACITY;
        match_opening *items = realloc(o->items, capacity * sizeof *items);
        if (!items)
            return PLY_NO_MEMORY;
        o->items = items;
        o->capacity = capacity;
    }
    match_opening item = {strdup(name), strdup(start), strdup(moves)};
    if (!item.name || !item.start || !item.moves) {
        free_opening(&item);
        return PLY_NO_MEMORY;
    }
    o->items[o->count++] = item;
    return PLY_OK;
}

ply_status ply_match_openings_builtin(match_openings *o, const ply_rules *rules, uint64_t seed,
                                      size_t wanted)
{
    const ply_opening_hooks *openings = rules->openings;
    size_t count = openings->count && openings->get ? openings->count(rules) : 0;
    if (count == 0)
        return PLY_UNSUPPORTED;
    uint32_t *order = malloc(count * sizeof *order);
    if (!order)
        return PLY_NO_MEMORY;
    ply_rng rng = ply_rng_make(seed, SHUFFLE_STREAM);
    ply_text name = ply_text_growing(), position = ply_text_growing(), moves = ply_text_growing();
    ply_status status = PLY_OK;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    /* Drawn one by one and not all at once, since a game may be slow to make them. */
    for (size_t left = count; left > 0 && o->count < wanted && status == PLY_OK; left--) {
        size_t k = ply_rng_below(&rng, (uint32_t)left);
        uint32_t drawn = order[k];
        order[k] = order[left - 1];
        ply_text_clear(&name);
        ply_text_clear(&position);
        ply_text_clear(&moves);
        status = openings->get(rules, drawn, &name, &position, &moves);
        if (status == PLY_OK && !strstr(ply_text_cstr(&name), "barred"))
            status = ply_match_openings_add(o, ply_text_cstr(&name), ply_text_cstr(&position),
                                            ply_text_cstr(&moves));
    }
    free(order);
    ply_text_free(&name);
    ply_text_free(&position);
    ply_text_free(&moves);
    return status;
}

/* The offset of the word "moves" in the line, or its length. */
static size_t find_moves(const char *line, size_t length)
{
    for (size_t i = 0; i + 5 <= length; i++)
        if (memcmp(line + i, "moves", 5) == 0 && (i == 0 || line[i - 1] == ' ') &&
            (i + 5 == length || line[i + 5] == ' '))
            return i;
    return length;
}

/* Removes white space at both ends; returns the new length. */
static size_t trim(const char **text, size_t length)
{
    while (length > 0 && strchr(" \t\r", (*text)[0])) {
        ++*text;
        length--;
    }
    while (length > 0 && strchr(" \t\r", (*text)[length - 1]))
        length--;
    return length;
}

/* Parses a line that is neither empty nor a comment. */
static ply_status parse_line(match_openings *o, const ply_rules *rules, const char *line,
                             size_t size, ply_error *error)
{
    size_t split = find_moves(line, size);
    const char *start = line, *moves = split < size ? line + split + strlen("moves") : line + size;
    size_t moves_length = trim(&moves, (size_t)(line + size - moves));
    size_t start_length = trim(&start, split);
    char *copies[2] = {strndup(start, start_length), strndup(moves, moves_length)};
    ply_state state;
    ply_status status = copies[0] && copies[1] ? ply_state_init(&state, rules) : PLY_NO_MEMORY;
    if (status == PLY_OK) {
        if (start_length)
            status = ply_state_parse(&state, start, start_length, error);
        if (status == PLY_OK)
            status = ply_state_play_text(&state, moves, moves_length, error);
        ply_state_free(&state);
    }
    if (status == PLY_OK)
        status = ply_match_openings_add(o, "", copies[0], copies[1]);
    if (status == PLY_NO_MEMORY)
        ply_error_set(error, status, "out of memory");
    free(copies[0]);
    free(copies[1]);
    return status;
}

ply_status ply_match_openings_parse(match_openings *o, const ply_rules *rules, const char *text,
                                    size_t length, ply_error *error)
{
    uint32_t number = 0;
    for (size_t at = 0; at < length;) {
        const char *line = text + at, *end = memchr(line, '\n', length - at);
        size_t size = end ? (size_t)(end - line) : length - at;
        at += size + 1;
        number++;
        const char *hash = memchr(line, '#', size);
        size = trim(&line, hash ? (size_t)(hash - line) : size);
        if (size == 0)
            continue;
        ply_status status = parse_line(o, rules, line, size, error);
        if (status != PLY_OK) {
            if (error && status != PLY_NO_MEMORY)
                error->line = number;
            return status;
        }
    }
    return o->count > 0 ? PLY_OK : ply_error_set(error, PLY_BAD_TEXT, "the file has no openings");
}

ply_status ply_match_openings_add_record(match_openings *o, const ply_record *record, size_t plies)
{
    ply_state state;
    ply_error error;
    ply_status status = ply_record_start_state(record, &state, &error);
    if (status != PLY_OK)
        return status;
    for (uint32_t n = record->nodes[0].child; n && status == PLY_OK; n = record->nodes[n].child) {
        if (record->nodes[n].setup || (plies && state.plies == plies))
            break;
        status = ply_state_play(&state, record->nodes[n].move);
    }
    ply_text moves = ply_text_growing();
    if (status == PLY_OK)
        status = ply_state_format_moves(&state, NULL, &moves);
    const char *name = ply_record_tag_value(record, "Opening");
    if (status == PLY_OK)
        status = ply_match_openings_add(o, name ? name : "", record->start ? record->start : "",
                                        ply_text_cstr(&moves));
    ply_text_free(&moves);
    ply_state_free(&state);
    return status;
}

void ply_match_openings_shuffle(match_openings *o, uint64_t seed)
{
    ply_rng rng = ply_rng_make(seed, SHUFFLE_STREAM);
    for (size_t i = o->count; i > 1; i--) {
        size_t k = ply_rng_below(&rng, (uint32_t)i);
        match_opening item = o->items[i - 1];
        o->items[i - 1] = o->items[k];
        o->items[k] = item;
    }
}

/* Whether a search finds that neither side is much better. The answer is always the same. */
static ply_status is_balanced(const match_openings *o, ply_searcher *searcher,
                              const ply_state *state, bool *balanced)
{
    ply_search_limits limits = {.nodes = o->balance_nodes};
    ply_search_report report;
    ply_searcher_clear(searcher);
    ply_status status = ply_searcher_run(searcher, state, &limits, NULL, NULL, &report);
    *balanced = status == PLY_OK && abs(report.pv[0].score) <= o->balance;
    return status;
}

/* Draws random openings until one does not end the game and is balanced, if it has to be. */
static ply_status draw_opening(const match_openings *o, uint64_t pair, ply_searcher *searcher,
                               ply_state *state)
{
    for (uint64_t attempt = 0; attempt < RANDOM_ATTEMPTS; attempt++) {
        ply_rng rng = ply_rng_make(o->seed ^ ply_mix64(attempt), pair);
        while (ply_state_undo(state))
            continue;
        ply_status status = ply_state_play_random(state, o->random_plies, &rng);
        if (status != PLY_OK)
            return status;
        if (ply_state_outcome(state).result != PLY_ONGOING)
            continue;
        bool balanced = true;
        if (searcher && (status = is_balanced(o, searcher, state, &balanced)) != PLY_OK)
            return status;
        if (balanced)
            return PLY_OK;
    }
    return PLY_LIMIT;
}

static ply_status setup_random(const match_openings *o, uint64_t pair, ply_state *state,
                               ply_error *error)
{
    ply_searcher *searcher = NULL;
    if (o->balance_nodes > 0) {
        ply_search_options options = {.memory_mb = 1};
        searcher = ply_searcher_new(state->rules, &options);
        if (!searcher)
            return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    ply_status status = draw_opening(o, pair, searcher, state);
    ply_searcher_free(searcher);
    if (status == PLY_LIMIT && o->balance_nodes > 0)
        return ply_error_set(error, status, "none of %d openings of %zu random plies is balanced",
                             RANDOM_ATTEMPTS, o->random_plies);
    if (status == PLY_LIMIT)
        return ply_error_set(error, status, "every game is over within %zu random plies",
                             o->random_plies);
    return status == PLY_OK ? PLY_OK : ply_error_set(error, status, "%s", ply_status_text(status));
}

ply_status ply_match_openings_setup(const match_openings *o, uint64_t pair, ply_state *state,
                                    const char **name, const char **start, ply_error *error)
{
    ply_status status = ply_state_restart(state);
    *name = *start = "";
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    if (o->count == 0)
        return setup_random(o, pair, state, error);
    const match_opening *item = &o->items[pair % o->count];
    *name = item->name;
    *start = item->start;
    if (item->start[0])
        status = ply_state_parse(state, item->start, strlen(item->start), error);
    if (status == PLY_OK)
        status = ply_state_play_text(state, item->moves, strlen(item->moves), error);
    return status;
}

ply_status ply_match_openings_check(const match_openings *o, const ply_rules *rules,
                                    ply_error *error)
{
    ply_state state;
    ply_status status = ply_state_init(&state, rules);
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    for (size_t i = 0; i < (o->count ? o->count : 1) && status == PLY_OK; i++) {
        const char *name, *start;
        status = ply_match_openings_setup(o, i, &state, &name, &start, error);
        if (status == PLY_OK && ply_state_outcome(&state).result != PLY_ONGOING)
            status = ply_error_set(error, PLY_BAD_POSITION,
                                   "opening %zu leaves nothing to play: the game is over", i + 1);
    }
    ply_state_free(&state);
    return status;
}

uint64_t ply_match_openings_hash(const match_openings *o)
{
    uint64_t hash = ply_mix64(o->seed * 31 + o->random_plies + 1);
    if (o->balance_nodes > 0)
        hash = ply_mix64(hash + o->balance_nodes * 31 + (uint64_t)o->balance);
    if (o->count > 0)
        hash = 1; /* the order of the items reflects the seed */
    for (size_t i = 0; i < o->count; i++)
        for (int part = 0; part < 2; part++) {
            const char *text = part ? o->items[i].moves : o->items[i].start;
            do
                hash = ply_mix64(hash ^ (unsigned char)*text);
            while (*text++);
        }
    return hash;
}
