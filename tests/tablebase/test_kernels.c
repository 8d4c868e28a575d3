/* SPDX-License-Identifier: MIT */
/*
 * test_kernels.c - the retrograde interface of each game against its game interface: slots and
 * positions, symmetries, successors and predecessors, on every instruction set.
 */
#include "core/isa.h"
#include "model/retrograde.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

PLY_ISA_DECLARE(const ply_retrograde, neighbours_retrograde_of);
PLY_ISA_DECLARE(const ply_retrograde, checkers_retrograde_of);

typedef struct fixture {
    ply_rules rules;
    const ply_retrograde *retrograde;
    void *workspace;
} fixture;

static void fixture_open(fixture *b, const char *game, const char *variant,
                         const ply_retrograde *retrograde)
{
    test_make_rules(&b->rules, game, variant);
    b->retrograde = retrograde ? retrograde : b->rules.indexing->retrograde(&b->rules);
    b->workspace = b->retrograde->open(&b->rules);
    assert_non_null(b->workspace);
}

static void fixture_close(fixture *b)
{
    b->retrograde->close(b->workspace);
}

static void prepare_up_to(fixture *b, unsigned pieces)
{
    for (size_t i = 0; i < b->rules.indexing->class_count(&b->rules); i++) {
        unsigned own, other;
        b->retrograde->class_pieces(i, &own, &other);
        if (own > 0 && other > 0 && own + other <= pieces)
            assert_int_equal(b->retrograde->prepare_class(b->workspace, i), PLY_OK);
    }
}

static int compare_slots(const void *a, const void *b)
{
    ply_slot x = *(const ply_slot *)a, y = *(const ply_slot *)b;
    return (x > y) - (x < y);
}

/* The slots after each legal move, computed through the game interface. */
static size_t slow_successors(const fixture *b, const void *position, ply_slot *out)
{
    const ply_rules *rules = &b->rules;
    char copy[256], undo[256];
    ply_move moves[PLY_STACK_MOVES];
    memcpy(copy, position, rules->position_bytes);
    size_t count = rules->game->moves(rules, position, moves);
    for (size_t i = 0; i < count; i++) {
        rules->game->play(rules, copy, moves[i], undo);
        out[i] = b->retrograde->slot_of(b->workspace, copy);
        rules->game->undo(rules, copy, moves[i], undo);
    }
    return count;
}

static void check_slot(const fixture *b, ply_slot slot, uint64_t *positions, int32_t *inner_moves)
{
    const ply_rules *rules = &b->rules;
    const ply_retrograde *retrograde = b->retrograde;
    char position[256], image[256];
    ply_slot fast[512], slow[512], out[512];
    unsigned orbit_size = retrograde->orbit_size(b->workspace, slot), inside = 0;
    *positions += orbit_size;
    size_t exit_count = retrograde->exits(b->workspace, slot, out, &inside);
    assert_true((exit_count == PLY_SLOT_HOLE) == (orbit_size == 0));
    *inner_moves = (int32_t)inside;
    if (orbit_size == 0)
        return;
    retrograde->position_of(b->workspace, slot, position);
    assert_true(retrograde->slot_of(b->workspace, position) == slot);
    assert_int_equal(retrograde->class_of(position), ply_slot_class(slot));
    for (uint32_t i = 0; i < rules->symmetries; i++) {
        rules->indexing->image(rules, position, i, image);
        assert_true(retrograde->slot_of(b->workspace, image) == slot);
    }
    size_t count = retrograde->successors(b->workspace, slot, fast);
    assert_int_equal(count, slow_successors(b, position, slow));
    assert_int_equal(count, exit_count + inside);
    qsort(fast, count, sizeof *fast, compare_slots);
    qsort(slow, count, sizeof *slow, compare_slots);
    assert_memory_equal(fast, slow, count * sizeof *fast);
    /* Exits are the successors outside the slice, in the classes of class_exits. */
    size_t partner = retrograde->class_partner(ply_slot_class(slot)), exit_classes[1024],
           outside = 0;
    size_t exit_class_count = retrograde->class_exits(ply_slot_class(slot), exit_classes);
    for (size_t i = 0; i < count; i++)
        if (fast[i] == PLY_SLOT_NO_PIECES || ply_slot_class(fast[i]) != partner)
            slow[outside++] = fast[i];
    qsort(out, exit_count, sizeof *out, compare_slots);
    assert_int_equal(outside, exit_count);
    assert_memory_equal(slow, out, exit_count * sizeof *out);
    for (size_t i = 0; i < exit_count; i++) {
        bool listed = out[i] == PLY_SLOT_NO_PIECES;
        for (size_t k = 0; k < exit_class_count && !listed; k++)
            listed = exit_classes[k] == ply_slot_class(out[i]);
        assert_true(listed);
        if (out[i] != PLY_SLOT_NO_PIECES)
            assert_true(retrograde->class_order(ply_slot_class(out[i])) <
                        retrograde->class_order(ply_slot_class(slot)));
    }
}

/* A whole slice: every position has one slot, and predecessors match the moves one to one. */
static void check_slice(const fixture *b, size_t class_index)
{
    const ply_retrograde *retrograde = b->retrograde;
    size_t classes[2] = {class_index, retrograde->class_partner(class_index)};
    int kinds = classes[0] == classes[1] ? 1 : 2;
    int32_t *left[2];
    for (int k = 0; k < kinds; k++) {
        uint64_t slots = retrograde->slot_count(b->workspace, classes[k]), positions = 0;
        left[k] = calloc(slots, sizeof *left[k]);
        for (uint64_t n = 0; n < slots; n++)
            check_slot(b, ply_slot_make(classes[k], n), &positions, &left[k][n]);
        assert_true(positions == b->rules.indexing->class_size(&b->rules, classes[k]));
    }
    for (int k = 0; k < kinds; k++)
        for (uint64_t n = 0; n < retrograde->slot_count(b->workspace, classes[k]); n++) {
            ply_slot before[1024], slot = ply_slot_make(classes[k], n);
            if (retrograde->orbit_size(b->workspace, slot) == 0)
                continue;
            size_t count = retrograde->predecessors(b->workspace, slot, before);
            assert_true(count <= retrograde->max_predecessors);
            for (size_t i = 0; i < count; i++) {
                int other = kinds == 1 ? 0 : !k;
                assert_int_equal(ply_slot_class(before[i]), classes[other]);
                left[other][ply_slot_number(before[i])]--;
            }
        }
    for (int k = 0; k < kinds; k++) {
        for (uint64_t n = 0; n < retrograde->slot_count(b->workspace, classes[k]); n++)
            if (retrograde->orbit_size(b->workspace, ply_slot_make(classes[k], n)))
                assert_int_equal(left[k][n], 0);
        free(left[k]);
    }
}

static void check_slices(const char *game, const char *variant, unsigned pieces)
{
    fixture b;
    fixture_open(&b, game, variant, NULL);
    prepare_up_to(&b, pieces);
    size_t checked = 0;
    for (size_t i = 0; i < b.rules.indexing->class_count(&b.rules); i++) {
        unsigned own, other;
        b.retrograde->class_pieces(i, &own, &other);
        if (own == 0 || other == 0 || own + other > pieces || i < b.retrograde->class_partner(i))
            continue;
        check_slice(&b, i);
        checked++;
    }
    assert_true(checked > 0);
    fixture_close(&b);
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

/* All eight images of a Neighbours position have the same slot. */
static void test_square_symmetries(void **state)
{
    (void)state;
    fixture b;
    fixture_open(&b, "neighbours", "slide", NULL);
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
        ply_slot slots[8];
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
            slots[t] = b.retrograde->slot_of(b.workspace, s.position);
            ply_state_free(&s);
            assert_true(slots[t] == slots[0]);
        }
    }
    fixture_close(&b);
}

static void check_level(const char *game, const char *variant, const ply_retrograde *plain,
                        const ply_retrograde *fast, unsigned pieces)
{
    fixture p, f;
    fixture_open(&p, game, variant, plain);
    fixture_open(&f, game, variant, fast);
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
        uint64_t slots = plain->slot_count(p.workspace, class_index);
        assert_true(slots == fast->slot_count(f.workspace, class_index));
        ply_slot slot = ply_slot_make(class_index, ply_rng_next(&rng) % slots);
        ply_slot a[1024], b[1024];
        assert_int_equal(plain->orbit_size(p.workspace, slot), fast->orbit_size(f.workspace, slot));
        if (plain->orbit_size(p.workspace, slot) == 0)
            continue;
        size_t count = plain->successors(p.workspace, slot, a);
        assert_int_equal(count, fast->successors(f.workspace, slot, b));
        assert_memory_equal(a, b, count * sizeof *a);
        count = plain->predecessors(p.workspace, slot, a);
        assert_int_equal(count, fast->predecessors(f.workspace, slot, b));
        assert_memory_equal(a, b, count * sizeof *a);
    }
    fixture_close(&p);
    fixture_close(&f);
}

static void test_instruction_sets(void **state)
{
    (void)state;
    for (int level = 3; level <= ply_isa_best(); level++) {
        check_level("neighbours", "slide", PLY_ISA_AT(neighbours_retrograde_of, 1),
                    PLY_ISA_AT(neighbours_retrograde_of, level), 8);
        check_level("neighbours", "jump", PLY_ISA_AT(neighbours_retrograde_of, 1),
                    PLY_ISA_AT(neighbours_retrograde_of, level), 6);
        check_level("checkers", "english", PLY_ISA_AT(checkers_retrograde_of, 1),
                    PLY_ISA_AT(checkers_retrograde_of, level), 7);
        check_level("checkers", "russian", PLY_ISA_AT(checkers_retrograde_of, 1),
                    PLY_ISA_AT(checkers_retrograde_of, level), 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_checkers),
        cmocka_unit_test(test_square_symmetries), cmocka_unit_test(test_instruction_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
