# SPDX-License-Identifier: MIT
"""The Python package: it agrees with the command, and misuse raises exceptions that say what is wrong."""
import copy
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as xml

import plyverse as ply

GAMES = ("5dchess", "shogi", "checkers", "neighbours", "gomoku")


def command(*args):
    return subprocess.run([os.environ["PLYVERSE"], *args], check=True, capture_output=True, text=True).stdout


class Rules(unittest.TestCase):
    def test_games(self):
        self.assertEqual(set(ply.games()), set(GAMES))
        self.assertEqual(list(ply.variants("neighbours")), ["slide", "jump"])
        self.assertEqual(ply.__version__, "0.1.0")

    def test_rules(self):
        renju = ply.Rules("gomoku", "renju")
        self.assertEqual((renju.players, renju.actions), (("Black", "White"), 226))
        self.assertEqual(renju, pickle.loads(pickle.dumps(renju)))
        self.assertEqual(hash(renju), hash(ply.Rules("gomoku", "renju")))
        self.assertNotEqual(renju, ply.Rules("gomoku"))
        self.assertIn("mate", ply.Rules("shogi").goals)
        self.assertIn("kif", ply.Rules("shogi").formats)

    def test_bad(self):
        with self.assertRaisesRegex(ply.Error, "no game 'typo'; the games are 5dchess, shogi"):
            ply.Rules("typo")
        with self.assertRaises(ply.Error) as caught:
            ply.Rules("shogi", "typo")
        self.assertEqual(caught.exception.status, "UNKNOWN_VARIANT")
        for bad in (None, 3, b"shogi"):
            self.assertRaises(TypeError, ply.Rules, bad)
            self.assertRaises(TypeError, ply.State, bad)


class States(unittest.TestCase):
    def test_agrees_with_the_command(self):
        for game in GAMES:
            state = ply.State(game)
            for _ in range(4):
                state.play(state.moves()[-1])
            moves = " ".join(state.history())
            shown = command("moves", game, "--moves", moves).split("\n")
            self.assertEqual(state.moves(), [line for line in shown[:-2] if line in state.moves()], game)
            self.assertEqual(f"moves {len(state.moves())}", shown[-2])
            self.assertIn(f"position {state.position}\n", command("show", game, "--moves", moves))
            self.assertEqual(state.svg(), command("show", game, "--moves", moves, "--svg"))
            self.assertEqual(state._repr_svg_(), state.svg())
            xml.fromstring(state.svg(flipped=True))

    def test_copies(self):
        state = ply.State("shogi", moves=["7g7f", "3c3d"])
        for twin in (state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            self.assertEqual((twin.position, twin.history()), (state.position, ["7g7f", "3c3d"]))
            twin.undo()
            self.assertEqual((twin.plies, state.plies), (1, 2))
        other = ply.State("shogi")
        other.load(state.save())
        self.assertEqual(other.key, state.key)
        other.restart()
        self.assertEqual(other.key, ply.State("shogi").key)

    def test_outcome(self):
        state = ply.State("gomoku", moves="h8 a1 i8 a2 j8 a3 k8 a4")
        self.assertIsNone(state.outcome)
        state.play("l8")
        self.assertEqual((state.outcome.result, state.outcome.winner), ("first", 0))
        self.assertRaisesRegex(ValueError, "over", ply.search, state, depth=2)

    def test_bad(self):
        state = ply.State("shogi")
        with self.assertRaises(ply.Error) as caught:
            state.play("7g7f 9z9z")
        self.assertEqual((caught.exception.line, caught.exception.column), (1, 7))
        self.assertEqual(state.plies, 0)
        self.assertFalse(state.is_legal("7g7e"))
        self.assertTrue(state.is_legal("7g7f"))
        self.assertRaises(IndexError, state.undo)
        self.assertRaises(TypeError, state.play, None)
        self.assertRaises(TypeError, state.play, [None])
        self.assertRaises(TypeError, state.load, 7)
        self.assertRaises(ply.Error, state.load, "nonsense")
        self.assertRaises(ply.Error, ply.State, "shogi", position="nonsense")
        self.assertRaises(ValueError, state.is_legal, "7g\0")


class Counting(unittest.TestCase):
    def test_perft(self):
        state = ply.State("shogi")
        seen = []
        self.assertEqual(ply.perft(state, 4, threads=2, progress=lambda *now: seen.append(now)), 719731)
        self.assertTrue(seen and seen[-1][0] == seen[-1][1])
        self.assertEqual(ply.perft(state, 0), 1)
        self.assertRaises(ValueError, ply.perft, state, -1)
        self.assertRaises(TypeError, ply.perft, state, 1.5)
        self.assertRaises(TypeError, ply.perft, "shogi", 2)

    def test_playouts(self):
        once = ply.playouts(ply.State("checkers"), 200, seed=7)
        self.assertEqual(once, ply.playouts(ply.State("checkers"), 200, seed=7, threads=2))
        self.assertEqual(once.first + once.second + once.draws + once.unfinished, 200)

    def test_tqdm(self):
        class Bar:  # what tqdm's bar has
            n, total = 0, None

            def update(self, count):
                self.n += count

        bar = Bar()
        ply.perft(ply.State("shogi"), 3, progress=ply.tqdm_progress(bar))
        self.assertEqual(bar.n, bar.total)

    def test_exception_stops(self):
        def fail(*_):
            raise ZeroDivisionError

        self.assertRaises(ZeroDivisionError, ply.perft, ply.State("shogi"), 9, progress=fail)
        self.assertRaises(ZeroDivisionError, ply.search, ply.State("shogi"), millis=60_000, listener=fail)
        self.assertRaises(ZeroDivisionError, ply.search, ply.State("shogi"), nodes=10**9, evaluator=fail)
        self.assertRaises(ZeroDivisionError, ply.solve, ply.State("neighbours"), "win", progress=fail)


class Search(unittest.TestCase):
    def test_agrees_with_the_command(self):
        found = ply.search(ply.State("checkers"), depth=9)
        self.assertEqual(command("best", "checkers", "--depth", "9").split()[-1], found.move)
        self.assertEqual((found.depth, found.variations[0].moves[0], found.root), (9, found.move, []))
        self.assertRegex(found.score_text, r"^[+-]\d+\.\d\d$")

    def test_mate(self):
        mate = ply.State("shogi", position="8k/9/7GP/9/9/9/9/9/9 b G2r2b2g4s4n4l17p 1")
        found = ply.search(mate, depth=3)
        self.assertEqual(found.score_text, "win in 1")

    def test_root(self):
        state = ply.State("neighbours")
        found = ply.search(state, kind="mcts", nodes=500, seed=3)
        self.assertEqual({move.move for move in found.root}, set(state.moves()))
        self.assertEqual(max(found.root, key=lambda move: move.visits).move, found.move)
        policy = found.policy(state.rules.actions)
        self.assertAlmostEqual(float(policy.sum()), 1, 5)
        self.assertEqual(int(policy.argmax()), next(m.action for m in found.root if m.move == found.move))
        self.assertEqual(found.policy(state.rules.actions, 0).sum(), 1)

    def test_evaluator(self):
        state = ply.State("neighbours")
        favourite = state.moves()[3]
        roots = []

        def evaluate(leaves):
            for leaf in leaves:
                if leaf.is_root:
                    roots.append(leaf.moves)
                    leaf.priors = [100.0 if move == favourite else 1.0 for move in leaf.moves]
                leaf.value = 0.0
                self.assertEqual(leaf.observe().shape, (3, 6, 6))
                self.assertEqual(len(leaf.actions), len(leaf.moves))
                self.assertRaises(ValueError, setattr, leaf, "priors", [1.0])
                self.assertRaises(ValueError, setattr, leaf, "value", 2)

        found = ply.search(state, evaluator=evaluate, nodes=60)
        self.assertEqual((found.move, roots), (favourite, [state.moves()]))
        priors = {move.move: move.prior for move in found.root}
        self.assertAlmostEqual(sum(priors.values()), 1, 4)
        self.assertGreater(priors[favourite], 0.5)

    def test_bad(self):
        state = ply.State("shogi")
        searcher = ply.Searcher("shogi")
        self.assertRaises(ValueError, searcher.run, ply.State("gomoku"))
        self.assertRaises(TypeError, searcher.run, None)
        self.assertRaises(ply.Error, searcher.run, state, only=["9i9a"])
        self.assertRaises(ValueError, searcher.run, state, only=[])
        self.assertEqual(searcher.run(state, depth=2, only=["9g9f"]).move, "9g9f")
        searcher.close()
        searcher.close()
        self.assertRaisesRegex(ValueError, "closed", searcher.run, state)
        self.assertRaisesRegex(ValueError, "kind", ply.Searcher, "shogi", kind="typo")
        self.assertRaises(TypeError, ply.Searcher, "shogi", evaluator=3)
        self.assertRaises(OSError, ply.Searcher, "shogi", network="/nonexistent")

    def test_stop_from_another_thread(self):
        searcher = ply.Searcher("gomoku")
        thread = threading.Thread(target=lambda: (time.sleep(0.2), searcher.stop()))
        thread.start()
        self.assertIn(searcher.run(ply.State("gomoku"), millis=10**6).move, ply.State("gomoku").moves())
        thread.join()


class Interrupts(unittest.TestCase):
    """ctrl-C ends every kind of long job with KeyboardInterrupt, in a process of its own."""

    def check(self, job):
        program = f"""import os, signal, threading, plyverse as ply
try:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    {job}
except KeyboardInterrupt:
    print('interrupted')
print(ply.search(ply.State('shogi'), depth=1).depth)
try:
    os.kill(os.getpid(), signal.SIGINT)
    while True: pass
except KeyboardInterrupt:
    print('still')"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
        self.assertEqual((done.stdout, done.returncode), ("interrupted\n1\nstill\n", 0), done.stderr)

    def test_interrupts(self):
        for job in ("ply.search(ply.State('shogi'), depth=99)",
                    "ply.search(ply.State('shogi'), nodes=10**12, evaluator=lambda leaves: None)",
                    "ply.solve(ply.State('neighbours'), 'win', memory_mb=64)",
                    "ply.perft(ply.State('shogi'), 12)",
                    "ply.playouts(ply.State('shogi'), 10**9)",
                    "ply.match('shogi', 'alphabeta:depth=5', 'alphabeta:depth=5', 10**6)"):
            with self.subTest(job):
                self.check(job)


class Solving(unittest.TestCase):
    def test_proof(self):
        mate = ply.State("shogi", position="8k/9/7GP/9/9/9/9/9/9 b G2r2b2g4s4n4l17p 1")
        found = ply.solve(mate, "mate", proof=True)
        self.assertEqual((found.verdict, found.length, len(found.moves)), ("win", 1, 1))
        summary = ply.check_proof("shogi", found.proof)
        self.assertEqual((summary.verdict, summary.plies, summary.goal), ("win", 1, "mate"))
        for i in range(len(found.proof)):
            damaged = bytearray(found.proof)
            damaged[i] ^= 1
            with self.assertRaises((ply.Error, OSError)):
                self.assertNotEqual(ply.check_proof("shogi", bytes(damaged)), summary)
                raise ply.Error("another claim that holds")

    def test_unknown(self):
        found = ply.solve(ply.State("neighbours"), "win", nodes=1000)
        self.assertEqual((found.verdict, found.stop_reason, found.proof), ("unknown", "nodes", b""))

    def test_bad(self):
        self.assertRaisesRegex(ValueError, "goals are", ply.solve, ply.State("shogi"), "typo")
        self.assertRaises(TypeError, ply.solve, None)
        self.assertRaises(TypeError, ply.check_proof, "shogi", None)
        self.assertRaises((ply.Error, OSError), ply.check_proof, "shogi", b"")
        self.assertRaises(ply.Error, ply.check_proof, "typo", b"")


class Records(unittest.TestCase):
    def test_round_trip(self):
        for game in GAMES:
            state = ply.State(game)
            for _ in range(6):
                state.play(state.moves()[0])
            record = ply.Record(state, tags={"Event": "Test"})
            for name in record.rules.formats:
                with self.subTest((game, name)):
                    try:
                        written = record.write_bytes(name)
                        again = ply.Record.read(written, game, format=name)
                    except ValueError as error:  # one-way formats, or games a format cannot hold
                        self.assertRegex(str(error), "cannot be|only|no |not ")
                        continue
                    self.assertEqual(again.final_state().position.split()[0], state.position.split()[0])

    def test_convert(self):
        record = ply.Record.read(ply.Record(ply.State("shogi", moves="7g7f 3c3d")).write_bytes("kif"), "shogi")
        self.assertEqual(record.final_state().history(), ["7g7f", "3c3d"])
        self.assertIn("７六歩", record.write("kifu"))
        self.assertRaisesRegex(ValueError, "write_bytes", record.write, "kif")
        self.assertEqual(record.result, "ongoing")

    def test_start(self):
        state = ply.State("checkers", position="B:W18,24:B12,K10")
        state.play(state.moves()[0])
        self.assertEqual(ply.Record.read(ply.Record(state).write("pdn"), "checkers").final_state().position,
                         state.position)

    def test_bad(self):
        self.assertRaises(ply.Error, ply.Record.read, "no game at all", "shogi")
        self.assertRaises(TypeError, ply.Record.read, None, "shogi")
        self.assertRaises(TypeError, ply.Record, None)
        self.assertRaisesRegex(ValueError, "formats are", ply.Record(ply.State("shogi")).write, "typo")


class Tablebases(unittest.TestCase):
    def test_build_and_probe(self):
        with tempfile.TemporaryDirectory() as folder:
            slices, seen = [], []
            ply.build_tablebase("neighbours", folder, up_to="3", listener=slices.append,
                                progress=lambda *now: seen.append(now))
            self.assertTrue(slices and seen)
            table = ply.Tablebase("neighbours", folder)
            self.assertGreater(len(table), 0)
            state = ply.State("neighbours", position="w5/w5/6/6/6/5b w")
            value = table.probe(state)
            self.assertIn(value.result, ("win", "loss", "draw"))
            self.assertIsNone(table.probe(ply.State("neighbours")))
            best = max(table.moves(state).values(), key=lambda v: {"loss": 0, "draw": 1, "win": 2}[v.result])
            self.assertEqual(best.result, value.result)
            self.assertRegex(str(value), "^(won in|lost in|drawn)")
            self.assertRaises(ValueError, table.probe, ply.State("gomoku"))
            table.close()
            self.assertRaisesRegex(ValueError, "closed", table.probe, state)


class Matches(unittest.TestCase):
    def test_match(self):
        states, done = {}, []
        result = ply.match("neighbours", "alphabeta:depth=3", "random:seed=1", 10, seed=5,
                           listener=states.__setitem__, progress=lambda *now: done.append(now))
        self.assertEqual((result.games, len(states), done[-1]), (10, 10, (10, 10)))
        self.assertGreater(result.score, 0.7)
        self.assertEqual(states[0].history()[:2], states[1].history()[:2])  # the same opening, sides exchanged
        own = ply.match("neighbours", lambda state: state.moves()[0], "greedy", 4, seed=5)
        self.assertEqual(own.games, 4)

    def test_elo(self):
        self.assertAlmostEqual(ply.MatchResult(wins=64, losses=36).elo[0], 99.95, 1)
        self.assertEqual(ply.MatchResult(draws=10).elo, (0.0, 0.0))

    def test_bad(self):
        self.assertRaises(ply.Error, ply.Player, "shogi", "typo")
        self.assertRaises(TypeError, ply.match, "shogi", None, "random", 2)
        self.assertRaises(ply.Error, ply.match, "shogi", lambda state: "9z9z", "random", 2)


if __name__ == "__main__":
    unittest.main()
