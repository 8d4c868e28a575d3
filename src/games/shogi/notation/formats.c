/* SPDX-License-Identifier: MIT */
/*
 * formats.c - the table of record formats. By convention, the names kif and ki2 stand for Shift_JIS
 * files, kifu and ki2u for UTF-8. Readers accept either encoding under either name.
 */
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
    {"usi", "USI position commands, one game per line", "usi", usi_signs, shogi_kifu_read_usi,
     shogi_kifu_write_usi},
    {"sfen", "SFEN, one position per line", "sfen", sfen_signs, shogi_kifu_read_sfen,
     shogi_kifu_write_sfen},
    {"shogi80", "80-byte positions in hexadecimal, one per line", "shogi80", saved_signs,
     shogi_kifu_read_saved, shogi_kifu_write_saved},
    {"csa", "CSA", "csa", csa_signs, shogi_kifu_read_csa, shogi_kifu_write_csa},
    {"kif", "KIF (Shift_JIS)", "kif", kif_signs, shogi_kifu_read_kif, write_kif_sjis},
    {"kifu", "KIF (UTF-8)", "kifu", kif_signs, shogi_kifu_read_kif, shogi_kifu_write_kif},
    {"ki2", "KI2 (Shift_JIS)", "ki2", ki2_signs, shogi_kifu_read_ki2, write_ki2_sjis},
    {"ki2u", "KI2 (UTF-8)", "ki2u", ki2_signs, shogi_kifu_read_ki2, shogi_kifu_write_ki2},
    {"jkf", "JKF (JSON Kifu Format)", "jkf", jkf_signs, shogi_kifu_read_jkf, shogi_kifu_write_jkf},
    {"western", "Western notation", "txt", western_signs, shogi_kifu_read_western,
     shogi_kifu_write_western},
};

_Static_assert(sizeof shogi_formats / sizeof shogi_formats[0] == SHOGI_FORMATS,
               "SHOGI_FORMATS is the number of formats");
