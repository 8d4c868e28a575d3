/* SPDX-License-Identifier: MIT */
/*
 * index.c - numbers of positions, and predecessors.
 *
 * A class is a pair of piece counts, own v enemy. Within it, the number of a position is
 *
 *     rank(own squares among 36) * C(36 - own, enemy) + rank(enemy squares among the rest)
 *
 * with White to play; a position with Black to play has the number of its mirror image. The rank of
 * a set of k squares is that of the combinatorial number system: the sum of C(square_i, i + 1) over
 * its squares in ascending order.
 */
#include "games/neighbours/neighbours.h"

/* C(n, k) for k up to 6 and n up to 36; every division is exact. */
static uint64_t choose(int n, int k)
{
    uint64_t result = 1;
    for (int i = 1; i <= k; i++)
        result = result * (uint64_t)(n - k + i) / (uint64_t)i;
    return n < k ? 0 : result;
}

static uint64_t rank_set(uint64_t set)
{
    uint64_t rank = 0;
    for (int i = 1; set; set &= set - 1, i++)
        rank += choose(ply_lowest(set), i);
    return rank;
}

static uint64_t unrank_set(uint64_t rank, int count, int squares)
{
    uint64_t set = 0;
    for (int i = count; i >= 1; i--) {
        do
            squares--;
        while (choose(squares, i) > rank);
        rank -= choose(squares, i);
        set |= ply_bit(squares);
    }
    return set;
}

enum { COUNTS = NEIGHBOURS_PIECES + 1 };

size_t neighbours_class_count(const ply_rules *rules)
{
    (void)rules;
    return COUNTS * COUNTS;
}

uint64_t neighbours_class_size(const ply_rules *rules, size_t class_index)
{
    (void)rules;
    int own = (int)class_index / COUNTS, enemy = (int)class_index % COUNTS;
    return choose(NEIGHBOURS_SQUARES, own) * choose(NEIGHBOURS_SQUARES - own, enemy);
}

void neighbours_class_name(const ply_rules *rules, size_t class_index, ply_text *out)
{
    (void)rules;
    ply_text_format(out, "%dv%d", (int)class_index / COUNTS, (int)class_index % COUNTS);
}

ply_status neighbours_rank(const ply_rules *rules, const void *position, size_t *class_index,
                           uint64_t *number)
{
    (void)rules;
    const neighbours_position *p = position;
    uint64_t own = p->side ? neighbours_flip_rows(p->current) : p->current;
    uint64_t enemy = p->side ? neighbours_flip_rows(p->next) : p->next;
    int own_count = ply_popcount(own), enemy_count = ply_popcount(enemy);
    *class_index = (size_t)(own_count * COUNTS + enemy_count);
    *number = rank_set(own) * choose(NEIGHBOURS_SQUARES - own_count, enemy_count) +
              rank_set(ply_pext(enemy, NEIGHBOURS_BOARD & ~own));
    return PLY_OK;
}

ply_status neighbours_unrank(const ply_rules *rules, size_t class_index, uint64_t number,
                             void *position)
{
    if (class_index >= neighbours_class_count(rules) ||
        number >= neighbours_class_size(rules, class_index))
        return PLY_LIMIT;
    int own_count = (int)class_index / COUNTS, enemy_count = (int)class_index % COUNTS;
    int left = NEIGHBOURS_SQUARES - own_count;
    uint64_t enemies = choose(left, enemy_count);
    neighbours_position *p = position;
    *p = (neighbours_position){.current =
                                   unrank_set(number / enemies, own_count, NEIGHBOURS_SQUARES)};
    p->next =
        ply_pdep(unrank_set(number % enemies, enemy_count, left), NEIGHBOURS_BOARD & ~p->current);
    neighbours_finish(p);
    return PLY_OK;
}

/*
 * The piece that moved to `to` came from an empty square `from`, at a distance equal to the number
 * of neighbours it had there. On the board before the move, `to` was empty or, if the move was a
 * capture, held an enemy piece.
 */
size_t neighbours_predecessors(const ply_rules *rules, const void *position, void *out)
{
    const neighbours_position *p = position;
    neighbours_position *before = out;
    uint64_t pieces = p->current | p->next;
    uint64_t blocking = rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? 0 : pieces;
    int may_capture = ply_popcount(p->current) < NEIGHBOURS_PIECES;
    size_t count = 0;
    for (uint64_t movers = p->next; movers; movers &= movers - 1) {
        int to = ply_lowest(movers);
        for (int distance = 1; distance <= NEIGHBOURS_REACH; distance++) {
            const neighbours_targets *targets = &neighbours_targets_at[to][distance];
            for (unsigned i = 0; i < targets->count; i++) {
                int from = targets->to[i];
                if (neighbours_get(pieces, from) || (targets->path[i] & blocking))
                    continue;
                for (int captured = 0; captured <= may_capture; captured++) {
                    uint64_t others = captured ? pieces : neighbours_toggle(pieces, to);
                    if (neighbours_distance(others, from) != distance)
                        continue;
                    neighbours_position *b = &before[count++];
                    *b = (neighbours_position){.current = neighbours_move(p->next, to, from),
                                               .next = p->current,
                                               .side = !p->side};
                    if (captured)
                        b->next = neighbours_toggle(b->next, to);
                    neighbours_finish(b);
                }
            }
        }
    }
    return count;
}
