/* SPDX-License-Identifier: MIT */
/*
 * learning_isa.c - observations and masks; compiled once for each instruction set.
 */
#include "core/planes.h"
#include "games/shogi/learn/pgx_planes.h"

/* --- observations ----------------------------------------------------------------------------- */
/*
 * A plane of pieces is the board compared with their code. Planes are written in ascending order by
 * whole vectors: what a plane has too much is overwritten by the next.
 */
typedef uint8_t rank_vector __attribute__((vector_size(16)));
typedef uint8_t cell_vector __attribute__((vector_size(32)));
enum { CELL_VECTORS = 3 };

/* The piece codes as the viewer sees them, nine per rank. The viewer's own have no owner's bit. */
static inline void see_board(const shogi_position *p, int viewer, cell_vector cells[CELL_VECTORS])
{
    uint8_t seen[CELL_VECTORS * sizeof(cell_vector)], last[sizeof(rank_vector)] = {0};
    memcpy(last, p->board + 11 * (SHOGI_SIDE - 1), SHOGI_SIDE);
    for (int i = 0; i < SHOGI_SIDE; i++) {
        int rank = viewer == SHOGI_BLACK ? i : SHOGI_SIDE - 1 - i;
        rank_vector row;
        memcpy(&row, rank == SHOGI_SIDE - 1 ? last : p->board + 11 * rank, sizeof row);
        if (viewer != SHOGI_BLACK)
            row = __builtin_shufflevector(row, row, 8, 7, 6, 5, 4, 3, 2, 1, 0, 9, 10, 11, 12, 13,
                                          14, 15) ^
                  SHOGI_CODE_WHITE;
        memcpy(seen + SHOGI_SIDE * i, &row, sizeof row);
    }
    memcpy(cells, seen, sizeof seen);
}

/* The two halves of a plane of pieces are told apart by the owner's bit. */
static inline uint8_t *write_pieces(const cell_vector cells[CELL_VECTORS], int owner, uint8_t *out)
{
    for (int code = 0; code < SHOGI_PLANES_OPPONENT; code++, out += SHOGI_AREA)
        for (size_t i = 0; i < CELL_VECTORS; i++) {
            cell_vector here = (cell_vector)(cells[i] == (uint8_t)(code | owner)) & 1;
            memcpy(out + i * sizeof here, &here, sizeof here);
        }
    return out;
}

static inline uint8_t *write_hand(uint64_t hand, uint8_t *out)
{
    for (int kind = 0; kind < SHOGI_KING; kind++, out += SHOGI_AREA) {
        cell_vector held = (cell_vector){0} + (uint8_t)shogi_hand_count(hand, kind);
        for (size_t i = 0; i < CELL_VECTORS; i++)
            memcpy(out + i * sizeof held, &held, sizeof held);
    }
    return out;
}

static void observe(const shogi_position *p, int viewer, uint8_t *out)
{
    cell_vector cells[CELL_VECTORS];
    see_board(p, viewer, cells);
    out = write_pieces(cells, 0, out);
    out = write_pieces(cells, SHOGI_CODE_WHITE, out);
    out = write_hand(p->hand[viewer], out);
    out = write_hand(p->hand[!viewer], out);
    memset(out, viewer, SHOGI_AREA);
}

static void observe_pgx(const shogi_position *p, int viewer, uint8_t *out)
{
    uint64_t bits[SHOGI_PGX_WORDS];
    shogi_pgx_bits(p, viewer, bits);
    ply_planes_expand(bits, SHOGI_PGX_BITS, out);
}

extern const shogi_learning PLY_ISA(shogi_learning_of);
const shogi_learning PLY_ISA(shogi_learning_of) = {
    .observe = observe, .observe_pgx = observe_pgx, .mask = shogi_mask};
