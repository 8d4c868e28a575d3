/* SPDX-License-Identifier: MIT */
/*
 * note_neighbours.c - the design note on the 6x6 board, followed section by section with
 * <plyverse/neighbours.h>: two bitboards, get, toggle and move, neighbour counts, the base state.
 *
 * It is C and C++: cc note_neighbours.c -lplyverse, or c++ -x c++ note_neighbours.c -lplyverse.
 */
#include <plyverse/neighbours.h>
#include <plyverse/state.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(ply_status status, const char *what)
{
    if (status == PLY_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, ply_status_text(status));
    exit(EXIT_FAILURE);
}

static void print_bits(uint64_t board, int count)
{
    for (int i = count - 1; i >= 0; i--)
        printf("%d", neighbours_get(board, i));
}

static void print_boards(const char *name, neighbours_boards b)
{
    printf("%s\n  CURRENT_PLAYER ", name);
    print_bits(b.current, NEIGHBOURS_SQUARES);
    printf("\n  NEXT_PLAYER    ");
    print_bits(b.next, NEIGHBOURS_SQUARES);
    printf("\n  %s to play\n", b.side ? "black" : "white");
}

/* The note's three operations and its examples; 9 is 1001. */
static void basic_functions(void)
{
    printf("get value from 3, bitboard = 1001: %d\n", neighbours_get(9, 3));
    printf("remove from 0, bitboard = 1001: ");
    print_bits(neighbours_toggle(9, 0), 4);
    printf("\nmove from 0 to 2, bitboard = 1001: ");
    print_bits(neighbours_move(9, 0, 2), 4);
    printf("\n");
}

/* Step 2 as the note sketches it: one shift for each of the eight offsets. */
static int count_by_shifts(uint64_t pieces, int position)
{
    uint64_t left = pieces & ~(uint64_t)NEIGHBOURS_FILE_F,
             right = pieces & ~(uint64_t)NEIGHBOURS_FILE_A;
    uint64_t around[8] = {
        right >> 1, left << 1,  pieces >> 6, pieces << 6,
        right >> 7, right << 5, left >> 5,   left << 7,
    };
    int count = 0;
    for (int i = 0; i < 8; i++)
        count += neighbours_get(around[i], position);
    return count;
}

/* The counts of all squares as a board, and how many squares agree with the shifts. */
static void neighbour_counts(neighbours_boards b)
{
    uint64_t pieces = b.current | b.next; /* step 1: the colour makes no difference */
    neighbours_slices all = neighbours_count_all(pieces);
    int equal = 0;
    for (int row = NEIGHBOURS_SIDE - 1; row >= 0; row--) {
        printf(" ");
        for (int file = 0; file < NEIGHBOURS_SIDE; file++) {
            int square = NEIGHBOURS_SIDE * row + file, count = neighbours_count_at(pieces, square);
            printf(" %d%c", count, neighbours_get(pieces, square) ? '*' : '.');
            equal += count == neighbours_slices_get(all, square) &&
                     count == count_by_shifts(pieces, square);
        }
        printf("\n");
    }
    printf("counted three ways, equal on %d of %d squares\n", equal, NEIGHBOURS_SQUARES);
}

/* The four variations of a state, and the base state that all of them map to. */
static void base_state(const ply_rules *rules, neighbours_boards b)
{
    static const char *const names[] = {"itself", "left and right swapped",
                                        "top and bottom, and the players, swapped", "both"};
    neighbours_boards base = neighbours_base_state(b);
    print_boards("base state", base);
    for (unsigned i = 0; i < NEIGHBOURS_VARIATIONS; i++) {
        neighbours_boards variation = neighbours_variation(b, i);
        neighbours_boards other = neighbours_base_state(variation);
        bool same = other.current == base.current && other.next == base.next && other.side == 0;
        void *position = malloc(rules->position_bytes);
        if (!position)
            exit(EXIT_FAILURE);
        check(neighbours_position_make(rules, position, variation), "position");
        printf("  %s: %s to play, %zu moves, %s base state\n", names[i],
               variation.side ? "black" : "white", ply_game_count_moves(rules, position),
               same ? "the same" : "another");
        free(position);
    }
}

/* "Dividing the actual state space by four": all states with one piece each. */
static void state_space(void)
{
    int states = 0, bases = 0;
    for (int side = 0; side < 2; side++)
        for (int own = 0; own < NEIGHBOURS_SQUARES; own++)
            for (int other = 0; other < NEIGHBOURS_SQUARES; other++) {
                neighbours_boards b = {neighbours_toggle(0, own), neighbours_toggle(0, other),
                                       side};
                neighbours_boards base = neighbours_base_state(b);
                if (own == other)
                    continue;
                states++;
                bases += base.current == b.current && base.next == b.next && base.side == b.side;
            }
    printf("one piece each: %d states, %d base states\n", states, bases);
}

int main(void)
{
    ply_rules rules;
    ply_state game;
    static const char *const played[] = {"b1d3", "c6c4", "d3d4"};
    basic_functions();
    check(ply_rules_make(&rules, ply_game_find("neighbours"), NULL, NULL), "rules");
    check(ply_state_init(&game, &rules), "game");
    print_boards("start", neighbours_position_boards(&rules, game.position));
    for (size_t i = 0; i < sizeof played / sizeof played[0]; i++) {
        check(ply_state_play_text(&game, played[i], strlen(played[i]), NULL), played[i]);
        print_boards(played[i], neighbours_position_boards(&rules, game.position));
    }
    neighbours_boards b = neighbours_position_boards(&rules, game.position);
    neighbour_counts(b);
    base_state(&rules, b);
    state_space();
    ply_state_free(&game);
    return EXIT_SUCCESS;
}
