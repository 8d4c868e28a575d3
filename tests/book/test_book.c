/* SPDX-License-Identifier: MIT */
/*
 * test_book.c - books are built, continued, read and played. A book of every game is walked from the
 * start: every move is legal, every position is reached, and the value of an expanded position is
 * the best of its children's.
 */
#include "book/book_internal.h"
#include "core/bytes.h"
#include "core/file.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 150, POSITIONS = 60 };

typedef struct book_maker {
    ply_searcher *searcher;
    char path[64];
    int searches, stop_after; /* stop_after 0: never */
} book_maker;

static size_t search(void *context, const ply_state *state, ply_variation *out, size_t room)
{
    book_maker *m = context;
    ply_search_limits limits = {.nodes = NODES, .multipv = (unsigned)room};
    ply_search_report report;
    ply_searcher_clear(m->searcher);
    assert_int_equal(state->plies, 0);
    assert_int_equal(ply_searcher_run(m->searcher, state, &limits, NULL, NULL, &report), PLY_OK);
    m->searches++;
    memcpy(out, report.pv, report.pv_count * sizeof *out);
    return report.pv_count;
}

static bool is_stopped(void *context)
{
    const book_maker *m = context;
    return m->stop_after > 0 && m->searches >= m->stop_after;
}

static void open_maker(book_maker *m, const ply_rules *rules)
{
    memset(m, 0, sizeof *m);
    strcpy(m->path, "/tmp/plyverse-book-XXXXXX");
    int file = mkstemp(m->path);
    assert_true(file >= 0);
    close(file);
    unlink(m->path);
    m->searcher = ply_searcher_new(rules, &(ply_search_options){.memory_mb = 1});
    assert_non_null(m->searcher);
}

static void close_maker(book_maker *m)
{
    unlink(m->path);
    ply_searcher_free(m->searcher);
}

static ply_status build(book_maker *m, const ply_rules *rules, uint64_t positions, ply_error *error)
{
    ply_book_options options = {.search = search,
                                .context = m,
                                .stopped = is_stopped,
                                .nodes = NODES,
                                .positions = positions,
                                .width = 3};
    return ply_book_build(rules, m->path, &options, error);
}

static unsigned char *read_bytes(const book_maker *m, size_t *size)
{
    ply_error error = {0};
    unsigned char *bytes = ply_file_read(m->path, 1 << 20, size, &error);
    assert_non_null(bytes);
    return bytes;
}

/* --- walking --------------------------------------------------------------------------------- */
/* Checks a position and those after it, and marks them as seen. */
static void walk(const ply_book *book, ply_state *state, bool *seen)
{
    const book_entry *entry = ply_book_find(book, ply_state_key(state));
    assert_non_null(entry);
    if (seen[entry - book->entries])
        return;
    seen[entry - book->entries] = true;
    ply_book_move moves[PLY_PV_LIMIT];
    size_t count = ply_book_moves(book, state, moves, PLY_PV_LIMIT);
    assert_true(count <= PLY_PV_LIMIT);
    assert_true(entry->expanded || count == 0);
    if (count > 0)
        assert_int_equal(entry->value, moves[0].score);
    int side = ply_state_side(state);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || moves[i].score <= moves[i - 1].score);
        assert_true(ply_state_is_legal(state, moves[i].move));
        assert_int_equal(ply_state_play(state, moves[i].move), PLY_OK);
        const book_entry *child = ply_book_find(book, ply_state_key(state));
        assert_non_null(child);
        assert_true(child->ply > entry->ply);
        assert_int_equal(moves[i].score,
                         ply_state_side(state) == side ? child->value : -child->value);
        walk(book, state, seen);
        ply_state_undo(state);
    }
}

/* Nothing is left to expand. */
static void check_complete(const ply_book *book)
{
    for (size_t i = 0; i < book->count; i++)
        assert_true(book->entries[i].expanded || abs(book->entries[i].value) >= PLY_SCORE_FORCED);
}

static void test_books_of_every_game(void **test)
{
    (void)test;
    static const char *const variants[][2] = {
        {"neighbours", NULL}, {"checkers", NULL}, {"checkers", "russian"},
        {"gomoku", "renju"},  {"shogi", NULL},    {"5dchess", "very-small-open"}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        ply_rules rules;
        ply_state state;
        book_maker m;
        ply_book *book;
        ply_error error = {0};
        test_make_rules(&rules, variants[i][0], variants[i][1]);
        test_make_state(&state, &rules, NULL);
        open_maker(&m, &rules);
        assert_int_equal(build(&m, &rules, POSITIONS, &error), PLY_OK);
        assert_int_equal(ply_book_open(&rules, m.path, &book, &error), PLY_OK);
        if (ply_book_size(book) < POSITIONS)
            check_complete(book);
        bool *seen = calloc(ply_book_size(book), sizeof *seen);
        walk(book, &state, seen);
        for (size_t k = 0; k < ply_book_size(book); k++)
            assert_true(seen[k]);
        free(seen);
        ply_book_close(book);
        close_maker(&m);
        ply_state_free(&state);
    }
}

/* --- continuing ------------------------------------------------------------------------------ */
/* However often the building is interrupted, the bytes are the same. */
static void test_resume(void **test)
{
    (void)test;
    ply_rules rules;
    book_maker whole, parts;
    ply_error error = {0};
    test_make_rules(&rules, "checkers", NULL);
    open_maker(&whole, &rules);
    open_maker(&parts, &rules);
    assert_int_equal(build(&whole, &rules, 100, &error), PLY_OK);
    assert_int_equal(build(&parts, &rules, 20, &error), PLY_OK);
    parts.searches = 0;
    for (parts.stop_after = 3; build(&parts, &rules, 100, &error) != PLY_OK;
         parts.stop_after += 3) {
        assert_int_equal(error.status, PLY_STOPPED);
        assert_true(parts.stop_after < 1000);
        parts.searches = 0;
    }
    size_t whole_size, parts_size;
    unsigned char *whole_bytes = read_bytes(&whole, &whole_size);
    unsigned char *parts_bytes = read_bytes(&parts, &parts_size);
    assert_int_equal(whole_size, parts_size);
    assert_memory_equal(whole_bytes, parts_bytes, whole_size);
    free(whole_bytes);
    free(parts_bytes);
    ply_book_options other = {.search = search, .context = &parts, .nodes = NODES, .width = 5};
    assert_int_equal(ply_book_build(&rules, parts.path, &other, &error), PLY_UNSUPPORTED);
    assert_non_null(strstr(error.message, "width 3"));
    close_maker(&whole);
    close_maker(&parts);
}

/* --- damage ---------------------------------------------------------------------------------- */
static void check_rejected(const ply_rules *rules, const unsigned char *bytes, size_t size,
                           ply_status status, const char *words)
{
    ply_book *book;
    ply_error error = {0};
    assert_int_equal(ply_book_read(rules, bytes, size, "FILE", &book, &error), status);
    assert_null(book);
    if (!strstr(error.message, words))
        fail_msg("'%s' does not contain '%s'", error.message, words);
}

/* Puts a number into a copy of the book, corrects the checksum, and expects the complaint. */
static void check_forged(const ply_rules *rules, const unsigned char *bytes, size_t size, size_t at,
                         uint32_t number, ply_status status, const char *words)
{
    unsigned char *copy = malloc(size);
    memcpy(copy, bytes, size);
    ply_put32(copy + at, number);
    ply_put64(copy + BOOK_AT_CHECKSUM, ply_file_checksum(copy + BOOK_AT_BODY, size - BOOK_AT_BODY));
    check_rejected(rules, copy, size, status, words);
    free(copy);
}

static void test_damage(void **test)
{
    (void)test;
    enum { FIRST = BOOK_HEADER_BYTES, SECOND = FIRST + BOOK_ENTRY_BYTES };
    ply_rules rules, others;
    book_maker m;
    ply_error error = {0};
    test_make_rules(&rules, "neighbours", NULL);
    test_make_rules(&others, "neighbours", "jump");
    open_maker(&m, &rules);
    assert_int_equal(build(&m, &rules, 30, &error), PLY_OK);
    size_t size;
    unsigned char *bytes = read_bytes(&m, &size);
    for (size_t i = 0; i < size; i++) {
        ply_book *book;
        bytes[i] ^= 16;
        assert_int_equal(ply_book_read(&rules, bytes, size, "FILE", &book, &error), PLY_IO);
        assert_null(book);
        bytes[i] ^= 16;
        assert_int_equal(ply_book_read(&rules, bytes, i, "FILE", &book, &error), PLY_IO);
    }
    check_rejected(&rules, bytes, size - 1, PLY_IO, "size");
    check_rejected(&others, bytes, size, PLY_UNSUPPORTED, "other rules");
    check_forged(&rules, bytes, size, BOOK_AT_EXPANDED, 0, PLY_IO, "expanded");
    check_forged(&rules, bytes, size, BOOK_AT_START, 0, PLY_UNSUPPORTED, "start position");
    check_forged(&rules, bytes, size, SECOND + 4, 0, PLY_IO, "order");
    check_forged(&rules, bytes, size, FIRST + 8, PLY_SCORE_WIN + 1, PLY_IO, "value");
    check_forged(&rules, bytes, size, FIRST + 12, BOOK_MAX_PLY + 1, PLY_IO, "ply");
    check_forged(&rules, bytes, size, FIRST + 12, 2 << 16, PLY_IO, "ply");
    free(bytes);
    assert_int_equal(ply_book_open(&rules, "/nonexistent", &(ply_book *){NULL}, &error), PLY_IO);
    close_maker(&m);
}

/* --- playing --------------------------------------------------------------------------------- */
static void test_choice(void **test)
{
    (void)test;
    ply_rules rules;
    ply_state state;
    book_maker m;
    ply_book *book;
    ply_book_move moves[8], chosen;
    test_make_rules(&rules, "checkers", NULL);
    test_make_state(&state, &rules, NULL);
    open_maker(&m, &rules);
    assert_int_equal(build(&m, &rules, 30, NULL), PLY_OK);
    assert_int_equal(ply_book_open(&rules, m.path, &book, NULL), PLY_OK);
    size_t count = ply_book_moves(book, &state, moves, 8);
    assert_true(count >= 3);
    int32_t margin = moves[0].score - moves[1].score;
    ply_rng rng = ply_rng_make(1, 0);
    int often[8] = {0};
    for (int i = 0; i < 2000; i++) {
        assert_true(ply_book_choose(book, &state, margin, &rng, &chosen));
        assert_true(moves[0].score - chosen.score <= margin);
        for (size_t k = 0; k < count && k < 8; k++)
            often[k] += moves[k].move == chosen.move;
    }
    assert_true(often[0] > 0 && often[1] > 0 && often[0] >= often[1]);
    while (ply_book_choose(book, &state, 0, &rng, &chosen))
        assert_int_equal(ply_state_play(&state, chosen.move), PLY_OK);
    assert_true(state.plies > 0); /* and the book ends somewhere */
    ply_book_close(book);
    close_maker(&m);
    ply_state_free(&state);
}

/* A player takes the book's move without a search, and at limited strength looks at no book. */
static void test_player(void **test)
{
    (void)test;
    ply_rules rules;
    ply_state state;
    book_maker m;
    ply_book *book;
    ply_book_move moves[8];
    test_make_rules(&rules, "checkers", NULL);
    test_make_state(&state, &rules, NULL);
    open_maker(&m, &rules);
    assert_int_equal(build(&m, &rules, 30, NULL), PLY_OK);
    assert_int_equal(ply_book_open(&rules, m.path, &book, NULL), PLY_OK);
    size_t count = ply_book_moves(book, &state, moves, 8);
    for (int level = 9; level <= PLY_LEVEL_FULL; level++) {
        ply_player_spec spec = {.level = level, .nodes = 500, .memory_mb = 1};
        ply_player_answer answer;
        snprintf(spec.book, sizeof spec.book, "%s", m.path);
        ply_player *player = ply_player_new(&rules, &spec);
        assert_int_equal(ply_player_choose(player, &state, NULL, NULL, NULL, &answer), PLY_OK);
        bool from_book = false;
        for (size_t i = 0; i < count && i < 8; i++)
            from_book |= answer.pv.moves[0] == moves[i].move && answer.pv.score == moves[i].score &&
                         moves[0].score - moves[i].score <= 10;
        assert_true(answer.nodes == 1 ? from_book : level < PLY_LEVEL_FULL);
        assert_true(level == PLY_LEVEL_FULL || answer.nodes > 1);
        ply_player_free(player);
    }
    ply_book_close(book);
    close_maker(&m);
    ply_state_free(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_books_of_every_game),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
