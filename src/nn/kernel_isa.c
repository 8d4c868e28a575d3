/* SPDX-License-Identifier: MIT */
/*
 * kernel_isa.c - the arithmetic of networks, compiled once per instruction set.
 *
 * Accumulators are updated in tiles that stay in registers while all features are added: a tile is
 * read and written once. Dense layers multiply four inputs of 8 bits at a time. With AVX2 this
 * takes VPMADDUBSW, which adds two products in 16 bits: at most 2 * 127 * 128, so it never
 * saturates. AVX-512 has VPDPBUSD, which does all four at once. The plain version is the
 * definition; the tests compare the others with it.
 */
#include "nn/network.h"
#include <string.h>

#if defined(__AVX512VNNI__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define NN_INLINE static inline __attribute__((always_inline))

/* --- accumulators ---------------------------------------------------------------------------- */
/* 32 values. Unsigned, because accumulators wrap around. */
typedef uint16_t lanes __attribute__((vector_size(64), may_alias));
enum { LANES = 32, TILE = 4 };

NN_INLINE const lanes *weights_of(const ply_network *n, uint16_t feature, size_t at)
{
    return (const lanes *)(n->weights + (size_t)feature * n->width + at);
}

/* Copies `count` lanes (1 or TILE), starting with value number `at`, and adds the features. */
NN_INLINE void add_tile(const ply_network *n, const int16_t *in, int16_t *out, size_t at, int count,
                        const uint16_t *added, size_t added_count, const uint16_t *removed,
                        size_t removed_count)
{
    lanes sum[TILE];
    for (int i = 0; i < count; i++)
        sum[i] = ((const lanes *)(in + at))[i];
    for (size_t k = 0; k < added_count; k++)
        for (int i = 0; i < count; i++)
            sum[i] += weights_of(n, added[k], at)[i];
    for (size_t k = 0; k < removed_count; k++)
        for (int i = 0; i < count; i++)
            sum[i] -= weights_of(n, removed[k], at)[i];
    for (int i = 0; i < count; i++)
        ((lanes *)(out + at))[i] = sum[i];
}

NN_INLINE void add_features(const ply_network *n, const int16_t *in, int16_t *out,
                            const uint16_t *added, size_t added_count, const uint16_t *removed,
                            size_t removed_count)
{
    size_t at = 0;
    for (; at + TILE * LANES <= n->width; at += TILE * LANES)
        add_tile(n, in, out, at, TILE, added, added_count, removed, removed_count);
    for (; at < n->width; at += LANES)
        add_tile(n, in, out, at, 1, added, added_count, removed, removed_count);
}

static void refresh(const ply_network *n, const uint16_t *features, size_t count, int16_t *out)
{
    add_features(n, n->biases, out, features, count, NULL, 0);
}

static void update(const ply_network *n, const ply_feature_changes *changes, const int16_t *in,
                   int16_t *out)
{
    add_features(n, in, out, changes->added, changes->added_count, changes->removed,
                 changes->removed_count);
}

/* --- activation ------------------------------------------------------------------------------ */
static void activate(nn_activation activation, const int16_t *in, size_t count, uint8_t *out)
{
    if (activation == NN_SQUARED) {
        for (size_t i = 0; i < count; i++) {
            int16_t x = in[i] < 0 ? 0 : in[i] > NN_ACTIVATION_ONE ? NN_ACTIVATION_ONE : in[i];
            out[i] = (uint8_t)((uint16_t)(x * x) >> 7);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            int16_t x = in[i] < 0 ? 0 : in[i] > NN_ACTIVATION_ONE ? NN_ACTIVATION_ONE : in[i];
            out[i] = (uint8_t)x;
        }
    }
}

/* The clipped ReLU of a dense layer's sums. */
NN_INLINE void clip(const int32_t *sums, size_t count, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        int32_t x = sums[i] >> NN_DENSE_SHIFT;
        out[i] = (uint8_t)(x < 0 ? 0 : x > NN_ACTIVATION_ONE ? NN_ACTIVATION_ONE : x);
    }
}

/* --- dense layers ---------------------------------------------------------------------------- */
/* Computes NN_OUTPUT_BLOCK sums from output number `first` on. */
#if defined(__AVX512VNNI__)

NN_INLINE __m512i inputs_at(const uint8_t *in, size_t group)
{
    int32_t four;
    memcpy(&four, in + 4 * group, 4);
    return _mm512_set1_epi32(four);
}

static void dense_block(const nn_dense *d, const uint8_t *in, size_t first, int32_t *out)
{
    /* Four independent sums hide the latency of VPDPBUSD. */
    __m512i sum[4] = {_mm512_load_si512(d->biases + first), _mm512_setzero_si512(),
                      _mm512_setzero_si512(), _mm512_setzero_si512()};
    size_t groups = d->inputs / 4, stride = (size_t)d->padded * 4, g = 0;
    const int8_t *w = d->weights + 4 * first;
    for (; g + 4 <= groups; g += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] = _mm512_dpbusd_epi32(sum[k], inputs_at(in, g + k),
                                         _mm512_load_si512(w + (g + k) * stride));
    for (; g < groups; g++)
        sum[0] = _mm512_dpbusd_epi32(sum[0], inputs_at(in, g), _mm512_load_si512(w + g * stride));
    sum[0] = _mm512_add_epi32(_mm512_add_epi32(sum[0], sum[1]), _mm512_add_epi32(sum[2], sum[3]));
    _mm512_store_si512(out, sum[0]);
}

#elif defined(__AVX2__)

NN_INLINE __m256i multiply_add(__m256i sum, __m256i inputs, const int8_t *w)
{
    __m256i pairs = _mm256_maddubs_epi16(inputs, _mm256_load_si256((const __m256i *)w));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static void dense_block(const nn_dense *d, const uint8_t *in, size_t first, int32_t *out)
{
    const __m256i *biases = (const __m256i *)(d->biases + first);
    __m256i low = _mm256_load_si256(biases), high = _mm256_load_si256(biases + 1);
    size_t stride = (size_t)d->padded * 4;
    const int8_t *w = d->weights + 4 * first;
    for (size_t g = 0; g < d->inputs / 4; g++, w += stride) {
        int32_t four;
        memcpy(&four, in + 4 * g, 4);
        __m256i inputs = _mm256_set1_epi32(four);
        low = multiply_add(low, inputs, w);
        high = multiply_add(high, inputs, w + 32);
    }
    _mm256_store_si256((__m256i *)out, low);
    _mm256_store_si256((__m256i *)out + 1, high);
}

#else

static void dense_block(const nn_dense *d, const uint8_t *in, size_t first, int32_t *out)
{
    for (size_t o = 0; o < NN_OUTPUT_BLOCK; o++)
        out[o] = d->biases[first + o];
    for (size_t g = 0; g < d->inputs / 4; g++, in += 4) {
        const int8_t *w = d->weights + (g * d->padded + first) * 4;
        for (size_t o = 0; o < NN_OUTPUT_BLOCK; o++, w += 4)
            out[o] += in[0] * w[0] + in[1] * w[1] + in[2] * w[2] + in[3] * w[3];
    }
}

#endif

static void dense(const nn_dense *d, const uint8_t *in, uint8_t *out)
{
    _Alignas(NN_ALIGNMENT) int32_t sums[NN_MAX_DENSE];
    for (size_t first = 0; first < d->padded; first += NN_OUTPUT_BLOCK)
        dense_block(d, in, first, sums + first);
    clip(sums, d->padded, out);
}

static int32_t output_of_hidden(const ply_network *n, unsigned bucket, const uint8_t *hidden1)
{
    _Alignas(NN_ALIGNMENT) uint8_t hidden2[NN_MAX_DENSE];
    const nn_bucket *b = &n->bucket[bucket];
    dense(&b->layer2, hidden1, hidden2);
    int32_t sum = b->output_bias;
    for (uint32_t i = 0; i < n->l2; i++)
        sum += hidden2[i] * b->output_weights[i];
    return sum;
}

static int32_t output(const ply_network *n, unsigned bucket, const int16_t *own,
                      const int16_t *enemy)
{
    _Alignas(NN_ALIGNMENT) uint8_t input[2 * NN_MAX_WIDTH];
    _Alignas(NN_ALIGNMENT) uint8_t hidden[NN_MAX_DENSE];
    activate(n->activation, own, n->width, input);
    activate(n->activation, enemy, n->width, input + n->width);
    dense(&n->bucket[bucket].layer1, input, hidden);
    return output_of_hidden(n, bucket, hidden);
}

extern const nn_kernels PLY_ISA(ply_nn_kernels_of);
const nn_kernels PLY_ISA(ply_nn_kernels_of) = {.refresh = refresh,
                                               .update = update,
                                               .output = output,
                                               .output_of_hidden = output_of_hidden,
                                               .dense = dense};
