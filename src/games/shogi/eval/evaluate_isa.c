/* SPDX-License-Identifier: MIT */
/*
 * evaluate_isa.c - the static evaluation: a sum of weights (weights.h), compiled once per
 * instruction set.
 *
 * One body of code determines which weights count. It is compiled twice: to add the weights up, and
 * to list them as terms for tuning. It works on the square sets of the position: it computes both
 * attack maps, scoring the sliders on the way, and then passes once over the pieces.
 */
#include "games/shogi/eval/weights.h"
#include "games/shogi/rules/attacks.h"

/* Receives the weights: adds them to sum or, for tuning, appends them to out. */
typedef struct weight_sink {
    int32_t sum;
    ply_term *out;
} weight_sink;

SHOGI_INLINE void count_weight(weight_sink *sink, bool as_terms, int index, int times)
{
    if (!as_terms)
        sink->sum += shogi_weights[index] * times;
    else if (times)
        *sink->out++ = (ply_term){(uint32_t)index, times * PLY_TERM_ONE};
}

/* The attacks of one player. */
typedef struct side_view {
    int king;
    shogi_set ring;     /* the squares next to the king */
    shogi_set attacks;  /* by all pieces */
    shogi_set defended; /* by all pieces except the king */
    int attackers;      /* pieces that attack the enemy king's ring */
    int ring_attacks;   /* attacks on that ring, a square counted once per attacker */
} side_view;

/* Indices in the mobility weights, and the mobility at which a slider counts as trapped. */
enum { MOBILITY_LANCE, MOBILITY_BISHOP, MOBILITY_ROOK, MOBILITY_HORSE, MOBILITY_DRAGON };
enum { TRAPPED_MOBILITY = 2 };

SHOGI_INLINE void find_king(side_view *view, const shogi_position *p, int us)
{
    view->king = shogi_king(p, us);
    view->ring = shogi_pseudo_attacks[0][SHOGI_KING][view->king];
}

/* Scores a slider that attacks the squares of `to`; slider is its index in the mobility weights. */
SHOGI_INLINE void add_slider(weight_sink *sink, bool as_terms, side_view *view, shogi_set to,
                             shogi_set enemy_ring, int slider, int sign)
{
    int squares = (int)set_count(to);
    view->defended |= to;
    view->attackers += (to & enemy_ring) != 0;
    view->ring_attacks += (int)set_count(to & enemy_ring);
    count_weight(sink, as_terms, SHOGI_WEIGHT_MOBILITY + slider, sign * squares);
    count_weight(sink, as_terms, SHOGI_WEIGHT_TRAPPED + slider,
                 squares <= TRAPPED_MOBILITY ? sign : 0);
}

/* Finds the attacks of `us`, counts those on the enemy king's ring, and scores the sliders. */
SHOGI_INLINE void find_attacks(weight_sink *sink, bool as_terms, side_view *view,
                               const side_view *enemy, const shogi_position *p, int us, int sign)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    view->defended = 0;
    view->attackers = 0;
    view->ring_attacks = 0;
    static const uint8_t steppers[] = {SHOGI_PAWN, SHOGI_KNIGHT, SHOGI_SILVER, SHOGI_GOLD};
    for (int i = 0; i < 4; i++) {
        int type = steppers[i];
        for (shogi_set s = own & p->by_type[type] & shogi_ring_origins[us][type][enemy->king]; s;
             s &= s - 1) {
            view->attackers++;
            view->ring_attacks +=
                (int)set_count(shogi_pseudo_attacks[us][type][set_first(s)] & enemy->ring);
        }
    }
    for (shogi_set s = own & p->by_type[SHOGI_LANCE]; s; s &= s - 1)
        add_slider(sink, as_terms, view, lance_attacks(us, set_first(s), occupied), enemy->ring,
                   MOBILITY_LANCE, sign);
    for (shogi_set s = own & (p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_HORSE]); s; s &= s - 1) {
        int at = set_first(s);
        int slider = set_has(p->by_type[SHOGI_HORSE], at) ? MOBILITY_HORSE : MOBILITY_BISHOP;
        add_slider(sink, as_terms, view, bishop_attacks(at, occupied), enemy->ring, slider, sign);
    }
    for (shogi_set s = own & (p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_DRAGON]); s; s &= s - 1) {
        int at = set_first(s);
        int slider = set_has(p->by_type[SHOGI_DRAGON], at) ? MOBILITY_DRAGON : MOBILITY_ROOK;
        add_slider(sink, as_terms, view, rook_attacks(at, occupied), enemy->ring, slider, sign);
    }
    view->defended |= step_attacks_of(p, us, own & ~p->by_type[SHOGI_KING]);
    view->attacks = view->defended | view->ring;
}

/* Every piece except the king: material, rank and the buckets relative to both kings. */
SHOGI_INLINE void evaluate_pieces(weight_sink *sink, bool as_terms, const side_view *view,
                                  const side_view *enemy, const shogi_position *p, int us, int sign)
{
    const uint8_t *own_buckets = shogi_king_bucket[us][view->king];
    const uint8_t *enemy_buckets = shogi_king_bucket[us][enemy->king];
    for (shogi_set s = p->colour[us] & ~p->by_type[SHOGI_KING]; s; s &= s - 1) {
        int at = set_first(s), code = p->board[at] & 15, type = shogi_code_type(code);
        int rank = us == SHOGI_BLACK ? shogi_ranks[at] : 8 - shogi_ranks[at];
        count_weight(sink, as_terms, SHOGI_WEIGHT_BOARD + code, sign);
        count_weight(sink, as_terms, SHOGI_WEIGHT_RANK + type * 9 + rank, sign);
        count_weight(sink, as_terms,
                     SHOGI_WEIGHT_OWN_KING + type * SHOGI_KING_BUCKETS + own_buckets[at], sign);
        count_weight(sink, as_terms,
                     SHOGI_WEIGHT_ENEMY_KING + type * SHOGI_KING_BUCKETS + enemy_buckets[at], sign);
    }
}

SHOGI_INLINE void evaluate_hand(weight_sink *sink, bool as_terms, uint64_t hand, int sign)
{
    for (; hand; hand &= ~((uint64_t)0xFF << (ply_lowest(hand) & ~7))) {
        int kind = ply_lowest(hand) / 8;
        count_weight(sink, as_terms, SHOGI_WEIGHT_HAND + kind,
                     sign * (int)shogi_hand_count(hand, kind));
        count_weight(sink, as_terms, SHOGI_WEIGHT_FIRST + kind, sign);
    }
}

/* The king's square and safety. */
SHOGI_INLINE void evaluate_king(weight_sink *sink, bool as_terms, const side_view *view,
                                const side_view *enemy, const shogi_position *p, int us, int sign)
{
    if (view->king == SHOGI_NO_SQUARE)
        return;
    int rank = us == SHOGI_BLACK ? shogi_ranks[view->king] : 8 - shogi_ranks[view->king];
    int column = shogi_column(view->king), edge = column < 4 ? column : 8 - column;
    count_weight(sink, as_terms, SHOGI_WEIGHT_KING + rank * 5 + edge, sign);
    shogi_set attacked = view->ring & enemy->attacks, undefended = view->ring & ~view->defended;
    int weak = (int)set_count(attacked & undefended);
    int open = (int)set_count(undefended & ~(p->colour[0] | p->colour[1]));
    int escapes = (int)set_count(view->ring & ~p->colour[us] & ~enemy->attacks);
    int storm =
        enemy->ring_attacks < SHOGI_STORM_WEIGHTS ? enemy->ring_attacks : SHOGI_STORM_WEIGHTS - 1;
    count_weight(sink, as_terms, SHOGI_WEIGHT_STORM + storm, sign);
    count_weight(sink, as_terms, SHOGI_WEIGHT_WEAK, sign * weak);
    count_weight(sink, as_terms, SHOGI_WEIGHT_PRESSURE, sign * weak * enemy->attackers);
    count_weight(sink, as_terms, SHOGI_WEIGHT_ESCAPES + escapes, sign);
    for (uint64_t hand = p->hand[!us]; hand && open;) {
        int kind = ply_lowest(hand) / 8;
        count_weight(sink, as_terms, SHOGI_WEIGHT_DROPS + kind,
                     sign * open * (int)shogi_hand_count(hand, kind));
        hand &= ~((uint64_t)0xFF << kind * 8);
    }
}

/* Pieces attacked by pawns, and pieces that hang. */
SHOGI_INLINE void evaluate_threats(weight_sink *sink, bool as_terms, const side_view *view,
                                   const side_view *enemy, const shogi_position *p, int us,
                                   int sign)
{
    shogi_set own = p->colour[us] & ~p->by_type[SHOGI_KING];
    shogi_set by_pawns = set_step(p->colour[!us] & p->by_type[SHOGI_PAWN], forward_of(!us));
    for (shogi_set s = own & by_pawns; s; s &= s - 1)
        count_weight(sink, as_terms,
                     SHOGI_WEIGHT_PAWN_THREAT + shogi_code_type(p->board[set_first(s)]), sign);
    for (shogi_set s = own & enemy->attacks & ~view->attacks; s; s &= s - 1)
        count_weight(sink, as_terms, SHOGI_WEIGHT_HANGING + shogi_code_type(p->board[set_first(s)]),
                     sign);
}

SHOGI_INLINE void evaluate_terms(weight_sink *sink, bool as_terms, const shogi_position *p)
{
    side_view views[2];
    find_king(&views[0], p, SHOGI_BLACK);
    find_king(&views[1], p, SHOGI_WHITE);
    int sign = p->side == SHOGI_BLACK ? 1 : -1;
    find_attacks(sink, as_terms, &views[0], &views[1], p, SHOGI_BLACK, sign);
    find_attacks(sink, as_terms, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    evaluate_pieces(sink, as_terms, &views[0], &views[1], p, SHOGI_BLACK, sign);
    evaluate_pieces(sink, as_terms, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    evaluate_hand(sink, as_terms, p->hand[0], sign);
    evaluate_hand(sink, as_terms, p->hand[1], -sign);
    evaluate_king(sink, as_terms, &views[0], &views[1], p, SHOGI_BLACK, sign);
    evaluate_king(sink, as_terms, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    evaluate_threats(sink, as_terms, &views[0], &views[1], p, SHOGI_BLACK, sign);
    evaluate_threats(sink, as_terms, &views[1], &views[0], p, SHOGI_WHITE, -sign);
    count_weight(sink, as_terms, SHOGI_WEIGHT_TEMPO, 1);
}

static int32_t evaluate(const shogi_position *p)
{
    weight_sink sink = {0};
    evaluate_terms(&sink, false, p);
    return sink.sum;
}

static size_t terms(const shogi_position *p, ply_term *out)
{
    weight_sink sink = {.out = out};
    evaluate_terms(&sink, true, p);
    return (size_t)(sink.out - out);
}

extern const shogi_evaluator PLY_ISA(shogi_evaluator_of);
const shogi_evaluator PLY_ISA(shogi_evaluator_of) = {.evaluate = evaluate, .terms = terms};
