# SPDX-License-Identifier: MIT
"""plyverse_train: what it says about bad input, and its commands one after the other."""
import os
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.path.join(os.environ["PLYVERSE_BUILD"], "plyverse_train")


def run(*args):
    return subprocess.run([PROGRAM, *args], capture_output=True, text=True, timeout=600)


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def refused(self, *args):
        """Status 2 and one line on stderr, which is returned."""
        done = run(*args)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_bad_arguments(self):
        for args in ([], ["play"], ["play", "checkers"], ["dance", "checkers", "x"]):
            done = run(*args)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: plyverse_train play", done.stderr)
        games = self.path("x.games")
        self.assertIn("unknown game: tag", self.refused("play", "tag", games))
        self.assertIn("unknown option: --fast", self.refused("play", "checkers", games, "--fast", "1"))
        self.assertIn("out of range: 0", self.refused("play", "checkers", games, "--nodes", "0"))
        self.assertIn("missing value after --nodes", self.refused("play", "checkers", games, "--nodes"))
        self.assertIn("one file", self.refused("play", "checkers", games, games))
        self.assertIn("'nonsense'", self.refused("play", "checkers", games, "--variant", "nonsense"))
        self.assertIn("no.plynet", self.refused("play", "checkers", games, "--net", self.path("no.plynet")))
        self.assertIn("no such", self.refused("play", "checkers", "/no such folder/x").lower())
        self.assertIn("samples needs", self.refused("samples", "checkers", games))
        self.assertIn("eval needs", self.refused("eval", "checkers", games))

    def test_commands(self):
        games, samples = self.path("a.games"), self.path("samples")
        play = ["play", "checkers", games, "--games", "12", "--nodes", "60", "--threads", "2", "--net", "none", "--max-plies",
                "80", "--balance", "200", "--resign", "500", "--draw", "5", "--stall", "40"]
        done = run(*play)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        done = run("samples", "checkers", samples, games, "--phases", "4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        words = done.stdout.split()
        self.assertEqual((words[0], words[1], words[2], words[4]), ("games", "12", "plies", "positions"))
        with open(os.path.join(samples, "meta.txt"), encoding="utf-8") as file:
            meta = dict(line.split() for line in file)
        self.assertEqual((meta["game"], meta["games"], meta["phases"], meta["samples"]), ("checkers", "12", "4", words[5]))
        done = run("fit", "checkers", games, "--out", self.path("weights.inc"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("games 12  "))
        self.assertIn("other options", self.refused(*play, "--seed", "9"))
        self.assertIn("not of shogi", self.refused("samples", "shogi", samples, games))
        with open(games, "r+b") as file:
            file.seek(-3, os.SEEK_END)
            file.truncate()
        for command in (["samples", "checkers", samples], ["fit", "checkers"], ["eval", "checkers", "none"]):
            with self.subTest(command=command[0]):
                line = self.refused(*command, games) if command[0] != "eval" else self.refused(*command, games, "--limit", "9999")
                self.assertTrue("game 11 of the file: cut short" in line or "no network" in line, line)
        # Playing on mends the file.
        self.assertEqual(run(*play).returncode, 0)
        self.assertEqual(run("samples", "checkers", samples, games, "--phases", "4").stdout.split(), words)

    def test_labels(self):
        games, positions, samples = self.path("n.games"), self.path("positions"), self.path("samples")
        play = run("play", "neighbours", games, "--games", "6", "--nodes", "40", "--net", "none", "--opening", "12")
        self.assertEqual(play.returncode, 0, play.stderr)
        done = run("positions", "neighbours", positions, games, "--strays", "2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(positions, "rb") as file:
            records = list(struct.iter_unpack("<QQ", file.read()))
        self.assertEqual(len(records), int(done.stdout.split()[5]))
        self.assertEqual(len(records) % 3, 0)
        self.assertTrue(all(own & enemy == 0 and own | enemy < 1 << 36 for own, enemy in records))
        # Labels that can be computed from the samples: who has more pieces. Some are unknown.
        counts = [(bin(own).count("1"), bin(enemy).count("1")) for own, enemy in records]
        labels = [255 if i % 7 == 3 else 1 + (own > enemy) - (own < enemy) for i, (own, enemy) in enumerate(counts)]

        def write_labels(values):
            with open(positions + ".labels", "wb") as file:
                file.write(bytes(values))

        command = ["samples", "neighbours", samples, "--labelled", positions]
        self.assertIn("positions.labels", self.refused(*command))
        write_labels(labels[:-1])
        self.assertIn("fewer labels", self.refused(*command))
        write_labels(labels + [1])
        self.assertIn("more labels", self.refused(*command))
        write_labels([9] * len(labels))
        self.assertIn("bad labels", self.refused(*command))
        write_labels(labels)
        done = run(*command)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        known = [i for i, label in enumerate(labels) if label != 255]

        def column(name):
            with open(os.path.join(samples, name + ".npy"), "rb") as file:
                return file.read()[128:]

        self.assertEqual(list(column("result")), [labels[i] for i in known])
        # A feature of an own piece is below 324.
        rows = list(struct.iter_unpack("<12H", column("own")))
        self.assertEqual([(sum(f < 324 for f in row), sum(324 <= f < 648 for f in row)) for row in rows],
                         [counts[i] for i in known])
        groups = [game for (game,) in struct.iter_unpack("<I", column("game"))]
        self.assertEqual(groups, [i // 64 for i in known])
        self.assertIn("only positions of neighbours", self.refused("positions", "checkers", positions, games))


if __name__ == "__main__":
    unittest.main()
