/* SPDX-License-Identifier: MIT */
/*
 * rows.h - builds tablebases row by row on all ranks (src/tablebase/rows.h).
 *
 * Rank r of n holds rows r, r + n, r + 2n, ... A rank initialises its rows from the files of earlier
 * classes, without a message. In a pass, all updates stay within the row; when a cell is decided, its
 * bit of the next frontier is sent to the rank that holds that row, 4 bytes. Files are in another
 * order than the cells: each rank asks the others for the values of the blocks that it compresses.
 */
#ifndef PLY_CLUSTER_ROWS_H
#define PLY_CLUSTER_ROWS_H

#include "cluster/cluster.h"
#include "tablebase/build.h"
#include "tablebase/rows.h"

/* Collective; context is a cluster_build_report. */
slice_builder cluster_build_rows;
/* Collective: writes the file of one class. */
ply_status cluster_rows_write(row_slice *s, size_t which, cluster_build_report *report,
                              ply_error *error);

#endif
