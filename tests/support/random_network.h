/* SPDX-License-Identifier: MIT */
/*
 * random_network.h - network files with random weights, and a naive evaluation of them.
 *
 * The file format is written and the network computed here a second time, straight from the
 * definition in docs/networks.md; the tests compare the library with it.
 */
#ifndef TESTS_RANDOM_NETWORK_H
#define TESTS_RANDOM_NETWORK_H

#include "core/hash.h"
#include <plyverse/plyverse.h>
#include <stdlib.h>
#include <string.h>

/* The shape of a network, and the weights' seed. */
typedef struct random_shape {
    uint32_t width, l1, l2, buckets, activation, output_scale;
    uint64_t seed;
    bool residual;   /* added to the game's own evaluation, where it lists its weights */
    uint32_t policy; /* size of the policy head, where cells are pooled; 0: none */
} random_shape;

typedef struct random_network {
    random_shape shape;
    uint32_t features, base;
    unsigned per_cell; /* 0: cells are not pooled */
    size_t size, payload;
    unsigned char *bytes;
} random_network;

static inline void random_put32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static inline void random_put16(unsigned char *to, int value)
{
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
}

static inline int16_t random_get16(const unsigned char *from)
{
    return (int16_t)(uint16_t)(from[0] | from[1] << 8);
}

static inline int32_t random_get32(const unsigned char *from)
{
    uint32_t value = 0;
    for (int i = 3; i >= 0; i--)
        value = value << 8 | from[i];
    return (int32_t)value;
}

/* Corrects the checksum of a file whose payload begins at byte `payload`. */
static inline void random_network_seal(unsigned char *bytes, size_t size, size_t payload)
{
    uint64_t sum = size - payload;
    for (size_t at = payload, i = 1; at < size; at += 8, i++) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && at + k < size; k++)
            word |= (uint64_t)bytes[at + k] << 8 * k;
        sum += ply_mix64(word + i * PLY_GOLDEN);
    }
    sum = ply_mix64(sum);
    random_put32(bytes + 48, (uint32_t)sum);
    random_put32(bytes + 52, (uint32_t)(sum >> 32));
}

static inline int random_between(ply_rng *rng, int low, int high)
{
    return low + (int)ply_rng_below(rng, (uint32_t)(high - low + 1));
}

/* Weights of the first dense layer have two bytes where cells are pooled. */
static inline size_t random_layer1_bytes(const random_network *n)
{
    return (size_t)n->shape.l1 * 2 * n->shape.width * (n->per_cell ? 2 : 1);
}

static inline size_t random_bucket_bytes(const random_network *n)
{
    const random_shape *s = &n->shape;
    return 4 * s->l1 + random_layer1_bytes(n) + 4 * s->l2 + (size_t)s->l2 * s->l1 + 4 + s->l2;
}

static inline size_t random_policy_bytes(const random_network *n)
{
    return (size_t)n->shape.policy * (4 + 3 * 2 * n->shape.width + 1);
}

/* The checksum of the weights of the game's own evaluation; 0 if it lists none. */
static inline uint32_t random_base(const ply_rules *rules)
{
    uint64_t sum = rules->tuning->weight_count;
    if (sum == 0)
        return 0;
    for (size_t i = 0; i < rules->tuning->weight_count; i++)
        sum = ply_mix64(sum + (uint64_t)(rules->tuning->weights[i] & 0xFFFF) + PLY_GOLDEN);
    return (uint32_t)(sum >> 32 | 1);
}

/*
 * Writes a network file for the rules; the caller frees bytes. Weights are spread so that every
 * clamp and shift of the arithmetic takes effect in some positions.
 */
static inline random_network random_network_make(const ply_rules *rules, const random_shape *shape)
{
    static const char provenance[] = "random weights\n";
    const ply_network_hooks *hooks = rules->network;
    random_network n = {.shape = *shape, .features = hooks->feature_count(rules)};
    n.per_cell = hooks->per_cell;
    if (n.per_cell && n.shape.width > 128)
        n.shape.width = 128; /* the limit where cells are pooled */
    shape = &n.shape;
    n.base = shape->residual ? random_base(rules) : 0;
    n.shape.policy = n.per_cell ? shape->policy : 0;
    const uint32_t fields[] = {
        n.shape.policy ? 2 : 1, n.features,        shape->width,        shape->l1, shape->l2,
        shape->buckets,         shape->activation, shape->output_scale, n.base,
    };
    size_t text = n.shape.policy ? 192 : 188;
    n.payload = (text + strlen(provenance) + 7) / 8 * 8;
    n.size = n.payload + 2 * (size_t)shape->width * (n.features + 1) +
             shape->buckets * random_bucket_bytes(&n) + random_policy_bytes(&n);
    unsigned char *b = n.bytes = calloc(1, n.size);
    memcpy(b, "PLYNET1\n", 8);
    random_put32(b + 8, (uint32_t)n.payload);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        random_put32(b + 12 + 4 * i, fields[i]);
    memcpy(b + 56, hooks->family(rules), strlen(hooks->family(rules)));
    memcpy(b + 120, hooks->feature_set, strlen(hooks->feature_set));
    random_put32(b + 184, (uint32_t)strlen(provenance));
    if (n.shape.policy)
        random_put32(b + 188, n.shape.policy);
    memcpy(b + text, provenance, strlen(provenance));
    ply_rng rng = ply_rng_make(shape->seed, 0);
    unsigned char *at = b + n.payload;
    for (size_t i = 0; i < (size_t)shape->width * (n.features + 1); i++, at += 2) {
        bool of_none = n.per_cell && i >= shape->width && i < 2 * (size_t)shape->width;
        random_put16(at, of_none ? 0 : random_between(&rng, -40, 40));
    }
    for (uint32_t k = 0; k < shape->buckets; k++) {
        for (uint32_t i = 0; i < shape->l1; i++, at += 4)
            random_put32(at, (uint32_t)random_between(&rng, -20000, 20000));
        for (size_t i = 0; i < (size_t)shape->l1 * 2 * shape->width; i++)
            if (n.per_cell) {
                random_put16(at, random_between(&rng, -24, 24));
                at += 2;
            } else {
                *at++ = (unsigned char)random_between(&rng, -24, 24);
            }
        for (uint32_t i = 0; i < shape->l2; i++, at += 4)
            random_put32(at, (uint32_t)random_between(&rng, -8000, 8000));
        for (size_t i = 0; i < (size_t)shape->l2 * shape->l1; i++)
            *at++ = (unsigned char)random_between(&rng, -128, 127);
        random_put32(at, (uint32_t)random_between(&rng, -8000, 8000));
        at += 4;
        for (uint32_t i = 0; i < shape->l2; i++)
            *at++ = (unsigned char)random_between(&rng, -128, 127);
    }
    for (uint32_t i = 0; i < n.shape.policy; i++, at += 4)
        random_put32(at, (uint32_t)random_between(&rng, -40000, 40000));
    for (size_t i = 0; i < (size_t)n.shape.policy * 2 * shape->width; i++, at += 2)
        random_put16(at, random_between(&rng, -40, 40));
    while (at < b + n.size)
        *at++ = (unsigned char)random_between(&rng, -40, 40);
    random_network_seal(b, n.size, n.payload);
    return n;
}

/*
 * One dense layer, from the file's bytes; a wide one has weights of two bytes, and its sums wrap
 * around. Returns where the next layer begins.
 */
static inline const unsigned char *random_dense(const unsigned char *at, const int *in,
                                                uint32_t inputs, int *out, uint32_t outputs,
                                                bool clips, bool wide)
{
    const unsigned char *weights = at + 4 * outputs;
    for (uint32_t o = 0; o < outputs; o++) {
        int64_t sum = random_get32(at + 4 * o), unit = wide ? 1024 : 64;
        for (uint32_t i = 0; i < inputs; i++) {
            size_t k = (size_t)o * inputs + i;
            sum += (int64_t)in[i] * (wide ? random_get16(weights + 2 * k) : (int8_t)weights[k]);
        }
        if (wide)
            sum = (int32_t)(uint32_t)sum;
        int64_t shifted = sum < 0 ? -((-sum + unit - 1) / unit) : sum / unit; /* rounded down */
        out[o] = (int)(!clips ? sum : shifted < 0 ? 0 : shifted > 127 ? 127 : shifted);
    }
    return weights + (size_t)outputs * inputs * (wide ? 2 : 1);
}

static inline int random_activation(const random_shape *s, int sum)
{
    int clipped = sum < 0 ? 0 : sum > 127 ? 127 : sum;
    return s->activation == 1 ? clipped * clipped / 128 : clipped;
}

/* Value number i of what the features of a position, of some cell or of all, make of the biases. */
static inline int random_accumulator(const random_network *n, const uint16_t *features,
                                     size_t count, uint32_t i)
{
    const unsigned char *first = n->bytes + n->payload;
    int sum = random_get16(first + 2 * i);
    for (size_t k = 0; k < count; k++)
        sum += random_get16(first + 2 * (((size_t)features[k] + 1) * n->shape.width + i));
    return (int16_t)(uint16_t)sum;
}

/* The sums of both players' cells, the one to move first, or their activated accumulators. */
static inline void random_inputs(const random_network *n, const ply_rules *rules,
                                 const void *position, int *input)
{
    const random_shape *s = &n->shape;
    const unsigned char *first = n->bytes + n->payload;
    uint16_t *features = malloc(PLY_ACTIVE_FEATURES * sizeof *features);
    int side = rules->game->side(rules, position);
    for (int half = 0; half < 2; half++) {
        size_t count = rules->network->features(rules, position, half ? !side : side, features);
        size_t cell = n->per_cell ? n->per_cell : count; /* features of a cell */
        for (uint32_t i = 0; i < s->width; i++) {
            int sum = 0, none = n->per_cell ? random_activation(s, random_get16(first + 2 * i)) : 0;
            for (size_t k = 0; k < count; k += cell)
                sum += random_activation(s, random_accumulator(n, features + k, cell, i)) - none;
            input[(uint32_t)half * s->width + i] = (int16_t)(uint16_t)sum;
        }
    }
    free(features);
}

/* The value of a position, computed from the file's bytes. */
static inline int32_t random_network_value(const random_network *n, const ply_rules *rules,
                                           const void *position)
{
    const random_shape *s = &n->shape;
    const unsigned char *first = n->bytes + n->payload;
    int *input = malloc(2 * s->width * sizeof *input), hidden1[64], hidden2[64], raw;
    random_inputs(n, rules, position, input);
    const unsigned char *at =
        first + 2 * (size_t)s->width * (n->features + 1) +
        rules->network->phase(rules, position, s->buckets) * random_bucket_bytes(n);
    at = random_dense(at, input, 2 * s->width, hidden1, s->l1, true, n->per_cell > 0);
    at = random_dense(at, hidden1, s->l1, hidden2, s->l2, true, false);
    random_dense(at, hidden2, s->l2, &raw, 1, false, false);
    free(input);
    int64_t value = (int64_t)raw * s->output_scale / (127 * 64);
    if (n->base)
        value += rules->search->evaluate(rules, position);
    return (int32_t)(value > 30000 ? 30000 : value < -30000 ? -30000 : value);
}

/* A number divided by a power of two, rounded down. */
static inline int64_t random_shifted(int64_t sum, int64_t unit)
{
    return sum < 0 ? -((-sum + unit - 1) / unit) : sum / unit;
}

/* The logit of a cell by the policy head, computed from the file's bytes. */
static inline int32_t random_network_logit(const random_network *n, const ply_rules *rules,
                                           const void *position, uint32_t cell)
{
    const random_shape *s = &n->shape;
    uint32_t inputs = 2 * s->width;
    uint16_t *features = malloc(PLY_ACTIVE_FEATURES * sizeof *features);
    int *sums = malloc(inputs * sizeof *sums), *own = malloc(inputs * sizeof *own);
    int side = rules->game->side(rules, position);
    random_inputs(n, rules, position, sums);
    for (uint32_t i = 0; i < inputs; i++) {
        if (i % s->width == 0)
            rules->network->features(rules, position, i ? !side : side, features);
        own[i] = random_activation(
            s, random_accumulator(n, features + cell * n->per_cell, n->per_cell, i % s->width));
    }
    const unsigned char *biases = n->bytes + n->size - random_policy_bytes(n);
    const unsigned char *context = biases + 4 * (size_t)s->policy;
    const unsigned char *weights = context + 2 * (size_t)s->policy * inputs;
    const unsigned char *output = weights + (size_t)s->policy * inputs;
    int64_t raw = 0;
    for (uint32_t o = 0; o < s->policy; o++) {
        int64_t sum = random_get32(biases + 4 * o), from_cell = 0;
        for (uint32_t i = 0; i < inputs; i++) {
            size_t k = (size_t)o * inputs + i;
            sum += (int64_t)sums[i] * random_get16(context + 2 * k);
            from_cell += own[i] * (int8_t)weights[k];
        }
        int64_t x = random_shifted(random_shifted((int32_t)(uint32_t)sum, 16) + from_cell, 64);
        raw += (x < 0 ? 0 : x > 127 ? 127 : x) * (int8_t)output[o];
    }
    free(features);
    free(sums);
    free(own);
    return (int32_t)(raw * 100 / (127 * 64));
}

#endif
