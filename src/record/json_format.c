/* SPDX-License-Identifier: MIT */
/*
 * json_format.c - the record format `json`: one JSON object per game, write-only.
 *
 *     {"game":..., "variant":..., "tags":{...}, "start":..., "result":..., "ending":...,
 *      "ending_millis":12000,
 *      "moves":[{"move":"a1a4", "comment":..., "nags":[1], "millis":900,
 *                "variations":[[...],...]}, ...]}
 */
#include "core/text/json_write.h"
#include "record/formats.h"

static ply_status write_variation(const ply_record *record, ply_state *state, uint32_t node,
                                  bool with_siblings, ply_text *out);

static ply_status write_move(const ply_record *record, ply_state *state, uint32_t n,
                             bool with_siblings, ply_text *out)
{
    const ply_record_node *node = &record->nodes[n];
    const ply_rules *rules = &record->rules;
    char text[PLY_MOVE_TEXT];
    ply_text move = ply_text_fixed(text, sizeof text);
    ply_json_open(out, '{');
    if (node->setup) {
        ply_json_member_string(out, "setup", node->setup);
    } else {
        rules->game->format_move(rules, state->position, node->move, &move);
        ply_json_member_string(out, "move", text);
    }
    if (node->comment)
        ply_json_member_string(out, "comment", node->comment);
    if (node->nag_count > 0) {
        ply_json_name(out, "nags");
        ply_json_open(out, '[');
        for (unsigned i = 0; i < node->nag_count; i++)
            ply_json_unsigned(out, node->nags[i]);
        ply_json_close(out, ']');
    }
    if (node->millis >= 0)
        ply_json_member_unsigned(out, "millis", (uint64_t)node->millis);
    ply_status status = PLY_OK;
    if (with_siblings && node->sibling) {
        ply_json_name(out, "variations");
        ply_json_open(out, '[');
        for (uint32_t v = node->sibling; v && status == PLY_OK; v = record->nodes[v].sibling)
            status = write_variation(record, state, v, false, out);
        ply_json_close(out, ']');
    }
    ply_json_close(out, '}');
    return status;
}

/* Writes the variation that begins with `node`. with_siblings: also the alternatives to `node`. */
static ply_status write_variation(const ply_record *record, ply_state *state, uint32_t node,
                                  bool with_siblings, ply_text *out)
{
    size_t plies = state->plies;
    ply_status status = PLY_OK;
    ply_json_open(out, '[');
    uint32_t n = node;
    for (; n && status == PLY_OK && !record->nodes[n].setup; n = record->nodes[n].child) {
        status = write_move(record, state, n, n != node || with_siblings, out);
        if (status == PLY_OK)
            status = ply_state_play(state, record->nodes[n].move);
    }
    /* A setup cannot be undone, so the moves after it are written from a state of their own. */
    if (n && status == PLY_OK)
        status = write_move(record, state, n, n != node || with_siblings, out);
    if (n && status == PLY_OK) {
        ply_state after;
        status = ply_record_state_at(record, n, &after, NULL);
        bool made = status == PLY_OK;
        while (status == PLY_OK && (n = record->nodes[n].child) != 0) {
            status = write_move(record, &after, n, true, out);
            if (status == PLY_OK)
                status = ply_record_enter(record, n, &after, NULL);
        }
        if (made)
            ply_state_free(&after);
    }
    ply_json_close(out, ']');
    while (state->plies > plies)
        ply_state_undo(state);
    return status;
}

static ply_status write_json(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    char variant[256];
    ply_text name = ply_text_fixed(variant, sizeof variant);
    ply_rules_format(&record->rules, &name);
    ply_text position = ply_text_growing();
    record->rules.game->format(&record->rules, state.position, &position);
    ply_json_open(out, '{');
    ply_json_member_string(out, "game", record->rules.game->id);
    ply_json_member_string(out, "variant", variant);
    ply_json_name(out, "tags");
    ply_json_open(out, '{');
    for (size_t i = 0; i < record->tag_count; i++)
        ply_json_member_string(out, record->tags[i].name, record->tags[i].value);
    ply_json_close(out, '}');
    ply_json_member_string(out, "start", ply_text_cstr(&position));
    ply_json_member_string(out, "result", ply_result_score(record->result));
    if (record->ending)
        ply_json_member_string(out, "ending", record->ending);
    if (record->ending && record->nodes[0].millis >= 0)
        ply_json_member_unsigned(out, "ending_millis", (uint64_t)record->nodes[0].millis);
    if (record->nodes[0].comment)
        ply_json_member_string(out, "comment", record->nodes[0].comment);
    ply_json_name(out, "moves");
    status = write_variation(record, &state, record->nodes[0].child, true, out);
    ply_json_close(out, '}');
    ply_text_char(out, '\n');
    if (position.failed && status == PLY_OK)
        status = PLY_NO_MEMORY;
    ply_text_free(&position);
    ply_state_free(&state);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}

const ply_format ply_format_json = {.id = "json",
                                    .name = "JSON",
                                    .extension = "json",
                                    .write = write_json,
                                    .scores = PLY_SCORES_EVAL};
