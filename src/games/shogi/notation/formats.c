/* SPDX-License-Identifier: MIT */
/*
 * formats.c - the table of record formats. By convention, the names kif and ki2 stand for Shift_JIS
 * files, kifu and ki2u for UTF-8. Readers accept either encoding under either name.
 */
#include "record/formats.h"
#include "core/text/encoding.h"
#include "games/shogi/notation/record_reader.h"

/* Writes the record with `write` and converts it to Shift_JIS. */
static ply_status write_shift_jis(const ply_record *record, ply_text *out, ply_error *error,
                                  ply_status (*write)(const ply_record *, ply_text *, ply_error *))
{
    ply_text text = ply_text_growing();
    ply_status status = write(record, &text, error);
    size_t line = 1;
    if (text.failed)
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (size_t at = 0; status == PLY_OK && at < text.length; line++) {
        size_t end = at;
        while (end < text.length && text.data[end] != '\n')
            end++;
        end += end < text.length;
        if (!ply_encoding_to_shift_jis(text.data + at, end - at, out))
            status = ply_error_set(error, PLY_BAD_TEXT,
                                   "line %zu of the record has a character that Shift_JIS lacks; "
                                   "use UTF-8 (format kifu or ki2u)",
                                   line);
        at = end;
    }
    ply_text_free(&text);
    return status;
}

static ply_status write_kif_sjis(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_shift_jis(record, out, error, shogi_kifu_write_kif);
}

static ply_status write_ki2_sjis(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_shift_jis(record, out, error, shogi_kifu_write_ki2);
}

/* A line with a slash separates the games of a file. */
static void skip_csa(ply_cursor *cursor)
{
    ply_record_skip_to_word(cursor, "/");
    ply_cursor_accept(cursor, '/');
}

static const char *const usi_signs[] = {"^position startpos", "^position sfen", "^startpos",
                                        "^sfen ", NULL};
static const char *const sfen_signs[] = {"^*/*/*/*/*/*/*/*/* b ", "^*/*/*/*/*/*/*/*/* w ", NULL};
static const char *const saved_signs[] = {"^80:%%%%%%%%", NULL};
static const char *const csa_signs[] = {"^V1", "^V2",      "^V3",      "^PI",
                                        "^P1", "^+####@@", "^-####@@", NULL};
/* In UTF-8 and in Shift_JIS: 手合割, 手数-, and a move with the square it comes from. */
static const char *const kif_signs[] = {"手合割",           "手数",  "\x8E\xE8\x8D\x87\x8A\x84",
                                        "\x8E\xE8\x90\x94", "!(##)", NULL};
/* In UTF-8 and in Shift_JIS: the marks before moves. */
static const char *const ki2_signs[] = {"▲", "△", "☗", "☖", "\x81\xA3", "\x81\xA2", NULL};
static const char *const jkf_signs[] = {"\"moves\"", NULL};
static const char *const western_signs[] = {"@-#@", NULL};

const ply_format shogi_formats[] = {
    {.id = "usi",
     .name = "USI position commands, one game per line",
     .extension = "usi",
     .signs = usi_signs,
     .read = shogi_kifu_read_usi,
     .write = shogi_kifu_write_usi,
     .skip = ply_record_skip_line},
    {.id = "sfen",
     .name = "SFEN, one position per line",
     .extension = "sfen",
     .signs = sfen_signs,
     .read = shogi_kifu_read_sfen,
     .write = shogi_kifu_write_sfen,
     .skip = ply_record_skip_line},
    {.id = "shogi80",
     .name = "80-byte positions in hexadecimal, one per line",
     .extension = "shogi80",
     .signs = saved_signs,
     .read = shogi_kifu_read_saved,
     .write = shogi_kifu_write_saved,
     .skip = ply_record_skip_line},
    {.id = "csa",
     .name = "CSA",
     .extension = "csa",
     .signs = csa_signs,
     .read = shogi_kifu_read_csa,
     .write = shogi_kifu_write_csa,
     .scores = PLY_SCORES_KIFU,
     .skip = skip_csa},
    {.id = "kif",
     .name = "KIF (Shift_JIS)",
     .extension = "kif",
     .signs = kif_signs,
     .read = shogi_kifu_read_kif,
     .write = write_kif_sjis,
     .scores = PLY_SCORES_KIFU},
    {.id = "kifu",
     .name = "KIF (UTF-8)",
     .extension = "kifu",
     .signs = kif_signs,
     .read = shogi_kifu_read_kif,
     .write = shogi_kifu_write_kif,
     .scores = PLY_SCORES_KIFU},
    {.id = "ki2",
     .name = "KI2 (Shift_JIS)",
     .extension = "ki2",
     .signs = ki2_signs,
     .read = shogi_kifu_read_ki2,
     .write = write_ki2_sjis,
     .scores = PLY_SCORES_KIFU},
    {.id = "ki2u",
     .name = "KI2 (UTF-8)",
     .extension = "ki2u",
     .signs = ki2_signs,
     .read = shogi_kifu_read_ki2,
     .write = shogi_kifu_write_ki2,
     .scores = PLY_SCORES_KIFU},
    {.id = "jkf",
     .name = "JKF (JSON Kifu Format)",
     .extension = "jkf",
     .signs = jkf_signs,
     .read = shogi_kifu_read_jkf,
     .write = shogi_kifu_write_jkf,
     .scores = PLY_SCORES_KIFU},
    {.id = "western",
     .name = "Western notation",
     .extension = "txt",
     .signs = western_signs,
     .read = shogi_kifu_read_western,
     .write = shogi_kifu_write_western,
     .scores = PLY_SCORES_EVAL},
};

_Static_assert(sizeof shogi_formats / sizeof shogi_formats[0] == SHOGI_FORMATS,
               "SHOGI_FORMATS is the number of formats");
