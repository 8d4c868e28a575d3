# SPDX-License-Identifier: MIT
"""docs/c-api.md shows examples as they are, and their output as it is; the examples themselves are tests of their own."""
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


class CApi(unittest.TestCase):
    def setUp(self):
        self.page = read("docs", "c-api.md")

    def test_code_is_the_example(self):
        blocks = re.findall(r"^```c\n(.*?)^```", self.page, re.M | re.S)
        names = [re.match(r"/\* SPDX[^\n]*\n/\*\s*(?:\* )?(\w+\.c)", block)[1] for block in blocks]
        self.assertEqual(names, ["play_a_game.c"])
        for name, block in zip(names, blocks):
            self.assertEqual(block, read("examples", name))
            self.assertIn("```\n" + read("examples", name[:-2] + ".out") + "```", self.page)

    def test_names_exist(self):
        for path in re.findall(r"\]\(([^)#]+)\)", self.page):
            self.assertTrue(os.path.exists(os.path.join(ROOT, "docs", path)), path)
        headers = "".join(read("include", "plyverse", name) for name in os.listdir(os.path.join(ROOT, "include/plyverse")))
        for name in re.findall(r"`((?:ply|PLY)_\w+)`", self.page):
            self.assertRegex(headers, r"\b" + name + r"\b")
        for name in re.findall(r"`(\w+\.h)`", self.page):
            self.assertTrue(os.path.exists(os.path.join(ROOT, "include/plyverse", name)), name)


if __name__ == "__main__":
    unittest.main()
