/* SPDX-License-Identifier: MIT */
/*
 * move_order.c - which moves to try first, which are noisy, and what an exchange is worth.
 *
 * Values are hundredths of a pawn and those of the evaluation. A captured piece changes hands, so
 * taking it is worth what it was on the board to the other player and what it is in one's own hand.
 */
#include "games/shogi/eval/weights.h"
#include "games/shogi/rules/attacks.h"
#include "games/shogi/rules/make_move.h"
#include "games/shogi/shogi.h"

enum { ORDER_CHECK = 3000, ORDER_NEAR = 200, ORDER_CAPTURE = 1000, ORDER_PROMOTION = 500 };

static int32_t board_value(int code)
{
    return shogi_weights[SHOGI_WEIGHT_BOARD + (code & 15)];
}

/* What taking a piece is worth. */
static int32_t capture_value(int code)
{
    return board_value(code) + shogi_weights[SHOGI_WEIGHT_HAND + (code & SHOGI_CODE_KIND)];
}

static int32_t promotion_value(int code)
{
    return board_value(code | SHOGI_CODE_PROMOTED) - board_value(code);
}

bool shogi_mover_in_check(const ply_rules *rules, const void *position)
{
    (void)rules;
    const shogi_position *p = position;
    return shogi_in_check(p, p->side);
}

bool shogi_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    return !shogi_move_is_drop(move) &&
           (p->board[shogi_move_to(move)] != SHOGI_CODE_EMPTY || shogi_move_promotes(move));
}

size_t shogi_noisy_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->noisy(position, out);
}

/* What the order of quiet moves looks at. */
typedef struct order_maps {
    shogi_set theirs, ours, by_pawns;  /* squares that are attacked */
    shogi_set ring;                    /* around the enemy king */
    shogi_set checking[SHOGI_CLASSES]; /* whence each class would give check */
} order_maps;

static void find_maps(order_maps *maps, const shogi_position *p)
{
    int us = p->side, them = !us, king = shogi_king(p, them);
    shogi_set occupied = p->colour[0] | p->colour[1];
    shogi_set straight = rook_attacks(king, occupied), slanted = bishop_attacks(king, occupied);
    maps->theirs = shogi_attacks(p, them);
    maps->ours = shogi_attacks(p, us);
    maps->by_pawns = set_step(p->colour[them] & p->by[SHOGI_PAWN], forward_of(them));
    maps->ring = shogi_reach[0][SHOGI_KING][king];
    for (int class = 0; class < SHOGI_CLASSES; class ++)
        maps->checking[class] = shogi_reach[them][class][king];
    maps->checking[SHOGI_LANCE] &= straight;
    maps->checking[SHOGI_ROOK] = straight;
    maps->checking[SHOGI_BISHOP] = slanted;
    maps->checking[SHOGI_DRAGON] = straight | maps->ring;
    maps->checking[SHOGI_HORSE] = slanted | maps->ring;
    maps->checking[SHOGI_KING] = 0;
}

/*
 * A quiet move: checks first, then what does not hang. A piece that goes where it can be taken is
 * worth trying late, all the more if nothing of ours looks there.
 */
static int32_t quiet_order(const shogi_position *p, const order_maps *maps, ply_move move)
{
    int to = shogi_move_to(move), from = shogi_move_from(move);
    bool drop = shogi_move_is_drop(move);
    int code = drop ? from : p->board[from], class = shogi_code_class(code);
    int32_t score = set_has(maps->ring, to) ? ORDER_NEAR : 0, value = board_value(code);
    if (set_has(maps->checking[class], to))
        score += ORDER_CHECK;
    if (class == SHOGI_KING)
        return score;
    if (set_has(maps->by_pawns, to))
        score -= 3 * value;
    else if (set_has(maps->theirs, to))
        score -= set_has(maps->ours, to) ? value : 3 * value;
    if (!drop && (set_has(maps->by_pawns, from) ||
                  (set_has(maps->theirs, from) && !set_has(maps->ours, from))))
        score += 2 * value;
    return score;
}

/* Captures by what they take and with what; search puts them before the quiet moves. */
void shogi_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                       size_t count, int32_t *scores)
{
    const shogi_position *p = position;
    order_maps maps;
    bool ready = false; /* quiet search needs no maps */
    for (size_t i = 0; i < count; i++) {
        ply_move move = moves[i];
        if (!shogi_is_noisy(rules, p, move)) {
            if (!ready)
                find_maps(&maps, p);
            ready = true;
            scores[i] = quiet_order(p, &maps, move);
            continue;
        }
        int code = p->board[shogi_move_from(move)], captured = p->board[shogi_move_to(move)];
        int32_t score = 0;
        if (captured != SHOGI_CODE_EMPTY)
            score += ORDER_CAPTURE + 8 * capture_value(captured) - board_value(code) / 16;
        if (shogi_move_promotes(move))
            score += ORDER_PROMOTION + 2 * promotion_value(code);
        scores[i] = score;
    }
}

/* The one of a set of pieces of one class that costs least when it is taken. */
static int least_taken(const shogi_position *p, shogi_set pieces)
{
    int best = set_first(pieces);
    for (shogi_set rest = pieces & (pieces - 1); rest; rest &= rest - 1)
        if (capture_value(p->board[set_first(rest)]) < capture_value(p->board[best]))
            best = set_first(rest);
    return best;
}

/* The cheapest of a set of pieces; those that move like gold may be promoted pawns. */
static int cheapest(const shogi_position *p, shogi_set pieces)
{
    static const uint8_t by_worth[SHOGI_CLASSES] = {
        SHOGI_PAWN,   SHOGI_LANCE, SHOGI_KNIGHT, SHOGI_SILVER, SHOGI_GOLD,
        SHOGI_BISHOP, SHOGI_ROOK,  SHOGI_HORSE,  SHOGI_DRAGON, SHOGI_KING,
    };
    for (int i = 0; i < SHOGI_CLASSES - 1; i++)
        if (pieces & p->by[by_worth[i]])
            return least_taken(p, pieces & p->by[by_worth[i]]);
    return set_first(pieces);
}

int32_t shogi_see(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    int to = shogi_move_to(move), side = p->side, on_square;
    shogi_set occupied = p->colour[0] | p->colour[1];
    int32_t gain[SHOGI_PIECES + 1];
    int depth = 0;
    gain[0] = p->board[to] == SHOGI_CODE_EMPTY ? 0 : capture_value(p->board[to]);
    if (shogi_move_is_drop(move)) {
        on_square = shogi_move_from(move);
        occupied |= set_of(to);
    } else {
        on_square = p->board[shogi_move_from(move)];
        occupied = (occupied & ~set_of(shogi_move_from(move))) | set_of(to);
        if (shogi_move_promotes(move)) {
            gain[0] += promotion_value(on_square);
            on_square |= SHOGI_CODE_PROMOTED;
        }
    }
    for (;;) {
        side = !side;
        shogi_set takers = attackers_of(p, side, to, occupied) & occupied & ~set_of(to);
        if (!takers || depth == SHOGI_PIECES)
            break;
        int from = cheapest(p, takers), code = p->board[from];
        /* The king takes only what nothing defends. */
        if ((code & 15) == SHOGI_KING &&
            (attackers_of(p, !side, to, occupied & ~set_of(from)) & occupied & ~set_of(to)))
            break;
        depth++;
        gain[depth] = capture_value(on_square) - gain[depth - 1];
        on_square = code;
        occupied &= ~set_of(from);
    }
    for (; depth > 0; depth--)
        if (gain[depth] > -gain[depth - 1])
            gain[depth - 1] = -gain[depth];
    return gain[0];
}

bool shogi_gives_check(const shogi_position *p, ply_move move)
{
    shogi_position after = *p;
    play_move(&after, p->side, (unsigned)move, false);
    return shogi_in_check(&after, !p->side);
}
