# SPDX-License-Identifier: MIT
"""Games in play (the tip, taking back, the end, the clock), links, and libraries of the old format."""
import contextlib
import json
import os
import sqlite3
import tempfile
import time
import unittest

from support import ServerTest, Client, Server


class Play(ServerTest):
    """Games in play: the tip, taking back, the end, and the clock, which the server owns."""

    def play(self, game, **more):
        return self.new_game(game, mode="play", **more)

    def move(self, game, node, move, **more):
        return self.client.post(f"/api/games/{game['id']}/moves", {"node": node, "move": move, **more})

    def test_taking_back_replaces_the_move(self):
        game = self.play("neighbours")
        url = f"/api/games/{game['id']}"
        self.move(game, 0, "a1a2")
        self.move(game, 1, "a6a5")
        self.check_error(409, "another move", "POST", url + "/moves", {"node": 0, "move": "b1b3"})
        self.check_error(409, "another move", "POST", url + "/engine", {"node": 0, "millis": 10})
        self.assertEqual(self.client.patch(url, {"tip": 0})["tip"], 0)
        self.check_error(409, "before the current", "PATCH", url, {"tip": 1})
        self.move(game, 0, "b1b3")
        after = self.client.get(url)
        self.assertEqual((after["tip"], after["tree"][0]["children"]), (3, [3, 1]))
        # The move that was taken back can be played again.
        self.client.patch(url, {"tip": 0})
        self.assertEqual(self.move(game, 0, "a1a2")["node"], 1)
        self.assertEqual(self.client.get(url)["tree"][0]["children"], [1, 3])

    def test_a_game_that_ends_after_taking_back_ends_there(self):
        game = self.play("shogi")
        url = f"/api/games/{game['id']}"
        self.move(game, 0, "7g7f 3c3d 2g2f")
        self.client.patch(url, {"tip": 2})
        ended = self.client.patch(url, {"result": "second", "ending": "resign"})
        self.assertEqual((ended["tip"], ended["plies"]), (2, 2))
        _, kif = self.client.raw("GET", url + "/export?format=kif")
        text = kif.decode("shift_jis")
        self.assertIn("投了", text)
        self.assertNotIn("２六歩", text)
        status, back = self.client.send("POST", "/api/import?game=shogi&format=kif", kif)
        self.assertEqual((status, back["games"][0]["outcome"]["result"], back["games"][0]["plies"]), (201, "second", 2))

    def test_a_finished_game_is_extended_in_analysis_only(self):
        game = self.play("gomoku", moves="h8 h9")
        url = f"/api/games/{game['id']}"
        self.client.patch(url, {"result": "draw", "ending": "agreed"})
        error = self.check_error(409, "over", "POST", url + "/moves", {"node": 2, "move": "i9"})
        self.assertEqual(error["code"], "over")
        self.check_error(409, "over", "POST", url + "/engine", {"node": 2, "millis": 10})
        self.check_error(409, "not in play", "PATCH", url, {"tip": 1})
        self.client.patch(url, {"mode": "analysis"})
        self.move(game, 2, "i9")
        after = self.client.get(url)
        self.assertEqual((after["outcome"], after["tip"], after["plies"]), ({"result": "draw", "reason": "agreed"}, 2, 2))
        _, sgf = self.client.raw("GET", url + "/export?format=sgf")
        self.assertEqual(sgf.count(b";B[") + sgf.count(b";W["), 2)

    def test_variations_are_deleted_and_restored(self):
        game = self.play("neighbours")
        url = f"/api/games/{game['id']}"
        self.move(game, 0, "a1a2")
        self.move(game, 1, "a6a5", variation=True)
        self.assertEqual(self.client.get(url)["tip"], 1)
        self.check_error(409, "part of the game", "PATCH", url + "/nodes/1", {"deleted": True})
        self.check_error(409, "start", "PATCH", url + "/nodes/0", {"deleted": True})
        self.move(game, 1, "b6b4")
        self.assertEqual(self.client.get(url)["tree"][1]["children"], [3, 2])
        self.check_error(409, "main", "PATCH", url + "/nodes/2", {"first": True})
        self.client.patch(url + "/nodes/2", {"deleted": True})
        deleted = self.client.get(url)
        self.assertEqual((deleted["tree"][1]["children"], deleted["tree"][2]["deleted"]), ([3], True))
        _, data = self.client.raw("GET", url + "/export?format=ply")
        self.assertNotIn(b"a6a5", data)
        for _ in range(300):
            self.new_game("neighbours")
        self.assertEqual(self.client.get(url), deleted)  # read from disk again
        self.client.patch(url + "/nodes/2", {"deleted": False})
        self.assertEqual(self.client.get(url)["tree"][1]["children"], [3, 2])

    def test_the_clock_starts_after_the_first_move_and_runs_on_the_server(self):
        game = self.play("neighbours", clock={"base": 60000, "increment": 2000, "byoyomi": 0})
        url = f"/api/games/{game['id']}"
        self.assertIsNone(self.client.get(url + "/nodes/0")["clock"]["running"])
        clock = self.move(game, 0, "a1a2", millis=50000)["view"]["clock"]  # millis does not count
        self.assertEqual((clock["left"], clock["running"]), ([60000, 60000], 1))
        time.sleep(0.3)
        again = self.client.get(url + "/nodes/1")["clock"]
        self.assertGreaterEqual(again["elapsed"], 300)
        clock = self.move(game, 1, "a6a5", millis=0)["view"]["clock"]
        self.assertEqual((clock["left"][0], clock["running"]), (60000, 0))
        self.assertLessEqual(clock["left"][1], 61700)
        self.assertGreaterEqual(self.client.get(url)["tree"][2]["millis"], 300)
        # Taking back gives no time back.
        back = self.client.patch(url, {"tip": 1})
        now = self.client.get(url + "/nodes/1")["clock"]
        self.assertEqual((back["tip"], now["running"], now["left"][1]), (1, 1, clock["left"][1]))

    def test_byoyomi(self):
        hour = 3600000
        game = self.play("neighbours", clock={"base": 0, "increment": 0, "byoyomi": hour, "periods": 3})
        self.move(game, 0, "a1a2")
        clock = self.move(game, 1, "a6a5")["view"]["clock"]
        self.assertEqual((clock["left"], clock["periods"], clock["running"]), ([0, 0], [3, 3], 0))
        self.assertEqual(self.client.post(f"/api/games/{game['id']}/time", None)["outcome"]["result"], "ongoing")
        short = self.play("neighbours", clock={"base": 0, "increment": 0, "byoyomi": 100, "periods": 2})
        self.move(short, 0, "a1a2")
        time.sleep(0.3)
        ended = self.client.post(f"/api/games/{short['id']}/time", None)
        self.assertEqual(ended["outcome"], {"result": "first", "reason": "time"})
        self.assertEqual(self.client.get(f"/api/games/{short['id']}/nodes/1")["clock"]["periods"], [2, 0])
        self.check_error(409, "over", "POST", f"/api/games/{short['id']}/moves", {"node": 1, "move": "a6a5"})

    def test_a_move_after_the_flag_is_too_late(self):
        game = self.play("neighbours", clock={"base": 200, "increment": 0, "byoyomi": 0})
        url = f"/api/games/{game['id']}"
        self.move(game, 0, "a1a2")
        time.sleep(0.3)
        error = self.check_error(409, "time", "POST", url + "/moves", {"node": 1, "move": "a6a5"})
        self.assertEqual(error["code"], "time")
        self.assertEqual(self.client.get(url)["outcome"], {"result": "first", "reason": "time"})
        again = self.play("neighbours", clock={"base": 200, "increment": 0, "byoyomi": 0})
        self.move(again, 0, "a1a2")
        time.sleep(0.3)
        url = f"/api/games/{again['id']}"
        self.check_error(409, "time", "POST", url + "/engine", {"node": 1, "level": 1})
        self.assertEqual(self.client.get(url)["outcome"]["reason"], "time")

    def test_the_engine_plays_with_byoyomi(self):
        players = [{"kind": "engine", "level": 1}, {"kind": "engine", "level": 1}]
        for name in ("neighbours", "5dchess"):
            game = self.play(name, players=players, clock={"base": 0, "increment": 0, "byoyomi": 60000})
            url, node = f"/api/games/{game['id']}", 0
            for _ in range(3):
                node = self.client.post(url + "/engine", {"node": node, "clock": True})["node"]
            self.assertEqual(self.client.get(url)["outcome"]["result"], "ongoing")
            self.assertEqual(self.client.get(f"{url}/nodes/{node}")["clock"]["periods"], [1, 1])

    def test_bad_clocks_and_modes(self):
        for clock in ({"base": 0, "increment": 0, "byoyomi": 0}, {"base": 1, "increment": 0, "byoyomi": 0, "periods": 0}):
            self.check_error(400, "", "POST", "/api/games", {"game": "shogi", "clock": clock})
        self.check_error(400, "mode", "POST", "/api/games", {"game": "shogi", "mode": "watch"})

    def test_a_link_opened_twice_is_one_game(self):
        link = {"game": "gomoku", "variant": "renju", "moves": "h8 h9", "shared": True}
        first = self.client.post("/api/games", link, 201)
        self.move(first, 2, "i9")
        again = self.client.post("/api/games", link)
        self.assertEqual((again["id"], again["nodes"]), (first["id"], 4))
        other = self.client.post("/api/games", {**link, "moves": "h8 i9"}, 201)
        self.assertNotEqual(other["id"], first["id"])
        self.client.delete(f"/api/games/{first['id']}")
        self.assertNotEqual(self.client.post("/api/games", link, 201)["id"], first["id"])


class OldLibraries(unittest.TestCase):
    """A library of format 1 is converted when it is opened."""

    SCHEMA = """
        CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, variant TEXT NOT NULL,
          start TEXT NOT NULL, title TEXT NOT NULL, players TEXT NOT NULL, clock TEXT NOT NULL, tags TEXT NOT NULL,
          result INTEGER NOT NULL, ending TEXT NOT NULL, at INTEGER NOT NULL, created INTEGER NOT NULL,
          modified INTEGER NOT NULL, deleted INTEGER NOT NULL, plies INTEGER NOT NULL, node_count INTEGER NOT NULL,
          words TEXT NOT NULL);
        CREATE INDEX games_by_time ON games (deleted, modified DESC);
        CREATE TABLE nodes (game INTEGER NOT NULL REFERENCES games (id), n INTEGER NOT NULL, parent INTEGER NOT NULL,
          rank INTEGER NOT NULL, move TEXT, setup TEXT, millis INTEGER NOT NULL, comment TEXT, nags BLOB,
          score INTEGER, depth INTEGER, PRIMARY KEY (game, n)) WITHOUT ROWID;
        PRAGMA user_version = 1;"""

    def test_format_1_is_converted(self):
        with tempfile.TemporaryDirectory() as folder:
            with contextlib.closing(sqlite3.connect(os.path.join(folder, "games.sqlite"))) as db, db:
                db.executescript(self.SCHEMA)
                for kind in ("person", "engine"):
                    players = json.dumps([{"kind": "person"}, {"kind": kind}], separators=(",", ":"))
                    clock = '{"base":60000,"increment":0,"byoyomi":0}'
                    db.execute("INSERT INTO games VALUES (NULL, 'gomoku', 'freestyle', '', 'Old', ?, ?, '{}', 0, '', 2,"
                               " 1, 2, 0, 2, 3, 'Old')", (players, clock))
                    game = db.execute("SELECT max(id) FROM games").fetchone()[0]
                    for n, move in enumerate((None, "h8", "h9")):
                        db.execute("INSERT INTO nodes VALUES (?, ?, ?, ?, ?, NULL, 5000, NULL, NULL, NULL, NULL)",
                                   (game, n, max(0, n - 1), n, move))
            server = Server(folder=folder)
            try:
                client = Client(server)
                person, engine = client.get("/api/games/1"), client.get("/api/games/2")
                self.assertEqual([n["move"] for n in person["tree"]], [None, "h8", "h9"])
                self.assertEqual((person["mode"], engine["mode"], engine["tip"]), ("analysis", "play", 2))
                self.assertEqual(client.get("/api/games/1/nodes/2")["clock"]["left"], [55000, 55000])
                added = client.post("/api/games/2/moves", {"node": 2, "move": "i9"})
                self.assertEqual(added["view"]["clock"]["running"], 1)
                client.close()
            finally:
                self.assertEqual(server.stop(), (0, ""))


if __name__ == "__main__":
    unittest.main()
