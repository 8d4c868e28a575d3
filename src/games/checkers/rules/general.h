/* SPDX-License-Identifier: MIT */
/*
 * general.h - one move generator for every rule set, for the host and for devices.
 *
 * The rules are read from the options. Captures are enumerated path by path, because what may be
 * captured, and which captures are legal, can depend on the path. Each path is passed to a visitor
 * that lists moves, counts paths or writes notation.
 *
 * A flying king captures the first enemy piece in a direction and lands on any empty square behind
 * it. From each landing square it may turn; going straight on is the same path whatever the landing
 * square. If the capture can be continued from one of the landing squares, it must be.
 */
#ifndef PLY_GAMES_CHECKERS_RULES_GENERAL_H
#define PLY_GAMES_CHECKERS_RULES_GENERAL_H

#include "games/checkers/checkers.h"

typedef struct capture_search {
    const int32_t *option;
    checkers_visitor *visit;
    void *context;
    uint64_t empty;       /* including the square where the moving piece started */
    uint64_t enemy;       /* pieces that may still be captured */
    uint64_t enemy_kings; /* all enemy kings at the start of the move */
    uint64_t captured;
    uint64_t crown_row;
    int from;
    bool was_king; /* the moving piece, before the move */
    checkers_path path;
} capture_search;

PLY_SHARED void push_square(capture_search *s, uint64_t square)
{
    s->path.square[s->path.count++] = (uint8_t)checkers_index_of(ply_lowest(square));
}

/*
 * The precedence of the path under the option choice. king_order has a bit for each captured piece,
 * set for a king; the first piece captured is the highest bit.
 */
PLY_SHARED uint32_t score_of(const capture_search *s, uint32_t king_order)
{
    uint32_t count = (uint32_t)ply_popcount(s->captured);
    uint32_t kings = (uint32_t)ply_popcount(s->captured & s->enemy_kings);
    switch (s->option[CHECKERS_OPTION_CHOICE]) {
    case CHECKERS_CHOICE_KING:
        return s->was_king;
    case CHECKERS_CHOICE_MOST:
        return count;
    case CHECKERS_CHOICE_QUALITY:
        return count << 4 | kings;
    case CHECKERS_CHOICE_ITALIAN:
        return count << 17 | (uint32_t)s->was_king << 16 | kings << 12 | king_order;
    default:
        return 0;
    }
}

/* Visits the path that ends on `square`. */
PLY_CALLED void finish(capture_search *s, uint64_t square, uint32_t king_order, bool crown)
{
    uint8_t count = s->path.count;
    push_square(s, square);
    s->path.move =
        checkers_move_make(s->from, s->path.square[count], checkers_pack(s->captured), crown);
    s->path.score = score_of(s, king_order);
    s->visit(s->context, &s->path);
    s->path.count = count;
}

/* king_order after the capture of `over`. */
PLY_SHARED uint32_t add_to_order(const capture_search *s, uint32_t king_order, uint64_t over)
{
    return over & s->enemy_kings ? king_order | 1u << (CHECKERS_PIECES - s->path.count)
                                 : king_order;
}

/* Captures a piece; the option lifting says when its square becomes empty. */
PLY_SHARED void capture(capture_search *s, uint64_t over)
{
    s->captured |= over;
    s->enemy &= ~over;
    if (s->option[CHECKERS_OPTION_LIFTING] == CHECKERS_LIFTING_ONCE)
        s->empty |= over;
}

PLY_SHARED void undo_capture(capture_search *s, uint64_t over)
{
    s->captured &= ~over;
    s->enemy |= over;
    s->empty &= s->option[CHECKERS_OPTION_LIFTING] == CHECKERS_LIFTING_ONCE ? ~over : ~UINT64_C(0);
}

/*
 * Visit all captures from a square in a set of directions; false when there is none. Men and short
 * kings jump over an adjacent piece.
 */
PLY_CALLED bool short_captures(capture_search *s, uint64_t square, unsigned directions,
                               uint32_t king_order, bool king, bool crown);
PLY_CALLED bool flying_captures(capture_search *s, uint64_t square, unsigned directions,
                                uint32_t king_order, bool crown);

/* All captures by a king, short or flying. */
PLY_CALLED bool king_captures(capture_search *s, uint64_t square, uint32_t king_order, bool crown)
{
    return s->option[CHECKERS_OPTION_KING] == CHECKERS_KING_SHORT
               ? short_captures(s, square, CHECKERS_ALL_DIRECTIONS, king_order, true, crown)
               : flying_captures(s, square, CHECKERS_ALL_DIRECTIONS, king_order, crown);
}

PLY_CALLED bool short_captures(capture_search *s, uint64_t square, unsigned directions,
                               uint32_t king_order, bool king, bool crown)
{
    bool any = false;
    for (int d = 0; d < 4; d++) {
        if (!(directions >> d & 1))
            continue;
        uint64_t over = checkers_step(square, d) & s->enemy;
        uint64_t landing = checkers_step(over, d) & s->empty;
        if (!landing)
            continue;
        any = true;
        push_square(s, square);
        uint32_t next = add_to_order(s, king_order, over);
        capture(s, over);
        bool reaches = !king && (landing & s->crown_row) != 0;
        int rule = s->option[CHECKERS_OPTION_CROWNING];
        bool continued;
        if (reaches && rule == CHECKERS_CROWNING_ENDS)
            continued = false;
        else if (reaches && rule == CHECKERS_CROWNING_CONTINUES)
            continued = king_captures(s, landing, next, true);
        else
            continued = short_captures(s, landing, directions, next, king, crown);
        if (!continued)
            finish(s, landing, next, crown || reaches);
        undo_capture(s, over);
        s->path.count--;
    }
    return any;
}

/* The empty squares in a direction, up to the first piece or the edge. */
PLY_SHARED uint64_t open_ray(uint64_t square, int d, uint64_t empty)
{
    uint64_t ray = 0;
    for (uint64_t at = checkers_step(square, d) & empty; at; at = checkers_step(at, d) & empty)
        ray |= at;
    return ray;
}

/* The enemy piece that a flying king on the square can capture in a direction, or 0. */
PLY_SHARED uint64_t flying_target(const capture_search *s, uint64_t square, int d)
{
    uint64_t at = checkers_step(square, d);
    while (at & s->empty)
        at = checkers_step(at, d);
    at &= s->enemy;
    return checkers_step(at, d) & s->empty ? at : 0;
}

/* The king on `square` captures `over` in direction d and continues from wherever it can. */
PLY_SHARED void flying_capture(capture_search *s, uint64_t square, uint64_t over, int d,
                               uint32_t king_order, bool crown)
{
    push_square(s, square);
    king_order = add_to_order(s, king_order, over);
    capture(s, over);
    uint64_t behind = checkers_step(over, d), landings = behind;
    if (s->option[CHECKERS_OPTION_KING] == CHECKERS_KING_FLYING)
        landings |= open_ray(behind, d, s->empty);
    /* The piece just captured blocks the way back, unless it has been lifted. */
    unsigned straight = 1u << d, back = 1u << (3 - d);
    unsigned turns = CHECKERS_ALL_DIRECTIONS & ~(straight | back);
    bool continued = flying_captures(s, behind, straight | turns, king_order, crown);
    if (s->option[CHECKERS_OPTION_LIFTING] == CHECKERS_LIFTING_ONCE)
        continued |= flying_captures(s, behind, back, king_order, crown);
    for (uint64_t rest = landings & ~behind; rest; rest &= rest - 1)
        continued |= flying_captures(s, rest & -rest, turns, king_order, crown);
    if (!continued)
        for (uint64_t rest = landings; rest; rest &= rest - 1)
            finish(s, rest & -rest, king_order, crown);
    undo_capture(s, over);
    s->path.count--;
}

PLY_CALLED bool flying_captures(capture_search *s, uint64_t square, unsigned directions,
                                uint32_t king_order, bool crown)
{
    bool any = false;
    for (int d = 0; d < 4; d++) {
        uint64_t over = directions >> d & 1 ? flying_target(s, square, d) : 0;
        if (!over)
            continue;
        any = true;
        flying_capture(s, square, over, d, king_order, crown);
    }
    return any;
}

PLY_CALLED void visit_captures(const ply_rules *rules, const checkers_position *p,
                               checkers_visitor *visit, void *context)
{
    int colour = p->turn;
    uint64_t enemies = checkers_pieces_of(p, !colour), all = checkers_occupied(p);
    capture_search s = {.option = rules->option,
                        .visit = visit,
                        .context = context,
                        .enemy_kings = p->board[!colour][CHECKERS_KING],
                        .crown_row = checkers_crown_row(colour)};
    unsigned men_directions = rules->option[CHECKERS_OPTION_MEN] == CHECKERS_MEN_BACK
                                  ? CHECKERS_ALL_DIRECTIONS
                                  : checkers_forward(colour);
    uint64_t men_targets = rules->option[CHECKERS_OPTION_PREY] == CHECKERS_PREY_SPARE_KINGS
                               ? p->board[!colour][CHECKERS_MAN]
                               : enemies;
    /* Men that can jump are found for all men at once; kings are few and are all tried. */
    uint64_t jumpers = 0;
    for (int d = 0; d < 4; d++)
        if (men_directions >> d & 1)
            jumpers |= checkers_step(
                checkers_step(~all & CHECKERS_DARK_SQUARES, 3 - d) & men_targets, 3 - d);
    jumpers &= p->board[colour][CHECKERS_MAN];
    for (uint64_t rest = jumpers | p->board[colour][CHECKERS_KING]; rest; rest &= rest - 1) {
        uint64_t square = rest & -rest;
        s.was_king = (square & p->board[colour][CHECKERS_KING]) != 0;
        s.from = checkers_index_of(ply_lowest(square));
        s.empty = (~all | square) & CHECKERS_DARK_SQUARES;
        s.enemy = s.was_king ? enemies : men_targets;
        if (s.was_king)
            king_captures(&s, square, 0, false);
        else
            short_captures(&s, square, men_directions, 0, false, false);
    }
}

/* --- listing -------------------------------------------------------------------------------- */
/* Keeps the moves with the best score. */
typedef struct collector {
    ply_move *moves;
    uint32_t *times; /* number of paths of each move; may be NULL */
    size_t count;
    uint32_t best_score;
} collector;

PLY_SHARED void collect(void *context, const checkers_path *path)
{
    collector *c = (collector *)context;
    if (path->score < c->best_score)
        return;
    if (path->score > c->best_score) {
        c->best_score = path->score;
        c->count = 0;
    }
    if (path->count > CHECKERS_MIN_LOOP) /* a path has one square more than captures */
        for (size_t i = 0; i < c->count; i++)
            if (c->moves[i] == path->move) {
                if (c->times)
                    c->times[i]++;
                return;
            }
    if (c->count == CHECKERS_MAX_MOVES)
        return; /* no known position comes near */
    if (c->times)
        c->times[c->count] = 1;
    c->moves[c->count++] = path->move;
}

PLY_SHARED size_t quiet_moves(const ply_rules *rules, const checkers_position *p, ply_move *out)
{
    int colour = p->turn;
    bool flying = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    uint64_t men = p->board[colour][CHECKERS_MAN], kings = p->board[colour][CHECKERS_KING];
    uint64_t empty = ~checkers_occupied(p) & CHECKERS_DARK_SQUARES;
    uint64_t crown_row = checkers_crown_row(colour);
    size_t count = 0;
    for (int d = 0; d < 4; d++) {
        uint64_t movers = (checkers_forward(colour) >> d & 1 ? men : 0) | kings;
        for (uint64_t to = checkers_step(movers, d) & empty; to; to &= to - 1) {
            uint64_t square = to & -to, from = checkers_step(square, 3 - d);
            bool is_king = (from & kings) != 0;
            out[count++] = checkers_move_make(checkers_index_of(ply_lowest(from)),
                                              checkers_index_of(ply_lowest(square)), 0,
                                              !is_king && (square & crown_row));
            if (!is_king || !flying)
                continue;
            for (uint64_t rest = open_ray(square, d, empty); rest; rest &= rest - 1)
                out[count++] = checkers_move_make(checkers_index_of(ply_lowest(from)),
                                                  checkers_index_of(ply_lowest(rest)), 0, false);
        }
    }
    return count;
}

PLY_CALLED size_t general_moves(const ply_rules *rules, const checkers_position *p, ply_move *out,
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
PLY_SHARED size_t count_general_quiet(const ply_rules *rules, const checkers_position *p)
{
    int colour = p->turn;
    bool flying = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    uint64_t men = p->board[colour][CHECKERS_MAN], kings = p->board[colour][CHECKERS_KING];
    uint64_t empty = ~checkers_occupied(p) & CHECKERS_DARK_SQUARES;
    int count = 0;
    for (int d = 0; d < 4; d++) {
        if (checkers_forward(colour) >> d & 1)
            count += ply_popcount(checkers_step(men, d) & empty);
        /* Kings on the same diagonal block each other, so no two reach the same square. */
        for (uint64_t targets = checkers_step(kings, d) & empty; targets;
             targets = flying ? checkers_step(targets, d) & empty : 0)
            count += ply_popcount(targets);
    }
    return (size_t)count;
}

PLY_SHARED size_t count_moves(const ply_rules *rules, const checkers_position *p)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    collector c = {.moves = moves};
    visit_captures(rules, p, collect, &c);
    return c.count > 0 ? c.count : count_general_quiet(rules, p);
}

#endif
