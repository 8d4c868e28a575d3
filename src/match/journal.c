/* SPDX-License-Identifier: MIT */
/*
 * journal.c - the file from which a match continues after a kill.
 *
 *     plyverse-match 1
 *     game checkers              the header: lines of name and value
 *     ...
 *     begin
 *     12 TAB first TAB rules TAB no-move TAB ... TAB checksum
 *
 * Fields of a game: number, result, ending, reason, detail, opening, start, opening plies, moves,
 * milliseconds and scores (separated by spaces, - for none), and a checksum of the fields before
 * it. Each line is written by a single call, so a kill can cut only the last one short.
 */
#include "core/file.h"
#include "core/hash.h"
#include "match/match.h"
#include "model/variation.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 12, QUOTE_LIMIT = 80 };

static const char magic[] = "plyverse-match 1\n";
static const char begin[] = "begin\n";
static const char *const ending_names[MATCH_ENDINGS] = {
    [MATCH_BY_RULES] = "rules",
    [MATCH_BY_ADJUDICATION] = "adjudication",
    [MATCH_BY_RESIGNATION] = "resignation",
    [MATCH_BY_TIME] = "time",
    [MATCH_BY_ILLEGAL] = "illegal",
    [MATCH_BY_CRASH] = "crash",
};

struct match_journal {
    int file;
};

/* --- writing --------------------------------------------------------------------------------- */
/* Appends a field; control characters, such as tab and line end, become spaces. */
static void put_field(ply_text *out, const char *text)
{
    for (; *text; text++)
        ply_text_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
    ply_text_char(out, '\t');
}

static void put_numbers(ply_text *out, const int32_t *numbers, size_t count, int32_t none)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            ply_text_char(out, ' ');
        if (numbers[i] == none)
            ply_text_char(out, '-');
        else
            ply_text_format(out, "%" PRId32, numbers[i]);
    }
    ply_text_char(out, '\t');
}

void ply_match_game_format(const match_game *game, ply_text *out)
{
    ply_text_format(out, "%" PRIu64 "\t%s\t%s\t", game->number, ply_result_name(game->result),
                    ending_names[game->ending]);
    put_field(out, game->reason);
    put_field(out, game->detail);
    put_field(out, game->opening);
    put_field(out, game->start);
    ply_text_format(out, "%zu\t", game->opening_plies);
    put_field(out, game->moves);
    put_numbers(out, game->millis, game->plies, -1);
    put_numbers(out, game->scores, game->plies, MATCH_NO_SCORE);
    ply_text_format(out, "%016" PRIx64 "\n", ply_text_checksum(out->data, out->length));
}

ply_status ply_match_journal_add(match_journal *journal, const match_game *game)
{
    ply_text line = ply_text_growing();
    ply_match_game_format(game, &line);
    ply_status status = line.failed                                                 ? PLY_NO_MEMORY
                        : ply_file_write_all(journal->file, line.data, line.length) ? PLY_OK
                                                                                    : PLY_IO;
    ply_text_free(&line);
    return status;
}

/* --- reading --------------------------------------------------------------------------------- */
/* Parses the result of a finished game. */
static bool parse_result(const char *name, ply_result *result)
{
    return ply_result_from_name(name, strlen(name), result) && *result != PLY_ONGOING;
}

static bool parse_ending(const char *name, match_ending *ending)
{
    for (int i = 0; i < MATCH_ENDINGS; i++)
        if (strcmp(ending_names[i], name) == 0) {
            *ending = (match_ending)i;
            return true;
        }
    return false;
}

static bool parse_number(const char *text, uint64_t limit, uint64_t *value)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    return ply_cursor_number(&cursor, limit, value) && ply_cursor_done(&cursor);
}

/* Parses numbers separated by spaces; *count is how many. NULL when the text is malformed. */
static int32_t *parse_numbers(char *text, int32_t none, size_t *count)
{
    *count = 0;
    for (const char *c = text; *c; c++)
        *count += *c == ' ';
    *count += text[0] != '\0';
    int32_t *numbers = malloc((*count + 1) * sizeof *numbers);
    char *rest = text, *word;
    for (size_t i = 0; numbers && i < *count; i++) {
        word = strsep(&rest, " ");
        char *end;
        long value = strtol(word, &end, 10);
        numbers[i] = strcmp(word, "-") == 0 ? none : (int32_t)value;
        if (numbers[i] != none && (*word == '\0' || *end || value != numbers[i])) {
            free(numbers);
            return NULL;
        }
    }
    return numbers;
}

/* Makes a game from the fields of a line; NULL when they are malformed. */
static match_game *parse_fields(char *fields[FIELDS])
{
    match_game *game = calloc(1, sizeof *game);
    uint64_t opening_plies;
    size_t scores = 0;
    if (!game)
        return NULL;
    bool good = parse_number(fields[0], UINT32_MAX, &game->number) &&
                parse_result(fields[1], &game->result) && parse_ending(fields[2], &game->ending) &&
                strlen(fields[3]) < sizeof game->reason &&
                strlen(fields[4]) < sizeof game->detail &&
                parse_number(fields[7], UINT32_MAX, &opening_plies);
    if (good) {
        strcpy(game->reason, fields[3]);
        strcpy(game->detail, fields[4]);
        game->opening = strdup(fields[5]);
        game->start = strdup(fields[6]);
        game->opening_plies = (size_t)opening_plies;
        game->moves = strdup(fields[8]);
        game->millis = parse_numbers(fields[9], -1, &game->plies);
        game->scores = parse_numbers(fields[10], MATCH_NO_SCORE, &scores);
        good = game->opening && game->start && game->moves && game->millis && game->scores &&
               scores == game->plies && opening_plies <= game->plies;
    }
    if (good)
        return game;
    ply_match_game_free(game);
    return NULL;
}

/* Whether the moves of a game are legal. */
static bool replays(const match_game *game, const ply_rules *rules)
{
    ply_state state;
    if (ply_state_init(&state, rules) != PLY_OK)
        return false;
    bool good = (!game->start[0] ||
                 ply_state_parse(&state, game->start, strlen(game->start), NULL) == PLY_OK) &&
                ply_state_play_text(&state, game->moves, strlen(game->moves), NULL) == PLY_OK &&
                state.plies == game->plies;
    ply_state_free(&state);
    return good;
}

match_game *ply_match_game_parse(char *line, size_t length, const ply_rules *rules)
{
    if (length > 0 && line[length - 1] == '\n')
        line[--length] = '\0';
    char *fields[FIELDS], *rest = line, *sum = memrchr(line, '\t', length);
    size_t count = 0;
    char expected[20];
    if (!sum)
        return NULL;
    snprintf(expected, sizeof expected, "%016" PRIx64,
             ply_text_checksum(line, (size_t)(sum + 1 - line)));
    if (strcmp(sum + 1, expected) != 0)
        return NULL;
    while (count < FIELDS && (fields[count] = strsep(&rest, "\t")) != NULL)
        count++;
    match_game *game = count == FIELDS && !rest ? parse_fields(fields) : NULL;
    if (game && !replays(game, rules)) {
        ply_match_game_free(game);
        return NULL;
    }
    return game;
}

static bool read_file(int file, ply_text *text)
{
    char buffer[1 << 14];
    ssize_t got;
    while ((got = read(file, buffer, sizeof buffer)) > 0)
        ply_text_bytes(text, buffer, (size_t)got);
    return got == 0 && !text->failed;
}

/* Reports the first difference between two headers. */
static ply_status header_differs(const char *old, const char *now, ply_error *error)
{
    while (*old && *now) {
        int old_length = (int)strcspn(old, "\n"), now_length = (int)strcspn(now, "\n");
        if (old_length != now_length || memcmp(old, now, (size_t)old_length) != 0)
            return ply_error_set(error, PLY_BAD_TEXT,
                                 "the journal belongs to another match: '%.*s', not '%.*s'",
                                 old_length < QUOTE_LIMIT ? old_length : QUOTE_LIMIT, old,
                                 now_length < QUOTE_LIMIT ? now_length : QUOTE_LIMIT, now);
        old += old_length + (old[old_length] == '\n');
        now += now_length + (now[now_length] == '\n');
    }
    return ply_error_set(error, PLY_BAD_TEXT, "the journal belongs to another match");
}

/* Reads the games of an existing journal. *kept: the length of the part that is intact. */
static ply_status parse_journal(char *text, size_t length, const char *header,
                                const ply_rules *rules, match_results *results, size_t *kept,
                                ply_error *error)
{
    size_t at = strlen(magic), header_length = strlen(header);
    *kept = 0;
    if (length < at || memcmp(text, magic, at) != 0)
        return length < at && memcmp(text, magic, length) == 0
                   ? PLY_OK /* killed before the header was complete */
                   : ply_error_set(error, PLY_BAD_TEXT, "not a match journal");
    char *body = strstr(text + at, "\nbegin\n");
    if (!body)
        return PLY_OK;
    if ((size_t)(body + 1 - (text + at)) != header_length ||
        memcmp(text + at, header, header_length) != 0) {
        body[1] = '\0';
        return header_differs(text + at, header, error);
    }
    at += header_length + strlen(begin);
    *kept = at;
    for (uint32_t line = 1; at < length; line++) {
        char *end = memchr(text + at, '\n', length - at);
        if (!end)
            break;
        *end = '\0';
        match_game *game = ply_match_game_parse(text + at, (size_t)(end - (text + at)), rules);
        if (!game)
            return ply_error_set(error, PLY_BAD_TEXT, "game line %u of the journal is damaged",
                                 line);
        at = (size_t)(end - text) + 1;
        *kept = at;
        if (game->number < results->capacity && !results->games[game->number])
            results->games[game->number] = game;
        else
            ply_match_game_free(game);
    }
    return PLY_OK;
}

/* Reads what the file holds, cuts off a torn line, and writes the header if there is none. */
static ply_status load(match_journal *journal, const char *header, const ply_rules *rules,
                       match_results *results, ply_error *error)
{
    ply_text text = ply_text_growing();
    size_t kept = 0;
    ply_status status = read_file(journal->file, &text) ? PLY_OK : PLY_IO;
    if (status == PLY_OK && text.length > 0)
        status = parse_journal(text.data, text.length, header, rules, results, &kept, error);
    else if (status != PLY_OK)
        ply_error_set(error, status, "%s", strerror(errno));
    ply_text_free(&text);
    if (status != PLY_OK)
        return status;
    bool good =
        ftruncate(journal->file, (off_t)kept) == 0 && lseek(journal->file, 0, SEEK_END) >= 0;
    if (good && kept == 0) {
        ply_text start = ply_text_growing();
        ply_text_format(&start, "%s%s%s", magic, header, begin);
        good = !start.failed && ply_file_write_all(journal->file, start.data, start.length);
        ply_text_free(&start);
    }
    return good ? PLY_OK : ply_error_set(error, PLY_IO, "%s", strerror(errno));
}

match_journal *ply_match_journal_open(const char *path, const char *header, bool resume,
                                      const ply_rules *rules, match_results *results,
                                      ply_error *error)
{
    match_journal *journal = calloc(1, sizeof *journal);
    if (!journal) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    journal->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
    if (journal->file < 0) {
        ply_error_set(error, PLY_IO, "%s",
                      errno == EEXIST ? "the file exists; continue it with --resume"
                                      : strerror(errno));
        free(journal);
        return NULL;
    }
    if (load(journal, header, rules, results, error) != PLY_OK) {
        ply_match_journal_close(journal);
        return NULL;
    }
    return journal;
}

void ply_match_journal_close(match_journal *journal)
{
    if (!journal)
        return;
    close(journal->file);
    free(journal);
}
