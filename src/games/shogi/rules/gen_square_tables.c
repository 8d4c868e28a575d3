/* SPDX-License-Identifier: MIT */
/* gen_square_tables.c - prints square_tables.inc, the tables that square_tables.h declares. */
#include "core/hash.h"
#include "games/shogi/rules/movement.h"
#include "games/shogi/rules/square_tables.h"
#include <stdio.h>

enum { SHOGI_ZOBRIST_TABLE = 3 }; /* never renumber: keys are stored in files */

static shogi_set ray(int square, int step)
{
    shogi_set set = 0;
    if (square < SHOGI_SQUARES && shogi_is_square((unsigned)square))
        for (int s = square + step; s >= 0 && shogi_is_square((unsigned)s); s += step)
            set |= set_of(s);
    return set;
}

static shogi_set one_step(int square, int step)
{
    int s = square + step;
    bool both = shogi_is_square((unsigned)square) && s >= 0 && shogi_is_square((unsigned)s);
    return both ? set_of(s) : 0;
}

static shogi_set pseudo_attacks(int colour, int type, int square)
{
    const shogi_movement *m = &movements[colour][type];
    shogi_set set = 0;
    for (const int8_t *step = m->steps; *step; step++)
        set |= one_step(square, *step);
    for (const int8_t *step = m->flows; *step; step++)
        set |= ray(square, *step);
    return set;
}

static shogi_set ring_origins(int colour, int type, int square)
{
    shogi_set ring = pseudo_attacks(colour, SHOGI_KING, square), set = 0;
    if (shogi_is_square((unsigned)square))
        ring |= set_of(square);
    for (int s = 0; s < SHOGI_SQUARES; s++)
        if (shogi_is_square((unsigned)s) && (pseudo_attacks(colour, type, s) & ring))
            set |= set_of(s);
    return set;
}

static void print_set(shogi_set set)
{
    printf("SHOGI_SET(0x%llxu, 0x%llxu),\n", (unsigned long long)set_high(set),
           (unsigned long long)set_low(set));
}

static void print_by_type(const char *name, shogi_set (*make)(int, int, int))
{
    printf("PLY_TABLE shogi_set %s[2][SHOGI_TYPES][SHOGI_TABLE_SIZE] = {\n", name);
    for (int colour = 0; colour < 2; colour++) {
        printf("{\n");
        for (int type = 0; type < SHOGI_TYPES; type++) {
            printf("{\n");
            for (int s = 0; s < SHOGI_TABLE_SIZE; s++)
                print_set(make(colour, type, s));
            printf("},\n");
        }
        printf("},\n");
    }
    printf("};\n");
}

static int direction(int from, int to)
{
    for (int d = 0; d < SHOGI_DIRECTIONS; d++)
        if (set_has(ray(from, shogi_direction_step(d)), to))
            return d;
    return SHOGI_DIRECTIONS;
}

static int magnitude(int n)
{
    return n < 0 ? -n : n;
}

/* Without a king, every square counts as level with it and far away. */
static int king_bucket(int colour, int king, int square)
{
    if (!shogi_is_square((unsigned)king) || !shogi_is_square((unsigned)square))
        return 4 + 3;
    int ahead = shogi_rank(king) - shogi_rank(square);
    int aside = shogi_column(king) - shogi_column(square);
    int distance = magnitude(ahead) > magnitude(aside) ? magnitude(ahead) : magnitude(aside);
    distance = distance > 4 ? 4 : distance < 1 ? 1 : distance;
    ahead = colour == SHOGI_BLACK ? ahead : -ahead;
    return (ahead > 0 ? 8 : ahead == 0 ? 4 : 0) + distance - 1;
}

static void print_ranks_and_buckets(void)
{
    printf("PLY_TABLE uint8_t shogi_ranks[SHOGI_TABLE_SIZE] = {");
    for (int s = 0; s < SHOGI_TABLE_SIZE; s++)
        printf("%d,", s < SHOGI_SQUARES ? shogi_rank(s) : 0);
    printf("};\nPLY_TABLE uint8_t shogi_king_bucket[2][SHOGI_TABLE_SIZE][SHOGI_TABLE_SIZE] = {\n");
    for (int colour = 0; colour < 2; colour++) {
        printf("{\n");
        for (int king = 0; king < SHOGI_TABLE_SIZE; king++) {
            printf("{");
            for (int s = 0; s < SHOGI_TABLE_SIZE; s++)
                printf("%d,", king_bucket(colour, king, s));
            printf("},\n");
        }
        printf("},\n");
    }
    printf("};\n");
}

static void print_keys(void)
{
    uint32_t index = 0;
    printf("PLY_TABLE uint64_t shogi_piece_keys[32][SHOGI_TABLE_SIZE] = {\n");
    for (int code = 0; code < 32; code++) {
        printf("{\n");
        for (int s = 0; s < SHOGI_TABLE_SIZE; s++)
            printf("0x%llxu,\n", (unsigned long long)ply_zobrist_key(SHOGI_ZOBRIST_TABLE, index++));
        printf("},\n");
    }
    printf("};\nPLY_TABLE uint64_t shogi_hand_keys[2][SHOGI_KINDS] = {\n");
    for (int colour = 0; colour < 2; colour++) {
        printf("{\n");
        for (int kind = 0; kind < SHOGI_KINDS; kind++)
            printf("0x%llxu,\n", (unsigned long long)ply_zobrist_key(SHOGI_ZOBRIST_TABLE, index++));
        printf("},\n");
    }
    printf("};\nPLY_TABLE uint64_t shogi_side_key = 0x%llxu;\n",
           (unsigned long long)ply_zobrist_key(SHOGI_ZOBRIST_TABLE, index));
}

int main(void)
{
    printf("PLY_TABLE shogi_set shogi_rays[SHOGI_DIRECTIONS][SHOGI_TABLE_SIZE] = {\n");
    for (int d = 0; d < SHOGI_DIRECTIONS; d++) {
        printf("{\n");
        for (int s = 0; s < SHOGI_TABLE_SIZE; s++)
            print_set(ray(s, shogi_direction_step(d)));
        printf("},\n");
    }
    printf("};\n");
    print_by_type("shogi_pseudo_attacks", pseudo_attacks);
    print_by_type("shogi_ring_origins", ring_origins);
    printf("PLY_TABLE uint8_t shogi_direction[SHOGI_SQUARES][SHOGI_SQUARES] = {\n");
    for (int from = 0; from < SHOGI_SQUARES; from++) {
        printf("{");
        for (int to = 0; to < SHOGI_SQUARES; to++)
            printf("%d,", direction(from, to));
        printf("},\n");
    }
    printf("};\nPLY_TABLE shogi_set shogi_column_sets[512] = {\n");
    for (int bits = 0; bits < 512; bits++) {
        shogi_set set = 0;
        for (int s = 0; s < SHOGI_SQUARES; s++)
            if (shogi_is_square((unsigned)s) && (bits >> shogi_column(s) & 1))
                set |= set_of(s);
        print_set(set);
    }
    printf("};\n");
    print_ranks_and_buckets();
    print_keys();
    return 0;
}
