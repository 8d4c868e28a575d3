/* SPDX-License-Identifier: MIT */
/* test_text.c - positions and moves as text, and records in every format. */
#include "games/fived/notation/pgn.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static void test_bad_positions(void **unused)
{
    (void)unused;
    ply_rules rules;
    test_make_rules(&rules, "5dchess", "");
    test_bad_position(&rules, "", 1, "board in [ ]");
    test_bad_position(&rules, "[8/8:0:1:w", 11, "']'");
    test_bad_position(&rules, "[9:0:1:w]", 2, "at most 8 squares");
    test_bad_position(&rules, "[kx:0:1:w]", 3, "expected a piece");
    test_bad_position(&rules, "[k1/K:0:1:w]", 5, "this rank has 1");
    test_bad_position(&rules, "[1/1/1/1/1/1/1/1/1:0:1:w]", 18, "at most 8 ranks");
    test_bad_position(&rules, "[k:a:1:w]", 4, "number of a timeline");
    test_bad_position(&rules, "[k:0:1:x]", 8, "w or b");
    test_bad_position(&rules, "[k1:0:1:w] [k:0:1:b]", 12, "this board is 1x1");
    test_bad_position(&rules, "[k1:0:1:w] [k1:0:2:w]", 12, "a board is missing");
    test_bad_position(&rules, "[k1:0:1:w] [k1:0:1:w]", 12, "appears twice");
    test_bad_position(&rules, "[k1:0:1:w] [k1:2:1:w]", 12, "a timeline is missing");
    test_bad_position(&rules, "[k1:-0:1:w] [k1:0:1:w]", 13, "need a sign");
    test_bad_position(&rules, "[k1:0:1:w] lines=0..3", 18, "not among those");
    test_bad_position(&rules, "[k1:0:1:w] lines=0-3", 19, "two timelines");
    test_bad_position(&rules, "[k1:0:1:w] q", 12, "more text");
}

static void test_bad_moves(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "standard");
    test_make_state(&state, &rules, NULL);
    test_bad_move(&state, "submit", 1, "a move is still due on (0T1)");
    test_bad_move(&state, "zz", 1, "expected a move");
    test_bad_move(&state, "(0T1)N", 7, "expected the target square");
    test_bad_move(&state, "e5", 1, "no piece can make this move");
    test_bad_move(&state, "e4 e5", 4, "no piece can make this move");
    test_bad_move(&state, "e4 submit (0T2)e4", 11, "no piece can make this move");
    test_bad_move(&state, "e4 submit e5 submit Ke2 submit Qh4 submit Kg7", 43,
                  "no piece can make this move");
    test_bad_move(&state, "(0T1)e2(0T1)e4=", 15, "piece letter");
    ply_state_free(&state);
    /* A move that exposes the king, on its own board and to a board of another timeline. */
    test_make_state(&state, &rules, "[4k3/8/8/8/8/8/4r3/N3K1N1:0:1:w]");
    test_bad_move(&state, "Nb3", 1, "would expose a royal piece");
    ply_state_free(&state);
    test_make_state(&state, &rules, "[8/8/8/8/8/8/4R3/4K3:0:1:w] [8/8/8/8/8/8/4P3/4r3:1:1:b]");
    test_bad_move(&state, "Re3", 1, "no legal turn continues with this move");
    ply_state_free(&state);
    /* Two knights can reach the square. */
    test_make_state(&state, &rules, "[4k3/8/8/8/1N3N2/8/8/4K3:0:1:w]");
    test_bad_move(&state, "Nd3", 1, "ambiguous: (0T1)b4(0T1)d3 or (0T1)f4(0T1)d3");
    ply_state_free(&state);
}

/* Different ways to write the same moves. */
static void test_ways_to_write(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "(0T1)e2(0T1)e4 submit (0T1)e7(0T1)e5 submit (0T2)g1(0T2)f3 submit (0T2)g8(0T1)g6 submit",
        "e4 submit e5 submit Nf3 submit Ng8>>(0T1)g6 submit",
        "(0T1)e4! submit (L0T1)e5 submit (0T2)Ng1f3?! submit (0T2)Ng8>>x(0T1)g6~ submit",
        "Pe2e4 submit (L0)e7-e5 submit N>>xf3 submit",
        "( 0 T 1 )e2e4 submit e5 submit Nf3 submit N>(T1)g6 submit",
    };
    uint64_t wanted = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ply_rules rules;
        ply_state state;
        ply_error error = {0};
        test_make_rules(&rules, "5dchess", "standard");
        test_make_state(&state, &rules, NULL);
        ply_status status = ply_state_play_text(&state, texts[i], strlen(texts[i]), &error);
        if (i == 3) {
            assert_int_equal(status, PLY_ILLEGAL_MOVE); /* no knight jumps to f3 of another board */
        } else {
            if (status != PLY_OK)
                fail_msg("%s: column %u: %s", texts[i], error.column, error.message);
            uint64_t hash = rules.game->hash(&rules, state.position);
            wanted = wanted ? wanted : hash;
            assert_true(hash == wanted);
        }
        ply_state_free(&state);
    }
}

static ply_status read_as(const ply_rules *rules, const char *format, const char *text,
                          ply_record *record, ply_error *error)
{
    bool found;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    assert_int_equal(ply_record_init(record, rules), PLY_OK);
    return ply_format_find(rules->game, format)->read(&cursor, record, &found);
}

static char *written(const ply_record *record, const char *format)
{
    ply_text out = ply_text_growing();
    ply_error error = {0};
    const ply_format *f = ply_format_find(record->rules.game, format);
    if (f->write(record, &out, &error) != PLY_OK)
        fail_msg("writing %s: %s", format, error.message);
    return out.data;
}

static uint64_t final_hash(const ply_record *record)
{
    ply_state state;
    assert_int_equal(ply_record_final_state(record, &state, NULL), PLY_OK);
    uint64_t hash = record->rules.game->hash(&record->rules, state.position);
    ply_state_free(&state);
    return hash;
}

/* Random games are written and read back in every format. */
static void test_round_trips(void **unused)
{
    (void)unused;
    static const char *const formats[] = {"5dpgn", "5dpgn-raw", "5duci", "5dfen"};
    const ply_game *game = ply_game_find("5dchess");
    int games = test_is_long() ? 10 : 1;
    for (size_t v = 0; v < game->variant_count; v++)
        for (int g = 0; g < games; g++) {
            ply_rules rules;
            ply_state state;
            ply_record record;
            test_make_rules(&rules, "5dchess", game->variants[v].id);
            test_make_state(&state, &rules, NULL);
            assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
            ply_rng rng = ply_rng_make(8 + v, (uint64_t)g);
            uint32_t node = 0;
            for (int ply = 0; ply < 40; ply++) {
                size_t count = game->count(&rules, state.position);
                if (count == 0)
                    break;
                ply_move move =
                    game->nth(&rules, state.position, ply_rng_below(&rng, (uint32_t)count));
                assert_int_equal(ply_state_play(&state, move), PLY_OK);
                assert_int_equal(ply_record_add(&record, node, move, &node), PLY_OK);
                if (ply % 7 == 3 && move != FIVED_SUBMIT)
                    ply_record_add_comment(&record, node, "a remark", 8);
            }
            uint64_t hash = final_hash(&record);
            for (size_t f = 0; f < 4; f++) {
                ply_record back;
                ply_error error = {0};
                char *text = written(&record, formats[f]);
                if (read_as(&rules, formats[f], text, &back, &error) != PLY_OK)
                    fail_msg("%s\n%s line %u column %u: %s", text, formats[f], error.line,
                             error.column, error.message);
                if (final_hash(&back) != hash)
                    fail_msg("%s\nwas read back as a different game", text);
                char *again = written(&back, formats[f]);
                assert_string_equal(text, again);
                free(again);
                free(text);
                ply_record_free(&back);
            }
            ply_record_free(&record);
            ply_state_free(&state);
        }
}

/* A tree of variations. As ftxi does it, a variation precedes the turn it replaces. */
static void test_variations(void **unused)
{
    (void)unused;
    static const char tree[] =
        "[Board \"Standard\"]\n"
        "1. e4 {best by test} (1. d4 / d5 2. c4) (1b. c5!? 2. Nf3 / d6) 1b. e5\n"
        "2. Nf3 $14 (2. f4 / exf4) / Nc6 1/2-1/2\n";
    static const char canonical[] =
        "[Mode \"5D\"]\n[Board \"Standard\"]\n[Size \"8x8\"]\n"
        "[Result \"1/2-1/2\"]\n"
        "(1. d4 / d5 2. c4)\n1. e4 {best by test} (1b. c5!? 2. Nf3 / d6) "
        "1b. e5 (2. f4 / exf4)\n2. Nf3 $14 / Nc6 1/2-1/2\n";
    ply_rules rules;
    ply_record record, back;
    ply_error error = {0};
    test_make_rules(&rules, "5dchess", "");
    if (read_as(&rules, "5dpgn", tree, &record, &error) != PLY_OK)
        fail_msg("line %u column %u: %s", error.line, error.column, error.message);
    assert_int_equal(record.result, PLY_DRAW);
    char *text = written(&record, "5dpgn");
    assert_string_equal(text, canonical);
    assert_int_equal(read_as(&rules, "5dpgn", text, &back, &error), PLY_OK);
    assert_int_equal(back.node_count, record.node_count);
    char *again = written(&back, "5dpgn");
    assert_string_equal(again, text);
    free(text);
    free(again);
    ply_record_free(&record);
    ply_record_free(&back);
}

/* Signs such as !? stand right after a move only; elsewhere glyphs are numbers. */
static void test_glyphs(void **unused)
{
    (void)unused;
    static const char remarks[] = "game 5dchess\nvariant standard\n"
                                  "moves (0T1)e2(0T1)e4 submit $5 (0T1)e7(0T1)e5 {good} submit $1 "
                                  "(0T2)g1(0T2)f3 $14 $2 submit\n";
    ply_rules rules;
    ply_record record, back;
    ply_error error = {0};
    test_make_rules(&rules, "5dchess", "");
    if (read_as(&rules, "ply", remarks, &record, &error) != PLY_OK)
        fail_msg("line %u column %u: %s", error.line, error.column, error.message);
    char *text = written(&record, "5dpgn");
    assert_non_null(strstr(text, "1. e4!? / e5 {good} $1\n2. Nf3 $14 $2"));
    if (read_as(&rules, "5dpgn", text, &back, &error) != PLY_OK)
        fail_msg("line %u column %u: %s", error.line, error.column, error.message);
    /* The format has no submit of its own, so its glyph belongs to the move now. */
    char *again = written(&back, "5dpgn");
    assert_non_null(strstr(again, "1. e4!? / e5! {good}\n2. Nf3 $14 $2"));
    free(text);
    free(again);
    ply_record_free(&record);
    ply_record_free(&back);
}

/*
 * Names of boards without their group. In Timeline Marauders, brawns that have not moved may move
 * two timelines: as in 5d-chess-js, those on b2, c2 and d2 of White's own timeline can.
 */
static void test_names_of_boards(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *variant;
    } games[] = {
        {"[Board \"Misc - Timeline Invasion\"]\n1. (+0T1)Na1>(-0T1)a3", "misc-timeline-invasion"},
        {"[Board \"Timeline Invasion\"]\n1. (+0T1)a2>(-0T1)a2", "misc-timeline-invasion"},
        {"[Board \"Timeline Marauders\"]\n1. (1T1)Wb2>(-1T1)b2 (0T1)Wa3",
         "misc-timeline-marauders"},
        {"[Board \"timeline_marauders\"]\n1. (1T1)Wc2>(-1T1)c2", "misc-timeline-marauders"},
        {"[Board \"Small\"]\n1. b3 / ccxb3", "small"}, /* as 5d-chess-js writes it */
        {"[Board \"Just Brawns\"]\n", "focused-just-brawns"},
    };
    ply_rules rules;
    ply_error error = {0};
    test_make_rules(&rules, "5dchess", "");
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        ply_record record;
        if (read_as(&rules, "5dpgn", games[i].text, &record, &error) != PLY_OK)
            fail_msg("%s: line %u column %u: %s", games[i].text, error.line, error.column,
                     error.message);
        assert_string_equal(record.rules.variant->id, games[i].variant);
        ply_record_free(&record);
    }
    /* Of the moves to another timeline that 5d-chess-js lists, these leave a piece for each board. */
    static const char *const moves[] = {"(0T1)a1(-1T1)a1", "(0T1)c1(-1T1)c1", "(0T1)e1(-1T1)e1",
                                        "(1T1)b1(-1T1)b1", "(1T1)d1(-1T1)d1", "(1T1)b2(-1T1)b2",
                                        "(1T1)c2(-1T1)c2", "(1T1)d2(-1T1)d2"};
    ply_state state;
    ply_move list[100];
    test_make_rules(&rules, "5dchess", "misc-timeline-marauders");
    test_make_state(&state, &rules, NULL);
    size_t count = rules.game->moves(&rules, state.position, list), across = 0;
    for (size_t i = 0; i < count; i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        rules.game->format_move(&rules, state.position, list[i], &text);
        if (strncmp(name, strrchr(name, '('), strcspn(name, ")")) == 0)
            continue;
        size_t k = 0;
        while (k < sizeof moves / sizeof moves[0] && strcmp(moves[k], name) != 0)
            k++;
        if (k == sizeof moves / sizeof moves[0])
            fail_msg("5d-chess-js has no %s", name);
        across++;
    }
    assert_int_equal(across, sizeof moves / sizeof moves[0]);
    ply_state_free(&state);
}

static void test_bad_records(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *words;
    } bad[] = {
        {"[Board \"Open\"]\n1. a3", 1, 1, "no variant is called 'Open'"}, /* Small or Very Small */
        {"[Board \"Nonsense\"]\n1. e4", 1, 1, "no variant is called 'Nonsense'"},
        {"[Board \"Standard]\n1. e4", 1, 9, "this quoted value does not end"},
        {"[Board \"Standard\"]\n1. e4 / e5\n2. Ke3", 3, 4, "no piece can make this move"},
        {"[Board \"Standard\"]\n1. e4 / e5 {open", 2, 12, "this comment does not end"},
        {"[Board \"Standard\"]\n1. e4 (1b. e5", 2, 14, "a variation is not closed"},
        {"[Board \"Standard\"]\n1. e4 )", 2, 7, "closes no variation"},
        {"[Board \"Standard\"]\n1. / e5", 2, 4, "White's turn"},
        {"[Board \"Custom\"]\n[8/8:0:1]\n1. e4", 2, 1, "expected ':'"},
        {"[Board \"Standard - Two Timelines\"]\n1. (+0T1)e4 / e5", 2, 13,
         "a move is still due on (-0T1)"},
    };
    ply_rules rules;
    test_make_rules(&rules, "5dchess", "");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ply_record record;
        ply_error error = {0};
        assert_true(read_as(&rules, "5dpgn", bad[i].text, &record, &error) != PLY_OK);
        if (error.line != bad[i].line || error.column != bad[i].column ||
            !strstr(error.message, bad[i].words))
            fail_msg("%s: line %u column %u: %s", bad[i].text, error.line, error.column,
                     error.message);
        ply_record_free(&record);
    }
}

/* The edge cases of the reference files. */
static void test_truth_files(void **unused)
{
    (void)unused;
    static const struct {
        const char *file, *variant;
        int mode;
        uint64_t turns;
    } files[] = {{"5d_ep1.5dpgn", "", 0, 41},         {"5d_ep1.5dpgn", ":new-line-ep=on", 0, 42},
                 {"5d_ep2.5dpgn", "", 0, 11},         {"5d_bp2.5dpgn", "", 1, 456},
                 {"5d_bp2_mirror.5dpgn", "", 1, 456}, {"5d_wp2.5dpgn", "", 1, 371},
                 {"5d_wp2.5dpgn", "", 0, 440},        {"5d_sc_nocastle.5dpgn", "", 0, 7}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        FILE *file = test_open_truth(files[i].file);
        if (!file)
            continue;
        char text[4096];
        size_t length = fread(text, 1, sizeof text - 1, file);
        text[length] = '\0';
        fclose(file);
        ply_rules rules;
        ply_record record;
        ply_state state;
        ply_error error = {0};
        test_make_rules(&rules, "5dchess", files[i].variant);
        assert_int_equal(read_as(&rules, "5dpgn", text, &record, &error), PLY_OK);
        assert_int_equal(ply_record_final_state(&record, &state, NULL), PLY_OK);
        assert_int_equal(rules.counting->perft(&record.rules, state.position, 1, files[i].mode),
                         files[i].turns);
        ply_state_free(&state);
        ply_record_free(&record);
    }
}

/* Where no query is needed, a move reads the same with one, over random games with many timelines. */
static void test_moves_without_query(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"standard", "small", "focused-just-brawns",
                                           "misc-king-of-kings"};
    size_t compared = 0, needed = 0;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        ply_rules rules;
        ply_state state;
        ply_rng rng = ply_rng_make(1, i);
        test_make_rules(&rules, "5dchess", variants[i]);
        test_make_state(&state, &rules, NULL);
        ply_move *moves = malloc(rules.max_moves * sizeof *moves);
        assert_non_null(moves);
        for (int ply = 0; ply < 60; ply++) {
            size_t count = rules.game->moves(&rules, state.position, moves);
            fived_turn_query *q;
            if (!count)
                break;
            assert_int_equal(fived_turn_query_open(&q, &rules, state.position), PLY_OK);
            for (size_t k = 0; k < count; k++) {
                char with[PLY_MOVE_TEXT], without[PLY_MOVE_TEXT];
                ply_text a = ply_text_fixed(with, sizeof with);
                ply_text b = ply_text_fixed(without, sizeof without);
                if (moves[k] == FIVED_SUBMIT)
                    continue;
                if (fived_pgn_move_needs_query(state.position, moves[k])) {
                    needed++;
                    continue;
                }
                fived_format_pgn_move(state.position, q, moves[k], &a);
                fived_format_pgn_move(state.position, NULL, moves[k], &b);
                assert_string_equal(with, without);
                compared++;
            }
            fived_turn_query_close(q);
            assert_int_equal(ply_state_play(&state, moves[ply_rng_below(&rng, (uint32_t)count)]),
                             PLY_OK);
        }
        free(moves);
        ply_state_free(&state);
    }
    assert_true(compared > 2000);
    assert_true(needed > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_positions),   cmocka_unit_test(test_bad_moves),
        cmocka_unit_test(test_ways_to_write),   cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_variations),      cmocka_unit_test(test_glyphs),
        cmocka_unit_test(test_names_of_boards), cmocka_unit_test(test_bad_records),
        cmocka_unit_test(test_truth_files),     cmocka_unit_test(test_moves_without_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
