/* SPDX-License-Identifier: MIT */
/*
 * test_solve.c - win, loss and draw counts of small classes against published numbers.
 *
 * A straightforward solver: retrograde analysis through rank and predecessors, one pair of classes
 * (a v b and b v a) after another. A position is a draw if neither side can force the end. For the
 * smallest classes, a second solver that uses only forward moves sweeps until nothing changes.
 */
#include "games/neighbours/neighbours.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, WIN, LOSS, LARGEST = 3 };

typedef struct solver {
    ply_rules rules;
    uint8_t *values[LARGEST + 1][LARGEST + 1];
    uint8_t *left[LARGEST + 1][LARGEST + 1]; /* moves not yet known to lose */
} solver;

typedef struct queue {
    uint64_t *items; /* number * 2 + 1 for the second class of the pair, + 0 for the first */
    size_t head, tail;
} queue;

static uint64_t class_size(const solver *s, int own, int enemy)
{
    return neighbours_class_size(&s->rules, (size_t)(own * 7 + enemy));
}

static uint8_t *value_of(const solver *s, const neighbours_position *p, size_t *class_index,
                         uint64_t *number)
{
    neighbours_rank(&s->rules, p, class_index, number);
    return &s->values[*class_index / 7][*class_index % 7][*number];
}

/* A player without pieces has lost. */
static int value_after_capture(const solver *s, const neighbours_position *p)
{
    size_t class_index;
    uint64_t number;
    return p->current == 0 ? LOSS : *value_of(s, p, &class_index, &number);
}

/* Initialises a class: decides positions without a move or by captures into solved classes. */
static void init_class(solver *s, int own, int enemy, queue *q, int second)
{
    uint64_t size = class_size(s, own, enemy);
    uint8_t *values = s->values[own][enemy] = calloc(size, 1);
    uint8_t *left = s->left[own][enemy] = calloc(size, 1);
    for (uint64_t number = 0; number < size; number++) {
        neighbours_position p, undo;
        ply_move moves[NEIGHBOURS_MAX_MOVES];
        neighbours_unrank(&s->rules, (size_t)(own * 7 + enemy), number, &p);
        size_t count = neighbours_moves(&s->rules, &p, moves);
        left[number] = (uint8_t)count;
        for (size_t i = 0; i < count; i++) {
            if (!neighbours_is_noisy(&s->rules, &p, moves[i]))
                continue;
            neighbours_play(&s->rules, &p, moves[i], &undo);
            int value = value_after_capture(s, &p);
            neighbours_undo(&s->rules, &p, moves[i], &undo);
            if (value == LOSS)
                values[number] = WIN;
            left[number] = (uint8_t)(left[number] - (value == WIN));
        }
        if (values[number] == UNKNOWN && left[number] == 0)
            values[number] = LOSS;
        if (values[number] != UNKNOWN)
            q->items[q->tail++] = number * 2 + (uint64_t)second;
    }
}

static void solve_pair(solver *s, int a, int b)
{
    queue q = {.items = malloc((class_size(s, a, b) + class_size(s, b, a)) * sizeof(uint64_t))};
    neighbours_position *before = malloc(s->rules.max_predecessors * sizeof *before);
    init_class(s, a, b, &q, 0);
    if (a != b)
        init_class(s, b, a, &q, 1);
    while (q.head < q.tail) {
        uint64_t item = q.items[q.head++];
        int own = item & 1 ? b : a, enemy = item & 1 ? a : b;
        neighbours_position p;
        neighbours_unrank(&s->rules, (size_t)(own * 7 + enemy), item / 2, &p);
        int value = s->values[own][enemy][item / 2];
        size_t count = neighbours_predecessors(&s->rules, &p, before);
        for (size_t i = 0; i < count; i++) {
            if (ply_popcount(before[i].next) != own)
                continue; /* a capture; init_class has handled it */
            size_t class_index;
            uint64_t number;
            uint8_t *v = value_of(s, &before[i], &class_index, &number);
            if (*v != UNKNOWN)
                continue;
            uint8_t *left = &s->left[class_index / 7][class_index % 7][number];
            if (value == LOSS || --*left == 0) {
                *v = value == LOSS ? WIN : LOSS;
                q.items[q.tail++] = number * 2 + (class_index != (size_t)(a * 7 + b));
            }
        }
    }
    free(before);
    free(q.items);
}

static void check_counts(const solver *s, int own, int enemy, uint64_t wins, uint64_t losses,
                         uint64_t draws)
{
    uint64_t counted[3] = {0};
    for (uint64_t i = 0; i < class_size(s, own, enemy); i++)
        counted[s->values[own][enemy][i]]++;
    if (counted[WIN] != wins || counted[LOSS] != losses || counted[UNKNOWN] != draws)
        fail_msg("%dv%d: %llu wins, %llu losses, %llu draws", own, enemy,
                 (unsigned long long)counted[WIN], (unsigned long long)counted[LOSS],
                 (unsigned long long)counted[UNKNOWN]);
}

/* Sweeps over a pair of classes by forward moves alone until nothing changes. */
static void check_by_sweeping(const solver *s, int a, int b)
{
    const int sides[2][2] = {{a, b}, {b, a}};
    uint8_t *values[2];
    for (int k = 0; k < 2; k++)
        values[k] = calloc(class_size(s, sides[k][0], sides[k][1]), 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < 2; k++) {
            size_t class_index = (size_t)(sides[k][0] * 7 + sides[k][1]);
            for (uint64_t n = 0; n < neighbours_class_size(&s->rules, class_index); n++) {
                if (values[k][n] != UNKNOWN)
                    continue;
                neighbours_position p, undo;
                ply_move moves[NEIGHBOURS_MAX_MOVES];
                neighbours_unrank(&s->rules, class_index, n, &p);
                size_t count = neighbours_moves(&s->rules, &p, moves), winning = 0;
                int value = UNKNOWN;
                for (size_t i = 0; i < count && value == UNKNOWN; i++) {
                    neighbours_play(&s->rules, &p, moves[i], &undo);
                    size_t reached_class;
                    uint64_t reached;
                    int reply;
                    neighbours_rank(&s->rules, &p, &reached_class, &reached);
                    if (undo.next != p.current)
                        reply = value_after_capture(s, &p);
                    else
                        reply = values[!k][reached];
                    neighbours_undo(&s->rules, &p, moves[i], &undo);
                    if (reply == LOSS)
                        value = WIN;
                    winning += reply == WIN;
                }
                if (value == UNKNOWN && winning == count)
                    value = LOSS;
                if (value != UNKNOWN) {
                    values[k][n] = (uint8_t)value;
                    changed = true;
                }
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        assert_memory_equal(values[k], s->values[sides[k][0]][sides[k][1]],
                            class_size(s, sides[k][0], sides[k][1]));
        free(values[k]);
    }
}

static void test_counts(void **state)
{
    (void)state;
    solver s = {0};
    test_make_rules(&s.rules, "neighbours", "slide");
    solve_pair(&s, 1, 1);
    check_counts(&s, 1, 1, 220, 1040, 0);
    solve_pair(&s, 1, 2);
    check_counts(&s, 1, 2, 6164, 14992, 264);
    check_counts(&s, 2, 1, 9372, 11960, 88);
    check_by_sweeping(&s, 1, 2);
    solve_pair(&s, 2, 2);
    check_counts(&s, 2, 2, 175490, 138954, 38986);
    solve_pair(&s, 1, 3);
    check_counts(&s, 1, 3, 63188, 172112, 320);
    check_counts(&s, 3, 1, 166632, 68904, 84);
    check_by_sweeping(&s, 1, 3);
    if (!test_under_asan()) {
        solve_pair(&s, 2, 3);
        check_counts(&s, 2, 3, 1323052, 2176476, 270392);
        check_counts(&s, 3, 2, 3090324, 615072, 64524);
    }
    for (int a = 0; a <= LARGEST; a++)
        for (int b = 0; b <= LARGEST; b++) {
            free(s.values[a][b]);
            free(s.left[a][b]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
