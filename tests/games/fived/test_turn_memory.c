/* SPDX-License-Identifier: MIT */
/*
 * test_turn_memory.c - the turn query and the game interface when memory runs out.
 *
 * The linker redirects the allocation functions to the ones below (tests/CMakeLists.txt), which can
 * be told to fail. Every scenario runs once for each n, with the n-th allocation failing alone and
 * with all allocations failing from the n-th on, until it no longer reaches the n-th. An answer
 * given with status PLY_OK must be right; any other status must be PLY_NO_MEMORY; and once memory
 * is back, the same object must give the right answers.
 */
#include "games/fived/turns/turn_query.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

/* --- failing allocations -------------------------------------------------------------------- */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);

static struct {
    bool active;
    bool for_good; /* all allocations from the n-th on fail, not only the n-th */
    size_t n, count, failed;
} memory;

static bool fails(void)
{
    if (!memory.active)
        return false;
    size_t i = memory.count++;
    bool fail = i == memory.n || (memory.for_good && i > memory.n);
    memory.failed += fail;
    return fail;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    return fails() ? NULL : __real_aligned_alloc(align, bytes);
}

static void start_failing(size_t n, bool for_good)
{
    memory.active = true;
    memory.for_good = for_good;
    memory.n = n;
    memory.count = memory.failed = 0;
}

/* Whether an allocation has failed since start_failing. */
static bool stop_failing(void)
{
    memory.active = false;
    return memory.failed > 0;
}

/* --- the turn query ------------------------------------------------------------------------- */
typedef struct answers {
    uint64_t turns, distinct;
    size_t viable;
    bool exists, exists_without_rewind, check;
} answers;

/* Compares one answer with the right one unless memory ran out. */
#define EXPECT(q, expression, wanted)                     \
    do {                                                  \
        uint64_t answer = (uint64_t)(expression);         \
        if ((q)->status == PLY_OK)                        \
            assert_int_equal(answer, wanted);             \
        else                                              \
            assert_int_equal((q)->status, PLY_NO_MEMORY); \
    } while (0)

static size_t count_viable(fived_turn_query *q)
{
    size_t count = 0;
    if (!fived_turn_query_mark_viable(q))
        return 0;
    for (size_t i = 0; i < (size_t)q->candidates.physical_count + q->candidates.jump_count; i++)
        count += q->marks.viable[i] != 0;
    return count;
}

/* Asks every question about a position. */
static void ask_all(fived_turn_query *q, const ply_rules *rules, const fived_position *p,
                    const answers *right)
{
    ply_status status = fived_turn_query_prepare(q, rules, p);
    assert_int_equal(status, q->status);
    if (status != PLY_OK) {
        assert_int_equal(status, PLY_NO_MEMORY);
        /* Questions after a failed prepare answer nothing and say so. */
        assert_false(fived_turn_query_exists(q, false));
        assert_int_equal(fived_turn_query_count(q, false), 0);
        assert_false(fived_turn_query_mark_viable(q));
        assert_int_equal(q->status, PLY_NO_MEMORY);
        return;
    }
    EXPECT(q, fived_turn_query_in_check(q), right->check);
    EXPECT(q, fived_turn_query_exists(q, false), right->exists);
    EXPECT(q, fived_turn_query_exists(q, true), right->exists_without_rewind);
    EXPECT(q, count_viable(q), right->viable);
    EXPECT(q, fived_turn_query_count(q, false), right->turns);
    EXPECT(q, fived_turn_query_count(q, true), right->distinct);
}

static answers right_answers(const ply_rules *rules, const fived_position *p)
{
    fived_turn_query q;
    fived_turn_query_init(&q);
    assert_int_equal(fived_turn_query_prepare(&q, rules, p), PLY_OK);
    answers right = {.check = fived_turn_query_in_check(&q),
                     .exists = fived_turn_query_exists(&q, false),
                     .exists_without_rewind = fived_turn_query_exists(&q, true),
                     .viable = count_viable(&q),
                     .turns = fived_turn_query_count(&q, false),
                     .distinct = fived_turn_query_count(&q, true)};
    assert_int_equal(q.status, PLY_OK);
    fived_turn_query_free(&q);
    return right;
}

/* A position with several timelines and not too many turns, from a random game. */
static void reach_position(ply_state *state, uint64_t seed, int plies)
{
    const ply_rules *rules = state->rules;
    for (;; seed++) {
        ply_rng rng = ply_rng_make(seed, 9);
        assert_int_equal(ply_state_restart(state), PLY_OK);
        for (int ply = 0; ply < plies; ply++) {
            size_t count = rules->game->count(rules, state->position);
            if (count == 0)
                break;
            ply_move move =
                rules->game->nth(rules, state->position, ply_rng_below(&rng, (uint32_t)count));
            assert_int_equal(ply_state_play(state, move), PLY_OK);
        }
        const fived_position *p = state->position;
        uint64_t turns = fived_perft(rules, state->position, 1, 0);
        if (p->hi - p->lo >= 3 && turns > 10 && turns < 3000)
            return;
    }
}

static size_t fail_each(ply_state *small, ply_state *large, enum fived_method method, bool for_good)
{
    const ply_rules *rules = large->rules;
    answers first = right_answers(rules, small->position);
    answers second = right_answers(rules, large->position);
    size_t failures = 0;
    for (size_t n = 0;; n++) {
        fived_turn_query q;
        fived_turn_query_init(&q);
        q.effort.method = (uint8_t)method;
        start_failing(n, for_good);
        /* The second position makes the arrays of the first grow. */
        ask_all(&q, rules, small->position, &first);
        ask_all(&q, rules, large->position, &second);
        bool failed = stop_failing();
        ask_all(&q, rules, large->position, &second);
        assert_int_equal(q.status, PLY_OK);
        ask_all(&q, rules, small->position, &first);
        assert_int_equal(q.status, PLY_OK);
        assert_true(fived_turn_query_bytes(&q) > sizeof q);
        fived_turn_query_free(&q);
        if (!failed)
            return failures;
        failures++;
    }
}

static void test_query(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"very-small-open", "focused-just-kings",
                                           "focused-just-knights"};
    size_t failures = 0;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        ply_rules rules;
        ply_state small, large;
        test_make_rules(&rules, "5dchess", variants[v]);
        test_make_state(&small, &rules, NULL);
        test_make_state(&large, &rules, NULL);
        reach_position(&large, 1, 16);
        for (int for_good = 0; for_good < 2; for_good++) {
            failures += fail_each(&small, &large, FIVED_METHOD_MIXED, for_good);
            failures += fail_each(&small, &large, FIVED_METHOD_SAT, for_good);
        }
        ply_state_free(&small);
        ply_state_free(&large);
    }
    print_message("%zu failed allocations\n", failures);
    assert_true(failures > 200);
}

/* --- the game interface --------------------------------------------------------------------- */
static bool count_turn(void *context, const ply_move *moves, size_t count)
{
    (void)moves;
    (void)count;
    ++*(size_t *)context;
    return true;
}

static bool count_promising(void *context, const ply_move *moves, size_t count, int32_t score)
{
    (void)score;
    return count_turn(context, moves, count);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

typedef struct listing {
    ply_move *moves;
    size_t count, turns, promising;
    ply_outcome outcome;
    ply_move last; /* parsed from text */
    char text[PLY_MOVE_TEXT];
} listing;

/*
 * Calls the whole interface. Where it can report an error, that must be PLY_NO_MEMORY. Where it
 * cannot, it must not look like the end of the game.
 */
static void call_all(ply_state *state, const listing *right, ply_move *moves)
{
    const ply_rules *rules = state->rules;
    const ply_game *game = rules->game;
    void *position = state->position;
    fived_position before = *(fived_position *)position;
    size_t count = game->moves(rules, position, moves), turns = 0;
    ply_outcome outcome = game->outcome(rules, position, NULL, 0);
    bool complete;
    if (count > 0) {
        assert_int_equal(count, right->count);
        assert_memory_equal(moves, right->moves, count * sizeof *moves);
    }
    assert_true(outcome.result == right->outcome.result || outcome.result == PLY_ONGOING);
    count = game->count(rules, position);
    assert_true(count == 0 || count == right->count);
    ply_move nth = game->nth(rules, position, right->count - 1);
    assert_true(nth == PLY_MOVE_NONE || nth == right->moves[right->count - 1]);

    ply_move move = PLY_MOVE_NONE;
    ply_cursor cursor = ply_cursor_make(right->text, strlen(right->text), NULL);
    ply_status status = game->parse_move(rules, position, &cursor, &move);
    if (status == PLY_OK)
        assert_true(move == right->last);
    else
        assert_int_equal(status, PLY_NO_MEMORY);

    status = rules->counting->turns(rules, position, 0, count_turn, &turns);
    if (status == PLY_OK)
        assert_int_equal(turns, right->turns);
    else
        assert_int_equal(status, PLY_NO_MEMORY);
    uint64_t perft = rules->counting->perft(rules, position, 1, 0);
    assert_true(perft == PLY_PERFT_FAILED || perft == right->turns);

    turns = 0;
    ply_turn_request request = {
        .most = 20, .stopped = never, .visit = count_promising, .context = &turns};
    status = rules->search->promising_turns(rules, position, &request, &complete);
    if (status == PLY_OK)
        assert_int_equal(turns, right->promising);
    else
        assert_int_equal(status, PLY_NO_MEMORY);

    bool may = false;
    status = fived_may_submit(rules, position, &may);
    if (status == PLY_OK)
        assert_int_equal(may, right->moves[right->count - 1] == FIVED_SUBMIT);
    else
        assert_true(status == PLY_NO_MEMORY && !may);

    /* Play, copy: all or nothing. */
    assert_memory_equal(position, &before, sizeof before);
    fived_undo_info undo;
    status = game->play(rules, position, right->last, &undo);
    if (status == PLY_OK)
        game->undo(rules, position, right->last, &undo);
    else
        assert_int_equal(status, PLY_NO_MEMORY);
    assert_memory_equal(position, &before, sizeof before);
    fived_position copy;
    status = game->copy(rules, &copy, position);
    if (status == PLY_OK)
        game->clear(rules, &copy);
    else
        assert_int_equal(status, PLY_NO_MEMORY);
}

static void test_interface(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"very-small-open", "focused-just-knights"};
    size_t failures = 0;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        ply_rules rules;
        ply_state state, fresh;
        listing right = {.count = 0};
        bool complete;
        test_make_rules(&rules, "5dchess", variants[v]);
        test_make_state(&state, &rules, NULL);
        reach_position(&state, 5, 16);
        right.moves = malloc(rules.max_moves * sizeof *right.moves);
        ply_move *moves = malloc(rules.max_moves * sizeof *moves);
        right.count = rules.game->moves(&rules, state.position, right.moves);
        right.outcome = rules.game->outcome(&rules, state.position, NULL, 0);
        right.last = right.moves[0];
        ply_text text = ply_text_fixed(right.text, sizeof right.text);
        rules.game->format_move(&rules, state.position, right.last, &text);
        assert_int_equal(rules.counting->turns(&rules, state.position, 0, count_turn, &right.turns),
                         PLY_OK);
        ply_turn_request request = {
            .most = 20, .stopped = never, .visit = count_promising, .context = &right.promising};
        assert_int_equal(rules.search->promising_turns(&rules, state.position, &request, &complete),
                         PLY_OK);
        for (int for_good = 0; for_good < 2; for_good++)
            for (size_t n = 0;; n++) {
                /* A copy has no query yet, so that every allocation is made anew. */
                assert_int_equal(ply_state_copy(&fresh, &state), PLY_OK);
                start_failing(n, for_good);
                call_all(&fresh, &right, moves);
                bool failed = stop_failing();
                assert_int_equal(rules.game->count(&rules, fresh.position), right.count);
                call_all(&fresh, &right, moves);
                ply_state_free(&fresh);
                if (!failed)
                    break;
                failures++;
            }
        free(moves);
        free(right.moves);
        ply_state_free(&state);
    }
    print_message("%zu failed allocations\n", failures);
    assert_true(failures > 100);
}

/* After the first call, moves, count, nth and outcome use the query that the position keeps. */
static void test_no_allocation(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "standard");
    test_make_state(&state, &rules, NULL);
    ply_move *moves = malloc(rules.max_moves * sizeof *moves);
    size_t count = rules.game->moves(&rules, state.position, moves);
    assert_int_equal(count, 20);
    start_failing(0, true);
    assert_int_equal(rules.game->moves(&rules, state.position, moves), 20);
    assert_int_equal(rules.game->count(&rules, state.position), 20);
    assert_true(rules.game->nth(&rules, state.position, 19) == moves[19]);
    assert_int_equal(rules.game->outcome(&rules, state.position, NULL, 0).result, PLY_ONGOING);
    assert_false(stop_failing());
    free(moves);
    ply_state_free(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query),
        cmocka_unit_test(test_interface),
        cmocka_unit_test(test_no_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
