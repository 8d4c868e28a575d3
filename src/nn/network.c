/* SPDX-License-Identifier: MIT */
/* network.c - loading networks and evaluating positions; see <plyverse/network.h>. */
#include "nn/network.h"
#include "core/file.h"
#include <stdlib.h>
#include <string.h>

/* Larger files cannot be networks: the limits of network.h allow somewhat less. */
#define MAX_FILE_BYTES ((size_t)160 << 20)

ply_status ply_network_load(const ply_rules *rules, const char *name, ply_network **network,
                            ply_error *error)
{
    if (!network)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the network");
    *network = NULL;
    if (!rules || !rules->game)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no rules");
    ply_error own_error = {0};
    size_t size = 0;
    if (!name) {
        const char *family = rules->network->family ? rules->network->family(rules) : NULL;
        const unsigned char *embedded = family ? ply_network_embedded(family, &size) : NULL;
        return embedded ? ply_network_read(rules, embedded, size, family, network, error) : PLY_OK;
    }
    if (strcmp(name, PLY_NETWORK_NONE) == 0)
        return PLY_OK;
    if (!error)
        error = &own_error;
    unsigned char *bytes = ply_file_read(name, MAX_FILE_BYTES, &size, error);
    if (!bytes)
        return error->status;
    ply_status status = ply_network_read(rules, bytes, size, name, network, error);
    free(bytes);
    return status;
}

void ply_network_free(ply_network *network)
{
    if (!network)
        return;
    free(network->provenance);
    free(network->memory);
    free(network->exchanged);
    free(network);
}

void ply_network_accumulate(const ply_network *network, const void *position, int player,
                            int16_t *out)
{
    const ply_network_hooks *hooks = network->rules.network;
    uint16_t features[PLY_ACTIVE_FEATURES];
    size_t count = hooks->features(&network->rules, position, player, features);
    if (network->cells == 0) {
        network->kernels->refresh(network, features, count, out);
        return;
    }
    _Alignas(NN_ALIGNMENT) int16_t cell[NN_MAX_POOL_WIDTH];
    memset(out, 0, network->width * sizeof *out);
    for (size_t i = 0; i < count; i += hooks->per_cell)
        network->pool->add_cell(network, features + i, hooks->per_cell, cell, out);
}

int32_t ply_network_value(const ply_network *network, const void *position,
                          const int16_t *const accumulators[2], void *board)
{
    const ply_rules *rules = &network->rules;
    int side = rules->game->side(rules, position);
    unsigned bucket = rules->network->phase(rules, position, network->buckets);
    int64_t raw = (network->cells ? network->pool->output : network->kernels->output)(
        network, bucket, accumulators[side], accumulators[!side]);
    int64_t value = raw * network->output_scale / (NN_ACTIVATION_ONE << NN_DENSE_SHIFT);
    if (network->residual)
        value += board ? rules->search->board->evaluate(rules, position, board)
                       : ply_game_evaluate(rules, position);
    return value > PLY_NETWORK_LIMIT    ? PLY_NETWORK_LIMIT
           : value < -PLY_NETWORK_LIMIT ? -PLY_NETWORK_LIMIT
                                        : (int32_t)value;
}

int32_t ply_network_evaluate(const ply_network *network, const void *position)
{
    if (!network || !position)
        return 0;
    _Alignas(NN_ALIGNMENT) int16_t accumulators[2][NN_MAX_WIDTH];
    ply_network_accumulate(network, position, 0, accumulators[0]);
    ply_network_accumulate(network, position, 1, accumulators[1]);
    const int16_t *const both[2] = {accumulators[0], accumulators[1]};
    return ply_network_value(network, position, both, NULL);
}

void ply_network_describe(const ply_network *network, ply_text *out)
{
    if (!network || !out)
        return;
    const ply_rules *rules = &network->rules;
    ply_text_format(out, "%s %u-%ux2-%u-%u-1, %u bucket%s%s%s%s", rules->network->family(rules),
                    network->features, network->width, network->l1, network->l2, network->buckets,
                    network->buckets == 1 ? "" : "s",
                    network->activation == NN_SQUARED ? ", squared" : "",
                    network->cells ? ", cells pooled" : "",
                    network->residual ? ", added to the game's evaluation" : "");
}

const char *ply_network_provenance(const ply_network *network)
{
    return network ? network->provenance : "";
}
