/* SPDX-License-Identifier: MIT */
/* actions.c - moves as numbers and positions as planes, for machine learning; see learning.h. */
#include "games/fived/learn/learning.h"
#include <stdlib.h>
#include <string.h>

/* The kinds that pawns promote to, in the order of their labels. */
static const uint8_t promotion_order[] = {FIVED_QUEEN,  FIVED_ROOK,       FIVED_BISHOP,
                                          FIVED_KNIGHT, FIVED_PRINCESS,   FIVED_UNICORN,
                                          FIVED_DRAGON, FIVED_COMMON_KING};
enum { PROMOTION_KINDS = sizeof promotion_order };

/* --- labels ----------------------------------------------------------------------------------- */
static uint32_t label_count(const ply_rules *rules)
{
    int option = rules->option[FIVED_OPTION_PROMOTION];
    int kinds = option ? ply_popcount((uint64_t)option) : PROMOTION_KINDS;
    return (uint32_t)(FIVED_PROMOTIONS + FIVED_PROMOTION_STEPS * (kinds - 1));
}

uint32_t fived_action_count(const ply_rules *rules)
{
    return FIVED_SLOTS * 64 * label_count(rules) + 1;
}

/* A timeline as the player sees it; its own inverse. */
static int relative_l(const fived_position *p, int viewer, int l)
{
    return !viewer ? l : p->even ? -1 - l : -l;
}

static int relative_y(const fived_position *p, int viewer, int y)
{
    return viewer ? p->height - 1 - y : y;
}

/* A step in x, y, t and l as the player sees it. */
typedef struct step4 {
    int at[4];
} step4;

static bool is_knight_jump(const step4 *s, int *two, int *one)
{
    int twos = 0, ones = 0, others = 0;
    for (int i = 0; i < 4; i++) {
        int length = abs(s->at[i]);
        if (length == 2) {
            twos++;
            *two = i;
        } else if (length == 1) {
            ones++;
            *one = i;
        } else {
            others += length != 0;
        }
    }
    return twos == 1 && ones == 1 && others == 0;
}

/* The label of a step, without promotions; -1 if it has none. */
static int step_label(const step4 *s)
{
    int two = 0, one = 0, distance = 0;
    if (is_knight_jump(s, &two, &one))
        return FIVED_SLIDE_LABELS + (two * 3 + (one > two ? one - 1 : one)) * 4 +
               (s->at[two] > 0) * 2 + (s->at[one] > 0);
    for (int i = 0; i < 4; i++)
        distance = abs(s->at[i]) > distance ? abs(s->at[i]) : distance;
    if (distance > FIVED_REACH || distance == 0)
        return -1;
    int code = 0;
    for (int i = 3; i >= 0; i--) {
        if (s->at[i] != 0 && abs(s->at[i]) != distance)
            return -1;
        code = 3 * code + 1 + (s->at[i] > 0) - (s->at[i] < 0);
    }
    return (code > 40 ? code - 1 : code) * FIVED_REACH + distance - 1;
}

/* The step of a label below FIVED_PROMOTIONS. */
static step4 label_step(int label)
{
    step4 s = {{0}};
    if (label >= FIVED_SLIDE_LABELS) {
        int jump = label - FIVED_SLIDE_LABELS, two = jump / 12, one = jump / 4 % 3;
        s.at[two] = jump & 2 ? 2 : -2;
        s.at[one >= two ? one + 1 : one] = jump & 1 ? 1 : -1;
        return s;
    }
    int code = label / FIVED_REACH, distance = label % FIVED_REACH + 1;
    code += code >= 40;
    for (int i = 0; i < 4; i++, code /= 3)
        s.at[i] = (code % 3 - 1) * distance;
    return s;
}

/* The rank of a kind among those the position allows; -1: not allowed. */
static int promotion_rank(const fived_position *p, int kind)
{
    int rank = 0;
    for (int i = 0; i < PROMOTION_KINDS; i++) {
        if (promotion_order[i] == kind)
            return p->promotions >> kind & 1 ? rank : -1;
        rank += p->promotions >> promotion_order[i] & 1;
    }
    return -1;
}

static fived_kind promotion_at(const fived_position *p, int rank)
{
    for (int i = 0; i < PROMOTION_KINDS; i++)
        if ((p->promotions >> promotion_order[i] & 1) && rank-- == 0)
            return (fived_kind)promotion_order[i];
    return FIVED_NONE;
}

/* --- actions ---------------------------------------------------------------------------------- */
static uint32_t action_of(const ply_rules *rules, const void *position, ply_move move)
{
    const fived_position *p = position;
    uint32_t labels = label_count(rules);
    if (move == FIVED_SUBMIT)
        return FIVED_SLOTS * 64 * labels;
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    int slot = relative_l(p, p->side, from.l) + FIVED_MIDDLE, sign = p->side ? -1 : 1;
    step4 s = {{to.x - from.x, sign * (to.y - from.y), to.t - from.t, sign * (to.l - from.l)}};
    int label = step_label(&s);
    if (slot < 0 || slot >= FIVED_SLOTS || label < 0)
        return PLY_ACTION_NONE;
    int kind = (int)fived_move_promotion(move), rank = kind ? promotion_rank(p, kind) : 0;
    if (rank > 0)
        label = FIVED_PROMOTIONS + FIVED_PROMOTION_STEPS * (rank - 1) + (s.at[0] + 1) +
                3 * (s.at[2] + 1) + 9 * (s.at[3] + 1);
    if (rank < 0 || (uint32_t)label >= labels)
        return PLY_ACTION_NONE;
    int square = from.x + 8 * relative_y(p, p->side, from.y);
    return (uint32_t)(slot * 64 + square) * labels + (uint32_t)label;
}

/* The move of a legal action; of any other, some move or PLY_MOVE_NONE. */
static ply_move move_of(const ply_rules *rules, const fived_position *p, uint32_t action)
{
    uint32_t labels = label_count(rules);
    if (action == FIVED_SLOTS * 64 * labels)
        return FIVED_SUBMIT;
    int label = (int)(action % labels), place = (int)(action / labels), rank = 0;
    int l = relative_l(p, p->side, place / 64 - FIVED_MIDDLE), sign = p->side ? -1 : 1, t, c;
    if (l < p->lo || l > p->hi)
        return PLY_MOVE_NONE;
    step4 s;
    if (label >= FIVED_PROMOTIONS) {
        int step = (label - FIVED_PROMOTIONS) % FIVED_PROMOTION_STEPS;
        rank = 1 + (label - FIVED_PROMOTIONS) / FIVED_PROMOTION_STEPS;
        s = (step4){{step % 3 - 1, 1, step / 3 % 3 - 1, step / 9 - 1}};
    } else {
        s = label_step(label);
    }
    fived_v_to_tc(fived_position_timeline(p, l)->end, &t, &c);
    fived_location from = {l, t, place % 8, relative_y(p, p->side, place % 64 / 8)};
    fived_location to = {l + sign * s.at[3], t + s.at[2], from.x + s.at[0],
                         from.y + sign * s.at[1]};
    const fived_board *board = fived_position_board(p, l, fived_position_timeline(p, l)->end);
    int last = p->side ? 0 : p->height - 1;
    if (!board || from.y < 0 || from.y >= p->height)
        return PLY_MOVE_NONE;
    fived_kind kind = fived_piece_kind(board->square[from.x + 8 * from.y]);
    bool promotes = (fived_kind_sets[kind] >> FIVED_PAWNS & 1) && to.y == last;
    return fived_move_make(from, to, promotes ? (int)promotion_at(p, rank) : 0);
}

typedef struct wanted_action {
    const ply_rules *rules;
    const fived_position *position;
    uint32_t action;
    ply_move move;
} wanted_action;

static bool find_action(void *context, ply_move move)
{
    wanted_action *wanted = context;
    if (action_of(wanted->rules, wanted->position, move) == wanted->action)
        wanted->move = move;
    return wanted->move == PLY_MOVE_NONE;
}

static ply_move action_move(const ply_rules *rules, const void *position, uint32_t action)
{
    wanted_action wanted = {rules, position, action, PLY_MOVE_NONE};
    if (action < fived_action_count(rules))
        fived_each_move(rules, position, find_action, &wanted);
    return wanted.move;
}

typedef struct mask_writer {
    const ply_rules *rules;
    const fived_position *position;
    uint64_t *bits;
    size_t count;
} mask_writer;

static bool add_action(void *context, ply_move move)
{
    mask_writer *w = context;
    uint32_t action = action_of(w->rules, w->position, move);
    if (action != PLY_ACTION_NONE) {
        w->bits[action / 64] |= (uint64_t)1 << action % 64;
        w->count++;
    }
    return true;
}

static size_t mask(const ply_rules *rules, const void *position, uint64_t *bits)
{
    mask_writer writer = {rules, position, bits, 0};
    memset(bits, 0, (fived_action_count(rules) + 63) / 64 * sizeof bits[0]);
    fived_each_move(rules, position, add_action, &writer);
    return writer.count;
}

static ply_status step(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                       ply_undo *undo)
{
    *move = move_of(rules, position, action);
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
    .action = action_of,
    .action_move = action_move,
    .mask = mask,
    .step = step,
};
