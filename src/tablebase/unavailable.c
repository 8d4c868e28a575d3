/* unavailable.c - what the functions of tables.h answer where the library is built without zstd. */
#include <plyverse/tablebase.h>

static ply_status refuse(ply_error *error)
{
    return ply_error_set(error, PLY_UNSUPPORTED,
                         "this program was built without zstd and xxHash, which tables need");
}

bool ply_tables_available(const ply_rules *rules)
{
    (void)rules;
    return false;
}

ply_status ply_tables_open(const ply_rules *rules, const char *dir, size_t memory_mb,
                           ply_tables **tables, ply_error *error)
{
    (void)rules;
    (void)dir;
    (void)memory_mb;
    *tables = NULL;
    return refuse(error);
}

void ply_tables_close(ply_tables *tables)
{
    (void)tables;
}

size_t ply_tables_count(const ply_tables *tables)
{
    (void)tables;
    return 0;
}

unsigned ply_tables_pieces(const ply_tables *tables)
{
    (void)tables;
    return 0;
}

bool ply_tables_changed(const ply_tables *tables)
{
    (void)tables;
    return false;
}

bool ply_tables_probe(ply_tables *tables, const void *position, ply_table_value *value)
{
    (void)tables;
    (void)position;
    (void)value;
    return false;
}

size_t ply_tables_moves(ply_tables *tables, const void *position, ply_table_move *moves)
{
    (void)tables;
    (void)position;
    (void)moves;
    return 0;
}

void ply_tables_json(ply_tables *tables, const void *position, ply_text *out)
{
    (void)tables;
    (void)position;
    (void)out;
}

void ply_table_value_text(ply_table_value value, ply_text *out)
{
    (void)value;
    (void)out;
}

bool ply_tables_error(ply_tables *tables, ply_error *error)
{
    (void)tables;
    (void)error;
    return false;
}

const char *ply_tables_reach(const ply_rules *rules)
{
    (void)rules;
    return NULL;
}

ply_status ply_tables_build(const ply_rules *rules, const ply_tables_job *job, ply_error *error)
{
    (void)rules;
    (void)job;
    return refuse(error);
}

ply_status ply_tables_verify(const ply_rules *rules, const ply_tables_job *job, ply_error *error)
{
    (void)rules;
    (void)job;
    return refuse(error);
}

ply_status ply_tables_list(const ply_rules *rules, const char *dir, ply_table_info **list,
                           size_t *count, ply_error *error)
{
    (void)rules;
    (void)dir;
    *list = NULL;
    *count = 0;
    return refuse(error);
}
