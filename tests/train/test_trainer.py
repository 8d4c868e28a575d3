# SPDX-License-Identifier: MIT
"""The whole way from games to a network, in miniature. Needs PyTorch; without it CMake leaves this test out.

The network must learn (its loss falls below that of a coin), and the library must evaluate it exactly as plynet.py does.
"""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(os.environ["PLYVERSE_BUILD"], "plyverse_train")
TOOLS = os.path.join(ROOT, "tools/train")


def run(*args, **options):
    done = subprocess.run(args, capture_output=True, text=True, timeout=3000, **options)
    if done.returncode != 0:
        raise AssertionError(f"{args}: {done.stdout}{done.stderr}")
    return done.stdout


class Trainer(unittest.TestCase):
    def check(self, game, activation, *options):
        with tempfile.TemporaryDirectory() as folder:
            games, samples, net = (os.path.join(folder, name) for name in ("g.games", "samples", "n.plynet"))
            run(PROGRAM, "play", game, games, "--games", "100", "--nodes", "40", "--net", "none", "--max-plies", "120")
            run(PROGRAM, "samples", game, samples, games, "--phases", "3", "--per-game", "30")
            run(sys.executable, os.path.join(TOOLS, "train.py"), samples, net, "--width", "32", "--l1", "8", "--l2", "8",
                "--epochs", "8", "--batch", "256", "--rate", "0.005", "--activation", activation, "--played", games,
                *options)
            values = run(PROGRAM, "eval", game, net, games, "--per-game", "30")
            out = run(sys.executable, os.path.join(TOOLS, "check.py"), samples, net, input=values)
            self.assertEqual(out, f"{len(values.split())} values are equal\n")
            self.assertGreater(len(set(values.split())), 20)
            with open(os.path.join(folder, "n.csv"), encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertLess(float(rows[-1]["training"]), float(rows[0]["training"]))
            self.assertLess(float(rows[-1]["training"]), 0.69)
            wrong = subprocess.run([sys.executable, os.path.join(TOOLS, "check.py"), samples, net], text=True,
                                   input="1\n" + values.split("\n", 1)[1], capture_output=True)
            self.assertIn("1 of ", wrong.stderr)
            # A larger network that starts from this one is the same until it learns.
            larger = os.path.join(folder, "larger.plynet")
            run(sys.executable, os.path.join(TOOLS, "train.py"), samples, larger, "--width", "64", "--l1", "16", "--l2", "24",
                "--start", net, "--epochs", "0.01", "--rate", "1e-9", "--activation", activation, *options)
            self.assertEqual(run(PROGRAM, "eval", game, larger, games, "--per-game", "30"), values)
            # The network plays.
            run(PROGRAM, "play", game, games + "2", "--games", "2", "--nodes", "40", "--net", net, "--max-plies", "30")

    def test_checkers(self):
        self.check("checkers", "clipped")

    def test_shogi(self):
        self.check("shogi", "squared")

    def test_outlook(self):
        """What the rest of a game says is another target; the loss against it is another, and the file names it."""
        with tempfile.TemporaryDirectory() as folder:
            games, samples, net = (os.path.join(folder, name) for name in ("g.games", "samples", "n.plynet"))
            run(PROGRAM, "play", "checkers", games, "--games", "60", "--nodes", "40", "--net", "none")
            losses = []
            for more in ([], ["--lambda", "95", "--scale", "200"]):
                run(PROGRAM, "samples", "checkers", samples, games, "--phases", "2", *more)
                run(sys.executable, os.path.join(TOOLS, "train.py"), samples, net, "--width", "32", "--l1", "8", "--l2", "8",
                    "--epochs", "2", "--batch", "256", "--result-share", "0.2")
                with open(os.path.join(folder, "n.csv"), encoding="utf-8") as file:
                    losses.append([row["training"] for row in csv.DictReader(file)])
                with open(net, "rb") as file:
                    self.assertEqual(b"0.8 outlook, lambda 95%" in file.read(), bool(more))
            self.assertNotEqual(*losses)

    def test_policy(self):
        self.check("gomoku", "clipped", "--residual", "--policy", "8", "--policy-share", "0.02")

    def test_policy_only(self):
        """A policy head for a network that exists: the values stay, the logits are those of plynet.py, and it learns."""
        with tempfile.TemporaryDirectory() as folder:
            games, samples, net, head = (os.path.join(folder, name) for name in ("g.games", "samples", "n.plynet", "h.plynet"))
            run(PROGRAM, "play", "gomoku", games, "--games", "60", "--nodes", "40", "--net", "none", "--max-plies", "80")
            run(PROGRAM, "samples", "gomoku", samples, games, "--phases", "2")
            train = [sys.executable, os.path.join(TOOLS, "train.py"), samples]
            sizes = ["--width", "32", "--l1", "8", "--l2", "8", "--batch", "256", "--residual"]
            run(*train, net, *sizes, "--epochs", "1")
            run(*train, head, *sizes, "--epochs", "6", "--start", net, "--policy", "16", "--policy-only", "--rate", "0.01")
            self.assertEqual(run(PROGRAM, "eval", "gomoku", head, games), run(PROGRAM, "eval", "gomoku", net, games))
            logits = run(PROGRAM, "policy", "gomoku", head, games, "--limit", "100")
            check = [sys.executable, os.path.join(TOOLS, "check.py"), samples, head, "--policy"]
            self.assertEqual(run(*check, input=logits), "the logits of 100 positions are equal\n")
            wrong = subprocess.run(check, text=True, input="0:99999 " + logits, capture_output=True)
            self.assertIn("1 of 100 positions", wrong.stderr)
            with open(os.path.join(folder, "h.csv"), encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertLess(float(rows[-1]["policy"]), float(rows[0]["policy"]))
            again = os.path.join(folder, "again.plynet")
            run(*train, again, *sizes, "--epochs", "0.01", "--start", head, "--policy", "16", "--rate", "1e-9")
            self.assertEqual(run(PROGRAM, "policy", "gomoku", again, games, "--limit", "100"), logits)

    def test_more(self):
        """A second folder adds its samples, and one that does not belong to the first is refused."""
        with tempfile.TemporaryDirectory() as folder:
            names = ("a", "b", "other", "a.games", "b.games", "n.plynet")
            a, b, other, games_a, games_b, net = (os.path.join(folder, name) for name in names)
            counts = []
            for samples, games, seed in ((a, games_a, "1"), (b, games_b, "2")):
                run(PROGRAM, "play", "checkers", games, "--games", "60", "--nodes", "40", "--net", "none", "--seed", seed)
                run(PROGRAM, "samples", "checkers", samples, games, "--phases", "2")
                with open(os.path.join(samples, "meta.txt"), encoding="utf-8") as file:
                    counts.append(int(next(line for line in file if line.startswith("samples ")).split()[1]))
            train = [sys.executable, os.path.join(TOOLS, "train.py"), a, net, "--width", "32", "--l1", "8", "--l2", "8",
                     "--epochs", "1", "--batch", "256", "--rows", "2"]
            self.assertIn(f"samples {sum(counts)}, ", run(*train, "--more", b, "--played", games_a, games_b))
            with open(os.path.join(folder, "n.csv"), encoding="utf-8") as file:
                samples_seen = [int(row["samples"]) for row in csv.DictReader(file)]
            self.assertGreater(len(samples_seen), 1)
            self.assertAlmostEqual(samples_seen[0] / samples_seen[1], 0.5, delta=0.1)
            run(PROGRAM, "samples", "checkers", other, games_b, "--phases", "3")
            refused = subprocess.run([*train, "--more", other], capture_output=True, text=True)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("do not belong together", refused.stderr)

    def test_residual(self):
        self.check("shogi", "clipped", "--residual")


if __name__ == "__main__":
    unittest.main()
