/* SPDX-License-Identifier: MIT */
/* tables_solve.h - the action solve of plyverse tables (tables_solve.c). */
#ifndef PLY_CLI_TABLES_SOLVE_H
#define PLY_CLI_TABLES_SOLVE_H

#include "cli/cli.h"

/* Solves the game on a CUDA device, and writes a report. Returns the exit status. */
int cli_tables_solve(const cli_args *args, cli_game *game);

#endif
