/* SPDX-License-Identifier: MIT */
/*
 * cli.h - what the commands share: the table of commands, argument parsing, output conventions.
 *
 * Results go to stdout, progress and errors to stderr. The exit status is 0, 1 (the answer is no) or
 * 2 (bad usage or bad input). Every error is one line that says what is wrong and where.
 */
#ifndef PLY_CLI_CLI_H
#define PLY_CLI_CLI_H

#include <plyverse/plyverse.h>
#include <stdio.h>

enum { CLI_OK = 0, CLI_NO = 1, CLI_BAD = 2, CLI_STOPPED = 130 };
enum { CLI_OPTION_LIMIT = 40, CLI_OPERAND_LIMIT = 4, CLI_THREAD_LIMIT = 1024 };

/* --- the table of commands (commands.c) ------------------------------------------------------ */
typedef struct cli_option {
    const char *name;     /* with its dashes */
    const char *argument; /* NULL for a flag */
    const char *help;
} cli_option;

typedef struct cli_args cli_args;

typedef struct cli_command {
    const char *name;
    const char *operands; /* as in the synopsis, separated by spaces; optional ones in brackets */
    const char *summary;
    const char *details;              /* more for the man page and --help; may be NULL */
    const char *examples;             /* command lines, each ended by a newline */
    const cli_option *options;        /* ends with a NULL name */
    bool takes_position;              /* also accepts --variant, --position, --moves and --file */
    bool hidden;                      /* not listed by --help */
    bool cluster;                     /* works together with other ranks under mpirun */
    int (*run)(const cli_args *args); /* returns the exit status */
} cli_command;

extern const cli_command cli_commands[]; /* ends with a NULL name */
extern const cli_option cli_position_options[], cli_common_options[];

/* The command of that name, or NULL. */
const cli_command *cli_command_find(const char *name);
/* Option number i of a command, its own first; NULL past the end. */
const cli_option *cli_command_option(const cli_command *command, size_t i);
/* The current name of an option given by an older one, which is accepted but not documented; NULL
 * if there is no such name. */
const char *cli_option_renamed(const cli_command *command, const char *name, size_t length);

int cli_games(const cli_args *args);
int cli_show(const cli_args *args);
int cli_moves(const cli_args *args);
int cli_perft(const cli_args *args);
int cli_random(const cli_args *args);
int cli_best(const cli_args *args);
int cli_solve(const cli_args *args);
int cli_puzzles(const cli_args *args);
int cli_check_proof(const cli_args *args);
int cli_play(const cli_args *args);
int cli_engine(const cli_args *args);
int cli_match(const cli_args *args);
int cli_convert(const cli_args *args);
int cli_tables(const cli_args *args);
int cli_book(const cli_args *args);
int cli_bench(const cli_args *args);
int cli_serve(const cli_args *args); /* only with PLY_HAVE_SERVER */
int cli_describe(const cli_args *args);

/* describe.c */
void cli_print_usage(FILE *to);
void cli_print_help(const cli_command *command, FILE *to);
/* completions.c: scripts that complete command lines. */
void cli_print_bash(void);
void cli_print_zsh(void);

/* --- arguments (args.c) ---------------------------------------------------------------------- */
struct cli_args {
    const cli_command *command;
    const char *operands[CLI_OPERAND_LIMIT];
    size_t operand_count;
    const char *values[CLI_OPTION_LIMIT]; /* by option number; "" for a flag that is set */
};

/* Functions that return false have printed the error. */

/* Parses the arguments after the command's name. */
bool cli_args_parse(cli_args *args, const cli_command *command, int argc, char **argv);
bool cli_has(const cli_args *args, const char *option);
/* The value of an option, or NULL. */
const char *cli_value(const cli_args *args, const char *option);
/* The value of an option as a whole number from low to high; default_value if it is not given. */
bool cli_number(const cli_args *args, const char *option, uint64_t low, uint64_t high,
                uint64_t default_value, uint64_t *value);
/* An operand as a whole number from low to high; name is for the error message. */
bool cli_operand_number(const cli_args *args, size_t operand, const char *name, uint64_t low,
                        uint64_t high, uint64_t *value);
/* The value of --threads; 1 by default. */
bool cli_threads(const cli_args *args, unsigned *threads);
/* The same with another default. */
bool cli_threads_from(const cli_args *args, unsigned default_value, unsigned *threads);
/* Uses the instruction set of that name (core/isa.h); what: where the name comes from. */
bool cli_use_isa(const cli_args *args, const char *what, const char *name);
/* The number of processor cores. */
unsigned cli_cores(void);
/* The game that operand 0 names, or NULL with the error printed. */
const ply_game *cli_find_game(const cli_args *args);

/* Prints "plyverse COMMAND: ..." and returns CLI_BAD. */
int cli_fail(const cli_args *args, const char *format, ...) PLY_PRINTF(2, 3);
/* The same for an error of the library: the source of the text, the location, the message. */
int cli_fail_error(const cli_args *args, const char *what, const ply_error *error);

/* --- a game at a position (position.c) ------------------------------------------------------- */
typedef struct cli_game {
    ply_rules rules;
    ply_state state;
} cli_game;

/* Opens operand 0 (the game) at the POSITION options. Returns CLI_OK or the exit status. */
int cli_game_open(cli_game *game, const cli_args *args);
/* The same where the game is the second operand, after the name of an action. */
int cli_game_open_second(cli_game *game, const cli_args *args);
void cli_game_close(cli_game *game);
/* Whether all ranks of a cluster are ready, so that none waits for one that has given up. */
bool cli_all_ready(const cli_args *args, bool ready);
/* Whether the parts of the job are done by several processes, or in several runs (--journal). */
bool cli_is_shared(const cli_args *args);
/* Appends game, rules and position as lines, as the header of a journal. */
void cli_game_describe(const cli_game *game, ply_text *out);
/* Opens a JSON object with the game and the variant. */
void cli_json_open(const ply_rules *rules, ply_text *out);
/* The flags for drawing on stdout: colours on a terminal unless NO_COLOR is set. */
unsigned cli_draw_flags(void);

/* --- files (files.c) ------------------------------------------------------------------------- */
/* Prints a text to stdout and frees it. */
void cli_print_text(ply_text *text);
/* The same for text that others wrote, such as a game record: on a terminal, control characters are
 * masked. */
void cli_print_foreign_text(ply_text *text);
/* Reads a whole file, or standard input for "-". False, with the error printed, on failure. */
bool cli_read_file(const cli_args *args, const char *path, ply_text *content);
/* Replaces a file as a whole: a failure leaves an existing one unchanged. Returns CLI_OK, or
 * CLI_BAD with the error printed. */
int cli_write_file(const cli_args *args, const char *path, const ply_text *text);
/* Opens a file for random access; close it with fclose. NULL, with errno set, on failure. */
FILE *cli_source_open(const char *path, ply_proof_source *source);

/* --- games in files (files.c) --------------------------------------------------------------- */
/*
 * Reads all records of a file. The format is the one named, else the one of the file's extension,
 * else the first that can read it. Returns CLI_OK with *records to be freed, or CLI_BAD with the
 * error printed.
 */
int cli_read_records(const cli_args *args, const ply_rules *rules, const char *path,
                     const char *format_id, ply_record **records, size_t *count);
/* The same, but games that cannot be read are skipped and listed on standard error. Returns CLI_NO
 * if there are some, *records to be freed as well, and CLI_BAD if no game can be read. */
int cli_read_good_records(const cli_args *args, const ply_rules *rules, const char *path,
                          const char *format_id, ply_record **records, size_t *count);
/* The format in which a record is saved to a file: that of the extension, else ply. */
const ply_format *cli_save_format(const ply_game *game, const char *path);
void cli_free_records(ply_record *records, size_t count);

/*
 * Finds the tablebase folder for a search (cmd_tables.c): --tables, or the user's own; "" for none.
 * False, with the error printed, if a tablebase there is damaged. rules NULL: does not look.
 */
bool cli_tables_find(const cli_args *args, const ply_rules *rules, ply_text *dir);
/* The same for an option of another name. */
bool cli_tables_find_as(const cli_args *args, const char *option, const ply_rules *rules,
                        ply_text *dir);

/*
 * The value of --net, or NULL (files.c). False, with the error printed, if the network cannot be
 * loaded for these rules.
 */
bool cli_network_find(const cli_args *args, const ply_rules *rules, const char **name);

/*
 * The value of --book, or NULL for none (cmd_book.c). False, with the error printed, if the book
 * cannot be opened for these rules. rules NULL: does not look.
 */
bool cli_book_find(const cli_args *args, const ply_rules *rules, const char **path);

/* --- progress (progress_line.c) -------------------------------------------------------------- */
typedef struct cli_progress cli_progress;

/* Whether to show progress: on a terminal or with --progress, but not with --quiet. */
bool cli_shows_progress(const cli_args *args);
/* Shows a job's progress on stderr until stopped, if it is to be shown. Meanwhile ctrl-C asks the
 * job to stop. */
cli_progress *cli_progress_start(const cli_args *args, ply_progress *job, const char *unit);
void cli_progress_stop(cli_progress *shown);

#endif
