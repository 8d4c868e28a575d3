# SPDX-License-Identifier: MIT
"""`--device cuda` in the command, on the emulated driver: the counts, and one line with status 2 for everything that can fail."""
import os
import struct
import subprocess
import tempfile
import unittest

PLYVERSE = os.environ["PLYVERSE"]
EMULATED = os.path.join(os.environ["PLYVERSE_BUILD"], "emulated")


def run(*arguments, mode="", driver=EMULATED):
    environment = dict(os.environ, LD_LIBRARY_PATH=driver, PLY_EMULATED_CUDA=mode)
    return subprocess.run([PLYVERSE, *arguments], capture_output=True, text=True, env=environment, timeout=600)


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


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name

    def expect(self, message, *arguments, mode=""):
        result = run("tables", *arguments, mode=mode)
        self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result.stderr)
        self.assertIn(message, result.stderr)

    def files(self):
        return {os.path.join(path, name) for path, _, names in os.walk(self.dir) for name in names}

    def test_failures_lose_nothing(self):
        job = ("checkers", "--dir", self.dir, "--quiet", "--device")
        self.assertEqual(run("tables", "build", *job, "cpu", "--up-to", "2").returncode, 0)
        before = self.files()
        for action, up_to in (("build", "3"), ("verify", "2")):
            for mode, message in (("no-device", "this machine has no CUDA device"), ("no-code", "this build has no code for")):
                self.expect(message, action, *job, "cuda", "--up-to", up_to, mode=mode)
                self.assertEqual(self.files(), before)
        # Three pieces fit into 1 MiB, four do not.
        self.expect("out of memory: ", "build", *job, "cuda", "--up-to", "4", mode="small")
        self.assertTrue(self.files() > before)
        self.assertEqual(run("tables", "build", *job, "cpu", "--up-to", "4").returncode, 0)
        self.expect("out of memory: ", "verify", *job, "cuda", "--up-to", "4", mode="small")
        self.assertEqual(run("tables", "verify", *job, "cuda", "--up-to", "3").returncode, 0)

    def test_solve(self):
        solve = ("solve", "neighbours", "--up-to", "2v2")
        self.expect("2v2 needs 64 MiB on the device, which has 1 MiB free", *solve, mode="small")
        self.expect("this machine has no CUDA device", *solve, mode="no-device")
        self.expect("is neither cpu nor cuda", "verify", "checkers", "--dir", self.dir, "--device", "gpu")

    def test_old_driver(self):
        result = run("tables", "solve", "neighbours", "--up-to", "1v1", mode="old")
        if result.returncode == 0:
            self.skipTest("no kernels were compiled, so every driver is new enough")
        self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1))
        self.assertIn("the NVIDIA driver is too old", result.stderr)


class Labels(unittest.TestCase):
    def solve(self, path):
        return run("tables", "solve", "neighbours", "--up-to", "1v1", "--label", path)

    def test_labels(self):
        a1, b1, d4 = 1, 1 << 1, 1 << 21
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "positions")
            with open(path, "wb") as file:
                # a1 takes b1; a1 alone cannot move; 2v1 is not solved.
                for own, enemy in ((a1, b1), (a1, d4), (a1 | b1, d4)):
                    file.write(struct.pack("<QQ", own, enemy))
            result = self.solve(path)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("labelled 3\n", result.stdout)
            with open(path + ".labels", "rb") as file:
                self.assertEqual(list(file.read()), [2, 0, 255])

    def test_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "positions")
            self.fail_with(path, "No such file or directory")
            with open(path, "wb") as file:
                file.write(bytes(17))
            self.fail_with(path, "the last record is incomplete")
            self.assertEqual(os.listdir(folder), ["positions"])

    def fail_with(self, path, message):
        result = self.solve(path)
        self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
        self.assertIn(message, result.stderr)


if __name__ == "__main__":
    unittest.main()
