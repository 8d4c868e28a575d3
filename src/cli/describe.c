/* SPDX-License-Identifier: MIT */
/* describe.c - help and the man page, made from the table in commands.c. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { OPTION_WIDTH = 20, MIN_WIDTH = 50, MAX_WIDTH = 100, DEFAULT_WIDTH = 80 };

static const char *const tagline = "play, analyse and solve board games with exact rules";

static void print_synopsis(const cli_command *command, FILE *to)
{
    fprintf(to, "plyverse %s %s%s [OPTION...]\n", command->name, command->operands,
            command->takes_position ? " [POSITION]" : "");
}

/* The width of help texts: that of the terminal, within limits. */
static size_t help_width(FILE *to)
{
    struct winsize size;
    if (!isatty(fileno(to)) || ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return DEFAULT_WIDTH;
    return size.ws_col < MIN_WIDTH ? MIN_WIDTH : size.ws_col > MAX_WIDTH ? MAX_WIDTH : size.ws_col;
}

/* Prints text as lines that end before the help's width; all but the first are indented. */
static void print_wrapped(const char *text, size_t indent, FILE *to)
{
    size_t width = help_width(to), column = indent;
    for (const char *word = text; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (column + (column > indent) + length > width && column > indent) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            column++;
        }
        fwrite(word, 1, length, to);
        column += length;
        word += length;
    }
    fputc('\n', to);
}

static void print_options(const cli_option *options, FILE *to)
{
    for (const cli_option *o = options; o->name; o++) {
        char left[40];
        int length = snprintf(left, sizeof left, "%s %s", o->name, o->argument ? o->argument : "");
        if (length > OPTION_WIDTH)
            fprintf(to, "  %s\n  %-*s", left, OPTION_WIDTH, "");
        else
            fprintf(to, "  %-*s", OPTION_WIDTH, left);
        print_wrapped(o->help, OPTION_WIDTH + 2, to);
    }
}

void cli_print_usage(FILE *to)
{
    fprintf(to, "plyverse: %s\n\nCommands:\n", tagline);
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden) {
            fprintf(to, "  %-13s", c->name);
            print_wrapped(c->summary, 15, to);
        }
    fprintf(to, "\nGames:");
    for (size_t i = 0; i < ply_game_count(); i++)
        fprintf(to, " %s", ply_game_at(i)->id);
    fprintf(to,
            "\n\n`plyverse COMMAND --help` describes a command; `plyverse --version` prints the "
            "version.\n");
}

void cli_print_help(const cli_command *command, FILE *to)
{
    fprintf(to, "usage: ");
    print_synopsis(command, to);
    fputc('\n', to);
    print_wrapped(command->summary, 0, to);
    if (command->details) {
        fputc('\n', to);
        print_wrapped(command->details, 0, to);
    }
    if (command->takes_position) {
        fprintf(to, "\nPOSITION (default: the start of the game):\n");
        print_options(cli_position_options, to);
    }
    fprintf(to, "\nOptions:\n");
    print_options(command->options, to);
    print_options(cli_common_options, to);
    if (command->examples) {
        fprintf(to, "\nExamples:\n");
        for (const char *line = command->examples; *line; line += strcspn(line, "\n") + 1)
            fprintf(to, "  %.*s\n", (int)strcspn(line, "\n"), line);
    }
}

/* --- the man page ---------------------------------------------------------------------------- */
/* Prints text for roff, escaping dashes and backslashes. */
static void man_text(const char *text)
{
    for (; *text; text++)
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
}

static void man_options(const cli_option *options)
{
    for (const cli_option *o = options; o->name; o++) {
        fputs(".TP\n.B ", stdout);
        man_text(o->name);
        if (o->argument)
            printf(" \\fI%s\\fR", o->argument);
        putchar('\n');
        man_text(o->help);
        putchar('\n');
    }
}

static void print_man(void)
{
    printf(".TH PLYVERSE 1 \"\" \"plyverse %s\" \"User Commands\"\n.SH NAME\nplyverse \\- %s\n",
           ply_version(), tagline);
    puts(".SH SYNOPSIS");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden) {
            printf(".B plyverse %s\n", c->name);
            man_text(c->operands);
            printf("%s [OPTION...]\n.br\n", c->takes_position ? " [POSITION]" : "");
        }
    puts(".SH DESCRIPTION\nResults go to standard output, progress and errors to standard error.");
    puts(".SH GAMES");
    for (size_t i = 0; i < ply_game_count(); i++) {
        printf(".TP\n.B %s\n", ply_game_at(i)->id);
        man_text(ply_game_at(i)->name);
        fputs(". ", stdout);
        man_text(ply_game_at(i)->summary);
        puts(".");
    }
    puts(".SH COMMANDS");
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (c->hidden)
            continue;
        printf(".SS %s\n", c->name);
        man_text(c->summary);
        puts(".");
        if (c->details) {
            puts(".PP");
            man_text(c->details);
            putchar('\n');
        }
        man_options(c->options);
        if (c->examples) {
            puts(".PP\nExamples:\n.PP\n.nf");
            man_text(c->examples);
            puts(".fi");
        }
    }
    puts(".SH POSITION\nThe default is the start of the game.");
    man_options(cli_position_options);
    puts(".SH COMMON OPTIONS");
    man_options(cli_common_options);
    puts(".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nthe answer is no\n.TP\n2\nbad usage or bad "
         "input; "
         "one line on standard error says what is wrong and where\n.TP\n130\nstopped by ctrl-C");
    puts(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set, boards are drawn without colours");
}

int cli_describe(const cli_args *args)
{
    const char *kind = args->operands[0];
    if (strcmp(kind, "man") == 0)
        print_man();
    else if (strcmp(kind, "bash") == 0)
        cli_print_bash();
    else if (strcmp(kind, "zsh") == 0)
        cli_print_zsh();
    else
        return cli_fail(args, "'%s' is none of man, bash, zsh", kind);
    return CLI_OK;
}
