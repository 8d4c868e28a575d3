/* SPDX-License-Identifier: MIT */
/*
 * kif_read.c - reading KIF and KI2, the formats of Kakinoki's programs and of most Japanese records.
 *
 *     KIF                                          KI2
 *
 *     手合割：平手                                 手合割：平手
 *     先手：羽生                                   先手：羽生
 *     手数----指手---------消費時間--              ▲７六歩    △３四歩    ▲２二角成
 *        1 ７六歩(77)   ( 0:03/00:00:03)           *comment
 *     *comment                                     まで3手で先手の勝ち
 *        2 ３四歩(33)   ( 0:05/00:00:05)
 *        3 投了
 *     変化：2手                                    variation: an alternative to move 2 above
 *        2 ８四歩(83)
 *
 * A start position that is not a handicap is drawn as a board diagram. A file may hold several
 * games; a header line after moves begins the next game.
 */
#include "games/shogi/notation/record_reader.h"
#include <stdlib.h>
#include <string.h>

/* The part of a game that precedes its moves, and where in the game the reader is. */
typedef struct kifu_header {
    kifu_diagram diagram;
    bool started;   /* moves have begun */
    bool variation; /* after 変化 */
    bool has_handicap;
    bool needs_diagram;         /* the handicap is not a known one */
    const ply_variant *variant; /* of the handicap; NULL if it is not a known one */
    ply_cursor handicap;        /* where it stands */
    ply_cursor line;            /* the beginning of the current line */
} kifu_header;

/* --- lines that KIF and KI2 share ----------------------------------------------------------- */
/*
 * A line of text is read by the first rule whose prefix it has. The reader of a rule begins behind
 * the prefix. It sets *result unless the line is done.
 */
typedef enum line_result {
    LINE_DONE,      /* has been read */
    LINE_MOVES,     /* has moves, for the format to read */
    LINE_NEXT_GAME, /* belongs to the next game */
    LINE_UNKNOWN,   /* is something else; the cursor is back at the beginning of the line */
} line_result;

typedef ply_status line_reader(kifu_reader *r, kifu_header *h, line_result *result);

typedef struct line_rule {
    const char *prefix;
    line_reader *read;
} line_rule;

static bool contains(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

/* Sets up the start position before the first move. Does nothing if moves have begun. */
static ply_status begin_moves(kifu_reader *r, kifu_header *h)
{
    if (h->started)
        return PLY_OK;
    h->started = true;
    if (h->diagram.present) {
        ply_status status = shogi_kifu_diagram_finish(&h->diagram, &r->line);
        if (status == PLY_OK)
            status = shogi_kifu_set_start(r, &h->diagram.position);
        if (status != PLY_OK)
            return status;
    } else if (h->needs_diagram) {
        return ply_cursor_fail(&h->handicap, PLY_BAD_TEXT,
                               "unknown handicap, and there is no board diagram");
    }
    return shogi_kifu_ensure_state(r);
}

/* Reads a summary such as まで77手で先手の勝ち, the only place where KI2 tells the ending. */
static ply_status read_summary(kifu_reader *r, kifu_header *h, line_result *line)
{
    (void)line;
    static const struct {
        const char *word, *id;
    } reasons[] = {{"中断", "interrupted"},  {"千日手", "repetition"},
                   {"持将棋", "impasse"},    {"引き分け", "draw"},
                   {"反則", "illegal-move"}, {"時間切れ", "timeout"},
                   {"切れ負け", "timeout"},  {"入玉", "entering-king"},
                   {"不戦", "no-show"},      {"不詰", "no-mate"},
                   {"詰", "mate"},           {"最大手数", "ply-limit"},
                   {"トライ", "try"},        {"封じ手", "sealed-move"},
                   {"待った", "takeback"},   {"エラー", "error"}};
    const char *text;
    ply_status status = begin_moves(r, h); /* a game without moves may have an ending too */
    if (status != PLY_OK)
        return status;
    size_t length = shogi_kifu_trimmed_rest(&r->line, &text);
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
    else if (id && strcmp(id, "mate") == 0) /* of the player to move */
        result = ((const shogi_position *)r->state.position)->side == SHOGI_BLACK ? PLY_SECOND_WINS
                                                                                  : PLY_FIRST_WINS;
    if (!id && result == PLY_ONGOING)
        return PLY_OK;
    return shogi_kifu_check(&r->line, ply_record_set_ending(r->record, result, id ? id : "resign"));
}

static ply_status read_handicap(kifu_reader *r, kifu_header *h, line_result *result)
{
    const char *word;
    ply_cursor at = r->line;
    size_t length = shogi_kifu_trimmed_rest(&r->line, &word);
    const ply_variant *variant = shogi_kifu_variant_by_kanji(word, length);
    /* Some programs write the same handicap twice. Another one belongs to another game. */
    if (h->started || (h->has_handicap && variant != h->variant)) {
        *result = LINE_NEXT_GAME;
        return PLY_OK;
    }
    h->has_handicap = true;
    h->needs_diagram = variant == NULL;
    h->variant = variant;
    h->handicap = at;
    if (variant)
        r->record->rules.variant = variant;
    return PLY_OK;
}

static ply_status read_variation(kifu_reader *r, kifu_header *h, line_result *result)
{
    (void)result;
    uint64_t number;
    ply_cursor at = r->line;
    shogi_kifu_skip_space(&r->line);
    if (!ply_cursor_number(&r->line, 1000000, &number) || number == 0)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a move number after 変化：");
    ply_status status = begin_moves(r, h);
    if (status != PLY_OK)
        return status;
    if (number > r->state.plies + 1)
        return ply_cursor_fail(&at, PLY_BAD_TEXT,
                               "the variation starts at move %llu, but the last move is %zu",
                               (unsigned long long)number, r->state.plies);
    shogi_kifu_rewind(r, (size_t)number - 1);
    h->variation = true;
    return PLY_OK;
}

static ply_status read_comment_line(kifu_reader *r, kifu_header *h, line_result *result)
{
    (void)h, (void)result;
    return shogi_kifu_add_comment(r, r->line.text + r->line.at, r->line.length - r->line.at);
}

static ply_status ignore_line(kifu_reader *r, kifu_header *h, line_result *result)
{
    (void)r, (void)h, (void)result;
    return PLY_OK;
}

/* A line of a diagram, or a tag that begins with the name of a player. */
static ply_status read_diagram_line(kifu_reader *r, kifu_header *h, line_result *result)
{
    r->line = h->line;
    if (h->started) {
        *result = LINE_NEXT_GAME;
        return PLY_OK;
    }
    bool used = false;
    ply_status status = shogi_kifu_diagram_line(&h->diagram, &r->line, &used);
    if (!used)
        *result = LINE_UNKNOWN;
    return status;
}

/* The heading of the columns of moves, of which there may be none. */
static ply_status read_moves_heading(kifu_reader *r, kifu_header *h, line_result *result)
{
    if (!h->started)
        return begin_moves(r, h);
    *result = LINE_NEXT_GAME;
    return PLY_OK;
}

/* Any line with a colon that no rule matches is a tag. */
static ply_status read_tag(kifu_reader *r, kifu_header *h, line_result *result)
{
    ply_cursor *c = &r->line;
    const char *line = c->text + c->at;
    size_t length = c->length - c->at;
    const char *wide = memmem(line, length, "：", 3), *narrow = memchr(line, ':', length);
    const char *colon = wide && (!narrow || wide < narrow) ? wide : narrow;
    if (colon == NULL || colon == line) {
        *result = LINE_UNKNOWN;
        return PLY_OK;
    }
    *result = h->started ? LINE_NEXT_GAME : LINE_DONE;
    if (h->started)
        return PLY_OK;
    const char *value;
    size_t name_length = (size_t)(colon - line);
    while (c->text + c->at < colon)
        ply_cursor_take(c);
    if (!ply_cursor_accept(c, ':'))
        ply_cursor_accept_word(c, "：");
    size_t value_length = shogi_kifu_trimmed_rest(c, &value);
    const char *name = shogi_kifu_tag_from_kanji(line, name_length);
    return shogi_kifu_check(c, ply_record_set_tag(r->record, name ? name : line,
                                                  name ? strlen(name) : name_length, value,
                                                  value_length));
}

/* clang-format off */
/* Prefixes at the very beginning of a line. */
static const line_rule first_rules[] = {
    {"*", read_comment_line},
    {"#", ignore_line},
    {"&", ignore_line},          /* a bookmark */
    {"|", read_diagram_line},
    {"+", read_diagram_line},
    {"  ９", read_diagram_line},
    {"先手", read_diagram_line}, /* a hand, the player to move, or a tag */
    {"下手", read_diagram_line},
    {"後手", read_diagram_line},
    {"上手", read_diagram_line},
};

/* Prefixes that may follow spaces. */
static const line_rule later_rules[] = {
    {"手合割：", read_handicap},
    {"手合割:", read_handicap},
    {"手数----", read_moves_heading},
    {"手数＝", ignore_line},     /* below a diagram: which move it shows */
    {"盤面回転", ignore_line},   /* the board is shown from the other side */
    {"変化：", read_variation},
    {"変化:", read_variation},
    {"まで", read_summary},
};
/* clang-format on */

enum {
    FIRST_RULES = sizeof first_rules / sizeof first_rules[0],
    LATER_RULES = sizeof later_rules / sizeof later_rules[0],
};

static ply_status read_by_rules(const line_rule *rules, size_t count, kifu_reader *r,
                                kifu_header *h, line_result *result)
{
    for (size_t i = 0; i < count; i++)
        if (ply_cursor_accept_word(&r->line, rules[i].prefix)) {
            *result = LINE_DONE;
            return rules[i].read(r, h, result);
        }
    *result = LINE_UNKNOWN;
    return PLY_OK;
}

/* The mark of a player in front of a KI2 move. */
static bool accept_mark(ply_cursor *c)
{
    return ply_cursor_accept_word(c, "▲") || ply_cursor_accept_word(c, "△") ||
           ply_cursor_accept_word(c, "▼") || ply_cursor_accept_word(c, "▽") ||
           ply_cursor_accept_word(c, "☗") || ply_cursor_accept_word(c, "☖");
}

static ply_status read_line(kifu_reader *r, kifu_header *h, line_result *result)
{
    h->line = r->line;
    ply_status status = read_by_rules(first_rules, FIRST_RULES, r, h, result);
    if (status != PLY_OK || *result != LINE_UNKNOWN)
        return status;
    shogi_kifu_skip_space(&r->line);
    ply_cursor ahead = r->line;
    int next = ply_cursor_peek(&ahead);
    if (next < 0 || (next >= '0' && next <= '9') || accept_mark(&ahead)) {
        *result = next < 0 ? LINE_DONE : LINE_MOVES;
        return PLY_OK;
    }
    status = read_by_rules(later_rules, LATER_RULES, r, h, result);
    if (status == PLY_OK && *result == LINE_UNKNOWN)
        status = read_tag(r, h, result);
    if (status == PLY_OK && *result == LINE_UNKNOWN)
        status =
            ply_cursor_fail(&h->line, PLY_BAD_TEXT, "expected a header, a move, a comment or まで");
    return status;
}

/* Reads a move and adds it to the record. */
static ply_status read_kanji_move(kifu_reader *r)
{
    ply_cursor at = r->line;
    ply_move move;
    ply_status status =
        shogi_kifu_parse_kanji_move(r->state.position, &r->line, shogi_kifu_last_move(r), &move);
    return status == PLY_OK ? shogi_kifu_add_move(r, move, &at) : status;
}

/* A sealed move was not the end if the game went on: a move has just been read. */
static ply_status reopen_after_sealed_move(kifu_reader *r, const kifu_header *h)
{
    ply_record *record = r->record;
    if (h->variation || !record->ending || strcmp(record->ending, "sealed-move") != 0)
        return PLY_OK;
    record->nodes[0].millis = -1;
    return shogi_kifu_check(&r->line, ply_record_set_ending(record, PLY_ONGOING, NULL));
}

/* Reads one game and hands the lines that have moves to `read_moves`. */
static ply_status read_game(ply_cursor *cursor, ply_record *record, bool *found,
                            ply_status (*read_moves)(kifu_reader *, kifu_header *))
{
    kifu_reader r;
    kifu_header h = {.started = false};
    shogi_kifu_open(&r, cursor, record);
    shogi_kifu_diagram_init(&h.diagram);
    ply_status status = PLY_OK;
    bool more = true;
    *found = false;
    while (status == PLY_OK) {
        line_result result = LINE_DONE;
        status = shogi_kifu_next_line(&r, &more);
        if (status != PLY_OK || !more)
            break;
        ply_cursor start = r.line;
        const char *rest;
        if (shogi_kifu_trimmed_rest(&start, &rest) == 0)
            continue;
        *found = true;
        status = read_line(&r, &h, &result);
        if (status == PLY_OK && result == LINE_MOVES) {
            status = begin_moves(&r, &h);
            if (status == PLY_OK)
                status = read_moves(&r, &h);
        }
        if (result == LINE_NEXT_GAME) {
            shogi_kifu_unread_line(&r);
            break;
        }
    }
    if (status == PLY_OK && *found)
        status = begin_moves(&r, &h);
    /* An illegal move is an error unless the file calls it illegal. */
    if (status == PLY_OK && r.illegal.status != PLY_OK &&
        !(record->ending && strcmp(record->ending, "illegal-move") == 0))
        status = shogi_kifu_report_illegal(&r, cursor);
    shogi_kifu_close(&r);
    return status;
}

/* --- KIF ------------------------------------------------------------------------------------ */
/* Reads the time a move took, as in ( 1:05/00:02:10), with minutes and seconds or also hours. */
static void read_time(kifu_reader *r, uint32_t node)
{
    ply_cursor *c = &r->line;
    uint64_t part, seconds = 0;
    shogi_kifu_skip_space(c);
    if (!ply_cursor_accept(c, '('))
        return;
    do {
        shogi_kifu_skip_space(c);
        if (!ply_cursor_number(c, 100000, &part))
            return;
        seconds = seconds * 60 + part;
    } while (ply_cursor_accept(c, ':'));
    uint64_t millis = 0;
    if (ply_cursor_accept(c, '.') && ply_cursor_number(c, 999, &part))
        millis = part;
    if (seconds < 2000000)
        r->record->nodes[node].millis = (int32_t)(seconds * 1000 + millis);
}

static ply_status read_kif_ending(kifu_reader *r, kifu_header *h, const kifu_ending *ending)
{
    const shogi_position *p = r->state.position;
    int turn = p->side;
    if (h->variation)
        return PLY_OK;
    read_time(r, 0);
    /* An illegal move was not played, so it is still the turn of the player at fault. */
    if (r->illegal.status != PLY_OK && strcmp(ending->id, "illegal-move") == 0)
        ending = shogi_kifu_ending_by_csa("ILLEGAL_MOVE", 12, &turn);
    return shogi_kifu_check(&r->line, shogi_kifu_set_ending(r->record, ending, turn));
}

static ply_status read_kif_move(kifu_reader *r, kifu_header *h)
{
    ply_cursor *c = &r->line;
    uint64_t number;
    ply_cursor at = *c;
    if (!ply_cursor_number(c, 1000000, &number))
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a move number");
    if (!shogi_kifu_skip_space(c))
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a space after the move number");
    ply_cursor at_move = *c;
    const char *word;
    size_t length = ply_cursor_word(c, &word);
    /* A full-width space ends a word too. */
    const char *wide = memmem(word, length, "　", 3);
    const kifu_ending *ending =
        shogi_kifu_ending_by_kanji(word, wide ? (size_t)(wide - word) : length);
    if (ending && wide)
        c->at -= length - (size_t)(wide - word);
    if (ending)
        return read_kif_ending(r, h, ending);
    if (r->illegal.status != PLY_OK)
        return shogi_kifu_report_illegal(r, c);
    if (number != r->state.plies + 1)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "found move %llu, expected move %zu",
                               (unsigned long long)number, r->state.plies + 1);
    *c = at_move;
    ply_status status = read_kanji_move(r);
    if (status != PLY_OK)
        return h->variation ? status : shogi_kifu_defer_illegal(r, status, &at_move);
    status = reopen_after_sealed_move(r, h);
    if (status == PLY_OK)
        read_time(r, r->node);
    return status;
}

ply_status shogi_kifu_read_kif(ply_cursor *cursor, ply_record *record, bool *found)
{
    return read_game(cursor, record, found, read_kif_move);
}

/* --- KI2 ------------------------------------------------------------------------------------ */
static ply_status read_ki2_moves(kifu_reader *r, kifu_header *h)
{
    ply_cursor *c = &r->line;
    for (shogi_kifu_skip_space(c); !ply_cursor_done(c); shogi_kifu_skip_space(c)) {
        if (!accept_mark(c))
            return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a move that begins with ▲ or △");
        ply_status status = read_kanji_move(r);
        if (status == PLY_OK)
            status = reopen_after_sealed_move(r, h);
        if (status != PLY_OK)
            return status;
    }
    return PLY_OK;
}

ply_status shogi_kifu_read_ki2(ply_cursor *cursor, ply_record *record, bool *found)
{
    return read_game(cursor, record, found, read_ki2_moves);
}
