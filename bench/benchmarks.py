# SPDX-License-Identifier: MIT
"""What is measured and how. Used by bench/race-GAME, bench/compare and bench/tables.

A benchmark is a program of ours that does a fixed amount of work on one thread and, where there is one, a program that
does the same work in a plain way (a yardstick, in bench/yardsticks) or as well as others can (a peer: an engine
installed on this machine). The two run alternately. Speed is work divided by processor time in user mode, so that other
work on the machine disturbs it little, and the best of several rounds counts. A ratio is measured in one run and means
more than a speed.
"""
import argparse
import dataclasses
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Level: what it is called in tables, and what a yardstick is compiled with to have the same instructions.
LEVELS = {"plain": ("portable", ""), "v3": ("AVX2", "-march=x86-64-v3"), "v4": ("AVX-512", "-march=native")}


class Missing(Exception):
    """A program or a library that a benchmark needs is not there."""


@dataclasses.dataclass(frozen=True)
class Program:
    """A command, and how to read the amount of work from its output."""
    name: str
    command: str  # {build}: the build folder, {work}: where compiled sources are
    amount: str = r"^nodes (\d+)"  # what this matches is added up
    source: str = ""  # a C file of bench/ to compile first, to {work}/NAME
    stdin: str = ""  # sent line by line; "bestmove" in the output ends the program
    rate: bool = False  # the program measures itself and prints its speed


@dataclasses.dataclass(frozen=True)
class Benchmark:
    id: str
    game: str
    title: str
    unit: str
    ours: Program
    against: Program = None


def ours(command, amount=r"^nodes (\d+)"):
    return Program("plyverse " + command, "{build}/plyverse " + command + " --quiet", amount)


def yardstick(name, argument):
    return Program(f"{name}.c", "{work}/" + f"{name} {argument}", r"\b(?:nodes|plies) (\d+)", f"yardsticks/{name}.c")


def timed(name, source, argument=""):
    return Program(name, "{work}/" + os.path.splitext(source)[0] + " " + argument, r"([\d.]+) M [^/\n]*/s", source, rate=True)


FAIRY = shutil.which("fairy-stockfish") or "/usr/games/fairy-stockfish"


def usi_perft(engine, depth):
    variant = "setoption name UCI_Variant value shogi\n" if "fairy" in engine else ""
    return Program(os.path.basename(engine), engine, r"Nodes searched:\s*(\d+)",
                   stdin=variant + f"isready\nposition startpos\ngo perft {depth}\nquit")


FAIRY_SEARCH = Program("fairy-stockfish, classical", FAIRY, r"nodes (\d+)(?![\s\S]*\bnodes \d)",
                       stdin="setoption name UCI_Variant value shogi\nsetoption name Use NNUE value false\n"
                             "position startpos\ngo nodes 300000\nbestmove\nquit")

PLIES = r"^plies (\d+)"
BENCHMARKS = [
    Benchmark("shogi-perft", "shogi", "perft 6", "nodes", ours("perft shogi 6"), usi_perft(FAIRY, 5)),
    Benchmark("shogi-visit", "shogi", "perft 5, every move made", "nodes", ours("perft shogi 5 --count visit")),
    Benchmark("shogi-random", "shogi", "random games", "plies", ours("random shogi --games 5000 --seed 1", PLIES)),
    Benchmark("shogi-search", "shogi", "search", "nodes", ours("best shogi --nodes 300000"), FAIRY_SEARCH),
    Benchmark("checkers-perft", "checkers", "perft 12, every path", "nodes", ours("perft checkers 12 --count paths"),
              yardstick("checkers_perft", 11)),
    Benchmark("checkers-random", "checkers", "random games", "plies", ours("random checkers --games 100000 --seed 1", PLIES)),
    Benchmark("checkers-search", "checkers", "search", "nodes", ours("best checkers --nodes 1000000")),
    Benchmark("neighbours-perft", "neighbours", "perft 7", "nodes", ours("perft neighbours 7"), yardstick("neighbours_perft", 7)),
    Benchmark("neighbours-random", "neighbours", "random games", "plies",
              ours("random neighbours --games 20000 --seed 1", PLIES)),
    Benchmark("neighbours-search", "neighbours", "search", "nodes", ours("best neighbours --nodes 1000000")),
    Benchmark("gomoku-random", "gomoku", "random games, 15x15", "plies", ours("random gomoku --games 300000 --seed 1", PLIES),
              yardstick("gomoku_playouts", 300000)),
    Benchmark("gomoku-play", "gomoku", "play and undo with all pattern counts", "moves", timed("gomoku_play", "gomoku_play.c"),
              timed("table look-up, windows only", "gomoku_tables.c")),
    Benchmark("gomoku-search", "gomoku", "search", "nodes", ours('best gomoku --nodes 200000 --moves "h8 i9"')),
    Benchmark("5dchess-perft", "5dchess", "Standard, perft 4", "turns", timed("fived_turns", "fived_turns.c", "perft standard")),
    Benchmark("5dchess-kings", "5dchess", "King of Kings, perft 4", "turns",
              timed("fived_turns", "fived_turns.c", "perft misc-king-of-kings")),
    Benchmark("5dchess-search", "5dchess", "search", "nodes", ours("best 5dchess --nodes 100000")),
]
# Programs that print findings of their own after a race.
REPORTS = {
    "gomoku": [("gomoku_patterns.c", "freestyle")],
    "neighbours": [("neighbours_base.c", "")],
    "5dchess": [("fived_turns.c", ""), ("fived_vec4.c", "")],
}


class Tree:
    """A source tree with its build, and a folder for compiled benchmark programs."""

    def __init__(self, root, build, work):
        self.root, self.build, self.work = root, build, work

    def compile(self, source, level):
        """Compiles a file of bench/ unless that has been done; returns the program's path. A yardstick gets the
        instructions of the level; a program of ours selects them at run time."""
        path = os.path.join(ROOT, "bench", source)
        plain = source.startswith("yardsticks/")
        flags = LEVELS[level][1] if plain or source == "gomoku_tables.c" else ""
        name = os.path.splitext(os.path.basename(source))[0]
        program = os.path.join(self.work, name) + (f"-{level}" if flags else "")
        if not os.path.exists(program):
            library = [] if plain else [
                "-I" + os.path.join(self.build, "generated"), "-I" + os.path.join(self.root, "include"),
                "-I" + os.path.join(self.root, "src"), "-DPLY_ISA_X86", os.path.join(self.build, "libplyverse.a"),
                "-lzstd", "-lpthread", "-lm"]
            command = [os.environ.get("CC", "cc"), "-O3", "-D_GNU_SOURCE", *flags.split(), path, *library, "-o", program]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                raise Missing(f"{source} does not compile here: {done.stderr.strip().splitlines()[0]}")
        return program

    def measure(self, program, level):
        """One run: the speed, per second of user time."""
        command = shlex.split(program.command.replace("{build}", self.build))
        if program.source:
            command[0] = self.compile(program.source, level)
        if not shutil.which(command[0]):
            raise Missing(f"there is no {command[0]}")
        environment = dict(os.environ, PLY_ISA=level)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=environment)
        output = talk(done, program.stdin) if program.stdin else done.communicate()[0]
        if done.wait() != 0:
            raise Missing(f"failed: {' '.join(command)}")
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        found = [float(match) for match in re.findall(program.amount, output, re.MULTILINE)]
        if not found:
            raise Missing(f"no figure in the output of {' '.join(command)}")
        return found[0] * 1e6 if program.rate else sum(found) / max(seconds, 1e-6)


def talk(process, lines):
    """Sends lines to an engine; the line "bestmove" is not sent but awaited."""
    output = []
    for line in lines.splitlines():
        if line == "bestmove":
            while not output or not output[-1].startswith("bestmove"):
                output.append(process.stdout.readline())
                if not output[-1]:
                    raise Missing("the engine ended early")
        else:
            process.stdin.write(line + "\n")
            process.stdin.flush()
    return "".join(output) + process.communicate()[0]


def alternate(pairs, rounds):
    """Runs several (tree, program, level) in turn; returns their speeds, a list for each."""
    speeds = [[] for _ in pairs]
    for _ in range(rounds):
        for i, (tree, program, level) in enumerate(pairs):
            speeds[i].append(tree.measure(program, level))
    return speeds


def spread(values):
    """How far the middle half of the values lies apart, relative to their median."""
    if len(values) < 3:
        return 0.0
    low, middle, high = statistics.quantiles(values, n=4)
    return (high - low) / middle


def number(value):
    """Three digits and a unit, as in 1.39 G."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{float(f'{value / size:.3g}'):g} {unit} "
    return f"{value:.3g} "


def processor():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        found = re.search(r"^model name\s*:\s*(.*)$", info.read(), re.MULTILINE)
    return found.group(1) if found else "unknown processor"


def levels_here(build):
    """The levels this processor has."""
    return [level for level in LEVELS if subprocess.run(
        [os.path.join(build, "plyverse"), "games"], env=dict(os.environ, PLY_ISA=level), capture_output=True).returncode == 0]


def need_build(build):
    if not os.path.exists(os.path.join(build, "plyverse")):
        print("building (make)", file=sys.stderr)
        if subprocess.run(["make", "-s", "-C", ROOT]).returncode != 0:
            sys.exit("the build failed")


def race(game, description):
    """The program bench/race-GAME."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--isa", choices=list(LEVELS), help="the instructions to use (default: the best here)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of which the best counts (default 5)")
    if game == "shogi":
        parser.add_argument("--peer", metavar="ENGINE",
                            help="also race perft against this USI engine, which must know 'go perft', such as YaneuraOu")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    build = os.path.join(ROOT, "build")
    need_build(build)
    levels = levels_here(build)
    level = options.isa or levels[-1]
    if level not in levels:
        parser.error(f"--isa: this processor does not have {level}")
    benchmarks = [b for b in BENCHMARKS if b.game == game]
    if game == "shogi" and options.peer:
        benchmarks.insert(1, dataclasses.replace(benchmarks[0], id="peer", against=usi_perft(options.peer, 6)))
    print(f"{game}: {processor()}, {LEVELS[level][0]} ({level}), one thread, user time, best of {options.rounds}")
    with tempfile.TemporaryDirectory() as work:
        tree = Tree(ROOT, build, work)
        for benchmark in benchmarks:
            print_race(tree, benchmark, level, options.rounds)
        for source, argument in REPORTS.get(game, []):
            try:
                subprocess.run([tree.compile(source, level), *argument.split()], env=dict(os.environ, PLY_ISA=level), check=True)
            except Missing as missing:
                print(missing)
    return 0


def print_race(tree, benchmark, level, rounds):
    runs = [(tree, benchmark.ours, level)]
    if benchmark.against:
        try:
            tree.measure(benchmark.against, level)
            runs.append((tree, benchmark.against, level))
        except Missing as missing:
            print(f"  {benchmark.title}: nothing to race against: {missing}")
    speeds = alternate(runs, rounds)
    text = f"  {benchmark.title}: {number(max(speeds[0]))}{benchmark.unit}/s"
    if len(speeds) > 1:
        text += f"; {benchmark.against.name} {number(max(speeds[1]))}{benchmark.unit}/s"
        text += f"; {max(speeds[0]) / max(speeds[1]):.2f}x"
    print(text + f"; spread {100 * spread(speeds[0]):.0f}%", flush=True)
