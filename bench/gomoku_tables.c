/* SPDX-License-Identifier: MIT */
/*
 * gomoku_tables.c - the alternative: windows of five counted by table look-up on line segments.
 *
 * A table of 4^7 entries classifies the window in the middle of seven cells (two bits each, 11 off
 * the board). A stone changes up to seven windows in each of four lines, looked up before and
 * after: 56 look-ups per move. Only windows are counted, not the shapes made of two. The counts are
 * checked against the totals of the library.
 */
#include "bench.h"
#include "games/gomoku/gomoku.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 7, ENTRIES = 1 << (2 * CELLS), MARGIN = 6, SPAN = 2 * MARGIN + 1 };

static uint8_t kind_of[ENTRIES]; /* 0: none; otherwise 1 + 4 * colour + missing stones */
static const uint64_t one[4] = {1, 1ull << 16, 1ull << 32, 1ull << 48};
static uint64_t increment[9][2]; /* what a window of that kind adds to the totals */

static void make_table(void)
{
    for (int i = 0; i < ENTRIES; i++)
        for (int colour = 0; colour < 2; colour++) {
            int own = 1 + colour, stones = 0, fits = 1;
            for (int c = 0; c < CELLS; c++) {
                int cell = i >> (2 * c) & 3;
                if (c == 0 || c == CELLS - 1)
                    fits &= cell != own;
                else
                    fits &= cell == own || cell == 0;
                stones += c > 0 && c < CELLS - 1 && cell == own;
            }
            if (fits && stones >= 2)
                kind_of[i] = (uint8_t)(1 + 4 * colour + (5 - stones));
        }
    for (int kind = 1; kind < 9; kind++)
        increment[kind][(kind - 1) / 4] = one[(kind - 1) % 4];
}

/* The thirteen cells around a cell of a line, 11 beyond its ends. */
static uint32_t segment(uint64_t line, int at, int length)
{
    unsigned __int128 wide = (unsigned __int128)~gomoku_line_mask(length) << (2 * MARGIN) |
                             (unsigned __int128)line << (2 * MARGIN) | ((1u << (2 * MARGIN)) - 1);
    return (uint32_t)(wide >> (2 * at)) & ((1u << (2 * SPAN)) - 1);
}

static inline void add_windows(uint32_t cells, uint64_t totals[2], int sign)
{
    for (int i = 0; i + CELLS <= SPAN; i++) {
        int kind = kind_of[cells >> (2 * i) & (ENTRIES - 1)];
        for (int colour = 0; colour < 2; colour++)
            totals[colour] += sign > 0 ? increment[kind][colour] : 0 - increment[kind][colour];
    }
}

static void play(const ply_rules *rules, gomoku_position *p, int cell, uint64_t totals[2])
{
    int width = gomoku_width(rules), height = gomoku_height(rules);
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    for (int d = 0; d < 4; d++) {
        uint64_t *line = &p->lines[spot.line[d]];
        uint32_t cells =
            segment(*line, spot.shift[d] / 2, gomoku_line_length(width, height, spot.line[d]));
        add_windows(cells, totals, -1);
        add_windows(cells | (1u + p->side) << (2 * MARGIN), totals, 1);
        *line |= (uint64_t)1 << (spot.shift[d] + p->side);
    }
}

int main(void)
{
    ply_rules rules;
    ply_state state;
    if (ply_rules_make(&rules, ply_game_find("gomoku"), "freestyle", NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK)
        return 2;
    make_table();
    gomoku_position *p = state.position;
    ply_move moves[225];
    double best = 0;
    for (int round = 0; round < 5; round++) {
        uint64_t pairs = 0;
        double seconds = 0;
        for (uint64_t game = 0; game < 300; game++) {
            ply_rng rng = ply_rng_make(7, game);
            uint64_t totals[2] = {0, 0}, before[2];
            ply_state_restart(&state);
            for (int ply = 0; ply < 60 && ply_state_outcome(&state).result == PLY_ONGOING; ply++) {
                size_t count = rules.game->moves(&rules, p, moves);
                memcpy(before, totals, sizeof before);
                if (ply % 10 == 9) {
                    double start = cpu_seconds();
                    for (int again = 0; again < 10; again++)
                        for (size_t i = 0; i < count; i++) {
                            gomoku_undo_info undo;
                            memcpy(&undo, p, sizeof undo);
                            play(&rules, p, gomoku_move_cell(moves[i]), totals);
                            rules.game->undo(&rules, p, moves[i], &undo);
                            memcpy(totals, before, sizeof before);
                        }
                    seconds += cpu_seconds() - start;
                    pairs += 10 * count;
                }
                ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
                gomoku_undo_info undo;
                memcpy(&undo, p, sizeof undo);
                play(&rules, p, gomoku_move_cell(move), totals);
                rules.game->undo(&rules, p, move, &undo);
                ply_state_play(&state, move);
                if (memcmp(totals, p->totals, sizeof totals) != 0) {
                    fprintf(stderr, "the totals differ\n");
                    return 1;
                }
            }
        }
        best = (double)pairs / seconds > best ? (double)pairs / seconds : best;
    }
    printf("%.1f M play+undo/s by look-up, windows only\n", best / 1e6);
    ply_state_free(&state);
    return 0;
}
