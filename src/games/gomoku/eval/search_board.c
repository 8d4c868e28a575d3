/* SPDX-License-Identifier: MIT */
/* search_board.c - the board that a search keeps beside the position; see search_board.h. */
#include "games/gomoku/eval/search_board.h"
#include <string.h>

const uint16_t gomoku_combination_of[GOMOKU_PACKED_CODES] = {
#include "gomoku/codes.inc"
};

/* Codes that a stone can change: in each direction those of the cells within a row's length. */
enum { MAX_CHANGES = GOMOKU_DIRECTIONS * 2 * (2 * GOMOKU_MAX_ROW + 1) };

/* Of the transposition table of fours. */
enum { FOURS_ENTRIES = 1 << 14 };

/* From a cell to the next one of a line, in the order of the directions (gomoku_line_cell). */
static const int steps[GOMOKU_DIRECTIONS] = {1, 32, 31, 33};

size_t gomoku_search_board_bytes(const ply_rules *rules, size_t max_plies)
{
    (void)rules;
    return sizeof(gomoku_search_board) +
           (max_plies + GOMOKU_VCF_PLIES) * sizeof(gomoku_threat_undo) +
           max_plies * sizeof(gomoku_search_undo) +
           max_plies * MAX_CHANGES * sizeof(gomoku_code_change) +
           (max_plies ? FOURS_ENTRIES * sizeof(gomoku_vcf_entry) : 0);
}

static inline __attribute__((always_inline)) unsigned level_at(const gomoku_levels *levels, int bit)
{
    return (unsigned)((levels->bit[0] >> bit & 1) | (levels->bit[1] >> bit & 1) << 1 |
                      (levels->bit[2] >> bit & 1) << 2);
}

/*
 * Gives a line in direction d new levels: changes the codes of its cells, of which number 0 is
 * `first`, and the sums. Without `log` the old codes are not kept.
 */
static inline __attribute__((always_inline)) void
set_levels(gomoku_search_board *b, int line, int d, int first, const gomoku_levels *new, bool log)
{
    gomoku_levels *old = &b->levels[line];
    uint64_t changed =
        (new->bit[0] ^ old->bit[0]) | (new->bit[1] ^ old->bit[1]) | (new->bit[2] ^ old->bit[2]);
    for (; changed; changed &= changed - 1) {
        int bit = ply_lowest(changed), colour = bit & 1;
        int at = colour * GOMOKU_MAX_CELLS + first + (bit >> 1) * steps[d];
        unsigned code = b->codes[at];
        if (log)
            b->change[b->changes++] = (gomoku_code_change){(uint16_t)at, (uint16_t)code};
        unsigned before = gomoku_combination_of[code];
        code = (code & ~(7u << (3 * d))) | level_at(new, bit) << (3 * d);
        b->codes[at] = (uint16_t)code;
        unsigned after = gomoku_combination_of[code];
        b->sums[colour][0] += b->weights[colour][after] - b->weights[colour][before];
        b->sums[colour][1] += b->weights[colour][GOMOKU_COMBINATIONS + after] -
                              b->weights[colour][GOMOKU_COMBINATIONS + before];
    }
    *old = *new;
}

void gomoku_search_board_init(const ply_rules *rules, const void *position, size_t max_plies,
                              void *board)
{
    gomoku_search_board *b = board;
    gomoku_threat_undo *threat_undo = (gomoku_threat_undo *)(b + 1);
    gomoku_threat_board_init(&b->threats, rules, position, threat_undo);
    b->undo = (gomoku_search_undo *)(threat_undo + max_plies + GOMOKU_VCF_PLIES);
    b->change = (gomoku_code_change *)(b->undo + max_plies);
    gomoku_vcf_entry *table = (gomoku_vcf_entry *)(b->change + max_plies * MAX_CHANGES);
    gomoku_vcf_init_borrowed(&b->fours, &b->threats, b->cells,
                             (int)(sizeof b->cells / sizeof b->cells[0]), max_plies ? table : NULL,
                             max_plies ? FOURS_ENTRIES : 0);
    b->compute = PLY_ISA_PICK(gomoku_level_kernels_of)->compute;
    b->plies = b->changes = 0;
    for (int colour = 0; colour < 2; colour++)
        b->weights[colour] = gomoku_code_weights(b->threats.rule, colour);
    memset(b->sums, 0, sizeof b->sums);
    int width = b->threats.width, height = b->threats.height;
    for (int colour = 0; colour < 2; colour++)
        memset(b->codes + colour * GOMOKU_MAX_CELLS, 0, (size_t)height * 32 * sizeof b->codes[0]);
    memset(b->levels, 0, (size_t)b->threats.line_count * sizeof b->levels[0]);
    int lines[4], count = 0;
    for (int i = 0; i < b->threats.line_count; i++) {
        if (b->threats.word[i])
            lines[count++] = i;
        if (count == 0 || (count < 4 && i + 1 < b->threats.line_count))
            continue;
        for (int k = count; k < 4; k++)
            lines[k] = lines[0];
        gomoku_levels levels[4];
        b->compute(&b->threats, lines, levels);
        for (int k = 0; k < count; k++) {
            int d = (lines[k] >= height) + (lines[k] >= width + height) +
                    (lines[k] >= 2 * (width + height) - 1);
            set_levels(b, lines[k], d, gomoku_line_cell(width, height, lines[k], 0), &levels[k],
                       false);
        }
        count = 0;
    }
}

void gomoku_search_board_play(const ply_rules *rules, const void *position, ply_move move,
                              void *board)
{
    (void)rules;
    const gomoku_position *p = position;
    gomoku_search_board *b = board;
    gomoku_search_undo *u = &b->undo[b->plies++];
    u->changes = b->changes;
    if (move == PLY_MOVE_NONE || move == GOMOKU_PASS) {
        u->cell = -1;
        return;
    }
    int cell = gomoku_move_cell(move);
    u->cell = cell;
    memcpy(u->sums, b->sums, sizeof u->sums);
    gomoku_spot spot = gomoku_spot_of(b->threats.width, b->threats.height, cell);
    gomoku_threat_board_play(&b->threats, cell, p->side);
    gomoku_levels levels[GOMOKU_DIRECTIONS];
    b->compute(&b->threats, spot.line, levels);
#pragma GCC unroll 4
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        u->levels[d] = b->levels[spot.line[d]];
        set_levels(b, spot.line[d], d, cell - (spot.shift[d] >> 1) * steps[d], &levels[d], true);
    }
}

void gomoku_search_board_undo(const ply_rules *rules, void *board)
{
    (void)rules;
    gomoku_search_board *b = board;
    const gomoku_search_undo *u = &b->undo[--b->plies];
    if (u->cell < 0)
        return;
    while (b->changes > u->changes) {
        gomoku_code_change change = b->change[--b->changes];
        b->codes[change.at] = change.code;
    }
    memcpy(b->sums, u->sums, sizeof u->sums);
    const gomoku_threat_undo *t = &b->threats.undo[b->threats.depth - 1];
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        b->levels[t->line[d]] = u->levels[d];
    gomoku_threat_board_undo(&b->threats);
}
