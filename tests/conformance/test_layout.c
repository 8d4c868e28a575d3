/* SPDX-License-Identifier: MIT */
/*
 * test_layout.c - the layouts of random positions of every game and variant are what is in memory.
 *
 * The JSON is parsed and its words are put back at their offsets: they must be the position, byte
 * for byte, and "changed" must say what the last move changed. The text must be readable: ASCII,
 * short lines, every word of the position in it.
 */
#include "core/text/json_read.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 100, MAX_FIELDS = 400, MAX_TEXT = 1 << 16, PLIES = 40 };

/* --- fields ------------------------------------------------------------------------------------ */
/* Fields with an offset tile the position; names are unique within a section. */
static void check_fields(const ply_rules *rules, const void *position, const ply_layout *layout)
{
    size_t at = 0, count = ply_layout_count(layout);
    assert_true(count > 0 && count <= MAX_FIELDS);
    for (size_t i = 0; i < count; i++) {
        const ply_layout_field *field = ply_layout_at(layout, i);
        assert_true(field->name[0] && field->meaning[0] && field->word_count > 0);
        for (size_t k = 0; k < i; k++) {
            const ply_layout_field *other = ply_layout_at(layout, k);
            assert_false(strcmp(field->name, other->name) == 0 &&
                         strcmp(field->section, other->section) == 0);
        }
        if (field->offset == PLY_LAYOUT_OUTSIDE)
            continue;
        size_t bytes = field->word_bytes * field->word_count;
        assert_int_equal(field->offset, at);
        assert_memory_equal(field->words, (const char *)position + at, bytes);
        at += bytes;
    }
    assert_int_equal(at, rules->position_bytes);
}

/* --- JSON -------------------------------------------------------------------------------------- */
/* Reads the number of an element "0x..." and stores it as a word of that many bytes. */
static void store_word(const json_tree *tree, uint32_t node, size_t bytes, unsigned char *out)
{
    size_t length;
    const char *text = ply_json_tree_text(tree, node, &length);
    assert_int_equal(length, 2 + 2 * bytes);
    assert_memory_equal(text, "0x", 2);
    for (size_t i = 0; i < bytes; i++) {
        char digits[3] = {text[2 + 2 * i], text[3 + 2 * i], '\0'}, *end;
        unsigned long value = strtoul(digits, &end, 16);
        assert_true(end == digits + 2);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        out[i] = (unsigned char)value;
#else
        out[bytes - 1 - i] = (unsigned char)value;
#endif
    }
}

/* The words in the JSON are those of the position, and "changed" compares it with the one before. */
static void check_json(const ply_rules *rules, const unsigned char *position,
                       const unsigned char *earlier, const ply_text *json)
{
    json_tree tree = {0};
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(json->data, json->length, &error);
    if (ply_json_tree_read(&tree, &cursor) != PLY_OK)
        fail_msg("%s", error.message);
    unsigned char *bytes = malloc(rules->position_bytes);
    size_t covered = 0;
    uint32_t fields = ply_json_tree_member(&tree, 1, "fields");
    for (uint32_t f = tree.nodes[fields].child; f; f = tree.nodes[f].next) {
        uint64_t offset, size;
        if (!ply_json_tree_whole(&tree, ply_json_tree_member(&tree, f, "offset"), SIZE_MAX,
                                 &offset))
            continue;
        assert_true(
            ply_json_tree_whole(&tree, ply_json_tree_member(&tree, f, "word_bytes"), 16, &size));
        uint64_t at = offset;
        uint32_t words = ply_json_tree_member(&tree, f, "words");
        for (uint32_t w = tree.nodes[words].child; w; w = tree.nodes[w].next, at += size)
            store_word(&tree, w, size, bytes + at);
        if (at == offset) { /* an address */
            covered += size;
            continue;
        }
        assert_memory_equal(bytes + offset, position + offset, at - offset);
        bool changed = earlier && memcmp(earlier + offset, position + offset, at - offset) != 0;
        uint32_t marked = ply_json_tree_member(&tree, f, "changed");
        assert_int_equal(tree.nodes[marked].type, changed ? JSON_TRUE : JSON_FALSE);
        covered += at - offset;
    }
    assert_int_equal(covered, rules->position_bytes);
    free(bytes);
    ply_json_tree_free(&tree);
}

/* --- text -------------------------------------------------------------------------------------- */
/* ASCII, no line too long or with spaces at its end, and the value of every single word. */
static void check_text(const ply_layout *layout, const ply_text *text)
{
    assert_true(ply_text_complete(text) && text->length > 0 && text->length < MAX_TEXT);
    assert_true(text->data[text->length - 1] == '\n');
    for (size_t i = 0, start = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->data[i];
        assert_true(c == '\n' || (c >= ' ' && c < 0x7F));
        if (c != '\n')
            continue;
        if (i - start > LINE_WIDTH || (i > start && text->data[i - 1] == ' '))
            fail_msg("%.*s|", (int)(i - start), text->data + start);
        start = i + 1;
    }
    for (size_t i = 0; i < ply_layout_count(layout); i++) {
        const ply_layout_field *field = ply_layout_at(layout, i);
        uint64_t value = 0;
        char expected[256];
        if (field->word_count != 1 || field->is_address || field->word_bytes != sizeof value)
            continue;
        memcpy(&value, field->words, sizeof value);
        snprintf(expected, sizeof expected, "0x%016llx  %s\n", (unsigned long long)value,
                 field->meaning);
        if (!strstr(text->data, expected))
            fail_msg("%s is missing: %s", field->name, expected);
    }
}

static void check_position(const ply_state *state, const void *earlier)
{
    ply_layout *layout, *before;
    ply_text text = ply_text_growing(), json = ply_text_growing();
    assert_int_equal(ply_layout_of_state(state, &layout, &before), PLY_OK);
    assert_int_equal(before != NULL, state->plies > 0);
    check_fields(state->rules, state->position, layout);
    ply_layout_json(layout, before, &json);
    check_json(state->rules, state->position, earlier, &json);
    ply_layout_text(layout, before, &text);
    check_text(layout, &text);
    ply_text_free(&text);
    ply_text_free(&json);
    ply_layout_free(layout);
    ply_layout_free(before);
}

/* --- random games ------------------------------------------------------------------------------ */
static void check_game(const ply_rules *rules, uint64_t seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    ply_state state;
    void *earlier = malloc(rules->position_bytes);
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    assert_int_equal(ply_state_init(&state, rules), PLY_OK);
    check_position(&state, NULL);
    for (int ply = 0; ply < (test_is_long() ? 4 : 1) * PLIES; ply++) {
        size_t count = rules->game->moves(rules, state.position, moves);
        if (count == 0 || ply_state_outcome(&state).result != PLY_ONGOING)
            break;
        memcpy(earlier, state.position, rules->position_bytes);
        ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
        assert_int_equal(ply_state_play(&state, move), PLY_OK);
        check_position(&state, earlier);
    }
    ply_state_free(&state);
    free(moves);
    free(earlier);
}

static void test_every_variant(void **unused)
{
    (void)unused;
    for (size_t g = 0; g < ply_game_count(); g++)
        for (size_t v = 0; v < ply_game_at(g)->variant_count; v++) {
            ply_rules rules;
            test_make_rules(&rules, ply_game_at(g)->id, ply_game_at(g)->variants[v].id);
            assert_non_null(rules.display->layout);
            for (uint64_t seed = 0; seed < (rules.game->multi_move_turns ? 1 : 4); seed++)
                check_game(&rules, seed);
        }
}

/* The largest and the smallest boards of gomoku. */
static void test_extreme_boards(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"freestyle:width=32,height=32",
                                           "freestyle:width=5,height=5",
                                           "standard:width=32,height=5", "renju:width=5,height=32"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        ply_rules rules;
        test_make_rules(&rules, "gomoku", variants[i]);
        check_game(&rules, i);
    }
}

/* A game without the hook: every byte of the position. */
static void test_default(void **unused)
{
    (void)unused;
    static const ply_display_hooks none = {0};
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    rules.display = &none;
    check_game(&rules, 1);
}

/* The words that the design notes print. */
static void test_known_words(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *variant, *moves, *expected;
    } cases[] = {
        {"gomoku", "freestyle:width=8,height=8", "a1 b1 e1 f1 h1 g1",
         "lines[0]   0x0000000000006909  a1-h1   XO..XOOX\n"},
        {"neighbours", "slide", "", "current  0x000000000000003f"},
        {"neighbours", "slide", "", "next     0x0000000fc0000000"},
        {"checkers", "english", "", "black_men    0x0000000000aa55aa"},
        {"checkers", "english", "", "white_men    0x55aa550000000000"},
        {"5dchess", "standard", "e2e4", "to           0x00000134  "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_rules rules;
        ply_state state;
        ply_layout *layout, *before;
        ply_text text = ply_text_growing();
        test_make_rules(&rules, cases[i].game, cases[i].variant);
        test_make_state(&state, &rules, NULL);
        assert_int_equal(ply_state_play_text(&state, cases[i].moves, strlen(cases[i].moves), NULL),
                         PLY_OK);
        assert_int_equal(ply_layout_of_state(&state, &layout, &before), PLY_OK);
        ply_layout_text(layout, before, &text);
        if (!strstr(ply_text_cstr(&text), cases[i].expected))
            fail_msg("%s is missing in\n%s", cases[i].expected, text.data);
        ply_layout_free(layout);
        ply_layout_free(before);
        ply_text_free(&text);
        ply_state_free(&state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_variant),
        cmocka_unit_test(test_extreme_boards),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_known_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
