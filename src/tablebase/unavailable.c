/* SPDX-License-Identifier: MIT */
/* unavailable.c - what the functions of tables.h answer where the library is built without zstd. */
#include <plyverse/tablebase.h>

static ply_status refuse(ply_error *error)
{
    return ply_error_set(error, PLY_UNSUPPORTED,
                         "this program was built without zstd and xxHash, which tables need");
}

bool ply_tablebase_available(const ply_rules *rules)
{
    (void)rules;
    return false;
}

ply_status ply_tablebase_open(const ply_rules *rules, const char *dir, size_t memory_mb,
                              ply_tablebase **tables, ply_error *error)
{
    (void)rules;
    (void)dir;
    (void)memory_mb;
    *tables = NULL;
    return refuse(error);
}

void ply_tablebase_close(ply_tablebase *tables)
{
    (void)tables;
}

size_t ply_tablebase_count(const ply_tablebase *tables)
{
    (void)tables;
    return 0;
}

unsigned ply_tablebase_pieces(const ply_tablebase *tables)
{
    (void)tables;
    return 0;
}

bool ply_tablebase_changed(const ply_tablebase *tables)
{
    (void)tables;
    return false;
}

bool ply_tablebase_probe(ply_tablebase *tables, const void *position, ply_tablebase_value *value)
{
    (void)tables;
    (void)position;
    (void)value;
    return false;
}

size_t ply_tablebase_moves(ply_tablebase *tables, const void *position, ply_tablebase_move *moves)
{
    (void)tables;
    (void)position;
    (void)moves;
    return 0;
}

void ply_tablebase_json(ply_tablebase *tables, const void *position, ply_text *out)
{
    (void)tables;
    (void)position;
    (void)out;
}

void ply_tablebase_value_text(ply_tablebase_value value, ply_text *out)
{
    (void)value;
    (void)out;
}

bool ply_tablebase_error(ply_tablebase *tables, ply_error *error)
{
    (void)tables;
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
    return refuse(error);
}

ply_status ply_tablebase_verify(const ply_rules *rules, const ply_tablebase_job *job,
                                ply_error *error)
{
    (void)rules;
    (void)job;
    return refuse(error);
}

ply_status ply_tablebase_list(const ply_rules *rules, const char *dir, ply_tablebase_info **list,
                              size_t *count, ply_error *error)
{
    (void)rules;
    (void)dir;
    *list = NULL;
    *count = 0;
    return refuse(error);
}
