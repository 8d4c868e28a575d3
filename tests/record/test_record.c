/* SPDX-License-Identifier: MIT */
/* test_record.c - game records and the ply format, over random trees of every game. */
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static ply_status read_one(const ply_rules *rules, const char *text, ply_record *record,
                           ply_error *error)
{
    const ply_format *format = ply_format_find(rules->game, "ply");
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    bool found;
    assert_int_equal(ply_record_init(record, rules), PLY_OK);
    return format->read(&cursor, record, &found);
}

/* Checks that reading fails at that location with an error that contains `words`. */
static void check_bad(const ply_rules *rules, const char *text, uint32_t line, uint32_t column,
                      const char *words)
{
    ply_record record;
    ply_error error = {0};
    if (read_one(rules, text, &record, &error) == PLY_OK)
        fail_msg("read: %s", text);
    if (error.line != line || error.column != column || !strstr(error.message, words))
        fail_msg("%s: got line %u column %u '%s'", text, error.line, error.column, error.message);
    ply_record_free(&record);
}

static void test_bad_records(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    check_bad(&rules, "game chess\n", 1, 1, "a record of 'chess'");
    check_bad(&rules, "variant nope\n", 1, 1, "no variant 'nope'");
    check_bad(&rules, "\n# note\nposition 6/6\n", 3, 13, "expected '/' after row 5");
    check_bad(&rules, "tag Event club\n", 1, 11, "a quoted value");
    check_bad(&rules, "tag Event \"club\n", 2, 1, "unterminated quoted value");
    check_bad(&rules, "nonsense\n", 1, 1, "expected game, variant");
    check_bad(&rules, "moves a1a2\n  a6a9\n", 2, 6, "row from 1 to 6");
    check_bad(&rules, "moves a1a2 a1a2", 1, 12, "Black has no piece");
    check_bad(&rules, "moves ( a1a2 )", 1, 7, "before any move");
    check_bad(&rules, "moves a1a2 ( b1b3", 1, 18, "missing ')'");
    check_bad(&rules, "moves a1a2 )", 1, 12, "unmatched ')'");
    check_bad(&rules, "moves a1a2 { no end", 1, 12, "unterminated comment");
    check_bad(&rules, "moves a1a2 $999", 1, 13, "0 to 255");
    check_bad(&rules, "moves a1a2\nresult 2-0", 2, 8, "1-0, 0-1");
}

/* Adds random variations with comments and annotations. */
static void grow(ply_record *record, ply_rng *rng)
{
    for (int variation = 0; variation < 6; variation++) {
        /* Follow existing moves from the root for a while, then add new ones. */
        ply_state s;
        uint32_t node = 0;
        assert_int_equal(ply_record_start_state(record, &s, NULL), PLY_OK);
        int shared = variation == 0 ? 0 : (int)ply_rng_below(rng, 6);
        while (shared-- > 0 && record->nodes[node].child) {
            node = record->nodes[node].child;
            assert_int_equal(ply_state_play(&s, record->nodes[node].move), PLY_OK);
        }
        for (int i = 0; i < 8 && ply_state_outcome(&s).result == PLY_ONGOING; i++) {
            size_t count = ply_game_count_moves(s.rules, s.position);
            ply_move move =
                ply_game_nth_move(s.rules, s.position, ply_rng_below(rng, (uint32_t)count));
            assert_int_equal(ply_record_add(record, node, move, &node), PLY_OK);
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
            if (ply_rng_below(rng, 4) == 0)
                assert_int_equal(ply_record_add_comment(record, node, "seen (so) $5", 12), PLY_OK);
            if (ply_rng_below(rng, 4) == 0)
                assert_int_equal(ply_record_add_nag(record, node, (uint8_t)ply_rng_below(rng, 256)),
                                 PLY_OK);
        }
        ply_state_free(&s);
    }
}

/* Writing, reading and writing again gives the same text. */
static void test_round_trip(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            ply_rules rules;
            ply_record record, back;
            ply_error error = {0};
            ply_rng rng = ply_rng_make(seed, g);
            test_make_rules(&rules, ply_game_at(g)->id, NULL);
            assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
            assert_int_equal(ply_record_set_tag(&record, "Event", 5, "A \"b\" \\c", 8), PLY_OK);
            assert_int_equal(ply_record_set_ending(&record, PLY_DRAW, "agreed"), PLY_OK);
            grow(&record, &rng);
            const ply_format *format = ply_format_find(rules.game, "ply");
            ply_text first = ply_text_growing(), second = ply_text_growing();
            assert_int_equal(format->write(&record, &first, &error), PLY_OK);
            if (read_one(&rules, first.data, &back, &error) != PLY_OK)
                fail_msg("%s\nline %u column %u: %s", first.data, error.line, error.column,
                         error.message);
            assert_int_equal(back.node_count, record.node_count);
            assert_string_equal(ply_record_tag_value(&back, "Event"), "A \"b\" \\c");
            assert_int_equal(back.result, PLY_DRAW);
            assert_string_equal(back.ending, "agreed");
            assert_int_equal(format->write(&back, &second, &error), PLY_OK);
            assert_string_equal(first.data, second.data);
            ply_text_free(&first);
            ply_text_free(&second);
            ply_record_free(&record);
            ply_record_free(&back);
        }
}

/* A tag and comments with bytes that are not UTF-8, alone and within a character. */
#define MALFORMED "\xFF caf\xE9 \xE6\xAD"
#define REPAIRED "\xEF\xBF\xBD caf\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD"

static void check_repaired(const ply_record *record)
{
    assert_int_equal(record->tag_count, 2);
    assert_string_equal(ply_record_tag_value(record, "Event"), REPAIRED);
    assert_string_equal(ply_record_tag_value(record, "n\xEF\xBF\xBD"), "second");
    assert_string_equal(record->nodes[0].comment, REPAIRED " " REPAIRED);
    assert_string_equal(record->ending, REPAIRED);
}

/* Writes the record in a format and reads it again. */
static void check_written(const ply_record *record, const ply_format *format)
{
    ply_record back;
    ply_error error = {0};
    ply_text out = ply_text_growing();
    ply_status status = format->write(record, &out, &error);
    if (status == PLY_OK) {
        if (ply_record_read(&back, &record->rules, ply_text_cstr(&out), out.length, format->id,
                            &error) != PLY_OK)
            fail_msg("%s: %s\n%s", format->id, error.message, ply_text_cstr(&out));
        ply_record_free(&back);
    } else if (status != PLY_UNSUPPORTED && !strstr(error.message, "Shift_JIS")) {
        /* Shift_JIS has no replacement character. */
        fail_msg("%s: %s", format->id, error.message);
    }
    ply_text_free(&out);
}

/* What was read from a malformed text is UTF-8 and can be written and read in every format. */
static void test_malformed_text(void **state)
{
    (void)state;
    static const char text[] = "tag Event \"" MALFORMED "\"\ntag n\xFF \"first\"\n"
                               "tag n\xFE \"second\"\nmoves {" MALFORMED "} {" MALFORMED "}\n"
                               "result 1-0 " MALFORMED "\n";
    for (size_t g = 0; g < ply_game_count(); g++) {
        ply_rules rules;
        ply_record record;
        ply_state s;
        ply_error error = {0};
        uint32_t node;
        test_make_rules(&rules, ply_game_at(g)->id, NULL);
        assert_int_equal(read_one(&rules, text, &record, &error), PLY_OK);
        check_repaired(&record);
        test_make_state(&s, &rules, NULL);
        ply_move move = ply_game_nth_move(&rules, s.position, 0);
        assert_int_equal(ply_record_add(&record, 0, move, &node), PLY_OK);
        const ply_format *format;
        for (size_t i = 0; (format = ply_format_at(rules.game, i)) != NULL; i++)
            if (format->write && format->read)
                check_written(&record, format);
        ply_state_free(&s);
        ply_record_free(&record);
    }
}

/* The same for comments in the formats of the games, some of which are read by lines. */
static void test_malformed_comments(void **state)
{
    (void)state;
    static const struct {
        const char *game, *format, *text;
    } cases[] = {
        {"shogi", "western", "1. P-7f {" MALFORMED "} {" MALFORMED "} P-3d\n"},
        {"checkers", "pdn", "[GameType \"21\"]\n1. 11-15 {" MALFORMED "} *\n"},
        {"gomoku", "sgf", "(;GM[4]SZ[15];B[hh]C[" MALFORMED "])"},
        {"5dchess", "5dpgn", "[Mode \"5D\"]\n[Board \"Standard\"]\n1. (0T1)e2e4 {" MALFORMED "}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_rules rules;
        ply_record record;
        ply_error error = {0};
        test_make_rules(&rules, cases[i].game, NULL);
        if (ply_record_read(&record, &rules, cases[i].text, strlen(cases[i].text), cases[i].format,
                            &error) != PLY_OK)
            fail_msg("%s: %s", cases[i].format, error.message);
        assert_non_null(record.nodes[1].comment);
        const ply_format *format;
        for (size_t f = 0; (format = ply_format_at(rules.game, f)) != NULL; f++)
            if (format->write && format->read)
                check_written(&record, format);
        ply_record_free(&record);
    }
}

static void test_several_games(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    const char *text = "game neighbours\nmoves a1a2\nresult *\n\n# next\ngame neighbours\n"
                       "variant jump\nposition 6/6/6/6/6/wb4 w\nmoves a1b1\nresult 1-0 no-pieces\n";
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    const ply_format *format = ply_format_find(rules.game, "ply");
    for (int i = 0; i < 3; i++) {
        ply_record record;
        bool found;
        assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
        assert_int_equal(format->read(&cursor, &record, &found), PLY_OK);
        assert_int_equal(found, i < 2);
        if (i == 1) {
            ply_state s;
            assert_string_equal(record.rules.variant->id, "jump");
            assert_int_equal(ply_record_final_state(&record, &s, NULL), PLY_OK);
            assert_int_equal(ply_state_outcome(&s).result, PLY_FIRST_WINS);
            ply_state_free(&s);
        }
        ply_record_free(&record);
    }
}

/* Setups in the main variation and in others survive a round trip. */
static void test_setups(void **state)
{
    (void)state;
    ply_rules rules;
    ply_record record, back;
    ply_error error = {0};
    test_make_rules(&rules, "neighbours", NULL);
    if (read_one(&rules,
                 "moves a1a2 ( <bb4/6/6/6/6/ww4 w> a1a2 ) a6a5 <bb4/6/6/6/6/ww4 w> {new} "
                 "a1a2 ( b1b2 ) a6a5\nresult *\n",
                 &record, &error) != PLY_OK)
        fail_msg("%u:%u %s", error.line, error.column, error.message);
    assert_int_equal(record.node_count, 9);
    ply_state s;
    assert_int_equal(ply_record_final_state(&record, &s, &error), PLY_OK);
    assert_int_equal(s.plies, 2);
    ply_state_free(&s);
    const ply_format *format = ply_format_find(rules.game, "ply");
    ply_text first = ply_text_growing(), second = ply_text_growing(), json = ply_text_growing();
    assert_int_equal(format->write(&record, &first, &error), PLY_OK);
    assert_int_equal(read_one(&rules, first.data, &back, &error), PLY_OK);
    assert_int_equal(format->write(&back, &second, &error), PLY_OK);
    assert_string_equal(first.data, second.data);
    assert_int_equal(ply_format_find(rules.game, "json")->write(&record, &json, &error), PLY_OK);
    assert_non_null(strstr(json.data,
                           "{\"setup\":\"bb4/6/6/6/6/ww4 w\",\"comment\":\"new\"},"
                           "{\"move\":\"a1a2\",\"variations\":[[{\"move\":\"b1b2\"}]]}"));
    ply_text_free(&first);
    ply_text_free(&second);
    ply_text_free(&json);
    ply_record_free(&record);
    ply_record_free(&back);
    check_bad(&rules, "moves <6/6", 1, 7, "unterminated position");
    check_bad(&rules, "moves a1a2 <6/6>", 1, 12, "expected '/'");
}

/* Scores in comments, as other programs write them, and as we do. */
static void test_scores_in_comments(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        int32_t score;
        int depth;
    } cases[] = {
        {"good [%eval 0.35] move", 35, 0},
        {"[%eval -12.3]", -1230, 0},
        {"[%eval #3]", PLY_SCORE_WIN - 5, 0},
        {"[%eval #-1]", -PLY_SCORE_WIN + 1, 0},
        {"互角\n#評価値=158\n#読み筋=▲７六歩\n#深さ=8", 158, 8},
        {"先手有望\n*評価値=-210.4\n*深さ=10", -210, 10},
        {"#評価値=500\n#詰み=後手勝ち:7手", -PLY_SCORE_WIN + 7, 0},
        {"#詰み=先手勝ち", PLY_SCORE_FORCED, 0},
        {"*解析 0 〇 候補1 時間 00:01.0 深さ 15/20 ノード数 1 評価値 -45↓ 読み筋 ▲", -45, 15},
        {"*対局 時間 00:01.0 深さ 9/9 評価値 +詰 13 読み筋", PLY_SCORE_WIN - 13, 9},
        {"*解析 0\n評価値 +64  読み筋 7g7f", 64, 0},
        {"* 30 -3334FU +2726FU", 30, 0},
        {"#形勢[77]", 77, 0},
        {"[%eval 99999999999]", 900000, 0},
    };
    static const char *const none[] = {"",       "a comment", "評価", "[%eval", "[%eval #]", "* x",
                                       "#詰み=", "*解析 0",   "*",    "#",      "35"};
    int32_t score = 7;
    int depth = 7;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!ply_comment_read_score(cases[i].comment, &score, &depth) || score != cases[i].score ||
            depth != cases[i].depth)
            fail_msg("%s: %d at depth %d", cases[i].comment, score, depth);
    }
    score = depth = 7;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (ply_comment_read_score(none[i], &score, &depth))
            fail_msg("%s: %d", none[i], score);
    assert_false(ply_comment_read_score(NULL, &score, &depth));
    assert_true(score == 7 && depth == 7);
    /* What is written is read again; PGN counts moves, so an even number of plies gets one less. */
    for (int32_t written = -PLY_SCORE_WIN + 1; written < PLY_SCORE_WIN; written += 33331)
        for (ply_score_style style = PLY_SCORES_EVAL; style <= PLY_SCORES_KIFU; style++) {
            int32_t size = written < 0 ? -written : written;
            if (size > 900000 && size < PLY_SCORE_FORCED)
                continue;
            ply_text text = ply_text_growing();
            ply_comment_write_score(style, written, 12, &text);
            assert_true(ply_comment_read_score(ply_text_cstr(&text), &score, &depth));
            assert_int_equal(score, written);
            assert_int_equal(depth, style == PLY_SCORES_KIFU ? 12 : 0);
            ply_text_free(&text);
        }
}

/* A state becomes a record, the record text, and the text a record of the same game again. */
static void check_conversion(const ply_rules *rules, const ply_state *game)
{
    ply_record record, again;
    ply_state final;
    ply_text text = ply_text_growing();
    ply_error error;
    assert_int_equal(ply_record_from_state(&record, game), PLY_OK);
    assert_int_equal(ply_record_write(&record, "ply", &text, &error), PLY_OK);
    assert_int_equal(
        ply_record_read(&again, rules, ply_text_cstr(&text), text.length, NULL, &error), PLY_OK);
    assert_int_equal(ply_record_final_state(&again, &final, &error), PLY_OK);
    assert_int_equal(final.plies, game->plies);
    assert_memory_equal(final.moves, game->moves, game->plies * sizeof game->moves[0]);
    assert_true(ply_state_key(&final) == ply_state_key(game));
    assert_int_equal(again.result, ply_state_outcome(game).result);
    ply_state_free(&final);
    ply_record_free(&again);
    ply_record_free(&record);
    ply_text_free(&text);
}

static void test_conversion(void **state)
{
    (void)state;
    for (size_t i = 0; i < ply_game_count(); i++) {
        ply_rules rules;
        ply_state game;
        ply_rng rng = ply_rng_make(7, i);
        test_make_rules(&rules, ply_game_at(i)->id, NULL);
        test_make_state(&game, &rules, NULL);
        ply_move *moves = malloc(rules.max_moves * sizeof *moves);
        assert_non_null(moves);
        for (int n = 0; n < 300 && ply_state_outcome(&game).result == PLY_ONGOING; n++) {
            if (n < 12)
                check_conversion(&rules, &game);
            size_t count = ply_state_moves(&game, moves, rules.max_moves);
            ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
            assert_int_equal(ply_state_play(&game, move), PLY_OK);
            if (rules.game->multi_move_turns && n > 20)
                break;
        }
        check_conversion(&rules, &game);
        ply_state_free(&game);
        free(moves);
    }
    ply_rules rules; /* a start position that is not the usual one */
    ply_state game;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&game, &rules, "6/6/2w3/2w3/3b2/6 w");
    check_conversion(&rules, &game);
    ply_state_free(&game);
}

/* Each failure leaves an empty record, which may be freed, and says what is wrong. */
static void test_failed_conversion(void **state)
{
    (void)state;
    static const struct {
        const char *text, *format;
        ply_status status;
        const char *message;
    } cases[] = {
        {"hello", NULL, PLY_BAD_TEXT, "not a record of checkers"},
        {"hello", "kif", PLY_UNSUPPORTED, "checkers has no format 'kif'"},
        {"{}", "json", PLY_UNSUPPORTED, "the format json cannot be read"},
        {"", "pdn", PLY_BAD_TEXT, "there is no game"},
        {"1. 1-2 *", "pdn", PLY_ILLEGAL_MOVE, ""},
    };
    ply_rules rules;
    ply_record record;
    ply_error error;
    test_make_rules(&rules, "checkers", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].text;
        assert_int_equal(
            ply_record_read(&record, &rules, text, strlen(text), cases[i].format, &error),
            cases[i].status);
        assert_int_equal(error.status, cases[i].status);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_int_equal(record.node_count, 0);
        assert_int_equal(
            ply_record_read(&record, &rules, text, strlen(text), cases[i].format, NULL),
            cases[i].status);
        ply_record_free(&record);
    }
    ply_text text = ply_text_growing();
    assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
    assert_int_equal(ply_record_write(&record, "kif", &text, &error), PLY_UNSUPPORTED);
    assert_string_equal(error.message, "checkers has no format 'kif'");
    uint32_t node;
    assert_int_equal(ply_record_add(&record, 1, 1, &node), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_record_add_comment(&record, 1, "x", 1), PLY_BAD_ARGUMENT);
    ply_record_free(&record);
    assert_int_equal(ply_record_write(&record, "ply", &text, &error), PLY_BAD_ARGUMENT);
    assert_int_equal(text.length, 0);
    ply_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_records),        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_several_games),      cmocka_unit_test(test_setups),
        cmocka_unit_test(test_scores_in_comments), cmocka_unit_test(test_conversion),
        cmocka_unit_test(test_failed_conversion),  cmocka_unit_test(test_malformed_text),
        cmocka_unit_test(test_malformed_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
