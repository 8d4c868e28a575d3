/* SPDX-License-Identifier: MIT */
/* checkers.cu - the kernels of batches and perft of checkers. */
#include "cuda/batch.h"
#include "games/checkers/learn/numbering.h"
#include "games/checkers/rules/draw_rules.h"
#include "games/checkers/rules/english.h"
#include "games/checkers/rules/general.h"

typedef checkers_position game_position;
typedef checkers_undo_info game_undo;
#define GAME_LOOKS_BACK true
#define GAME_MASK_WORDS (CHECKERS_ACTIONS / 64)
#define GAME_POSITION_WORDS 6
#define GAME_STEP_BLOCKS 6
#define GAME_QUICK_BLOCKS 8
#define GAME_RANDOM_BLOCKS 6
#define GAME_KERNEL(name) checkers_batch_##name
#define GAME_PERFT_KERNEL(name) checkers_perft_##name

PLY_HD size_t list_moves(const ply_rules *rules, const checkers_position *p, ply_move *moves)
{
    return checkers_is_english(rules) ? english_moves(p, moves)
                                      : general_moves(rules, p, moves, NULL);
}

PLY_HD size_t game_mask(const cuda_batch_args *a, const checkers_position *p, uint64_t *bits)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    return checkers_mask(p, moves, list_moves(&a->rules, p, moves), bits);
}

PLY_HD ply_move game_step(const cuda_batch_args *a, checkers_position *p, uint32_t action,
                          checkers_undo_info *undo)
{
    ply_move move;
    if (!quiet_step(&a->rules, p, action, &move)) {
        ply_move moves[CHECKERS_MAX_MOVES];
        move = move_in(moves, list_moves(&a->rules, p, moves), p->turn, action);
    }
    cuda_copy_pairs(undo, p, sizeof *p / 16);
    apply_move(p, move);
    return move;
}

PLY_HD int game_side(const cuda_batch_args *a, const checkers_position *p)
{
    return p->turn ^ a->rules.option[CHECKERS_OPTION_STARTS];
}

PLY_HD int game_outcome(const cuda_batch_args *a, const checkers_position *p,
                        const checkers_undo_info *undo_stack, size_t plies, size_t legal,
                        bool fresh)
{
    if (legal == 0)
        return game_side(a, p) ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    return (int)draw_outcome(&a->rules, p, undo_stack, plies, fresh).result;
}

PLY_HD uint64_t game_hash(const checkers_position *p)
{
    return p->hash;
}

typedef struct game_view {
    uint64_t planes[4];
    uint8_t quiet;
} game_view;

PLY_HD void game_look(const cuda_batch_args *a, const checkers_position *p, int viewer,
                      game_view *view)
{
    int colour = viewer ^ a->rules.option[CHECKERS_OPTION_STARTS];
    for (int plane = 0; plane < 4; plane++) {
        uint64_t board = p->board[plane < 2 ? colour : !colour][plane & 1];
        view->planes[plane] = colour == CHECKERS_BLACK ? checkers_rotate(board) : board;
    }
    view->quiet = (uint8_t)(p->quiet < 255 ? p->quiet : 255);
}

PLY_HD uint8_t game_byte(const cuda_batch_args *a, const game_view *v, uint32_t i)
{
    (void)a;
    return (uint8_t)(i < 4 * 64 ? v->planes[i / 64] >> i % 64 & 1 : v->quiet);
}

PLY_HD uint64_t game_count(const cuda_batch_args *a, const game_position *p)
{
    uint64_t mask[GAME_MASK_WORDS];
    return game_mask(a, p, mask);
}

#define GAME_QUICK
#define GAME_QUICK_RENEWS
typedef struct game_quick {
    uint64_t own[2], enemy[2]; /* pieces by kind */
    uint64_t hash;
    uint32_t quiet;
    uint8_t turn;
    bool jumps; /* captures are compulsory */
    uint8_t
        chains; /* if a capture may go on after its first jump: the length of the list, else 0 */
    uint64_t can[4]; /* else pieces that have a step or jump in each direction, as the player sees
                        the board: in the order of the target squares */
} game_quick;
typedef ply_move game_quick_list[CHECKERS_MAX_MOVES];

/* Where a step or jump of each direction leads, relative to the player: men move up. */
enum { QUICK_DIRECTIONS = 4 };
#define QUICK_DIRECTION(i) (CHECKERS_UP_LEFT ^ ((i)&2) ^ ((i)&1))

PLY_HD bool game_is_quick(const cuda_batch_args *a)
{
    return checkers_is_english(&a->rules) &&
           a->rules.option[CHECKERS_OPTION_ENDINGS] == CHECKERS_ENDINGS_NONE;
}

PLY_HD void game_quick_open(const cuda_batch_args *a, const checkers_position *p, game_quick *q)
{
    (void)a;
    bool white = p->turn == CHECKERS_WHITE;
    q->own[0] = white ? p->white_men : p->black_men;
    q->own[1] = white ? p->white_kings : p->black_kings;
    q->enemy[0] = white ? p->black_men : p->white_men;
    q->enemy[1] = white ? p->black_kings : p->white_kings;
    q->hash = p->hash;
    q->quiet = p->quiet;
    q->turn = p->turn;
}

PLY_HD checkers_position quick_position(const game_quick *q)
{
    bool white = q->turn == CHECKERS_WHITE;
    checkers_position p;
    p.black_men = white ? q->enemy[0] : q->own[0];
    p.black_kings = white ? q->enemy[1] : q->own[1];
    p.white_men = white ? q->own[0] : q->enemy[0];
    p.white_kings = white ? q->own[1] : q->enemy[1];
    p.hash = q->hash;
    p.quiet = q->quiet;
    p.turn = q->turn;
    p.zero[0] = p.zero[1] = p.zero[2] = 0;
    return p;
}

PLY_HD void game_quick_close(const cuda_batch_args *a, const game_quick *q, checkers_position *p)
{
    (void)a;
    *p = quick_position(q);
}

/* The captures of a position in which one may have several jumps. */
PLY_HD uint8_t list_chains(const game_quick *q, game_quick_list *list)
{
    checkers_position p = quick_position(q);
    english_view v = view_of(&p);
    return (uint8_t)captures(&v, jumpers_of(&v), *list);
}

/* Whether some capture may go on after its first jump; no if it cannot. v: men move up. */
PLY_HD bool may_go_on(const english_view *v, const uint64_t jumps[4])
{
    english_view after = *v;
    uint64_t open[4], found = 0;
    after.empty |= jumps[0] | jumps[1] | jumps[2] | jumps[3]; /* where they jump from */
    PLY_UNROLL
    for (int i = 0; i < QUICK_DIRECTIONS; i++)
        open[i] = open_jumps(&after, QUICK_DIRECTION(i));
    PLY_UNROLL
    for (int i = 0; i < QUICK_DIRECTIONS; i++) {
        int d = QUICK_DIRECTION(i);
        uint64_t men = i < 2 ? checkers_shift(checkers_shift(jumps[i] & ~v->kings, d), d) : 0;
        uint64_t kings = checkers_shift(checkers_shift(jumps[i] & v->kings, d), d);
        found |= men & (open[0] | open[1]);
        PLY_UNROLL
        for (int next = 0; next < QUICK_DIRECTIONS; next++)
            found |= next == 3 - i ? 0 : kings & open[next]; /* not back over the same piece */
    }
    return found != 0;
}

PLY_HD size_t game_quick_look(const cuda_batch_args *a, game_quick *q, game_quick_list *list)
{
    (void)a;
    bool turned = q->turn == CHECKERS_BLACK;
    uint64_t kings = q->own[1], own = q->own[0] | kings, enemy = q->enemy[0] | q->enemy[1];
    kings = turned ? checkers_rotate(kings) : kings;
    own = turned ? checkers_rotate(own) : own;
    enemy = turned ? checkers_rotate(enemy) : enemy;
    english_view v = {
        own, kings, CHECKERS_DARK_SQUARES & ~(own | enemy), enemy & CHECKERS_NOT_EDGES, 0, 2};
    uint64_t jumps[4];
    PLY_UNROLL
    for (int i = 0; i < QUICK_DIRECTIONS; i++)
        jumps[i] = open_jumps(&v, QUICK_DIRECTION(i)) & (i < 2 ? own : kings);
    q->jumps = (jumps[0] | jumps[1] | jumps[2] | jumps[3]) != 0;
    q->chains = q->jumps && may_go_on(&v, jumps) ? list_chains(q, list) : 0;
    int count = 0;
    PLY_UNROLL
    for (int i = 0; i < QUICK_DIRECTIONS; i++) {
        uint64_t steps = checkers_step(v.empty, 3 - QUICK_DIRECTION(i)) & (i < 2 ? own : kings);
        q->can[i] = q->jumps ? jumps[i] : steps;
        count += ply_popcount(q->can[i]);
    }
    return q->chains ? q->chains : (size_t)count;
}

PLY_HD void game_quick_renew(const cuda_batch_args *a, game_quick *q, game_quick_list *list)
{
    (void)a;
    if (q->chains)
        list_chains(q, list);
}

/* Capture number k of the list, in the order of the actions. */
PLY_CALLED ply_move nth_capture(const ply_move *list, uint32_t count, int turn, uint32_t k)
{
    ply_move found = list[0];
    bool shared = false; /* both squares, by two captures: such actions are numbered apart */
    for (uint32_t i = 0; i < count; i++) {
        uint64_t order = order_of(turn, list[i]);
        uint32_t rank = 0;
        for (uint32_t j = 0; j < count; j++) {
            uint64_t other = order_of(turn, list[j]);
            rank += other < order;
            shared |= j != i && other >> 32 == order >> 32;
        }
        found = rank == k ? list[i] : found;
    }
    if (!shared)
        return found;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = number_in(list, count, turn, list[i]), rank = 0;
        for (uint32_t j = 0; j < count; j++)
            rank += number_in(list, count, turn, list[j]) < number;
        found = rank == k ? list[i] : found;
    }
    return found;
}

/* Half of the board: the low or the high bits. */
PLY_HD uint32_t half(uint64_t board, bool high)
{
    return (uint32_t)(high ? board >> 32 : board);
}

/* The bit of the piece that has move number k; *k becomes the number among its moves. Every thread of
 * a warp takes the same steps. */
PLY_HD int piece_of_move(const uint64_t can[4], uint32_t *k)
{
    uint32_t lower =
        (uint32_t)(ply_popcount(half(can[0], false)) + ply_popcount(half(can[1], false)) +
                   ply_popcount(half(can[2], false)) + ply_popcount(half(can[3], false)));
    bool high = *k >= lower;
    uint32_t a = half(can[0], high), b = half(can[1], high), c = half(can[2], high),
             d = half(can[3], high), left = *k - (high ? lower : 0);
    int at = 0;
    for (int width = 16; width > 0; width >>= 1) {
        uint32_t below = (((uint32_t)1 << width) - 1) << at;
        uint32_t count = (uint32_t)(ply_popcount(a & below) + ply_popcount(b & below) +
                                    ply_popcount(c & below) + ply_popcount(d & below));
        bool above = left >= count;
        left -= above ? count : 0;
        at += above ? width : 0;
    }
    *k = left;
    return at + (high ? 32 : 0);
}

/* Step or jump number k. */
PLY_HD ply_move nth_simple(const game_quick *q, uint32_t k)
{
    int from = piece_of_move(q->can, &k), distance = 0;
    const int steps[4] = {-9, -7, 7, 9};
    PLY_UNROLL
    for (int i = 0; i < QUICK_DIRECTIONS; i++) {
        bool can = q->can[i] >> from & 1;
        distance = can && k == 0 ? steps[i] : distance;
        k -= can;
    }
    bool turned = q->turn == CHECKERS_BLACK;
    int over = turned ? 63 - from - distance : from + distance;
    from = turned ? 63 - from : from;
    distance = turned ? -distance : distance;
    int to = q->jumps ? over + distance : over;
    bool crown = (q->own[0] >> from & 1) && (checkers_crown_row(q->turn) >> to & 1);
    return checkers_move_make(checkers_index_of(from), checkers_index_of(to),
                              q->jumps ? (uint32_t)1 << checkers_index_of(over) : 0, crown);
}

PLY_HD ply_move game_quick_play(const cuda_batch_args *a, game_quick *q,
                                const game_quick_list *list, uint32_t k, checkers_undo_info *undo)
{
    (void)a;
    checkers_position before = quick_position(q);
    ply_move move = q->chains ? nth_capture(*list, q->chains, q->turn, k) : nth_simple(q, k);
    cuda_copy_pairs(undo, &before, sizeof before / 16);
    apply_between(q->own, q->enemy, q->turn, move, &q->hash, &q->quiet);
    for (int kind = 0; kind < 2; kind++) {
        uint64_t own = q->own[kind];
        q->own[kind] = q->enemy[kind];
        q->enemy[kind] = own;
    }
    q->turn = (uint8_t)!q->turn;
    return move;
}

PLY_HD uint64_t game_quick_hash(const game_quick *q)
{
    return q->hash;
}

PLY_HD int game_quick_outcome(const cuda_batch_args *a, const game_quick *q,
                              const checkers_undo_info *undo_stack, size_t plies, size_t legal,
                              bool fresh)
{
    checkers_position p = quick_position(q);
    if (legal == 0)
        return game_side(a, &p) ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    return is_repetition(&a->rules, &p, undo_stack, plies, fresh) || is_stale(&a->rules, &p)
               ? PLY_DRAW
               : PLY_ONGOING;
}

#include "cuda/batch_body.h"
#include "cuda/perft_body.h"
