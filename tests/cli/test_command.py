# SPDX-License-Identifier: MIT
"""The command's contract: results, errors, exit statuses, JSON."""
import os
import pty
import subprocess
import tempfile
import unittest

from command import PLYVERSE, CommandTest, run

GAMES = ["neighbours"]


class Games(CommandTest):
    def test_list(self):
        ids = [line.split()[0] for line in self.good("games").splitlines()]
        for game in GAMES:
            self.assertIn(game, ids)
        self.assertEqual([g["id"] for g in self.json("games")], ids)

    def test_one(self):
        game = self.json("games", "neighbours")[0]
        self.assertEqual(set(game), {"id", "name", "summary", "players", "variants", "options",
                                     "counts", "modes", "formats", "goals", "level_elo"})
        self.assertEqual(game["modes"], [])
        self.assertEqual(len(game["level_elo"]), 10)
        self.assertEqual(sorted(set(game["level_elo"])), game["level_elo"])
        self.assertEqual([v["id"] for v in game["variants"]], ["slide", "jump"])
        self.assertEqual(game["options"][0]["values"], ["slide", "jump"])
        self.assertIn("variant  jump", self.good("games", "neighbours"))

    def test_gomoku_windows(self):
        """Black has .XXXX. in column c, White three in column d that three windows of five hold."""
        view = self.json("show", "gomoku", "--variant", "freestyle:width=8,height=8", "--moves",
                         "c3 d4 c4 d5 c5 d6 c6")
        self.assertEqual(view["board"]["windows"],
                         {"black": {"five": 0, "four": 2, "three": 0, "two": 0},
                          "white": {"five": 0, "four": 0, "three": 3, "two": 0}})

    def test_every_game_shows_and_counts(self):
        for game in self.json("games"):
            for variant in game["variants"]:
                view = self.json("show", game["id"], "--variant", variant["id"])
                self.assertEqual(view["variant"], variant["id"])
                moves = self.json("moves", game["id"], "--variant", variant["id"])["moves"]
                self.assertEqual(len(set(moves)), len(moves))
                again = self.json("show", game["id"], "--variant", variant["id"], "--position",
                                  view["position"])
                self.assertEqual(again["hash"], view["hash"])

    def test_bad(self):
        self.bad("no game 'chess'", "games", "chess")
        self.bad("no game 'chess'", "show", "chess")
        self.bad("unexpected argument 'b'", "games", "neighbours", "b")


class Show(CommandTest):
    def test_start(self):
        out = self.good("show", "neighbours")
        self.assertIn("White to move", out)
        self.assertTrue(out.endswith("position bbbbbb/6/6/6/6/wwwwww w\n"))
        self.assertNotIn("\033", out)

    def test_json(self):
        view = self.json("show", "neighbours", "--moves", "a1a2")
        self.assertEqual(set(view), {"game", "variant", "position", "side", "plies", "hash",
                                     "result", "reason", "board"})
        self.assertEqual((view["side"], view["plies"], view["result"], view["reason"]),
                         (1, 1, "ongoing", None))
        self.assertEqual(len(view["board"]["pieces"]), 12)

    def test_outcome(self):
        out = self.good("show", "neighbours", "--position", "b5/6/6/6/6/5w w")
        self.assertTrue(out.endswith("result second no-move\n"))

    def test_bad_positions(self):
        for text, words in [
                ("", "column 1: row 6 has 0 squares"),
                ("zzz", "column 1: expected w, b or a number"),
                ("bbbbbb/6/6/6/6/wwwwww", "column 22: expected the side to move"),
                ("bbbbbb/6/6/6/6/wwwwww w x", "column 25: more text"),
                ("bbbbbb/bb4/6/6/6/wwwwww w", "Black has 8 pieces")]:
            self.bad("--position: line 1, " + words if words.startswith("column") else words,
                     "show", "neighbours", "--position", text)

    def test_bad_moves(self):
        self.bad("--moves: line 1, column 6: Black has no piece on a1", "show", "neighbours",
                 "--moves", "a1a2 a1a2")
        self.bad("--moves: line 2, column 1: expected a square", "show", "neighbours", "--moves",
                 "a1a2\n!")

    def test_bad_variants(self):
        self.bad("no variant 'fly'", "show", "neighbours", "--variant", "fly")
        self.bad("column 7: neighbours has no option 'x'", "show", "neighbours", "--variant",
                 "slide:x=1")
        self.bad("column 12: option path must be one of slide, jump, not ''", "show", "neighbours",
                 "--variant", "slide:path=")
        self.bad("needs a value", "show", "neighbours", "--variant", ":path")
        self.assertEqual(self.json("show", "neighbours", "--variant", ":path=jump")["variant"],
                         "slide:path=jump")


class Moves(CommandTest):
    def test_list(self):
        lines = self.good("moves", "neighbours").splitlines()
        self.assertEqual(lines[-1], "moves 14")
        self.assertEqual(len(set(lines[:-1])), 14)
        self.assertEqual(self.json("moves", "neighbours")["moves"], lines[:-1])

    def test_modes(self):
        """A pawn on 1b would give mate; six moves give check."""
        position = "7lk/9/8S/9/9/9/9/7L1/8K b P 1"
        lists = {mode: set(self.good("moves", "shogi", "--mode", mode, "--position", position)
                           .splitlines()[:-1]) for mode in ("simple", "standard", "tsume")}
        self.assertEqual([len(lists[mode]) for mode in lists], [86, 85, 6])
        self.assertEqual(lists["simple"] - lists["standard"], {"P*1b"})
        self.assertTrue(lists["tsume"] < lists["standard"])
        view = self.json("moves", "shogi", "--mode", "tsume", "--position", position)
        self.assertEqual((view["mode"], set(view["moves"])), ("tsume", lists["tsume"]))
        self.assertEqual([m["id"] for m in self.json("games", "shogi")[0]["modes"]], list(lists))
        self.bad("shogi has no mode 'legal'", "moves", "shogi", "--mode", "legal")
        self.bad("neighbours has no modes of listing moves", "moves", "neighbours", "--mode", "tsume")


class Perft(CommandTest):
    def test_last_line(self):
        self.assertEqual(self.good("perft", "neighbours", "6").splitlines()[-1], "nodes 11238798")
        self.assertEqual(self.good("perft", "neighbours", "0"), "nodes 1\n")

    def test_ways(self):
        for more in (["--threads", "2"], ["--hash", "8"], ["--hash=1", "--threads=3"],
                     ["--quiet"]):
            self.assertEqual(self.good("perft", "neighbours", "5", *more), "nodes 703822\n")
        self.assertEqual(self.good("perft", "neighbours", "5", "--variant", "jump"),
                         "nodes 889576\n")

    def test_divide(self):
        lines = self.good("perft", "neighbours", "4", "--divide").splitlines()
        self.assertEqual(len(lines), 15)
        self.assertEqual(sum(int(line.split()[1]) for line in lines[:-1]), 43630)
        view = self.json("perft", "neighbours", "4", "--divide")
        self.assertEqual(view["nodes"], 43630)
        self.assertEqual(sum(view["divide"].values()), 43630)

    def test_bad(self):
        self.bad("usage: plyverse perft GAME DEPTH", "perft", "neighbours")
        for depth in ("x", "-1", "101", "", "3.5", "99999999999999999999999"):
            self.bad("DEPTH: '%s' is not a whole number from 0 to 100" % depth, "perft",
                     "neighbours", "--", depth)
        self.bad("--threads: '0'", "perft", "neighbours", "3", "--threads", "0")
        self.bad("--threads needs a value", "perft", "neighbours", "3", "--threads")
        self.bad("--hash: '1.5'", "perft", "neighbours", "3", "--hash", "1.5")
        self.bad("unknown option '--depth'", "perft", "neighbours", "--depth", "3")
        self.bad("--divide takes no value", "perft", "neighbours", "3", "--divide=1")
        self.bad("--quiet is given twice", "perft", "neighbours", "3", "--quiet", "--quiet")
        self.bad("neighbours has no mode 'paths'", "perft", "neighbours", "3", "--count", "paths")


class Random(CommandTest):
    def test_same_seed_same_games(self):
        one = self.json("random", "neighbours", "--games", "200", "--seed", "3")
        two = self.json("random", "neighbours", "--games", "200", "--seed", "3", "--threads", "2")
        for view in (one, two):
            del view["plies_per_second"]
        self.assertEqual(one, two)
        self.assertEqual(one["first"] + one["second"] + one["draw"] + one["unfinished"], 200)
        out = self.good("random", "neighbours", "--games", "10").split("\n")
        self.assertEqual([line.split()[0] for line in out[:-1]],
                         ["games", "plies", "plies/s", "length", "results", "signature"])

    def test_known_games(self):
        # The same on every machine; a change here means that behaviour has changed.
        view = self.json("random", "neighbours", "--games", "100", "--seed", "1")
        self.assertEqual((view["plies"], view["signature"]), KNOWN_RANDOM)

    def test_bad(self):
        self.bad("--games: '0'", "random", "neighbours", "--games", "0")
        self.bad("--seed: '-4'", "random", "neighbours", "--seed", "-4")


class Best(CommandTest):
    WIN = ("--position", "6/6/6/6/6/wb4 w")

    def test_win(self):
        for engine in ("alphabeta", "mcts"):
            out = self.good("best", "neighbours", *self.WIN, "--nodes", "500", "--engine", engine)
            self.assertRegex(out, r"^line 1 score win.* moves a1b1")
            self.assertTrue(out.endswith("best a1b1\n"))

    def test_json_and_determinism(self):
        args = ("best", "neighbours", "--depth", "6", "--multipv", "3")
        one, two = self.json(*args), self.json(*args)
        self.assertEqual(set(one), {"game", "variant", "depth", "nodes", "seconds", "lines", "best"})
        self.assertEqual((one["nodes"], one["lines"], one["depth"]),
                         (two["nodes"], two["lines"], 6))
        self.assertEqual(len(one["lines"]), 3)
        self.assertEqual(one["lines"][0]["moves"].split()[0], one["best"])

    def test_every_game(self):
        for game in self.json("games"):
            best = self.json("best", game["id"], "--nodes", "2000")["best"]
            # A turn of several moves is printed in full.
            moves = best.split()
            self.assertIn(moves[0], self.json("moves", game["id"])["moves"])
            view = self.json("show", game["id"], "--moves", best)
            self.assertEqual((view["plies"], view["side"]), (len(moves), 1))

    def test_bad(self):
        self.bad("the game is over: no-move", "best", "neighbours", "--position", "b5/6/6/6/6/5w w")
        self.bad("none of alphabeta, mcts", "best", "neighbours", "--engine", "x")
        self.bad("--multipv: '0'", "best", "neighbours", "--multipv", "0")


class Records(CommandTest):
    TEXT = "game neighbours\nmoves a1a2 {hm} ( b1b3 a6a5 ) a6a5 $2\nresult *\n"

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "game.ply")
            with open(path, "w") as file:
                file.write(self.TEXT)
            view = self.json("show", "neighbours", "--file", path, "--moves", "a2a3")
            self.assertEqual(view["plies"], 3)
            out = os.path.join(folder, "out.ply")
            self.good("convert", "neighbours", path, "--to", "ply", "--output", out)
            with open(out) as file:
                once = file.read()
            self.assertEqual(self.good("convert", "neighbours", out, "--to", "ply"), once)
            self.assertEqual(sorted(os.listdir(folder)), ["game.ply", "out.ply"])
            self.bad("/nowhere/x: No such file", "convert", "neighbours", path, "--to", "ply",
                     "--output", "/nowhere/x")
            self.bad("Is a directory", "convert", "neighbours", path, "--to", "ply", "--output", folder)

    def test_output_is_replaced_only_on_success(self):
        with tempfile.TemporaryDirectory() as folder:
            out, link = os.path.join(folder, "out.ply"), os.path.join(folder, "link.ply")
            with open(out, "w") as file:
                file.write("old\n")
            self.bad("line 1", "convert", "neighbours", "--to", "ply", "--output", out, stdin="moves z9\n")
            with open(out) as file:
                self.assertEqual(file.read(), "old\n")
            # A link is followed, not replaced; a device is written to.
            os.symlink("out.ply", link)
            self.good("convert", "neighbours", "--to", "ply", "--output", link, stdin=self.TEXT)
            self.assertTrue(os.path.islink(link))
            with open(out) as file:
                self.assertEqual(file.read(), self.good("convert", "neighbours", "--to", "ply", stdin=self.TEXT))
            self.assertEqual(sorted(os.listdir(folder)), ["link.ply", "out.ply"])
            self.good("convert", "neighbours", "--to", "ply", "--output", "/dev/null", stdin=self.TEXT)
            self.assertFalse(os.path.isfile("/dev/null"))
            self.bad("No space left", "convert", "neighbours", "--to", "ply", "--output", "/dev/full",
                     stdin=self.TEXT)

    def keep_going(self, game, form, text, games, *skipped):
        """Converts a file some games of which cannot be read; skipped: lines on stderr."""
        status, out, err = run("convert", game, "--from", form, "--to", "ply", "--keep-going", stdin=text)
        self.assertEqual((status, out.count("\nresult ")), (1, games), err)
        self.assertEqual(err.splitlines(), ["plyverse convert: " + line for line in skipped])
        self.bad(skipped[0].split("skipped: ")[1], "convert", game, "--from", form, "--to", "ply", stdin=text)

    def test_keep_going(self):
        two_ways = '[Event "%d"]\n[FEN "B:W6,7,14,15,32:B2"]\n1. 2x18 %s *\n\n'
        self.keep_going("checkers", "pdn",
                        two_ways % (1, "15-11") + two_ways % (2, "32-28 {a comment\n[with brackets]\n}") +
                        two_ways % (3, "14-10") + '[Event "4"]\n[GameType "20"]\n[Site "?"]\n1. 32-28 *\n\n' +
                        two_ways % (5, "14-10"), 3,
                        "game 2 skipped: line 7, column 4: ambiguous capture: give the whole path",
                        "game 4 skipped: line 16, column 11: GameType 20 is not a game of 8x8 checkers")
        self.keep_going("shogi", "usi", "position startpos moves 7g7f\nposition startpos moves 7g7e\n"
                        "position startpos moves 2g2f\n", 2,
                        "game 2 skipped: line 2, column 25: 7g7e: the piece does not move that way")
        self.keep_going("neighbours", "ply", self.TEXT + self.TEXT.replace("b1b3", "b1b9") + "\n" + self.TEXT, 2,
                        "game 2 skipped: line 5, column 22: expected a row from 1 to 6 after 'b'")
        self.keep_going("5dchess", "5dpgn", '[Board "Standard"]\n1. e4 / e5\n\n[Board "Standard"]\n1. e5\n\n'
                        '[Board "Small"]\n1. a3\n', 2,
                        "game 2 skipped: line 5, column 4: no piece can make this move, or it would expose a royal "
                        "piece")
        self.keep_going("shogi", "csa", "PI\n+\n+7776FU\n/\nPI\n+\n+7775FU\n/\nPI\n+\n+2726FU\n", 2,
                        "game 2 skipped: line 7, column 2: 7g7e: the piece does not move that way")
        # Where the format shows no beginning of the next game, the rest is lost.
        sgf = "(;GM[4];B[hh];W[%s])\n"
        self.keep_going("gomoku", "sgf", sgf % "hi" + sgf % "hh" + sgf % "ii", 1,
                        "game 2 and all that follow are skipped: line 2, column 17: Black has a stone on h8 already")
        # Nothing is skipped, nothing can be read.
        status, out, err = run("convert", "checkers", "--to", "pdn", "--keep-going", stdin=two_ways % (1, "15-11"))
        self.assertEqual((status, err), (0, ""))
        self.bad("line 3, column 4: ambiguous", "convert", "checkers", "--to", "pdn", "--keep-going",
                 stdin=two_ways % (1, "32-28"))

    def test_missing_files(self):
        self.bad("nosuch.ply: No such file", "show", "neighbours", "--file", "nosuch.ply")
        self.bad("cannot be used together", "show", "neighbours", "--file", "a", "--position", "b")

    def test_convert_json(self):
        import json
        view = json.loads(self.good("convert", "neighbours", "--to", "json", stdin=self.TEXT))
        self.assertEqual([m["move"] for m in view["moves"]], ["a1a2", "a6a5"])
        self.assertEqual(view["moves"][0]["variations"],
                         [[{"move": "b1b3"}, {"move": "a6a5"}]])
        self.assertEqual(view["moves"][1]["nags"], [2])

    def test_escape_sequences(self):
        """They stay in files and pipes, but reach no terminal, be it by a record or by a message."""
        record = 'game neighbours\ntag Event "\033[31mred"\nmoves a1a2 {\033]0;title\a}\nresult *\n'
        self.assertIn("\033]0;title\a", self.good("convert", "neighbours", "--to", "ply", stdin=record))
        leader, follower = pty.openpty()
        done = subprocess.run([PLYVERSE, "convert", "neighbours", "--to", "ply"], input=record.encode(), stdout=follower,
                              stderr=subprocess.PIPE, timeout=600)
        os.close(follower)
        seen = b""
        while b"result" not in seen:
            seen += os.read(leader, 65536)
        os.close(leader)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"?[31mred", seen)
        self.assertIn(b"{?]0;title?}", seen)
        self.assertNotIn(b"\033", seen)
        for arguments in (["convert", "neighbours", "--to", "\033[2J"], ["\033[2J"], ["help", "\033[2J"],
                          ["show", "\033[2J"], ["show", "neighbours", "--file", "\033[2J"]):
            self.bad("?[2J", *arguments)
            self.assertNotIn("\033", run(*arguments)[2])
        for line in ("\033[2J", "level \033[2J"):
            err = run("play", "neighbours", stdin=line + "\n")[2]
            self.assertIn("'?[2J'", err)
            self.assertNotIn("\033", err)

    def test_bad(self):
        self.bad("-: line 1, column 12: Black has no piece on a1", "convert", "neighbours", "--to",
                 "ply", stdin="moves a1a2 a1a2\n")
        self.bad("the file contains no game", "convert", "neighbours", "--to", "ply", "--from", "ply")
        self.bad("--to FORMAT is required", "convert", "neighbours")
        self.bad("no writable format 'pgn'", "convert", "neighbours", "--to", "pgn")
        self.bad("no readable format 'json'", "convert", "neighbours", "--to", "ply", "--from", "json")


class Saved(CommandTest):
    """Shogi positions as 80 bytes."""
    SFEN = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"

    def test_round_trip(self):
        saved = self.good("convert", "shogi", "--from", "sfen", "--to", "shogi80", stdin=self.SFEN + "\n")
        self.assertRegex(saved, "^80:[0-9a-f]{160}\n$")
        self.assertEqual(self.good("convert", "shogi", "--to", "sfen", stdin=saved), self.SFEN + "\n")
        view = self.json("show", "shogi", "--position", saved.strip())
        self.assertEqual(view, self.json("show", "shogi", "--position", self.SFEN))
        # One position per line; capital digits are read too.
        twice = self.good("convert", "shogi", "--from", "shogi80", "--to", "shogi80",
                          stdin=saved + "80:" + saved[3:].upper())
        self.assertEqual(twice, saved * 2)

    def test_bad(self):
        saved = self.good("convert", "shogi", "--from", "usi", "--to", "shogi80",
                          stdin="position startpos\n").strip()
        self.bad("--position: line 1, column 6: piece 2 is at 9, which is not a square", "show", "shogi",
                 "--position", saved[:5] + "09" + saved[7:])
        self.bad("-: line 2, column 163: expected hexadecimal digit 160 of 160", "convert", "shogi",
                 "--from", "shogi80", "--to", "sfen", stdin=saved + "\n" + saved[:-1] + "\n")
        self.bad("-: line 1, column 1: expected '80:'", "convert", "shogi", "--from", "shogi80", "--to",
                 "sfen", stdin=self.SFEN + "\n")


class Conventions(CommandTest):
    def test_help(self):
        self.assertIn("perft", self.good("--help"))
        self.assertEqual(self.good("help", "perft"), self.good("perft", "--help"))
        self.assertIn("--threads N", self.good("perft", "--help"))
        self.assertTrue(self.good("--version").startswith("plyverse "))

    def test_bad_usage(self):
        status, out, err = run()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("Commands:", err)
        self.bad("unknown command 'pertf'", "pertf")
        self.bad("unknown command 'nope'", "help", "nope")
        self.bad("none of man, bash, zsh", "describe", "html")

    def test_bench(self):
        one = self.json("bench", "neighbours", "--repeat", "1")
        two = self.json("bench", "neighbours", "--repeat", "1", "--threads", "1")
        self.assertEqual(one[0]["signature"], two[0]["signature"])
        self.assertGreater(one[0]["perft_per_second"], 0)
        self.bad("no game 'x'", "bench", "x")
        self.bad("--isa: 'v9' is none of plain, v3, v4", "bench", "--isa", "v9")
        levels = self.json("bench", "neighbours", "--repeat", "1", "--threads", "1", "--isa", "all")
        self.assertEqual(levels[0]["isa"], "plain")
        self.assertEqual({level["signature"] for level in levels}, {one[0]["signature"]})

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.fail("no /dev/full here")
        import subprocess
        from command import PLYVERSE
        for args in (["moves", "neighbours"], ["--help"], ["--version"], ["help"], ["help", "perft"],
                     ["perft", "--help"], ["describe", "bash"], ["games"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([PLYVERSE, *args], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2, args)
            self.assertRegex(done.stderr, r"^plyverse[ \w]*: stdout: cannot write the output\n$")

    def test_help_has_examples_that_run(self):
        import re
        import shlex
        import subprocess
        import tempfile
        from command import PLYVERSE
        seconds_long = {"bench"}  # and `serve`, which runs until it is stopped; only parsed here
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PLYVERSE, "convert", "shogi", "--from", "usi", "--to", "kif", "--output", "game.kif"],
                           input="position startpos moves 7g7f 3c3d\n", text=True, cwd=folder, check=True)
            with open(os.path.join(folder, "game.pdn"), "w") as file:
                file.write('[GameType "21"]\n1. 11-15 23-19 *\n')
            env = {**os.environ, "XDG_DATA_HOME": folder}
            for command in re.findall(r"^  ([\w-]+)  ", self.good("--help"), re.M):
                text = self.good(command, "--help")
                self.assertLessEqual(max(map(len, text.split("\nExamples:")[0].splitlines())), 80, command)
                examples = re.findall(r"^  plyverse (.*)$", text.split("\nExamples:\n")[1], re.M)
                self.assertTrue(examples, command)
                for line in examples:
                    words = shlex.split(line)
                    self.assertEqual(words[0], command)
                    if command == "serve" or (command in seconds_long and len(words) == 1):
                        words.append("--help")
                    done = subprocess.run([PLYVERSE, *words], cwd=folder, env=env, input="", text=True,
                                          capture_output=True, timeout=600)
                    self.assertEqual(done.returncode, 0, (line, done.stderr))

    def test_completion(self):
        import subprocess
        from command import PLYVERSE
        script = """
source <("$PLYVERSE" describe bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_plyverse
printf '%s\\n' "${COMPREPLY[@]}"
"""

        def complete(*words):
            return subprocess.run(["bash", "-c", script, "bash", "plyverse", *words], check=True, text=True,
                                  capture_output=True, env={**os.environ, "PLYVERSE": PLYVERSE}).stdout.split()

        games = {game["id"]: game for game in self.json("games")}
        self.assertEqual(complete("best", ""), list(games))
        self.assertEqual(complete("best", "--time", "5", "sh"), ["shogi"])
        self.assertEqual(complete("p"), ["perft", "puzzles", "play"])
        self.assertEqual(complete("help", "p"), ["perft", "puzzles", "play"])
        self.assertEqual(complete("tables", ""), ["build", "verify", "info", "probe"])
        self.assertEqual(complete("tables", "probe", "n"), ["neighbours"])
        self.assertEqual(complete("engine", "u"), ["usi"])
        self.assertEqual(complete("best", "shogi", "--en"), ["--engine"])
        self.assertEqual(complete("play", "--first", "m"), ["mcts"])
        for game, about in games.items():
            ids = {kind: [entry["id"] for entry in about[kind]] for kind in ("variants", "formats", "goals", "modes")}
            self.assertEqual(complete("show", game, "--variant", ""), ids["variants"])
            self.assertEqual(complete("show", game, "--variant", "=", ""), ids["variants"])
            self.assertEqual(complete("convert", game, "x", "--to", ""), ids["formats"])
            self.assertEqual(complete("solve", game, "--goal", ""), ids["goals"])
            self.assertEqual(complete("moves", game, "--mode", ""), ids["modes"])
            self.assertEqual(complete("perft", game, "3", "--count", ""), about["counts"])
        self.assertEqual(complete("engine", "gomocup", "--variant", "ren"), ["renju"])

    def test_progress_in_a_pipe(self):
        import signal
        import subprocess
        import time
        from command import PLYVERSE, wait_for_handler
        # Too deep to finish: after a second there is a plain line, and ctrl-C stops it cleanly.
        with subprocess.Popen([PLYVERSE, "perft", "neighbours", "30", "--progress"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as job:
            line = job.stderr.readline()
            self.assertRegex(line, r"nodes  .*/s  \d+%")
            job.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(timeout=600), 130)
            self.assertIn("stopped", job.stderr.read())
        # Without --progress a pipe gets nothing, however long the job takes.
        with subprocess.Popen([PLYVERSE, "perft", "neighbours", "30"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as job:
            wait_for_handler(job, signal.SIGINT)
            time.sleep(1.5)
            job.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(timeout=600), 130)
            self.assertEqual(job.stderr.read(), "plyverse perft: stopped\n")


KNOWN_RANDOM = (4919, "767e677db8231a8e")

if __name__ == "__main__":
    unittest.main()
