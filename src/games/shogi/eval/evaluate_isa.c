/* SPDX-License-Identifier: MIT */
/*
 * evaluate_isa.c - how good a position is at a glance: a sum of weights (weights.h), compiled once for
 * each instruction set.
 *
 * One body says which weights count; it is compiled to add them up and again to write them down as
 * terms for tuning. Everything comes from the sets of the position: two attack maps, the sliders'
 * reach on the way, then one pass over the pieces.
 */
#include "games/shogi/eval/weights.h"
#include "games/shogi/rules/attacks.h"

/* Where weights go: into a sum or, with out, into a list. */
typedef struct weight_sink {
    int32_t sum;
    ply_term *out;
} weight_sink;

SHOGI_INLINE void count_weight(weight_sink *sink, bool listed, int index, int times)
{
    if (!listed)
        sink->sum += shogi_weights[index] * times;
    else if (times)
        *sink->out++ = (ply_term){(uint32_t)index, times * PLY_TERM_ONE};
}

/* What a player's pieces look at. */
typedef struct value_view {
    int king;
    shogi_set ring;    /* the squares around the king */
    shogi_set attacks; /* of all pieces */
    shogi_set others;  /* of all but the king */
    int attackers;     /* pieces that look at the squares around the other king */
    int looks;         /* and how many squares they look at there, each piece for itself */
} value_view;

enum { STUCK_REACH = 2 };

SHOGI_INLINE void look(value_view *view, const shogi_position *p, int us)
{
    view->king = shogi_king(p, us);
    view->ring = shogi_reach[0][SHOGI_KING][view->king];
}

SHOGI_INLINE void add_reach(weight_sink *sink, bool listed, value_view *view, shogi_set to,
                            shogi_set enemy_ring, int row, int sign)
{
    int squares = (int)set_count(to);
    view->others |= to;
    view->attackers += (to & enemy_ring) != 0;
    view->looks += (int)set_count(to & enemy_ring);
    count_weight(sink, listed, SHOGI_WEIGHT_REACH + row, sign * squares);
    count_weight(sink, listed, SHOGI_WEIGHT_STUCK + row, squares <= STUCK_REACH ? sign : 0);
}

/* Attacks of a player, his attackers of the other king, and what his sliders reach. */
SHOGI_INLINE void find_attacks(weight_sink *sink, bool listed, value_view *view,
                               const value_view *enemy, const shogi_position *p, int us, int sign)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    view->others = 0;
    view->attackers = 0;
    view->looks = 0;
    static const uint8_t steppers[] = {SHOGI_PAWN, SHOGI_KNIGHT, SHOGI_SILVER, SHOGI_GOLD};
    for (int i = 0; i < 4; i++) {
        int class = steppers[i];
        for (shogi_set s = own & p->by[class] & shogi_near[us][class][enemy->king]; s; s &= s - 1) {
            view->attackers++;
            view->looks += (int)set_count(shogi_reach[us][class][set_first(s)] & enemy->ring);
        }
    }
    for (shogi_set s = own & p->by[SHOGI_LANCE]; s; s &= s - 1)
        add_reach(sink, listed, view, lance_attacks(us, set_first(s), occupied), enemy->ring, 0,
                  sign);
    for (shogi_set s = own & (p->by[SHOGI_BISHOP] | p->by[SHOGI_HORSE]); s; s &= s - 1) {
        int at = set_first(s), row = set_has(p->by[SHOGI_HORSE], at) ? 3 : 1;
        add_reach(sink, listed, view, bishop_attacks(at, occupied), enemy->ring, row, sign);
    }
    for (shogi_set s = own & (p->by[SHOGI_ROOK] | p->by[SHOGI_DRAGON]); s; s &= s - 1) {
        int at = set_first(s), row = set_has(p->by[SHOGI_DRAGON], at) ? 4 : 2;
        add_reach(sink, listed, view, rook_attacks(at, occupied), enemy->ring, row, sign);
    }
    view->others |= step_attacks_of(p, us, own & ~p->by[SHOGI_KING]);
    view->attacks = view->others | view->ring;
}

/* Every piece but the king: what it is, how far it is, where it stands beside the kings. */
SHOGI_INLINE void value_pieces(weight_sink *sink, bool listed, const value_view *view,
                               const value_view *enemy, const shogi_position *p, int us, int sign)
{
    const uint8_t *own_rows = shogi_around[us][view->king];
    const uint8_t *enemy_rows = shogi_around[us][enemy->king];
    for (shogi_set s = p->colour[us] & ~p->by[SHOGI_KING]; s; s &= s - 1) {
        int at = set_first(s), code = p->board[at] & 15, class = shogi_code_class(code);
        int rank = us == SHOGI_BLACK ? shogi_ranks[at] : 8 - shogi_ranks[at];
        count_weight(sink, listed, SHOGI_WEIGHT_BOARD + code, sign);
        count_weight(sink, listed, SHOGI_WEIGHT_RANK + class * 9 + rank, sign);
        count_weight(sink, listed, SHOGI_WEIGHT_OWN + class * SHOGI_AROUND + own_rows[at], sign);
        count_weight(sink, listed, SHOGI_WEIGHT_ENEMY + class * SHOGI_AROUND + enemy_rows[at],
                     sign);
    }
}

SHOGI_INLINE void value_hand(weight_sink *sink, bool listed, uint64_t hand, int sign)
{
    for (; hand; hand &= ~((uint64_t)0xFF << (ply_lowest(hand) & ~7))) {
        int kind = ply_lowest(hand) / 8;
        count_weight(sink, listed, SHOGI_WEIGHT_HAND + kind,
                     sign * (int)shogi_hand_count(hand, kind));
        count_weight(sink, listed, SHOGI_WEIGHT_FIRST + kind, sign);
    }
}

/* Where the king stands, and what the enemy has against it. */
SHOGI_INLINE void value_king(weight_sink *sink, bool listed, const value_view *view,
                             const value_view *enemy, const shogi_position *p, int us, int sign)
{
    if (view->king == SHOGI_NOWHERE)
        return;
    int rank = us == SHOGI_BLACK ? shogi_ranks[view->king] : 8 - shogi_ranks[view->king];
    int column = shogi_column(view->king), edge = column < 4 ? column : 8 - column;
    count_weight(sink, listed, SHOGI_WEIGHT_KING + rank * 5 + edge, sign);
    shogi_set touched = view->ring & enemy->attacks, unheld = view->ring & ~view->others;
    int weak = (int)set_count(touched & unheld);
    int open = (int)set_count(unheld & ~(p->colour[0] | p->colour[1]));
    int escapes = (int)set_count(view->ring & ~p->colour[us] & ~enemy->attacks);
    int looks = enemy->looks < SHOGI_STORM ? enemy->looks : SHOGI_STORM - 1;
    count_weight(sink, listed, SHOGI_WEIGHT_STORM + looks, sign);
    count_weight(sink, listed, SHOGI_WEIGHT_WEAK, sign * weak);
    count_weight(sink, listed, SHOGI_WEIGHT_PRESSURE, sign * weak * enemy->attackers);
    count_weight(sink, listed, SHOGI_WEIGHT_ESCAPES + escapes, sign);
    for (uint64_t hand = p->hand[!us]; hand && open;) {
        int kind = ply_lowest(hand) / 8;
        count_weight(sink, listed, SHOGI_WEIGHT_DROPS + kind,
                     sign * open * (int)shogi_hand_count(hand, kind));
        hand &= ~((uint64_t)0xFF << kind * 8);
    }
}

SHOGI_INLINE void value_trouble(weight_sink *sink, bool listed, const value_view *view,
                                const value_view *enemy, const shogi_position *p, int us, int sign)
{
    shogi_set own = p->colour[us] & ~p->by[SHOGI_KING];
    shogi_set by_pawns = set_step(p->colour[!us] & p->by[SHOGI_PAWN], forward_of(!us));
    for (shogi_set s = own & by_pawns; s; s &= s - 1)
        count_weight(sink, listed, SHOGI_WEIGHT_CHASED + shogi_code_class(p->board[set_first(s)]),
                     sign);
    for (shogi_set s = own & enemy->attacks & ~view->attacks; s; s &= s - 1)
        count_weight(sink, listed, SHOGI_WEIGHT_HANGING + shogi_code_class(p->board[set_first(s)]),
                     sign);
}

SHOGI_INLINE void value_all(weight_sink *sink, bool listed, const shogi_position *p)
{
    value_view views[2];
    look(&views[0], p, SHOGI_BLACK);
    look(&views[1], p, SHOGI_WHITE);
    int sign = p->side == SHOGI_BLACK ? 1 : -1;
    find_attacks(sink, listed, &views[0], &views[1], p, SHOGI_BLACK, sign);
    find_attacks(sink, listed, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    value_pieces(sink, listed, &views[0], &views[1], p, SHOGI_BLACK, sign);
    value_pieces(sink, listed, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    value_hand(sink, listed, p->hand[0], sign);
    value_hand(sink, listed, p->hand[1], -sign);
    value_king(sink, listed, &views[0], &views[1], p, SHOGI_BLACK, sign);
    value_king(sink, listed, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    value_trouble(sink, listed, &views[0], &views[1], p, SHOGI_BLACK, sign);
    value_trouble(sink, listed, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    count_weight(sink, listed, SHOGI_WEIGHT_MOVE, 1);
}

static int32_t evaluate(const shogi_position *p)
{
    weight_sink sink = {0};
    value_all(&sink, false, p);
    return sink.sum;
}

static size_t terms(const shogi_position *p, ply_term *out)
{
    weight_sink sink = {.out = out};
    value_all(&sink, true, p);
    return (size_t)(sink.out - out);
}

extern const shogi_values PLY_ISA(shogi_values_of);
const shogi_values PLY_ISA(shogi_values_of) = {.evaluate = evaluate, .terms = terms};
