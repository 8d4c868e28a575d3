/* SPDX-License-Identifier: MIT */
/*
 * pool_kernel_isa.c - the arithmetic of networks that pool cells, compiled once per instruction set.
 *
 * A stone changes some thirty cells. Of each, the accumulator is read and written once, and what
 * its activation changes goes into sums that stay in registers: NN_WIDTH_STEP values at a time.
 */
#include "nn/network.h"
#include <string.h>

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define NN_INLINE static inline __attribute__((always_inline))

/* As many values as fit into a register; sums wrap around, so they are added without signs. */
#if defined(__AVX512BW__)
enum { LANE_BYTES = 64 };
#elif defined(__AVX2__)
enum { LANE_BYTES = 32 };
#else
enum { LANE_BYTES = 16 };
#endif
typedef int16_t lanes __attribute__((vector_size(LANE_BYTES), may_alias));
typedef uint16_t unsigned_lanes __attribute__((vector_size(LANE_BYTES), may_alias));
typedef uint8_t narrow_lanes __attribute__((vector_size(LANE_BYTES / 2)));
enum { TILE = NN_WIDTH_STEP * (int)sizeof(int16_t) / LANE_BYTES }; /* registers */

NN_INLINE lanes add(lanes a, lanes b)
{
    return (lanes)((unsigned_lanes)a + (unsigned_lanes)b);
}

NN_INLINE lanes subtract(lanes a, lanes b)
{
    return (lanes)((unsigned_lanes)a - (unsigned_lanes)b);
}

NN_INLINE lanes activate(lanes x, nn_activation activation)
{
    const lanes zero = {0}, one = zero + NN_ACTIVATION_ONE;
    x &= x > zero;
    x = (x & (x <= one)) | (one & (x > one));
    if (activation == NN_SQUARED)
        x = (x * x) >> 7;
    return x;
}

static void add_cell(const ply_network *n, const uint16_t *features, size_t count, int16_t *cell,
                     int16_t *sums)
{
    const lanes *biases = (const lanes *)n->biases;
    lanes *to = (lanes *)cell, *sum = (lanes *)sums;
    for (size_t i = 0; i < n->width * sizeof(int16_t) / LANE_BYTES; i++) {
        to[i] = biases[i];
        for (size_t k = 0; k < count; k++)
            to[i] = add(to[i], ((const lanes *)(n->weights + (size_t)features[k] * n->width))[i]);
        sum[i] = add(sum[i],
                     subtract(activate(to[i], n->activation), activate(biases[i], n->activation)));
    }
}

/* Applies the changes to NN_WIDTH_STEP values of every cell, from number `at` on. */
NN_INLINE void change_tile(const ply_network *n, const ply_cell_change *changes, size_t count,
                           const uint16_t *exchanged, int16_t *cells, int16_t *sums, int16_t *saved,
                           size_t at, nn_activation activation)
{
    lanes sum[TILE];
    for (int t = 0; t < TILE; t++)
        sum[t] = ((const lanes *)(sums + at))[t];
    for (size_t i = 0; i < count; i++) {
        uint16_t removed = changes[i].removed, added = changes[i].added;
        if (exchanged) {
            removed = exchanged[removed];
            added = exchanged[added];
        }
        lanes *cell = (lanes *)(cells + (size_t)changes[i].cell * n->width + at);
        lanes *keep = (lanes *)(saved + i * n->width + at);
        const lanes *minus = (const lanes *)(n->weights + (size_t)removed * n->width + at);
        const lanes *plus = (const lanes *)(n->weights + (size_t)added * n->width + at);
        const lanes *biases = (const lanes *)(n->biases + at);
        for (int t = 0; t < TILE; t++) {
            lanes before = cell[t];
            lanes after = removed == added ? biases[t] : add(subtract(before, minus[t]), plus[t]);
            keep[t] = before;
            cell[t] = after;
            sum[t] =
                add(sum[t], subtract(activate(after, activation), activate(before, activation)));
        }
    }
    for (int t = 0; t < TILE; t++)
        ((lanes *)(sums + at))[t] = sum[t];
}

static void change(const ply_network *n, const ply_cell_change *changes, size_t count,
                   const uint16_t *exchanged, int16_t *cells, int16_t *sums, int16_t *saved)
{
    for (size_t at = 0; at < n->width; at += NN_WIDTH_STEP) {
        if (n->activation == NN_SQUARED)
            change_tile(n, changes, count, exchanged, cells, sums, saved, at, NN_SQUARED);
        else
            change_tile(n, changes, count, exchanged, cells, sums, saved, at, NN_CLIPPED);
    }
}

/* --- layers on the sums ---------------------------------------------------------------------- */
/* Adds to NN_OUTPUT_BLOCK sums, from output number `first` on, one player's half of the inputs. */
#if defined(__AVX512BW__)

NN_INLINE void wide_block(const nn_wide *d, const int16_t *in, size_t first_pair, size_t pairs,
                          size_t first, int32_t *out)
{
    __m512i sum = _mm512_load_si512(out);
    const int16_t *w = d->weights + (first_pair * d->padded + first) * 2;
    for (size_t p = 0; p < pairs; p++, w += (size_t)d->padded * 2) {
        int32_t two;
        memcpy(&two, in + 2 * p, 4);
        sum =
            _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_set1_epi32(two), _mm512_load_si512(w)));
    }
    _mm512_store_si512(out, sum);
}

#elif defined(__AVX2__)

NN_INLINE void wide_block(const nn_wide *d, const int16_t *in, size_t first_pair, size_t pairs,
                          size_t first, int32_t *out)
{
    __m256i low = _mm256_load_si256((const __m256i *)out);
    __m256i high = _mm256_load_si256((const __m256i *)out + 1);
    const int16_t *w = d->weights + (first_pair * d->padded + first) * 2;
    for (size_t p = 0; p < pairs; p++, w += (size_t)d->padded * 2) {
        int32_t two;
        memcpy(&two, in + 2 * p, 4);
        __m256i inputs = _mm256_set1_epi32(two);
        const __m256i *weights = (const __m256i *)w;
        low = _mm256_add_epi32(low, _mm256_madd_epi16(inputs, _mm256_load_si256(weights)));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(inputs, _mm256_load_si256(weights + 1)));
    }
    _mm256_store_si256((__m256i *)out, low);
    _mm256_store_si256((__m256i *)out + 1, high);
}

#else

NN_INLINE void wide_block(const nn_wide *d, const int16_t *in, size_t first_pair, size_t pairs,
                          size_t first, int32_t *out)
{
    const int16_t *w = d->weights + (first_pair * d->padded + first) * 2;
    for (size_t p = 0; p < pairs; p++, w += (size_t)d->padded * 2)
        for (size_t o = 0; o < NN_OUTPUT_BLOCK; o++)
            out[o] = (int32_t)((uint32_t)out[o] + (uint32_t)(in[2 * p] * w[2 * o]) +
                               (uint32_t)(in[2 * p + 1] * w[2 * o + 1]));
}

#endif

/* The results of a layer on the sums of both players' cells, before any shift. */
NN_INLINE void wide(const ply_network *n, const nn_wide *d, const int16_t *own,
                    const int16_t *enemy, int32_t *out)
{
    for (size_t first = 0; first < d->padded; first += NN_OUTPUT_BLOCK) {
        memcpy(out + first, d->biases + first, NN_OUTPUT_BLOCK * sizeof *out);
        wide_block(d, own, 0, n->width / 2, first, out + first);
        wide_block(d, enemy, n->width / 2, n->width / 2, first, out + first);
    }
}

static int32_t output(const ply_network *n, unsigned bucket, const int16_t *own,
                      const int16_t *enemy)
{
    _Alignas(NN_ALIGNMENT) int32_t sums[NN_MAX_DENSE];
    _Alignas(NN_ALIGNMENT) uint8_t hidden[NN_MAX_DENSE];
    const nn_wide *d = &n->bucket[bucket].wide;
    wide(n, d, own, enemy, sums);
    for (uint32_t i = 0; i < d->outputs; i++) {
        int32_t x = sums[i] >> NN_WIDE_SHIFT;
        hidden[i] = (uint8_t)(x < 0 ? 0 : x > NN_ACTIVATION_ONE ? NN_ACTIVATION_ONE : x);
    }
    return n->kernels->output_of_hidden(n, bucket, hidden);
}

/* --- the policy head ------------------------------------------------------------------------- */
/* The inputs that a cell's accumulator makes: as many values as it has, 0 .. 127. */
NN_INLINE void cell_inputs(const ply_network *n, const int16_t *cell, uint8_t *out)
{
    for (size_t at = 0; at < n->width; at += LANE_BYTES / sizeof *cell) {
        lanes active = activate(*(const lanes *)(cell + at), n->activation);
        narrow_lanes bytes = __builtin_convertvector(active, narrow_lanes);
        memcpy(out + at, &bytes, sizeof bytes);
    }
}

static void policy(const ply_network *n, const int16_t *const cells[2],
                   const int16_t *const sums[2], const uint16_t *which, size_t count,
                   int32_t *logits)
{
    _Alignas(NN_ALIGNMENT) int32_t biases[NN_MAX_DENSE];
    _Alignas(NN_ALIGNMENT) uint8_t inputs[2 * NN_MAX_POOL_WIDTH], hidden[NN_MAX_DENSE];
    const nn_policy *p = &n->policy;
    nn_dense layer = p->layer;
    wide(n, &p->context, sums[0], sums[1], biases);
    for (uint32_t i = 0; i < layer.padded; i++)
        biases[i] >>= NN_WIDE_SHIFT - NN_DENSE_SHIFT;
    layer.biases = biases;
    for (size_t k = 0; k < count; k++) {
        for (int player = 0; player < 2; player++)
            cell_inputs(n, cells[player] + (size_t)which[k] * n->width,
                        inputs + (uint32_t)player * n->width);
        n->kernels->dense(&layer, inputs, hidden);
        int32_t sum = 0;
        for (uint32_t i = 0; i < layer.outputs; i++)
            sum += hidden[i] * p->output_weights[i];
        logits[k] = sum * NN_LOGIT_ONE / (NN_ACTIVATION_ONE << NN_DENSE_SHIFT);
    }
}

extern const nn_pool_kernels PLY_ISA(ply_nn_pool_kernels_of);
const nn_pool_kernels PLY_ISA(ply_nn_pool_kernels_of) = {
    .add_cell = add_cell, .change = change, .output = output, .policy = policy};
