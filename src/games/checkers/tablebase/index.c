/* SPDX-License-Identifier: MIT */
/*
 * index.c - positions as numbers, without gaps, within classes of equal material.
 *
 * A position is numbered as its image with Black to move. A class is four counts: men and kings of
 * the player to move, men and kings of the other. Men never stand on the row where they would be
 * crowned, so the men to move have 28 squares and the others' men have 28, of which 24 are common;
 * the number therefore first says how many men to move stand on the first row, where no enemy man
 * can be. Then come, each as the rank of a set among the squares left,
 *
 *     own men on row 0 | own men on rows 1 to 6 | enemy men on rows 1 to 7 | own kings | enemy
 * kings
 *
 * with the last changing fastest. The rank of a set of k places is the combinatorial number
 * system's: the sum of C(place_i, i + 1) over its places in rising order.
 */
#include "games/checkers/checkers.h"

enum {
    PAIRS = (CHECKERS_PIECES + 1) * (CHECKERS_PIECES + 2) / 2, /* men and kings, 12 at most */
    FIRST_ROW = 0xF,
    OWN_MIDDLE = 0x0FFFFFF0,
};
#define ENEMY_MEN_SQUARES 0xFFFFFFF0u

typedef struct material {
    int own_men, own_kings, enemy_men, enemy_kings;
} material;

/* C(n, k); 0 where there is no such set. */
static uint64_t choose(int n, int k)
{
    return k < 0 || n < k || k > CHECKERS_PIECES ? 0 : checkers_choose[n][k];
}

/* Rank of a set of squares among those of `room`. */
static uint64_t rank_set(uint32_t set, uint32_t room)
{
    uint64_t rank = 0, places = ply_pext(set, room);
    for (int i = 1; places; places &= places - 1, i++)
        rank += choose(ply_lowest(places), i);
    return rank;
}

static uint32_t unrank_set(uint64_t rank, int count, uint32_t room)
{
    uint64_t set = 0;
    int place = ply_popcount(room);
    for (int i = count; i >= 1; i--) {
        do
            place--;
        while (choose(place, i) > rank);
        rank -= choose(place, i);
        set |= ply_bit(place);
    }
    return (uint32_t)ply_pdep(set, room);
}

static int pair_number(int men, int kings)
{
    int total = men + kings;
    return total * (total + 1) / 2 + kings;
}

static void pair_of(int number, int *men, int *kings)
{
    int total = 0;
    while ((total + 1) * (total + 2) / 2 <= number)
        total++;
    *kings = number - total * (total + 1) / 2;
    *men = total - *kings;
}

static material material_of(size_t class_index)
{
    material m;
    pair_of((int)(class_index / PAIRS), &m.own_men, &m.own_kings);
    pair_of((int)(class_index % PAIRS), &m.enemy_men, &m.enemy_kings);
    return m;
}

/* Positions with so many of the men to move on the first row. */
static uint64_t part_size(material m, int on_first_row)
{
    int middle = m.own_men - on_first_row, men = m.own_men + m.enemy_men;
    return choose(4, on_first_row) * choose(24, middle) * choose(28 - middle, m.enemy_men) *
           choose(32 - men, m.own_kings) * choose(32 - men - m.own_kings, m.enemy_kings);
}

size_t checkers_class_count(const ply_rules *rules)
{
    (void)rules;
    return (size_t)PAIRS * PAIRS;
}

uint64_t checkers_class_size(const ply_rules *rules, size_t class_index)
{
    (void)rules;
    material m = material_of(class_index);
    uint64_t size = 0;
    for (int j = 0; j <= 4; j++)
        size += part_size(m, j);
    return size;
}

/* Men and kings of the player to move, then of the other: 2m1k v 3m. */
void checkers_class_name(const ply_rules *rules, size_t class_index, ply_text *out)
{
    (void)rules;
    material m = material_of(class_index);
    ply_text_format(out, "%dm%dkv%dm%dk", m.own_men, m.own_kings, m.enemy_men, m.enemy_kings);
}

ply_status checkers_rank(const ply_rules *rules, const void *position, size_t *class_index,
                         uint64_t *number)
{
    checkers_position p;
    checkers_canonical(rules, position, &p);
    uint32_t own_men = checkers_pack(p.black_men), own_kings = checkers_pack(p.black_kings);
    uint32_t enemy_men = checkers_pack(p.white_men), enemy_kings = checkers_pack(p.white_kings);
    material m = {ply_popcount(own_men), ply_popcount(own_kings), ply_popcount(enemy_men),
                  ply_popcount(enemy_kings)};
    *class_index = (size_t)(pair_number(m.own_men, m.own_kings) * PAIRS +
                            pair_number(m.enemy_men, m.enemy_kings));
    int first = ply_popcount(own_men & FIRST_ROW), middle = m.own_men - first;
    int men = m.own_men + m.enemy_men;
    uint64_t n = rank_set(own_men & FIRST_ROW, FIRST_ROW);
    n = n * choose(24, middle) + rank_set(own_men & OWN_MIDDLE, OWN_MIDDLE);
    n = n * choose(28 - middle, m.enemy_men) + rank_set(enemy_men, ENEMY_MEN_SQUARES & ~own_men);
    uint32_t room = ~(own_men | enemy_men);
    n = n * choose(32 - men, m.own_kings) + rank_set(own_kings, room);
    n = n * choose(32 - men - m.own_kings, m.enemy_kings) +
        rank_set(enemy_kings, room & ~own_kings);
    for (int j = 0; j < first; j++)
        n += part_size(m, j);
    *number = n;
    return PLY_OK;
}

/* Takes the last factor off a number. */
static uint64_t take_off(uint64_t *number, uint64_t factor)
{
    if (factor <= 1)
        return 0;
    uint64_t rest = *number % factor;
    *number /= factor;
    return rest;
}

ply_status checkers_unrank(const ply_rules *rules, size_t class_index, uint64_t number,
                           void *position)
{
    if (class_index >= checkers_class_count(rules) ||
        number >= checkers_class_size(rules, class_index))
        return PLY_LIMIT;
    material m = material_of(class_index);
    int first = 0, men = m.own_men + m.enemy_men;
    while (number >= part_size(m, first))
        number -= part_size(m, first++);
    int middle = m.own_men - first;
    uint64_t enemy_kings_rank = take_off(&number, choose(32 - men - m.own_kings, m.enemy_kings));
    uint64_t own_kings_rank = take_off(&number, choose(32 - men, m.own_kings));
    uint64_t enemy_men_rank = take_off(&number, choose(28 - middle, m.enemy_men));
    uint64_t middle_rank = take_off(&number, choose(24, middle));
    uint32_t own_men =
        unrank_set(number, first, FIRST_ROW) | unrank_set(middle_rank, middle, OWN_MIDDLE);
    uint32_t enemy_men = unrank_set(enemy_men_rank, m.enemy_men, ENEMY_MEN_SQUARES & ~own_men);
    uint32_t room = ~(own_men | enemy_men);
    uint32_t own_kings = unrank_set(own_kings_rank, m.own_kings, room);
    uint32_t enemy_kings = unrank_set(enemy_kings_rank, m.enemy_kings, room & ~own_kings);
    checkers_position *p = position;
    *p = (checkers_position){.black_men = checkers_unpack(own_men),
                             .black_kings = checkers_unpack(own_kings),
                             .white_men = checkers_unpack(enemy_men),
                             .white_kings = checkers_unpack(enemy_kings),
                             .turn = CHECKERS_BLACK};
    checkers_finish(p);
    return PLY_OK;
}
