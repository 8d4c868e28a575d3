/* SPDX-License-Identifier: MIT */
/* class_file.c - see class_file.h. */
#include "cluster/class_file.h"
#include "cluster/cluster.h"

ply_status cluster_write_class(tablebase_folder *folder, size_t class_index,
                               const tablebase_header *header, class_blocks *blocks, void *context,
                               ply_error *error)
{
    ply_text path;
    tablebase_writer writer;
    ply_status status = ply_tablebase_file_path(folder, class_index, ".plt", &path, error);
    if (status == PLY_OK && cluster_rank() == 0)
        status = ply_tablebase_writer_open(&writer, ply_text_cstr(&path), header, error);
    bool opened = status == PLY_OK && cluster_rank() == 0;
    status = cluster_agree(status, error);
    if (status == PLY_OK)
        status = blocks(context, &writer, error);
    if (opened && status == PLY_OK)
        status = ply_tablebase_writer_commit(&writer, error);
    else if (opened)
        ply_tablebase_writer_abort(&writer);
    ply_text_free(&path);
    return cluster_agree(status, error);
}
