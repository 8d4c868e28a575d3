/* SPDX-License-Identifier: MIT */
/*
 * predecessors.c - lists the predecessors of a position.
 *
 * A move is taken back by trial: where the piece came from and, for a capture, the path it took and
 * the pieces that stood on it. Each candidate is then tested with the ordinary move generator and
 * kept if a legal move leads from it to the position, so the rules are not implemented twice.
 * Candidates are cheap, since most fail early on an occupied square.
 *
 * Captures are taken back only where kings are short. Where kings fly, there are too many ways back
 * over an open board, and only quiet moves are taken back. A tablebase builder resolves captures
 * forwards anyway, in classes with fewer pieces that are already solved.
 */
#include "games/checkers/checkers.h"
#include <stdlib.h>
#include <string.h>

typedef struct takeback {
    const ply_rules *rules;
    const checkers_position *now;
    checkers_position *out;
    size_t count, limit;
    int mover;           /* the colour that has just moved */
    uint64_t empty;      /* squares that are empty now */
    uint64_t restored;   /* squares of the pieces captured by the move being taken back */
    int captures_left;   /* how many more pieces can have been captured */
    int from_kind;       /* of the moving piece, before the move */
    uint64_t to;         /* where the moving piece is now */
    bool has_duplicates; /* possible after a capture long enough to have two paths */
} takeback;

static bool same_boards(const checkers_position *a, const checkers_position *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0;
}

/* Whether a legal move leads from a candidate to the position. */
static bool leads_here(const takeback *t, const checkers_position *p)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(t->rules, p, moves);
    int to = checkers_index_of(ply_lowest(t->to));
    for (size_t i = 0; i < count; i++) {
        if (checkers_move_to(moves[i]) != to ||
            checkers_unpack(checkers_move_captured(moves[i])) != t->restored)
            continue;
        checkers_position child = *p;
        checkers_apply(&child, moves[i]);
        if (same_boards(&child, t->now))
            return true;
    }
    return false;
}

static void add(takeback *t, const checkers_position *p)
{
    if (t->count == t->limit)
        return;
    t->out[t->count] = *p;
    checkers_finish(&t->out[t->count++]);
    t->has_duplicates = t->has_duplicates || ply_popcount(t->restored) >= CHECKERS_MIN_LOOP;
}

/* Tries an origin of the moving piece with every mix of men and kings on the restored squares. */
static void try_origin(takeback *t, uint64_t from)
{
    int victim = !t->mover;
    if (t->from_kind == CHECKERS_MAN && (from & checkers_crown_row(t->mover)))
        return;
    checkers_position p = *t->now;
    int kind_now = (p.board[t->mover][CHECKERS_KING] & t->to) != 0;
    p.turn = (uint8_t)t->mover;
    p.board[t->mover][kind_now] &= ~t->to;
    p.board[t->mover][t->from_kind] |= from;
    uint64_t must_be_kings = t->restored & checkers_crown_row(victim);
    uint64_t may_be_kings = t->restored & ~must_be_kings;
    /* Only in some rule sets does the legality of a capture depend on what is captured. */
    bool kinds_matter = t->rules->option[CHECKERS_OPTION_PREY] != CHECKERS_PREY_ANY ||
                        t->rules->option[CHECKERS_OPTION_CHOICE] >= CHECKERS_CHOICE_QUALITY;
    bool tested = false, legal = false;
    for (uint64_t kings = may_be_kings;; kings = (kings - 1) & may_be_kings) {
        checkers_position q = p;
        q.board[victim][CHECKERS_KING] |= kings | must_be_kings;
        q.board[victim][CHECKERS_MAN] |= may_be_kings & ~kings;
        if (!tested || kinds_matter)
            legal = leads_here(t, &q);
        tested = true;
        if (legal)
            add(t, &q);
        if (kings == 0)
            break;
    }
}

/* Takes back one more jump; the move may have begun on any square reached. */
static void undo_jumps(takeback *t, uint64_t square, unsigned directions)
{
    if (t->captures_left == 0)
        return;
    for (int d = 0; d < 4; d++) {
        if (!(directions >> d & 1))
            continue;
        uint64_t over = checkers_step(square, 3 - d) & t->empty & ~t->to & ~t->restored;
        uint64_t before = checkers_step(over, 3 - d) & (t->empty | t->to) & ~t->restored;
        if (!before)
            continue;
        t->restored |= over;
        t->captures_left--;
        try_origin(t, before);
        undo_jumps(t, before, directions);
        t->captures_left++;
        t->restored &= ~over;
    }
}

static void undo_quiet(takeback *t, unsigned directions, bool flying)
{
    for (int d = 0; d < 4; d++) {
        if (!(directions >> d & 1))
            continue;
        for (uint64_t from = checkers_step(t->to, 3 - d) & t->empty; from;
             from = flying ? checkers_step(from, 3 - d) & t->empty : 0)
            try_origin(t, from);
    }
}

static int compare_positions(const void *a, const void *b)
{
    const checkers_position *p = a, *q = b;
    return memcmp(p->board, q->board, sizeof p->board);
}

static size_t remove_duplicates(checkers_position *list, size_t count)
{
    qsort(list, count, sizeof *list, compare_positions);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || !same_boards(&list[kept - 1], &list[i]))
            list[kept++] = list[i];
    return kept;
}

static size_t list_predecessors(const ply_rules *rules, const checkers_position *now,
                                checkers_position *out, size_t limit, bool captures)
{
    takeback t = {.rules = rules, .now = now, .out = out, .limit = limit, .mover = !now->turn};
    t.empty = CHECKERS_DARK_SQUARES & ~checkers_occupied(now);
    bool flying = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    unsigned forward = checkers_forward(t.mover);
    unsigned men_capture =
        rules->option[CHECKERS_OPTION_MEN] == CHECKERS_MEN_BACK ? CHECKERS_ALL_DIRECTIONS : forward;
    for (uint64_t pieces = checkers_pieces_of(now, t.mover); pieces; pieces &= pieces - 1) {
        t.to = pieces & -pieces;
        bool king = (t.to & now->board[t.mover][CHECKERS_KING]) != 0;
        for (int kind = CHECKERS_MAN; kind <= CHECKERS_KING; kind++) {
            /* A king on the crown row may have been a man; a man was a man. */
            if (kind == CHECKERS_KING ? !king : king && !(t.to & checkers_crown_row(t.mover)))
                continue;
            t.from_kind = kind;
            t.restored = 0;
            undo_quiet(&t, kind == CHECKERS_KING ? CHECKERS_ALL_DIRECTIONS : forward,
                       flying && kind == CHECKERS_KING);
            t.captures_left =
                captures ? CHECKERS_PIECES - ply_popcount(checkers_pieces_of(now, now->turn)) : 0;
            undo_jumps(&t, t.to, kind == CHECKERS_KING ? CHECKERS_ALL_DIRECTIONS : men_capture);
        }
    }
    return t.has_duplicates ? remove_duplicates(out, t.count) : t.count;
}

size_t checkers_predecessors(const ply_rules *rules, const void *position, void *out)
{
    return list_predecessors(rules, position, out, rules->max_predecessors, true);
}

size_t checkers_quiet_predecessors(const ply_rules *rules, const checkers_position *position,
                                   checkers_position *out)
{
    return list_predecessors(rules, position, out, CHECKERS_MAX_QUIET_PREDECESSORS, false);
}
