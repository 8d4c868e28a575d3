/* SPDX-License-Identifier: MIT */
/* class_file.h - the file of a class, which rank 0 writes from what all ranks have computed. */
#ifndef PLY_CLUSTER_CLASS_FILE_H
#define PLY_CLUSTER_CLASS_FILE_H

#include "tablebase/build.h"
#include "tablebase/file.h"

/* Adds all blocks in order; collective. The writer is open on rank 0 only. */
typedef ply_status class_blocks(void *context, tablebase_writer *writer, ply_error *error);

/* Collective. The file appears only when all ranks have succeeded. */
ply_status cluster_write_class(tablebase_folder *folder, size_t class_index,
                               const tablebase_header *header, class_blocks *blocks, void *context,
                               ply_error *error);

#endif
