/* SPDX-License-Identifier: MIT */
/*
 * book.h - opening books: positions near the start, valued by a search before the game.
 *
 * A book belongs to one set of rules. It is a set of positions, each with a value. A position that
 * has been expanded has the best of the values of the positions after its moves, as far as these
 * are in the book (negamax); any other has the value that a search found. The moves of a position
 * are not stored: they are the legal moves that lead to a position of the book. docs/books.md
 * describes how books are built, and the file.
 *
 * Thread safety: an open book is read-only and may be shared between threads.
 */
#ifndef PLYVERSE_BOOK_H
#define PLYVERSE_BOOK_H

#include <plyverse/search.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_book ply_book;

/* A move of the book and its value for the player who makes it, as a search score. */
typedef struct ply_book_move {
    ply_move move;
    int32_t score;
} ply_book_move;

/*
 * Opens a book, which the caller closes. Checks everything in the file. PLY_IO: it cannot be read or
 * is damaged; PLY_UNSUPPORTED: it is for other rules; PLY_NO_MEMORY. error (may be NULL) then says
 * why, and *book is NULL. rules must outlive the book.
 */
PLY_API ply_status ply_book_open(const ply_rules *rules, const char *path, ply_book **book,
                                 ply_error *error);
/* NULL is a no-op. */
PLY_API void ply_book_close(ply_book *book);
/* The number of positions. */
PLY_API size_t ply_book_size(const ply_book *book);
/*
 * Writes the moves of the book in a position to out, best first, at most `room` of them, and returns
 * how many there are. 0: the position is not in the book or has not been expanded; or memory ran
 * out.
 */
PLY_API size_t ply_book_moves(const ply_book *book, const ply_state *state, ply_book_move *out,
                              size_t room);
/*
 * Draws a move at random from those that are at most `margin` hundredths worse than the best; the
 * worst of them has a chance of 1 for margin + 1 of the best. Returns false if the book has no move.
 */
PLY_API bool ply_book_choose(const ply_book *book, const ply_state *state, int32_t margin,
                             ply_rng *rng, ply_book_move *chosen);

/* --- building -------------------------------------------------------------------------------- */
/*
 * Searches a position in which the game goes on and writes at most `room` variations, best first;
 * returns their number. 0: stop building. The same position must always get the same answer.
 */
typedef size_t ply_book_search(void *context, const ply_state *state, ply_variation *out,
                               size_t room);

/* How to build a book. A field that is 0 takes its default. */
typedef struct ply_book_options {
    size_t size;             /* sizeof(ply_book_options); 0: the same */
    ply_book_search *search; /* required */
    void *context;
    uint64_t nodes;     /* of a search: kept in the file; a book is continued with the same only */
    uint64_t positions; /* stop at so many, at the end of a round; 0: 1000 */
    unsigned width;     /* moves taken from a search, at most 64; 0: 4 */
    int32_t ply_cost;   /* what a ply of depth costs against a worse move, in hundredths; 0: 20 */
    bool (*stopped)(void *context); /* asked after every search; NULL: never */
    /* Called when a round has been saved. NULL: not called. */
    void (*saved)(void *context, uint64_t positions, uint64_t expanded);
} ply_book_options;

/*
 * Builds a book, or continues the one at `path`, until it has so many positions, nothing is left to
 * expand, or it is stopped; a round that was interrupted is lost. The file then depends on the
 * rules, the search and the options alone, not on interruptions. PLY_STOPPED: stopped; the file
 * holds the rounds so far. Other failures are those of ply_book_open and of writing.
 */
PLY_API ply_status ply_book_build(const ply_rules *rules, const char *path,
                                  const ply_book_options *options, ply_error *error);

#ifdef __cplusplus
}
#endif
#endif
