/*
 * evaluate.c - a first judgement: what stands on the boards that can still be played on.
 *
 * Every line's last board counts with its pieces, an inactive line for less; being allowed to make
 * more active lines than the other counts too, since such a line can move the present. Meant to
 * order moves and to give search a direction, not to be right.
 */
#include "games/fived/fived.h"

/* In hundredths of a pawn. Pieces of many axes gain with every line and turn there is. */
static const int32_t values[16] = {
    [FIVED_PAWN] = 100,        [FIVED_BRAWN] = 150,        [FIVED_KNIGHT] = 350,
    [FIVED_BISHOP] = 500,      [FIVED_ROOK] = 400,         [FIVED_UNICORN] = 400,
    [FIVED_DRAGON] = 300,      [FIVED_PRINCESS] = 900,     [FIVED_QUEEN] = 1500,
    [FIVED_COMMON_KING] = 600, [FIVED_ROYAL_QUEEN] = 1200,
};

enum { LINE_TO_SPARE = 120 };

static int32_t board_value(const fived_board *b)
{
    int32_t value = 0;
    for (int side = 0; side < 2; side++)
        for (uint64_t pieces = b->colour[side]; pieces; pieces &= pieces - 1) {
            int32_t worth = values[fived_piece_kind(b->square[ply_lowest(pieces)])];
            value += side ? -worth : worth;
        }
    return value;
}

int32_t fived_evaluate(const ply_rules *rules, const void *position)
{
    (void)rules;
    const fived_position *p = position;
    int white = p->hi - p->hi0, black = p->lo0 - p->lo, lo, hi;
    int64_t value = 0;
    fived_active_range(p, white, black, &lo, &hi);
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_line *line = fived_position_line(p, l);
        int32_t here = board_value(line->row[line->end - line->start]);
        value += l >= lo && l <= hi ? here : here / 2;
    }
    value /= p->hi - p->lo + 1;
    int spare = black - white; /* how many more lines of White's would be active than of Black's */
    spare = spare > 3 ? 3 : spare < -3 ? -3 : spare;
    value += LINE_TO_SPARE * spare;
    return (int32_t)(p->side ? -value : value);
}

static fived_piece piece_at(const fived_position *p, fived_spot spot)
{
    const fived_board *b = fived_position_board(p, spot.l, fived_tc_to_v(spot.t, p->side));
    return b->square[spot.x + 8 * spot.y];
}

bool fived_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    if (move == FIVED_SUBMIT)
        return false;
    return piece_at(position, fived_move_to(move)) != 0 || fived_move_becomes(move);
}

void fived_order(const ply_rules *rules, const void *position, const ply_move *moves, size_t count,
                 int32_t *scores)
{
    (void)rules;
    const fived_position *p = position;
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == FIVED_SUBMIT) {
            scores[i] = 50; /* rather than a quiet move more */
            continue;
        }
        int32_t taken = values[fived_piece_kind(piece_at(p, fived_move_to(moves[i])))];
        int32_t mover = values[fived_piece_kind(piece_at(p, fived_move_from(moves[i])))];
        scores[i] = taken ? 1000 + 8 * taken - mover : 0;
        if (fived_move_becomes(moves[i]))
            scores[i] += values[fived_move_becomes(moves[i])];
        if (fived_move_type_of(p, moves[i]) == FIVED_BRANCH)
            scores[i] -= 100;
    }
}
