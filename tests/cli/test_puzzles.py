# SPDX-License-Identifier: MIT
"""plyverse puzzles, and the files of puzzles of the web app: solved again by the command, and their proofs checked. The
programs' own proofs and brute force are in tests/puzzle."""
import glob
import json
import os
import random
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


class Puzzles(command.CommandTest):
    def puzzles(self, *args):
        return [json.loads(line) for line in self.good("puzzles", *args).splitlines()]

    def test_the_same_seed_gives_the_same_puzzles(self):
        args = ("shogi", "--goal", "mate", "--nodes", "3000", "--random", "100")
        first = self.puzzles(*args, "--count", "2")
        self.assertEqual(len(first), 2)
        self.assertEqual(first, self.puzzles(*args, "--count", "2"))
        self.assertEqual(first[:1], self.puzzles(*args, "--count", "1"))

    def test_the_length_is_as_asked(self):
        for puzzle in self.puzzles("gomoku", "--goal", "vcf", "--start", "h8 i9", "--min", "5", "--max", "7", "--count",
                                   "2"):
            self.assertIn(puzzle["plies"], (5, 7))
            self.assertEqual(len(puzzle["solution"].split()), puzzle["plies"])

    def test_turns_of_several_moves(self):
        puzzles = self.puzzles("5dchess", "--variant", "very-small", "--goal", "mate", "--longest", "40", "--random",
                               "30", "--player-nodes", "100", "--nodes", "2000", "--count", "3", "--games", "100")
        self.assertEqual(len(puzzles), 3)
        for puzzle in puzzles:
            self.assertNotIn("plies", puzzle)
            self.assertEqual(puzzle["solution"].split().count("submit"), 2 * puzzle["turns"] - 1)

    def test_endings_from_tablebases(self):
        with tempfile.TemporaryDirectory() as folder:
            self.good("tables", "build", "checkers", "--up-to", "3", "--dir", folder, "--quiet")
            args = ("checkers", "--tables", folder, "--random", "100", "--min", "7", "--max", "41", "--count", "3")
            for puzzle in self.puzzles(*args):
                out = json.loads(self.good("tables", "probe", "checkers", "--dir", folder, "--position",
                                           puzzle["position"], "--json"))
                wins = [move["move"] for move in out["moves"] if move.get("result") == "win"]
                self.assertEqual(wins, puzzle["solution"].split()[:1], puzzle)
            self.bad("no tablebases", "puzzles", "shogi", "--tables", folder)
            self.bad("no tablebases", "puzzles", "checkers", "--variant", "thai", "--tables", folder)

    def test_bad_usage(self):
        for args, words in ((["5dchess", "--unique", "line"], "several moves"), (["shogi", "--goal", "x"], "no goal"),
                            (["chess"], "chess"), (["shogi", "--unique", "x"], "neither first nor line"),
                            (["shogi", "--count", "0"], "--count"), (["shogi", "--random", "101"], "--random"),
                            (["shogi", "--min", "64"], "--min"), (["shogi", "--start", "9z9z"], "--start"),
                            (["shogi", "--from", "/no/such/file"], "/no/such")):
            self.bad(words, "puzzles", *args)

    def test_games_from_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games")
            with open(path, "w", encoding="utf-8") as file:
                file.write("no record\n")
            self.bad("not a record of Shogi in any format", "puzzles", "shogi", "--from", path)
            given = next(puzzle for puzzle in shipped() if puzzle["game"] == "shogi")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"position sfen {given['position']} moves {given['solution']}\n")
            found = self.puzzles("shogi", "--goal", "mate", "--unique", "line", "--from", path)
            self.assertEqual([puzzle["position"] for puzzle in found], [given["position"]])

    def test_index(self):
        with open(os.path.join(ROOT, "web", "puzzles", "index.json"), encoding="utf-8") as file:
            counts = json.load(file)
        self.assertEqual(sum(counts.values()), len(list(shipped())))
        self.assertGreater(sum(counts.values()), 0)

    def test_every_solution_is_proved(self):
        puzzles = list(shipped())
        for puzzle in puzzles if LONG else random.Random(22).sample(puzzles, 3):
            with tempfile.TemporaryDirectory() as folder:
                proof = os.path.join(folder, "proof")
                status, out, err = command.run("solve", puzzle["game"], "--variant", puzzle["variant"], "--goal",
                                               puzzle["goal"], "--position", puzzle["position"], "--proof", proof,
                                               "--quiet")
                self.assertEqual(status, 0, (puzzle, out, err))
                self.assertIn("proved win", self.good("check-proof", puzzle["game"], proof))


if __name__ == "__main__":
    unittest.main()
