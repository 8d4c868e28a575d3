/* SPDX-License-Identifier: MIT */
/*
 * test_kernels.c - the games' fast numbering and moves against the game interface: places and
 * positions, symmetries, moves forward and back, on every instruction set.
 */
#include "core/isa.h"
#include "model/retrograde.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

PLY_ISA_DECLARE(const ply_retrograde, neighbours_retro_of);
PLY_ISA_DECLARE(const ply_retrograde, checkers_retro_of);

typedef struct bench {
    ply_rules rules;
    const ply_retrograde *retro;
    void *work;
} bench;

static void bench_open(bench *b, const char *game, const char *variant, const ply_retrograde *retro)
{
    test_make_rules(&b->rules, game, variant);
    b->retro = retro ? retro : b->rules.indexing->retrograde(&b->rules);
    b->work = b->retro->open(&b->rules);
    assert_non_null(b->work);
}

static void bench_close(bench *b)
{
    b->retro->close(b->work);
}

static void prepare_up_to(bench *b, unsigned pieces)
{
    for (size_t i = 0; i < b->rules.indexing->class_count(&b->rules); i++) {
        unsigned own, other;
        b->retro->class_pieces(i, &own, &other);
        if (own > 0 && other > 0 && own + other <= pieces)
            assert_int_equal(b->retro->prepare(b->work, i), PLY_OK);
    }
}

static int compare_places(const void *a, const void *b)
{
    ply_slot x = *(const ply_slot *)a, y = *(const ply_slot *)b;
    return (x > y) - (x < y);
}

/* The places after each legal move, by the game interface. */
static size_t slow_successors(const bench *b, const void *position, ply_slot *out)
{
    const ply_rules *rules = &b->rules;
    char copy[256], undo[256];
    ply_move moves[PLY_STACK_MOVES];
    memcpy(copy, position, rules->position_bytes);
    size_t count = rules->game->moves(rules, position, moves);
    for (size_t i = 0; i < count; i++) {
        rules->game->play(rules, copy, moves[i], undo);
        out[i] = b->retro->place(b->work, copy);
        rules->game->undo(rules, copy, moves[i], undo);
    }
    return count;
}

static void check_place(const bench *b, ply_slot place, uint64_t *weights, int32_t *staying)
{
    const ply_rules *rules = &b->rules;
    const ply_retrograde *retro = b->retro;
    char position[256], image[256];
    ply_slot fast[512], slow[512], out[512];
    unsigned weight = retro->weight(b->work, place), inside = 0;
    *weights += weight;
    size_t leaves = retro->leaving(b->work, place, out, &inside);
    assert_true((leaves == PLY_SLOT_HOLE) == (weight == 0));
    *staying = (int32_t)inside;
    if (weight == 0)
        return;
    retro->position(b->work, place, position);
    assert_true(retro->place(b->work, position) == place);
    assert_int_equal(retro->class_of(position), ply_slot_class(place));
    for (uint32_t i = 0; i < rules->symmetries; i++) {
        rules->indexing->image(rules, position, i, image);
        assert_true(retro->place(b->work, image) == place);
    }
    size_t count = retro->successors(b->work, place, fast);
    assert_int_equal(count, slow_successors(b, position, slow));
    assert_int_equal(count, leaves + inside);
    qsort(fast, count, sizeof *fast, compare_places);
    qsort(slow, count, sizeof *slow, compare_places);
    assert_memory_equal(fast, slow, count * sizeof *fast);
    /* Those that leave are the successors outside the slice, in classes announced. */
    size_t partner = retro->class_partner(ply_slot_class(place)), next[1024], outside = 0;
    size_t next_count = retro->class_next(ply_slot_class(place), next);
    for (size_t i = 0; i < count; i++)
        if (fast[i] == PLY_SLOT_OVER || ply_slot_class(fast[i]) != partner)
            slow[outside++] = fast[i];
    qsort(out, leaves, sizeof *out, compare_places);
    assert_int_equal(outside, leaves);
    assert_memory_equal(slow, out, leaves * sizeof *out);
    for (size_t i = 0; i < leaves; i++) {
        bool announced = out[i] == PLY_SLOT_OVER;
        for (size_t k = 0; k < next_count && !announced; k++)
            announced = next[k] == ply_slot_class(out[i]);
        assert_true(announced);
        if (out[i] != PLY_SLOT_OVER)
            assert_true(retro->class_order(ply_slot_class(out[i])) <
                        retro->class_order(ply_slot_class(place)));
    }
}

/* A whole slice: numbers without doubles, and moves back as many as moves. */
static void check_slice(const bench *b, size_t class_index)
{
    const ply_retrograde *retro = b->retro;
    size_t classes[2] = {class_index, retro->class_partner(class_index)};
    int kinds = classes[0] == classes[1] ? 1 : 2;
    int32_t *left[2];
    for (int k = 0; k < kinds; k++) {
        uint64_t slots = retro->slots(b->work, classes[k]), weights = 0;
        left[k] = calloc(slots, sizeof *left[k]);
        for (uint64_t n = 0; n < slots; n++)
            check_place(b, ply_slot_make(classes[k], n), &weights, &left[k][n]);
        assert_true(weights == b->rules.indexing->class_size(&b->rules, classes[k]));
    }
    for (int k = 0; k < kinds; k++)
        for (uint64_t n = 0; n < retro->slots(b->work, classes[k]); n++) {
            ply_slot before[1024], place = ply_slot_make(classes[k], n);
            if (retro->weight(b->work, place) == 0)
                continue;
            size_t count = retro->predecessors(b->work, place, before);
            assert_true(count <= retro->max_predecessors);
            for (size_t i = 0; i < count; i++) {
                int other = kinds == 1 ? 0 : !k;
                assert_int_equal(ply_slot_class(before[i]), classes[other]);
                left[other][ply_slot_number(before[i])]--;
            }
        }
    for (int k = 0; k < kinds; k++) {
        for (uint64_t n = 0; n < retro->slots(b->work, classes[k]); n++)
            if (retro->weight(b->work, ply_slot_make(classes[k], n)))
                assert_int_equal(left[k][n], 0);
        free(left[k]);
    }
}

static void check_slices(const char *game, const char *variant, unsigned pieces)
{
    bench b;
    bench_open(&b, game, variant, NULL);
    prepare_up_to(&b, pieces);
    size_t checked = 0;
    for (size_t i = 0; i < b.rules.indexing->class_count(&b.rules); i++) {
        unsigned own, other;
        b.retro->class_pieces(i, &own, &other);
        if (own == 0 || other == 0 || own + other > pieces || i < b.retro->class_partner(i))
            continue;
        check_slice(&b, i);
        checked++;
    }
    assert_true(checked > 0);
    bench_close(&b);
}

static void test_neighbours(void **state)
{
    (void)state;
    check_slices("neighbours", "slide", test_is_long() ? 5 : 4);
    check_slices("neighbours", "jump", test_is_long() ? 5 : 3);
}

static void test_checkers(void **state)
{
    (void)state;
    const ply_game *game = ply_game_find("checkers");
    for (size_t i = 0; i < game->variant_count; i++)
        check_slices("checkers", game->variants[i].id, test_is_long() ? 3 : 2);
    check_slices("checkers", "english", 3);
}

/* Turned by any of the eight symmetries, a position of Neighbours keeps its place. */
static void test_square_symmetries(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "neighbours", "slide", NULL);
    prepare_up_to(&b, 8);
    ply_rng rng = ply_rng_make(7, 0);
    for (int round = 0; round < 2000; round++) {
        char board[36], text[8][64];
        memset(board, '.', sizeof board);
        for (int i = 0, own = 1 + (int)ply_rng_below(&rng, 4),
                 all = own + 1 + (int)ply_rng_below(&rng, 4);
             i < all;) {
            uint32_t square = ply_rng_below(&rng, 36);
            if (board[square] == '.')
                board[square] = i++ < own ? 'w' : 'b';
        }
        ply_slot places[8];
        for (int t = 0; t < 8; t++) {
            char *out = text[t];
            for (int y = 0; y < 6; y++) {
                for (int x = 0; x < 6; x++) {
                    int u = t & 1 ? 5 - x : x, v = t & 2 ? 5 - y : y;
                    char c = t & 4 ? board[u * 6 + v] : board[v * 6 + u];
                    *out++ = c == '.' ? '1' : c;
                }
                *out++ = y < 5 ? '/' : ' ';
            }
            strcpy(out, "w");
            ply_state s;
            test_make_state(&s, &b.rules, text[t]);
            places[t] = b.retro->place(b.work, s.position);
            ply_state_free(&s);
            assert_true(places[t] == places[0]);
        }
    }
    bench_close(&b);
}

static void check_level(const char *game, const char *variant, const ply_retrograde *plain,
                        const ply_retrograde *fast, unsigned pieces)
{
    bench p, f;
    bench_open(&p, game, variant, plain);
    bench_open(&f, game, variant, fast);
    prepare_up_to(&p, pieces);
    prepare_up_to(&f, pieces);
    ply_rng rng = ply_rng_make(11, 0);
    size_t classes = p.rules.indexing->class_count(&p.rules);
    for (int round = 0; round < 3000; round++) {
        size_t class_index;
        unsigned own, other;
        do {
            class_index = ply_rng_below(&rng, (uint32_t)classes);
            plain->class_pieces(class_index, &own, &other);
        } while (own == 0 || other == 0 || own + other > pieces);
        uint64_t slots = plain->slots(p.work, class_index);
        assert_true(slots == fast->slots(f.work, class_index));
        ply_slot place = ply_slot_make(class_index, ply_rng_next(&rng) % slots);
        ply_slot a[1024], b[1024];
        assert_int_equal(plain->weight(p.work, place), fast->weight(f.work, place));
        if (plain->weight(p.work, place) == 0)
            continue;
        size_t count = plain->successors(p.work, place, a);
        assert_int_equal(count, fast->successors(f.work, place, b));
        assert_memory_equal(a, b, count * sizeof *a);
        count = plain->predecessors(p.work, place, a);
        assert_int_equal(count, fast->predecessors(f.work, place, b));
        assert_memory_equal(a, b, count * sizeof *a);
    }
    bench_close(&p);
    bench_close(&f);
}

static void test_instruction_sets(void **state)
{
    (void)state;
    for (int level = 3; level <= ply_isa_level(); level++) {
        check_level("neighbours", "slide", PLY_ISA_AT(neighbours_retro_of, 1),
                    PLY_ISA_AT(neighbours_retro_of, level), 8);
        check_level("neighbours", "jump", PLY_ISA_AT(neighbours_retro_of, 1),
                    PLY_ISA_AT(neighbours_retro_of, level), 6);
        check_level("checkers", "english", PLY_ISA_AT(checkers_retro_of, 1),
                    PLY_ISA_AT(checkers_retro_of, level), 7);
        check_level("checkers", "russian", PLY_ISA_AT(checkers_retro_of, 1),
                    PLY_ISA_AT(checkers_retro_of, level), 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_checkers),
        cmocka_unit_test(test_square_symmetries), cmocka_unit_test(test_instruction_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
