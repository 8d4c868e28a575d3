/* SPDX-License-Identifier: MIT */
/*
 * japanese_text.c - moves and boards as Japanese records write them.
 *
 *     ７六歩(77)   同　銀(31)   ８八角成(22)   ５五歩打        KIF: the origin in brackets
 *     ７六歩       同　銀右     ８八角不成     ５五金打        KI2: words where a move is not alone
 *
 * The words of KI2 are those of the Japan Shogi Association: 上寄引 say whether the piece goes up,
 * sideways or down; where that does not tell it from another piece of its kind that could go there,
 * 右左 say on which side of the square it stood and 直 that it goes straight up; where that is not
 * enough either, both. Dragons and horses, of which there are two, are only 右 and 左 of each
 * other.
 */
#include "games/shogi/notation/piece_names.h"
#include "games/shogi/notation/record_reader.h"
#include "games/shogi/rules/attacks.h"
#include <string.h>

static const char *const full_digits[10] = {"０", "１", "２", "３", "４",
                                            "５", "６", "７", "８", "９"};
static const char *const kanji_digits[10] = {"〇", "一", "二", "三", "四",
                                             "五", "六", "七", "八", "九"};

static const struct {
    const char *name;
    uint8_t code;
} piece_names[] = {
    {"成銀", 11}, {"成桂", 10}, {"成香", 9}, {"歩", 0},  {"香", 1},  {"桂", 2}, {"銀", 3},
    {"角", 4},    {"飛", 5},    {"金", 6},   {"玉", 7},  {"王", 7},  {"と", 8}, {"杏", 9},
    {"圭", 10},   {"全", 11},   {"馬", 12},  {"龍", 13}, {"竜", 13},
};

static int accept_piece(ply_cursor *c)
{
    for (size_t i = 0; i < sizeof piece_names / sizeof piece_names[0]; i++)
        if (ply_cursor_accept_word(c, piece_names[i].name))
            return piece_names[i].code;
    return -1;
}

/* A digit from 1 to 9 in any of three writings, or 0. */
static int accept_digit(ply_cursor *c)
{
    for (int d = 1; d <= 9; d++)
        if (ply_cursor_accept(c, (char)('0' + d)) || ply_cursor_accept_word(c, full_digits[d]) ||
            ply_cursor_accept_word(c, kanji_digits[d]))
            return d;
    return 0;
}

int shogi_kifu_moved_code(const shogi_position *p, ply_move move)
{
    return shogi_move_is_drop(move) ? shogi_move_from(move) : p->board[shogi_move_from(move)] & 15;
}

/* --- which of several ----------------------------------------------------------------------- */
/* How a piece gets to a square, seen by its player. */
typedef struct way {
    int side; /* where it stood: -1 left of the square, 0 on its file, 1 right */
    int up;   /* 1 goes up, 0 sideways, -1 down */
} way;

static int sign_of(int n)
{
    return (n > 0) - (n < 0);
}

static way find_way(int side, int from, int to)
{
    if (side == SHOGI_WHITE) {
        from = 96 - from;
        to = 96 - to;
    }
    return (way){sign_of(shogi_column(from) - shogi_column(to)),
                 sign_of(shogi_rank(from) - shogi_rank(to))};
}

/* Pieces like the one on `from` that attack the square, that one left out. */
static shogi_set find_others(const shogi_position *p, int code, int to, int from)
{
    shogi_set found = 0;
    shogi_set all = shogi_attackers(p, p->side, to, p->colour[0] | p->colour[1]);
    for (shogi_set s = all; s; s &= s - 1) {
        int at = set_first(s);
        if ((p->board[at] & 15) == code && at != from)
            found |= set_of(at);
    }
    return found;
}

void shogi_kifu_format_relative(const shogi_position *p, ply_move move, ply_text *out)
{
    static const char *const up_words[3] = {"引", "寄", "上"};
    int code = shogi_kifu_moved_code(p, move), to = shogi_move_to(move);
    if (shogi_move_is_drop(move)) {
        if (find_others(p, code, to, SHOGI_NOWHERE))
            ply_text_string(out, "打");
        return;
    }
    int from = shogi_move_from(move), same_up = 0, same_side = 0, other_side = 0;
    way mine = find_way(p->side, from, to);
    shogi_set others = find_others(p, code, to, from);
    if (!others)
        return;
    for (shogi_set s = others; s; s &= s - 1) {
        way w = find_way(p->side, set_first(s), to);
        same_side += w.side == mine.side;
        if (w.up == mine.up) {
            same_up++;
            other_side = w.side;
        }
    }
    bool pair =
        code == (SHOGI_BISHOP | SHOGI_CODE_PROMOTED) || code == (SHOGI_ROOK | SHOGI_CODE_PROMOTED);
    if (same_up > 0) {
        int side = mine.side ? mine.side : pair ? -other_side : 0;
        ply_text_string(out, side > 0 ? "右" : side < 0 ? "左" : "直");
        if (side == 0 || same_side == 0)
            return; /* nothing goes straight up but one piece */
    }
    ply_text_string(out, up_words[mine.up + 1]);
}

/* --- writing -------------------------------------------------------------------------------- */
static void format_target(ply_move move, ply_move last, ply_text *out)
{
    int to = shogi_move_to(move);
    if (last != PLY_MOVE_NONE && shogi_move_to(last) == to)
        ply_text_string(out, "同　");
    else
        ply_text_format(out, "%s%s", full_digits[9 - shogi_column(to)],
                        kanji_digits[shogi_rank(to) + 1]);
}

void shogi_kifu_format_kif_move(const shogi_position *p, ply_move move, ply_move last,
                                ply_text *out)
{
    format_target(move, last, out);
    ply_text_string(out, shogi_move_kanji(shogi_kifu_moved_code(p, move)));
    if (shogi_move_promotes(move))
        ply_text_string(out, "成");
    if (shogi_move_is_drop(move)) {
        ply_text_string(out, "打");
        return;
    }
    int from = shogi_move_from(move);
    ply_text_format(out, "(%d%d)", 9 - shogi_column(from), shogi_rank(from) + 1);
}

void shogi_kifu_format_ki2_move(const shogi_position *p, ply_move move, ply_move last,
                                ply_text *out)
{
    int code = shogi_kifu_moved_code(p, move);
    format_target(move, last, out);
    ply_text_string(out, shogi_move_kanji(code));
    shogi_kifu_format_relative(p, move, out);
    if (shogi_move_promotes(move))
        ply_text_string(out, "成");
    else if (!shogi_move_is_drop(move) && code < SHOGI_GOLD &&
             (shogi_in_zone(p->side, shogi_move_from(move)) ||
              shogi_in_zone(p->side, shogi_move_to(move))))
        ply_text_string(out, "不成");
}

void shogi_display_move(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                        ply_text *out)
{
    (void)rules;
    shogi_kifu_format_ki2_move(position, move, last, out);
}

/* --- reading -------------------------------------------------------------------------------- */
typedef struct kanji_words {
    int to, code;
    int side;      /* 1 右, -1 左, 0 not said */
    int up;        /* 2 not said */
    bool straight; /* 直 */
    bool drop;     /* 打 */
    bool promote;  /* 成 */
    int from;      /* SHOGI_NOWHERE if not said */
} kanji_words;

static ply_status read_words(ply_cursor *c, ply_move last, kanji_words *w)
{
    *w = (kanji_words){.up = 2, .from = SHOGI_NOWHERE};
    ply_cursor at = *c;
    if (ply_cursor_accept_word(c, "同")) {
        if (last == PLY_MOVE_NONE)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "同 where no move went before");
        w->to = shogi_move_to(last);
    } else {
        int file = accept_digit(c), rank = file ? accept_digit(c) : 0;
        if (!rank)
            return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a square such as ７六, or 同");
        w->to = shogi_square(9 - file, rank - 1);
    }
    shogi_kifu_skip_blanks(c);
    w->code = accept_piece(c);
    if (w->code < 0)
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a piece such as 歩");
    for (;;) {
        if (ply_cursor_accept_word(c, "右"))
            w->side = 1;
        else if (ply_cursor_accept_word(c, "左"))
            w->side = -1;
        else if (ply_cursor_accept_word(c, "直"))
            w->straight = true;
        else if (ply_cursor_accept_word(c, "上") || ply_cursor_accept_word(c, "行") ||
                 ply_cursor_accept_word(c, "入"))
            w->up = 1;
        else if (ply_cursor_accept_word(c, "寄"))
            w->up = 0;
        else if (ply_cursor_accept_word(c, "引"))
            w->up = -1;
        else if (ply_cursor_accept_word(c, "打"))
            w->drop = true;
        else if (ply_cursor_accept_word(c, "不成") || ply_cursor_accept_word(c, "生"))
            w->promote = false;
        else if (ply_cursor_accept_word(c, "成"))
            w->promote = true;
        else
            break;
    }
    at = *c;
    while (ply_cursor_accept_word(&at, "　") || ply_cursor_accept(&at, ' '))
        continue;
    if (ply_cursor_accept(&at, '(')) {
        int file = accept_digit(&at), rank = file ? accept_digit(&at) : 0;
        if (rank && ply_cursor_accept(&at, ')')) { /* otherwise it is the time */
            w->from = shogi_square(9 - file, rank - 1);
            *c = at;
        }
    }
    return PLY_OK;
}

/* Whether the words fit a piece on `from`; peers are all pieces that could be meant. */
static bool words_fit(const shogi_position *p, const kanji_words *w, int from, shogi_set peers)
{
    way mine = find_way(p->side, from, w->to);
    if ((w->up != 2 && mine.up != w->up) || (w->straight && (mine.side != 0 || mine.up != 1)))
        return false;
    if (w->side == 0)
        return true;
    bool pair = w->code == (SHOGI_BISHOP | SHOGI_CODE_PROMOTED) ||
                w->code == (SHOGI_ROOK | SHOGI_CODE_PROMOTED);
    if (!pair || mine.side != 0)
        return mine.side == w->side;
    /* A dragon or horse on the file of the square: right or left of its fellow. */
    for (shogi_set s = peers & ~set_of(from); s; s &= s - 1)
        if (find_way(p->side, set_first(s), w->to).side == -w->side)
            return true;
    return false;
}

static ply_status find_meant(const shogi_position *p, const kanji_words *w, ply_cursor *at,
                             ply_move *move)
{
    ply_move moves[SHOGI_MAX_MOVES], found[SHOGI_MAX_MOVES];
    size_t count = shogi_moves_of_mode(p, SHOGI_STANDARD, moves), kept = 0;
    shogi_set peers = find_others(p, w->code, w->to, SHOGI_NOWHERE);
    ply_move drop = shogi_drop_make(w->code, w->to);
    bool can_drop = false;
    for (size_t i = 0; i < count; i++) {
        can_drop = can_drop || moves[i] == drop;
        if (!shogi_move_is_drop(moves[i]) && shogi_move_to(moves[i]) == w->to &&
            shogi_move_promotes(moves[i]) == w->promote &&
            shogi_kifu_moved_code(p, moves[i]) == w->code &&
            words_fit(p, w, shogi_move_from(moves[i]), peers))
            found[kept++] = moves[i];
    }
    if (kept == 0 && can_drop && w->up == 2 && w->side == 0 && !w->straight && !w->promote)
        found[kept++] = drop;
    *move = kept ? found[0] : PLY_MOVE_NONE;
    if (kept == 0)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "no legal move is meant by this");
    if (kept > 1)
        return ply_cursor_fail(at, PLY_BAD_TEXT, "%zu moves could be meant by this", kept);
    return PLY_OK;
}

ply_status shogi_kifu_parse_kanji_move(const shogi_position *p, ply_cursor *c, ply_move last,
                                       ply_move *move)
{
    kanji_words w;
    ply_cursor at = *c;
    ply_status status = read_words(c, last, &w);
    if (status != PLY_OK)
        return status;
    if (w.drop) {
        if (w.code >= SHOGI_KING)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "this piece cannot be dropped");
        *move = shogi_drop_make(w.code, w.to);
        return PLY_OK;
    }
    if (w.from == SHOGI_NOWHERE)
        return find_meant(p, &w, &at, move);
    int code = p->board[w.from];
    if (code == SHOGI_CODE_EMPTY || (code & 15) != w.code)
        return ply_cursor_fail(&at, PLY_ILLEGAL_MOVE, "there is no %s on %d%d",
                               shogi_move_kanji(w.code), 9 - shogi_column(w.from),
                               shogi_rank(w.from) + 1);
    *move = shogi_move_make(w.from, w.to, w.promote);
    return PLY_OK;
}

/* --- diagrams ------------------------------------------------------------------------------- */
void shogi_kifu_diagram_init(kifu_diagram *d)
{
    *d = (kifu_diagram){.seen = false};
    shogi_clear_board(&d->position);
}

static ply_status read_board_line(kifu_diagram *d, ply_cursor *c)
{
    if (d->ranks == SHOGI_SIDE)
        return ply_cursor_fail(c, PLY_BAD_TEXT, "a board of more than nine ranks");
    for (int column = 0; column < SHOGI_SIDE; column++) {
        bool white = ply_cursor_accept(c, 'v') || ply_cursor_accept(c, 'V');
        if (!white && !ply_cursor_accept(c, ' '))
            ply_cursor_accept(c, '^');
        if (ply_cursor_accept_word(c, "・") || ply_cursor_accept_word(c, "．") ||
            ply_cursor_accept_word(c, "　"))
            continue;
        ply_cursor at = *c;
        int code = accept_piece(c);
        if (code < 0)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a piece or ・ on the board");
        shogi_put(&d->position, code | (white ? SHOGI_CODE_WHITE : 0),
                  shogi_square(column, d->ranks));
    }
    d->ranks++;
    return PLY_OK;
}

/* 十八, 二, 3 or nothing: how many. */
static unsigned accept_count(ply_cursor *c)
{
    if (ply_cursor_accept_word(c, "十"))
        return 10 + (unsigned)accept_digit(c);
    uint64_t number;
    if (ply_cursor_number(c, 18, &number))
        return (unsigned)number;
    unsigned digit = (unsigned)accept_digit(c);
    return digit ? digit : 1;
}

static ply_status read_hand(kifu_diagram *d, int colour, ply_cursor *c)
{
    for (shogi_kifu_skip_blanks(c); !ply_cursor_done(c); shogi_kifu_skip_blanks(c)) {
        if (ply_cursor_accept_word(c, "なし"))
            continue;
        ply_cursor at = *c;
        int code = accept_piece(c);
        if (code < 0 || code >= SHOGI_KING)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected pieces in hand such as 歩二");
        unsigned count = accept_count(c);
        if (shogi_hand_count(d->position.hand[colour], code) + count > shogi_kind_total[code])
            return ply_cursor_fail(&at, PLY_BAD_POSITION, "too many of this piece in hand");
        d->position.hand[colour] += count * shogi_hand_one(code);
    }
    return PLY_OK;
}

ply_status shogi_kifu_diagram_line(kifu_diagram *d, ply_cursor *c, bool *used)
{
    static const struct {
        const char *word;
        int colour;
    } players[] = {{"先手", 0}, {"下手", 0}, {"後手", 1}, {"上手", 1}};
    ply_cursor start = *c;
    *used = true;
    if (ply_cursor_accept(c, '|')) {
        d->seen = true;
        return read_board_line(d, c);
    }
    if (ply_cursor_accept(c, '+') || ply_cursor_accept_word(c, "９ ８") ||
        ply_cursor_accept_word(c, "  ９"))
        return PLY_OK; /* the frame */
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++) {
        *c = start;
        if (!ply_cursor_accept_word(c, players[i].word))
            continue;
        if (ply_cursor_accept_word(c, "の持駒")) {
            if (!ply_cursor_accept_word(c, "：") && !ply_cursor_accept(c, ':'))
                return ply_cursor_fail(c, PLY_BAD_TEXT, "expected ： after 持駒");
            d->seen = true;
            return read_hand(d, players[i].colour, c);
        }
        if (ply_cursor_accept_word(c, "番")) {
            d->position.side = (uint8_t)players[i].colour;
            return PLY_OK;
        }
    }
    *c = start;
    *used = false;
    return PLY_OK;
}

ply_status shogi_kifu_diagram_finish(kifu_diagram *d, ply_cursor *c)
{
    char reason[128];
    if (d->ranks != SHOGI_SIDE)
        return ply_cursor_fail(c, PLY_BAD_TEXT, "the board above has %d ranks, not 9", d->ranks);
    const char *fault = shogi_position_fault(&d->position, reason, sizeof reason);
    if (fault)
        return ply_cursor_fail(c, PLY_BAD_POSITION, "in the board above: %s", fault);
    shogi_finish(&d->position);
    return PLY_OK;
}

static void format_hand(uint64_t hand, ply_text *out)
{
    static const uint8_t order[] = {SHOGI_ROOK,   SHOGI_BISHOP, SHOGI_GOLD, SHOGI_SILVER,
                                    SHOGI_KNIGHT, SHOGI_LANCE,  SHOGI_PAWN};
    if (hand == 0)
        ply_text_string(out, "なし");
    for (size_t i = 0; i < sizeof order; i++) {
        unsigned count = shogi_hand_count(hand, order[i]);
        if (count == 0)
            continue;
        ply_text_string(out, shogi_board_kanji(order[i]));
        if (count >= 10)
            ply_text_string(out, "十");
        if (count > 1 && count != 10)
            ply_text_string(out, kanji_digits[count % 10]);
        ply_text_string(out, "　");
    }
    ply_text_char(out, '\n');
}

void shogi_kifu_format_diagram(const shogi_position *p, ply_text *out)
{
    ply_text_string(out, "後手の持駒：");
    format_hand(p->hand[SHOGI_WHITE], out);
    ply_text_string(out, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (int rank = 0; rank < SHOGI_SIDE; rank++) {
        ply_text_char(out, '|');
        for (int column = 0; column < SHOGI_SIDE; column++) {
            int code = p->board[shogi_square(column, rank)];
            if (code == SHOGI_CODE_EMPTY)
                ply_text_string(out, " ・");
            else
                ply_text_format(out, "%c%s", shogi_code_owner(code) ? 'v' : ' ',
                                shogi_board_kanji(code));
        }
        ply_text_format(out, "|%s\n", kanji_digits[rank + 1]);
    }
    ply_text_string(out, "+---------------------------+\n先手の持駒：");
    format_hand(p->hand[SHOGI_BLACK], out);
    if (p->side == SHOGI_WHITE)
        ply_text_string(out, "後手番\n");
}
