/* SPDX-License-Identifier: MIT */
/*
 * english_perft_isa.c - perft of English checkers, many positions at a time.
 *
 * The boards are compact (gen_layout.c): 32 bits, laid out so that every step is a rotation by 1 or
 * by 7. A position is three words: black pieces, white pieces, kings of either colour.
 *
 * The tree is searched in batches of positions. A batch is expanded into the next one, with as many
 * positions at once as the machine has vector lanes; whenever the next batch is full, it is
 * searched in turn. So the lanes stay full at every depth. The last ply is only counted: quiet
 * moves are the bits of four boards, and captures by men are counted in the same way (count_men).
 * Captures by kings are rare and are followed one by one.
 */
#include "core/bits.h"
#include "games/checkers/checkers.h"
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "checkers/layout.inc"

#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX2__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
/*
 * BATCH: positions in a batch. A king has at most four quiet moves and a man at most eight
 * captures, so a group has at most GROUP_CHILDREN children, captures by kings aside.
 */
enum { BATCH = 3072, GROUP_CHILDREN = LANES * 8 * CHECKERS_PIECES };

typedef uint32_t lanes __attribute__((vector_size(LANES * 4)));

static const uint32_t can_step[4] = {COMPACT_CAN_STEP_DOWN_LEFT, COMPACT_CAN_STEP_DOWN_RIGHT,
                                     COMPACT_CAN_STEP_UP_LEFT, COMPACT_CAN_STEP_UP_RIGHT};
static const int rotations[4] = {COMPACT_ROTATE_DOWN_LEFT, COMPACT_ROTATE_DOWN_RIGHT,
                                 COMPACT_ROTATE_UP_LEFT, COMPACT_ROTATE_UP_RIGHT};

#define INLINE static inline __attribute__((always_inline))

/* For one board, and for a board in each lane. d and colour are compile-time constants after
 * inlining. */
INLINE uint32_t rotate_one(uint32_t b, int n)
{
    return b << n | b >> (32 - n);
}

INLINE uint32_t step_one(uint32_t b, int d)
{
    return rotate_one(b & can_step[d], rotations[d]);
}

INLINE lanes rotate_many(lanes b, int n)
{
    return b << n | b >> (32 - n);
}

INLINE lanes step_many(lanes b, int d)
{
    return rotate_many(b & can_step[d], rotations[d]);
}

INLINE uint32_t crown_row(int colour)
{
    return colour == CHECKERS_BLACK ? COMPACT_LAST_ROW : COMPACT_FIRST_ROW;
}

/* One bit for each lane: whether it is not 0. */
INLINE unsigned lanes_set(lanes b)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)b, (__m512i)b);
#elif defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)(b == 0)) ^ 0xFF;
#elif defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)(b == 0)) ^ 0xF;
#else
    unsigned set = 0;
    for (int i = 0; i < LANES; i++)
        set |= (unsigned)(b[i] != 0) << i;
    return set;
#endif
}

INLINE bool any_lane(lanes b)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
    return !_mm256_testz_si256((__m256i)b, (__m256i)b);
#else
    return lanes_set(b) != 0;
#endif
}

/* Lane by lane, a where test is not 0 and b where it is. */
INLINE lanes choose(lanes test, lanes a, lanes b)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_mask_blend_epi32((__mmask16)lanes_set(test), (__m512i)b, (__m512i)a);
#else
    lanes is_zero = (lanes)(test == 0);
    return (is_zero & b) | (~is_zero & a);
#endif
}

/*
 * Population counts are added up in two steps: tally_add adds those of a board to the counts of its
 * lanes, or of its bytes where the machine cannot count lanes, and tally_total adds the counts to
 * sums of a lane or more. A byte holds the counts of 31 boards.
 */
INLINE void tally_add(lanes *counts, lanes boards)
{
#if defined(__AVX512VPOPCNTDQ__)
    *counts += (lanes)_mm512_popcnt_epi32((__m512i)boards);
#elif defined(__AVX2__)
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    lanes low = boards & 0x0F0F0F0Fu, high = (boards >> 4) & 0x0F0F0F0Fu;
    *counts += (lanes)_mm256_shuffle_epi8(table, (__m256i)low) +
               (lanes)_mm256_shuffle_epi8(table, (__m256i)high);
#else
    boards -= (boards >> 1) & 0x55555555u;
    boards = (boards & 0x33333333u) + ((boards >> 2) & 0x33333333u);
    *counts += (boards + (boards >> 4)) & 0x0F0F0F0Fu;
#endif
}

INLINE void tally_total(lanes *sums, lanes counts)
{
#if defined(__AVX512VPOPCNTDQ__)
    *sums += counts;
#elif defined(__AVX2__)
    *sums += (lanes)_mm256_sad_epu8((__m256i)counts, _mm256_setzero_si256());
#elif defined(__SSE2__)
    *sums += (lanes)_mm_sad_epu8((__m128i)counts, _mm_setzero_si128());
#else
    counts = (counts & 0x00FF00FFu) + ((counts >> 8) & 0x00FF00FFu);
    *sums += (counts + (counts >> 16)) & 0xFFFFu;
#endif
}

/* --- one position --------------------------------------------------------------------------- */
typedef struct batch {
    /* After the last position there is room for a group of empty boards. */
    uint32_t black[BATCH + LANES], white[BATCH + LANES], kings[BATCH + LANES];
    size_t count;
} batch;

typedef struct expansion {
    batch *next;    /* where children go; NULL: they are only counted */
    uint64_t total; /* leaves counted so far */
    int depth;      /* left to search below the positions of next */
    int mode;
} expansion;

static uint64_t search_batch(batch *b, int colour, int depth, int mode);

/* Adds a child position; a full batch is searched first. */
INLINE void emit(expansion *e, int colour, uint32_t own, uint32_t enemy, uint32_t kings)
{
    if (!e->next) {
        e->total++;
        return;
    }
    batch *n = e->next;
    if (n->count == BATCH) {
        e->total += search_batch(n, !colour, e->depth, e->mode);
        n->count = 0;
    }
    n->black[n->count] = colour == CHECKERS_BLACK ? own : enemy;
    n->white[n->count] = colour == CHECKERS_BLACK ? enemy : own;
    n->kings[n->count++] = kings;
}

/* The captures of one king. */
typedef struct chain {
    expansion *e;
    uint32_t own, enemy, kings, empty; /* own and kings exclude the piece that jumps */
    uint32_t captured;
    size_t loop_count;
    uint64_t loops[CHECKERS_MAX_MOVES]; /* captured pieces and last square of long captures */
} chain;

/* Whether this king has reached the square over the same pieces before. */
static bool is_duplicate(chain *c, uint32_t square)
{
    if (c->e->mode == CHECKERS_COUNT_PATHS || ply_popcount(c->captured) < CHECKERS_MIN_SHORT_LOOP)
        return false;
    uint64_t key = (uint64_t)c->captured << 32 | square;
    for (size_t i = 0; i < c->loop_count; i++)
        if (c->loops[i] == key)
            return true;
    if (c->loop_count < CHECKERS_MAX_MOVES)
        c->loops[c->loop_count++] = key;
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
    if (!any && !is_duplicate(c, square))
        emit(c->e, colour, c->own | square, c->enemy & ~c->captured,
             (c->kings & ~c->captured) | square);
}

/* The captures of the kings among `jumpers`. */
static void capture_one(expansion *e, int colour, uint32_t own, uint32_t enemy, uint32_t kings,
                        uint32_t jumpers)
{
    chain c;
    c.e = e;
    c.enemy = enemy;
    c.captured = 0;
    for (; jumpers; jumpers &= jumpers - 1) {
        uint32_t square = jumpers & -jumpers;
        c.own = own ^ square;
        c.kings = kings & ~square;
        c.empty = ~(c.own | enemy);
        c.loop_count = 0;
        king_chain(&c, colour, square);
    }
}

/* --- one position per lane ------------------------------------------------------------------ */
typedef struct group {
    lanes own, enemy, kings;
    lanes empty;
    lanes open[4];  /* squares from which a piece could jump in a direction, occupied or not */
    lanes men_jump; /* men that can jump */
    lanes king_jump;
    bool has_kings; /* the player to move has a king in some lane */
} group;

INLINE lanes load(const uint32_t *words)
{
    lanes result;
    memcpy(&result, words, sizeof result);
    return result;
}

INLINE group load_group(const batch *b, int colour, size_t at)
{
    group g;
    lanes black = load(b->black + at), white = load(b->white + at);
    g.own = colour == CHECKERS_BLACK ? black : white;
    g.enemy = colour == CHECKERS_BLACK ? white : black;
    g.kings = load(b->kings + at);
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
 * Men jump forward only, so their captures form a forest in which every path is a different
 * capture. The number of leaves is the number of roots, plus one for each node, roots included, at
 * which both jumps are open. A man jumps at most three times, and no jump is open after the third.
 * This counts the nodes below the roots.
 */
INLINE void count_forks(lanes *counts, const group *g, int colour)
{
    int left = 2 * colour, right = 2 * colour + 1;
    lanes both = g->open[left] & g->open[right];
    lanes at_left = rotate_many(g->men_jump & g->open[left], 2 * rotations[left] % 32);
    lanes at_right = rotate_many(g->men_jump & g->open[right], 2 * rotations[right] % 32);
    lanes once = at_left | at_right;
    lanes twice = rotate_many(once & g->open[left], 2 * rotations[left] % 32) |
                  rotate_many(once & g->open[right], 2 * rotations[right] % 32);
    if (!any_lane((once | twice) & both))
        return;
    tally_add(counts, at_left & both);
    tally_add(counts, at_right & both);
    tally_add(counts, rotate_many(at_left & g->open[left], 2 * rotations[left] % 32) & both);
    tally_add(counts, rotate_many(at_left & g->open[right], 2 * rotations[right] % 32) & both);
    tally_add(counts, rotate_many(at_right & g->open[left], 2 * rotations[left] % 32) & both);
    tally_add(counts, rotate_many(at_right & g->open[right], 2 * rotations[right] % 32) & both);
}

/* Adds the moves of all lanes to *sums; returns the number of captures by kings separately. */
INLINE uint64_t count_group(const group *g, int colour, int mode, lanes *sums)
{
    lanes counts = {0};
    lanes quiet = (lanes)((g->men_jump | g->king_jump) == 0) & g->empty;
    /* A lane has quiet moves or captures, so one board can hold both. */
    lanes forks = g->men_jump & g->open[2 * colour] & g->open[2 * colour + 1];
    tally_add(&counts, (step_many(g->own, 2 * colour) & quiet) | g->men_jump);
    tally_add(&counts, (step_many(g->own, 2 * colour + 1) & quiet) | forks);
    if (g->has_kings) {
        lanes kings = g->own & g->kings;
        tally_add(&counts, step_many(kings, 2 - 2 * colour) & quiet);
        tally_add(&counts, step_many(kings, 3 - 2 * colour) & quiet);
    }
    count_forks(&counts, g, colour);
    tally_total(sums, counts);
    uint64_t total = 0;
    if (g->has_kings && any_lane(g->king_jump)) {
        expansion e = {.mode = mode};
        for (int i = 0; i < LANES; i++)
            if (g->king_jump[i])
                capture_one(&e, colour, g->own[i], g->enemy[i], g->kings[i], g->king_jump[i]);
        total = e.total;
    }
    return total;
}

/* Appends the chosen lanes of a child position to the batch, which has room for all lanes. */
INLINE void emit_many(batch *n, int colour, unsigned chosen, lanes own, lanes enemy, lanes kings)
{
    uint32_t *own_out = (colour == CHECKERS_BLACK ? n->black : n->white) + n->count;
    uint32_t *enemy_out = (colour == CHECKERS_BLACK ? n->white : n->black) + n->count;
    uint32_t *kings_out = n->kings + n->count;
#if defined(__AVX512F__)
    __mmask16 mask = (__mmask16)chosen;
    _mm512_storeu_si512(own_out, _mm512_maskz_compress_epi32(mask, (__m512i)own));
    _mm512_storeu_si512(enemy_out, _mm512_maskz_compress_epi32(mask, (__m512i)enemy));
    _mm512_storeu_si512(kings_out, _mm512_maskz_compress_epi32(mask, (__m512i)kings));
    n->count += (size_t)ply_popcount(chosen);
#elif defined(__AVX2__)
    static const uint64_t compress[256] = COMPRESS_LANES;
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)compress[chosen]));
    _mm256_storeu_si256((__m256i *)own_out, _mm256_permutevar8x32_epi32((__m256i)own, order));
    _mm256_storeu_si256((__m256i *)enemy_out, _mm256_permutevar8x32_epi32((__m256i)enemy, order));
    _mm256_storeu_si256((__m256i *)kings_out, _mm256_permutevar8x32_epi32((__m256i)kings, order));
    n->count += (size_t)ply_popcount(chosen);
#else
    uint32_t from[3][LANES];
    size_t count = 0;
    memcpy(from[0], &own, sizeof own);
    memcpy(from[1], &enemy, sizeof enemy);
    memcpy(from[2], &kings, sizeof kings);
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i++) { /* a lane that is not chosen is overwritten by the next */
        own_out[count] = from[0][i];
        enemy_out[count] = from[1][i];
        kings_out[count] = from[2][i];
        count += chosen >> i & 1;
    }
    n->count += count;
#endif
}

/* The quiet moves of the lanes in which no piece can jump. */
INLINE void quiet_group(batch *n, const group *g, int colour)
{
    lanes quiet = (lanes)((g->men_jump | g->king_jump) == 0);
    lanes crown = crown_row(colour) + (lanes){0};
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        if ((d >> 1) != colour && !g->has_kings)
            continue;
        lanes movers = (d >> 1) == colour ? g->own : g->own & g->kings;
        lanes to = step_many(movers, d) & g->empty & quiet;
        unsigned chosen;
        while ((chosen = lanes_set(to)) != 0) {
            lanes square = to & -to, from = rotate_many(square, rotations[3 - d]);
            to ^= square;
            lanes moved = from | square, kings = g->kings | (square & crown);
            if (g->has_kings)
                kings = choose(from & g->kings, g->kings ^ moved, kings);
            emit_many(n, colour, chosen, g->own ^ moved, g->enemy, kings);
        }
    }
}

/*
 * Captures by men that jump `length` times in the given directions and then have no further jump:
 * `ends` has their last squares. Rotating back yields their first squares and what they captured.
 */
INLINE void men_chains(batch *n, const group *g, int colour, lanes ends, int length,
                       const int *directions)
{
    lanes crown = crown_row(colour) + (lanes){0};
    unsigned chosen;
    while ((chosen = lanes_set(ends)) != 0) {
        lanes land = ends & -ends, at = land, captured = {0};
        ends ^= land;
#pragma GCC unroll 3
        for (int i = length - 1; i >= 0; i--) {
            captured |= rotate_many(at, rotations[3 - directions[i]]);
            at = rotate_many(at, 2 * rotations[3 - directions[i]] % 32);
        }
        emit_many(n, colour, chosen, (g->own ^ at) | land, g->enemy ^ captured,
                  (g->kings & ~captured) | (land & crown));
    }
}

INLINE void men_group(batch *n, const group *g, int colour)
{
    int first = 2 * colour;
    lanes more = g->open[first] | g->open[first + 1];
#pragma GCC unroll 2
    for (int a = first; a < first + 2; a++) {
        lanes once = rotate_many(g->men_jump & g->open[a], 2 * rotations[a] % 32);
        men_chains(n, g, colour, once & ~more, 1, (const int[]){a});
        if (!any_lane(once & more))
            continue;
#pragma GCC unroll 2
        for (int b = first; b < first + 2; b++) {
            lanes twice = rotate_many(once & g->open[b], 2 * rotations[b] % 32);
            men_chains(n, g, colour, twice & ~more, 2, (const int[]){a, b});
            if (!any_lane(twice & more))
                continue;
#pragma GCC unroll 2
            for (int c = first; c < first + 2; c++) {
                lanes thrice = rotate_many(twice & g->open[c], 2 * rotations[c] % 32);
                men_chains(n, g, colour, thrice, 3, (const int[]){a, b, c});
            }
        }
    }
}

INLINE void expand_group(expansion *e, const group *g, int colour)
{
    if (e->next->count + GROUP_CHILDREN + LANES > BATCH) {
        e->total += search_batch(e->next, !colour, e->depth, e->mode);
        e->next->count = 0;
    }
    quiet_group(e->next, g, colour);
    if (any_lane(g->men_jump))
        men_group(e->next, g, colour);
    if (!g->has_kings || !any_lane(g->king_jump))
        return;
    for (int i = 0; i < LANES; i++)
        if (g->king_jump[i])
            capture_one(e, colour, g->own[i], g->enemy[i], g->kings[i], g->king_jump[i]);
}

INLINE uint64_t count_batch(const batch *b, int colour, int mode)
{
    uint64_t total = 0;
    lanes sums = {0}; /* of at most BATCH positions: no lane overflows */
    for (size_t at = 0; at < b->count; at += LANES) {
        group g = load_group(b, colour, at);
        total += count_group(&g, colour, mode, &sums);
    }
    for (int i = 0; i < LANES; i++)
        total += sums[i];
    return total;
}

INLINE uint64_t expand_batch(const batch *b, int colour, int depth, int mode)
{
    batch next;
    next.count = 0;
    expansion e = {.next = &next, .depth = depth - 1, .mode = mode};
    for (size_t at = 0; at < b->count; at += LANES) {
        group g = load_group(b, colour, at);
        expand_group(&e, &g, colour);
    }
    return e.total + search_batch(&next, !colour, depth - 1, mode);
}

/* The number of leaves below a batch of positions with the same player to move. */
static uint64_t search_batch(batch *b, int colour, int depth, int mode)
{
    if (b->count == 0)
        return 0;
    memset(b->black + b->count, 0, LANES * sizeof b->black[0]);
    memset(b->white + b->count, 0, LANES * sizeof b->white[0]);
    memset(b->kings + b->count, 0, LANES * sizeof b->kings[0]);
    if (depth == 1)
        return colour == CHECKERS_BLACK ? count_batch(b, CHECKERS_BLACK, mode)
                                        : count_batch(b, CHECKERS_WHITE, mode);
    return colour == CHECKERS_BLACK ? expand_batch(b, CHECKERS_BLACK, depth, mode)
                                    : expand_batch(b, CHECKERS_WHITE, depth, mode);
}

/* --- from the 64-bit board ------------------------------------------------------------------ */
static uint32_t compact(uint64_t board)
{
    static const uint8_t bits[CHECKERS_SQUARES] = COMPACT_BITS; /* by index */
    uint32_t result = 0;
    for (uint32_t squares = checkers_pack(board); squares; squares &= squares - 1)
        result |= (uint32_t)1 << bits[ply_lowest(squares)];
    return result;
}

static uint64_t perft(const checkers_position *p, int depth, int mode)
{
    batch first;
    first.count = 1;
    first.black[0] = compact(checkers_pieces_of(p, CHECKERS_BLACK));
    first.white[0] = compact(checkers_pieces_of(p, CHECKERS_WHITE));
    first.kings[0] = compact(p->black_kings | p->white_kings);
    return search_batch(&first, p->turn, depth, mode);
}

extern const checkers_english_perft PLY_ISA(checkers_english_perft_of);
const checkers_english_perft PLY_ISA(checkers_english_perft_of) = {.perft = perft};
