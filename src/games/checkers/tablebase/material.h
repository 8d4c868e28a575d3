/* SPDX-License-Identifier: MIT */
/*
 * material.h - classes of equal material, shared by the two numberings (index.c, retrograde_isa.c).
 *
 * A class is four counts: men and kings of the player to move, men and kings of the opponent. The
 * pairs (men, kings) of one side are numbered by their total, then by kings; a class is
 *
 *     pair of the player to move * MATERIAL_PAIRS + pair of the opponent
 *
 * Positions are numbered with Black to move, so the player to move moves down the board. Men never
 * stand on the row where they would be crowned: the 28 squares open to either side's men have 24 in
 * common.
 */
#ifndef PLY_GAMES_CHECKERS_TABLEBASE_MATERIAL_H
#define PLY_GAMES_CHECKERS_TABLEBASE_MATERIAL_H

#include "games/checkers/checkers.h"

enum {
    /* Up to 12 pieces, each a man or a king. */
    MATERIAL_PAIRS = (CHECKERS_PIECES + 1) * (CHECKERS_PIECES + 2) / 2,
    MATERIAL_CLASSES = MATERIAL_PAIRS * MATERIAL_PAIRS,
};

/* Sets of squares by index. */
#define FIRST_ROW 0x0000000Fu         /* only men of the player to move */
#define MIDDLE_ROWS 0x0FFFFFF0u       /* men of either side */
#define ENEMY_MEN_SQUARES 0xFFFFFFF0u /* rows 1 to 7 */
enum { FIRST_ROW_SQUARES = 4, MIDDLE_SQUARES = 24, MEN_SQUARES = 28 };

typedef struct material {
    int own_men, own_kings, enemy_men, enemy_kings;
} material;

PLY_HD int material_pair(int men, int kings)
{
    int total = men + kings;
    return total * (total + 1) / 2 + kings;
}

PLY_HD void material_split_pair(int pair, int *men, int *kings)
{
    int total = 0;
    while ((total + 1) * (total + 2) / 2 <= pair)
        total++;
    *kings = pair - total * (total + 1) / 2;
    *men = total - *kings;
}

PLY_HD size_t material_class(int own_men, int own_kings, int enemy_men, int enemy_kings)
{
    return (size_t)(material_pair(own_men, own_kings) * MATERIAL_PAIRS +
                    material_pair(enemy_men, enemy_kings));
}

PLY_HD material material_of_class(size_t class_index)
{
    material m;
    material_split_pair((int)(class_index / MATERIAL_PAIRS), &m.own_men, &m.own_kings);
    material_split_pair((int)(class_index % MATERIAL_PAIRS), &m.enemy_men, &m.enemy_kings);
    return m;
}

#endif
