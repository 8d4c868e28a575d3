/* SPDX-License-Identifier: MIT */
/*
 * english_isa.c - English checkers on the 64-bit boards: listing, counting and random games.
 */
#include "games/checkers/rules/english.h"

static size_t count(const checkers_position *p)
{
    english_view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    if (!jumpers)
        return count_quiet(&v);
    ply_move list[CHECKERS_MAX_MOVES];
    return captures(&v, jumpers, list);
}

static ply_move nth(const checkers_position *p, size_t k)
{
    english_view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    if (!jumpers)
        return nth_quiet(&v, k);
    ply_move list[CHECKERS_MAX_MOVES];
    captures(&v, jumpers, list);
    return list[k];
}

static size_t captures_only(const checkers_position *p, ply_move *out)
{
    english_view v = view_of(p);
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
        english_view v = view_of(&p);
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
    .moves = english_moves,
    .count = count,
    .nth = nth,
    .captures = captures_only,
    .playout = playout,
};
