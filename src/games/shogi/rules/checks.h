/* SPDX-License-Identifier: MIT */
/*
 * checks.h - legal moves that give check, as groups, and what mates at once.
 *
 * First the squares from which each class would check their king, and the own pieces whose leaving
 * a line opens one. Then only pieces that can reach such a square in one move are looked at: steps
 * of one square from at most two away, sliders whose lines cross one on an empty board. The order
 * is that of piece_moves.h.
 */
#ifndef PLY_GAMES_SHOGI_RULES_CHECKS_H
#define PLY_GAMES_SHOGI_RULES_CHECKS_H

#include "games/shogi/rules/make_move.h"
#include "games/shogi/rules/move_groups.h"

/*
 * What is asked often, one body a colour: with everything inlined this code would be larger than
 * the cache for instructions, and slower by a third.
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

static __attribute__((noinline)) shogi_set slide_attacks(int us, int class, int square,
                                                         shogi_set occupied)
{
    return class_attacks(us, class, square, occupied);
}

SHOGI_INLINE bool class_slides(int class)
{
    unsigned sliders = 1u << SHOGI_LANCE | 1u << SHOGI_BISHOP | 1u << SHOGI_ROOK |
                       1u << SHOGI_HORSE | 1u << SHOGI_DRAGON;
    return sliders >> class & 1;
}

SHOGI_INLINE shogi_set attacks_from(int us, int class, int square, shogi_set occupied)
{
    return class_slides(class) ? slide_attacks(us, class, square, occupied)
                               : shogi_reach[us][class][square];
}

static __attribute__((noinline)) bool pawn_mates(const shogi_position *p, int us, int square)
{
    return pawn_drop_mates(p, us, square);
}

/* As drop_squares has it, standard rules. */
SHOGI_INLINE shogi_set legal_drops(const shogi_position *p, int us, int kind, shogi_set allowed)
{
    shogi_set to = drop_squares(p, us, SHOGI_SIMPLE, kind, allowed);
    if (kind != SHOGI_PAWN || !to)
        return to;
    int king = shogi_king(p, !us), front = king - forward_of(us);
    if (king != SHOGI_NOWHERE && front >= 0 && set_has(to, front) && pawn_mates(p, us, front))
        to ^= set_of(front);
    return to;
}

typedef struct check_group {
    move_group moves;
    uint8_t class_after;
} check_group;

typedef struct check_row {
    check_group *at;
    shogi_set checking[SHOGI_CLASSES]; /* squares from which each class gives check */
    shogi_set uncovering;              /* own pieces that hide a check */
    shogi_set near;                    /* their king's square and those at most two steps away */
    shogi_set target, pinned;          /* where own pieces may go; those on a line to the king */
    int king, their_king;
} check_row;

SHOGI_INLINE shogi_set widened(shogi_set s)
{
    s |= set_step(s, 1) | set_step(s, -1);
    return s | set_step(s, SHOGI_WIDTH) | set_step(s, -SHOGI_WIDTH);
}

SHOGI_INLINE void find_checking(check_row *row, const shogi_position *p, int us, int king,
                                shogi_set occupied)
{
    int them = !us;
    shogi_set bishop = bishop_attacks(king, occupied), rook = rook_attacks(king, occupied);
    shogi_set around = shogi_reach[them][SHOGI_KING][king];
    row->their_king = king;
    row->checking[SHOGI_PAWN] = shogi_reach[them][SHOGI_PAWN][king];
    row->checking[SHOGI_LANCE] = rook & shogi_reach[them][SHOGI_LANCE][king];
    row->checking[SHOGI_KNIGHT] = shogi_reach[them][SHOGI_KNIGHT][king];
    row->checking[SHOGI_SILVER] = shogi_reach[them][SHOGI_SILVER][king];
    row->checking[SHOGI_BISHOP] = bishop;
    row->checking[SHOGI_ROOK] = rook;
    row->checking[SHOGI_GOLD] = shogi_reach[them][SHOGI_GOLD][king];
    row->checking[SHOGI_KING] = 0;
    row->checking[SHOGI_HORSE] = bishop | around;
    row->checking[SHOGI_DRAGON] = rook | around;
    row->near = widened(around | set_of(king));
    row->uncovering = 0;
    for (shogi_set s = aligned_sliders(p, us, king); s; s &= s - 1) {
        shogi_set between = squares_between(king, set_first(s)) & occupied;
        if (between && set_is_single(between))
            row->uncovering |= between & p->colour[us];
    }
}

SHOGI_INLINE void add_check_group(check_row *row, shogi_set to, int base, int after)
{
    row->at->moves = (move_group){.to = to, .base = (uint16_t)base, .factor = 128};
    row->at->class_after = (uint8_t)after;
    row->at += to != 0;
}

/* Those of the squares where a piece from `from` ends up giving check. */
SHOGI_INLINE shogi_set keep_checks(const check_row *row, shogi_set to, int from, int after)
{
    shogi_set direct = to & row->checking[after];
    if (!set_has(row->uncovering, from))
        return direct;
    int d = shogi_direction[row->their_king][from];
    return direct | (to & ~shogi_rays[d][row->their_king]);
}

SHOGI_INLINE int class_promoted(int class)
{
    return class == SHOGI_BISHOP ? SHOGI_HORSE : class == SHOGI_ROOK ? SHOGI_DRAGON : SHOGI_GOLD;
}

SHOGI_INLINE void add_checks_of(check_row *row, const shogi_position *p, int us, int class)
{
    shogi_set pieces = p->colour[us] & p->by[class], occupied = p->colour[0] | p->colour[1];
    /* One step; the knight's is longer, the sliders' too. */
    if (class == SHOGI_SILVER || class == SHOGI_GOLD)
        pieces &= row->near | row->uncovering;
    int after = class_promoted(class);
    shogi_set wanted = row->checking[class] | (class < SHOGI_GOLD ? row->checking[after] : 0);
    for (; pieces; pieces &= pieces - 1) {
        int from = set_first(pieces);
        shogi_set reach = shogi_reach[us][class][from], plain, promoting;
        if (!(reach & wanted) && !set_has(row->uncovering, from))
            continue;
        shogi_set to = attacks_from(us, class, from, occupied) & row->target;
        if (set_has(row->pinned, from))
            to &= shogi_rays[shogi_direction[row->king][from]][row->king];
        split_promotions(us, class, from, to, &plain, &promoting);
        add_check_group(row, keep_checks(row, plain, from, class), from, class);
        if (class < SHOGI_GOLD)
            add_check_group(row, keep_checks(row, promoting, from, after),
                            from | SHOGI_MOVE_PROMOTE, after);
    }
}

static __attribute__((noinline)) void add_checks_of_black(check_row *row, const shogi_position *p,
                                                          int class)
{
    add_checks_of(row, p, SHOGI_BLACK, class);
}

static __attribute__((noinline)) void add_checks_of_white(check_row *row, const shogi_position *p,
                                                          int class)
{
    add_checks_of(row, p, SHOGI_WHITE, class);
}

SHOGI_INLINE void add_pawn_checks(check_row *row, const shogi_position *p, int us)
{
    int f = forward_of(us), king = row->king;
    /* A pinned pawn moves only if the pin is along its file. */
    shogi_set on_file = shogi_rays[1][king] | shogi_rays[6][king];
    shogi_set pawns = p->colour[us] & p->by[SHOGI_PAWN] & ~(row->pinned & ~on_file);
    pawns &= row->near | row->uncovering;
    shogi_set to = set_step(pawns, f) & row->target;
    shogi_set plain = to & ~last_ranks(us, 1), promoting = to & last_ranks(us, 3);
    for (; to; to &= to - 1) {
        int at = set_first(to), from = at - f;
        add_check_group(row, keep_checks(row, set_of(at) & plain, from, SHOGI_PAWN), from,
                        SHOGI_PAWN);
        add_check_group(row, keep_checks(row, set_of(at) & promoting, from, SHOGI_GOLD),
                        from | SHOGI_MOVE_PROMOTE, SHOGI_GOLD);
    }
}

SHOGI_INLINE void add_drop_checks(check_row *row, const shogi_position *p, int us,
                                  shogi_set allowed)
{
    uint64_t hand = p->hand[us];
    if (!hand || !allowed)
        return;
    for (int kind = SHOGI_PAWN; kind <= SHOGI_GOLD; kind++)
        if (shogi_hand_count(hand, kind) && (allowed & row->checking[kind]))
            add_check_group(row, legal_drops(p, us, kind, allowed & row->checking[kind]),
                            SHOGI_MOVE_DROP | kind, kind);
}

/* Of the squares from which a class that steps gives check, those that attack all of `escapes`. */
SHOGI_INLINE void keep_covering(check_row *row, int us, int class, shogi_set escapes)
{
    for (shogi_set s = row->checking[class]; s; s &= s - 1)
        if (escapes & ~shogi_reach[us][class][set_first(s)])
            row->checking[class] &= ~(s & -s);
}

/*
 * Writes the groups of `us`; returns how many. escapes: checks that leave their king one of these
 * squares may be left out.
 */
SHOGI_INLINE size_t make_check_groups(const shogi_position *p, int us, shogi_set escapes,
                                      check_group *groups)
{
    check_row row = {.at = groups};
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us), their_king = shogi_king(p, !us);
    if (their_king == SHOGI_NOWHERE)
        return 0;
    king_danger danger = find_king_danger(p, us, king, occupied);
    find_checking(&row, p, us, their_king, occupied);
    if (escapes) {
        keep_covering(&row, us, SHOGI_PAWN, escapes);
        keep_covering(&row, us, SHOGI_KNIGHT, escapes);
        keep_covering(&row, us, SHOGI_SILVER, escapes);
        keep_covering(&row, us, SHOGI_GOLD, escapes);
    }
    answer_sets answer = find_answers(p, us, king, danger.checkers, occupied);
    row.king = king;
    row.pinned = danger.pinned;
    row.target = answer.target;
    if (row.target) {
        static const uint8_t classes[] = {SHOGI_LANCE, SHOGI_KNIGHT, SHOGI_SILVER, SHOGI_BISHOP,
                                          SHOGI_ROOK,  SHOGI_GOLD,   SHOGI_HORSE,  SHOGI_DRAGON};
        add_pawn_checks(&row, p, us);
        for (size_t i = 0; i < sizeof classes; i++)
            if (own & p->by[classes[i]]) {
                if (us == SHOGI_BLACK)
                    add_checks_of_black(&row, p, classes[i]);
                else
                    add_checks_of_white(&row, p, classes[i]);
            }
    }
    if (set_has(row.uncovering, king)) {
        shogi_set steps = shogi_reach[us][SHOGI_KING][king] & ~own;
        if (steps)
            steps &= ~attacks_of(p, !us, steps, occupied ^ set_of(king));
        add_check_group(&row, keep_checks(&row, steps, king, SHOGI_KING), king, SHOGI_KING);
    }
    add_drop_checks(&row, p, us, answer.drop);
    return (size_t)(row.at - groups);
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

/* --- answers to a check ---------------------------------------------------------------------- */
/* Whether `us` can drop a piece between, pawns not looked at. */
SHOGI_INLINE bool can_drop_between(const shogi_position *p, int us, shogi_set between)
{
    uint64_t hand = p->hand[us];
    for (int kind = SHOGI_LANCE; kind <= SHOGI_GOLD; kind++)
        if (shogi_hand_count(hand, kind) && drop_squares(p, us, SHOGI_SIMPLE, kind, between))
            return true;
    return false;
}

/*
 * The legal moves of `us`, who is in check; counting may stop once there are `most`, so that a
 * number of at least `most` is no more than that.
 */
SHOGI_INLINE unsigned count_answers(const shogi_position *p, int us, unsigned most)
{
    int king = shogi_king(p, us);
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    shogi_set steps = shogi_reach[us][SHOGI_KING][king] & ~own;
    unsigned total = 0;
    if (steps)
        total = set_count(steps & ~attacks_of(p, !us, steps, occupied ^ set_of(king)));
    if (total >= most)
        return total;
    king_danger danger = find_king_danger(p, us, king, occupied);
    if (!set_is_single(danger.checkers))
        return total;
    shogi_set between = squares_between_any(king, set_first(danger.checkers));
    if (between && p->hand[us])
        for (int kind = SHOGI_GOLD; kind >= SHOGI_PAWN; kind--) {
            if (shogi_hand_count(p->hand[us], kind))
                total += set_count(legal_drops(p, us, kind, between));
            if (total >= most)
                return total;
        }
    /* A pinned piece cannot leave its line for another one; the king's own steps are done. */
    shogi_set movers = own & ~danger.pinned & ~set_of(king);
    for (shogi_set s = between | danger.checkers; s; s &= s - 1) {
        int to = set_first(s);
        for (shogi_set m = attackers_of(p, us, to, occupied) & movers; m; m &= m - 1) {
            int from = set_first(m);
            shogi_set plain, promoting;
            split_promotions(us, shogi_code_class(p->board[from]), from, set_of(to), &plain,
                             &promoting);
            total += 1u + (plain && promoting);
        }
        if (total >= most)
            return total;
    }
    return total;
}

static __attribute__((noinline)) unsigned answers_black(const shogi_position *p, unsigned most)
{
    return count_answers(p, SHOGI_BLACK, most);
}

static __attribute__((noinline)) unsigned answers_white(const shogi_position *p, unsigned most)
{
    return count_answers(p, SHOGI_WHITE, most);
}

SHOGI_INLINE unsigned answers_of(const shogi_position *p, int us, unsigned most)
{
    return us == SHOGI_BLACK ? answers_black(p, most) : answers_white(p, most);
}

/* --- mate at once ---------------------------------------------------------------------------- */
/*
 * A move of `us` after which the other has no answer, 0 for none. Before a check is tried, the
 * squares that their king can go to now, less those that the checking piece will attack, must be
 * none; nothing else could take them from him. For a move on the board, own pieces are seen through
 * in this, as the one that moves may open a line.
 */
SHOGI_INLINE ply_move find_mate(shogi_position *p, int us)
{
    int them = !us, king = shogi_king(p, them);
    if (king == SHOGI_NOWHERE)
        return PLY_MOVE_NONE;
    shogi_set own = p->colour[us], theirs = p->colour[them] ^ set_of(king), bare = theirs | own;
    shogi_set around = shogi_reach[them][SHOGI_KING][king];
    shogi_set sliders = own & (p->by[SHOGI_LANCE] | p->by[SHOGI_BISHOP] | p->by[SHOGI_ROOK] |
                               p->by[SHOGI_HORSE] | p->by[SHOGI_DRAGON]);
    shogi_set covered = attacks_of(p, us, around, bare);
    shogi_set through = sliders ? attacks_of(p, us, around, theirs) : covered;
    check_group groups[MAX_GROUPS];
    size_t n = make_checks(p, us, around & ~theirs & ~through, groups);
    for (size_t i = 0; i < n; i++) {
        int base = groups[i].moves.base, after = groups[i].class_after;
        bool is_drop = (base & SHOGI_MOVE_DROP) != 0;
        shogi_set escapes = around & ~theirs & ~(is_drop ? covered : through);
        shogi_set to = groups[i].moves.to;
        /* What is dropped next to the king without cover is taken. */
        if (is_drop)
            to &= covered | ~around;
        for (; to; to &= to - 1) {
            int at = set_first(to);
            if (escapes & ~attacks_from(us, after, at, bare))
                continue;
            if (is_drop) {
                shogi_set between = squares_between_any(king, at);
                if (between && can_drop_between(p, them, between))
                    continue;
            }
            unsigned move = group_move(&groups[i].moves, at);
            int captured = play_move(p, us, move, false);
            bool mates = answers_of(p, them, 1) == 0;
            undo_move(p, us, move, captured, false);
            if (mates)
                return move;
        }
    }
    return PLY_MOVE_NONE;
}

#endif
