/* SPDX-License-Identifier: MIT */
/* record_reader.c - reading lines, building records, and the words of the formats. */
#include "games/shogi/notation/record_reader.h"
#include <stdlib.h>
#include <string.h>

/* --- lines ---------------------------------------------------------------------------------- */
enum { DETECTION_BYTES = 1 << 16 }; /* bytes that encoding detection examines */

void shogi_kifu_open(kifu_reader *r, ply_cursor *file, ply_record *record)
{
    *r = (kifu_reader){.file = file, .record = record, .converted = ply_text_growing()};
    size_t length = file->length - file->at;
    r->encoding = ply_encoding_detect(file->text + file->at,
                                      length < DETECTION_BYTES ? length : DETECTION_BYTES);
    ply_cursor_accept_word(file, "\xEF\xBB\xBF"); /* a byte order mark */
}

void shogi_kifu_close(kifu_reader *r)
{
    ply_text_free(&r->converted);
    if (r->has_state)
        ply_state_free(&r->state);
    r->has_state = false;
}

ply_status shogi_kifu_check(ply_cursor *c, ply_status status)
{
    return status == PLY_OK ? status : ply_cursor_fail(c, status, "%s", ply_status_text(status));
}

ply_status shogi_kifu_next_line(kifu_reader *r, bool *more)
{
    ply_cursor *file = r->file;
    r->before = *file;
    *more = !ply_cursor_done(file);
    if (!*more)
        return PLY_OK;
    const char *start = file->text + file->at;
    size_t rest = file->length - file->at;
    const char *end = memchr(start, '\n', rest);
    size_t length = end ? (size_t)(end - start) : rest;
    r->line = *file;
    file->at += length + (end != NULL);
    file->line += end != NULL;
    file->column = 1;
    while (length > 0 && start[length - 1] == '\r')
        length--;
    if (r->encoding == PLY_ENCODING_UTF8) {
        r->line.length = r->line.at + length;
        if (!ply_encoding_is_utf8(start, length))
            return ply_cursor_fail(&r->line, PLY_BAD_TEXT, "the line is not UTF-8");
        return PLY_OK;
    }
    ply_text_clear(&r->converted);
    bool converted = r->encoding == PLY_ENCODING_EUC_JP
                         ? ply_encoding_from_euc_jp(start, length, &r->converted)
                         : ply_encoding_from_shift_jis(start, length, &r->converted);
    if (!converted)
        return ply_cursor_fail(&r->line, PLY_BAD_TEXT,
                               "the line is neither UTF-8 nor Shift_JIS nor EUC-JP");
    if (r->converted.failed)
        return shogi_kifu_check(&r->line, PLY_NO_MEMORY);
    r->line.text = ply_text_cstr(&r->converted);
    r->line.length = r->converted.length;
    r->line.at = 0;
    return PLY_OK;
}

void shogi_kifu_unread_line(kifu_reader *r)
{
    *r->file = r->before;
}

bool shogi_kifu_skip_space(ply_cursor *c)
{
    size_t before = c->at;
    while (ply_cursor_skip_space(c) > 0 || ply_cursor_accept_word(c, "　"))
        continue;
    return c->at > before;
}

size_t shogi_kifu_trimmed_rest(ply_cursor *c, const char **rest)
{
    shogi_kifu_skip_space(c);
    *rest = c->text + c->at;
    size_t length = c->length - c->at;
    while (length > 0) {
        if ((*rest)[length - 1] == ' ' || (*rest)[length - 1] == '\t')
            length--;
        else if (length >= 3 && memcmp(*rest + length - 3, "　", 3) == 0)
            length -= 3;
        else
            break;
    }
    c->at = c->length;
    return length;
}

/* --- building records ----------------------------------------------------------------------- */
ply_status shogi_kifu_set_start(kifu_reader *r, const shogi_position *p)
{
    ply_text text = ply_text_growing();
    shogi_format(NULL, p, &text);
    ply_status status = text.failed ? PLY_NO_MEMORY : PLY_OK;
    const ply_variant *variant = NULL;
    for (size_t i = 0; status == PLY_OK && (variant = shogi_variant_at(i)) != NULL; i++)
        if (strcmp(variant->data, ply_text_cstr(&text)) == 0)
            break;
    if (variant)
        r->record->rules.variant = variant;
    else if (status == PLY_OK)
        status = ply_record_set_start(r->record, ply_text_cstr(&text), text.length);
    ply_text_free(&text);
    return shogi_kifu_check(&r->line, status);
}

ply_status shogi_kifu_ensure_state(kifu_reader *r)
{
    if (r->has_state)
        return PLY_OK;
    ply_error error = {0};
    ply_status status = ply_record_start_state(r->record, &r->state, &error);
    if (status != PLY_OK)
        return ply_cursor_fail(&r->line, status, "%s", error.message);
    r->has_state = true;
    return PLY_OK;
}

ply_status shogi_kifu_add_move(kifu_reader *r, ply_move move, ply_cursor *at)
{
    ply_status status = shogi_kifu_ensure_state(r);
    if (status != PLY_OK)
        return status;
    if (!shogi_is_legal(r->state.position, move))
        return shogi_explain_illegal(r->state.position, move, at);
    status = ply_state_play(&r->state, move);
    if (status != PLY_OK)
        return shogi_kifu_check(at, status);
    const ply_record_node *nodes = r->record->nodes;
    for (uint32_t child = nodes[r->node].child; child; child = nodes[child].sibling)
        if (nodes[child].move == move) {
            r->node = child;
            return PLY_OK;
        }
    return shogi_kifu_check(at, ply_record_add(r->record, r->node, move, &r->node));
}

void shogi_kifu_rewind(kifu_reader *r, size_t plies)
{
    while (r->has_state && r->state.plies > plies) {
        ply_state_undo(&r->state);
        r->node = r->record->nodes[r->node].parent;
    }
}

ply_move shogi_kifu_last_move(const kifu_reader *r)
{
    return r->node ? r->record->nodes[r->node].move : PLY_MOVE_NONE;
}

ply_status shogi_kifu_add_comment(kifu_reader *r, const char *text, size_t length)
{
    return shogi_kifu_check(&r->line,
                            ply_record_add_comment_line(r->record, r->node, text, length));
}

ply_status shogi_kifu_defer_illegal(kifu_reader *r, ply_status status, const ply_cursor *at)
{
    char text[300];
    if (status != PLY_ILLEGAL_MOVE || !at->error)
        return status;
    r->illegal = *at->error;
    ply_text comment = ply_text_fixed(text, sizeof text);
    ply_text_format(&comment, "illegal move: %s", r->illegal.message);
    return shogi_kifu_add_comment(r, text, strlen(text));
}

ply_status shogi_kifu_report_illegal(const kifu_reader *r, ply_cursor *c)
{
    if (c->error)
        *c->error = r->illegal;
    return r->illegal.status;
}

/* --- endings -------------------------------------------------------------------------------- */
static const kifu_ending endings[] = {
    {"resign", "投了", "TORYO", KIFU_LOSS},
    {"interrupted", "中断", "CHUDAN", KIFU_UNDECIDED},
    {"repetition", "千日手", "SENNICHITE", KIFU_DRAW},
    {"impasse", "持将棋", "JISHOGI", KIFU_DRAW},
    {"mate", "詰み", "TSUMI", KIFU_LOSS},
    {"mate", "詰", NULL, KIFU_LOSS},
    {"no-mate", "不詰", "FUZUMI", KIFU_UNDECIDED},
    {"timeout", "切れ負け", "TIME_UP", KIFU_LOSS},
    {"illegal-move", "反則負け", "ILLEGAL_MOVE", KIFU_LOSS},
    {"illegal-move", "反則勝ち", NULL, KIFU_WIN},
    {"entering-king", "入玉勝ち", "KACHI", KIFU_WIN},
    {"draw", "引き分け", "HIKIWAKE", KIFU_DRAW},
    {"ply-limit", "最大手数", "MAX_MOVES", KIFU_DRAW},
    {"takeback", "待った", "MATTA", KIFU_UNDECIDED},
    {"error", "エラー", "ERROR", KIFU_UNDECIDED},
    {"sealed-move", "封じ手", "CHUDAN", KIFU_UNDECIDED}, /* CSA knows only the interruption */
    {"no-show", "不戦敗", NULL, KIFU_LOSS},
    {"no-show", "不戦勝", NULL, KIFU_WIN},
    {"try", "トライ", NULL, KIFU_LOSS},
    /* Only written: the formats have no words of their own for these. */
    {"no-move", "詰み", "TSUMI", KIFU_LOSS},
    {"perpetual-check", "反則負け", "ILLEGAL_MOVE", KIFU_LOSS},
    {"perpetual-check", "反則勝ち", NULL, KIFU_WIN},
};

enum { ENDINGS = sizeof endings / sizeof endings[0] };

static bool is_word(const char *known, const char *word, size_t length)
{
    return known && strlen(known) == length && memcmp(known, word, length) == 0;
}

const kifu_ending *shogi_kifu_ending_by_kanji(const char *word, size_t length)
{
    for (size_t i = 0; i < ENDINGS; i++)
        if (is_word(endings[i].kanji, word, length))
            return &endings[i];
    return NULL;
}

const kifu_ending *shogi_kifu_ending_by_csa(const char *word, size_t length, int *turn)
{
    static const char illegal_action[] = "ILLEGAL_ACTION", illegal_move[] = "ILLEGAL_MOVE";
    if (length > 0 && is_word(illegal_action, word + 1, length - 1)) {
        *turn = word[0] == '+' ? SHOGI_BLACK : SHOGI_WHITE;
        word = illegal_move;
        length = strlen(illegal_move);
    }
    for (size_t i = 0; i < ENDINGS; i++)
        if (is_word(endings[i].csa, word, length))
            return &endings[i];
    return NULL;
}

static kifu_effect effect_of(ply_result result, int turn)
{
    if (result == PLY_ONGOING)
        return KIFU_UNDECIDED;
    if (result == PLY_DRAW)
        return KIFU_DRAW;
    return (result == PLY_FIRST_WINS) == (turn == SHOGI_BLACK) ? KIFU_WIN : KIFU_LOSS;
}

const kifu_ending *shogi_kifu_ending_of(const ply_record *record, int turn)
{
    kifu_effect effect = effect_of(record->result, turn);
    for (size_t i = 0; record->ending && i < ENDINGS; i++)
        if (strcmp(endings[i].id, record->ending) == 0 && endings[i].effect == effect)
            return &endings[i];
    for (size_t i = 0; i < ENDINGS; i++)
        if (endings[i].effect == effect && effect != KIFU_UNDECIDED && effect != KIFU_WIN &&
            (effect != KIFU_DRAW || strcmp(endings[i].id, "draw") == 0))
            return &endings[i];
    return NULL;
}

ply_status shogi_kifu_set_ending(ply_record *record, const kifu_ending *ending, int turn)
{
    static const ply_result winner[2] = {PLY_FIRST_WINS, PLY_SECOND_WINS};
    ply_result result = PLY_ONGOING;
    if (ending->effect == KIFU_DRAW)
        result = PLY_DRAW;
    else if (ending->effect != KIFU_UNDECIDED)
        result = winner[ending->effect == KIFU_WIN ? turn : !turn];
    return ply_record_set_ending(record, result, ending->id);
}

/* --- names ---------------------------------------------------------------------------------- */
static const struct {
    const char *name, *kanji, *csa;
} tags[] = {
    {"Black", "先手", "+"},
    {"White", "後手", "-"},
    {"Black", "下手", NULL},
    {"White", "上手", NULL},
    {"Event", "棋戦", "EVENT"},
    {"Site", "場所", "SITE"},
    {"Date", "開始日時", "START_TIME"},
    {"EndDate", "終了日時", "END_TIME"},
    {"Opening", "戦型", "OPENING"},
    {"TimeLimit", "持ち時間", "TIME_LIMIT"},
    {"Title", "表題", NULL},
    {"MaxMoves", "最大手数", "MAX_MOVES"},
    {"Jishogi", "持将棋", "JISHOGI"},
    {"Note", "備考", "NOTE"},
};

enum { TAGS = sizeof tags / sizeof tags[0] };

const char *shogi_kifu_tag_from_kanji(const char *name, size_t length)
{
    for (size_t i = 0; i < TAGS; i++)
        if (is_word(tags[i].kanji, name, length))
            return tags[i].name;
    return NULL;
}

const char *shogi_kifu_tag_from_csa(const char *name, size_t length)
{
    for (size_t i = 0; i < TAGS; i++)
        if (is_word(tags[i].csa, name, length))
            return tags[i].name;
    return NULL;
}

const char *shogi_kifu_tag_to_kanji(const char *name)
{
    for (size_t i = 0; i < TAGS; i++)
        if (strcmp(tags[i].name, name) == 0)
            return tags[i].kanji;
    return name;
}

const char *shogi_kifu_tag_to_csa(const char *name)
{
    for (size_t i = 0; i < TAGS; i++)
        if (tags[i].csa && strcmp(tags[i].name, name) == 0)
            return tags[i].csa;
    return name;
}

static const struct {
    const char *id, *kanji, *jkf;
} starts[] = {
    {"standard", "平手", "HIRATE"},
    {"lance", "香落ち", "KY"},
    {"right-lance", "右香落ち", "KY_R"},
    {"bishop", "角落ち", "KA"},
    {"rook", "飛車落ち", "HI"},
    {"rook-lance", "飛香落ち", "HIKY"},
    {"2-piece", "二枚落ち", "2"},
    {"3-piece", "三枚落ち", "3"},
    {"4-piece", "四枚落ち", "4"},
    {"5-piece", "五枚落ち", "5"},
    {"left-5-piece", "左五枚落ち", "5_L"},
    {"6-piece", "六枚落ち", "6"},
    {"7-piece-left", "左七枚落ち", "7_L"},
    {"7-piece-right", "右七枚落ち", "7_R"},
    {"8-piece", "八枚落ち", "8"},
    {"10-piece", "十枚落ち", "10"},
};

enum { STARTS = sizeof starts / sizeof starts[0] };

static const ply_variant *variant_of_id(const char *id)
{
    const ply_variant *v = NULL;
    for (size_t i = 0; (v = shogi_variant_at(i)) != NULL && strcmp(v->id, id) != 0; i++)
        continue;
    return v;
}

const ply_variant *shogi_kifu_variant_by_kanji(const char *word, size_t length)
{
    for (size_t i = 0; i < STARTS; i++)
        if (is_word(starts[i].kanji, word, length))
            return variant_of_id(starts[i].id);
    return NULL;
}

const ply_variant *shogi_kifu_variant_by_jkf(const char *word, size_t length)
{
    for (size_t i = 0; i < STARTS; i++)
        if (is_word(starts[i].jkf, word, length))
            return variant_of_id(starts[i].id);
    return NULL;
}

const char *shogi_kifu_variant_kanji(const ply_variant *variant)
{
    for (size_t i = 0; i < STARTS; i++)
        if (strcmp(starts[i].id, variant->id) == 0)
            return starts[i].kanji;
    return NULL;
}

const char *shogi_kifu_variant_jkf(const ply_variant *variant)
{
    for (size_t i = 0; i < STARTS; i++)
        if (strcmp(starts[i].id, variant->id) == 0)
            return starts[i].jkf;
    return NULL;
}

const ply_variant *shogi_kifu_start_variant(const ply_record *record)
{
    if (!record->start)
        return record->rules.variant;
    const ply_variant *v = NULL;
    for (size_t i = 0; (v = shogi_variant_at(i)) != NULL; i++)
        if (strcmp(v->data, record->start) == 0)
            break;
    return v;
}

/* --- writing -------------------------------------------------------------------------------- */
void shogi_kifu_write_comment(const char *comment, const char *mark, ply_text *out)
{
    while (comment && *comment) {
        size_t length = strcspn(comment, "\r\n");
        ply_text_string(out, mark);
        ply_text_bytes(out, comment, length);
        ply_text_char(out, '\n');
        comment += length;
        comment += strspn(comment, "\r");
        comment += *comment == '\n';
    }
}

void shogi_kifu_write_one_line(const char *text, ply_text *out)
{
    for (; *text; text++)
        ply_text_char(out, *text == '\n' || *text == '\r' ? ' ' : *text);
}
