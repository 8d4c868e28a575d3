/* SPDX-License-Identifier: MIT */
/* uci.c - what the protocols of the UCI family share; see uci.h. */
#include "protocol/uci.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <stdlib.h>

enum {
    FALLBACK_MILLIS = 1000, /* for a go whose limits were not understood */
    DEPTH_LIMIT = 1000,
    MOVES_TO_GO_LIMIT = 10000,
};
#define NUMBER_LIMIT UINT64_C(1000000000000)

/* --- go -------------------------------------------------------------------------------------- */
typedef enum go_key {
    GO_CLOCK_FIRST,
    GO_CLOCK_SECOND,
    GO_INCREMENT_FIRST,
    GO_INCREMENT_SECOND,
    GO_BYOYOMI,
    GO_MOVES_TO_GO,
    GO_MOVE_TIME,
    GO_DEPTH,
    GO_NODES,
    GO_MATE, /* a number, or "infinite" */
    GO_INFINITE,
    GO_PONDER,
    GO_SEARCH_MOVES,
    GO_KEYS,
} go_key;

static go_key find_key(const ply_session *s, protocol_token token)
{
    const uci_words *words = s->handler->uci->words;
    const char *const keys[GO_KEYS] = {
        [GO_CLOCK_FIRST] = words->clock[0],
        [GO_CLOCK_SECOND] = words->clock[1],
        [GO_INCREMENT_FIRST] = words->increment[0],
        [GO_INCREMENT_SECOND] = words->increment[1],
        [GO_BYOYOMI] = "byoyomi",
        [GO_MOVES_TO_GO] = "movestogo",
        [GO_MOVE_TIME] = "movetime",
        [GO_DEPTH] = "depth",
        [GO_NODES] = "nodes",
        [GO_MATE] = "mate",
        [GO_INFINITE] = "infinite",
        [GO_PONDER] = "ponder",
        [GO_SEARCH_MOVES] = "searchmoves",
    };
    int key = 0;
    while (key < GO_KEYS && !ply_token_is(token, keys[key]))
        key++;
    return (go_key)key;
}

static void send_warning(ply_session *s, const char *what, protocol_token token)
{
    ply_text text = ply_text_growing();
    ply_text_format(&text, "info string %s '", what);
    ply_protocol_quote(&text, token.text, token.length);
    ply_text_char(&text, '\'');
    ply_protocol_send_text(s, &text);
}

/* Parses moves up to the next key. Illegal ones are reported and left out; false if there are any.
 */
static bool parse_search_moves(ply_session *s, ply_cursor *cursor, uci_go *go)
{
    const ply_rules *rules = &s->rules;
    bool all_legal = true;
    free(go->only);
    go->limits.only_count = 0;
    go->limits.only = go->only = calloc(rules->max_moves + 1, sizeof(ply_move));
    for (ply_cursor ahead = *cursor;; *cursor = ahead) {
        protocol_token token;
        ply_move move;
        if (!go->only || !ply_token_next(&ahead, &token) || find_key(s, token) != GO_KEYS)
            break;
        ply_cursor text = ply_cursor_make(token.text, token.length, NULL);
        if (rules->game->parse_move(rules, s->state.position, &text, &move) != PLY_OK ||
            !ply_cursor_done(&text)) {
            send_warning(s, "not a legal move:", token);
            all_legal = false;
            continue;
        }
        bool repeated = false;
        for (size_t i = 0; i < go->limits.only_count && !repeated; i++)
            repeated = go->only[i] == move;
        if (!repeated && go->limits.only_count < rules->max_moves)
            go->only[go->limits.only_count++] = move;
    }
    if (go->limits.only_count == 0)
        go->limits.only = NULL; /* nothing to choose from: search all moves */
    return all_legal;
}

static void set_limit(uci_go *go, go_key key, uint64_t value)
{
    ply_search_limits *l = &go->limits;
    switch (key) {
    case GO_CLOCK_FIRST:
    case GO_CLOCK_SECOND:
        l->has_clock = true;
        l->clock[key - GO_CLOCK_FIRST] = value;
        break;
    case GO_INCREMENT_FIRST:
    case GO_INCREMENT_SECOND:
        l->has_clock = true;
        l->increment[key - GO_INCREMENT_FIRST] = value;
        break;
    case GO_BYOYOMI:
        l->has_clock = true;
        l->byoyomi = value;
        break;
    case GO_MOVES_TO_GO:
        l->moves_to_go = (unsigned)(value < MOVES_TO_GO_LIMIT ? value : MOVES_TO_GO_LIMIT);
        break;
    case GO_MOVE_TIME:
        l->millis = value ? value : 1;
        break;
    case GO_DEPTH:
        l->depth = (int)(value < 1 ? 1 : value < DEPTH_LIMIT ? value : DEPTH_LIMIT);
        break;
    case GO_NODES:
        l->nodes = value ? value : 1;
        break;
    case GO_MATE:
        go->mate_number = value;
        break;
    default:
        break;
    }
}

/* Parses the number that follows a key; false, with a warning, if there is none. */
static bool parse_limit(ply_session *s, ply_cursor *cursor, protocol_token name, go_key key,
                        uci_go *go)
{
    protocol_token number;
    uint64_t value = 0;
    ply_cursor ahead = *cursor;
    bool found = ply_token_next(&ahead, &number);
    go->is_mate |= key == GO_MATE;
    if (key == GO_MATE && (!found || ply_token_is(number, "infinite"))) {
        *cursor = ahead;
    } else if (found && ply_token_number(number, NUMBER_LIMIT, &value)) {
        *cursor = ahead;
        set_limit(go, key, value);
    } else {
        send_warning(s, "no number after", name);
        return false;
    }
    return true;
}

void ply_uci_go_parse(ply_session *s, ply_cursor *cursor, uci_go *go)
{
    bool understood = true;
    protocol_token token;
    *go = (uci_go){.limits.multipv = s->multipv};
    while (ply_token_next(cursor, &token)) {
        go_key key = find_key(s, token);
        if (key == GO_KEYS) {
            send_warning(s, "not understood in go:", token);
            understood = false;
        } else if (key == GO_INFINITE) {
            go->is_infinite = true;
        } else if (key == GO_PONDER) {
            go->limits.ponder = true;
        } else if (key == GO_SEARCH_MOVES) {
            understood &= parse_search_moves(s, cursor, go);
        } else {
            understood &= parse_limit(s, cursor, token, key, go);
        }
    }
    ply_search_limits *l = &go->limits;
    if (go->is_infinite)
        *l = (ply_search_limits){
            .multipv = l->multipv, .only = l->only, .only_count = l->only_count};
    else if (!understood && !go->is_mate && !l->millis && !l->nodes && !l->depth && !l->has_clock)
        l->millis = FALLBACK_MILLIS;
}

void ply_uci_go_free(uci_go *go)
{
    free(go->only);
}

/* --- position -------------------------------------------------------------------------------- */
/* The text up to the word moves; the cursor moves past that word. */
static protocol_token text_before_moves(ply_cursor *cursor, bool *has_moves)
{
    protocol_token text = ply_token_rest(cursor), token;
    size_t length = 0;
    *has_moves = false;
    while (ply_token_next(cursor, &token)) {
        if (ply_token_is(token, "moves")) {
            *has_moves = true;
            break;
        }
        length = (size_t)(token.text + token.length - text.text);
    }
    text.length = length;
    return text;
}

/*
 * Parses START or TEXT POSITION, then optionally `moves` and moves. On failure *what names the bad
 * part; the state may have changed.
 */
static ply_status parse_position(ply_session *s, ply_cursor *cursor, const char **what,
                                 ply_error *error)
{
    const uci_words *words = s->handler->uci->words;
    protocol_token kind;
    bool has_moves = false;
    ply_status status;
    *what = "position";
    ply_protocol_stop_search(s, false);
    ply_token_next(cursor, &kind);
    if (!ply_token_is(kind, words->start) && !ply_token_is(kind, words->text))
        return ply_error_set(error, PLY_BAD_TEXT, "expected %s or %s", words->start, words->text);
    protocol_token text = text_before_moves(cursor, &has_moves);
    if (ply_token_is(kind, words->text)) {
        status = ply_state_parse(&s->state, text.text, text.length, error);
    } else if (text.length > 0) {
        status = ply_error_set(error, PLY_BAD_TEXT, "more text after %s", words->start);
    } else {
        status = ply_state_restart(&s->state);
        if (status != PLY_OK)
            ply_error_set(error, status, "%s", ply_status_text(status));
    }
    if (status == PLY_OK && has_moves) {
        protocol_token moves = ply_token_rest(cursor);
        *what = "moves";
        status = ply_state_play_text(&s->state, moves.text, moves.length, error);
    }
    return status;
}

static void set_position(ply_session *s, ply_cursor *cursor)
{
    uci_data *data = s->data;
    ply_error error = {0};
    const char *what;
    data->no_position = parse_position(s, cursor, &what, &error) != PLY_OK;
    if (data->no_position)
        ply_uci_send_error(s, what, &error);
}

/* --- options --------------------------------------------------------------------------------- */
static const char *option_name(const ply_session *s, const protocol_option *option, size_t i)
{
    const uci_syntax *syntax = s->handler->uci;
    return i == PROTOCOL_OPTION_HASH     ? syntax->hash_name
           : i == PROTOCOL_OPTION_PONDER ? syntax->ponder_name
                                         : option->name;
}

static void send_options(ply_session *s)
{
    protocol_option o;
    for (size_t i = 0; ply_protocol_option_at(s, i, &o); i++) {
        ply_text text = ply_text_growing();
        ply_text_format(&text, "option name %s type ", option_name(s, &o, i));
        switch (o.type) {
        case PROTOCOL_SPIN:
            ply_text_format(&text, "spin default %" PRId64 " min %" PRId64 " max %" PRId64, o.value,
                            o.low, o.high);
            break;
        case PROTOCOL_CHECK:
            ply_text_format(&text, "check default %s", o.value ? "true" : "false");
            break;
        case PROTOCOL_STRING:
            ply_text_format(&text, "string default %s", o.text);
            break;
        case PROTOCOL_BUTTON:
            ply_text_string(&text, "button");
            break;
        case PROTOCOL_COMBO:
            ply_text_format(&text, "combo default %s",
                            ply_protocol_option_choice(s, &o, (size_t)o.value));
            for (size_t k = 0; k < o.name_count; k++)
                ply_text_format(&text, " var %s", ply_protocol_option_choice(s, &o, k));
            break;
        }
        ply_protocol_send_text(s, &text);
    }
}

/* Parses name N [value V]. */
static ply_status set_option(ply_session *s, ply_cursor *cursor, ply_error *error)
{
    const uci_syntax *syntax = s->handler->uci;
    protocol_token name, value = {"", 0}, token;
    if (!ply_token_next(cursor, &token) || !ply_token_is(token, "name") ||
        !ply_token_next(cursor, &name))
        return ply_error_set(error, PLY_BAD_TEXT, "expected name N [value V]");
    /* A name may contain spaces. */
    while (ply_token_next(cursor, &token)) {
        if (ply_token_is(token, "value")) {
            value = ply_token_rest(cursor);
            break;
        }
        name.length = (size_t)(token.text + token.length - name.text);
    }
    if (ply_token_is_nocase(name, syntax->hash_name))
        name = (protocol_token){"Hash", 4};
    else if (ply_token_is_nocase(name, syntax->ponder_name))
        name = (protocol_token){"Ponder", 6};
    return ply_protocol_option_set(s, name.text, name.length, value.text, value.length, error);
}

/* --- answers of a search --------------------------------------------------------------------- */
static void format_score(const uci_syntax *syntax, int32_t score, ply_text *out)
{
    if (score < PLY_SCORE_FORCED && score > -PLY_SCORE_FORCED) {
        ply_text_format(out, "cp %d", (int)score);
        return;
    }
    int32_t plies = PLY_SCORE_WIN - (score < 0 ? -score : score);
    /* MCTS can tell that a position is won without knowing in how many plies. */
    if (plies >= PLY_SCORE_WIN - PLY_SCORE_FORCED)
        ply_text_string(out, score > 0 ? syntax->win_unknown : syntax->loss_unknown);
    else
        ply_text_format(out, "%s%d", score > 0 ? syntax->win_word : syntax->loss_word, (int)plies);
}

void ply_uci_info(ply_session *s, const ply_search_report *report)
{
    for (size_t i = 0; i < report->pv_count; i++) {
        const ply_variation *pv = &report->pv[i];
        ply_text text = ply_text_growing();
        ply_text_format(&text, "info depth %d seldepth %d", report->depth, report->selective_depth);
        if (s->job.limits.multipv > 1)
            ply_text_format(&text, " multipv %zu", i + 1);
        ply_text_string(&text, " score ");
        format_score(s->handler->uci, pv->score, &text);
        ply_text_format(&text, " nodes %" PRIu64 " nps %.0f hashfull %u time %.0f pv ",
                        report->nodes,
                        report->seconds > 0 ? (double)report->nodes / report->seconds : 0,
                        report->hashfull, report->seconds * 1000);
        ply_variation_format(&s->job.state, pv->moves, pv->length, NULL, &text);
        ply_protocol_send_text(s, &text);
    }
}

void ply_uci_bestmove(ply_session *s, const protocol_answer *answer)
{
    const ply_rules *rules = &s->rules;
    ply_state *state = &s->job.state; /* ours: this is the search thread */
    ply_text text = ply_text_growing();
    ply_text_string(&text, "bestmove ");
    if (answer->best == PLY_MOVE_NONE) {
        ply_text_string(&text, s->handler->uci->none_word);
    } else {
        int side = rules->game->side(rules, state->position);
        ply_move_format(state, answer->best, &text);
        if (answer->reply != PLY_MOVE_NONE && ply_state_play(state, answer->best) == PLY_OK) {
            if (rules->game->side(rules, state->position) != side) {
                ply_text_string(&text, " ponder ");
                ply_move_format(state, answer->reply, &text);
            }
            ply_state_undo(state);
        }
    }
    ply_protocol_send_text(s, &text);
}

/* --- commands -------------------------------------------------------------------------------- */
void ply_uci_send_error(ply_session *s, const char *what, const ply_error *error)
{
    const char *error_word = s->handler->uci->error_word;
    if (error->line > 0)
        ply_protocol_send(s, "%s %s: column %u: %s", error_word, what, error->column,
                          error->message);
    else
        ply_protocol_send(s, "%s %s: %s", error_word, what, error->message);
}

static void send_hello(ply_session *s)
{
    const uci_syntax *syntax = s->handler->uci;
    ply_protocol_send(s, "id name Plyverse %s", ply_version());
    ply_protocol_send(s, "id author the Plyverse authors");
    if (syntax->introduce)
        syntax->introduce(s);
    send_options(s);
    ply_protocol_send(s, "%s", syntax->words->hello_done);
}

static void send_unknown(ply_session *s, protocol_token name)
{
    ply_text text = ply_text_growing();
    ply_text_format(&text, "%s unknown command '", s->handler->uci->error_word);
    ply_protocol_quote(&text, name.text, name.length);
    ply_text_char(&text, '\'');
    ply_protocol_send_text(s, &text);
}

bool ply_uci_line(ply_session *s, const char *line, size_t length)
{
    const uci_syntax *syntax = s->handler->uci;
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(line, length, NULL);
    protocol_token name;
    if (!ply_token_next(&cursor, &name))
        return true;
    if (ply_token_is(name, syntax->words->hello)) {
        send_hello(s);
    } else if (syntax->command(s, name, &cursor)) {
        return true;
    } else if (ply_token_is(name, "isready")) {
        if (!ply_protocol_is_searching(s))
            ply_protocol_make_searcher(s);
        ply_protocol_send(s, "readyok");
    } else if (ply_token_is(name, "setoption")) {
        if (set_option(s, &cursor, &error) != PLY_OK)
            ply_uci_send_error(s, "setoption", &error);
    } else if (ply_token_is(name, "position")) {
        set_position(s, &cursor);
    } else if (ply_token_is(name, "stop")) {
        ply_protocol_stop_search(s, false);
    } else if (ply_token_is(name, "ponderhit")) {
        ply_protocol_ponderhit(s);
    } else if (ply_token_is(name, "gameover")) {
        ply_protocol_stop_search(s, true);
    } else if (ply_token_is(name, "quit")) {
        ply_protocol_stop_search(s, true);
        return false;
    } else {
        send_unknown(s, name);
    }
    return true;
}
