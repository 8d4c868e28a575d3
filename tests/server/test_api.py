# SPDX-License-Identifier: MIT
"""The JSON API: every endpoint. The client checks each response against docs/openapi.json."""
import json
import os
import random
import re
import subprocess
import time
import unittest

import support
from support import ServerTest, Client, LONG, PLYVERSE, SANITIZER, Server, SPEC

def plyverse(*args):
    done = subprocess.run([PLYVERSE, *args], capture_output=True, text=True, timeout=600, check=True)
    return done.stdout


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAMES = [game["id"] for game in json.loads(plyverse("games", "--json"))]


class Catalog(ServerTest):
    def test_catalog_agrees_with_the_command(self):
        catalog = self.client.get("/api/catalog")
        listed = {game["id"]: game for game in json.loads(plyverse("games", "--json"))}
        self.assertEqual({game["id"] for game in catalog["games"]}, set(listed))
        self.assertGreaterEqual(set(listed), {"5dchess", "shogi", "checkers", "neighbours", "gomoku"})
        for game in catalog["games"]:
            other = listed[game["id"]]
            self.assertEqual([v["id"] for v in game["variants"]], [v["id"] for v in other["variants"]])
            self.assertEqual([f["id"] for f in game["formats"]], [f["id"] for f in other["formats"]])
            self.assertEqual([o["name"] for o in game["options"]], [o["name"] for o in other["options"]])
            for variant in game["variants"]:
                self.assertEqual(set(variant["settings"]), {o["name"] for o in game["options"]})
        checkers = next(g for g in catalog["games"] if g["id"] == "checkers")
        self.assertEqual(len(checkers["openings"]), 174)

    def test_openings_can_be_played(self):
        checkers = next(g for g in self.client.get("/api/catalog")["games"] if g["id"] == "checkers")
        for opening in checkers["openings"][::40]:
            view = self.client.post("/api/view", {"game": "checkers", "variant": opening["variant"],
                                                  "position": opening["position"], "moves": opening["moves"]})
            self.assertEqual(view["ply"], 3)

    def test_every_variant_makes_a_game(self):
        for game in self.client.get("/api/catalog")["games"]:
            for variant in game["variants"]:
                made = self.new_game(game["id"], variant=variant["id"])
                self.assertEqual(made["variant"].split(":")[0], variant["id"])
                view = self.client.get(f"/api/games/{made['id']}/nodes/0")
                self.assertTrue(view["moves"])
                self.assertEqual(view["players"], variant["players"])

    def test_description_is_served(self):
        self.assertEqual(self.client.get("/api/openapi.json"), SPEC)

    def test_status(self):
        status = self.client.get("/api/status")
        self.assertGreater(status["memory"], 0)
        self.assertGreaterEqual(status["connections"], 1)

    def test_tournament(self):
        engines = [{"name": "A", "spec": "greedy"}, {"name": "B", "spec": "random"}, {"spec": "alphabeta:depth=1"}]
        plan = {"game": "neighbours", "rounds": 3, "millis": 20, "engines": engines}
        for change, status in (({"engines": engines[:1]}, 400), ({"rounds": 0}, 400), ({"game": "chess"}, 422), ({"variant": "x"}, 422),
                               ({"engines": [{"spec": "nonsense"}] * 2}, 422), ({"engines": [{"spec": "random", "x": 1}] * 2}, 400)):
            self.client.expect("POST", "/api/tournament", {**plan, **change}, status)
        self.client.post("/api/tournament", {**plan, "rounds": 500, "millis": 1000}, 201)
        self.check_error(409, "running already", "POST", "/api/tournament", plan)
        self.assertEqual(self.client.delete("/api/tournament", 200)["stage"], "stopped")
        self.client.post("/api/tournament", plan, 201)
        while (now := self.client.get("/api/tournament"))["stage"] == "running":
            time.sleep(0.05)
        self.assertEqual((now["stage"], now["played"], now["total"]), ("finished", 18, 18))
        self.assertEqual([engine["name"] for engine in now["engines"]], ["A", "B", "alphabeta:depth=1"])
        for i, one in enumerate(now["engines"]):
            self.assertEqual(one["games"], 12)
            for k, other in enumerate(now["engines"]):
                mine, theirs = one["against"][k], other["against"][i]
                self.assertEqual((mine["wins"], mine["draws"]), (theirs["losses"], theirs["draws"]))
                self.assertEqual(sum(mine.values()), 0 if i == k else 6)

    def test_this_machine_alone_has_no_address_for_others(self):
        self.assertEqual(self.client.get("/api/addresses"), {"addresses": []})


class Views(ServerTest):
    def test_views_agree_with_the_command(self):
        for game in GAMES:
            rng = random.Random(game)
            moves = []
            for _ in range(8):
                view = self.client.post("/api/view", {"game": game, "moves": " ".join(moves)})
                listed = json.loads(plyverse("moves", game, "--moves", " ".join(moves), "--json"))
                for name in ("position", "side", "hash", "notes"):
                    self.assertEqual(view[name], listed[name], (game, name))
                self.assertEqual([m["move"] for m in view["moves"]], listed["moves"])
                shown = json.loads(plyverse("show", game, "--moves", " ".join(moves), "--json"))
                self.assertEqual(view["board"], shown["board"])
                if not listed["moves"]:
                    break
                moves.append(rng.choice(listed["moves"]))

    def test_position_round_trip(self):
        for game in GAMES:
            first = self.client.post("/api/view", {"game": game})
            move = first["moves"][0]["move"]
            second = self.client.post("/api/view", {"game": game, "moves": move})
            again = self.client.post("/api/view", {"game": game, "position": second["position"]})
            self.assertEqual(again["hash"], second["hash"])
            self.assertEqual(again["moves"], second["moves"])
            self.assertIsNone(again["last"])
            self.assertEqual(second["last"]["move"], move)

    def test_errors_have_a_location(self):
        error = self.check_error(422, "", "POST", "/api/view", {"game": "shogi", "position": "lnsgkgsnl/1r5b1/xx"})
        self.assertEqual(error["field"], "position")
        self.assertGreater(error["column"], 1)
        self.check_error(422, "variant", "POST", "/api/view", {"game": "shogi", "variant": "nonsense"})
        self.check_error(422, "unknown-game", "POST", "/api/view", {"game": "go"})
        error = self.check_error(422, "", "POST", "/api/view", {"game": "neighbours", "moves": "a1a2 a1a2"})
        self.assertEqual((error["field"], error["column"]), ("moves", 6))

    def test_turn_of_several_moves(self):
        view = self.client.post("/api/view", {"game": "5dchess", "moves": "e2e4"})
        self.assertEqual([m["move"] for m in view["turn"]], ["(0T1)e2(0T1)e4"])
        self.assertTrue(view["board"]["may_submit"])
        view = self.client.post("/api/view", {"game": "5dchess", "moves": "e2e4 submit"})
        self.assertEqual(view["turn"], [])
        self.assertEqual(view["side"], 1)

    def test_pretty_moves_are_kanji(self):
        view = self.client.post("/api/view", {"game": "shogi", "moves": "7g7f"})
        self.assertEqual(view["last"], {"move": "7g7f", "pretty": "７六歩", "side": 0, "setup": False,
                                        "notations": {"japanese": "７六歩", "western": "P-7f"}})

    def test_notations(self):
        """Every move of a game with several notations is written in each of them, in views and in the tree."""
        for entry in self.client.get("/api/catalog")["games"]:
            ids = [notation["id"] for notation in entry["notations"]]
            view = self.client.post("/api/view", {"game": entry["id"]})
            made = self.new_game(entry["id"], moves=view["moves"][0]["move"])
            for move in (*view["moves"], made["tree"][1]):
                self.assertEqual(list(move.get("notations", {})), ids if len(ids) > 1 else [])
                if len(ids) > 1:
                    self.assertEqual(move["notations"][ids[0]], move["pretty"])
        view = self.client.post("/api/view", {"game": "checkers", "variant": "russian"})
        texts = [(m["notations"]["letters"], m["move"]) for m in view["moves"]]
        self.assertTrue(all(letters == move for letters, move in texts))
        squares = {s["square"]: s["number"] for s in view["board"]["squares"]}
        # Numbers run from White's upper left corner.
        self.assertEqual((squares["b8"], squares["a7"], squares["g1"]), ("1", "5", "32"))


class Games(ServerTest):
    def test_tree_only_grows(self):
        game = self.new_game("neighbours", title="Tree")
        url = f"/api/games/{game['id']}"
        first = self.client.post(url + "/moves", {"node": 0, "move": "a1a2", "millis": 1234})
        self.assertEqual((first["node"], [n["n"] for n in first["added"]]), (1, [0, 1]))
        second = self.client.post(url + "/moves", {"node": 1, "move": "a6a5"})
        other = self.client.post(url + "/moves", {"node": 0, "move": "b1b3"})
        again = self.client.post(url + "/moves", {"node": 0, "move": "a1a2"})
        self.assertEqual((again["node"], again["added"]), (1, []))
        tree = self.client.get(url)["tree"]
        self.assertEqual([n["children"] for n in tree], [[1, 3], [2], [], []])
        self.assertEqual([n["move"] for n in tree], [None, "a1a2", "a6a5", "b1b3"])
        self.assertEqual(tree[1]["millis"], 1234)
        self.assertEqual((second["node"], other["node"]), (2, 3))
        self.assertEqual(self.client.get(url)["at"], 1)
        self.client.get(url + "/nodes/2?show=true")
        self.assertEqual(self.client.get(url)["at"], 2)

    def test_order_comments_and_glyphs(self):
        game = self.new_game("checkers", moves="11-15")
        url = f"/api/games/{game['id']}"
        self.client.post(url + "/moves", {"node": 0, "move": "9-13"})
        self.client.patch(url + "/nodes/2", {"first": True, "comment": "better — 良い", "nags": [1, 14]})
        game = self.client.get(url)
        self.assertEqual(game["tree"][0]["children"], [2, 1])
        self.assertEqual((game["tree"][2]["comment"], game["tree"][2]["nags"]), ("better — 良い", [1, 14]))
        self.client.patch(url + "/nodes/2", {"comment": ""})
        self.assertEqual(self.client.get(url)["tree"][2]["comment"], "")
        self.check_error(400, "nags", "PATCH", url + "/nodes/2", {"nags": [256]})
        self.check_error(404, "node", "PATCH", url + "/nodes/99", {"comment": "x"})

    def test_library(self):
        names = ["Alpha Blue", "Beta Blue 100%", "Gamma_Red"]
        for i, name in enumerate(names):
            self.new_game("gomoku", title=name, tags={"Site": "Æther"} if i == 2 else {})
        found = self.client.get("/api/games?q=blue")
        self.assertEqual([g["title"] for g in found["games"]], names[1::-1])
        self.assertEqual(found["total"], 2)
        self.assertEqual(self.client.get("/api/games?q=blue+alpha")["total"], 1)
        self.assertEqual(self.client.get("/api/games?q=100%25")["total"], 1)
        self.assertEqual(self.client.get("/api/games?q=a_R")["total"], 1)
        self.assertEqual(self.client.get("/api/games?q=%C3%86ther")["total"], 1)
        self.assertEqual(self.client.get("/api/games?q=Gamma_Red&game=shogi")["total"], 0)
        page = self.client.get("/api/games?q=blue&limit=1&offset=1")
        self.assertEqual([g["title"] for g in page["games"]], names[:1])
        deleted = found["games"][0]["id"]
        self.client.delete(f"/api/games/{deleted}")
        self.assertEqual(self.client.get("/api/games?q=blue")["total"], 1)
        self.assertEqual(self.client.get("/api/games?q=blue&deleted=true")["total"], 1)
        self.client.patch(f"/api/games/{deleted}", {"deleted": False})
        self.assertEqual(self.client.get("/api/games?q=blue")["total"], 2)

    def test_tags_have_limits(self):
        """64 tags and 65,536 bytes are the most, whether they come at once or one by one."""
        game = self.new_game("gomoku", tags={f"T{i}": "x" for i in range(64)})
        target = f"/api/games/{game['id']}"
        self.assertEqual(len(self.client.get(target)["tags"]), 64)
        self.assertIn("at most 64 tags", self.client.patch(target, {"tags": {"T64": "x"}}, 413)["error"]["message"])
        self.assertIn("at most 64 tags", self.client.post("/api/games", {
            "game": "gomoku", "tags": {f"T{i}": "x" for i in range(65)}}, 413)["error"]["message"])
        changed = self.client.patch(target, {"tags": {"T0": None, "T64": "x", "T1": "y"}})
        self.assertEqual((len(changed["tags"]), changed["tags"]["T1"]), (64, "y"))
        longest = 65536 - len('{"A":""}')
        self.assertEqual(len(self.new_game("gomoku", tags={"A": "x" * longest})["tags"]["A"]), longest)
        self.assertIn("longer than", self.client.post("/api/games", {
            "game": "gomoku", "tags": {"A": "x" * (longest + 1)}}, 413)["error"]["message"])

    def test_patch(self):
        game = self.new_game("shogi", title="old", tags={"A": "1", "B": "2"})
        url = f"/api/games/{game['id']}"
        seats = [{"kind": "person", "name": "Ann"}, {"kind": "engine", "engine": "mcts", "level": 3}]
        changed = self.client.patch(url, {"title": "new", "players": seats, "result": "second", "ending": "resign",
                                          "clock": {"base": 60000, "increment": 1000, "byoyomi": 0},
                                          "tags": {"A": None, "C": "3"}})
        self.assertEqual(changed["title"], "new")
        self.assertEqual(changed["players"], seats)
        self.assertEqual(changed["tags"], {"B": "2", "C": "3"})
        self.assertEqual(changed["outcome"], {"result": "second", "reason": "resign"})
        self.assertEqual(self.client.get(url), changed)
        self.assertEqual(self.client.get(url + "/nodes/0")["clock"]["left"], [60000, 60000])
        moved = self.client.post(url + "/moves", {"node": 0, "move": "7g7f", "millis": 5000})
        self.assertEqual(moved["view"]["clock"]["left"], [56000, 60000])

    def test_clone_and_positions(self):
        game = self.new_game("gomoku", variant="renju", moves="h8 h9 i7")
        self.client.post(f"/api/games/{game['id']}/moves", {"node": 1, "move": "i9"})
        whole = self.new_game("gomoku", clone={"id": game["id"]})
        self.assertEqual([n["move"] for n in whole["tree"]], [None, "h8", "h9", "i7", "i9"])
        self.assertEqual(whole["variant"], "renju")
        line = self.new_game("gomoku", clone={"id": game["id"], "node": 4})
        self.assertEqual([n["move"] for n in line["tree"]], [None, "h8", "i9"])
        position = self.client.get(f"/api/games/{game['id']}/nodes/3")["position"]
        setup = self.new_game("gomoku", variant="renju", position=position)
        self.assertEqual(self.client.get(f"/api/games/{setup['id']}/nodes/0")["position"], position)
        self.check_error(404, "not-found", "POST", "/api/games", {"game": "gomoku", "clone": {"id": 99999}})

    def test_end_of_game(self):
        game = self.new_game("gomoku", variant=":width=5,height=5,row=3", moves="a1 a5 b1 b5")
        url = f"/api/games/{game['id']}"
        won = self.client.post(url + "/moves", {"node": 4, "move": "c1"})
        self.assertEqual(won["view"]["outcome"]["result"], "first")
        self.assertEqual(won["view"]["moves"], [])
        self.assertEqual(self.client.get(url)["outcome"]["result"], "first")
        self.check_error(409, "over", "POST", url + "/moves", {"node": 5, "move": "d1"})
        self.check_error(409, "over", "POST", url + "/engine", {"node": 5})
        self.assertEqual(self.client.events(url + "/nodes/5/analysis"), [("done", {"reason": "over"})])

    def test_claiming_time_without_a_clock_changes_nothing(self):
        game = self.new_game("shogi", mode="play")
        self.assertEqual(self.client.post(f"/api/games/{game['id']}/time", None), game)

    def test_bad_moves(self):
        game = self.new_game("shogi")
        url = f"/api/games/{game['id']}/moves"
        for move in ("7g7e", "", " ", "hello", "7g7f 7g7f", "７"):
            error = self.check_error(422, "", "POST", url, {"node": 0, "move": move})
            self.assertEqual(error["field"], "move")
        self.check_error(404, "node", "POST", url, {"node": 5, "move": "7g7f"})
        self.check_error(404, "game", "POST", "/api/games/99999/moves", {"node": 0, "move": "7g7f"})
        self.check_error(400, "node", "POST", url, {"node": -1, "move": "7g7f"})
        self.check_error(400, "move", "POST", url, {"node": 0, "move": 7})
        self.check_error(400, "required", "POST", url, {"node": 0})
        self.assertEqual(self.client.get(f"/api/games/{game['id']}")["nodes"], 1)

    def test_several_moves_at_once(self):
        game = self.new_game("5dchess")
        url = f"/api/games/{game['id']}"
        added = self.client.post(url + "/moves", {"node": 0, "move": "e2e4 submit"})
        self.assertEqual((added["node"], added["view"]["side"]), (2, 1))

    def test_failed_moves_change_nothing(self):
        """An error in the middle of a text takes back the moves before it, new or not."""
        game = self.new_game("gomoku", variant=":width=5,height=5,row=3", moves="a1 a5 b1")
        url = f"/api/games/{game['id']}"
        before = self.client.get(url)
        error = self.check_error(422, "", "POST", url + "/moves", {"node": 0, "move": "a1 e5, e4 d1 a1 c1"})
        self.assertEqual((error["field"], error["column"]), ("move", 14))
        self.assertEqual(self.client.get(url), before)
        added = self.client.post(url + "/moves", {"node": 0, "move": "a1 a5 b1 b5 c1"})
        self.assertEqual([n["n"] for n in added["added"]], [3, 4, 5])
        self.assertEqual(self.client.get(url)["outcome"]["result"], "first")

    def test_moves_after_the_end_change_nothing(self):
        game = self.new_game("shogi")
        url = f"/api/games/{game['id']}"
        four_times = " ".join(["5i5h 5a5b 5h5i 5b5a"] * 3)
        error = self.check_error(422, "over after 12 moves", "POST", url + "/moves", {"node": 0, "move": four_times + " 7g7f"})
        self.assertEqual(error["code"], "over")
        self.assertEqual(self.client.get(url), game)
        self.client.post(url + "/moves", {"node": 0, "move": four_times})
        self.assertEqual(self.client.get(url)["outcome"]["result"], "draw")

    def test_evicted_games_are_reloaded(self):
        """With more games than stay in memory, the first comes back from disk with its tree."""
        game = self.new_game("neighbours", moves="a1a2 a6a5")
        url = f"/api/games/{game['id']}"
        self.client.post(url + "/moves", {"node": 1, "move": "b6b4"})
        self.client.patch(url + "/nodes/3", {"first": True, "comment": "c", "nags": [3]})
        before = self.client.get(url)
        for _ in range(300):
            self.new_game("neighbours")
        self.assertLessEqual(self.client.get("/api/status")["loaded"], 257)
        self.assertEqual(self.client.get(url), before)


class Records(ServerTest):
    def test_every_format_round_trips(self):
        for entry in self.client.get("/api/catalog")["games"]:
            game, rng = entry["id"], random.Random(entry["id"])
            # One of the formats is for renju only.
            variant = "renju" if game == "gomoku" else ""
            made = self.new_game(game, variant=variant, title="Cup", players=[{"kind": "person", "name": "Ann"}, {"kind": "engine", "level": 3}])
            url, node = f"/api/games/{made['id']}", 0
            view = self.client.get(url + "/nodes/0")
            for _ in range(8):
                if not view["moves"]:
                    break
                added = self.client.post(url + "/moves", {"node": node, "move": rng.choice(view["moves"])["move"]})
                node, view = added["node"], added["view"]
            if entry["turns"] and view["turn"]:
                made = self.client.post(url + "/moves", {"node": node, "move": "submit"})
                node, view = made["node"], made["view"]
            end = self.client.get(f"{url}/nodes/{node}")
            for form in entry["formats"]:
                if not form["write"]:
                    continue
                answer, data = self.client.raw("GET", f"{url}/export?format={form['id']}")
                if answer.status == 422:
                    self.fail(f"{game} {form['id']}: {data}")
                self.assertIn(f".{form['extension']}\"", answer.getheader("Content-Disposition"))
                if not form["read"]:
                    continue
                status, back = self.client.send("POST", f"/api/import?game={game}&variant={variant}&format={form['id']}", data)
                self.assertEqual(status, 201, (form, back))
                again = self.client.get(f"/api/games/{back['games'][0]['id']}")
                last = len(again["tree"]) - 1
                final = self.client.get(f"/api/games/{again['id']}/nodes/{last}")
                # Some formats hold only a position, so compare hashes, not ply numbers.
                self.assertEqual(final["hash"], end["hash"], (game, form["id"]))
                # The format, and where the record states the rules the game, are recognised.
                status, back = self.client.send("POST", f"/api/import?game={game}&variant={variant}", data)
                self.assertEqual(status, 201, (form, back))
                again = self.client.get(f"/api/games/{back['games'][0]['id']}")
                final = self.client.get(f"/api/games/{again['id']}/nodes/{len(again['tree']) - 1}")
                self.assertEqual(final["hash"], end["hash"], (game, form["id"], back["format"]))
                status, back = self.client.send("POST", "/api/import", data)
                self.assertEqual((status, back["games"][0]["game"]), (201, game), form)

    def test_import_repairs_text(self):
        """Bytes that are not UTF-8 become replacement characters, and long titles end with a whole character."""
        text = b'game shogi\ntag Event "%s"\ntag n\xff "caf\xe9"\nmoves {\xe6\xad} 7g7f\nresult *\n'
        for event, title in ((b"\xe9", "\ufffd"), (("a" + "竜王戦" * 20).encode(), "a" + "竜王戦" * 13), (b"", "竜.ply")):
            status, back = self.client.send("POST", "/api/import?game=shogi&format=ply&name=%E7%AB%9C.ply", text % event)
            self.assertEqual(status, 201, back)
            self.assertEqual(back["games"][0]["title"], title)
            address = f"/api/games/{back['games'][0]['id']}"
            game = self.client.get(address)
            self.assertEqual(game["tags"]["n\ufffd"], "caf\ufffd")
            self.assertEqual(game["tree"][0]["comment"], "\ufffd\ufffd")
            csa = self.client.raw("GET", address + "/export?format=csa")[1]
            status, back = self.client.send("POST", "/api/import?game=shogi&format=csa", csa)
            self.assertEqual((status, len(back["games"])), (201, 1))

    def test_import_detects_game_and_format(self):
        game = self.new_game("shogi", moves="7g7f 3c3d")
        _, data = self.client.raw("GET", f"/api/games/{game['id']}/export?format=kif")
        status, back = self.client.send("POST", "/api/import?name=match.kif", data)
        self.assertEqual((status, back["format"], back["games"][0]["game"]), (201, "kif", "shogi"))
        status, back = self.client.send("POST", "/api/import", b'[Event "X"]\n[GameType "21"]\n\n1. 11-15 23-19 *\n')
        self.assertEqual((status, back["games"][0]["game"], back["games"][0]["title"]), (201, "checkers", "X"))
        two = b'[Event "A"]\n1. 11-15 *\n\n[Event "B"]\n1. 9-13 *\n'
        status, back = self.client.send("POST", "/api/import?game=checkers", two)
        self.assertEqual([g["title"] for g in back["games"]], ["A (1)", "B (2)"])
        self.check_error(422, "record", "POST", "/api/import?game=shogi&format=csa", b"\xff\xfenonsense")
        self.check_error(422, "record", "POST", "/api/import", b"")
        chess = b'[Event "F/S"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n'
        for text in (b"hello world\nthis is text\n", chess, b"1\n2\n3\n", b'{"a": 1}', b"<html><body>x</body></html>", b"\x00\xff\x80"):
            error = self.check_error(422, "not a game record", "POST", "/api/import", text)
            self.assertEqual(error["code"], "unknown-record")
            self.check_error(422, "not a record of Gomoku", "POST", "/api/import?game=gomoku", text)
        # A record that is recognised but wrong is an error with a location.
        error = self.check_error(422, "", "POST", "/api/import", b"position startpos moves 7g7f 7g7f\n")
        self.assertEqual((error["line"], error["column"]), (1, 30))
        self.check_error(415, "octet", "POST", "/api/import?game=shogi", b"x", {"Content-Type": "text/plain"})
        self.check_error(422, "no format", "POST", "/api/import?game=shogi&format=json", b"x")

    def test_no_escape_sequences_in_messages(self):
        """What a client prints must not change its terminal."""
        sequence = "\033[2J"
        for form, text in (("ply", f"game {sequence}\n"), ("ply", f"variant {sequence}\n"), ("csa", f"PI\n+\n%{sequence}\n"),
                           ("usi", f"position startpos moves {sequence}\n")):
            target = f"/api/import?game=shogi&format={form}"
            message = self.check_error(422, "", "POST", target, text.encode())["message"]
            self.assertTrue(message.isprintable(), message)
        for name in ("game", "variant", "position", "moves"):
            message = self.check_error(422, "", "POST", "/api/view", {"game": "shogi", name: sequence})["message"]
            self.assertTrue(message.isprintable(), message)

    def test_export_of_tree_and_variation(self):
        game = self.new_game("gomoku", moves="h8 h9")
        url = f"/api/games/{game['id']}"
        self.client.post(url + "/moves", {"node": 1, "move": "i9"})
        self.client.patch(url + "/nodes/3", {"comment": "a try"})
        _, data = self.client.raw("GET", url + "/export?format=sgf")
        self.assertEqual(data.count(b"("), 3)
        self.assertIn(b"a try", data)
        _, data = self.client.raw("GET", url + "/export?format=sgf&node=3")
        self.assertEqual(data.count(b"("), 1)
        self.check_error(422, "format", "GET", url + "/export?format=nope")
        self.check_error(404, "node", "GET", url + "/export?node=77")


class Jobs(ServerTest):
    arguments = ("--analyses", "3")

    def test_engine_plays_whole_turns(self):
        for game in GAMES:
            made = self.new_game(game, players=[{"kind": "engine", "level": 2}, {"kind": "engine", "engine": "random"}])
            url, node = f"/api/games/{made['id']}", 0
            for turn in range(4):
                added = self.client.post(url + "/engine", {"node": node})
                self.assertEqual(added["view"]["side"], (turn + 1) % 2, game)
                self.assertEqual(added["view"]["turn"], [])
                self.assertEqual(added["moves"][-1]["move"], added["view"]["last"]["move"])
                node = added["node"]
            self.assertEqual(self.client.get(url)["at"], node)

    def test_hint_adds_nothing(self):
        game = self.new_game("gomoku", moves="h8 a1 i8 b1 j8 c1 k8 e1")
        url = f"/api/games/{game['id']}"
        hint = self.client.post(url + "/hint", {"node": 8, "millis": 300})
        self.assertIn(hint["line"][0]["move"], ("g8", "l8"))
        self.assertEqual((hint["score"], hint["first"]), ("win in 1", 999999))
        self.assertEqual(self.client.get(url)["nodes"], 9)

    def test_engine_manages_its_clock(self):
        for _ in range(20):  # on a busy machine, the server may not run for longer than the clock
            game = self.new_game("checkers", clock={"base": 2000, "increment": 0, "byoyomi": 0})
            added = self.client.post(f"/api/games/{game['id']}/engine", {"node": 0, "clock": True})
            left = added["view"]["clock"]["left"][0]
            self.assertLess(left, 2000)
            if left > 0:
                return
        self.fail("the engine always used up its time")

    def test_analysis(self):
        for game in GAMES:
            made = self.new_game(game)
            url = f"/api/games/{made['id']}"
            events = self.client.events(url + "/nodes/0/analysis?lines=2&depth=3")
            self.assertEqual(events[-1], ("done", {"reason": "limit"}))
            last = events[-2][1]
            self.assertEqual((last["depth"], len(last["lines"])), (3, 2))
            for line in last["lines"]:
                moves = " ".join(move["move"] for move in line["line"])
                view = self.client.post("/api/view", {"game": game, "moves": moves})
                self.assertEqual(view["ply"], len(line["line"]))
            root = self.client.get(url)["tree"][0]
            self.assertEqual((root["score"], root["depth"]), (last["lines"][0]["first"], 3))

    def test_analysis_of_an_unsaved_position(self):
        events = self.client.events("/api/analysis?game=neighbours&moves=a1a2&depth=4&lines=1&engine=alphabeta")
        self.assertEqual(events[-2][1]["depth"], 4)
        events = self.client.events("/api/analysis?game=neighbours&millis=200&engine=mcts")
        self.assertEqual(events[-1][0], "done")
        for bad in ("game=neighbours&lines=0", "game=neighbours&lines=17", "game=neighbours&engine=x", "lines=2",
                    "game=neighbours&nonsense=1", "game=neighbours&millis=x"):
            self.check_error(400, "", "GET", "/api/analysis?" + bad)
        self.check_error(422, "moves", "GET", "/api/analysis?game=neighbours&moves=z9")

    def test_analysis_stops_when_the_client_disconnects(self):
        made = self.new_game("shogi")
        self.assertTrue(self.client.events(f"/api/games/{made['id']}/nodes/0/analysis", limit=3))
        self.wait_for(0)
        self.assertIsNotNone(self.client.get(f"/api/games/{made['id']}")["tree"][0]["score"])

    def test_number_of_analyses_is_limited(self):
        made = self.new_game("shogi")
        url = f"/api/games/{made['id']}/nodes/0/analysis"
        others = [Client(self.server) for _ in range(3)]
        for other in others:
            other.connection.request("GET", url)
        self.wait_for(3)
        error = self.check_error(429, "3 analyses", "GET", url)
        self.assertEqual(error["code"], "busy")
        for other in others:
            other.close()
        self.wait_for(0)

    def test_engine_does_not_move_after_a_disconnect(self):
        made = self.new_game("shogi")
        url = f"/api/games/{made['id']}"
        other = Client(self.server)
        other.connection.request("POST", url + "/engine", json.dumps({"node": 0, "millis": 60000}),
                                 {"Content-Type": "application/json"})
        self.wait_for(1, "engines")
        other.close()
        self.wait_for(0, "engines")
        self.assertEqual(self.client.get(url)["nodes"], 1)

    def test_layout(self):
        """The words of a position, the same as the command prints, compared with the position before."""
        made = self.new_game("checkers", moves="11-15 23-19")
        for node, moves in enumerate(("", "11-15", "11-15 23-19")):
            layout = self.client.get(f"/api/games/{made['id']}/nodes/{node}/layout")
            shown = json.loads(plyverse("show", "checkers", "--moves", moves, "--layout", "--json"))
            self.assertEqual(layout, shown["layout"])
            self.assertEqual(layout["compared"], node > 0)
        words = {field["name"]: field for field in layout["fields"]}
        # Square 23 is bit 44 and square 19 is bit 37.
        self.assertEqual(words["white_men"]["words"], ["0x55aa452000000000"])
        self.assertEqual(words["white_men"]["before"], ["0x55aa550000000000"])
        self.assertEqual((words["white_men"]["changed"], words["black_men"]["changed"]), (True, False))
        self.check_error(404, "node", "GET", f"/api/games/{made['id']}/nodes/9/layout")

    def test_values(self):
        made = self.new_game("neighbours")
        values = self.client.get(f"/api/games/{made['id']}/nodes/0/values")
        self.assertEqual(values, {"known": False, "moves": []})

    def test_values_from_tablebases(self):
        made = self.new_game("checkers", variant="czech", position="B:WK13:BK1")
        url = f"/api/games/{made['id']}/nodes/0/values"
        self.assertEqual(self.client.get(url), {"known": False, "moves": []})  # the tablebase is built while the server runs
        folder = os.path.join(self.server.folder, "tables")
        plyverse("tables", "build", "checkers", "--variant", "czech", "--up-to", "2", "--dir", folder, "--quiet")
        probe = json.loads(plyverse("tables", "probe", "checkers", "--variant", "czech", "--position", "B:WK13:BK1",
                                    "--dir", folder, "--json"))
        values = self.client.get(url)
        self.assertEqual((values["known"], values["source"]), (True, "table"))
        self.assertEqual((values["value"], values.get("distance", 0)), (probe["result"], probe["plies"]))
        self.assertEqual([(m["move"], m["value"], m.get("distance", 0)) for m in values["moves"]],
                         [(m["move"], m["result"], m["plies"]) for m in probe["moves"]])

    def test_values_of_moves_that_enter_a_tablebase(self):
        made = self.new_game("checkers", position="B:W9,K32:BK6")
        plyverse("tables", "build", "checkers", "--up-to", "2", "--dir", os.path.join(self.server.folder, "tables"), "--quiet")
        values = self.client.get(f"/api/games/{made['id']}/nodes/0/values")
        self.assertFalse(values["known"])
        self.assertEqual([m["move"] for m in values["moves"]], ["6x13"])


class Openings(ServerTest):
    def test_every_rule_leads_to_a_game(self):
        rules = next(g for g in self.client.get("/api/catalog")["games"] if g["id"] == "gomoku")["opening_rules"]
        for rule in rules:
            for way in range(6 if LONG else 2):
                rng, acts = random.Random(way), []
                for _ in range(40):
                    state = self.client.post("/api/opening", {"rule": rule["id"], "acts": acts})
                    self.assertEqual(state["acts"], acts)
                    if state["done"]:
                        break
                    choices = [c["act"] for c in state["choices"]] + state["cells"]
                    self.assertTrue(choices, (rule, acts))
                    acts.append(rng.choice(choices))
                self.assertTrue(state["done"], (rule, acts))
                self.assertGreaterEqual(len(state["stones"]), 3)
                self.new_game("gomoku", variant=state["variant"], moves=" ".join(state["stones"]))

    def test_engine_acts(self):
        for rule in ("swap2", "rif", "soosorv-4", "taraguchi-10") if LONG else ("swap2", "rif"):
            acts = []
            for _ in range(40):
                state = self.client.post("/api/opening", {"rule": rule, "acts": acts, "choose": 5})
                if not state["done"]:
                    self.assertEqual(len(state["acts"]), len(acts) + 1)
                acts = state["acts"]
                if state["done"]:
                    break
            self.assertTrue(state["done"])

    def test_bad_acts(self):
        self.check_error(422, "acts", "POST", "/api/opening", {"rule": "swap2", "acts": ["h8", "h8"]})
        self.check_error(422, "rule", "POST", "/api/opening", {"rule": "nonsense", "acts": []})
        self.check_error(400, "acts", "POST", "/api/opening", {"rule": "swap2", "acts": [1]})
        self.check_error(400, "acts", "POST", "/api/opening", {"rule": "swap2"})


class Reports(ServerTest):
    def finished(self, game):
        while True:
            report = self.client.get(f"/api/games/{game['id']}/report")
            if report["progress"]["state"] == "idle":
                return report
            time.sleep(0.1)

    def test_reports_on_every_game(self):
        moves = {"shogi": "7g7f 3c3d 2g2f", "checkers": "11-15 23-19", "neighbours": "a1b2 a6b5",
                 "gomoku": "h8 h9 i8", "5dchess": ""}
        games = []
        for game in GAMES:
            view = self.client.post("/api/view", {"game": game})
            games.append(self.new_game(game, moves=moves.get(game) or view["moves"][0]["move"]))
        queue = self.client.post("/api/reports", {"games": [game["id"] for game in games], "nodes": 2000}, status=202)
        self.assertGreaterEqual(len(games), queue["waiting"])
        self.client.get("/api/reports")
        for game in games:
            report = self.finished(game)
            saved = self.client.get(f"/api/games/{game['id']}")
            self.assertTrue(report["turns"])
            for turn in report["turns"]:
                self.assertTrue(turn["scored"], game["game"])
                self.assertAlmostEqual(turn["loss"], max(0, 100 * (turn["chance_before"] - turn["chance_after"])), 2)
            self.assertIsNotNone(saved["tree"][0]["score"])

    def test_cancelling(self):
        games = [self.new_game("shogi", moves="7g7f 3c3d")["id"] for _ in range(3)]
        self.client.post("/api/reports", {"games": games, "nodes": 10000000}, status=202)
        self.client.delete(f"/api/games/{games[2]}/report", status=200)
        self.assertEqual(self.client.get(f"/api/games/{games[2]}/report")["progress"]["state"], "idle")
        self.assertEqual(self.client.delete("/api/reports", status=200)["waiting"], 0)
        self.assertEqual(self.finished({"id": games[0]})["progress"]["state"], "idle")

    def test_bad_requests(self):
        for body in ({}, {"games": []}, {"games": 1}, {"games": ["x"]}, {"games": [0]}, {"games": [1], "nodes": 0}):
            self.client.post("/api/reports", body, status=400)
        self.client.post("/api/reports", {"games": [999999]}, status=404)
        self.client.get("/api/games/999999/report", status=404)


class Explorer(ServerTest):
    def test_transpositions_are_merged(self):
        orders = ["1g1f 1c1d 9g9f 9c9d", "9g9f 9c9d 1g1f 1c1d", "1g1f 9c9d 9g9f 1c1d"]
        games = [self.new_game("shogi", moves=order)["id"] for order in orders]
        self.client.patch(f"/api/games/{games[0]}", {"result": "first", "ending": "resign"})
        at = self.client.get(f"/api/games/{games[1]}/nodes/4/explorer")
        self.assertEqual((at["library"]["games"], at["library"]["first"], at["pending"]), (3, 1, 0))
        before = self.client.get(f"/api/games/{games[1]}/nodes/3/explorer")
        self.assertEqual({m["move"]["move"]: m["library"]["games"] for m in before["moves"]}["1c1d"], 3)
        found = self.client.get(f"/api/games?like={games[2]}&node=4")
        self.assertEqual({game["id"] for game in found["games"]}, set(games))
        # The index follows changes: a deleted game, another main line, a new move.
        self.client.delete(f"/api/games/{games[0]}")
        self.assertEqual(self.client.get(f"/api/games/{games[1]}/nodes/4/explorer")["library"]["games"], 2)
        self.client.post(f"/api/games/{games[2]}/moves", {"node": 3, "move": "8c8d"})
        self.client.patch(f"/api/games/{games[2]}/nodes/5", {"first": True})
        self.assertEqual(self.client.get(f"/api/games/{games[1]}/nodes/4/explorer")["library"]["games"], 1)

    def test_searches(self):
        game = self.new_game("checkers", moves="11-15 23-19", players=[{"kind": "person", "name": "Nomen"}, {"kind": "person"}])
        for query, total in (("player=nomen", 1), ("player=nom%25", 0), ("opening=faithful", 1), ("result=draw", 0),
                             ("player=nomen&result=ongoing", 1)):
            self.assertEqual(self.client.get(f"/api/games?game=checkers&{query}")["total"], total, query)
        self.assertIn("Old Faithful", self.client.get("/api/games?player=nomen")["games"][0]["opening"])
        self.check_error(400, "result must be", "GET", "/api/games?result=won")
        self.check_error(404, "", "GET", "/api/games?like=999999")
        self.check_error(404, "", "GET", f"/api/games?like={game['id']}&node=99")

    def test_every_game_has_a_thumbnail_and_is_exported(self):
        for game in GAMES:
            made = self.new_game(game, title="thumb nail")
            status, picture = self.client.send("GET", f"/api/games/{made['id']}/thumbnail")
            self.assertEqual(status, 200)
            status, text = self.client.send("GET", f"/api/export?game={game}&format=ply&q=nail")
            self.assertEqual(status, 200)
        status, text = self.client.send("GET", "/api/export?q=nail")
        self.check_error(422, "has no format", "GET", "/api/export?q=nail&format=kif")


# Solving takes one thread, and up to ten times as long under a sanitizer; tests/solve runs the solvers there.
PUZZLES = ("renju", "gomoku") if SANITIZER else ("shogi", "renju", "gomoku", "checkers", "neighbours", "5dchess")


class Puzzles(ServerTest):
    FOUR = {"game": "gomoku", "goal": "vcf", "position": "15/15/15/15/15/15/15/3XXX9/15/15/15/15/15/15/15 X"}
    MATE = {"game": "shogi", "goal": "mate", "position": "4k4/9/4P4/9/9/9/9/9/9 b 2G 1"}

    def test_moves_are_judged_by_proof(self):
        self.assertEqual(self.client.post("/api/puzzles/try", {**self.FOUR, "move": "g8"})["verdict"], "win")
        self.assertEqual(self.client.post("/api/puzzles/try", {**self.FOUR, "move": "c8"})["verdict"], "win")
        quiet = self.client.post("/api/puzzles/try", {**self.FOUR, "move": "a1"})
        self.assertEqual((quiet["verdict"], quiet["allowed"]), ("no", False))
        mate = self.client.post("/api/puzzles/try", {**self.MATE, "move": "G*5b"})
        self.assertEqual((mate["verdict"], mate["plies"], mate["reply"]), ("win", 1, None))
        self.assertTrue(mate["reached"])
        away = self.client.post("/api/puzzles/try", {**self.MATE, "move": "G*4b"})
        self.assertEqual((away["verdict"], away["allowed"]), ("no", True))
        self.assertIn(away["reply"]["move"], ("5a6a", "5a6b", "5a4b"))  # the ways out
        self.client.post("/api/puzzles/try", {**self.MATE, "move": "x"}, status=422)
        self.client.post("/api/puzzles/try", {**self.MATE, "goal": "x", "move": "G*5b"}, status=422)
        opening = self.client.post("/api/puzzles/try", {"game": "5dchess", "move": "e2e4", "turns": 1})
        self.assertEqual((opening["verdict"], opening["reached"], opening["reply"]), ("no", False, None))
        self.client.post("/api/puzzles/try", {**self.MATE, "move": "G*5b", "turns": -1}, status=400)
        self.client.post("/api/puzzles/try", {**self.MATE, "move": "G*5b", "turns": "1"}, status=400)

    def test_shipped_puzzles_are_judged(self):
        """The first puzzle of each kind: its solution is accepted to the end, and other first moves are refuted (all of
        them in the long tier)."""
        for name in PUZZLES:
            with open(os.path.join(ROOT, "web", "puzzles", f"{name}.json"), encoding="utf-8") as file:
                puzzle = json.load(file)[0]
            start = {member: puzzle[member] for member in ("game", "variant", "position")}
            question = {**start, "goal": puzzle["goal"], "turns": puzzle.get("turns", 0)}
            solution, played = puzzle["solution"].split(), []
            while played == solution[:len(played)]:  # until the defender chooses another defence of the same length
                move = solution[len(played)]
                tried = self.client.post("/api/puzzles/try", {**question, "moves": " ".join(played), "move": move})
                self.assertEqual(tried["verdict"], "win", (name, played, move))
                played.append(move)
                if tried["reached"]:
                    break
                if tried["reply"]:
                    played += [tried["reply"]["move"], *(entry["move"] for entry in tried["rest"])]
            self.client.post("/api/view", {**start, "moves": " ".join(played)})
            legal = [entry["move"] for entry in self.client.post("/api/view", start)["moves"]]
            others = [move for move in legal if move != solution[0] and (name != "5dchess" or move not in solution)]
            for move in others if LONG else others[::max(1, len(others) // 8)]:
                other = self.client.post("/api/puzzles/try", {**question, "move": move})
                self.assertEqual(other["verdict"], "no", (name, move))
                if other["allowed"] and name != "5dchess":
                    after = f"{move} {other['reply']['move']}"
                    self.client.post("/api/view", {**start, "moves": after})

    def test_spaced_repetition(self):
        day = 24 * 3600 * 1000
        now = lambda: self.client.get("/api/puzzles")["now"]
        for step, days in enumerate((1, 3, 7, 16, 35, 80, 80), 1):
            before = now()
            saved = self.client.post("/api/puzzles", {"id": "p", "solved": True})
            self.assertTrue(before <= saved["due"] - days * day <= now())
            self.assertEqual((saved["attempts"], saved["solved"], saved["step"]), (step, step, min(step, 6)))
        before = now()
        missed = self.client.post("/api/puzzles", {"id": "p", "solved": False})
        self.assertEqual((missed["step"], missed["solved"]), (0, 7))
        self.assertTrue(before <= missed["due"] - 10 * 60 * 1000 <= now())
        self.assertEqual(self.client.get("/api/puzzles")["puzzles"], [missed])
        self.client.post("/api/puzzles", {"solved": True}, status=400)


class OwnPuzzles(unittest.TestCase):
    """Puzzles from the games of the library. Every test has a library of its own."""

    def setUp(self):
        self.server = Server()
        self.client = Client(self.server)

    def tearDown(self):
        self.client.close()
        self.server.stop()

    def search(self):
        self.client.post("/api/puzzles/search", None, 202)
        while (search := self.client.get("/api/puzzles/search"))["stage"] == "running":
            time.sleep(0.02)
        return search

    def add_game(self, name, number=0, **more):
        """A game that starts at a puzzle and ends with its solution."""
        with open(os.path.join(ROOT, "web", "puzzles", f"{name}.json"), encoding="utf-8") as file:
            puzzle = json.load(file)[number]
        start = {member: puzzle[member] for member in ("game", "variant", "position")}
        game = self.client.post("/api/games", {**start, "moves": puzzle["solution"], "mode": "analysis", **more}, 201)
        return game["id"], puzzle

    def own(self):
        return self.client.get("/api/puzzles/own")["puzzles"]

    def test_every_kind_is_found_once(self):
        self.assertEqual(self.client.get("/api/puzzles/search")["stage"], "none")
        added = [self.add_game(name) for name in PUZZLES]
        search = self.search()
        self.assertEqual((search["stage"], search["done"], search["total"], search["unsupported"], search["left"]),
                         ("finished", len(PUZZLES), len(PUZZLES), 0, 0))
        # The newest game comes first. A game may contain more puzzles than the one it starts with.
        own = self.own()
        self.assertEqual(search["found"], len(own))
        sources = [item["source"] for item in own]
        self.assertEqual(sources, sorted(sources, reverse=True))
        for game, puzzle in added:
            found = [item["puzzle"] for item in own if item["source"] == game]
            self.assertIn((puzzle["position"], puzzle["goal"], puzzle.get("plies"), puzzle.get("turns")),
                          [(p["position"], p["goal"], p.get("plies"), p.get("turns")) for p in found])
            first = next(p for p in found if p["position"] == puzzle["position"])["solution"].split()[0]
            tried = self.client.post("/api/puzzles/try", {**{m: puzzle[m] for m in ("game", "variant", "position", "goal")},
                                                          "move": first, "turns": puzzle.get("turns", 0)})
            self.assertEqual(tried["verdict"], "win", puzzle)
        # Nothing has changed: no game is searched again.
        again = self.search()
        self.assertEqual((again["total"], again["found"], again["games"]), (0, 0, len(PUZZLES)))
        # The same position in another game, or in one that has changed, is no new puzzle.
        self.add_game("renju")
        self.client.patch(f"/api/games/{added[1][0]}", {"title": "changed"})
        repeated = self.search()
        self.assertEqual((repeated["total"], repeated["found"]), (2, 0))
        self.assertEqual(self.own(), own)

    def test_nothing_to_find(self):
        empty = self.search()
        self.assertEqual((empty["stage"], empty["total"], empty["games"], empty["found"]), ("finished", 0, 0, 0))
        # Without moves there is nothing to search; without tablebases for the rules there are no puzzles.
        self.client.post("/api/games", {"game": "shogi"}, 201)
        self.client.post("/api/games", {"game": "checkers", "variant": "english:rows=2", "moves": "5-9"}, 201)
        search = self.search()
        self.assertEqual((search["total"], search["unsupported"], search["games"]), (1, 1, 2))
        self.client.post("/api/games", {"game": "shogi", "moves": "7g7f 3c3d"}, 201)
        search = self.search()
        self.assertEqual((search["total"], search["unsupported"], search["found"]), (1, 0, 0))
        deleted, _ = self.add_game("shogi")
        self.client.delete(f"/api/games/{deleted}")
        self.assertEqual(self.search()["total"], 0)
        self.assertEqual(self.own(), [])

    def test_stopping(self):
        for number in range(8):
            for name in ("shogi", "gomoku"):
                self.add_game(name, number)
        self.client.post("/api/puzzles/search", None, 202)
        stopped = self.client.delete("/api/puzzles/search", status=200)
        self.assertIn(stopped["stage"], ("stopped", "finished"))
        # The next search, asked for while the last one may still be ending, finds what is left.
        done = self.search()
        self.assertEqual(done["stage"], "finished")
        positions = {item["puzzle"]["position"] for item in self.own()}
        self.assertGreaterEqual(len(positions), 16)
        self.client.post("/api/puzzles/search", None, 202)
        self.client.delete("/api/puzzles/search", status=200)
        self.client.get("/api/puzzles/search?x=1", status=400)

    def test_they_outlive_the_server(self):
        self.add_game("shogi")
        self.search()
        before = self.own()
        self.assertTrue(before)
        self.client.close()
        self.server.kill()
        self.server.start()
        self.client = Client(self.server)
        self.assertEqual(self.own(), before)
        self.assertEqual(self.search()["total"], 0)


class Engines(ServerTest):
    """The list of the user's engines; test_engines.py lets them play."""

    def add_engine(self, protocol, command, **more):
        return self.client.post("/api/engines", {"protocol": protocol, "command": command, **more}, 201)

    def test_registry(self):
        listed = self.client.get("/api/engines")
        self.assertTrue(listed["allowed"])
        self.assertEqual({p["id"]: p["game"] for p in listed["protocols"]},
                         {"usi": "shogi", "xshogi": "shogi", "gomocup": "gomoku", "hub": "checkers", "ply": None})
        first = self.add_engine("usi", "/opt/some engine/best --fast", options="Threads=2,USI_Hash=64")
        self.assertEqual((first["name"], first["game"]), ("some", "shogi"))
        named = self.add_engine("ply", "x", name="Mine")
        self.assertEqual((named["name"], named["game"]), ("Mine", None))
        self.assertEqual([e for e in self.client.get("/api/engines")["engines"] if e["id"] >= first["id"]], [first, named])
        self.client.delete(f"/api/engines/{first['id']}", 200)
        self.client.delete(f"/api/engines/{first['id']}", 200)
        self.assertNotIn(first, self.client.get("/api/engines")["engines"])
        self.assertGreater(self.add_engine("ply", "x")["id"], named["id"])  # numbers are never used again
        for bad, status in (({"protocol": "uci", "command": "x"}, 422), ({"protocol": "usi", "command": " "}, 422),
                            ({"protocol": "usi", "command": "a\nb"}, 422), ({"protocol": "alphabeta", "command": "x"}, 422),
                            ({"protocol": "usi"}, 400), ({"command": "x"}, 400),
                            ({"protocol": "usi", "command": "x" * 600}, 413),
                            ({"protocol": "usi", "command": "x", "y": 1}, 400)):
            self.client.post("/api/engines", bad, status)


class Described(unittest.TestCase):
    """Runs last, see load_tests: every operation of the description must have been used."""

    def test_all_operations_were_used(self):
        used = {operation for operation, status in support.SEEN if status < 300}
        known = {operation["operationId"] for path in SPEC["paths"].values()
                 for method, operation in path.items() if method != "parameters"}
        self.assertEqual(known - used, set())

    def test_the_fuzzer_knows_all_paths(self):
        with open(os.path.join(support.SOURCE, "tests/fuzz/requests.h"), encoding="utf-8") as file:
            grammar = file.read()
        for path in SPEC["paths"]:
            literal = [part for part in re.split(r"\{\w+\}", path.removeprefix("/api/")) if part]
            self.assertIn(literal[-1], grammar)


def load_tests(loader, standard, pattern):
    cases = [Catalog, Views, Games, Records, Jobs, Openings, Reports, Explorer, Puzzles, OwnPuzzles, Engines,
             Described]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    unittest.main()
