/* SPDX-License-Identifier: MIT */
/* actions.c - moves as numbers and positions as planes, for machine learning; see learning.h. */
#include "games/fived/learn/bounded.h"
#include "games/fived/learn/numbering.h"
#include <string.h>

uint32_t fived_action_count(const ply_rules *rules)
{
    return FIVED_SLOTS * 64 * label_count(rules) + 1;
}

static uint32_t action(const ply_rules *rules, const void *position, ply_move move)
{
    return action_of(rules, position, move);
}

typedef struct wanted_action {
    const ply_rules *rules;
    const fived_position *position;
    uint32_t number;
    ply_move move;
} wanted_action;

static bool find_action(void *context, ply_move move)
{
    wanted_action *wanted = context;
    if (action_of(wanted->rules, wanted->position, move) == wanted->number)
        wanted->move = move;
    return wanted->move == PLY_MOVE_NONE;
}

static ply_move action_move(const ply_rules *rules, const void *position, uint32_t number)
{
    wanted_action wanted = {rules, position, number, PLY_MOVE_NONE};
    if (number < fived_action_count(rules))
        fived_each_move(rules, position, find_action, &wanted);
    return wanted.move;
}

static bool add_action(void *context, ply_move move)
{
    mask_writer_add(context, move);
    return true;
}

static size_t mask(const ply_rules *rules, const void *position, uint64_t *bits)
{
    mask_writer writer = {rules, position, bits, 0};
    memset(bits, 0, (fived_action_count(rules) + 63) / 64 * sizeof bits[0]);
    fived_each_move(rules, position, add_action, &writer);
    return writer.count;
}

static ply_status step(const ply_rules *rules, void *position, uint32_t number, ply_move *move,
                       ply_undo *undo)
{
    *move = move_of(rules, position, number);
    return fived_play(rules, position, *move, undo);
}

/* --- observations ----------------------------------------------------------------------------- */
static void show_board(const fived_position *p, int viewer, const fived_board *board, uint8_t *out)
{
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            fived_piece piece = board->square[x + 8 * y];
            out[x + 8 * relative_y(p, viewer, y)] =
                piece && viewer ? (uint8_t)(piece ^ FIVED_BLACK) : piece;
        }
}

static void observe(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    (void)rules;
    const fived_position *p = position;
    int lo, hi, present = fived_position_present(p);
    uint8_t *flags = out + FIVED_SLOTS * FIVED_SEEN_BOARDS * 64;
    memset(out, 0, FIVED_PLANES * 64);
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &lo, &hi);
    for (int slot = 0; slot < FIVED_SLOTS; slot++) {
        int l = relative_l(p, viewer, slot - FIVED_MIDDLE);
        if (l < p->lo || l > p->hi)
            continue;
        int end = fived_position_timeline(p, l)->end;
        for (int back = 0; back < FIVED_SEEN_BOARDS; back++) {
            const fived_board *board = fived_position_board(p, l, end - back);
            if (board)
                show_board(p, viewer, board, out + (slot * FIVED_SEEN_BOARDS + back) * 64);
        }
        int flag = FIVED_SLOT_EXISTS | (l >= lo && l <= hi ? FIVED_SLOT_ACTIVE : 0) |
                   ((end & 1) == viewer ? FIVED_SLOT_MINE : 0) |
                   (end == present ? FIVED_SLOT_PRESENT : 0);
        memset(flags + slot * 64, flag, 64);
    }
}

const ply_learning_hooks fived_learning_hooks = {
    .observe = observe,
    .action = action,
    .action_move = action_move,
    .mask = mask,
    .step = step,
    .bounded = &fived_bounded_hooks,
};
