/* SPDX-License-Identifier: MIT */
/* view.c - see view.h. */
#include "server/api/view.h"
#include "core/text/json_write.h"
#include "server/jobs/report.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- parts ------------------------------------------------------------------------------------ */
void view_raw(ply_text *out, const char *name, const char *json)
{
    ply_json_name(out, name);
    ply_text_string(out, json);
}

void view_number_or_null(ply_text *out, const char *name, bool known, int64_t value)
{
    ply_json_name(out, name);
    if (known)
        ply_json_signed(out, value);
    else
        ply_json_null(out);
}

static void string_or_null(ply_text *out, const char *name, const char *value)
{
    ply_json_name(out, name);
    if (value)
        ply_json_string(out, value);
    else
        ply_json_null(out);
}

void view_outcome(ply_text *out, const char *name, ply_outcome outcome)
{
    ply_json_name(out, name);
    ply_json_open(out, '{');
    ply_json_member_string(out, "result", ply_result_name(outcome.result));
    string_or_null(out, "reason", outcome.reason);
    ply_json_close(out, '}');
}

/* Writes the members pretty and, where the game has several notations, notations. */
static void write_notations(const ply_state *before, ply_move move, ply_text *out)
{
    const ply_rules *rules = before->rules;
    const ply_display_hooks *display = rules->display;
    ply_move last = before->plies ? before->moves[before->plies - 1] : PLY_MOVE_NONE;
    char name[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    ply_game_display_move(rules, before->position, move, last, 0, &text);
    ply_json_member_string(out, "pretty", name);
    if (display->notation_count < 2)
        return;
    ply_json_name(out, "notations");
    ply_json_open(out, '{');
    for (size_t i = 0; i < display->notation_count; i++) {
        ply_text_clear(&text);
        ply_game_display_move(rules, before->position, move, last, i, &text);
        ply_json_member_string(out, display->notations[i].id, name);
    }
    ply_json_close(out, '}');
}

void view_move(const ply_state *before, ply_move move, ply_text *out)
{
    const ply_rules *rules = before->rules;
    char name[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    rules->game->format_move(rules, before->position, move, &text);
    ply_json_open(out, '{');
    ply_json_member_string(out, "move", name);
    write_notations(before, move, out);
    ply_json_close(out, '}');
}

void view_variation(ply_state *state, const ply_move *moves, size_t count, ply_text *out)
{
    size_t played = 0;
    ply_json_open(out, '[');
    while (played < count) {
        view_move(state, moves[played], out);
        if (ply_state_play(state, moves[played]) != PLY_OK)
            break;
        played++;
    }
    ply_json_close(out, ']');
    while (played-- > 0)
        ply_state_undo(state);
}

double view_score_bar(int32_t score)
{
    return report_chance(score);
}

void view_scored_variation(ply_state *state, const ply_variation *variation, bool scored,
                           ply_text *out)
{
    char score[32];
    ply_text text = ply_text_fixed(score, sizeof score);
    int side = state->rules->game->side(state->rules, state->position);
    int32_t first = side == 0 ? variation->score : -variation->score;
    ply_score_text(variation->score, &text);
    ply_json_member_string(out, "score", scored ? score : "");
    view_number_or_null(out, "value", scored, variation->score);
    view_number_or_null(out, "first", scored, first);
    ply_json_name(out, "bar");
    if (scored)
        ply_json_real(out, view_score_bar(first));
    else
        ply_json_null(out);
    ply_json_name(out, "line");
    view_variation(state, variation->moves, variation->length, out);
}

/* --- positions -------------------------------------------------------------------------------- */
static bool write_moves(const ply_state *state, bool over, ply_text *out)
{
    const ply_rules *rules = state->rules;
    ply_json_name(out, "moves");
    ply_json_open(out, '[');
    if (!over) {
        ply_move *moves = malloc(rules->max_moves * sizeof *moves);
        if (!moves)
            return false;
        size_t count = rules->game->moves(rules, state->position, moves);
        for (size_t i = 0; i < count; i++)
            view_move(state, moves[i], out);
        free(moves);
    }
    ply_json_close(out, ']');
    return true;
}

static void write_last(const view_source *source, ply_text *out)
{
    ply_state *state = source->state;
    const ply_rules *rules = state->rules;
    ply_json_name(out, "last");
    if (state->plies == 0 && !source->is_setup) {
        ply_json_null(out);
        return;
    }
    int side = rules->game->side(rules, state->position);
    ply_json_open(out, '{');
    if (state->plies > 0) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        ply_move move = state->moves[state->plies - 1];
        ply_state_undo(state);
        side = rules->game->side(rules, state->position);
        rules->game->format_move(rules, state->position, move, &text);
        ply_json_member_string(out, "move", name);
        write_notations(state, move, out);
        ply_state_play(state, move);
    } else {
        ply_json_member_string(out, "move", "");
        ply_json_member_string(out, "pretty", "");
    }
    ply_json_member_signed(out, "side", side);
    ply_json_member_bool(out, "setup", state->plies == 0);
    ply_json_close(out, '}');
}

/* The moves of an unfinished turn: the latest moves, all played by the player to move. */
static bool write_turn(ply_state *state, ply_text *out)
{
    const ply_rules *rules = state->rules;
    size_t count = 0, plies = state->plies;
    ply_json_name(out, "turn");
    if (!rules->game->multi_move_turns || plies == 0) {
        ply_json_open(out, '[');
        ply_json_close(out, ']');
        return true;
    }
    int side = rules->game->side(rules, state->position);
    ply_move *moves = malloc(plies * sizeof *moves);
    if (!moves)
        return false;
    memcpy(moves, state->moves, plies * sizeof *moves);
    while (count < plies) {
        ply_state_undo(state);
        if (rules->game->side(rules, state->position) != side) {
            ply_state_play(state, moves[plies - count - 1]);
            break;
        }
        count++;
    }
    view_variation(state, moves + plies - count, count, out);
    while (count > 0)
        ply_state_play(state, moves[plies - count--]);
    free(moves);
    return true;
}

static void write_head(const view_source *source, ply_text *out)
{
    const ply_state *state = source->state;
    const ply_rules *rules = state->rules;
    char variant[512], key[20];
    ply_text name = ply_text_fixed(variant, sizeof variant), text = ply_text_growing();
    ply_rules_format(rules, &name);
    rules->game->format(rules, state->position, &text);
    snprintf(key, sizeof key, "%016" PRIx64, rules->game->hash(rules, state->position));
    ply_json_member_string(out, "game", rules->game->id);
    ply_json_member_string(out, "variant", variant);
    view_number_or_null(out, "id", source->id != 0, source->id);
    view_number_or_null(out, "node", source->id != 0, source->node);
    ply_json_member_string(out, "position", ply_text_cstr(&text));
    out->failed = out->failed || text.failed;
    ply_json_member_string(out, "hash", key);
    ply_json_member_signed(out, "side", rules->game->side(rules, state->position));
    ply_json_name(out, "players");
    ply_json_open(out, '[');
    ply_json_string(out, ply_game_player_name(rules, 0));
    ply_json_string(out, ply_game_player_name(rules, 1));
    ply_json_close(out, ']');
    ply_json_member_unsigned(out, "ply", state->plies);
    ply_text_free(&text);
}

static void write_clock(const game_clock *clock, ply_text *out)
{
    ply_json_name(out, "clock");
    if (!clock->used) {
        ply_json_null(out);
        return;
    }
    ply_json_open(out, '{');
    ply_json_name(out, "left");
    ply_json_open(out, '[');
    for (int i = 0; i < 2; i++)
        ply_json_signed(out, clock->player[i].left);
    ply_json_close(out, ']');
    ply_json_name(out, "periods");
    ply_json_open(out, '[');
    for (int i = 0; i < 2; i++)
        ply_json_signed(out, clock->player[i].periods);
    ply_json_close(out, ']');
    view_number_or_null(out, "running", clock->running >= 0, clock->running);
    ply_json_member_signed(out, "elapsed", game_clock_elapsed(clock, library_now()));
    ply_json_close(out, '}');
}

/* The board of a game without data for drawing it: its board for terminals. */
static void write_drawing(const ply_state *state, ply_text *out)
{
    ply_text drawing = ply_text_growing();
    ply_state_draw(state, PLY_DRAW_ASCII, &drawing);
    ply_json_member_string(out, "drawing", ply_text_cstr(&drawing));
    out->failed = out->failed || drawing.failed;
    ply_text_free(&drawing);
}

bool view_position(const view_source *source, ply_text *out)
{
    ply_state *state = source->state;
    const ply_rules *rules = state->rules;
    ply_outcome outcome = ply_state_outcome(state);
    ply_json_open(out, '{');
    write_head(source, out);
    ply_json_name(out, "board");
    ply_json_open(out, '{');
    if (rules->display->json)
        rules->display->json(rules, state->position, out);
    else
        write_drawing(state, out);
    ply_json_close(out, '}');
    bool good = write_moves(state, outcome.result != PLY_ONGOING, out);
    view_outcome(out, "outcome", outcome);
    ply_json_name(out, "check");
    if (rules->search->in_check)
        ply_json_bool(out, rules->search->in_check(rules, state->position));
    else
        ply_json_null(out);
    ply_text notes = ply_text_growing();
    if (rules->display->notes)
        rules->display->notes(rules, state->position, &notes);
    ply_json_member_string(out, "notes", ply_text_cstr(&notes));
    good = good && !notes.failed;
    ply_text_free(&notes);
    write_last(source, out);
    good = good && write_turn(state, out);
    write_clock(&source->clock, out);
    ply_json_close(out, '}');
    return good && !out->failed;
}

/* --- saved games ------------------------------------------------------------------------------ */
/* Charges the turns up to a node; returns how much of the turn of `side` is used at the node. */
static int64_t charge_turns(const library_game *game, uint32_t node, int side, game_clock *clock)
{
    const ply_record_node *nodes = game->record.nodes;
    size_t count = 0;
    for (uint32_t n = node; n; n = nodes[n].parent)
        count++;
    uint32_t *path = malloc((count + 1) * sizeof *path);
    int64_t turn = 0;
    if (!path)
        return 0;
    for (uint32_t n = node, i = (uint32_t)count; n; n = nodes[n].parent)
        path[--i] = n;
    for (size_t i = 0; i < count; i++) {
        int mover = game->extra[path[i]].side;
        int next = i + 1 < count ? game->extra[path[i + 1]].side : side;
        turn += nodes[path[i]].millis > 0 ? nodes[path[i]].millis : 0;
        if (mover == next)
            continue;
        game_clock_charge(&clock->settings, &clock->player[mover], turn);
        if (nodes[path[i]].millis > 0)
            clock->player[mover].left += clock->settings.increment;
        turn = 0;
    }
    free(path);
    return turn;
}

game_clock view_clock(const library_game *game, uint32_t node, int side)
{
    if (!game->clock.used || (game->header.mode == LIBRARY_PLAY && node == game->header.tip))
        return game->clock;
    game_clock clock = {.used = true, .settings = game->clock.settings, .running = -1};
    clock.player[0] = clock.player[1] = game_clock_full(&clock.settings);
    int64_t turn = charge_turns(game, node, side, &clock);
    game_clock_charge(&clock.settings, &clock.player[side], turn);
    return clock;
}

bool view_game_node(const library_game *game, uint32_t node, ply_state *state, ply_text *out)
{
    const ply_rules *rules = state->rules;
    view_source source = {.state = state,
                          .id = game->id,
                          .node = node,
                          .is_setup = game->record.nodes[node].setup != NULL};
    source.clock = view_clock(game, node, rules->game->side(rules, state->position));
    return view_position(&source, out);
}

static void write_saved_notations(const library_game *game, const char *texts, ply_text *out)
{
    const ply_display_hooks *display = game->record.rules.display;
    if (display->notation_count < 2 || !texts)
        return;
    ply_json_name(out, "notations");
    ply_json_open(out, '{');
    for (size_t i = 0; i < display->notation_count; i++, texts += strlen(texts) + 1)
        ply_json_member_string(out, display->notations[i].id, texts);
    ply_json_close(out, '}');
}

void view_node(const library_game *game, uint32_t n, ply_text *out)
{
    const ply_record_node *node = &game->record.nodes[n];
    const library_node *extra = &game->extra[n];
    bool scored = extra->score != STORE_NO_SCORE;
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "n", n);
    view_number_or_null(out, "parent", n != 0, node->parent);
    string_or_null(out, "move", extra->text);
    string_or_null(out, "pretty", extra->pretty);
    write_saved_notations(game, extra->pretty, out);
    ply_json_member_signed(out, "side", extra->side);
    string_or_null(out, "setup", node->setup);
    ply_json_name(out, "children");
    ply_json_open(out, '[');
    for (uint32_t child = node->child; child; child = game->record.nodes[child].sibling)
        ply_json_unsigned(out, child);
    ply_json_close(out, ']');
    view_number_or_null(out, "millis", node->millis >= 0, node->millis);
    ply_json_member_string(out, "comment", node->comment ? node->comment : "");
    ply_json_name(out, "nags");
    ply_json_open(out, '[');
    for (uint8_t i = 0; i < node->nag_count; i++)
        ply_json_unsigned(out, node->nags[i]);
    ply_json_close(out, ']');
    view_number_or_null(out, "score", scored, extra->score);
    view_number_or_null(out, "depth", scored, extra->depth);
    ply_json_member_bool(out, "deleted", extra->deleted);
    ply_json_close(out, '}');
}

bool view_added_nodes(const library_game *game, uint32_t node, size_t first, ply_state *state,
                      ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "node", node);
    ply_json_name(out, "added");
    ply_json_open(out, '[');
    if (first < game->record.node_count)
        view_node(game, game->record.nodes[first].parent, out);
    for (size_t n = first; n < game->record.node_count; n++)
        view_node(game, (uint32_t)n, out);
    ply_json_close(out, ']');
    ply_json_name(out, "view");
    return view_game_node(game, node, state, out);
}

static void member_time(ply_text *out, const char *name, int64_t millis)
{
    time_t seconds = (time_t)(millis / 1000);
    struct tm parts;
    char text[32];
    if (gmtime_r(&seconds, &parts) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
        ply_json_member_string(out, name, text);
    else
        ply_json_member_string(out, name, "");
}

void view_summary(const store_header *header, ply_text *out)
{
    ply_outcome outcome = {header->result, header->result == PLY_ONGOING || !header->ending[0]
                                               ? NULL
                                               : header->ending};
    ply_json_name(out, "id");
    ply_json_signed(out, header->id);
    ply_json_member_string(out, "game", header->game);
    ply_json_member_string(out, "variant", header->variant);
    ply_json_member_string(out, "title", header->title);
    member_time(out, "created", header->created);
    member_time(out, "modified", header->modified);
    view_raw(out, "players", header->players);
    ply_json_member_unsigned(out, "plies", header->plies);
    ply_json_member_unsigned(out, "nodes", header->node_count);
    view_outcome(out, "outcome", outcome);
    ply_json_member_string(out, "opening", header->opening ? header->opening : "");
    ply_json_member_bool(out, "deleted", header->deleted);
}

void view_game(const library_game *game, ply_text *out)
{
    ply_json_open(out, '{');
    view_summary(&game->header, out);
    ply_json_member_string(out, "start", game->header.start);
    ply_json_member_unsigned(out, "at", game->header.at);
    ply_json_member_string(out, "mode", game->header.mode == LIBRARY_PLAY ? "play" : "analysis");
    ply_json_member_unsigned(out, "tip", (uint64_t)game->header.tip);
    view_raw(out, "clock", game->header.clock);
    view_raw(out, "tags", game->header.tags);
    ply_json_name(out, "tree");
    ply_json_open(out, '[');
    for (uint32_t n = 0; n < game->record.node_count; n++)
        view_node(game, n, out);
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}
