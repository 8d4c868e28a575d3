# SPDX-License-Identifier: MIT
"""plyverse tables: build, verify, info and probe; builds that are killed, stopped or out of disk space."""
import filecmp
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from command import CommandTest, PLYVERSE, run

LONG = os.environ.get("PLY_TIER") == "long"


class TablesTest(CommandTest):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="plyverse-")
        self.addCleanup(shutil.rmtree, self.dir)

    def build(self, dir, game, up_to, *more):
        return self.json("tables", "build", game, "--dir", dir, "--up-to", up_to, "--quiet", *more)

    def same_files(self, one, other):
        names = sorted(os.listdir(one))
        self.assertEqual(names, sorted(os.listdir(other)))
        self.assertTrue(names)
        for name in names:
            self.assertTrue(name.endswith(".plt"), name)
            self.assertTrue(filecmp.cmp(os.path.join(one, name), os.path.join(other, name), False),
                            name)


class Actions(TablesTest):
    def test_build_verify_info_probe(self):
        built = self.build(self.dir, "neighbours", "2v2")
        self.assertEqual((built["tables"], built["threads"]), (4, os.cpu_count()))
        out = self.good("tables", "verify", "neighbours", "--dir", self.dir, "--up-to", "2v2",
                        "--quiet").splitlines()
        self.assertEqual(out[-1], "verified %d" % built["slots"])
        info = self.good("tables", "info", "neighbours", "--dir", self.dir).splitlines()
        self.assertTrue(info[0].startswith("1v1 wins 220 losses 1040 draws 0 longest 1 "))
        self.assertTrue(info[3].startswith("2v2 wins 175490 losses 138954 draws 38986 longest 13 "))
        self.assertEqual(info[-1], "tables 4")
        lines = self.json("tables", "info", "neighbours", "--dir", self.dir)["tables"]
        self.assertEqual([t["class"] for t in lines], ["1v1", "1v2", "2v1", "2v2"])
        # The example of the longest win has that length, and so has its best move.
        example = lines[3]["example"]
        probe = self.json("tables", "probe", "neighbours", "--dir", self.dir, "--position", example)
        self.assertEqual((probe["known"], probe["plies"]), (True, 13))
        self.assertEqual(probe["text"], "won in 13")
        wins = [m["plies"] for m in probe["moves"] if m["result"] == "win"]
        self.assertEqual(min(wins), 13)
        plain = self.good("tables", "probe", "neighbours", "--dir", self.dir, "--position",
                          example).splitlines()
        self.assertEqual(plain[-1], "value won in 13")
        self.assertTrue(plain[0].endswith(" won in 13"))
        self.assertEqual(len(plain), len(probe["moves"]) + 1)
        best = self.good("best", "neighbours", "--position", example, "--tables", self.dir)
        self.assertIn("score win in 13 ", best)
        # Larger classes are in no tablebase: the answer is no.
        status, out, err = run("tables", "probe", "neighbours", "--dir", self.dir)
        self.assertEqual((status, out, err), (1, "value unknown\n", ""))

    def test_default_folder(self):
        env = {"XDG_DATA_HOME": self.dir}
        status, _, err = run("tables", "build", "checkers", "--up-to", "2", "--quiet", env=env)
        self.assertEqual((status, err), (0, ""))
        folder = os.path.join(self.dir, "plyverse", "tables", "checkers", "english")
        self.assertEqual(sorted(os.listdir(folder)),
                         ["%dm%dkv%dm%dk.plt" % (a, 1 - a, b, 1 - b) for a in (0, 1)
                          for b in (0, 1)])
        status, out, _ = run("best", "checkers", "--position", "B:WK13:BK1", env=env)
        self.assertEqual(status, 0)
        self.assertIn("score win in 11 ", out)
        status, out, _ = run("best", "checkers", "--position", "B:WK13:BK1", "--tables", "none",
                             "--depth", "2", env=env)
        self.assertNotIn("win in 11 ", out)
        # Without XDG_DATA_HOME, the folder is below HOME; a relative XDG_DATA_HOME is ignored.
        env = {"XDG_DATA_HOME": "here", "HOME": self.dir}
        run("tables", "build", "checkers", "--up-to", "2", "--quiet", env=env)
        self.assertTrue(os.path.exists(os.path.join(self.dir, ".local/share/plyverse/tables")))

    def test_rule_sets_have_folders_of_their_own(self):
        self.build(self.dir, "checkers", "2", "--variant", "russian")
        self.build(self.dir, "checkers", "2", "--variant", "english")
        self.assertEqual(sorted(os.listdir(os.path.join(self.dir, "checkers"))),
                         ["english", "king-flying,men-back,crowning-continues"])

    def test_bad_usage(self):
        self.bad("'make' is none of build, verify, info, probe", "tables", "make", "checkers")
        self.bad("shogi has no tablebases", "tables", "info", "shogi")
        self.bad("no game", "tables", "info", "chess")
        for text in ("1", "x", "3v", "0v3", "2v2x", "", "1000"):
            self.bad("is neither a number of pieces", "tables", "build", "checkers", "--dir",
                     self.dir, "--up-to", text)
        self.bad("'25': the game does not have that many pieces", "tables", "build", "checkers", "--dir", self.dir, "--up-to", "25")
        for text in ("7v1", "9v9", "13"):
            self.bad("the game does not have that many pieces", "tables", "build", "neighbours", "--dir",
                     self.dir, "--up-to", text)
        for command in (("best", "checkers"), ("play", "checkers"), ("engine", "ply")):
            self.bad("--tables: /no/such: No such file", *command, "--tables", "/no/such")
        self.bad("too many pieces for a tablebase", "tables", "build", "checkers", "--dir", self.dir,
                 "--up-to", "24", "--quiet")
        self.bad("--memory", "tables", "build", "checkers", "--dir", self.dir, "--memory", "0")
        blocked = os.path.join(self.dir, "file")
        open(blocked, "w").close()
        self.bad("Not a directory", "tables", "build", "checkers", "--dir", blocked)
        self.bad("No such file", "tables", "verify", "checkers", "--dir", self.dir, "--up-to", "2")

    def test_damage(self):
        self.build(self.dir, "checkers", "2")
        path = os.path.join(self.dir, "checkers", "english", "0m1kv0m1k.plt")
        with open(path, "rb") as file:
            content = file.read()
        with open(path, "wb") as file:
            file.write(content[:-1])
        for action in ("build", "verify", "info", "probe"):
            more = [] if action in ("info", "probe") else ["--up-to", "2"]
            self.bad("its header says", "tables", action, "checkers", "--dir", self.dir, *more)
        self.bad("its header says", "best", "checkers", "--tables", self.dir)
        with open(path, "wb") as file:
            file.write(content[:600] + bytes([content[600] ^ 1]) + content[601:])
        self.bad("the checksum of block 0 is wrong", "tables", "verify", "checkers", "--dir", self.dir,
                 "--up-to", "2")
        self.bad("the checksum of block 0 is wrong", "tables", "probe", "checkers", "--dir", self.dir,
                 "--position", "B:WK13:BK1")

    def test_one_builder_at_a_time(self):
        folder = os.path.join(self.dir, "checkers", "english")
        os.makedirs(folder)
        import fcntl
        lock = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.bad("another build is running here", "tables", "build", "checkers", "--dir", self.dir,
                 "--up-to", "2")
        os.close(lock)
        self.build(self.dir, "checkers", "2")


class Interrupted(TablesTest):
    def command(self, dir, game, up_to):
        return [PLYVERSE, "tables", "build", game, "--dir", dir, "--up-to", up_to, "--quiet",
                "--checkpoint", "0", "--threads", "2"]

    def rounds(self, game, rules, up_to, count, how):
        """Interrupts builds at random moments, again and again, until one completes."""
        plain = os.path.join(self.dir, "plain")
        start = time.monotonic()
        self.build(plain, game, up_to, "--checkpoint", "0")
        whole = time.monotonic() - start
        seed = random.Random(game)
        killed = 0
        while killed < count:
            torn = os.path.join(self.dir, "torn")
            for attempt in range(1000):
                process = subprocess.Popen(self.command(torn, game, up_to),
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                try:
                    _, err = process.communicate(timeout=seed.uniform(0, whole))
                except subprocess.TimeoutExpired:
                    process.send_signal(how)
                    _, err = process.communicate()
                    if how == signal.SIGKILL:
                        self.assertIn(process.returncode, (0, -signal.SIGKILL), err)
                    else:
                        self.assertIn(process.returncode, (0, 130, -signal.SIGINT), err)
                    killed += process.returncode != 0
                    continue
                self.assertEqual(process.returncode, 0, err)
                break
            self.same_files(os.path.join(plain, game, rules), os.path.join(torn, game, rules))
            shutil.rmtree(torn)

    def test_kill(self):
        self.rounds("neighbours", "slide", "2v2", 180 if LONG else 6, signal.SIGKILL)
        self.rounds("checkers", "english", "3", 20 if LONG else 3, signal.SIGKILL)

    def test_ctrl_c(self):
        self.rounds("neighbours", "slide", "2v2", 40 if LONG else 4, signal.SIGINT)

    def test_full_disk(self):
        """Writing fails at some file size; later it succeeds."""
        plain, full = os.path.join(self.dir, "plain"), os.path.join(self.dir, "full")
        self.build(plain, "neighbours", "2v2")
        for limit in (0, 400, 700, 2000, 5000):
            def starve():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            done = subprocess.run(self.command(full, "neighbours", "2v2"), preexec_fn=starve,
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn("File too large", done.stderr)
            left = os.listdir(os.path.join(full, "neighbours", "slide"))
            self.assertFalse([n for n in left if n.endswith(".tmp")])
        self.build(full, "neighbours", "2v2")
        self.same_files(os.path.join(plain, "neighbours/slide"),
                        os.path.join(full, "neighbours/slide"))

    def test_little_memory(self):
        plain, small = os.path.join(self.dir, "plain"), os.path.join(self.dir, "small")
        self.build(plain, "checkers", "3", "--memory", "1000")
        self.build(small, "checkers", "3", "--memory", "1")
        self.same_files(os.path.join(plain, "checkers/english"),
                        os.path.join(small, "checkers/english"))
        self.good("tables", "verify", "checkers", "--dir", small, "--up-to", "3", "--memory", "1",
                  "--quiet")


if __name__ == "__main__":
    unittest.main()
