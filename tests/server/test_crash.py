# SPDX-License-Identifier: MIT
"""Kills the server during play: every move that was acknowledged must be there after a restart."""
import http.client
import os
import random
import shutil
import tempfile
import threading
import time
import unittest

from support import Client, LONG, Server

ROUNDS = int(os.environ.get("PLY_CRASH_ROUNDS", 1000 if LONG else 15))
PLAYERS = 3


class Player(threading.Thread):
    """Plays moves in one game, sometimes from an earlier node, until the server dies."""

    def __init__(self, server, game, expected, seed):
        super().__init__()
        self.server, self.game, self.expected, self.rng = server, game, expected, random.Random(seed)
        self.failure = None

    def run(self):
        client = Client(self.server, timeout=600)
        node, view = None, None
        try:
            while True:
                if view is None or not view["moves"] or self.rng.random() < 0.1:
                    node = self.rng.choice(list(self.expected))
                    view = client.get(f"/api/games/{self.game}/nodes/{node}")
                    if not view["moves"]:
                        node, view = 0, client.get(f"/api/games/{self.game}/nodes/0")
                move = self.rng.choice(view["moves"])["move"]
                if self.rng.random() < 0.2:
                    added = client.post(f"/api/games/{self.game}/engine", {"node": node, "level": 1})
                else:
                    added = client.post(f"/api/games/{self.game}/moves", {"node": node, "move": move})
                for new in added["added"][1:]:
                    self.expected[new["n"]] = (new["parent"], new["move"])
                node, view = added["node"], added["view"]
        except (OSError, http.client.HTTPException):
            pass
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure
        finally:
            client.close()


class Crash(unittest.TestCase):
    def test_no_acknowledged_move_is_lost(self):
        folder = tempfile.mkdtemp(prefix="plyverse-crash-")
        rng = random.Random(1)
        kinds = ["neighbours", "gomoku", "checkers", "shogi", "5dchess"]
        games, moves = {}, 0
        try:
            for turn in range(ROUNDS):
                server = Server(folder=folder)
                client = Client(server)
                for game, expected in games.items():
                    tree = client.get(f"/api/games/{game}")["tree"]
                    for n, (parent, move) in expected.items():
                        if n:
                            self.assertEqual((tree[n]["parent"], tree[n]["move"]), (parent, move), (turn, game, n))
                # Start new games from time to time, so that loading stays fast.
                if turn % 20 == 0:
                    games = {client.post("/api/games", {"game": kinds[(turn // 20 + i) % len(kinds)]}, 201)["id"]: {0: (None, None)}
                             for i in range(PLAYERS)}
                client.close()
                players = [Player(server, game, expected, (turn, game).__hash__()) for game, expected in games.items()]
                before = sum(len(expected) for expected in games.values())
                for player in players:
                    player.start()
                time.sleep(0.02 + rng.random() * 0.15)
                server.kill()
                for player in players:
                    player.join()
                    if player.failure:
                        raise player.failure
                moves += sum(len(expected) for expected in games.values()) - before
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(f"{ROUNDS} rounds, {moves} acknowledged moves, none lost")
        self.assertGreater(moves, ROUNDS * 2)


if __name__ == "__main__":
    unittest.main()
