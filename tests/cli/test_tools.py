# SPDX-License-Identifier: MIT
"""The scripts around the program: tools/race, tools/deps, tools/picture, ./test."""
import os
import subprocess
import unittest
import xml.dom.minidom

from command import PLYVERSE, SOURCE


def run(*args):
    done = subprocess.run(args, cwd=SOURCE, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


class Race(unittest.TestCase):
    def test_ratio(self):
        status, out, _ = run("tools/race", "-n", "2", "sleep", "1", "--", "true")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^A \d+\.\d+ s  B \d+\.\d+ s  best of 2 each\nratio \d+\.\d\d\n$")
        self.assertGreater(float(out.split()[-1]), 1)

    def test_bad(self):
        for args in ((), ("true",), ("true", "--"), ("--", "true"), ("-n", "x", "true", "--", "true")):
            status, out, err = run("tools/race", *args)
            self.assertEqual((status, out), (2, ""), args)
            self.assertEqual(err.count("\n"), 1, err)
        status, _, err = run("tools/race", "-n", "1", "false", "--", "true")
        self.assertEqual(status, 2)
        self.assertIn("failed: false", err)


class Others(unittest.TestCase):
    def test_usage(self):
        for script in ("./test", "tools/deps"):
            status, _, err = run(script, "nonsense")
            self.assertEqual(status, 2)
            self.assertIn("usage:", err)

    def test_picture(self):
        status, out, _ = run("tools/picture", PLYVERSE, "show", "neighbours")
        self.assertEqual(status, 0)
        picture = xml.dom.minidom.parseString(out).documentElement
        self.assertEqual(picture.tagName, "svg")
        letters = "".join(t.firstChild.data for t in picture.getElementsByTagName("text"))
        self.assertIn("Whitetomove", letters)


if __name__ == "__main__":
    unittest.main()
