/* SPDX-License-Identifier: MIT */
/*
 * checks.h - legal moves that give check, as groups; evasions of a check; mate in one.
 *
 * First come the squares from which each type would check the enemy king, and the own pieces whose
 * departure would discover a check. Then only pieces that can reach such a square in one move are
 * considered: steppers at most two squares from the king, and sliders whose rays cross a checking
 * square on an empty board. The order of the moves is that of piece_moves.h.
 */
#ifndef PLY_GAMES_SHOGI_RULES_CHECKS_H
#define PLY_GAMES_SHOGI_RULES_CHECKS_H

#include "games/shogi/rules/make_move.h"
#include "games/shogi/rules/move_groups.h"

/*
 * Functions that are called often have one body per colour. With everything inlined, this code
 * would exceed the instruction cache and run slower by a third.
 */
static __attribute__((noinline)) shogi_set attacks_on_black(const shogi_position *p,
                                                            shogi_set wanted, shogi_set occupied)
{
    return attacks_on(p, SHOGI_BLACK, wanted, occupied);
}

static __attribute__((noinline)) shogi_set attacks_on_white(const shogi_position *p,
                                                            shogi_set wanted, shogi_set occupied)
{
    return attacks_on(p, SHOGI_WHITE, wanted, occupied);
}

SHOGI_INLINE shogi_set attacks_of(const shogi_position *p, int them, shogi_set wanted,
                                  shogi_set occupied)
{
    return them == SHOGI_BLACK ? attacks_on_black(p, wanted, occupied)
                               : attacks_on_white(p, wanted, occupied);
}

static __attribute__((noinline)) shogi_set slide_attacks(int us, int type, int square,
                                                         shogi_set occupied)
{
    return type_attacks(us, type, square, occupied);
}

SHOGI_INLINE bool type_slides(int type)
{
    unsigned sliders = 1u << SHOGI_LANCE | 1u << SHOGI_BISHOP | 1u << SHOGI_ROOK |
                       1u << SHOGI_HORSE | 1u << SHOGI_DRAGON;
    return sliders >> type & 1;
}

SHOGI_INLINE shogi_set attacks_from(int us, int type, int square, shogi_set occupied)
{
    return type_slides(type) ? slide_attacks(us, type, square, occupied)
                             : shogi_pseudo_attacks[us][type][square];
}

static __attribute__((noinline)) bool pawn_mates(const shogi_position *p, int us, int square)
{
    return pawn_drop_mates(p, us, square);
}

/* drop_squares under standard rules, sharing one copy of the pawn-drop mate test. */
SHOGI_INLINE shogi_set legal_drops(const shogi_position *p, int us, int kind, shogi_set allowed)
{
    shogi_set to = drop_squares(p, us, SHOGI_SIMPLE, kind, allowed);
    if (kind != SHOGI_PAWN || !to)
        return to;
    int king = shogi_king(p, !us), front = king - forward_of(us);
    if (king != SHOGI_NO_SQUARE && front >= 0 && set_has(to, front) && pawn_mates(p, us, front))
        to ^= set_of(front);
    return to;
}

typedef struct check_group {
    move_group moves;
    uint8_t type_after;
} check_group;

typedef struct check_generator {
    check_group *end;                /* where the next group goes */
    shogi_set checking[SHOGI_TYPES]; /* squares from which each type gives check */
    shogi_set blockers;              /* own pieces whose move discovers a check */
    shogi_set near;                  /* squares at most two steps from the enemy king */
    shogi_set target, pinned;        /* allowed targets of board moves; pinned own pieces */
    int king, their_king;
} check_generator;

/* The set and all squares next to it. */
SHOGI_INLINE shogi_set expanded(shogi_set s)
{
    s |= set_step(s, 1) | set_step(s, -1);
    return s | set_step(s, SHOGI_STRIDE) | set_step(s, -SHOGI_STRIDE);
}

SHOGI_INLINE void find_checking_squares(check_generator *generator, const shogi_position *p, int us,
                                        int king, shogi_set occupied)
{
    int them = !us;
    shogi_set bishop = bishop_attacks(king, occupied), rook = rook_attacks(king, occupied);
    shogi_set around = shogi_pseudo_attacks[them][SHOGI_KING][king];
    generator->their_king = king;
    generator->checking[SHOGI_PAWN] = shogi_pseudo_attacks[them][SHOGI_PAWN][king];
    generator->checking[SHOGI_LANCE] = rook & shogi_pseudo_attacks[them][SHOGI_LANCE][king];
    generator->checking[SHOGI_KNIGHT] = shogi_pseudo_attacks[them][SHOGI_KNIGHT][king];
    generator->checking[SHOGI_SILVER] = shogi_pseudo_attacks[them][SHOGI_SILVER][king];
    generator->checking[SHOGI_BISHOP] = bishop;
    generator->checking[SHOGI_ROOK] = rook;
    generator->checking[SHOGI_GOLD] = shogi_pseudo_attacks[them][SHOGI_GOLD][king];
    generator->checking[SHOGI_KING] = 0;
    generator->checking[SHOGI_HORSE] = bishop | around;
    generator->checking[SHOGI_DRAGON] = rook | around;
    generator->near = expanded(around | set_of(king));
    generator->blockers = 0;
    for (shogi_set s = aligned_sliders(p, us, king); s; s &= s - 1) {
        shogi_set between = squares_between(king, set_first(s)) & occupied;
        if (between && set_is_single(between))
            generator->blockers |= between & p->colour[us];
    }
}

SHOGI_INLINE void add_check_group(check_generator *generator, shogi_set to, int base, int after)
{
    generator->end->moves =
        (move_group){.to = to, .base = (uint16_t)base, .factor = FACTOR_FIXED_ORIGIN};
    generator->end->type_after = (uint8_t)after;
    generator->end += to != 0;
}

/* The targets on which a piece from `from` gives check, directly or by discovery. */
SHOGI_INLINE shogi_set checking_targets(const check_generator *generator, shogi_set to, int from,
                                        int after)
{
    shogi_set direct = to & generator->checking[after];
    if (!set_has(generator->blockers, from))
        return direct;
    int d = shogi_direction[generator->their_king][from];
    return direct | (to & ~shogi_rays[d][generator->their_king]);
}

SHOGI_INLINE void add_checks_of(check_generator *generator, const shogi_position *p, int us,
                                int type)
{
    shogi_set pieces = p->colour[us] & p->by_type[type], occupied = p->colour[0] | p->colour[1];
    /* Silvers and golds step one square; knights and sliders go farther. */
    if (type == SHOGI_SILVER || type == SHOGI_GOLD)
        pieces &= generator->near | generator->blockers;
    int after = promoted_type(type);
    shogi_set wanted =
        generator->checking[type] | (type < SHOGI_GOLD ? generator->checking[after] : 0);
    for (; pieces; pieces &= pieces - 1) {
        int from = set_first(pieces);
        shogi_set reach = shogi_pseudo_attacks[us][type][from], plain, promoting;
        if (!(reach & wanted) && !set_has(generator->blockers, from))
            continue;
        shogi_set to = attacks_from(us, type, from, occupied) & generator->target;
        if (set_has(generator->pinned, from))
            to &= shogi_rays[shogi_direction[generator->king][from]][generator->king];
        split_promotions(us, type, from, to, &plain, &promoting);
        add_check_group(generator, checking_targets(generator, plain, from, type), from, type);
        if (type < SHOGI_GOLD)
            add_check_group(generator, checking_targets(generator, promoting, from, after),
                            from | SHOGI_MOVE_PROMOTE, after);
    }
}

static __attribute__((noinline)) void add_checks_of_black(check_generator *generator,
                                                          const shogi_position *p, int type)
{
    add_checks_of(generator, p, SHOGI_BLACK, type);
}

static __attribute__((noinline)) void add_checks_of_white(check_generator *generator,
                                                          const shogi_position *p, int type)
{
    add_checks_of(generator, p, SHOGI_WHITE, type);
}

SHOGI_INLINE void add_pawn_checks(check_generator *generator, const shogi_position *p, int us)
{
    int f = forward_of(us), king = generator->king;
    /* A pinned pawn moves only if the pin is along its file. */
    shogi_set on_file = shogi_rays[1][king] | shogi_rays[6][king];
    shogi_set pawns = p->colour[us] & p->by_type[SHOGI_PAWN] & ~(generator->pinned & ~on_file);
    pawns &= generator->near | generator->blockers;
    shogi_set to = set_step(pawns, f) & generator->target;
    shogi_set plain = to & ~last_ranks(us, 1), promoting = to & last_ranks(us, 3);
    for (; to; to &= to - 1) {
        int at = set_first(to), from = at - f;
        add_check_group(generator,
                        checking_targets(generator, set_of(at) & plain, from, SHOGI_PAWN), from,
                        SHOGI_PAWN);
        add_check_group(generator,
                        checking_targets(generator, set_of(at) & promoting, from, SHOGI_GOLD),
                        from | SHOGI_MOVE_PROMOTE, SHOGI_GOLD);
    }
}

SHOGI_INLINE void add_drop_checks(check_generator *generator, const shogi_position *p, int us,
                                  shogi_set allowed)
{
    uint64_t hand = p->hand[us];
    if (!hand || !allowed)
        return;
    for (int kind = SHOGI_PAWN; kind <= SHOGI_GOLD; kind++)
        if (shogi_hand_count(hand, kind) && (allowed & generator->checking[kind]))
            add_check_group(generator,
                            legal_drops(p, us, kind, allowed & generator->checking[kind]),
                            SHOGI_MOVE_DROP | kind, kind);
}

/* Keeps the checking squares of a stepping type from which it attacks all of `escapes`. */
SHOGI_INLINE void keep_covering_squares(check_generator *generator, int us, int type,
                                        shogi_set escapes)
{
    for (shogi_set s = generator->checking[type]; s; s &= s - 1)
        if (escapes & ~shogi_pseudo_attacks[us][type][set_first(s)])
            generator->checking[type] &= ~(s & -s);
}

/*
 * Writes the groups of moves of `us` that give check; returns their number. For the search for mate
 * in one: checks that leave the enemy king one of the squares in `escapes` may be left out.
 */
SHOGI_INLINE size_t make_check_groups(const shogi_position *p, int us, shogi_set escapes,
                                      check_group *groups)
{
    check_generator generator = {.end = groups};
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us), their_king = shogi_king(p, !us);
    if (their_king == SHOGI_NO_SQUARE)
        return 0;
    king_danger danger = find_king_danger(p, us, king, occupied);
    find_checking_squares(&generator, p, us, their_king, occupied);
    if (escapes) {
        keep_covering_squares(&generator, us, SHOGI_PAWN, escapes);
        keep_covering_squares(&generator, us, SHOGI_KNIGHT, escapes);
        keep_covering_squares(&generator, us, SHOGI_SILVER, escapes);
        keep_covering_squares(&generator, us, SHOGI_GOLD, escapes);
    }
    evasion_targets allowed = find_evasion_targets(p, us, king, danger.checkers, occupied);
    generator.king = king;
    generator.pinned = danger.pinned;
    generator.target = allowed.moves;
    if (generator.target) {
        static const uint8_t types[] = {SHOGI_LANCE, SHOGI_KNIGHT, SHOGI_SILVER, SHOGI_BISHOP,
                                        SHOGI_ROOK,  SHOGI_GOLD,   SHOGI_HORSE,  SHOGI_DRAGON};
        add_pawn_checks(&generator, p, us);
        for (size_t i = 0; i < sizeof types; i++)
            if (own & p->by_type[types[i]]) {
                if (us == SHOGI_BLACK)
                    add_checks_of_black(&generator, p, types[i]);
                else
                    add_checks_of_white(&generator, p, types[i]);
            }
    }
    if (set_has(generator.blockers, king)) {
        shogi_set steps = shogi_pseudo_attacks[us][SHOGI_KING][king] & ~own;
        if (steps)
            steps &= ~attacks_of(p, !us, steps, occupied ^ set_of(king));
        add_check_group(&generator, checking_targets(&generator, steps, king, SHOGI_KING), king,
                        SHOGI_KING);
    }
    add_drop_checks(&generator, p, us, allowed.drops);
    return (size_t)(generator.end - groups);
}

static __attribute__((noinline)) size_t make_checks_black(const shogi_position *p,
                                                          shogi_set escapes, check_group *groups)
{
    return make_check_groups(p, SHOGI_BLACK, escapes, groups);
}

static __attribute__((noinline)) size_t make_checks_white(const shogi_position *p,
                                                          shogi_set escapes, check_group *groups)
{
    return make_check_groups(p, SHOGI_WHITE, escapes, groups);
}

SHOGI_INLINE size_t make_checks(const shogi_position *p, int us, shogi_set escapes,
                                check_group *groups)
{
    return us == SHOGI_BLACK ? make_checks_black(p, escapes, groups)
                             : make_checks_white(p, escapes, groups);
}

/* --- evasions ------------------------------------------------------------------------------- */
/* Whether `us` can interpose a dropped piece other than a pawn. */
SHOGI_INLINE bool can_drop_between(const shogi_position *p, int us, shogi_set between)
{
    uint64_t hand = p->hand[us];
    for (int kind = SHOGI_LANCE; kind <= SHOGI_GOLD; kind++)
        if (shogi_hand_count(hand, kind) && drop_squares(p, us, SHOGI_SIMPLE, kind, between))
            return true;
    return false;
}

/* The number of legal moves of `us`, who is in check. Counting may stop once `limit` is reached. */
SHOGI_INLINE unsigned count_evasions(const shogi_position *p, int us, unsigned limit)
{
    int king = shogi_king(p, us);
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    shogi_set steps = shogi_pseudo_attacks[us][SHOGI_KING][king] & ~own;
    unsigned total = 0;
    if (steps)
        total = set_count(steps & ~attacks_of(p, !us, steps, occupied ^ set_of(king)));
    if (total >= limit)
        return total;
    king_danger danger = find_king_danger(p, us, king, occupied);
    if (!set_is_single(danger.checkers))
        return total;
    shogi_set between = squares_between_any(king, set_first(danger.checkers));
    if (between && p->hand[us])
        for (int kind = SHOGI_GOLD; kind >= SHOGI_PAWN; kind--) {
            if (shogi_hand_count(p->hand[us], kind))
                total += set_count(legal_drops(p, us, kind, between));
            if (total >= limit)
                return total;
        }
    /*
     * A pinned piece cannot reach a square on another ray from the king. King moves are counted
     * above.
     */
    shogi_set movers = own & ~danger.pinned & ~set_of(king);
    for (shogi_set s = between | danger.checkers; s; s &= s - 1) {
        int to = set_first(s);
        for (shogi_set m = attackers_of(p, us, to, occupied) & movers; m; m &= m - 1) {
            int from = set_first(m);
            shogi_set plain, promoting;
            split_promotions(us, shogi_code_type(p->board[from]), from, set_of(to), &plain,
                             &promoting);
            total += 1u + (plain && promoting);
        }
        if (total >= limit)
            return total;
    }
    return total;
}

static __attribute__((noinline)) unsigned evasions_black(const shogi_position *p, unsigned limit)
{
    return count_evasions(p, SHOGI_BLACK, limit);
}

static __attribute__((noinline)) unsigned evasions_white(const shogi_position *p, unsigned limit)
{
    return count_evasions(p, SHOGI_WHITE, limit);
}

SHOGI_INLINE unsigned evasions_of(const shogi_position *p, int us, unsigned limit)
{
    return us == SHOGI_BLACK ? evasions_black(p, limit) : evasions_white(p, limit);
}

/* --- mate in one ---------------------------------------------------------------------------- */
/*
 * A move of `us` that gives mate, or PLY_MOVE_NONE. Before a check is played, a necessary condition
 * is tested: of the squares the enemy king can go to now, none may remain that the checking piece
 * will not attack, since nothing else can take them away. For board moves this test looks through
 * our own pieces, because the one that moves may open a ray.
 */
SHOGI_INLINE ply_move find_mate_in_one(shogi_position *p, int us)
{
    int them = !us, king = shogi_king(p, them);
    if (king == SHOGI_NO_SQUARE)
        return PLY_MOVE_NONE;
    shogi_set own = p->colour[us], theirs = p->colour[them] ^ set_of(king);
    shogi_set without_king = theirs | own;
    shogi_set around = shogi_pseudo_attacks[them][SHOGI_KING][king];
    shogi_set sliders =
        own & (p->by_type[SHOGI_LANCE] | p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_ROOK] |
               p->by_type[SHOGI_HORSE] | p->by_type[SHOGI_DRAGON]);
    shogi_set covered = attacks_of(p, us, around, without_king);
    shogi_set through = sliders ? attacks_of(p, us, around, theirs) : covered;
    check_group groups[MAX_GROUPS];
    size_t n = make_checks(p, us, around & ~theirs & ~through, groups);
    for (size_t i = 0; i < n; i++) {
        int base = groups[i].moves.base, after = groups[i].type_after;
        bool is_drop = (base & SHOGI_MOVE_DROP) != 0;
        shogi_set escapes = around & ~theirs & ~(is_drop ? covered : through);
        shogi_set to = groups[i].moves.to;
        /* An unprotected piece dropped next to the king would be captured. */
        if (is_drop)
            to &= covered | ~around;
        for (; to; to &= to - 1) {
            int at = set_first(to);
            if (escapes & ~attacks_from(us, after, at, without_king))
                continue;
            if (is_drop) {
                shogi_set between = squares_between_any(king, at);
                if (between && can_drop_between(p, them, between))
                    continue;
            }
            unsigned move = group_move(&groups[i].moves, at);
            int captured = play_move(p, us, move, false);
            bool mates = evasions_of(p, them, 1) == 0;
            undo_move(p, us, move, captured, false);
            if (mates)
                return move;
        }
    }
    return PLY_MOVE_NONE;
}

#endif
