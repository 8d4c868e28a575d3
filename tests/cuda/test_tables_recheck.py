# SPDX-License-Identifier: MIT
"""neighbours_recheck proves sampled values of a report by search, and notices wrong ones."""
import os
import re
import subprocess
import tempfile
import unittest

PLYVERSE = os.environ["PLYVERSE"]
BUILD = os.environ["PLYVERSE_BUILD"]
RECHECK = os.path.join(BUILD, "neighbours_recheck")


def run(*arguments):
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(BUILD, "emulated"))
    return subprocess.run(arguments, capture_output=True, text=True, env=environment, timeout=600)


class Recheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.report = os.path.join(cls.folder.name, "report.txt")
        cls.tables = os.path.join(cls.folder.name, "tables")
        solved = run(PLYVERSE, "tables", "solve", "neighbours", "--up-to", "2v2", "--no-verify", "--report", cls.report)
        built = run(PLYVERSE, "tables", "build", "neighbours", "--up-to", "1v2", "--dir", cls.tables, "--quiet")
        assert solved.returncode == 0 and built.returncode == 0, solved.stderr + built.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def recheck(self, report, *arguments):
        result = run(RECHECK, report, *arguments)
        counts = re.search(r"proved: (\d+) won, (\d+) lost; not decided by the search: (\d+) won, (\d+) lost, "
                           r"(\d+) drawn; contradicted: (\d+)", result.stdout)
        return result, [int(count) for count in counts.groups()] if counts else None

    def test_every_value_of_a_small_class_is_proved(self):
        result, (won, lost, open_won, open_lost, drawn, contradicted) = self.recheck(
            self.report, "2v2", self.tables, "100000", "4")
        self.assertEqual((result.returncode, open_won, open_lost, contradicted), (0, 0, 0, 0))
        self.assertEqual(won + lost + drawn, 228)  # four of each of 64 samples, but beyond the last column
        self.assertGreater(won, 50)
        self.assertGreater(lost, 50)

    def test_wrong_values_are_noticed(self):
        wrong = os.path.join(self.folder.name, "wrong.txt")
        with open(self.report, encoding="utf-8") as source, open(wrong, "w", encoding="utf-8") as copy:
            copy.write(re.sub(r"wins ((?:\w{8} ?){4})losses ((?:\w{8} ?){4})", r"wins \2 losses \1", source.read()))
        result, counts = self.recheck(wrong, "2v2", self.tables, "100000", "1")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(counts[:2], [0, 0])
        self.assertGreater(counts[5], 40)

    def test_bad_arguments(self):
        for arguments in ([], [self.report], [self.report, "7v1"], [os.devnull, "2v2"], ["/nonexistent", "2v2"]):
            self.assertEqual(run(RECHECK, *arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main()
