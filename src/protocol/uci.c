/* SPDX-License-Identifier: MIT */
/* uci.c - what USI and our own protocol share; see uci.h. */
#include "protocol/uci.h"
#include <inttypes.h>
#include <stdlib.h>

enum { A_SECOND = 1000 };
#define MOST_MILLIS UINT64_C(1000000000000)

/* The words of all dialects, but for those of the players' clocks. */
static const char *const common_keys[UCI_KEYS] = {
    [UCI_BYOYOMI] = "byoyomi",
    [UCI_MOVES_TO_GO] = "movestogo",
    [UCI_MOVE_TIME] = "movetime",
    [UCI_DEPTH] = "depth",
    [UCI_NODES] = "nodes",
    [UCI_MATE] = "mate",
    [UCI_INFINITE] = "infinite",
    [UCI_PONDER] = "ponder",
    [UCI_SEARCH_MOVES] = "searchmoves",
};

static uci_key find_key(const uci_variant *dialect, protocol_word word)
{
    for (int key = 0; key < UCI_KEYS; key++) {
        const char *text = dialect->keys[key] ? dialect->keys[key] : common_keys[key];
        if (text && ply_protocol_is(word, text))
            return (uci_key)key;
    }
    return UCI_KEYS;
}

static void complain(ply_session *s, const char *what, protocol_word word)
{
    ply_text text = ply_text_growing();
    ply_text_format(&text, "info string %s '", what);
    ply_protocol_quote(&text, word.text, word.length);
    ply_text_char(&text, '\'');
    ply_protocol_say_text(s, &text);
}

/* Moves up to the next word that is a key; those that are not legal are told and left out. */
static bool read_moves(ply_session *s, const uci_variant *dialect, ply_cursor *cursor, uci_go *go)
{
    const ply_rules *rules = &s->rules;
    bool all_read = true;
    free(go->only);
    go->limits.only_count = 0;
    go->limits.only = go->only = calloc(rules->max_moves + 1, sizeof(ply_move));
    for (ply_cursor ahead = *cursor;; *cursor = ahead) {
        protocol_word word;
        ply_move move;
        if (!go->only || !ply_protocol_next(&ahead, &word) || find_key(dialect, word) != UCI_KEYS)
            break;
        ply_cursor text = ply_cursor_make(word.text, word.length, NULL);
        if (rules->game->parse_move(rules, s->state.position, &text, &move) != PLY_OK ||
            !ply_cursor_done(&text)) {
            complain(s, "not a legal move:", word);
            all_read = false;
            continue;
        }
        bool again = false;
        for (size_t i = 0; i < go->limits.only_count && !again; i++)
            again = go->only[i] == move;
        if (!again && go->limits.only_count < rules->max_moves)
            go->only[go->limits.only_count++] = move;
    }
    if (go->limits.only_count == 0)
        go->limits.only = NULL; /* none is left to choose from: all are */
    return all_read;
}

static bool store(uci_go *go, uci_key key, uint64_t value)
{
    ply_search_limits *l = &go->limits;
    switch (key) {
    case UCI_TIME_FIRST:
    case UCI_TIME_SECOND:
        l->has_clock = true;
        l->clock[key - UCI_TIME_FIRST] = value;
        break;
    case UCI_INCREMENT_FIRST:
    case UCI_INCREMENT_SECOND:
        l->has_clock = true;
        l->increment[key - UCI_INCREMENT_FIRST] = value;
        break;
    case UCI_BYOYOMI:
        l->has_clock = true;
        l->byoyomi = value;
        break;
    case UCI_MOVES_TO_GO:
        l->moves_to_go = (unsigned)(value < 10000 ? value : 10000);
        break;
    case UCI_MOVE_TIME:
        l->millis = value ? value : 1;
        break;
    case UCI_DEPTH:
        l->depth = (int)(value < 1 ? 1 : value < 1000 ? value : 1000);
        break;
    case UCI_NODES:
        l->nodes = value ? value : 1;
        break;
    case UCI_MATE:
        go->mate_number = value;
        break;
    default:
        return false;
    }
    return true;
}

void ply_uci_go_read(ply_session *s, const uci_variant *dialect, ply_cursor *cursor, uci_go *go)
{
    bool all_read = true;
    protocol_word word;
    *go = (uci_go){.limits.multipv = s->lines};
    while (ply_protocol_next(cursor, &word)) {
        uci_key key = find_key(dialect, word);
        if (key == UCI_KEYS) {
            complain(s, "not understood in go:", word);
            all_read = false;
        } else if (key == UCI_INFINITE) {
            go->is_infinite = true;
        } else if (key == UCI_PONDER) {
            go->limits.ponder = true;
        } else if (key == UCI_SEARCH_MOVES) {
            all_read &= read_moves(s, dialect, cursor, go);
        } else {
            protocol_word number = word;
            uint64_t value = 0;
            go->is_mate |= key == UCI_MATE;
            ply_cursor ahead = *cursor;
            bool there = ply_protocol_next(&ahead, &number);
            if (key == UCI_MATE && (!there || ply_protocol_is(number, "infinite"))) {
                *cursor = ahead;
            } else if (there && ply_protocol_number(number, MOST_MILLIS, &value)) {
                *cursor = ahead;
                store(go, key, value);
            } else {
                complain(s, "no number after", word);
                all_read = false;
            }
        }
    }
    ply_search_limits *l = &go->limits;
    if (go->is_infinite) {
        *l = (ply_search_limits){
            .multipv = l->multipv, .only = l->only, .only_count = l->only_count};
    } else if (!all_read && !go->is_mate && !l->millis && !l->nodes && !l->depth && !l->has_clock) {
        l->millis = A_SECOND;
    }
}

void ply_uci_go_free(uci_go *go)
{
    free(go->only);
}

/* --- positions and answers ------------------------------------------------------------------- */
/* The text up to the word moves; the cursor goes behind that word. */
static protocol_word text_before_moves(ply_cursor *cursor, bool *has_moves)
{
    protocol_word text = ply_protocol_rest(cursor), word;
    size_t length = 0;
    *has_moves = false;
    while (ply_protocol_next(cursor, &word)) {
        if (ply_protocol_is(word, "moves")) {
            *has_moves = true;
            break;
        }
        length = (size_t)(word.text + word.length - text.text);
    }
    text.length = length;
    return text;
}

/*
 * Reads START or TEXT and a position, then perhaps the word moves and moves. On failure *what names
 * the part that is bad; the state may have changed.
 */
static ply_status read_position(ply_session *s, const uci_variant *dialect, ply_cursor *cursor,
                                const char **what, ply_error *error)
{
    const char *start_word = dialect->start_word, *text_word = dialect->text_word;
    protocol_word word = {"", 0};
    bool has_moves = false;
    ply_status status;
    *what = "position";
    ply_protocol_halt(s, false);
    ply_protocol_next(cursor, &word);
    if (!ply_protocol_is(word, start_word) && !ply_protocol_is(word, text_word))
        return ply_error_set(error, PLY_BAD_TEXT, "expected %s or %s", start_word, text_word);
    protocol_word text = text_before_moves(cursor, &has_moves);
    if (ply_protocol_is(word, text_word)) {
        status = ply_state_parse(&s->state, text.text, text.length, error);
    } else if (text.length > 0) {
        status = ply_error_set(error, PLY_BAD_TEXT, "more text after %s", start_word);
    } else {
        status = ply_state_restart(&s->state);
        if (status != PLY_OK)
            ply_error_set(error, status, "%s", ply_status_text(status));
    }
    if (status == PLY_OK && has_moves) {
        protocol_word moves = ply_protocol_rest(cursor);
        *what = "moves";
        status = ply_state_play_text(&s->state, moves.text, moves.length, error);
    }
    return status;
}

void ply_uci_say_bestmove(ply_session *s, const protocol_answer *answer, const char *none_word)
{
    const ply_rules *rules = &s->rules;
    ply_state *state = &s->job.state; /* ours: we are on the thinking thread */
    ply_text text = ply_text_growing();
    ply_text_string(&text, "bestmove ");
    if (answer->best == PLY_MOVE_NONE) {
        ply_text_string(&text, none_word);
    } else {
        int side = rules->game->side(rules, state->position);
        ply_protocol_move_text(state, answer->best, &text);
        if (answer->reply != PLY_MOVE_NONE && ply_state_play(state, answer->best) == PLY_OK) {
            if (rules->game->side(rules, state->position) != side) {
                ply_text_string(&text, " ponder ");
                ply_protocol_move_text(state, answer->reply, &text);
            }
            ply_state_undo(state);
        }
    }
    ply_protocol_say_text(s, &text);
}

/* --- options --------------------------------------------------------------------------------- */
static const char *shown_name(const uci_variant *dialect, const protocol_option *option, size_t i)
{
    return i == 0 ? dialect->hash_name : i == 3 ? dialect->ponder_name : option->name;
}

void ply_uci_say_options(ply_session *s, const uci_variant *dialect)
{
    protocol_option o;
    for (size_t i = 0; ply_protocol_option_at(s, i, &o); i++) {
        ply_text text = ply_text_growing();
        ply_text_format(&text, "option name %s type ", shown_name(dialect, &o, i));
        switch (o.type) {
        case PROTO_SPIN:
            ply_text_format(&text, "spin default %" PRId64 " min %" PRId64 " max %" PRId64, o.value,
                            o.low, o.high);
            break;
        case PROTO_CHECK:
            ply_text_format(&text, "check default %s", o.value ? "true" : "false");
            break;
        case PROTO_BUTTON:
            ply_text_string(&text, "button");
            break;
        case PROTO_COMBO:
            ply_text_format(&text, "combo default %s",
                            ply_protocol_option_choice(s, &o, (size_t)o.value));
            for (size_t k = 0; k < o.name_count; k++)
                ply_text_format(&text, " var %s", ply_protocol_option_choice(s, &o, k));
            break;
        }
        ply_protocol_say_text(s, &text);
    }
}

/* Reads name N [value V]. */
static ply_status set_option(ply_session *s, const uci_variant *dialect, ply_cursor *cursor,
                             ply_error *error)
{
    protocol_word name, value = {"", 0}, word;
    if (!ply_protocol_next(cursor, &word) || !ply_protocol_is(word, "name") ||
        !ply_protocol_next(cursor, &name))
        return ply_error_set(error, PLY_BAD_TEXT, "setoption wants: name N [value V]");
    /* A name may have blanks in it. */
    while (ply_protocol_next(cursor, &word)) {
        if (ply_protocol_is(word, "value")) {
            value = ply_protocol_rest(cursor);
            break;
        }
        name.length = (size_t)(word.text + word.length - name.text);
    }
    if (ply_protocol_is_any_case(name, dialect->hash_name))
        name = (protocol_word){"Hash", 4};
    else if (ply_protocol_is_any_case(name, dialect->ponder_name))
        name = (protocol_word){"Ponder", 6};
    return ply_protocol_option_set(s, name.text, name.length, value.text, value.length, error);
}

/* --- info ------------------------------------------------------------------------------------ */
static void score_text(const uci_variant *dialect, int32_t score, ply_text *out)
{
    if (score < PLY_SCORE_FORCED && score > -PLY_SCORE_FORCED) {
        ply_text_format(out, "cp %d", (int)score);
        return;
    }
    int32_t plies = PLY_SCORE_WIN - (score < 0 ? -score : score);
    /* Monte-Carlo knows that it is won, not how soon. */
    if (plies >= PLY_SCORE_WIN - PLY_SCORE_FORCED)
        ply_text_string(out, score > 0 ? dialect->win_unknown : dialect->loss_unknown);
    else
        ply_text_format(out, "%s%d", score > 0 ? dialect->win_word : dialect->loss_word,
                        (int)plies);
}

void ply_uci_say_info(ply_session *s, const uci_variant *dialect, const ply_search_report *report)
{
    for (size_t i = 0; i < report->pv_count; i++) {
        const ply_variation *line = &report->pv[i];
        ply_text text = ply_text_growing();
        ply_text_format(&text, "info depth %d seldepth %d", report->depth, report->selective_depth);
        if (s->job.limits.multipv > 1)
            ply_text_format(&text, " multipv %zu", i + 1);
        ply_text_string(&text, " score ");
        score_text(dialect, line->score, &text);
        ply_text_format(&text, " nodes %" PRIu64 " nps %.0f hashfull %u time %.0f pv ",
                        report->nodes,
                        report->seconds > 0 ? (double)report->nodes / report->seconds : 0,
                        report->hashfull, report->seconds * 1000);
        ply_protocol_line_text(&s->job.state, line, ply_protocol_move_text, &text);
        ply_protocol_say_text(s, &text);
    }
}

/* --- commands -------------------------------------------------------------------------------- */
void ply_uci_say_error(ply_session *s, const uci_variant *dialect, const char *what,
                       const ply_error *error)
{
    if (error->line > 0)
        ply_protocol_say(s, "%s %s: column %u: %s", dialect->error_word, what, error->column,
                         error->message);
    else
        ply_protocol_say(s, "%s %s: %s", dialect->error_word, what, error->message);
}

static void set_position(ply_session *s, const uci_variant *dialect, ply_cursor *cursor)
{
    uci_own *own = s->own;
    ply_error error = {0};
    const char *what;
    own->no_position = read_position(s, dialect, cursor, &what, &error) != PLY_OK;
    if (own->no_position)
        ply_uci_say_error(s, dialect, what, &error);
}

bool ply_uci_command(ply_session *s, const uci_variant *dialect, protocol_word word,
                     ply_cursor *cursor)
{
    ply_error error = {0};
    if (ply_protocol_is(word, "isready")) {
        if (!ply_protocol_is_thinking(s))
            ply_protocol_prepare(s);
        ply_protocol_say(s, "readyok");
    } else if (ply_protocol_is(word, "setoption")) {
        if (set_option(s, dialect, cursor, &error) != PLY_OK)
            ply_uci_say_error(s, dialect, "setoption", &error);
    } else if (ply_protocol_is(word, "position")) {
        set_position(s, dialect, cursor);
    } else if (ply_protocol_is(word, "stop")) {
        ply_protocol_halt(s, false);
    } else if (ply_protocol_is(word, "ponderhit")) {
        ply_protocol_ponderhit(s);
    } else if (ply_protocol_is(word, "gameover")) {
        ply_protocol_halt(s, true);
    } else if (ply_protocol_is(word, "quit")) {
        ply_protocol_halt(s, true);
        return false;
    } else {
        ply_text unknown = ply_text_growing();
        ply_text_format(&unknown, "%s unknown command '", dialect->error_word);
        ply_protocol_quote(&unknown, word.text, word.length);
        ply_text_char(&unknown, '\'');
        ply_protocol_say_text(s, &unknown);
    }
    return true;
}
