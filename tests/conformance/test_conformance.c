/* SPDX-License-Identifier: MIT */
/*
 * test_conformance.c - checks the contract of game.h in random games of every game and variant.
 *
 * Covers every registered game and one that is not registered (examples/connect_four.c). The number
 * of positions is limited by time as well as by count, because a position of one game takes a
 * thousand times as long as one of another.
 */
#include "connect_four.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    ply_rules rules;
    ply_state state;
    ply_move *moves;
    ply_move *others;
    void *before, *image, *scratch;
    unsigned char *predecessors;
    int32_t *scores;
    ply_term *terms;
    uint8_t *planes;
} fixture;

enum { MAX_PLIES = 400 };

/* Checks the current position of the fixture. */
typedef void check(fixture *f, ply_rng *rng);

static const ply_game *game_of(const fixture *f)
{
    return f->rules.game;
}

/* Only every so many moves are checked one by one in positions that have very many. */
static size_t stride(size_t count)
{
    return count > 256 ? count / 64 : 1;
}

/* Plays random games and checks every position until the budget of CPU time is spent. */
static void check_random_games(fixture *f, check *check_position, uint64_t seed)
{
    bool main_variant = f->rules.variant == game_of(f)->variants;
    double budget = (test_is_long() ? 8 : 1) * (main_variant ? 0.12 : 0.04);
    if (test_under_tsan())
        budget = 0; /* one position: these tests have one thread */
    else if (test_under_asan())
        budget /= 2;
    double start = test_cpu_seconds();
    for (uint64_t g = 0; g < 200; g++) {
        ply_rng rng = ply_rng_make(seed, g);
        assert_int_equal(ply_state_restart(&f->state), PLY_OK);
        while (f->state.plies < MAX_PLIES) {
            check_position(f, &rng);
            if (ply_state_outcome(&f->state).result != PLY_ONGOING)
                break;
            size_t count = game_of(f)->moves(&f->rules, f->state.position, f->moves);
            assert_true(count > 0);
            ply_move move = f->moves[ply_rng_below(&rng, (uint32_t)count)];
            assert_int_equal(ply_state_play(&f->state, move), PLY_OK);
            if (test_cpu_seconds() - start > budget)
                return;
        }
    }
}

/* --- checks of a position -------------------------------------------------------------------- */
static int compare_moves(const void *a, const void *b)
{
    ply_move x = *(const ply_move *)a, y = *(const ply_move *)b;
    return (x > y) - (x < y);
}

/* Moves are distinct, within max_moves, and agree with count and nth. */
static void check_moves(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    void *p = f->state.position;
    size_t count = game_of(f)->moves(r, p, f->moves);
    assert_true(count <= r->max_moves);
    assert_int_equal(ply_game_count_moves(r, p), count);
    for (size_t k = 0; k < count; k += stride(count)) {
        assert_true(f->moves[k] != PLY_MOVE_NONE);
        assert_true(ply_game_nth_move(r, p, k) == f->moves[k]);
    }
    qsort(f->moves, count, sizeof f->moves[0], compare_moves);
    for (size_t i = 1; i < count; i++)
        assert_true(f->moves[i - 1] != f->moves[i]);
    if (count > 0)
        assert_int_equal(ply_game_node_outcome(r, p, f->state.undo_stack, f->state.plies).result,
                         ply_state_outcome(&f->state).result);
}

/* The moves of every mode are distinct and within max_moves, and one mode lists the legal moves. */
static void check_modes(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    const ply_game *g = game_of(f);
    size_t count = g->moves(r, f->state.position, f->moves), legal_modes = 0;
    qsort(f->moves, count, sizeof f->moves[0], compare_moves);
    ply_move *listed = malloc(r->max_moves * sizeof(ply_move));
    assert_non_null(listed);
    for (size_t m = 0; m < g->move_mode_count; m++) {
        size_t n = g->move_modes[m].moves(r, f->state.position, listed);
        assert_true(n <= r->max_moves);
        qsort(listed, n, sizeof listed[0], compare_moves);
        for (size_t i = 0; i < n; i++)
            assert_true(listed[i] != (i ? listed[i - 1] : PLY_MOVE_NONE));
        legal_modes += n == count && memcmp(listed, f->moves, n * sizeof listed[0]) == 0;
    }
    assert_true(legal_modes > 0 || g->move_mode_count == 0);
    free(listed);
}

/* Undo restores every byte of the position; the incremental hash equals the computed one. */
static void check_undo(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    const ply_game *g = game_of(f);
    void *p = f->state.position;
    size_t count = g->moves(r, p, f->moves);
    uint64_t key = g->hash(r, p);
    assert_true(key == g->compute_hash(r, p));
    memcpy(f->before, p, r->position_bytes);
    for (size_t i = 0; i < count; i += stride(count)) {
        assert_int_equal(ply_state_play(&f->state, f->moves[i]), PLY_OK);
        assert_true(g->hash(r, p) == g->compute_hash(r, p));
        assert_true(ply_state_undo(&f->state));
        assert_memory_equal(f->before, p, r->position_bytes);
        assert_true(g->hash(r, p) == key);
    }
}

/* A position and its moves survive being formatted and parsed. */
static void check_text(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    const ply_game *g = game_of(f);
    ply_text first = ply_text_growing(), second = ply_text_growing();
    ply_state copy;
    ply_error error = {0};
    g->format(r, f->state.position, &first);
    assert_true(ply_text_complete(&first));
    assert_int_equal(ply_state_init(&copy, r), PLY_OK);
    if (ply_state_parse(&copy, first.data, first.length, &error) != PLY_OK)
        fail_msg("%s: %s at column %u", first.data, error.message, error.column);
    g->format(r, copy.position, &second);
    assert_string_equal(first.data, second.data);
    assert_true(g->hash(r, copy.position) == g->hash(r, f->state.position));
    assert_int_equal(g->side(r, copy.position), g->side(r, f->state.position));

    size_t count = g->moves(r, f->state.position, f->moves);
    assert_int_equal(g->moves(r, copy.position, f->others), count);
    assert_memory_equal(f->moves, f->others, count * sizeof(ply_move));
    for (size_t i = 0; i < count; i += stride(count)) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        g->format_move(r, f->state.position, f->moves[i], &text);
        assert_true(ply_text_complete(&text));
        assert_true(text.length > 0);
        ply_cursor cursor = ply_cursor_make(name, text.length, &error);
        ply_move back = PLY_MOVE_NONE;
        if (g->parse_move(r, f->state.position, &cursor, &back) != PLY_OK)
            fail_msg("%s in %s: %s", name, first.data, error.message);
        assert_true(ply_cursor_done(&cursor));
        if (back != f->moves[i])
            fail_msg("%s in %s parses as another move", name, first.data);
    }
    ply_state_free(&copy);
    ply_text_free(&first);
    ply_text_free(&second);
}

/* Images have as many moves as the position, and the same canonical form. */
static void check_symmetry(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    const ply_game *g = game_of(f);
    if (!r->indexing->image || r->symmetries < 2)
        return;
    void *p = f->state.position;
    size_t count = g->moves(r, p, f->moves);
    ply_game_canonical(r, p, f->before, f->scratch);
    uint64_t key = g->hash(r, f->before);
    bool found = false;
    for (uint32_t i = 0; i < r->symmetries; i++) {
        r->indexing->image(r, p, i, f->image);
        assert_true(g->hash(r, f->image) == g->compute_hash(r, f->image));
        assert_int_equal(g->moves(r, f->image, f->others), count);
        found = found || g->hash(r, f->image) == key;
        ply_game_canonical(r, f->image, f->before, f->scratch);
        assert_true(g->hash(r, f->before) == key);
    }
    assert_true(found);
    ply_game_canonical(r, f->before, f->image, f->scratch);
    assert_true(g->hash(r, f->image) == key);
}

/* The search and learning hooks agree with each other and leave the position unchanged. */
static void check_evaluation(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    const ply_game *g = game_of(f);
    void *p = f->state.position;
    memcpy(f->before, p, r->position_bytes);
    size_t count = g->moves(r, p, f->moves), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (ply_game_is_noisy(r, p, f->moves[i]))
            f->moves[kept++] = f->moves[i];
    assert_int_equal(ply_game_noisy_moves(r, p, f->others), kept);
    qsort(f->moves, kept, sizeof f->moves[0], compare_moves);
    qsort(f->others, kept, sizeof f->others[0], compare_moves);
    assert_memory_equal(f->moves, f->others, kept * sizeof(ply_move));
    int32_t value = ply_game_evaluate(r, p);
    count = g->moves(r, p, f->moves);
    ply_game_score_moves(r, p, f->moves, count, f->scores);
    assert_int_equal(ply_game_evaluate(r, p), value);
    if (r->tuning->terms) {
        /* The evaluation is the sum of its terms. */
        int64_t sum = 0;
        size_t terms = r->tuning->terms(r, p, f->terms);
        assert_true(terms <= r->tuning->max_terms);
        for (size_t i = 0; i < terms; i++) {
            assert_true(f->terms[i].index < r->tuning->weight_count);
            sum += (int64_t)r->tuning->weights[f->terms[i].index] * f->terms[i].count;
        }
        assert_int_equal(sum / PLY_TERM_ONE, value);
    }
    assert_memory_equal(f->before, p, r->position_bytes);
    if (r->learning->observe)
        r->learning->observe(r, p, game_of(f)->side(r, p), f->planes);
    for (size_t i = 0; r->learning->action && i < count; i += stride(count)) {
        uint32_t action = r->learning->action(r, p, f->moves[i]);
        if (action == PLY_ACTION_NONE && game_of(f)->multi_move_turns)
            continue; /* outside the window */
        assert_true(action < r->actions);
        assert_true(r->learning->action_move(r, p, action) == f->moves[i]);
    }
}

/* gives_check foresees in_check; a winning move wins; classes are within their limit. */
static void check_move_hooks(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    const ply_search_hooks *hooks = r->search;
    const ply_game *g = game_of(f);
    void *p = f->state.position;
    size_t count = g->moves(r, p, f->moves);
    for (size_t i = 0; hooks->move_class && i < count; i++)
        assert_true(hooks->move_class(r, p, f->moves[i]) < PLY_MOVE_CLASSES);
    for (size_t i = 0; hooks->gives_check && i < count; i++) {
        bool checks = hooks->gives_check(r, p, f->moves[i]);
        assert_int_equal(ply_state_play(&f->state, f->moves[i]), PLY_OK);
        assert_int_equal(hooks->in_check(r, p), checks);
        ply_state_undo(&f->state);
    }
    if (!hooks->winning_move)
        return;
    memcpy(f->before, p, r->position_bytes);
    ply_move winning = hooks->winning_move(r, p);
    assert_memory_equal(f->before, p, r->position_bytes);
    int side = g->side(r, p);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(ply_state_play(&f->state, f->moves[i]), PLY_OK);
        bool wins = ply_state_outcome(&f->state).result == ply_outcome_win(side, NULL).result;
        ply_state_undo(&f->state);
        found = found || f->moves[i] == winning;
        if (f->moves[i] == winning)
            assert_true(wins);
    }
    assert_true(found || winning == PLY_MOVE_NONE);
}

/* The drawing ends with a newline, and obeys the ASCII and colour flags. */
static void check_drawing(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    ply_text out = ply_text_growing();
    ply_move last = f->state.plies ? f->state.moves[f->state.plies - 1] : PLY_MOVE_NONE;
    for (unsigned flags = 0; flags < 4; flags++) {
        ply_text_clear(&out);
        ply_game_draw(r, f->state.position, last, flags, &out);
        assert_true(ply_text_complete(&out) && out.length > 0);
        assert_true(out.data[out.length - 1] == '\n');
        for (size_t i = 0; (flags & PLY_DRAW_ASCII) && i < out.length; i++)
            assert_true((unsigned char)out.data[i] < 0x80);
        for (size_t i = 0; !(flags & PLY_DRAW_COLOUR) && i < out.length; i++)
            assert_true(out.data[i] != '\033');
    }
    ply_text_free(&out);
}

/* The SVG drawing is one element whose tags are balanced, from either side. */
static void check_svg(fixture *f, ply_rng *rng)
{
    (void)rng;
    ply_text out = ply_text_growing();
    ply_move last = f->state.plies ? f->state.moves[f->state.plies - 1] : PLY_MOVE_NONE;
    for (unsigned flags = 0; flags < 2; flags++) {
        int open = 0;
        ply_text_clear(&out);
        ply_game_svg(&f->rules, f->state.position, last, flags ? PLY_SVG_FLIPPED : 0, &out);
        assert_true(ply_text_complete(&out));
        assert_memory_equal(out.data, "<svg ", 5);
        for (const char *tag = strchr(out.data, '<'); tag; tag = strchr(tag + 1, '<')) {
            const char *end = strchr(tag, '>');
            assert_true(tag == out.data || open > 0);
            assert_non_null(end);
            if (tag[1] == '/')
                open--;
            else if (end[-1] != '/')
                open++;
        }
        assert_int_equal(open, 0);
        assert_string_equal(out.data + out.length - 7, "</svg>\n");
    }
    ply_text_free(&out);
}

/* Ranking and unranking are inverse up to symmetry; predecessors lead to the position. */
static void check_index(fixture *f, ply_rng *rng)
{
    const ply_rules *r = &f->rules;
    const ply_game *g = game_of(f);
    size_t class_index;
    uint64_t number, again;
    void *p = f->state.position;
    if (r->indexing->rank && r->indexing->rank(r, p, &class_index, &number) == PLY_OK) {
        assert_true(class_index < r->indexing->class_count(r));
        assert_true(number < r->indexing->class_size(r, class_index));
        assert_int_equal(r->indexing->unrank(r, class_index, number, f->image), PLY_OK);
        ply_game_canonical(r, p, f->before, f->scratch);
        uint64_t key = g->hash(r, f->before);
        ply_game_canonical(r, f->image, f->before, f->scratch);
        assert_true(g->hash(r, f->before) == key);
        size_t same_class;
        assert_int_equal(r->indexing->rank(r, f->image, &same_class, &again), PLY_OK);
        assert_true(same_class == class_index && again == number);
    }
    if (r->indexing->predecessors && r->max_predecessors > 0) {
        /* A predecessor has a move to this position, and the position we came from is one of them. */
        size_t count = r->indexing->predecessors(r, p, f->predecessors);
        assert_true(count <= r->max_predecessors);
        uint64_t key = g->hash(r, p);
        size_t k = count ? ply_rng_below(rng, (uint32_t)count) : 0;
        if (count > 0) {
            void *q = f->predecessors + k * r->position_bytes;
            void *undo = malloc(r->undo_bytes + 1);
            size_t moves = g->moves(r, q, f->moves), leading = 0;
            for (size_t i = 0; i < moves; i++) {
                assert_int_equal(g->play(r, q, f->moves[i], undo), PLY_OK);
                leading += g->hash(r, q) == key;
                g->undo(r, q, f->moves[i], undo);
            }
            assert_true(leading >= 1);
            free(undo);
        }
        if (f->state.plies > 0) {
            ply_move last = f->state.moves[f->state.plies - 1];
            ply_state_undo(&f->state);
            uint64_t from = g->hash(r, p);
            assert_int_equal(ply_state_play(&f->state, last), PLY_OK);
            bool found = false;
            for (size_t i = 0; i < count; i++)
                found = found || g->hash(r, f->predecessors + i * r->position_bytes) == from;
            assert_true(found);
        }
    }
}

/* --- features of networks -------------------------------------------------------------------- */
/* How often each feature is active. */
static void count_features(const fixture *f, int player, uint16_t *counts)
{
    const ply_network_hooks *hooks = f->rules.network;
    uint32_t limit = hooks->feature_count(&f->rules);
    uint16_t *features = malloc(PLY_ACTIVE_FEATURES * sizeof *features);
    size_t count = hooks->features(&f->rules, f->state.position, player, features);
    assert_true(count <= hooks->max_active && hooks->max_active <= PLY_ACTIVE_FEATURES);
    memset(counts, 0, limit * sizeof *counts);
    for (size_t i = 0; i < count; i++) {
        assert_true(features[i] < limit);
        counts[features[i]]++;
    }
    free(features);
}

/* Applies changes to counts; what is removed must be there. */
static void apply_changes(const ply_feature_changes *changes, uint16_t *counts)
{
    assert_true(changes->added_count <= PLY_FEATURE_CHANGES);
    assert_true(changes->removed_count <= PLY_FEATURE_CHANGES);
    for (size_t i = 0; i < changes->added_count; i++)
        counts[changes->added[i]]++;
    for (size_t i = 0; i < changes->removed_count; i++)
        assert_true(counts[changes->removed[i]]-- > 0);
}

/* The features of both players' cells; the second player's are the first's, exchanged. */
static void list_cells(const fixture *f, uint16_t *features)
{
    const ply_rules *r = &f->rules;
    const ply_network_hooks *hooks = r->network;
    size_t count = hooks->per_cell * hooks->cells(r);
    assert_true(count <= hooks->max_active && hooks->max_active <= PLY_ACTIVE_FEATURES);
    for (int player = 0; player < 2; player++)
        assert_int_equal(
            hooks->features(r, f->state.position, player, features + (size_t)player * count),
            count);
    for (size_t i = 0; i < count; i++) {
        assert_true(features[i] < hooks->feature_count(r));
        assert_int_equal(hooks->exchanged(r, features[i]), features[count + i]);
        assert_int_equal(hooks->exchanged(r, features[count + i]), features[i]);
    }
}

/* Applies changes of cells; what is removed must be there, and no cell changes twice. */
static void apply_cell_changes(const ply_network_hooks *hooks, const ply_cell_change *changes,
                               size_t count, uint16_t *features)
{
    assert_true(count <= PLY_CELL_CHANGES);
    for (size_t i = 0; i < count; i++) {
        uint16_t *cell = features + changes[i].cell * hooks->per_cell;
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(changes[k].cell, changes[i].cell);
        if (changes[i].removed == changes[i].added) {
            memset(cell, 0, hooks->per_cell * sizeof *cell);
            continue;
        }
        size_t at = 0;
        while (at < hooks->per_cell && cell[at] != changes[i].removed)
            at++;
        assert_true(at < hooks->per_cell);
        cell[at] = changes[i].added;
    }
}

/* The same features in another order are the same cell. */
static void sort_cells(const ply_network_hooks *hooks, uint16_t *features, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = i; k % hooks->per_cell > 0 && features[k - 1] > features[k]; k--) {
            uint16_t swap = features[k];
            features[k] = features[k - 1];
            features[k - 1] = swap;
        }
}

/* The cells before a move, with its changes, are those after it; a null move changes none. */
static void check_cells(fixture *f)
{
    const ply_rules *r = &f->rules;
    const ply_network_hooks *hooks = r->network;
    size_t moves = game_of(f)->moves(r, f->state.position, f->moves);
    size_t count = hooks->per_cell * hooks->cells(r), bytes = 2 * count * sizeof(uint16_t);
    uint16_t *before = malloc(bytes), *after = malloc(bytes), *expected = malloc(bytes);
    ply_cell_change changes[PLY_CELL_CHANGES];
    assert_int_equal(hooks->cell_changes(r, f->state.position, PLY_MOVE_NONE, changes), 0);
    list_cells(f, before);
    for (size_t i = 0; i < moves; i++) {
        memcpy(expected, before, bytes);
        apply_cell_changes(hooks, changes,
                           hooks->cell_changes(r, f->state.position, f->moves[i], changes),
                           expected);
        assert_int_equal(ply_state_play(&f->state, f->moves[i]), PLY_OK);
        list_cells(f, after);
        assert_true(ply_state_undo(&f->state));
        sort_cells(hooks, expected, count);
        sort_cells(hooks, after, count);
        assert_memory_equal(after, expected, count * sizeof *after);
    }
    free(before);
    free(after);
    free(expected);
}

/* The features before a move, with its changes, are those after it; so for a null move. */
static void check_features(fixture *f, ply_rng *rng)
{
    (void)rng;
    const ply_rules *r = &f->rules;
    const ply_network_hooks *hooks = r->network;
    if (!hooks->family || !hooks->family(r))
        return;
    void *p = f->state.position;
    size_t count = game_of(f)->moves(r, p, f->moves), limit = hooks->feature_count(r);
    size_t bytes = limit * sizeof(uint16_t);
    assert_true(limit > 0 && limit < 65536);
    for (unsigned phases = 1; phases <= 16; phases++)
        assert_true(hooks->phase(r, p, phases) < phases);
    if (hooks->per_cell) {
        check_cells(f);
        return;
    }
    uint16_t *before = malloc(bytes), *after = malloc(bytes), *expected = malloc(bytes);
    ply_feature_changes changes;
    for (int player = 0; player < 2; player++) {
        count_features(f, player, before);
        for (size_t i = 0; hooks->changes && i < count; i++) {
            if (!hooks->changes(r, p, f->moves[i], player, &changes))
                continue;
            memcpy(expected, before, bytes);
            apply_changes(&changes, expected);
            assert_int_equal(ply_state_play(&f->state, f->moves[i]), PLY_OK);
            count_features(f, player, after);
            assert_true(ply_state_undo(&f->state));
            assert_memory_equal(after, expected, bytes);
        }
        if (r->search->null_move && hooks->changes &&
            hooks->changes(r, p, PLY_MOVE_NONE, player, &changes)) {
            void *undo = malloc(r->undo_bytes + 1);
            apply_changes(&changes, before);
            r->search->null_move(r, p, undo);
            count_features(f, player, after);
            game_of(f)->undo(r, p, PLY_MOVE_NONE, undo);
            assert_memory_equal(after, before, bytes);
            free(undo);
        }
    }
    free(before);
    free(after);
    free(expected);
}

/* --- tests of a variant ---------------------------------------------------------------------- */
static void test_moves(void **state)
{
    check_random_games(*state, check_moves, 1);
    if (game_of(*state)->move_mode_count > 0)
        check_random_games(*state, check_modes, 2);
}

static void test_undo(void **state)
{
    check_random_games(*state, check_undo, 2);
}

static void test_text(void **state)
{
    check_random_games(*state, check_text, 3);
}

static void test_symmetry(void **state)
{
    check_random_games(*state, check_symmetry, 4);
}

static void test_evaluation(void **state)
{
    check_random_games(*state, check_evaluation, 5);
}

static void test_move_hooks(void **state)
{
    check_random_games(*state, check_move_hooks, 10);
}

static void test_drawing(void **state)
{
    check_random_games(*state, check_drawing, 6);
}

static void test_svg(void **state)
{
    check_random_games(*state, check_svg, 2);
}

static void test_index(void **state)
{
    check_random_games(*state, check_index, 7);
}

static void test_features(void **state)
{
    check_random_games(*state, check_features, 10);
}

/* Perft by moves, play and undo alone. */
static uint64_t plain_perft(const fixture *f, void *position, int depth, int mode)
{
    const ply_rules *r = &f->rules;
    const ply_game *g = game_of(f);
    if (depth == 0)
        return 1;
    ply_move *moves = malloc(r->max_moves * sizeof(ply_move));
    void *undo = malloc(r->undo_bytes + 1);
    size_t count = g->moves(r, position, moves);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t times =
            r->counting->multiplicity ? r->counting->multiplicity(r, position, moves[i], mode) : 1;
        assert_int_equal(g->play(r, position, moves[i], undo), PLY_OK);
        total += times * plain_perft(f, position, depth - 1, mode);
        g->undo(r, position, moves[i], undo);
    }
    free(undo);
    free(moves);
    return total;
}

/* The game's own perft equals the plain one, also for every image of the position. */
static void check_perft(fixture *f, ply_rng *rng)
{
    const ply_game *g = game_of(f);
    const ply_rules *r = &f->rules;
    if (f->state.plies % 8 != 7 || (r->counting->perft && g->multi_move_turns))
        return;
    int modes = 0;
    while (r->counting->modes && r->counting->modes[modes])
        modes++;
    int mode = modes ? (int)ply_rng_below(rng, (uint32_t)modes) : 0;
    int depth = ply_game_count_moves(&f->rules, f->state.position) > 100 ? 1 : 2;
    uint64_t expected = plain_perft(f, f->state.position, depth, mode), nodes = 0;
    ply_perft_options options = {.mode = mode, .threads = 1};
    assert_int_equal(ply_perft(&f->state, depth, &options, &nodes, NULL, NULL), PLY_OK);
    assert_true(nodes == expected);
    for (uint32_t i = 1; r->indexing->image && i < f->rules.symmetries; i++) {
        r->indexing->image(&f->rules, f->state.position, i, f->image);
        assert_true(plain_perft(f, f->image, depth, mode) == expected);
    }
}

static void test_perft_agrees(void **state)
{
    check_random_games(*state, check_perft, 8);
}

/* Playouts end within max_plies and give the same totals on one thread and on two. */
static void test_playouts(void **state)
{
    fixture *f = *state;
    bool main_variant = f->rules.variant == game_of(f)->variants;
    ply_playout_options options = {.games =
                                       (test_is_long() ? 400u : 20u) / (main_variant ? 1u : 10u),
                                   .seed = 9,
                                   .threads = 1,
                                   .max_plies = test_under_tsan() ? MAX_PLIES / 8 : MAX_PLIES};
    /* Where turns have several moves, random games and their positions grow without limit. */
    if (game_of(f)->multi_move_turns)
        options.games = 1 + options.games / 10;
    ply_playout_totals one, two;
    assert_int_equal(ply_state_restart(&f->state), PLY_OK);
    assert_int_equal(ply_playouts(&f->state, &options, &one), PLY_OK);
    options.threads = 2;
    assert_int_equal(ply_playouts(&f->state, &options, &two), PLY_OK);
    assert_memory_equal(&one, &two, sizeof one);
    assert_true(one.games == options.games && one.longest <= options.max_plies);
    assert_true(one.results[0] + one.results[1] + one.results[2] + one.results[3] == one.games);
    /* A limit that random games reach: those that did not end have just as many plies. */
    options.max_plies = 7;
    assert_int_equal(ply_playouts(&f->state, &options, &one), PLY_OK);
    assert_true(one.longest <= options.max_plies);
    if (one.results[PLY_ONGOING] == one.games)
        assert_int_equal(one.plies, one.games * options.max_plies);
}

/* Rules survive being formatted and parsed. */
static void test_rules_text(void **state)
{
    fixture *f = *state;
    char name[256], again[256];
    ply_text text = ply_text_fixed(name, sizeof name), back = ply_text_fixed(again, sizeof again);
    ply_rules rules;
    ply_rules_format(&f->rules, &text);
    assert_int_equal(ply_rules_make(&rules, game_of(f), name, NULL), PLY_OK);
    ply_rules_format(&rules, &back);
    assert_string_equal(name, again);
}

/* Openings can be set up and played; of a long list, a sample. */
static void test_openings(void **state)
{
    fixture *f = *state;
    const ply_rules *r = &f->rules;
    size_t count = r->openings->count ? r->openings->count(&f->rules) : 0;
    ply_text name = ply_text_growing(), position = ply_text_growing(), moves = ply_text_growing();
    for (size_t i = 0; i < count; i += i < 200 ? 1 : 97) {
        ply_error error = {0};
        ply_text_clear(&name);
        ply_text_clear(&position);
        ply_text_clear(&moves);
        assert_int_equal(r->openings->get(&f->rules, i, &name, &position, &moves), PLY_OK);
        assert_int_equal(ply_state_restart(&f->state), PLY_OK);
        if (position.length > 0)
            assert_int_equal(ply_state_parse(&f->state, position.data, position.length, &error),
                             PLY_OK);
        if (moves.length > 0 &&
            ply_state_play_text(&f->state, moves.data, moves.length, &error) != PLY_OK)
            fail_msg("%s: %s", moves.data, error.message);
    }
    if (r->openings->get)
        assert_int_equal(r->openings->get(&f->rules, count, &name, &position, &moves), PLY_LIMIT);
    ply_text_free(&name);
    ply_text_free(&position);
    ply_text_free(&moves);
}

/* A copy of a state is independent of the original. */
static void test_copy(void **state)
{
    fixture *f = *state;
    ply_state copy;
    assert_int_equal(ply_state_restart(&f->state), PLY_OK);
    for (int i = 0; i < 4; i++) {
        if (ply_state_outcome(&f->state).result != PLY_ONGOING)
            break;
        assert_int_equal(
            ply_state_play(&f->state, ply_game_nth_move(&f->rules, f->state.position, 0)), PLY_OK);
    }
    uint64_t key = game_of(f)->hash(&f->rules, f->state.position);
    assert_int_equal(ply_state_copy(&copy, &f->state), PLY_OK);
    assert_true(game_of(f)->hash(&f->rules, copy.position) == key);
    while (ply_state_undo(&copy))
        continue;
    assert_true(game_of(f)->hash(&f->rules, f->state.position) == key);
    ply_state_free(&copy);
}

/* --- one group of tests per variant ---------------------------------------------------------- */
static void open_fixture(fixture *f, const ply_game *game, const ply_variant *variant)
{
    *f = (fixture){0};
    assert_int_equal(ply_rules_make(&f->rules, game, variant->id, NULL), PLY_OK);
    const ply_rules *r = &f->rules;
    assert_true(r->position_bytes > 0 && r->position_bytes % 8 == 0 && r->undo_bytes % 8 == 0);
    assert_true(r->max_moves <= PLY_STACK_MOVES || (game->count && game->nth));
    assert_int_equal(ply_state_init(&f->state, r), PLY_OK);
    f->moves = calloc(r->max_moves, sizeof(ply_move));
    f->others = calloc(r->max_moves, sizeof(ply_move));
    f->scores = calloc(r->max_moves, sizeof(int32_t));
    f->terms = calloc(r->tuning->max_terms + 1, sizeof(ply_term));
    f->before = calloc(1, r->position_bytes);
    f->image = calloc(1, r->position_bytes);
    f->scratch = calloc(1, r->position_bytes);
    f->predecessors = calloc(r->max_predecessors + 1, r->position_bytes);
    f->planes = calloc((size_t)r->planes + 1, (size_t)r->plane_height * r->plane_width + 1);
}

static void close_fixture(fixture *f)
{
    ply_state_free(&f->state);
    free(f->moves);
    free(f->others);
    free(f->scores);
    free(f->before);
    free(f->image);
    free(f->scratch);
    free(f->predecessors);
    free(f->planes);
    free(f->terms);
}

static const struct {
    const char *name;
    CMUnitTestFunction run;
} tests[] = {
    {"moves", test_moves},
    {"undo", test_undo},
    {"text", test_text},
    {"symmetry", test_symmetry},
    {"evaluation", test_evaluation},
    {"move_hooks", test_move_hooks},
    {"drawing", test_drawing},
    {"svg", test_svg},
    {"index", test_index},
    {"features", test_features},
    {"perft", test_perft_agrees},
    {"playouts", test_playouts},
    {"rules text", test_rules_text},
    {"copy", test_copy},
    {"openings", test_openings},
};

enum { TESTS = sizeof tests / sizeof tests[0] };

/* The optional argument is the id of the only game to test. */
int main(int argc, char **argv)
{
    int failed = 0;
    for (size_t g = 0; g <= ply_game_count(); g++) {
        const ply_game *game = g < ply_game_count() ? ply_game_at(g) : &connect_four_game;
        if (argc > 1 && strcmp(argv[1], game->id) != 0)
            continue;
        for (size_t v = 0; v < game->variant_count; v++) {
            fixture f;
            open_fixture(&f, game, &game->variants[v]);
            struct CMUnitTest group[TESTS];
            char names[TESTS][128];
            for (size_t t = 0; t < TESTS; t++) {
                snprintf(names[t], sizeof names[t], "%s %s: %s", game->id, game->variants[v].id,
                         tests[t].name);
                group[t] = (struct CMUnitTest){
                    .name = names[t], .test_func = tests[t].run, .initial_state = &f};
            }
            failed += _cmocka_run_group_tests("conformance", group, TESTS, NULL, NULL);
            close_fixture(&f);
        }
    }
    return failed > 0;
}
