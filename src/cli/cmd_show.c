/* SPDX-License-Identifier: MIT */
/* cmd_show.c - plyverse show and plyverse moves: a position and its legal moves. */
#include "cli/cli.h"
#include "core/text/json_write.h"
#include "model/variation.h"
#include <inttypes.h>
#include <plyverse/layout.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens the object with the members that both commands print. */
static void json_open(const ply_state *state, ply_text *out)
{
    const ply_rules *rules = state->rules;
    const void *position = state->position;
    char key[20];
    ply_text text = ply_text_growing();
    rules->game->format(rules, position, &text);
    snprintf(key, sizeof key, "%016" PRIx64, rules->game->hash(rules, position));
    ply_outcome outcome = ply_state_outcome(state);
    cli_json_open(rules, out);
    ply_json_member_string(out, "position", ply_text_cstr(&text));
    ply_json_member_unsigned(out, "side", (uint64_t)rules->game->side(rules, position));
    ply_json_member_unsigned(out, "plies", state->plies);
    ply_json_member_string(out, "hash", key);
    ply_json_member_string(out, "result", ply_result_name(outcome.result));
    ply_json_name(out, "reason");
    if (outcome.reason)
        ply_json_string(out, outcome.reason);
    else
        ply_json_null(out);
    ply_text_free(&text);
}

static void json_moves(const cli_game *game, const ply_move *moves, size_t count, ply_text *out)
{
    ply_json_name(out, "moves");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        game->rules.game->format_move(&game->rules, game->state.position, moves[i], &text);
        ply_json_string(out, name);
    }
    ply_json_close(out, ']');
}

static void write_outcome(const ply_state *state, ply_text *out)
{
    ply_outcome outcome = ply_state_outcome(state);
    if (outcome.result != PLY_ONGOING)
        ply_text_format(out, "result %s %s\n", ply_result_name(outcome.result), outcome.reason);
}

/* Writes one position; layout NULL: without its layout. */
static void write_json(const ply_state *state, const ply_layout *layout, const ply_layout *before,
                       ply_text *out)
{
    const ply_rules *rules = state->rules;
    json_open(state, out);
    if (rules->display->json) {
        ply_json_name(out, "board");
        ply_json_open(out, '{');
        rules->display->json(rules, state->position, out);
        ply_json_close(out, '}');
    }
    if (layout) {
        ply_json_name(out, "layout");
        ply_layout_json(layout, before, out);
    }
    ply_json_close(out, '}');
}

static void write_text(const ply_state *state, const ply_layout *layout, const ply_layout *before,
                       ply_text *out)
{
    const ply_rules *rules = state->rules;
    ply_move last = state->plies ? state->moves[state->plies - 1] : PLY_MOVE_NONE;
    ply_game_draw(rules, state->position, last, cli_draw_flags(), out);
    if (layout)
        ply_layout_text(layout, before, out);
    ply_text_string(out, "position ");
    rules->game->format(rules, state->position, out);
    ply_text_char(out, '\n');
    write_outcome(state, out);
}

/* Writes the position of a state, with its layout if that is asked for. */
static ply_status show_state(const cli_args *args, const ply_state *state, ply_text *out)
{
    ply_layout *layout = NULL, *before = NULL;
    ply_status status =
        cli_has(args, "--layout") ? ply_layout_of_state(state, &layout, &before) : PLY_OK;
    if (status == PLY_OK)
        (cli_has(args, "--json") ? write_json : write_text)(state, layout, before, out);
    ply_layout_free(layout);
    ply_layout_free(before);
    return status;
}

/* Shows the positions from the first to the last of a state, one after each move. */
static ply_status show_each(const cli_args *args, const ply_state *state, ply_text *out)
{
    const ply_rules *rules = state->rules;
    bool json = cli_has(args, "--json");
    ply_state walk;
    ply_status status = ply_state_copy(&walk, state);
    if (status != PLY_OK)
        return status;
    while (ply_state_undo(&walk))
        continue;
    if (json)
        ply_json_open(out, '[');
    status = show_state(args, &walk, out);
    while (status == PLY_OK && walk.plies < state->plies) {
        ply_move move = state->moves[walk.plies];
        if (!json) {
            ply_text_format(out, "\nply %zu ", walk.plies + 1);
            rules->game->format_move(rules, walk.position, move, out);
            ply_text_char(out, '\n');
        }
        status = ply_state_play(&walk, move);
        if (status == PLY_OK)
            status = show_state(args, &walk, out);
    }
    if (json)
        ply_json_close(out, ']');
    ply_state_free(&walk);
    return status;
}

int cli_show(const cli_args *args)
{
    cli_game game;
    bool svg = cli_has(args, "--svg");
    if (svg && (cli_has(args, "--json") || cli_has(args, "--layout") || cli_has(args, "--each")))
        return cli_fail(args, "--svg: cannot be combined with --json, --layout or --each");
    if (cli_has(args, "--flip") && !svg)
        return cli_fail(args, "--flip: needs --svg");
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    ply_text out = ply_text_growing();
    ply_status status = PLY_OK;
    if (svg)
        ply_state_svg(&game.state, cli_has(args, "--flip") ? PLY_SVG_FLIPPED : 0, &out);
    else if (cli_has(args, "--each"))
        status = show_each(args, &game.state, &out);
    else
        status = show_state(args, &game.state, &out);
    if (cli_has(args, "--json"))
        ply_text_char(&out, '\n');
    if (status == PLY_OK)
        cli_print_text(&out);
    else
        ply_text_free(&out);
    cli_game_close(&game);
    return status == PLY_OK ? CLI_OK : cli_fail(args, "%s", ply_status_text(status));
}

/* The mode that --mode names; NULL without one. False, with the error printed, if there is none. */
static bool find_mode(const cli_args *args, const ply_game *game, const ply_move_mode **mode)
{
    const char *name = cli_value(args, "--mode");
    *mode = NULL;
    for (size_t i = 0; name && i < game->move_mode_count; i++)
        if (strcmp(game->move_modes[i].id, name) == 0)
            *mode = &game->move_modes[i];
    if (!name || *mode)
        return true;
    if (game->move_mode_count == 0)
        cli_fail(args, "--mode: %s has no modes of listing moves", game->id);
    else
        cli_fail(args, "--mode: %s has no mode '%s'; see plyverse games %s", game->id, name,
                 game->id);
    return false;
}

int cli_moves(const cli_args *args)
{
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    const ply_rules *rules = &game.rules;
    const ply_move_mode *mode;
    if (!find_mode(args, rules->game, &mode)) {
        cli_game_close(&game);
        return CLI_BAD;
    }
    ply_move *moves = malloc(rules->max_moves * sizeof(ply_move));
    if (!moves) {
        cli_game_close(&game);
        return cli_fail(args, "out of memory");
    }
    size_t count = mode ? mode->moves(rules, game.state.position, moves)
                        : rules->game->moves(rules, game.state.position, moves);
    ply_text out = ply_text_growing(), notes = ply_text_growing();
    if (rules->display->notes)
        rules->display->notes(rules, game.state.position, &notes);
    if (cli_has(args, "--json")) {
        json_open(&game.state, &out);
        if (mode)
            ply_json_member_string(&out, "mode", mode->id);
        json_moves(&game, moves, count, &out);
        ply_json_member_string(&out, "notes", ply_text_cstr(&notes));
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else {
        for (size_t i = 0; i < count; i++) {
            rules->game->format_move(rules, game.state.position, moves[i], &out);
            ply_text_char(&out, '\n');
        }
        ply_text_string(&out, ply_text_cstr(&notes));
        ply_text_format(&out, "moves %zu\n", count);
    }
    cli_print_text(&out);
    ply_text_free(&notes);
    free(moves);
    cli_game_close(&game);
    return CLI_OK;
}
