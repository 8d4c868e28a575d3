/* SPDX-License-Identifier: MIT */
/* game_file.c - writing and reading files of games; see game_file.h. */
#include "train/game_file.h"
#include "core/array.h"
#include "core/bytes.h"
#include "core/text/varint.h"
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "PLYGAME1";

enum { VARINT_BITS = 7, VARINT_MORE = 0x80 };

/* --- numbers --------------------------------------------------------------------------------- */
/* FNV-1a, folded to 32 bits. */
static uint32_t checksum(const uint8_t *bytes, size_t count)
{
    uint64_t sum = 0xCBF29CE484222325u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001B3u;
    return (uint32_t)(sum ^ (sum >> 32));
}

static void put_u32(ply_text *out, uint32_t value)
{
    unsigned char bytes[4];
    ply_put32(bytes, value);
    ply_text_bytes(out, (const char *)bytes, sizeof bytes);
}

static void put_varint(ply_text *out, uint64_t value)
{
    uint8_t bytes[PLY_VARINT_BYTES];
    ply_text_bytes(out, (const char *)bytes, ply_varint_encode(value, bytes));
}

static uint64_t zigzag(int64_t value)
{
    return value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;
}

static int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

typedef struct byte_reader {
    const uint8_t *bytes;
    size_t count, at;
    bool failed;
} byte_reader;

/* The next varint; 0 and a failed reader if there is none or it exceeds the limit. */
static uint64_t take_varint(byte_reader *r, uint64_t limit)
{
    uint64_t value = 0;
    for (int i = 0; i < PLY_VARINT_BYTES && r->at < r->count; i++) {
        uint8_t byte = r->bytes[r->at++];
        value |= (uint64_t)(byte & (VARINT_MORE - 1)) << (VARINT_BITS * i);
        if (!(byte & VARINT_MORE)) {
            r->failed |= value > limit;
            return r->failed ? 0 : value;
        }
    }
    r->failed = true;
    return 0;
}

/* --- a game ---------------------------------------------------------------------------------- */
void train_game_free(train_game *game)
{
    free(game->start);
    free(game->moves);
    free(game->scores);
    *game = (train_game){0};
}

bool train_game_add(train_game *game, uint32_t move, int32_t score)
{
    if (!ply_array_grow(&game->moves, &game->move_capacity, game->plies + 1, sizeof *game->moves) ||
        !ply_array_grow(&game->scores, &game->score_capacity, game->plies + 1,
                        sizeof *game->scores))
        return false;
    game->moves[game->plies] = move;
    game->scores[game->plies++] = score > TRAIN_MAX_SCORE    ? TRAIN_MAX_SCORE
                                  : score < -TRAIN_MAX_SCORE ? -TRAIN_MAX_SCORE
                                                             : score;
    return true;
}

bool train_game_set_start(train_game *game, const char *text, size_t length)
{
    if (!ply_array_grow(&game->start, &game->start_capacity, length + 1, 1))
        return false;
    if (length > 0)
        memcpy(game->start, text, length);
    game->start[length] = '\0';
    return true;
}

/* The score two plies before, from which a score is measured. */
static int32_t reference_score(const train_game *game, size_t ply)
{
    return ply >= game->opening + 2 ? game->scores[ply - 2] : 0;
}

void train_game_encode(const train_game *game, ply_text *out)
{
    ply_text payload = ply_text_growing();
    size_t start_length = game->start ? strlen(game->start) : 0;
    put_varint(&payload, game->number);
    put_varint(&payload, game->variant);
    put_varint(&payload, (uint64_t)game->result + 4 * (uint64_t)game->ending);
    put_varint(&payload, game->opening);
    put_varint(&payload, game->plies);
    put_varint(&payload, start_length);
    if (start_length > 0)
        ply_text_bytes(&payload, game->start, start_length);
    for (size_t i = 0; i < game->plies; i++)
        put_varint(&payload, game->moves[i]);
    for (size_t i = game->opening; i < game->plies; i++)
        put_varint(&payload, zigzag(game->scores[i] - reference_score(game, i)));
    put_u32(&payload, game->final_key);
    put_varint(out, payload.length);
    ply_text_bytes(out, ply_text_cstr(&payload), payload.length);
    put_u32(out, checksum((const uint8_t *)ply_text_cstr(&payload), payload.length));
    out->failed |= payload.failed;
    ply_text_free(&payload);
}

/* Reads moves and scores; false when memory runs out. */
static bool take_plies(byte_reader *r, train_game *game, size_t plies)
{
    game->plies = 0;
    for (size_t i = 0; i < plies && !r->failed; i++)
        if (!train_game_add(game, (uint32_t)take_varint(r, UINT32_MAX), 0))
            return false;
    for (size_t i = game->opening; i < plies && !r->failed; i++) {
        int64_t score =
            reference_score(game, i) + unzigzag(take_varint(r, 4 * (uint64_t)TRAIN_MAX_SCORE));
        r->failed |= score > TRAIN_MAX_SCORE || score < -TRAIN_MAX_SCORE;
        game->scores[i] = r->failed ? 0 : (int32_t)score;
    }
    return true;
}

ply_status train_game_decode(train_game *game, const uint8_t *bytes, size_t count, ply_error *error)
{
    byte_reader r = {bytes, count, 0, false};
    game->number = take_varint(&r, UINT64_MAX);
    game->variant = (uint32_t)take_varint(&r, TRAIN_MAX_VARIANTS - 1);
    uint64_t ending = take_varint(&r, 4 * TRAIN_ENDINGS - 1);
    game->opening = (size_t)take_varint(&r, TRAIN_MAX_RECORD);
    size_t plies = (size_t)take_varint(&r, TRAIN_MAX_RECORD);
    size_t start_length = (size_t)take_varint(&r, TRAIN_MAX_RECORD);
    game->result = (ply_result)(ending % 4);
    game->ending = (train_ending)(ending / 4);
    r.failed |= game->result == PLY_ONGOING || game->opening > plies || start_length > count - r.at;
    if (!train_game_set_start(game, (const char *)bytes + r.at, r.failed ? 0 : start_length))
        return PLY_NO_MEMORY;
    r.at += r.failed ? 0 : start_length;
    if (!take_plies(&r, game, r.failed ? 0 : plies))
        return PLY_NO_MEMORY;
    if (r.failed || count - r.at != 4)
        return ply_error_set(error, PLY_BAD_TEXT, "malformed game");
    game->final_key = ply_get32(bytes + r.at);
    return PLY_OK;
}

ply_status train_game_begin(const train_game *game, ply_state *state, ply_error *error)
{
    if (!game->start || !game->start[0])
        return ply_state_restart(state);
    return ply_state_parse(state, game->start, strlen(game->start), error);
}

ply_status train_game_move(const train_game *game, const ply_state *state, ply_move *move,
                           ply_error *error)
{
    const ply_rules *rules = state->rules;
    size_t number = state->plies < game->plies ? game->moves[state->plies] : SIZE_MAX;
    if (number >= ply_game_count_moves(rules, state->position))
        return ply_error_set(error, PLY_BAD_TEXT, "game %llu: ply %zu is not a legal move",
                             (unsigned long long)game->number, state->plies + 1);
    *move = ply_game_nth_move(rules, state->position, number);
    return PLY_OK;
}

ply_status train_game_check_end(const train_game *game, const ply_state *state, ply_error *error)
{
    const ply_rules *rules = state->rules;
    if (state->plies == game->plies &&
        (uint32_t)rules->game->hash(rules, state->position) == game->final_key)
        return PLY_OK;
    return ply_error_set(error, PLY_BAD_TEXT,
                         "game %llu leads to another position: another version played it",
                         (unsigned long long)game->number);
}

/* --- a file ---------------------------------------------------------------------------------- */
void train_game_file_encode_header(const char *header, ply_text *out)
{
    size_t length = strlen(header);
    ply_text_bytes(out, magic, sizeof magic);
    put_u32(out, (uint32_t)length);
    ply_text_bytes(out, header, length);
}

/* Copies the rest of a header line that starts with key; false if it does not or is too long. */
static bool header_value(const char *line, const char *key, char *out, size_t capacity)
{
    size_t key_length = strlen(key), length = strcspn(line, "\n");
    if (strncmp(line, key, key_length) != 0 || length - key_length >= capacity)
        return false;
    memcpy(out, line + key_length, length - key_length);
    out[length - key_length] = '\0';
    return true;
}

ply_status train_game_file_open(train_game_file *file, FILE *stream, ply_error *error)
{
    *file = (train_game_file){.stream = stream};
    uint8_t start[sizeof magic + 4];
    if (fread(start, 1, sizeof start, stream) != sizeof start ||
        memcmp(start, magic, sizeof magic) != 0)
        return ply_error_set(error, PLY_BAD_TEXT, "not a file of games");
    uint32_t length = ply_get32(start + sizeof magic);
    if (length >= TRAIN_MAX_HEADER || fread(file->header, 1, length, stream) != length ||
        memchr(file->header, '\0', length))
        return ply_error_set(error, PLY_BAD_TEXT, "the header is malformed or cut short");
    const char *line = file->header;
    while (line && *line) {
        if (file->variant_count < TRAIN_MAX_VARIANTS &&
            header_value(line, "variant ", file->variants[file->variant_count],
                         sizeof file->variants[0]))
            file->variant_count++;
        (void)header_value(line, "game ", file->game_id, sizeof file->game_id);
        line = strchr(line, '\n');
        line += line != NULL;
    }
    if (!file->game_id[0] || file->variant_count == 0)
        return ply_error_set(error, PLY_BAD_TEXT, "the header names no game or no variant");
    file->end = (long)(sizeof start + length);
    return PLY_OK;
}

void train_game_file_close(train_game_file *file)
{
    free(file->record);
    file->record = NULL;
}

static ply_status fail(const train_game_file *file, const char *message, ply_error *error)
{
    return ply_error_set(error, PLY_BAD_TEXT, "game %llu of the file: %s",
                         (unsigned long long)file->games, message);
}

ply_status train_game_file_next(train_game_file *file, train_game *game, bool *found,
                                ply_error *error)
{
    uint64_t length = 0;
    int byte, shift = 0;
    *found = false;
    while ((byte = getc(file->stream)) != EOF && shift < 32) {
        length |= (uint64_t)(byte & (VARINT_MORE - 1)) << shift;
        shift += VARINT_BITS;
        if (!(byte & VARINT_MORE))
            break;
    }
    if (byte == EOF && shift == 0)
        return ferror(file->stream) ? PLY_IO : PLY_OK;
    if (byte == EOF)
        return fail(file, "cut short", error);
    if ((byte & VARINT_MORE) || length > TRAIN_MAX_RECORD)
        return fail(file, "damaged", error);
    if (!ply_array_grow(&file->record, &file->record_capacity, (size_t)length + 4, 1))
        return PLY_NO_MEMORY;
    if (fread(file->record, 1, (size_t)length + 4, file->stream) != length + 4)
        return fail(file, "cut short", error);
    if (checksum(file->record, (size_t)length) != ply_get32(file->record + length))
        return fail(file, "damaged", error);
    ply_status status = train_game_decode(game, file->record, (size_t)length, error);
    if (status == PLY_NO_MEMORY)
        return status;
    if (status != PLY_OK || game->number != file->games || game->variant >= file->variant_count)
        return fail(file, "malformed", error);
    file->games++;
    file->end += (long)(length + 4) + shift / VARINT_BITS;
    *found = true;
    return PLY_OK;
}
