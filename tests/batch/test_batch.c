/* SPDX-License-Identifier: MIT */
/*
 * test_batch.c - a batch plays the games that single states play.
 *
 * The reference is a ply_state per game and nothing but game.h and the definitions in batch.h: legal
 * actions from the list of moves, the end of the game from ply_state_outcome, history by taking
 * moves back, repetition by comparing the keys of all positions before.
 */
#include "support/support.h"
#include <plyverse/batch.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 8, ALL_OUTPUTS = 63, HISTORY = 2, REPETITION = 2, MOST_PLIES = 150 };

typedef struct fixture {
    ply_rules rules;
    ply_batch *batch;
    const ply_batch_arrays *a;
    ply_state states[GAMES];
    uint64_t keys[GAMES][MOST_PLIES]; /* of the positions before */
    ply_move *moves;
    uint64_t *bits;
    uint8_t *bytes, *planes;
    int32_t *list, actions[GAMES];
    bool ended[GAMES];
    size_t plies; /* in all games */
} fixture;

/* Whether positions of the game may be copied into the ring of history. */
static unsigned history_of(const ply_rules *rules)
{
    return rules->game->copy ? 0 : HISTORY;
}

static size_t plane_bytes(const ply_rules *rules)
{
    return (size_t)rules->planes * rules->plane_height * rules->plane_width;
}

static void open_batch(fixture *f, const ply_batch_options *options)
{
    ply_error error;
    if (ply_batch_new(&f->batch, &f->rules, options, &error) != PLY_OK)
        fail_msg("%s %s: %s", f->rules.game->id, f->rules.variant->id, error.message);
    f->a = ply_batch_data(f->batch);
    for (size_t g = 0; g < GAMES; g++) {
        assert_int_equal(ply_state_init(&f->states[g], &f->rules), PLY_OK);
        f->ended[g] = false;
    }
    f->moves = malloc(f->rules.max_moves * sizeof *f->moves);
    f->bits = malloc(f->a->mask_words * sizeof *f->bits);
    f->bytes = calloc(1, f->a->actions); /* all zero between comparisons */
    f->list = malloc(f->a->list_room * sizeof *f->list);
    f->planes = malloc((size_t)f->a->planes * f->a->height * f->a->width + 1);
    f->plies = 0;
}

static void close_batch(fixture *f)
{
    ply_batch_free(f->batch);
    for (size_t g = 0; g < GAMES; g++)
        ply_state_free(&f->states[g]);
    free(f->moves);
    free(f->bits);
    free(f->bytes);
    free(f->list);
    free(f->planes);
}

/* --- the reference -------------------------------------------------------------------------- */
/* Two legal moves have the same action. */
static void fail_shared(const fixture *f, const ply_state *s, uint32_t action, ply_move move)
{
    ply_text position = ply_text_growing(), text = ply_text_growing();
    ply_state_format(s, &position);
    ply_state_move_text(s, move, &text);
    fail_msg("%s %s: %s: another move has the action %u of %s", f->rules.game->id,
             f->rules.variant->id, ply_text_cstr(&position), action, ply_text_cstr(&text));
}

static size_t reference_mask(fixture *f, const ply_state *s, bool over)
{
    size_t count = over ? 0 : f->rules.game->moves(&f->rules, s->position, f->moves), legal = 0;
    memset(f->bits, 0, f->a->mask_words * sizeof *f->bits);
    for (size_t i = 0; i < count; i++) {
        uint32_t action = f->rules.learning->action(&f->rules, s->position, f->moves[i]);
        if (action == PLY_ACTION_NONE)
            continue;
        assert_true(action < f->rules.actions);
        if (f->bits[action / 64] >> action % 64 & 1)
            fail_shared(f, s, action, f->moves[i]);
        f->bits[action / 64] |= (uint64_t)1 << action % 64;
        legal++;
    }
    return legal;
}

/* Plays a move and notes the key before it. */
static void play(fixture *f, size_t g, ply_move move)
{
    ply_state *s = &f->states[g];
    assert_true(s->plies < MOST_PLIES);
    f->keys[g][s->plies] = ply_state_key(s);
    assert_int_equal(ply_state_play(s, move), PLY_OK);
}

/* Observations as batch.h defines them: the position, then those before it, for which moves are taken
 * back and played again. */
static void reference_planes(fixture *f, size_t g)
{
    ply_state *s = &f->states[g];
    int viewer = ply_state_side(s);
    uint64_t key = ply_state_key(s);
    uint8_t *at = f->planes;
    size_t cells = (size_t)f->a->height * f->a->width;
    unsigned times = 0, back = 0;
    for (size_t i = 0; i < s->plies; i++)
        times += f->keys[g][i] == key;
    f->rules.learning->observe(&f->rules, s->position, viewer, at);
    at += plane_bytes(&f->rules);
    ply_move again[HISTORY];
    while (back < history_of(&f->rules) && s->plies > 0) {
        again[back++] = s->moves[s->plies - 1];
        assert_true(ply_state_undo(s));
        f->rules.learning->observe(&f->rules, s->position, viewer, at);
        at += plane_bytes(&f->rules);
    }
    while (back > 0)
        play(f, g, again[--back]);
    assert_true(ply_state_key(s) == key);
    size_t present = (size_t)(at - f->planes);
    size_t all = (1 + history_of(&f->rules)) * plane_bytes(&f->rules);
    memset(at, 0, all - present);
    for (unsigned r = 1; r <= REPETITION; r++)
        memset(f->planes + all + (r - 1) * cells, times >= r, cells);
}

/* assert_memory_equal, but fast where memory is equal. */
static void assert_same_bytes(const void *actual, const void *expected, size_t bytes)
{
    if (memcmp(actual, expected, bytes) != 0)
        assert_memory_equal(actual, expected, bytes);
}

/* Compares the legal actions of game g, in all their forms, with f->bits. 5D chess has 583,681
 * actions, so only the legal ones are visited. */
static void compare_actions(fixture *f, size_t g)
{
    const ply_batch_arrays *a = f->a;
    size_t listed = 0;
    for (uint32_t w = 0; w < a->mask_words; w++)
        for (uint64_t bits = f->bits[w]; bits; bits &= bits - 1) {
            uint32_t action = 64 * w + (uint32_t)__builtin_ctzll(bits);
            f->bytes[action] = 1;
            if (listed < a->list_room)
                f->list[listed++] = (int32_t)action;
        }
    for (size_t i = listed; i < a->list_room; i++)
        f->list[i] = PLY_BATCH_NO_ACTION;
    assert_same_bytes(a->mask_bits + g * a->mask_words, f->bits, a->mask_words * 8);
    assert_same_bytes(a->mask_bytes + g * a->actions, f->bytes, a->actions);
    assert_same_bytes(a->legal_actions + g * a->list_room, f->list,
                      a->list_room * sizeof f->list[0]);
    for (uint32_t w = 0; w < a->mask_words; w++)
        if (f->bits[w])
            memset(f->bytes + 64 * (size_t)w, 0,
                   a->actions - 64 * w < 64 ? a->actions - 64 * w : 64);
}

/* Compares every array about the position of game g. */
static void compare_position(fixture *f, size_t g, bool over)
{
    const ply_batch_arrays *a = f->a;
    const ply_state *s = &f->states[g];
    size_t legal = reference_mask(f, s, over);
    assert_int_equal(a->legal_counts[g], legal);
    assert_int_equal(a->players[g], ply_state_side(s));
    assert_int_equal(a->plies[g], s->plies);
    assert_true(a->keys[g] == ply_state_key(s));
    compare_actions(f, g);
    if (a->observations) {
        size_t bytes = (size_t)a->planes * a->height * a->width;
        reference_planes(f, g);
        assert_same_bytes(a->observations + g * bytes, f->planes, bytes);
    }
}

/* Plays the action of game g in its state and compares what the step reported. */
static void follow(fixture *f, size_t g, size_t max_plies, ply_batch_reset_mode reset)
{
    const ply_batch_arrays *a = f->a;
    ply_state *s = &f->states[g];
    if (f->ended[g]) { /* the step has started a new game, or done nothing */
        if (reset == PLY_BATCH_RESET_NEXT_STEP) {
            assert_int_equal(ply_state_restart(s), PLY_OK);
            f->ended[g] = false;
            assert_false(a->terminated[g] || a->truncated[g]);
        }
        assert_true(a->rewards[2 * g] == 0 && a->rewards[2 * g + 1] == 0);
        compare_position(f, g, f->ended[g]);
        return;
    }
    ply_move move = f->rules.learning->action_move(&f->rules, s->position, (uint32_t)f->actions[g]);
    assert_true(move != PLY_MOVE_NONE);
    play(f, g, move);
    f->plies++;
    ply_outcome outcome = ply_state_outcome(s);
    bool over = outcome.result != PLY_ONGOING;
    bool cut = !over && (s->plies >= max_plies || reference_mask(f, s, false) == 0);
    float first = outcome.result == PLY_FIRST_WINS    ? 1.0f
                  : outcome.result == PLY_SECOND_WINS ? -1.0f
                                                      : 0.0f;
    assert_int_equal(a->terminated[g], over);
    assert_int_equal(a->truncated[g], cut);
    assert_int_equal(a->results[g], outcome.result);
    assert_true(a->rewards[2 * g] == first && a->rewards[2 * g + 1] == -first);
    f->ended[g] = over || cut;
    if (f->ended[g] && reset == PLY_BATCH_RESET_SAME_STEP) {
        if (a->final_observations) {
            size_t bytes = (size_t)a->planes * a->height * a->width;
            reference_planes(f, g);
            assert_same_bytes(a->final_observations + g * bytes, f->planes, bytes);
        }
        assert_int_equal(ply_state_restart(s), PLY_OK);
        f->ended[g] = false;
    }
    compare_position(f, g, f->ended[g]);
}

/* Steps random games and compares every array after every step. */
static void check_rules(const ply_game *game, const char *variant, ply_batch_reset_mode reset,
                        size_t plies)
{
    fixture f;
    assert_int_equal(ply_rules_make(&f.rules, game, variant, NULL), PLY_OK);
    size_t max_plies = game->multi_move_turns ? 40 : MOST_PLIES;
    unsigned outputs =
        f.rules.learning->observe
            ? ALL_OUTPUTS
            : ALL_OUTPUTS & ~(unsigned)(PLY_BATCH_OBSERVATIONS | PLY_BATCH_FINAL_OBSERVATIONS);
    ply_batch_options options = {.games = GAMES,
                                 .outputs = outputs,
                                 .seed = 7,
                                 .max_plies = max_plies,
                                 .reset = reset,
                                 .illegal = PLY_BATCH_ILLEGAL_FAILS,
                                 .history = history_of(&f.rules),
                                 .repetition = REPETITION};
    open_batch(&f, &options);
    for (size_t g = 0; g < GAMES; g++)
        compare_position(&f, g, false);
    for (size_t i = 0; f.plies < plies && i < plies; i++) {
        ply_batch_sample(f.batch, f.actions);
        assert_int_equal(ply_batch_step(f.batch, f.actions), PLY_OK);
        for (size_t g = 0; g < GAMES; g++)
            follow(&f, g, max_plies, reset);
    }
    assert_true(reset == PLY_BATCH_RESET_NEVER || f.plies >= plies);
    close_batch(&f);
}

/* A copy of everything that a batch shows. */
static size_t snapshot(const ply_batch_arrays *a, uint8_t *out)
{
    size_t n = a->games, at = 0;
    const struct {
        const void *bytes;
        size_t count;
    } parts[] = {
        {a->rewards, 2 * n * sizeof(float)},
        {a->terminated, n},
        {a->truncated, n},
        {a->illegal, n},
        {a->players, n},
        {a->results, n},
        {a->plies, n * sizeof(uint32_t)},
        {a->legal_counts, n * sizeof(uint32_t)},
        {a->observations, n * a->planes * a->height * a->width},
        {a->mask_bits, n * a->mask_words * sizeof(uint64_t)},
        {a->mask_bytes, n * a->actions},
        {a->legal_actions, n * a->list_room * sizeof(int32_t)},
        {a->keys, n * sizeof(uint64_t)},
        {a->final_observations, n * a->planes * a->height * a->width},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (out)
            memcpy(out + at, parts[i].bytes, parts[i].count);
        at += parts[i].count;
    }
    return at;
}

/* One to four threads give the same bytes, illegal actions included. */
static void test_threads(void **state)
{
    (void)state;
    enum { MANY = 150 };
    for (size_t i = 0; i < ply_game_count(); i++) {
        ply_rules rules;
        test_make_rules(&rules, ply_game_at(i)->id, NULL);
        bool slow = rules.game->multi_move_turns;
        int steps = test_is_long() ? (slow ? 200 : 7000) : slow ? 5 : 100;
        uint8_t *first = NULL, *now = NULL;
        for (unsigned threads = 1; threads <= 4; threads++) {
            ply_batch_options options = {.games = MANY,
                                         .threads = threads,
                                         .outputs = ALL_OUTPUTS,
                                         .seed = 3,
                                         .max_plies = 60,
                                         .illegal = PLY_BATCH_ILLEGAL_RANDOM,
                                         .history = slow ? 0 : 1,
                                         .repetition = 1};
            ply_batch *batch;
            int32_t actions[MANY];
            assert_int_equal(ply_batch_new(&batch, &rules, &options, NULL), PLY_OK);
            size_t bytes = snapshot(ply_batch_data(batch), NULL);
            first = first ? first : calloc(1, bytes);
            now = now ? now : calloc(1, bytes);
            for (int step = 0; step < steps; step++) {
                ply_batch_sample(batch, actions);
                actions[step % MANY] = step % 3 - 1; /* most often illegal */
                assert_int_equal(ply_batch_step(batch, actions), PLY_OK);
            }
            snapshot(ply_batch_data(batch), threads == 1 ? first : now);
            if (threads > 1)
                assert_memory_equal(now, first, bytes);
            ply_batch_free(batch);
        }
        free(first);
        free(now);
    }
}

/* A symmetry maps planes and legal actions of a position to those of its image. */
static void test_symmetries(void **state)
{
    (void)state;
    /* The image of the position, as indexing numbers it, that shows symmetry i to the same player. */
    static const struct {
        const char *game, *variant;
        uint32_t count;
    } cases[] = {{"gomoku", NULL, 8},
                 {"gomoku", "renju:width=9,height=7", 4},
                 {"neighbours", NULL, 2},
                 {"shogi", NULL, 2},
                 {"checkers", NULL, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        fixture f;
        test_make_rules(&f.rules, cases[k].game, cases[k].variant);
        ply_batch_options options = {.games = GAMES, .outputs = ALL_OUTPUTS & ~32, .seed = 5};
        open_batch(&f, &options);
        const ply_rules *r = &f.rules;
        assert_int_equal(ply_batch_symmetries(r), cases[k].count);
        assert_int_equal(ply_batch_symmetry(r, cases[k].count, NULL, NULL), PLY_LIMIT);
        size_t area = (size_t)r->plane_height * r->plane_width, bytes = r->planes * area;
        uint32_t *cells = malloc(area * sizeof *cells), *map = malloc(r->actions * sizeof *map);
        void *image = malloc(r->position_bytes);
        uint8_t *planes = malloc(bytes);
        for (int step = 0; step < 60; step++) {
            for (uint32_t i = 0; i < cases[k].count; i++) {
                size_t g = (size_t)step % GAMES;
                ply_state s;
                assert_int_equal(ply_batch_symmetry(r, i, cells, map), PLY_OK);
                assert_int_equal(ply_batch_get(f.batch, g, &s), PLY_OK);
                r->indexing->image(r, s.position, i, image);
                r->learning->observe(r, image, r->game->side(r, image), planes);
                for (size_t c = 0; c < bytes; c++)
                    assert_int_equal(planes[c / area * area + cells[c % area]],
                                     f.a->observations[g * bytes + c]);
                size_t count = r->game->moves(r, image, f.moves);
                uint64_t *row = f.a->mask_bits + g * f.a->mask_words;
                memset(f.bits, 0, f.a->mask_words * sizeof *f.bits);
                for (size_t m = 0; m < count; m++) {
                    uint32_t action = r->learning->action(r, image, f.moves[m]);
                    f.bits[action / 64] |= (uint64_t)1 << action % 64;
                }
                for (uint32_t a = 0; a < r->actions; a++)
                    assert_int_equal(f.bits[map[a] / 64] >> map[a] % 64 & 1,
                                     row[a / 64] >> a % 64 & 1);
                ply_state_free(&s);
            }
            ply_batch_sample(f.batch, f.actions);
            assert_int_equal(ply_batch_step(f.batch, f.actions), PLY_OK);
        }
        free(cells);
        free(map);
        free(image);
        free(planes);
        close_batch(&f);
    }
}

/* Games that are taken out, put in, copied, saved and loaded go on as before. */
static void test_single_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < ply_game_count(); i++) {
        const ply_game *game = ply_game_at(i);
        ply_rules rules;
        ply_batch *batch, *other;
        ply_state s;
        assert_int_equal(ply_rules_make(&rules, game, NULL, NULL), PLY_OK);
        ply_batch_options options = {.games = 3,
                                     .outputs = PLY_BATCH_OBSERVATIONS | PLY_BATCH_MASK_BITS,
                                     .seed = 9,
                                     .max_plies = 60,
                                     .history = history_of(&rules),
                                     .repetition = 1};
        assert_int_equal(ply_batch_new(&batch, &rules, &options, NULL), PLY_OK);
        options.history = 0;
        options.threads = 2;
        assert_int_equal(ply_batch_new(&other, &rules, &options, NULL), PLY_OK);
        const ply_batch_arrays *a = ply_batch_data(batch), *b = ply_batch_data(other);
        size_t bytes = (size_t)a->planes * a->height * a->width;
        int32_t actions[3];
        for (int step = 0; step < 15; step++) {
            ply_batch_sample(batch, actions);
            assert_int_equal(ply_batch_step(batch, actions), PLY_OK);
        }
        /* Game 0 to game 1, by a state; to the other batch; and back to game 2. */
        assert_int_equal(ply_batch_get(batch, 0, &s), PLY_OK);
        assert_int_equal(s.plies, 15);
        assert_int_equal(ply_batch_set(batch, 1, &s), PLY_OK);
        assert_int_equal(ply_batch_copy(other, 2, batch, 0), PLY_OK);
        assert_int_equal(ply_batch_copy(batch, 2, other, 2), PLY_OK);
        for (size_t g = 1; g < 3; g++) {
            assert_memory_equal(a->observations + g * bytes, a->observations, bytes);
            assert_memory_equal(a->mask_bits + g * a->mask_words, a->mask_bits, a->mask_words * 8);
            assert_int_equal(a->plies[g], 15);
        }
        assert_memory_equal(b->mask_bits + 2 * b->mask_words, a->mask_bits, a->mask_words * 8);
        /* A saved game draws the same random numbers when it is loaded again. */
        ply_text text = ply_text_growing();
        int32_t before[8], after[8];
        assert_int_equal(ply_batch_save(batch, 0, &text), PLY_OK);
        for (int step = 0; step < 8; step++) {
            ply_batch_sample(batch, actions);
            before[step] = actions[0];
            assert_int_equal(ply_batch_step(batch, actions), PLY_OK);
        }
        assert_int_equal(ply_batch_load(batch, 0, text.data, text.length, NULL), PLY_OK);
        for (int step = 0; step < 8; step++) {
            ply_batch_sample(batch, actions);
            after[step] = actions[0];
            assert_int_equal(ply_batch_step(batch, actions), PLY_OK);
        }
        assert_memory_equal(after, before, sizeof before);
        /* Actions and moves; what is wrong is an error. */
        for (int32_t action = 0; action < 200 && action < (int32_t)a->actions; action++) {
            ply_move move = ply_batch_move(batch, 0, action);
            bool legal = a->mask_bits[action / 64] >> action % 64 & 1;
            assert_int_equal(move != PLY_MOVE_NONE, legal);
            if (legal)
                assert_int_equal(ply_batch_action(batch, 0, move), action);
        }
        ply_error error;
        assert_int_equal(ply_batch_load(batch, 0, "x", 1, &error), PLY_BAD_TEXT);
        assert_int_equal(ply_batch_load(batch, 0, "3 1 nonsense", 12, &error) != PLY_OK, 1);
        assert_int_equal(error.line, 1);
        assert_int_equal(ply_batch_get(batch, 3, &s), PLY_LIMIT);
        ply_rules foreign;
        ply_state strange;
        test_make_rules(&foreign, i == 1 ? "checkers" : "shogi", NULL);
        test_make_state(&strange, &foreign, NULL);
        assert_int_equal(ply_batch_set(batch, 0, &strange), PLY_UNSUPPORTED);
        ply_state_free(&strange);
        ply_state_free(&s);
        ply_text_free(&text);
        ply_batch_free(batch);
        ply_batch_free(other);
    }
}

/* Copies of a game go on as it does, with what the batch remembers of its past, until it ends. */
static void test_copies(void **state)
{
    enum { COPIES = 4, SHORT = 70, LONG = 90 };
    (void)state;
    for (size_t i = 0; i < ply_game_count(); i++) {
        ply_rules rules;
        ply_batch *from, *to;
        assert_int_equal(ply_rules_make(&rules, ply_game_at(i), NULL, NULL), PLY_OK);
        ply_batch_options options = {.outputs = ALL_OUTPUTS,
                                     .seed = 4,
                                     .max_plies = LONG,
                                     .reset = PLY_BATCH_RESET_NEVER,
                                     .history = history_of(&rules),
                                     .repetition = REPETITION};
        assert_int_equal(ply_batch_new(&from, &rules, &options, NULL), PLY_OK);
        options.games = COPIES;
        options.max_plies = SHORT;
        assert_int_equal(ply_batch_new(&to, &rules, &options, NULL), PLY_OK);
        const ply_batch_arrays *a = ply_batch_data(from), *b = ply_batch_data(to);
        size_t bytes = (size_t)a->planes * a->height * a->width;
        const uint32_t games[COPIES] = {3, 1, 0, 2}, numbers[COPIES] = {0};
        for (int step = 0; step <= SHORT; step++) {
            int32_t actions[COPIES];
            if (step % 7 == 0)
                assert_int_equal(ply_batch_copy_games(to, games, from, numbers, COPIES), PLY_OK);
            bool cut_off = step == SHORT && !a->terminated[0];
            for (size_t g = 0; g < COPIES; g++) {
                assert_memory_equal(b->observations + g * bytes, a->observations, bytes);
                assert_int_equal(b->plies[g], a->plies[0]);
                assert_int_equal(b->keys[g], a->keys[0]);
                assert_int_equal(b->truncated[g], cut_off);
                assert_int_equal(b->legal_counts[g], cut_off ? 0 : a->legal_counts[0]);
                if (!cut_off)
                    assert_memory_equal(b->mask_bits + g * b->mask_words, a->mask_bits,
                                        a->mask_words * sizeof(uint64_t));
            }
            ply_batch_sample(from, actions);
            for (size_t g = 1; g < COPIES; g++)
                actions[g] = actions[0];
            assert_int_equal(ply_batch_step(from, actions), PLY_OK);
            assert_int_equal(ply_batch_step(to, actions), PLY_OK);
        }
        assert_int_equal(ply_batch_copy_games(to, NULL, from, NULL, 0), PLY_OK);
        assert_int_equal(ply_batch_copy_games(to, NULL, from, numbers, 1), PLY_BAD_ARGUMENT);
        assert_int_equal(ply_batch_copy_games(to, &(uint32_t){COPIES}, from, numbers, 1),
                         PLY_LIMIT);
        assert_int_equal(ply_batch_copy_games(to, numbers, from, games, 1), PLY_LIMIT);
        ply_batch_free(from);
        ply_batch_free(to);
    }
}

/* What illegal actions do. */
static void test_illegal_actions(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    for (int policy = 0; policy < 4; policy++) {
        ply_batch_options options = {.games = 2,
                                     .seed = 1,
                                     .reset = PLY_BATCH_RESET_NEVER,
                                     .illegal = (ply_batch_illegal)policy};
        ply_batch *batch;
        assert_int_equal(ply_batch_new(&batch, &rules, &options, NULL), PLY_OK);
        const ply_batch_arrays *a = ply_batch_data(batch);
        int32_t actions[2];
        ply_batch_sample(batch, actions);
        actions[0] = -5;
        ply_status status = ply_batch_step(batch, actions);
        bool fails = policy == PLY_BATCH_ILLEGAL_FAILS, loses = policy == PLY_BATCH_ILLEGAL_LOSES;
        assert_int_equal(status, fails ? PLY_ILLEGAL_MOVE : PLY_OK);
        assert_int_equal(a->plies[1], !fails);
        assert_int_equal(a->plies[0], policy == PLY_BATCH_ILLEGAL_RANDOM);
        assert_int_equal(a->illegal[0], !fails);
        assert_int_equal(a->terminated[0], loses);
        assert_true(a->rewards[0] == (loses ? -1.0f : 0.0f) && a->rewards[1] == -a->rewards[0]);
        if (loses) { /* it stays lost, with no more rewards, until it is reset */
            ply_batch_sample(batch, actions);
            assert_int_equal(actions[0], PLY_BATCH_NO_ACTION);
            assert_int_equal(ply_batch_step(batch, actions), PLY_OK);
            assert_true(a->terminated[0] && a->rewards[0] == 0 && a->legal_counts[0] == 0);
            const uint8_t which[2] = {1, 0};
            assert_int_equal(ply_batch_reset(batch, which), PLY_OK);
            assert_true(!a->terminated[0] && a->legal_counts[0] > 0 && a->plies[1] == 2);
        }
        ply_batch_free(batch);
    }
}

/* The caller's own arrays are used; the random numbers are those of ply_batch_random. */
static void test_lent_arrays(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", NULL);
    uint64_t mask[2][4];
    float rewards[2][2];
    ply_batch_arrays lent = {.rewards = rewards[0], .mask_bits = mask[0]};
    ply_batch_options options = {
        .games = 2, .outputs = PLY_BATCH_MASK_BITS, .seed = 77, .arrays = &lent};
    ply_batch *batch;
    assert_int_equal(ply_batch_new(&batch, &rules, &options, NULL), PLY_OK);
    assert_ptr_equal(ply_batch_data(batch)->mask_bits, mask);
    assert_int_equal((uintptr_t)ply_batch_data(batch)->players % 64, 0);
    assert_true(mask[1][0] == UINT64_MAX && mask[1][3] == (UINT64_C(1) << 33) - 1);
    int32_t actions[2];
    for (uint64_t n = 0; n < 20; n++) {
        ply_batch_sample(batch, actions);
        for (uint64_t g = 0; g < 2; g++)
            assert_int_equal(actions[g], (int32_t)((ply_batch_random(77, g, n) >> 32) * 225 >> 32));
    }
    ply_batch_free(batch);
}

static void test_equals_single_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < ply_game_count(); i++) {
        const ply_game *game = ply_game_at(i);
        bool slow = game->multi_move_turns;
        size_t plies = slow ? test_rounds(24, 25000) : test_rounds(3000, 1000000);
        size_t variants = slow && !test_is_long() ? 8 : game->variant_count;
        for (size_t v = 0; v < variants; v++)
            check_rules(game, game->variants[v].id, PLY_BATCH_RESET_SAME_STEP,
                        v == 0 || test_is_long() ? plies : plies / 2);
        check_rules(game, NULL, PLY_BATCH_RESET_NEXT_STEP, plies / 2);
        check_rules(game, NULL, PLY_BATCH_RESET_NEVER, plies / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_single_games),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_single_games),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_illegal_actions),
        cmocka_unit_test(test_lent_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
