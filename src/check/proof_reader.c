/* SPDX-License-Identifier: MIT */
/* proof_reader.c - reads the header, the end and the bytes of a proof file. */
#include "check/check_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TAIL_BYTES = 32, LABEL_ENTRY_BYTES = 16 };
#define FNV_OFFSET 0xCBF29CE484222325u
#define FNV_PRIME 0x100000001B3u

bool ply_check_reject(checker *c, ply_status status, uint64_t offset, const char *message)
{
    if (c->status == PLY_OK) {
        c->status = status;
        ply_error_set(c->error, status, "%s (byte %" PRIu64 ")", message, offset);
        if (c->error)
            c->error->offset = (size_t)offset;
    }
    return false;
}

bool ply_check_bad(checker *c, const char *message)
{
    return ply_check_reject(c, PLY_BAD_TEXT, c->at, message);
}

/* --- bytes ---------------------------------------------------------------------------------- */
bool ply_check_read_at(checker *c, uint64_t offset, void *bytes, size_t count)
{
    if (offset > c->source->size || count > c->source->size - offset)
        return ply_check_reject(c, PLY_BAD_TEXT, offset, "unexpected end of file");
    if (c->source->read(c->source->context, offset, bytes, count) != count)
        return ply_check_reject(c, PLY_IO, offset, "read error");
    return true;
}

bool ply_check_take_byte(checker *c, unsigned *byte)
{
    if (c->at < c->window_offset || c->at >= c->window_offset + c->window_bytes) {
        uint64_t left = c->at < c->label_table ? c->label_table - c->at : 0;
        if (left == 0)
            return ply_check_bad(c, "unexpected end of the proof");
        size_t count = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
        if (!ply_check_read_at(c, c->at, c->window, count))
            return false;
        c->window_offset = c->at;
        c->window_bytes = count;
    }
    *byte = c->window[c->at++ - c->window_offset];
    return true;
}

bool ply_check_take_varint(checker *c, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0, byte = 128; byte & 128; shift += 7) {
        if (!ply_check_take_byte(c, &byte))
            return false;
        if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0))
            return ply_check_bad(c, "invalid varint");
        *value |= (uint64_t)(byte & 127) << shift;
    }
    return true;
}

bool ply_check_take_text(checker *c, size_t *length)
{
    uint64_t count;
    if (!ply_check_take_varint(c, &count))
        return false;
    if (count >= MAX_TEXT)
        return ply_check_bad(c, "text too long");
    for (size_t i = 0; i < count; i++) {
        unsigned byte;
        if (!ply_check_take_byte(c, &byte))
            return false;
        if (byte == 0)
            return ply_check_bad(c, "zero byte in a text");
        c->text[i] = (char)byte;
    }
    c->text[count] = '\0';
    *length = (size_t)count;
    return true;
}

static uint64_t word_of(const unsigned char *bytes)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

bool ply_check_take_word(checker *c, uint64_t *value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) {
        unsigned byte;
        if (!ply_check_take_byte(c, &byte))
            return false;
        bytes[i] = (unsigned char)byte;
    }
    *value = word_of(bytes);
    return true;
}

bool ply_check_read_word(checker *c, uint64_t offset, uint64_t *value)
{
    unsigned char bytes[8];
    if (!ply_check_read_at(c, offset, bytes, sizeof bytes))
        return false;
    *value = word_of(bytes);
    return true;
}

bool ply_check_read_label(checker *c, uint64_t label, uint64_t *offset, uint64_t *plies)
{
    unsigned char entry[LABEL_ENTRY_BYTES];
    if (!ply_check_read_at(c, c->label_table + label * LABEL_ENTRY_BYTES, entry, sizeof entry))
        return false;
    *offset = word_of(entry);
    *plies = word_of(entry + 8);
    return true;
}

/* --- header and end of the file --------------------------------------------------------------- */
bool ply_check_should_stop(checker *c)
{
    if (c->stop && *c->stop)
        return !ply_check_reject(c, PLY_STOPPED, c->at, "stopped");
    if (c->max_nodes && c->nodes > c->max_nodes)
        return !ply_check_reject(c, PLY_LIMIT, c->at, "node limit exceeded");
    return false;
}

static bool verify_checksum(checker *c)
{
    uint64_t checksum = FNV_OFFSET, end = c->source->size - 8;
    for (uint64_t at = 0; at < end;) {
        size_t count = end - at < WINDOW_BYTES ? (size_t)(end - at) : WINDOW_BYTES;
        if (!ply_check_read_at(c, at, c->window, count) || ply_check_should_stop(c))
            return false;
        for (size_t i = 0; i < count; i++)
            checksum = (checksum ^ c->window[i]) * FNV_PRIME;
        at += count;
    }
    unsigned char stored[8];
    if (!ply_check_read_at(c, end, stored, sizeof stored))
        return false;
    return word_of(stored) == checksum || ply_check_reject(c, PLY_BAD_TEXT, end, "wrong checksum");
}

bool ply_check_read_tail(checker *c)
{
    uint64_t size = c->source->size;
    unsigned char head[9], tail[TAIL_BYTES];
    if (size < sizeof head || !ply_check_read_at(c, 0, head, sizeof head) ||
        memcmp(head, "PLYPROOF", 8) != 0)
        return ply_check_reject(c, PLY_BAD_TEXT, 0, "not a proof file");
    if (head[8] != 1)
        return ply_check_reject(c, PLY_UNSUPPORTED, 8, "unsupported version of the proof format");
    if (size < sizeof head + TAIL_BYTES)
        return ply_check_reject(c, PLY_BAD_TEXT, size, "unexpected end of file");
    if (!verify_checksum(c) || !ply_check_read_at(c, size - TAIL_BYTES, tail, sizeof tail))
        return false;
    c->label_total = word_of(tail);
    c->claimed_plies = word_of(tail + 8);
    c->label_table = word_of(tail + 16);
    uint64_t room = size - TAIL_BYTES;
    if (c->label_table > room || c->label_total > room / LABEL_ENTRY_BYTES ||
        room - c->label_table != c->label_total * LABEL_ENTRY_BYTES)
        return ply_check_reject(c, PLY_BAD_TEXT, size - TAIL_BYTES,
                                "label table does not fit the file");
    c->at = sizeof head;
    c->window_bytes = 0;
    return true;
}

static bool take_flag(checker *c, unsigned low, unsigned high, unsigned *value)
{
    if (!ply_check_take_byte(c, value))
        return false;
    return (*value >= low && *value <= high) || ply_check_bad(c, "header byte out of range");
}

bool ply_check_read_header(checker *c, const ply_game *game, ply_proof_summary *summary,
                           ply_text *position_text)
{
    size_t length;
    unsigned attacker, verdict;
    ply_error inner = {0};
    if (!ply_check_take_text(c, &length))
        return false;
    if (strcmp(c->text, game->id) != 0)
        return ply_check_bad(c, "proof of another game");
    if (!ply_check_take_text(c, &length))
        return false;
    if (length >= sizeof summary->variant ||
        ply_rules_make(&c->rules, game, c->text, &inner) != PLY_OK)
        return ply_check_bad(c, "unknown variant");
    memcpy(summary->variant, c->text, length + 1);
    if (!ply_check_take_text(c, &length))
        return false;
    c->goal = length ? ply_goal_find(game, c->text) : NULL;
    if (!c->goal || length >= sizeof summary->goal)
        return ply_check_bad(c, "unknown goal");
    memcpy(summary->goal, c->text, length + 1);
    if (!take_flag(c, 0, 1, &attacker) || !take_flag(c, 1, 2, &verdict) ||
        !ply_check_take_text(c, &length))
        return false;
    c->attacker = (int)attacker;
    c->win = verdict == 1;
    c->chooser = c->win ? c->attacker : !c->attacker;
    c->position = calloc(1, c->rules.position_bytes);
    if (!c->position)
        return ply_check_reject(c, PLY_NO_MEMORY, c->at, "out of memory");
    ply_cursor cursor = ply_cursor_make(c->text, length, &inner);
    if (game->parse(&c->rules, c->position, &cursor) != PLY_OK)
        return ply_check_bad(c, "malformed position");
    c->has_position = true;
    if (c->rules.game->side(&c->rules, c->position) != c->attacker)
        return ply_check_bad(c, "the attacker is not to move");
    ply_cursor_skip_space(&cursor);
    if (!ply_cursor_done(&cursor))
        return ply_check_bad(c, "more text after the position");
    if (position_text)
        game->format(&c->rules, c->position, position_text);
    summary->attacker = c->attacker;
    summary->verdict = c->win ? PLY_VERDICT_WIN : PLY_VERDICT_NO;
    return true;
}
