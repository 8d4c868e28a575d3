/* SPDX-License-Identifier: MIT */
/* main.c - finds the command and runs it. */
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "core/text/printable.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Joins the other ranks of the job if there are any. Only rank 0 prints. */
static bool join_cluster(const cli_args *args)
{
    ply_error error = {0};
    if (!args->command->cluster || !cluster_requested())
        return true;
    if (cluster_open(&error) != PLY_OK) {
        cli_fail(args, "%s", error.message);
        return false;
    }
    if (cluster_rank() != 0 && !freopen("/dev/null", "w", stdout)) {
        cli_fail(args, "/dev/null: cannot be opened");
        return false;
    }
    return true;
}

/* A full disk or a closed pipe must not pass for success. */
static int finish(int status, const char *command)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == CLI_OK || status == CLI_NO) {
        fprintf(stderr, "plyverse%s%s: stdout: cannot write the output\n", command[0] ? " " : "",
                command);
        return CLI_BAD;
    }
    return status;
}

int main(int argc, char **argv)
{
    char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        cli_print_usage(stderr);
        return CLI_BAD;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        (strcmp(name, "help") == 0 && argc == 2)) {
        cli_print_usage(stdout);
        return finish(CLI_OK, "");
    }
    if (strcmp(name, "--version") == 0) {
        printf("plyverse %s\n", ply_version());
        return finish(CLI_OK, "");
    }
    bool wants_help = strcmp(name, "help") == 0;
    if (wants_help)
        name = argv[2];
    const cli_command *command = cli_command_find(name);
    if (!command) {
        ply_mask_controls(name, strlen(name), "");
        fprintf(stderr, "plyverse: unknown command '%s'; see plyverse --help\n", name);
        return CLI_BAD;
    }
    cli_args args;
    if (!wants_help && !cli_args_parse(&args, command, argc - 2, argv + 2))
        return CLI_BAD;
    if (wants_help || cli_has(&args, "--help")) {
        cli_print_help(command, stdout);
        return finish(CLI_OK, command->name);
    }
    const char *isa = getenv("PLY_ISA");
    if (isa && !cli_use_isa(&args, "PLY_ISA", isa))
        return CLI_BAD;
    if (!join_cluster(&args))
        return CLI_BAD;
    int status = command->run(&args);
    cluster_close();
    return finish(status, command->name);
}
