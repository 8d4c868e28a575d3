/* SPDX-License-Identifier: MIT */
/*
 * test_rows.c - the rows of Neighbours (ply_retrograde_rows) against its slots: whole classes, on
 * every instruction set.
 */
#include "core/isa.h"
#include "games/neighbours/neighbours.h"
#include "model/retrograde.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

PLY_ISA_DECLARE(const ply_retrograde, neighbours_retrograde_of);

enum { MAX_COLUMNS = 1 << 16, STATE_WORDS = 160, MAX_LIST = 1024 };

typedef struct fixture {
    ply_rules rules;
    const ply_retrograde *retrograde;
    void *workspace;
    size_t class_index, partner;
    uint32_t columns, slot_columns; /* of the cells and of the slots of the class */
    uint64_t row;
    uint64_t state[STATE_WORDS];
} fixture;

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The slot of a cell of the current row, through positions. */
static ply_slot slot_of_cell(const fixture *f, uint32_t column)
{
    neighbours_position p;
    f->retrograde->position_of(f->workspace,
                               ply_slot_make(f->partner, f->row * f->columns + column), &p);
    uint64_t own = p.next;
    p.next = p.current;
    p.current = own;
    return f->retrograde->slot_of(f->workspace, &p);
}

static ply_slot slot_of_place(const fixture *f, uint64_t place)
{
    return ply_slot_make(f->class_index, (place >> 32) * f->slot_columns + (uint32_t)place);
}

/* The places of each cell: the lowest is its slot, and the one of `slots` is among them. */
static void check_places(const fixture *f)
{
    const ply_retrograde_rows *rows = f->retrograde->rows;
    uint64_t one, all[8];
    for (uint32_t column = 0; column < f->columns; column++) {
        size_t count = rows->all_slots(f->state, &column, 1, all);
        assert_in_range(count, 1, rows->max_images);
        rows->slots(f->state, &column, 1, &one);
        bool listed = false;
        uint64_t lowest = all[0];
        for (size_t i = 0; i < count; i++) {
            listed |= all[i] == one;
            lowest = all[i] < lowest ? all[i] : lowest;
        }
        assert_true(listed);
        assert_true(slot_of_place(f, lowest) == slot_of_cell(f, column));
    }
}

/* The moves that leave the slice, as slots, and the number of the others. Fills inner. */
static void check_exits(const fixture *f, uint8_t *inner)
{
    enum { AT_ONCE = 100 };
    const ply_retrograde_rows *rows = f->retrograde->rows;
    uint8_t counts[AT_ONCE];
    uint64_t list[AT_ONCE * NEIGHBOURS_MAX_MOVES + 1], exit_rows[16];
    size_t exit_class[PLY_CLASS_EXITS], row_count = rows->exit_rows(f->state, exit_rows);
    uint64_t exit_columns = 0;
    if (f->retrograde->class_exits(f->class_index, exit_class))
        exit_columns = rows->columns(f->workspace, f->retrograde->class_partner(exit_class[0]));
    assert_in_range(row_count, 0, rows->max_exit_rows);
    for (uint32_t first = 0; first < f->columns; first += AT_ONCE) {
        size_t count = f->columns - first < AT_ONCE ? f->columns - first : AT_ONCE;
        rows->exits(f->state, first, count, inner + first, counts, list);
        const uint64_t *at = list;
        for (size_t i = 0; i < count; i++) {
            ply_slot found[64], expected[64];
            unsigned expected_inner;
            size_t expected_count = f->retrograde->exits(
                f->workspace, slot_of_cell(f, first + (uint32_t)i), expected, &expected_inner);
            assert_int_equal(inner[first + i], expected_inner);
            assert_int_equal(counts[i], expected_count);
            for (size_t k = 0; k < counts[i]; k++, at++)
                found[k] = *at == PLY_SLOT_NO_PIECES
                               ? *at
                               : ply_slot_make(exit_class[0],
                                               exit_rows[*at >> 32] * exit_columns + (uint32_t)*at);
            qsort(found, expected_count, sizeof *found, compare);
            qsort(expected, expected_count, sizeof *expected, compare);
            assert_memory_equal(found, expected, expected_count * sizeof *found);
        }
    }
}

/* Every quiet move is found backwards once, and leads where it should. */
static void check_predecessors(const fixture *f, const uint8_t *inner)
{
    const ply_retrograde_rows *rows = f->retrograde->rows;
    uint8_t found[MAX_COLUMNS] = {0};
    for (uint32_t column = 0; column < f->columns; column++) {
        uint32_t before[MAX_LIST];
        neighbours_position p;
        f->retrograde->position_of(f->workspace,
                                   ply_slot_make(f->partner, f->row * f->columns + column), &p);
        ply_slot target = f->retrograde->slot_of(f->workspace, &p);
        size_t count = rows->predecessors(f->state, &column, 1, before);
        assert_in_range(count, 0, rows->max_predecessors);
        for (size_t i = 0; i < count; i++) {
            assert_in_range(before[i], 0, f->columns - 1);
            found[before[i]]++;
            ply_slot after[NEIGHBOURS_MAX_MOVES];
            size_t moves =
                f->retrograde->successors(f->workspace, slot_of_cell(f, before[i]), after);
            bool leads = false;
            for (size_t k = 0; k < moves && !leads; k++)
                leads = after[k] == target;
            assert_true(leads);
        }
    }
    assert_memory_equal(found, inner, f->columns);
}

/* The verifier's lists: the cells' slots, and those after all moves. */
static void check_successors(const fixture *f)
{
    enum { AT_ONCE = 100 };
    ply_slot cells[AT_ONCE], list[AT_ONCE * NEIGHBOURS_MAX_MOVES], expected[NEIGHBOURS_MAX_MOVES];
    uint8_t counts[AT_ONCE];
    for (uint32_t first = 0; first < f->columns; first += AT_ONCE) {
        size_t count = f->columns - first < AT_ONCE ? f->columns - first : AT_ONCE;
        f->retrograde->rows->successors(f->state, first, count, cells, counts, list);
        ply_slot *at = list;
        for (size_t i = 0; i < count; at += counts[i++]) {
            ply_slot slot = slot_of_cell(f, first + (uint32_t)i);
            assert_true(cells[i] == slot);
            assert_int_equal(counts[i], f->retrograde->successors(f->workspace, slot, expected));
            qsort(at, counts[i], sizeof *at, compare);
            qsort(expected, counts[i], sizeof *expected, compare);
            assert_memory_equal(at, expected, counts[i] * sizeof *at);
        }
    }
}

/* All rows of a class: they stand for all of its positions. */
static void check_class(fixture *f, size_t class_index)
{
    const ply_retrograde_rows *rows = f->retrograde->rows;
    f->class_index = class_index;
    f->partner = f->retrograde->class_partner(class_index);
    f->columns = rows->columns(f->workspace, class_index);
    f->slot_columns = rows->columns(f->workspace, f->partner);
    assert_in_range(f->columns, 1, MAX_COLUMNS);
    uint64_t slots = f->retrograde->slot_count(f->workspace, f->partner), positions = 0;
    assert_int_equal(slots % f->columns, 0);
    assert_true(rows->row_bytes <= sizeof f->state);
    for (f->row = 0; f->row < slots / f->columns; f->row++) {
        uint8_t inner[MAX_COLUMNS];
        rows->open(f->workspace, class_index, f->row, f->state);
        positions += (uint64_t)rows->weight(f->state) * f->columns;
        check_places(f);
        check_exits(f, inner);
        check_predecessors(f, inner);
        check_successors(f);
    }
    assert_true(positions == f->rules.indexing->class_size(&f->rules, class_index));
}

static void check_variant(const char *variant, unsigned pieces, const ply_retrograde *retrograde)
{
    fixture f;
    test_make_rules(&f.rules, "neighbours", variant);
    f.retrograde = retrograde;
    f.workspace = retrograde->open(&f.rules);
    assert_non_null(f.workspace);
    size_t classes = f.rules.indexing->class_count(&f.rules), checked = 0;
    for (int checking = 0; checking < 2; checking++)
        for (size_t i = 0; i < classes; i++) {
            unsigned own, other;
            retrograde->class_pieces(i, &own, &other);
            if (own == 0 || other == 0 || own + other > pieces)
                continue;
            if (checking)
                check_class(&f, i);
            else
                assert_int_equal(retrograde->prepare_class(f.workspace, i), PLY_OK);
            checked += (size_t)checking;
        }
    assert_true(checked > 0);
    retrograde->close(f.workspace);
}

static void test_rows(void **state)
{
    (void)state;
    for (int level = 1; level <= ply_isa_best(); level += level == 1 ? 2 : 1) {
        check_variant("slide", test_is_long() ? 5 : 4, PLY_ISA_AT(neighbours_retrograde_of, level));
        check_variant("jump", test_is_long() ? 5 : 3, PLY_ISA_AT(neighbours_retrograde_of, level));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
