/* SPDX-License-Identifier: MIT */
/* args.c - parsing arguments according to the table of commands. */
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "core/text/printable.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CLI_MESSAGE_BYTES = 8192 };

int cli_fail(const cli_args *args, const char *format, ...)
{
    char message[CLI_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ply_mask_controls(message, strlen(message), "");
    if (cluster_rank() == 0) /* the others fail for the same reason */
        fprintf(stderr, "plyverse %s: %s\n", args->command->name, message);
    return CLI_BAD;
}

int cli_fail_error(const cli_args *args, const char *what, const ply_error *error)
{
    if (error->line == 0)
        return cli_fail(args, "%s: %s", what, error->message);
    return cli_fail(args, "%s: line %u, column %u: %s", what, error->line, error->column,
                    error->message);
}

/* The number of the option that `text` names, up to its end or to '='; -1 if there is none. */
static int option_number(const cli_command *command, const char *text)
{
    size_t length = strcspn(text, "=");
    const char *renamed = cli_option_renamed(command, text, length);
    const cli_option *option;
    if (renamed) {
        text = renamed;
        length = strlen(renamed);
    }
    for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
        if (strlen(option->name) == length && memcmp(option->name, text, length) == 0)
            return (int)i;
    return -1;
}

/* The least and the largest number of operands that a synopsis such as "GAME [FILE]" allows. */
static void operand_bounds(const cli_command *command, size_t *least, size_t *most)
{
    *least = *most = 0;
    for (const char *word = command->operands; *word; word += strspn(word, " ")) {
        (*most)++;
        *least += word[0] != '[';
        word += strcspn(word, " ");
    }
}

static bool parse_option(cli_args *args, int argc, char **argv, int *i)
{
    const char *text = argv[*i];
    int number = option_number(args->command, text);
    if (number < 0) {
        cli_fail(args, "unknown option '%s'; see plyverse %s --help", text, args->command->name);
        return false;
    }
    const cli_option *option = cli_command_option(args->command, (size_t)number);
    const char *value = strchr(text, '=');
    if (args->values[number]) {
        cli_fail(args, "%s is given twice", option->name);
        return false;
    }
    if (!option->argument) {
        if (value) {
            cli_fail(args, "%s takes no value", option->name);
            return false;
        }
        args->values[number] = "";
        return true;
    }
    if (value) {
        args->values[number] = value + 1;
        return true;
    }
    if (*i + 1 >= argc) {
        cli_fail(args, "%s needs a value: %s", option->name, option->argument);
        return false;
    }
    args->values[number] = argv[++*i];
    return true;
}

bool cli_args_parse(cli_args *args, const cli_command *command, int argc, char **argv)
{
    *args = (cli_args){.command = command};
    size_t least, most;
    operand_bounds(command, &least, &most);
    bool options_end = false;
    for (int i = 0; i < argc; i++) {
        if (!options_end && strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!parse_option(args, argc, argv, &i))
                return false;
        } else if (args->operand_count == most) {
            cli_fail(args, "unexpected argument '%s'; see plyverse %s --help", argv[i],
                     command->name);
            return false;
        } else {
            args->operands[args->operand_count++] = argv[i];
        }
    }
    if (args->operand_count < least && !cli_has(args, "--help")) {
        cli_fail(args, "missing argument; usage: plyverse %s %s", command->name, command->operands);
        return false;
    }
    return true;
}

const char *cli_value(const cli_args *args, const char *option)
{
    int number = option_number(args->command, option);
    return number < 0 ? NULL : args->values[number];
}

bool cli_has(const cli_args *args, const char *option)
{
    return cli_value(args, option) != NULL;
}

static bool parse_number(const cli_args *args, const char *name, const char *text, uint64_t low,
                         uint64_t high, uint64_t *value)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    if (ply_cursor_number(&cursor, high, value) && ply_cursor_done(&cursor) && *value >= low)
        return true;
    cli_fail(args, "%s: '%s' is not a whole number from %llu to %llu", name, text,
             (unsigned long long)low, (unsigned long long)high);
    return false;
}

bool cli_number(const cli_args *args, const char *option, uint64_t low, uint64_t high,
                uint64_t default_value, uint64_t *value)
{
    const char *text = cli_value(args, option);
    *value = default_value;
    return !text || parse_number(args, option, text, low, high, value);
}

bool cli_operand_number(const cli_args *args, size_t operand, const char *name, uint64_t low,
                        uint64_t high, uint64_t *value)
{
    return parse_number(args, name, args->operands[operand], low, high, value);
}

bool cli_threads_from(const cli_args *args, unsigned default_value, unsigned *threads)
{
    uint64_t number;
    if (!cli_number(args, "--threads", 1, CLI_THREAD_LIMIT, default_value, &number))
        return false;
    *threads = (unsigned)number;
    return true;
}

bool cli_threads(const cli_args *args, unsigned *threads)
{
    return cli_threads_from(args, 1, threads);
}

const ply_game *cli_find_game(const cli_args *args)
{
    const ply_game *game = ply_game_find(args->operands[0]);
    if (!game)
        cli_fail(args, "no game '%s'; see plyverse games", args->operands[0]);
    return game;
}

unsigned cli_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > CLI_THREAD_LIMIT ? CLI_THREAD_LIMIT : (unsigned)cores;
}
