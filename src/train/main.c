/* SPDX-License-Identifier: MIT */
/* main.c - plyverse_train: self-play and what is learned from it; see docs/training.md. */
#include "cluster/cluster.h"
#include "train/command.h"
#include "train/ranks.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const usage =
    "usage: plyverse_train play GAME FILE [--games N] [--seconds N] [--nodes N] [--seed S]\n"
    "                      [--opening PLIES] [--balance SCORE] [--resign SCORE] [--draw SCORE]\n"
    "                      [--stall PLIES] [--max-plies N] [--threads N] [--net FILE|none]\n"
    "                      [--tables FOLDER] [--variant V]...\n"
    "       plyverse_train samples GAME FOLDER FILE... [--phases N] [--per-game N]\n"
    "                      [--symmetries yes|no] [--lambda PERCENT [--scale N]] [--variant V]...\n"
    "       plyverse_train samples GAME FOLDER --labelled FILE [...]\n"
    "       plyverse_train positions GAME FILE FILE... [--strays N] [--variant V]...\n"
    "       plyverse_train eval|policy GAME NET FILE... [--limit N] [--per-game N] [--variant "
    "V]...\n"
    "       plyverse_train fit GAME FILE... [--blend PERCENT] [--anchor NAME] [--out WEIGHTS]\n"
    "                      [--variant V]...\n";

enum { DEFAULT_GAMES = 2000, DEFAULT_NODES = 4000, DEFAULT_OPENING = 8, DEFAULT_MAX_PLIES = 400 };

int train_complain(const char *message, const char *detail)
{
    fprintf(stderr, "plyverse_train: %s%s\n", message, detail);
    return TRAIN_EXIT_BAD;
}

int train_complain_status(ply_status status, const ply_error *error, const char *path)
{
    fprintf(stderr, "plyverse_train: %s%s%s\n", path ? path : "", path ? ": " : "",
            error->message[0] ? error->message : ply_status_text(status));
    return TRAIN_EXIT_BAD;
}

/* --- the command line ------------------------------------------------------------------------ */
/* An option that takes a number. */
typedef struct number_option {
    const char *name;
    uint64_t low, high, *value;
} number_option;

static bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && *value >= low && *value <= high;
}

/* Sets an option that takes text; false if there is none of that name. */
static bool set_text(train_args *args, const char *name, const char *value)
{
    if (strcmp(name, "--variant") == 0 && args->play.variant_count < TRAIN_MAX_VARIANTS)
        args->play.variants[args->play.variant_count++] = value;
    else if (strcmp(name, "--anchor") == 0)
        args->anchor = value;
    else if (strcmp(name, "--out") == 0)
        args->out = value;
    else if (strcmp(name, "--labelled") == 0)
        args->labelled = value;
    else if (strcmp(name, "--net") == 0)
        args->play.network = value;
    else if (strcmp(name, "--tables") == 0)
        args->play.tablebase_dir = value;
    else if (strcmp(name, "--symmetries") == 0)
        args->symmetries = strcmp(value, "yes") == 0;
    else
        return false;
    return true;
}

static int parse_option(train_args *args, const number_option *numbers, size_t count,
                        const char *name, const char *value)
{
    if (!value)
        return train_complain("missing value after ", name);
    for (size_t k = 0; k < count; k++) {
        if (strcmp(name, numbers[k].name) != 0)
            continue;
        return parse_number(value, numbers[k].low, numbers[k].high, numbers[k].value)
                   ? 0
                   : train_complain("number expected or out of range: ", value);
    }
    return set_text(args, name, value) ? 0 : train_complain("unknown option: ", name);
}

static int parse_args(int argc, char **argv, train_args *args)
{
    uint64_t opening = DEFAULT_OPENING, plies = DEFAULT_MAX_PLIES, threads = 1;
    uint64_t balance = 0, resign = 0, draw = UINT64_MAX, stall = 0;
    const number_option numbers[] = {
        {"--games", 1, UINT32_MAX, &args->play.games},
        {"--seconds", 1, UINT32_MAX, &args->play.seconds},
        {"--nodes", 1, UINT64_MAX, &args->play.nodes},
        {"--seed", 0, UINT64_MAX, &args->play.seed},
        {"--opening", 0, 1000, &opening},
        {"--balance", 0, TRAIN_MAX_SCORE, &balance},
        {"--resign", 0, TRAIN_MAX_SCORE, &resign},
        {"--draw", 0, TRAIN_MAX_SCORE, &draw},
        {"--stall", 0, 100000, &stall},
        {"--max-plies", 1, 100000, &plies},
        {"--threads", 1, 1024, &threads},
        {"--blend", 0, 100, &args->blend},
        {"--phases", 1, 16, &args->phases},
        {"--per-game", 0, UINT32_MAX, &args->per_game},
        {"--limit", 1, UINT64_MAX, &args->limit},
        {"--strays", 0, 1000, &args->strays},
        {"--lambda", 0, 99, &args->lambda},
        {"--scale", 1, 100000, &args->scale},
    };
    for (int i = 0; i < argc; i++) {
        if (argv[i][0] != '-') {
            if (args->path_count == TRAIN_MAX_PATHS)
                return train_complain("too many files", "");
            args->paths[args->path_count++] = argv[i];
            continue;
        }
        int status = parse_option(args, numbers, sizeof numbers / sizeof numbers[0], argv[i],
                                  i + 1 < argc ? argv[i + 1] : NULL);
        if (status != 0)
            return status;
        i++;
    }
    args->play.opening_plies = (unsigned)opening;
    args->play.balance = (int32_t)balance;
    args->play.resign = (int32_t)resign;
    args->play.draw = draw == UINT64_MAX ? -1 : (int32_t)draw;
    args->play.stall = (unsigned)stall;
    args->play.max_plies = (size_t)plies;
    args->play.threads = (unsigned)threads;
    return 0;
}

/* --- commands -------------------------------------------------------------------------------- */
static int play_command(const ply_game *game, const train_args *args)
{
    ply_error error = {0};
    if (args->path_count != 1)
        return train_complain("play needs one file of games", "");
    if (!cluster_requested()) {
        ply_status status = train_play(game, &args->play, args->paths[0], &error);
        return status == PLY_OK ? 0 : train_complain_status(status, &error, args->paths[0]);
    }
    ply_status status = cluster_open(&error);
    if (status != PLY_OK)
        return train_complain_status(status, &error, NULL);
    status = train_play_on_ranks(game, &args->play, args->paths[0], &error);
    int exit_status = status == PLY_OK ? 0 : TRAIN_EXIT_BAD;
    if (status != PLY_OK && cluster_rank() == 0) /* the others fail for the same reason */
        exit_status = train_complain_status(status, &error, args->paths[0]);
    cluster_close();
    return exit_status;
}

static const struct {
    const char *name;
    int (*run)(const ply_game *game, const train_args *args);
} commands[] = {
    {"play", play_command},
    {"samples", train_samples_command},
    {"positions", train_positions_command},
    {"eval", train_eval_command},
    {"policy", train_policy_command},
    {"fit", train_fit_command},
};

int main(int argc, char **argv)
{
    train_args args = {
        .play = {.games = DEFAULT_GAMES, .nodes = DEFAULT_NODES, .seed = 1},
        .blend = 25,
        .phases = 8,
        .scale = 800,
        .limit = UINT64_MAX,
    };
    args.play.verbose = isatty(STDERR_FILENO) != 0;
    size_t k = 0, count = sizeof commands / sizeof commands[0];
    while (argc > 3 && k < count && strcmp(argv[1], commands[k].name) != 0)
        k++;
    if (argc <= 3 || k == count) {
        fputs(usage, stderr);
        return TRAIN_EXIT_BAD;
    }
    const ply_game *game = ply_game_find(argv[2]);
    if (!game)
        return train_complain("unknown game: ", argv[2]);
    int exit_status = parse_args(argc - 3, argv + 3, &args);
    return exit_status == 0 ? commands[k].run(game, &args) : exit_status;
}
