/* SPDX-License-Identifier: MIT */
/* engine.c - one of ours or a program, behind one face; and what all protocols share. */
#include "match/engine.h"
#include "core/clock.h"
#include "match/engine_protocol.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NANOS_A_MILLI = 1000000 };

static const match_protocol *const dialects[] = {
    &ply_match_protocol_usi,    &ply_match_protocol_gomocup, &ply_match_protocol_hub,
    &ply_match_protocol_xshogi, &ply_match_protocol_ply,
};

struct match_engine {
    match_engine_options options;
    const char *command; /* NULL for one of ours */
    ply_player *player;
    ply_move *moves; /* rules->max_moves, where there is a player */
    match_client client;
};

/* The dialect that a spec such as "usi:COMMAND" names, or NULL. */
static const match_protocol *dialect_of(const char *spec, const char **command)
{
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        size_t length = strlen(dialects[i]->id);
        if (strncmp(spec, dialects[i]->id, length) == 0 && spec[length] == ':') {
            *command = spec + length + 1;
            return dialects[i];
        }
    }
    return NULL;
}

bool ply_match_engine_is_builtin(const char *spec)
{
    const char *command;
    return dialect_of(spec, &command) == NULL;
}

ply_status ply_match_engine_check(const ply_rules *rules, const char *spec, ply_error *error)
{
    const char *command;
    const match_protocol *dialect = dialect_of(spec, &command);
    ply_player_spec ours;
    if (!dialect) {
        ply_status status = ply_player_spec_parse(&ours, spec, error);
        if (status != PLY_OK && error && error->offset == 0)
            ply_error_set(
                error, status,
                "'%.60s' is none of alphabeta, mcts, playouts, greedy, random, usi:COMMAND, "
                "gomocup:COMMAND, hub:COMMAND, xshogi:COMMAND, ply:COMMAND",
                spec);
        return status;
    }
    if (dialect->game && strcmp(dialect->game, rules->game->id) != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "the protocol %s is for %s, not for %s",
                             dialect->id, dialect->game, rules->game->id);
    const char *objection = dialect->objection ? dialect->objection(rules) : NULL;
    if (objection)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s", objection);
    if (command[strspn(command, " \t")] == '\0')
        return ply_error_set(error, PLY_BAD_OPTION, "no command behind '%s:'", dialect->id);
    return PLY_OK;
}

match_engine *ply_match_engine_open(const match_engine_options *options, ply_error *error)
{
    if (ply_match_engine_check(options->rules, options->spec, error) != PLY_OK)
        return NULL;
    match_engine *engine = calloc(1, sizeof *engine);
    if (!engine) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    engine->options = *options;
    engine->client = (match_client){.options = &engine->options, .rules = options->rules};
    engine->client.dialect = dialect_of(options->spec, &engine->command);
    snprintf(engine->client.name, sizeof engine->client.name, "%s", options->spec);
    if (engine->client.dialect)
        return engine; /* the program is started for its first game */
    ply_player_spec spec;
    ply_player_spec_parse(&spec, options->spec, error);
    if (spec.seed == 0)
        spec.seed = options->seed;
    spec.tablebase_dir = options->tables;
    engine->player = ply_player_new(options->rules, &spec);
    engine->moves = malloc(options->rules->max_moves * sizeof *engine->moves);
    if (!engine->player || !engine->moves) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        ply_match_engine_close(engine);
        return NULL;
    }
    return engine;
}

static void end_program(match_client *client)
{
    if (!client->process)
        return;
    if (client->dialect && client->dialect->farewell)
        ply_match_process_send(client->process, client->dialect->farewell);
    ply_match_process_end(client->process);
    client->process = NULL;
}

void ply_match_engine_close(match_engine *engine)
{
    if (!engine)
        return;
    ply_player_free(engine->player);
    free(engine->moves);
    end_program(&engine->client);
    free(engine);
}

const char *ply_match_engine_name(const match_engine *engine)
{
    return engine->client.name;
}

/* After these the program's state of mind is unknown. */
static void end_if_lost(match_client *client, const match_answer *answer)
{
    if (answer->kind == MATCH_TIME || answer->kind == MATCH_CRASH) {
        ply_match_process_end(client->process);
        client->process = NULL;
    }
}

static bool start_program(match_engine *engine, match_answer *failure)
{
    match_client *client = &engine->client;
    ply_error error = {0};
    const match_engine_options *o = &engine->options;
    client->process =
        ply_match_process_start(engine->command, o->spec, o->stop, o->traffic, o->context, &error);
    if (!client->process) {
        failure->kind = MATCH_CRASH;
        snprintf(failure->detail, sizeof failure->detail, "%.150s", error.message);
        return false;
    }
    return client->dialect->greet(client, failure);
}

bool ply_match_engine_new_game(match_engine *engine, uint64_t game, match_answer *failure)
{
    memset(failure, 0, sizeof *failure);
    if (engine->player) {
        ply_player_new_game(engine->player, game);
        return true;
    }
    match_client *client = &engine->client;
    client->told = 0;
    if (client->dialect->fresh)
        end_program(client);
    bool ready = (client->process || start_program(engine, failure)) &&
                 client->dialect->new_game(client, failure);
    if (!ready) {
        /* A program that does not get ready is as good as gone. */
        if (failure->kind == MATCH_TIME) {
            failure->kind = MATCH_CRASH;
            snprintf(failure->detail, sizeof failure->detail, "not ready in time");
        }
        if (client->process)
            ply_match_process_end(client->process);
        client->process = NULL;
    }
    return ready;
}

static void ask_player(match_engine *engine, const ply_state *state, const match_turn *turn,
                       match_answer *answer)
{
    const match_limits *given = turn->limits;
    ply_search_limits limits = {.millis = given->millis,
                                .nodes = given->nodes,
                                .depth = given->depth,
                                .has_clock = given->has_clock,
                                .clock = {turn->left[0], turn->left[1]},
                                .increment = {given->increment, given->increment},
                                .byoyomi = given->byoyomi};
    ply_player_answer chosen;
    ply_status status = ply_player_choose(engine->player, state, &limits, NULL, NULL, &chosen);
    if (status != PLY_OK) {
        answer->kind = MATCH_CRASH;
        snprintf(answer->detail, sizeof answer->detail, "%s", ply_status_text(status));
        return;
    }
    const ply_rules *rules = engine->options.rules;
    answer->kind = MATCH_ILLEGAL;
    size_t count = rules->game->moves(rules, state->position, engine->moves);
    for (size_t i = 0; i < count && answer->kind == MATCH_ILLEGAL; i++)
        if (engine->moves[i] == chosen.pv.moves[0])
            answer->kind = MATCH_MOVE;
    answer->move = chosen.pv.moves[0];
    answer->has_score = chosen.has_score;
    answer->score = chosen.pv.score;
    if (engine->options.stop && atomic_load_explicit(engine->options.stop, memory_order_relaxed))
        answer->kind = MATCH_STOPPED;
}

void ply_match_engine_think(match_engine *engine, const ply_state *state, const match_turn *turn,
                            match_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    if (engine->player) {
        ask_player(engine, state, turn, answer);
        return;
    }
    engine->client.dialect->think(&engine->client, state, turn, answer);
    end_if_lost(&engine->client, answer);
}

void ply_match_engine_interrupt(match_engine *engine)
{
    if (engine->player)
        ply_player_stop(engine->player);
}

void ply_match_engine_game_over(match_engine *engine, int result)
{
    if (engine->client.process && engine->client.dialect->game_over)
        engine->client.dialect->game_over(&engine->client, result);
}

/* --- what the dialects share ---------------------------------------------------------------- */
uint64_t ply_client_patience(const match_client *client)
{
    return ply_clock_nanos() + client->options->patience * NANOS_A_MILLI;
}

static void crash(match_client *client, match_answer *answer)
{
    answer->kind = MATCH_CRASH;
    ply_text text = ply_text_fixed(answer->detail, sizeof answer->detail);
    ply_match_process_fate(client->process, &text);
}

bool ply_client_read(match_client *client, uint64_t deadline, const char **line,
                     match_answer *answer)
{
    switch (ply_match_process_read(client->process, deadline, line)) {
    case MATCH_READ_LINE:
        return true;
    case MATCH_READ_TIMEOUT:
        answer->kind = MATCH_TIME;
        return false;
    case MATCH_READ_STOPPED:
        answer->kind = MATCH_STOPPED;
        return false;
    case MATCH_READ_END:
        break;
    }
    crash(client, answer);
    return false;
}

bool ply_client_send(match_client *client, const char *line, match_answer *answer)
{
    if (ply_match_process_send(client->process, line))
        return true;
    if (client->options->stop && atomic_load_explicit(client->options->stop, memory_order_relaxed))
        answer->kind = MATCH_STOPPED;
    else
        crash(client, answer);
    return false;
}

bool ply_client_sendf(match_client *client, match_answer *answer, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line) {
        answer->kind = MATCH_CRASH;
        snprintf(answer->detail, sizeof answer->detail, "a line too long to send");
        return false;
    }
    return ply_client_send(client, line, answer);
}

bool ply_client_is(const char *line, const char *word)
{
    size_t length = strlen(word);
    line += strspn(line, " \t");
    return strncmp(line, word, length) == 0 &&
           (line[length] == '\0' || line[length] == ' ' || line[length] == '\t');
}

bool ply_client_await(match_client *client, const char *word, match_answer *failure)
{
    uint64_t deadline = ply_client_patience(client);
    const char *line;
    do
        if (!ply_client_read(client, deadline, &line, failure))
            return false;
    while (!ply_client_is(line, word));
    return true;
}

bool ply_client_number_after(const char *line, const char *words, int64_t *number)
{
    size_t length = strlen(words);
    for (const char *at = line; (at = strstr(at, words)) != NULL; at += length) {
        if (at > line && at[-1] != ' ' && at[-1] != '\t')
            continue;
        char *end;
        long long value = strtoll(at + length, &end, 10);
        if (end == at + length)
            continue;
        *number = value;
        return true;
    }
    return false;
}

void ply_client_illegal(match_answer *answer, const char *text, size_t length)
{
    answer->kind = MATCH_ILLEGAL;
    ply_text detail = ply_text_fixed(answer->detail, sizeof answer->detail);
    for (size_t i = 0; i < length && i < sizeof answer->detail - 1; i++)
        ply_text_char(&detail, text[i] >= ' ' && text[i] < 127 ? text[i] : '?');
}

void ply_client_take_move(match_client *client, const ply_state *state, const char *text,
                          size_t length, match_answer *answer)
{
    const ply_rules *rules = client->rules;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    if (length > 0 &&
        rules->game->parse_move(rules, state->position, &cursor, &answer->move) == PLY_OK &&
        ply_cursor_done(&cursor))
        answer->kind = MATCH_MOVE;
    else
        ply_client_illegal(answer, text, length);
}

bool ply_client_each_setting(match_client *client, match_answer *failure,
                             bool (*visit)(match_client *client, const char *name,
                                           const char *value, match_answer *failure))
{
    const char *settings = client->options->settings;
    if (!settings)
        return true;
    char *copy = strdup(settings), *rest = copy, *one;
    bool good = copy != NULL;
    if (!copy)
        failure->kind = MATCH_CRASH;
    while (good && (one = strsep(&rest, ",")) != NULL) {
        char *value = strchr(one, '=');
        if (value)
            *value++ = '\0';
        if (*one)
            good = visit(client, one, value ? value : "", failure);
    }
    free(copy);
    return good;
}

int32_t ply_client_rule(const ply_rules *rules, const char *option, int32_t default_value)
{
    for (size_t i = 0; i < rules->game->option_count; i++)
        if (strcmp(rules->game->options[i].name, option) == 0)
            return rules->option[i];
    return default_value;
}

bool ply_client_moves_text(const ply_state *state, ply_text *out)
{
    const ply_game *game = state->rules->game;
    ply_state copy;
    if (ply_state_copy(&copy, state) != PLY_OK)
        return false;
    while (ply_state_undo(&copy))
        continue;
    bool good = true;
    for (size_t i = 0; i < state->plies && good; i++) {
        ply_text_char(out, ' ');
        game->format_move(state->rules, copy.position, state->moves[i], out);
        good = ply_state_play(&copy, state->moves[i]) == PLY_OK;
    }
    ply_state_free(&copy);
    return good && !out->failed;
}
