/* SPDX-License-Identifier: MIT */
/*
 * fuzz_session.c - lines of every protocol. The first byte selects the protocol; the rest are
 * lines. A search that a line starts is stopped by the lines that follow or by the end.
 */
#include "fuzz/fuzz.h"

static void count_bytes(void *context, const char *line, size_t length)
{
    size_t *received = context;
    FUZZ_CHECK(!memchr(line, '\n', length));
    *received += length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count = 0, received = 0;
    while (ply_protocol_at(count))
        count++;
    if (size == 0)
        return 0;
    ply_session_options options = {.protocol = ply_protocol_at(data[0] % count)->id,
                                   .search = &(ply_search_options){.memory_mb = 1},
                                   .memory_limit_mb = 1,
                                   .thread_limit = 1,
                                   .connects = data[0] >= 128,
                                   .writer = count_bytes,
                                   .context = &received};
    ply_session *session = ply_session_new(&options, NULL);
    FUZZ_CHECK(session);
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    bool open = true;
    while (open && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        open = ply_session_line(session, at, (size_t)(stop - at));
        at = stop + 1;
    }
    if (open)
        ply_session_finish(session);
    ply_session_free(session);
    return 0;
}
