/* SPDX-License-Identifier: MIT */
/*
 * solve_support.h - shared by the tests of the solver: brute-force search, files in memory, random
 * problems.
 */
#ifndef TESTS_SOLVE_SUPPORT_H
#define TESTS_SOLVE_SUPPORT_H

#include "support/support.h"
#include <stdlib.h>
#include <string.h>

/* --- brute force ----------------------------------------------------------------------------- */
/*
 * The smallest number of plies in which the attacker forces the goal, if it is at most `plies`;
 * else -1. Tries every move, remembers nothing, and uses only the goal's definition.
 */
static inline int brute_force(const ply_rules *rules, const ply_goal *goal, void *position,
                              int attacker, int plies)
{
    const ply_game *game = rules->game;
    ply_goal_value value = goal->value ? goal->value(rules, position, attacker) : PLY_GOAL_OPEN;
    if (value != PLY_GOAL_OPEN)
        return value == PLY_GOAL_REACHED ? 0 : -1;
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    unsigned char *undo = malloc(rules->undo_bytes + 1);
    assert_true(moves && undo);
    size_t count = game->moves(rules, position, moves);
    bool attacks = game->side(rules, position) == attacker;
    int best = attacks ? -1 : 0;
    if (plies == 0 && (attacks || count > 0)) {
        best = -1;
        count = 0;
    }
    int left = plies - 1;
    for (size_t i = 0; i < count; i++) {
        if (attacks && goal->allows && !goal->allows(rules, position, moves[i], NULL))
            continue;
        assert_int_equal(game->play(rules, position, moves[i], undo), PLY_OK);
        int length = brute_force(rules, goal, position, attacker, left);
        game->undo(rules, position, moves[i], undo);
        if (attacks && length >= 0) {
            best = length + 1;
            left = length - 1; /* only a shorter win matters now */
            if (left < 0)
                break;
        }
        if (!attacks && length < 0) {
            best = -1;
            break;
        }
        if (!attacks && length + 1 > best)
            best = length + 1;
    }
    free(moves);
    free(undo);
    return best;
}

/* --- files in memory ------------------------------------------------------------------------ */
typedef struct memory_file {
    unsigned char *bytes;
    size_t count, capacity;
} memory_file;

static inline bool memory_sink(void *context, const void *bytes, size_t count)
{
    memory_file *file = context;
    if (file->count + count > file->capacity) {
        file->capacity = 2 * (file->count + count);
        file->bytes = realloc(file->bytes, file->capacity);
        assert_non_null(file->bytes);
    }
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
    return true;
}

static inline size_t memory_read(void *context, uint64_t offset, void *bytes, size_t count)
{
    memory_file *file = context;
    if (offset >= file->count)
        return 0;
    if (count > file->count - offset)
        count = file->count - (size_t)offset;
    memcpy(bytes, file->bytes + offset, count);
    return count;
}

static inline ply_status memory_check(const ply_game *game, memory_file *file, uint64_t max_nodes,
                                      ply_proof_summary *summary, ply_text *text, ply_error *error)
{
    ply_proof_source source = {.read = memory_read, .context = file, .size = file->count};
    return ply_proof_check(game, &source, max_nodes, NULL, summary, text, error);
}

/* --- random mate problems ------------------------------------------------------------------- */
/* Makes the rules of shogi and a state; returns the goal "mate". */
static inline const ply_goal *make_mate_goal(ply_rules *rules, ply_state *state)
{
    test_make_rules(rules, "shogi", NULL);
    test_make_state(state, rules, NULL);
    const ply_goal *goal = ply_goal_find(rules->game, "mate");
    assert_non_null(goal);
    return goal;
}

/*
 * Sets the state to a random position with a few pieces around White's king, Black to move.
 * symmetric: the board is its own mirror image.
 */
static inline void random_mate_problem(ply_state *state, ply_rng *rng, bool symmetric)
{
    static const char kinds[] = "PLNSGBR";
    static const int total[] = {18, 4, 4, 4, 4, 2, 2};
    for (;;) {
        char board[9][9][3] = {{{0}}};
        int left[7];
        memcpy(left, total, sizeof left);
        int king_x = symmetric ? 4 : (int)ply_rng_below(rng, 9),
            king_y = (int)ply_rng_below(rng, 9);
        strcpy(board[king_y][king_x], "k");
        unsigned pieces = 2 + ply_rng_below(rng, 7);
        for (unsigned i = 0; i < pieces; i++) {
            int x = king_x - 2 + (int)ply_rng_below(rng, 5);
            int y = king_y - 2 + (int)ply_rng_below(rng, 5);
            unsigned kind = ply_rng_below(rng, 7);
            if (x < 0 || x > 8 || y < 0 || y > 8 || board[y][x][0] || !left[kind])
                continue;
            bool white = ply_rng_below(rng, 3) == 0,
                 promoted = kind != 4 && ply_rng_below(rng, 3) == 0;
            char letter = kinds[kind];
            if (symmetric && x != 4 && left[kind] < 2)
                continue;
            left[kind] -= symmetric && x != 4 ? 2 : 1;
            if (white)
                letter = (char)(letter + 'a' - 'A');
            if (promoted)
                board[y][x][0] = '+';
            board[y][x][promoted] = letter;
            if (symmetric)
                memcpy(board[y][8 - x], board[y][x], sizeof board[y][x]);
        }
        if (ply_rng_below(rng, 3) == 0) {
            int x = symmetric ? 4 : (int)ply_rng_below(rng, 9), y = (int)ply_rng_below(rng, 9);
            if (!board[y][x][0])
                strcpy(board[y][x], "K");
        }
        ply_text sfen = ply_text_growing();
        for (int y = 0; y < 9; y++) {
            int gap = 0;
            if (y)
                ply_text_char(&sfen, '/');
            for (int x = 0; x < 9; x++) {
                if (!board[y][x][0]) {
                    gap++;
                    continue;
                }
                if (gap)
                    ply_text_format(&sfen, "%d", gap);
                gap = 0;
                ply_text_string(&sfen, board[y][x]);
            }
            if (gap)
                ply_text_format(&sfen, "%d", gap);
        }
        ply_text_string(&sfen, " b ");
        ply_text hands = ply_text_growing();
        int black[7] = {0};
        for (unsigned n = 1 + ply_rng_below(rng, 4); n > 0; n--) {
            unsigned kind = ply_rng_below(rng, 7);
            if (left[kind]) {
                left[kind]--;
                black[kind]++;
            }
        }
        /* The defender holds all other pieces or a few of them. */
        bool all = ply_rng_below(rng, 2);
        for (int side = 0; side < 2; side++)
            for (int kind = 6; kind >= 0; kind--) {
                int n = side == 0 ? black[kind] : left[kind];
                if (side == 1 && !all && n > 1)
                    n = (int)ply_rng_below(rng, 2);
                if (n > 1)
                    ply_text_format(&hands, "%d", n);
                if (n > 0)
                    ply_text_char(&hands, side ? (char)(kinds[kind] + 'a' - 'A') : kinds[kind]);
            }
        ply_text_string(&sfen, hands.length ? ply_text_cstr(&hands) : "-");
        ply_text_string(&sfen, " 1");
        ply_status status = ply_state_parse(state, ply_text_cstr(&sfen), sfen.length, NULL);
        ply_text_free(&sfen);
        ply_text_free(&hands);
        if (status == PLY_OK)
            return;
    }
}

#endif
