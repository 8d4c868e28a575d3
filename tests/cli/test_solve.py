# SPDX-License-Identifier: MIT
"""plyverse solve and check-proof: verdicts, proofs, checkpoints, bad usage."""
import collections
import json
import lzma
import os
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import time
import unittest

import command

Done = collections.namedtuple("Done", "returncode stdout stderr")

THREE = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1"
# A naked king that takes some hundred thousand nodes.
LONG = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1"
NONE = "4k4/9/4G4/9/9/9/9/9/9 b P2r2b3g4s4n4l17p 1"


def run(*args):
    return Done(*command.run(*args))


class Solve(unittest.TestCase):
    def test_win_and_proof(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "three.proof")
            done = run("solve", "shogi", "--position", THREE, "--shortest", "--proof", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.splitlines()[-1], "win in 3 shortest")
            self.assertEqual(os.listdir(folder), ["three.proof"])
            checked = run("check-proof", "shogi", path)
            self.assertEqual(checked.returncode, 0, checked.stderr)
            self.assertEqual(checked.stdout.splitlines()[-1], "proved win in 3")
            self.assertIn("position " + THREE, checked.stdout)
            # Another game's proof, a changed byte, half a file: rejected, with the reason.
            self.assertEqual(run("check-proof", "gomoku", path).returncode, 2)
            with open(path, "rb") as file:
                content = file.read()
            for bad in (content[:-1], content[: len(content) // 2], b"", content[:40] + b"!" + content[41:]):
                with open(path, "wb") as file:
                    file.write(bad)
                refused = run("check-proof", "shogi", path)
                self.assertEqual(refused.returncode, 2)
                self.assertEqual(refused.stdout, "")
                self.assertEqual(len(refused.stderr.splitlines()), 1)

    def test_composed(self):
        # Mate, but for futile interpositions on seven squares, each of which the rook captures.
        position = "8k/9/6N1G/9/9/9/9/9/R8 b r2b3g4s3n4l18p 1"
        plain = run("solve", "shogi", "--position", position, "--shortest")
        self.assertEqual(plain.stdout.splitlines()[-2:], ["plies 15", "win in 15 shortest"])
        done = run("solve", "shogi", "--position", position, "--shortest", "--composed")
        self.assertEqual(done.stdout.splitlines()[-3:], ["line 9i9a", "plies 15", "win in 1 shortest"])

    def test_no(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "none.proof")
            done = run("solve", "shogi", "--position", NONE, "--proof", path)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stdout.splitlines()[-1], "no")
            checked = run("check-proof", "shogi", path, "--json")
            self.assertEqual(json.loads(checked.stdout)["verdict"], "no")

    def test_proofs_of_long_runs(self):
        # These took hours to find; checking them is quick.
        for name, position, plies in (
                ("kyogaku-no-koya", "4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1", 59),
                ("okamura", "9/9/9/9/9/9/9/6k2/9 b 4G4SNL3P2r2b3n3l15p 1", 45)):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, name)
                with lzma.open(os.path.join(command.SOURCE, "docs", "proofs", name + ".proof.xz")) as packed, \
                        open(path, "wb") as file:
                    shutil.copyfileobj(packed, file)
                checked = run("check-proof", "shogi", path)
                self.assertEqual(checked.returncode, 0, checked.stderr)
                self.assertIn("position " + position + "\n", checked.stdout)
                self.assertEqual(checked.stdout.splitlines()[-1], f"proved win in {plies}")

    def test_turns(self):
        # 5D chess counts turns: the king travels back in time to allow the second check.
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "two.proof")
            done = run("solve", "5dchess", "--position", "[7k/5Q2/8/6K1/8/8/8/8:0:1:w]", "--shortest", "--proof", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.splitlines()[-1], "win in 2 shortest")
            self.assertNotIn("\nplies", done.stdout)
            checked = run("check-proof", "5dchess", path)
            self.assertEqual(checked.stdout.splitlines()[-1], "proved win in 6")

    def test_unknown(self):
        done = run("solve", "shogi", "--nodes", "1000", "--json", "--position",
                   "k1+P4n1/2L+P2sL1/r4+P+P1P/+BpP+Pl1+Rg1/NP1S+PP+p1g/2L+p1g+P1+P/Ps1G1+P1N1/1sN1P4/B8 b - 1")
        self.assertEqual(done.returncode, 1)
        answer = json.loads(done.stdout)
        self.assertEqual((answer["verdict"], answer["why"]), ("unknown", "nodes"))

    def test_proof_replaces_only_files(self):
        """A device or a pipe is written to, a link is followed; none of them is replaced."""
        mate = ("solve", "shogi", "--goal", "mate", "--position", "4k4/9/4P4/9/9/9/9/9/9 b G 1", "--proof")
        self.assertEqual(run(*mate, "/dev/null").returncode, 0)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        full = run(*mate, "/dev/full")
        self.assertEqual(full.returncode, 2)
        self.assertIn("No space left", full.stderr)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
        with tempfile.TemporaryDirectory() as folder:
            fifo, link, target, copy = (os.path.join(folder, name) for name in ("fifo", "link", "target", "copy"))
            os.mkfifo(fifo)
            with open(copy, "wb") as out, subprocess.Popen(["cat", fifo], stdout=out) as reader:
                self.assertEqual(run(*mate, fifo).returncode, 0)
                self.assertEqual(reader.wait(timeout=600), 0)
            self.assertTrue(stat.S_ISFIFO(os.lstat(fifo).st_mode))
            self.assertEqual(run("check-proof", "shogi", copy).returncode, 0)
            for _ in range(2):  # the target does not exist at first, then it does
                os.path.lexists(link) or os.symlink("target", link)
                self.assertEqual(run(*mate, link).returncode, 0)
                self.assertTrue(os.path.islink(link))
                self.assertEqual(run("check-proof", "shogi", target).returncode, 0)

    def test_checkpoint(self):
        with tempfile.TemporaryDirectory() as folder:
            path, proof = os.path.join(folder, "known"), os.path.join(folder, "proof")
            solve = ("solve", "shogi", "--position", LONG, "--checkpoint", path)
            sizes = []
            for _ in range(20):
                done = run(*solve, "--nodes", "200000", "--proof", proof)
                sizes.append(os.path.getsize(path))
                if done.returncode == 0:
                    break
                self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, "unknown nodes"), done.stderr)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertTrue(len(sizes) > 2 and sizes[1] > sizes[0] * 1.5, sizes)
            self.assertEqual(run("check-proof", "shogi", proof).returncode, 0)
            # From the checkpoint of a solved problem the answer comes at once.
            again = run(*solve, "--json")
            self.assertLess(json.loads(again.stdout)["nodes"], 20000)
            # The older name of the option still works, but only one of the two may be given.
            again = run(*solve[:-2], "--keep", path, "--json")
            self.assertLess(json.loads(again.stdout)["nodes"], 20000)
            again = run(*solve[:-2], "--keep=" + path, "--json")
            self.assertLess(json.loads(again.stdout)["nodes"], 20000)
            twice = run(*solve, "--keep", path)
            self.assertEqual((twice.returncode, twice.stderr),
                             (2, "plyverse solve: --checkpoint is given twice\n"))
            self.assertNotIn("--keep", run("solve", "--help").stdout)
            # A checkpoint that counts every ply can be resumed with --composed, but not vice versa.
            composed = os.path.join(folder, "composed")
            shutil.copy(path, composed)
            done = run(*solve[:-1], composed, "--composed", "--json")
            self.assertEqual(json.loads(done.stdout)["verdict"], "win", done.stderr)
            self.assertEqual(run(*solve[:-1], composed).returncode, 2)
            os.remove(composed)
            # Another problem's checkpoint, a truncated one, another file: rejected and left unchanged.
            with open(path, "rb") as file:
                content = file.read()
            for args, left in (((*solve[:3], THREE, *solve[4:]), content), (solve, content[:-1]), (solve, b"known"), (solve, b"")):
                with open(path, "wb") as file:
                    file.write(left)
                refused = run(*args)
                self.assertEqual((refused.returncode, refused.stdout), (2, ""))
                self.assertEqual(len(refused.stderr.splitlines()), 1)
                self.assertIn(path, refused.stderr)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), left)
            self.assertEqual(sorted(os.listdir(folder)), ["known", "proof"])
            # A folder that does not exist, a goal without checkpoints, --every without a checkpoint.
            for args in (("solve", "shogi", "--position", THREE, "--checkpoint", os.path.join(folder, "no", "known")),
                         ("solve", "gomoku", "--goal", "vcf", "--checkpoint", os.path.join(folder, "new")),
                         ("solve", "shogi", "--position", THREE, "--every", "1000")):
                bad = run(*args)
                self.assertEqual((bad.returncode, len(bad.stderr.splitlines())), (2, 1), args)

    def test_killed_in_the_middle(self):
        # After a kill, the job continues from the last checkpoint.
        with tempfile.TemporaryDirectory() as folder:
            path, proof = os.path.join(folder, "known"), os.path.join(folder, "proof")
            solve = ("solve", "shogi", "--position", LONG, "--checkpoint", path, "--every", "50", "--shortest")
            for _ in range(2):
                before = os.stat(path).st_ino if os.path.exists(path) else 0
                with subprocess.Popen([command.PLYVERSE, *solve], stdout=subprocess.DEVNULL) as process:
                    while process.poll() is None and not (os.path.exists(path) and os.stat(path).st_ino != before):
                        time.sleep(0.005)
                    process.kill()
                self.assertTrue(os.path.exists(path))
            # The node count covers all runs between checkpoints.
            done = run(*solve, "--nodes", "100000", "--json")
            self.assertIn(json.loads(done.stdout)["nodes"], range(100000, 110000))
            limited = run(*solve, "--time", "120", "--json")
            self.assertIn(json.loads(limited.stdout)["verdict"], ("unknown", "win"))
            done = run(*solve, "--proof", proof)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.endswith(" shortest\n"), done.stdout)
            self.assertEqual(run("check-proof", "shogi", proof).returncode, 0)

    def test_interrupted_goal_test(self):
        # Whether the goal allows the first move of this proof takes practically for ever to find out.
        board = ("9o1x3/x1o3ox3x1x1/3o1oxx3o3/4x2o1o2oo1/1x4x2x1x1x1/o4x2x2oox1/o3x5o2xo/ox3o1ooo2o2/2o2x2x1xxo2/"
                 "xx3o2x5x/1ox10x1/2xoo4xo1o2/3o3o6x/ooo2xo1x1x1x2/o11x2 x").encode()
        proof = (b"PLYPROOF\1\6gomoku\5renju\3vct\0\1" + bytes([len(board) | 128, len(board) >> 7]) + board
                 + bytes([1, 2, 0]))
        proof += struct.pack("<QQQ", 0, 1, len(proof))
        checksum = 0xCBF29CE484222325
        for byte in proof:
            checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "endless.proof")
            with open(path, "wb") as file:
                file.write(proof + struct.pack("<Q", checksum))
            with subprocess.Popen([command.PLYVERSE, "check-proof", "gomoku", path], stdout=subprocess.PIPE) as process:
                command.wait_for_handler(process, signal.SIGINT)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.communicate()[0], b"")
                self.assertEqual(process.returncode, 130)

    def test_bad_usage(self):
        for args in (("solve", "shogi", "--goal", "peace"), ("solve", "chess"), ("solve", "shogi", "--memory", "1"),
                     ("check-proof", "shogi", "/nonexistent"), ("check-proof", "shogi")):
            done = run(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertEqual(len(done.stderr.splitlines()), 1, args)

    def test_other_games(self):
        for game in ("neighbours", "checkers"):
            done = run("solve", game, "--goal", "win", "--nodes", "2000")
            self.assertIn(done.stdout.splitlines()[-1].split()[0], ("win", "no", "unknown"))


if __name__ == "__main__":
    unittest.main()
