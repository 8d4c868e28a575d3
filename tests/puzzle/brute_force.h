/* SPDX-License-Identifier: MIT */
/*
 * brute_force.h - forced wins by trying every move, for the tests of puzzles.
 *
 * Knows the games by ply_state alone and shares no code with the solvers. Wins are limited to a
 * number of plies. A goal restricts the attacker's moves: checks in shogi (the game's own list of
 * them), fours in gomoku, or fours and threats of fours. For gomoku the stones are also kept in a
 * grid: a row of five needs a window of five cells, so that only cells in such windows are tried. A
 * win by fours ends, as the goals define it, with the four that cannot be stopped.
 */
#ifndef TESTS_PUZZLE_BRUTE_FORCE_H
#define TESTS_PUZZLE_BRUTE_FORCE_H

#include "../support/support.h"
#include <stdlib.h>
#include <string.h>

enum { BRUTE_SIDE = 15, BRUTE_MEMO = 1 << 20 };

typedef struct brute_memo {
    uint64_t key;
    int8_t won, failed; /* plies that suffice, and that do not; 0: unknown */
} brute_memo;

typedef struct brute {
    ply_state *state;
    const char *goal;
    int attacker;
    brute_memo *memo;      /* BRUTE_MEMO entries, or NULL */
    ply_move *refutations; /* by plies: the last defence that refuted a threat */
} brute;

enum { BRUTE_PLIES = 32 };

static bool brute_has_won(const brute *b)
{
    return ply_state_outcome(b->state).result == (b->attacker ? PLY_SECOND_WINS : PLY_FIRST_WINS);
}

static bool brute_is_over(const brute *b)
{
    ply_result result = ply_state_outcome(b->state).result;
    return result != PLY_ONGOING && result != PLY_DRAW; /* draws are by counting; ignored */
}

/* --- games without lines: every move, or every check -------------------------------------------- */
static size_t brute_attacks(const brute *b, ply_move *out)
{
    const ply_rules *rules = b->state->rules;
    if (strcmp(b->goal, "mate") == 0)
        for (size_t i = 0; i < rules->game->move_mode_count; i++)
            if (strcmp(rules->game->move_modes[i].id, "tsume") == 0)
                return rules->game->move_modes[i].moves(rules, b->state->position, out);
    return ply_state_moves(b->state, out, rules->max_moves);
}

static bool brute_after(const brute *b, ply_move move, int plies);

/* Whether the attacker, to move, wins in at most `plies` plies. */
static bool brute_wins(const brute *b, int plies)
{
    if (plies < 1 || brute_is_over(b))
        return false;
    uint64_t key = ply_state_key(b->state);
    brute_memo *known = b->memo ? &b->memo[key & (BRUTE_MEMO - 1)] : NULL;
    if (known && known->key != key)
        *known = (brute_memo){.key = key};
    if (known && known->won && known->won <= plies)
        return true;
    if (known && known->failed >= plies)
        return false;
    ply_move *moves = malloc(b->state->rules->max_moves * sizeof *moves);
    assert_non_null(moves);
    size_t count = brute_attacks(b, moves);
    bool won = false;
    for (size_t i = 0; i < count && !won; i++)
        won = brute_after(b, moves[i], plies);
    free(moves);
    if (known && known->key == key) {
        if (won)
            known->won = (int8_t)plies;
        else if (known->failed < plies)
            known->failed = (int8_t)plies;
    }
    return won;
}

/* Whether an allowed move of the attacker wins in at most `plies` plies, itself included. */
static bool brute_after(const brute *b, ply_move move, int plies)
{
    assert_int_equal(ply_state_play(b->state, move), PLY_OK);
    bool won = brute_has_won(b);
    if (!won && !brute_is_over(b) && plies >= 3) {
        ply_move *moves = malloc(b->state->rules->max_moves * sizeof *moves);
        assert_non_null(moves);
        size_t count = ply_state_moves(b->state, moves, b->state->rules->max_moves);
        won = count > 0;
        for (size_t i = 0; i < count && won; i++) {
            assert_int_equal(ply_state_play(b->state, moves[i]), PLY_OK);
            won = brute_wins(b, plies - 2);
            ply_state_undo(b->state);
        }
        free(moves);
    }
    ply_state_undo(b->state);
    return won;
}

/* --- gomoku ------------------------------------------------------------------------------------- */
typedef struct brute_board {
    char cells[BRUTE_SIDE][BRUTE_SIDE]; /* 'x', 'o' or '.'; the first row of the text first */
    char mover;
} brute_board;

static brute_board brute_read(const ply_state *state)
{
    brute_board board;
    char text[512];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_state_format(state, &out);
    const char *at = ply_text_cstr(&out);
    for (int row = 0; row < BRUTE_SIDE; row++, at++)
        for (int column = 0; column < BRUTE_SIDE;) {
            char *end;
            long gap = strtol(at, &end, 10);
            for (; gap > 0; gap--)
                board.cells[row][column++] = '.';
            if (end == at)
                board.cells[row][column++] = (char)(*at++ | 0x20);
            else
                at = end;
        }
    board.mover = (char)(*at | 0x20);
    return board;
}

static void brute_cell_text(int row, int column, char *text)
{
    snprintf(text, 8, "%c%d", 'a' + column, BRUTE_SIDE - row);
}

/* The most stones of a colour in a window of five with this empty cell and none of the other. */
static int brute_window(const brute_board *board, int row, int column, char colour)
{
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int most = 0;
    for (int d = 0; d < 4; d++)
        for (int start = -4; start <= 0; start++) {
            int stones = 0;
            for (int i = start; i < start + 5 && stones >= 0; i++) {
                int r = row + i * steps[d][0], c = column + i * steps[d][1];
                if (r < 0 || r >= BRUTE_SIDE || c < 0 || c >= BRUTE_SIDE)
                    stones = -1;
                else if (board->cells[r][c] == colour)
                    stones++;
                else if (board->cells[r][c] != '.')
                    stones = -1;
            }
            most = stones > most ? stones : most;
        }
    return most;
}

/* A state with the same stones and `mover` to move. The caller frees it. */
static ply_state brute_with_mover(const ply_state *state, char mover)
{
    ply_state other;
    char text[512];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_state_format(state, &out);
    char *space = strchr(text, ' ');
    assert_non_null(space);
    space[1] = mover;
    space[2] = '\0'; /* what follows is about moves so far */
    size_t length = strlen(text);
    assert_int_equal(ply_state_init(&other, state->rules), PLY_OK);
    ply_error error = {0};
    if (ply_state_parse(&other, text, length, &error) != PLY_OK)
        fail_msg("%s: %s", text, error.message);
    return other;
}

/* Lists the moves of the player to move in *state that complete a row; returns how many. */
static int brute_fives(ply_state *state, const brute_board *board, ply_move *out)
{
    int count = 0, side = ply_state_side(state);
    for (int row = 0; row < BRUTE_SIDE; row++)
        for (int column = 0; column < BRUTE_SIDE; column++) {
            char text[8];
            ply_move move;
            if (board->cells[row][column] != '.' ||
                brute_window(board, row, column, side ? 'o' : 'x') < 4)
                continue;
            brute_cell_text(row, column, text);
            if (ply_state_parse_move(state, text, strlen(text), &move, NULL) != PLY_OK)
                continue;
            assert_int_equal(ply_state_play(state, move), PLY_OK);
            if (ply_state_outcome(state).result == (side ? PLY_SECOND_WINS : PLY_FIRST_WINS))
                out[count++] = move;
            ply_state_undo(state);
        }
    return count;
}

/* The attacker has just moved: lists the cells where another stone would win. */
static int brute_threats(const ply_state *state, ply_move *out)
{
    brute_board board = brute_read(state);
    ply_state other = brute_with_mover(state, board.mover == 'x' ? 'o' : 'x');
    int count = brute_fives(&other, &board, out);
    ply_state_free(&other);
    return count;
}

static bool brute_fours(const brute *b, int plies);
static bool brute_line_wins(const brute *b, int plies);

/*
 * Whether a move wins by fours in at most `plies` plies; further_threats: by threats after a four.
 * *four: whether it is a four at all.
 */
static bool brute_four_wins(const brute *b, ply_move move, int plies, bool further_threats,
                            bool *four)
{
    ply_move cells[BRUTE_SIDE * BRUTE_SIDE], wins[BRUTE_SIDE * BRUTE_SIDE];
    assert_int_equal(ply_state_play(b->state, move), PLY_OK);
    bool won = brute_has_won(b);
    int threats = won || brute_is_over(b) ? 0 : brute_threats(b->state, cells);
    *four = won || threats > 0;
    if (threats > 0) {
        brute_board board = brute_read(b->state);
        won = brute_fives(b->state, &board, wins) == 0; /* the defender does not win first */
        /* Only a stone on a winning cell stops a row; with two such cells nothing does. */
        for (int i = 0; i < threats && won; i++) {
            if (!ply_state_is_legal(b->state, cells[i]))
                continue;
            assert_int_equal(ply_state_play(b->state, cells[i]), PLY_OK);
            board = brute_read(b->state);
            won = brute_fives(b->state, &board, wins) > 0 ||
                  (further_threats ? brute_line_wins(b, plies - 2) : brute_fours(b, plies - 2));
            ply_state_undo(b->state);
        }
    }
    ply_state_undo(b->state);
    return won;
}

/* Whether the attacker, to move, wins by fours alone in at most `plies` plies. */
static bool brute_fours(const brute *b, int plies)
{
    if (plies < 1 || brute_is_over(b))
        return false;
    brute_board board = brute_read(b->state);
    ply_move wins[BRUTE_SIDE * BRUTE_SIDE];
    if (brute_fives(b->state, &board, wins) > 0)
        return true;
    for (int row = 0; row < BRUTE_SIDE; row++)
        for (int column = 0; column < BRUTE_SIDE; column++) {
            char text[8];
            ply_move move;
            bool four;
            if (board.cells[row][column] != '.' ||
                brute_window(&board, row, column, board.mover) < 3)
                continue;
            brute_cell_text(row, column, text);
            if (ply_state_parse_move(b->state, text, strlen(text), &move, NULL) == PLY_OK &&
                brute_four_wins(b, move, plies, false, &four))
                return true;
        }
    return false;
}

/* Whether a move wins in at most `plies` plies by the goal's moves. */
static bool brute_line_after(const brute *b, ply_move move, int plies)
{
    bool fours_only = strcmp(b->goal, "vcf") == 0, four;
    bool won = brute_four_wins(b, move, plies, !fours_only, &four);
    if (four || fours_only || plies < 3)
        return won;
    /* A threat: if the defender passes, the attacker wins by fours. */
    assert_int_equal(ply_state_play(b->state, move), PLY_OK);
    ply_state passed = brute_with_mover(b->state, b->attacker ? 'o' : 'x');
    brute after_pass = {&passed, "vcf", b->attacker, NULL, b->refutations};
    won = brute_fours(&after_pass, plies + 2);
    ply_state_free(&passed);
    ply_move moves[BRUTE_SIDE * BRUTE_SIDE + 1], *hint = &b->refutations[plies];
    size_t count = ply_state_moves(b->state, moves, BRUTE_SIDE * BRUTE_SIDE + 1);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == *hint) { /* what refuted another move is tried first */
            moves[i] = moves[0];
            moves[0] = *hint;
        }
    for (size_t i = 0; i < count && won; i++) {
        assert_int_equal(ply_state_play(b->state, moves[i]), PLY_OK);
        won = brute_line_wins(b, plies - 2);
        ply_state_undo(b->state);
        if (!won)
            *hint = moves[i];
    }
    ply_state_undo(b->state);
    return won;
}

/* Whether the attacker, to move, wins in at most `plies` plies by the goal's moves. */
static bool brute_line_wins(const brute *b, int plies)
{
    if (plies < 1)
        return false;
    if (brute_fours(b, plies))
        return true;
    if (strcmp(b->goal, "vcf") == 0 || plies < 3 || brute_is_over(b))
        return false;
    ply_move moves[BRUTE_SIDE * BRUTE_SIDE + 1];
    size_t count = ply_state_moves(b->state, moves, BRUTE_SIDE * BRUTE_SIDE + 1);
    for (size_t i = 0; i < count; i++)
        if (brute_line_after(b, moves[i], plies))
            return true;
    return false;
}

/* --- 5D chess ----------------------------------------------------------------------------------- */
typedef struct brute_turns {
    uint64_t *seen; /* keys of positions within the turn */
    size_t count, room;
    uint64_t *mates; /* keys of the positions after turns that give mate */
    size_t mate_count;
    size_t turns;
} brute_turns;

enum { BRUTE_TURN_NODES = 200000, BRUTE_MATES = 64 };

/* Tries every way to complete the turn; false when there are too many. */
static bool brute_each_turn(const brute *b, brute_turns *t)
{
    uint64_t key = ply_state_key(b->state);
    if (ply_state_side(b->state) != b->attacker) {
        t->turns++;
        if (brute_has_won(b) && t->mate_count < BRUTE_MATES) {
            size_t i = 0;
            while (i < t->mate_count && t->mates[i] != key)
                i++;
            t->mates[i] = key;
            t->mate_count += i == t->mate_count;
        }
        return true;
    }
    size_t at = key % t->room;
    for (; t->seen[at]; at = (at + 1) % t->room)
        if (t->seen[at] == key)
            return true;
    t->seen[at] = key;
    if (++t->count > t->room / 2)
        return false;
    ply_move *moves = malloc(b->state->rules->max_moves * sizeof *moves);
    assert_non_null(moves);
    size_t count = ply_state_moves(b->state, moves, b->state->rules->max_moves);
    bool complete = true;
    for (size_t i = 0; i < count && complete; i++) {
        assert_int_equal(ply_state_play(b->state, moves[i]), PLY_OK);
        complete = brute_each_turn(b, t);
        ply_state_undo(b->state);
    }
    free(moves);
    return complete;
}

#endif
