/* SPDX-License-Identifier: MIT */
/*
 * kif_read.c - KIF and KI2, the formats of Kakinoki's programs and of most Japanese records.
 *
 *     手合割：平手                                 手合割：平手
 *     先手：羽生                                   先手：羽生
 *     手数----指手---------消費時間--              ▲７六歩    △３四歩    ▲２二角成
 *        1 ７六歩(77)   ( 0:03/00:00:03)          *comment
 *     *comment                                     まで3手で先手の勝ち
 *        2 ３四歩(33)   ( 0:05/00:00:05)
 *        3 投了
 *     変化：2手                                    a variation from move 2 of the line above
 *        2 ８四歩(83)
 *
 * A start that is no handicap is a diagram. Several games follow each other; a header line after
 * moves begins the next one.
 */
#include "games/shogi/notation/record_reader.h"
#include <stdlib.h>
#include <string.h>

/* --- what both read ------------------------------------------------------------------------- */
static bool contains(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

/* まで77手で先手の勝ち: KI2 has no other word on the end. */
static ply_status read_summary(kifu_reader *r, kifu_header *h)
{
    static const struct {
        const char *word, *id;
    } reasons[] = {{"中断", "interrupted"},  {"千日手", "repetition"},
                   {"持将棋", "impasse"},    {"引き分け", "draw"},
                   {"反則", "illegal-move"}, {"時間切れ", "timeout"},
                   {"切れ負け", "timeout"},  {"入玉", "entering-king"},
                   {"不戦", "no-show"},      {"不詰", "no-mate"},
                   {"詰", "mate"},           {"最大手数", "ply-limit"},
                   {"トライ", "try"}};
    const char *text;
    size_t length = shogi_kifu_rest(&r->line, &text);
    if (r->record->ending || h->variation)
        return PLY_OK;
    const char *id = NULL;
    for (size_t i = 0; !id && i < sizeof reasons / sizeof reasons[0]; i++)
        if (contains(text, length, reasons[i].word))
            id = reasons[i].id;
    ply_result result = PLY_ONGOING;
    if (contains(text, length, "先手の勝ち") || contains(text, length, "下手の勝ち"))
        result = PLY_FIRST_WINS;
    else if (contains(text, length, "後手の勝ち") || contains(text, length, "上手の勝ち"))
        result = PLY_SECOND_WINS;
    else if (id && (strcmp(id, "repetition") == 0 || strcmp(id, "impasse") == 0 ||
                    strcmp(id, "draw") == 0 || strcmp(id, "ply-limit") == 0))
        result = PLY_DRAW;
    if (!id && result == PLY_ONGOING)
        return PLY_OK;
    return shogi_kifu_no_memory(&r->line,
                                ply_record_set_ending(r->record, result, id ? id : "resign"));
}

static ply_status read_handicap(kifu_reader *r, kifu_header *h)
{
    const char *word;
    ply_cursor at = r->line;
    size_t length = shogi_kifu_rest(&r->line, &word);
    const ply_variant *variant = shogi_kifu_variant_by_kanji(word, length);
    h->has_handicap = true;
    h->needs_diagram = variant == NULL;
    h->handicap = at;
    if (variant)
        r->record->rules.variant = variant;
    return PLY_OK;
}

static ply_status read_variation(kifu_reader *r, kifu_header *h)
{
    uint64_t number;
    ply_cursor at = r->line;
    shogi_kifu_skip_blanks(&r->line);
    if (!ply_cursor_number(&r->line, 1000000, &number) || number == 0)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected the number of a move after 変化：");
    ply_status status = shogi_kifu_begin_moves(r, h);
    if (status != PLY_OK)
        return status;
    if (number > r->state.plies + 1)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "a variation from move %llu; there are %zu moves",
                               (unsigned long long)number, r->state.plies);
    shogi_kifu_go_back(r, (size_t)number - 1);
    h->variation = true;
    return PLY_OK;
}

static ply_status read_tag(kifu_reader *r, kifu_header *h, bool *is_tag)
{
    ply_cursor *c = &r->line;
    const char *line = c->text + c->at;
    size_t length = c->length - c->at;
    const char *wide = memmem(line, length, "：", 3), *narrow = memchr(line, ':', length);
    const char *colon = wide && (!narrow || wide < narrow) ? wide : narrow;
    *is_tag = colon != NULL && colon > line;
    if (!*is_tag || h->started)
        return PLY_OK;
    const char *value;
    size_t name_length = (size_t)(colon - line);
    while (c->text + c->at < colon)
        ply_cursor_take(c);
    if (!ply_cursor_accept(c, ':'))
        ply_cursor_accept_word(c, "：");
    size_t value_length = shogi_kifu_rest(c, &value);
    const char *name = shogi_kifu_tag_from_kanji(line, name_length);
    return shogi_kifu_no_memory(c, ply_record_set_tag(r->record, name ? name : line,
                                                      name ? strlen(name) : name_length, value,
                                                      value_length));
}

ply_status shogi_kifu_begin_moves(kifu_reader *r, kifu_header *h)
{
    if (h->started)
        return PLY_OK;
    h->started = true;
    if (h->diagram.seen) {
        ply_status status = shogi_kifu_diagram_finish(&h->diagram, &r->line);
        if (status == PLY_OK)
            status = shogi_kifu_set_start(r, &h->diagram.position);
        if (status != PLY_OK)
            return status;
    } else if (h->needs_diagram) {
        return ply_cursor_fail(&h->handicap, PLY_BAD_TEXT,
                               "an unknown handicap, and no board is drawn");
    }
    return shogi_kifu_need_state(r);
}

ply_status shogi_kifu_common_line(kifu_reader *r, kifu_header *h, kifu_line_kind *kind)
{
    static const char *const marks[] = {"▲", "△", "▼", "▽", "☗", "☖"};
    ply_cursor *c = &r->line;
    ply_cursor start = *c;
    const char *rest;
    *kind = KIFU_LINE_DONE;
    if (ply_cursor_accept(c, '*')) {
        size_t length = c->length - c->at;
        return shogi_kifu_add_comment(r, c->text + c->at, length);
    }
    if (ply_cursor_accept(c, '#') || ply_cursor_accept(c, '&'))
        return PLY_OK;
    bool used = false;
    ply_status status = PLY_OK;
    ply_cursor peeked = *c;
    if (ply_cursor_peek(c) == '|' || ply_cursor_peek(c) == '+' ||
        ply_cursor_accept_word(&peeked, "先手") || ply_cursor_accept_word(&peeked, "後手") ||
        ply_cursor_accept_word(&peeked, "上手") || ply_cursor_accept_word(&peeked, "下手") ||
        ply_cursor_accept_word(&peeked, "  ９")) {
        if (h->started) {
            *kind = KIFU_LINE_NEXT;
            return PLY_OK;
        }
        status = shogi_kifu_diagram_line(&h->diagram, c, &used);
        if (status != PLY_OK || used)
            return status;
    }
    shogi_kifu_skip_blanks(c);
    if (ply_cursor_done(c))
        return PLY_OK;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        peeked = *c;
        if (ply_cursor_accept_word(&peeked, marks[i]))
            *kind = KIFU_LINE_MOVES;
    }
    int digit = ply_cursor_peek(c);
    if (*kind == KIFU_LINE_MOVES || (digit >= '0' && digit <= '9')) {
        *kind = KIFU_LINE_MOVES;
        return PLY_OK;
    }
    if (ply_cursor_accept_word(c, "手数＝"))
        return PLY_OK; /* below a diagram: which move it shows */
    if (ply_cursor_accept_word(c, "変化：") || ply_cursor_accept_word(c, "変化:"))
        return read_variation(r, h);
    if (ply_cursor_accept_word(c, "まで")) {
        status = shogi_kifu_begin_moves(r, h); /* a game of no moves may end too */
        return status == PLY_OK ? read_summary(r, h) : status;
    }
    bool is_tag = false;
    if (ply_cursor_accept_word(c, "手数----")) {
        is_tag = h->started;
        if (!is_tag)
            return shogi_kifu_begin_moves(r, h); /* there may be none */
    } else if (ply_cursor_accept_word(c, "手合割：") || ply_cursor_accept_word(c, "手合割:")) {
        if (!h->started && !h->has_handicap)
            return read_handicap(r, h);
        *kind = KIFU_LINE_NEXT;
        return PLY_OK;
    } else {
        status = read_tag(r, h, &is_tag);
        if (status == PLY_OK && !is_tag) {
            shogi_kifu_rest(c, &rest);
            return ply_cursor_fail(&start, PLY_BAD_TEXT,
                                   "expected a header, a move, a comment or まで");
        }
    }
    if (status == PLY_OK && is_tag && h->started)
        *kind = KIFU_LINE_NEXT;
    return status;
}

/* Reads lines to the end of a game, handing those with moves to `moves`. */
static ply_status read_game(ply_cursor *cursor, ply_record *record, bool *found,
                            ply_status (*moves)(kifu_reader *, kifu_header *))
{
    kifu_reader r;
    kifu_header h = {.started = false};
    shogi_kifu_open(&r, cursor, record);
    shogi_kifu_diagram_init(&h.diagram);
    ply_status status = PLY_OK;
    bool more = true;
    *found = false;
    while (status == PLY_OK) {
        kifu_line_kind kind = KIFU_LINE_DONE;
        status = shogi_kifu_next_line(&r, &more);
        if (status != PLY_OK || !more)
            break;
        ply_cursor start = r.line;
        const char *rest;
        if (shogi_kifu_rest(&start, &rest) == 0)
            continue;
        *found = true;
        status = shogi_kifu_common_line(&r, &h, &kind);
        if (status == PLY_OK && h.illegal.status != PLY_OK && kind == KIFU_LINE_DONE &&
            !record->ending)
            continue; /* comments between an illegal move and the word for it */
        if (status == PLY_OK && kind == KIFU_LINE_MOVES) {
            status = shogi_kifu_begin_moves(&r, &h);
            if (status == PLY_OK)
                status = moves(&r, &h);
        }
        if (kind == KIFU_LINE_NEXT) {
            shogi_kifu_put_back(&r);
            break;
        }
    }
    if (status == PLY_OK && *found)
        status = shogi_kifu_begin_moves(&r, &h);
    if (status == PLY_OK && h.illegal.status != PLY_OK &&
        !(record->ending && strcmp(record->ending, "illegal-move") == 0)) {
        /* The move that could not be played was not called illegal: the file is wrong. */
        if (cursor->error)
            *cursor->error = h.illegal;
        status = h.illegal.status;
    }
    shogi_kifu_close(&r);
    return status;
}

/* --- KIF ------------------------------------------------------------------------------------ */
/* ( 1:05/00:02:10): what the move took, hours being allowed too. */
static void read_time(kifu_reader *r)
{
    ply_cursor *c = &r->line;
    uint64_t part, seconds = 0;
    shogi_kifu_skip_blanks(c);
    if (!ply_cursor_accept(c, '('))
        return;
    do {
        shogi_kifu_skip_blanks(c);
        if (!ply_cursor_number(c, 100000, &part))
            return;
        seconds = seconds * 60 + part;
    } while (ply_cursor_accept(c, ':'));
    uint64_t millis = 0;
    if (ply_cursor_accept(c, '.') && ply_cursor_number(c, 999, &part))
        millis = part;
    if (seconds < 2000000 && r->node)
        r->record->nodes[r->node].millis = (int32_t)(seconds * 1000 + millis);
}

/*
 * A move that is not legal is kept aside: if the next word of the file is 反則 the game ended by
 * it, with a comment that says so; otherwise the file is wrong.
 */
static ply_status keep_illegal(kifu_reader *r, kifu_header *h, ply_cursor *at, ply_status status)
{
    static const char words[] = "illegal move: ";
    if (status != PLY_ILLEGAL_MOVE || !at->error)
        return status;
    h->illegal = *at->error;
    char text[300];
    ply_text note = ply_text_fixed(text, sizeof text);
    ply_text_format(&note, "%s%s", words, h->illegal.message);
    return shogi_kifu_add_comment(r, text, strlen(text));
}

static ply_status read_kif_move(kifu_reader *r, kifu_header *h)
{
    ply_cursor *c = &r->line;
    uint64_t number;
    ply_cursor at = *c;
    if (!ply_cursor_number(c, 1000000, &number))
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected the number of a move");
    bool blank = shogi_kifu_skip_blanks(c);
    if (!blank)
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a blank after the number");
    ply_cursor at_move = *c;
    const char *word;
    size_t length = ply_cursor_word(c, &word);
    /* A full-width blank ends a word too. */
    const char *wide = memmem(word, length, "　", 3);
    const kifu_ending *ending =
        shogi_kifu_ending_by_kanji(word, wide ? (size_t)(wide - word) : length);
    if (ending) {
        const shogi_position *p = r->state.position;
        if (h->variation)
            return PLY_OK;
        /* After an illegal move that was not played, the turn is still its player's. */
        if (h->illegal.status != PLY_OK && strcmp(ending->id, "illegal-move") == 0)
            ending = shogi_kifu_ending_by_csa("ILLEGAL_MOVE", 12);
        return shogi_kifu_no_memory(c, shogi_kifu_set_ending(r->record, ending, p->side));
    }
    if (h->illegal.status != PLY_OK) {
        if (c->error)
            *c->error = h->illegal;
        return h->illegal.status;
    }
    if (number != r->state.plies + 1)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "move %llu where %zu was expected",
                               (unsigned long long)number, r->state.plies + 1);
    *c = at_move;
    ply_move move;
    ply_status status =
        shogi_kifu_parse_kanji_move(r->state.position, c, shogi_kifu_last_move(r), &move);
    if (status == PLY_OK)
        status = shogi_kifu_add_move(r, move, &at_move);
    if (status != PLY_OK)
        return h->variation ? status : keep_illegal(r, h, &at_move, status);
    read_time(r);
    return PLY_OK;
}

ply_status shogi_kifu_read_kif(ply_cursor *cursor, ply_record *record, bool *found)
{
    return read_game(cursor, record, found, read_kif_move);
}

/* --- KI2 ------------------------------------------------------------------------------------ */
static bool accept_mark(ply_cursor *c)
{
    return ply_cursor_accept_word(c, "▲") || ply_cursor_accept_word(c, "△") ||
           ply_cursor_accept_word(c, "▼") || ply_cursor_accept_word(c, "▽") ||
           ply_cursor_accept_word(c, "☗") || ply_cursor_accept_word(c, "☖");
}

static ply_status read_ki2_moves(kifu_reader *r, kifu_header *h)
{
    (void)h;
    ply_cursor *c = &r->line;
    for (shogi_kifu_skip_blanks(c); !ply_cursor_done(c); shogi_kifu_skip_blanks(c)) {
        if (!accept_mark(c))
            return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a move that begins with ▲ or △");
        ply_cursor at = *c;
        ply_move move;
        ply_status status =
            shogi_kifu_parse_kanji_move(r->state.position, c, shogi_kifu_last_move(r), &move);
        if (status == PLY_OK)
            status = shogi_kifu_add_move(r, move, &at);
        if (status != PLY_OK)
            return status;
    }
    return PLY_OK;
}

ply_status shogi_kifu_read_ki2(ply_cursor *cursor, ply_record *record, bool *found)
{
    return read_game(cursor, record, found, read_ki2_moves);
}
