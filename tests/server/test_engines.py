# SPDX-License-Identifier: MIT
"""The user's engines: programs that play and analyse beside ours, and what happens when one misbehaves."""
import os
import sys
import tempfile
import time
import unittest

from support import PLYVERSE, Client, Server, ServerTest

# A USI program that misbehaves as its argument says, and writes its process number to a file.
FAKE = r'''
import os, sys, time
mode, pids = sys.argv[1:]
with open(pids, "a") as file:
    print(os.getpid(), file=file)
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "usi" and mode != "silent":
        say("id name Fake")
        say("usiok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        if mode == "crash":
            sys.exit(3)
        elif mode == "hang":
            time.sleep(600)
        elif mode == "deaf":
            say("info depth 3 score cp 55 pv 7g7f 3c3d 1a1a")
            while True:
                time.sleep(600)
        elif mode == "flood":
            while True:
                say("info depth 1 score cp 1 pv 2g2f")
        elif mode == "noise":
            sys.stdout.write("x" * 3000000)
            sys.stdout.flush()
        else:
            say({"illegal": "bestmove 5e5d", "resign": "bestmove resign", "claim": "bestmove win"}[mode])
    elif word == "quit" and mode != "deaf":
        break
'''

PROGRAMS = {"shogi": ("usi", "usi"), "gomoku": ("gomocup", "gomocup"), "checkers": ("hub", "hub"),
            "neighbours": ("ply", "ply"), "5dchess": ("ply", "ply")}


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Engines(ServerTest):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.pids = os.path.join(self.folder.name, "pids")
        self.fake = os.path.join(self.folder.name, "fake.py")
        with open(self.fake, "w", encoding="ascii") as file:
            file.write(FAKE)

    def add(self, protocol, command, **more):
        return self.client.post("/api/engines", {"protocol": protocol, "command": command, **more}, 201)

    def add_fake(self, mode):
        return self.add("usi", f"exec {sys.executable} {self.fake} {mode} {self.pids}", name="Fake")

    def play(self, game, engine, **more):
        player = {"kind": "engine", "program": engine["id"], "name": engine["name"], "millis": 100}
        return self.client.post("/api/games", {"game": game, "mode": "play", "players": [player, {"kind": "person"}],
                                               **more}, 201)

    def patiently(self, ask, wanted=None):
        """The last of up to 50 answers: on a busy machine, programs that do as told may be late. wanted: the error that is
        expected."""
        for _ in range(50):
            status, answer = ask()
            message = str(answer.get("error", answer).get("message"))
            if message == wanted or not message.endswith("in time"):
                break
        return status, answer

    def think(self, made, node=0, status=200, message=None, **more):
        got, answer = self.patiently(
            lambda: self.client.send("POST", f"/api/games/{made['id']}/engine", {"node": node, **more}), message)
        self.assertEqual(got, status, answer)
        return answer

    def analyse(self, target):
        """The events of an analysis by a program that does as told."""
        events = []
        def ask():
            events[:] = self.client.events(target)
            return events[-1]
        self.patiently(ask)
        return events

    def check_programs_end(self):
        """Every fake program that was started ends."""
        with open(self.pids, encoding="ascii") as file:
            pids = [int(line) for line in file]
        self.assertTrue(pids)
        deadline = time.monotonic() + 600
        while any(map(is_running, pids)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual([pid for pid in pids if is_running(pid)], [])

    def test_a_program_plays_every_game(self):
        for game, (protocol, session) in PROGRAMS.items():
            with self.subTest(game):
                engine = self.add(protocol, f"{PLYVERSE} engine {session}")
                more = {"variant": "freestyle"} if game == "gomoku" else {}
                made = self.play(game, engine, **more)
                node = 0
                for _ in range(3):
                    answer = self.think(made, node)
                    self.assertGreaterEqual(len(answer["moves"]), 1)
                    self.assertEqual(answer["view"]["side"], 1)
                    node = answer["node"]
                    while answer["view"]["side"] == 1:
                        moves = [m["move"] for m in answer["view"]["moves"]]
                        answer = self.client.post(f"/api/games/{made['id']}/moves", {
                            "node": node, "move": "submit" if "submit" in moves else moves[0]})
                        node = answer["node"]
                # After a move is taken back, the program continues from there.
                self.client.patch(f"/api/games/{made['id']}", {"tip": 0})
                self.assertEqual(self.think(made, 0)["view"]["side"], 1)

    def test_a_program_keeps_to_the_clock(self):
        engine = self.add("usi", f"{PLYVERSE} engine usi")
        made = self.client.post("/api/games", {
            "game": "shogi", "mode": "play", "clock": {"base": 60000, "increment": 0, "byoyomi": 0},
            "players": [{"kind": "engine", "program": engine["id"]}, {"kind": "person"}]}, 201)
        answer = self.think(made, clock=True)
        self.assertEqual(len(answer["moves"]), 1)

    def test_a_program_analyses(self):
        for game, (protocol, session) in PROGRAMS.items():
            with self.subTest(game):
                engine = self.add(protocol, f"{PLYVERSE} engine {session}")
                more = {"variant": "freestyle"} if game == "gomoku" else {}
                made = self.client.post("/api/games", {"game": game, "mode": "analysis", **more}, 201)
                analysis = f"/api/games/{made['id']}/nodes/0/analysis?program={engine['id']}&lines=3"
                self.assertEqual(self.analyse(analysis + "&millis=300")[-1], ("done", {"reason": "limit"}))
                legal = {m["move"] for m in self.client.get(f"/api/games/{made['id']}/nodes/0")["moves"]}
                if protocol == "gomocup":  # it has moves only, and only when its time is up
                    last = self.analyse(analysis + "&millis=300")[-2][1]
                    self.assertEqual((len(last["lines"]), last["lines"][0]["first"]), (1, None))
                else:  # as long as the machine needs for three lines
                    last = self.client.events(analysis, until=lambda data: len(data.get("lines", ())) == 3)[-1][1]
                    self.assertEqual(len({line["line"][0]["move"] for line in last["lines"]}), 3)
                    self.assertGreater(last["depth"], 0)
                    values = [line["value"] for line in last["lines"]]
                    self.assertEqual(values, sorted(values, reverse=True))
                self.assertTrue({line["line"][0]["move"] for line in last["lines"]} <= legal)

    def test_misbehaviour_gives_one_message_and_changes_nothing(self):
        for mode, message in (("crash", "Fake has failed: exit 3"), ("hang", "Fake did not answer in time"),
                              ("illegal", "Fake answered with an illegal move: '5e5d'"),
                              ("claim", "Fake claims a win that the rules do not give"),
                              ("noise", "Fake has failed: closed its output"),
                              ("flood", "Fake did not answer in time")):
            with self.subTest(mode):
                made = self.play("shogi", self.add_fake(mode))
                error = self.think(made, 0, 409, message)["error"]
                self.assertEqual((error["code"], error["message"]), ("program", message))
                after = self.client.get(f"/api/games/{made['id']}")
                self.assertEqual((len(after["tree"]), after["outcome"]["result"], after["mode"]), (1, "ongoing", "play"))
        missing = self.think(self.play("shogi", self.add("usi", "/nonexistent/engine")), 0, 409)["error"]
        self.assertEqual(missing["message"], "engine has failed: exit 127")
        self.check_programs_end()

    def test_resignation_ends_the_game(self):
        made = self.play("shogi", self.add_fake("resign"))
        self.assertEqual(self.think(made)["added"], [])
        after = self.client.get(f"/api/games/{made['id']}")
        self.assertEqual(after["outcome"], {"result": "second", "reason": "resign"})
        self.check_programs_end()

    def test_engines_that_do_not_fit(self):
        gomocup = self.add("gomocup", "x")
        self.assertEqual(self.think(self.play("shogi", gomocup), 0, 422)["error"]["message"],
                         "protocol gomocup is for gomoku, not for shogi")
        gone = self.add("usi", "x")
        made = self.play("shogi", gone)
        self.client.delete(f"/api/engines/{gone['id']}", 200)
        self.assertEqual(self.think(made, 0, 409)["error"]["code"], "no-program")
        status, _ = self.client.send("GET", f"/api/games/{made['id']}/nodes/0/analysis?program={gone['id']}")
        self.assertEqual(status, 409)

    def test_analysis_ends_its_program(self):
        made = self.client.post("/api/games", {"game": "shogi", "mode": "analysis"}, 201)
        for mode, reason in (("deaf", "error"), ("crash", "error"), ("flood", "error")):
            with self.subTest(mode):
                engine = self.add_fake(mode)
                events = self.client.events(
                    f"/api/games/{made['id']}/nodes/0/analysis?program={engine['id']}&millis=300")
                self.assertEqual((events[-1][0], events[-1][1]["reason"]), ("done", reason))
                if mode == "deaf":  # the variation ends before the move that is illegal
                    info = [data for name, data in events if name == "info"][-1]
                    self.assertEqual([m["move"] for m in info["lines"][0]["line"]], ["7g7f", "3c3d"])
                    self.assertEqual((info["depth"], info["lines"][0]["first"]), (3, 55))
        # A client that goes away.
        self.client.events(f"/api/games/{made['id']}/nodes/0/analysis?program={self.add_fake('flood')['id']}", limit=1)
        self.check_programs_end()

    def test_programs_end_with_their_game(self):
        pids = os.path.join(self.folder.name, "pids")
        engine = self.add("usi", f"echo $$ >>{pids}; exec {PLYVERSE} engine usi", name="Ours")
        made = self.play("shogi", engine)
        self.think(made)
        with open(pids, encoding="ascii") as file:
            self.assertTrue(all(is_running(int(pid)) for pid in file))  # it waits for its next move
        self.client.patch(f"/api/games/{made['id']}", {"result": "first", "ending": "resign"})
        self.check_programs_end()


class Stopping(unittest.TestCase):
    def test_programs_end_with_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            pids = os.path.join(folder, "pids")
            for how in ("stop", "kill"):
                server = Server()
                client = Client(server)
                engine = client.post("/api/engines", {
                    "protocol": "usi", "command": f"echo $$ >>{pids}; exec {PLYVERSE} engine usi"}, 201)
                made = client.post("/api/games", {"game": "shogi", "mode": "play", "players": [
                    {"kind": "engine", "program": engine["id"], "millis": 50}, {"kind": "person"}]}, 201)
                client.post(f"/api/games/{made['id']}/engine", {"node": 0})
                client.close()
                getattr(server, how)()
            with open(pids, encoding="ascii") as file:
                all_pids = [int(pid) for pid in file]
            deadline = time.monotonic() + 600
            while any(map(is_running, all_pids)) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual((len(all_pids), [pid for pid in all_pids if is_running(pid)]), (2, []))


if __name__ == "__main__":
    unittest.main()
