/* SPDX-License-Identifier: MIT */
/* proof_memory.c - proofs and checkpoints in memory; see solve.h. */
#include "core/array.h"
#include <plyverse/solve.h>
#include <string.h>

bool ply_proof_memory_sink(void *memory, const void *bytes, size_t count)
{
    ply_proof_memory *m = memory;
    if (!m || (!bytes && count > 0) || count > SIZE_MAX / 2 - m->size ||
        !ply_array_grow(&m->bytes, &m->room, m->size + count, sizeof m->bytes[0]))
        return false;
    if (count > 0)
        memcpy(m->bytes + m->size, bytes, count);
    m->size += count;
    return true;
}

static size_t read_memory(void *context, uint64_t offset, void *bytes, size_t count)
{
    const ply_proof_memory *m = context;
    size_t left = m && offset < m->size ? m->size - (size_t)offset : 0;
    count = count < left ? count : left;
    if (count > 0)
        memcpy(bytes, m->bytes + offset, count);
    return count;
}

ply_proof_source ply_proof_memory_source(const ply_proof_memory *memory)
{
    ply_proof_source source = {.read = read_memory, .size = memory ? memory->size : 0};
    memcpy(&source.context, &memory, sizeof memory);
    return source;
}
