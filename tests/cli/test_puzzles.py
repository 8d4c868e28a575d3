# SPDX-License-Identifier: MIT
"""plyverse puzzles, and the puzzles of the web app: every solution is proved again and the proof checked."""
import glob
import json
import os
import tempfile
import unittest

import command

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONG = os.environ.get("PLY_TIER") == "long"


def shipped():
    for path in sorted(glob.glob(os.path.join(ROOT, "web", "puzzles", "*.json"))):
        if os.path.basename(path) != "index.json":
            with open(path, encoding="utf-8") as file:
                yield from json.load(file)


def after(puzzle, moves):
    """The legal moves after some moves."""
    status, out, _ = command.run("moves", puzzle["game"], "--variant", puzzle["variant"], "--position",
                                 puzzle["position"], "--moves", " ".join(moves), "--json")
    assert status == 0, out
    found = json.loads(out)
    return found["moves"] if found["result"] == "ongoing" else []


def wins(puzzle, moves):
    """Whether the game is over after these moves, and won by the player who made the last one."""
    status, out, _ = command.run("moves", puzzle["game"], "--variant", puzzle["variant"], "--position",
                                 puzzle["position"], "--moves", " ".join(moves), "--json")
    assert status == 0, out
    found = json.loads(out)
    return found["result"] == ("second" if found["side"] == 0 else "first")


class Puzzles(command.CommandTest):
    def test_the_same_seed_gives_the_same_puzzles(self):
        first = self.good("puzzles", "neighbours", "--count", "1", "--nodes", "5000", "--games", "30")
        self.assertEqual(first, self.good("puzzles", "neighbours", "--count", "1", "--nodes", "5000", "--games", "30"))

    def test_bad_usage(self):
        for args, words in ((["5dchess"], "several moves"), (["shogi", "--goal", "x"], "no goal"), (["chess"], "chess"),
                            (["shogi", "--count", "0"], "--count"), (["shogi", "--from", "/no/such/file"], "/no/such")):
            status, _, err = command.run("puzzles", *args)
            self.assertEqual(status, 2)
            self.assertIn(words, err)

    def test_index(self):
        with open(os.path.join(ROOT, "web", "puzzles", "index.json"), encoding="utf-8") as file:
            counts = json.load(file)
        self.assertEqual(sum(counts.values()), len(list(shipped())))
        self.assertGreater(sum(counts.values()), 0)

    def test_every_solution_is_proved(self):
        puzzles = list(shipped())
        for puzzle in puzzles if LONG else puzzles[:3]:
            with tempfile.TemporaryDirectory() as folder:
                proof = os.path.join(folder, "proof")
                status, out, err = command.run("solve", puzzle["game"], "--variant", puzzle["variant"], "--goal",
                                               puzzle["goal"], "--position", puzzle["position"], "--shortest",
                                               "--proof", proof, "--quiet")
                self.assertEqual(status, 0, (puzzle, out, err))
                self.assertIn(f"plies {puzzle['plies']}", out)
                self.assertIn("proved win", self.good("check-proof", puzzle["game"], proof))

    def test_short_solutions_are_unique_by_brute_force(self):
        """Neighbours in three plies: after every other first move some answer leaves no immediate win."""
        short = [p for p in shipped() if p["game"] == "neighbours" and p["plies"] == 3]
        for puzzle in short if LONG else short[:1]:
            solution = puzzle["solution"].split()[0]
            for move in after(puzzle, []):
                answers = after(puzzle, [move])
                forced = bool(answers) and all(
                    any(wins(puzzle, [move, answer, last]) for last in after(puzzle, [move, answer]))
                    for answer in answers)
                self.assertEqual(forced, move == solution, (puzzle, move))


if __name__ == "__main__":
    unittest.main()
