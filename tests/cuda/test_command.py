# SPDX-License-Identifier: MIT
"""`--device cuda` in the command, on the emulated driver: the counts, and one line with status 2 for everything that can fail."""
import os
import subprocess
import unittest

PLYVERSE = os.environ["PLYVERSE"]
EMULATED = os.path.join(os.environ["PLYVERSE_BUILD"], "emulated")


def run(*arguments, mode="", driver=EMULATED):
    environment = dict(os.environ, LD_LIBRARY_PATH=driver, PLY_EMULATED_CUDA=mode)
    return subprocess.run([PLYVERSE, *arguments], capture_output=True, text=True, env=environment, timeout=300)


class Perft(unittest.TestCase):
    def test_counts(self):
        self.assertEqual(run("perft", "checkers", "6", "--device", "cuda").stdout, "nodes 36768\n")
        self.assertEqual(run("perft", "checkers", "6", "--device", "cpu").stdout, "nodes 36768\n")
        self.assertEqual(run("perft", "shogi", "3", "--device", "cuda", "--divide").stdout,
                         run("perft", "shogi", "3", "--divide").stdout)

    def expect(self, message, *arguments, mode=""):
        result = run("perft", *arguments, mode=mode)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(message, result.stderr)

    def test_failures(self):
        self.expect("this machine has no CUDA device", "shogi", "3", "--device", "cuda", mode="no-device")
        self.expect("this build has no code for Emulated Device", "shogi", "3", "--device", "cuda", mode="no-code")
        self.expect("out of memory: ", "shogi", "5", "--device", "cuda", mode="small")
        self.expect("no perft of 5dchess", "5dchess", "2", "--device", "cuda")
        self.expect("'gpu' is neither cpu nor cuda", "shogi", "3", "--device", "gpu")
        self.expect("not with --hash", "shogi", "3", "--device", "cuda", "--hash", "16")
        self.expect("counts in the first mode", "checkers", "3", "--device", "cuda", "--count", "paths")

    def test_no_driver(self):
        result = run("perft", "shogi", "3", "--device", "cuda", driver="/nonexistent")
        if result.returncode == 0:
            self.skipTest("this machine has a driver")
        self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1))
        self.assertRegex(result.stderr, "cuda: (no NVIDIA driver is installed|this build has no CUDA support|.*no CUDA device)")


if __name__ == "__main__":
    unittest.main()
