/* SPDX-License-Identifier: MIT */
/* test_pdn.c - Portable Draughts Notation: reading, writing, and errors with their locations. */
#include "games/checkers/notation/pdn.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static ply_status read_text(const char *variant, const char *text, ply_record *record,
                            ply_error *error)
{
    ply_rules rules;
    bool found = false;
    test_make_rules(&rules, "checkers", variant);
    assert_int_equal(ply_record_init(record, &rules), PLY_OK);
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    ply_status status = checkers_pdn_read(&cursor, record, &found);
    assert_true(status != PLY_OK || found);
    return status;
}

static void read_good(const char *variant, const char *text, ply_record *record)
{
    ply_error error = {0};
    if (read_text(variant, text, record, &error) != PLY_OK)
        fail_msg("%s\nline %u column %u: %s", text, error.line, error.column, error.message);
}

static void check_written(const char *variant, const char *text, const char *expected)
{
    ply_record record;
    ply_error error = {0};
    ply_text out = ply_text_growing();
    read_good(variant, text, &record);
    assert_int_equal(checkers_pdn_write(&record, &out, &error), PLY_OK);
    assert_string_equal(ply_text_cstr(&out), expected);
    ply_record_free(&record);
    ply_text_free(&out);
}

static void check_bad(const char *variant, const char *text, uint32_t line, uint32_t column,
                      const char *words)
{
    ply_record record;
    ply_error error = {0};
    if (read_text(variant, text, &record, &error) == PLY_OK)
        fail_msg("read: %s", text);
    if (error.line != line || error.column != column || !strstr(error.message, words))
        fail_msg("%s: got line %u column %u '%s'", text, error.line, error.column, error.message);
    ply_record_free(&record);
}

#define ENGLISH_TAGS "[Result \"*\"]\n[GameType \"21,B,8,8,N1,0\"]\n"

static void test_writing(void **state)
{
    (void)state;
    check_written("english", "11-15 23-19 8-11", ENGLISH_TAGS "1. 11-15 23-19 2. 8-11 *\n\n");
    /* Annotations, NAGs, comments and nested variations. */
    check_written("english",
                  "{before} 1. 11-15! $14 {one} 1... 23-19?? (23-18(?) 8-11 (12-16 $7) 27-23) "
                  "(22-18 {no}) 2. 8-11!? *",
                  ENGLISH_TAGS "{before} 1. 11-15! $14 {one} 1... 23-19?? (1... 23-18(?) 2. 8-11 "
                               "(2. 12-16 $7)\n2... 27-23) (1... 22-18 {no}) 2. 8-11!? *\n\n");
    /* Comments before the first move of a variation, a forced move, tag characters. */
    check_written("english", "[Event \"a \\\"b\\\"\"]\n11-15* ({first} 12-16) *",
                  "[Event \"a \\\"b\\\"\"]\n" ENGLISH_TAGS "1. 11-15 $7 (1. 12-16 {first}) *\n\n");
    /* Letters and colons where the variant uses them. */
    check_written("english",
                  "[GameType \"25\"] 1. c3-d4 d6-e5 2. b2-c3 e7-d6 3. e3-f4 b6-a5 4. f2-e3 c7-b6 "
                  "5. c1-b2 b6-c5 6. d4xb6 a5:c7 *",
                  "[GameType \"25,W,8,8,A0,0\"]\n[Result \"*\"]\n1. c3-d4 d6-e5 2. b2-c3 e7-d6 3. "
                  "e3-f4 b6-a5 4. f2-e3 c7-b6 5. c1-b2 b6-c5 6.\nd4:b6 a5:c7 *\n\n");
    /* A start position, written as the standard requires. */
    check_written("english", "[FEN \"W:WK27,K23:BK28,12.\"] [Result \"0-1\"] 1... 27-32 *",
                  "[FEN \"W:WK23,K27:B12,K28\"]\n[Result \"0-1\"]\n"
                  "[GameType \"21,B,8,8,N1,0\"]\n1... 27-32 *\n\n");
    /* The short form, and the whole path where the short form is ambiguous. */
    check_written("english", "[FEN \"B:W14,23:B9\"] 9x18x27 *",
                  "[FEN \"B:W14,23:B9\"]\n" ENGLISH_TAGS "1. 9x27 *\n\n");
    check_written("english", "[FEN \"B:W6,7,8,14,15,16,22,23,24:BK2\"] 2x9x18x11x4 *",
                  "[FEN \"B:W6,7,8,14,15,16,22,23,24:BK2\"]\n" ENGLISH_TAGS "1. 2x9x18x11x4 *\n\n");
}

static void test_setups(void **state)
{
    (void)state;
    /* A pass in place of the first move: without a FEN tag the setup would be read as the start. */
    check_written("thai", "/FEN \"W::\"/ 8-12 *",
                  "[Result \"*\"]\n[GameType \"31,B,8,8,N2,0\"]\n"
                  "[FEN \"B:W1,2,3,4,5,6,7,8:B25,26,27,28,29,30,31,32\"]\n"
                  "/FEN \"W:W1,2,3,4,5,6,7,8:B25,26,27,28,29,30,31,32\"/ 1... 8-12 *\n\n");
    /* Before any move, a setup is the start; later it is a new position, in variations, too. */
    check_written("english", "/FEN \"B:W21-32:B1-11\"/ 11-15 *",
                  ENGLISH_TAGS
                  "[FEN \"B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11\"]\n"
                  "1. 11-15 *\n\n");
    check_written("english",
                  "1. 11-15 /FEN \"B:W32:B1\"/ {moved by hand} 2. 1-5 (/FEN \"W:W32:B2\"/ 32-28 "
                  "2-6) 32-27 /FEN \"B::\"/ 5-9 *",
                  ENGLISH_TAGS
                  "1. 11-15 /FEN \"B:W32:B1\"/ {moved by hand} 1. 1-5 (/FEN "
                  "\"W:W32:B2\"/ 1... 32-28 2.\n2-6) 1... 32-27 /FEN \"B:W27:B5\"/ 2. 5-9 *\n\n");
}

static void check_result(const char *variant, const char *text, ply_result expected)
{
    ply_record record;
    read_good(variant, text, &record);
    assert_int_equal(record.result, expected);
    ply_record_free(&record);
}

static void test_results(void **state)
{
    (void)state;
    /* White's win is the second player's in English checkers, the first player's in Russian. */
    check_result("english", "11-15 1-0", PLY_SECOND_WINS);
    check_result("english", "11-15 2-0", PLY_SECOND_WINS);
    check_result("english", "11-15 0-1", PLY_FIRST_WINS);
    check_result("english", "11-15 0-2", PLY_FIRST_WINS);
    check_result("english", "11-15 1/2-1/2", PLY_DRAW);
    check_result("english", "11-15 1-1", PLY_DRAW);
    check_result("english", "11-15 0-0", PLY_ONGOING);
    check_result("english", "11-15 *", PLY_ONGOING);
    check_result("russian", "c3-d4 1-0", PLY_FIRST_WINS);
    check_result("english", "[Result \"1-0\"] 11-15 *", PLY_SECOND_WINS);
    check_result("english", "[Result \"0-1\"]", PLY_FIRST_WINS);
    /* 1-10 is the start of a move, not the result 1-1; "1. 2-0" is a game without moves. */
    check_result("english", "[FEN \"B:W32:BK6\"] 6-10 32-28 10-6 28-24 6-1 24-20 1-6 *",
                 PLY_ONGOING);
    check_result("english", "[Event \"x\"] 1. 2-0", PLY_SECOND_WINS);
}

static void test_liberal_reading(void **state)
{
    (void)state;
    static const char *const same[] = {
        "11-15 23-19 8-11 *",
        "1.11-15 23-19 2.8-11 *",
        "1. 11-15 1... 23-19 2. 08-11",
        "\xEF\xBB\xBF% a line of its own\n11 - 15 23 - 19\n% another\n8-11 1/2-1/2",
        "1. f6-e5 e3-f4 2. e7-f6",
        "1. 11x15 1. ... 23x19 2. 8x11",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        ply_record record;
        ply_state s;
        read_good("english", same[i], &record);
        if (ply_record_final_state(&record, &s, NULL) != PLY_OK)
            fail_msg("%s", same[i]);
        char name[256];
        ply_text out = ply_text_fixed(name, sizeof name);
        checkers_format(&record.rules, s.position, &out);
        if (i != 4)
            assert_string_equal(
                name, "W:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15");
        assert_int_equal(s.plies, 3);
        ply_state_free(&s);
        ply_record_free(&record);
    }
    /* Latin-1 becomes UTF-8; UTF-8 stays. */
    ply_record record;
    read_good("english", "[White \"Andr\xE9\"] [Black \"Andr\xC3\xA9\"] 11-15 {\xBD}", &record);
    assert_string_equal(ply_record_tag_value(&record, "White"), "Andr\xC3\xA9");
    assert_string_equal(ply_record_tag_value(&record, "Black"), "Andr\xC3\xA9");
    assert_string_equal(record.nodes[1].comment, "\xC2\xBD");
    ply_record_free(&record);
}

static void test_several_games(void **state)
{
    (void)state;
    const char *text = "[Event \"1\"]\n11-15 *\n[GameType \"25\"]\nc3-d4 1-0\n[Event \"3\"]\n9-14\n"
                       "[Event \"4\"] 0-1\n";
    static const char *const variants[] = {"english", "russian", "english", "english"};
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    for (int i = 0; i < 5; i++) {
        ply_record record;
        bool found;
        assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
        assert_int_equal(checkers_pdn_read(&cursor, &record, &found), PLY_OK);
        assert_int_equal(found, i < 4);
        if (found)
            assert_string_equal(record.rules.variant->id, variants[i]);
        assert_int_equal(record.node_count, i < 3 ? 2 : 1);
        ply_record_free(&record);
    }
}

static void test_gametypes(void **state)
{
    (void)state;
    static const char *const full[][2] = {
        {"english", "21,B,8,8,N1,0"}, {"italian", "22,W,8,8,N2,1"}, {"pool", "23,B,8,8,N1,0"},
        {"spanish", "24,W,8,8,N1,1"}, {"russian", "25,W,8,8,A0,0"}, {"brazilian", "26,W,8,8,A0,0"},
        {"czech", "29,W,8,8,A0,0"},   {"thai", "31,B,8,8,N2,0"},
    };
    for (size_t i = 0; i < sizeof full / sizeof full[0]; i++) {
        ply_rules rules, back;
        char text[64], name[128];
        ply_text out = ply_text_fixed(text, sizeof text), rules_text = ply_text_fixed(name, 128);
        test_make_rules(&rules, "checkers", full[i][0]);
        checkers_gametype_write(&rules, &out);
        assert_string_equal(text, full[i][1]);
        /* Both the full form and the number alone name the variant. */
        assert_int_equal(checkers_gametype_read(text, out.length, &back, NULL), PLY_OK);
        ply_rules_format(&back, &rules_text);
        assert_string_equal(name, full[i][0]);
        assert_int_equal(checkers_gametype_read(text, 2, &back, NULL), PLY_OK);
        assert_string_equal(back.variant->id, full[i][0]);
    }
    /* Pool checkers of another federation: other square names, and White moves first. */
    ply_rules rules;
    assert_int_equal(checkers_gametype_read("23,W,8,8,A0,0", 13, &rules, NULL), PLY_OK);
    assert_int_equal(rules.option[CHECKERS_OPTION_STARTS], CHECKERS_WHITE);
    assert_int_equal(rules.option[CHECKERS_OPTION_NOTATION], 4);
    assert_int_equal(checkers_gametype_read("28", 2, &rules, NULL), PLY_OK);
    assert_string_equal(rules.variant->id, "spanish");
}

static void test_bad_files(void **state)
{
    (void)state;
    check_bad("english", "[GameType \"20,W,10,10,N2,0\"]\n32-28", 1, 11, "not a game of 8x8");
    check_bad("english", "[GameType \"21,B,10,10,N2,0\"]", 1, 11, "10x10");
    check_bad("english", "[GameType \"21,X\"]", 1, 11, "W or B");
    check_bad("english", "[GameType \"21,B,8,8,Q1\"]", 1, 11, "notation");
    check_bad("english", "[GameType \"21 \"]", 1, 11, "unexpected text");
    check_bad("english", "[GameType \"draughts\"]", 1, 11, "a number");
    check_bad("english", "[event \"x\"]", 1, 2, "capital");
    check_bad("english", "[Event x]", 1, 8, "quoted value");
    check_bad("english", "[Event \"x]\n11-15", 1, 8, "unterminated");
    check_bad("english", "[Event \"x\" 11-15", 1, 12, "']'");
    check_bad("english", "[FEN \"B:W99:B1\"]", 1, 6, "1 to 32");
    check_bad("english", "[FEN \"?:W9:B1\"]", 1, 6, "unknown");
    check_bad("english", "\n\n  11-15 22-18 15x22 1x5", 3, 21, "White has no piece");
    check_bad("english", "11-15 22-18 9-14", 1, 13, "must capture");
    check_bad("english", "11-15 (12-16", 1, 13, "unclosed");
    check_bad("english", "11-15 (12-16 *", 1, 14, "expected a move");
    check_bad("english", "11-15 ) *", 1, 7, "unmatched ')'");
    check_bad("english", "(11-15)", 1, 1, "before any move");
    check_bad("english", "11-15 () *", 1, 8, "without a move");
    check_bad("english", "11-15 {never ends", 1, 7, "unterminated");
    check_bad("english", "11-15 { nested { comment } }", 1, 28, "expected a move");
    check_bad("english", "$1 11-15", 1, 1, "without a move");
    check_bad("english", "11-15 $256", 1, 8, "0 to 255");
    check_bad("english", "11-15 $1 $2 $3 $4 $5 $6 $7", 1, 25, "at most");
    check_bad("english", "11-15 /FEN \"B:W1:B2\"/", 1, 12, "would be a king");
    check_bad("english", "11-15 /FNE \"B:W1:B2\"/", 1, 8, "FEN");
    check_bad("english", "11-15 /FEN \"B:W9:B2\" 9-6", 1, 22, "'/'");
    check_bad("english", "1. - - 2. - -", 1, 4, "expected a move");
    check_bad("english", "hello", 1, 1, "row from 1 to 8");
    check_bad("english", "mate", 1, 1, "expected a move");
    check_bad("english", "*", 1, 1, "neither tags nor moves");
    char deep[512] = "11-15";
    for (int i = 0; i < 70; i++)
        strcat(deep, "(12-16");
    check_bad("english", deep, 1, 6 + 6 * 64, "more than 64 deep");
}

/* Adds random moves, variations, comments and NAGs to a record. */
static void grow(ply_record *record, ply_rng *rng)
{
    for (int variation = 0; variation < 5; variation++) {
        ply_state s;
        uint32_t node = 0;
        assert_int_equal(ply_record_start_state(record, &s, NULL), PLY_OK);
        uint32_t shared = variation == 0 ? 0 : ply_rng_below(rng, 30);
        while (shared-- > 0 && record->nodes[node].child) {
            node = record->nodes[node].child;
            assert_int_equal(ply_record_enter(record, node, &s, NULL), PLY_OK);
        }
        for (int i = 0; i < 60 && ply_state_outcome(&s).result == PLY_ONGOING; i++) {
            size_t count = ply_game_count_moves(s.rules, s.position);
            ply_move move =
                ply_game_nth_move(s.rules, s.position, ply_rng_below(rng, (uint32_t)count));
            assert_int_equal(ply_record_add(record, node, move, &node), PLY_OK);
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
            if (ply_rng_below(rng, 8) == 0)
                assert_int_equal(ply_record_add_comment(record, node, "so (it) $is", 11), PLY_OK);
            if (ply_rng_below(rng, 8) == 0)
                assert_int_equal(ply_record_add_nag(record, node, (uint8_t)ply_rng_below(rng, 256)),
                                 PLY_OK);
        }
        ply_state_free(&s);
    }
}

/* Random games of every rule set: written, read and written again. */
static void test_round_trips(void **state)
{
    (void)state;
    const ply_game *game = ply_game_find("checkers");
    for (size_t v = 0; v < game->variant_count; v++)
        for (uint64_t g = 0; g < (test_is_long() ? 300 : 30); g++) {
            ply_rules rules;
            ply_record record, back;
            ply_rng rng = ply_rng_make(41, g);
            test_make_rules(&rules, "checkers", game->variants[v].id);
            assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
            record.result = (ply_result)(g % 4);
            grow(&record, &rng);
            ply_text first = ply_text_growing(), second = ply_text_growing();
            assert_int_equal(checkers_pdn_write(&record, &first, NULL), PLY_OK);
            read_good(NULL, first.data, &back);
            assert_string_equal(back.rules.variant->id, game->variants[v].id);
            assert_int_equal(back.node_count, record.node_count);
            assert_int_equal(back.result, record.result);
            assert_int_equal(checkers_pdn_write(&back, &second, NULL), PLY_OK);
            assert_string_equal(first.data, second.data);
            ply_text_free(&first);
            ply_text_free(&second);
            ply_record_free(&record);
            ply_record_free(&back);
        }
}

static void test_fen_format(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    const ply_format *fen = ply_format_find(rules.game, "fen");
    const char *text = "B:W21-32:B1-12\n\nW:WK27:BK28,12.\n";
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    ply_text out = ply_text_growing();
    for (int i = 0; i < 3; i++) {
        ply_record record;
        bool found;
        assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
        assert_int_equal(fen->read(&cursor, &record, &found), PLY_OK);
        assert_int_equal(found, i < 2);
        if (found)
            assert_int_equal(fen->write(&record, &out, NULL), PLY_OK);
        ply_record_free(&record);
    }
    assert_string_equal(out.data, "B:W21,22,23,24,25,26,27,28,29,30,31,32:"
                                  "B1,2,3,4,5,6,7,8,9,10,11,12\nW:WK27:B12,K28\n");
    ply_text_free(&out);
}

static void check_final(const char *variant, const char *text, const char *expected)
{
    ply_record record;
    ply_state s;
    read_good(variant, text, &record);
    assert_int_equal(ply_record_final_state(&record, &s, NULL), PLY_OK);
    ply_text out = ply_text_growing();
    checkers_format(&record.rules, s.position, &out);
    assert_string_equal(ply_text_cstr(&out), expected);
    ply_text_free(&out);
    ply_state_free(&s);
    ply_record_free(&record);
}

/* From 2 to 18 there are two ways: over 6 and 14, or over 7 and 15. */
#define TWO_WAYS "[FEN \"B:W6,7,14,15,32:B2\"]\n"

static void test_ambiguous_captures(void **state)
{
    (void)state;
    /* The next move shows which pieces are left. */
    check_final("english", TWO_WAYS "1. 2x18 15-11 *", "B:W7,11,32:B18");
    check_final("english", TWO_WAYS "1. 2x18 14-10 *", "B:W6,10,32:B18");
    check_final("english", TWO_WAYS "1. 2x18 32-28 2. 18-22 7-2 *", "B:W15,28,K2:B22");
    check_final("english", TWO_WAYS "1. 2x18 32-28 2. 18-22 (18-23 6-2) 28-24 *", "B:W6,14,24:B22");
    check_final("english", TWO_WAYS "1. 2x9x18 32-28 *", "B:W7,15,28:B18");
    /* Nothing shows it. */
    check_bad("english", TWO_WAYS "1. 2x18 *", 2, 4, "ambiguous capture");
    check_bad("english", TWO_WAYS "1. 2x18 32-28 2. 18-22 28-24 *", 2, 4, "ambiguous capture");
    /* Something else is wrong: the error is where the better reading ends. */
    check_bad("english", TWO_WAYS "1. 2x18 15-11 2. 18-17 *", 2, 18, "cannot move to 17");
    check_bad("english", TWO_WAYS "1. 2x18 14-10 2. 18-22 nonsense", 2, 24, "expected a move");
    /* Two of them, each with an answer of its own; and two of which one has none. */
    check_final("english",
                TWO_WAYS "1. 2x18 15-11 2. 18-22 /FEN \"B:W6,7,14,15,32:B2\"/ 3. 2x18 14-10 *",
                "B:W6,10,32:B18");
    check_bad("english",
              TWO_WAYS "1. 2x18 15-11 2. 18-22 /FEN \"B:W6,7,14,15,32:B2\"/ 3. 2x18 32-28 *", 2, 54,
              "ambiguous capture");
}

/* Without GameType the notation shows the rules, unless the game fits those that were requested. */
static void test_rules_from_notation(void **state)
{
    (void)state;
    static const struct {
        const char *requested, *text, *rules;
    } games[] = {
        {"english", "1. c3-d4 d6-c5 2. b2-c3 *", "russian"},
        {"english", "[Event \"?\"]\n{A remark.} 1.c3-d4 1-0", "russian"},
        {"english", "1. f6-e5 e3-f4 *", "english"},
        {"brazilian", "1. c3-d4 d6-c5 *", "brazilian"},
        {"russian", "1. 11-15 23-19 2. 8-11 22-17 *", "english"},
        {"russian", "[GameType \"26\"]\n1. c3-d4 *", "brazilian"},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        ply_record record;
        read_good(games[i].requested, games[i].text, &record);
        assert_string_equal(record.rules.variant->id, games[i].rules);
        ply_record_free(&record);
    }
    check_bad("english", "1. c3-d4 d6-c5 2. b2-c2 *", 1, 19, "c2");
    check_bad("english", "[GameType \"21\"]\n1. c3-d4 *", 2, 4, "no piece on");
}

/* A null move is a setup that changes the player to move and nothing else. */
static void test_null_moves(void **state)
{
    (void)state;
    check_final("english", "1. 11-15 /FEN \"B::\"/ 2. 15-18 *",
                "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,18");
    check_final("english", "1. /FEN \"W::\"/ 1... 23-18 *",
                "B:W18,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    /* To the player who is to move anyway: nothing changes. */
    check_final("english", "1. 11-15 /FEN \"W::\"/ 23-18 *",
                "B:W18,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15");
    check_bad("english", "1. 11-15 /FEN \"X::\"/ 2. 15-18", 1, 15, "FEN");
}

/* In variations, -- is a null move: the setup of the same position with the other player to move. */
static void test_null_moves_of_analyses(void **state)
{
    (void)state;
    check_written("english", "[FEN \"B:W32:B1\"] 1. 1-5 32-27 (1... -- 2. 5-9 32-28) 2. 5-9 *",
                  "[FEN \"B:W32:B1\"]\n" ENGLISH_TAGS
                  "1. 1-5 32-27 (/FEN \"B:W32:B5\"/ 1. 5-9 32-28) 2. 5-9 *\n\n");
    check_written("english", "[FEN \"B:W32:B1\"] 1. 1-5 (1-6 -- 2. 6-10) 32-27 *",
                  "[FEN \"B:W32:B1\"]\n" ENGLISH_TAGS
                  "1. 1-5 (1. 1-6 /FEN \"B:W32:B6\"/ 1. 6-10) 1... 32-27 *\n\n");
    /* No player may pass in the game itself. */
    check_bad("english", "1. 11-15 -- 2. 15-18", 1, 10, "null move outside a variation");
    check_bad("english", "1. 11-15 (11-16) -- 2. 15-18", 1, 18, "null move outside a variation");
    /* Words of other programs. */
    check_bad("english", "1. 11-15 (null 23-19) *", 1, 11, "a null move is --");
    check_bad("english", "1. 11-15 (pass 23-19) *", 1, 11, "a null move is --");
    check_bad("english", "1. 11-15 (0-0 23-19) *", 1, 11, "a null move is --");
    check_bad("english", "1. 11-15 null 2. 15-18", 1, 10, "a null move is --");
    /* As results, 0-0 and * would end the game, and what follows would begin another. */
    check_bad("english", "1. 11-15 0-0 2. 9-14 *", 1, 10, "but move 2 follows");
    check_bad("english", "1. 11-15 23-19 * 2. 9-14 *", 1, 16, "but move 2 follows");
    check_bad("english", "1. 11-15 23-19 1-0 % a remark\n2... 9-14 *", 1, 16, "move 2 follows");
    check_result("english", "1. 11-15 0-0 1. 9-14 1-0", PLY_ONGOING);
}

/*
 * PLY_PDN may name a file with a collection of games: every game must be readable, and what is
 * written must read again and write the same text.
 */
static void test_collection(void **state)
{
    (void)state;
    const char *path = getenv("PLY_PDN");
    if (!path) {
        print_message("PLY_PDN is not set: no collection is read\n");
        return;
    }
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    ply_text text = ply_text_growing(), first = ply_text_growing(), second = ply_text_growing();
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        ply_text_bytes(&text, block, n);
    fclose(file);
    const ply_text *from[] = {&text, &first};
    ply_text *to[] = {&first, &second};
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    int games = 0;
    for (int round = 0; round < 2; round++) {
        ply_error error = {0};
        ply_cursor cursor = ply_cursor_make(from[round]->data, from[round]->length, &error);
        for (bool found = true; found;) {
            ply_record record;
            assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
            if (checkers_pdn_read(&cursor, &record, &found) != PLY_OK)
                fail_msg("%s: line %u column %u: %s", path, error.line, error.column,
                         error.message);
            if (found)
                assert_int_equal(checkers_pdn_write(&record, to[round], &error), PLY_OK);
            games += found;
            ply_record_free(&record);
        }
    }
    assert_true(strcmp(first.data, second.data) == 0);
    print_message("%d games\n", games / 2);
    ply_text_free(&text);
    ply_text_free(&first);
    ply_text_free(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_setups),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_liberal_reading),
        cmocka_unit_test(test_several_games),
        cmocka_unit_test(test_gametypes),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_fen_format),
        cmocka_unit_test(test_collection),
        cmocka_unit_test(test_ambiguous_captures),
        cmocka_unit_test(test_rules_from_notation),
        cmocka_unit_test(test_null_moves),
        cmocka_unit_test(test_null_moves_of_analyses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
