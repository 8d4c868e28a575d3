/* SPDX-License-Identifier: MIT */
/* network.c - loading networks and evaluating positions; see <plyverse/network.h>. */
#include "nn/network.h"
#include "core/file.h"
#include <stdio.h>
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

/* Scores one cell from scratch. features: of all cells, of the player to move and the opponent. */
static int32_t cell_logit(const ply_network *n, const uint16_t *const features[2],
                          const int16_t *const sums[2], uint32_t cell)
{
    _Alignas(NN_ALIGNMENT) int16_t accumulators[2][NN_MAX_POOL_WIDTH];
    int16_t unused[NN_MAX_POOL_WIDTH] __attribute__((aligned(NN_ALIGNMENT))) = {0};
    size_t per_cell = n->rules.network->per_cell;
    for (int i = 0; i < 2; i++)
        n->pool->add_cell(n, features[i] + cell * per_cell, per_cell, accumulators[i], unused);
    const int16_t *const both[2] = {accumulators[0], accumulators[1]};
    const uint16_t first = 0;
    int32_t logit;
    n->pool->policy(n, both, sums, &first, 1, &logit);
    return logit;
}

bool ply_network_policy(const ply_network *network, const void *position, const ply_move *moves,
                        size_t count, int32_t *logits)
{
    const ply_rules *rules = &network->rules;
    uint16_t features[2][PLY_ACTIVE_FEATURES];
    _Alignas(NN_ALIGNMENT) int16_t sums[2][NN_MAX_POOL_WIDTH];
    if (!ply_network_has_policy(network))
        return false;
    int side = rules->game->side(rules, position);
    for (int i = 0; i < 2; i++) {
        rules->network->features(rules, position, i ? !side : side, features[i]);
        ply_network_accumulate(network, position, i ? !side : side, sums[i]);
    }
    const uint16_t *const both_features[2] = {features[0], features[1]};
    const int16_t *const both_sums[2] = {sums[0], sums[1]};
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = rules->network->move_cell(rules, moves[i]);
        logits[i] = cell == PLY_NO_CELL ? NN_LEAST_LOGIT
                                        : cell_logit(network, both_features, both_sums, cell);
    }
    return true;
}

void ply_network_describe(const ply_network *network, ply_text *out)
{
    if (!network || !out)
        return;
    const ply_rules *rules = &network->rules;
    char policy[32] = "";
    if (ply_network_has_policy(network))
        snprintf(policy, sizeof policy, ", policy of %u", network->policy.context.outputs);
    ply_text_format(out, "%s %u-%ux2-%u-%u-1, %u bucket%s%s%s%s%s", rules->network->family(rules),
                    network->features, network->width, network->l1, network->l2, network->buckets,
                    network->buckets == 1 ? "" : "s",
                    network->activation == NN_SQUARED ? ", squared" : "",
                    network->cells ? ", cells pooled" : "",
                    network->residual ? ", added to the game's evaluation" : "", policy);
}

const char *ply_network_provenance(const ply_network *network)
{
    return network ? network->provenance : "";
}
