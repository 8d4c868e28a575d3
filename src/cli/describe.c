/* SPDX-License-Identifier: MIT */
/* describe.c - help, man page and completions, all made from the table in commands.c. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

enum { OPTION_WIDTH = 20, LINE_WIDTH = 100 };

static const char *const tagline = "play, analyse and solve board games with exact rules";

static void print_synopsis(const cli_command *command, FILE *to)
{
    fprintf(to, "plyverse %s %s%s [OPTION...]\n", command->name, command->operands,
            command->takes_position ? " [POSITION]" : "");
}

void cli_print_usage(FILE *to)
{
    fprintf(to, "plyverse: %s\n\nCommands:\n", tagline);
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden)
            fprintf(to, "  %-13s%s\n", c->name, c->summary);
    fprintf(to, "\nGames:");
    for (size_t i = 0; i < ply_game_count(); i++)
        fprintf(to, " %s", ply_game_at(i)->id);
    fprintf(to,
            "\n\n`plyverse COMMAND --help` describes a command; `plyverse --version` prints the "
            "version.\n");
}

static void print_options(const cli_option *options, FILE *to)
{
    for (const cli_option *o = options; o->name; o++) {
        char left[40];
        int length = snprintf(left, sizeof left, "%s %s", o->name, o->argument ? o->argument : "");
        if (length > OPTION_WIDTH)
            fprintf(to, "  %s\n  %-*s%s\n", left, OPTION_WIDTH, "", o->help);
        else
            fprintf(to, "  %-*s%s\n", OPTION_WIDTH, left, o->help);
    }
}

/* Prints text as lines of at most LINE_WIDTH characters. */
static void print_wrapped(const char *text, FILE *to)
{
    size_t column = 0;
    for (const char *word = text; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (column > 0)
            fputc(column + 1 + length > LINE_WIDTH ? '\n' : ' ', to);
        column = column > 0 && column + 1 + length <= LINE_WIDTH ? column + 1 + length : length;
        fwrite(word, 1, length, to);
        word += length;
    }
    fputc('\n', to);
}

void cli_print_help(const cli_command *command, FILE *to)
{
    fprintf(to, "usage: ");
    print_synopsis(command, to);
    fputc('\n', to);
    print_wrapped(command->summary, to);
    if (command->details) {
        fputc('\n', to);
        print_wrapped(command->details, to);
    }
    if (command->takes_position) {
        fprintf(to, "\nPOSITION (default: the start of the game):\n");
        print_options(cli_position_options, to);
    }
    fprintf(to, "\nOptions:\n");
    print_options(command->options, to);
    print_options(cli_common_options, to);
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

/* --- completions ----------------------------------------------------------------------------- */
static void print_game_ids(void)
{
    for (size_t i = 0; i < ply_game_count(); i++)
        printf("%s%s", i ? " " : "", ply_game_at(i)->id);
}

static void print_option_names(const cli_command *command)
{
    const cli_option *option;
    for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
        printf("%s%s", i ? " " : "", option->name);
}

static void print_bash(void)
{
    puts("# bash completion for plyverse\n_plyverse()\n{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} options=\n    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    fputs("        COMPREPLY=($(compgen -W \"", stdout);
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden)
            printf("%s ", c->name);
    puts("--help --version\" -- \"$word\"))\n        return\n    fi");
    puts("    case ${COMP_WORDS[COMP_CWORD-1]} in\n"
         "    --file|--save|--output) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n    esac\n"
         "    case ${COMP_WORDS[1]} in");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden) {
            printf("    %s) options=\"", c->name);
            print_option_names(c);
            puts("\" ;;");
        }
    fputs("    esac\n    if [ \"$COMP_CWORD\" -eq 2 ] && [[ $word != -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          stdout);
    print_game_ids();
    puts("\" -- \"$word\"))\n    elif [[ $word == -* ]]; then\n"
         "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n    else\n"
         "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
         "complete -F _plyverse plyverse");
}

/* Prints text inside single quotes of zsh, inside an _arguments spec. */
static void zsh_text(const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
}

static void print_zsh(void)
{
    puts("#compdef plyverse\n# zsh completion for plyverse\n_plyverse() {\n  local -a commands");
    puts("  commands=(");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden) {
            printf("    '%s:", c->name);
            zsh_text(c->summary);
            puts("'");
        }
    puts("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in");
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (c->hidden)
            continue;
        printf("  %s)\n    _arguments", c->name);
        const cli_option *option;
        for (size_t i = 0; (option = cli_command_option(c, i)) != NULL; i++) {
            printf(" \\\n      '%s[", option->name);
            zsh_text(option->help);
            if (option->argument)
                printf("]:%s:%s'", option->argument,
                       strstr("FILE RECORD", option->argument) ? "_files" : " ");
            else
                fputs("]'", stdout);
        }
        fputs(" \\\n      '1:game:(", stdout);
        print_game_ids();
        puts(")' '*:file:_files' ;;");
    }
    puts("  esac\n}\n_plyverse \"$@\"");
}

int cli_describe(const cli_args *args)
{
    const char *kind = args->operands[0];
    if (strcmp(kind, "man") == 0)
        print_man();
    else if (strcmp(kind, "bash") == 0)
        print_bash();
    else if (strcmp(kind, "zsh") == 0)
        print_zsh();
    else
        return cli_fail(args, "'%s' is none of man, bash, zsh", kind);
    return CLI_OK;
}
