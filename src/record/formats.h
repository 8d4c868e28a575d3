/* SPDX-License-Identifier: MIT */
/* formats.h - the record formats available for every game. */
#ifndef PLY_RECORD_FORMATS_H
#define PLY_RECORD_FORMATS_H

#include <plyverse/record.h>

extern const ply_format ply_format_ply;  /* plain text, read and written */
extern const ply_format ply_format_json; /* for other programs; write-only */

#endif
