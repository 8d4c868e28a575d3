/* SPDX-License-Identifier: MIT */
/* commands.c - the one table of commands and options, from which help, man page and completions
 * are made. */
#include "cli/cli.h"
#include <string.h>

#define VARIANT_OPTION                                                                 \
    {                                                                                  \
        "--variant", "NAME", "rules: a variant, with options as NAME:option=value,..." \
    }
#define THREADS_OPTION                                \
    {                                                 \
        "--threads", "N", "use N threads (default 1)" \
    }
#define TABLES_OPTION                                                                \
    {                                                                                \
        "--tables", "DIR",                                                           \
            "folder of endgame tablebases (default: the user's); none disables them" \
    }
#define NETWORK_OPTION                                                                     \
    {                                                                                      \
        "--net", "FILE",                                                                   \
            "evaluate with the network in FILE; none: with the game's own evaluation only" \
    }
#define BOOK_OPTION                                                                    \
    {                                                                                  \
        "--book", "FILE", "play the moves of an opening book; none (default): without" \
    }

const cli_option cli_position_options[] = {
    VARIANT_OPTION,
    {"--position", "TEXT", "a position in the game's notation"},
    {"--file", "RECORD", "the end of the first game in a record file; - is standard input"},
    {"--moves", "MOVES", "moves to play from there, separated by spaces"},
    {0},
};

const cli_option cli_common_options[] = {
    {"--json", NULL, "print JSON"},
    {"--quiet", NULL, "show no progress"},
    {"--progress", NULL, "show progress even if stderr is not a terminal"},
    {"--help", NULL, "show this help"},
    {0},
};

static const cli_option no_options[] = {{0}};

static const cli_option show_options[] = {
    {"--layout", NULL, "also print the words and bytes of the position in memory, with a legend"},
    {"--each", NULL, "show the position before the first move and after each move"},
    {"--svg", NULL, "print the board as an SVG drawing"},
    {"--flip", NULL, "with --svg: turn the board round"},
    {0},
};

static const cli_option moves_options[] = {
    {"--mode", "MODE", "which moves to list; `plyverse games GAME` lists a game's modes"},
    {0},
};

static const cli_option perft_options[] = {
    {"--divide", NULL, "print the count for each move"},
    {"--count", "MODE", "what to count; `plyverse games GAME` lists a game's counts"},
    THREADS_OPTION,
    {"--hash", "MB", "cache counts in a hash table of MB mebibytes (default: none)"},
    {"--device", "DEVICE", "cpu, or cuda: count on an NVIDIA GPU (docs/cuda.md)"},
    {"--journal", "FILE", "keep finished parts in FILE; the same command continues from there"},
    {0},
};

static const cli_option random_options[] = {
    {"--games", "N", "number of games (default 1000)"},
    {"--seed", "S", "seed; the same seed gives the same games (default 1)"},
    THREADS_OPTION,
    {"--max-plies", "P", "abandon a game after P plies (default 10000; 5D chess: 200)"},
    {"--journal", "FILE", "keep finished parts in FILE; the same command continues from there"},
    {0},
};

static const cli_option best_options[] = {
    {"--time", "MS", "search for MS milliseconds (default 1000 if no other limit is given)"},
    {"--depth", "D", "search D plies deep"},
    {"--nodes", "N", "search N nodes, or run N simulations with mcts"},
    THREADS_OPTION,
    {"--multipv", "K", "show the K best variations (default 1)"},
    {"--hash", "MB", "memory for the transposition table or the tree (default 64)"},
    {"--engine", "KIND", "alphabeta (default), mcts or playouts"},
    {"--seed", "S", "seed for mcts and for the lower levels (default 1)"},
    {"--level", "L",
     "limit strength: 1 (beginner) to 10 (full strength, default); `plyverse games GAME` "
     "shows the approximate Elo of each level"},
    TABLES_OPTION,
    NETWORK_OPTION,
    BOOK_OPTION,
    {0},
};

static const cli_option book_options[] = {
    {"--out", "FILE", "build: the book; one that exists is continued"},
    {"--book", "FILE", "show: the book"},
    {"--positions", "N", "build: stop at N positions, at the end of a round (default 1000)"},
    {"--time", "MS", "build: stop after MS milliseconds; the same command continues"},
    {"--nodes", "N", "build: nodes of the search of each position (default 20000)"},
    {"--width", "K", "build: moves taken from each search (default 4)"},
    {"--hash", "MB", "build: memory for the transposition table (default 4)"},
    NETWORK_OPTION,
    {0},
};

static const cli_option puzzle_options[] = {
    {"--variant", "NAME", "rules: a variant, with options as NAME:option=value,..."},
    {"--goal", "ID", "what is to be forced (default: the game's first goal)"},
    {"--count", "N", "how many puzzles to make (default 10)"},
    {"--from", "FILE", "take positions from the games in a record file instead of self-play"},
    {"--games", "N", "games of self-play to play at most (default 1000)"},
    {"--start", "MOVES", "the first moves of every game of self-play"},
    {"--longest", "PLIES", "plies of a game of self-play at most (default 300)"},
    {"--random", "PERCENT", "random moves in self-play (default 10)"},
    {"--player-nodes", "N", "nodes for each move of self-play (default 300)"},
    {"--seed", "S", "seed; the same seed gives the same puzzles (default 1)"},
    {"--min", "N", "shortest solution, in plies (default 3) or turns of 5D chess (default 1)"},
    {"--max", "N", "longest solution, in plies (default 15) or turns of 5D chess (default 2)"},
    {"--choices", "N", "least number of legal moves or turns (default 2)"},
    {"--unique", "WHAT", "first: the first move wins alone (default); line: all but the last do"},
    {"--tables", "DIR", "take wins from the endgame tablebases in DIR (goal win)"},
    {"--nodes", "N", "nodes for each question to the solver (default 20000)"},
    {NULL, NULL, NULL},
};
static const cli_option solve_options[] = {
    {"--goal", "GOAL", "what to force; `plyverse games GAME` lists a game's goals"},
    {"--shortest", NULL, "continue until no shorter win exists"},
    {"--composed", NULL, "count plies as composers do: futile replies at the end do not count"},
    {"--proof", "FILE", "write a proof of the verdict to FILE"},
    {"--checkpoint", "FILE", "resume from FILE if it exists; save progress to it"},
    {"--every", "MS", "save the checkpoint every MS milliseconds (default 1800000)"},
    {"--time", "MS", "give up after MS milliseconds"},
    {"--nodes", "N", "give up after N nodes"},
    {"--memory", "MB", "use at most MB mebibytes (default 1024)"},
    THREADS_OPTION,
    {0},
};

static const cli_option play_options[] = {
    {"--first", "PLAYER", "human, engine, mcts, playouts, greedy or random (default human)"},
    {"--second", "PLAYER", "the same for the other player (default engine)"},
    {"--level", "L",
     "level of engine and mcts: 1 (beginner) to 10 (full strength, default); `plyverse games "
     "GAME` shows the approximate Elo of each level"},
    {"--time", "MS", "search time per move and for a hint (default 1000)"},
    {"--depth", "D", "search depth of engine, in plies"},
    {"--nodes", "N", "nodes per move of engine, or simulations of mcts"},
    {"--seed", "S", "seed for random choices (default 1)"},
    {"--max-plies", "P", "stop after P plies (default: never)"},
    {"--save", "FILE",
     "write the game record on exit; the extension selects the format (else ply)"},
    TABLES_OPTION,
    NETWORK_OPTION,
    BOOK_OPTION,
    {0},
};

static const cli_option engine_options[] = {
    {"--game", "GAME", "which game (for ply; the other protocols imply it)"},
    VARIANT_OPTION,
    {"--hash", "MB", "memory for the transposition table or the tree (default 64)"},
    THREADS_OPTION,
    {"--engine", "KIND", "alphabeta (default), mcts or playouts"},
    {"--seed", "S", "seed for mcts (default 1)"},
    {"--parameters", "LIST", "NAME=VALUE,...: margins of alphabeta, for tuning (tools/spsa)"},
    {"--port", "P", "dxp: listen on or connect to this port (default 27531; 0: any free port)"},
    {"--host", "ADDRESS", "dxp: the address to listen on or connect to (default 127.0.0.1)"},
    {"--connect", NULL, "dxp: connect to another program and request a game"},
    {"--once", NULL, "dxp: exit after one opponent"},
    TABLES_OPTION,
    NETWORK_OPTION,
    BOOK_OPTION,
    {0},
};

static const cli_option match_options[] = {
    {"--first", "ENGINE",
     "alphabeta, mcts, playouts, greedy or random, with options; or PROTOCOL:COMMAND"},
    {"--second", "ENGINE", "the same for the second engine"},
    {"--games", "N", "number of games (default 100)"},
    VARIANT_OPTION,
    {"--openings", "WHAT", "builtin, random, or a file (default builtin if the game has any)"},
    {"--opening-plies", "P", "length of random openings (default 4) or of those from records"},
    {"--balance", "SCORE[,NODES]",
     "only random openings that a search of NODES (default 20000) scores within SCORE"},
    {"--shuffle", NULL, "shuffle the openings of a file"},
    {"--seed", "S", "seed for openings and random choices (default 1)"},
    {"--concurrency", "N", "games played at the same time (default 1)"},
    {"--time", "MS", "time per move (default 1000 if no other limit is given)"},
    {"--clock", "MS[+INC]", "time per game, plus an increment per move"},
    {"--byoyomi", "MS", "time per move once the clock has run out"},
    {"--depth", "D", "search depth in plies"},
    {"--nodes", "N", "nodes per move"},
    {"--cpu-time", NULL, "time limits count the engines' CPU time; for busy machines"},
    {"--first-go", "HOW", "tell the first program, if USI, the time by movetime or byoyomi"},
    {"--second-go", "HOW", "the same for the second program"},
    {"--margin", "MS", "how late a move may be before it loses the game (default 50)"},
    {"--patience", "MS",
     "timeout for getting ready, or for a move without a clock (default 60000)"},
    {"--resign", "N,SCORE",
     "adjudicate a loss after N moves in a row at -SCORE hundredths or worse"},
    {"--draw", "FROM,N,SCORE", "adjudicate a draw from ply FROM on: N plies in a row within SCORE"},
    {"--max-plies", "P", "adjudicate a draw after P plies"},
    {"--sprt", "ELO0,ELO1[,A,B]", "stop as soon as the SPRT accepts a hypothesis (A, B: 0.05)"},
    {"--first-set", "NAME=VALUE,...", "options of the first program, under its own names"},
    {"--second-set", "NAME=VALUE,...", "the same for the second program"},
    {"--first-name", "NAME", "name of the first engine in tables and records"},
    {"--second-name", "NAME", "the same for the second engine"},
    {"--tables", "DIR",
     "tablebases for built-in engines (default: the user's); none disables them"},
    {"--first-tables", "DIR", "tablebases for the first engine, instead of --tables"},
    {"--second-tables", "DIR", "the same for the second engine"},
    {"--save", "FILE", "write the game records; the extension selects the format (else ply)"},
    {"--journal", "FILE", "append each game to FILE as it finishes"},
    {"--resume", NULL, "continue the match in the journal"},
    {"--log", "FILE", "log engine traffic"},
    {0},
};

static const cli_option convert_options[] = {
    {"--to", "FORMAT", "the format to write; `plyverse games GAME` lists a game's formats"},
    {"--from", "FORMAT", "the format to read (default: by file extension or content)"},
    {"--variant", "NAME", "rules for formats that do not name their own"},
    {"--keep-going", NULL, "skip and list games that cannot be read; the exit status is then 1"},
    {"--output", "FILE", "write to FILE, replacing it only on success (default: standard output)"},
    {0},
};

static const cli_option tables_options[] = {
    {"--dir", "DIR",
     "folder of the tablebases (default: plyverse/tables in the user's data folder)"},
    {"--up-to", "PIECES", "N pieces on the board, or AvB (default 4; neighbours: 3v3)"},
    {"--threads", "N", "build or verify on N threads (default: all cores; under mpirun 1)"},
    {"--memory", "MB", "memory limit; larger slices are solved on disk (default 4096)"},
    {"--checkpoint", "S", "seconds between checkpoints of the work in progress (default 60)"},
    {"--dry-run", NULL, "predict memory, disk, messages and time of a build; build nothing"},
    {"--ranks", "N", "predict for a cluster of N ranks (default: those of mpirun, else 1)"},
    {"--device", "DEVICE", "build or verify on the cpu (default) or on a cuda device"},
    {"--report", "FILE", "solve: write counts, checksums, samples and values to FILE"},
    {"--no-verify", NULL, "solve: do not derive every value again"},
    {"--label", "FILE", "solve: write the values of the positions in FILE to FILE.labels"},
    {0},
};
#ifdef PLY_HAVE_SERVER
static const cli_option serve_options[] = {
    {"--port", "P", "listen on this port (default 7590, or any free port if that is taken)"},
    {"--host", "ADDRESS", "listen on this address, and require a token with every request"},
    {"--data", "FOLDER", "where games are stored (default $XDG_DATA_HOME/plyverse)"},
    {"--analyses", "N", "how many analyses may run at the same time (default 16)"},
    {"--threads", "N", "cores they share (default: all)"},
    {"--hash", "MB", "memory per analysis (default 16)"},
    {0},
};
#endif

static const cli_option bench_options[] = {
    {"--threads", "N", "also measure perft on N threads (default: the number of cores)"},
    {"--repeat", "N", "measure N times and keep the best (default 3)"},
    {"--isa", "LEVEL", "use these instructions: plain, v3 (AVX2), v4 (AVX-512), or all in turn"},
    NETWORK_OPTION,
    {0},
};

const cli_command cli_commands[] = {
    {.name = "games",
     .operands = "[GAME]",
     .summary = "list the games, or the variants, options, goals and formats of one game",
     .examples = "plyverse games\n"
                 "plyverse games shogi\n",
     .options = no_options,
     .run = cli_games},
    {.name = "show",
     .operands = "GAME",
     .summary = "show a position",
     .details = "With --layout, words that the last move changed are marked with a star.",
     .examples = "plyverse show shogi --moves \"7g7f 3c3d\"\n"
                 "plyverse show checkers --position \"B:W18,24:B12,K10\" --layout\n",
     .options = show_options,
     .takes_position = true,
     .run = cli_show},
    {.name = "moves",
     .operands = "GAME",
     .summary = "list the legal moves, one per line",
     .examples = "plyverse moves gomoku --variant renju --moves \"h8 h9 i7\"\n"
                 "plyverse moves shogi --mode tsume --position \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"\n",
     .options = moves_options,
     .takes_position = true,
     .run = cli_moves},
    {.name = "perft",
     .operands = "GAME DEPTH",
     .summary = "count the variations of DEPTH plies; the last line is `nodes N`",
     .details = "Rules that depend on the history of the game, such as repetition, do not end a "
                "variation. With --hash, counts of positions seen before are looked up by a 64-bit "
                "key; the totals are the same.",
     .examples = "plyverse perft shogi 4\n"
                 "plyverse perft checkers 8 --divide --threads 2\n",
     .options = perft_options,
     .takes_position = true,
     .cluster = true,
     .run = cli_perft},
    {.name = "random",
     .operands = "GAME",
     .summary = "play random games; print plies per second and results",
     .examples = "plyverse random neighbours --games 500 --seed 7\n",
     .options = random_options,
     .takes_position = true,
     .cluster = true,
     .run = cli_random},
    {.name = "best",
     .operands = "GAME",
     .summary = "find the best move; the last line is `best MOVE`",
     .details = "Scores are in pieces, for the player to move; `win in N` counts plies.",
     .examples = "plyverse best shogi --moves \"7g7f 3c3d\" --time 500\n"
                 "plyverse best checkers --depth 12 --multipv 3\n",
     .options = best_options,
     .takes_position = true,
     .run = cli_best},
    {.name = "solve",
     .operands = "GAME",
     .summary = "decide whether the player to move can force a goal; the last line is `win in N`, "
                "`no` or `unknown WHY`",
     .details = "The moves that led to the position are ignored. `win in N` is against the longest "
                "defence; `plies` counts every move, the last line only the moves that players of "
                "the game count. In gomoku both end with the four that cannot be answered. The "
                "exit status is 1 unless it is a win.",
     .examples = "plyverse solve shogi --goal mate --position \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"\n"
                 "plyverse solve 5dchess --goal mate --position "
                 "\"[6k1/5ppp/8/8/8/8/8/R5K1:0:1:w]\" --proof mate.proof\n",
     .options = solve_options,
     .takes_position = true,
     .run = cli_solve},
    {.name = "puzzles",
     .operands = "GAME",
     .summary = "find positions with one winning move, from self-play or from your own games",
     .details = "Prints a JSON object per line: game, variant, goal, position, plies (5D chess: "
                "turns), difficulty (1 to 5), solution. The solver proves that the solution wins, "
                "and the solver or tablebases that no other first move does.",
     .examples = "plyverse puzzles shogi --goal mate --unique line --count 3\n"
                 "plyverse puzzles gomoku --variant renju --goal vcf --start \"h8 i9\" --count 3\n",
     .options = puzzle_options,
     .run = cli_puzzles},
    {.name = "check-proof",
     .operands = "GAME FILE",
     .summary = "check a proof written by solve, using only the rules",
     .details =
         "The last line is `proved win in N` or `proved no`; N counts every move. An invalid "
         "proof is rejected with the reason and the location.",
     .examples = "plyverse check-proof 5dchess mate.proof\n",
     .options = no_options,
     .run = cli_check_proof},
    {.name = "play",
     .operands = "GAME",
     .summary = "play in the terminal",
     .details =
         "At the prompt, type a move or one of hint, undo, moves, board, position, level L, "
         "save FILE, resign, help, quit. Commands may come from a pipe, one per line. A player may "
         "have options of its own, as in engine:level=3 or mcts:nodes=5000.",
     .examples = "plyverse play shogi --level 3\n"
                 "plyverse play gomoku --variant renju --second human --save game.ply\n",
     .options = play_options,
     .takes_position = true,
     .run = cli_play},
    {.name = "book",
     .operands = "ACTION GAME",
     .summary = "opening books: build or show",
     .details = "build searches positions near the start, cheapest first: a position costs for "
                "its depth and for the worse moves on the way to it. The same command after an "
                "interruption continues, with the same result. show lists the moves of a position; "
                "the exit status is 1 if it has none. docs/books.md describes both.",
     .examples =
         "plyverse book build neighbours --out neighbours.book --positions 500 --nodes 2000\n"
         "plyverse book show neighbours --book neighbours.book\n",
     .options = book_options,
     .takes_position = true,
     .run = cli_book},
    {.name = "engine",
     .operands = "PROTOCOL",
     .summary = "run as an engine for other programs: usi, gomocup, hub, dxp or ply",
     .details = "Reads commands from standard input and answers on standard output, or over TCP "
                "(dxp). docs/protocols.md describes the protocols.",
     .examples = "plyverse engine usi --hash 256\n"
                 "plyverse engine ply --game checkers\n",
     .options = engine_options,
     .run = cli_engine},
    {.name = "match",
     .operands = "GAME",
     .summary = "play a match between two engines; the last line is `score W-L-D`",
     .details =
         "Each opening is played twice, with colours swapped. PROTOCOL is usi or xshogi "
         "(shogi), gomocup (gomoku), hub (checkers) or ply (any game). A late move, an "
         "illegal move or a crash loses the game. Scores and Elo are from the first engine's "
         "point of view. The exit status is 1 when --sprt finds the first engine not better.",
     .examples =
         "plyverse match neighbours --first alphabeta --second mcts --games 4 --nodes 200\n",
     .options = match_options,
     .cluster = true,
     .run = cli_match},
    {.name = "convert",
     .operands = "GAME [FILE]",
     .summary = "convert game records from one format to another",
     .details = "Without FILE, or if it is -, reads standard input. Converts every game in the "
                "file.",
     .examples = "plyverse convert shogi game.kif --to csa --output game.csa\n"
                 "plyverse convert checkers game.pdn --to json\n",
     .options = convert_options,
     .run = cli_convert},
    {.name = "tables",
     .operands = "ACTION GAME",
     .summary =
         "endgame tablebases for neighbours and checkers: build, verify, info, probe or solve",
     .details =
         "build makes the missing tablebases; after an interruption, the same command "
         "continues where it stopped. verify recomputes every value; the exit status is 1 if "
         "one is wrong. info lists the tablebases with their counts and longest wins. probe "
         "prints the value of a position and of each move, in plies to the end of the game; "
         "the exit status is 1 if the position is in no tablebase. solve works out who wins each "
         "position of neighbours in the memory of a CUDA device, verifies it, and keeps only a "
         "report.",
     .examples = "plyverse tables build neighbours --up-to 1v2\n"
                 "plyverse tables probe neighbours --position \"6/6/6/6/6/wb4 w\"\n",
     .options = tables_options,
     .takes_position = true,
     .cluster = true,
     .run = cli_tables},
#ifdef PLY_HAVE_SERVER
    {.name = "serve",
     .operands = "",
     .summary = "start the web app: play, analyse and save games in a browser",
     .details = "Prints its address and runs until ctrl-C. Without --host it accepts connections "
                "from this machine only. Games are saved after every move.",
     .examples = "plyverse serve\n"
                 "plyverse serve --port 8080 --data games\n",
     .options = serve_options,
     .run = cli_serve},
#endif
    {.name = "bench",
     .operands = "[GAME]",
     .summary = "measure speed; print a signature that changes only when behaviour changes",
     .details = "Every command uses the best instructions of the processor unless the environment "
                "variable PLY_ISA names a level: plain, v3 or v4.",
     .examples = "plyverse bench\n"
                 "plyverse bench shogi --repeat 1\n",
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

const char *cli_option_renamed(const cli_command *command, const char *name, size_t length)
{
    static const struct {
        const char *command, *old_name, *name;
    } renamed[] = {{"solve", "--keep", "--checkpoint"}};
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (strcmp(renamed[i].command, command->name) == 0 &&
            strlen(renamed[i].old_name) == length && memcmp(renamed[i].old_name, name, length) == 0)
            return renamed[i].name;
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
