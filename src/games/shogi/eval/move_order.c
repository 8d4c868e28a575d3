/* SPDX-License-Identifier: MIT */
/*
 * move_order.c - move ordering, noisy moves and static exchange evaluation (SEE).
 *
 * Values are hundredths of a pawn, taken from the weights of the evaluation. A captured piece
 * changes hands, so a capture gains its value on the board, which the opponent loses, plus its
 * value in our hand.
 */
#include "games/shogi/eval/weights.h"
#include "games/shogi/rules/attacks.h"
#include "games/shogi/rules/make_move.h"
#include "games/shogi/shogi.h"

enum { ORDER_CHECK = 3000, ORDER_NEAR_KING = 200, ORDER_CAPTURE = 1000, ORDER_PROMOTION = 500 };

static int32_t board_value(int code)
{
    return shogi_weights[SHOGI_WEIGHT_BOARD + (code & 15)];
}

/* The value of capturing a piece. */
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

/* What the ordering of quiet moves depends on. */
typedef struct attack_maps {
    shogi_set theirs, ours, by_pawns; /* attacked squares */
    shogi_set ring;                   /* the squares next to the enemy king */
    shogi_set checking[SHOGI_TYPES];  /* squares from which each type gives check */
} attack_maps;

static void find_attack_maps(attack_maps *maps, const shogi_position *p)
{
    int us = p->side, them = !us, king = shogi_king(p, them);
    shogi_set occupied = p->colour[0] | p->colour[1];
    shogi_set straight = rook_attacks(king, occupied), diagonal = bishop_attacks(king, occupied);
    maps->theirs = shogi_attacks(p, them);
    maps->ours = shogi_attacks(p, us);
    maps->by_pawns = set_step(p->colour[them] & p->by_type[SHOGI_PAWN], forward_of(them));
    maps->ring = shogi_pseudo_attacks[0][SHOGI_KING][king];
    for (int type = 0; type < SHOGI_TYPES; type++)
        maps->checking[type] = shogi_pseudo_attacks[them][type][king];
    maps->checking[SHOGI_LANCE] &= straight;
    maps->checking[SHOGI_ROOK] = straight;
    maps->checking[SHOGI_BISHOP] = diagonal;
    maps->checking[SHOGI_DRAGON] = straight | maps->ring;
    maps->checking[SHOGI_HORSE] = diagonal | maps->ring;
    maps->checking[SHOGI_KING] = 0;
}

/*
 * Checks come first, then moves that do not hang the piece. A move to an attacked square is tried
 * late, even more so if no piece of ours defends the square. A hanging piece gets a bonus for
 * leaving.
 */
static int32_t score_quiet_move(const shogi_position *p, const attack_maps *maps, ply_move move)
{
    int to = shogi_move_to(move), from = shogi_move_from(move);
    bool drop = shogi_move_is_drop(move);
    int code = drop ? from : p->board[from], type = shogi_code_type(code);
    int32_t score = set_has(maps->ring, to) ? ORDER_NEAR_KING : 0, value = board_value(code);
    if (set_has(maps->checking[type], to))
        score += ORDER_CHECK;
    if (type == SHOGI_KING)
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

/*
 * Noisy moves are ordered by the captured and the capturing piece. The search itself puts them
 * before the quiet moves.
 */
void shogi_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                       size_t count, int32_t *scores)
{
    const shogi_position *p = position;
    attack_maps maps;
    bool ready = false; /* qsearch scores only noisy moves and needs no maps */
    for (size_t i = 0; i < count; i++) {
        ply_move move = moves[i];
        if (!shogi_is_noisy(rules, p, move)) {
            if (!ready)
                find_attack_maps(&maps, p);
            ready = true;
            scores[i] = score_quiet_move(p, &maps, move);
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

/* Of a set of pieces of one type, the one that costs least to lose. */
static int cheapest_to_lose(const shogi_position *p, shogi_set pieces)
{
    int best = set_first(pieces);
    for (shogi_set rest = pieces & (pieces - 1); rest; rest &= rest - 1)
        if (capture_value(p->board[set_first(rest)]) < capture_value(p->board[best]))
            best = set_first(rest);
    return best;
}

/* The least valuable of a set of pieces. Pieces of type gold may be promoted pawns. */
static int least_valuable(const shogi_position *p, shogi_set pieces)
{
    static const uint8_t by_value[SHOGI_TYPES] = {
        SHOGI_PAWN,   SHOGI_LANCE, SHOGI_KNIGHT, SHOGI_SILVER, SHOGI_GOLD,
        SHOGI_BISHOP, SHOGI_ROOK,  SHOGI_HORSE,  SHOGI_DRAGON, SHOGI_KING,
    };
    for (int i = 0; i < SHOGI_TYPES - 1; i++)
        if (pieces & p->by_type[by_value[i]])
            return cheapest_to_lose(p, pieces & p->by_type[by_value[i]]);
    return set_first(pieces);
}

/*
 * Both sides capture on the target square with their least valuable piece in turn. gain[d] is the
 * balance after capture d for the side that makes it; the loop at the end lets each side stop when
 * going on would lose material.
 */
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
        shogi_set attackers = attackers_of(p, side, to, occupied) & occupied & ~set_of(to);
        if (!attackers || depth == SHOGI_PIECES)
            break;
        int from = least_valuable(p, attackers), code = p->board[from];
        /* A king can capture only an undefended piece. */
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

/*
 * A move gives check directly, with the piece as it stands after the move, or by opening the line
 * of another piece. Kings give no check themselves.
 */
bool shogi_gives_check(const shogi_position *p, ply_move move)
{
    int us = p->side, king = shogi_king(p, !us), to = shogi_move_to(move);
    int from = shogi_move_from(move);
    bool drop = shogi_move_is_drop(move);
    if (king == SHOGI_NO_SQUARE)
        return false;
    int code = drop ? from : p->board[from] | (shogi_move_promotes(move) ? SHOGI_CODE_PROMOTED : 0);
    int type = shogi_code_type(code);
    shogi_set occupied = p->colour[0] | p->colour[1] | set_of(to);
    if (!drop)
        occupied &= ~set_of(from);
    if (type != SHOGI_KING && set_has(shogi_pseudo_attacks[us][type][to], king) &&
        !(squares_between_any(to, king) & occupied))
        return true;
    if (drop || shogi_direction[king][from] >= SHOGI_DIRECTIONS)
        return false;
    shogi_set behind = shogi_rays[shogi_direction[king][from]][from];
    for (shogi_set s = aligned_sliders(p, us, king) & behind; s; s &= s - 1)
        if (!(squares_between(king, set_first(s)) & occupied))
            return true;
    return false;
}

bool shogi_is_check(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    return shogi_gives_check(position, move);
}

ply_move shogi_mate_in_one(const ply_rules *rules, void *position)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->mate_in_one(position);
}

/* The piece as it stands after the move, whether it was dropped, and the square it goes to. */
unsigned shogi_move_class(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    int to = shogi_move_to(move), from = shogi_move_from(move);
    int piece = shogi_move_is_drop(move)
                    ? 16 + from
                    : (p->board[from] & 15) | (shogi_move_promotes(move) ? SHOGI_CODE_PROMOTED : 0);
    int square = shogi_rank(to) * SHOGI_SIDE + shogi_column(to);
    return (unsigned)(piece * SHOGI_SIDE * SHOGI_SIDE + square);
}
