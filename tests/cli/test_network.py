# SPDX-License-Identifier: MIT
"""Choosing a network: --net, the player option net=, the protocol option Network."""
import os
import subprocess
import tempfile
import unittest

from command import PLYVERSE, SOURCE, CommandTest

NETWORK = os.path.join(SOURCE, "tests", "fuzz", "corpus", "network", "small.plynet")


class Network(CommandTest):
    def nodes(self, *args):
        result = self.json("best", "checkers", "--depth", "9", "--tables", "none", *args)
        return result["nodes"], result["lines"]

    def test_best(self):
        own, with_file = self.nodes("--net", "none"), self.nodes("--net", NETWORK)
        self.assertNotEqual(own, with_file)
        self.assertEqual(with_file, self.nodes("--net", NETWORK))
        self.good("best", "checkers", "--level", "3", "--net", NETWORK)
        self.good("best", "checkers", "--engine", "mcts", "--nodes", "100", "--net", NETWORK)

    def test_bad_files(self):
        self.bad("/no/such.plynet: No such file", "best", "checkers", "--net", "/no/such.plynet")
        self.bad("a network for checkers-english, not for shogi", "best", "shogi", "--net", NETWORK)
        self.bad("not for checkers-italian", "best", "checkers", "--variant", "italian", "--net", NETWORK)
        self.bad("no networks for these rules", "best", "checkers", "--variant", "english:men=back", "--net", NETWORK)
        with tempfile.NamedTemporaryFile() as file, open(NETWORK, "rb") as source:
            damaged = bytearray(source.read())
            damaged[-1] ^= 1
            file.write(damaged)
            file.flush()
            self.bad("the checksum is wrong", "best", "checkers", "--net", file.name)
            self.bad("the checksum is wrong", "play", "checkers", "--net", file.name)
            self.bad("the checksum is wrong", "play", "checkers", "--second", "engine:net=" + file.name)
            self.bad("the checksum is wrong", "bench", "checkers", "--net", file.name)
            self.bad("the checksum is wrong", "engine", "hub", "--net", file.name)
            self.bad("the checksum is wrong", "match", "checkers", "--first", "alphabeta:depth=1,net=" + file.name,
                     "--second", "random")

    def test_match(self):
        out = self.good("match", "checkers", "--first", "alphabeta:nodes=200,net=" + NETWORK, "--second",
                        "alphabeta:net=none,nodes=200", "--games", "2", "--quiet", "--tables", "none")
        self.assertRegex(out, r"\nscore \d+-\d+-\d+\n$")
        self.bad("expected the path of a network", "match", "checkers", "--first", "alphabeta:net=", "--second",
                 "random")
        self.bad("more than 255 bytes", "match", "checkers", "--first", "alphabeta:net=" + "x" * 256, "--second",
                 "random")

    def talk(self, game, *lines):
        done = subprocess.run([PLYVERSE, "engine", "ply", "--game", game], input="\n".join(lines) + "\nquit\n",
                              capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_protocol(self):
        out = self.talk("checkers", "ply", "setoption name Network value " + NETWORK, "ply")
        self.assertIn("option name Network type string default <empty>\n", out)
        self.assertIn("option name Network type string default " + NETWORK + "\n", out)
        out = self.talk("shogi", "setoption name Network value " + NETWORK, "ply",
                        "setoption name Network value none", "ply")
        self.assertIn("a network for checkers-english, not for shogi\n", out)
        self.assertIn("option name Network type string default <empty>\n", out)
        self.assertIn("option name Network type string default none\n", out)


if __name__ == "__main__":
    unittest.main()
