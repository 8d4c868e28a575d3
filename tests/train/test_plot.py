# SPDX-License-Identifier: MIT
"""tools/train/plot: the picture has what the curves say, and what is no curve is rejected."""
import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = "step,samples,rate,training,validation,validation_result,search_score_result,seconds\n"


def plot(*arguments):
    return subprocess.run([os.path.join(ROOT, "tools/train/plot"), *arguments], capture_output=True, text=True, timeout=600)


class Plot(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_lines(self):
        curve = self.file("a.csv", HEADER + "1,500000,0.1,0.6,0.65,0.7,0.62,1\n2,1000000,0.1,0.5,0.55,0.6,0.62,2\n")
        out = os.path.join(self.folder.name, "out.svg")
        done = plot(out, "first=" + curve, "a < b & c=" + curve)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(out, encoding="utf-8") as file:
            text = file.read()
        lines = re.findall(r'polyline points="([^"]*)"', text)
        self.assertEqual(len(lines), 8)
        points = [[tuple(map(float, point.split(","))) for point in line.split()] for line in lines[:4]]
        for line in points:
            self.assertEqual([x for x, _ in line], [450.0, 840.0])  # half of the samples, then all
        training, held_out, results, scores = points
        self.assertGreater(training[1][1], training[0][1])  # the loss falls; y grows downwards
        self.assertEqual(results[1][1], training[0][1])  # both are 0.6
        self.assertEqual(scores[0][1], scores[1][1])
        self.assertIn(">first</text>", text)
        for label in ("0.50", "0.60", "0.70"):  # of the y axis
            self.assertIn(f'text-anchor="end">{label}</text>', text)
        self.assertIn(">a &lt; b &amp; c</text>", text)

    def test_bad_input(self):
        out = os.path.join(self.folder.name, "out.svg")
        good = self.file("good.csv", HEADER + "1,500000,0.1,0.6,0.65,0.7,0.62,1\n")
        cases = {"usage": [out], "usage:": [out, good], "No such file": [out, "a=/nowhere/x.csv"],
                 "empty": [out, "a=" + self.file("empty.csv", HEADER)],
                 "not a loss curve": [out, "a=" + self.file("bad.csv", HEADER + "1,x,0.1,0.6,0.65,0.7,0.62,1\n")],
                 "not a loss": [out, "a=" + self.file("other.csv", "a,b\n1,2\n")],
                 "No such": ["/nowhere/out.svg", "a=" + good]}
        for message, arguments in cases.items():
            with self.subTest(message):
                done = plot(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertIn(message, done.stderr)
        self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    unittest.main()
