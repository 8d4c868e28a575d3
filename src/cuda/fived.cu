/* SPDX-License-Identifier: MIT */
/*
 * fived.cu - the kernels of batches of 5D chess.
 *
 * The rules are the library's .c files, compiled a second time. A game lives in a block of memory of
 * its own (games/fived/learn/bounded.h), and its mask, of half a million bits, stays where it is.
 * Legal turns are found by search alone, with a bound on its effort.
 */
#include "cuda/batch.h"
#include "games/fived/learn/bounded.h"
#include "games/fived/rules/play.h"

#ifdef __CUDACC__
#include "games/fived/rules/steps.c"

#include "games/fived/rules/board.c"
#include "games/fived/rules/play.c"
#include "games/fived/turns/candidate_moves.c"
#include "games/fived/turns/multiverse_view.c"
#include "games/fived/turns/new_timelines.c"
#include "games/fived/turns/turn_prepare.c"
#include "games/fived/turns/turn_query.c"
#include "games/fived/turns/turn_search.c"
#include "games/fived/turns/viable_moves.c"

/* What the host has in other files, and devices never reach. */
PLY_HD_EXTERN bool fived_turn_sat_exists(fived_turn_query *, bool)
{
    return false;
}
PLY_HD_EXTERN bool fived_turn_sat_is_viable(fived_turn_query *, bool, uint32_t)
{
    return false;
}
PLY_HD_EXTERN bool fived_turn_sat_can_complete(fived_turn_query *)
{
    return true;
}
PLY_HD_EXTERN bool fived_turn_add_result(fived_turn_query *, uint64_t)
{
    return true;
}
PLY_HD_EXTERN ply_status fived_position_check_size(const ply_rules *, const fived_position *)
{
    return PLY_OK;
}
/* Nothing grows. */
PLY_HD_EXTERN bool fived_turn_reserve(fived_turn_query *q, size_t timelines, size_t boards,
                                      size_t axes)
{
    return fived_turn_has_room(q, timelines, boards, axes);
}
PLY_HD_EXTERN fived_domain *fived_turn_level(fived_turn_query *q, uint32_t level)
{
    return level < q->domains.level_room ? q->domains.levels[level] : NULL;
}
#endif

#include "games/fived/learn/numbering.h"

typedef fived_position game_position;
typedef fived_undo_info game_undo;
#define GAME_LOOKS_BACK false
#define GAME_OWNS_MEMORY
#define GAME_THREADS CUDA_GAME_THREADS /* games differ too much to share a warp by 32 */
#define GAME_POSITION_WORDS (sizeof(fived_position) / 8)
#define GAME_STEP_BLOCKS 4
#define GAME_RANDOM_BLOCKS 4
#define GAME_KERNEL(name) fived_batch_##name

PLY_HD fived_bounded_game *memory_of(const cuda_batch_args *a, uint64_t g)
{
    return (fived_bounded_game *)(void *)(a->memory + g * a->memory_bytes);
}

/* Makes *p what the host has sent for game g. */
PLY_HD void game_begin(const cuda_batch_args *a, uint64_t g, fived_position *p)
{
    fived_bounded_place(memory_of(a, g), (const fived_flat_position *)(const void *)a->flat, p);
}

PLY_HD void game_restart(const cuda_batch_args *a, uint64_t g, fived_position *p)
{
    fived_bounded_place(memory_of(a, g), (const fived_flat_position *)(const void *)a->flat_start,
                        p);
}

/* Whether the game can go on; game_mask and game_outcome rely on the legal moves it marks. */
PLY_HD bool game_fits(const cuda_batch_args *a, const fived_position *p)
{
    return fived_bounded_prepare(&a->rules, p, a->max_boards);
}

PLY_HD void game_clear_mask(const fived_position *p, uint64_t *bits)
{
    fived_bounded_game *m = fived_bounded_of(p);
    for (uint32_t i = 0; i < m->mask_count; i++)
        bits[m->mask_words[i]] = 0;
    m->mask_count = 0;
}

/* Makes the mask of game g that of where games start. */
PLY_HD void game_restart_mask(const cuda_batch_args *a, const fived_position *p, uint64_t *bits)
{
    fived_bounded_game *m = fived_bounded_of(p);
    const fived_bounded_game *start = memory_of(a, a->games);
    const uint64_t *from = a->masks + a->games * a->arrays.mask_words;
    game_clear_mask(p, bits);
    for (uint32_t i = 0; i < start->mask_count; i++) {
        uint32_t word = start->mask_words[i];
        bits[word] = from[word];
        m->mask_words[m->mask_count++] = word;
    }
}

PLY_SHARED bool write_action(void *context, ply_move move)
{
    mask_writer *w = (mask_writer *)context;
    fived_bounded_game *m = fived_bounded_of(w->position);
    uint32_t action = mask_writer_add(w, move);
    if (action != PLY_ACTION_NONE)
        m->mask_words[m->mask_count++] = action / 64;
    return true;
}

PLY_HD size_t game_mask(const cuda_batch_args *a, const fived_position *p, uint64_t *bits)
{
    mask_writer writer = {&a->rules, p, bits, 0};
    fived_turn_query *q = &fived_bounded_of(p)->query;
    game_clear_mask(p, bits);
    if (q->reuse.marked)
        fived_turn_query_each_move(q, write_action, &writer);
    return writer.count;
}

PLY_HD ply_move game_step(const cuda_batch_args *a, fived_position *p, uint32_t action,
                          fived_undo_info *undo)
{
    fived_undo_info entry;
    (void)undo;
    ply_move move = move_of(&a->rules, p, action);
    fived_play(&a->rules, p, move, &entry);
    return move;
}

PLY_HD int game_outcome(const cuda_batch_args *a, const fived_position *p,
                        const fived_undo_info *undo_stack, size_t plies, size_t legal, bool fresh)
{
    (void)a;
    (void)undo_stack;
    (void)plies;
    (void)fresh;
    fived_turn_query *q = &fived_bounded_of(p)->query;
    return legal > 0 || q->reuse.marked ? PLY_ONGOING : (int)fived_turn_query_no_turn(q).result;
}

PLY_HD int game_side(const cuda_batch_args *a, const fived_position *p)
{
    (void)a;
    return p->side;
}

PLY_HD uint64_t game_hash(const fived_position *p)
{
    return p->hash;
}

typedef struct game_view {
    const fived_position *p;
    int viewer, lo, hi, present;
} game_view;

PLY_HD void game_look(const cuda_batch_args *a, const fived_position *p, int viewer,
                      game_view *view)
{
    (void)a;
    view->p = p;
    view->viewer = viewer;
    view->present = fived_position_present(p);
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &view->lo, &view->hi);
}

PLY_HD uint8_t game_byte(const cuda_batch_args *a, const game_view *v, uint32_t i)
{
    (void)a;
    const fived_position *p = v->p;
    bool is_flags = i >= FIVED_SLOTS * FIVED_SEEN_BOARDS * 64;
    int plane = (int)(i / 64), x = (int)(i % 8), y = (int)(i / 8 % 8);
    int slot = is_flags ? plane - FIVED_SLOTS * FIVED_SEEN_BOARDS : plane / FIVED_SEEN_BOARDS;
    int l = relative_l(p, v->viewer, slot - FIVED_MIDDLE);
    if (l < p->lo || l > p->hi)
        return 0;
    int end = fived_position_timeline(p, l)->end;
    if (is_flags)
        return (uint8_t)(FIVED_SLOT_EXISTS | (l >= v->lo && l <= v->hi ? FIVED_SLOT_ACTIVE : 0) |
                         ((end & 1) == v->viewer ? FIVED_SLOT_MINE : 0) |
                         (end == v->present ? FIVED_SLOT_PRESENT : 0));
    const fived_board *board = fived_position_board(p, l, end - plane % FIVED_SEEN_BOARDS);
    if (!board || x >= p->width || y >= p->height)
        return 0;
    fived_piece piece = board->square[x + 8 * relative_y(p, v->viewer, y)];
    return piece && v->viewer ? (uint8_t)(piece ^ FIVED_BLACK) : piece;
}

#include "cuda/batch_body.h"
