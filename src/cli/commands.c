/* SPDX-License-Identifier: MIT */
/* commands.c - the one description of the commands. */
#include "cli/cli.h"
#include <string.h>

const cli_option cli_position_options[] = {
    {"--variant", "NAME", "rules: a variant, with options as NAME:option=value,..."},
    {"--position", "TEXT", "a position in the game's own notation"},
    {"--file", "RECORD", "the end of the first game of a record file; - is standard input"},
    {"--moves", "MOVES", "moves played from there, parted by blanks"},
    {0},
};

const cli_option cli_common_options[] = {
    {"--json", NULL, "print JSON"},
    {"--quiet", NULL, "show no progress"},
    {"--help", NULL, "show this help"},
    {0},
};

#define THREADS_OPTION                                    \
    {                                                     \
        "--threads", "N", "work on N threads (default 1)" \
    }

static const cli_option no_options[] = {{0}};

static const cli_option perft_options[] = {
    {"--divide", NULL, "print the count below each move"},
    {"--count", "MODE", "what counts as one; `plyverse games GAME` lists a game's modes"},
    THREADS_OPTION,
    {"--hash", "MB", "remember counts in a table of MB mebibytes (default none)"},
    {0},
};

static const cli_option random_options[] = {
    {"--games", "N", "how many games (default 1000)"},
    {"--seed", "S", "the same seed gives the same games (default 1)"},
    THREADS_OPTION,
    {"--max-plies", "P", "leave a game unfinished after P plies (default 10000)"},
    {0},
};

static const cli_option best_options[] = {
    {"--time", "MS", "think so many milliseconds (default 1000 without another limit)"},
    {"--depth", "D", "think D plies deep"},
    {"--nodes", "N", "look at N positions, or play N games with mcts"},
    THREADS_OPTION,
    {"--multipv", "K", "show the K best lines (default 1)"},
    {"--hash", "MB", "memory for the table or the tree (default 64)"},
    {"--engine", "KIND", "alphabeta (default), mcts or playouts"},
    {"--seed", "S", "seed of the games of mcts and of lower levels (default 1)"},
    {"--level", "L", "play like somebody weaker: 1, a beginner, to 10, full strength (default)"},
    {"--tables", "DIR", "solved tables to ask (default: the user's); none: do without"},
    {0},
};

static const cli_option solve_options[] = {
    {"--goal", "GOAL", "what to force; `plyverse games GAME` lists a game's goals"},
    {"--shortest", NULL, "go on until no shorter win exists"},
    {"--composed", NULL, "count plies as composers do: no futile answers at the end"},
    {"--proof", "FILE", "write the proof of the verdict there"},
    {"--keep", "FILE", "go on from what FILE knows, if it is there; write what is known now"},
    {"--every", "MS", "write it every so many milliseconds and at the end (default 1800000)"},
    {"--time", "MS", "give up after so many milliseconds"},
    {"--nodes", "N", "give up after N positions"},
    {"--memory", "MB", "hold no more than MB mebibytes (default 1024)"},
    THREADS_OPTION,
    {0},
};

static const cli_option play_options[] = {
    {"--first", "PLAYER", "human, engine, mcts, playouts, greedy or random (default human)"},
    {"--second", "PLAYER", "the same (default engine)"},
    {"--level", "L", "of engine and mcts: 1, a beginner, to 10, full strength (default 10)"},
    {"--time", "MS", "for each move of engine and mcts, and for a hint (default 1000)"},
    {"--depth", "D", "plies that engine looks ahead"},
    {"--nodes", "N", "positions that engine looks at, or games of mcts"},
    {"--seed", "S", "seed of the random choices (default 1)"},
    {"--max-plies", "P", "stop after P plies (default none)"},
    {"--save", "FILE", "write the record when the game is left"},
    {"--tables", "DIR", "solved tables to ask (default: the user's); none: do without"},
    {0},
};

static const cli_option engine_options[] = {
    {"--game", "GAME", "which game (ply; the other protocols have their own)"},
    {"--variant", "NAME", "rules: a variant, with options as NAME:option=value,..."},
    {"--hash", "MB", "memory for the table or the tree (default 64)"},
    THREADS_OPTION,
    {"--engine", "KIND", "alphabeta (default), mcts or playouts"},
    {"--seed", "S", "seed of the games of mcts (default 1)"},
    {"--port", "P", "dxp: wait for players on this port (default 27531; 0: any)"},
    {"--host", "ADDRESS", "dxp: the address to wait on or to call (default 127.0.0.1)"},
    {"--connect", NULL, "dxp: call another program and ask it for a game"},
    {"--once", NULL, "dxp: leave after one player"},
    {"--tables", "DIR", "solved tables to ask (default: the user's); none: do without"},
    {0},
};

static const cli_option match_options[] = {
    {"--first", "ENGINE",
     "alphabeta, mcts, playouts, greedy or random, with options; or PROTOCOL:COMMAND"},
    {"--second", "ENGINE", "the other one"},
    {"--games", "N", "how many games (default 100)"},
    {"--variant", "NAME", "rules: a variant, with options as NAME:option=value,..."},
    {"--openings", "WHAT", "builtin, random, or a file (default builtin if the game has some)"},
    {"--opening-plies", "P", "plies of a random opening (default 4) or taken from a record"},
    {"--shuffle", NULL, "openings of a file in an order drawn by the seed"},
    {"--seed", "S", "seed of openings and random choices (default 1)"},
    {"--concurrency", "N", "games played at once (default 1)"},
    {"--time", "MS", "for each move (default 1000 without another limit)"},
    {"--clock", "MS[+INC]", "for the whole game, and added with each move"},
    {"--byoyomi", "MS", "for each move once the clock has run out"},
    {"--depth", "D", "plies to look ahead"},
    {"--nodes", "N", "positions to look at"},
    {"--margin", "MS", "how late a move may be before the game is lost (default 50)"},
    {"--patience", "MS", "to get ready, or to answer without a clock (default 60000)"},
    {"--resign", "N,SCORE", "lost after N moves in a row at -SCORE hundredths or worse"},
    {"--draw", "FROM,N,SCORE", "drawn from ply FROM on after N plies in a row within SCORE"},
    {"--max-plies", "P", "drawn after P plies"},
    {"--sprt", "ELO0,ELO1[,A,B]", "stop when one of the two is accepted (A and B: 0.05)"},
    {"--first-set", "NAME=VALUE,...", "options of a program, in its own terms"},
    {"--second-set", "NAME=VALUE,...", "the same for the other one"},
    {"--first-name", "NAME", "what to call it in tables and records"},
    {"--second-name", "NAME", "the same for the other one"},
    {"--tables", "DIR", "solved tables for engines of ours (default: the user's); none: without"},
    {"--first-tables", "DIR", "tables of the first engine alone, in the place of --tables"},
    {"--second-tables", "DIR", "the same for the other one"},
    {"--save", "FILE", "write the records there, in the format of its ending (else ply)"},
    {"--journal", "FILE", "write each game there when it is finished"},
    {"--resume", NULL, "go on with the journal"},
    {"--log", "FILE", "write what the programs are told and say"},
    {0},
};

static const cli_option convert_options[] = {
    {"--to", "FORMAT", "the format to write; `plyverse games GAME` lists a game's formats"},
    {"--from", "FORMAT", "the format to read (default: by the file's ending or its content)"},
    {"--variant", "NAME", "rules for formats that do not name their own"},
    {"--output", "FILE", "write there, by way of a temporary file (default: stdout)"},
    {0},
};

static const cli_option tables_options[] = {
    {"--dir", "DIR", "where the tables are (default: plyverse/tables in the user's data folder)"},
    {"--up-to", "PIECES", "N pieces on the board, or AvB (default 4; of neighbours 3v3)"},
    {"--threads", "N", "build or verify on N threads (default: as many as there are cores)"},
    {"--memory", "MB", "what needs more works on the disk (default 4096)"},
    {"--checkpoint", "S", "seconds between two savings of work under way (default 60)"},
    {0},
};
#ifdef PLY_HAVE_SERVER
static const cli_option serve_options[] = {
    {"--port", "P", "listen on this port (default 7590, or any other if that is taken)"},
    {"--host", "ADDRESS", "listen on this address, and want a token with every request"},
    {"--data", "FOLDER", "where the games are kept (default $XDG_DATA_HOME/plyverse)"},
    {"--analyses", "N", "how many analyses may run at once (default 16)"},
    {"--threads", "N", "cores that they share (default: all there are)"},
    {"--hash", "MB", "memory of one analysis (default 16)"},
    {0},
};
#endif

static const cli_option bench_options[] = {
    {"--threads", "N", "also measure perft on N threads (default: as many as there are cores)"},
    {"--repeat", "N", "measure N times and keep the best (default 3)"},
    {0},
};

const cli_command cli_commands[] = {
    {.name = "games",
     .operands = "[GAME]",
     .summary = "list the games; of one game the variants, options, formats and ways to count",
     .options = no_options,
     .run = cli_games},
    {.name = "show",
     .operands = "GAME",
     .summary = "show a position",
     .options = no_options,
     .takes_position = true,
     .run = cli_show},
    {.name = "moves",
     .operands = "GAME",
     .summary = "list the legal moves, one a line",
     .options = no_options,
     .takes_position = true,
     .run = cli_moves},
    {.name = "perft",
     .operands = "GAME DEPTH",
     .summary = "count the lines of DEPTH plies; the last line is `nodes N`",
     .details = "Rules that look back, such as repetition, do not end a line. With --hash the "
                "counts of positions met before are looked up by a 64-bit key; the totals are the "
                "same.",
     .options = perft_options,
     .takes_position = true,
     .run = cli_perft},
    {.name = "random",
     .operands = "GAME",
     .summary = "play random games: plies, plies a second, results",
     .options = random_options,
     .takes_position = true,
     .run = cli_random},
    {.name = "best",
     .operands = "GAME",
     .summary = "find the best move; the last line is `best MOVE`",
     .details = "Scores are for the player to move, in pieces; `win in N` counts plies.",
     .options = best_options,
     .takes_position = true,
     .run = cli_best},
    {.name = "solve",
     .operands = "GAME",
     .summary =
         "find out whether the player to move can force a goal; the last line is `win in N`, "
         "`no` or `unknown WHY`",
     .details =
         "The moves that led to the position do not count. `win in N` is against the longest "
         "defence; `plies` counts every move, the last line leaves out what players of the "
         "game do not count. The exit status is 1 unless it is a win.",
     .options = solve_options,
     .takes_position = true,
     .run = cli_solve},
    {.name = "check-proof",
     .operands = "GAME FILE",
     .summary = "check a proof written by solve with the rules alone",
     .details = "The last line is `proved win in N` or `proved no`; a proof that does not hold is "
                "refused with the reason and the place. N counts every move.",
     .options = no_options,
     .run = cli_check_proof},
    {.name = "play",
     .operands = "GAME",
     .summary = "play in the terminal",
     .details =
         "At the prompt: a move, or one of hint, undo, moves, board, position, level L, save "
         "FILE, help, quit. Works in a pipe, one command a line. A player may have options "
         "of its own, as in engine:level=3 or mcts:nodes=5000.",
     .options = play_options,
     .takes_position = true,
     .run = cli_play},
    {.name = "engine",
     .operands = "PROTOCOL",
     .summary = "be an engine for other programs: usi, gomocup, hub, dxp or ply",
     .details = "Reads commands from stdin and answers on stdout, or over TCP (dxp). "
                "docs/protocols.md describes the protocols.",
     .options = engine_options,
     .run = cli_engine},
    {.name = "match",
     .operands = "GAME",
     .summary = "play games between two engines; the last line is `score W-L-D`",
     .details = "Each opening is played twice, with colours swapped. PROTOCOL is usi or xshogi "
                "(shogi), gomocup (gomoku), hub (checkers) or ply (any game). A move too late, an "
                "illegal move and a crash lose the game. Scores and Elo are the first engine's. "
                "The exit status is 1 when --sprt finds the first engine not better.",
     .options = match_options,
     .run = cli_match},
    {.name = "convert",
     .operands = "GAME [FILE]",
     .summary = "read game records in one format and write them in another",
     .details = "FILE - or none is standard input. All games of the file are converted.",
     .options = convert_options,
     .run = cli_convert},
    {.name = "tables",
     .operands = "ACTION GAME",
     .summary = "solve endings: build, verify, info or probe; neighbours and checkers",
     .details = "build makes the tables that are missing; stopped or killed, the same command goes "
                "on where it was. verify derives every value again; the exit status is 1 when one "
                "is wrong. info lists the tables with their counts and longest wins. probe gives "
                "the value of a position and of each move, in plies to the end of the game; the "
                "exit status is 1 when no table has it.",
     .options = tables_options,
     .takes_position = true,
     .run = cli_tables},
#ifdef PLY_HAVE_SERVER
    {.name = "serve",
     .operands = "",
     .summary = "the web board: play, analyse and keep games in a browser",
     .details = "Prints its address and serves until ctrl-C. Without --host only this machine is "
                "answered. Games are on disk as soon as a move is made.",
     .options = serve_options,
     .run = cli_serve},
#endif
    {.name = "bench",
     .operands = "[GAME]",
     .summary = "measure speeds, and print a signature that changes only with behaviour",
     .options = bench_options,
     .run = cli_bench},
    {.name = "describe",
     .operands = "KIND",
     .summary = "print the man page (man) or a completion script (bash, zsh)",
     .options = no_options,
     .hidden = true,
     .run = cli_describe},
    {0},
};

const cli_command *cli_command_find(const char *name)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

const cli_option *cli_command_option(const cli_command *command, size_t i)
{
    const cli_option *groups[] = {command->options,
                                  command->takes_position ? cli_position_options : no_options,
                                  cli_common_options};
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (const cli_option *o = groups[g]; o->name; o++)
            if (i-- == 0)
                return o;
    return NULL;
}
