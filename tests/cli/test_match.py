# SPDX-License-Identifier: MIT
"""plyverse match: games, totals, forfeits, records, and continuing an interrupted match."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import CommandTest, PLYVERSE, run

FAKE = "%s %s" % (sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                               "fake_engine.py"))
# Generous enough for a busy machine; tests of time limits set their own.
SLACK = ["--time", "20000", "--margin", "20000"]


def fake(protocol, *fault):
    return "%s:exec %s %s %s" % (protocol, FAKE, protocol, " ".join(fault))


class MatchTest(CommandTest):
    def match(self, game, first, second, games, *more, status=0):
        """Plays a match and returns its JSON."""
        got, out, err = run("match", game, "--first", first, "--second", second, "--games",
                            str(games), "--quiet", "--json", *more)
        self.assertEqual((got, err), (status, ""))
        return json.loads(out)


class BuiltIn(MatchTest):
    def test_final_lines(self):
        out = self.good("match", "neighbours", "--first", "alphabeta:depth=3", "--second", "random",
                        "--games", "10", "--quiet").splitlines()
        self.assertEqual(out[0], "games 10")
        self.assertIn("first alphabeta:depth=3", out)
        self.assertIn("forfeits first time 0 illegal 0 crash 0", out)
        self.assertRegex(out[-2], r"^elo (\+|-)(inf|\d+\.\d) \+- (inf|\d+\.\d)$")
        score = re.match(r"^score (\d+)-(\d+)-(\d+)$", out[-1])
        self.assertEqual(sum(int(n) for n in score.groups()), 10)
        self.assertGreaterEqual(int(score.group(1)), 9)

    def test_json_adds_up(self):
        m = self.match("checkers", "alphabeta:depth=2", "greedy", 12, "--concurrency", "3")
        self.assertEqual(m["wins"] + m["losses"] + m["draws"], 12)
        self.assertEqual(sum(m["pairs"]), 6)
        self.assertEqual(sum(r["points"] for r in m["results"]), m["wins"] + m["draws"] / 2)
        self.assertEqual([r["game"] for r in m["results"]], list(range(1, 13)))
        for one, two in zip(m["results"][::2], m["results"][1::2]):
            self.assertEqual(one["opening"], two["opening"])
            self.assertTrue(one["opening"])

    def test_tables(self):
        """With tablebases on both sides a won ending takes exactly the plies they say; see docs/tablebases.md."""
        with tempfile.TemporaryDirectory() as folder:
            path, journal = os.path.join(folder, "o.txt"), os.path.join(folder, "j")
            with open(path, "w") as file:
                file.write("B:WK14:BK1,K2\n")  # won in 33, the most with two kings against one
            self.good("tables", "build", "checkers", "--up-to", "3", "--dir", folder, "--quiet")
            ours = "alphabeta:depth=1"
            rest = ["--openings", path, "--max-plies", "100"]
            m = self.match("checkers", ours, ours, 2, *rest, "--tables", folder, "--journal", journal)
            self.assertEqual([(r["points"], r["plies"], r["reason"]) for r in m["results"]],
                             [(1, 33, "no-pieces"), (0, 33, "no-pieces")])
            m = self.match("checkers", ours, ours, 2, *rest, "--tables", "none")
            self.assertNotIn(33, [r["plies"] for r in m["results"]])
            m = self.match("checkers", ours, ours, 2, *rest, "--tables", "none", "--first-tables", folder)
            self.assertGreater(m["wins"], m["losses"])
            again = ["match", "checkers", "--first", ours, "--second", ours, *rest, "--games", "4", "--quiet",
                     "--journal", journal, "--resume"]
            self.bad("tables", *again, "--tables", "none")  # another match
            self.good(*again, "--tables", folder)
            self.bad("--second-tables: only built-in engines use tablebases", "match", "checkers", "--first", ours,
                     "--second", fake("hub"), "--second-tables", folder, "--quiet")
            self.bad("--first-tables: /no/such: No such file", "match", "checkers", "--first", ours, "--second",
                     ours, "--first-tables", "/no/such", "--quiet")

    def test_openings(self):
        with tempfile.TemporaryDirectory() as folder:
            path, saved = os.path.join(folder, "o.txt"), os.path.join(folder, "g.ply")
            with open(path, "w") as file:
                file.write("moves a1a2\nmoves b1b3 b6b4 # second\n")
            self.match("neighbours", "random", "random", 4, "--openings", path, "--save", saved)
            with open(saved) as file:
                moves = re.findall(r"^moves (\S+ \S+)", file.read(), re.M)
            self.assertEqual([m.split()[0] for m in moves], ["a1a2", "a1a2", "b1b3", "b1b3"])
            # Records can be openings too, up to a chosen ply.
            again = os.path.join(folder, "h.ply")
            self.match("neighbours", "random", "random", 4, "--openings", saved,
                       "--opening-plies", "2", "--save", again, "--seed", "7")
            with open(again) as file:
                reused = re.findall(r"^moves (\S+ \S+)", file.read(), re.M)
            self.assertEqual(reused, [moves[0], moves[0], moves[1], moves[1]])
            self.match("neighbours", "random", "random", 4, "--openings", "random", "--balance", "30,200", "--save", saved)
            for balance, openings, message in (("9", path, "add --openings random"), ("-1", "random", "must not be negative"),
                                               ("1,2,3", "random", "malformed")):
                self.bad(message, "match", "neighbours", "--first", "random", "--second", "random", "--balance", balance,
                         "--openings", openings)
            with open(path, "w") as file:
                file.write("moves a1a2\nmoves a1a1\n")
            self.bad("o.txt: line 2, column 1", "match", "neighbours", "--first", "random",
                     "--second", "random", "--openings", path)

    def test_records(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.pdn")
            m = self.match("checkers", "alphabeta:depth=2", "greedy", 6, "--save", path,
                           "--concurrency", "2", "--first-name", "Deep", "--second-name", "Greed")
            with open(path) as file:
                text = file.read()
            self.assertEqual(re.findall(r'\[Round "(\d+)"\]', text), list("123456"))
            self.assertEqual(re.findall(r'\[Black "(\w+)"\]', text), ["Deep", "Greed"] * 3)
            games = self.good("convert", "checkers", path, "--to", "ply")
            results = re.findall(r"^result (\S+)", games, re.M)
            names = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}
            self.assertEqual(results, [names[r["result"]] for r in m["results"]])

    def test_adjudication(self):
        m = self.match("checkers", "random", "random", 4, "--max-plies", "5")
        self.assertEqual({r["reason"] for r in m["results"]}, {"max-plies"})
        self.assertEqual((m["draws"], m["plies"]), (4, 20))
        m = self.match("checkers", "alphabeta:depth=4", "alphabeta:depth=1", 4, "--resign",
                       "2,150")
        self.assertIn("score", {r["reason"] for r in m["results"]})
        self.assertGreaterEqual(m["wins"], 3)
        m = self.match("checkers", "alphabeta:depth=2", "alphabeta:depth=2", 2, "--draw",
                       "10,4,10000")
        self.assertEqual({r["reason"] for r in m["results"]}, {"even"})

    def test_sprt(self):
        m = self.match("neighbours", "alphabeta:depth=4", "random", 400, "--sprt", "0,100")
        self.assertEqual(m["sprt"]["accepted"], "H1")
        self.assertLess(m["games"], 100)
        self.assertGreater(m["sprt"]["llr"], 2.94)
        m = self.match("neighbours", "random", "alphabeta:depth=4", 400, "--sprt", "0,100",
                       status=1)
        self.assertEqual(m["sprt"]["accepted"], "H0")

    def test_levels_in_best_and_play(self):
        best = self.json("best", "checkers", "--level", "3")
        self.assertEqual(best["depth"], 2)
        moves = {self.json("best", "checkers", "--level", "1", "--seed", str(s))["best"]
                 for s in range(20)}
        self.assertGreater(len(moves), 2)
        self.bad("--level", "best", "checkers", "--level", "11")
        out = self.good("play", "neighbours", "--first", "engine:level=2", "--second", "mcts",
                        "--level", "3", "--max-plies", "6")
        self.assertIn("   score ", out)

    def test_bad(self):
        def bad(words, *args):
            self.bad(words, "match", "gomoku", *args)
        bad("--first ENGINE is required")
        bad("'bob' is none of", "--first", "bob", "--second", "random")
        bad("protocol usi is for shogi", "--first", "usi:x", "--second", "random")
        bad("no command after 'ply:'", "--first", "ply: ", "--second", "random")
        bad("column 17", "--first", "alphabeta:depth=", "--second", "random")
        both = ["--first", "random", "--second", "random"]
        bad("--time cannot be used together with", *both, "--time", "5", "--clock", "5")
        bad("--clock: 'x'", *both, "--clock", "x")
        bad("--sprt", *both, "--sprt", "5,0")
        bad("--resign", *both, "--resign", "5")
        bad("--resume requires", *both, "--resume")
        bad("--openings builtin", *both, "--openings", "builtin", "--variant", "freestyle:width=9,height=9")
        bad("no such", *both, "--openings", "/nowhere.txt".replace("/nowhere", "/no such"))
        self.bad("has no pass", "match", "gomoku", "--variant", "renju", "--first",
                 "gomocup:x", "--second", "random")


class Programs(MatchTest):
    def forfeits(self, protocol, fault, reason, detail, *more):
        """The fault loses the game for that reason, and the remaining games are still played."""
        limits = more or SLACK
        m = self.match("gomoku", fake(protocol, fault, "2"), "random", 2, *limits, "--openings",
                       "random", "--opening-plies", "2")
        self.assertEqual((m["games"], m["losses"]), (2, 2), m)
        for r in m["results"]:
            self.assertEqual((r["reason"], r["points"]), (reason, 0), r)
            self.assertRegex(r["detail"], detail)
            # An opening of 2, then 2 moves each; the opponent began every other game.
            self.assertEqual(r["plies"], 6 if r["game"] % 2 else 7)
        return m

    def test_play(self):
        for protocol in "ply", "gomocup":
            m = self.match("gomoku", fake(protocol), "random", 4, *SLACK, "--concurrency", "2")
            self.assertEqual({r["reason"] for r in m["results"]} - {"row", "full"}, set())
            self.assertEqual(m["engines"][0]["crash"], 0)

    def test_crashes(self):
        for protocol in "ply", "gomocup":
            self.forfeits(protocol, "exit", "crash", "^exit 3$")
        m = self.forfeits("ply", "signal", "crash", "^signal 11$")
        self.assertEqual(m["engines"][0]["crash"], 2)
        self.assertEqual(m["results"][0]["fault"], "first")
        self.forfeits("gomocup", "close", "crash", "^closed its output$")
        self.forfeits("ply", "chatter", "crash", "^closed its output$")

    def test_illegal_moves(self):
        m = self.forfeits("ply", "illegal", "illegal-move", r"^[a-o]\d+$")
        self.assertEqual(m["engines"][0]["illegal"], 2)
        self.forfeits("gomocup", "illegal", "illegal-move", r"^[a-o]\d+$")
        self.forfeits("gomocup", "nonsense", "illegal-move", "^99,99$")
        self.forfeits("ply", "nonsense", "illegal-move", r"^\?+$")

    def test_resigning_and_claiming(self):
        self.forfeits("ply", "resign", "resign", "^$")
        self.forfeits("ply", "claim", "false-claim", "^$")

    def test_time(self):
        m = self.forfeits("ply", "hang", "time", r"^\d+ ms$", "--time", "3000", "--margin", "1")
        self.assertEqual(m["engines"][0]["time"], 2)

    def test_clock_runs_out(self):
        # At 0.2 s per move, a clock of 3 s without increment lasts 15 moves at most.
        m = self.match("gomoku", fake("ply", "slow"), "random", 1, "--clock", "3000", "--margin",
                       "1", "--seed", "3")
        self.assertEqual(m["results"][0]["reason"], "time")
        self.assertGreater(m["results"][0]["plies"], 6)
        self.assertLess(m["results"][0]["plies"], 40)

    def test_never_ready(self):
        for spec, words in ((fake("ply", "refuse"), "did not get ready: exit 1"),
                            (fake("gomocup", "refuse"), "said: ERROR too tired"),
                            ("ply:/no/such/program", "did not get ready: exit 127")):
            self.bad(words, "match", "gomoku", "--first", spec, "--second", "random", "--games",
                     "3", "--quiet")
        self.bad("not ready in time", "match", "gomoku", "--first", "random", "--second",
                 fake("ply", "mute"), "--games", "3", "--quiet", "--patience", "3000")

    def test_complaints_about_info(self):
        for fault in "grumble", "forgetful":
            m = self.match("gomoku", fake("gomocup", fault), "random", 2, *SLACK)
            self.assertEqual({r["reason"] for r in m["results"]} - {"row", "full"}, set())
            self.assertEqual(m["engines"][0]["crash"], 0)
        # About a move they are fatal the second time.
        self.forfeits("gomocup", "error", "crash", "^said: ERROR no idea$")
        m = self.match("gomoku", fake("gomocup", "deaf"), "random", 1, "--time", "2000", "--margin", "1")
        self.assertEqual((m["results"][0]["reason"], m["results"][0]["detail"]),
                         ("crash", "said: ERROR unsupported TIME_LEFT"))

    def test_movetime(self):
        """USI programs known to understand movetime are sent it, and others on request."""
        for name, more, wanted in (("Fake", [], "go btime 0 wtime 0 byoyomi 20000"),
                                   ("Fake", ["--first-go", "movetime"], "go movetime 20000"),
                                   ("YaneuraOu-x", [], "go movetime 20000"),
                                   ("Fairy-Stockfish", ["--first-go", "byoyomi"],
                                    "go btime 0 wtime 0 byoyomi 20000")):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "log")
                self.match("shogi", fake("usi", name), "random", 1, *SLACK, "--log", path, *more)
                with open(path) as file:
                    sent = [line.split(" < ", 1)[1].rstrip("\n") for line in file if " < " in line]
                self.assertIn(wanted, sent)
        self.bad("--second-go: 'x' is neither", "match", "shogi", "--first", "random", "--second",
                 "random", "--second-go", "x")

    def test_cpu_time(self):
        """Waiting costs nothing on a clock of CPU time; working does."""
        clock = ["--clock", "1000", "--margin", "1", "--max-plies", "24", "--cpu-time"]
        m = self.match("gomoku", fake("ply", "slow"), "random", 1, *clock)
        self.assertEqual(m["results"][0]["reason"], "max-plies")
        m = self.match("gomoku", fake("ply", "burn"), "random", 1, *clock)
        self.assertEqual((m["results"][0]["reason"], m["results"][0]["fault"]), ("time", "first"))
        self.assertLess(m["results"][0]["plies"], 20)

    def test_cpu_time_of_our_engines(self):
        for game, protocol, told in (("gomoku", "ply", "setoption name CpuTime value true"),
                                     ("gomoku", "gomocup", "INFO cpu_time 1"),
                                     ("shogi", "usi", "setoption name CpuTime value true"),
                                     ("checkers", "hub", 'set-param name=cputime value="true"')):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "log")
                m = self.match(game, "%s:exec %s engine %s" % (protocol, PLYVERSE, protocol), "alphabeta",
                               2, "--time", "30", "--cpu-time", "--max-plies", "12", "--log", path, "--margin", "500")
                self.assertEqual([(e["time"], e["crash"]) for e in m["engines"]], [(0, 0)] * 2)
                with open(path) as file:
                    self.assertIn(told, [line.split(" < ", 1)[1].rstrip("\n") for line in file if " < " in line])

    def test_scores_of_programs_count(self):
        m = self.match("gomoku", fake("ply", "gloomy"), "random", 2, *SLACK, "--resign", "3,400")
        self.assertEqual({(r["reason"], r["points"]) for r in m["results"]}, {("score", 0)})

    def test_conversation(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log")
            with open(os.path.join(folder, "o.txt"), "w") as file:
                file.write("moves h8 h9\n")
            self.match("gomoku", fake("gomocup"), "random", 1, "--log", path, "--time", "20000",
                       "--openings", os.path.join(folder, "o.txt"), "--first-set",
                       "max_memory=1000,folder=/x", "--max-plies", "6")
            with open(path) as file:
                lines = [line.split(" ", 1)[1] for line in file]
            sent = [line.split(" < ", 1)[1].rstrip("\n") for line in lines if " < " in line]
            self.assertEqual(sent[:5], ["START 15", "INFO rule 0", "INFO game_type 1",
                                        "INFO max_memory 1000", "INFO folder /x"])
            self.assertEqual(sent[5:12], ["INFO timeout_turn 20000", "INFO timeout_match 0",
                                          "INFO time_left 2147483647", "BOARD", "7,7,1", "7,6,2",
                                          "DONE"])
            # What has not changed is not sent again.
            self.assertRegex(sent[12], r"^TURN \d+,\d+$")
            self.assertEqual(sent[13:], ["END"])
            # Each move takes longer than the increment, so that its clock always changes.
            self.match("gomoku", fake("gomocup", "slow"), "random", 1, "--log", path, "--clock", "20000+7",
                       "--openings", os.path.join(folder, "o.txt"), "--max-plies", "8")
            with open(path) as file:
                sent = [line.split(" < ", 1)[1].rstrip("\n") for line in file if " < " in line]
            self.assertEqual(sent[3:6], ["INFO timeout_match 20007", "INFO timeout_turn 20007",
                                         "INFO time_left 20000"])
            self.assertEqual([s.split()[1] for s in sent[6:] if s.startswith("INFO")],
                             ["time_left"] * 2)
            self.match("gomoku", fake("ply"), "random", 1, "--log", path, "--clock", "20000+500",
                       "--openings", os.path.join(folder, "o.txt"), "--first-set", "Style=calm",
                       "--max-plies", "3", "--depth", "4")
            with open(path) as file:
                sent = [line.split(" < ", 1)[1].rstrip("\n") for line in file if " < " in line]
            self.assertEqual(sent, ["ply", "game gomoku freestyle",
                                    "setoption name Style value calm", "isready", "newgame",
                                    "position start moves h8 h9",
                                    "go time1 20000 time2 20000 inc1 500 inc2 500 depth 4",
                                    "gameover draw", "quit"])


class RealEngines(MatchTest):
    """Driven over any protocol, our engine plays the same games as in this process."""

    def test_protocols(self):
        for game, protocol, variant, plies in (("shogi", "usi", "standard", 40),
                                               ("gomoku", "gomocup", "freestyle", 60),
                                               ("gomoku", "gomocup", "renju:pass=no", 60),
                                               ("checkers", "hub", "english", 80),
                                               ("checkers", "hub", "russian", 80),
                                               ("neighbours", "ply", "jump", 60),
                                               ("5dchess", "ply", "standard", 12)):
            with self.subTest(game=game, protocol=protocol, variant=variant):
                with tempfile.TemporaryDirectory() as folder:
                    records = []
                    for first in ("%s:%s engine %s" % (protocol, PLYVERSE, protocol),
                                  "alphabeta:hash=64"):
                        path = os.path.join(folder, "g.ply")
                        m = self.match(game, first, "greedy", 2, "--depth", "1", "--variant",
                                       variant, "--max-plies", str(plies), "--save", path,
                                       "--first-name", "engine")
                        self.assertEqual([m["engines"][0][k] for k in ("time", "illegal", "crash")],
                                         [0, 0, 0], m)
                        self.assertGreater(m["plies"], 10)
                        with open(path) as file:
                            records.append(re.sub(r"(?m)^(tag|time).*$|\{.*?\}", "", file.read()))
                    if protocol != "gomocup":  # max_depth is an extension of the protocol
                        self.assertEqual(records[0], records[1])


class Resuming(MatchTest):
    # Deterministic, and slow enough to be killed in the middle.
    ENGINES = ("alphabeta:depth=6", "alphabeta:level=6,seed=5")

    def command(self, journal, *more):
        return ["match", "neighbours", "--first", self.ENGINES[0], "--second", self.ENGINES[1],
                "--games", "30", "--quiet", "--json", "--concurrency", "2", "--journal", journal,
                *more]

    def test_killed_match_leaves_no_engine(self):
        def engines():
            found = []
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        words = file.read().split(b"\0")
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if mark.encode() in words and sys.executable.encode() in words:
                    found.append(int(pid))
            return found

        with tempfile.TemporaryDirectory() as mark:
            # An engine that reads nothing for ten minutes, so that it does not notice that the match is gone.
            player = fake("ply", "hang", "0", mark)
            command = [PLYVERSE, "match", "gomoku", "--first", player, "--second", player, "--games", "2", *SLACK]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as match:
                while match.poll() is None and not os.listdir(mark):
                    time.sleep(0.01)
                self.assertIsNone(match.poll())
                self.assertTrue(engines())
                match.kill()
            deadline = time.monotonic() + 600
            while engines() and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertEqual(engines(), [])

    def test_killed_in_the_middle(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = json.loads(self.good(*self.command(os.path.join(folder, "whole"))))
            journal = os.path.join(folder, "j")
            saved = os.path.join(folder, "g.ply")
            kills = 0
            for wanted in 3, 8, 14:
                with subprocess.Popen([PLYVERSE, *self.command(journal, "--resume")],
                                      stdout=subprocess.DEVNULL) as job:
                    until = time.monotonic() + 600
                    while job.poll() is None and time.monotonic() < until:
                        if os.path.exists(journal):
                            with open(journal) as file:
                                if file.read().count("\n") >= 12 + wanted:
                                    break
                        time.sleep(0.002)
                    if job.poll() is None:
                        job.send_signal(signal.SIGKILL)
                        kills += 1
            self.assertGreater(kills, 0)
            with open(journal, "a") as file:
                file.write("7\tfirst\trules\tno-mo")  # what a kill leaves of a line
            resumed = json.loads(self.good(*self.command(journal, "--resume", "--save", saved)))
            self.assertEqual(resumed, whole)
            with open(saved) as file:
                self.assertEqual(file.read().count("\nresult "), 30)
            # All games are played: the answer is the same. The number of games may grow.
            self.assertEqual(json.loads(self.good(*self.command(journal, "--resume"))), whole)
            more = [a if a != "30" else "34" for a in self.command(journal, "--resume")]
            self.assertEqual(json.loads(self.good(*more))["results"][:30], whole["results"])

    def test_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "j")
            command = ["match", "neighbours", "--first", "random", "--second", "greedy", "--games",
                       "4", "--quiet", "--journal", journal]
            self.good(*command)
            self.bad("the file exists; continue it with --resume", *command)
            self.bad("'seed 1', not 'seed 2'", *command, "--resume", "--seed", "2")
            self.bad("another match", *command, "--resume", "--max-plies", "7")
            with open(journal) as file:
                text = file.read()
            with open(journal, "w") as file:
                file.write(text.replace("\tfirst\t", "\tdraw\t").replace("\tsecond\t", "\tdraw\t"))
            self.bad("damaged", *command, "--resume")
            with open(journal, "w") as file:
                file.write("something else\n")
            self.bad("not a match journal", *command, "--resume")
            with open(journal) as file:
                self.assertEqual(file.read(), "something else\n")

    def test_interrupt(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "j")
            command = [PLYVERSE, "match", "shogi", "--first", "alphabeta", "--second", "alphabeta",
                       "--time", "100000", "--journal", journal, "--quiet"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as job:
                while not os.path.exists(journal):
                    time.sleep(0.01)
                time.sleep(0.5)
                job.send_signal(signal.SIGINT)
                out, err = job.communicate(timeout=600)
                self.assertEqual(job.returncode, 130)
                self.assertEqual(err, "plyverse match: stopped\n")
                self.assertTrue(out.endswith("score 0-0-0\n"), out)


class Standings(MatchTest):
    def test_running_standings(self):
        # On a terminal, the standings overwrite themselves.
        import pty
        leader, follower = pty.openpty()
        with subprocess.Popen([PLYVERSE, "match", "neighbours", "--first", "random", "--second",
                               "mcts:nodes=3000", "--games", "10"], stdout=subprocess.DEVNULL,
                              stderr=follower) as job:
            os.close(follower)
            seen = b""
            try:
                while True:
                    piece = os.read(leader, 4096)
                    if not piece:
                        break
                    seen += piece
            except OSError:
                pass
            self.assertEqual(job.wait(timeout=600), 0)
        os.close(leader)
        self.assertIn(b"engine ", seen)
        self.assertIn(b"of 10 games  elo ", seen)


if __name__ == "__main__":
    unittest.main()
