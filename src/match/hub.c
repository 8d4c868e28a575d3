/*
 * hub.c - talking to a program by Hub version 2.
 *
 *     we: hub                          it: id ..., param ..., wait
 *     we: set-param name=N value=V
 *     we: init                         it: ready
 *     we: new-game
 *     we: pos pos=BOARD moves="..."
 *     we: level move-time=S | time=S inc=S | depth=D | nodes=N
 *     we: go think                     it: info ... score=0.12 ..., done move=M
 *
 * A board is the side to move and a letter for each square, w b W B e, by number. A capture is
 * from, to and the squares taken, in any order, all parted by x. Both are made with rules that
 * differ from ours in the names of squares alone, so positions and moves are the same bits.
 */
#include "match/dialect.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 32 };

typedef struct hub_move {
    int from, to;
    uint32_t taken; /* a bit for each square */
    bool takes;
} hub_move;

static size_t option_index(const ply_rules *rules, const char *name)
{
    size_t i = 0;
    while (i < rules->game->option_count && strcmp(rules->game->options[i].name, name) != 0)
        i++;
    return i;
}

/* Our rules with squares in figures, counted from White's upper left corner where they have
 * letters. */
static bool figure_rules(const ply_rules *rules, ply_rules *out)
{
    size_t notation = option_index(rules, "notation"), starts = option_index(rules, "starts");
    if (notation == rules->game->option_count || starts == rules->game->option_count)
        return false;
    const char *name = rules->game->options[notation].names[rules->option[notation]];
    bool white = strcmp(rules->game->options[starts].names[rules->option[starts]], "white") == 0;
    ply_text text = ply_text_growing();
    ply_rules_format(rules, &text);
    const char *so_far = ply_text_cstr(&text);
    if (name[0] != 'N' && !strstr(so_far, "notation="))
        ply_text_format(&text, "%cnotation=%s", strchr(so_far, ':') ? ',' : ':',
                        white ? "N2" : "N1");
    bool good =
        !text.failed && ply_rules_make(out, rules->game, ply_text_cstr(&text), NULL) == PLY_OK;
    ply_text_free(&text);
    return good;
}

/* The board of a position: squares[0] is the side to move, squares[n] square n. */
static void read_board(const ply_rules *figures, const void *position, char board[SQUARES + 2])
{
    char text[512], colour = 'w';
    ply_text out = ply_text_fixed(text, sizeof text);
    figures->game->format(figures, position, &out); /* W:W1,K2,...:B3,... */
    memset(board, 'e', SQUARES + 1);
    board[SQUARES + 1] = '\0';
    board[0] = text[0];
    for (const char *at = text + 1; *at;) {
        if (at[0] == ':' && at[1]) {
            colour = (char)tolower((unsigned char)at[1]);
            at += 2;
        } else if (*at == 'K' || isdigit((unsigned char)*at)) {
            bool king = *at == 'K';
            char *end;
            long number = strtol(at + king, &end, 10);
            if (number >= 1 && number <= SQUARES)
                board[number] = king ? (char)toupper((unsigned char)colour) : colour;
            at = end > at + king ? end : at + 1;
        } else {
            at++;
        }
    }
}

/* What a move is in the protocol's terms. */
static bool describe(const ply_rules *figures, ply_state *state, ply_move move, hub_move *out)
{
    char name[PLY_MOVE_TEXT], before[SQUARES + 2], after[SQUARES + 2];
    ply_text text = ply_text_fixed(name, sizeof name);
    figures->game->format_move(figures, state->position, move, &text);
    *out = (hub_move){0};
    for (char *at = name; *at;) {
        char *end;
        long number = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : 0;
        if (number > 0) {
            out->from = out->from ? out->from : (int)number;
            out->to = (int)number;
            at = end;
        } else {
            at++;
        }
    }
    read_board(figures, state->position, before);
    if (ply_state_play(state, move) != PLY_OK)
        return false;
    read_board(figures, state->position, after);
    ply_state_undo(state);
    for (int n = 1; n <= SQUARES; n++)
        if (before[n] != 'e' && after[n] == 'e' && n != out->from)
            out->taken |= 1u << (n - 1);
    out->takes = out->taken != 0;
    return true;
}

static void format_move(const hub_move *move, ply_text *out)
{
    ply_text_format(out, "%d%c%d", move->from, move->takes ? 'x' : '-', move->to);
    for (int n = 1; n <= SQUARES; n++)
        if (move->taken & 1u << (n - 1))
            ply_text_format(out, "x%d", n);
}

static bool read_move(const char *text, size_t length, hub_move *move)
{
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    uint64_t number;
    *move = (hub_move){0};
    if (!ply_cursor_number(&cursor, SQUARES, &number))
        return false;
    move->from = (int)number;
    move->takes = ply_cursor_peek(&cursor) == 'x';
    if ((!ply_cursor_accept(&cursor, '-') && !ply_cursor_accept(&cursor, 'x')) ||
        !ply_cursor_number(&cursor, SQUARES, &number))
        return false;
    move->to = (int)number;
    while (move->takes && ply_cursor_accept(&cursor, 'x')) {
        if (!ply_cursor_number(&cursor, SQUARES, &number) || number == 0)
            return false;
        move->taken |= 1u << (number - 1);
    }
    return ply_cursor_done(&cursor);
}

/* --- the conversation ----------------------------------------------------------------------- */
static bool set_param(match_client *client, const char *name, const char *value,
                      match_answer *failure)
{
    return client_sendf(client, failure, "set-param name=%s value=\"%s\"", name, value);
}

/* The variant, and what differs from it. */
static bool send_rules(match_client *client, match_answer *failure)
{
    const ply_rules *rules = client->rules;
    bool good = set_param(client, "variant", rules->variant->id, failure);
    for (size_t i = 0; i < rules->game->option_count && good; i++) {
        const ply_option *option = &rules->game->options[i];
        char number[16];
        snprintf(number, sizeof number, "%d", rules->option[i]);
        if (rules->option[i] != ply_variant_option(rules->game, rules->variant, i) &&
            strcmp(option->name, "notation") != 0 && strcmp(option->name, "sign") != 0)
            good = set_param(client, option->name,
                             option->names ? option->names[rules->option[i]] : number, failure);
    }
    return good;
}

static bool greet(match_client *client, match_answer *failure)
{
    return client_send(client, "hub", failure) && client_await(client, "wait", failure) &&
           send_rules(client, failure) && client_each_setting(client, failure, set_param) &&
           client_send(client, "init", failure) && client_await(client, "ready", failure);
}

static bool new_game(match_client *client, match_answer *failure)
{
    return client_send(client, "new-game", failure);
}

/* The start of the game and all moves since. */
static bool send_position(match_client *client, const ply_rules *figures, ply_state *state,
                          match_answer *answer)
{
    ply_state line;
    char board[SQUARES + 2];
    ply_text text = ply_text_growing();
    if (ply_state_copy(&line, state) != PLY_OK)
        return false;
    while (ply_state_undo(&line))
        continue;
    read_board(figures, line.position, board);
    ply_text_format(&text, "pos pos=%s", board);
    bool good = true;
    for (size_t i = 0; i < state->plies && good; i++) {
        hub_move move;
        good = describe(figures, &line, state->moves[i], &move);
        ply_text_string(&text, i == 0 ? " moves=\"" : " ");
        format_move(&move, &text);
        good = good && ply_state_play(&line, state->moves[i]) == PLY_OK;
    }
    if (state->plies > 0)
        ply_text_char(&text, '"');
    ply_state_free(&line);
    good = good && !text.failed && client_send(client, ply_text_cstr(&text), answer);
    ply_text_free(&text);
    return good;
}

static bool send_level(match_client *client, int side, const match_turn *turn, match_answer *answer)
{
    const match_limits *l = turn->limits;
    char text[160];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_text_string(&line, "level");
    if (l->has_clock) {
        /* The program counts the increment in before its move; on our clocks it is in already. */
        uint64_t left = turn->left[side] + l->byoyomi;
        uint64_t bare = left > l->increment ? left - l->increment : 0;
        ply_text_format(&line, " time=%.3f inc=%.3f", (double)bare / 1000,
                        (double)l->increment / 1000);
    } else if (l->millis) {
        ply_text_format(&line, " move-time=%.3f", (double)l->millis / 1000);
    }
    if (l->depth)
        ply_text_format(&line, " depth=%d", l->depth);
    if (l->nodes)
        ply_text_format(&line, " nodes=%" PRIu64, l->nodes);
    return client_send(client, text, answer) && client_send(client, "go think", answer);
}

/* Scores are in men; a forced end is 100 less a hundredth for each ply. */
static void note_score(const char *line, match_answer *answer)
{
    const char *at = strstr(line, " score=");
    int64_t number;
    if (!at || (client_number_after(line, "multipv=", &number) && number != 1))
        return;
    double men = strtod(at + strlen(" score="), NULL);
    if (!(men >= -100 && men <= 100))
        return;
    int32_t score = (int32_t)(men * 100 + (men < 0 ? -0.5 : 0.5));
    if (score >= 9000)
        score += PLY_SCORE_WIN - 10000;
    else if (score <= -9000)
        score -= PLY_SCORE_WIN - 10000;
    answer->has_score = true;
    answer->score = score;
}

/* The legal move that the program means. */
static void find_move(const ply_rules *figures, ply_state *state, const char *text, size_t length,
                      match_answer *answer)
{
    hub_move wanted, is;
    size_t count = 0, found = 0;
    ply_move *moves = malloc(figures->max_moves * sizeof *moves);
    client_illegal(answer, text, length);
    if (moves && read_move(text, length, &wanted))
        count = figures->game->moves(figures, state->position, moves);
    for (size_t i = 0; i < count; i++) {
        if (!describe(figures, state, moves[i], &is) || is.from != wanted.from ||
            is.to != wanted.to || is.takes != wanted.takes)
            continue;
        /* The squares taken may be left out where they are plain. */
        if (is.taken == wanted.taken || (wanted.taken == 0 && found == 0)) {
            answer->move = moves[i];
            answer->kind = MATCH_MOVE;
        } else if (wanted.taken == 0) {
            answer->kind = MATCH_ILLEGAL;
        }
        found++;
    }
    free(moves);
}

static void converse(match_client *client, const ply_rules *figures, ply_state *state,
                     const match_turn *turn, match_answer *answer)
{
    int side = figures->game->side(figures, state->position);
    answer->kind = MATCH_CRASH; /* until something else is known */
    if (!send_position(client, figures, state, answer) || !send_level(client, side, turn, answer))
        return;
    const char *line;
    for (;;) {
        if (!client_read(client, turn->deadline, &line, answer))
            return;
        if (client_is(line, "info")) {
            note_score(line, answer);
        } else if (client_is(line, "error")) {
            answer->kind = MATCH_CRASH;
            snprintf(answer->detail, sizeof answer->detail, "said: %.100s", line);
            return;
        } else if (client_is(line, "done")) {
            break;
        }
    }
    const char *move = strstr(line, "move=");
    move = move ? move + strlen("move=") : line;
    move += *move == '"';
    find_move(figures, state, move, strcspn(move, " \t\""), answer);
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    ply_rules figures;
    ply_state copy;
    if (!figure_rules(client->rules, &figures) || ply_state_copy(&copy, state) != PLY_OK) {
        answer->kind = MATCH_CRASH;
        snprintf(answer->detail, sizeof answer->detail, "out of memory");
        return;
    }
    converse(client, &figures, &copy, turn, answer);
    ply_state_free(&copy);
}

const match_dialect match_dialect_hub = {
    .id = "hub",
    .game = "checkers",
    .greet = greet,
    .new_game = new_game,
    .think = think,
    .farewell = "quit",
};
