/* SPDX-License-Identifier: MIT */
/*
 * test_samples.c - the arrays for the trainer hold exactly the features that the game lists, the
 * scores and the results of the positions they were made of.
 */
#include "support/support.h"
#include "train/play.h"
#include "train/samples.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 12, HEADER = 128, PADDING = 0xFFFF, PHASES = 4 };

/* An array of the folder, without its header; *rows from the header. */
static unsigned char *load(const char *folder, const char *name, size_t *rows, size_t *columns)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char *data = calloc(1, 1 << 24);
    assert_non_null(data);
    size_t size = fread(data, 1, (1 << 24) - 1, file);
    fclose(file);
    assert_true(size >= HEADER);
    assert_memory_equal(data, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_int_equal(data[HEADER - 1], '\n');
    data[HEADER - 1] = '\0';
    const char *shape = strstr((char *)data + 10, "'shape': (");
    assert_non_null(shape);
    char *end;
    *rows = strtoul(shape + strlen("'shape': ("), &end, 10);
    *columns = end[1] == ' ' ? strtoul(end + 1, NULL, 10) : 1;
    size_t width = (size_t)(strchr((char *)data + 10, ',')[-2] - '0'); /* as in '<u2' */
    assert_int_equal(size, HEADER + *rows * *columns * width);
    memmove(data, data + HEADER, size - HEADER);
    return data;
}

static unsigned at16(const unsigned char *array, size_t i)
{
    return array[2 * i] | (unsigned)array[2 * i + 1] << 8;
}

typedef struct comparison {
    unsigned char *own, *enemy, *phase, *score, *eval, *result, *ply, *game;
    unsigned char *move; /* where cells are pooled */
    size_t row, rows, columns;
    size_t noisy; /* positions in which a noisy move was played */
    uint32_t images;
    void *image;
} comparison;

static void compare_features(const unsigned char *array, size_t row, size_t columns,
                             const ply_rules *rules, const void *position, int player)
{
    uint16_t expected[PLY_ACTIVE_FEATURES];
    size_t count = rules->network->features(rules, position, player, expected);
    assert_true(count > 0 && count <= columns);
    for (size_t i = 0; i < columns; i++) {
        assert_int_equal(at16(array, row * columns + i), i < count ? expected[i] : PADDING);
        assert_true(i >= count || expected[i] < rules->network->feature_count(rules));
    }
}

/* The cell that was played was empty and is in its row; images have none. */
static void compare_move(const comparison *c, size_t row, const train_position *p, bool image)
{
    int cell = (int16_t)at16(c->move, row), width = gomoku_width(p->rules);
    assert_true(image ? cell == -1 : cell >= 0 && cell < (int)c->columns / GOMOKU_DIRECTIONS);
    if (!image)
        assert_true(p->move == gomoku_move(gomoku_cell(cell % width, cell / width)));
}

/* In a quiet position the quiescence search stands pat. */
static void check_quiet(comparison *c, const train_position *p)
{
    const ply_search_hooks *search = p->rules->search;
    int plies;
    uint64_t nodes = 0;
    c->noisy += ply_game_is_noisy(p->rules, p->position, p->move);
    if (search->in_check)
        assert_false(search->in_check(p->rules, p->position));
    if (search->find_win)
        assert_true(search->find_win(p->rules, p->position, 0, &plies, &nodes) == PLY_MOVE_NONE);
}

static ply_status compare_sample(void *context, const train_position *p, ply_error *error)
{
    (void)error;
    comparison *c = context;
    check_quiet(c, p);
    for (uint32_t i = 0; i < c->images; i++) {
        const void *position = p->position;
        if (i > 0) {
            p->rules->indexing->image(p->rules, p->position, i, c->image);
            position = c->image;
        }
        size_t row = c->row++;
        int side = p->rules->game->side(p->rules, position);
        compare_features(c->own, row, c->columns, p->rules, position, side);
        if (c->enemy)
            compare_features(c->enemy, row, c->columns, p->rules, position, !side);
        assert_int_equal(c->phase[row], p->rules->network->phase(p->rules, position, PHASES));
        assert_int_equal((int16_t)at16(c->score, row), p->score);
        assert_int_equal((int16_t)at16(c->eval, row),
                         p->rules->search->evaluate(p->rules, position));
        assert_int_equal(c->result[row], p->half_points);
        assert_int_equal(at16(c->ply, row), p->ply);
        assert_int_equal(at16(c->game, 2 * row), p->game);
        if (c->move)
            compare_move(c, row, p, i > 0);
    }
    return PLY_OK;
}

/* Where cells are pooled, an array exchanges the features of the players instead of enemy.npy. */
static void check_exchanged(const char *folder, const ply_rules *rules)
{
    size_t rows, one;
    unsigned char *exchanged = load(folder, "exchanged", &rows, &one);
    assert_int_equal(rows, rules->network->feature_count(rules));
    for (size_t i = 0; i < rows; i++)
        assert_int_equal(at16(exchanged, i), rules->network->exchanged(rules, (uint16_t)i));
    free(exchanged);
}

static void check_samples(const char *id, const char *variant, bool symmetries)
{
    const ply_game *game = ply_game_find(id);
    train_play_options options = {.variants = {variant},
                                  .variant_count = 1,
                                  .games = GAMES,
                                  .nodes = 100,
                                  .seed = 5,
                                  .opening_plies = 6,
                                  .draw = -1,
                                  .max_plies = 80,
                                  .network = "none"};
    char path[64], folder[64];
    ply_error error = {0};
    snprintf(path, sizeof path, "samples_%d.games", (int)getpid());
    snprintf(folder, sizeof folder, "samples_%d", (int)getpid());
    unlink(path);
    assert_int_equal(train_play(game, &options, path, &error), PLY_OK);
    const char *paths[] = {path};
    train_walk walk = {.game = game, .paths = paths, .path_count = 1};
    train_samples_options how = {.phases = PHASES, .symmetries = symmetries};
    assert_int_equal(train_samples_write(&walk, &how, folder, &error), PLY_OK);
    ply_rules rules;
    assert_int_equal(ply_rules_make(&rules, game, variant, NULL), PLY_OK);
    comparison c = {.images = symmetries ? rules.symmetries : 1};
    size_t rows, one;
    c.own = load(folder, "own", &c.rows, &c.columns);
    if (rules.network->per_cell) {
        assert_int_equal(c.columns, rules.network->per_cell * rules.network->cells(&rules));
        check_exchanged(folder, &rules);
        c.move = load(folder, "move", &rows, &one);
        assert_int_equal(rows, c.rows);
    } else {
        assert_int_equal(c.columns, rules.network->max_active);
        c.enemy = load(folder, "enemy", &rows, &one);
        assert_int_equal(rows, c.rows);
    }
    unsigned char **const others[] = {&c.phase, &c.score, &c.eval, &c.result, &c.ply, &c.game};
    static const char *const names[] = {"phase", "score", "eval", "result", "ply", "game"};
    for (size_t i = 0; i < 6; i++) {
        *others[i] = load(folder, names[i], &rows, &one);
        assert_int_equal(rows, c.rows);
        assert_int_equal(one, 1);
    }
    assert_int_equal(c.rows, walk.positions * c.images);
    assert_true(walk.positions > 50);
    c.image = malloc(rules.position_bytes);
    walk.visit = compare_sample;
    walk.context = &c;
    assert_int_equal(train_walk_run(&walk, &error), PLY_OK);
    assert_int_equal(c.row, c.rows);
    /* Where the quiescence search finds wins itself, quiet positions are those without one. */
    assert_int_equal(c.noisy > 0, rules.search->find_win != NULL);
    free(c.own);
    free(c.enemy);
    free(c.move);
    for (size_t i = 0; i < 6; i++)
        free(*others[i]);
    free(c.image);
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s %s", folder, path);
    assert_int_equal(system(command), 0);
}

static void test_checkers(void **state)
{
    (void)state;
    check_samples("checkers", "english", false);
}

static void test_shogi(void **state)
{
    (void)state;
    check_samples("shogi", "standard", false);
}

static void test_neighbours(void **state)
{
    (void)state;
    check_samples("neighbours", "slide", true);
}

static void test_gomoku(void **state)
{
    (void)state;
    check_samples("gomoku", "renju:width=13,height=11", false);
}

/* Games of two families cannot be mixed; a folder that cannot be made is reported. */
static void test_refusals(void **state)
{
    (void)state;
    const ply_game *game = ply_game_find("checkers");
    train_play_options options = {.variants = {"english", "russian"},
                                  .variant_count = 2,
                                  .games = 4,
                                  .nodes = 50,
                                  .opening_plies = 4,
                                  .draw = -1,
                                  .max_plies = 60,
                                  .network = "none"};
    char path[64], folder[64];
    ply_error error = {0};
    snprintf(path, sizeof path, "refused_%d.games", (int)getpid());
    snprintf(folder, sizeof folder, "refused_%d", (int)getpid());
    unlink(path);
    assert_int_equal(train_play(game, &options, path, &error), PLY_OK);
    const char *paths[] = {path}, *absent[] = {"no such file"};
    train_walk walk = {.game = game, .paths = paths, .path_count = 1};
    train_samples_options how = {.phases = PHASES};
    assert_int_equal(train_samples_write(&walk, &how, folder, &error), PLY_UNSUPPORTED);
    assert_non_null(strstr(error.message, "two families"));
    assert_int_equal(train_samples_write(&walk, &how, "no/such/folder", &error), PLY_IO);
    walk.paths = absent;
    assert_int_equal(train_samples_write(&walk, &how, folder, &error), PLY_IO);
    walk.paths = paths;
    walk.game = ply_game_find("shogi");
    assert_int_equal(train_samples_write(&walk, &how, folder, &error), PLY_BAD_TEXT);
    assert_non_null(strstr(error.message, "checkers, not of shogi"));
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s %s", folder, path);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checkers),   cmocka_unit_test(test_shogi),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_gomoku),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
