/* SPDX-License-Identifier: MIT */
/*
 * network.c - the features of a position for neural networks.
 *
 * A feature is a piece on one of the boards at the ends of the timelines, where the next moves are
 * made, whichever board it is. Ranks are counted from the player's own side.
 *
 *     feature = (((enemy ? 12 : 0) + kind - 1) * 64 + square) * 4 + context
 *     context = (the timeline is active ? 2 : 0) + (the player moves on the board ? 1 : 0)
 *
 * Two more say how the multiverse looks as a whole: one of 7 how many more timelines the player may
 * make active than the opponent, from -3 to 3; one of 8 the number of timelines, from 1 to 8 or
 * more. Of a huge multiverse only the innermost timelines are listed.
 */
#include "games/fived/fived.h"
#include <string.h>

enum {
    SQUARES = 64,
    CONTEXTS = 4,
    KINDS = FIVED_KINDS - 1,
    FIRST_SPARE = 2 * KINDS * SQUARES * CONTEXTS,
    SPARE_LIMIT = 3,
    FIRST_TIMELINES = FIRST_SPARE + 2 * SPARE_LIMIT + 1,
    TIMELINES_LIMIT = 8,
    FEATURES = FIRST_TIMELINES + TIMELINES_LIMIT,
    MAX_BOARDS = (FIVED_MAX_FEATURES - 2) / SQUARES,
};

/* The standard set and its relatives on 8x8 boards have a family; other boards and sets do not. */
const char *fived_network_family(const ply_rules *rules)
{
    return strncmp(rules->variant->id, "standard", strlen("standard")) == 0 ? "5dchess-standard"
                                                                            : NULL;
}

uint32_t fived_feature_count(const ply_rules *rules)
{
    (void)rules;
    return FEATURES;
}

/* Lists the pieces of a board; returns their number. */
static size_t list_board(const fived_position *p, const fived_board *b, int player, int context,
                         uint16_t *out)
{
    size_t count = 0;
    for (uint64_t pieces = fived_board_occupied(b); pieces; pieces &= pieces - 1) {
        int square = ply_lowest(pieces), x = square & 7, y = square >> 3;
        fived_piece piece = b->square[square];
        int seen = x + 8 * (player == 0 ? y : p->height - 1 - y);
        int kind = (int)fived_piece_kind(piece) - 1;
        int owner = fived_piece_colour(piece) == player ? 0 : KINDS;
        out[count++] = (uint16_t)(((owner + kind) * SQUARES + seen) * CONTEXTS + context);
    }
    return count;
}

size_t fived_features(const ply_rules *rules, const void *position, int player, uint16_t *out)
{
    (void)rules;
    const fived_position *p = position;
    int white = p->hi - p->start_hi, black = p->start_lo - p->lo, lo, hi;
    int timelines = p->hi - p->lo + 1, boards = 0;
    size_t count = 0;
    fived_active_range(p, white, black, &lo, &hi);
    for (unsigned u = 0; boards < MAX_BOARDS && boards < timelines; u++) {
        int l = fived_u_to_l(u);
        if (l < p->lo || l > p->hi)
            continue;
        const fived_timeline *timeline = fived_position_timeline(p, l);
        int context = (l >= lo && l <= hi ? 2 : 0) + ((timeline->end & 1) == player ? 1 : 0);
        count += list_board(p, timeline->boards[timeline->end - timeline->start], player, context,
                            out + count);
        boards++;
    }
    int spare = player == 0 ? black - white : white - black;
    spare = spare > SPARE_LIMIT ? SPARE_LIMIT : spare < -SPARE_LIMIT ? -SPARE_LIMIT : spare;
    out[count++] = (uint16_t)(FIRST_SPARE + SPARE_LIMIT + spare);
    out[count++] = (uint16_t)(FIRST_TIMELINES +
                              (timelines < TIMELINES_LIMIT ? timelines : TIMELINES_LIMIT) - 1);
    return count;
}

/* By the number of timelines. */
unsigned fived_phase(const ply_rules *rules, const void *position, unsigned phases)
{
    (void)rules;
    const fived_position *p = position;
    unsigned timelines = (unsigned)(p->hi - p->lo + 1);
    return ((timelines < TIMELINES_LIMIT ? timelines : TIMELINES_LIMIT) - 1) * phases /
           TIMELINES_LIMIT;
}
