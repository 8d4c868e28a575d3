/*
 * value.c - how good a position is at a glance, which moves to try first, and what an exchange is
 * worth.
 *
 * Values are hundredths of a pawn. A captured piece changes hands, so taking it is worth what it
 * was on the board to the other player and what it will be in one's own hand.
 */
#include "games/shogi/attacks.h"
#include "games/shogi/play.h"
#include "games/shogi/shogi.h"

/* By code & 15: P L N S B R G K, then promoted. */
static const int16_t board_value[16] = {100, 300, 330, 480, 760,  900,  540, 15000,
                                        540, 520, 530, 540, 1000, 1200, 0,   0};
static const int16_t hand_value[SHOGI_KINDS] = {115, 330, 360, 510, 820, 980, 580, 0};

/* Points of danger by how many squares around a king the other player attacks or holds. */
static const int16_t ring_danger[9] = {0, 10, 28, 55, 90, 130, 175, 225, 280};

static int32_t material(const shogi_position *p, int colour)
{
    int32_t total = 0;
    for (shogi_set s = p->colour[colour] & ~p->by[SHOGI_KING]; s; s &= s - 1)
        total += board_value[p->board[set_first(s)] & 15];
    for (int kind = 0; kind < SHOGI_KING; kind++)
        total += (int32_t)shogi_hand_count(p->hand[colour], kind) * hand_value[kind];
    return total;
}

/* What the other player's attacks around the king cost a player. */
static int32_t king_danger_value(const shogi_position *p, int colour, const shogi_set attacks[2])
{
    int king = shogi_king(p, colour);
    shogi_set ring = shogi_reach[colour][SHOGI_KING][king];
    shogi_set bare = ring & attacks[!colour] & ~attacks[colour];
    return ring_danger[set_count(ring & attacks[!colour])] + 12 * (int32_t)set_count(bare);
}

int32_t shogi_evaluate(const ply_rules *rules, const void *position)
{
    (void)rules;
    const shogi_position *p = position;
    const shogi_set attacks[2] = {shogi_attacks(p, SHOGI_BLACK), shogi_attacks(p, SHOGI_WHITE)};
    int us = p->side;
    int32_t value = material(p, us) - material(p, !us);
    value += king_danger_value(p, !us, attacks) - king_danger_value(p, us, attacks);
    value += 3 * ((int32_t)set_count(attacks[us]) - (int32_t)set_count(attacks[!us]));
    return value + 30; /* the move */
}

/* What taking a piece is worth. */
static int32_t capture_value(int code)
{
    return board_value[code & 15] + hand_value[code & SHOGI_CODE_KIND];
}

static int32_t promotion_value(int code)
{
    return board_value[(code & 15) | SHOGI_CODE_PROMOTED] - board_value[code & 15];
}

bool shogi_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    return !shogi_move_is_drop(move) &&
           (p->board[shogi_move_to(move)] != SHOGI_CODE_EMPTY || shogi_move_promotes(move));
}

void shogi_order(const ply_rules *rules, const void *position, const ply_move *moves, size_t count,
                 int32_t *scores)
{
    (void)rules;
    const shogi_position *p = position;
    shogi_set ring = shogi_reach[0][SHOGI_KING][shogi_king(p, !p->side)];
    for (size_t i = 0; i < count; i++) {
        ply_move move = moves[i];
        int to = shogi_move_to(move), captured = p->board[to];
        int32_t score = set_has(ring, to) ? 40 : 0;
        if (!shogi_move_is_drop(move)) {
            int code = p->board[shogi_move_from(move)];
            if (captured != SHOGI_CODE_EMPTY)
                score += 1000 + 8 * capture_value(captured) - board_value[code & 15] / 16;
            if (shogi_move_promotes(move))
                score += 500 + 2 * promotion_value(code);
        }
        scores[i] = score;
    }
}

/* The cheapest of a set of pieces. */
static int cheapest(const shogi_position *p, shogi_set pieces)
{
    int best = set_first(pieces);
    for (shogi_set s = pieces & (pieces - 1); s; s &= s - 1) {
        int at = set_first(s);
        if (board_value[p->board[at] & 15] < board_value[p->board[best] & 15])
            best = at;
    }
    return best;
}

int32_t shogi_exchange(const shogi_position *p, ply_move move)
{
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
