/* SPDX-License-Identifier: MIT */
/*
 * numbering.h - the numbers of positions in a tablebase of Neighbours; for the host and for CUDA.
 *
 * Neither player has a direction of play, so all eight symmetries of the square preserve the value
 * of a position. A class is a pair of piece counts, own v enemy. The number of a slot is
 *
 *     orbit of the own set * C(36 - own, enemy) + rank of the enemy set among the free squares
 *
 * All images of an own set share an orbit; the image with the lowest rank represents it. Where some
 * symmetries fix that representative, the enemy set must have the lowest rank among its images
 * under them; the other numbers are holes, a few per cent.
 *
 *     fold[k][rank of a set of k squares]
 *
 *      31                             4   3   2      0
 *     +--------------------------------+-----+--------+    sym: some symmetry fixes the set
 *     | orbit                          | sym | image  |    image: maps it to the representative
 *     +--------------------------------+-----+--------+
 *
 *     representative[k][orbit]
 *
 *      63             40 39      36 35                0
 *     +-----------------+----------+-------------------+
 *     | fixing images   | 0        | set               |    fixing images: a set of image numbers
 *     +-----------------+----------+-------------------+
 *
 * The rank of a set is that of the combinatorial number system. To unrank quickly, all sets of k
 * among 36 squares are listed in order of rank; the sets among n squares are the first C(n, k).
 */
#ifndef PLY_GAMES_NEIGHBOURS_NUMBERING_H
#define PLY_GAMES_NEIGHBOURS_NUMBERING_H

#include "games/neighbours/neighbours.h"

enum {
    NEIGHBOURS_IMAGES = 8,
    NEIGHBOURS_COUNTS = NEIGHBOURS_PIECES + 1,
};
enum { FOLD_IMAGE = 7, FOLD_SYMMETRIC = 8, FOLD_ORBIT_SHIFT = 4, FIXING_SHIFT = 40 };

/* The lookup tables. A device has a copy whose pointers are in its own memory. */
typedef struct neighbours_numbering {
    int path_rule;
    uint32_t choose[NEIGHBOURS_COUNTS][NEIGHBOURS_SQUARES + 1]; /* [k][n] */
    uint8_t image[NEIGHBOURS_IMAGES][NEIGHBOURS_SQUARES];
    uint64_t ring[NEIGHBOURS_SQUARES][NEIGHBOURS_REACH + 1]; /* squares at a distance, on a line */
    uint64_t between[NEIGHBOURS_SQUARES][NEIGHBOURS_SQUARES];
    uint64_t *sets[NEIGHBOURS_COUNTS];           /* by size and rank */
    uint32_t *fold[NEIGHBOURS_COUNTS];           /* by size and rank */
    uint64_t *representative[NEIGHBOURS_COUNTS]; /* by size and orbit */
    uint32_t orbits[NEIGHBOURS_COUNTS];          /* number of orbits, by size */
} neighbours_numbering;

typedef struct neighbours_pair {
    uint64_t own, enemy;
} neighbours_pair;

/* NULL when out of memory. */
neighbours_numbering *neighbours_numbering_open(int path_rule);
void neighbours_numbering_close(neighbours_numbering *numbering);
/* Sets up the sets of k squares; again is a no-op. PLY_NO_MEMORY. */
ply_status neighbours_numbering_prepare(neighbours_numbering *numbering, int k);

PLY_HD uint32_t numbering_rank(const neighbours_numbering *n, uint64_t set)
{
    uint32_t rank = 0;
    for (int k = 1; set; set &= set - 1, k++)
        rank += n->choose[k][ply_lowest(set)];
    return rank;
}

PLY_HD uint64_t numbering_image(const neighbours_numbering *n, unsigned image, uint64_t set)
{
    uint64_t result = 0;
    for (; set; set &= set - 1)
        result |= ply_bit(n->image[image][ply_lowest(set)]);
    return result;
}

/* The number of enemy sets beside one own set. */
PLY_HD uint32_t numbering_enemy_sets(const neighbours_numbering *n, int own, int enemy)
{
    return n->choose[enemy][NEIGHBOURS_SQUARES - own];
}

/* The rank of the enemy set among the squares that the own set leaves free. */
PLY_HD uint32_t numbering_enemy_rank(const neighbours_numbering *n, uint64_t own, uint64_t enemy)
{
#if defined(__BMI2__) && !defined(__CUDA_ARCH__)
    return numbering_rank(n, ply_pext(enemy, NEIGHBOURS_BOARD & ~own));
#else
    uint32_t rank = 0;
    for (int k = 1; enemy; enemy &= enemy - 1, k++) {
        int square = ply_lowest(enemy);
        rank += n->choose[k][square - ply_popcount(own & (ply_bit(square) - 1))];
    }
    return rank;
#endif
}

/* Whether a symmetry other than the identity fixes the set. base: an entry of `representative`. */
PLY_HD bool numbering_is_symmetric(uint64_t base)
{
    return base >> FIXING_SHIFT != 1;
}

/*
 * The lowest rank of the enemy set among its images under the symmetries that fix the own set.
 * *times: how many of them reach it.
 */
PLY_HD uint32_t numbering_lowest_enemy_rank(const neighbours_numbering *n, uint64_t base,
                                            uint64_t enemy, unsigned *times)
{
    uint64_t own = base & NEIGHBOURS_BOARD;
    uint32_t lowest = UINT32_MAX;
    *times = 0;
    for (uint64_t fixing = base >> FIXING_SHIFT; fixing; fixing &= fixing - 1) {
        uint64_t image = numbering_image(n, (unsigned)ply_lowest(fixing), enemy);
        uint32_t rank = numbering_enemy_rank(n, own, image);
        *times = rank < lowest ? 1 : *times + (rank == lowest);
        lowest = rank < lowest ? rank : lowest;
    }
    return lowest;
}

/*
 * The two parts of a position's number: returns the rank of the enemy set, and sets *fold to the
 * entry of the own set, which has own_count squares.
 */
PLY_HD uint32_t numbering_find(const neighbours_numbering *n, neighbours_pair boards, int own_count,
                               uint32_t *fold)
{
    *fold = n->fold[own_count][numbering_rank(n, boards.own)];
    uint64_t base = n->representative[own_count][*fold >> FOLD_ORBIT_SHIFT], enemy = boards.enemy;
    if (*fold & FOLD_IMAGE)
        enemy = numbering_image(n, *fold & FOLD_IMAGE, enemy);
    unsigned times;
    if (*fold & FOLD_SYMMETRIC)
        return numbering_lowest_enemy_rank(n, base, enemy, &times);
    return numbering_enemy_rank(n, base & NEIGHBOURS_BOARD, enemy);
}

/* The enemy set of a rank beside an own set. */
PLY_HD uint64_t numbering_enemy_set(const neighbours_numbering *n, uint64_t own, int enemy_count,
                                    uint32_t rank)
{
    return ply_pdep(n->sets[enemy_count][rank], NEIGHBOURS_BOARD & ~own);
}

#endif
