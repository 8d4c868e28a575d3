/* SPDX-License-Identifier: MIT */
/*
 * cmd_play.c - plyverse play: a game in the terminal.
 *
 * Reads a line at a time, from a terminal with line editing where there is some, or from a pipe,
 * where each line is a command and the boards come out in between.
 */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef PLY_HAVE_EDITLINE
#include <editline/readline.h>
#endif

typedef struct play_seat {
    bool is_human;
    ply_player_spec spec;
    ply_player *player; /* NULL for a human */
} play_seat;

typedef struct session {
    const cli_args *args;
    cli_game game;
    char *start; /* text of the position the game began from */
    play_seat seats[2];
    ply_player *adviser; /* who gives hints; NULL until asked */
    ply_search_limits limits;
    ply_text tables; /* folder of solved tables; "": none */
    int level;
    uint64_t seed, max_plies;
    bool interactive, quiet, leaving;
} session;

/* --- the players ---------------------------------------------------------------------------- */
static bool seat_read(const session *s, const char *option, const char *default_value,
                      play_seat *seat)
{
    const char *text = cli_value(s->args, option);
    ply_error error = {0};
    text = text ? text : default_value;
    seat->is_human = strcmp(text, "human") == 0;
    if (seat->is_human || ply_player_spec_parse(&seat->spec, text, &error) == PLY_OK)
        return true;
    if (error.offset == 0)
        cli_fail(s->args,
                 "%s: no player '%s'; there are human, engine, mcts, playouts, greedy and random",
                 option, text);
    else
        cli_fail_error(s->args, option, &error);
    return false;
}

static const char *tables_of(const session *s)
{
    return s->tables.length ? ply_text_cstr(&s->tables) : NULL;
}

/* Seats whoever plays in it, once the rules are known. */
static bool seat_fill(session *s, play_seat *seat)
{
    ply_player_spec spec = seat->spec;
    if (seat->is_human)
        return true;
    if (spec.level == 0)
        spec.level = s->level;
    if (spec.seed == 0)
        spec.seed = s->seed;
    spec.tablebase_dir = tables_of(s);
    ply_player_free(seat->player);
    seat->player = ply_player_new(&s->game.rules, &spec);
    if (!seat->player)
        cli_fail(s->args, "out of memory");
    return seat->player != NULL;
}

static int side_of(const session *s)
{
    return s->game.rules.game->side(&s->game.rules, s->game.state.position);
}

static const char *side_name(const session *s, int side)
{
    return ply_game_player_name(&s->game.rules, side);
}

static void show_board(const session *s)
{
    const ply_state *state = &s->game.state;
    ply_text out = ply_text_growing();
    ply_game_draw(&s->game.rules, state->position,
                  state->plies ? state->moves[state->plies - 1] : PLY_MOVE_NONE, cli_draw_flags(),
                  &out);
    cli_print_text(&out);
}

static void show_moves(const session *s)
{
    const ply_rules *rules = &s->game.rules;
    ply_move *moves = malloc(rules->max_moves * sizeof(ply_move));
    if (!moves)
        return;
    size_t count = rules->game->moves(rules, s->game.state.position, moves);
    ply_text out = ply_text_growing();
    size_t line = 0;
    for (size_t i = 0; i < count; i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        rules->game->format_move(rules, s->game.state.position, moves[i], &text);
        if (out.length - line + text.length > 76) {
            ply_text_char(&out, '\n');
            line = out.length;
        }
        ply_text_format(&out, "%s%s", out.length > line ? " " : "", name);
    }
    ply_text_char(&out, '\n');
    cli_print_text(&out);
    free(moves);
}

static void show_help(void)
{
    puts("A move as the game writes it, or one of:\n"
         "  moves       list the legal moves\n"
         "  hint        ask the engine, at full strength, what it would play\n"
         "  undo        take back your last move and the answer to it\n"
         "  level L     from now on play against level L, 1 to 10\n"
         "  board       draw the board again\n"
         "  position    print the position as text\n"
         "  save FILE   write the record of the game\n"
         "  help        this list\n"
         "  quit        leave");
}

/* The game so far as a record. */
static ply_status make_record(const session *s, ply_record *record)
{
    ply_status status = ply_record_init(record, &s->game.rules);
    if (status == PLY_OK)
        status = ply_record_set_start(record, s->start, strlen(s->start));
    uint32_t node = 0;
    for (size_t i = 0; i < s->game.state.plies && status == PLY_OK; i++)
        status = ply_record_add(record, node, s->game.state.moves[i], &node);
    ply_outcome outcome = ply_state_outcome(&s->game.state);
    if (status == PLY_OK)
        status = ply_record_set_ending(record, outcome.result, outcome.reason);
    return status;
}

static int save(const session *s, const char *path)
{
    ply_record record;
    ply_text out = ply_text_growing();
    ply_error error = {0};
    ply_status status = make_record(s, &record);
    if (status == PLY_OK)
        status = ply_format_find(s->game.rules.game, "ply")->write(&record, &out, &error);
    ply_record_free(&record);
    int result = CLI_OK;
    if (status != PLY_OK) {
        result = cli_fail(s->args, "%s: %s", path, ply_status_text(status));
    } else {
        result = cli_write_file(s->args, path, &out);
    }
    ply_text_free(&out);
    return result;
}

/* The next line without its end, on the heap; NULL at the end of input. */
static char *read_line(session *s)
{
    char prompt[80];
    snprintf(prompt, sizeof prompt, "%s> ", side_name(s, side_of(s)));
#ifdef PLY_HAVE_EDITLINE
    if (s->interactive) {
        char *line = readline(prompt);
        if (line && line[0])
            add_history(line);
        return line;
    }
#endif
    if (s->interactive) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    char *line = NULL;
    size_t room = 0;
    ssize_t length = getline(&line, &room, stdin);
    if (length < 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* Back to the human's last turn, or one ply where both or neither are human. */
static void take_back(session *s)
{
    ply_state *state = &s->game.state;
    if (!ply_state_undo(state)) {
        puts("nothing to take back");
        return;
    }
    while (state->plies > 0 && !s->seats[side_of(s)].is_human)
        ply_state_undo(state);
    show_board(s);
}

static void announce_move(const session *s, ply_move move)
{
    const ply_rules *rules = &s->game.rules;
    char name[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    rules->game->format_move(rules, s->game.state.position, move, &text);
    printf("%zu. %s: %s\n", s->game.state.plies + 1, side_name(s, side_of(s)), name);
}

static void make_move(session *s, ply_move move)
{
    ply_status status = ply_state_play(&s->game.state, move);
    if (status != PLY_OK) {
        cli_fail(s->args, "%s", ply_status_text(status));
        s->leaving = true;
        return;
    }
    show_board(s);
}

/* The score and the line behind a choice, from the state before it. */
static void show_thought(const session *s, const ply_player_answer *answer)
{
    if (!answer->has_score || answer->nodes == 0 || s->quiet)
        return;
    ply_text out = ply_text_growing();
    ply_text_string(&out, "   score ");
    ply_score_text(answer->pv.score, &out);
    ply_text_format(&out, "  depth %d  line ", answer->depth);
    cli_line_text(&s->game.state, &answer->pv, &out);
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static bool choose(session *s, ply_player *player, ply_player_answer *answer)
{
    fflush(stdout); /* the board is seen while the engine thinks */
    ply_status status = ply_player_choose(player, &s->game.state, &s->limits, NULL, NULL, answer);
    if (status != PLY_OK) {
        cli_fail(s->args, "%s", ply_status_text(status));
        s->leaving = true;
    }
    return status == PLY_OK;
}

static void give_hint(session *s)
{
    ply_player_spec spec = {.kind = PLY_PLAYER_ALPHABETA, .tablebase_dir = tables_of(s)};
    ply_player_answer answer;
    if (!s->adviser)
        s->adviser = ply_player_new(&s->game.rules, &spec);
    if (!s->adviser) {
        cli_fail(s->args, "out of memory");
        return;
    }
    if (!choose(s, s->adviser, &answer))
        return;
    char name[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    s->game.rules.game->format_move(&s->game.rules, s->game.state.position, answer.pv.moves[0],
                                    &text);
    printf("hint: %s\n", name);
    show_thought(s, &answer);
}

static void set_level(session *s, const char *text)
{
    uint64_t level;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    if (!ply_cursor_number(&cursor, PLY_LEVEL_FULL, &level) || !ply_cursor_done(&cursor) ||
        level == 0) {
        fprintf(stderr, "level '%s': a whole number from 1 to %d\n", text, PLY_LEVEL_FULL);
        return;
    }
    s->level = (int)level;
    for (int i = 0; i < 2; i++) {
        s->seats[i].spec.level = 0;
        if (!seat_fill(s, &s->seats[i]))
            s->leaving = true;
    }
    printf("level %d\n", s->level);
}

static void computer_turn(session *s)
{
    ply_player_answer answer;
    if (!choose(s, s->seats[side_of(s)].player, &answer))
        return;
    announce_move(s, answer.pv.moves[0]);
    show_thought(s, &answer);
    make_move(s, answer.pv.moves[0]);
}

static void obey(session *s, const char *line)
{
    const ply_rules *rules = &s->game.rules;
    if (strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0) {
        s->leaving = true;
    } else if (strcmp(line, "help") == 0 || strcmp(line, "?") == 0) {
        show_help();
    } else if (strcmp(line, "moves") == 0) {
        show_moves(s);
    } else if (strcmp(line, "board") == 0) {
        show_board(s);
    } else if (strcmp(line, "undo") == 0) {
        take_back(s);
    } else if (strcmp(line, "position") == 0) {
        ply_text out = ply_text_growing();
        rules->game->format(rules, s->game.state.position, &out);
        ply_text_char(&out, '\n');
        cli_print_text(&out);
    } else if (strncmp(line, "level ", 6) == 0) {
        set_level(s, line + 6);
    } else if (strncmp(line, "save ", 5) == 0 && line[5]) {
        save(s, line + 5);
    } else if (ply_state_outcome(&s->game.state).result != PLY_ONGOING) {
        puts("the game is over; undo, save FILE or quit");
    } else if (strcmp(line, "hint") == 0) {
        give_hint(s);
    } else {
        ply_error error = {0};
        ply_cursor cursor = ply_cursor_make(line, strlen(line), &error);
        ply_move move;
        ply_status status = rules->game->parse_move(rules, s->game.state.position, &cursor, &move);
        if (status == PLY_OK) {
            ply_cursor_skip_space(&cursor);
            if (!ply_cursor_done(&cursor))
                status = ply_cursor_fail(&cursor, PLY_BAD_TEXT, "more text after the move");
        }
        if (status == PLY_OK) {
            announce_move(s, move);
            make_move(s, move);
        } else {
            fprintf(stderr, "'%s': column %u: %s; try moves or help\n", line, error.column,
                    error.message);
        }
    }
}

static void human_turn(session *s)
{
    char *line = read_line(s);
    if (!line) {
        if (s->interactive)
            putchar('\n');
        s->leaving = true;
        return;
    }
    char *text = line + strspn(line, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    if (length > 0)
        obey(s, text);
    free(line);
}

static void run_game(session *s)
{
    bool told = false;
    show_board(s);
    while (!s->leaving) {
        ply_outcome outcome = ply_state_outcome(&s->game.state);
        bool capped = s->max_plies > 0 && s->game.state.plies >= s->max_plies;
        if (outcome.result != PLY_ONGOING && !told) {
            if (outcome.result == PLY_DRAW)
                printf("draw: %s\n", outcome.reason);
            else
                printf("%s wins: %s\n", side_name(s, outcome.result == PLY_SECOND_WINS),
                       outcome.reason);
        }
        told = outcome.result != PLY_ONGOING;
        bool somebody = s->seats[0].is_human || s->seats[1].is_human;
        if (capped || (told && !somebody))
            return;
        if (told || s->seats[side_of(s)].is_human)
            human_turn(s);
        else
            computer_turn(s);
    }
}

/* The position before any of the moves, as text on the heap; NULL when memory runs out. */
static char *start_text(const ply_state *state)
{
    ply_state copy;
    if (ply_state_copy(&copy, state) != PLY_OK)
        return NULL;
    while (ply_state_undo(&copy))
        continue;
    ply_text text = ply_text_growing();
    copy.rules->game->format(copy.rules, copy.position, &text);
    ply_state_free(&copy);
    return text.data;
}

static bool read_arguments(session *s)
{
    const cli_args *args = s->args;
    uint64_t level, depth;
    if (!seat_read(s, "--first", "human", &s->seats[0]) ||
        !seat_read(s, "--second", "engine", &s->seats[1]) ||
        !cli_number(args, "--seed", 0, UINT64_MAX, 1, &s->seed) ||
        !cli_number(args, "--level", 1, PLY_LEVEL_FULL, PLY_LEVEL_FULL, &level) ||
        !cli_number(args, "--time", 1, 1u << 30, 0, &s->limits.millis) ||
        !cli_number(args, "--depth", 1, 100, 0, &depth) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, 0, &s->limits.nodes) ||
        !cli_number(args, "--max-plies", 1, UINT32_MAX, 0, &s->max_plies))
        return false;
    s->level = (int)level;
    s->limits.depth = (int)depth;
    if (cli_has(args, "--json"))
        cli_fail(args, "--json: play is for people; see plyverse show --json");
    return !cli_has(args, "--json");
}

int cli_play(const cli_args *args)
{
    session s = {.args = args,
                 .interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
                 .quiet = cli_has(args, "--quiet")};
    if (!read_arguments(&s))
        return CLI_BAD;
    int result = cli_game_open(&s.game, args);
    if (result != CLI_OK)
        return result;
    s.start = start_text(&s.game.state);
    s.tables = ply_text_growing();
    if (!s.start) {
        result = cli_fail(args, "out of memory");
    } else if (!cli_tables_find(args, &s.game.rules, &s.tables) || !seat_fill(&s, &s.seats[0]) ||
               !seat_fill(&s, &s.seats[1])) {
        result = CLI_BAD;
    } else {
        if (s.interactive)
            printf("%s. Type help for help.\n", s.game.rules.game->name);
        run_game(&s);
        const char *path = cli_value(args, "--save");
        if (path)
            result = save(&s, path);
    }
    ply_player_free(s.seats[0].player);
    ply_player_free(s.seats[1].player);
    ply_player_free(s.adviser);
    free(s.start);
    ply_text_free(&s.tables);
    cli_game_close(&s.game);
    return result;
}
