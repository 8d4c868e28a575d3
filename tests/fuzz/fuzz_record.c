/* SPDX-License-Identifier: MIT */
/*
 * fuzz_record.c - records of every game in every format it reads. The first line names the rules
 * and, after a space, the format. What was read is written in every format of the game, and what
 * was written is read again: one game, as long as before, whose text does not change any more.
 *
 * The mutator writes random games in a random format and changes them with that format's words.
 */
#include "fuzz/random_record.h"
#include "fuzz/record_words.h"

/* --- the mutator ------------------------------------------------------------------------------- */
static size_t count_formats(const ply_game *game)
{
    size_t count = 0;
    while (ply_format_at(game, count))
        count++;
    return count;
}

/* A random game in a random format; 0 when it cannot be written or is too long. */
static size_t make_input(uint8_t *data, size_t max_size, ply_rng *rng)
{
    ply_rules rules;
    ply_record record;
    random_rules(rng, &rules);
    const ply_format *format =
        ply_format_at(rules.game, ply_rng_below(rng, (uint32_t)count_formats(rules.game)));
    FUZZ_CHECK(ply_record_init(&record, &rules) == PLY_OK);
    random_record(&record, max_size < 2000 ? 12 : 60, rng);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "%s %s %s\n", rules.game->id, rules.variant->id, format->id);
    size_t size = 0;
    if (format->write(&record, &text, NULL) == PLY_OK && text.length <= max_size)
        memcpy(data, ply_text_cstr(&text), size = text.length);
    ply_text_free(&text);
    ply_record_free(&record);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    size_t made = ply_rng_below(&rng, 16) == 0 ? make_input(data, max_size, &rng) : 0;
    if (made)
        return made;
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    const char *format = "ply";
    char line[128] = "";
    if (end && (size_t)(end - data) < sizeof line) {
        memcpy(line, data, (size_t)(end - data));
        char *last = strrchr(line, ' ');
        format = last ? last + 1 : line;
    }
    size_t head = end && ply_rng_below(&rng, 20) ? (size_t)(end + 1 - data) : 0;
    return head +
           grammar_mutate(data + head, size - head, max_size - head, record_words(format), &rng);
}

/* --- the target -------------------------------------------------------------------------------- */
/* The length of the main variation. */
static size_t count_plies(const ply_record *record)
{
    size_t plies = 0;
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child)
        plies++;
    return plies;
}

static void fail(const ply_format *format, const char *what, const ply_text *first,
                 const ply_text *second)
{
    fprintf(stderr, "%s: %s\n%s\n---\n%s\n", format->id, what, ply_text_cstr(first),
            ply_text_cstr(second));
    abort();
}

/* Reads text that we wrote, which must be one game as long as the original, and writes it again. */
static void rewrite(const ply_format *format, const ply_text *text, const ply_record *original,
                    ply_text *again)
{
    ply_record record, another;
    ply_error error = {0};
    bool found = false;
    bool has_moves = !strstr(" sfen shogi80 fen 5dfen ", format->id);
    FUZZ_CHECK(ply_record_init(&record, &original->rules) == PLY_OK);
    FUZZ_CHECK(ply_record_init(&another, &original->rules) == PLY_OK);
    ply_cursor cursor = ply_cursor_make(ply_text_cstr(text), text->length, &error);
    if (format->read(&cursor, &record, &found) != PLY_OK || !found)
        fail(format, error.message, text, again);
    if (has_moves && count_plies(&record) != count_plies(original))
        fail(format, "the game has another length", text, again);
    if (has_moves && (format->read(&cursor, &another, &found) != PLY_OK || found))
        fail(format, "text after the game", text, again);
    if (format->write(&record, again, &error) != PLY_OK)
        fail(format, error.message, text, again);
    ply_record_free(&another);
    ply_record_free(&record);
}

/* A reader may drop what a format has no room for, such as a tag that is also a header of its own;
 * but only once. */
static void check_format(const ply_format *format, const ply_text *text, const ply_record *original)
{
    ply_text second = ply_text_growing(), third = ply_text_growing();
    rewrite(format, text, original, &second);
    rewrite(format, &second, original, &third);
    if (strcmp(ply_text_cstr(&second), ply_text_cstr(&third)) != 0)
        fail(format, "the text changes again", &second, &third);
    ply_text_free(&second);
    ply_text_free(&third);
}

static void write_all(const ply_record *record)
{
    const ply_format *to;
    ply_error error = {0};
    for (size_t i = 0; (to = ply_format_at(record->rules.game, i)) != NULL; i++) {
        ply_text out = ply_text_growing();
        ply_status status = to->write ? to->write(record, &out, &error) : PLY_UNSUPPORTED;
        FUZZ_CHECK(status == PLY_OK || !to->write || error.message[0]);
        if (status == PLY_OK && to->read)
            check_format(to, &out, record);
        ply_text_free(&out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ply_rules rules;
    char format_id[16] = "ply";
    const char *text =
        fuzz_rules_and_word((const char *)data, &size, &rules, format_id, sizeof format_id);
    const ply_format *format = text ? ply_format_find(rules.game, format_id) : NULL;
    if (!format || !format->read)
        return 0;
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, size, &error);
    for (int games = 0; games < 8; games++) {
        ply_record record;
        ply_cursor start = cursor;
        bool found = false;
        FUZZ_CHECK(ply_record_init(&record, &rules) == PLY_OK);
        ply_status status = format->read(&cursor, &record, &found);
        FUZZ_CHECK(status == PLY_OK || (error.message[0] && error.line > 0));
        if (status == PLY_OK && found)
            write_all(&record);
        for (uint32_t n = 0; n < record.node_count; n++) {
            int32_t score;
            int depth;
            if (ply_comment_read_score(record.nodes[n].comment, &score, &depth))
                FUZZ_CHECK(score <= PLY_SCORE_WIN && score >= -PLY_SCORE_WIN && depth >= 0);
        }
        ply_record_free(&record);
        if (status != PLY_OK && format->skip) { /* on to the next game, if there is one */
            cursor = start;
            format->skip(&cursor);
            FUZZ_CHECK(cursor.at > start.at || ply_cursor_done(&start));
            found = !ply_cursor_done(&cursor);
        } else if (status != PLY_OK) {
            break;
        }
        if (!found)
            break;
    }
    return 0;
}
