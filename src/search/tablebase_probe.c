/* SPDX-License-Identifier: MIT */
/*
 * tablebase_probe.c - positions that solved tables know.
 *
 * Inside the tree a known position needs no search: its score is exact, with the distance to the
 * end. At the root the tables give every line by themselves, and nothing is searched at all. Tables
 * do not know the rules that look back, so a root move that ends the game by one of them (a
 * repetition) counts as what it is.
 */
#include "search/searcher.h"
#include <stdlib.h>
#include <string.h>

int32_t ply_search_tablebase_score(ply_tablebase_value value, int ply)
{
    if (value.result == PLY_TABLEBASE_DRAW)
        return 0;
    int32_t score = PLY_SCORE_WIN - ply - value.plies;
    return value.result == PLY_TABLEBASE_WIN ? score : -score;
}

bool ply_search_tablebase_probe(const ply_searcher *searcher, const void *position, int ply,
                                int32_t *score)
{
    ply_tablebase_value value;
    if (!searcher->solved || !ply_tablebase_probe(searcher->solved, position, &value))
        return false;
    *score = ply_search_tablebase_score(value, ply);
    return true;
}

typedef struct root_move {
    ply_move move;
    int32_t score;
    int32_t looks; /* what the evaluation says, to choose among draws */
} root_move;

static int compare_moves(const void *a, const void *b)
{
    const root_move *x = a, *y = b;
    if (x->score != y->score)
        return (x->score < y->score) - (x->score > y->score);
    return (x->looks < y->looks) - (x->looks > y->looks);
}

/* The score of a move for who makes it; false if the tables do not know it. */
static bool judge_move(const ply_searcher *s, ply_state *state, root_move *move)
{
    const ply_rules *rules = s->rules;
    int side = rules->game->side(rules, state->position);
    if (ply_state_play(state, move->move) != PLY_OK)
        return false;
    ply_outcome outcome = ply_state_outcome(state);
    bool same = rules->game->side(rules, state->position) == side, known = true;
    if (outcome.result != PLY_ONGOING) {
        move->score = search_outcome_score(outcome, side, 1);
    } else if ((known = ply_search_tablebase_probe(s, state->position, 1, &move->score))) {
        move->score = same ? move->score : -move->score;
        move->looks = ply_game_evaluate(rules, state->position);
        move->looks = same ? move->looks : -move->looks;
    }
    ply_state_undo(state);
    return known;
}

/* All moves wanted by limits (NULL: all), best first; 0 if the tables do not know them all. */
static size_t judge_moves(const ply_searcher *s, ply_state *state, const ply_search_limits *limits,
                          root_move *out)
{
    const ply_rules *rules = s->rules;
    size_t all = ply_game_count_moves(rules, state->position), count = 0;
    for (size_t i = 0; i < all; i++) {
        out[count] = (root_move){.move = ply_game_nth_move(rules, state->position, i)};
        if (limits && !ply_search_move_wanted(limits, out[count].move))
            continue;
        if (!judge_move(s, state, &out[count++]))
            return 0;
    }
    qsort(out, count, sizeof *out, compare_moves);
    return count;
}

/* A line of best moves of both; draws end it soon, since nothing more is to be shown. */
static void follow(const ply_searcher *s, const ply_state *from, const root_move *first,
                   root_move *room, ply_variation *line)
{
    ply_state state;
    *line = (ply_variation){.score = first->score, .length = 1, .moves = {first->move}};
    if (first->score == 0 || ply_state_copy(&state, from) != PLY_OK)
        return;
    while (line->length < PLY_PV_LIMIT &&
           ply_state_play(&state, line->moves[line->length - 1]) == PLY_OK &&
           ply_state_outcome(&state).result == PLY_ONGOING &&
           judge_moves(s, &state, NULL, room) > 0)
        line->moves[line->length++] = room[0].move;
    ply_state_free(&state);
}

bool ply_search_tablebase_root(ply_searcher *s, const ply_state *state)
{
    int32_t score;
    if (!ply_search_tablebase_probe(s, state->position, 0, &score))
        return false;
    size_t room = 2 * (s->rules->max_moves + 1);
    root_move *moves = malloc(room * sizeof *moves);
    ply_state copy;
    if (!moves || ply_state_copy(&copy, state) != PLY_OK) {
        free(moves);
        return false;
    }
    const ply_search_limits *limits = s->clock.limits;
    size_t count = judge_moves(s, &copy, limits, moves),
           wanted = limits->multipv ? limits->multipv : 1;
    wanted = wanted < SEARCH_LINES ? wanted : SEARCH_LINES;
    for (size_t i = 0; i < count && i < wanted; i++)
        follow(s, state, &moves[i], moves + s->rules->max_moves + 1, &s->lines[i]);
    ply_state_free(&copy);
    if (count > 0) {
        s->report.pv_count = count < wanted ? count : wanted;
        s->report.depth = s->report.selective_depth = 1;
        ply_search_clock_poll(&s->clock, count);
        ply_search_report_progress(s);
        ply_search_clock_wait(&s->clock);
    }
    free(moves);
    return count > 0;
}
