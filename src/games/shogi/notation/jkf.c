/* SPDX-License-Identifier: MIT */
/*
 * jkf.c - JKF, the JSON Kifu Format.
 *
 *     {"header": {"先手": "..."},
 *      "initial": {"preset": "HIRATE"} or {"preset": "OTHER", "data": {"color", "board", "hands"}},
 *      "moves": [{"comments": [...]},
 *                {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6},
 *                          "piece": "FU"}, "time": {"now": {"m": 0, "s": 3}}, "comments": [...],
 *                 "forks": [[...], ...]},
 *                {"special": "TORYO"}]}
 *
 * The "forks" of an entry are variations from the position before its move. "same", "relative" and
 * "capture" are written for other programs; of these only "same" is needed to read a record.
 */
#include "core/text/json_read.h"
#include "core/text/json_write.h"
#include "games/shogi/notation/piece_names.h"
#include "games/shogi/notation/record_reader.h"
#include <string.h>

/* --- reading -------------------------------------------------------------------------------- */
typedef struct jkf_reader {
    kifu_reader r;
    json_tree tree;
} jkf_reader;

static ply_status fail(jkf_reader *j, uint32_t node, const char *message)
{
    return ply_json_tree_fail(&j->tree, node, j->r.file, PLY_BAD_TEXT, message);
}

/* The code of a piece named by its CSA letters, or -1. */
static int name_code(const jkf_reader *j, uint32_t node)
{
    size_t length;
    const char *name = ply_json_tree_text(&j->tree, node, &length);
    for (int code = 0; code <= (SHOGI_ROOK | SHOGI_CODE_PROMOTED); code++)
        if (length == 2 && memcmp(name, shogi_csa_name(code), 2) == 0)
            return code;
    return -1;
}

static ply_status read_board(jkf_reader *j, uint32_t data, shogi_position *p)
{
    const json_node *nodes = j->tree.nodes;
    uint32_t board = ply_json_tree_member(&j->tree, data, "board"), file_node, cell;
    uint32_t hands = ply_json_tree_member(&j->tree, data, "hands");
    uint32_t side = ply_json_tree_member(&j->tree, data, "color");
    uint64_t number;
    if (side) {
        if (!ply_json_tree_whole(&j->tree, side, 1, &number))
            return fail(j, side, "a color must be 0 or 1");
        p->side = (uint8_t)number;
    }
    if (!board || nodes[board].type != JSON_ARRAY)
        return fail(j, data, "expected a board of nine files");
    int file = 0;
    for (file_node = nodes[board].child; file_node; file_node = nodes[file_node].next, file++) {
        int rank = 0;
        for (cell = nodes[file_node].child; cell; cell = nodes[cell].next, rank++) {
            uint32_t kind = ply_json_tree_member(&j->tree, cell, "kind");
            if (file >= SHOGI_SIDE || rank >= SHOGI_SIDE)
                return fail(j, cell, "the board is 9 by 9");
            if (!kind || nodes[kind].type == JSON_NULL)
                continue;
            int code = name_code(j, kind);
            if (code < 0 ||
                !ply_json_tree_whole(&j->tree, ply_json_tree_member(&j->tree, cell, "color"), 1,
                                     &number))
                return fail(j, cell, "a piece needs a kind and a color");
            shogi_put_piece(p, code | (int)number << 4, shogi_square(8 - file, rank));
        }
    }
    uint32_t hand = hands ? nodes[hands].child : 0;
    for (int colour = 0; hand && colour < 2; hand = nodes[hand].next, colour++)
        for (int kind = 0; kind < SHOGI_KING; kind++) {
            uint32_t held = ply_json_tree_member(&j->tree, hand, shogi_csa_name(kind));
            if (!held)
                continue;
            if (!ply_json_tree_whole(&j->tree, held, shogi_kind_total[kind], &number))
                return fail(j, held, "invalid number of pieces in hand");
            p->hand[colour] += number * shogi_hand_one(kind);
        }
    return PLY_OK;
}

static ply_status read_initial(jkf_reader *j, uint32_t initial)
{
    uint32_t preset = ply_json_tree_member(&j->tree, initial, "preset");
    size_t length;
    const char *word = ply_json_tree_text(&j->tree, preset, &length);
    const ply_variant *variant = shogi_kifu_variant_by_jkf(word, length);
    if (variant) {
        j->r.record->rules.variant = variant;
        return PLY_OK;
    }
    if (length != 5 || memcmp(word, "OTHER", 5) != 0)
        return fail(j, preset ? preset : initial, "unknown preset");
    uint32_t data = ply_json_tree_member(&j->tree, initial, "data");
    if (!data)
        return fail(j, initial, "preset OTHER needs data");
    shogi_position p;
    char reason[128];
    shogi_clear_board(&p);
    ply_status status = read_board(j, data, &p);
    if (status != PLY_OK)
        return status;
    const char *fault = shogi_position_fault(&p, reason, sizeof reason);
    if (fault)
        return ply_json_tree_fail(&j->tree, data, j->r.file, PLY_BAD_POSITION, fault);
    shogi_compute_keys(&p);
    return shogi_kifu_set_start(&j->r, &p);
}

static bool read_square(const jkf_reader *j, uint32_t node, int *square)
{
    uint64_t x, y;
    if (!ply_json_tree_whole(&j->tree, ply_json_tree_member(&j->tree, node, "x"), 9, &x) ||
        !ply_json_tree_whole(&j->tree, ply_json_tree_member(&j->tree, node, "y"), 9, &y) ||
        x == 0 || y == 0)
        return false;
    *square = shogi_square(9 - (int)x, (int)y - 1);
    return true;
}

static ply_status read_move(jkf_reader *j, uint32_t node)
{
    int code = name_code(j, ply_json_tree_member(&j->tree, node, "piece")), from, to;
    uint32_t from_node = ply_json_tree_member(&j->tree, node, "from");
    uint32_t to_node = ply_json_tree_member(&j->tree, node, "to");
    uint32_t promote = ply_json_tree_member(&j->tree, node, "promote");
    uint32_t same = ply_json_tree_member(&j->tree, node, "same");
    const shogi_position *p = j->r.state.position;
    ply_move last = shogi_kifu_last_move(&j->r);
    if (!to_node && same && last != PLY_MOVE_NONE)
        to = shogi_move_to(last);
    else if (!read_square(j, to_node, &to))
        return fail(j, node, "the move has no target square");
    ply_cursor at = *j->r.file;
    at.line = j->tree.nodes[node].line;
    at.column = j->tree.nodes[node].column;
    at.at = j->tree.nodes[node].offset;
    if (!from_node || j->tree.nodes[from_node].type == JSON_NULL) {
        size_t length;
        const char *relative =
            ply_json_tree_text(&j->tree, ply_json_tree_member(&j->tree, node, "relative"), &length);
        if (code < 0 || code >= SHOGI_KING || (length > 0 && relative[0] != 'H'))
            return fail(j, node, "the move has neither an origin nor a piece to drop");
        return shogi_kifu_add_move(&j->r, shogi_drop_make(code, to), &at);
    }
    if (!read_square(j, from_node, &from))
        return fail(j, from_node, "not a square");
    if (code >= 0 && (p->board[from] == SHOGI_CODE_EMPTY || (p->board[from] & 15) != code))
        return ply_json_tree_fail(&j->tree, node, j->r.file, PLY_ILLEGAL_MOVE,
                                  "there is no such piece on the square of origin");
    bool promotes = promote && j->tree.nodes[promote].type == JSON_TRUE;
    return shogi_kifu_add_move(&j->r, shogi_move_make(from, to, promotes), &at);
}

static ply_status read_special(jkf_reader *j, uint32_t node)
{
    size_t length;
    const char *word = ply_json_tree_text(&j->tree, node, &length);
    int turn = ((const shogi_position *)j->r.state.position)->side;
    const kifu_ending *ending = shogi_kifu_ending_by_csa(word, length, &turn);
    if (!ending)
        return fail(j, node, "unknown ending");
    return shogi_kifu_check(j->r.file, shogi_kifu_set_ending(j->r.record, ending, turn));
}

static ply_status read_entry(jkf_reader *j, uint32_t entry, bool is_main)
{
    const json_node *nodes = j->tree.nodes;
    uint32_t move = ply_json_tree_member(&j->tree, entry, "move");
    uint32_t special = ply_json_tree_member(&j->tree, entry, "special");
    uint32_t now =
        ply_json_tree_member(&j->tree, ply_json_tree_member(&j->tree, entry, "time"), "now");
    uint32_t comments = ply_json_tree_member(&j->tree, entry, "comments");
    ply_status status = PLY_OK;
    bool moved = move && nodes[move].type == JSON_OBJECT;
    if (moved)
        status = read_move(j, move);
    if (status == PLY_OK && special && nodes[special].type == JSON_STRING && is_main)
        status = read_special(j, special);
    bool ends = !moved && special && is_main;
    if (status == PLY_OK && (moved || ends) && now) {
        uint64_t h = 0, m = 0, s = 0;
        ply_json_tree_whole(&j->tree, ply_json_tree_member(&j->tree, now, "h"), 500, &h);
        ply_json_tree_whole(&j->tree, ply_json_tree_member(&j->tree, now, "m"), 30000, &m);
        ply_json_tree_whole(&j->tree, ply_json_tree_member(&j->tree, now, "s"), 100000, &s);
        uint64_t seconds = h * 3600 + m * 60 + s;
        if (seconds < 2000000)
            j->r.record->nodes[moved ? j->r.node : 0].millis = (int32_t)(seconds * 1000);
    }
    for (uint32_t c = comments ? nodes[comments].child : 0; c && status == PLY_OK;
         c = nodes[c].next) {
        size_t length;
        const char *text = ply_json_tree_text(&j->tree, c, &length);
        status = shogi_kifu_add_comment(&j->r, text, strlen(text) < length ? strlen(text) : length);
    }
    return status;
}

/*
 * Reads a variation, then the forks of each of its entries. The recursion is as deep as the JSON
 * tree, whose depth is limited.
 */
static ply_status read_variation(jkf_reader *j, uint32_t list, bool is_main)
{
    const json_node *nodes = j->tree.nodes;
    size_t plies = j->r.state.plies;
    ply_status status = PLY_OK;
    if (nodes[list].type != JSON_ARRAY)
        return fail(j, list, "expected a list of moves");
    for (uint32_t e = nodes[list].child; e && status == PLY_OK; e = nodes[e].next)
        status = read_entry(j, e, is_main);
    /* The forks of an entry start from the position before its move: replay the variation. */
    shogi_kifu_rewind(&j->r, plies);
    for (uint32_t e = nodes[list].child; e && status == PLY_OK; e = nodes[e].next) {
        uint32_t move = ply_json_tree_member(&j->tree, e, "move");
        uint32_t forks = ply_json_tree_member(&j->tree, e, "forks");
        size_t here = j->r.state.plies;
        for (uint32_t f = forks ? nodes[forks].child : 0; f && status == PLY_OK;
             f = nodes[f].next) {
            status = read_variation(j, f, false);
            shogi_kifu_rewind(&j->r, here);
        }
        if (status == PLY_OK && move && nodes[move].type == JSON_OBJECT)
            status = read_move(j, move); /* already in the record: only followed */
    }
    shogi_kifu_rewind(&j->r, plies);
    return status;
}

static ply_status read_header(jkf_reader *j, uint32_t header)
{
    ply_status status = PLY_OK;
    const json_node *nodes = j->tree.nodes;
    for (uint32_t n = header ? nodes[header].child : 0; n && status == PLY_OK; n = nodes[n].next) {
        size_t length;
        const char *value = ply_json_tree_text(&j->tree, n, &length);
        const char *name = j->tree.strings.data + nodes[n].name;
        const char *known = shogi_kifu_tag_from_kanji(name, nodes[n].name_length);
        /* The handicap is in "initial". */
        bool handicap = nodes[n].name_length == strlen("手合割") &&
                        memcmp(name, "手合割", strlen("手合割")) == 0;
        if (nodes[n].type == JSON_STRING && nodes[n].name_length > 0 && !handicap)
            status =
                ply_record_set_tag(j->r.record, known ? known : name,
                                   known ? strlen(known) : nodes[n].name_length, value, length);
    }
    return shogi_kifu_check(j->r.file, status);
}

ply_status shogi_kifu_read_jkf(ply_cursor *cursor, ply_record *record, bool *found)
{
    jkf_reader j;
    shogi_kifu_open(&j.r, cursor, record);
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    j.r.line = *cursor;
    if (!*found) {
        shogi_kifu_close(&j.r);
        return PLY_OK;
    }
    ply_status status = ply_json_tree_read(&j.tree, cursor);
    if (status == PLY_OK && j.tree.nodes[1].type != JSON_OBJECT)
        status = fail(&j, 1, "expected an object with moves");
    uint32_t moves = status == PLY_OK ? ply_json_tree_member(&j.tree, 1, "moves") : 0;
    uint32_t initial = status == PLY_OK ? ply_json_tree_member(&j.tree, 1, "initial") : 0;
    if (status == PLY_OK && !moves)
        status = fail(&j, 1, "expected an object with moves");
    if (status == PLY_OK)
        status = read_header(&j, ply_json_tree_member(&j.tree, 1, "header"));
    if (status == PLY_OK && initial)
        status = read_initial(&j, initial);
    if (status == PLY_OK)
        status = shogi_kifu_ensure_state(&j.r);
    if (status == PLY_OK)
        status = read_variation(&j, moves, true);
    ply_json_tree_free(&j.tree);
    shogi_kifu_close(&j.r);
    return status;
}

/* --- writing -------------------------------------------------------------------------------- */
static void write_square(const char *name, int square, ply_text *out)
{
    ply_json_name(out, name);
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "x", (uint64_t)(9 - shogi_column(square)));
    ply_json_member_unsigned(out, "y", (uint64_t)(shogi_rank(square) + 1));
    ply_json_close(out, '}');
}

/* Writes the letters for 左直右上寄引打. */
static void write_relative(const shogi_position *p, ply_move move, ply_text *out)
{
    static const char *const words[7] = {"左", "直", "右", "上", "寄", "引", "打"};
    static const char letters[7] = {'L', 'C', 'R', 'U', 'M', 'D', 'H'};
    char kanji[32], relative[8];
    ply_text text = ply_text_fixed(kanji, sizeof kanji);
    size_t length = 0;
    shogi_kifu_format_relative(p, move, &text);
    for (const char *at = kanji; *at && length < 7; at += 3)
        for (int i = 0; i < 7; i++)
            if (strncmp(at, words[i], 3) == 0)
                relative[length++] = letters[i];
    relative[length] = '\0';
    if (length)
        ply_json_member_string(out, "relative", relative);
}

static void write_move(const shogi_position *p, ply_move move, ply_move last, ply_text *out)
{
    int code = shogi_kifu_moved_piece(p, move), to = shogi_move_to(move);
    ply_json_name(out, "move");
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "color", p->side);
    if (!shogi_move_is_drop(move))
        write_square("from", shogi_move_from(move), out);
    write_square("to", to, out);
    ply_json_member_string(out, "piece", shogi_csa_name(code));
    if (last != PLY_MOVE_NONE && shogi_move_to(last) == to)
        ply_json_member_bool(out, "same", true);
    if (shogi_kifu_may_promote(p, move))
        ply_json_member_bool(out, "promote", shogi_move_promotes(move));
    if (!shogi_move_is_drop(move) && p->board[to] != SHOGI_CODE_EMPTY)
        ply_json_member_string(out, "capture", shogi_csa_name(p->board[to]));
    write_relative(p, move, out);
    ply_json_close(out, '}');
}

static void write_comments(const char *comment, ply_text *out)
{
    if (!comment)
        return;
    ply_json_name(out, "comments");
    ply_json_open(out, '[');
    for (;;) {
        size_t length = strcspn(comment, "\n");
        ply_json_bytes(out, comment, length);
        if (!comment[length])
            break;
        comment += length + 1;
    }
    ply_json_close(out, ']');
}

static void write_time(const ply_record_node *node, ply_text *out)
{
    if (node->millis < 0)
        return;
    uint64_t seconds = (uint64_t)node->millis / 1000;
    ply_json_name(out, "time");
    ply_json_open(out, '{');
    ply_json_name(out, "now");
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "m", seconds / 60);
    ply_json_member_unsigned(out, "s", seconds % 60);
    ply_json_close(out, '}');
    ply_json_close(out, '}');
}

/* The entry that ends the main variation, if the record has an ending. */
static void write_special(const ply_record *record, const shogi_position *p, ply_text *out)
{
    const kifu_ending *ending = shogi_kifu_ending_of(record, p->side);
    if (!ending)
        return;
    const char *word = ending->csa;
    if (!word && ending->effect == KIFU_WIN)
        word = p->side == SHOGI_BLACK ? "-ILLEGAL_ACTION" : "+ILLEGAL_ACTION";
    ply_json_open(out, '{');
    ply_json_member_string(out, "special", word ? word : "TORYO");
    write_time(&record->nodes[0], out);
    ply_json_close(out, '}');
}

/* The entries of the variation that begins at `first`, with its siblings only in the main one. */
static ply_status write_variation(const ply_record *record, ply_state *state, uint32_t first,
                                  bool is_main, ply_text *out)
{
    const ply_record_node *nodes = record->nodes;
    size_t plies = state->plies;
    ply_status status = PLY_OK;
    for (uint32_t n = first; n && status == PLY_OK; n = nodes[n].child) {
        ply_move last = nodes[n].parent ? nodes[nodes[n].parent].move : PLY_MOVE_NONE;
        ply_json_open(out, '{');
        write_move(state->position, nodes[n].move, last, out);
        write_time(&nodes[n], out);
        write_comments(nodes[n].comment, out);
        if (nodes[n].sibling && (n != first || is_main)) {
            ply_json_name(out, "forks");
            ply_json_open(out, '[');
            for (uint32_t v = nodes[n].sibling; v && status == PLY_OK; v = nodes[v].sibling) {
                ply_json_open(out, '[');
                status = write_variation(record, state, v, false, out);
                ply_json_close(out, ']');
            }
            ply_json_close(out, ']');
        }
        ply_json_close(out, '}');
        if (status == PLY_OK)
            status = ply_state_play(state, nodes[n].move);
    }
    if (is_main && status == PLY_OK)
        write_special(record, state->position, out);
    while (state->plies > plies)
        ply_state_undo(state);
    return status;
}

static void write_position(const shogi_position *p, ply_text *out)
{
    ply_json_name(out, "data");
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "color", p->side);
    ply_json_name(out, "board");
    ply_json_open(out, '[');
    for (int file = 1; file <= SHOGI_SIDE; file++) {
        ply_json_open(out, '[');
        for (int rank = 0; rank < SHOGI_SIDE; rank++) {
            int code = p->board[shogi_square(9 - file, rank)];
            ply_json_open(out, '{');
            if (code != SHOGI_CODE_EMPTY) {
                ply_json_member_unsigned(out, "color", (uint64_t)shogi_code_owner(code));
                ply_json_member_string(out, "kind", shogi_csa_name(code));
            }
            ply_json_close(out, '}');
        }
        ply_json_close(out, ']');
    }
    ply_json_close(out, ']');
    ply_json_name(out, "hands");
    ply_json_open(out, '[');
    for (int colour = 0; colour < 2; colour++) {
        ply_json_open(out, '{');
        for (int kind = 0; kind < SHOGI_KING; kind++)
            ply_json_member_unsigned(out, shogi_csa_name(kind),
                                     shogi_hand_count(p->hand[colour], kind));
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}

static void write_initial(const ply_record *record, const shogi_position *p, ply_text *out)
{
    const ply_variant *variant = shogi_kifu_start_variant(record);
    const char *preset = variant ? shogi_kifu_variant_jkf(variant) : NULL;
    ply_json_name(out, "initial");
    ply_json_open(out, '{');
    ply_json_member_string(out, "preset", preset ? preset : "OTHER");
    if (!preset)
        write_position(p, out);
    ply_json_close(out, '}');
}

ply_status shogi_kifu_write_jkf(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    /* Built in a text of its own: the JSON writer looks at the preceding text to place commas. */
    ply_text game = ply_text_growing();
    ply_json_open(&game, '{');
    ply_json_name(&game, "header");
    ply_json_open(&game, '{');
    for (size_t i = 0; i < record->tag_count; i++)
        ply_json_member_string(&game, shogi_kifu_tag_to_kanji(record->tags[i].name),
                               record->tags[i].value);
    ply_json_close(&game, '}');
    write_initial(record, state.position, &game);
    ply_json_name(&game, "moves");
    ply_json_open(&game, '[');
    ply_json_open(&game, '{');
    write_comments(record->nodes[0].comment, &game);
    ply_json_close(&game, '}');
    status = write_variation(record, &state, record->nodes[0].child, true, &game);
    ply_json_close(&game, ']');
    ply_json_close(&game, '}');
    ply_text_char(&game, '\n');
    if (game.failed)
        status = PLY_NO_MEMORY;
    ply_text_bytes(out, ply_text_cstr(&game), status == PLY_OK ? game.length : 0);
    ply_text_free(&game);
    ply_state_free(&state);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}
