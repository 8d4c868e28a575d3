# SPDX-License-Identifier: MIT
"""plyverse play, in a pipe and on a terminal."""
import os
import pty
import select
import subprocess
import tempfile
import time
import unittest

from command import CommandTest, PLYVERSE, run


class Pipe(CommandTest):
    def test_session(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.ply")
            status, out, err = run("play", "neighbours", "--second", "human", "--save", path,
                                   stdin="help\nmoves\na1a2\nundo\nb1b3\nz9\nposition\nquit\n")
            self.assertEqual(status, 0)
            self.assertEqual(err, "'z9': column 1: expected a square, a1 to f6; try moves or help\n")
            self.assertIn("1. White: a1a2", out)
            self.assertIn("bbbbbb/6/6/1w4/6/w1wwww b\n", out)
            self.assertNotIn("\033", out)
            with open(path) as file:
                self.assertIn("moves b1b3\n", file.read())

    def test_end_of_input(self):
        status, _, err = run("play", "neighbours", stdin="a1a2\n")
        self.assertEqual((status, err), (0, ""))

    def test_undo_takes_back_the_answer_too(self):
        _, out, _ = run("play", "neighbours", "--second", "random", stdin="a1a2\nundo\nposition\n")
        self.assertTrue(out.endswith("bbbbbb/6/6/6/6/wwwwww w\n"), out)
        _, out, _ = run("play", "neighbours", stdin="undo\n")
        self.assertIn("there is no move to take back", out)

    def test_engine_answers_and_gives_hints(self):
        status, out, err = run("play", "neighbours", "--time", "50",
                               stdin="hint\na1a2\nlevel 3\nlevel 0\nundo\nquit\n")
        self.assertEqual((status, err), (0, "level: '0' is not a whole number from 1 to 10\n"))
        self.assertRegex(out, r"(?m)^hint: [a-f][1-6][a-f][1-6]\n   score [+-]\d+\.\d\d  depth \d+  line ")
        self.assertRegex(out, r"(?m)^2\. Black: (\S+)\n   score [+-]\d+\.\d\d  depth \d+  line \1 ")
        self.assertRegex(out, r"\nlevel 3, about \d+ Elo\n")
        # A forced win is suggested and scored as such.
        _, out, _ = run("play", "neighbours", "--position", "6/6/6/6/6/wb4 w", stdin="hint\n")
        self.assertIn("hint: a1b1\n   score win in 1  depth ", out)

    def test_game_between_players_ends(self):
        out = self.good("play", "neighbours", "--first", "random", "--second", "greedy", "--seed",
                        "5")
        self.assertRegex(out, r"(wins: no-(move|pieces)|draw: repetition)\n$")

    def test_finished_game(self):
        _, out, err = run("play", "neighbours", "--position", "6/6/6/6/6/wb4 w",
                          stdin="a1b1\nb1a1\nquit\n")
        self.assertIn("White wins: no-pieces\nthe game is over", out)
        self.assertEqual(err, "")

    def test_save_honours_the_extension(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = {name: os.path.join(folder, f"game.{name}") for name in ("kif", "csa", "ply", "other")}
            lines = ["7g7f", "3c3d", *(f"save {paths[name]}" for name in ("csa", "ply", "other")), "quit", ""]
            status, out, err = run("play", "shogi", "--second", "human", "--save", paths["kif"],
                                   stdin="\n".join(lines))
            self.assertEqual((status, err), (0, ""))
            for name, format_name in (("csa", "CSA"), ("ply", "Plyverse record"), ("other", "Plyverse record"),
                                      ("kif", "KIF (Shift_JIS)")):
                self.assertIn(f"saved {paths[name]} as {format_name}\n", out)
            with open(paths["csa"]) as file:
                self.assertIn("+7776FU\n-3334FU\n", file.read())
            with open(paths["kif"], encoding="shift_jis") as file:
                self.assertIn("７六歩(77)", file.read())
            for name in ("ply", "other"):
                with open(paths[name]) as file:
                    self.assertIn("moves 7g7f 3c3d\n", file.read())
            # Nothing is said where nothing was saved.
            _, out, err = run("play", "shogi", "--second", "human", stdin=f"save {folder}/no/x.kif\n")
            self.assertNotIn("saved", out)
            self.assertIn("No such file", err)

    def test_resign(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "game.csa")
            status, out, err = run("play", "shogi", "--second", "human",
                                   stdin=f"7g7f\n3c3d\nresign\n2g2f\nsave {path}\nundo\n2g2f\nposition\n")
            self.assertEqual((status, err), (0, ""))
            self.assertIn("White wins: resign\nthe game is over", out)
            with open(path) as file:
                self.assertTrue(file.read().endswith("-3334FU\n%TORYO\n"))
            self.assertIn("3. Black: 2g2f\n", out)  # undo takes the resignation back, not the moves

    def test_every_game(self):
        for game in self.json("games"):
            out = self.good("play", game["id"], "--first", "greedy", "--second", "random",
                            "--max-plies", "4")
            self.assertIn("1. " + game["players"][0], out)

    def test_bad(self):
        self.bad("no player 'bob'", "play", "neighbours", "--first", "bob")
        self.bad("--json: not available for play", "play", "neighbours", "--json")


class Terminal(unittest.TestCase):
    def test_colours_and_prompt(self):
        leader, follower = pty.openpty()
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        environment["TERM"] = "xterm"
        with subprocess.Popen([PLYVERSE, "play", "neighbours", "--second", "human"],
                              stdin=follower, stdout=follower, stderr=follower,
                              env=environment) as job:
            os.close(follower)
            seen = b""

            def wait_for(words):
                nonlocal seen
                until = time.monotonic() + 600
                while words not in seen:
                    self.assertLess(time.monotonic(), until, seen)
                    if select.select([leader], [], [], 1)[0]:
                        seen += os.read(leader, 65536)

            wait_for(b"White> ")
            self.assertIn(b"\033[", seen)
            os.write(leader, b"a1a2\n")
            wait_for(b"Black> ")
            self.assertIn(b"White: a1a2", seen)
            os.write(leader, b"quit\n")
            self.assertEqual(job.wait(timeout=600), 0)
            os.close(leader)


if __name__ == "__main__":
    unittest.main()
