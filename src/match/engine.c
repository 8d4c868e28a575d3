/* SPDX-License-Identifier: MIT */
/* engine.c - built-in players and programs behind one interface, and what all clients share. */
#include "match/engine.h"
#include "core/clock.h"
#include "match/engine_protocol.h"
#include <assert.h>
#include <plyverse/book.h>
#include <plyverse/network.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NANOS_PER_MILLI = 1000000,
    ENOUGH_MILLIS = 50,      /* how often an analysis checks whether it is to end */
    STOP_MILLIS = 10000,     /* how long a program may take to end an analysis */
    FIRST_MOVE_MILLIS = 500, /* of an analysis by moves */
    LAST_MOVE_MILLIS = 16000,
};

static const match_protocol *const protocols[] = {
    &ply_match_protocol_usi,    &ply_match_protocol_gomocup, &ply_match_protocol_hub,
    &ply_match_protocol_xshogi, &ply_match_protocol_ply,
};

struct match_engine {
    match_engine_options options;
    const char *command; /* NULL for a built-in player */
    ply_player *player;  /* NULL for a program */
    ply_move *moves;     /* rules->max_moves; NULL for a program */
    match_client client;
};

/* The protocol named by a spec such as "usi:COMMAND", or NULL. */
static const match_protocol *find_protocol(const char *spec, const char **command)
{
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        size_t length = strlen(protocols[i]->id);
        if (strncmp(spec, protocols[i]->id, length) == 0 && spec[length] == ':') {
            *command = spec + length + 1;
            return protocols[i];
        }
    }
    return NULL;
}

bool ply_match_protocol_at(size_t number, const char **id, const char **game)
{
    if (number >= sizeof protocols / sizeof protocols[0])
        return false;
    *id = protocols[number]->id;
    *game = protocols[number]->game;
    return true;
}

bool ply_match_engine_is_builtin(const char *spec)
{
    const char *command;
    return find_protocol(spec, &command) == NULL;
}

ply_status ply_match_engine_check(const ply_rules *rules, const char *spec, ply_error *error)
{
    const char *command;
    const match_protocol *protocol = find_protocol(spec, &command);
    ply_player_spec player_spec;
    if (!protocol) {
        ply_status status = ply_player_spec_parse(&player_spec, spec, error);
        if (status != PLY_OK && error && error->offset == 0)
            ply_error_set(
                error, status,
                "'%.60s' is none of alphabeta, mcts, playouts, greedy, random, usi:COMMAND, "
                "gomocup:COMMAND, hub:COMMAND, xshogi:COMMAND, ply:COMMAND",
                spec);
        ply_network *network = NULL;
        if (status == PLY_OK && player_spec.network[0])
            status = ply_network_load(rules, player_spec.network, &network, error);
        ply_network_free(network);
        ply_book *book = NULL;
        if (status == PLY_OK && player_spec.book[0])
            status = ply_book_open(rules, player_spec.book, &book, error);
        ply_book_close(book);
        return status;
    }
    if (protocol->game && strcmp(protocol->game, rules->game->id) != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "protocol %s is for %s, not for %s",
                             protocol->id, protocol->game, rules->game->id);
    const char *reason = protocol->unsupported ? protocol->unsupported(rules) : NULL;
    if (reason)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s", reason);
    if (command[strspn(command, " \t")] == '\0')
        return ply_error_set(error, PLY_BAD_OPTION, "no command after '%s:'", protocol->id);
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
    engine->client.protocol = find_protocol(options->spec, &engine->command);
    snprintf(engine->client.name, sizeof engine->client.name, "%s", options->spec);
    if (engine->client.protocol)
        return engine; /* the program is started before its first game */
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

static void kill_program(match_client *client)
{
    ply_match_process_end(client->process);
    client->process = NULL;
}

static void quit_program(match_client *client)
{
    if (!client->process)
        return;
    assert(client->protocol); /* a program has one */
    if (client->protocol->quit_command)
        ply_match_process_send(client->process, client->protocol->quit_command);
    kill_program(client);
}

void ply_match_engine_close(match_engine *engine)
{
    if (!engine)
        return;
    ply_player_free(engine->player);
    free(engine->moves);
    quit_program(&engine->client);
    free(engine);
}

const char *ply_match_engine_name(const match_engine *engine)
{
    return engine->client.name;
}

static bool start_program(match_engine *engine, match_answer *failure)
{
    match_client *client = &engine->client;
    ply_error error = {0};
    const match_engine_options *o = &engine->options;
    client->process =
        ply_match_process_start(engine->command, o->spec, o->stop, o->traffic, o->context, &error);
    if (!client->process)
        return ply_client_fail(failure, "%s", error.message);
    return !client->protocol->handshake || client->protocol->handshake(client, failure);
}

bool ply_match_engine_new_game(match_engine *engine, uint64_t game, match_answer *failure)
{
    memset(failure, 0, sizeof *failure);
    if (engine->player) {
        ply_player_new_game(engine->player, game);
        return true;
    }
    match_client *client = &engine->client;
    client->plies_sent = 0;
    if (client->protocol->restarts)
        quit_program(client);
    bool ready = (client->process || start_program(engine, failure)) &&
                 (!client->protocol->new_game || client->protocol->new_game(client, failure));
    if (!ready) {
        if (failure->kind == MATCH_TIMEOUT)
            ply_client_fail(failure, "not ready in time");
        kill_program(client);
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
                                .clock = {turn->clocks[0], turn->clocks[1]},
                                .increment = {given->increment, given->increment},
                                .byoyomi = given->byoyomi,
                                .cpu_time = engine->options.cpu_time};
    ply_player_answer chosen;
    ply_status status = ply_player_choose(engine->player, state, &limits, NULL, NULL, &chosen);
    if (status != PLY_OK) {
        ply_client_fail(answer, "%s", ply_status_text(status));
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
    engine->client.told_to_stop = false;
    engine->client.protocol->think(&engine->client, state, turn, answer);
    /* After these the program is in an unknown state. */
    if (answer->kind == MATCH_TIMEOUT || answer->kind == MATCH_CRASH)
        kill_program(&engine->client);
}

/* An analysis for a protocol that has none: moves in growing time. */
static void analyse_by_moves(match_engine *engine, const ply_state *state, const match_turn *turn,
                             match_answer *answer)
{
    const match_analysis *analysis = turn->analysis;
    match_limits limits = {.millis = FIRST_MOVE_MILLIS};
    do {
        uint64_t patience = limits.millis + engine->options.timeout;
        match_turn one = {.limits = &limits,
                          .deadline = ply_clock_nanos() + patience * NANOS_PER_MILLI,
                          .start_text = turn->start_text,
                          .usual_start = turn->usual_start};
        if (limits.millis > FIRST_MOVE_MILLIS && !ply_match_engine_new_game(engine, 0, answer))
            return;
        ply_match_engine_think(engine, state, &one, answer);
        if (answer->kind != MATCH_MOVE)
            return;
        match_info info = {.line = 1,
                           .has_score = answer->has_score,
                           .score = answer->score,
                           .moves = &answer->move,
                           .count = 1};
        analysis->listener(analysis->context, &info);
        limits.millis *= 2;
    } while (limits.millis <= LAST_MOVE_MILLIS && ply_clock_nanos() < turn->deadline &&
             !atomic_load_explicit(analysis->enough, memory_order_relaxed));
}

bool ply_match_engine_can_analyse(const match_engine *engine)
{
    return engine->client.protocol && engine->client.protocol->analyses;
}

void ply_match_engine_analyse(match_engine *engine, const ply_state *state, const match_turn *turn,
                              match_answer *answer)
{
    if (ply_match_engine_can_analyse(engine))
        ply_match_engine_think(engine, state, turn, answer);
    else
        analyse_by_moves(engine, state, turn, answer);
}

bool ply_match_engine_continues(const match_engine *engine, const ply_state *state)
{
    const match_client *client = &engine->client;
    return engine->player ||
           (client->process && (client->plies_sent == 0 || state->plies == client->plies_sent + 1));
}

uint64_t ply_match_engine_nanos(const match_engine *engine)
{
    if (!engine->options.cpu_time)
        return ply_clock_nanos();
    if (engine->player)
        return ply_clock_read(ply_clock_of_thread());
    return engine->client.process ? ply_match_process_cpu_nanos(engine->client.process) : 0;
}

void ply_match_engine_interrupt(match_engine *engine)
{
    if (engine->player)
        ply_player_stop(engine->player);
}

void ply_match_engine_game_over(match_engine *engine, int result)
{
    if (engine->client.process && engine->client.protocol->game_over)
        engine->client.protocol->game_over(&engine->client, result);
}

/* --- what the clients share ------------------------------------------------------------------ */
bool ply_client_fail(match_answer *answer, const char *format, ...)
{
    va_list arguments;
    answer->kind = MATCH_CRASH;
    va_start(arguments, format);
    vsnprintf(answer->detail, sizeof answer->detail, format, arguments);
    va_end(arguments);
    return false;
}

uint64_t ply_client_ready_deadline(const match_client *client)
{
    return ply_clock_nanos() + client->options->timeout * NANOS_PER_MILLI;
}

/* Makes *answer a crash whose detail says how the program ended. */
static bool fail_by_exit(match_client *client, match_answer *answer)
{
    answer->kind = MATCH_CRASH;
    ply_text text = ply_text_fixed(answer->detail, sizeof answer->detail);
    ply_match_process_exit_text(client->process, &text);
    return false;
}

bool ply_client_read(match_client *client, uint64_t deadline, const char **line,
                     match_answer *answer)
{
    switch (ply_match_process_read(client->process, deadline, line)) {
    case MATCH_READ_LINE:
        return true;
    case MATCH_READ_TIMEOUT:
        answer->kind = MATCH_TIMEOUT;
        return false;
    case MATCH_READ_STOPPED:
        answer->kind = MATCH_STOPPED;
        return false;
    case MATCH_READ_END:
        break;
    }
    return fail_by_exit(client, answer);
}

bool ply_client_read_thinking(match_client *client, const match_turn *turn, const char **line,
                              match_answer *answer)
{
    const match_analysis *analysis = turn->analysis;
    if (!analysis)
        return ply_client_read(client, turn->deadline, line, answer);
    for (;;) {
        uint64_t now = ply_clock_nanos();
        if (!client->told_to_stop &&
            (now >= turn->deadline ||
             atomic_load_explicit(analysis->enough, memory_order_relaxed))) {
            client->told_to_stop = true;
            client->stop_deadline = now + (uint64_t)STOP_MILLIS * NANOS_PER_MILLI;
            if (!ply_client_send(client, "stop", answer))
                return false;
        }
        uint64_t until = client->told_to_stop ? client->stop_deadline
                                              : now + (uint64_t)ENOUGH_MILLIS * NANOS_PER_MILLI;
        if (ply_client_read(client, until, line, answer))
            return true;
        if (answer->kind != MATCH_TIMEOUT || client->told_to_stop)
            return false;
    }
}

void ply_client_report(match_client *client, const ply_state *state, const match_turn *turn,
                       match_info *info, const char *moves, ply_client_find_move *find)
{
    ply_move variation[PLY_PV_LIMIT];
    ply_state copy;
    if (ply_state_copy(&copy, state) != PLY_OK)
        return;
    info->moves = variation;
    info->count = 0;
    while (info->count < PLY_PV_LIMIT && ply_state_outcome(&copy).result == PLY_ONGOING) {
        match_answer found = {0};
        moves += strspn(moves, " \t");
        size_t length = strcspn(moves, " \t\"");
        if (length == 0)
            break;
        find(client, &copy, moves, length, &found);
        if (found.kind != MATCH_MOVE || ply_state_play(&copy, found.move) != PLY_OK)
            break;
        variation[info->count++] = found.move;
        moves += length;
    }
    ply_state_free(&copy);
    if (info->count > 0)
        turn->analysis->listener(turn->analysis->context, info);
}

bool ply_client_send(match_client *client, const char *line, match_answer *answer)
{
    if (ply_match_process_send(client->process, line))
        return true;
    if (client->options->stop &&
        atomic_load_explicit(client->options->stop, memory_order_relaxed)) {
        answer->kind = MATCH_STOPPED;
        return false;
    }
    return fail_by_exit(client, answer);
}

bool ply_client_sendf(match_client *client, match_answer *answer, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line)
        return ply_client_fail(answer, "a line is too long to send");
    return ply_client_send(client, line, answer);
}

bool ply_client_line_is(const char *line, const char *word)
{
    size_t length = strlen(word);
    line += strspn(line, " \t");
    return strncmp(line, word, length) == 0 &&
           (line[length] == '\0' || line[length] == ' ' || line[length] == '\t');
}

bool ply_client_read_until(match_client *client, const char *word, match_answer *failure)
{
    uint64_t deadline = ply_client_ready_deadline(client);
    const char *line;
    do
        if (!ply_client_read(client, deadline, &line, failure))
            return false;
    while (!ply_client_line_is(line, word));
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

void ply_client_set_illegal(match_answer *answer, const char *text, size_t length)
{
    answer->kind = MATCH_ILLEGAL;
    ply_text detail = ply_text_fixed(answer->detail, sizeof answer->detail);
    for (size_t i = 0; i < length && i < sizeof answer->detail - 1; i++)
        ply_text_char(&detail, text[i] >= ' ' && text[i] < 127 ? text[i] : '?');
}

void ply_client_parse_move(match_client *client, const ply_state *state, const char *text,
                           size_t length, match_answer *answer)
{
    const ply_rules *rules = client->rules;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    if (length > 0 &&
        rules->game->parse_move(rules, state->position, &cursor, &answer->move) == PLY_OK &&
        ply_cursor_done(&cursor))
        answer->kind = MATCH_MOVE;
    else
        ply_client_set_illegal(answer, text, length);
}

bool ply_client_each_setting(match_client *client, match_answer *failure,
                             bool (*visit)(match_client *client, const char *name,
                                           const char *value, match_answer *failure))
{
    const char *settings = client->options->settings;
    if (!settings)
        return true;
    char *copy = strdup(settings), *rest = copy, *name;
    bool good = copy || ply_client_fail(failure, "out of memory");
    while (good && (name = strsep(&rest, ",")) != NULL) {
        char *value = strchr(name, '=');
        if (value)
            *value++ = '\0';
        if (*name)
            good = visit(client, name, value ? value : "", failure);
    }
    free(copy);
    return good;
}

int32_t ply_client_rule_option(const ply_rules *rules, const char *option, int32_t default_value)
{
    for (size_t i = 0; i < rules->game->option_count; i++)
        if (strcmp(rules->game->options[i].name, option) == 0)
            return rules->option[i];
    return default_value;
}
