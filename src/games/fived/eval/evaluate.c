/* SPDX-License-Identifier: MIT */
/*
 * evaluate.c - the static evaluation, a weighted sum of features.
 *
 * It looks at the boards at the ends of the timelines, where the next moves are made:
 *
 *     material      by kind, on active and on inactive timelines; pieces that move in many
 *                   dimensions gain with every further timeline and turn
 *     placement     pieces near the centre, advanced pawns, own pieces next to the king; squares that
 *                   pieces attack on their board, all and those around the enemy king
 *     exposure      squares from which a slider would give check across time and timelines, and those
 *                   that a queen or a knight can reach
 *     kings         squares around enemy royal pieces that the player to move attacks from other
 *                   boards and times
 *     timelines     how many more timelines the player may still make active than the enemy
 *     the present   boards that must be played (a burden) and boards that may be played
 *
 * Sums over boards are divided by the number of timelines plus one, so that a position does not get
 * better by being copied. The weights are set by hand; docs/tuning.md reports what fitting them
 * gave.
 */
#include "games/fived/turns/multiverse_view.h"

enum {
    INACTIVE = FIVED_KINDS - 1, /* weights of kinds on active timelines, then on inactive ones */
    CENTRE = 2 * INACTIVE,
    PAWN_STEPS,
    SHIELD,
    MOBILITY,
    KING_NEAR,
    EXPOSURE,
    QUEEN_CHECKS,
    KNIGHT_CHECKS,
    KING_RING,
    SPARE,
    DUE,
    OPTIONAL,
    TEMPO,
    WEIGHTS,
};
_Static_assert((int)WEIGHTS == (int)FIVED_WEIGHTS, "see FIVED_WEIGHTS in fived.h");

/* The weight number of a kind; kinds begin with 1. */
#define KIND(kind) [(kind)-1]
#define IDLE_KIND(kind) [INACTIVE + (kind)-1]

const int16_t fived_weights[WEIGHTS] = {
#include "games/fived/eval/weights.inc"
};

const char *const fived_weight_names[WEIGHTS] = {
    KIND(FIVED_PAWN) = "pawn",
    KIND(FIVED_BRAWN) = "brawn",
    KIND(FIVED_KNIGHT) = "knight",
    KIND(FIVED_BISHOP) = "bishop",
    KIND(FIVED_ROOK) = "rook",
    KIND(FIVED_UNICORN) = "unicorn",
    KIND(FIVED_DRAGON) = "dragon",
    KIND(FIVED_PRINCESS) = "princess",
    KIND(FIVED_QUEEN) = "queen",
    KIND(FIVED_KING) = "king",
    KIND(FIVED_COMMON_KING) = "common_king",
    KIND(FIVED_ROYAL_QUEEN) = "royal_queen",
    IDLE_KIND(FIVED_PAWN) = "idle_pawn",
    IDLE_KIND(FIVED_BRAWN) = "idle_brawn",
    IDLE_KIND(FIVED_KNIGHT) = "idle_knight",
    IDLE_KIND(FIVED_BISHOP) = "idle_bishop",
    IDLE_KIND(FIVED_ROOK) = "idle_rook",
    IDLE_KIND(FIVED_UNICORN) = "idle_unicorn",
    IDLE_KIND(FIVED_DRAGON) = "idle_dragon",
    IDLE_KIND(FIVED_PRINCESS) = "idle_princess",
    IDLE_KIND(FIVED_QUEEN) = "idle_queen",
    IDLE_KIND(FIVED_KING) = "idle_king",
    IDLE_KIND(FIVED_COMMON_KING) = "idle_common_king",
    IDLE_KIND(FIVED_ROYAL_QUEEN) = "idle_royal_queen",
    [CENTRE] = "centre",
    [PAWN_STEPS] = "pawn_steps",
    [SHIELD] = "shield",
    [MOBILITY] = "mobility",
    [KING_NEAR] = "king_near",
    [EXPOSURE] = "exposure",
    [QUEEN_CHECKS] = "queen_checks",
    [KNIGHT_CHECKS] = "knight_checks",
    [KING_RING] = "king_ring",
    [SPARE] = "spare_lines",
    [DUE] = "boards_due",
    [OPTIONAL] = "boards_optional",
    [TEMPO] = "tempo",
};

static uint64_t around(uint64_t squares)
{
    uint64_t row = squares | fived_shifted(squares, 1, 0) | fived_shifted(squares, -1, 0);
    return row | fived_shifted(row, 0, 1) | fived_shifted(row, 0, -1);
}

/* How close a square is to the centre of the board; 0 in a corner. */
static int centrality(const fived_position *p, int square)
{
    int x = square & 7, y = square >> 3, rx = p->width - 1 - x, ry = p->height - 1 - y;
    return (x < rx ? x : rx) + (y < ry ? y : ry);
}

int fived_square_value(const fived_position *p, fived_piece piece, int square)
{
    fived_kind kind = fived_piece_kind(piece);
    if (kind == FIVED_PAWN || kind == FIVED_BRAWN)
        return fived_weights[PAWN_STEPS] *
               (piece & FIVED_BLACK ? p->height - 1 - (square >> 3) : square >> 3);
    return kind == FIVED_KING ? 0 : fived_weights[CENTRE] * centrality(p, square);
}

int fived_kind_value(fived_kind kind)
{
    return kind == FIVED_NONE ? 0 : fived_weights[kind - 1];
}

/* Squares that sliders reach in one direction, captures included. */
static uint64_t slides(uint64_t sliders, uint64_t occupied, int x, int y)
{
    const fived_shift *shift = &fived_shifts[y + 2][x + 2];
    uint64_t found = 0;
    for (uint64_t ray = fived_shift_by(sliders, shift); ray;
         ray = fived_shift_by(ray & ~occupied, shift))
        found |= ray;
    return found;
}

static uint64_t straight_slides(uint64_t sliders, uint64_t occupied)
{
    return slides(sliders, occupied, 1, 0) | slides(sliders, occupied, -1, 0) |
           slides(sliders, occupied, 0, 1) | slides(sliders, occupied, 0, -1);
}

static uint64_t diagonal_slides(uint64_t sliders, uint64_t occupied)
{
    return slides(sliders, occupied, 1, 1) | slides(sliders, occupied, -1, 1) |
           slides(sliders, occupied, 1, -1) | slides(sliders, occupied, -1, -1);
}

static uint64_t leaps(uint64_t knights)
{
    uint64_t found = 0;
    for (int far = -2; far <= 2; far += 4)
        for (int near = -1; near <= 1; near += 2)
            found |= fived_shifted(knights, far, near) | fived_shifted(knights, near, far);
    return found;
}

/* Squares that knights and sliders of a player attack on their own board. */
static uint64_t piece_attacks(const fived_board *b, int side)
{
    uint64_t pieces = b->colour[side], occupied = fived_board_occupied(b);
    return straight_slides(b->set[FIVED_SLIDERS_1] & pieces, occupied) |
           diagonal_slides(b->set[FIVED_SLIDERS_2] & pieces, occupied) |
           leaps(b->set[FIVED_LEAPERS] & pieces);
}

/* Adds the features of a board; White counts positive. */
static void count_board(const fived_position *p, const fived_board *b, bool active, int32_t *sums)
{
    for (int side = 0; side < 2; side++) {
        int sign = side ? -1 : 1;
        for (uint64_t pieces = b->colour[side]; pieces; pieces &= pieces - 1) {
            int square = ply_lowest(pieces);
            fived_kind kind = fived_piece_kind(b->square[square]);
            sums[(active ? 0 : INACTIVE) + (int)kind - 1] += sign;
            if (kind == FIVED_PAWN || kind == FIVED_BRAWN)
                sums[PAWN_STEPS] += sign * (side ? p->height - 1 - (square >> 3) : square >> 3);
            else if (kind != FIVED_KING)
                sums[CENTRE] += sign * centrality(p, square);
        }
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[side];
        sums[SHIELD] += sign * ply_popcount(around(royals) & ~royals & b->colour[side]);
        uint64_t attacks = piece_attacks(b, side) & p->valid;
        uint64_t targets = b->set[FIVED_ROYALS] & b->colour[!side];
        sums[MOBILITY] += sign * ply_popcount(attacks & ~b->colour[side]);
        sums[KING_NEAR] += sign * ply_popcount(around(targets) & attacks);
    }
}

/*
 * How exposed royal pieces are to sliders and knights on the end boards: squares from which these
 * would hit a royal piece on another board when their player is to move there next, and how many of
 * these squares a queen or a knight can reach now. White counts positive.
 */
static void count_checks(const fived_position *p, fived_view *w, int32_t *sums)
{
    for (int side = 0; side < 2; side++) {
        int sign = side ? -1 : 1;
        w->side = !side;
        for (int i = 0; i < w->count; i++) {
            const fived_view_timeline *timeline = &w->timelines[i];
            const fived_board *b = timeline->boards[timeline->end - timeline->start];
            int v = timeline->end + ((timeline->end & 1) == side ? 2 : 1);
            uint64_t occupied = fived_board_occupied(b), mine = b->colour[side];
            uint64_t checks = fived_view_queen_checks(w, p->lo + i, v) & ~mine;
            uint64_t queens = b->set[FIVED_SLIDERS_1] & b->set[FIVED_SLIDERS_3] & mine;
            uint64_t knights = b->set[FIVED_LEAPERS] & mine;
            sums[EXPOSURE] += sign * ply_popcount(checks & ~occupied);
            sums[QUEEN_CHECKS] += sign * ply_popcount(checks & (straight_slides(queens, occupied) |
                                                                diagonal_slides(queens, occupied)));
            if (knights)
                sums[KNIGHT_CHECKS] +=
                    sign * ply_popcount(leaps(knights) & ~mine & p->valid &
                                        fived_view_knight_checks(w, p->lo + i, v));
        }
    }
}

/* Squares around enemy royal pieces that the player to move attacks from other boards. */
static int32_t count_ring(const fived_position *p, fived_view *w)
{
    int32_t ring = 0, boards = 0;
    for (int i = 0; i < w->count; i++)
        boards += (w->timelines[i].end & 1) == p->side;
    if (boards < 2)
        return 0;       /* the player has no other board to attack from */
    w->side = !p->side; /* whose royal pieces are attacked */
    for (int i = 0; i < w->count; i++) {
        const fived_view_timeline *timeline = &w->timelines[i];
        const fived_board *b = timeline->boards[timeline->end - timeline->start];
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[!p->side];
        if ((timeline->end & 1) == p->side && royals)
            ring += ply_popcount(around(royals) & fived_view_attacked(w, p->lo + i, timeline->end));
    }
    return ring;
}

enum { VIEW_TIMELINES = 64 }; /* with more, attacks from other boards are not counted */

/* Features of attacks from board to board. Returns the attack on kings by the player to move. */
static int32_t count_view(const fived_position *p, int32_t *sums)
{
    fived_view_timeline timelines[VIEW_TIMELINES];
    int count = p->hi - p->lo + 1;
    if (count > VIEW_TIMELINES)
        return 0;
    fived_view w = {.timelines = timelines, .base = p->lo, .count = count, .valid = p->valid};
    for (int i = 0; i < count; i++) {
        const fived_timeline *timeline = fived_position_timeline(p, p->lo + i);
        timelines[i] = (fived_view_timeline){
            .boards = timeline->boards, .start = timeline->start, .end = timeline->end};
    }
    count_checks(p, &w, sums);
    return count_ring(p, &w);
}

enum { SPARE_LIMIT = 3 };

size_t fived_terms(const ply_rules *rules, const void *position, ply_term *out)
{
    (void)rules;
    const fived_position *p = position;
    int32_t sums[WEIGHTS] = {0};
    int white = p->hi - p->start_hi, black = p->start_lo - p->lo, lo, hi, present = FIVED_NOWHERE;
    int count = p->hi - p->lo + 1, sign = p->side ? -1 : 1;
    fived_active_range(p, white, black, &lo, &hi);
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        bool active = l >= lo && l <= hi;
        count_board(p, timeline->boards[timeline->end - timeline->start], active, sums);
        if (active && timeline->end < present)
            present = timeline->end;
    }
    int32_t ring = count_view(p, sums);
    for (int i = 0; i < SPARE; i++)
        sums[i] = sums[i] * sign * (2 * PLY_TERM_ONE) / (count + 1);
    sums[KING_RING] = ring * (2 * PLY_TERM_ONE) / (count + 1);
    int spare = (black - white) * sign;
    spare = spare > SPARE_LIMIT ? SPARE_LIMIT : spare < -SPARE_LIMIT ? -SPARE_LIMIT : spare;
    sums[SPARE] = spare * PLY_TERM_ONE;
    for (int l = p->lo; l <= p->hi; l++) {
        int end = fived_position_timeline(p, l)->end;
        if ((end & 1) != p->side)
            continue;
        bool due = l >= lo && l <= hi && end == present;
        sums[due ? DUE : OPTIONAL] += PLY_TERM_ONE;
    }
    sums[TEMPO] = PLY_TERM_ONE;
    size_t terms = 0;
    for (uint32_t i = 0; i < WEIGHTS; i++)
        if (sums[i])
            out[terms++] = (ply_term){.index = i, .count = sums[i]};
    return terms;
}

int32_t fived_evaluate(const ply_rules *rules, const void *position)
{
    ply_term terms[WEIGHTS];
    size_t count = fived_terms(rules, position, terms);
    int64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value += (int64_t)fived_weights[terms[i].index] * terms[i].count;
    return (int32_t)(value / PLY_TERM_ONE);
}

/* Move ordering. Submitting comes before another quiet move. */
enum { SUBMIT_SCORE = 50, CAPTURE_SCORE = 1000, BRANCH_PENALTY = 100 };

static fived_piece piece_at(const fived_position *p, fived_location spot)
{
    const fived_board *b = fived_position_board(p, spot.l, fived_tc_to_v(spot.t, p->side));
    return b->square[spot.x + 8 * spot.y];
}

/* The piece a move captures. En passant: a pawn moves sideways on its board to an empty square. */
static fived_piece captured_piece(const fived_position *p, ply_move move)
{
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    fived_piece taken = piece_at(p, to);
    fived_kind kind = fived_piece_kind(piece_at(p, from));
    if (taken || from.l != to.l || from.t != to.t || from.x == to.x ||
        (kind != FIVED_PAWN && kind != FIVED_BRAWN))
        return taken;
    to.y = from.y;
    return piece_at(p, to);
}

bool fived_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    if (move == FIVED_SUBMIT)
        return false;
    return captured_piece(position, move) != 0 || fived_move_promotion(move);
}

void fived_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                       size_t count, int32_t *scores)
{
    (void)rules;
    const fived_position *p = position;
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == FIVED_SUBMIT) {
            scores[i] = SUBMIT_SCORE;
            continue;
        }
        int32_t taken = fived_kind_value(fived_piece_kind(captured_piece(p, moves[i])));
        int32_t mover = fived_kind_value(fived_piece_kind(piece_at(p, fived_move_from(moves[i]))));
        scores[i] = taken ? CAPTURE_SCORE + 8 * taken - mover : 0;
        if (fived_move_promotion(moves[i]))
            scores[i] += fived_kind_value(fived_move_promotion(moves[i]));
        if (fived_move_type_of(p, moves[i]) == FIVED_BRANCH)
            scores[i] -= BRANCH_PENALTY;
    }
}
