/* SPDX-License-Identifier: MIT */
/* convert.c - records from states and texts, and back; see record.h. */
#include <plyverse/record.h>
#include <string.h>

/* States the start position if it is not the usual one. `start` has no moves. */
static ply_status copy_start(ply_record *record, const ply_state *start)
{
    ply_state usual;
    ply_status status = ply_state_init(&usual, start->rules);
    if (status != PLY_OK)
        return status;
    ply_text text = ply_text_growing(), usual_text = ply_text_growing();
    ply_state_format(start, &text);
    ply_state_format(&usual, &usual_text);
    if (text.failed || usual_text.failed)
        status = PLY_NO_MEMORY;
    else if (strcmp(ply_text_cstr(&text), ply_text_cstr(&usual_text)) != 0)
        status = ply_record_set_start(record, ply_text_cstr(&text), text.length);
    ply_text_free(&text);
    ply_text_free(&usual_text);
    ply_state_free(&usual);
    return status;
}

static ply_status fill_from_state(ply_record *record, const ply_state *state)
{
    ply_state start;
    ply_status status = ply_state_copy(&start, state);
    if (status != PLY_OK)
        return status;
    while (ply_state_undo(&start))
        continue;
    status = copy_start(record, &start);
    ply_state_free(&start);
    uint32_t node = 0;
    for (size_t i = 0; i < state->plies && status == PLY_OK; i++)
        status = ply_record_add(record, node, state->moves[i], &node);
    ply_outcome outcome = ply_state_outcome(state);
    if (status == PLY_OK && outcome.result != PLY_ONGOING)
        status = ply_record_set_ending(record, outcome.result, outcome.reason);
    return status;
}

ply_status ply_record_from_state(ply_record *record, const ply_state *state)
{
    if (!record)
        return PLY_BAD_ARGUMENT;
    *record = (ply_record){0};
    if (!state || !state->position)
        return PLY_BAD_ARGUMENT;
    ply_status status = ply_record_init(record, state->rules);
    if (status == PLY_OK)
        status = fill_from_state(record, state);
    if (status != PLY_OK)
        ply_record_free(record);
    return status;
}

/* The format to read a text in; NULL, with the reason in *error, if there is none. */
static const ply_format *format_to_read(const ply_rules *rules, const char *text, size_t length,
                                        const char *id, ply_error *error)
{
    const ply_format *format =
        id ? ply_format_find(rules->game, id) : ply_format_detect(rules, text, length);
    if (format && format->read)
        return format;
    if (!id)
        ply_error_set(error, PLY_BAD_TEXT, "not a record of %s in any format that can be read",
                      rules->game->id);
    else if (!format)
        ply_error_set(error, PLY_UNSUPPORTED, "%s has no format '%s'", rules->game->id, id);
    else
        ply_error_set(error, PLY_UNSUPPORTED, "the format %s cannot be read", id);
    return NULL;
}

ply_status ply_record_read(ply_record *record, const ply_rules *rules, const char *text,
                           size_t length, const char *format_id, ply_error *error)
{
    ply_error own = {0};
    error = error ? error : &own;
    if (!record)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the record");
    *record = (ply_record){0};
    if (!rules || !rules->game || !text)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no rules or no text");
    const ply_format *format = format_to_read(rules, text, length, format_id, error);
    if (!format)
        return error->status;
    ply_cursor cursor = ply_cursor_make(text, length, error);
    bool found = false;
    *error = (ply_error){0};
    ply_status status = ply_record_init(record, rules);
    if (status == PLY_OK)
        status = format->read(&cursor, record, &found);
    if (status == PLY_OK && !found)
        status = ply_error_set(error, PLY_BAD_TEXT, "there is no game in the text");
    if (status != PLY_OK) {
        if (error->status == PLY_OK)
            ply_error_set(error, status, "%s", ply_status_text(status));
        ply_record_free(record);
    }
    return status;
}

ply_status ply_record_write(const ply_record *record, const char *format_id, ply_text *out,
                            ply_error *error)
{
    if (!record || record->node_count == 0 || !format_id || !out)
        return ply_error_set(error, PLY_BAD_ARGUMENT,
                             "no record, no format or no text to write to");
    const ply_format *format = ply_format_find(record->rules.game, format_id);
    if (!format)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no format '%s'",
                             record->rules.game->id, format_id);
    if (!format->write)
        return ply_error_set(error, PLY_UNSUPPORTED, "the format %s cannot be written", format_id);
    if (error)
        *error = (ply_error){0};
    ply_status status = format->write(record, out, error);
    if (status != PLY_OK && error && error->status == PLY_OK)
        ply_error_set(error, status, "%s", ply_status_text(status));
    return status;
}
