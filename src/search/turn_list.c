/* SPDX-License-Identifier: MIT */
/* turn_list.c - see turn_list.h. */
#include "search/turn_list.h"
#include "core/array.h"
#include <stdlib.h>
#include <string.h>

bool ply_turn_list_add(turn_list *list, const ply_move *moves, size_t count, int32_t score)
{
    if (!ply_array_grow(&list->turns, &list->turn_capacity, list->turn_count + 1,
                        sizeof *list->turns) ||
        !ply_array_grow(&list->moves, &list->move_capacity, list->move_count + count,
                        sizeof *list->moves))
        return false;
    memcpy(list->moves + list->move_count, moves, count * sizeof *moves);
    list->turns[list->turn_count++] =
        (listed_turn){.first = list->move_count, .count = count, .score = score};
    list->move_count += count;
    return true;
}

static int compare_turns(const void *a, const void *b)
{
    const listed_turn *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

void ply_turn_list_sort(turn_list *list, size_t first)
{
    if (list->turn_count > first)
        qsort(list->turns + first, list->turn_count - first, sizeof *list->turns, compare_turns);
}

void ply_turn_list_free(turn_list *list)
{
    free(list->turns);
    free(list->moves);
}
