/* SPDX-License-Identifier: MIT */
/*
 * gen_steps.c - prints the steps of every piece, as packed vectors.
 *
 * The rule: choose n of the four dimensions x, y, t, l and a sign for each; all choices together
 * are the n-dimensional steps. A rook uses 1 dimension (8 steps), a bishop 2 (24), a unicorn 3
 * (32), a dragon 4 (16); queen, king, common king and royal queen any number (80), a princess 1 or
 * 2 (32). A knight moves 2 along one dimension and 1 along another (48). Pawns and brawns follow
 * from "forward", which is y + 1 or l - 1 for White and y - 1 or l + 1 for Black.
 *
 * The threat masks need the same steps grouped by where they lead among the boards (t, l): the
 * eight directions from board to board, and the boards that knights reach with their squares there.
 */
#include "core/hash.h"
#include <inttypes.h>
#include <plyverse/fived_vec4.h>
#include <stdio.h>

enum { FIVED_ZOBRIST_TABLE = 5 }; /* never renumber: keys are stored in files */

typedef struct step {
    int x, y, t, l;
} step;

enum { LIMIT = 128 };

static int dimensions(step s)
{
    return (s.x != 0) + (s.y != 0) + (s.t != 0) + (s.l != 0);
}

/* All steps with components from -2 to 2 that pass a test, in a fixed order. */
static int collect(step *out, int (*wanted)(step, int), int argument)
{
    int count = 0;
    for (int l = -2; l <= 2; l++)
        for (int t = -2; t <= 2; t++)
            for (int y = -2; y <= 2; y++)
                for (int x = -2; x <= 2; x++) {
                    step s = {x, y, t, l};
                    if (dimensions(s) > 0 && wanted(s, argument))
                        out[count++] = s;
                }
    return count;
}

static int is_unit(step s)
{
    return s.x * s.x <= 1 && s.y * s.y <= 1 && s.t * s.t <= 1 && s.l * s.l <= 1;
}

/* argument: bit n set if steps in n dimensions are wanted. */
static int along(step s, int argument)
{
    return is_unit(s) && (argument >> dimensions(s) & 1);
}

static int leap(step s, int argument)
{
    (void)argument;
    return dimensions(s) == 2 && s.x * s.x + s.y * s.y + s.t * s.t + s.l * s.l == 5;
}

/* argument: 0 White, 1 Black. */
static int pawn_advance(step s, int argument)
{
    int forward = argument ? -1 : 1;
    return dimensions(s) == 1 && (s.y == forward || s.l == -forward);
}

static int pawn_capture(step s, int argument)
{
    int forward = argument ? -1 : 1;
    if (!is_unit(s) || dimensions(s) != 2)
        return 0;
    return (s.y == forward && s.x != 0) || (s.l == -forward && s.t != 0);
}

static int brawn_capture(step s, int argument)
{
    int forward = argument ? -1 : 1;
    if (pawn_capture(s, argument))
        return 1;
    if (!is_unit(s) || dimensions(s) != 2)
        return 0;
    return (s.l == -forward && (s.x != 0 || s.y == forward)) || (s.y == forward && s.t == -1);
}

static void print_steps(const char *name, int (*wanted)(step, int), int argument)
{
    step steps[LIMIT];
    int count = collect(steps, wanted, argument);
    printf("PLY_TABLE fived_steps fived_steps_%s = {%d, {\n", name, count);
    for (int i = 0; i < count; i++)
        printf("{0x%08" PRIx32 "u},%s",
               fived_vec4_make(steps[i].x, steps[i].y, steps[i].t, steps[i].l).word,
               i % 6 == 5 ? "\n" : "");
    printf("}};\n");
}

static void print_directions(void)
{
    printf("PLY_TABLE fived_direction fived_directions[8] = {\n");
    for (int l = -1; l <= 1; l++)
        for (int t = -1; t <= 1; t++)
            if (l || t)
                printf("{%d,%d,%d},\n", t, l, (l != 0) + (t != 0));
    printf("};\nPLY_TABLE fived_leap fived_leaps[16] = {\n");
    step leaps[LIMIT];
    int count = collect(leaps, leap, 0);
    for (int l = -2; l <= 2; l++)
        for (int t = -2; t <= 2; t++) {
            int found = 0;
            for (int i = 0; i < count; i++)
                if (leaps[i].l == l && leaps[i].t == t && (l || t)) {
                    if (!found++)
                        printf("{%d,%d,{", t, l);
                    printf("{%d,%d},", leaps[i].x, leaps[i].y);
                }
            if (found)
                printf("},%d},\n", found);
        }
    printf("};\n");
}

/* Shifts of a whole board by (x, y): the squares that stay on 8x8, and the rotation. */
static void print_shifts(void)
{
    printf("PLY_TABLE fived_shift fived_shifts[5][5] = {\n");
    for (int y = -2; y <= 2; y++) {
        printf("{");
        for (int x = -2; x <= 2; x++) {
            uint64_t mask = 0;
            for (int square = 0; square < 64; square++) {
                int to_x = square % 8 + x, to_y = square / 8 + y;
                if (to_x >= 0 && to_x < 8 && to_y >= 0 && to_y < 8)
                    mask |= (uint64_t)1 << square;
            }
            printf("{0x%" PRIx64 "u,%d},", mask, (8 * y + x) & 63);
        }
        printf("},\n");
    }
    printf("};\n");
}

/* The squares that lie a number of steps away, across straight lines or diagonals. */
static void print_distances(const char *name, int diagonal)
{
    printf("PLY_TABLE uint64_t fived_%s[8][64] = {\n", name);
    for (int far = 0; far < 8; far++) {
        printf("{");
        for (int square = 0; square < 64; square++) {
            uint64_t found = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int x = square % 8 + dx * far, y = square / 8 + dy * far;
                    int ways = (dx != 0) + (dy != 0);
                    if (ways == (diagonal ? 2 : 1) && x >= 0 && x < 8 && y >= 0 && y < 8)
                        found |= (uint64_t)1 << (8 * y + x);
                }
            printf("0x%" PRIx64 "u,%s", found, square % 4 == 3 ? "\n" : "");
        }
        printf("},\n");
    }
    printf("};\n");
}

static void print_keys(void)
{
    printf("PLY_TABLE uint64_t fived_keys[64][64] = {\n");
    for (uint32_t piece = 0; piece < 64; piece++) {
        printf("{");
        for (uint32_t square = 0; square < 64; square++)
            printf("0x%" PRIx64 "u,%s",
                   piece ? ply_zobrist_key(FIVED_ZOBRIST_TABLE, piece * 64 + square) : 0,
                   square % 4 == 3 ? "\n" : "");
        printf("},\n");
    }
    printf("};\nPLY_TABLE uint64_t fived_side_key = 0x%" PRIx64 "u;\n",
           ply_zobrist_key(FIVED_ZOBRIST_TABLE, 4096));
}

int main(void)
{
    print_steps("rook", along, 1 << 1);
    print_steps("bishop", along, 1 << 2);
    print_steps("unicorn", along, 1 << 3);
    print_steps("dragon", along, 1 << 4);
    print_steps("princess", along, 1 << 1 | 1 << 2);
    print_steps("queen", along, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4);
    print_steps("knight", leap, 0);
    print_steps("white_pawn_advance", pawn_advance, 0);
    print_steps("black_pawn_advance", pawn_advance, 1);
    print_steps("white_pawn_capture", pawn_capture, 0);
    print_steps("black_pawn_capture", pawn_capture, 1);
    print_steps("white_brawn_capture", brawn_capture, 0);
    print_steps("black_brawn_capture", brawn_capture, 1);
    print_directions();
    print_shifts();
    print_distances("straight_squares", 0);
    print_distances("diagonal_squares", 1);
    print_keys();
    return 0;
}
