/* SPDX-License-Identifier: MIT */
/*
 * note_checkers.c - the design note of checkers, read from top to bottom: the masks, the four words,
 * pieces that can move and capture by direction, and the set of children.
 *
 * Compiles as C11 and as C++17.
 */
#include <inttypes.h>
#include <plyverse/checkers.h>
#include <plyverse/state.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const directions[4] = {"down-left +7", "down-right +9", "up-left -9",
                                          "up-right -7"};

static void print_mask(const char *name, uint64_t mask)
{
    printf("%-16s %20" PRIu64 "  %016" PRIx64 "\n", name, mask, mask);
}

static void print_masks(void)
{
    print_mask("edges", CHECKERS_EDGES);
    print_mask("notEdges", CHECKERS_NOT_EDGES);
    print_mask("rightEdge", CHECKERS_RIGHT_EDGE);
    print_mask("leftEdge", CHECKERS_LEFT_EDGE);
    print_mask("whiteEndMask", CHECKERS_WHITE_END_MASK);
    print_mask("blackEndMask", CHECKERS_BLACK_END_MASK);
    print_mask("darkSquares", CHECKERS_DARK_SQUARES);
    print_mask("playableSquares", CHECKERS_PLAYABLE_SQUARES);
    printf("notEdges is ~edges: %s\n\n", CHECKERS_NOT_EDGES == ~CHECKERS_EDGES ? "yes" : "no");
}

static void print_board(const char *title, const checkers_board *board)
{
    printf("%s, %s to move\n", title, checkers_black_turn(board) ? "Black" : "White");
    for (int row = 0; row < CHECKERS_SIDE; row++) {
        for (int column = 0; column < CHECKERS_SIDE; column++)
            printf(" %c", ".bBwW"[checkers_piece_at(board, CHECKERS_SIDE * row + column)]);
        printf("\n");
    }
    print_mask("blackPieces", checkers_black_pieces(board));
    print_mask("whitePieces", checkers_white_pieces(board));
    print_mask("allPieces", checkers_all_pieces(board));
}

/*
 * The pieces of the player to move that can go in a direction: the words without the edge that the
 * step would cross, shifted by 7 or 9, without the squares that are taken. Shifted back, the
 * targets become the pieces.
 */
static uint64_t movable(const checkers_board *board, int d)
{
    uint64_t men = checkers_black_turn(board) ? board->black_men : board->white_men;
    uint64_t kings = checkers_black_turn(board) ? board->black_kings : board->white_kings;
    bool forward = checkers_black_turn(board) == (d < CHECKERS_UP_LEFT);
    uint64_t targets = checkers_step((forward ? men : 0) | kings, d) & CHECKERS_PLAYABLE_SQUARES &
                       ~checkers_all_pieces(board);
    return checkers_step(targets, 3 - d);
}

/* The pieces that can capture in a direction: over enemy pieces that are not on an edge. */
static uint64_t capturing(const checkers_board *board, int d)
{
    bool black = checkers_black_turn(board);
    uint64_t men = black ? board->black_men : board->white_men;
    uint64_t kings = black ? board->black_kings : board->white_kings;
    uint64_t enemy = black ? checkers_white_pieces(board) : checkers_black_pieces(board);
    bool forward = black == (d < CHECKERS_UP_LEFT);
    uint64_t over = checkers_shift((forward ? men : 0) | kings, d) & enemy & CHECKERS_NOT_EDGES;
    uint64_t targets = checkers_shift(over, d) & ~checkers_all_pieces(board);
    return checkers_shift(checkers_shift(targets, 3 - d), 3 - d);
}

static void print_by_direction(const checkers_board *board)
{
    for (int d = 0; d < 4; d++)
        printf("  %-14s can move %016" PRIx64 "  can capture %016" PRIx64 "\n", directions[d],
               movable(board, d), capturing(board, d));
}

/* Prints the children of a board and, first, whether any two of them are equal. */
static void print_children(const ply_rules *rules, const checkers_board *board)
{
    checkers_board children[CHECKERS_MAX_MOVES];
    size_t count = checkers_children(rules, board, children);
    bool distinct = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            distinct = distinct && memcmp(&children[i], &children[k], sizeof children[i]) != 0;
    printf("children: %zu, %s\n", count, distinct ? "all different" : "some equal");
    for (size_t i = 0; i < count; i++)
        printf("  black %016" PRIx64 "  white %016" PRIx64 "\n",
               checkers_black_pieces(&children[i]), checkers_white_pieces(&children[i]));
    printf("\n");
}

static int fail(const char *what)
{
    fprintf(stderr, "note_checkers: %s\n", what);
    return EXIT_FAILURE;
}

int main(void)
{
    ply_rules rules;
    if (ply_rules_make(&rules, ply_game_find("checkers"), "english", NULL) != PLY_OK)
        return fail("no English checkers");
    print_masks();

    /* Where the game starts, and the seven states after the first move. */
    checkers_board board = checkers_board_start(&rules);
    print_board("start", &board);
    print_by_direction(&board);
    print_children(&rules, &board);

    /* A king on bit 3 can go round four men in two ways. Both lead to the same state. */
    memset(&board, 0, sizeof board);
    board.black_kings = UINT64_C(1) << 3;
    board.white_men = UINT64_C(1) << 10 | UINT64_C(1) << 12 | UINT64_C(1) << 26 | UINT64_C(1) << 28;
    board.turn = CHECKERS_BLACK;
    print_board("a king and four men", &board);
    print_by_direction(&board);
    print_children(&rules, &board);

    /* A board becomes a position, which the rest of the library works with. */
    ply_state state;
    if (ply_state_init(&state, &rules) != PLY_OK)
        return fail("out of memory");
    if (checkers_board_to_position(&rules, &board, state.position, NULL) != PLY_OK)
        return fail("not a position");
    if (ply_state_play_text(&state, "2x2", 3, NULL) != PLY_OK)
        return fail("not a move");
    board = checkers_board_of(&rules, state.position);
    print_board("after 2x2", &board);
    printf("result: %s\n", ply_result_name(ply_state_outcome(&state).result));
    ply_state_free(&state);
    return EXIT_SUCCESS;
}
