/* SPDX-License-Identifier: MIT */
/*
 * cli.h - what the commands share: their description, their arguments, their manners.
 *
 * Results go to stdout, progress and errors to stderr. A command ends with 0, 1 (the answer is no)
 * or 2 (bad use or bad input), and every error is one line that says what and where.
 */
#ifndef PLY_CLI_CLI_H
#define PLY_CLI_CLI_H

#include <plyverse/plyverse.h>
#include <stdio.h>

enum { CLI_OK = 0, CLI_NO = 1, CLI_BAD = 2, CLI_STOPPED = 130 };
enum { CLI_OPTION_LIMIT = 40, CLI_OPERAND_LIMIT = 4, CLI_THREAD_LIMIT = 1024 };

/* --- the description of the commands (commands.c), from which help, man page and completions come
 */
typedef struct cli_option {
    const char *name;     /* with its dashes */
    const char *argument; /* NULL for a flag */
    const char *help;
} cli_option;

typedef struct cli_args cli_args;

typedef struct cli_command {
    const char *name;
    const char *operands; /* as in the synopsis, parted by blanks; optional ones in brackets */
    const char *summary;
    const char *details;       /* paragraphs for the man page and --help; may be NULL */
    const cli_option *options; /* ends with a NULL name */
    bool takes_position;       /* also --variant, --position, --moves, --file */
    bool hidden;
    int (*run)(const cli_args *args);
} cli_command;

extern const cli_command cli_commands[]; /* ends with a NULL name */
extern const cli_option cli_position_options[], cli_common_options[];

const cli_command *cli_command_find(const char *name);
/* Option number i of a command, its own first; NULL past the end. */
const cli_option *cli_command_option(const cli_command *command, size_t i);

int cli_games(const cli_args *args);
int cli_show(const cli_args *args);
int cli_moves(const cli_args *args);
int cli_perft(const cli_args *args);
int cli_random(const cli_args *args);
int cli_best(const cli_args *args);
int cli_solve(const cli_args *args);
int cli_check_proof(const cli_args *args);
int cli_play(const cli_args *args);
int cli_engine(const cli_args *args);
int cli_match(const cli_args *args);
int cli_convert(const cli_args *args);
int cli_tables(const cli_args *args);
int cli_bench(const cli_args *args);
int cli_serve(const cli_args *args); /* only with PLY_HAVE_SERVER */
int cli_describe(const cli_args *args);

/* describe.c */
void cli_print_usage(FILE *to);
void cli_print_help(const cli_command *command, FILE *to);

/* --- arguments (args.c) --------------------------------------------------------------------- */
struct cli_args {
    const cli_command *command;
    const char *operands[CLI_OPERAND_LIMIT];
    size_t operand_count;
    const char *values[CLI_OPTION_LIMIT]; /* by option number; "" for a flag that is set */
};

/* Reads argv behind the command's name. False, with the error printed, when it does not read. */
bool cli_args_read(cli_args *args, const cli_command *command, int argc, char **argv);
bool cli_has(const cli_args *args, const char *option);
/* The value of an option, or NULL. */
const char *cli_value(const cli_args *args, const char *option);
/* A whole number given with an option; default_value where it is not given. */
bool cli_number(const cli_args *args, const char *option, uint64_t low, uint64_t high,
                uint64_t default_value, uint64_t *value);
/* A whole number given as operand. */
bool cli_operand_number(const cli_args *args, size_t operand, const char *name, uint64_t low,
                        uint64_t high, uint64_t *value);
/* The number of --threads. */
bool cli_threads(const cli_args *args, unsigned *threads);
/* The same with another default than 1, such as all cores there are. */
bool cli_threads_from(const cli_args *args, unsigned default_value, unsigned *threads);
unsigned cli_cores(void);

/* Prints "plyverse COMMAND: ..." and returns CLI_BAD. */
int cli_fail(const cli_args *args, const char *format, ...) PLY_PRINTF(2, 3);
/* The same for a library error: what was read, the place, the message. */
int cli_fail_error(const cli_args *args, const char *what, const ply_error *error);

/* --- a game at a position (position.c) ------------------------------------------------------ */
typedef struct cli_game {
    ply_rules rules;
    ply_state state;
} cli_game;

/* From operand 0 (the game) and the POSITION options. Returns CLI_OK or the exit status. */
int cli_game_open(cli_game *game, const cli_args *args);
void cli_game_close(cli_game *game);
/* The whole of a file, or of standard input for "-". False, with the error printed, on failure. */
bool cli_read_file(const cli_args *args, const char *path, ply_text *content);
/* Writes a whole file under another name first, so that a failure leaves an old one as it was.
 * Returns CLI_OK, or CLI_BAD with the error printed. */
int cli_write_file(const cli_args *args, const char *path, const ply_text *text);
/* Reads the first format that fits: the one named, the one of the file's ending, or any. */
int cli_read_records(const cli_args *args, const ply_rules *rules, const char *path,
                     const char *format_id, ply_record **records, size_t *count);
void cli_free_records(ply_record *records, size_t count);

/* Opens a file that is read at any place, fclose to be called; NULL, and errno, when it cannot. */
FILE *cli_source_open(const char *path, ply_proof_source *source);

/* Opens a JSON object with the game and the variant. */
void cli_json_open(const ply_rules *rules, ply_text *out);
/* Prints a text and frees it. */
void cli_print_text(ply_text *text);
/* The flags for drawing on stdout: colours on a terminal unless NO_COLOR is set. */
unsigned cli_draw_flags(void);

/* The moves of a line from the state on, in the game's notation, parted by blanks. */
void cli_line_text(const ply_state *state, const ply_variation *line, ply_text *out);

/*
 * The folder of tables to think with (cmd_tables.c): --tables, or the user's; "" for none. False,
 * with the error printed, if a table there is damaged; with rules NULL nobody looks.
 */
bool cli_tables_find(const cli_args *args, const ply_rules *rules, ply_text *dir);
/* The same where the option has another name. */
bool cli_tables_find_as(const cli_args *args, const char *option, const ply_rules *rules,
                        ply_text *dir);

/* --- progress (progress_line.c) --------------------------------------------------------------------- */
typedef struct cli_progress cli_progress;

/* Shows the progress's progress on stderr until stopped; ctrl-C asks the progress to stop. */
cli_progress *cli_progress_start(ply_progress *progress, const char *unit, bool quiet);
void cli_progress_stop(cli_progress *shown);

#endif
