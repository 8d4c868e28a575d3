/* SPDX-License-Identifier: MIT */
/* numbering.c - builds the lookup tables of numbering.h. */
#include "games/neighbours/tablebase/numbering.h"
#include <stdlib.h>

neighbours_numbering *neighbours_numbering_open(int path_rule)
{
    neighbours_numbering *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->path_rule = path_rule;
    for (int squares = 0; squares <= NEIGHBOURS_SQUARES; squares++)
        for (int k = 0; k < NEIGHBOURS_COUNTS; k++)
            n->choose[k][squares] = k == 0 ? 1
                                    : squares == 0
                                        ? 0
                                        : n->choose[k][squares - 1] + n->choose[k - 1][squares - 1];
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++)
        for (int distance = 1; distance <= NEIGHBOURS_REACH; distance++) {
            const neighbours_targets *targets = &neighbours_targets_at[square][distance];
            for (unsigned i = 0; i < targets->count; i++) {
                n->ring[square][distance] |= ply_bit(targets->to[i]);
                n->between[square][targets->to[i]] = targets->path[i];
            }
        }
    for (int i = 0; i < NEIGHBOURS_IMAGES; i++)
        for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
            int x = square % NEIGHBOURS_SIDE, y = square / NEIGHBOURS_SIDE;
            if (i & 1)
                x = NEIGHBOURS_SIDE - 1 - x;
            if (i & 2)
                y = NEIGHBOURS_SIDE - 1 - y;
            n->image[i][square] =
                (uint8_t)(i & 4 ? x * NEIGHBOURS_SIDE + y : y * NEIGHBOURS_SIDE + x);
        }
    return n;
}

void neighbours_numbering_close(neighbours_numbering *n)
{
    for (int k = 0; n && k < NEIGHBOURS_COUNTS; k++) {
        free(n->sets[k]);
        free(n->fold[k]);
        free(n->representative[k]);
    }
    free(n);
}

/* The next larger set with as many squares. Ascending sets are in order of rank. */
static uint64_t next_set(uint64_t set)
{
    uint64_t lowest = set & -set, ripple = set + lowest;
    return ripple | ((set ^ ripple) >> 2) / lowest;
}

/* Fills the entry of a set in fold. Images of lower rank must have their entries already. */
static void fold_set(neighbours_numbering *n, int k, uint32_t rank)
{
    uint64_t fixing = 0, set = n->sets[k][rank];
    uint32_t lowest = rank, image = 0;
    for (uint32_t i = 0; i < NEIGHBOURS_IMAGES; i++) {
        uint32_t other = numbering_rank(n, numbering_image(n, i, set));
        if (other == rank)
            fixing |= ply_bit((int)i);
        if (other < lowest) {
            lowest = other;
            image = i;
        }
    }
    uint32_t symmetric = fixing == 1 ? 0 : FOLD_SYMMETRIC;
    if (lowest == rank) {
        n->representative[k][n->orbits[k]] = set | fixing << FIXING_SHIFT;
        n->fold[k][rank] = n->orbits[k]++ << FOLD_ORBIT_SHIFT | symmetric;
    } else {
        n->fold[k][rank] =
            n->fold[k][lowest] >> FOLD_ORBIT_SHIFT << FOLD_ORBIT_SHIFT | symmetric | image;
    }
}

ply_status neighbours_numbering_prepare(neighbours_numbering *n, int k)
{
    if (n->representative[k])
        return PLY_OK;
    uint32_t count = n->choose[k][NEIGHBOURS_SQUARES];
    free(n->sets[k]);
    free(n->fold[k]);
    n->sets[k] = malloc(count * sizeof *n->sets[k]);
    n->fold[k] = malloc(count * sizeof *n->fold[k]);
    n->representative[k] = malloc(count * sizeof *n->representative[k]);
    if (!n->sets[k] || !n->fold[k] || !n->representative[k]) {
        free(n->representative[k]);
        n->representative[k] = NULL;
        return PLY_NO_MEMORY;
    }
    uint64_t set = ply_bit(k) - 1;
    for (uint32_t rank = 0; rank < count; rank++, set = k ? next_set(set) : 0)
        n->sets[k][rank] = set;
    for (uint32_t rank = 0; rank < count; rank++)
        fold_set(n, k, rank);
    return PLY_OK;
}
