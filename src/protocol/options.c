/* SPDX-License-Identifier: MIT */
/* options.c - rules and settings that the client may change. */
#include "protocol/session_internal.h"
#include <plyverse/network.h>
#include <stdlib.h>
#include <string.h>

const ply_game *ply_protocol_find_game(const ply_session *s, const char *id, size_t length)
{
    protocol_token name = {id, length};
    const ply_game *game = s->options.custom_game;
    if (game && ply_token_is(name, game->id))
        return game;
    for (size_t i = 0; (game = ply_game_at(i)) != NULL; i++)
        if (ply_token_is(name, game->id))
            return game;
    return NULL;
}

ply_status ply_protocol_set_rules(ply_session *s, const ply_game *game, const char *variant,
                                  ply_error *error)
{
    ply_rules rules;
    ply_state state;
    ply_text text = ply_text_growing();
    if (variant)
        ply_text_string(&text, variant);
    if (s->handler->adjust)
        s->handler->adjust(game, variant, &text);
    ply_status status = text.failed ? ply_error_set(error, PLY_NO_MEMORY, "out of memory")
                                    : ply_rules_make(&rules, game, ply_text_cstr(&text), error);
    ply_text_free(&text);
    if (status != PLY_OK)
        return status;
    ply_protocol_stop_search(s, false);
    status = ply_state_init(&state, &rules);
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    ply_protocol_drop_searcher(s); /* it refers to the old rules */
    if (s->state.position)
        ply_state_free(&s->state);
    s->rules = rules;
    s->state = state;
    s->state.rules = &s->rules;
    return PLY_OK;
}

/* --- the network ------------------------------------------------------------------------------ */
ply_status ply_protocol_set_network(ply_session *s, const char *name, ply_error *error)
{
    ply_network *network = NULL;
    ply_status status = name ? ply_network_load(&s->rules, name, &network, error) : PLY_OK;
    if (status != PLY_OK)
        return status;
    ply_network_free(network);
    char *copy = name ? strdup(name) : NULL;
    if (name && !copy)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    free(s->network);
    s->search.network = s->network = copy;
    ply_protocol_drop_searcher(s);
    return PLY_OK;
}

/* --- settings -------------------------------------------------------------------------------- */
static const char *const engine_names[] = {"alphabeta", "mcts", "playouts"};

/* The order in which clients see the settings. Options of the rules follow from RULES on. */
enum {
    HASH,
    THREADS,
    MULTIPV,
    PONDER,
    ENGINE,
    SEED,
    CLEAR_HASH,
    CPU_TIME,
    NETWORK,
    VARIANT,
    RULES
};
_Static_assert(HASH == (int)PROTOCOL_OPTION_HASH && PONDER == (int)PROTOCOL_OPTION_PONDER,
               "session_internal.h numbers these settings too");

bool ply_protocol_option_at(const ply_session *s, size_t i, protocol_option *option)
{
    const ply_search_options *search = &s->search;
    const ply_game *game = s->rules.game;
    switch (i) {
    case HASH:
        *option = (protocol_option){.name = "Hash",
                                    .value = (int64_t)search->memory_mb,
                                    .low = 1,
                                    .high = (int64_t)s->options.memory_limit_mb};
        return true;
    case THREADS:
        *option = (protocol_option){
            .name = "Threads", .value = search->threads, .low = 1, .high = s->options.thread_limit};
        return true;
    case MULTIPV:
        *option = (protocol_option){
            .name = "MultiPV", .value = s->multipv, .low = 1, .high = PROTOCOL_MULTIPV_LIMIT};
        return true;
    case PONDER:
        *option = (protocol_option){
            .name = "Ponder", .type = PROTOCOL_CHECK, .value = s->ponders, .high = 1};
        return true;
    case ENGINE:
        *option = (protocol_option){.name = "Engine",
                                    .type = PROTOCOL_COMBO,
                                    .value = search->kind,
                                    .high = 1,
                                    .names = engine_names,
                                    .name_count = 2};
        return true;
    case SEED:
        *option = (protocol_option){
            .name = "Seed", .value = (int64_t)(search->seed & INT32_MAX), .high = INT32_MAX};
        return true;
    case CLEAR_HASH:
        *option = (protocol_option){.name = "ClearHash", .type = PROTOCOL_BUTTON};
        return true;
    case CPU_TIME:
        *option = (protocol_option){
            .name = "CpuTime", .type = PROTOCOL_CHECK, .value = s->cpu_time, .high = 1};
        return true;
    case NETWORK:
        *option = (protocol_option){.name = "Network",
                                    .type = PROTOCOL_STRING,
                                    .text = s->network ? s->network : "<empty>"};
        return true;
    case VARIANT:
        *option = (protocol_option){.name = "Variant",
                                    .type = PROTOCOL_COMBO,
                                    .value = s->rules.variant - game->variants,
                                    .high = (int64_t)game->variant_count - 1,
                                    .name_count = game->variant_count};
        return true;
    default:
        break;
    }
    if (i - RULES >= game->option_count)
        return false;
    const ply_option *rule = &game->options[i - RULES];
    *option = (protocol_option){.name = rule->name,
                                .type = rule->names ? PROTOCOL_COMBO : PROTOCOL_SPIN,
                                .value = s->rules.option[i - RULES],
                                .low = rule->low,
                                .high = rule->high,
                                .names = rule->names,
                                .name_count = rule->names ? (size_t)rule->high + 1 : 0};
    return true;
}

const char *ply_protocol_option_choice(const ply_session *s, const protocol_option *option,
                                       size_t k)
{
    return option->names ? option->names[k] : s->rules.game->variants[k].id;
}

/* Sets the current rules with one option changed. */
static ply_status set_rule_option(ply_session *s, size_t number, int64_t value, ply_error *error)
{
    const ply_game *game = s->rules.game;
    ply_text text = ply_text_growing();
    ply_text_string(&text, s->rules.variant->id);
    for (size_t i = 0; i < game->option_count; i++) {
        const ply_option *rule = &game->options[i];
        int32_t v = i == number ? (int32_t)value : s->rules.option[i];
        ply_text_format(&text, "%c%s=", i ? ',' : ':', rule->name);
        if (rule->names)
            ply_text_string(&text, rule->names[v]);
        else
            ply_text_format(&text, "%d", (int)v);
    }
    ply_status status = text.failed ? ply_error_set(error, PLY_NO_MEMORY, "out of memory")
                                    : ply_protocol_set_rules(s, game, ply_text_cstr(&text), error);
    ply_text_free(&text);
    return status;
}

static ply_status apply(ply_session *s, size_t number, int64_t value, ply_error *error)
{
    ply_search_options *search = &s->search;
    switch (number) {
    case MULTIPV:
        s->multipv = (unsigned)value;
        return PLY_OK;
    case PONDER:
        s->ponders = value != 0;
        return PLY_OK;
    case CPU_TIME:
        s->cpu_time = value != 0;
        return PLY_OK;
    case CLEAR_HASH:
        ply_protocol_clear_search(s);
        return PLY_OK;
    case VARIANT:
        return ply_protocol_set_rules(s, s->rules.game, s->rules.game->variants[value].id, error);
    default:
        if (number >= RULES)
            return set_rule_option(s, number - RULES, value, error);
        break;
    }
    if (number == HASH)
        search->memory_mb = (size_t)value;
    else if (number == THREADS)
        search->threads = (unsigned)value;
    else if (number == ENGINE)
        search->kind = (ply_search_kind)value;
    else
        search->seed = (uint64_t)value;
    ply_protocol_drop_searcher(s);
    return PLY_OK;
}

/* The value of Network is a path, none, or <empty> for the network in the library. */
static ply_status set_network(ply_session *s, protocol_token value, ply_error *error)
{
    char path[1024];
    if (value.length >= sizeof path)
        return ply_error_set(error, PLY_BAD_OPTION, "the path of the network is too long");
    memcpy(path, value.text, value.length);
    path[value.length] = '\0';
    bool builtin = value.length == 0 || ply_token_is(value, "<empty>");
    ply_status status = ply_protocol_set_network(s, builtin ? NULL : path, error);
    for (char *c = error->message; *c; c++) /* it quotes the path, which may hold any bytes */
        *c = *c < ' ' || *c > '~' ? '?' : *c;
    return status;
}

/* Parses the text of a value: a number within the option's bounds, or the index of a choice. */
static bool parse_value(const ply_session *s, const protocol_option *option, protocol_token value,
                        int64_t *number)
{
    uint64_t parsed;
    switch (option->type) {
    case PROTOCOL_BUTTON:
        *number = 0;
        return true;
    case PROTOCOL_CHECK:
        *number = ply_token_is_nocase(value, "true") || ply_token_is(value, "1");
        return *number || ply_token_is_nocase(value, "false") || ply_token_is(value, "0");
    case PROTOCOL_COMBO:
        for (size_t k = 0; k < option->name_count; k++)
            if (ply_token_is_nocase(value, ply_protocol_option_choice(s, option, k))) {
                *number = (int64_t)k;
                return true;
            }
        return false;
    case PROTOCOL_STRING: /* handled by set_network */
    case PROTOCOL_SPIN:
        break;
    }
    if (!ply_token_number(value, INT32_MAX, &parsed))
        return false;
    *number = (int64_t)parsed;
    return *number >= option->low && *number <= option->high;
}

ply_status ply_protocol_option_set(ply_session *s, const char *name, size_t name_length,
                                   const char *value, size_t value_length, ply_error *error)
{
    protocol_token wanted = {name, name_length}, text = {value, value_length};
    protocol_option option;
    ply_text quoted = ply_text_fixed(error->message, sizeof error->message);
    error->line = 0;
    for (size_t i = 0; ply_protocol_option_at(s, i, &option); i++) {
        if (!ply_token_is_nocase(wanted, option.name))
            continue;
        int64_t number;
        ply_protocol_stop_search(s, false);
        if (i == NETWORK)
            return set_network(s, text, error);
        if (parse_value(s, &option, text, &number))
            return apply(s, i, number, error);
        /* A variant may carry options: renju:pass=no. */
        char variant[160];
        if (i == VARIANT && value_length < sizeof variant && memchr(value, ':', value_length)) {
            memcpy(variant, value, value_length);
            variant[value_length] = '\0';
            return ply_protocol_set_rules(s, s->rules.game, variant, error);
        }
        ply_text_format(&quoted, "%s cannot be '", option.name);
        ply_protocol_quote(&quoted, value, value_length);
        ply_text_char(&quoted, '\'');
        return error->status = PLY_BAD_OPTION;
    }
    ply_text_string(&quoted, "no option '");
    ply_protocol_quote(&quoted, name, name_length);
    ply_text_char(&quoted, '\'');
    return error->status = PLY_BAD_OPTION;
}
