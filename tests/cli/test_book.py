# SPDX-License-Identifier: MIT
"""plyverse book, and --book of the commands that play."""
import os
import tempfile
import unittest

from command import CommandTest


class Book(CommandTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "a.book")

    def build(self, *more):
        return self.good("book", "build", "neighbours", "--out", self.path, "--nodes", "300", "--positions", "30", *more)

    def test_build_show_and_play(self):
        out = self.build()
        self.assertRegex(out, r"^positions \d+\nexpanded \d+\n$")
        self.assertEqual(self.build(), "complete\n")
        shown = self.json("book", "show", "neighbours", "--book", self.path)
        best = shown["moves"][0]
        near = [move["move"] for move in shown["moves"] if best["score"] - move["score"] <= 10]
        self.assertGreaterEqual(shown["positions"], 30)
        answer = self.json("best", "neighbours", "--book", self.path, "--nodes", "2000")
        self.assertIn(answer["best"], near)
        self.assertEqual(answer["nodes"], 1)
        self.assertGreater(self.json("best", "neighbours", "--book", "none", "--nodes", "2000")["nodes"], 1)
        out = self.good("play", "neighbours", "--first", "engine", "--book", self.path, "--nodes", "500", "--max-plies", "1")
        self.assertTrue(any(move in out for move in near))
        self.good("match", "neighbours", "--first", f"alphabeta:nodes=200,book={self.path}", "--second", "random", "--games",
                  "2", "--quiet")

    def test_mistakes(self):
        self.bad("needs --out FILE", "book", "build", "neighbours")
        self.bad("needs --book FILE", "book", "show", "neighbours")
        self.bad("neither build nor show", "book", "burn", "neighbours")
        self.bad("No such file", "best", "neighbours", "--book", "missing.book")
        self.build()
        self.bad("other rules", "book", "show", "checkers", "--book", self.path)
        self.bad("was built with 300 nodes", "book", "build", "neighbours", "--out", self.path, "--nodes", "400")
        self.bad("other rules", "match", "checkers", "--first", f"alphabeta:book={self.path}", "--second", "random")
        self.bad("expected the path of a book", "match", "checkers", "--first", "alphabeta:book=", "--second", "random")
        with open(self.path, "r+b") as file:
            file.seek(200)
            file.write(b"x")
        self.bad("damaged", "engine", "ply", "--game", "neighbours", "--book", self.path)
        self.bad("damaged", "play", "neighbours", "--book", self.path)


if __name__ == "__main__":
    unittest.main()
