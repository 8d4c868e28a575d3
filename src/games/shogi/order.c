/*
 * order.c - which moves to try first, which are noisy, and what an exchange is worth.
 *
 * Values are hundredths of a pawn and those of the evaluation. A captured piece changes hands, so
 * taking it is worth what it was on the board to the other player and what it is in one's own hand.
 */
#include "games/shogi/attacks.h"
#include "games/shogi/play.h"
#include "games/shogi/shogi.h"
#include "games/shogi/value.h"

enum { ORDER_CHECK = 3000, ORDER_CAPTURE = 1000, ORDER_PROMOTION = 500 };

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

bool shogi_threatened(const ply_rules *rules, const void *position)
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

size_t shogi_noisy(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->noisy(position, out);
}

/* Squares from which each class would give check to the king of the player not to move. */
static void find_checking(const shogi_position *p, shogi_set checking[SHOGI_CLASSES])
{
    int them = !p->side, king = shogi_king(p, them);
    shogi_set occupied = p->colour[0] | p->colour[1];
    shogi_set straight = rook_attacks(king, occupied), slanted = bishop_attacks(king, occupied);
    for (int class = 0; class < SHOGI_CLASSES; class ++)
        checking[class] = shogi_reach[them][class][king];
    checking[SHOGI_LANCE] &= straight;
    checking[SHOGI_ROOK] = straight;
    checking[SHOGI_BISHOP] = slanted;
    checking[SHOGI_DRAGON] = straight | shogi_reach[0][SHOGI_KING][king];
    checking[SHOGI_HORSE] = slanted | shogi_reach[0][SHOGI_KING][king];
    checking[SHOGI_KING] = 0;
}

/*
 * Captures by what they take and with what, then checks, then what does not hang. A piece that goes
 * where it can be taken is worth trying late, all the more if nothing of ours looks there.
 */
void shogi_order(const ply_rules *rules, const void *position, const ply_move *moves, size_t count,
                 int32_t *scores)
{
    (void)rules;
    const shogi_position *p = position;
    int us = p->side;
    shogi_set theirs = shogi_attacks(p, !us), ours = shogi_attacks(p, us);
    shogi_set by_pawns = set_step(p->colour[!us] & p->by[SHOGI_PAWN], forward_of(!us));
    shogi_set ring = shogi_reach[0][SHOGI_KING][shogi_king(p, !us)];
    shogi_set checking[SHOGI_CLASSES];
    find_checking(p, checking);
    for (size_t i = 0; i < count; i++) {
        ply_move move = moves[i];
        int to = shogi_move_to(move), from = shogi_move_from(move), captured = p->board[to];
        bool drop = shogi_move_is_drop(move);
        int code = drop ? from : p->board[from];
        int after = shogi_move_promotes(move) ? code | SHOGI_CODE_PROMOTED : code;
        int32_t score = set_has(ring, to) ? 200 : 0;
        if (captured != SHOGI_CODE_EMPTY)
            score += ORDER_CAPTURE + 8 * capture_value(captured) - board_value(code) / 16;
        if (shogi_move_promotes(move))
            score += ORDER_PROMOTION + 2 * promotion_value(code);
        if (set_has(checking[shogi_code_class(after)], to))
            score += ORDER_CHECK;
        if ((code & 15) != SHOGI_KING) {
            if (set_has(by_pawns, to))
                score -= 3 * board_value(after);
            else if (set_has(theirs, to))
                score -= set_has(ours, to) ? board_value(after) : 3 * board_value(after);
            if (!drop && set_has(theirs, from) && (set_has(by_pawns, from) || !set_has(ours, from)))
                score += 2 * board_value(code);
        }
        scores[i] = score;
    }
}

/* The cheapest of a set of pieces. */
static int cheapest(const shogi_position *p, shogi_set pieces)
{
    static const uint8_t by_worth[SHOGI_CLASSES] = {
        SHOGI_PAWN,   SHOGI_LANCE, SHOGI_KNIGHT, SHOGI_SILVER, SHOGI_GOLD,
        SHOGI_BISHOP, SHOGI_ROOK,  SHOGI_HORSE,  SHOGI_DRAGON, SHOGI_KING,
    };
    for (int i = 0; i < SHOGI_CLASSES - 1; i++)
        if (pieces & p->by[by_worth[i]])
            return set_first(pieces & p->by[by_worth[i]]);
    return set_first(pieces);
}

int32_t shogi_exchange(const ply_rules *rules, const void *position, ply_move move)
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
