/* SPDX-License-Identifier: MIT */
/* unavailable.c - stands in for the rest of this folder in a library built without zstd. */
#include <plyverse/tablebase.h>

static ply_status fail_unsupported(ply_error *error)
{
    return ply_error_set(error, PLY_UNSUPPORTED,
                         "this program was built without zstd and xxHash, which tablebases need");
}

bool ply_tablebase_available(const ply_rules *rules)
{
    (void)rules;
    return false;
}

ply_status ply_tablebase_open(const ply_rules *rules, const char *dir, size_t memory_mb,
                              ply_tablebase **tablebase, ply_error *error)
{
    (void)rules;
    (void)dir;
    (void)memory_mb;
    *tablebase = NULL;
    return fail_unsupported(error);
}

void ply_tablebase_close(ply_tablebase *tablebase)
{
    (void)tablebase;
}

size_t ply_tablebase_count(const ply_tablebase *tablebase)
{
    (void)tablebase;
    return 0;
}

unsigned ply_tablebase_pieces(const ply_tablebase *tablebase)
{
    (void)tablebase;
    return 0;
}

bool ply_tablebase_changed(const ply_tablebase *tablebase)
{
    (void)tablebase;
    return false;
}

bool ply_tablebase_probe(ply_tablebase *tablebase, const void *position, ply_tablebase_value *value)
{
    (void)tablebase;
    (void)position;
    (void)value;
    return false;
}

size_t ply_tablebase_moves(ply_tablebase *tablebase, const void *position,
                           ply_tablebase_move *moves)
{
    (void)tablebase;
    (void)position;
    (void)moves;
    return 0;
}

void ply_tablebase_json(ply_tablebase *tablebase, const void *position, ply_text *out)
{
    (void)tablebase;
    (void)position;
    (void)out;
}

void ply_tablebase_value_text(ply_tablebase_value value, ply_text *out)
{
    (void)value;
    (void)out;
}

bool ply_tablebase_error(ply_tablebase *tablebase, ply_error *error)
{
    (void)tablebase;
    (void)error;
    return false;
}

const char *ply_tablebase_default_reach(const ply_rules *rules)
{
    (void)rules;
    return NULL;
}

ply_status ply_tablebase_build(const ply_rules *rules, const ply_tablebase_job *job,
                               ply_error *error)
{
    (void)rules;
    (void)job;
    return fail_unsupported(error);
}

ply_status ply_tablebase_verify(const ply_rules *rules, const ply_tablebase_job *job,
                                ply_error *error)
{
    (void)rules;
    (void)job;
    return fail_unsupported(error);
}

ply_status ply_tablebase_list(const ply_rules *rules, const char *dir, ply_tablebase_info **list,
                              size_t *count, ply_error *error)
{
    (void)rules;
    (void)dir;
    if (list)
        *list = NULL;
    if (count)
        *count = 0;
    return fail_unsupported(error);
}
