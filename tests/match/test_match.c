/* SPDX-License-Identifier: MIT */
/*
 * test_match.c - openings, the journal, and matches between built-in players. The statistics are in
 * test_stats.c.
 */
#include "match/match.h"
#include "support/support.h"
#include <fcntl.h>
#include <plyverse/search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- results --------------------------------------------------------------------------------- */
static match_game *made_game(uint64_t number, ply_result result, match_ending ending)
{
    match_game *game = calloc(1, sizeof *game);
    game->number = number;
    game->result = result;
    game->ending = ending;
    strcpy(game->reason, "no-move");
    game->opening = strdup("");
    game->start = strdup("");
    game->moves = strdup("a1a2 a6a5");
    game->plies = 2;
    game->opening_plies = 1;
    game->millis = malloc(2 * sizeof *game->millis);
    game->scores = malloc(2 * sizeof *game->scores);
    game->millis[0] = -1;
    game->millis[1] = 12;
    game->scores[0] = MATCH_NO_SCORE;
    game->scores[1] = -35;
    return game;
}

static void test_summary(void **state)
{
    (void)state;
    match_results results;
    assert_int_equal(ply_match_results_init(&results, 8), PLY_OK);
    /* Pair 0: the first engine wins both; pair 1: one win each; pairs 2 and 3 are incomplete. */
    results.games[0] = made_game(0, PLY_FIRST_WINS, MATCH_BY_RULES);
    results.games[1] = made_game(1, PLY_SECOND_WINS, MATCH_BY_TIME);
    results.games[2] = made_game(2, PLY_SECOND_WINS, MATCH_BY_CRASH);
    results.games[3] = made_game(3, PLY_SECOND_WINS, MATCH_BY_RULES);
    results.games[5] = made_game(5, PLY_DRAW, MATCH_BY_RULES);
    results.games[6] = made_game(6, PLY_DRAW, MATCH_BY_RULES);
    match_summary t = ply_match_results_summarize(&results, 8);
    assert_int_equal(t.games, 6);
    assert_int_equal(t.tally.wins, 3);
    assert_int_equal(t.tally.losses, 1);
    assert_int_equal(t.tally.draws, 2);
    static const uint64_t pairs[5] = {0, 0, 1, 0, 1};
    assert_memory_equal(t.tally.pairs, pairs, sizeof pairs);
    assert_int_equal(t.by_colour[0][2], 1);
    assert_int_equal(t.by_colour[0][0], 1);
    assert_int_equal(t.by_colour[1][2], 2);
    assert_int_equal(t.endings[1][MATCH_BY_TIME], 1);
    assert_int_equal(t.endings[0][MATCH_BY_CRASH], 1);
    assert_int_equal(ply_match_game_forfeiter(results.games[0]), -1);
    assert_int_equal(ply_match_game_forfeiter(results.games[1]), 1);
    assert_int_equal(ply_match_game_forfeiter(results.games[2]), 0);
    assert_int_equal(ply_match_results_complete_pairs(&results), 2);
    ply_match_results_free(&results);
}

/* --- the journal ----------------------------------------------------------------------------- */
static void temporary(char path[64])
{
    strcpy(path, "/tmp/plyverse-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    unlink(path);
}

static void test_journal(void **state)
{
    (void)state;
    char path[64];
    ply_rules rules;
    ply_error error = {0};
    match_results written, got;
    static const char head[] = "game neighbours\nseed 1\n";
    test_make_rules(&rules, "neighbours", NULL);
    temporary(path);
    ply_match_results_init(&written, 3);
    ply_match_results_init(&got, 3);
    match_journal *journal = ply_match_journal_open(path, head, false, &rules, &written, &error);
    assert_non_null(journal);
    written.games[0] = made_game(0, PLY_FIRST_WINS, MATCH_BY_RULES);
    written.games[2] = made_game(2, PLY_SECOND_WINS, MATCH_BY_CRASH);
    strcpy(written.games[2]->detail, "signal 11\tand\nmore");
    assert_int_equal(ply_match_journal_add(journal, written.games[2]), PLY_OK);
    assert_int_equal(ply_match_journal_add(journal, written.games[0]), PLY_OK);
    ply_match_journal_close(journal);

    assert_null(ply_match_journal_open(path, head, false, &rules, &got, &error));
    assert_non_null(strstr(error.message, "--resume"));
    assert_null(
        ply_match_journal_open(path, "game neighbours\nseed 2\n", true, &rules, &got, &error));
    assert_non_null(strstr(error.message, "'seed 1', not 'seed 2'"));

    journal = ply_match_journal_open(path, head, true, &rules, &got, &error);
    assert_non_null(journal);
    assert_null(got.games[1]);
    assert_string_equal(got.games[2]->detail, "signal 11 and more");
    for (int i = 0; i < 3; i += 2) {
        const match_game *a = written.games[i], *b = got.games[i];
        assert_int_equal(a->result, b->result);
        assert_int_equal(a->ending, b->ending);
        assert_string_equal(a->reason, b->reason);
        assert_string_equal(a->moves, b->moves);
        assert_int_equal(a->plies, b->plies);
        assert_int_equal(a->opening_plies, b->opening_plies);
        assert_memory_equal(a->millis, b->millis, 2 * sizeof *a->millis);
        assert_memory_equal(a->scores, b->scores, 2 * sizeof *a->scores);
    }
    ply_match_journal_close(journal);
    ply_match_results_free(&got);

    /* Cut at any byte, the journal yields complete games only and can be continued. */
    FILE *file = fopen(path, "r");
    char bytes[4096];
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(length > 100 && length < sizeof bytes);
    for (size_t cut = 0; cut < length; cut++) {
        file = fopen(path, "w");
        fwrite(bytes, 1, cut, file);
        fclose(file);
        ply_match_results_init(&got, 3);
        journal = ply_match_journal_open(path, head, true, &rules, &got, &error);
        assert_non_null(journal);
        assert_null(got.games[0]);
        assert_int_equal(ply_match_journal_add(journal, written.games[0]), PLY_OK);
        ply_match_journal_close(journal);
        ply_match_results_free(&got);
        ply_match_results_init(&got, 3);
        journal = ply_match_journal_open(path, head, true, &rules, &got, &error);
        assert_non_null(journal);
        assert_non_null(got.games[0]);
        ply_match_journal_close(journal);
        ply_match_results_free(&got);
    }
    /* A change of any byte is detected. */
    for (size_t at = 0; at + 1 < length; at++) {
        file = fopen(path, "w");
        bytes[at] ^= 1;
        fwrite(bytes, 1, length, file);
        bytes[at] ^= 1;
        fclose(file);
        ply_match_results_init(&got, 3);
        journal = ply_match_journal_open(path, head, true, &rules, &got, &error);
        if (journal) {
            /* Only if it hits the word `begin`: then no game is read. */
            assert_true(!got.games[0] && !got.games[2]);
            ply_match_journal_close(journal);
        }
        ply_match_results_free(&got);
    }
    ply_match_results_free(&written);
    unlink(path);
}

/* --- openings -------------------------------------------------------------------------------- */
static void test_openings(void **state)
{
    (void)state;
    ply_rules rules;
    ply_error error = {0};
    ply_state s;
    const char *name, *start;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    match_openings o = {0};
    static const char text[] = "# two openings\n"
                               "moves a1a2 a6a5  # both from the edge\n"
                               "\n"
                               "bbbbbb/6/6/6/6/wwwwww b moves a6a5\r\n"
                               "bbbbbb/6/6/6/6/wwwwww b\n";
    assert_int_equal(ply_match_openings_parse(&o, &rules, text, strlen(text), &error), PLY_OK);
    assert_int_equal(o.count, 3);
    assert_int_equal(ply_match_openings_check(&o, &rules, &error), PLY_OK);
    assert_int_equal(ply_match_openings_setup(&o, 0, &s, &name, &start, &error), PLY_OK);
    assert_int_equal(s.plies, 2);
    assert_string_equal(start, "");
    assert_int_equal(ply_match_openings_setup(&o, 4, &s, &name, &start, &error),
                     PLY_OK); /* after the last comes the first */
    assert_string_equal(start, "bbbbbb/6/6/6/6/wwwwww b");
    assert_int_equal(s.plies, 1);
    uint64_t hash = ply_match_openings_hash(&o);
    ply_match_openings_shuffle(&o, 5);
    assert_true(ply_match_openings_hash(&o) != hash || o.count < 2);
    ply_match_openings_free(&o);

    static const char bad[] = "moves a1a2\nmoves a1a9\n";
    assert_int_not_equal(ply_match_openings_parse(&o, &rules, bad, strlen(bad), &error), PLY_OK);
    assert_int_equal(error.line, 2);
    ply_match_openings_free(&o);
    static const char over[] = "6/6/6/6/6/w5 b\n";
    assert_int_equal(ply_match_openings_parse(&o, &rules, over, strlen(over), &error), PLY_OK);
    assert_int_not_equal(ply_match_openings_check(&o, &rules, &error), PLY_OK);
    ply_match_openings_free(&o);
    assert_int_equal(ply_match_openings_builtin(&o, &rules, 1, 10), PLY_UNSUPPORTED);

    /* Random openings: the same for the same pair, different for different pairs. */
    match_openings random = {.random_plies = 6, .seed = 3};
    char texts[3][64];
    static const uint64_t pairs[3] = {7, 7, 8};
    for (int i = 0; i < 3; i++) {
        ply_text out = ply_text_fixed(texts[i], sizeof texts[i]);
        assert_int_equal(ply_match_openings_setup(&random, pairs[i], &s, &name, &start, &error),
                         PLY_OK);
        assert_int_equal(s.plies, 6);
        rules.game->format(&rules, s.position, &out);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);

    /* Balanced ones: a search agrees. */
    random.balance = 20;
    random.balance_nodes = 500;
    ply_searcher *searcher = ply_searcher_new(&rules, &(ply_search_options){.memory_mb = 1});
    assert_non_null(searcher);
    for (uint64_t pair = 0; pair < 20; pair++) {
        assert_int_equal(ply_match_openings_setup(&random, pair, &s, &name, &start, &error),
                         PLY_OK);
        assert_int_equal(s.plies, 6);
        ply_search_report report;
        ply_searcher_clear(searcher);
        assert_int_equal(
            ply_searcher_run(searcher, &s, &(ply_search_limits){.nodes = 500}, NULL, NULL, &report),
            PLY_OK);
        assert_in_range(report.pv[0].score + 20, 0, 40);
    }
    ply_searcher_free(searcher);
    ply_state_free(&s);

    /* Built-in openings are drawn at most once each, and never a barred one. */
    test_make_rules(&rules, "checkers", NULL);
    assert_int_equal(ply_match_openings_builtin(&o, &rules, 1, 40), PLY_OK);
    assert_int_equal(o.count, 40);
    for (size_t i = 0; i < o.count; i++) {
        assert_null(strstr(o.items[i].name, "barred"));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(o.items[i].name, o.items[k].name);
    }
    assert_int_equal(ply_match_openings_check(&o, &rules, &error), PLY_OK);
    ply_match_openings_free(&o);
}

/* --- matches --------------------------------------------------------------------------------- */
static match_summary play_match(const ply_rules *rules, const char *first, const char *second,
                                uint64_t games, unsigned concurrency, uint32_t max_plies,
                                char **all_moves)
{
    atomic_bool stop = false;
    match_openings random = {.random_plies = 4, .seed = 9};
    match_limits none = {0};
    match_options o = {
        .rules = rules,
        .engines = {first, second},
        .limits = {ply_match_engine_limits(first, &none), ply_match_engine_limits(second, &none)},
        .games = games,
        .seed = 4,
        .concurrency = concurrency,
        .margin = 1000000,
        .timeout = 1000000,
        .adjudication = {.max_plies = max_plies},
        .openings = &random,
        .stop = &stop};
    match_results results;
    ply_error error = {0};
    assert_int_equal(ply_match_results_init(&results, games), PLY_OK);
    ply_status status = ply_match_run(&o, &results, &error);
    if (status != PLY_OK)
        fail_msg("%s", error.message);
    match_summary summary = ply_match_results_summarize(&results, games);
    assert_int_equal(summary.games, games);
    ply_text text = ply_text_growing();
    for (uint64_t i = 0; i < games; i++)
        ply_text_format(&text, "%s %s\n", results.games[i]->moves, results.games[i]->reason);
    if (all_moves)
        *all_moves = strdup(ply_text_cstr(&text));
    ply_text_free(&text);
    /* Records replay. */
    static const char *const names[2] = {"one", "two"};
    for (uint64_t i = 0; i < games; i++) {
        ply_record record;
        ply_state last;
        assert_int_equal(ply_match_game_record(results.games[i], rules, names, &record), PLY_OK);
        assert_int_equal(ply_record_final_state(&record, &last, &error), PLY_OK);
        assert_int_equal(last.plies, results.games[i]->plies);
        assert_string_equal(ply_record_tag_value(&record, ply_game_player_name(rules, 0)),
                            i % 2 ? "two" : "one");
        if (results.games[i]->ending == MATCH_BY_RULES)
            assert_int_equal(ply_state_outcome(&last).result, results.games[i]->result);
        ply_state_free(&last);
        ply_record_free(&record);
    }
    ply_match_results_free(&results);
    return summary;
}

/* The games do not depend on how many are played at the same time. */
static void test_match_is_reproducible(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    char *once, *again;
    play_match(&rules, "alphabeta:level=3", "mcts:nodes=60", 8, 1, 200, &once);
    play_match(&rules, "alphabeta:level=3", "mcts:nodes=60", 8, 3, 200, &again);
    assert_string_equal(once, again);
    free(once);
    free(again);
}

static void test_match_of_every_game(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++) {
        ply_rules rules;
        test_make_rules(&rules, ply_game_at(g)->id, NULL);
        play_match(&rules, "greedy", "random", 2, 2, 40, NULL);
    }
}

/* The levels of every game get stronger, search more, and get less careless. */
static void test_level_tables(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++) {
        ply_rules rules;
        test_make_rules(&rules, ply_game_at(g)->id, NULL);
        assert_null(ply_player_level(&rules, 0));
        assert_null(ply_player_level(&rules, PLY_LEVEL_FULL + 1));
        for (int i = 1; i <= PLY_LEVEL_FULL; i++) {
            const ply_level *level = ply_player_level(&rules, i);
            const ply_level *below = i > 1 ? ply_player_level(&rules, i - 1) : NULL;
            bool full = i == PLY_LEVEL_FULL;
            assert_true(level->elo > 0);
            assert_true(full == (level->nodes == 0));
            assert_true(full == (level->temperature == 0));
            assert_true(!full || (level->depth == 0 && level->overlook == 0));
            if (!below)
                continue;
            assert_true(level->elo > below->elo);
            assert_true(full || level->nodes >= below->nodes || below->depth);
            assert_true(level->depth == 0 || level->depth >= below->depth);
            assert_true(level->temperature <= below->temperature);
            assert_true(level->overlook <= below->overlook);
        }
    }
    assert_null(ply_player_level(NULL, 1));
}

/* A higher level beats a lower one, and the lowest beats random moves and loses to greedy ones. */
static void test_levels_are_ordered(void **state)
{
    (void)state;
    static const struct {
        const char *game, *high, *low;
        uint64_t games;
    } matches[] = {
        {"neighbours", "alphabeta:level=1", "random", 16},
        {"neighbours", "greedy", "alphabeta:level=1", 16},
        {"checkers", "alphabeta:level=1", "random", 16},
        {"checkers", "greedy", "alphabeta:level=1", 16},
        {"gomoku", "alphabeta:level=1", "random", 16},
        {"gomoku", "greedy", "alphabeta:level=1", 16},
        {"neighbours", "alphabeta:level=3", "alphabeta:level=1", 16},
        {"neighbours", "alphabeta:level=5", "alphabeta:level=3", 16},
        {"neighbours", "alphabeta:level=7", "alphabeta:level=5", 12},
        {"checkers", "alphabeta:level=2", "alphabeta:level=1", 16},
        {"checkers", "alphabeta:level=4", "alphabeta:level=2", 16},
        {"checkers", "alphabeta:level=6", "alphabeta:level=4", 16},
        {"neighbours", "mcts:level=4", "mcts:level=1", 16},
        {"neighbours", "mcts:level=6", "mcts:level=4", 12},
    };
    for (size_t i = 0; i < sizeof matches / sizeof matches[0]; i++) {
        ply_rules rules;
        test_make_rules(&rules, matches[i].game, NULL);
        uint64_t games = test_is_long() ? 2 * matches[i].games : matches[i].games;
        bool few = test_under_tsan() || test_under_asan();
        if (few)
            games = 2; /* one on each thread; too few to say who is stronger */
        match_summary t = play_match(&rules, matches[i].high, matches[i].low, games, 2, 200, NULL);
        double points = (double)t.tally.wins + 0.5 * (double)t.tally.draws;
        print_message("%s %s against %s: %.1f of %d\n", matches[i].game, matches[i].high,
                      matches[i].low, points, (int)games);
        assert_true(t.games == games);
        assert_true(points > 0.6 * (double)games || few);
    }
}

/* A win in one is missed at level 1 sometimes, and never by a level that overlooks nothing. */
static void test_levels_see_wins(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, "6/6/6/6/6/wb4 w");
    ply_rng rng = ply_rng_make(21, 0);
    int positions = 0, missed[PLY_LEVEL_FULL + 1] = {0};
    int wanted = test_under_tsan() ? 6 : 60;
    for (int tries = 0; positions < wanted && tries < 20000; tries++) {
        size_t class_index = (1 + ply_rng_below(&rng, 3)) * 7 + 1;
        uint64_t size = rules.indexing->class_size(&rules, class_index);
        rules.indexing->unrank(&rules, class_index, ply_rng_next(&rng) % size, s.position);
        s.plies = 0;
        ply_move moves[64];
        size_t count = ply_state_outcome(&s).result == PLY_ONGOING
                           ? rules.game->moves(&rules, s.position, moves)
                           : 0;
        int side = rules.game->side(&rules, s.position);
        size_t winning = 0;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(ply_state_play(&s, moves[i]), PLY_OK);
            winning +=
                ply_state_outcome(&s).result == (side == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS);
            ply_state_undo(&s);
        }
        if (winning == 0 || winning == count || count < 6)
            continue;
        positions++;
        for (int level = 1; level <= 9; level++) {
            ply_player_spec spec = {.kind = PLY_PLAYER_ALPHABETA,
                                    .level = level,
                                    .memory_mb = 1,
                                    .seed = (uint64_t)positions};
            ply_player_answer answer;
            ply_player *player = ply_player_new(&rules, &spec);
            ply_search_limits limits = {.nodes = 5000};
            assert_int_equal(ply_player_choose(player, &s, &limits, NULL, NULL, &answer), PLY_OK);
            ply_player_free(player);
            assert_int_equal(ply_state_play(&s, answer.pv.moves[0]), PLY_OK);
            missed[level] += ply_state_outcome(&s).result == PLY_ONGOING;
            ply_state_undo(&s);
        }
    }
    assert_int_equal(positions, wanted);
    assert_true(missed[1] > 0 || test_under_tsan());
    for (int level = 1; level <= 9; level++)
        if (ply_player_level(&rules, level)->overlook == 0)
            assert_int_equal(missed[level], 0);
    ply_state_free(&s);
}

static void test_player_names(void **state)
{
    (void)state;
    ply_player_spec spec;
    ply_error error = {0};
    char text[128];
    static const char *const good[] = {"alphabeta",
                                       "mcts:nodes=5",
                                       "random:seed=7",
                                       "greedy",
                                       ("alphabeta:level=3,depth=4,nodes=5,time=6,hash=7,threads=8,"
                                        "seed=18446744073709551615"),
                                       "alphabeta:nodes=9,temperature=140,overlook=40"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ply_text out = ply_text_fixed(text, sizeof text);
        assert_int_equal(ply_player_spec_parse(&spec, good[i], &error), PLY_OK);
        ply_player_spec_format(&spec, &out);
        assert_string_equal(text, good[i]);
    }
    assert_int_equal(ply_player_spec_parse(&spec, "engine:level=2", &error), PLY_OK);
    assert_int_equal(spec.kind, PLY_PLAYER_ALPHABETA);
    static const struct {
        const char *text;
        uint32_t column;
    } bad[] = {{"", 1},
               {"bob", 1},
               {"mctsx", 1},
               {"mcts:", 6},
               {"mcts:level", 6},
               {"mcts:level=0", 12},
               {"mcts:level=11", 12},
               {"mcts:nodes=1;", 13},
               {"mcts:overlook=100", 15},
               {"mcts:temperature=0", 18},
               {"alphabeta:depth=5,hash=", 24}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(ply_player_spec_parse(&spec, bad[i].text, &error), PLY_BAD_OPTION);
        assert_int_equal(error.column, bad[i].column);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_journal),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_player_names),
        cmocka_unit_test(test_match_is_reproducible),
        cmocka_unit_test(test_match_of_every_game),
        cmocka_unit_test(test_level_tables),
        cmocka_unit_test(test_levels_are_ordered),
        cmocka_unit_test(test_levels_see_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
