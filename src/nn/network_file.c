/* SPDX-License-Identifier: MIT */
/*
 * network_file.c - reads a network file and checks everything in it.
 *
 * Integers are little-endian.
 *
 *       0  magic "PLYNET1\n"                  48  u64 checksum of the payload
 *       8  u32 bytes before the payload       56  family, 64 bytes, padded with zeros
 *      12  u32 version: 1, with policy 2     120  feature set, 64 bytes, padded with zeros
 *      16  u32 features                      184  u32 length of the provenance
 *      20  u32 width                         188  provenance, UTF-8
 *      24  u32 l1                                 zeros up to a multiple of 8
 *      28  u32 l2
 *      32  u32 buckets                       payload, to the end of the file:
 *      36  u32 activation                         i16 biases[width], weights[features][width]
 *      40  u32 output scale                       for each bucket:
 *      44  u32 base                                   i32 biases1[l1], i8 weights1[l1][2 * width]
 *                                                         (i16 weights if cells are pooled)
 *                                                     i32 biases2[l2], i8 weights2[l2][l1]
 *                                                     i32 output bias, i8 output weights[l2]
 *
 * A network with a policy head has version 2, and its size, u32 hidden, before the provenance, which
 * then begins at 192. After all buckets the payload has
 *
 *     i32 biases[hidden], i16 context[hidden][2 * width], i8 weights[hidden][2 * width]
 *     i8 output weights[hidden]
 *
 * The base is 0 if the network's output is the value of a position. Otherwise the output is added to
 * the game's own evaluation, and the base is the checksum of its weights (ply_network_base).
 *
 * The checksum is ply_file_checksum of the payload.
 */
#include "core/bytes.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text/utf8.h"
#include "nn/network.h"
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'P', 'L', 'Y', 'N', 'E', 'T', '1', '\n'};

enum {
    FILE_VERSION = 1,
    FILE_VERSION_POLICY = 2,
    TEXT_BYTES = 64, /* of the family and the feature set */
    MAX_PROVENANCE = 1 << 16,
    AT_HEADER_BYTES = 8,
    AT_VERSION = 12,
    AT_FEATURES = 16,
    AT_WIDTH = 20,
    AT_L1 = 24,
    AT_L2 = 28,
    AT_BUCKETS = 32,
    AT_ACTIVATION = 36,
    AT_OUTPUT_SCALE = 40,
    AT_BASE = 44,
    AT_CHECKSUM = 48,
    AT_FAMILY = 56,
    AT_FEATURE_SET = AT_FAMILY + TEXT_BYTES,
    AT_PROVENANCE_LENGTH = AT_FEATURE_SET + TEXT_BYTES,
    AT_PROVENANCE = AT_PROVENANCE_LENGTH + 4,
    AT_POLICY = AT_PROVENANCE, /* of version 2, where the provenance follows */
};

/* The file being read. */
typedef struct network_reader {
    const unsigned char *bytes;
    size_t size, at; /* at: the next byte of the payload */
    const char *name;
    ply_error *error;
} network_reader;

static ply_status fail(const network_reader *r, const char *reason)
{
    return ply_error_set(r->error, PLY_IO, "%s: %s", r->name, reason);
}

uint32_t ply_network_base(const ply_rules *rules)
{
    const ply_tuning_hooks *tuning = rules->tuning;
    uint64_t sum = tuning->weight_count;
    for (size_t i = 0; i < tuning->weight_count; i++)
        sum = ply_mix64(sum + (uint16_t)tuning->weights[i] + PLY_GOLDEN);
    return tuning->weight_count ? (uint32_t)(sum >> 32) | 1 : 0;
}

/* Whether the text at `offset` is `expected`, padded with zeros. */
static bool text_is(const network_reader *r, size_t offset, const char *expected)
{
    char padded[TEXT_BYTES] = {0};
    size_t length = strlen(expected);
    memcpy(padded, expected, length < TEXT_BYTES ? length : TEXT_BYTES);
    return memcmp(r->bytes + offset, padded, TEXT_BYTES) == 0;
}

/* Whether a text is safe to print: ASCII without control characters, then zeros. */
static bool is_printable(const unsigned char *text)
{
    size_t length = strnlen((const char *)text, TEXT_BYTES);
    for (size_t i = 0; i < TEXT_BYTES; i++)
        if (i < length ? text[i] < ' ' || text[i] > '~' : text[i] != 0)
            return false;
    return length > 0 && length < TEXT_BYTES;
}

/* --- the header ------------------------------------------------------------------------------ */
static ply_status check_rules(const network_reader *r, const ply_network *n)
{
    const ply_network_hooks *hooks = n->rules.network;
    const char *family = hooks->family(&n->rules);
    if (!is_printable(r->bytes + AT_FAMILY) || !is_printable(r->bytes + AT_FEATURE_SET))
        return fail(r, "the family or the feature set is not a name");
    if (!text_is(r, AT_FAMILY, family))
        return ply_error_set(r->error, PLY_UNSUPPORTED, "%s: a network for %s, not for %s", r->name,
                             (const char *)r->bytes + AT_FAMILY, family);
    if (!text_is(r, AT_FEATURE_SET, hooks->feature_set))
        return ply_error_set(r->error, PLY_UNSUPPORTED,
                             "%s: made for the features %s; this program has %s", r->name,
                             (const char *)r->bytes + AT_FEATURE_SET, hooks->feature_set);
    if (n->features != hooks->feature_count(&n->rules))
        return fail(r, "the number of features is wrong");
    return PLY_OK;
}

static bool is_size(uint32_t value, uint32_t step, uint32_t max)
{
    return value >= step && value <= max && value % step == 0;
}

/* start: where the provenance begins. */
static ply_status read_provenance(network_reader *r, ply_network *n, size_t start)
{
    uint32_t length = ply_get32(r->bytes + AT_PROVENANCE_LENGTH);
    if (length > MAX_PROVENANCE)
        return fail(r, "the provenance is too long");
    size_t end = (start + length + 7) / 8 * 8;
    if (ply_get32(r->bytes + AT_HEADER_BYTES) != end)
        return fail(r, "the header's length is wrong");
    if (end > r->size)
        return fail(r, "truncated within the header");
    const char *text = (const char *)r->bytes + start;
    if (memchr(text, 0, length) || !ply_utf8_is_valid(text, length))
        return fail(r, "the provenance is not UTF-8 text");
    for (size_t i = start + length; i < end; i++)
        if (r->bytes[i])
            return fail(r, "the header is not padded with zeros");
    n->provenance = strndup(text, length);
    r->at = end;
    return n->provenance ? PLY_OK
                         : ply_error_set(r->error, PLY_NO_MEMORY, "%s: out of memory", r->name);
}

/* Reads the size of the policy head, if the file's version has one. */
static ply_status read_policy_size(const network_reader *r, ply_network *n)
{
    uint32_t version = ply_get32(r->bytes + AT_VERSION);
    if (version == FILE_VERSION)
        return PLY_OK;
    if (version != FILE_VERSION_POLICY)
        return ply_error_set(r->error, PLY_IO,
                             "%s: format version %u; this program reads versions %d and %d",
                             r->name, version, FILE_VERSION, FILE_VERSION_POLICY);
    if (r->size < AT_POLICY + 4)
        return fail(r, "truncated within the header");
    uint32_t hidden = ply_get32(r->bytes + AT_POLICY);
    if (!n->cells)
        return fail(r, "only networks that pool cells have a policy head");
    if (!is_size(hidden, NN_DENSE_STEP, NN_MAX_DENSE))
        return fail(r, "the policy head has an unsupported size");
    n->policy.context.outputs = hidden;
    return PLY_OK;
}

static ply_status read_header(network_reader *r, ply_network *n)
{
    const unsigned char *b = r->bytes;
    if (r->size < sizeof magic || memcmp(b, magic, sizeof magic) != 0)
        return fail(r, "not a Plyverse network");
    if (r->size < AT_PROVENANCE)
        return fail(r, "truncated within the header");
    ply_status status = read_policy_size(r, n);
    if (status != PLY_OK)
        return status;
    n->features = ply_get32(b + AT_FEATURES);
    n->width = ply_get32(b + AT_WIDTH);
    n->l1 = ply_get32(b + AT_L1);
    n->l2 = ply_get32(b + AT_L2);
    n->buckets = ply_get32(b + AT_BUCKETS);
    uint32_t activation = ply_get32(b + AT_ACTIVATION), scale = ply_get32(b + AT_OUTPUT_SCALE);
    status = check_rules(r, n);
    if (status != PLY_OK)
        return status;
    if (!is_size(n->width, NN_WIDTH_STEP, NN_MAX_WIDTH) ||
        !is_size(n->l1, NN_DENSE_STEP, NN_MAX_DENSE) ||
        !is_size(n->l2, NN_DENSE_STEP, NN_MAX_DENSE) || !is_size(n->buckets, 1, NN_MAX_BUCKETS))
        return fail(r, "a layer has an unsupported size");
    if (n->cells && n->width > NN_MAX_POOL_WIDTH)
        return fail(r, "the cells are too wide");
    if (activation >= NN_ACTIVATIONS)
        return fail(r, "unknown activation function");
    if (!is_size(scale, 1, NN_MAX_OUTPUT_SCALE))
        return fail(r, "the output scale is out of range");
    uint32_t base = ply_get32(b + AT_BASE);
    if (base != 0 && base != ply_network_base(&n->rules))
        return ply_error_set(r->error, PLY_UNSUPPORTED,
                             "%s: corrects another evaluation than this program's", r->name);
    n->residual = base != 0;
    n->activation = (nn_activation)activation;
    n->output_scale = (int32_t)scale;
    return read_provenance(r, n, AT_PROVENANCE + (ply_network_has_policy(n) ? 4 : 0));
}

/* --- the payload ----------------------------------------------------------------------------- */
/* Hands out parts of one block of memory, each aligned. Without a block it only adds up sizes. */
typedef struct block_part {
    unsigned char *block;
    size_t used;
} block_part;

static void *take_part(block_part *part, size_t bytes)
{
    void *start = part->block ? part->block + part->used : NULL;
    part->used += (bytes + NN_ALIGNMENT - 1) / NN_ALIGNMENT * NN_ALIGNMENT;
    return start;
}

static uint32_t padded(uint32_t outputs)
{
    return (outputs + NN_OUTPUT_BLOCK - 1) / NN_OUTPUT_BLOCK * NN_OUTPUT_BLOCK;
}

static void read16(network_reader *r, int16_t *out, size_t count)
{
    const unsigned char *b = r->bytes + r->at;
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)(uint16_t)(b[2 * i] | b[2 * i + 1] << 8);
    r->at += 2 * count;
}

/* False when a bias is out of range. */
static bool read_biases(network_reader *r, int32_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++, r->at += 4) {
        out[i] = (int32_t)ply_get32(r->bytes + r->at);
        if (out[i] < -NN_MAX_BIAS || out[i] > NN_MAX_BIAS)
            return false;
    }
    return true;
}

/* Reads the weights of a dense layer. */
static void read_rows(network_reader *r, const nn_dense *d, int8_t *weights)
{
    for (size_t o = 0; o < d->outputs; o++)
        for (size_t i = 0; i < d->inputs; i++)
            weights[(i / 4 * d->padded + o) * 4 + i % 4] = (int8_t)r->bytes[r->at++];
}

/* Reads a dense layer; false when a bias is out of range. Without a block it only takes the space. */
static bool read_dense(network_reader *r, nn_dense *d, block_part *part, uint32_t inputs,
                       uint32_t outputs)
{
    *d = (nn_dense){.inputs = inputs, .outputs = outputs, .padded = padded(outputs)};
    int32_t *biases = take_part(part, d->padded * sizeof *biases);
    int8_t *weights = take_part(part, (size_t)inputs * d->padded);
    d->biases = biases;
    d->weights = weights;
    if (!part->block)
        return true;
    if (!read_biases(r, biases, outputs))
        return false;
    read_rows(r, d, weights);
    return true;
}

/* The same for a first layer on sums of cells. */
static bool read_wide(network_reader *r, nn_wide *d, block_part *part, uint32_t inputs,
                      uint32_t outputs)
{
    *d = (nn_wide){.inputs = inputs, .outputs = outputs, .padded = padded(outputs)};
    int32_t *biases = take_part(part, d->padded * sizeof *biases);
    int16_t *weights = take_part(part, (size_t)inputs * d->padded * sizeof *weights);
    d->biases = biases;
    d->weights = weights;
    if (!part->block)
        return true;
    if (!read_biases(r, biases, outputs))
        return false;
    for (size_t o = 0; o < outputs; o++)
        for (size_t i = 0; i < inputs; i++)
            read16(r, &weights[(i / 2 * d->padded + o) * 2 + i % 2], 1);
    return true;
}

/* The same for the policy head. */
static bool read_policy(network_reader *r, ply_network *n, block_part *part)
{
    nn_policy *p = &n->policy;
    uint32_t hidden = p->context.outputs, inputs = 2 * n->width;
    if (hidden == 0)
        return true;
    bool good = read_wide(r, &p->context, part, inputs, hidden);
    p->layer = (nn_dense){.inputs = inputs, .outputs = hidden, .padded = padded(hidden)};
    int8_t *weights = take_part(part, (size_t)inputs * p->layer.padded);
    int8_t *output_weights = take_part(part, hidden);
    p->layer.weights = weights;
    p->output_weights = output_weights;
    if (!part->block || !good)
        return good;
    read_rows(r, &p->layer, weights);
    memcpy(output_weights, r->bytes + r->at, hidden);
    r->at += hidden;
    return true;
}

/* Lays the weights out in a block and, if there is one, reads them. False: a bias is too large. */
static bool read_weights(network_reader *r, ply_network *n, block_part *part)
{
    int16_t *biases = take_part(part, n->width * sizeof *biases);
    int16_t *weights = take_part(part, (size_t)n->features * n->width * sizeof *weights);
    bool good = true;
    if (part->block) {
        read16(r, biases, n->width);
        read16(r, weights, (size_t)n->features * n->width);
    }
    n->biases = biases;
    n->weights = weights;
    for (uint32_t i = 0; good && i < n->buckets; i++) {
        nn_bucket *bucket = &n->bucket[i];
        good = (n->cells ? read_wide(r, &bucket->wide, part, 2 * n->width, n->l1)
                         : read_dense(r, &bucket->layer1, part, 2 * n->width, n->l1)) &&
               read_dense(r, &bucket->layer2, part, n->l1, n->l2);
        int8_t *output_weights = take_part(part, n->l2);
        bucket->output_weights = output_weights;
        if (!part->block || !good)
            continue;
        good = read_biases(r, &bucket->output_bias, 1);
        memcpy(output_weights, r->bytes + r->at, n->l2);
        r->at += n->l2;
    }
    return good && read_policy(r, n, part);
}

static size_t payload_bytes(const ply_network *n)
{
    size_t weight1 = n->cells ? sizeof(int16_t) : sizeof(int8_t);
    size_t bucket = 4 * (size_t)n->l1 + weight1 * n->l1 * 2 * n->width + 4 * (size_t)n->l2 +
                    (size_t)n->l2 * n->l1 + 4 + n->l2;
    size_t inputs = 2 * (size_t)n->width, hidden = n->policy.context.outputs;
    size_t policy = hidden * (4 + sizeof(int16_t) * inputs + inputs + 1);
    return inputs * (n->features + 1) + n->buckets * bucket + policy;
}

static ply_status read_payload(network_reader *r, ply_network *n)
{
    size_t size = r->size - r->at, expected = payload_bytes(n);
    if (size != expected)
        return fail(r, size < expected ? "truncated" : "there is something after the weights");
    if (ply_file_checksum(r->bytes + r->at, size) != ply_get64(r->bytes + AT_CHECKSUM))
        return fail(r, "the checksum is wrong");
    block_part part = {0};
    read_weights(r, n, &part);
    unsigned char *block = n->memory = aligned_alloc(NN_ALIGNMENT, part.used);
    if (!block)
        return ply_error_set(r->error, PLY_NO_MEMORY, "%s: out of memory", r->name);
    memset(block, 0, part.used);
    part = (block_part){.block = block};
    if (!read_weights(r, n, &part))
        return fail(r, "a bias is too large");
    for (uint32_t i = 0; n->cells && i < n->width; i++)
        if (n->weights[i])
            return fail(r, "feature 0, which stands for none, has weights");
    return PLY_OK;
}

/* Sets up what a network that pools cells needs beside its weights. */
static ply_status prepare_cells(const network_reader *r, ply_network *n)
{
    const ply_network_hooks *hooks = n->rules.network;
    n->exchanged = malloc(n->features * sizeof *n->exchanged);
    if (!n->exchanged)
        return ply_error_set(r->error, PLY_NO_MEMORY, "%s: out of memory", r->name);
    for (uint32_t i = 0; i < n->features; i++)
        n->exchanged[i] = hooks->exchanged(&n->rules, (uint16_t)i);
    return PLY_OK;
}

ply_status ply_network_read(const ply_rules *rules, const void *bytes, size_t size,
                            const char *name, ply_network **network, ply_error *error)
{
    if (!network)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the network");
    *network = NULL;
    if (!rules || !rules->game || !bytes)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no rules or no bytes");
    name = name ? name : "network";
    network_reader r = {.bytes = bytes, .size = size, .name = name, .error = error};
    if (!rules->network->family || !rules->network->family(rules))
        return ply_error_set(error, PLY_UNSUPPORTED, "%s: there are no networks for these rules",
                             name);
    ply_network *n = calloc(1, sizeof *n);
    if (!n)
        return ply_error_set(error, PLY_NO_MEMORY, "%s: out of memory", name);
    n->rules = *rules;
    n->kernels = PLY_ISA_PICK(ply_nn_kernels_of);
    n->pool = PLY_ISA_PICK(ply_nn_pool_kernels_of);
    n->cells = rules->network->per_cell ? rules->network->cells(rules) : 0;
    ply_status status = read_header(&r, n);
    if (status == PLY_OK)
        status = read_payload(&r, n);
    if (status == PLY_OK && n->cells)
        status = prepare_cells(&r, n);
    if (status != PLY_OK) {
        ply_network_free(n);
        return status;
    }
    *network = n;
    return PLY_OK;
}
