/* SPDX-License-Identifier: MIT */
/*
 * test_solve.c - wins by fours and by threats: published problems with their lengths, random
 * positions under every rule compared with a search that knows nothing but the rules, zones
 * compared with playing every other stone, and every proof run through the checker.
 */
#include "games/gomoku/proofs.h"
#include "games/gomoku/solve/goals.h"
#include "games/gomoku/solve/vct_internal.h"
#include "support/support.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- published problems ---------------------------------------------------------------------- */
static void put_list(const ply_rules *rules, gomoku_position *p, const char *list, int colour)
{
    ply_cursor cursor = ply_cursor_make(list, strlen(list), NULL);
    while (!ply_cursor_done(&cursor)) {
        int cell = 0;
        assert_int_equal(gomoku_parse_cell(rules, &cursor, &cell), PLY_OK);
        gomoku_put_stone(rules, p, cell, colour);
        ply_cursor_accept(&cursor, ',');
    }
}

/* The caller frees it. */
static gomoku_position *make_white_to_move(const ply_rules *rules, const char *black,
                                           const char *white)
{
    gomoku_position *p = calloc(1, rules->position_bytes);
    put_list(rules, p, black, GOMOKU_BLACK);
    put_list(rules, p, white, GOMOKU_WHITE);
    p->side = GOMOKU_WHITE;
    assert_int_equal(gomoku_finish_setup(rules, p), PLY_OK);
    return p;
}

static unsigned count_moves(const char *list)
{
    unsigned count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

/* The shortest wins of the quick problems, with three threads. */
static void check_shortest(const ply_rules *rules, const gomoku_position *p, const char *name)
{
    static const struct {
        const char *name;
        unsigned plies;
    } known[] = {{"test_vct_black", 7},
                 {"test_vct_white", 7},
                 {"test_vct_counter", 7},
                 {"test_vct_forbidden_breaker", 7},
                 {"test_vct_dual_forbiddens", 9}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) != 0)
            continue;
        ply_solve_options options = {.memory_mb = 64, .threads = 3};
        ply_solve_limits limits = {.shortest = true};
        ply_solve_report report;
        ply_solver *solver = ply_solver_new(rules, ply_goal_find(rules->game, "vct"), &options);
        assert_non_null(solver);
        assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
        assert_int_equal(report.verdict, PLY_VERDICT_WIN);
        assert_true(report.shortest);
        assert_int_equal(report.plies, known[i].plies);
        assert_true(report.memory_bytes <= (size_t)64 << 20);
        check_proof(solver, &report, name);
        ply_solver_free(solver);
    }
}

static void solve_problem(const ply_rules *rules, const gomoku_position *p, char **column)
{
    bool fours = strncmp(column[1], "VCF", 3) == 0;
    const ply_goal *goal = ply_goal_find(rules->game, fours ? "vcf" : "vct");
    ply_solve_options options = {.memory_mb = 64};
    ply_solve_limits limits = {.shortest = fours};
    ply_solve_report report;
    /* Some problems take seconds, and one is beyond us. The short tier has one slow problem. */
    bool slow = strncmp(column[0], "bench", 5) == 0;
    bool wanted =
        test_is_long() || (strcmp(column[0], "bench_vct_white") == 0 && !test_under_asan());
    if (strcmp(column[0], "bench_vct_unstable") == 0 || (slow && !wanted))
        return;
    options.memory_mb = slow ? 512 : 64;
    ply_solver *solver = ply_solver_new(rules, goal, &options);
    assert_non_null(solver);
    assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
    if (report.verdict != PLY_VERDICT_WIN)
        fail_msg("%s is not solved", column[0]);
    if (fours)
        assert_int_equal(report.plies, count_moves(column[7]));
    check_proof(solver, &report, column[0]);
    ply_solver_free(solver);
    if (!fours)
        check_shortest(rules, p, column[0]);
}

static void test_problems(void **state)
{
    (void)state;
    FILE *file = test_open_truth("renju_mate_tests.tsv");
    if (!file)
        return;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", "renju");
    gomoku_position *p = calloc(1, rules.position_bytes);
    char text[8192];
    assert_non_null(fgets(text, sizeof text, file));
    while (fgets(text, sizeof text, file)) {
        char *column[9], *rest = text;
        for (int i = 0; i < 9; i++)
            column[i] = strsep(&rest, "\t\n");
        gomoku_start(&rules, p);
        put_list(&rules, p, column[5], GOMOKU_BLACK);
        put_list(&rules, p, column[6], GOMOKU_WHITE);
        p->side = strcmp(column[3], "White") == 0;
        assert_int_equal(gomoku_finish_setup(&rules, p), PLY_OK);
        solve_problem(&rules, p, column);
    }
    fclose(file);
    free(p);
}

/* Black's answer to a four sometimes gives two ways to make five; one stone does not stop both. */
static void test_two_fives(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", "renju");
    gomoku_position *p = make_white_to_move(&rules, "f8,h8,g7,g5", "g8,f7,h7,h6");
    ply_solve_options options = {.memory_mb = 64};
    ply_solve_report report;
    ply_solver *solver = ply_solver_new(&rules, &gomoku_goals[GOMOKU_GOAL_VCT], &options);
    assert_int_equal(ply_solver_run(solver, p, NULL, NULL, NULL, &report), PLY_OK);
    assert_int_equal(report.verdict, PLY_VERDICT_WIN);
    check_proof(solver, &report, "two fives");
    ply_solver_free(solver);
    free(p);
}

/* --- stops ----------------------------------------------------------------------------------- */
/* Stops the search at the poll after *left more. */
static bool count_down(void *context, uint64_t nodes)
{
    int *left = context;
    (void)nodes;
    return (*left)-- > 0;
}

/*
 * A search that is stopped must not become incomplete. Otherwise a worker that is stopped in the
 * middle of a search for fours, because another has the answer, would put that answer in doubt.
 */
static void test_stops(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", "renju");
    gomoku_position *p = make_white_to_move(&rules, "h8,i8,h7,j6,g5,h5", "h9,i7,h6,i6,i5");
    gomoku_threat_board *board = malloc(sizeof *board);
    gomoku_threat_undo *undo = malloc((GOMOKU_MAX_CELLS + 1) * sizeof *undo);
    gomoku_vct_table table;
    gomoku_vct v;
    int left = INT_MAX, stops_in_fours = 0;
    gomoku_threat_board_init(board, &rules, p, undo);
    assert_int_equal(gomoku_vct_table_init(&table, (size_t)16 << 20), PLY_OK);
    assert_int_equal(gomoku_vct_init(&v, board, &table, (size_t)4 << 20), PLY_OK);
    v.keep_going = v.vcf.keep_going = count_down;
    v.context = v.vcf.context = &left;
    /* The shortest win takes nine plies. */
    assert_int_equal(gomoku_vct_solve(&v, GOMOKU_WHITE, false, 7, UINT64_MAX), GOMOKU_NO);
    unsigned stage = v.stage;
    int polls = INT_MAX - left, step = polls / 100 + 1;
    for (int stop = 0; stop < polls; stop += step) {
        gomoku_vct_clear(&v);
        v.vcf.nodes = 0;
        left = stop;
        assert_int_equal(gomoku_vct_solve(&v, GOMOKU_WHITE, false, 7, UINT64_MAX), GOMOKU_UNKNOWN);
        stops_in_fours += v.vcf.halted;
        if (v.stage == stage)
            assert_false(v.incomplete);
    }
    assert_true(stops_in_fours > 10);
    gomoku_vct_free(&v);
    gomoku_vct_table_free(&table);
    free(undo);
    free(board);
    free(p);
}

/* The length of the win by fours; 0 if there is none. */
static unsigned length_of_fours(const ply_rules *rules, const void *position)
{
    ply_solve_options options = {.memory_mb = 16};
    ply_solve_limits limits = {.shortest = true};
    ply_solve_report report;
    ply_solver *solver = ply_solver_new(rules, ply_goal_find(rules->game, "vcf"), &options);
    assert_non_null(solver);
    assert_int_equal(ply_solver_run(solver, position, &limits, NULL, NULL, &report), PLY_OK);
    ply_solver_free(solver);
    assert_true(report.verdict == PLY_VERDICT_WIN || report.verdict == PLY_VERDICT_NO);
    return report.verdict == PLY_VERDICT_WIN ? report.plies : 0;
}

/* A win is counted up to the four that cannot be answered; the five after it does not count. */
static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *black, *white;
        unsigned plies;
    } known[] = {
        /* Five at once, an open four, two fours, a four before an open four. */
        {"freestyle", "a1,a3,a5,a7,a9", "g8,h8,i8,j8", 1},
        {"freestyle", "a1,a3,a5,a7", "g8,h8,i8", 1},
        {"freestyle", "f8,j13,a3,a5,a7,a9,a11", "g8,h8,i8,j12,j11,j10", 1},
        {"freestyle", "f8,a3,a5,a7,a9,a11", "g8,h8,i8,j9,j10", 3},
        /* The defender makes five first. */
        {"freestyle", "c3,d3,e3,f3,a7", "g8,h8,i8,o1", 0},
        /* The only answer is an overline; the only answer is allowed. */
        {"renju", "d8,e8,f8,h8,i8,g13,g7", "g9,g10,g11,o1,o3,o5", 1},
        {"renju", "d8,f8,h8,g13,g7,a1,a3", "g9,g10,g11,o1,o3,o5", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ply_rules rules;
        test_make_rules(&rules, "gomoku", known[i].variant);
        gomoku_position *p = make_white_to_move(&rules, known[i].black, known[i].white);
        assert_int_equal(length_of_fours(&rules, p), known[i].plies);
        free(p);
    }
}

/* --- random positions ------------------------------------------------------------------------ */
static const char *const variants[] = {
    "freestyle:width=7,height=7",
    "standard:width=8,height=7",
    "renju:width=8,height=8",
    "caro:width=7,height=7",
    "caro-overline:width=7,height=7",
    "freestyle:width=6,height=6,row=4",
    "standard:width=6,height=6,row=4",
    "renju:width=7,height=9,pass=no",
    "renju:width=8,height=8,forbidden=loses",
    "freestyle:width=5,height=5,row=3",
    "standard:width=8,height=8,row=6",
};

/* Plays random legal moves; false when the game is over. */
static bool random_position(const ply_rules *rules, gomoku_position *p, ply_rng *rng, int stones)
{
    gomoku_undo_info undo;
    gomoku_start(rules, p);
    for (int i = 0; i < stones; i++) {
        ply_move moves[GOMOKU_MAX_CELLS + 1];
        size_t count = gomoku_moves(rules, p, moves);
        if (count == 0)
            return false;
        ply_move move = moves[ply_rng_below(rng, (uint32_t)count)];
        if (move == GOMOKU_PASS)
            continue;
        gomoku_play(rules, p, move, &undo);
    }
    return gomoku_outcome(rules, p, NULL, 0).result == PLY_ONGOING;
}

static bool wins_next(const ply_rules *rules, gomoku_position *p)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1];
    int side = p->side;
    size_t count = gomoku_moves(rules, p, moves);
    for (size_t i = 0; i < count; i++) {
        gomoku_undo_info undo;
        gomoku_play(rules, p, moves[i], &undo);
        bool won = p->ended == GOMOKU_ROW_BLACK + side;
        gomoku_undo(rules, p, moves[i], &undo);
        if (won)
            return true;
    }
    return false;
}

/*
 * By the rules alone: the fewest plies, up to `plies`, in which the player to move wins by moves
 * that win or threaten to win with the next, whatever the opponent plays. 0: none. Counted up to
 * the four that cannot be answered.
 */
static int brute_force_fours(const ply_rules *rules, gomoku_position *p, int plies)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1], answers[GOMOKU_MAX_CELLS + 1];
    int attacker = p->side, best = 0;
    size_t count = gomoku_moves(rules, p, moves);
    if (plies >= 1 && wins_next(rules, p))
        return 1;
    for (size_t i = 0; i < count && plies >= 1; i++) {
        gomoku_undo_info first, second;
        if (moves[i] == GOMOKU_PASS)
            continue;
        gomoku_play(rules, p, moves[i], &first);
        bool four = false;
        if (!p->ended) {
            p->side = (uint8_t)attacker; /* as if the attacker could move again */
            four = wins_next(rules, p);
            p->side = (uint8_t)!attacker;
        }
        int longest = four ? 1 : 0;
        size_t answer_count = four ? gomoku_moves(rules, p, answers) : 0;
        for (size_t k = 0; k < answer_count && longest; k++) {
            gomoku_play(rules, p, answers[k], &second);
            int length = 0;
            if (p->ended == GOMOKU_ROW_BLACK + !attacker)
                longest = 0;
            else if (!p->ended && !wins_next(rules, p)) {
                length = brute_force_fours(rules, p, plies - 2);
                longest = length == 0 ? 0 : length + 2 > longest ? length + 2 : longest;
            }
            gomoku_undo(rules, p, answers[k], &second);
        }
        gomoku_undo(rules, p, moves[i], &first);
        if (longest && (best == 0 || longest < best)) {
            best = longest;
            plies = best - 2;
        }
    }
    return best;
}

static void test_fours_at_random(void **state)
{
    (void)state;
    enum { DEPTH = 7 };
    int wins = 0, rounds = (int)test_rounds(1000, 10000);
    ply_rng rng = ply_rng_make(7, 1);
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
        ply_rules rules;
        test_make_rules(&rules, "gomoku", variants[k]);
        gomoku_position *p = calloc(1, rules.position_bytes);
        ply_solve_options options = {.memory_mb = 4};
        ply_solver *solver = ply_solver_new(&rules, &gomoku_goals[GOMOKU_GOAL_VCF], &options);
        for (int i = 0; i < rounds; i++) {
            int stones = (int)ply_rng_below(&rng, (uint32_t)gomoku_cell_count(&rules) * 4 / 5);
            if (!random_position(&rules, p, &rng, stones))
                continue;
            ply_solve_limits limits = {.shortest = true};
            ply_solve_report report;
            assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
            int expected = brute_force_fours(&rules, p, DEPTH);
            int found = report.verdict == PLY_VERDICT_WIN ? (int)report.plies : 0;
            assert_int_not_equal(report.verdict, PLY_VERDICT_UNKNOWN);
            if (found != expected && !(expected == 0 && found > DEPTH)) {
                ply_text text = ply_text_growing();
                gomoku_format(&rules, p, &text);
                fail_msg("%s %s: %d plies, brute force %d", variants[k], ply_text_cstr(&text),
                         found, expected);
            }
            wins += found > 1;
            if (i % 8 == 0)
                check_proof(solver, &report, variants[k]);
        }
        ply_solver_free(solver);
        free(p);
    }
    print_message("%d wins of more than one ply\n", wins);
    assert_true(wins > rounds / 10);
}

/* Outside the zone of a win by fours, no stone of the defender stops it. Outside the relevant
 * cells, no stone of an attacker without such a win makes one. */
static void test_zones_at_random(void **state)
{
    (void)state;
    int rounds = (int)test_rounds(1500, 20000), tried = 0;
    ply_rng rng = ply_rng_make(11, 1);
    gomoku_threat_board *board = malloc(sizeof *board);
    gomoku_threat_undo *undo = malloc((GOMOKU_MAX_CELLS + 1) * sizeof *undo);
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
        ply_rules rules;
        test_make_rules(&rules, "gomoku", variants[k]);
        gomoku_position *p = calloc(1, rules.position_bytes);
        gomoku_vcf fours;
        assert_int_equal(gomoku_vcf_init(&fours, board, 1 << 20), PLY_OK);
        for (int i = 0; i < rounds; i++) {
            int stones = (int)ply_rng_below(&rng, (uint32_t)gomoku_cell_count(&rules) / 2);
            if (!random_position(&rules, p, &rng, stones))
                continue;
            gomoku_cells zone, relevant;
            int attacker = (int)ply_rng_below(&rng, 2);
            gomoku_threat_board_init(board, &rules, p, undo);
            if (gomoku_lines_any(&board->with_five[!attacker]))
                continue;
            gomoku_verdict verdict = gomoku_vcf_solve(&fours, attacker, GOMOKU_ANY_DEPTH, 1 << 20);
            uint64_t hash = board->hash;
            if (verdict == GOMOKU_WIN)
                gomoku_vcf_zone(&fours, attacker, &zone);
            else
                assert_int_equal(gomoku_vcf_relevant_cells(&fours, attacker, 1 << 20, &relevant),
                                 GOMOKU_NO);
            assert_int_equal(board->hash, hash);
            for (int y = 0; y < board->height; y++)
                for (int x = 0; x < board->width; x++) {
                    int cell = gomoku_cell(x, y);
                    int colour = verdict == GOMOKU_WIN ? !attacker : attacker;
                    const gomoku_cells *cells = verdict == GOMOKU_WIN ? &zone : &relevant;
                    if (!gomoku_threat_board_empty(board, cell) || gomoku_cells_has(cells, cell) ||
                        gomoku_threat_board_forbidden(board, cell, colour))
                        continue;
                    gomoku_threat_board_play(board, cell, colour);
                    gomoku_verdict after =
                        gomoku_vcf_solve(&fours, attacker, GOMOKU_ANY_DEPTH, 1 << 20);
                    gomoku_threat_board_undo(board);
                    tried++;
                    if (after != verdict) {
                        ply_text text = ply_text_growing();
                        gomoku_format(&rules, p, &text);
                        fail_msg("%s %s: attacker %d, cell %d %d: %d then %d", variants[k],
                                 ply_text_cstr(&text), attacker, x, y, verdict, after);
                    }
                }
        }
        gomoku_vcf_free(&fours);
        free(p);
    }
    free(board);
    free(undo);
    assert_true(tried > rounds);
}

/* A position and the one after the defender's pass are different. */
static void test_keys(void **state)
{
    (void)state;
    gomoku_threat_board *board = calloc(1, sizeof *board);
    gomoku_vct v = {.board = board};
    assert_true(gomoku_vct_key(&v, true) != gomoku_vct_key(&v, false));
    free(board);
}

/* The threat board's quick test for forbidden points agrees with classifying each of them. */
static void test_forbidden_at_random(void **state)
{
    (void)state;
    int rounds = (int)test_rounds(10000, 200000), forbidden = 0, allowed = 0;
    ply_rng rng = ply_rng_make(13, 1);
    ply_rules rules;
    test_make_rules(&rules, "gomoku", "renju:width=11,height=9");
    gomoku_position *p = calloc(1, rules.position_bytes);
    gomoku_threat_board *board = malloc(sizeof *board);
    gomoku_threat_undo *undo = malloc((GOMOKU_MAX_CELLS + 1) * sizeof *undo);
    for (int i = 0; i < rounds; i++) {
        gomoku_start(&rules, p);
        uint32_t black = 2 + ply_rng_below(&rng, 5), white = ply_rng_below(&rng, 3);
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 11; x++) {
                uint32_t what = ply_rng_below(&rng, 12);
                if (what < black + white)
                    gomoku_put_stone(&rules, p, gomoku_cell(x, y), what >= black);
            }
        gomoku_threat_board_init(board, &rules, p, undo);
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 11; x++) {
                int cell = gomoku_cell(x, y);
                if (!gomoku_threat_board_empty(board, cell))
                    continue;
                bool is_forbidden = gomoku_forbidden_at(&rules, p, cell) != GOMOKU_ALLOWED;
                assert_int_equal(gomoku_threat_board_forbidden(board, cell, GOMOKU_BLACK),
                                 is_forbidden);
                forbidden += is_forbidden;
                allowed += !is_forbidden;
            }
    }
    free(undo);
    free(board);
    free(p);
    assert_true(forbidden > rounds && allowed > rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_problems),
                                       cmocka_unit_test(test_two_fives),
                                       cmocka_unit_test(test_lengths),
                                       cmocka_unit_test(test_stops),
                                       cmocka_unit_test(test_fours_at_random),
                                       cmocka_unit_test(test_zones_at_random),
                                       cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_forbidden_at_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
