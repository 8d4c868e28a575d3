/* SPDX-License-Identifier: MIT */
/*
 * rules.c - parsing and formatting rules.
 *
 *     renju                          a variant
 *     freestyle:width=19,height=19   a variant with some options changed
 *     :width=7,height=7,row=4        the default variant with some options changed
 */
#include <plyverse/game.h>
#include <stdio.h>
#include <string.h>

static const ply_option *option_find(const ply_game *game, const char *name, size_t length)
{
    for (size_t i = 0; i < game->option_count; i++)
        if (strlen(game->options[i].name) == length &&
            memcmp(game->options[i].name, name, length) == 0)
            return &game->options[i];
    return NULL;
}

int32_t ply_variant_option(const ply_game *game, const ply_variant *variant, size_t i)
{
    if (!game || !variant || i >= game->option_count)
        return 0;
    const ply_option *option = &game->options[i];
    for (const ply_setting *s = variant->settings; s && s->name; s++)
        if (strcmp(s->name, option->name) == 0)
            return s->value;
    return option->default_value;
}

/* Reads up to a character of `stops` or the end; *word points into the text, length returned. */
static size_t read_until(ply_cursor *cursor, const char *stops, const char **word)
{
    size_t before = cursor->at;
    *word = cursor->text + before;
    while (!ply_cursor_done(cursor) && !strchr(stops, ply_cursor_peek(cursor)))
        ply_cursor_take(cursor);
    return cursor->at - before;
}

static ply_status read_value(ply_cursor *cursor, const ply_option *option, int32_t *value)
{
    const char *word;
    ply_cursor at_value = *cursor;
    size_t length = read_until(cursor, ",", &word);
    if (option->names) {
        for (int32_t i = option->low; i <= option->high; i++)
            if (strlen(option->names[i]) == length && memcmp(option->names[i], word, length) == 0) {
                *value = i;
                return PLY_OK;
            }
        char known[128];
        ply_text list = ply_text_fixed(known, sizeof known);
        for (int32_t i = option->low; i <= option->high; i++)
            ply_text_format(&list, "%s%s", i > option->low ? ", " : "", option->names[i]);
        return ply_cursor_fail(&at_value, PLY_BAD_OPTION, "option %s must be one of %s, not '%.*s'",
                               option->name, known, (int)length, word);
    }
    ply_cursor number = at_value;
    bool negative = ply_cursor_accept(&number, '-');
    uint64_t magnitude;
    if (ply_cursor_number(&number, INT32_MAX, &magnitude) && number.at == cursor->at) {
        int64_t number_read = negative ? -(int64_t)magnitude : (int64_t)magnitude;
        if (number_read >= option->low && number_read <= option->high) {
            *value = (int32_t)number_read;
            return PLY_OK;
        }
    }
    return ply_cursor_fail(&at_value, PLY_BAD_OPTION,
                           "option %s must be a whole number from %d to %d, not '%.*s'",
                           option->name, option->low, option->high, (int)length, word);
}

static ply_status read_options(ply_cursor *cursor, ply_rules *rules)
{
    const ply_game *game = rules->game;
    do {
        const char *word;
        ply_cursor at_name = *cursor;
        size_t length = read_until(cursor, "=,", &word);
        const ply_option *option = option_find(game, word, length);
        if (!option)
            return ply_cursor_fail(&at_name, PLY_BAD_OPTION, "%s has no option '%.*s'", game->id,
                                   (int)length, word);
        if (!ply_cursor_accept(cursor, '='))
            return ply_cursor_fail(cursor, PLY_BAD_OPTION, "option %s needs a value: %s=...",
                                   option->name, option->name);
        ply_status status = read_value(cursor, option, &rules->option[option - game->options]);
        if (status != PLY_OK)
            return status;
    } while (ply_cursor_accept(cursor, ','));
    return PLY_OK;
}

/* Points each group of hooks at the game's own or, where it has none, at a struct of zeros. */
static void set_hooks(ply_rules *rules)
{
    static const ply_counting_hooks no_counting;
    static const ply_search_hooks no_search;
    static const ply_network_hooks no_network;
    static const ply_tuning_hooks no_tuning;
    static const ply_indexing_hooks no_indexing;
    static const ply_opening_hooks no_openings;
    static const ply_learning_hooks no_learning;
    static const ply_display_hooks no_display;
    static const ply_game no_game;
    const ply_game *game = rules->game ? rules->game : &no_game;
    rules->counting = game->counting ? game->counting : &no_counting;
    rules->search = game->search ? game->search : &no_search;
    rules->network = game->network ? game->network : &no_network;
    rules->tuning = game->tuning ? game->tuning : &no_tuning;
    rules->indexing = game->indexing ? game->indexing : &no_indexing;
    rules->openings = game->openings ? game->openings : &no_openings;
    rules->learning = game->learning ? game->learning : &no_learning;
    rules->display = game->display ? game->display : &no_display;
}

/* Parses the text and lets the game check the options. */
static ply_status fill_in(ply_rules *rules, const char *text, ply_error *error)
{
    const ply_game *game = rules->game;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    const char *word;
    ply_cursor at_name = cursor;
    size_t length = read_until(&cursor, ":", &word);
    if (length > 0) {
        rules->variant = NULL;
        for (size_t i = 0; i < game->variant_count; i++)
            if (strlen(game->variants[i].id) == length &&
                memcmp(game->variants[i].id, word, length) == 0)
                rules->variant = &game->variants[i];
        if (!rules->variant)
            return ply_cursor_fail(&at_name, PLY_UNKNOWN_VARIANT, "%s has no variant '%.*s'",
                                   game->id, (int)length, word);
    }
    for (size_t i = 0; i < game->option_count; i++)
        rules->option[i] = ply_variant_option(game, rules->variant, i);
    if (ply_cursor_accept(&cursor, ':')) {
        ply_status status = read_options(&cursor, rules);
        if (status != PLY_OK)
            return status;
    }
    return game->setup(rules, error);
}

ply_status ply_rules_make(ply_rules *rules, const ply_game *game, const char *variant,
                          ply_error *error)
{
    if (!rules)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the rules");
    *rules = (ply_rules){.game = game, .symmetries = 1};
    set_hooks(rules);
    if (!game)
        return ply_error_set(error, PLY_UNKNOWN_GAME, "unknown game");
    rules->variant = &game->variants[0];
    ply_status status = fill_in(rules, variant ? variant : "", error);
    if (status != PLY_OK)
        rules->game = NULL;
    return status;
}

void ply_rules_format(const ply_rules *rules, ply_text *out)
{
    if (!rules || !rules->game || !out)
        return;
    const ply_game *game = rules->game;
    ply_text_string(out, rules->variant->id);
    char separator = ':';
    for (size_t i = 0; i < game->option_count; i++) {
        const ply_option *option = &game->options[i];
        int32_t value = rules->option[i];
        if (value == ply_variant_option(game, rules->variant, i))
            continue;
        ply_text_format(out, "%c%s=", separator, option->name);
        if (option->names)
            ply_text_string(out, option->names[value]);
        else
            ply_text_format(out, "%d", value);
        separator = ',';
    }
}
