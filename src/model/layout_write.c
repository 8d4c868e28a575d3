/* SPDX-License-Identifier: MIT */
/*
 * layout_write.c - layouts as text and as JSON; see layout.h.
 *
 *     pieces
 *      *      0  current    0x0000000fc0000000  the pieces of the player to move
 *      ^      ^  ^          ^                   ^
 *      mark   |  name       value               meaning
 *             offset
 *
 * The grids of single words are drawn after the run of such fields they belong to, side by side.
 */
#include "core/text/json_write.h"
#include <inttypes.h>
#include <plyverse/layout.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 10, GAP = 4, WORD_TEXT = 36 };

/* --- words ------------------------------------------------------------------------------------ */
/* Bit number i of a word, counted from the lowest. */
static bool bit_of(const unsigned char *word, size_t word_bytes, size_t i)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return word[word_bytes - 1 - i / 8] >> (i % 8) & 1;
#else
    (void)word_bytes;
    return word[i / 8] >> (i % 8) & 1;
#endif
}

static const unsigned char *word_at(const ply_layout_field *field, size_t i)
{
    return (const unsigned char *)field->words + i * field->word_bytes;
}

/* A word in hexadecimal, the highest digit first. */
static void format_word(const ply_layout_field *field, size_t i, const char *prefix, char *text)
{
    const unsigned char *word = word_at(field, i);
    size_t at = (size_t)snprintf(text, WORD_TEXT, "%s", prefix);
    for (size_t digit = field->word_bytes * 2; digit-- > 0;) {
        unsigned value = 0;
        for (size_t bit = 0; bit < 4; bit++)
            value |= (unsigned)bit_of(word, field->word_bytes, digit * 4 + bit) << bit;
        text[at++] = "0123456789abcdef"[value];
    }
    text[at] = '\0';
}

/* --- what the last move changed --------------------------------------------------------------- */
/* The field of the same name before the move, or NULL. `guess` is where it probably is. */
static const ply_layout_field *find_before(const ply_layout *before, const ply_layout_field *field,
                                           size_t guess)
{
    size_t count = before ? ply_layout_count(before) : 0;
    for (size_t k = 0; k < count; k++) {
        const ply_layout_field *other = ply_layout_at(before, (guess + k) % count);
        if (strcmp(other->name, field->name) == 0 && strcmp(other->section, field->section) == 0)
            return other;
    }
    return NULL;
}

/* A field and what it was before the last move. */
typedef struct compared {
    const ply_layout_field *now, *was; /* was: NULL if there is nothing to compare with */
    bool is_new;                       /* the move created the field */
} compared;

static compared compare(const ply_layout *layout, const ply_layout *before, size_t i)
{
    compared c = {.now = ply_layout_at(layout, i)};
    if (c.now->is_last_move || c.now->is_address)
        return c;
    c.was = find_before(before, c.now, i);
    c.is_new = before && !c.was;
    return c;
}

static bool word_changed(const compared *c, size_t i)
{
    if (c->is_new)
        return true;
    return c->was && (i >= c->was->word_count || c->was->word_bytes != c->now->word_bytes ||
                      memcmp(word_at(c->now, i), word_at(c->was, i), c->now->word_bytes) != 0);
}

static bool field_changed(const compared *c)
{
    for (size_t i = 0; i < c->now->word_count; i++)
        if (word_changed(c, i))
            return true;
    return c->was && c->was->word_count != c->now->word_count;
}

/* --- text ------------------------------------------------------------------------------------- */
static bool draws_bits(const ply_layout_field *field)
{
    return field->grid.width > 0 && field->word_count == 1;
}

static int grid_number(const ply_layout_grid *grid, int row, int column)
{
    return grid->first + row * grid->row + column * grid->column;
}

/* Appends spaces until `width` characters follow the offset `from`. */
static void pad(ply_text *out, size_t from, int width)
{
    int written = (int)(out->length - from);
    if (written < width)
        ply_text_format(out, "%*s", width - written, "");
}

/* Whether the words of a field are written on lines of their own. */
static bool needs_rows(const ply_layout_field *field)
{
    enum { SHORT = 8 }; /* bytes that fit on the field's own line */
    return field->word_count > 1 &&
           (field->grid.width > 0 || field->word_count * field->word_bytes > SHORT);
}

/* Rows of words; a changed one is followed by a star. */
static void write_words(const compared *c, ply_text *out)
{
    const ply_layout_field *field = c->now;
    int per_row = (WIDTH - INDENT) / (int)(field->word_bytes * 2 + 2);
    int rows = ((int)field->word_count + per_row - 1) / per_row;
    ply_layout_grid grid = {per_row, rows, 0, per_row, 1};
    if (field->grid.width > 0)
        grid = field->grid;
    for (int row = 0; row < grid.height; row++) {
        size_t line = out->length;
        char separator = ' ';
        for (int column = 0; column < grid.width; column++) {
            int number = grid_number(&grid, row, column);
            char text[WORD_TEXT];
            if (number < 0 || number >= (int)field->word_count)
                continue;
            format_word(field, (size_t)number, "", text);
            pad(out, line, INDENT - 1);
            ply_text_format(out, "%c%s", separator, text);
            separator = word_changed(c, (size_t)number) ? '*' : ' ';
        }
        ply_text_string(out, separator == '*' ? "*\n" : "\n");
    }
}

/* The value on the field's own line. */
static void write_value(const ply_layout_field *field, ply_text *out)
{
    char text[WORD_TEXT];
    if (field->is_address) {
        ply_text_string(out, "(address)");
    } else if (needs_rows(field)) {
        ply_text_format(out, "%zu words of %zu byte%s", field->word_count, field->word_bytes,
                        field->word_bytes == 1 ? "" : "s");
    } else {
        for (size_t i = 0; i < field->word_count; i++) {
            format_word(field, i, field->word_count == 1 ? "0x" : "", text);
            ply_text_format(out, "%s%s", i ? " " : "", text);
        }
    }
}

static void write_field(const compared *c, int name_width, ply_text *out)
{
    const ply_layout_field *field = c->now;
    char offset[24] = "";
    if (field->offset != PLY_LAYOUT_OUTSIDE)
        snprintf(offset, sizeof offset, "%zu", field->offset);
    ply_text_format(out, " %c %5s  %-*s  ", field_changed(c) ? '*' : ' ', offset, name_width,
                    field->name);
    size_t value = out->length;
    write_value(field, out);
    pad(out, value, 2 + 2 * (int)sizeof(uint64_t));
    ply_text_format(out, "  %s\n", field->meaning);
    if (needs_rows(field))
        write_words(c, out);
}

static char bit_symbol(const compared *c, int number)
{
    const ply_layout_field *now = c->now;
    if (number < 0 || (size_t)number >= 8 * now->word_bytes)
        return ' ';
    bool set = bit_of(now->words, now->word_bytes, (size_t)number), was = set;
    if (c->was && c->was->word_bytes == now->word_bytes)
        was = bit_of(c->was->words, now->word_bytes, (size_t)number);
    return set == was ? (set ? '1' : '.') : set ? '+' : '-';
}

static int picture_width(const ply_layout_field *field)
{
    int name = (int)strlen(field->name), grid = 2 * field->grid.width - 1;
    return name > grid ? name : grid;
}

/* Draws the grids of fields first to end - 1, as many side by side as fit. */
static void write_pictures(const ply_layout *layout, const ply_layout *before, size_t first,
                           size_t end, ply_text *out)
{
    while (first < end) {
        size_t last = first;
        int width = INDENT, height = 0;
        for (; last < end; last++) {
            const ply_layout_field *field = ply_layout_at(layout, last);
            width += picture_width(field) + GAP;
            if (last > first && width > WIDTH + GAP)
                break;
            height = field->grid.height > height ? field->grid.height : height;
        }
        for (int row = -1; row < height; row++) {
            size_t line = out->length;
            int column = INDENT;
            for (size_t i = first; i < last; i++) {
                compared c = compare(layout, before, i);
                const ply_layout_grid *grid = &c.now->grid;
                pad(out, line, column);
                if (row < 0)
                    ply_text_string(out, c.now->name);
                for (int x = 0; row >= 0 && row < grid->height && x < grid->width; x++)
                    ply_text_format(out, "%s%c", x ? " " : "",
                                    bit_symbol(&c, grid_number(grid, row, x)));
                column += picture_width(c.now) + GAP;
            }
            ply_text_char(out, '\n');
        }
        first = last;
    }
}

void ply_layout_text(const ply_layout *layout, const ply_layout *before, ply_text *out)
{
    if (!layout || !out)
        return;
    size_t count = ply_layout_count(layout);
    int name_width = 0;
    const char *section = "";
    bool pictures = false;
    for (size_t i = 0; i < count; i++) {
        int length = (int)strlen(ply_layout_at(layout, i)->name);
        name_width = length > name_width ? length : name_width;
    }
    for (size_t i = 0; i < count;) {
        const ply_layout_field *field = ply_layout_at(layout, i);
        size_t first = i;
        if (strcmp(field->section, section) != 0)
            ply_text_format(out, "%s\n", field->section);
        section = field->section;
        do {
            compared c = compare(layout, before, i++);
            write_field(&c, name_width, out);
            pictures = pictures || draws_bits(field);
        } while (draws_bits(field) && i < count && draws_bits(ply_layout_at(layout, i)) &&
                 strcmp(ply_layout_at(layout, i)->section, section) == 0);
        if (draws_bits(field))
            write_pictures(layout, before, first, i, out);
    }
    if (pictures)
        ply_text_format(out, "bits: 1 set, . clear%s\n",
                        before ? ", + set by the last move, - cleared by it" : "");
    if (before)
        ply_text_string(out, "*: changed by the last move\n");
}

/* --- JSON ------------------------------------------------------------------------------------- */
static void json_words(const char *name, const ply_layout_field *field, ply_text *out)
{
    ply_json_name(out, name);
    ply_json_open(out, '[');
    for (size_t i = 0; i < field->word_count && !field->is_address; i++) {
        char text[WORD_TEXT];
        format_word(field, i, "0x", text);
        ply_json_string(out, text);
    }
    ply_json_close(out, ']');
}

static void json_field(const compared *c, ply_text *out)
{
    const ply_layout_field *field = c->now;
    ply_json_open(out, '{');
    ply_json_member_string(out, "section", field->section);
    ply_json_member_string(out, "name", field->name);
    ply_json_member_string(out, "meaning", field->meaning);
    ply_json_name(out, "offset");
    if (field->offset == PLY_LAYOUT_OUTSIDE)
        ply_json_null(out);
    else
        ply_json_unsigned(out, field->offset);
    ply_json_member_unsigned(out, "word_bytes", field->word_bytes);
    json_words("words", field, out);
    if (field->grid.width > 0) {
        ply_json_name(out, "grid");
        ply_json_open(out, '{');
        ply_json_member_signed(out, "width", field->grid.width);
        ply_json_member_signed(out, "height", field->grid.height);
        ply_json_member_signed(out, "first", field->grid.first);
        ply_json_member_signed(out, "row", field->grid.row);
        ply_json_member_signed(out, "column", field->grid.column);
        ply_json_close(out, '}');
    }
    ply_json_member_bool(out, "changed", field_changed(c));
    if (c->was && field_changed(c))
        json_words("before", c->was, out);
    ply_json_close(out, '}');
}

void ply_layout_json(const ply_layout *layout, const ply_layout *before, ply_text *out)
{
    if (!layout || !out)
        return;
    ply_json_open(out, '{');
    ply_json_member_bool(out, "compared", before != NULL);
    ply_json_name(out, "fields");
    ply_json_open(out, '[');
    for (size_t i = 0; i < ply_layout_count(layout); i++) {
        compared c = compare(layout, before, i);
        json_field(&c, out);
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}
