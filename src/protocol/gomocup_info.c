/* SPDX-License-Identifier: MIT */
/* gomocup_info.c - the settings of INFO; see gomocup.h. */
#include "protocol/gomocup.h"
#include "wire/gomocup_rules.h"
#include <inttypes.h>
#include <string.h>

enum { DEPTH_LIMIT = 1000 };

static void set_memory(ply_session *s, uint64_t megabytes)
{
    size_t limit = s->options.memory_limit_mb;
    size_t wanted = megabytes < 1 ? 1 : megabytes > limit ? limit : (size_t)megabytes;
    if (wanted == s->search.memory_mb)
        return;
    ply_protocol_stop_search(s, false);
    s->search.memory_mb = wanted;
    ply_protocol_drop_searcher(s);
}

/* Changes the rule and keeps the stones. */
static void set_rule(ply_session *s, uint64_t rule_number)
{
    gomocup *data = s->data;
    ply_error error = {0};
    if (rule_number >= GOMOCUP_RULE_LIMIT || rule_number == data->rule)
        return;
    unsigned rule = (unsigned)rule_number;
    ply_protocol_stop_search(s, false);
    data->rule = rule;
    if (!data->started)
        return;
    gomocup_point stones[GOMOCUP_CELLS];
    size_t count = data->stone_count;
    int side = ply_gomocup_side_of(s);
    memcpy(stones, data->stones, count * sizeof *stones);
    if (!ply_gomocup_make_board(s, data->width, data->height, &error) ||
        !ply_gomocup_set_stones(s, stones, count, side, &error))
        ply_protocol_send(s, "ERROR %s", error.message);
}

static void evaluate(ply_session *s, ply_cursor *cursor)
{
    gomocup *data = s->data;
    gomocup_point point;
    if (!data->started || !ply_gomocup_parse_point(data, cursor, &point))
        return;
    ply_protocol_stop_search(s, false);
    ply_move move = ply_gomocup_move_at(&s->state, point.x, point.y, NULL);
    if (move == PLY_MOVE_NONE || ply_state_play(&s->state, move) != PLY_OK) {
        ply_protocol_send(s, "DEBUG %d,%d is not a legal move", point.x, point.y);
        return;
    }
    int32_t score = -ply_game_evaluate(&s->rules, s->state.position);
    ply_state_undo(&s->state);
    ply_protocol_send(s, "DEBUG %d,%d is worth %d", point.x, point.y, (int)score);
}

static void set_timeout_turn(ply_session *s, uint64_t millis)
{
    ((gomocup *)s->data)->timeout_turn = millis;
}

static void set_timeout_match(ply_session *s, uint64_t millis)
{
    ((gomocup *)s->data)->timeout_match = millis;
}

static void set_time_left(ply_session *s, uint64_t millis)
{
    ((gomocup *)s->data)->time_left = millis < GOMOCUP_UNLIMITED ? millis : GOMOCUP_UNLIMITED;
}

/* At most half of what the process may use goes to the transposition table. */
static void set_max_memory(ply_session *s, uint64_t bytes)
{
    enum { HALF_MIB_BITS = 21 };
    if (bytes > 0 && (bytes >> HALF_MIB_BITS) < s->search.memory_mb)
        set_memory(s, bytes >> HALF_MIB_BITS);
}

static void set_hash_size(ply_session *s, uint64_t kib)
{
    set_memory(s, kib >> GOMOCUP_KIB_PER_MIB_BITS);
}

static void set_max_depth(ply_session *s, uint64_t depth)
{
    ((gomocup *)s->data)->max_depth = depth < DEPTH_LIMIT ? depth : 0;
}

static void set_max_nodes(ply_session *s, uint64_t nodes)
{
    ((gomocup *)s->data)->max_nodes = nodes;
}

static void set_threads(ply_session *s, uint64_t threads)
{
    char text[24];
    ply_text number = ply_text_fixed(text, sizeof text);
    ply_error error = {0};
    ply_text_format(&number, "%" PRIu64, threads);
    ply_protocol_option_set(s, "Threads", strlen("Threads"), text, number.length, &error);
}

static void set_show_detail(ply_session *s, uint64_t value)
{
    ((gomocup *)s->data)->show_detail = value > 0;
}

static void set_pondering(ply_session *s, uint64_t value)
{
    s->ponders = value > 0;
}

static void set_cpu_time(ply_session *s, uint64_t value)
{
    s->cpu_time = value > 0;
}

/* INFO KEY VALUE. cpu_time is our own key: limits of time are CPU time. Other keys of the protocol and of Yixin-Board have no effect here. */
void ply_gomocup_info(ply_session *s, ply_cursor *cursor)
{
    static const struct {
        const char *key;
        void (*set)(ply_session *s, uint64_t value);
    } settings[] = {
        {"timeout_turn", set_timeout_turn}, {"timeout_match", set_timeout_match},
        {"time_left", set_time_left},       {"max_memory", set_max_memory},
        {"hash_size", set_hash_size},       {"rule", set_rule},
        {"max_depth", set_max_depth},       {"max_node", set_max_nodes},
        {"thread_num", set_threads},        {"show_detail", set_show_detail},
        {"pondering", set_pondering},       {"cpu_time", set_cpu_time},
    };
    protocol_token key, text;
    uint64_t value = 0;
    if (!ply_token_next(cursor, &key))
        return;
    if (ply_token_is_nocase(key, "evaluate")) {
        evaluate(s, cursor);
        return;
    }
    if (!ply_token_next(cursor, &text) || !ply_token_number(text, INT64_MAX, &value))
        return;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (ply_token_is_nocase(key, settings[i].key))
            settings[i].set(s, value);
}
