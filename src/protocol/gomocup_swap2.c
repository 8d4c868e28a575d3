/* SPDX-License-Identifier: MIT */
/*
 * gomocup_swap2.c - the Gomocup commands for balanced games: swap2 and moves that balance a
 * position.
 *
 * Swap2: the first player places three stones. The second takes Black (SWAP), continues as White,
 * or places two more stones and leaves the choice to the first. We search the position and take the
 * better side; if neither is much better, we place the two stones that give the most balanced
 * position.
 */
#include "protocol/gomocup.h"
#include <stdlib.h>
#include <string.h>

enum {
    BALANCED = 60, /* a smaller advantage, in hundredths, is not worth a side */
    CANDIDATES = 8,
    SHAPES = 6,
};

/* Three stones, as offsets from the centre: Black, White, Black. Our own selection; the search
 * decides which one to place. */
static const int8_t shapes[SHAPES][3][2] = {
    {{0, 0}, {-5, -4}, {3, 5}},  {{-6, 0}, {-4, 1}, {5, -5}}, {{-5, -5}, {-5, -3}, {4, 5}},
    {{0, -6}, {2, -5}, {-2, 5}}, {{-6, 5}, {-5, 3}, {0, 0}},  {{6, -6}, {4, -4}, {-5, 2}},
};

/* Searches with 1/share of the time and nodes; false when it was stopped or found nothing. */
static bool search_share(ply_session *s, const ply_state *state, unsigned multipv, uint64_t share,
                         ply_search_report *report)
{
    ply_search_limits limits = s->job.limits;
    ply_status status;
    limits.multipv = multipv;
    limits.only = NULL;
    limits.only_count = 0;
    limits.millis = limits.millis / share ? limits.millis / share : 1;
    if (limits.nodes)
        limits.nodes = limits.nodes / share ? limits.nodes / share : 1;
    return ply_protocol_run_search(s, state, &limits, NULL, report, &status) &&
           report->pv_count > 0;
}

/* The move whose score is nearest to the target. */
static void balance_by_one(ply_session *s, int target)
{
    gomocup *own = s->data;
    ply_search_report report;
    search_share(s, &s->job.state, PROTOCOL_MULTIPV_LIMIT, 1, &report);
    int32_t nearest = INT32_MAX;
    for (size_t i = 0; i < report.pv_count; i++) {
        int32_t distance = abs(report.pv[i].score - target);
        if (distance < nearest) {
            nearest = distance;
            own->found[0] = ply_gomocup_point_of(&s->job.state, report.pv[i].moves[0]);
            own->found_count = 1;
        }
    }
}

/* Searches good first moves, and for each good second moves; takes the pair whose score is nearest
 * to the target. */
static void balance_by_two(ply_session *s, int target)
{
    gomocup *own = s->data;
    ply_search_report report;
    ply_state *state = &s->job.state;
    ply_move firsts[CANDIDATES];
    search_share(s, state, CANDIDATES, 4, &report);
    size_t count = report.pv_count < CANDIDATES ? report.pv_count : CANDIDATES;
    for (size_t i = 0; i < count; i++)
        firsts[i] = report.pv[i].moves[0];
    int32_t nearest = INT32_MAX;
    for (size_t i = 0; i < count; i++) {
        gomocup_point first = ply_gomocup_point_of(state, firsts[i]);
        if (ply_state_play(state, firsts[i]) != PLY_OK)
            return;
        bool completed = search_share(s, state, CANDIDATES, 2 * CANDIDATES, &report);
        for (size_t k = 0; k < report.pv_count; k++) {
            int32_t distance = abs(report.pv[k].score - target);
            if (distance < nearest) {
                nearest = distance;
                own->found[0] = first;
                own->found[1] = ply_gomocup_point_of(state, report.pv[k].moves[0]);
                own->found_count = 2;
            }
        }
        ply_state_undo(state);
        if (!completed)
            break;
    }
}

/* Plays a shape on an empty board; false, with nothing played, when it does not fit. */
static bool play_shape(ply_state *state, const int8_t shape[3][2], gomocup_point *points)
{
    int width = state->rules->plane_width, height = state->rules->plane_height;
    size_t played = 0;
    for (; played < 3; played++) {
        int x = width / 2 + shape[played][0], y = height / 2 + shape[played][1];
        ply_move move = ply_gomocup_move_at(state, x, y, NULL);
        if (move == PLY_MOVE_NONE || ply_state_play(state, move) != PLY_OK)
            break;
        points[played] = (gomocup_point){.x = (uint8_t)x, .y = (uint8_t)y};
    }
    if (played == 3)
        return true;
    while (played-- > 0)
        ply_state_undo(state);
    return false;
}

/* The first three stones: the shape that a search finds most balanced. */
static void propose(ply_session *s)
{
    gomocup *own = s->data;
    static const int8_t small[3][2] = {{0, 0}, {1, 0}, {-2, 2}};
    ply_state *state = &s->job.state;
    gomocup_point points[3];
    ply_search_report report;
    int32_t nearest = INT32_MAX;
    for (size_t i = 0; i < SHAPES; i++) {
        if (!play_shape(state, shapes[i], points))
            continue;
        bool completed = search_share(s, state, 1, SHAPES, &report);
        int32_t distance = report.pv_count ? abs(report.pv[0].score) : INT32_MAX - 1;
        if (distance < nearest) {
            nearest = distance;
            memcpy(own->found, points, sizeof points);
            own->found_count = 3;
        }
        for (int k = 0; k < 3; k++)
            ply_state_undo(state);
        if (!completed)
            break;
    }
    if (own->found_count == 0 && play_shape(state, small, own->found))
        own->found_count = 3;
}

/* There are three or five stones and White is to move: which side do we want? */
static void choose(ply_session *s, protocol_answer *answer)
{
    gomocup *own = s->data;
    bool may_extend = s->job.state.plies == 3;
    search_share(s, &s->job.state, 1, may_extend ? 3 : 1, &answer->report);
    if (answer->report.pv_count == 0) {
        answer->best = ply_protocol_fallback_move(&s->job.state, &s->job.limits);
        return;
    }
    int32_t white = answer->report.pv[0].score;
    answer->best = answer->report.pv[0].moves[0];
    if (may_extend && abs(white) < BALANCED)
        balance_by_two(s, 0);
    else if (white < 0)
        strcpy(own->reply, "SWAP");
}

void ply_gomocup_think(ply_session *s, protocol_answer *answer)
{
    gomocup *own = s->data;
    switch (answer->purpose) {
    case GOMOCUP_BALANCE_ONE:
        balance_by_one(s, own->bias);
        break;
    case GOMOCUP_BALANCE_TWO:
        balance_by_two(s, own->bias);
        break;
    default:
        if (s->job.state.plies == 0)
            propose(s);
        else
            choose(s, answer);
        break;
    }
    if (answer->best == PLY_MOVE_NONE && own->found_count == 0 && !own->reply[0])
        answer->best = ply_protocol_fallback_move(&s->job.state, &s->job.limits);
}
