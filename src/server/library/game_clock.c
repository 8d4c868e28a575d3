/* SPDX-License-Identifier: MIT */
/* game_clock.c - see game_clock.h. */
#include "server/library/game_clock.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

static int64_t member(json_t *object, const char *name, int64_t otherwise)
{
    json_t *value = json_object_get(object, name);
    return value ? json_integer_value(value) : otherwise;
}

clock_time game_clock_full(const clock_settings *settings)
{
    bool increment_only = settings->base == 0 && settings->byoyomi == 0;
    return (clock_time){.left = increment_only ? settings->increment : settings->base,
                        .periods = settings->byoyomi > 0 ? settings->periods : 0};
}

game_clock game_clock_read(const char *settings, const char *state)
{
    game_clock clock = {.running = -1};
    json_t *json = json_loads(settings, JSON_DECODE_ANY, NULL);
    clock.used = json_is_object(json);
    if (clock.used)
        clock.settings = (clock_settings){.base = member(json, "base", 0),
                                          .increment = member(json, "increment", 0),
                                          .byoyomi = member(json, "byoyomi", 0),
                                          .periods = member(json, "periods", 1)};
    json_decref(json);
    clock_time time[2] = {{0}, {0}};
    int running = -1;
    int64_t since = 0;
    clock.player[0] = clock.player[1] = game_clock_full(&clock.settings);
    if (clock.used && state &&
        sscanf(state, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %" SCNd64, &time[0].left,
               &time[0].periods, &time[1].left, &time[1].periods, &running, &since) == 6 &&
        running >= -1 && running <= 1) {
        clock.player[0] = time[0];
        clock.player[1] = time[1];
        clock.running = running;
        clock.since = since;
    }
    return clock;
}

void game_clock_write(const game_clock *clock, ply_text *out)
{
    const clock_time *player = clock->player;
    if (clock->used)
        ply_text_format(out, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d %" PRId64,
                        player[0].left, player[0].periods, player[1].left, player[1].periods,
                        clock->running, clock->since);
}

bool game_clock_charge(const clock_settings *settings, clock_time *time, int64_t millis)
{
    if (millis < time->left || (millis == 0 && time->periods > 0)) {
        time->left -= millis;
        return true;
    }
    int64_t over = millis - time->left;
    int64_t lost = settings->byoyomi > 0 ? over / settings->byoyomi : time->periods;
    time->left = 0;
    if (lost >= time->periods) {
        time->periods = 0;
        return false;
    }
    time->periods -= lost;
    return true;
}

int64_t game_clock_elapsed(const game_clock *clock, int64_t now)
{
    /* The time of day may be set back. */
    return clock->running >= 0 && now > clock->since ? now - clock->since : 0;
}

bool game_clock_expired(const game_clock *clock, int64_t now)
{
    if (clock->running < 0)
        return false;
    clock_time time = clock->player[clock->running];
    return !game_clock_charge(&clock->settings, &time, game_clock_elapsed(clock, now));
}

void game_clock_stop(game_clock *clock, int64_t now)
{
    if (clock->running >= 0)
        game_clock_charge(&clock->settings, &clock->player[clock->running],
                          game_clock_elapsed(clock, now));
    clock->running = -1;
}

void game_clock_press(game_clock *clock, int mover, int next, int64_t now)
{
    if (!clock->used || mover == next)
        return;
    bool ran = clock->running == mover;
    game_clock_stop(clock, now);
    if (ran)
        clock->player[mover].left += clock->settings.increment;
    clock->running = next;
    clock->since = now;
}

void game_clock_take_back(game_clock *clock, int next, int64_t now)
{
    if (clock->running < 0)
        return;
    game_clock_stop(clock, now);
    clock->running = next;
    clock->since = now;
}
