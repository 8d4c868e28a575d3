# SPDX-License-Identifier: MIT
"""plyverse show --layout and --each: the words of a position and what a move changes."""
import re
import unittest

from command import CommandTest


class Layout(CommandTest):
    def fields(self, *args):
        shown = self.json("show", *args, "--layout")
        return {field["name"]: field for field in shown["layout"]["fields"]}

    def test_text_has_the_words_of_the_json(self):
        for game, moves in (("neighbours", "a1a2"), ("checkers", "11-15"), ("shogi", "7g7f"), ("gomoku", "h8"),
                            ("5dchess", "e2e4")):
            text = self.good("show", game, "--moves", moves, "--layout")
            for name, field in self.fields(game, "--moves", moves).items():
                if len(field["words"]) == 1:
                    line = rf"^ {re.escape('*' if field['changed'] else ' ')} +\d* +{re.escape(name)} +{field['words'][0]}  "
                    self.assertRegex(text, re.compile(line, re.M), game)
            self.assertIn("*: changed by the last move\n", text)

    def test_a_move_of_the_notes(self):
        """Neighbours: a move is two XORs, and the two words swap."""
        before = self.fields("neighbours")
        after = self.fields("neighbours", "--moves", "c1c3")
        current = int(before["current"]["words"][0], 16)
        self.assertEqual(int(after["next"]["words"][0], 16), current ^ 1 << 2 ^ 1 << 14)
        self.assertEqual(after["current"]["words"], before["next"]["words"])
        self.assertEqual(after["current"]["before"], before["current"]["words"])

    def test_gomoku_changes_four_lines(self):
        changed = [name for name, field in self.fields("gomoku", "--moves", "h8 j7").items()
                   if name.startswith("lines") and field["changed"]]
        # j7 is x = 9, y = 6 on 15x15: row 6, column 15 + 9, diagonals 30 + 15 and 59 + 11.
        self.assertEqual(changed, ["lines[6]", "lines[24]", "lines[45]", "lines[70]"])

    def test_start_has_nothing_to_compare(self):
        text = self.good("show", "shogi", "--layout")
        self.assertNotIn("changed by the last move", text)
        self.assertFalse(self.json("show", "shogi", "--layout")["layout"]["compared"])

    def test_each(self):
        moves = ["7g7f", "3c3d", "8h2b+"]
        shown = self.json("show", "shogi", "--moves", " ".join(moves), "--each", "--layout")
        self.assertEqual([position["plies"] for position in shown], [0, 1, 2, 3])
        for i, position in enumerate(shown):
            alone = self.json("show", "shogi", "--moves", " ".join(moves[:i]), "--layout")
            self.assertEqual(position, alone)
        text = self.good("show", "shogi", "--moves", " ".join(moves), "--each")
        self.assertEqual(re.findall(r"^ply (.*)$", text, re.M), ["1 7g7f", "2 3c3d", "3 8h2b+"])
        self.assertEqual(re.findall(r"^position (.*)$", text, re.M), [position["position"] for position in shown])

    def test_large_multiverse_is_bounded(self):
        """Boards that are left out are counted."""
        moves = "e2e3 submit e7e6 submit g1f3 submit"
        fields = self.fields("5dchess", "--moves", moves)
        self.assertEqual(int(fields["boards"]["words"][0], 16), int(fields["board_count"]["words"][0], 16) - 1)


if __name__ == "__main__":
    unittest.main()
