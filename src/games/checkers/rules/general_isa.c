/* SPDX-License-Identifier: MIT */
/*
 * general_isa.c - one move generator for every rule set, compiled for several machines.
 *
 * The rules are read from the options. Captures are walked path by path, because what may be
 * captured, and which capture must be chosen, can depend on the way taken; each path found is given
 * to a visitor, who makes a list of moves, counts ways, or writes notation.
 *
 * Where a king flies, a capture goes: over the first enemy on a line, and on to any empty square
 * behind it. From each of those squares it may turn; straight on is one way whatever the square.
 * If a capture can be continued from any of the squares, it must be.
 */
#include "games/checkers/checkers.h"
#include <string.h>

typedef struct walker {
    const int32_t *option;
    checkers_visitor *visit;
    void *context;
    uint64_t empty;       /* squares without a piece; the moving piece's first square is one */
    uint64_t enemy;       /* pieces that may still be captured */
    uint64_t enemy_kings; /* among them, as the move began */
    uint64_t captured;
    uint64_t crown_row;
    int from, colour;
    bool king_began; /* the piece was a king before the move */
    checkers_path path;
} walker;

static void put_square(walker *w, uint64_t square)
{
    w->path.square[w->path.count++] = (uint8_t)checkers_index_of(ply_lowest(square));
}

/* How good the path is in the eyes of the rules. The order of capture is read from the path. */
static uint32_t score_of(const walker *w, uint32_t order)
{
    uint32_t count = (uint32_t)ply_popcount(w->captured);
    uint32_t kings = (uint32_t)ply_popcount(w->captured & w->enemy_kings);
    switch (w->option[CHECKERS_OPTION_CHOICE]) {
    case CHECKERS_CHOICE_KING:
        return w->king_began;
    case CHECKERS_CHOICE_MOST:
        return count;
    case CHECKERS_CHOICE_QUALITY:
        return count << 4 | kings;
    case CHECKERS_CHOICE_ITALIAN:
        return count << 17 | (uint32_t)w->king_began << 16 | kings << 12 | order;
    default:
        return 0;
    }
}

/* A path that ends on `square`. */
static void finish(walker *w, uint64_t square, uint32_t order, bool crown)
{
    uint8_t count = w->path.count;
    put_square(w, square);
    w->path.move =
        checkers_move_make(w->from, w->path.square[count], checkers_pack(w->captured), crown);
    w->path.score = score_of(w, order);
    w->visit(w->context, &w->path);
    w->path.count = count;
}

/* The bit of `order` for the next capture: first captured is highest, set when it is a king. */
static uint32_t order_with(const walker *w, uint32_t order, uint64_t over)
{
    return over & w->enemy_kings ? order | 1u << (CHECKERS_PIECES - w->path.count) : order;
}

/* Takes a piece off the board of the walk. Returns what must be put back. */
static void lift(walker *w, uint64_t over)
{
    w->captured |= over;
    w->enemy &= ~over;
    if (w->option[CHECKERS_OPTION_LIFTING] == CHECKERS_LIFTING_ONCE)
        w->empty |= over;
}

static void put_back(walker *w, uint64_t over)
{
    w->captured &= ~over;
    w->enemy |= over;
    w->empty &= w->option[CHECKERS_OPTION_LIFTING] == CHECKERS_LIFTING_ONCE ? ~over : ~UINT64_C(0);
}

/* Captures by a piece that jumps over the next square: men, and short kings. */
static bool short_captures(walker *w, uint64_t square, unsigned directions, uint32_t order,
                           bool king, bool crown);
static bool flying_captures(walker *w, uint64_t square, unsigned directions, uint32_t order,
                            bool crown);

/* All captures by a king, long or short; false when there is none. */
static bool king_captures(walker *w, uint64_t square, uint32_t order, bool crown)
{
    return w->option[CHECKERS_OPTION_KING] == CHECKERS_KING_SHORT
               ? short_captures(w, square, 15, order, true, crown)
               : flying_captures(w, square, 15, order, crown);
}

static bool short_captures(walker *w, uint64_t square, unsigned directions, uint32_t order,
                           bool king, bool crown)
{
    bool any = false;
    for (int d = 0; d < 4; d++) {
        if (!(directions >> d & 1))
            continue;
        uint64_t over = checkers_step(square, d) & w->enemy;
        uint64_t land = checkers_step(over, d) & w->empty;
        if (!land)
            continue;
        any = true;
        put_square(w, square);
        uint32_t next = order_with(w, order, over);
        lift(w, over);
        bool reaches = !king && (land & w->crown_row) != 0;
        int rule = w->option[CHECKERS_OPTION_CROWNING];
        bool resume;
        if (reaches && rule == CHECKERS_CROWNING_ENDS)
            resume = false;
        else if (reaches && rule == CHECKERS_CROWNING_CONTINUES)
            resume = king_captures(w, land, next, true);
        else
            resume = short_captures(w, land, directions, next, king, crown);
        if (!resume)
            finish(w, land, next, crown || reaches);
        put_back(w, over);
        w->path.count--;
    }
    return any;
}

/* The empty squares from a square in a direction, up to the first that is not empty. */
static uint64_t open_line(uint64_t square, int d, uint64_t empty)
{
    uint64_t line = 0;
    for (uint64_t s = checkers_step(square, d) & empty; s; s = checkers_step(s, d) & empty)
        line |= s;
    return line;
}

/* The enemy that a flying king on the square would capture in a direction, or 0. */
static uint64_t flying_prey(const walker *w, uint64_t square, int d)
{
    uint64_t s = checkers_step(square, d);
    while (s & w->empty)
        s = checkers_step(s, d);
    s &= w->enemy;
    return checkers_step(s, d) & w->empty ? s : 0;
}

/* The king on `square` captures `over` in direction d, and goes on from wherever it can. */
static void flying_capture(walker *w, uint64_t square, uint64_t over, int d, uint32_t order,
                           bool crown)
{
    put_square(w, square);
    order = order_with(w, order, over);
    lift(w, over);
    uint64_t behind = checkers_step(over, d), squares = behind;
    if (w->option[CHECKERS_OPTION_KING] == CHECKERS_KING_FLYING)
        squares |= open_line(behind, d, w->empty);
    /* The way back is shut by the piece just captured, unless that has been lifted. */
    unsigned straight = 1u << d, back = 1u << (3 - d);
    unsigned turns = 15 & ~(straight | back);
    bool resume = flying_captures(w, behind, straight | turns, order, crown);
    if (w->option[CHECKERS_OPTION_LIFTING] == CHECKERS_LIFTING_ONCE)
        resume |= flying_captures(w, behind, back, order, crown);
    for (uint64_t rest = squares & ~behind; rest; rest &= rest - 1)
        resume |= flying_captures(w, rest & -rest, turns, order, crown);
    if (!resume)
        for (uint64_t rest = squares; rest; rest &= rest - 1)
            finish(w, rest & -rest, order, crown);
    put_back(w, over);
    w->path.count--;
}

static bool flying_captures(walker *w, uint64_t square, unsigned directions, uint32_t order,
                            bool crown)
{
    bool any = false;
    for (int d = 0; d < 4; d++) {
        uint64_t over = directions >> d & 1 ? flying_prey(w, square, d) : 0;
        if (!over)
            continue;
        any = true;
        flying_capture(w, square, over, d, order, crown);
    }
    return any;
}

static unsigned forward_of(int colour)
{
    return colour == CHECKERS_BLACK ? 3 : 12;
}

static void visit_captures(const ply_rules *rules, const checkers_position *p,
                           checkers_visitor *visit, void *context)
{
    int colour = p->turn;
    uint64_t enemies = checkers_pieces_of(p, !colour), all = checkers_all_pieces(p);
    walker w = {.option = rules->option,
                .visit = visit,
                .context = context,
                .enemy_kings = p->board[!colour][CHECKERS_KING],
                .crown_row = checkers_crown_row(colour),
                .colour = colour};
    unsigned men_directions =
        rules->option[CHECKERS_OPTION_MEN] == CHECKERS_MEN_BACK ? 15 : forward_of(colour);
    uint64_t men_prey = rules->option[CHECKERS_OPTION_PREY] == CHECKERS_PREY_SPARE_KINGS
                            ? p->board[!colour][CHECKERS_MAN]
                            : enemies;
    /* Men that can jump at all, found for all at once; kings are few. */
    uint64_t jumpers = 0;
    for (int d = 0; d < 4; d++)
        if (men_directions >> d & 1)
            jumpers |=
                checkers_step(checkers_step(~all & CHECKERS_DARK_SQUARES, 3 - d) & men_prey, 3 - d);
    jumpers &= p->board[colour][CHECKERS_MAN];
    for (uint64_t rest = jumpers | p->board[colour][CHECKERS_KING]; rest; rest &= rest - 1) {
        uint64_t square = rest & -rest;
        w.king_began = (square & p->board[colour][CHECKERS_KING]) != 0;
        w.from = checkers_index_of(ply_lowest(square));
        w.empty = (~all | square) & CHECKERS_DARK_SQUARES;
        w.enemy = w.king_began ? enemies : men_prey;
        if (w.king_began)
            king_captures(&w, square, 0, false);
        else
            short_captures(&w, square, men_directions, 0, false, false);
    }
}

/* --- the list of moves ---------------------------------------------------------------------- */
typedef struct collector {
    ply_move *moves;
    uint32_t *times; /* may be NULL */
    size_t count;
    uint32_t best;
} collector;

/*
 * Two ways to the same square over the same pieces need a closed round, so at least four pieces:
 * shorter captures are never looked for in the list.
 */
enum { ROUND = 4 };

static void collect(void *context, const checkers_path *path)
{
    collector *c = context;
    if (path->score < c->best)
        return;
    if (path->score > c->best) {
        c->best = path->score;
        c->count = 0;
    }
    if (path->count > ROUND)
        for (size_t i = 0; i < c->count; i++)
            if (c->moves[i] == path->move) {
                if (c->times)
                    c->times[i]++;
                return;
            }
    if (c->count == CHECKERS_MAX_MOVES)
        return; /* no position is known that comes near; see the tests */
    if (c->times)
        c->times[c->count] = 1;
    c->moves[c->count++] = path->move;
}

static size_t quiet_moves(const ply_rules *rules, const checkers_position *p, ply_move *out)
{
    int colour = p->turn;
    bool flying = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    uint64_t men = p->board[colour][CHECKERS_MAN], kings = p->board[colour][CHECKERS_KING];
    uint64_t empty = ~checkers_all_pieces(p) & CHECKERS_DARK_SQUARES;
    uint64_t crown_row = checkers_crown_row(colour);
    size_t count = 0;
    for (int d = 0; d < 4; d++) {
        uint64_t movers = (forward_of(colour) >> d & 1 ? men : 0) | kings;
        for (uint64_t to = checkers_step(movers, d) & empty; to; to &= to - 1) {
            uint64_t square = to & -to, from = checkers_step(square, 3 - d);
            bool is_king = (from & kings) != 0;
            out[count++] = checkers_move_make(checkers_index_of(ply_lowest(from)),
                                              checkers_index_of(ply_lowest(square)), 0,
                                              !is_king && (square & crown_row));
            if (!is_king || !flying)
                continue;
            for (uint64_t rest = open_line(square, d, empty); rest; rest &= rest - 1)
                out[count++] = checkers_move_make(checkers_index_of(ply_lowest(from)),
                                                  checkers_index_of(ply_lowest(rest)), 0, false);
        }
    }
    return count;
}

static size_t general_moves(const ply_rules *rules, const checkers_position *p, ply_move *out,
                            uint32_t *times)
{
    collector c = {.moves = out, .times = times};
    visit_captures(rules, p, collect, &c);
    if (c.count > 0)
        return c.count;
    size_t count = quiet_moves(rules, p, out);
    for (size_t i = 0; times && i < count; i++)
        times[i] = 1;
    return count;
}

/* --- counting ------------------------------------------------------------------------------- */
static size_t count_quiet(const ply_rules *rules, const checkers_position *p)
{
    int colour = p->turn;
    bool flying = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    uint64_t men = p->board[colour][CHECKERS_MAN], kings = p->board[colour][CHECKERS_KING];
    uint64_t empty = ~checkers_all_pieces(p) & CHECKERS_DARK_SQUARES;
    int count = 0;
    for (int d = 0; d < 4; d++) {
        if (forward_of(colour) >> d & 1)
            count += ply_popcount(checkers_step(men, d) & empty);
        /* Kings on one line stop at each other, so they never meet on a square. */
        for (uint64_t at = checkers_step(kings, d) & empty; at;
             at = flying ? checkers_step(at, d) & empty : 0)
            count += ply_popcount(at);
    }
    return (size_t)count;
}

static size_t count_moves(const ply_rules *rules, const checkers_position *p)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    collector c = {.moves = moves};
    visit_captures(rules, p, collect, &c);
    return c.count > 0 ? c.count : count_quiet(rules, p);
}

/* The boards after a move; the key is left alone, since counting does not need it. */
static void apply_boards(checkers_position *p, ply_move move)
{
    int colour = p->turn;
    uint64_t from = checkers_square(checkers_move_from(move));
    uint64_t to = checkers_square(checkers_move_to(move));
    uint64_t captured = ~checkers_unpack(checkers_move_captured(move));
    bool king = (p->board[colour][CHECKERS_KING] & from) != 0;
    p->board[colour][king] ^= from;
    p->board[colour][king || (move & CHECKERS_MOVE_CROWN)] |= to;
    p->board[!colour][CHECKERS_MAN] &= captured;
    p->board[!colour][CHECKERS_KING] &= captured;
    p->turn = (uint8_t)!colour;
}

static uint64_t perft(const ply_rules *rules, const checkers_position *p, int depth, int mode)
{
    bool paths = mode == CHECKERS_COUNT_PATHS;
    if (depth == 1 && !paths)
        return count_moves(rules, p);
    ply_move moves[CHECKERS_MAX_MOVES];
    uint32_t times[CHECKERS_MAX_MOVES];
    size_t count = general_moves(rules, p, moves, paths ? times : NULL);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t below = 1;
        if (depth > 1) {
            checkers_position child = *p;
            apply_boards(&child, moves[i]);
            below = perft(rules, &child, depth - 1, mode);
        }
        total += paths ? times[i] * below : below;
    }
    return total;
}

extern const checkers_general PLY_ISA(checkers_general_of);
const checkers_general PLY_ISA(checkers_general_of) = {
    .visit_captures = visit_captures,
    .moves = general_moves,
    .count = count_moves,
    .perft = perft,
};
