/* SPDX-License-Identifier: MIT */
/*
 * test_legal.c - every move our players make is legal according to an independent implementation.
 *
 * Neighbours is checked on a plain board below, gomoku by tests/games/gomoku/reference.h and 5D
 * chess by tests/games/fived/naive.inc; third-party programs check checkers and shogi in
 * tests/oracle/play. The short tier plays a few games of each, the long tier a thousand.
 */
#include "support/support.h"
/* after cmocka */
#include "core/hash.h"
#include "games/fived/naive.inc"
#include "games/gomoku/reference.h"
#include "support/selfplay.h"

static void play_games(const char *game, const char *variant, uint64_t games, size_t max_plies,
                       selfplay_judge *judge, void *context)
{
    ply_rules rules;
    test_make_rules(&rules, game, variant);
    long checked = 0;
    for (uint64_t g = 0; g < games; g++) {
        long moves = selfplay_game(&rules, 17, g, max_plies, judge, context);
        if (moves < 0)
            fail_msg("%s %s: game %u", game, variant ? variant : "", (unsigned)g);
        checked += moves;
    }
    assert_true(checked >= (long)games);
    print_message("%s: %ld moves of %u games\n", game, checked, (unsigned)games);
}

static void format_move(const ply_state *state, ply_move move, char name[PLY_MOVE_TEXT])
{
    ply_text text = ply_text_fixed(name, PLY_MOVE_TEXT);
    state->rules->game->format_move(state->rules, state->position, move, &text);
}

/* --- Neighbours ------------------------------------------------------------------------------ */
static bool judge_neighbours(void *context, const ply_state *state, ply_move move)
{
    bool jumps = context != NULL;
    char text[128], name[PLY_MOVE_TEXT], board[6][6];
    ply_text out = ply_text_fixed(text, sizeof text);
    state->rules->game->format(state->rules, state->position, &out);
    const char *next = text;
    for (int row = 5; row >= 0; row--) {
        for (int file = 0; file < 6; next++)
            if (*next >= '1' && *next <= '6')
                for (int n = *next - '0'; n > 0; n--)
                    board[row][file++] = '.';
            else if (*next == 'w' || *next == 'b')
                board[row][file++] = *next;
            else if (*next != '/')
                return false;
    }
    char own = strchr(text, ' ')[1];
    format_move(state, move, name);
    int file = name[0] - 'a', row = name[1] - '1', to_file = name[2] - 'a', to_row = name[3] - '1';
    if (file < 0 || file > 5 || row < 0 || row > 5 || to_file < 0 || to_file > 5 || to_row < 0 ||
        to_row > 5 || board[row][file] != own || board[to_row][to_file] == own)
        return false;
    int neighbours = 0;
    for (int r = row - 1; r <= row + 1; r++)
        for (int f = file - 1; f <= file + 1; f++)
            if (r >= 0 && r < 6 && f >= 0 && f < 6 && (r != row || f != file))
                neighbours += board[r][f] != '.';
    int across = to_file - file, up = to_row - row;
    int distance = absolute(across) > absolute(up) ? absolute(across) : absolute(up);
    if (distance != neighbours || distance == 0 || (across != 0 && absolute(across) != distance) ||
        (up != 0 && absolute(up) != distance))
        return false;
    for (int k = 1; k < distance && !jumps; k++)
        if (board[row + up / distance * k][file + across / distance * k] != '.')
            return false;
    return true;
}

static void test_neighbours(void **state)
{
    (void)state;
    uint64_t games = test_is_long() ? 1000 : 40;
    play_games("neighbours", "slide", games, 120, judge_neighbours, NULL);
    play_games("neighbours", "jump", games / 4, 120, judge_neighbours, &games);
}

/* --- gomoku and renju ------------------------------------------------------------------------ */
static bool judge_gomoku(void *context, const ply_state *state, ply_move move)
{
    bool renju = context != NULL;
    reference_board board;
    reference_clear(&board, 15, 15);
    ply_state replay;
    char name[PLY_MOVE_TEXT];
    if (ply_state_copy(&replay, state) != PLY_OK)
        return false;
    while (ply_state_undo(&replay))
        continue;
    bool legal = true;
    for (size_t i = 0; i <= state->plies && legal; i++) {
        ply_move played = i < state->plies ? state->moves[i] : move;
        format_move(&replay, played, name);
        int x = name[0] - 'a', y = atoi(name + 1) - 1;
        legal = x >= 0 && x < 15 && y >= 0 && y < 15 && *reference_at(&board, x, y) == '.';
        if (legal && renju && i % 2 == 0 && i == state->plies)
            legal = reference_forbidden(&board, x, y) == 0;
        if (legal)
            *reference_at(&board, x, y) = i % 2 == 0 ? 'X' : 'O';
        if (i < state->plies && ply_state_play(&replay, played) != PLY_OK)
            legal = false;
    }
    ply_state_free(&replay);
    return legal;
}

static void test_gomoku(void **state)
{
    (void)state;
    uint64_t games = test_is_long() ? 1000 : 12;
    play_games("gomoku", "freestyle", games / 2, 120, judge_gomoku, NULL);
    play_games("gomoku", "renju:pass=no", games / 2, 120, judge_gomoku, &games);
}

/* --- 5D chess -------------------------------------------------------------------------------- */
static bool judge_fived(void *context, const ply_state *state, ply_move move)
{
    (void)context;
    const fived_position *p = state->position;
    if (move == FIVED_SUBMIT)
        return (fived_position_present(p) & 1) != p->side &&
               !naive_can_capture_royal(state->rules, p, !p->side);
    ply_move *moves = malloc(NAIVE_MOVES * sizeof *moves);
    bool legal = false;
    size_t count = moves ? naive_moves(state->rules, p, p->side, moves) : 0;
    for (size_t i = 0; i < count && !legal; i++)
        legal = moves[i] == move;
    free(moves);
    return legal;
}

static void test_fived(void **state)
{
    (void)state;
    uint64_t games = test_is_long() ? 1000 : 8;
    play_games("5dchess", NULL, games, test_is_long() ? 40 : 24, judge_fived, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_gomoku),
        cmocka_unit_test(test_fived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
