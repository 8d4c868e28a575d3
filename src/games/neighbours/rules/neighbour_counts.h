/* SPDX-License-Identifier: MIT */
/*
 * neighbour_counts.h - neighbour counts of all squares at once, and building blocks to count moves.
 *
 * A template over the type T, a 64-bit word or a vector of them, so that the same code counts one
 * position or eight side by side. Define T and SLICES_SUFFIX (the suffix of the functions) before
 * including it; both are undefined again at the end.
 *
 * Counting: the three squares left, self and right are added into two bit slices for every square.
 * The sums of the rows above and below are the same slices, shifted. Adding the three sums gives
 * four slices: about thirty operations for all 36 squares.
 *
 * Moves: let movers[n] be the pieces that move n squares. In one direction, the pieces with five
 * steps to go take one step onto empty squares; the survivors join those with four steps to go, and
 * so on; the last step may land on an enemy piece. Two pieces never reach a square with the same
 * number of steps left in the same direction, because the one in front would have blocked the one
 * behind. So the population count of the last step is the number of moves. Where jumps are allowed,
 * they could meet, and each distance is counted separately.
 */
#define SLICES_JOIN2(a, b) a##b
#define SLICES_JOIN(a, b) SLICES_JOIN2(a, b)
#define FN(name) SLICES_JOIN(name, SLICES_SUFFIX)
#define SLICES_INLINE PLY_HD __attribute__((always_inline))

typedef struct FN(slices) {
    T ones, twos, fours, eights;
} FN(slices);

SLICES_INLINE T FN(majority)(T a, T b, T c)
{
    return (a & b) | (c & (a ^ b));
}

SLICES_INLINE FN(slices) FN(add_neighbours)(T pieces)
{
    T left = (pieces << 1) & (NEIGHBOURS_BOARD & ~(uint64_t)NEIGHBOURS_FILE_A);
    T right = (pieces >> 1) & ~(uint64_t)NEIGHBOURS_FILE_F;
    T pair_ones = left ^ right, pair_twos = left & right;
    T row_ones = pair_ones ^ pieces, row_twos = FN(majority)(left, pieces, right);
    T up_ones = row_ones >> 6, up_twos = row_twos >> 6;
    T down_ones = row_ones << 6, down_twos = row_twos << 6;
    T ones = up_ones ^ down_ones, carry = up_ones & down_ones;
    T twos = up_twos ^ down_twos ^ carry;
    T fours = FN(majority)(up_twos, down_twos, carry);
    T carry_ones = ones & pair_ones;
    T carry_twos = FN(majority)(twos, pair_twos, carry_ones);
    FN(slices)
    sum = {
        .ones = ones ^ pair_ones,
        .twos = twos ^ pair_twos ^ carry_ones,
        .fours = fours ^ carry_twos,
        .eights = fours & carry_twos,
    };
    return sum;
}

/* movers[n]: the pieces among `own` that move n squares, n from 1 to 5. */
SLICES_INLINE void FN(split_movers)(T own, T pieces, T movers[NEIGHBOURS_REACH + 1])
{
    FN(slices) n = FN(add_neighbours)(pieces);
    T small = own & ~n.fours, large = own & n.fours & ~n.twos;
    movers[1] = small & n.ones & ~n.twos;
    movers[2] = small & ~n.ones & n.twos;
    movers[3] = small & n.ones & n.twos;
    movers[4] = large & ~n.ones;
    movers[5] = large & n.ones;
}

/* One step. Directions run clockwise: up, up-right, right, down-right and so on. */
SLICES_INLINE T FN(step)(T board, int direction)
{
    switch (direction) {
    case 0:
        return board << 6;
    case 1:
        return board << 7;
    case 2:
        return board << 1;
    case 3:
        return board >> 5;
    case 4:
        return board >> 6;
    case 5:
        return board >> 7;
    case 6:
        return board >> 1;
    default:
        return board << 5;
    }
}

/* The squares on which a step in a direction can end without wrapping around the edge. */
SLICES_INLINE uint64_t FN(step_mask)(int direction)
{
    uint64_t board = NEIGHBOURS_BOARD;
    if (direction >= 1 && direction <= 3)
        return board & ~(uint64_t)NEIGHBOURS_FILE_A;
    if (direction >= 5)
        return board & ~(uint64_t)NEIGHBOURS_FILE_F;
    return board;
}

#undef FN
#undef T
#undef SLICES_SUFFIX
#undef SLICES_JOIN
#undef SLICES_JOIN2
#undef SLICES_INLINE
