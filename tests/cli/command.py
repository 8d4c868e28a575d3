# SPDX-License-Identifier: MIT
"""What the tests of the command share: running it and checking its output."""
import json
import os
import subprocess
import unittest

PLYVERSE = os.environ["PLYVERSE"]
BUILD = os.environ["PLYVERSE_BUILD"]
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(*args, stdin="", env=None):
    """Runs plyverse; returns status, stdout and stderr."""
    done = subprocess.run([PLYVERSE, *args], input=stdin, capture_output=True, text=True,
                          timeout=600, env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


def wait_for_handler(process, number):
    """Waits until a process handles a signal; before that, the signal would kill it."""
    caught = 0
    while not caught & 1 << number - 1:
        assert process.poll() is None, process.returncode
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            caught = int(next(line for line in status if line.startswith("SigCgt")).split()[1], 16)


class CommandTest(unittest.TestCase):
    def good(self, *args, stdin=""):
        status, out, err = run(*args, stdin=stdin)
        self.assertEqual((status, err), (0, ""), args)
        return out

    def json(self, *args, stdin=""):
        return json.loads(self.good(*args, "--json", stdin=stdin))

    def bad(self, words, *args, stdin=""):
        """Expects status 2, nothing on stdout, and one line on stderr that contains the words."""
        status, out, err = run(*args, stdin=stdin)
        self.assertEqual((status, out), (2, ""), args)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(words, err)
