/* SPDX-License-Identifier: MIT */
/*
 * hash.h - hash mixing and Zobrist keys.
 *
 * A Zobrist key is a pure function of a table number and an index, so tables can be generated at
 * any time and are the same on every machine. Different tables never share an input.
 */
#ifndef PLY_CORE_HASH_H
#define PLY_CORE_HASH_H

#include "core/device.h"

/* The finaliser of SplitMix64: a bijection in which every input bit affects every output bit. */
PLY_HD uint64_t ply_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* 2^64 divided by the golden ratio: a multiplier that spreads consecutive numbers. */
#define PLY_GOLDEN 0x9E3779B97F4A7C15u

/* Advances a SplitMix64 generator and returns its next number. */
PLY_HD uint64_t ply_splitmix64(uint64_t *state)
{
    *state += PLY_GOLDEN;
    return ply_mix64(*state);
}

/* A checksum of text, for lines of journals. Never change it: it is stored in files. */
PLY_HD uint64_t ply_text_checksum(const char *text, size_t length)
{
    uint64_t sum = length + 1;
    for (size_t i = 0; i < length; i++)
        sum = ply_mix64(sum ^ (unsigned char)text[i]);
    return sum;
}

/*
 * Key number `index` of a table. Every game picks a table number of its own and names it
 * GAME_ZOBRIST_TABLE in the generator of its keys. Choose one that no other game uses
 * (`grep -r ZOBRIST_TABLE src/games`) and never change it: keys are stored in files.
 */
PLY_HD uint64_t ply_zobrist_key(uint32_t table, uint32_t index)
{
    uint64_t input = ((uint64_t)table << 32) | index;
    return ply_mix64(ply_mix64(0x506C7976657273u + input * PLY_GOLDEN) + PLY_GOLDEN);
}

#endif
