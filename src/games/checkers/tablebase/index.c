/* SPDX-License-Identifier: MIT */
/*
 * index.c - numbers positions without gaps within classes of equal material; see material.h.
 *
 * The number first distinguishes how many men of the player to move stand on the first row, where
 * no enemy man can be: fewer come first. The rest is a mixed-radix number whose digits are ranks of
 * sets, each among the squares that the sets before it leave free, the last digit changing fastest:
 *
 *     own men on row 0 | own men on rows 1-6 | enemy men on rows 1-7 | own kings | enemy kings
 *
 * The rank of a set of k squares is that of the combinatorial number system: the sum of
 * C(square_i, i + 1) over its squares in ascending order.
 */
#include "games/checkers/tablebase/material.h"

/* C(n, k), or 0 when there is no such set. */
static uint64_t choose(int n, int k)
{
    return k < 0 || n < k || k > CHECKERS_PIECES ? 0 : checkers_choose[n][k];
}

/* The rank of a set among the sets of `free` squares. */
static uint64_t rank_set(uint32_t set, uint32_t free)
{
    uint64_t rank = 0, packed = ply_pext(set, free);
    for (int i = 1; packed; packed &= packed - 1, i++)
        rank += choose(ply_lowest(packed), i);
    return rank;
}

static uint32_t unrank_set(uint64_t rank, int count, uint32_t free)
{
    uint64_t packed = 0;
    int square = ply_popcount(free);
    for (int i = count; i >= 1; i--) {
        do
            square--;
        while (choose(square, i) > rank);
        rank -= choose(square, i);
        packed |= ply_bit(square);
    }
    return (uint32_t)ply_pdep(packed, free);
}

/* The number of positions with on_first_row men of the player to move on the first row. */
static uint64_t part_size(material m, int on_first_row)
{
    int middle = m.own_men - on_first_row, men = m.own_men + m.enemy_men;
    return choose(FIRST_ROW_SQUARES, on_first_row) * choose(MIDDLE_SQUARES, middle) *
           choose(MEN_SQUARES - middle, m.enemy_men) * choose(CHECKERS_SQUARES - men, m.own_kings) *
           choose(CHECKERS_SQUARES - men - m.own_kings, m.enemy_kings);
}

size_t checkers_class_count(const ply_rules *rules)
{
    (void)rules;
    return MATERIAL_CLASSES;
}

uint64_t checkers_class_size(const ply_rules *rules, size_t class_index)
{
    (void)rules;
    material m = material_of_class(class_index);
    uint64_t size = 0;
    for (int on_first_row = 0; on_first_row <= FIRST_ROW_SQUARES; on_first_row++)
        size += part_size(m, on_first_row);
    return size;
}

/* Men and kings of the player to move, then of the opponent, such as 2m1kv3m0k. */
void checkers_class_name(const ply_rules *rules, size_t class_index, ply_text *out)
{
    (void)rules;
    material m = material_of_class(class_index);
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
    *class_index = material_class(m.own_men, m.own_kings, m.enemy_men, m.enemy_kings);
    int first = ply_popcount(own_men & FIRST_ROW), middle = m.own_men - first;
    int men = m.own_men + m.enemy_men;
    uint64_t n = rank_set(own_men & FIRST_ROW, FIRST_ROW);
    n = n * choose(MIDDLE_SQUARES, middle) + rank_set(own_men & MIDDLE_ROWS, MIDDLE_ROWS);
    n = n * choose(MEN_SQUARES - middle, m.enemy_men) +
        rank_set(enemy_men, ENEMY_MEN_SQUARES & ~own_men);
    uint32_t free = ~(own_men | enemy_men);
    n = n * choose(CHECKERS_SQUARES - men, m.own_kings) + rank_set(own_kings, free);
    n = n * choose(CHECKERS_SQUARES - men - m.own_kings, m.enemy_kings) +
        rank_set(enemy_kings, free & ~own_kings);
    for (int j = 0; j < first; j++)
        n += part_size(m, j);
    *number = n;
    return PLY_OK;
}

/* Splits the last digit off a mixed-radix number. */
static uint64_t take_digit(uint64_t *number, uint64_t radix)
{
    if (radix <= 1)
        return 0;
    uint64_t digit = *number % radix;
    *number /= radix;
    return digit;
}

ply_status checkers_unrank(const ply_rules *rules, size_t class_index, uint64_t number,
                           void *position)
{
    if (class_index >= checkers_class_count(rules) ||
        number >= checkers_class_size(rules, class_index))
        return PLY_LIMIT;
    material m = material_of_class(class_index);
    int first = 0, men = m.own_men + m.enemy_men;
    while (number >= part_size(m, first))
        number -= part_size(m, first++);
    int middle = m.own_men - first;
    uint64_t enemy_kings_rank =
        take_digit(&number, choose(CHECKERS_SQUARES - men - m.own_kings, m.enemy_kings));
    uint64_t own_kings_rank = take_digit(&number, choose(CHECKERS_SQUARES - men, m.own_kings));
    uint64_t enemy_men_rank = take_digit(&number, choose(MEN_SQUARES - middle, m.enemy_men));
    uint64_t middle_rank = take_digit(&number, choose(MIDDLE_SQUARES, middle));
    uint32_t own_men =
        unrank_set(number, first, FIRST_ROW) | unrank_set(middle_rank, middle, MIDDLE_ROWS);
    uint32_t enemy_men = unrank_set(enemy_men_rank, m.enemy_men, ENEMY_MEN_SQUARES & ~own_men);
    uint32_t free = ~(own_men | enemy_men);
    uint32_t own_kings = unrank_set(own_kings_rank, m.own_kings, free);
    uint32_t enemy_kings = unrank_set(enemy_kings_rank, m.enemy_kings, free & ~own_kings);
    checkers_position *p = position;
    *p = (checkers_position){.black_men = checkers_unpack(own_men),
                             .black_kings = checkers_unpack(own_kings),
                             .white_men = checkers_unpack(enemy_men),
                             .white_kings = checkers_unpack(enemy_kings),
                             .turn = CHECKERS_BLACK};
    checkers_finish(p);
    return PLY_OK;
}
