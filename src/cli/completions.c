/* SPDX-License-Identifier: MIT */
/*
 * completions.c - completion scripts for bash and zsh, made from the table in commands.c and from the
 * games: commands, options, and what can follow them, such as a game's variants and formats.
 *
 * Both scripts define lists of words by game (plyverse_variants shogi). What an option or an operand
 * takes follows from its name in the table.
 */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* --- words ----------------------------------------------------------------------------------- */
/* Values that do not depend on the game, by the name of the option's argument or of the operand. */
static const struct {
    const char *argument, *words;
} fixed_words[] = {
    {"KIND", "alphabeta mcts playouts"},
    {"PLAYER", "human engine mcts playouts greedy random"},
    {"ENGINE", "alphabeta mcts playouts greedy random"},
    {"HOW", "movetime byoyomi"},
    {"ACTION", "build verify info probe"},
};

static void print_commands(void)
{
    bool first = true;
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden) {
            printf("%s%s", first ? "" : " ", c->name);
            first = false;
        }
}

static void print_games(void)
{
    for (size_t i = 0; i < ply_game_count(); i++)
        printf("%s%s", i ? " " : "", ply_game_at(i)->id);
}

static void print_protocols(void)
{
    const ply_protocol *protocol;
    for (size_t i = 0; (protocol = ply_protocol_at(i)) != NULL; i++)
        printf("%s%s", i ? " " : "", protocol->id);
}

static void print_variants(const ply_game *game)
{
    for (size_t i = 0; i < game->variant_count; i++)
        printf("%s%s", i ? " " : "", game->variants[i].id);
}

static void print_formats(const ply_game *game)
{
    const ply_format *format;
    for (size_t i = 0; (format = ply_format_at(game, i)) != NULL; i++)
        printf("%s%s", i ? " " : "", format->id);
}

static void print_goals(const ply_game *game)
{
    const ply_goal *goal;
    for (size_t i = 0; (goal = ply_goal_at(game, i)) != NULL; i++)
        printf("%s%s", i ? " " : "", goal->id);
}

static void print_modes(const ply_game *game)
{
    for (size_t i = 0; i < game->move_mode_count; i++)
        printf("%s%s", i ? " " : "", game->move_modes[i].id);
}

static void print_counts(const ply_game *game)
{
    const char *const *modes = game->counting ? game->counting->modes : NULL;
    for (size_t i = 0; modes && modes[i]; i++)
        printf("%s%s", i ? " " : "", modes[i]);
}

/* Lists that depend on the game, by the option that takes one of their words. */
static const struct {
    const char *option, *list;
    void (*print)(const ply_game *game);
} game_lists[] = {
    {"--variant", "variants", print_variants}, {"--to", "formats", print_formats},
    {"--from", "formats", print_formats},      {"--goal", "goals", print_goals},
    {"--mode", "modes", print_modes},          {"--count", "counts", print_counts},
};
enum { GAME_LISTS = sizeof game_lists / sizeof game_lists[0] };

/* Defines a shell function for each list: the words for the game in $1. Both shells read it. */
static void print_game_lists(void)
{
    for (size_t k = 0; k < GAME_LISTS; k++) {
        if (k > 0 && strcmp(game_lists[k].list, game_lists[k - 1].list) == 0)
            continue;
        printf("plyverse_%s()\n{\n    case $1 in\n", game_lists[k].list);
        for (size_t i = 0; i < ply_game_count(); i++) {
            printf("    %s) echo \"", ply_game_at(i)->id);
            game_lists[k].print(ply_game_at(i));
            puts("\" ;;");
        }
        puts("    esac\n}");
    }
}

/* The list of words by game that an option takes from, or NULL. */
static const char *list_of(const cli_option *option)
{
    for (size_t k = 0; k < GAME_LISTS; k++)
        if (strcmp(option->name, game_lists[k].option) == 0)
            return game_lists[k].list;
    return NULL;
}

static bool is_file(const char *argument)
{
    return strcmp(argument, "FILE") == 0 || strcmp(argument, "RECORD") == 0 ||
           strcmp(argument, "WHAT") == 0;
}

static bool is_folder(const char *argument)
{
    return strcmp(argument, "DIR") == 0 || strcmp(argument, "FOLDER") == 0;
}

/* Prints the words for an argument or operand; false if there are none. */
static bool print_words(const char *argument)
{
    if (strcmp(argument, "GAME") == 0)
        print_games();
    else if (strcmp(argument, "PROTOCOL") == 0)
        print_protocols();
    else {
        for (size_t i = 0; i < sizeof fixed_words / sizeof fixed_words[0]; i++)
            if (strcmp(argument, fixed_words[i].argument) == 0) {
                fputs(fixed_words[i].words, stdout);
                return true;
            }
        return false;
    }
    return true;
}

/* Copies operand number i of a synopsis, without its brackets; false past the end. */
static bool operand_at(const cli_command *command, size_t i, char name[16])
{
    const char *word = command->operands;
    while (i-- > 0 && *word) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    word += *word == '[';
    size_t length = strcspn(word, " ]");
    if (length == 0 || length >= 16)
        return false;
    memcpy(name, word, length);
    name[length] = '\0';
    return true;
}

/* --- bash ------------------------------------------------------------------------------------ */
/* Prints the cases of one command: what follows its options, its options, its operands. */
static void bash_command(const cli_command *command)
{
    const cli_option *option;
    char operand[16];
    printf("    %s)\n        case $before in\n", command->name);
    for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++) {
        if (!option->argument)
            continue;
        printf("        %s) ", option->name);
        const char *list = list_of(option);
        if (list) {
            printf("plyverse_reply \"$(plyverse_%s \"$game\")\"", list);
        } else if (is_folder(option->argument)) {
            fputs("COMPREPLY=($(compgen -d -- \"$word\"))", stdout);
        } else if (is_file(option->argument)) {
            fputs("COMPREPLY=($(compgen -f -- \"$word\"))", stdout);
        } else {
            fputs("plyverse_reply \"", stdout);
            print_words(option->argument);
            fputs("\"", stdout);
        }
        puts("; return ;;");
    }
    puts("        esac\n        case $operands in");
    for (size_t i = 0; operand_at(command, i, operand); i++) {
        printf("        %zu) words=\"", i);
        print_words(operand);
        puts("\" ;;");
    }
    fputs("        esac\n        options=\"", stdout);
    for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
        printf("%s%s", i ? " " : "", option->name);
    puts("\" ;;");
}

/* Defines plyverse_scan, which counts the operands before the cursor and finds the game. */
static void bash_scan(void)
{
    const ply_protocol *protocol;
    const cli_option *option;
    puts("plyverse_scan()\n{\n    local i valued= skip=\n    case ${COMP_WORDS[1]} in");
    for (const cli_command *c = cli_commands; c->name; c++) {
        printf("    %s) valued=\" ", c->name);
        for (size_t i = 0; (option = cli_command_option(c, i)) != NULL; i++)
            if (option->argument)
                printf("%s ", option->name);
        puts("\" ;;");
    }
    fputs("    esac\n    for ((i = 2; i < ${#COMP_WORDS[@]}; i++)); do\n        case \" ", stdout);
    print_games();
    puts(" \" in *\" ${COMP_WORDS[i]} \"*) game=${game:-${COMP_WORDS[i]}} ;; esac\n"
         "        [ \"$i\" -lt \"$COMP_CWORD\" ] || continue\n"
         "        if [ -n \"$skip\" ]; then\n"
         "            [ \"${COMP_WORDS[i]}\" = = ] || skip=\n"
         "        elif [[ $valued == *\" ${COMP_WORDS[i]} \"* ]]; then\n"
         "            skip=1\n"
         "        elif [[ ${COMP_WORDS[i]} != -* ]]; then\n"
         "            operands=$((operands + 1))\n        fi\n    done\n"
         "    case ${COMP_WORDS[2]} in");
    for (size_t i = 0; (protocol = ply_protocol_at(i)) != NULL; i++)
        if (protocol->game)
            printf("    %s) game=${game:-%s} ;;\n", protocol->id, protocol->game);
    puts("    esac\n}");
}

void cli_print_bash(void)
{
    puts("# bash completion for plyverse");
    print_game_lists();
    puts("plyverse_reply()\n{\n    COMPREPLY=($(compgen -W \"$1\" -- \"$word\"))\n}");
    bash_scan();
    puts("_plyverse()\n{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    local options= words= operands=0 game=\n    COMPREPLY=()\n"
         "    [ \"$word\" != = ] || word=\n"
         "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    fputs("        plyverse_reply \"", stdout);
    print_commands();
    puts(" help --help --version\"\n        return\n    fi\n    plyverse_scan\n"
         "    case ${COMP_WORDS[1]} in");
    fputs("    help) words=\"", stdout);
    print_commands();
    puts("\" ;;");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden)
            bash_command(c);
    puts("    esac\n"
         "    if [[ $word == -* ]]; then\n        plyverse_reply \"$options\"\n"
         "    elif [ -n \"$words\" ]; then\n        plyverse_reply \"$words\"\n    else\n"
         "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
         "complete -F _plyverse plyverse");
}

/* --- zsh ------------------------------------------------------------------------------------- */
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

/* Prints what completes an argument or operand: files, words, or nothing. */
static void zsh_action(const char *argument)
{
    if (is_folder(argument))
        fputs("_files -/", stdout);
    else if (is_file(argument))
        fputs("_files", stdout);
    else {
        putchar('(');
        print_words(argument);
        putchar(')');
    }
}

static void zsh_command(const cli_command *command)
{
    const cli_option *option;
    char operand[16];
    printf("  %s)\n    _arguments", command->name);
    for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++) {
        printf(" \\\n      '%s[", option->name);
        zsh_text(option->help);
        putchar(']');
        if (option->argument) {
            const char *list = list_of(option);
            printf(":%s:", option->argument);
            if (list)
                printf("_plyverse_words %s", list);
            else
                zsh_action(option->argument);
        }
        putchar('\'');
    }
    for (size_t i = 0; operand_at(command, i, operand); i++) {
        printf(" \\\n      '%zu:%s:", i + 1, operand);
        zsh_action(operand);
        putchar('\'');
    }
    puts(" ;;");
}

void cli_print_zsh(void)
{
    puts("#compdef plyverse\n# zsh completion for plyverse");
    print_game_lists();
    fputs(
        "# Offers a list of words for the game on the command line.\n"
        "_plyverse_words() {\n  local word game\n  for word in $words; do\n    case $word in\n    ",
        stdout);
    for (size_t i = 0; i < ply_game_count(); i++)
        printf("%s%s", i ? "|" : "", ply_game_at(i)->id);
    puts(") game=${game:-$word} ;;\n    esac\n  done\n"
         "  compadd -- ${(s: :)\"$(plyverse_$1 \"$game\")\"}\n}");
    puts("_plyverse() {\n  local -a commands\n  commands=(");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden) {
            printf("    '%s:", c->name);
            zsh_text(c->summary);
            puts("'");
        }
    puts("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n"
         "  help) _describe command commands ;;");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (!c->hidden)
            zsh_command(c);
    puts("  esac\n}\n_plyverse \"$@\"");
}
