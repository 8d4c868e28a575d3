/* SPDX-License-Identifier: MIT */
/*
 * note_gomoku.c - the design note of gomoku, read from top to bottom: lines as words, the empty
 * board, the four updates of a move, the patterns, the four kinds of matches, and the counts.
 *
 * Compiles as C11 and as C++17.
 */
#include <inttypes.h>
#include <plyverse/gomoku.h>
#include <plyverse/state.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8 };

/* Prints the cells of a word as the note writes them, the first cell on the right. */
static void print_cells(uint64_t word, int cells)
{
    for (int i = cells - 1; i >= 0; i--)
        printf(" %c%c", (char)('0' + (word >> (2 * i + 1) & 1)),
               (char)('0' + (word >> (2 * i) & 1)));
}

/* The word of a line written from its first cell on, such as "XO  XOOX". */
static uint64_t read_line(const char *text)
{
    uint64_t line = 0;
    for (int i = 0; text[i]; i++)
        line |= (uint64_t)(text[i] == 'X' ? 1 : text[i] == 'O' ? 2 : 0) << (2 * i);
    return line;
}

static void print_line_table(void)
{
    static const char *const names[GOMOKU_DIRECTIONS] = {"horizontal", "vertical", "left diagonal",
                                                         "right diagonal"};
    static const int first[GOMOKU_DIRECTIONS + 1] = {0, SIDE, 2 * SIDE, 4 * SIDE - 1, 6 * SIDE - 2};
    printf("an 8x8 board has %d lines\n", gomoku_line_count(SIDE, SIDE));
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        printf("  %2d to %2d, %s, of lengths", first[d], first[d + 1] - 1, names[d]);
        for (int i = first[d]; i < first[d + 1]; i++)
            printf(" %d", gomoku_line_length(SIDE, SIDE, i));
        printf("\n");
    }
}

/* Plays X on (x, y) of an empty board and prints the lines that change. */
static void print_update(int x, int y)
{
    uint64_t lines[GOMOKU_MAX_LINES] = {0};
    gomoku_set_cell(lines, SIDE, SIDE, gomoku_cell(x, y), GOMOKU_BLACK);
    printf("X on x = %d, y = %d\n", x, y);
    for (int i = 0; i < gomoku_line_count(SIDE, SIDE); i++)
        if (lines[i]) {
            printf("  %2d:", i);
            print_cells(lines[i], gomoku_line_length(SIDE, SIDE, i));
            printf("\n");
        }
}

static const char *const anchors[GOMOKU_ANCHORS] = {"prefix", "suffix", "infix", "exact"};

static void print_patterns(void)
{
    printf("fives of O\n");
    for (int a = 0; a < GOMOKU_ANCHORS; a++) {
        gomoku_pattern_list list = gomoku_patterns(5, GOMOKU_WHITE, (gomoku_anchor)a, 0);
        for (int i = 0; i < list.count; i++) {
            printf("  %-6s", anchors[a]);
            print_cells(list.patterns[i].bits, list.patterns[i].cells);
            printf("\n");
        }
    }
    printf("patterns of each player: fives, fours, threes, twos\n");
    for (int a = 0; a < GOMOKU_ANCHORS; a++) {
        printf("  %-6s", anchors[a]);
        for (int missing = 0; missing < 4; missing++)
            printf(" %2d", gomoku_patterns(5, GOMOKU_BLACK, (gomoku_anchor)a, missing).count);
        printf("\n");
    }
}

/* A row of an example: cells below those of the line that they belong to. */
static void print_part(const char *name, int indent, uint64_t word, int cells)
{
    printf("\n  %-9s%*s", name, 3 * indent, "");
    print_cells(word, cells);
}

/* One of the note's four examples: mask, AND, XOR. */
static void print_match(gomoku_anchor anchor, uint64_t line, int length, uint32_t bits, int cells,
                        int place)
{
    gomoku_pattern pattern = gomoku_pattern_make(bits, cells);
    int indent = length - place - cells; /* cells of the line beyond the pattern, on its left */
    printf("%s at cell %d", anchors[anchor], place);
    print_part("line", 0, line, length);
    print_part("pattern", indent, pattern.bits, cells);
    print_part("mask", indent, pattern.mask, cells);
    print_part("line AND", indent, line >> (2 * place) & pattern.mask, cells);
    print_part("XOR", indent, gomoku_pattern_difference(pattern, line, place), cells);
    bool matches = gomoku_pattern_matches(pattern, anchor, line, length, place);
    printf("  -> %s\n", matches ? "matched" : "not matched");
}

static void print_matches(void)
{
    const uint64_t line = 0x6688; /* 01 10 01 10 10 00 10 00 */
    print_match(GOMOKU_PREFIX, line, 8, 0x6AA, 6, 0);
    print_match(GOMOKU_SUFFIX, line, 8, 0xAA9, 6, 2);
    print_match(GOMOKU_INFIX, line, 8, 0xAA8, 7, 1);
    print_match(GOMOKU_EXACT, 0x19A, 5, 0x2AA, 5, 0);
}

int main(void)
{
    uint64_t line = read_line("XO  XOOX");
    printf("X|O| | |X|O|O|X ->");
    print_cells(line, SIDE);
    printf(" -> %" PRIu64 " -> 0x%" PRIx64 "\n\n", line, line);
    print_line_table();
    print_update(2, 5);
    print_patterns();
    print_matches();

    /* A game: play keeps the counts up to date; counting all patterns anew gives the same. */
    ply_rules rules;
    ply_state state;
    if (ply_rules_make(&rules, ply_game_find("gomoku"), "freestyle:width=8,height=8", NULL) !=
            PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK)
        return EXIT_FAILURE;
    const char *moves = "c3 d4 c4 d5 c5 d6 c6";
    if (ply_state_play_text(&state, moves, strlen(moves), NULL) != PLY_OK)
        return EXIT_FAILURE;
    const uint64_t *lines = gomoku_lines(&rules, state.position);
    printf("after %s: column c, line %d,", moves, SIDE + 2);
    print_cells(lines[SIDE + 2], SIDE);
    printf("\n");
    for (int colour = GOMOKU_BLACK; colour <= GOMOKU_WHITE; colour++) {
        gomoku_windows kept = gomoku_windows_of(&rules, state.position, colour);
        gomoku_windows found = gomoku_windows_in(SIDE, SIDE, 5, lines, colour);
        printf("  %c: %d fives, %d fours, %d threes, %d twos; counted anew: %d %d %d %d\n",
               "XO"[colour], kept.five, kept.four, kept.three, kept.two, found.five, found.four,
               found.three, found.two);
    }
    ply_state_free(&state);
    return EXIT_SUCCESS;
}
