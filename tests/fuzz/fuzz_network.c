/* SPDX-License-Identifier: MIT */
/*
 * fuzz_network.c - reads the input as a network file for English checkers, and for gomoku, whose
 * networks pool cells. The checksum would stop nearly every input, so each is read twice: as it is,
 * and with the checksum corrected. Networks that load evaluate the start position: the value is in
 * range, and it and the logit of a policy head are the same on all instruction sets.
 */
#include "fuzz/fuzz.h"
#include "nn/network.h"
#include "support/random_network.h"

static void read_network(const ply_rules *rules, const uint8_t *data, size_t size)
{
    ply_network *network;
    ply_error error = {0};
    ply_status status = ply_network_read(rules, data, size, "FILE", &network, &error);
    if (status != PLY_OK) {
        FUZZ_CHECK(!network && error.status == status && strncmp(error.message, "FILE: ", 6) == 0);
        FUZZ_CHECK(status == PLY_IO || status == PLY_UNSUPPORTED);
        return;
    }
    void *position = calloc(1, rules->position_bytes);
    FUZZ_CHECK(position != NULL);
    FUZZ_CHECK(rules->game->start(rules, position) == PLY_OK);
    int32_t value = ply_network_evaluate(network, position);
    FUZZ_CHECK(value >= -PLY_NETWORK_LIMIT && value <= PLY_NETWORK_LIMIT);
    ply_move move = ply_game_nth_move(rules, position, 0);
    int32_t logit = 0, plain_logit = 0;
    bool has_policy = ply_network_policy(network, position, &move, 1, &logit);
    network->kernels = PLY_ISA_AT(ply_nn_kernels_of, 1);
    network->pool = PLY_ISA_AT(ply_nn_pool_kernels_of, 1);
    FUZZ_CHECK(ply_network_evaluate(network, position) == value);
    FUZZ_CHECK(ply_network_policy(network, position, &move, 1, &plain_logit) == has_policy);
    FUZZ_CHECK(plain_logit == logit);
    ply_network_free(network);
    free(position);
}

/* Reads the input as it is, and with the checksum corrected. */
static void read_for(const char *game, const uint8_t *data, size_t size)
{
    enum { CHECKSUM_END = 56 };
    ply_rules rules;
    FUZZ_CHECK(ply_rules_make(&rules, ply_game_find(game), NULL, NULL) == PLY_OK);
    read_network(&rules, data, size);
    if (size < CHECKSUM_END)
        return;
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    uint32_t payload = (uint32_t)random_get32(copy + 8);
    if (payload <= size && payload >= CHECKSUM_END) {
        random_network_seal(copy, size, payload);
        read_network(&rules, copy, size);
    }
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_for("checkers", data, size);
    read_for("gomoku", data, size);
    return 0;
}
