# SPDX-License-Identifier: MIT
"""plyverse show --svg: a drawing shows what the JSON of the board says, square by square."""
import re
import subprocess
import unittest
import xml.etree.ElementTree as xml

from command import CommandTest, SOURCE

NS = "{http://www.w3.org/2000/svg}"


class Svg(CommandTest):
    def drawing(self, *args):
        root = xml.fromstring(self.good("show", *args, "--svg"))
        self.assertEqual(root.tag, NS + "svg")
        x, y, width, height = map(int, root.get("viewBox").split())
        for part in root.iter():  # nothing lies outside
            for name, low, high in (("x", x, x + width), ("cx", x, x + width), ("y", y, y + height),
                                    ("cy", y, y + height)):
                if part.get(name):
                    self.assertTrue(low <= int(part.get(name)) <= high, part.attrib)
        return root

    def board(self, *args):
        return self.json("show", *args)["board"]

    def test_gomoku(self):
        args = ("gomoku", "--moves", "h8 i9 a1 o15")
        stones = {(int(c.get("cx")) // 100, 14 - int(c.get("cy")) // 100)
                  for c in self.drawing(*args).iter(NS + "circle") if c.get("r") == "46"}
        self.assertEqual(stones, {(s["x"], s["y"]) for s in self.board(*args)["stones"]})
        turned = {(14 - int(c.get("cx")) // 100, int(c.get("cy")) // 100)
                  for c in self.drawing(*args, "--flip").iter(NS + "circle") if c.get("r") == "46"}
        self.assertEqual(turned, stones)

    def test_neighbours(self):
        args = ("neighbours", "--moves", "c1c3")
        digits = {(int(t.get("x")) // 100, 5 - int(t.get("y")) // 100): int(t.text)
                  for t in self.drawing(*args).iter(NS + "text") if t.get("font-size") == "36"}
        pieces = {("abcdef".index(p["square"][0]), int(p["square"][1]) - 1): p["distance"]
                  for p in self.board(*args)["pieces"]}
        self.assertEqual(digits, pieces)

    def test_checkers(self):
        args = ("checkers", "--position", "B:W18,24,K3:B12,K10")
        shown = self.drawing(*args)
        men = {(int(c.get("cx")) // 100, int(c.get("cy")) // 100) for c in shown.iter(NS + "circle") if c.get("r") == "30"}
        board = [s for s in self.board(*args)["squares"] if "colour" in s]
        self.assertEqual(men, {(s["column"], s["row"]) for s in board})
        self.assertEqual(len(list(shown.iter(NS + "path"))), sum(s["king"] for s in board))

    def test_shogi(self):
        args = ("shogi", "--moves", "7g7f 3c3d 8h2b+ 3a2b")
        shown = self.drawing(*args)
        at = {}
        for use in shown.iter(NS + "use"):
            x, y = map(int, re.match(r"translate\((-?\d+) (-?\d+)\)", use.get("transform")).groups())
            at[(x // 100, y // 100)] = (use.get("href"), "rotate" in use.get("transform"))
        board, hands = self.board(*args)["pieces"], self.board(*args)["hands"]
        for piece in board:
            square = (9 - int(piece["square"][0]), ord(piece["square"][1]) - ord("a"))
            self.assertEqual(at.pop(square)[1], piece["colour"] == "white", piece)
        self.assertEqual(len(at), len(hands["black"]) + len(hands["white"]))
        self.assertEqual({turned for _, turned in at.values()}, {False, True})  # a bishop in either hand

    def test_fived(self):
        args = ("5dchess", "--moves", "(0T1)e2(0T1)e4 submit (0T1)e7(0T1)e5 submit (0T2)g1(0T1)g3")
        shown = self.drawing(*args)
        boards = [b for line in self.board(*args)["lines"] for b in line["boards"]]
        pieces = sum(len(re.findall("[A-Za-z]", board["ranks"])) for board in boards)
        self.assertEqual(len(list(shown.iter(NS + "use"))), pieces)
        titles = [t.text for t in shown.iter(NS + "text")]
        self.assertEqual(sorted(titles), ["(0T1)b", "(0T1)w", "(0T2)b", "(0T2)w", "(1T1)b"])

    def test_shapes_are_those_of_the_page(self):
        done = subprocess.run(["node", "tools/shapes.mjs", "--check"], cwd=SOURCE, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bad(self):
        self.bad("--svg: cannot be combined", "show", "shogi", "--svg", "--json")
        self.bad("--flip: needs --svg", "show", "shogi", "--flip")


if __name__ == "__main__":
    unittest.main()
