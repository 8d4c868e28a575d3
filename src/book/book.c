/* SPDX-License-Identifier: MIT */
/* book.c - looking up positions and moves; see <plyverse/book.h>. */
#include "book/book_internal.h"
#include <stdlib.h>
#include <string.h>

size_t ply_book_size(const ply_book *book)
{
    return book ? book->count : 0;
}

const book_entry *ply_book_find(const ply_book *book, uint64_t key)
{
    size_t low = 0, high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book->entries[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < book->count && book->entries[low].key == key ? &book->entries[low] : NULL;
}

/* Inserts a move into a list that is sorted best first; equal ones keep the order of the game. */
static void insert_move(ply_book_move *moves, size_t count, ply_book_move move)
{
    for (; count > 0 && moves[count - 1].score < move.score; count--)
        moves[count] = moves[count - 1];
    moves[count] = move;
}

/*
 * Finds the moves of the book in a position, whose entry is `from`, best first; moves has room for
 * all. state is left unchanged.
 */
static size_t list_moves(const ply_book *book, ply_state *state, const book_entry *from,
                         const ply_move *legal, size_t legal_count, ply_book_move *moves)
{
    int side = ply_state_side(state);
    size_t count = 0;
    for (size_t i = 0; i < legal_count; i++) {
        if (ply_state_play(state, legal[i]) != PLY_OK)
            break;
        const book_entry *to = ply_book_find(book, ply_state_key(state));
        int sign = ply_state_side(state) == side ? 1 : -1;
        ply_state_undo(state);
        if (to && to->ply > from->ply)
            insert_move(moves, count++,
                        (ply_book_move){.move = legal[i], .score = sign * to->value});
    }
    return count;
}

size_t ply_book_moves(const ply_book *book, const ply_state *state, ply_book_move *out, size_t room)
{
    if (!book || !state || !state->position || (!out && room > 0))
        return 0;
    const book_entry *from = ply_book_find(book, ply_state_key(state));
    ply_state copy;
    if (!from || !from->expanded || ply_state_outcome(state).result != PLY_ONGOING ||
        ply_state_copy(&copy, state) != PLY_OK)
        return 0;
    size_t most = state->rules->max_moves, count = 0;
    ply_move *legal = malloc(most * sizeof *legal);
    ply_book_move *moves = malloc(most * sizeof *moves);
    if (legal && moves)
        count = list_moves(book, &copy, from, legal, ply_state_moves(&copy, legal, most), moves);
    if (count > 0 && room > 0)
        memcpy(out, moves, (count < room ? count : room) * sizeof *out);
    free(moves);
    free(legal);
    ply_state_free(&copy);
    return count;
}

bool ply_book_choose(const ply_book *book, const ply_state *state, int32_t margin, ply_rng *rng,
                     ply_book_move *chosen)
{
    enum { CHOICES = 64 };
    ply_book_move moves[CHOICES];
    if (!rng || !chosen || margin < 0 || margin > PLY_SCORE_WIN)
        return false;
    size_t count = ply_book_moves(book, state, moves, CHOICES), near = 0;
    uint32_t sum = 0;
    for (; near < count && near < CHOICES && moves[0].score - moves[near].score <= margin; near++)
        sum += (uint32_t)(margin + 1 - (moves[0].score - moves[near].score));
    if (near == 0)
        return false;
    int64_t at = ply_rng_below(rng, sum);
    size_t i = 0;
    while ((at -= margin + 1 - (moves[0].score - moves[i].score)) >= 0)
        i++;
    *chosen = moves[i];
    return true;
}
