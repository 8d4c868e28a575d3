/* SPDX-License-Identifier: MIT */
/*
 * english_isa.c - English checkers on the 64-bit boards: listing, counting and random games.
 *
 * Pieces that can move or jump are found for all pieces at once by masks and shifts. Quiet moves
 * are ordered by direction, then by target square; captures by the capturing piece, then by
 * direction.
 */
#include "core/bits.h"
#include "games/checkers/checkers.h"

/* The board from the point of view of the player to move. */
typedef struct view {
    uint64_t own, kings, empty;
    uint64_t prey; /* enemy pieces off the edges: only these can be jumped */
    uint64_t crown_row;
    int forward; /* men move in directions forward and forward + 1: 0 or 2 */
} view;

static inline __attribute__((always_inline)) view view_of(const checkers_position *p)
{
    int colour = p->turn;
    uint64_t kings = p->board[colour][CHECKERS_KING];
    uint64_t own = p->board[colour][CHECKERS_MAN] | kings;
    uint64_t enemy = checkers_pieces_of(p, !colour);
    return (view){.own = own,
                  .kings = kings,
                  .empty = CHECKERS_DARK_SQUARES & ~(own | enemy),
                  .prey = enemy & CHECKERS_NOT_EDGES,
                  .crown_row = checkers_crown_row(colour),
                  .forward = colour == CHECKERS_BLACK ? 0 : 2};
}

/* Pieces that may move in a direction. */
static inline __attribute__((always_inline)) uint64_t movers(const view *v, int d)
{
    return (d & 2) == v->forward ? v->own : v->kings;
}

/* Targets of quiet moves in a direction. */
static inline __attribute__((always_inline)) uint64_t targets(const view *v, int d)
{
    return checkers_step(movers(v, d), d) & v->empty;
}

/* Squares from which a piece could jump in a direction, occupied or not. */
static inline __attribute__((always_inline)) uint64_t open_jumps(const view *v, int d)
{
    return checkers_shift(checkers_shift(v->empty, 3 - d) & v->prey, 3 - d);
}

static inline __attribute__((always_inline)) uint64_t jumpers_of(const view *v)
{
    uint64_t down = open_jumps(v, 0) | open_jumps(v, 1), up = 0;
    if (v->forward == 2 || v->kings)
        up = open_jumps(v, 2) | open_jumps(v, 3);
    return v->forward == 0 ? (v->own & down) | (v->kings & up) : (v->own & up) | (v->kings & down);
}

/* --- captures ------------------------------------------------------------------------------- */
/* The captures of one piece, jump by jump. */
typedef struct chain {
    ply_move *out;
    size_t count;
    uint64_t empty, prey, crown_row, captured;
    int from;
    int first, last; /* directions to try, the last excluded */
    bool king;
} chain;

static void chain_end(chain *c, uint64_t square)
{
    uint32_t captured = checkers_pack(c->captured);
    ply_move move = checkers_move_make(c->from, checkers_index_of(ply_lowest(square)), captured,
                                       !c->king && (square & c->crown_row));
    /* Only a king can go round a loop. */
    if (c->king && ply_popcount(captured) >= CHECKERS_MIN_LOOP)
        for (size_t i = 0; i < c->count; i++)
            if (c->out[i] == move)
                return;
    if (c->count < CHECKERS_MAX_MOVES)
        c->out[c->count++] = move;
}

static void chain_from(chain *c, uint64_t square)
{
    bool any = false;
    for (int d = c->first; d < c->last; d++) {
        uint64_t over = checkers_shift(square, d) & c->prey;
        uint64_t land = checkers_shift(over, d) & c->empty;
        if (!land)
            continue;
        any = true;
        c->captured |= over;
        c->prey ^= over;
        chain_from(c, land); /* a man on the crown row finds no jump ahead */
        c->prey ^= over;
        c->captured ^= over;
    }
    if (!any)
        chain_end(c, square);
}

static size_t captures(const view *v, uint64_t jumpers, ply_move *out)
{
    chain c = {.out = out, .prey = v->prey, .crown_row = v->crown_row};
    for (; jumpers; jumpers &= jumpers - 1) {
        uint64_t square = jumpers & -jumpers;
        c.king = (square & v->kings) != 0;
        c.first = c.king ? 0 : v->forward;
        c.last = c.king ? 4 : v->forward + 2;
        c.from = checkers_index_of(ply_lowest(square));
        c.empty = v->empty | square;
        chain_from(&c, square);
    }
    return c.count;
}

/* --- moves, count and nth ------------------------------------------------------------------- */
static ply_move quiet_move(const view *v, int d, uint64_t square)
{
    uint64_t from = checkers_step(square, 3 - d);
    bool crown = (square & v->crown_row) && !(from & v->kings);
    return checkers_move_make(checkers_index_of(ply_lowest(from)),
                              checkers_index_of(ply_lowest(square)), 0, crown);
}

static size_t moves(const checkers_position *p, ply_move *out)
{
    view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    if (jumpers)
        return captures(&v, jumpers, out);
    size_t count = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++)
        for (uint64_t to = targets(&v, d); to; to &= to - 1)
            out[count++] = quiet_move(&v, d, to & -to);
    return count;
}

static inline size_t count_quiet(const view *v)
{
    int count = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++)
        count += ply_popcount(targets(v, d));
    return (size_t)count;
}

static ply_move nth_quiet(const view *v, size_t k)
{
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        uint64_t to = targets(v, d);
        size_t here = (size_t)ply_popcount(to);
        if (k < here)
            return quiet_move(v, d, ply_bit(ply_nth_bit(to, (int)k)));
        k -= here;
    }
    return PLY_MOVE_NONE;
}

static size_t count(const checkers_position *p)
{
    view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    if (!jumpers)
        return count_quiet(&v);
    ply_move list[CHECKERS_MAX_MOVES];
    return captures(&v, jumpers, list);
}

static ply_move nth(const checkers_position *p, size_t k)
{
    view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    if (!jumpers)
        return nth_quiet(&v, k);
    ply_move list[CHECKERS_MAX_MOVES];
    captures(&v, jumpers, list);
    return list[k];
}

static size_t captures_only(const checkers_position *p, ply_move *out)
{
    view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    return jumpers ? captures(&v, jumpers, out) : 0;
}

/* --- random games --------------------------------------------------------------------------- */
/*
 * While no piece is captured and no man moves, only kings move, so the kings identify the position.
 * One word holds them all: Black's kings, and White's flipped top to bottom onto the light squares.
 */
typedef struct king_history {
    uint64_t kings[2][CHECKERS_QUIET_LIMIT / 2 + 1]; /* by parity of the ply */
    size_t count;
} king_history;

static bool is_repeated(const king_history *h, uint64_t kings, int times)
{
    const uint64_t *earlier = h->kings[h->count & 1];
    int occurrences = 1;
    for (size_t i = 0; i < h->count / 2; i++)
        occurrences += earlier[i] == kings;
    return occurrences >= times;
}

static inline void apply(checkers_position *p, ply_move move)
{
    int colour = p->turn;
    uint64_t from = checkers_square(checkers_move_from(move));
    uint64_t to = checkers_square(checkers_move_to(move));
    uint64_t is_king = p->board[colour][CHECKERS_KING] & from;
    p->quiet = is_king ? p->quiet + 1 : 0;
    p->board[colour][CHECKERS_MAN] &= ~from;
    p->board[colour][CHECKERS_KING] &= ~from;
    p->board[colour][is_king || (move & CHECKERS_MOVE_CROWN) ? CHECKERS_KING : CHECKERS_MAN] |= to;
    if (checkers_move_captured(move)) {
        uint64_t captured = checkers_unpack(checkers_move_captured(move));
        p->board[!colour][CHECKERS_MAN] &= ~captured;
        p->board[!colour][CHECKERS_KING] &= ~captured;
        p->quiet = 0;
    }
    p->turn = (uint8_t)!colour;
}

static size_t playout(const ply_rules *rules, checkers_position *position, ply_rng *rng,
                      size_t max_plies, ply_outcome *outcome)
{
    checkers_position p = *position;
    int starts = rules->option[CHECKERS_OPTION_STARTS];
    int times = rules->option[CHECKERS_OPTION_REPEAT];
    uint32_t limit = (uint32_t)rules->option[CHECKERS_OPTION_QUIET];
    king_history h;
    h.count = 0;
    size_t plies = 0;
    *outcome = (ply_outcome){PLY_ONGOING, NULL};
    for (;; plies++) {
        view v = view_of(&p);
        uint64_t jumpers = jumpers_of(&v);
        ply_move list[CHECKERS_MAX_MOVES];
        size_t move_count = jumpers ? captures(&v, jumpers, list) : count_quiet(&v);
        if (move_count == 0) {
            *outcome = ply_outcome_win(!p.turn ^ starts, v.own ? "no-move" : "no-pieces");
            break;
        }
        if (p.quiet == 0)
            h.count = 0;
        uint64_t kings = p.black_kings | __builtin_bswap64(p.white_kings);
        if (times > 0 && h.count >= 4 && is_repeated(&h, kings, times)) {
            *outcome = (ply_outcome){PLY_DRAW, "repetition"};
            break;
        }
        if (p.quiet >= limit) {
            *outcome = (ply_outcome){PLY_DRAW, "no-progress"};
            break;
        }
        if (plies >= max_plies)
            break;
        h.kings[h.count & 1][h.count / 2] = kings;
        h.count++;
        uint32_t k = ply_rng_below(rng, (uint32_t)move_count);
        apply(&p, jumpers ? list[k] : nth_quiet(&v, k));
    }
    p.hash = checkers_compute_hash(rules, &p);
    *position = p;
    return plies;
}

extern const checkers_english PLY_ISA(checkers_english_of);
const checkers_english PLY_ISA(checkers_english_of) = {
    .moves = moves,
    .count = count,
    .nth = nth,
    .captures = captures_only,
    .playout = playout,
};
