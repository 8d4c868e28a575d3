/* SPDX-License-Identifier: MIT */
/*
 * cmd_play.c - plyverse play: a game in the terminal.
 *
 * Reads one line at a time: from a terminal, with line editing if available, or from a pipe, where
 * each line is a command and the output goes to stdout in between.
 */
#include "cli/cli.h"
#include "core/text/printable.h"
#include "model/variation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef PLY_HAVE_EDITLINE
#include <editline/readline.h>
#endif

enum { LINE_WIDTH = 76 };

typedef struct play_seat {
    bool is_human;
    ply_player_spec spec;
    ply_player *player; /* NULL for a human */
} play_seat;

typedef struct interactive_game {
    const cli_args *args;
    cli_game game;
    char *start; /* text of the position the game began from */
    play_seat seats[2];
    ply_player *adviser; /* gives hints; NULL until one is requested */
    ply_search_limits limits;
    ply_text tables;     /* tablebase folder; "": none */
    const char *network; /* the value of --net; may be NULL */
    const char *book;    /* --book, or NULL */
    int level;
    uint64_t seed, max_plies; /* max_plies 0: no limit */
    bool interactive, quiet;
    bool resigned; /* the player to move has */
    bool quits;
} interactive_game;

/* --- players --------------------------------------------------------------------------------- */
static bool seat_parse(const interactive_game *s, const char *option, const char *default_value,
                       play_seat *seat)
{
    const char *text = cli_value(s->args, option);
    ply_error error = {0};
    text = text ? text : default_value;
    seat->is_human = strcmp(text, "human") == 0;
    if (seat->is_human || ply_player_spec_parse(&seat->spec, text, &error) == PLY_OK)
        return true;
    if (error.offset == 0)
        cli_fail(s->args, "%s: no player '%s'; use human, engine, mcts, playouts, greedy or random",
                 option, text);
    else
        cli_fail_error(s->args, option, &error);
    return false;
}

static const char *tables_of(const interactive_game *s)
{
    return s->tables.length ? ply_text_cstr(&s->tables) : NULL;
}

/* Gives a player the network of --net unless it names its own; both have been or are checked. */
static bool set_network(const interactive_game *s, ply_player_spec *spec)
{
    ply_network *network;
    ply_error error = {0};
    if (!spec->network[0] && s->network)
        snprintf(spec->network, sizeof spec->network, "%s", s->network);
    if (!spec->network[0])
        return true;
    ply_status status = ply_network_load(&s->game.rules, spec->network, &network, &error);
    if (status != PLY_OK)
        cli_fail(s->args, "%s", error.message);
    ply_network_free(network);
    return status == PLY_OK;
}

/* Makes the player of a seat; a human needs none. */
static bool seat_fill(interactive_game *s, play_seat *seat)
{
    ply_player_spec spec = seat->spec;
    if (seat->is_human)
        return true;
    if (spec.level == 0)
        spec.level = s->level;
    if (spec.seed == 0)
        spec.seed = s->seed;
    spec.tablebase_dir = tables_of(s);
    if (!set_network(s, &spec))
        return false;
    if (!spec.book[0] && s->book)
        snprintf(spec.book, sizeof spec.book, "%s", s->book);
    ply_player_free(seat->player);
    seat->player = ply_player_new(&s->game.rules, &spec);
    if (!seat->player)
        cli_fail(s->args, "out of memory");
    return seat->player != NULL;
}

static int side_of(const interactive_game *s)
{
    return s->game.rules.game->side(&s->game.rules, s->game.state.position);
}

static const char *side_name(const interactive_game *s, int side)
{
    return ply_game_player_name(&s->game.rules, side);
}

/* How the game stands: by the rules, or by resignation. */
static ply_outcome outcome_of(const interactive_game *s)
{
    ply_outcome outcome = ply_state_outcome(&s->game.state);
    if (outcome.result == PLY_ONGOING && s->resigned)
        outcome = ply_outcome_win(!side_of(s), "resign");
    return outcome;
}

/* --- output ---------------------------------------------------------------------------------- */
static void show_board(const interactive_game *s)
{
    const ply_state *state = &s->game.state;
    ply_text out = ply_text_growing();
    ply_game_draw(&s->game.rules, state->position,
                  state->plies ? state->moves[state->plies - 1] : PLY_MOVE_NONE, cli_draw_flags(),
                  &out);
    cli_print_text(&out);
}

static void show_moves(const interactive_game *s)
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
        if (out.length - line + text.length > LINE_WIDTH) {
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
    puts("Type a move in the game's notation, or one of:\n"
         "  moves       list the legal moves\n"
         "  hint        show what the engine would play at full strength\n"
         "  undo        take back your last move and the reply to it\n"
         "  level L     set the level of the opponent, 1 to 10\n"
         "  board       draw the board again\n"
         "  position    print the position as text\n"
         "  save FILE   write the game record; the extension chooses the format\n"
         "  resign      give up the game\n"
         "  help        show this list\n"
         "  quit        quit");
}

/* Makes a record of the game so far. */
static ply_status make_record(const interactive_game *s, ply_record *record)
{
    ply_status status = ply_record_init(record, &s->game.rules);
    if (status == PLY_OK)
        status = ply_record_set_start(record, s->start, strlen(s->start));
    uint32_t node = 0;
    for (size_t i = 0; i < s->game.state.plies && status == PLY_OK; i++)
        status = ply_record_add(record, node, s->game.state.moves[i], &node);
    ply_outcome outcome = outcome_of(s);
    if (status == PLY_OK)
        status = ply_record_set_ending(record, outcome.result, outcome.reason);
    return status;
}

static int save(const interactive_game *s, const char *path)
{
    ply_record record;
    ply_text out = ply_text_growing();
    ply_error error = {0};
    const ply_format *format = cli_save_format(s->game.rules.game, path);
    ply_status status = make_record(s, &record);
    if (status == PLY_OK)
        status = format->write(&record, &out, &error);
    ply_record_free(&record);
    int result = CLI_OK;
    if (status != PLY_OK)
        result = cli_fail(s->args, "%s: %s", path,
                          error.message[0] ? error.message : ply_status_text(status));
    else
        result = cli_write_file(s->args, path, &out);
    if (result == CLI_OK && !s->quiet)
        printf("saved %s as %s\n", path, format->name);
    ply_text_free(&out);
    return result;
}

/* The next line without its end, on the heap; NULL at the end of input. */
static char *read_line(interactive_game *s)
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

/* Undoes one ply, and then more until a human is to move. */
static void take_back(interactive_game *s)
{
    ply_state *state = &s->game.state;
    if (s->resigned) {
        s->resigned = false; /* the resignation is taken back, not the move before it */
        show_board(s);
        return;
    }
    if (!ply_state_undo(state)) {
        puts("there is no move to take back");
        return;
    }
    while (state->plies > 0 && !s->seats[side_of(s)].is_human)
        ply_state_undo(state);
    show_board(s);
}

static void announce_move(const interactive_game *s, ply_move move)
{
    const ply_rules *rules = &s->game.rules;
    char name[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    rules->game->format_move(rules, s->game.state.position, move, &text);
    printf("%zu. %s: %s\n", s->game.state.plies + 1, side_name(s, side_of(s)), name);
}

static void make_move(interactive_game *s, ply_move move)
{
    ply_status status = ply_state_play(&s->game.state, move);
    if (status != PLY_OK) {
        cli_fail(s->args, "%s", ply_status_text(status));
        s->quits = true;
        return;
    }
    show_board(s);
}

/* Shows the score and the variation of a choice. To be called before it is played. */
static void show_search(const interactive_game *s, const ply_player_answer *answer)
{
    if (!answer->has_score || answer->nodes == 0 || s->quiet)
        return;
    ply_text out = ply_text_growing();
    ply_text_string(&out, "   score ");
    ply_score_text(answer->pv.score, &out);
    ply_text_format(&out, "  depth %d  line ", answer->depth);
    ply_variation_format(&s->game.state, answer->pv.moves, answer->pv.length, NULL, &out);
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static bool choose(interactive_game *s, ply_player *player, ply_player_answer *answer)
{
    fflush(stdout); /* show the board during the search */
    ply_status status = ply_player_choose(player, &s->game.state, &s->limits, NULL, NULL, answer);
    if (status != PLY_OK) {
        cli_fail(s->args, "%s", ply_status_text(status));
        s->quits = true;
    }
    return status == PLY_OK;
}

static void give_hint(interactive_game *s)
{
    ply_player_spec spec = {.kind = PLY_PLAYER_ALPHABETA, .tablebase_dir = tables_of(s)};
    ply_player_answer answer;
    if (s->network)
        snprintf(spec.network, sizeof spec.network, "%s", s->network);
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
    show_search(s, &answer);
}

static void print_level(const interactive_game *s)
{
    const ply_level *level = ply_player_level(&s->game.rules, s->level);
    printf(level->elo ? "level %d, about %d Elo\n" : "level %d\n", s->level, level->elo);
}

static void set_level(interactive_game *s, char *text)
{
    uint64_t level;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    if (!ply_cursor_number(&cursor, PLY_LEVEL_FULL, &level) || !ply_cursor_done(&cursor) ||
        level == 0) {
        ply_mask_controls(text, strlen(text), "");
        fprintf(stderr, "level: '%s' is not a whole number from 1 to %d\n", text, PLY_LEVEL_FULL);
        return;
    }
    s->level = (int)level;
    for (int i = 0; i < 2; i++) {
        s->seats[i].spec.level = 0;
        if (!seat_fill(s, &s->seats[i]))
            s->quits = true;
    }
    print_level(s);
}

static void computer_turn(interactive_game *s)
{
    ply_player_answer answer;
    if (!choose(s, s->seats[side_of(s)].player, &answer))
        return;
    announce_move(s, answer.pv.moves[0]);
    show_search(s, &answer);
    make_move(s, answer.pv.moves[0]);
}

static void print_position(const interactive_game *s)
{
    ply_text out = ply_text_growing();
    s->game.rules.game->format(&s->game.rules, s->game.state.position, &out);
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static void play_text(interactive_game *s, char *line)
{
    const ply_rules *rules = &s->game.rules;
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
        ply_mask_controls(line, strlen(line), "");
        fprintf(stderr, "'%s': column %u: %s; try moves or help\n", line, error.column,
                error.message);
    }
}

/* --- input ----------------------------------------------------------------------------------- */
static void run_command(interactive_game *s, char *line)
{
    if (strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0) {
        s->quits = true;
    } else if (strcmp(line, "help") == 0 || strcmp(line, "?") == 0) {
        show_help();
    } else if (strcmp(line, "moves") == 0) {
        show_moves(s);
    } else if (strcmp(line, "board") == 0) {
        show_board(s);
    } else if (strcmp(line, "undo") == 0) {
        take_back(s);
    } else if (strcmp(line, "position") == 0) {
        print_position(s);
    } else if (strncmp(line, "level ", 6) == 0) {
        set_level(s, line + 6);
    } else if (strncmp(line, "save ", 5) == 0 && line[5]) {
        save(s, line + 5);
    } else if (outcome_of(s).result != PLY_ONGOING) {
        puts("the game is over; try undo, save FILE or quit");
    } else if (strcmp(line, "resign") == 0) {
        s->resigned = true;
    } else if (strcmp(line, "hint") == 0) {
        give_hint(s);
    } else {
        play_text(s, line);
    }
}

static void human_turn(interactive_game *s)
{
    char *line = read_line(s);
    if (!line) {
        if (s->interactive)
            putchar('\n');
        s->quits = true;
        return;
    }
    char *text = line + strspn(line, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    if (length > 0)
        run_command(s, text);
    free(line);
}

static void run_game(interactive_game *s)
{
    bool announced = false; /* the end of the game */
    show_board(s);
    while (!s->quits) {
        ply_outcome outcome = outcome_of(s);
        bool over = outcome.result != PLY_ONGOING;
        bool limit_reached = s->max_plies > 0 && s->game.state.plies >= s->max_plies;
        if (over && !announced) {
            if (outcome.result == PLY_DRAW)
                printf("draw: %s\n", outcome.reason);
            else
                printf("%s wins: %s\n", side_name(s, outcome.result == PLY_SECOND_WINS),
                       outcome.reason);
        }
        announced = over;
        bool any_human = s->seats[0].is_human || s->seats[1].is_human;
        if (limit_reached || (over && !any_human))
            return;
        if (over || s->seats[side_of(s)].is_human)
            human_turn(s);
        else
            computer_turn(s);
    }
}

/* The position before the first move, as text on the heap; NULL when memory runs out. */
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

static bool read_arguments(interactive_game *s)
{
    const cli_args *args = s->args;
    uint64_t level, depth;
    if (!seat_parse(s, "--first", "human", &s->seats[0]) ||
        !seat_parse(s, "--second", "engine", &s->seats[1]) ||
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
        cli_fail(args, "--json: not available for play; see plyverse show --json");
    return !cli_has(args, "--json");
}

static void greet(const interactive_game *s)
{
    printf("%s. Type help for help.\n", s->game.rules.game->name);
    if (cli_has(s->args, "--level"))
        print_level(s);
}

int cli_play(const cli_args *args)
{
    interactive_game s = {.args = args,
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
    } else if (!cli_tables_find(args, &s.game.rules, &s.tables) ||
               !cli_network_find(args, &s.game.rules, &s.network) ||
               !cli_book_find(args, &s.game.rules, &s.book) || !seat_fill(&s, &s.seats[0]) ||
               !seat_fill(&s, &s.seats[1])) {
        result = CLI_BAD;
    } else {
        if (s.interactive)
            greet(&s);
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
