/* SPDX-License-Identifier: MIT */
/*
 * opening.c - the opening rules of gomoku and renju as guided choices.
 *
 * Nothing is kept: the acts so far come in, what may be done now goes out. The engine can act too:
 * it looks a little ahead, takes the better side, and puts stones that leave the game even.
 */
#include "core/json_write.h"
#include "games/gomoku/openings/opening_rules.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACT_TEXT = 16, EVEN = 60, CANDIDATES = 8, LOOK_NODES = 500 };

typedef struct act_list {
    char texts[64][ACT_TEXT];
    size_t count;
} act_list;

static bool do_act(gomoku_opening *opening, const char *text, ply_error *error)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    gomoku_opening_action action;
    if (gomoku_opening_parse(opening, &cursor, &action) != PLY_OK)
        return false;
    if (!ply_cursor_done(&cursor)) {
        ply_cursor_fail(&cursor, PLY_BAD_TEXT, "more text after the act");
        return false;
    }
    return gomoku_opening_do(opening, action, error) == PLY_OK;
}

static bool read_acts(json_t *body, gomoku_opening *opening, act_list *acts, response *answer)
{
    json_t *array = json_object_get(body, "acts");
    if (!json_is_array(array) || json_array_size(array) > 64)
        return response_fail(answer, 400, "bad-member", "acts",
                             "acts must be an array of at most 64");
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *text = json_string_value(json_array_get(array, i));
        ply_error error = {0};
        if (!text || strlen(text) >= ACT_TEXT)
            return response_fail(answer, 400, "bad-member", "acts", "an act is a short string");
        if (!do_act(opening, text, &error))
            return response_fail_error(answer, 422, "acts", &error);
        strcpy(acts->texts[acts->count++], text);
    }
    return true;
}

/* --- the engine's act ------------------------------------------------------------------------- */
/* A state with the stones put so far, and perhaps one more. */
static bool stones_state(const gomoku_opening *opening, int extra_cell, ply_state *state)
{
    ply_move moves[GOMOKU_OPENING_STONES];
    size_t count = gomoku_opening_moves(opening, moves);
    if (ply_state_init(state, opening->rules) != PLY_OK)
        return false;
    ply_status status = PLY_OK;
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = ply_state_play(state, moves[i]);
    if (status == PLY_OK && extra_cell >= 0)
        status = ply_state_play(state, gomoku_move(extra_cell));
    if (status != PLY_OK)
        ply_state_free(state);
    return status == PLY_OK;
}

/* How good it is for Black, after a short look; extra_cell as above. */
static int32_t black_score(const gomoku_opening *opening, int extra_cell, ply_searcher *searcher)
{
    ply_state state;
    ply_search_limits limits = {.nodes = LOOK_NODES};
    ply_search_report report = {0};
    int32_t score = 0;
    if (!stones_state(opening, extra_cell, &state))
        return 0;
    if (ply_state_outcome(&state).result == PLY_ONGOING &&
        ply_searcher_run(searcher, &state, &limits, NULL, NULL, &report) == PLY_OK)
        score = report.pv[0].score;
    if (state.rules->game->side(state.rules, state.position) != 0)
        score = -score;
    ply_state_free(&state);
    return score;
}

/* Draws some of the cells that may be acted on; fewer where there are not so many. */
static size_t draw_cells(const gomoku_opening *opening, enum gomoku_opening_act act, ply_rng *rng,
                         int *cells)
{
    int width = gomoku_width(opening->rules), height = gomoku_height(opening->rules);
    size_t seen = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            gomoku_opening_action action = {act, gomoku_cell(x, y)};
            if (!gomoku_opening_may(opening, action))
                continue;
            size_t at = seen++;
            if (at >= CANDIDATES)
                at = ply_rng_below(rng, (uint32_t)seen);
            if (at < CANDIDATES)
                cells[at] = action.value;
        }
    return seen < CANDIDATES ? seen : CANDIDATES;
}

static bool find_cell(const gomoku_opening *opening, ply_searcher *searcher, ply_rng *rng,
                      gomoku_opening_action *action)
{
    static const enum gomoku_opening_act kinds[] = {GOMOKU_ACT_PLACE, GOMOKU_ACT_OFFER,
                                                    GOMOKU_ACT_CHOOSE};
    unsigned acts = gomoku_opening_acts(opening);
    int cells[CANDIDATES];
    for (size_t k = 0; k < 3; k++) {
        if (!(acts >> kinds[k] & 1))
            continue;
        size_t count = draw_cells(opening, kinds[k], rng, cells);
        int32_t best = INT32_MAX;
        for (size_t i = 0; i < count; i++) {
            int32_t black = black_score(opening, cells[i], searcher);
            /* White chooses what is worst for Black, Black offers what is best, and a stone that
             * may change hands is put so that nobody is better. */
            int32_t cost = kinds[k] == GOMOKU_ACT_CHOOSE  ? black
                           : kinds[k] == GOMOKU_ACT_OFFER ? -black
                                                          : abs(black);
            if (cost < best) {
                best = cost;
                *action = (gomoku_opening_action){kinds[k], cells[i]};
            }
        }
        return count > 0;
    }
    return false;
}

/* What the engine does now, as a word. */
static bool choose_act(const gomoku_opening *opening, int level, char *text)
{
    ply_search_options options = {.memory_mb = 4};
    ply_searcher *searcher = ply_searcher_new(opening->rules, &options);
    ply_rng rng = ply_rng_make((uint64_t)library_now(), (uint64_t)level);
    unsigned acts = gomoku_opening_acts(opening);
    gomoku_opening_action action = {GOMOKU_ACT_STAY, 0};
    ply_text out = ply_text_fixed(text, ACT_TEXT);
    bool found = false;
    if (!searcher)
        return false;
    if (acts >> GOMOKU_ACT_SWAP & 1) {
        int32_t black = black_score(opening, -1, searcher);
        bool has_black = gomoku_opening_player(opening) == gomoku_opening_black(opening);
        int32_t mine = has_black ? black : -black;
        if (acts >> GOMOKU_ACT_MORE & 1 && abs(black) < EVEN)
            ply_text_string(&out, "more");
        else
            ply_text_string(&out, mine < 0 ? "swap" : "stay");
        found = true;
    } else if (acts >> GOMOKU_ACT_DECLARE & 1) {
        ply_text_format(&out, "%d", opening->limit < 4 ? opening->limit : 4);
        found = true;
    } else if (find_cell(opening, searcher, &rng, &action)) {
        gomoku_format_cell(action.value, &out);
        found = true;
    }
    ply_searcher_free(searcher);
    return found && ply_text_complete(&out);
}

/* --- the answer ------------------------------------------------------------------------------- */
static void write_cells(const gomoku_opening *opening, ply_text *out)
{
    static const enum gomoku_opening_act kinds[] = {GOMOKU_ACT_PLACE, GOMOKU_ACT_OFFER,
                                                    GOMOKU_ACT_CHOOSE};
    int width = gomoku_width(opening->rules), height = gomoku_height(opening->rules);
    ply_json_name(out, "cells");
    ply_json_open(out, '[');
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (size_t k = 0; k < 3; k++) {
                gomoku_opening_action action = {kinds[k], gomoku_cell(x, y)};
                char name[ACT_TEXT];
                ply_text text = ply_text_fixed(name, sizeof name);
                if (!gomoku_opening_may(opening, action))
                    continue;
                gomoku_format_cell(action.value, &text);
                ply_json_string(out, name);
            }
    ply_json_close(out, ']');
}

static void write_choice(ply_text *out, const char *act, const char *text)
{
    ply_json_open(out, '{');
    ply_json_member_string(out, "act", act);
    ply_json_member_string(out, "text", text);
    ply_json_close(out, '}');
}

static void write_choices(const gomoku_opening *opening, ply_text *out)
{
    unsigned acts = gomoku_opening_acts(opening);
    bool has_black = gomoku_opening_player(opening) == gomoku_opening_black(opening);
    ply_json_name(out, "choices");
    ply_json_open(out, '[');
    if (acts >> GOMOKU_ACT_SWAP & 1)
        write_choice(out, "swap", has_black ? "Take White" : "Take Black");
    if (acts >> GOMOKU_ACT_STAY & 1)
        write_choice(out, "stay", has_black ? "Keep Black" : "Keep White");
    if (acts >> GOMOKU_ACT_MORE & 1)
        write_choice(out, "more",
                     opening->rule == GOMOKU_OPENING_SWAP2 ? "Put two more stones"
                                                           : "Offer ten fifth stones");
    if (acts >> GOMOKU_ACT_DECLARE & 1)
        for (int i = 1; i <= opening->limit; i++) {
            char number[12], text[40];
            snprintf(number, sizeof number, "%d", i);
            snprintf(text, sizeof text, "%d fifth stone%s", i, i > 1 ? "s" : "");
            if (gomoku_opening_may(opening, (gomoku_opening_action){GOMOKU_ACT_DECLARE, i}))
                write_choice(out, number, text);
        }
    ply_json_close(out, ']');
}

static void write_cell_list(ply_text *out, const char *name, const uint16_t *cells, size_t count)
{
    ply_json_name(out, name);
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        char cell[ACT_TEXT];
        ply_text text = ply_text_fixed(cell, sizeof cell);
        gomoku_format_cell(cells[i], &text);
        ply_json_string(out, cell);
    }
    ply_json_close(out, ']');
}

static bool write_opening(const gomoku_opening *opening, const act_list *acts, ply_text *out)
{
    char name[40], variant[256], told[600];
    ply_text name_text = ply_text_fixed(name, sizeof name);
    ply_text variant_text = ply_text_fixed(variant, sizeof variant);
    ply_text told_text = ply_text_fixed(told, sizeof told);
    bool done = gomoku_opening_done(opening);
    ply_state state;
    gomoku_opening_name(opening, &name_text);
    ply_rules_format(opening->rules, &variant_text);
    gomoku_opening_describe(opening, &told_text);
    told[strcspn(told, "\n")] = '\0';
    ply_json_open(out, '{');
    ply_json_member_string(out, "rule", name);
    ply_json_member_string(out, "variant", variant);
    ply_json_name(out, "acts");
    ply_json_open(out, '[');
    for (size_t i = 0; i < acts->count; i++)
        ply_json_string(out, acts->texts[i]);
    ply_json_close(out, ']');
    ply_json_member_bool(out, "done", done);
    view_number_or_null(out, "player", !done, gomoku_opening_player(opening));
    ply_json_member_unsigned(out, "black", (uint64_t)gomoku_opening_black(opening));
    ply_json_member_unsigned(out, "colour", (uint64_t)gomoku_opening_colour(opening));
    ply_json_member_string(out, "text", told);
    write_choices(opening, out);
    write_cells(opening, out);
    write_cell_list(out, "offers", opening->offers, opening->offer_count);
    write_cell_list(out, "stones", opening->stones, opening->stone_count);
    if (!stones_state(opening, -1, &state))
        return false;
    ply_json_name(out, "view");
    bool good = view_position(&(view_source){.state = &state}, out);
    ply_state_free(&state);
    ply_json_close(out, '}');
    return good;
}

void api_opening(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)a;
    (void)ids;
    static const char *const names[] = {"variant", "game", "rule", "acts", "choose", NULL};
    const char *variant = NULL, *game = "gomoku", *rule = NULL;
    int64_t level = 0;
    ply_rules rules;
    gomoku_opening opening;
    act_list acts = {.count = 0};
    ply_error error = {0};
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    if (!body)
        return;
    if (body_string(body, "game", false, 40, &game, answer) &&
        body_string(body, "variant", false, 400, &variant, answer) &&
        body_string(body, "rule", true, 40, &rule, answer) &&
        body_number(body, "choose", false, 1, PLY_LEVEL_FULL, &level, answer) &&
        api_make_rules(game,
                       variant && variant[0]           ? variant
                       : strncmp(rule, "swap", 4) == 0 ? NULL
                                                       : "renju",
                       &rules, answer)) {
        if (strcmp(game, "gomoku") != 0) {
            response_fail(answer, 422, "unsupported", "game", "only gomoku has opening rules");
        } else if (gomoku_opening_start(&opening, &rules, rule, &error) != PLY_OK) {
            response_fail_error(answer, 422, "rule", &error);
        } else if (read_acts(body, &opening, &acts, answer)) {
            char text[ACT_TEXT];
            if (level > 0 && acts.count < 64 && !gomoku_opening_done(&opening) &&
                choose_act(&opening, (int)level, text) && do_act(&opening, text, &error))
                strcpy(acts.texts[acts.count++], text);
            if (!write_opening(&opening, &acts, response_json(answer, 200)))
                response_no_memory(answer);
        }
    }
    json_decref(body);
}
