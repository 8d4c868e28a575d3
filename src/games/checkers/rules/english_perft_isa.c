/* SPDX-License-Identifier: MIT */
/*
 * english_perft_isa.c - counting the leaves of English checkers, many positions at a time.
 *
 * The boards are compact (gen_layout.c): 32 bits, placed so that every step is a rotation by 1 or
 * by 7. A position is three words: black pieces, white pieces, kings of either colour.
 *
 * The tree is walked a row of positions at a time. A row is expanded into the next one, as many
 * positions at once as the machine has lanes, and whenever the next row is full it is walked in its
 * turn; so the lanes stay full at every depth. The last ply is only counted: quiet moves are the
 * bits of four boards, and so are the captures by men (count_men). Captures by kings are rare and
 * are walked one by one.
 */
#include "core/bits.h"
#include "games/checkers/checkers.h"
#include <string.h>

#include "checkers/layout.inc"

#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX2__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
/* A king has four quiet moves at most, a man has eight captures at most. */
enum { ROOM = 3072, GROUP_ROOM = LANES * 8 * CHECKERS_PIECES };

typedef uint32_t lanes __attribute__((vector_size(LANES * 4)));

static const uint32_t may_go[4] = {COMPACT_MAY_DOWN_LEFT, COMPACT_MAY_DOWN_RIGHT,
                                   COMPACT_MAY_UP_LEFT, COMPACT_MAY_UP_RIGHT};
static const int turns[4] = {COMPACT_TURN_DOWN_LEFT, COMPACT_TURN_DOWN_RIGHT, COMPACT_TURN_UP_LEFT,
                             COMPACT_TURN_UP_RIGHT};

#define INLINE static inline __attribute__((always_inline))

/* One board, and a board in each lane. In all of these d and colour are constants where they are
 * called. */
INLINE uint32_t turn_one(uint32_t b, int n)
{
    return b << n | b >> (32 - n);
}

INLINE uint32_t step_one(uint32_t b, int d)
{
    return turn_one(b & may_go[d], turns[d]);
}

INLINE lanes turn_many(lanes b, int n)
{
    return b << n | b >> (32 - n);
}

INLINE lanes step_many(lanes b, int d)
{
    return turn_many(b & may_go[d], turns[d]);
}

INLINE uint32_t crown_row(int colour)
{
    return colour == CHECKERS_BLACK ? COMPACT_LAST_ROW : COMPACT_FIRST_ROW;
}

INLINE bool any_lane(lanes b)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)b, (__m512i)b) != 0;
#else
    uint64_t words[LANES / 2], all = 0;
    memcpy(words, &b, sizeof words);
    for (int i = 0; i < LANES / 2; i++)
        all |= words[i];
    return all != 0;
#endif
}

/* Adds up the bits of boards, lane by lane. */
typedef struct tally {
    lanes sums;
} tally;

INLINE void tally_add(tally *t, lanes boards)
{
#if defined(__AVX512VPOPCNTDQ__)
    t->sums += (lanes)_mm512_popcnt_epi32((__m512i)boards);
#else
    /* Bytes for now; a byte gets at most 8 from each board, and count_group adds 12 boards. */
    boards -= (boards >> 1) & 0x55555555u;
    boards = (boards & 0x33333333u) + ((boards >> 2) & 0x33333333u);
    t->sums += (boards + (boards >> 4)) & 0x0F0F0F0Fu;
#endif
}

/* One number a lane. */
INLINE lanes tally_lanes(const tally *t)
{
#if defined(__AVX512VPOPCNTDQ__)
    return t->sums;
#else
    lanes pairs = (t->sums & 0x00FF00FFu) + ((t->sums >> 8) & 0x00FF00FFu);
    return (pairs + (pairs >> 16)) & 0xFFFFu;
#endif
}

/* --- one position --------------------------------------------------------------------------- */
typedef struct row {
    /* Behind the last position there is room for a group of empty boards. */
    uint32_t black[ROOM + LANES], white[ROOM + LANES], kings[ROOM + LANES];
    size_t count;
} row;

typedef struct walk {
    row *next; /* where children go; NULL: they are only counted */
    uint64_t total;
    int depth; /* of the positions of next */
    int mode;
} walk;

static uint64_t walk_row(row *r, int colour, int depth, int mode);

INLINE void emit(walk *w, int colour, uint32_t own, uint32_t enemy, uint32_t kings)
{
    if (!w->next) {
        w->total++;
        return;
    }
    row *n = w->next;
    if (n->count == ROOM) {
        w->total += walk_row(n, !colour, w->depth, w->mode);
        n->count = 0;
    }
    n->black[n->count] = colour == CHECKERS_BLACK ? own : enemy;
    n->white[n->count] = colour == CHECKERS_BLACK ? enemy : own;
    n->kings[n->count++] = kings;
}

typedef struct chain {
    walk *w;
    uint32_t own, enemy, kings, empty; /* own and kings without the piece that jumps */
    uint32_t captured;
    size_t seen_count;
    uint64_t seen[CHECKERS_MAX_MOVES]; /* captured and last square of long rounds by this king */
} chain;

/* Whether this king has come to the square over the same pieces before. */
static bool is_known(chain *c, uint32_t square)
{
    if (c->w->mode == CHECKERS_COUNT_PATHS || ply_popcount(c->captured) < 4)
        return false;
    uint64_t key = (uint64_t)c->captured << 32 | square;
    for (size_t i = 0; i < c->seen_count; i++)
        if (c->seen[i] == key)
            return true;
    if (c->seen_count < CHECKERS_MAX_MOVES)
        c->seen[c->seen_count++] = key;
    return false;
}

static void king_chain(chain *c, int colour, uint32_t square)
{
    bool any = false;
    for (int d = 0; d < 4; d++) {
        uint32_t over = step_one(square, d) & c->enemy & ~c->captured;
        uint32_t land = step_one(over, d) & c->empty;
        if (!land)
            continue;
        any = true;
        c->captured |= over;
        king_chain(c, colour, land);
        c->captured ^= over;
    }
    if (!any && !is_known(c, square))
        emit(c->w, colour, c->own | square, c->enemy & ~c->captured,
             (c->kings & ~c->captured) | square);
}

/* The captures of the kings among `jumpers`. */
static void capture_one(walk *w, int colour, uint32_t own, uint32_t enemy, uint32_t kings,
                        uint32_t jumpers)
{
    chain c;
    c.w = w;
    c.enemy = enemy;
    c.captured = 0;
    for (; jumpers; jumpers &= jumpers - 1) {
        uint32_t square = jumpers & -jumpers;
        c.own = own ^ square;
        c.kings = kings & ~square;
        c.empty = ~(c.own | enemy);
        c.seen_count = 0;
        king_chain(&c, colour, square);
    }
}

#if !defined(__AVX512F__)
/* Writes a child where the caller has seen to room. */
INLINE void put_one(row *n, int colour, uint32_t own, uint32_t enemy, uint32_t kings)
{
    n->black[n->count] = colour == CHECKERS_BLACK ? own : enemy;
    n->white[n->count] = colour == CHECKERS_BLACK ? enemy : own;
    n->kings[n->count++] = kings;
}

INLINE void quiet_one(row *n, int colour, uint32_t own, uint32_t enemy, uint32_t kings)
{
    uint32_t empty = ~(own | enemy);
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        uint32_t movers = (d >> 1) == colour ? own : own & kings;
        for (uint32_t to = step_one(movers, d) & empty; to; to &= to - 1) {
            uint32_t square = to & -to, from = turn_one(square, turns[3 - d]);
            put_one(n, colour, own ^ from ^ square, enemy,
                    kings & from ? kings ^ from ^ square : kings | (square & crown_row(colour)));
        }
    }
}

/* Captures by men, jump by jump for all men at once; see men_group below. */
INLINE void men_one(row *n, int colour, uint32_t own, uint32_t enemy, uint32_t kings, uint32_t men)
{
    int first = 2 * colour;
    uint32_t empty = ~(own | enemy), open[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
        open[i] = step_one(step_one(empty, 3 - first - i) & enemy, 3 - first - i);
    uint32_t more = open[0] | open[1];
#pragma GCC unroll 2
    for (int a = 0; a < 2; a++) {
        int turn_a = turns[first + a], back_a = 32 - turn_a;
        uint32_t once = turn_one(men & open[a], 2 * turn_a % 32);
        for (; once; once &= once - 1) {
            uint32_t land = once & -once, over = turn_one(land, back_a);
            uint32_t from = turn_one(over, back_a);
            if (!(land & more)) {
                put_one(n, colour, own ^ from ^ land, enemy ^ over,
                        (kings & ~over) | (land & crown_row(colour)));
                continue;
            }
            for (int b = 0; b < 2; b++) {
                int turn_b = turns[first + b];
                if (!(land & open[b]))
                    continue;
                uint32_t over_b = turn_one(land, turn_b), land_b = turn_one(over_b, turn_b);
                uint32_t captured = over | over_b;
                if (!(land_b & more))
                    put_one(n, colour, own ^ from ^ land_b, enemy ^ captured,
                            (kings & ~captured) | (land_b & crown_row(colour)));
                for (int c = 0; c < 2; c++) {
                    int turn_c = turns[first + c];
                    if (!(land_b & open[c]))
                        continue;
                    uint32_t over_c = turn_one(land_b, turn_c), end = turn_one(over_c, turn_c);
                    put_one(n, colour, own ^ from ^ end, enemy ^ captured ^ over_c,
                            (kings & ~(captured | over_c)) | (end & crown_row(colour)));
                }
            }
        }
    }
}
#endif

/* --- a position in each lane
 * ---------------------------------------------------------------------- */
typedef struct group {
    lanes own, enemy, kings;
    lanes empty;
    lanes open[4];  /* squares from which a jump in a direction is open, whoever stands there */
    lanes men_jump; /* men that can jump */
    lanes king_jump;
    bool has_kings; /* the player to move, somewhere in the group */
} group;

INLINE lanes load(const uint32_t *words)
{
    lanes result;
    memcpy(&result, words, sizeof result);
    return result;
}

INLINE group load_group(const row *r, int colour, size_t at)
{
    group g;
    lanes black = load(r->black + at), white = load(r->white + at);
    g.own = colour == CHECKERS_BLACK ? black : white;
    g.enemy = colour == CHECKERS_BLACK ? white : black;
    g.kings = load(r->kings + at);
    g.empty = ~(g.own | g.enemy);
    g.has_kings = any_lane(g.own & g.kings);
    int first = 2 * colour, back = 2 - first;
#pragma GCC unroll 2
    for (int d = first; d < first + 2; d++)
        g.open[d] = step_many(step_many(g.empty, 3 - d) & g.enemy, 3 - d);
    lanes forward = g.open[first] | g.open[first + 1];
    g.men_jump = g.own & forward;
    g.king_jump = (lanes){0};
    if (g.has_kings) {
#pragma GCC unroll 2
        for (int d = back; d < back + 2; d++)
            g.open[d] = step_many(step_many(g.empty, 3 - d) & g.enemy, 3 - d);
        g.king_jump = g.own & g.kings & (forward | g.open[back] | g.open[back + 1]);
        g.men_jump &= ~g.kings;
    }
    return g;
}

/*
 * Men jump forward only, so their captures make a forest in which every way is a different
 * capture. The number of its leaves is the number of roots, and one more for each place, on the
 * way or at its beginning, where both jumps are open. A man jumps three times at most, and at the
 * third landing no jump is open.
 */
INLINE void count_men(tally *t, const group *g, int colour)
{
    int left = 2 * colour, right = 2 * colour + 1;
    lanes both = g->open[left] & g->open[right];
    tally_add(t, g->men_jump);
    tally_add(t, g->men_jump & both);
    lanes at_left = turn_many(g->men_jump & g->open[left], 2 * turns[left] % 32);
    lanes at_right = turn_many(g->men_jump & g->open[right], 2 * turns[right] % 32);
    tally_add(t, at_left & both);
    tally_add(t, at_right & both);
    tally_add(t, turn_many(at_left & g->open[left], 2 * turns[left] % 32) & both);
    tally_add(t, turn_many(at_left & g->open[right], 2 * turns[right] % 32) & both);
    tally_add(t, turn_many(at_right & g->open[left], 2 * turns[left] % 32) & both);
    tally_add(t, turn_many(at_right & g->open[right], 2 * turns[right] % 32) & both);
}

/* Adds the moves of each lane to *sums; returns the captures by kings, which come on top. */
INLINE uint64_t count_group(const group *g, int colour, int mode, lanes *sums)
{
    tally t = {0};
    lanes quiet = (lanes)((g->men_jump | g->king_jump) == 0);
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        if ((d >> 1) != colour && !g->has_kings)
            continue;
        lanes movers = (d >> 1) == colour ? g->own : g->own & g->kings;
        tally_add(&t, step_many(movers, d) & g->empty & quiet);
    }
    if (any_lane(g->men_jump))
        count_men(&t, g, colour);
    *sums += tally_lanes(&t);
    uint64_t total = 0;
    if (any_lane(g->king_jump)) {
        walk w = {.mode = mode};
        for (int i = 0; i < LANES; i++)
            if (g->king_jump[i])
                capture_one(&w, colour, g->own[i], g->enemy[i], g->kings[i], g->king_jump[i]);
        total = w.total;
    }
    return total;
}

#if defined(__AVX512F__)
/* Writes the chosen lanes of a child position to the row, one after the other. */
INLINE void emit_many(row *n, int colour, __mmask16 chosen, lanes own, lanes enemy, lanes kings)
{
    uint32_t *own_row = colour == CHECKERS_BLACK ? n->black : n->white;
    uint32_t *enemy_row = colour == CHECKERS_BLACK ? n->white : n->black;
    _mm512_storeu_si512(own_row + n->count, _mm512_maskz_compress_epi32(chosen, (__m512i)own));
    _mm512_storeu_si512(enemy_row + n->count, _mm512_maskz_compress_epi32(chosen, (__m512i)enemy));
    _mm512_storeu_si512(n->kings + n->count, _mm512_maskz_compress_epi32(chosen, (__m512i)kings));
    n->count += (size_t)ply_popcount(chosen);
}

/* The quiet moves of the lanes in which nobody can jump. */
INLINE void quiet_group(row *n, const group *g, int colour)
{
    lanes quiet = (lanes)((g->men_jump | g->king_jump) == 0);
    lanes crown = crown_row(colour) + (lanes){0};
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        if ((d >> 1) != colour && !g->has_kings)
            continue;
        lanes movers = (d >> 1) == colour ? g->own : g->own & g->kings;
        lanes to = step_many(movers, d) & g->empty & quiet;
        __mmask16 chosen;
        while ((chosen = _mm512_test_epi32_mask((__m512i)to, (__m512i)to)) != 0) {
            lanes square = to & -to, from = turn_many(square, turns[3 - d]);
            to ^= square;
            lanes moved = from | square;
            __mmask16 is_king = _mm512_test_epi32_mask((__m512i)from, (__m512i)g->kings);
            lanes kings = (lanes)_mm512_mask_xor_epi32((__m512i)(g->kings | (square & crown)),
                                                       is_king, (__m512i)g->kings, (__m512i)moved);
            emit_many(n, colour, chosen, g->own ^ moved, g->enemy, kings);
        }
    }
}

/*
 * Captures by men that jump `length` times, in the directions given, and then have no jump more:
 * `ends` holds their last squares. Where a man came from and whom he captured follows by turning.
 */
INLINE void men_chains(row *n, const group *g, int colour, lanes ends, int length, const int *ways)
{
    lanes crown = crown_row(colour) + (lanes){0};
    __mmask16 chosen;
    while ((chosen = _mm512_test_epi32_mask((__m512i)ends, (__m512i)ends)) != 0) {
        lanes land = ends & -ends, at = land, captured = {0};
        ends ^= land;
#pragma GCC unroll 3
        for (int i = length - 1; i >= 0; i--) {
            captured |= turn_many(at, turns[3 - ways[i]]);
            at = turn_many(at, 2 * turns[3 - ways[i]] % 32);
        }
        emit_many(n, colour, chosen, (g->own ^ at) | land, g->enemy ^ captured,
                  (g->kings & ~captured) | (land & crown));
    }
}

INLINE void men_group(row *n, const group *g, int colour)
{
    int first = 2 * colour;
    lanes more = g->open[first] | g->open[first + 1];
#pragma GCC unroll 2
    for (int a = first; a < first + 2; a++) {
        lanes once = turn_many(g->men_jump & g->open[a], 2 * turns[a] % 32);
        men_chains(n, g, colour, once & ~more, 1, (const int[]){a});
        if (!any_lane(once & more))
            continue;
#pragma GCC unroll 2
        for (int b = first; b < first + 2; b++) {
            lanes twice = turn_many(once & g->open[b], 2 * turns[b] % 32);
            men_chains(n, g, colour, twice & ~more, 2, (const int[]){a, b});
            if (!any_lane(twice & more))
                continue;
#pragma GCC unroll 2
            for (int c = first; c < first + 2; c++) {
                lanes thrice = turn_many(twice & g->open[c], 2 * turns[c] % 32);
                men_chains(n, g, colour, thrice, 3, (const int[]){a, b, c});
            }
        }
    }
}
#endif

INLINE void expand_group(walk *w, const group *g, int colour)
{
    if (w->next->count + GROUP_ROOM + LANES > ROOM) {
        w->total += walk_row(w->next, !colour, w->depth, w->mode);
        w->next->count = 0;
    }
#if defined(__AVX512F__)
    quiet_group(w->next, g, colour);
    if (any_lane(g->men_jump))
        men_group(w->next, g, colour);
#else
    uint32_t own[LANES], enemy[LANES], kings[LANES], men[LANES], jump[LANES];
    lanes any = g->men_jump | g->king_jump;
    memcpy(own, &g->own, sizeof own);
    memcpy(enemy, &g->enemy, sizeof enemy);
    memcpy(kings, &g->kings, sizeof kings);
    memcpy(men, &g->men_jump, sizeof men);
    memcpy(jump, &any, sizeof jump);
    for (int i = 0; i < LANES; i++)
        if (!jump[i])
            quiet_one(w->next, colour, own[i], enemy[i], kings[i]);
        else if (men[i])
            men_one(w->next, colour, own[i], enemy[i], kings[i], men[i]);
#endif
    if (!any_lane(g->king_jump))
        return;
    for (int i = 0; i < LANES; i++)
        if (g->king_jump[i])
            capture_one(w, colour, g->own[i], g->enemy[i], g->kings[i], g->king_jump[i]);
}

INLINE uint64_t count_row(const row *r, int colour, int mode)
{
    uint64_t total = 0;
    lanes sums = {0}; /* of at most ROOM / LANES groups: far from full */
    for (size_t at = 0; at < r->count; at += LANES) {
        group g = load_group(r, colour, at);
        total += count_group(&g, colour, mode, &sums);
    }
    for (int i = 0; i < LANES; i++)
        total += sums[i];
    return total;
}

INLINE uint64_t expand_row(const row *r, int colour, int depth, int mode)
{
    row next;
    next.count = 0;
    walk w = {.next = &next, .depth = depth - 1, .mode = mode};
    for (size_t at = 0; at < r->count; at += LANES) {
        group g = load_group(r, colour, at);
        expand_group(&w, &g, colour);
    }
    return w.total + walk_row(&next, !colour, depth - 1, mode);
}

/* The leaves below a row of positions with the same player to move. */
static uint64_t walk_row(row *r, int colour, int depth, int mode)
{
    if (r->count == 0)
        return 0;
    memset(r->black + r->count, 0, LANES * sizeof r->black[0]);
    memset(r->white + r->count, 0, LANES * sizeof r->white[0]);
    memset(r->kings + r->count, 0, LANES * sizeof r->kings[0]);
    if (depth == 1)
        return colour == CHECKERS_BLACK ? count_row(r, CHECKERS_BLACK, mode)
                                        : count_row(r, CHECKERS_WHITE, mode);
    return colour == CHECKERS_BLACK ? expand_row(r, CHECKERS_BLACK, depth, mode)
                                    : expand_row(r, CHECKERS_WHITE, depth, mode);
}

/* --- from the 64-bit board ------------------------------------------------------------------ */
static uint32_t compact(uint64_t board)
{
    static const uint8_t places[CHECKERS_SQUARES] = COMPACT_PLACES;
    uint32_t result = 0;
    for (uint32_t squares = checkers_pack(board); squares; squares &= squares - 1)
        result |= (uint32_t)1 << places[ply_lowest(squares)];
    return result;
}

static uint64_t perft(const checkers_position *p, int depth, int mode)
{
    row first;
    first.count = 1;
    first.black[0] = compact(checkers_black_pieces(p));
    first.white[0] = compact(checkers_white_pieces(p));
    first.kings[0] = compact(p->black_kings | p->white_kings);
    return walk_row(&first, p->turn, depth, mode);
}

extern const checkers_leaves PLY_ISA(checkers_leaves_of);
const checkers_leaves PLY_ISA(checkers_leaves_of) = {.perft = perft};
