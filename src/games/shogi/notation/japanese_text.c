/* SPDX-License-Identifier: MIT */
/*
 * japanese_text.c - moves and boards as Japanese records write them.
 *
 *     ７六歩(77)   同　銀(31)   ８八角成(22)   ５五歩打        KIF: the origin in brackets
 *     ７六歩       同　銀右     ８八角不成     ５五金打        KI2: words where moves are ambiguous
 *
 * The words of KI2 follow the Japan Shogi Association. 上寄引 say whether the piece moves up, sideways
 * or down. If that does not tell it from another piece of its kind that could go there, 右左 say on
 * which side of the target it stood, and 直 says that it moves straight up. If that is not enough
 * either, both are written. 直 is not used for dragons and horses: one of the two is 右, the other 左.
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
    {"歩", SHOGI_PAWN},
    {"香", SHOGI_LANCE},
    {"桂", SHOGI_KNIGHT},
    {"銀", SHOGI_SILVER},
    {"角", SHOGI_BISHOP},
    {"飛", SHOGI_ROOK},
    {"金", SHOGI_GOLD},
    {"玉", SHOGI_KING},
    {"王", SHOGI_KING},
    {"と", SHOGI_PAWN | SHOGI_CODE_PROMOTED},
    {"成香", SHOGI_LANCE | SHOGI_CODE_PROMOTED},
    {"杏", SHOGI_LANCE | SHOGI_CODE_PROMOTED},
    {"成桂", SHOGI_KNIGHT | SHOGI_CODE_PROMOTED},
    {"圭", SHOGI_KNIGHT | SHOGI_CODE_PROMOTED},
    {"成銀", SHOGI_SILVER | SHOGI_CODE_PROMOTED},
    {"全", SHOGI_SILVER | SHOGI_CODE_PROMOTED},
    {"馬", SHOGI_BISHOP | SHOGI_CODE_PROMOTED},
    {"龍", SHOGI_ROOK | SHOGI_CODE_PROMOTED},
    {"竜", SHOGI_ROOK | SHOGI_CODE_PROMOTED},
};

/* A piece as a code without owner, or -1. */
static int accept_piece(ply_cursor *c)
{
    for (size_t i = 0; i < sizeof piece_names / sizeof piece_names[0]; i++)
        if (ply_cursor_accept_word(c, piece_names[i].name))
            return piece_names[i].code;
    return -1;
}

/* A digit from 1 to 9 in any of three scripts, or 0. */
static int accept_digit(ply_cursor *c)
{
    for (int d = 1; d <= 9; d++)
        if (ply_cursor_accept(c, (char)('0' + d)) || ply_cursor_accept_word(c, full_digits[d]) ||
            ply_cursor_accept_word(c, kanji_digits[d]))
            return d;
    return 0;
}

int shogi_kifu_moved_piece(const shogi_position *p, ply_move move)
{
    return shogi_move_is_drop(move) ? shogi_move_from(move) : p->board[shogi_move_from(move)] & 15;
}

bool shogi_kifu_may_promote(const shogi_position *p, ply_move move)
{
    return !shogi_move_is_drop(move) && shogi_kifu_moved_piece(p, move) < SHOGI_GOLD &&
           (shogi_in_zone(p->side, shogi_move_from(move)) ||
            shogi_in_zone(p->side, shogi_move_to(move)));
}

/* --- telling moves apart -------------------------------------------------------------------- */
/* Where a piece comes from, as seen by its owner. */
typedef struct approach {
    int side; /* it stood left of the target (-1), on its file (0) or right of it (1) */
    int up;   /* it moves up (1), sideways (0) or down (-1) */
} approach;

static int sign_of(int n)
{
    return (n > 0) - (n < 0);
}

static approach approach_of(int side, int from, int to)
{
    if (side == SHOGI_WHITE) {
        from = 96 - from;
        to = 96 - to;
    }
    return (approach){sign_of(shogi_column(from) - shogi_column(to)),
                      sign_of(shogi_rank(from) - shogi_rank(to))};
}

/* Pieces of the player to move with this code that attack `to`, except the one on `from`. */
static shogi_set attackers_like(const shogi_position *p, int code, int to, int from)
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

shogi_set shogi_kifu_rivals(const shogi_position *p, ply_move move)
{
    int from = shogi_move_is_drop(move) ? SHOGI_NO_SQUARE : shogi_move_from(move);
    return attackers_like(p, shogi_kifu_moved_piece(p, move), shogi_move_to(move), from);
}

/* Dragons and horses never use 直: one on the file of the target is 右 or 左 of the other. */
static bool is_dragon_or_horse(int code)
{
    return code == (SHOGI_BISHOP | SHOGI_CODE_PROMOTED) ||
           code == (SHOGI_ROOK | SHOGI_CODE_PROMOTED);
}

void shogi_kifu_format_relative(const shogi_position *p, ply_move move, ply_text *out)
{
    static const char *const up_words[3] = {"引", "寄", "上"};
    int code = shogi_kifu_moved_piece(p, move), to = shogi_move_to(move);
    shogi_set rivals = shogi_kifu_rivals(p, move);
    if (!rivals)
        return;
    if (shogi_move_is_drop(move)) {
        ply_text_string(out, "打");
        return;
    }
    int same_up = 0, same_side = 0, rival_side = 0;
    approach mine = approach_of(p->side, shogi_move_from(move), to);
    for (shogi_set s = rivals; s; s &= s - 1) {
        approach other = approach_of(p->side, set_first(s), to);
        same_side += other.side == mine.side;
        if (other.up == mine.up) {
            same_up++;
            rival_side = other.side;
        }
    }
    if (same_up > 0) {
        int side = mine.side ? mine.side : is_dragon_or_horse(code) ? -rival_side : 0;
        ply_text_string(out, side > 0 ? "右" : side < 0 ? "左" : "直");
        if (side == 0 || same_side == 0)
            return; /* only one piece can move straight up */
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
    ply_text_string(out, shogi_move_kanji(shogi_kifu_moved_piece(p, move)));
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
    format_target(move, last, out);
    ply_text_string(out, shogi_move_kanji(shogi_kifu_moved_piece(p, move)));
    shogi_kifu_format_relative(p, move, out);
    if (shogi_move_promotes(move))
        ply_text_string(out, "成");
    else if (shogi_kifu_may_promote(p, move))
        ply_text_string(out, "不成");
}

void shogi_display_japanese(const ply_rules *rules, const void *position, ply_move move,
                            ply_move last, ply_text *out)
{
    (void)rules;
    shogi_kifu_format_ki2_move(position, move, last, out);
}

/* --- reading -------------------------------------------------------------------------------- */
typedef struct kanji_move {
    int to, code;
    approach from_where; /* side 0 or up ANY_UP: not specified */
    bool straight;       /* 直 */
    bool drop;           /* 打 */
    bool promote;        /* 成 */
    int from;            /* SHOGI_NO_SQUARE: not specified */
} kanji_move;

enum { ANY_UP = 2 };

/* Two digits in any of three scripts, file and rank; SHOGI_NO_SQUARE if they are not there. */
static int accept_square(ply_cursor *c)
{
    int file = accept_digit(c), rank = file ? accept_digit(c) : 0;
    return rank ? shogi_square(9 - file, rank - 1) : SHOGI_NO_SQUARE;
}

/* The target square, or 同: the target of the previous move. */
static ply_status parse_target(ply_cursor *c, ply_move last, int *to)
{
    ply_cursor at = *c;
    if (ply_cursor_accept_word(c, "同")) {
        if (last == PLY_MOVE_NONE)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "同 without a previous move");
        *to = shogi_move_to(last);
        return PLY_OK;
    }
    *to = accept_square(c);
    if (*to == SHOGI_NO_SQUARE)
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a square such as ７六, or 同");
    return PLY_OK;
}

/* The words after the piece, in any order. */
static void parse_modifiers(ply_cursor *c, kanji_move *m)
{
    static const struct {
        const char *word;
        enum { SIDE, UP, STRAIGHT, DROP, PROMOTE } field;
        int value;
    } modifiers[] = {
        {"右", SIDE, 1}, {"左", SIDE, -1},   {"直", STRAIGHT, 1},  {"上", UP, 1},
        {"行", UP, 1},   {"入", UP, 1},      {"寄", UP, 0},        {"引", UP, -1},
        {"打", DROP, 1}, {"成", PROMOTE, 1}, {"不成", PROMOTE, 0}, {"生", PROMOTE, 0},
    };
    enum { MODIFIERS = sizeof modifiers / sizeof modifiers[0] };
    for (;;) {
        size_t i = 0;
        while (i < MODIFIERS && !ply_cursor_accept_word(c, modifiers[i].word))
            i++;
        if (i == MODIFIERS)
            return;
        int value = modifiers[i].value;
        switch (modifiers[i].field) {
        case SIDE:
            m->from_where.side = value;
            break;
        case UP:
            m->from_where.up = value;
            break;
        case STRAIGHT:
            m->straight = true;
            break;
        case DROP:
            m->drop = true;
            break;
        case PROMOTE:
            m->promote = value != 0;
            break;
        }
    }
}

/* The origin in brackets. Any other bracket is the time that the move took. */
static void parse_origin(ply_cursor *c, kanji_move *m)
{
    ply_cursor ahead = *c;
    while (ply_cursor_accept_word(&ahead, "　") || ply_cursor_accept(&ahead, ' '))
        continue;
    if (!ply_cursor_accept(&ahead, '('))
        return;
    int square = accept_square(&ahead);
    if (square != SHOGI_NO_SQUARE && ply_cursor_accept(&ahead, ')')) {
        m->from = square;
        *c = ahead;
    }
}

static ply_status parse_kanji_parts(ply_cursor *c, ply_move last, kanji_move *m)
{
    *m = (kanji_move){.from_where = {.up = ANY_UP}, .from = SHOGI_NO_SQUARE};
    ply_status status = parse_target(c, last, &m->to);
    if (status != PLY_OK)
        return status;
    shogi_kifu_skip_space(c);
    m->code = accept_piece(c);
    if (m->code < 0)
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a piece such as 歩");
    parse_modifiers(c, m);
    parse_origin(c, m);
    return PLY_OK;
}

/* Whether the words match a piece on `from`; peers are all pieces that could be meant. */
static bool origin_matches(const shogi_position *p, const kanji_move *m, int from, shogi_set peers)
{
    approach wanted = m->from_where, actual = approach_of(p->side, from, m->to);
    if ((wanted.up != ANY_UP && actual.up != wanted.up) ||
        (m->straight && (actual.side != 0 || actual.up != 1)))
        return false;
    if (wanted.side == 0)
        return true;
    if (!is_dragon_or_horse(m->code) || actual.side != 0)
        return actual.side == wanted.side;
    /* It is right or left of the other one. */
    for (shogi_set s = peers & ~set_of(from); s; s &= s - 1)
        if (approach_of(p->side, set_first(s), m->to).side == -wanted.side)
            return true;
    return false;
}

/* The one legal move that the words describe. */
static ply_status find_intended_move(const shogi_position *p, const kanji_move *m, ply_cursor *at,
                                     ply_move *move)
{
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves_of_mode(p, SHOGI_STANDARD, moves), matches = 0;
    *move = PLY_MOVE_NONE;
    shogi_set peers = attackers_like(p, m->code, m->to, SHOGI_NO_SQUARE);
    ply_move drop = shogi_drop_make(m->code, m->to);
    bool can_drop = false;
    for (size_t i = 0; i < count; i++) {
        can_drop = can_drop || moves[i] == drop;
        if (!shogi_move_is_drop(moves[i]) && shogi_move_to(moves[i]) == m->to &&
            shogi_move_promotes(moves[i]) == m->promote &&
            shogi_kifu_moved_piece(p, moves[i]) == m->code &&
            origin_matches(p, m, shogi_move_from(moves[i]), peers)) {
            *move = moves[i];
            matches++;
        }
    }
    bool no_words = m->from_where.up == ANY_UP && m->from_where.side == 0 && !m->straight;
    if (matches == 0 && can_drop && no_words && !m->promote) {
        *move = drop;
        matches = 1;
    }
    if (matches == 0)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "no legal move matches");
    if (matches > 1)
        return ply_cursor_fail(at, PLY_BAD_TEXT, "ambiguous: %zu legal moves match", matches);
    return PLY_OK;
}

ply_status shogi_kifu_parse_kanji_move(const shogi_position *p, ply_cursor *c, ply_move last,
                                       ply_move *move)
{
    kanji_move m;
    ply_cursor at = *c;
    ply_status status = parse_kanji_parts(c, last, &m);
    if (status != PLY_OK)
        return status;
    if (m.drop) {
        if (m.code >= SHOGI_KING)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "this piece cannot be dropped");
        *move = shogi_drop_make(m.code, m.to);
        return PLY_OK;
    }
    if (m.from == SHOGI_NO_SQUARE)
        return find_intended_move(p, &m, &at, move);
    int code = p->board[m.from];
    if (code == SHOGI_CODE_EMPTY || (code & 15) != m.code)
        return ply_cursor_fail(&at, PLY_ILLEGAL_MOVE, "there is no %s on %d%d",
                               shogi_move_kanji(m.code), 9 - shogi_column(m.from),
                               shogi_rank(m.from) + 1);
    *move = shogi_move_make(m.from, m.to, m.promote);
    return PLY_OK;
}

/* --- diagrams ------------------------------------------------------------------------------- */
void shogi_kifu_diagram_init(kifu_diagram *d)
{
    *d = (kifu_diagram){.present = false};
    shogi_clear_board(&d->position);
}

static ply_status read_board_line(kifu_diagram *d, ply_cursor *c)
{
    if (d->ranks == SHOGI_SIDE)
        return ply_cursor_fail(c, PLY_BAD_TEXT, "the board diagram has more than nine ranks");
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
        shogi_put_piece(&d->position, code | (white ? SHOGI_CODE_WHITE : 0),
                        shogi_square(column, d->ranks));
    }
    d->ranks++;
    return PLY_OK;
}

/* A count such as 十八, 二 or 3; 1 if there is none. */
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
    for (shogi_kifu_skip_space(c); !ply_cursor_done(c); shogi_kifu_skip_space(c)) {
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
        d->present = true;
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
            d->present = true;
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
        return ply_cursor_fail(c, PLY_BAD_TEXT, "the board diagram has %d ranks, not 9", d->ranks);
    const char *fault = shogi_position_fault(&d->position, reason, sizeof reason);
    if (fault)
        return ply_cursor_fail(c, PLY_BAD_POSITION, "in the board diagram: %s", fault);
    shogi_compute_keys(&d->position);
    return PLY_OK;
}

static void format_hand(uint64_t hand, ply_text *out)
{

    if (hand == 0)
        ply_text_string(out, "なし");
    for (int i = 0; i < SHOGI_KING; i++) {
        unsigned count = shogi_hand_count(hand, shogi_hand_order[i]);
        if (count == 0)
            continue;
        ply_text_string(out, shogi_board_kanji(shogi_hand_order[i]));
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
