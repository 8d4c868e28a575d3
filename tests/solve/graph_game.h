/* SPDX-License-Identifier: MIT */
/* graph_game.h - a game on a graph, with goals that try everything the checker must handle. */
#ifndef TESTS_SOLVE_GRAPH_GAME_H
#define TESTS_SOLVE_GRAPH_GAME_H

#include "support/support.h"
#include <string.h>

/*
 * A position is a letter, a move is the letter it leads to. Player 0 attacks.
 *
 *     a --> b --> e --> k --> g       g, y: the goal; d: missed; z: play fails
 *      \     \--> f -->/              c leads back to a, m back to l, v back to u
 *       \--> c, d, h, z               h: the defender has no move; i: the attacker has none
 *     j --> n                        n has moves, but the game has no memory to list them
 */
typedef struct vertex {
    char name;
    int side;
    const char *moves;
    const char *defences; /* what the goals `omit` and `omit-quiet` list; NULL: all moves */
    ply_goal_value value;
} vertex;

static const vertex graph[] = {
    {'a', 0, "bcdhz", NULL, PLY_GOAL_OPEN},
    {'b', 1, "ef", "e", PLY_GOAL_OPEN},
    {'c', 1, "a", NULL, PLY_GOAL_OPEN},
    {'d', 0, "ag", NULL, PLY_GOAL_MISSED},
    {'e', 0, "k", NULL, PLY_GOAL_OPEN},
    {'f', 0, "k", NULL, PLY_GOAL_OPEN},
    {'g', 0, "a", NULL, PLY_GOAL_REACHED},
    {'h', 1, "", NULL, PLY_GOAL_OPEN},
    {'i', 0, "", NULL, PLY_GOAL_OPEN},
    {'k', 1, "g", NULL, PLY_GOAL_OPEN},
    {'l', 0, "m", NULL, PLY_GOAL_OPEN},
    {'m', 1, "lg", NULL, PLY_GOAL_OPEN},
    {'u', 0, "v", NULL, PLY_GOAL_OPEN},
    {'v', 1, "u", NULL, PLY_GOAL_OPEN},
    {'j', 0, "n", NULL, PLY_GOAL_OPEN},
    {'n', 1, "", NULL, PLY_GOAL_OPEN},
    {'y', 0, "", NULL, PLY_GOAL_REACHED},
    {'z', 1, "", NULL, PLY_GOAL_OPEN},
    {'B', 0, "E", NULL, PLY_GOAL_OPEN},
    {'E', 1, "i", "q", PLY_GOAL_OPEN},
    /* The attacker's moves to y are not allowed by `quiet`. */
    {'C', 0, "yd", NULL, PLY_GOAL_OPEN},
    {'D', 0, "y", NULL, PLY_GOAL_OPEN},
    /* Defences that `omit` leaves out, rightly after o and r. */
    {'A', 0, "orstwx", NULL, PLY_GOAL_OPEN},
    {'o', 1, "pq", "p", PLY_GOAL_OPEN},
    {'p', 0, "g", NULL, PLY_GOAL_OPEN},
    {'q', 0, "ag", NULL, PLY_GOAL_OPEN},
    {'r', 1, "gp", "p", PLY_GOAL_OPEN},
    {'s', 1, "dp", "p", PLY_GOAL_OPEN},
    {'t', 1, "kp", "p", PLY_GOAL_OPEN},
    {'w', 1, "p", "pq", PLY_GOAL_OPEN},
    {'x', 1, "pD", "p", PLY_GOAL_OPEN},
    /* After G a defence is left out that cannot be played, after H one with such an answer. */
    {'F', 0, "GH", NULL, PLY_GOAL_OPEN},
    {'G', 1, "pz", "p", PLY_GOAL_OPEN},
    {'H', 1, "pI", "p", PLY_GOAL_OPEN},
    {'I', 0, "zg", NULL, PLY_GOAL_OPEN},
};

static const vertex *find(char name)
{
    for (size_t i = 0; i < sizeof graph / sizeof graph[0]; i++)
        if (graph[i].name == name)
            return &graph[i];
    return NULL;
}

static const vertex *at(const void *position)
{
    return find(*(const char *)position);
}

static size_t list(const char *names, ply_move *out)
{
    size_t count = strlen(names);
    for (size_t i = 0; i < count; i++)
        out[i] = (unsigned char)names[i];
    return count;
}

static ply_status setup(ply_rules *rules, ply_error *error)
{
    (void)error;
    rules->position_bytes = rules->undo_bytes = 8;
    rules->max_moves = 8;
    return PLY_OK;
}

static ply_status parse(const ply_rules *rules, void *position, ply_cursor *cursor)
{
    (void)rules;
    char name = (char)ply_cursor_peek(cursor);
    if (!find(name))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "no such vertex");
    ply_cursor_take(cursor);
    *(char *)position = name;
    return PLY_OK;
}

static void format(const ply_rules *rules, const void *position, ply_text *out)
{
    (void)rules;
    ply_text_char(out, at(position)->name);
}

static size_t moves(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    return list(at(position)->moves, out);
}

/* Nobody may play an illegal move or take back one that was not the last. */
static ply_status play(const ply_rules *rules, void *position, ply_move move, ply_undo *undo)
{
    (void)rules;
    assert_non_null(strchr(at(position)->moves, (int)move));
    if (move == 'z')
        return PLY_LIMIT;
    *(char *)undo = *(char *)position;
    *(char *)position = (char)move;
    return PLY_OK;
}

static void undo_move(const ply_rules *rules, void *position, ply_move move, const ply_undo *undo)
{
    (void)rules;
    assert_int_equal(*(const char *)position, move);
    *(char *)position = *(const char *)undo;
}

static ply_outcome outcome(const ply_rules *rules, const void *position, const ply_undo *undo_stack,
                           size_t plies)
{
    (void)rules;
    (void)undo_stack;
    (void)plies;
    const vertex *v = at(position);
    return (ply_outcome){v->moves[0] || v->name == 'n' ? PLY_ONGOING : PLY_DRAW, NULL};
}

static int side(const ply_rules *rules, const void *position)
{
    (void)rules;
    return at(position)->side;
}

/* --- its goals -------------------------------------------------------------------------------- */
static volatile bool graph_stop; /* set by the goal `interrupted` */

static ply_goal_value value(const ply_rules *rules, const void *position, int attacker)
{
    (void)rules;
    (void)attacker;
    return at(position)->value;
}

static bool quiet_allows(const ply_rules *rules, void *position, ply_move move,
                         ply_goal_effort *effort)
{
    (void)rules;
    (void)position;
    (void)effort;
    return move != 'y';
}

/* Searches for as long as it may. */
static bool slow_allows(const ply_rules *rules, void *position, ply_move move,
                        ply_goal_effort *effort)
{
    (void)rules;
    (void)position;
    (void)move;
    while (ply_goal_effort_spend(effort))
        continue;
    return true;
}

static bool interrupted_allows(const ply_rules *rules, void *position, ply_move move,
                               ply_goal_effort *effort)
{
    graph_stop = true; /* as the user would */
    return slow_allows(rules, position, move, effort);
}

static size_t defences(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    const vertex *v = at(position);
    return list(v->defences ? v->defences : v->moves, out);
}

/* e and f are the same to the goal `same`. */
static void identity(const ply_rules *rules, const void *position, ply_text *out)
{
    char name = at(position)->name;
    if (name == 'e' || name == 'f')
        ply_text_string(out, "ef");
    else
        format(rules, position, out);
}

static int no_winning_sets(const ply_rules *rules, const void *position, int attacker,
                           uint64_t sets[PLY_GOAL_WINNING_SETS])
{
    (void)rules;
    (void)position;
    (void)attacker;
    (void)sets;
    return -1;
}

static const ply_goal goals[] = {
    {.id = "reach", .value = value},
    {.id = "quiet", .value = value, .allows = quiet_allows},
    {.id = "slow", .value = value, .allows = slow_allows},
    {.id = "interrupted", .value = value, .allows = interrupted_allows},
    {.id = "omit", .value = value, .defences = defences},
    {.id = "omit-quiet", .value = value, .defences = defences, .allows = quiet_allows},
    {.id = "same", .value = value, .identity = identity},
    {.id = "sets", .value = value, .winning_sets = no_winning_sets},
};

static const ply_variant variants[] = {{.id = "standard", .name = "graph"}};

static const ply_game graph_game = {
    .id = "graph",
    .name = "graph",
    .variants = variants,
    .variant_count = 1,
    .goals = goals,
    .goal_count = sizeof goals / sizeof goals[0],
    .setup = setup,
    .parse = parse,
    .format = format,
    .moves = moves,
    .play = play,
    .undo = undo_move,
    .side = side,
    .outcome = outcome,
};

#endif
