# SPDX-License-Identifier: MIT
"""One job on several ranks: the same numbers and the same files as from one process, whatever happens on the way."""
import filecmp
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from command import CommandTest, PLYVERSE
from slow_link import SlowLink

LONG = os.environ.get("PLY_TIER") == "long"
UP_TO = "3v3" if LONG else "3v2"  # the largest slice has 75 or 10 chunks
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               # MPI's own memory at exit is not ours to free.
               "ASAN_OPTIONS": "detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")}


TRAIN = os.path.join(os.environ["PLYVERSE_BUILD"], "plyverse_train")


def mpirun(ranks, *args, program=PLYVERSE):
    return ["mpirun", "--oversubscribe", "--quiet", "-n", str(ranks), program, *args]


def kill_ranks(process, count=None):
    """Kills the first `count` ranks of an mpirun, or all."""
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True)
    for pid in children.stdout.split()[:count]:
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has just ended


class ClusterTest(CommandTest):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="plyverse-")
        self.addCleanup(shutil.rmtree, self.dir)

    def on_ranks(self, ranks, *args):
        done = subprocess.run(mpirun(ranks, *args), capture_output=True, text=True, timeout=1800,
                              env=ENVIRONMENT)
        return done.returncode, done.stdout, done.stderr

    def good_on_ranks(self, ranks, *args):
        status, out, err = self.on_ranks(ranks, *args)
        self.assertEqual(status, 0, (args, err))
        return out

    def folder(self, name):
        return os.path.join(self.dir, name)

    def build_args(self, folder, game, up_to, *more):
        return ("tables", "build", game, "--dir", self.folder(folder), "--up-to", up_to, *more)

    def assert_same_files(self, one, other):
        def listed(folder):
            below = self.folder(folder)
            return sorted(os.path.relpath(path, below) for path in glob.glob(below + "/**", recursive=True)
                          if os.path.isfile(path))
        self.assertEqual(listed(one), listed(other))
        self.assertTrue(listed(one))
        for name in listed(one):
            self.assertTrue(name.endswith(".plt"), name)
            self.assertTrue(filecmp.cmp(os.path.join(self.folder(one), name),
                                        os.path.join(self.folder(other), name), False), name)


class Counting(ClusterTest):
    def test_perft(self):
        for args in (("shogi", "4", "--divide"), ("checkers", "8"), ("5dchess", "3", "--divide"),
                     ("checkers", "6", "--variant", "russian", "--divide"), ("gomoku", "0")):
            expected = self.good("perft", *args)
            for ranks in (2, 3):
                self.assertEqual(self.good_on_ranks(ranks, "perft", *args), expected)

    def test_random_games(self):
        def numbers(text):
            return [line for line in text.splitlines() if not line.startswith("plies/s")]
        for game in ("neighbours", "gomoku"):
            expected = numbers(self.good("random", game, "--games", "1000"))
            for ranks, threads in ((2, 1), (3, 2)):
                out = self.good_on_ranks(ranks, "random", game, "--games", "1000", "--threads", str(threads))
                self.assertEqual(numbers(out), expected)

    def test_match(self):
        args = ("match", "neighbours", "--first", "alphabeta:nodes=100", "--second", "random", "--games", "12")
        def numbers(text):
            return [line for line in text.splitlines() if not line.startswith(("plies", "seconds"))]
        expected = numbers(self.good(*args))
        journal = self.folder("journal")
        self.assertEqual(numbers(self.good_on_ranks(2, *args, "--journal", journal)), expected)
        # A journal cut off in the middle of a game: the rest is played again, by other ranks.
        with open(journal, "rb+") as file:
            file.truncate(os.path.getsize(journal) * 2 // 3)
        out = self.good_on_ranks(3, *args, "--journal", journal, "--resume")
        self.assertEqual(numbers(out), expected)

    def self_play(self, ranks, *args):
        command = ("play", "neighbours", *args)
        command = mpirun(ranks, *command, program=TRAIN) if ranks else [TRAIN, *command]
        return subprocess.run(command, capture_output=True, text=True, timeout=1800, env=ENVIRONMENT)

    def test_self_play(self):
        def content(path):
            with open(path, "rb") as file:
                return file.read()
        options = ("--games", "60", "--nodes", "60", "--variant", "slide", "--variant", "jump")
        expected, games = self.folder("expected"), self.folder("games")
        self.assertEqual(self.self_play(0, expected, *options).returncode, 0)
        for ranks, threads in ((1, 2), (2, 1), (3, 2)):
            # From the beginning, then from a file cut off in the middle of a game.
            for size in (0, len(content(expected)) // 2):
                with open(games, "wb") as file:
                    file.write(content(expected)[:size])
                done = self.self_play(ranks, games, *options, "--threads", str(threads))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(content(games), content(expected))
        # Ranks that are killed leave whole games, and the same command goes on with them.
        process = subprocess.Popen(mpirun(2, "play", "neighbours", games + "2", *options, program=TRAIN),
                                   env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (os.path.exists(games + "2") and os.path.getsize(games + "2") > 2000):
            time.sleep(0.001)
        kill_ranks(process, 1)
        process.wait()
        self.assertEqual(self.self_play(2, games + "2", *options).returncode, 0)
        self.assertEqual(content(games + "2"), content(expected))
        for args, words in (((games, *options, "--seed", "2"), "played with other options"),
                            (("/nonexistent/x", *options), "No such file"), ((games, "--nodes", "0"), "out of range")):
            done = self.self_play(2, *args)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_journal(self):
        journal = self.folder("journal")
        args = ("perft", "shogi", "4", "--divide", "--journal", journal)
        expected = self.good("perft", "shogi", "4", "--divide")
        self.assertEqual(self.good_on_ranks(2, *args), expected)
        with open(journal, encoding="ascii") as file:
            lines = file.read().splitlines(keepends=True)
        start = lines.index("begin\n") + 1
        self.assertEqual(len(lines) - start, 30 * 30)  # one for each pair of first moves
        chosen = random.Random(5).sample(lines[start:], 400)
        with open(journal, "w", encoding="ascii") as file:
            file.writelines(lines[:start] + chosen + [lines[-1][:-4]])
        self.assertEqual(self.good(*args), expected)
        # It belongs to one job, and a damaged line is named.
        self.bad("belongs to another job", "perft", "shogi", "3", "--journal", journal)
        with open(journal, "w", encoding="ascii") as file:
            file.writelines(lines[:start] + [lines[start], "1 2 3 0000000000000000\n"])
        self.bad("line 2 of the journal's parts is damaged", *args)

    def test_failures_end_all_ranks(self):
        for args, words in ((("perft", "shogi", "x"), "DEPTH"), (("perft", "chess", "3"), "chess"),
                            (("perft", "shogi", "3", "--file", "/nonexistent"), "No such file"),
                            (("tables", "verify", "neighbours"), "without mpirun")):
            status, out, err = self.on_ranks(2, *args)
            self.assertEqual((status, out), (2, ""))
            self.assertEqual(err.count(f"plyverse {args[0]}:"), 1, err)
            self.assertIn(words, err)


class Tables(ClusterTest):
    def test_same_files_for_any_number_of_ranks(self):
        jobs = [("neighbours", UP_TO)]
        if LONG:
            jobs += [("neighbours", "4v3"), ("checkers", "5")]
        for game, up_to in jobs:
            self.good(*self.build_args("one-" + game + up_to, game, up_to))
            for ranks, threads in ((1, 1), (2, 1), (2, 2), (3, 1), (4, 1)) if LONG else ((2, 1), (3, 2)):
                name = f"{ranks}-{threads}-{game}{up_to}"
                out = self.good_on_ranks(ranks, *self.build_args(name, game, up_to, "--threads", str(threads)))
                self.assertEqual(f"ranks {ranks}\n" in out, ranks > 1)
                self.assert_same_files("one-" + game + up_to, name)
                shutil.rmtree(self.folder(name))

    def test_values_of_other_ranks(self):
        """Values that moves out of a slice lead to: held by each rank, or asked for if memory is short."""
        self.good(*self.build_args("one", "checkers", "4"))
        for name, asks, options in (("whole", False, ()), ("dealt", True, ("--memory", "1"))):
            out = self.good_on_ranks(2, *self.build_args(name, "checkers", "4", *options))
            self.assertEqual("lookups 0 " in out, not asks, out)
            self.assert_same_files("one", name)

    def test_killed_at_any_moment(self):
        """Rank 1 is killed; then another number of ranks goes on."""
        # The last number: seconds between checkpoints; 0 is as often as possible.
        jobs = [("neighbours", UP_TO, "0"), ("checkers", "4", "1")]
        for game, up_to, _ in jobs:
            self.good(*self.build_args("one-" + game, game, up_to))
        choose = random.Random(3)
        rounds = continued = 0
        for rounds in range(50 if LONG else 2):
            game, up_to, seconds = jobs[rounds % 2]
            shutil.rmtree(self.folder("killed"), ignore_errors=True)
            args = self.build_args("killed", game, up_to, "--checkpoint", seconds)
            for attempt in range(100):
                ranks = choose.choice((2, 3, 4))
                process = subprocess.Popen(mpirun(ranks, *args), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                try:
                    process.wait(choose.uniform(0.3, 1.2) * (1 + attempt / 2))
                    break
                except subprocess.TimeoutExpired:
                    kill_ranks(process, 1)
                    process.wait(1800)
                    continued += 1
            self.assertEqual(process.returncode, 0)
            self.assert_same_files("one-" + game, "killed")
        self.assertGreater(continued, 0)

    def stopped_build(self, folder, ranks, game="neighbours", up_to=UP_TO, largest=UP_TO):
        """A build that was asked to stop and has left a checkpoint of all ranks."""
        args = self.build_args(folder, game, up_to, "--checkpoint", "0")
        parts = self.folder(folder) + f"/{game}/*/{largest}.?-*.part"
        for attempt in range(100):
            shutil.rmtree(self.folder(folder), ignore_errors=True)
            process = subprocess.Popen(mpirun(ranks, *args), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            while process.poll() is None and len(glob.glob(parts)) < 2 * ranks:
                time.sleep(0.01)
            if attempt % 2:
                process.send_signal(signal.SIGINT)
            else:
                kill_ranks(process)
            process.wait(1800)
            self.wait_until_unlocked(folder)
            found = sorted(glob.glob(parts))
            if found:
                return found
        self.fail("no build was interrupted")

    def wait_until_unlocked(self, folder):
        """The ranks of an mpirun that was killed end soon after it."""
        while subprocess.run(["pgrep", "-f", self.folder(folder)], capture_output=True).returncode == 0:
            time.sleep(0.05)

    def test_checkpoints_serve_any_number_of_ranks(self):
        for game, up_to, largest in (("neighbours", UP_TO, UP_TO), ("checkers", "4", "*")):
            self.good(*self.build_args("one-" + game, game, up_to))
            for ranks in (1, 3):
                folder = f"continued-{game}-{ranks}"
                self.stopped_build(folder, 2, game, up_to, largest)
                args = self.build_args(folder, game, up_to)
                if ranks == 1:
                    self.good(*args)
                else:
                    self.good_on_ranks(ranks, *args)
                self.assert_same_files("one-" + game, folder)

    def test_torn_checkpoint(self):
        """One damaged generation: the other serves. Both: an error that names the file, and nothing is lost."""
        self.good(*self.build_args("one", "neighbours", UP_TO))
        def part(letter, rank):
            return self.folder("torn") + f"/neighbours/slide/{UP_TO}.{letter}-{rank}-2.part"
        def progress(letter, rank):
            with open(part(letter, rank), "rb") as file:
                return file.read(128)[112:]
        def cut(letter):
            with open(part(letter, 1), "rb+") as file:
                file.truncate(os.path.getsize(part(letter, 1)) // 2)
        found = []
        # A build that is killed while it saves leaves one generation whose parts do not belong together.
        while len(found) != 4 or any(progress(letter, 0) != progress(letter, 1) for letter in "ab"):
            found = self.stopped_build("torn", 2)
        cut("b")
        shutil.copytree(self.folder("torn"), self.folder("half"))
        self.good_on_ranks(2, *self.build_args("half", "neighbours", UP_TO))
        self.assert_same_files("one", "half")
        cut("a")
        status, _, err = self.on_ranks(2, *self.build_args("torn", "neighbours", UP_TO))
        self.assertEqual(status, 2)
        self.assertRegex(err, UP_TO + r"\.[ab]-1-2\.part: the file has")
        for path in found:
            os.remove(path)
        self.good_on_ranks(2, *self.build_args("torn", "neighbours", UP_TO))
        self.assert_same_files("one", "torn")

    def test_full_disk(self):
        self.good(*self.build_args("one", "neighbours", UP_TO))

        limited = f"trap '' XFSZ; ulimit -f {600 if LONG else 60}; exec \"$@\""
        command = mpirun(2, *self.build_args("full", "neighbours", UP_TO))
        at = command.index(PLYVERSE)
        done = subprocess.run([*command[:at], "sh", "-c", limited, "sh", *command[at:]], capture_output=True, text=True,
                              timeout=1800, env=ENVIRONMENT)
        status, err = done.returncode, done.stderr
        self.assertEqual(status, 2)
        self.assertIn("File too large", err)
        self.assertEqual(err.count("plyverse tables:"), 1, err)
        self.good_on_ranks(2, *self.build_args("full", "neighbours", UP_TO))
        self.assert_same_files("one", "full")

    @unittest.skipIf(os.geteuid() != 0, "network namespaces need root")
    def test_slow_link(self):
        """Two hosts, joined by a link of 5 MB/s that delays every packet and loses some."""
        self.good(*self.build_args("one", "neighbours", UP_TO))
        with SlowLink() as link:
            agent = self.folder("agent")
            with open(agent, "w", encoding="ascii") as file:
                file.write(f'#!/bin/sh\nshift\nexec ip netns exec {link.namespaces[1]} unshare --uts '
                           f'sh -c "hostname {link.namespaces[1]}; $*"\n')
            os.chmod(agent, 0o755)
            where = ["ip", "netns", "exec", link.namespaces[0], "mpirun", "--mca", "plm_rsh_agent", agent]
            for layer in ("btl_tcp_if_include", "oob_tcp_if_include"):
                where += ["--mca", layer, "link0"]
            where += ["-H", ",".join(address + ":1" for address in link.addresses), "-n", "2",
                      # started with the environment of this process, wherever that is
                      *(word for name in ENVIRONMENT if name.startswith(("OMPI_", "ASAN_"))
                        for word in ("-x", name))]
            for args in (("perft", "shogi", "4"), self.build_args("slow", "neighbours", UP_TO)):
                done = subprocess.run([*where, PLYVERSE, *args], capture_output=True, text=True, timeout=1800,
                                      env=ENVIRONMENT)
                self.assertEqual(done.returncode, 0, done.stderr)
                if args[0] == "perft":
                    self.assertEqual(done.stdout, self.good(*args))
            self.assert_same_files("one", "slow")
            self.assertGreater(link.lost, 0)


if __name__ == "__main__":
    unittest.main()
