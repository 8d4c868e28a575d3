/* SPDX-License-Identifier: MIT */
/* test_records.c - the record formats: round trips, files of other programs, malformed files. */
#include "games/gomoku/gomoku.h"
#include "support/support.h"
#include <plyverse/record.h>
#include <string.h>

static const ply_format *format_of(const char *id)
{
    const ply_format *format = ply_format_find(ply_game_find("gomoku"), id);
    assert_non_null(format);
    return format;
}

/* Reads game number `number` of a text. */
static void read_game(ply_record *record, const char *variant, const char *format, const char *text,
                      int number)
{
    ply_rules rules;
    ply_error error = {0};
    test_make_rules(&rules, "gomoku", variant);
    ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
    for (int i = 0; i <= number; i++) {
        bool found = false;
        if (i > 0)
            ply_record_free(record);
        assert_int_equal(ply_record_init(record, &rules), PLY_OK);
        if (format_of(format)->read(&cursor, record, &found) != PLY_OK)
            fail_msg("%s: line %u column %u: %s", format, error.line, error.column, error.message);
        assert_true(found);
    }
}

static void write_game(const ply_record *record, const char *format, ply_text *out)
{
    ply_error error = {0};
    if (format_of(format)->write(record, out, &error) != PLY_OK)
        fail_msg("%s: %s", format, error.message);
}

static void expect_tag(const ply_record *record, const char *name, const char *value)
{
    const char *found = ply_record_tag_value(record, name);
    if (!found || strcmp(found, value) != 0)
        fail_msg("%s is '%s', not '%s'", name, found ? found : "(none)", value);
}

static void expect_moves(const ply_record *record, const char *moves)
{
    ply_text text = ply_text_growing();
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child)
        gomoku_format_move(&record->rules, NULL, record->nodes[n].move, &text);
    assert_string_equal(ply_text_cstr(&text), moves);
    ply_text_free(&text);
}

static void expect_rules(const ply_record *record, const char *rules)
{
    char text[128];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_rules_format(&record->rules, &out);
    assert_string_equal(text, rules);
}

/* --- round trips ----------------------------------------------------------------------------- */
static void random_record(ply_record *record, const ply_rules *rules, uint64_t seed, bool passes)
{
    ply_state s;
    ply_rng rng = ply_rng_make(seed, 77);
    assert_int_equal(ply_record_init(record, rules), PLY_OK);
    test_make_state(&s, rules, NULL);
    uint32_t node = 0;
    size_t limit = 1 + ply_rng_below(&rng, 60);
    while (ply_state_outcome(&s).result == PLY_ONGOING && s.plies < limit) {
        size_t count = ply_game_count_moves(rules, s.position);
        ply_move move = ply_game_nth_move(rules, s.position, ply_rng_below(&rng, (uint32_t)count));
        if (move == GOMOKU_PASS && !passes)
            continue;
        assert_int_equal(ply_state_play(&s, move), PLY_OK);
        assert_int_equal(ply_record_add(record, node, move, &node), PLY_OK);
        record->nodes[node].millis = (int32_t)ply_rng_below(&rng, 5000);
    }
    ply_outcome outcome = ply_state_outcome(&s);
    assert_int_equal(ply_record_set_ending(record, outcome.result, outcome.reason), PLY_OK);
    assert_int_equal(ply_record_set_tag(record, "Black", 5, "Ann & \"Co\" <1>", 14), PLY_OK);
    assert_int_equal(ply_record_set_tag(record, "White", 5, "Bob ]\\[", 7), PLY_OK);
    ply_state_free(&s);
}

static void expect_same_game(const ply_record *a, const ply_record *b, const char *format)
{
    uint32_t n = a->nodes[0].child, m = b->nodes[0].child;
    for (; n && m; n = a->nodes[n].child, m = b->nodes[m].child)
        if (a->nodes[n].move != b->nodes[m].move)
            fail_msg("%s: another move", format);
    assert_true(n == 0 && m == 0);
    assert_int_equal(a->result, b->result);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const struct {
        const char *format, *variant;
        bool names, passes;
    } cases[] = {
        {"pos", "freestyle", false, false},
        {"pos", "renju", false, true},
        {"pos", "freestyle:width=32,height=32", false, false},
        {"sgf", "freestyle", true, false},
        {"sgf", "renju", true, true},
        {"sgf", "caro-overline:width=32,height=29", true, false},
        {"sgf", "standard:width=7,height=9,row=4,pass=yes", true, true},
        {"psq", "standard:width=20,height=20", true, false},
        {"psq", "freestyle:width=9,height=32", true, false},
        {"rec", "caro", true, false},
        {"renjuxml", "renju", true, true},
        {"ply", "renju:width=19,height=19", true, true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        ply_rules rules;
        test_make_rules(&rules, "gomoku", cases[c].variant);
        for (uint64_t seed = 0; seed < 20; seed++) {
            ply_record first, second, a, b;
            ply_text text = ply_text_growing(), again = ply_text_growing();
            random_record(&first, &rules, seed, cases[c].passes);
            random_record(&second, &rules, seed + 1000, cases[c].passes);
            write_game(&first, cases[c].format, &text);
            write_game(&second, cases[c].format, &text);
            read_game(&a, cases[c].variant, cases[c].format, text.data, 0);
            read_game(&b, cases[c].variant, cases[c].format, text.data, 1);
            expect_same_game(&first, &a, cases[c].format);
            expect_same_game(&second, &b, cases[c].format);
            if (cases[c].names) {
                expect_tag(&a, "Black", "Ann & \"Co\" <1>");
                expect_tag(&b, "White", "Bob ]\\[");
            }
            write_game(&a, cases[c].format, &again);
            write_game(&b, cases[c].format, &again);
            assert_string_equal(text.data, again.data);
            ply_record_free(&first);
            ply_record_free(&second);
            ply_record_free(&a);
            ply_record_free(&b);
            ply_text_free(&text);
            ply_text_free(&again);
        }
    }
}

/* --- sgf ------------------------------------------------------------------------------------- */
static const char sgf_text[] =
    "(;GM[4]FF[4]AB[hh][ii]AW[aa:bb]SZ[15]RU[Renju]PB[A\\]nn]PW[Bob]RE[B+R]\nEV[Cup]KM[0]C[hi]\n"
    "PL[B];B[jj]TE[2]C[so\\\n it goes];W[ac](;B[];W[])(;B[cc]BM[1];W[dd](;B[ee])(;B[ff])))\n"
    "( ;SZ[20:7]GM[4] ; Black [h7] ;W[tg])";

static void test_sgf(void **state)
{
    (void)state;
    ply_record r;
    read_game(&r, NULL, "sgf", sgf_text, 0);
    expect_rules(&r, "renju");
    expect_tag(&r, "Black", "A]nn");
    expect_tag(&r, "Event", "Cup");
    expect_tag(&r, "KM", "0");
    assert_int_equal(r.result, PLY_FIRST_WINS);
    assert_string_equal(r.ending, "resign");
    assert_string_equal(r.nodes[0].comment, "hi");
    assert_string_equal(r.start, "oo13/oo13/15/15/15/15/15/7x7/8x6/15/15/15/15/15/15 x");
    expect_moves(&r, "j6a13passpass");
    const ply_record_node *first = &r.nodes[r.nodes[0].child];
    assert_string_equal(first->comment, "so it goes");
    assert_int_equal(first->nag_count, 1);
    assert_int_equal(first->nags[0], 3);
    const ply_record_node *pass = &r.nodes[r.nodes[first->child].child];
    assert_true(pass->move == GOMOKU_PASS && pass->sibling != 0);
    const ply_record_node *other = &r.nodes[pass->sibling];
    assert_true(other->move == gomoku_move(gomoku_cell(2, 12)) && other->nags[0] == 2);
    const ply_record_node *reply = &r.nodes[other->child];
    assert_true(reply->child && r.nodes[reply->child].sibling);
    /* Writing and reading it again gives the same text. */
    ply_text once = ply_text_growing(), twice = ply_text_growing();
    ply_record again;
    write_game(&r, "sgf", &once);
    read_game(&again, NULL, "sgf", once.data, 0);
    write_game(&again, "sgf", &twice);
    assert_string_equal(once.data, twice.data);
    assert_int_equal(again.node_count, r.node_count);
    ply_record_free(&again);
    ply_record_free(&r);
    ply_text_free(&once);
    ply_text_free(&twice);
    /* The second game of the collection: a rectangle, the long name of B, letter and number. */
    read_game(&r, NULL, "sgf", sgf_text, 1);
    expect_rules(&r, "freestyle:width=20,height=7");
    expect_moves(&r, "h7t1");
    ply_record_free(&r);
}

/* --- psq and rec ----------------------------------------------------------------------------- */
static void test_piskvork(void **state)
{
    (void)state;
    static const char psq[] = "Piskvorky 20x19, 11:7, 1\r\n1,1,120\r\n20,19\r\n10,10,0\r\n"
                              "C:\\ai\\second best.exe\r\npbrain-first.zip\r\n-1\r\n"
                              "Piskvorky 15x15, 0:0, 0\n8,8,5\n";
    ply_record r;
    read_game(&r, NULL, "psq", psq, 0);
    expect_rules(&r, "freestyle:width=20,height=19");
    expect_moves(&r, "a19t1j10");
    assert_int_equal(r.nodes[r.nodes[0].child].millis, 120);
    expect_tag(&r, "White", "C:\\ai\\second best.exe"); /* the second player begins */
    expect_tag(&r, "Black", "pbrain-first.zip");
    expect_tag(&r, "Levels", "7:11");
    expect_tag(&r, "PiskvorkCode", "-1");
    ply_record_free(&r);
    read_game(&r, "standard", "psq", psq, 1);
    expect_rules(&r, "standard");
    expect_moves(&r, "h8");
    ply_record_free(&r);

    static const char rec[] = "Ann\nBob\n7,7,100\n0,0,200\n14,14,300\n1\nCid\nDan\n3,3,0\n0\n";
    read_game(&r, NULL, "rec", rec, 0);
    expect_moves(&r, "h8a15o1");
    expect_tag(&r, "Black", "Ann");
    ply_record_free(&r);
    read_game(&r, NULL, "rec", rec, 1);
    expect_tag(&r, "White", "Dan");
    expect_moves(&r, "d12");
    ply_record_free(&r);
}

/* --- RenjuNet -------------------------------------------------------------------------------- */
static const char rif_text[] =
    "<?xml version=\"1.0\"?>\n<!-- a comment with <tags> -->\n<database version=\"1.0\">\n"
    "<rules><rule id=\"1\" name=\"RIF\">Some text &copy;</rule></rules>\n"
    "<players>\n<player id=\"1\" name=\"Ann\" surname=\"O&apos;Hara\" country=\"3\" />\n"
    "<player id=\"12\" surname='Solo' />\n</players>\n"
    "<tournaments><tournament id=\"1\" name=\"Cup &amp; plate\" year=\"2005\" /></tournaments>\n"
    "<games>\n<game id=\"7\" publisher=\"9\" tournament=\"1\" round=\"F2\" rule=\"1\" black=\"1\"\n"
    "  white=\"12\" bresult=\"0.5\" btime=\"8\" wtime=\"9\" opening=\"21\" alt=\"i8\" "
    "swap=\"R--\">\n"
    "<move>h8 h9 h7\n h6</move><info> a &#x3c;note&#62; </info><other a=\"b\">x</other>\n</game>\n"
    "<game id=\"8\" black=\"99\"><move>h8 pass i9</move></game>\n"
    "<game id=\"9\" bresult=\"0\"><move></move></game>\n</games>\n</database>\n";

static void test_renjunet(void **state)
{
    (void)state;
    ply_record r;
    read_game(&r, "freestyle:width=20", "renjuxml", rif_text, 0);
    expect_rules(&r, "renju");
    expect_moves(&r, "h8h9h7h6");
    expect_tag(&r, "Black", "Ann O'Hara");
    expect_tag(&r, "White", "Solo");
    expect_tag(&r, "Event", "Cup & plate 2005");
    expect_tag(&r, "OpeningRule", "RIF");
    expect_tag(&r, "Opening", "#21");
    expect_tag(&r, "Alternatives", "i8");
    expect_tag(&r, "Swaps", "R--");
    expect_tag(&r, "RenjuNetId", "7");
    assert_int_equal(r.result, PLY_DRAW);
    assert_string_equal(r.nodes[0].comment, "a <note>");
    ply_record_free(&r);
    read_game(&r, NULL, "renjuxml", rif_text, 1);
    expect_moves(&r, "h8passi9");
    expect_tag(&r, "Black", "#99");
    assert_int_equal(r.result, PLY_ONGOING);
    ply_record_free(&r);
    read_game(&r, NULL, "renjuxml", rif_text, 2);
    assert_int_equal(r.result, PLY_SECOND_WINS);
    assert_int_equal(r.nodes[0].child, 0);
    ply_record_free(&r);
    ply_rules rules;
    bool found = true;
    test_make_rules(&rules, "gomoku", NULL);
    assert_int_equal(ply_record_init(&r, &rules), PLY_OK);
    ply_cursor end = ply_cursor_make(" </games>\n</database>\n", 21, NULL);
    assert_int_equal(format_of("renjuxml")->read(&end, &r, &found), PLY_OK);
    assert_false(found);
    ply_record_free(&r);
}

/* --- forbidden points in records ------------------------------------------------------------- */
static void test_forbidden_in_records(void **state)
{
    (void)state;
    ply_record r, again;
    read_game(&r, "renju", "pos", "h8h9i7i9h10i6i11i12g9\n", 0);
    expect_rules(&r, "renju:forbidden=loses");
    assert_int_equal(r.result, PLY_SECOND_WINS);
    assert_string_equal(r.ending, "forbidden-double-three");
    static const char *const formats[] = {"pos", "sgf", "psq", "rec", "renjuxml", "ply"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        ply_text text = ply_text_growing();
        write_game(&r, formats[i], &text);
        read_game(&again, "renju", formats[i], text.data, 0);
        expect_moves(&again, "h8h9i7i9h10i6i11i12g9");
        expect_rules(&again, "renju:forbidden=loses");
        assert_int_equal(again.result, PLY_SECOND_WINS);
        ply_record_free(&again);
        ply_text_free(&text);
    }
    ply_record_free(&r);
}

/* --- bad files ------------------------------------------------------------------------------- */
static const struct {
    const char *variant, *format, *text;
    uint32_t line, column;
    const char *message;
} bad[] = {
    {NULL, "pos", "h8\n h8h8\n", 2, 4, "has a stone on h8"},
    {NULL, "pos", "# a\nh8;i9\n", 2, 3, "expected a cell"},
    {NULL, "pos", "h8pass\n", 1, 3, "pass is not allowed"},
    {NULL, "pos", "h8h9i8i9j8j9k8k9l8a1\n", 1, 19, "the game is over"},
    {NULL, "sgf", "x(;B[hh])", 1, 1, "expected '('"},
    {NULL, "sgf", "(;GM[1]SZ[19]\n;B[hh])", 1, 6, "instead of GM[4]"},
    {NULL, "sgf", "(;GM[4]\n;B[hh]\n;W[hh])", 3, 4, "has a stone"},
    {NULL, "sgf", "(;GM[4]\n;B[hh]\n;B[hi])", 3, 4, "White is to move"},
    {NULL, "sgf", "(;GM[4];B[hp])", 1, 11, "not a point of a 15x15 board"},
    {NULL, "sgf", "(;GM[4];B[hh]", 1, 14, "unterminated game tree"},
    {NULL, "sgf", "(;GM[4]C[never", 1, 9, "unterminated value"},
    {NULL, "sgf", "(;GM[4]SZ[40])", 1, 11, "from 5x5 to 32x32"},
    {NULL, "sgf", "(;GM[4]SZ[x])", 1, 11, "SZ is a number"},
    {NULL, "sgf", "(;GM[4];B[hh];AB[aa])", 1, 18, "in the first node"},
    {NULL, "sgf", "(;GM[4]AB[aa][aa])", 1, 15, "two stones on one point"},
    {NULL, "sgf", "(;GM[4];B[hh]W[aa])", 1, 16, "two moves in one node"},
    {NULL, "sgf", "(;GM[4];B)", 1, 10, "expected '[' after B"},
    {NULL, "sgf", "(;GM[4];7)", 1, 9, "or a property"},
    {NULL, "sgf", "()", 1, 3, "without a node"},
    {NULL, "sgf", "(;GM[4];B[])", 1, 11, "pass is not allowed"},
    {NULL, "psq", "Piskvorky 20, 1:1, 0\n", 1, 13, "WIDTHxHEIGHT"},
    {NULL, "psq", "Piskworky\n", 1, 1, "expected 'Piskvorky"},
    {NULL, "psq", "Piskvorky 20x20, 1:1, 2\n", 1, 23, "0 or 1"},
    {NULL, "psq", "Piskvorky 99x20, 1:1, 0\n", 1, 11, "the board must be"},
    {NULL, "psq", "Piskvorky 20x20, 1:1, 0\n1,2,3\n21,1,0\n", 3, 1, "off the 20x20 board"},
    {NULL, "psq", "Piskvorky 20x20, 1:1, 0\n0,2,3\n", 2, 1, "off the 20x20 board"},
    {NULL, "psq", "Piskvorky 20x20, 1:1, 0\n1,2,3\n1,2,3\n", 3, 1, "has a stone"},
    {NULL, "psq", "Piskvorky 20x20, 1:1, 0\n1,2,3x\n", 2, 6, "unexpected text"},
    {NULL, "psq", "Piskvorky 20x20, 1:1, 0\n1,2,\n", 2, 5, "milliseconds"},
    {NULL, "rec", "Ann\n1,1,0\n", 2, 1, "name of player 2"},
    {NULL, "rec", "Ann\nBob\n15,1,0\n", 3, 1, "off the 15x15 board"},
    {NULL, "rec", "Ann\nBob\n1,1,0\n5x\n", 4, 1, "single number"},
    {NULL, "renjuxml", "hello", 1, 1, "expected '<'"},
    {NULL, "renjuxml", "<database>\n<game id=\"1\">\n<move>h8 h8</move></game>", 3, 10,
     "has a stone"},
    {NULL, "renjuxml", "<game id=\"1\"><move>h8 q3</move></game>", 1, 23, "no such column"},
    {NULL, "renjuxml", "<game id=\"1\"><move>h8", 1, 22, "expected </move>"},
    {NULL, "renjuxml", "<game id=\"1\"><move>h8</move>", 1, 29, "unterminated game"},
    {NULL, "renjuxml", "<game id=1>", 1, 10, "value in quotes"},
    {NULL, "renjuxml", "<game id>", 1, 9, "expected '='"},
    {NULL, "renjuxml", "<game bresult=\"2\"></game>", 1, 7, "bresult is"},
    {NULL, "renjuxml", "<!-- x", 1, 5, "unterminated comment"},
    {NULL, "renjuxml", "<game><move>h8</move><move>i9</move></game>", 1, 22, "a second move list"},
};

static void test_bad_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ply_rules rules;
        ply_error error = {0};
        ply_status status = PLY_OK;
        test_make_rules(&rules, "gomoku", bad[i].variant);
        ply_cursor cursor = ply_cursor_make(bad[i].text, strlen(bad[i].text), &error);
        for (bool found = true; status == PLY_OK && found;) {
            ply_record r;
            assert_int_equal(ply_record_init(&r, &rules), PLY_OK);
            status = format_of(bad[i].format)->read(&cursor, &r, &found);
            ply_record_free(&r);
        }
        if (status == PLY_OK)
            fail_msg("%s '%s' was read", bad[i].format, bad[i].text);
        if (error.line != bad[i].line || error.column != bad[i].column ||
            !strstr(error.message, bad[i].message))
            fail_msg("%s '%s': line %u column %u: %s", bad[i].format, bad[i].text, error.line,
                     error.column, error.message);
    }
}

/* What a format cannot hold is refused, not dropped. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *from, *text, *to, *message;
    } cases[] = {
        {"sgf", "(;GM[4]AB[hh]PL[W];W[ii])", "pos", "cannot hold a start position"},
        {"sgf", "(;GM[4]AB[hh]PL[W];W[ii])", "psq", "cannot hold a start position"},
        {"sgf", "(;GM[4]AB[hh]PL[W];W[ii])", "rec", "cannot hold a start position"},
        {"sgf", "(;GM[4]RU[renju]AB[hh]PL[W];W[ii])", "renjuxml", "cannot hold a start position"},
        {"sgf", "(;GM[4]RU[renju];B[])", "psq", "cannot hold a pass"},
        {"sgf", "(;GM[4];B[hh])", "renjuxml", "renju on 15x15"},
        {"sgf", "(;GM[4])", "pos", "without moves"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_record r;
        ply_error error = {0};
        ply_text out = ply_text_growing();
        read_game(&r, NULL, cases[i].from, cases[i].text, 0);
        if (format_of(cases[i].to)->write(&r, &out, &error) == PLY_OK ||
            !strstr(error.message, cases[i].message))
            fail_msg("%s to %s: %s", cases[i].text, cases[i].to, error.message);
        ply_text_free(&out);
        ply_record_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_sgf),
        cmocka_unit_test(test_piskvork),    cmocka_unit_test(test_renjunet),
        cmocka_unit_test(test_bad_files),   cmocka_unit_test(test_forbidden_in_records),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
