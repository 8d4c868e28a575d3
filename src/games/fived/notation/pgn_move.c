/* SPDX-License-Identifier: MIT */
/* pgn_move.c - a move in 5DPGN notation, in its short form. */
#include "core/bits.h"
#include "games/fived/notation/pgn.h"

/* How many pieces of the same kind can make the same move, and what tells them apart. */
typedef struct rivals {
    bool any, same_file, same_rank;
} rivals;

static rivals find_rivals(const fived_turn_query *q, ply_move move, fived_kind kind)
{
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    rivals found = {0};
    int a = q->candidates.axis_of[from.l - q->view.base];
    if (a < 0)
        return found;
    const fived_axis *axis = &q->candidates.axes[a];
    for (uint32_t i = axis->physical; i < axis->physical + axis->physical_count; i++) {
        const fived_physical *m = &q->candidates.physical[i];
        int x = m->from_square & 7, y = m->from_square >> 3;
        if (m->to_square != to.x + 8 * to.y || (x == from.x && y == from.y) ||
            fived_piece_kind(axis->board->square[m->from_square]) != kind)
            continue;
        found.any = true;
        found.same_file |= x == from.x;
        found.same_rank |= y == from.y;
    }
    return found;
}

/* Whether a piece on `from` could capture on `to`, both on one board, if nothing stood between. */
static bool may_reach(fived_kind kind, int colour, int from, int to)
{
    bool slides;
    const fived_steps *steps = fived_piece_steps(kind, colour, &slides);
    for (uint32_t i = 0; i < steps->count; i++) {
        fived_vec4 step = steps->step[i], at = fived_vec4_make(from & 7, from >> 3, 0, 0);
        if (!fived_vec4_within_board(step))
            continue;
        do {
            at = fived_vec4_add(at, step);
            if (!fived_vec4_on_8x8(at))
                break;
            if (fived_vec4_square(at) == to)
                return true;
        } while (slides);
    }
    return false;
}

bool fived_pgn_move_needs_query(const fived_position *p, ply_move move)
{
    if (fived_move_type_of(p, move) != FIVED_PHYSICAL)
        return false;
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    const fived_board *board = fived_position_board(p, from.l, fived_tc_to_v(from.t, p->side));
    int origin = from.x + 8 * from.y, target = to.x + 8 * to.y;
    fived_kind kind = fived_piece_kind(board->square[origin]);
    if (kind == FIVED_PAWN)
        return false;
    for (uint64_t left = board->colour[p->side] & ~ply_bit(origin); left; left &= left - 1) {
        int other = ply_lowest(left);
        if (fived_piece_kind(board->square[other]) == kind &&
            (kind == FIVED_BRAWN || may_reach(kind, p->side, other, target)))
            return true;
    }
    return false;
}

static void format_board_ref(const fived_position *p, fived_location spot, ply_text *out)
{
    ply_text_char(out, '(');
    fived_format_timeline(p->even, spot.l, out);
    ply_text_format(out, "T%d)", spot.t);
}

/* Whether a physical move of the kind is castling. */
static bool is_castling(ply_move move, fived_kind kind)
{
    int across = fived_move_to(move).x - fived_move_from(move).x;
    return kind == FIVED_KING && (across == 2 || across == -2);
}

/* Writes piece, origin and capture sign of a jump, and the target board. */
static void format_jump(const fived_position *p, ply_move move, fived_kind kind, bool captures,
                        ply_text *out)
{
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    bool hops = fived_move_type_of(p, move) == FIVED_HOP;
    ply_text_format(out, "%c%c%c%s%s", fived_kind_letter(kind), 'a' + from.x, '1' + from.y,
                    hops ? ">" : ">>", captures ? "x" : "");
    format_board_ref(p, to, out);
}

/* Writes piece, as much of the origin as needed, and capture sign of a physical move. */
static void format_physical(const fived_turn_query *q, ply_move move, fived_kind kind,
                            bool captures, ply_text *out)
{
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    bool file = is_castling(move, kind), rank = file;
    if (kind == FIVED_PAWN) {
        captures |= to.x != from.x; /* en passant */
        file = captures;
    } else {
        rivals others = q ? find_rivals(q, move, kind) : (rivals){0};
        ply_text_char(out, fived_kind_letter(kind));
        file |= others.any && (!others.same_file || others.same_rank);
        rank |= others.same_file;
    }
    if (file)
        ply_text_char(out, (char)('a' + from.x));
    if (rank)
        ply_text_char(out, (char)('1' + from.y));
    if (captures)
        ply_text_char(out, 'x');
}

void fived_format_pgn_move(const fived_position *p, const fived_turn_query *q, ply_move move,
                           ply_text *out)
{
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    const fived_board *source = fived_position_board(p, from.l, fived_tc_to_v(from.t, p->side));
    const fived_board *target = fived_position_board(p, to.l, fived_tc_to_v(to.t, p->side));
    fived_kind kind = fived_piece_kind(source->square[from.x + 8 * from.y]);
    bool jumps = fived_move_type_of(p, move) != FIVED_PHYSICAL;
    bool captures = target->square[to.x + 8 * to.y] != 0;
    if (p->lo < p->hi || jumps)
        format_board_ref(p, from, out);
    if (!jumps && is_castling(move, kind) && p->width == 8 && from.x == 4) {
        ply_text_string(out, to.x > from.x ? "O-O" : "O-O-O");
        return;
    }
    if (jumps)
        format_jump(p, move, kind, captures, out);
    else
        format_physical(q, move, kind, captures, out);
    ply_text_format(out, "%c%c", 'a' + to.x, '1' + to.y);
    if (fived_move_promotion(move))
        ply_text_format(out, "=%c", fived_kind_letter(fived_move_promotion(move)));
}
