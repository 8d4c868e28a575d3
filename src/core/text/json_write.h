/* SPDX-License-Identifier: MIT */
/*
 * json_write.h - writing JSON.
 *
 * Commas are inserted automatically. Malformed UTF-8 becomes U+FFFD. Numbers above 2^53 are written
 * as strings, because JavaScript and other readers hold numbers in doubles.
 */
#ifndef PLY_CORE_TEXT_JSON_WRITE_H
#define PLY_CORE_TEXT_JSON_WRITE_H

#include <plyverse/text.h>

void ply_json_open(ply_text *out, char bracket);  /* '{' or '[' */
void ply_json_close(ply_text *out, char bracket); /* '}' or ']' */
/* The name of a member; its value follows. */
void ply_json_name(ply_text *out, const char *name);
/* A string. */
void ply_json_bytes(ply_text *out, const char *bytes, size_t length);
void ply_json_string(ply_text *out, const char *string);
void ply_json_unsigned(ply_text *out, uint64_t number);
void ply_json_signed(ply_text *out, int64_t number);
void ply_json_real(ply_text *out, double number);
void ply_json_bool(ply_text *out, bool value);
void ply_json_null(ply_text *out);

/* A member: name and value. */
void ply_json_member_string(ply_text *out, const char *name, const char *value);
void ply_json_member_unsigned(ply_text *out, const char *name, uint64_t value);
void ply_json_member_signed(ply_text *out, const char *name, int64_t value);
void ply_json_member_bool(ply_text *out, const char *name, bool value);

#endif
