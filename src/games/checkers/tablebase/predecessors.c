/* SPDX-License-Identifier: MIT */
/*
 * predecessors.c - the positions before a position.
 *
 * A move is taken back by guessing it: where the piece came from, and for a capture by which way,
 * over which squares and what stood there. Each guess is then tried forward, by the same generator
 * as ever, and kept if a legal move leads from it to the position at hand; so the rules of choice
 * need no second writing. Guesses are cheap, since most fail early on an occupied square.
 *
 * Captures can be taken back where kings are short. Where kings fly, the ways back over an open
 * board are too many to list, and only quiet moves are taken back; a table builder looks forward
 * for captures anyway, into tables of fewer pieces that are already done.
 */
#include "games/checkers/checkers.h"
#include <stdlib.h>
#include <string.h>

typedef struct retro {
    const ply_rules *rules;
    const checkers_position *now;
    checkers_position *out;
    size_t count, limit;
    int mover;         /* the colour that has just moved */
    uint64_t empty;    /* now */
    uint64_t restored; /* squares of pieces captured by the move being taken back */
    int room;          /* so many pieces could have been captured */
    int from_kind;     /* the moving piece before the move */
    uint64_t to;
    bool has_long; /* a capture of four or more was found: it may be there twice */
} retro;

static bool same_boards(const checkers_position *a, const checkers_position *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0;
}

/* Whether a legal move leads from p to the position at hand. */
static bool leads_here(const retro *r, const checkers_position *p)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(r->rules, p, moves);
    int to = checkers_index_of(ply_lowest(r->to));
    for (size_t i = 0; i < count; i++) {
        if (checkers_move_to(moves[i]) != to ||
            checkers_unpack(checkers_move_captured(moves[i])) != r->restored)
            continue;
        checkers_position child = *p;
        checkers_apply(&child, moves[i]);
        if (same_boards(&child, r->now))
            return true;
    }
    return false;
}

static void keep(retro *r, const checkers_position *p)
{
    if (r->count == r->limit)
        return;
    r->out[r->count] = *p;
    checkers_finish(&r->out[r->count++]);
    r->has_long = r->has_long || ply_popcount(r->restored) >= 4;
}

/* The piece stood on `from`, and men or kings on the restored squares in every way. */
static void guess(retro *r, uint64_t from)
{
    int prey = !r->mover;
    if (r->from_kind == CHECKERS_MAN && (from & checkers_crown_row(r->mover)))
        return;
    checkers_position p = *r->now;
    int kind_now = (p.board[r->mover][CHECKERS_KING] & r->to) != 0;
    p.turn = (uint8_t)r->mover;
    p.board[r->mover][kind_now] &= ~r->to;
    p.board[r->mover][r->from_kind] |= from;
    uint64_t must_be_kings = r->restored & checkers_crown_row(prey);
    uint64_t may_be_kings = r->restored & ~must_be_kings;
    /* Which captures are legal depends on what is captured in some rule sets only. */
    bool kinds_matter = r->rules->option[CHECKERS_OPTION_PREY] != CHECKERS_PREY_ANY ||
                        r->rules->option[CHECKERS_OPTION_CHOICE] >= CHECKERS_CHOICE_QUALITY;
    bool known = false, good = false;
    for (uint64_t kings = may_be_kings;; kings = (kings - 1) & may_be_kings) {
        checkers_position q = p;
        q.board[prey][CHECKERS_KING] |= kings | must_be_kings;
        q.board[prey][CHECKERS_MAN] |= may_be_kings & ~kings;
        if (!known || kinds_matter)
            good = leads_here(r, &q);
        known = true;
        if (good)
            keep(r, &q);
        if (kings == 0)
            break;
    }
}

/* One jump further back; every place reached may be where the move began. */
static void unjump(retro *r, uint64_t square, unsigned directions)
{
    if (r->room == 0)
        return;
    for (int d = 0; d < 4; d++) {
        if (!(directions >> d & 1))
            continue;
        uint64_t over = checkers_step(square, 3 - d) & r->empty & ~r->to & ~r->restored;
        uint64_t before = checkers_step(over, 3 - d) & (r->empty | r->to) & ~r->restored;
        if (!before)
            continue;
        r->restored |= over;
        r->room--;
        guess(r, before);
        unjump(r, before, directions);
        r->room++;
        r->restored &= ~over;
    }
}

static unsigned forward_of(int colour)
{
    return colour == CHECKERS_BLACK ? 3 : 12;
}

static void quiet_back(retro *r, unsigned directions, bool flies)
{
    for (int d = 0; d < 4; d++) {
        if (!(directions >> d & 1))
            continue;
        for (uint64_t from = checkers_step(r->to, 3 - d) & r->empty; from;
             from = flies ? checkers_step(from, 3 - d) & r->empty : 0)
            guess(r, from);
    }
}

static int compare_positions(const void *a, const void *b)
{
    const checkers_position *p = a, *q = b;
    return memcmp(p->board, q->board, sizeof p->board);
}

static size_t without_doubles(checkers_position *list, size_t count)
{
    qsort(list, count, sizeof *list, compare_positions);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || !same_boards(&list[kept - 1], &list[i]))
            list[kept++] = list[i];
    return kept;
}

static size_t take_back(const ply_rules *rules, const checkers_position *now,
                        checkers_position *out, size_t limit, bool captures)
{
    retro r = {.rules = rules, .now = now, .out = out, .limit = limit, .mover = !now->turn};
    r.empty = CHECKERS_DARK_SQUARES & ~checkers_all_pieces(now);
    bool flies = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    unsigned forward = forward_of(r.mover);
    unsigned men_capture = rules->option[CHECKERS_OPTION_MEN] == CHECKERS_MEN_BACK ? 15 : forward;
    for (uint64_t pieces = checkers_pieces_of(now, r.mover); pieces; pieces &= pieces - 1) {
        r.to = pieces & -pieces;
        bool king = (r.to & now->board[r.mover][CHECKERS_KING]) != 0;
        for (int kind = CHECKERS_MAN; kind <= CHECKERS_KING; kind++) {
            /* A king may have been a man, if it stands on the crown row; a man was a man. */
            if (kind == CHECKERS_KING ? !king : king && !(r.to & checkers_crown_row(r.mover)))
                continue;
            r.from_kind = kind;
            r.restored = 0;
            quiet_back(&r, kind == CHECKERS_KING ? 15 : forward, flies && kind == CHECKERS_KING);
            r.room =
                captures ? CHECKERS_PIECES - ply_popcount(checkers_pieces_of(now, now->turn)) : 0;
            unjump(&r, r.to, kind == CHECKERS_KING ? 15 : men_capture);
        }
    }
    return r.has_long ? without_doubles(out, r.count) : r.count;
}

size_t checkers_predecessors(const ply_rules *rules, const void *position, void *out)
{
    return take_back(rules, position, out, rules->max_predecessors, true);
}

size_t checkers_quiet_predecessors(const ply_rules *rules, const checkers_position *position,
                                   checkers_position *out)
{
    return take_back(rules, position, out, CHECKERS_MAX_QUIET_PREDECESSORS, false);
}
