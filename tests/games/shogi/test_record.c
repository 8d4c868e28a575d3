/* SPDX-License-Identifier: MIT */
/*
 * test_record.c - every record format: records survive being written and read back, files as found
 * in the wild are read, and bad ones are rejected with the right location.
 */
#include "games/shogi/notation/record_reader.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { VARIATIONS = 1, COMMENTS = 2, TIMES = 4, TAGS = 8, ENDINGS = 16 };

static const struct {
    const char *id;
    unsigned keeps;
} formats[] = {
    {"usi", 0},
    {"csa", COMMENTS | TIMES | TAGS | ENDINGS},
    {"kif", VARIATIONS | COMMENTS | TIMES | TAGS | ENDINGS},
    {"kifu", VARIATIONS | COMMENTS | TIMES | TAGS | ENDINGS},
    {"ki2", VARIATIONS | COMMENTS | TAGS | ENDINGS},
    {"ki2u", VARIATIONS | COMMENTS | TAGS | ENDINGS},
    {"jkf", VARIATIONS | COMMENTS | TIMES | TAGS | ENDINGS},
    {"western", COMMENTS | TAGS | ENDINGS},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static const ply_format *find_format(const char *id)
{
    const ply_format *f = ply_format_find(ply_game_find("shogi"), id);
    assert_non_null(f);
    return f;
}

/* --- random records ------------------------------------------------------------------------- */
/* Adds random moves below a node, with side variations if the format keeps them. */
static void add_random_moves(ply_record *record, ply_state *state, uint32_t node, int plies,
                             ply_rng *rng, unsigned keeps)
{
    size_t start = state->plies;
    for (int i = 0; i < plies; i++) {
        uint32_t count = (uint32_t)shogi_count(state->rules, state->position);
        if (count == 0)
            break;
        ply_move move = shogi_nth(state->rules, state->position, ply_rng_below(rng, count));
        uint32_t parent = node;
        assert_int_equal(ply_record_add(record, parent, move, &node), PLY_OK);
        if (keeps & TIMES && ply_rng_below(rng, 3))
            record->nodes[node].millis = (int32_t)ply_rng_below(rng, 5000) * 1000;
        if (keeps & COMMENTS && ply_rng_below(rng, 10) == 0)
            assert_int_equal(ply_record_add_comment(record, node, "一手目\n good", 15), PLY_OK);
        if (keeps & VARIATIONS && ply_rng_below(rng, 12) == 0) {
            uint32_t other = (uint32_t)shogi_count(state->rules, state->position);
            ply_move second = shogi_nth(state->rules, state->position, ply_rng_below(rng, other));
            if (second != move) {
                uint32_t branch;
                assert_int_equal(ply_record_add(record, parent, second, &branch), PLY_OK);
                assert_int_equal(ply_state_play(state, second), PLY_OK);
                add_random_moves(record, state, branch, (int)ply_rng_below(rng, 6), rng, keeps);
                ply_state_undo(state);
            }
        }
        assert_int_equal(ply_state_play(state, move), PLY_OK);
    }
    while (state->plies > start)
        ply_state_undo(state);
}

static void make_record(ply_record *record, ply_rules *rules, ply_rng *rng, unsigned keeps)
{
    static const char *const starts[] = {
        NULL, "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
        "3g1s3/9/1+R1+B1+B1+R1/9/k1G1G1G1K/9/1S1S1S1+P1/3+P5/9 b NL 1"};
    static const char *const names[] = {"standard", "lance", "4-piece", "10-piece"};
    const char *start = starts[ply_rng_below(rng, 5)];
    test_make_rules(rules, "shogi", start ? NULL : names[ply_rng_below(rng, 4)]);
    assert_int_equal(ply_record_init(record, rules), PLY_OK);
    if (start)
        assert_int_equal(ply_record_set_start(record, start, strlen(start)), PLY_OK);
    if (keeps & TAGS) {
        assert_int_equal(ply_record_set_tag(record, "Black", 5, "先手番 太郎", 16), PLY_OK);
        assert_int_equal(ply_record_set_tag(record, "White", 5, "B", 1), PLY_OK);
        assert_int_equal(ply_record_set_tag(record, "Event", 5, "Test", 4), PLY_OK);
    }
    if (keeps & COMMENTS && keeps != (COMMENTS | TAGS | ENDINGS))
        assert_int_equal(ply_record_add_comment(record, 0, "start", 5), PLY_OK);
    ply_state state;
    assert_int_equal(ply_record_start_state(record, &state, NULL), PLY_OK);
    add_random_moves(record, &state, 0, (int)ply_rng_below(rng, 150), rng, keeps);
    ply_state_free(&state);
    assert_int_equal(ply_record_final_state(record, &state, NULL), PLY_OK);
    int turn = ((shogi_position *)state.position)->side;
    ply_state_free(&state);
    if (keeps & ENDINGS) {
        static const char *const ends[] = {"TORYO", "SENNICHITE",   "TIME_UP", "CHUDAN",
                                           "TSUMI", "ILLEGAL_MOVE", "KACHI",   "JISHOGI"};
        const char *end = ends[ply_rng_below(rng, 8)];
        const kifu_ending *ending = shogi_kifu_ending_by_csa(end, strlen(end), &turn);
        assert_int_equal(shogi_kifu_set_ending(record, ending, turn), PLY_OK);
        if (keeps & TIMES)
            record->nodes[0].millis = (int32_t)ply_rng_below(rng, 5000) * 1000;
    }
}

/* --- comparing ------------------------------------------------------------------------------ */
static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static void same_tree(const ply_record *a, uint32_t x, const ply_record *b, uint32_t y,
                      const char *id)
{
    while (x || y) {
        const ply_record_node *n = &a->nodes[x], *m = &b->nodes[y];
        if (!x != !y || n->move != m->move || n->millis != m->millis ||
            !same_text(n->comment, m->comment))
            fail_msg("%s: nodes differ: moves %x %x, times %d %d, comments '%s' '%s'", id,
                     (unsigned)n->move, (unsigned)m->move, n->millis, m->millis,
                     n->comment ? n->comment : "", m->comment ? m->comment : "");
        if (n->child || m->child)
            same_tree(a, n->child, b, m->child, id);
        x = n->sibling;
        y = m->sibling;
    }
}

static void same_record(const ply_record *a, const ply_record *b, unsigned keeps, const char *id)
{
    ply_state s, t;
    assert_int_equal(ply_record_start_state(a, &s, NULL), PLY_OK);
    assert_int_equal(ply_record_start_state(b, &t, NULL), PLY_OK);
    assert_memory_equal(s.position, t.position, sizeof(shogi_position));
    ply_state_free(&s);
    ply_state_free(&t);
    assert_true(same_text(a->nodes[0].comment, b->nodes[0].comment));
    assert_int_equal(a->nodes[0].millis, b->nodes[0].millis);
    same_tree(a, a->nodes[0].child, b, b->nodes[0].child, id);
    if (keeps & TAGS) {
        assert_int_equal(a->tag_count, b->tag_count);
        for (size_t i = 0; i < a->tag_count; i++)
            assert_string_equal(a->tags[i].value, ply_record_tag_value(b, a->tags[i].name));
    }
    if (keeps & ENDINGS) {
        assert_int_equal(a->result, b->result);
        if (!same_text(a->ending, b->ending))
            fail_msg("%s: ending %s became %s", id, a->ending, b->ending ? b->ending : "none");
    }
}

/* Three games in one file, for each format. */
static void test_round_trips(void **unused)
{
    (void)unused;
    for (size_t f = 0; f < FORMATS; f++) {
        const ply_format *format = find_format(formats[f].id);
        unsigned keeps = formats[f].keeps;
        for (int g = 0; g < (test_is_long() ? 200 : 12); g++) {
            ply_rng rng = ply_rng_make(21, (uint64_t)g);
            ply_record records[3];
            ply_rules rules[3];
            ply_text text = ply_text_growing();
            ply_error error = {0};
            for (int i = 0; i < 3; i++) {
                make_record(&records[i], &rules[i], &rng, keeps);
                if (format->write(&records[i], &text, &error) != PLY_OK)
                    fail_msg("%s: %s", format->id, error.message);
            }
            ply_cursor cursor = ply_cursor_make(ply_text_cstr(&text), text.length, &error);
            for (int i = 0; i <= 3; i++) {
                ply_record back;
                ply_rules standard;
                bool found;
                test_make_rules(&standard, "shogi", NULL);
                assert_int_equal(ply_record_init(&back, &standard), PLY_OK);
                if (format->read(&cursor, &back, &found) != PLY_OK)
                    fail_msg("%s line %u column %u: %s\n%s", format->id, error.line, error.column,
                             error.message, ply_text_cstr(&text));
                assert_int_equal(found, i < 3);
                if (i < 3)
                    same_record(&records[i], &back, keeps, format->id);
                ply_record_free(&back);
            }
            for (int i = 0; i < 3; i++)
                ply_record_free(&records[i]);
            ply_text_free(&text);
        }
    }
}

/* --- files as found in the wild ------------------------------------------------------------- */
static void read_text(const char *id, const char *text, ply_record *record)
{
    ply_rules rules;
    ply_error error = {0};
    bool found;
    test_make_rules(&rules, "shogi", NULL);
    assert_int_equal(ply_record_init(record, &rules), PLY_OK);
    ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
    if (find_format(id)->read(&cursor, record, &found) != PLY_OK)
        fail_msg("%s line %u column %u: %s", id, error.line, error.column, error.message);
    assert_true(found);
}

/* Reads the record and compares it, written as USI, with the expected line. */
static void reads_as(const char *id, const char *text, const char *usi, ply_result result,
                     const char *ending)
{
    ply_record record;
    read_text(id, text, &record);
    ply_text out = ply_text_growing();
    assert_int_equal(shogi_kifu_write_usi(&record, &out, NULL), PLY_OK);
    assert_string_equal(ply_text_cstr(&out), usi);
    assert_int_equal(record.result, result);
    assert_true(same_text(record.ending, ending));
    ply_text_free(&out);
    ply_record_free(&record);
}

static void test_csa_files(void **unused)
{
    (void)unused;
    reads_as("csa", "V2.2\nN+A\nN-B\n$EVENT:x\nPI\n+\n+7776FU,T3\n-3334FU,T10\n'*hm\n%TORYO,T2\n",
             "position startpos moves 7g7f 3c3d\n", PLY_SECOND_WINS, "resign");
    /* Removed pieces, AL, and a missing space after the last asterisk. */
    reads_as("csa", "PI82HI22KA\n-\n-8384FU\n",
             "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/"
             "PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 8c8d\n",
             PLY_ONGOING, NULL);
    reads_as("csa", "P1 *  *  *  * -OU *  *  *  *\nP+53FU00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n",
             "position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1 moves G*5b\n",
             PLY_FIRST_WINS, "mate");
    /* The illegal move is in the file, and the game ended with it. */
    reads_as("csa", "PI\n+\n+7776FU\n-3334FU\n+8844KA\n%ILLEGAL_MOVE\n",
             "position startpos moves 7g7f 3c3d 8h4d\n", PLY_FIRST_WINS, "illegal-move");
    reads_as("csa", "PI\n+\n+7776FU\n-3334FU\n+8811UM\n%ILLEGAL_MOVE\n",
             "position startpos moves 7g7f 3c3d\n", PLY_SECOND_WINS, "illegal-move");
    reads_as("csa", "PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n", "position startpos moves 7g7f\n",
             PLY_FIRST_WINS, "illegal-move");
}

/* The time after an ending is not that of the last move; it survives in every format with times. */
static void test_ending_time(void **unused)
{
    (void)unused;
    static const char *const ids[] = {"csa", "kif", "kifu", "jkf"};
    ply_record record;
    read_text("csa", "PI\n+\n+7776FU\nT3\n%TORYO\nT10\n", &record);
    assert_int_equal(record.nodes[1].millis, 3000);
    assert_int_equal(record.nodes[0].millis, 10000);
    for (size_t i = 0; i < 4; i++) {
        ply_text out = ply_text_growing();
        ply_record back;
        assert_int_equal(find_format(ids[i])->write(&record, &out, NULL), PLY_OK);
        read_text(ids[i], ply_text_cstr(&out), &back);
        same_record(&record, &back, ENDINGS, ids[i]);
        ply_record_free(&back);
        ply_text_free(&out);
    }
    ply_record_free(&record);
}

/* A comment may follow a comma, and old files are in EUC-JP. */
static void test_csa_comments(void **unused)
{
    (void)unused;
    ply_record record;
    read_text("csa", "PI\n+\n+7776FU,T3,'*good\n%KACHI,'* 24 points, more than enough\n", &record);
    assert_string_equal(record.nodes[1].comment, "good\n 24 points, more than enough");
    assert_string_equal(record.ending, "entering-king");
    ply_record_free(&record);
    /* 羽生善治 in EUC-JP. */
    read_text("csa", "N+\xB1\xA9\xC0\xB8\xC1\xB1\xBC\xA3\nPI\n+\n+7776FU\n", &record);
    assert_string_equal(ply_record_tag_value(&record, "Black"), "羽生善治");
    ply_record_free(&record);
}

/* The totals of a variation include the time spent before it. */
static void test_variation_times(void **unused)
{
    (void)unused;
    ply_record record;
    read_text("kifu",
              "   1 ７六歩(77) ( 1:00/00:01:00)\n   2 ３四歩(33) ( 2:00/00:02:00)\n"
              "   3 ２六歩(27) ( 4:00/00:05:00)\n   4 投了 ( 0:30/00:02:30)\n"
              "変化：3手\n   3 ６六歩(67) ( 0:10/00:01:10)\n   4 ８四歩(83) ( 0:05/00:02:05)\n",
              &record);
    assert_int_equal(record.nodes[0].millis, 30000);
    ply_text out = ply_text_growing();
    assert_int_equal(find_format("kifu")->write(&record, &out, NULL), PLY_OK);
    assert_non_null(strstr(out.data, "   4 投了 ( 0:30/00:02:30)\n"));
    assert_non_null(strstr(out.data, "６六歩(67) ( 0:10/00:01:10)\n"));
    assert_non_null(strstr(out.data, "８四歩(83) ( 0:05/00:02:05)\n"));
    ply_text_free(&out);
    ply_record_free(&record);
}

/* One handicap, once: a JKF header may name it as well as "initial", and a KIF file twice. */
static void test_repeated_handicap(void **unused)
{
    (void)unused;
    ply_record record;
    read_text(
        "jkf",
        "{\"header\":{\"手合割\":\"平手\",\"先手\":\"A\"},\"initial\":{\"preset\":\"HIRATE\"},"
        "\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},"
        "\"piece\":\"FU\"}}]}",
        &record);
    assert_null(ply_record_tag_value(&record, "手合割"));
    static const char *const ids[] = {"kifu", "ki2u", "kifu", "ki2u"};
    for (size_t i = 0; i < 4; i++) {
        if (i == 2) /* a tag of that name, which other formats may bring along */
            assert_int_equal(ply_record_set_tag(&record, "手合割", 9, "二枚落ち", 12), PLY_OK);
        ply_text out = ply_text_growing();
        assert_int_equal(find_format(ids[i])->write(&record, &out, NULL), PLY_OK);
        const char *first = strstr(out.data, "手合割");
        assert_non_null(first);
        assert_null(strstr(first + 1, "手合割"));
        ply_text_free(&out);
    }
    ply_record_free(&record);
    reads_as("kifu", "手合割：平手\n先手：A\n手合割：平手\n   1 ７六歩(77)\n",
             "position startpos moves 7g7f\n", PLY_ONGOING, NULL);
}

/* A sealed move ends the day; the game may go on below it. */
static void test_sealed_move(void **unused)
{
    (void)unused;
    reads_as("kifu", "   1 ７六歩(77)\n   2 封じ手\n", "position startpos moves 7g7f\n",
             PLY_ONGOING, "sealed-move");
    reads_as("kifu",
             "   1 ７六歩(77)\n   2 封じ手   (60:00/01:00:00)\n   2 ３四歩(33)\n   3 投了\n",
             "position startpos moves 7g7f 3c3d\n", PLY_SECOND_WINS, "resign");
    reads_as("ki2u", "▲７六歩\nまで1手で封じ手\n△３四歩\nまで2手で後手の勝ち\n",
             "position startpos moves 7g7f 3c3d\n", PLY_SECOND_WINS, "resign");
}

/* KI2 tells the ending in its last line only, so that line must tell all that KIF can. */
static void test_undecided_summaries(void **unused)
{
    (void)unused;
    static const char *const endings[][2] = {{"中断", "interrupted"},
                                             {"封じ手", "sealed-move"},
                                             {"待った", "takeback"},
                                             {"エラー", "error"},
                                             {"不詰", "no-mate"}};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "▲７六歩\nまで1手で%s\n", endings[i][0]);
        reads_as("ki2u", text, "position startpos moves 7g7f\n", PLY_ONGOING, endings[i][1]);
    }
}

static void test_kif_files(void **unused)
{
    (void)unused;
    reads_as("kifu",
             "# KIF version=2.0\r\n手合割：平手　　\r\n先手：甲\r\n"
             "手数----指手---------消費時間--\r\n"
             "   1 ７六歩(77)   ( 0:16/00:00:16)\r\n*comment\r\n&bookmark\r\n"
             "   2 ３四歩(33)   ( 0:00/00:00:00)+\r\n   3 ２二角成(88) ( 1:05/00:01:21)\r\n"
             "   4 同　銀(31)\r\n   5 ４五角打\r\n   6 中断\r\nまで5手で中断\r\n"
             "\r\n変化：2手\r\n   2 ８四歩(83)\r\n",
             "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e\n", PLY_ONGOING, "interrupted");
    /* Hands separated by half-width spaces, 王 and 竜, and a problem without Black's king. */
    reads_as("kifu",
             "後手の持駒：飛 角 金三 銀四 桂四 香四 歩十七\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
             "+---------------------------+\n| ・ ・ ・ ・v王 ・ ・ ・ ・|一\n"
             "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ 竜|三\n"
             "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
             "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
             "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
             "+---------------------------+\n先手の持駒：金\n手数＝0  まで\n1 ５二金打\n2 詰み\n",
             "position sfen 4k4/9/4P3+R/9/9/9/9/9/9 b Grb3g4s4n4l17p 1 moves G*5b\n",
             PLY_FIRST_WINS, "mate");
    /* An illegal move that the file calls illegal: a second pawn on the file. */
    reads_as("kifu",
             "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n"
             "   5 ８八角打\n   6 ３三角打\n   7 同　角成(88)\n   8 同　桂(21)\n   9 ８八銀(79)\n"
             "  10 ５五角打\n  11 ４六角打\n  12 ４六角(55)\n  13 同　歩(47)\n  14 ４七歩打\n"
             "  15 反則勝ち\n",
             "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*8h B*3c 8h3c+ 2a3c 7i8h B*5e B*4f "
             "5e4f 4g4f\n",
             PLY_FIRST_WINS, "illegal-move");
    reads_as("ki2u",
             "先手：甲\n\n▲７六歩△３四歩▲６六歩△８四歩\n▲６八飛　△６二銀 ▲７八銀△４二玉\n"
             "▲６七銀△５四歩▲４八玉△３二玉▲３八玉△５二金右\nまで14手で後手の勝ち\n",
             "position startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 7i7h 5a4b 7h6g 5c5d 5i4h 4b3b "
             "4h3h 6a5b\n",
             PLY_SECOND_WINS, "resign");
}

/* Writes moves in KI2 and reads each of them back. */
static void ki2_words(const char *sfen, const char *moves, const char *expected)
{
    ply_rules rules;
    ply_state state;
    ply_text out = ply_text_growing();
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&state, &rules, sfen);
    ply_cursor cursor = ply_cursor_make(moves, strlen(moves), NULL);
    while (!ply_cursor_done(&cursor)) {
        ply_move move, back;
        ply_cursor_skip_space(&cursor);
        assert_int_equal(shogi_parse_move(&rules, state.position, &cursor, &move), PLY_OK);
        size_t before = out.length;
        shogi_kifu_format_ki2_move(state.position, move, PLY_MOVE_NONE, &out);
        ply_cursor word = ply_cursor_make(ply_text_cstr(&out) + before, out.length - before, NULL);
        assert_int_equal(shogi_kifu_parse_kanji_move(state.position, &word, PLY_MOVE_NONE, &back),
                         PLY_OK);
        assert_true(back == move);
        ply_text_char(&out, ' ');
    }
    assert_string_equal(ply_text_cstr(&out), expected);
    ply_text_free(&out);
    ply_state_free(&state);
}

/* The examples from the Japan Shogi Association's page on move notation. */
static void test_ki2_words(void **unused)
{
    (void)unused;
    ki2_words("9/2G3G2/9/9/9/9/9/9/4k3K b - 1", "7b8a 7b7a", "８一金 ７一金 ");
    ki2_words("9/2G1G4/9/9/9/9/9/9/4k3K b - 1", "7b6a 5b6a", "６一金左 ６一金右 ");
    ki2_words("9/9/5G3/4G4/9/9/9/9/4k3K b - 1", "4c5c 5d5c", "５三金寄 ５三金上 ");
    ki2_words("9/4G4/5G3/9/9/9/9/9/4k3K b - 1", "4c5c 5b5c", "５三金寄 ５三金引 ");
    ki2_words("k8/9/9/9/9/9/9/9/K2SSS3 b - 1", "6i5h 5i5h 4i5h", "５八銀左 ５八銀直 ５八銀右 ");
    ki2_words("k8/9/9/9/9/9/2G6/1G7/1GGK5 b - 1", "8h7h 8i7h 7i7h 7g7h",
              "７八金寄 ７八金左上 ７八金直 ７八金引 ");
    ki2_words("+R8/9/9/1+R7/9/9/9/9/4k3K b - 1", "9a8b 8d8b", "８二龍引 ８二龍上 ");
    ki2_words("9/4+R4/7+R1/9/9/9/9/9/2k5K b - 1", "2c4c 5b4c", "４三龍寄 ４三龍引 ");
    ki2_words("9/9/9/9/4+R3+R/9/9/9/2k5K b - 1", "5e3e 1e3e", "３五龍左 ３五龍右 ");
    ki2_words("4k4/9/9/9/9/9/9/9/+R+R6K b - 1", "9i8h 8i8h", "８八龍左 ８八龍右 ");
    ki2_words("+B+B7/9/9/9/9/9/9/9/4k3K b - 1", "9a8b 8a8b", "８二馬左 ８二馬右 ");
    ki2_words("9/9/3+B5/9/+B8/9/9/9/2k5K b - 1", "6c8e 9e8e", "８五馬引 ８五馬寄 ");
    ki2_words("9/9/4G4/9/9/9/9/9/2k5K b G 1", "G*5b 5c5b", "５二金打 ５二金 ");
}

/* --- bad files ------------------------------------------------------------------------------ */
/* Reading must fail at that line and column, with `words` in the message. */
static void rejects(const char *id, const char *text, uint32_t line, uint32_t column,
                    const char *words)
{
    ply_rules rules;
    ply_record record;
    ply_error error = {0};
    bool found;
    test_make_rules(&rules, "shogi", NULL);
    assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
    ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
    if (find_format(id)->read(&cursor, &record, &found) == PLY_OK)
        fail_msg("%s was read: %s", id, text);
    if (error.line != line || error.column != column || !strstr(error.message, words))
        fail_msg("%s '%s': line %u column %u: %s", id, text, error.line, error.column,
                 error.message);
    ply_record_free(&record);
}

static void test_bad_files(void **unused)
{
    (void)unused;
    rejects("usi", "position startpos moves 7g7f 7g7f\n", 1, 30, "White has no piece");
    rejects("usi", "\nposition startpos moves 7g7x\n", 2, 28, "rank");
    rejects("sfen", "9/9 b - 1\n", 1, 4, "expected '/'");
    rejects("csa", "PI\n+\n+7775FU\n", 3, 2, "does not move that way");
    rejects("csa", "PI\n+\n-3334FU\n", 3, 2, "not White's turn");
    rejects("csa", "PI82FU\n", 1, 3, "standard start");
    rejects("csa", "P1-XX\n", 1, 4, "expected a piece");
    rejects("csa", "PI\n+\n+7776FU\n%FOO\n", 4, 2, "unknown ending");
    rejects("csa", "P+11OU12OU\n+\n", 2, 1, "two kings");
    rejects("csa", "hello\n", 1, 1, "not a CSA line");
    rejects("kifu", "手合割：平手\n   1 ７五歩(77)\n", 2, 6, "does not move that way");
    rejects("kifu", "   1 ７六銀(77)\n", 1, 6, "no 銀 on 77");
    rejects("kifu", "   2 ７六歩(77)\n", 1, 4, "found move 2, expected move 1");
    rejects("kifu", "   1 ７六歩(77)\n変化：5手\n", 2, 4, "the last move is 1");
    rejects("kifu", "手合割：その他\n   1 ７六歩(77)\n", 1, 5, "unknown handicap");
    rejects("kifu", "   1 同　歩(77)\n", 1, 6, "同");
    rejects("kifu", "なんだろう\n", 1, 1, "expected a header");
    rejects("ki2u", "▲７六歩 ３四歩\n", 1, 6, "▲");
    rejects("ki2u", "▲５八金\n", 1, 2, "ambiguous: 2 legal moves match");
    rejects("jkf", "{\"moves\":[{\"move\":{\"from\":{\"x\":7,\"y\":7}}}]}", 1, 19,
            "no target square");
    rejects("jkf", "{\"moves\":[}", 1, 11, "expected");
    rejects("jkf", "[]", 1, 1, "object");
    rejects("western", "1. P-7e\n", 1, 4, "no legal move matches");
    rejects("western", "1. G-5h\n", 1, 4, "ambiguous: 2 legal moves match");
    rejects("kifu", "\xFF\xFE\xFF", 1, 1, "neither UTF-8 nor Shift_JIS");
}

/* The game files of GNU Shogi: no hyphen, comments in brackets and after #, a resignation. */
static void test_western_dialect(void **unused)
{
    (void)unused;
    static const char text[] = "# A remark.\n#\n   1.P7f P3d\n[ Both bishops\n  are free. ]\n"
                               "   2. Bx2b+ 2... Sx2b  3.G4i-5h Resigns\n[ Too early. ]\n";
    reads_as("western", text, "position startpos moves 7g7f 3c3d 8h2b+ 3a2b 4i5h\n", PLY_FIRST_WINS,
             "resign");
    ply_record record;
    read_text("western", text, &record);
    assert_string_equal(record.nodes[0].comment, "A remark.");
    assert_string_equal(record.nodes[2].comment, "Both bishops\n  are free.");
    assert_string_equal(record.nodes[5].comment, "Too early.");
    ply_record_free(&record);
    rejects("western", "1. P7f [ open", 1, 8, "unterminated comment");
    rejects("western", "1. P7", 1, 4, "expected a move");
}

/* KI2 tells a mate only in its last line, and not who has won. */
static void test_mate_in_summary(void **unused)
{
    (void)unused;
    static const char mate[] = "後手の持駒：飛二 角二 金三 銀四 桂四 香四 歩十七\n"
                               "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
                               "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
                               "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                               "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
                               "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
                               "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n"
                               "先手の持駒：金\n▲５二金\nまで1手で詰み\n";
    ply_record record;
    read_text("ki2u", mate, &record);
    assert_int_equal(record.result, PLY_FIRST_WINS);
    assert_string_equal(record.ending, "mate");
    ply_text out = ply_text_growing();
    assert_int_equal(find_format("ki2u")->write(&record, &out, NULL), PLY_OK);
    assert_non_null(strstr(ply_text_cstr(&out), "まで1手で詰み\n"));
    ply_text_free(&out);
    ply_record_free(&record);
    reads_as("kifu", "盤面回転\n   1 ７六歩(77)\n", "position startpos moves 7g7f\n", PLY_ONGOING,
             NULL);
}

/* A character that Shift_JIS lacks is an error that names the alternative. */
static void test_shift_jis(void **unused)
{
    (void)unused;
    ply_record record;
    ply_error error = {0};
    read_text("usi", "position startpos moves 7g7f\n", &record);
    ply_text out = ply_text_growing();
    assert_int_equal(find_format("kif")->write(&record, &out, &error), PLY_OK);
    /* 手合割 in Shift_JIS. */
    assert_memory_equal(out.data, "\x8E\xE8\x8D\x87\x8A\x84", 6);
    assert_int_equal(ply_record_add_comment(&record, 0, "♞", 3), PLY_OK);
    assert_int_equal(find_format("kif")->write(&record, &out, &error), PLY_BAD_TEXT);
    assert_non_null(strstr(error.message, "kifu"));
    ply_text_free(&out);
    ply_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),     cmocka_unit_test(test_csa_files),
        cmocka_unit_test(test_kif_files),       cmocka_unit_test(test_ki2_words),
        cmocka_unit_test(test_bad_files),       cmocka_unit_test(test_shift_jis),
        cmocka_unit_test(test_ending_time),     cmocka_unit_test(test_csa_comments),
        cmocka_unit_test(test_variation_times), cmocka_unit_test(test_repeated_handicap),
        cmocka_unit_test(test_sealed_move),     cmocka_unit_test(test_western_dialect),
        cmocka_unit_test(test_mate_in_summary), cmocka_unit_test(test_undecided_summaries),
    };
    return cmocka_run_group_tests_name("shogi records", tests, NULL, NULL);
}
