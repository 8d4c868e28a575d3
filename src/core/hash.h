/* SPDX-License-Identifier: MIT */
/*
 * hash.h - mixing, and Zobrist keys from a fixed seed.
 *
 * A key is a function of its table and index, so tables can be made anywhere and at any time and
 * are the same on every machine. Keys of different tables never share an input.
 */
#ifndef PLY_CORE_HASH_H
#define PLY_CORE_HASH_H

#include <stdint.h>

/* The finaliser of SplitMix64: a bijection in which every input bit moves every output bit. */
static inline uint64_t ply_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

#define PLY_GOLDEN 0x9E3779B97F4A7C15u

static inline uint64_t ply_splitmix64(uint64_t *state)
{
    *state += PLY_GOLDEN;
    return ply_mix64(*state);
}

/* One table for each use; an index stays below 2^32. Add a line, never renumber. */
enum ply_zobrist_table {
    PLY_ZOBRIST_NEIGHBOURS = 1,
    PLY_ZOBRIST_CHECKERS = 2,
    PLY_ZOBRIST_SHOGI = 3,
    PLY_ZOBRIST_GOMOKU = 4,
    PLY_ZOBRIST_FIVED = 5,
};

static inline uint64_t ply_zobrist_key(enum ply_zobrist_table table, uint32_t index)
{
    uint64_t input = ((uint64_t)table << 32) | index;
    return ply_mix64(ply_mix64(0x506C7976657273u + input * PLY_GOLDEN) + PLY_GOLDEN);
}

#endif
