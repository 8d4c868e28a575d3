/* SPDX-License-Identifier: MIT */
/*
 * gomoku_patterns.c - four ways to know the fives, fours, threes and twos after a move.
 *
 *     gomoku_patterns [VARIANT]
 *
 *                     all lines anew          the four lines of the move, before and after
 *     mask and XOR    gomoku_windows_in       gomoku_match_line
 *     all windows     the kernel's count      play (kernel_isa.c), what the engine does
 *
 * Each tries the legal moves of the same random positions: a stone is put on the board, the counts
 * of both players are taken, and the stone is taken off. All four must agree on every move. The two
 * below count nine shapes at once, the two above only the windows.
 */
#include "bench.h"
#include "games/gomoku/gomoku.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
    const ply_rules *rules;
    gomoku_position *position;
    void *undo;
    int width, height, row;
} bench;

/* Packs counts as the totals of a position are packed: 16 bits each, the fives lowest. */
static uint64_t pack(gomoku_windows w)
{
    return (uint64_t)w.five | (uint64_t)w.four << 16 | (uint64_t)w.three << 32 |
           (uint64_t)w.two << 48;
}

static void patterns_on_all_lines(bench *b, int cell, uint64_t counts[2])
{
    uint64_t *lines = b->position->lines;
    gomoku_set_cell(lines, b->width, b->height, cell, b->position->side);
    for (int colour = 0; colour < 2; colour++)
        counts[colour] = pack(gomoku_windows_in(b->width, b->height, b->row, lines, colour));
    gomoku_clear_cell(lines, b->width, b->height, cell);
}

/* The windows in the four lines through a cell. */
static void count_four_lines(const bench *b, const gomoku_spot *spot, uint64_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        uint64_t line = b->position->lines[spot->line[d]];
        int length = gomoku_line_length(b->width, b->height, spot->line[d]);
        for (int colour = 0; line && colour < 2; colour++)
            for (int missing = 0; missing < 4; missing++)
                counts[colour] += (uint64_t)gomoku_match_line(b->row, colour, missing, line, length)
                                  << (16 * missing);
    }
}

static void patterns_on_four_lines(bench *b, int cell, uint64_t counts[2])
{
    gomoku_spot spot = gomoku_spot_of(b->width, b->height, cell);
    uint64_t before[2], after[2];
    count_four_lines(b, &spot, before);
    gomoku_set_cell(b->position->lines, b->width, b->height, cell, b->position->side);
    count_four_lines(b, &spot, after);
    gomoku_clear_cell(b->position->lines, b->width, b->height, cell);
    for (int colour = 0; colour < 2; colour++)
        counts[colour] = b->position->totals[colour] + after[colour] - before[colour];
}

static void windows_on_all_lines(bench *b, int cell, uint64_t counts[2])
{
    uint64_t totals[4];
    gomoku_set_cell(b->position->lines, b->width, b->height, cell, b->position->side);
    PLY_ISA_PICK(gomoku_kernels_of)->count(b->width, b->height, b->row, b->position->lines, totals);
    gomoku_clear_cell(b->position->lines, b->width, b->height, cell);
    memcpy(counts, totals, 2 * sizeof totals[0]);
}

static void windows_on_four_lines(bench *b, int cell, uint64_t counts[2])
{
    b->rules->game->play(b->rules, b->position, gomoku_move(cell), b->undo);
    memcpy(counts, b->position->totals, 2 * sizeof counts[0]);
    b->rules->game->undo(b->rules, b->position, gomoku_move(cell), b->undo);
}

enum { WAYS = 4 };
static const struct {
    const char *name;
    void (*count)(bench *b, int cell, uint64_t counts[2]);
    int repeats; /* so that each takes about as long */
} ways[WAYS] = {
    {"mask and XOR, all lines anew", patterns_on_all_lines, 1},
    {"mask and XOR, the four lines", patterns_on_four_lines, 10},
    {"all windows at once, all lines anew", windows_on_all_lines, 40},
    {"all windows at once, the four lines (play and undo)", windows_on_four_lines, 200},
};

/* Measures all ways on one position; returns whether they agree. */
static bool measure(bench *b, const ply_move *moves, size_t count, double seconds[WAYS],
                    uint64_t done[WAYS])
{
    uint64_t expected[GOMOKU_MAX_CELLS][2], counts[2];
    bool agree = true;
    for (int way = 0; way < WAYS; way++) {
        double start = cpu_seconds();
        for (int again = 0; again < ways[way].repeats; again++)
            for (size_t i = 0; i < count; i++) {
                if (moves[i] == GOMOKU_PASS)
                    continue;
                ways[way].count(b, gomoku_move_cell(moves[i]), counts);
                if (way == 0)
                    memcpy(expected[i], counts, sizeof counts);
                agree = agree && memcmp(expected[i], counts, sizeof counts) == 0;
                done[way]++;
            }
        seconds[way] += cpu_seconds() - start;
    }
    return agree;
}

int main(int argc, char **argv)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    if (ply_rules_make(&rules, ply_game_find("gomoku"), argc > 1 ? argv[1] : "", &error) !=
        PLY_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    ply_move *moves = malloc(rules.max_moves * sizeof *moves);
    void *undo = malloc(rules.undo_bytes);
    if (!moves || !undo || ply_state_init(&state, &rules) != PLY_OK)
        return 2;
    bench b = {&rules,
               state.position,
               undo,
               gomoku_width(&rules),
               gomoku_height(&rules),
               gomoku_row(&rules)};
    double seconds[WAYS] = {0};
    uint64_t done[WAYS] = {0};
    for (uint64_t game = 0; game < 20; game++) {
        ply_rng rng = ply_rng_make(7, game);
        ply_state_restart(&state);
        for (int ply = 0; ply < 60 && ply_state_outcome(&state).result == PLY_ONGOING; ply++) {
            size_t count = rules.game->moves(&rules, state.position, moves);
            if (ply % 10 == 9 && !measure(&b, moves, count, seconds, done)) {
                fprintf(stderr, "the counts differ\n");
                return 1;
            }
            ply_state_play(&state, moves[ply_rng_below(&rng, (uint32_t)count)]);
        }
    }
    for (int way = 0; way < WAYS; way++)
        printf("%8.3f M moves/s, %6.1f times: %s\n", (double)done[way] / seconds[way] / 1e6,
               (double)done[way] / seconds[way] / ((double)done[0] / seconds[0]), ways[way].name);
    ply_state_free(&state);
    free(moves);
    free(undo);
    return 0;
}
