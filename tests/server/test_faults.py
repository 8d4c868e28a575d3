# SPDX-License-Identifier: MIT
"""What the server does when the machine misbehaves: the clock is set back, the disk fails, files vanish."""
import json
import os
import re
import select
import shutil
import signal
import socket
import stat
import tempfile
import time
import unittest

from support import Client, SOURCE, Server


class Clock(unittest.TestCase):
    def wait_for(self, client, running):
        """Waits until that many engines search."""
        deadline = time.monotonic() + 600
        while client.get("/api/status")["engines"]["running"] != running and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(client.get("/api/status")["engines"]["running"], running)

    def test_set_back(self):
        """After the wall clock was set back by an hour, abandoned jobs end and SIGTERM stops the server."""
        server = Server(faults={"PLY_FAULT_CLOCK": "3600"})
        client = Client(server)
        try:
            game = client.post("/api/games", {"game": "shogi"}, 201)["id"]
            other = Client(server)  # whose search says nothing that would wake anyone
            other.connection.request("POST", f"/api/games/{game}/engine", json.dumps({"node": 0, "millis": 60000}),
                                     {"Content-Type": "application/json"})
            self.wait_for(client, 1)
            other.close()
            self.wait_for(client, 0)
            self.assertEqual(client.get(f"/api/games/{game}")["nodes"], 1)  # it was stopped before it moved
        finally:
            client.close()
            status, errors = server.stop()
        self.assertEqual((status, errors), (0, ""))


class Disk(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="plyverse-faults-")
        self.log = tempfile.mktemp(prefix="plyverse-faults-log-")

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        if os.path.exists(self.log):
            os.unlink(self.log)

    def syncs(self):
        with open(self.log, encoding="utf-8") as log:
            return sum(line == "sync games.sqlite-wal\n" for line in log)

    def test_synced_before_the_answer(self):
        """No change is acknowledged before the log was synced, whichever request makes it."""
        server = Server(folder=self.folder, faults={"PLY_FAULT_LOG": self.log})
        client = Client(server)
        try:
            game = client.post("/api/games", {"game": "gomoku"}, 201)["id"]
            target = f"/api/games/{game}"
            engine = {"name": "An engine", "protocol": "gomocup", "command": "/nonexistent"}
            changes = [
                ("POST", "/api/games", {"game": "shogi"}, 201),
                ("POST", "/api/import?game=gomoku&format=ply", b"game gomoku\nmoves h8 a1\nresult *\n", 201),
                ("POST", "/api/puzzles", {"id": "p", "solved": True}, 200),
                ("POST", "/api/engines", engine, 201),
                ("DELETE", "/api/engines/1", None, 200),
                ("POST", target + "/moves", {"node": 0, "move": "h8"}, 200),
                ("PATCH", target + "/nodes/1", {"comment": "centre"}, 200),
                ("PATCH", target + "/nodes/1", {"nags": [1]}, 200),
                ("PATCH", target, {"title": "A game"}, 200),
                ("POST", target + "/moves", {"node": 0, "move": "a1"}, 200),
                ("PATCH", target + "/nodes/2", {"first": True}, 200),
                ("PATCH", target, {"result": "second", "ending": "resign"}, 200),
                ("PATCH", target, {"result": "ongoing"}, 200),
                ("POST", target + "/engine", {"node": 2, "engine": "random"}, 200),
                ("DELETE", target, None, 204),
            ]
            for method, where, body, status in changes:
                before = self.syncs()
                client.expect(method, where, body, status)
                self.assertGreater(self.syncs(), before, (method, where, body))
        finally:
            client.close()
            server.stop()

    def start(self, fault):
        """A server whose calls fail as told once self.fail() was called."""
        self.trigger = self.log
        return Server(folder=self.folder, faults={"PLY_FAULT": fault, "PLY_FAULT_WHEN": self.trigger})

    def fail_from_now_on(self):
        with open(self.trigger, "w", encoding="utf-8"):
            pass

    def test_failing_sync(self):
        """A change that cannot be synced is not acknowledged."""
        server = self.start("sync:1+")
        client = Client(server)
        try:
            game = client.post("/api/games", {"game": "gomoku"}, 201)["id"]
            self.fail_from_now_on()
            for method, where, body in (("POST", "/moves", {"node": 0, "move": "h8"}),
                                        ("PATCH", "/nodes/0", {"comment": "x"}),
                                        ("PATCH", "/nodes/0", {"nags": [2]})):
                status, answer = client.send(method, f"/api/games/{game}{where}", body)
                self.assertEqual(status, 507, answer)
                self.assertIn("game library", answer["error"]["message"])
        finally:
            client.close()
            server.kill()

    # Changes to a game, and what is different after each.
    CHANGES = (("POST", "/moves", {"node": 0, "move": "h8"}, lambda game: [node["move"] for node in game["tree"][1:2]] == ["h8"]),
               ("PATCH", "/nodes/1", {"comment": "centre"}, lambda game: game["tree"][1]["comment"] == "centre"),
               ("PATCH", "/nodes/1", {"nags": [1, 14]}, lambda game: game["tree"][1]["nags"] == [1, 14]),
               ("POST", "/moves", {"node": 1, "move": "a1"}, lambda game: [node["move"] for node in game["tree"][2:]] == ["a1"]),
               ("PATCH", "", {"title": "A game"}, lambda game: game["title"] == "A game"))

    def change(self, client, url):
        """Makes changes until one is refused; returns how many were acknowledged."""
        for number, (method, where, body, _) in enumerate(self.CHANGES):
            status, _ = client.send(method, url + where, body)
            if status != 200:
                self.assertEqual(status, 507)
                return number
        return len(self.CHANGES)

    def test_every_failing_call(self):
        """Each write or sync in turn fails: what was acknowledged is there after a restart."""
        refused = 0
        for n in range(1, 200):
            shutil.rmtree(self.folder)
            os.mkdir(self.folder)
            if os.path.exists(self.log):
                os.unlink(self.log)
            server = self.start(f"any:{n}")
            client = Client(server)
            url = f"/api/games/{client.post('/api/games', {'game': 'gomoku'}, 201)['id']}"
            self.fail_from_now_on()
            acknowledged = self.change(client, url)
            client.close()
            server.kill()
            server = Server(folder=self.folder)
            client = Client(server)
            try:
                game = client.get(url)
                for number, (*_, is_made) in enumerate(self.CHANGES[:acknowledged]):
                    self.assertTrue(is_made(game), (n, number, game))
            finally:
                client.close()
                server.stop()
            if acknowledged == len(self.CHANGES):
                break  # this call and all later ones come after the last change
            refused += 1
        self.assertGreater(refused, 2 * len(self.CHANGES) - 1)  # at least a write and a sync for each

    def test_every_failing_read(self):
        """Each read in turn fails: the server does not start, or a game is right or cannot be read."""
        server = Server(folder=self.folder)
        client = Client(server)
        game = client.post("/api/games", {"game": "gomoku", "moves": "h8 a1 c3", "title": "A game"}, 201)
        url = f"/api/games/{game['id']}"
        client.close()
        server.stop()
        outcomes = {"no start": 0, "refused": 0, "right": 0}
        copy = os.path.join(self.folder, "copy")
        for n in range(1, 1000):
            if os.path.exists(self.log):
                os.unlink(self.log)
            shutil.rmtree(copy, ignore_errors=True)
            os.mkdir(copy)
            shutil.copy(os.path.join(self.folder, "games.sqlite"), copy)
            try:
                server = Server(folder=copy, faults={"PLY_FAULT": f"read:{n}", "PLY_FAULT_LOG": self.log})
            except AssertionError as failure:
                self.assertIn("disk I/O error", str(failure), n)
                outcomes["no start"] += 1
                continue
            client = Client(server)
            try:
                status, answer = client.send("GET", url)
                self.assertIn(status, (200, 507), (n, answer))
                outcomes["right" if status == 200 else "refused"] += 1
                if status == 200:
                    self.assertEqual(answer, game, n)
            finally:
                client.close()
                server.kill()
            with open(self.log, encoding="utf-8") as log:
                if "failed read" not in log.read():
                    break
        self.assertTrue(all(outcomes.values()), outcomes)

    def test_moved_library(self):
        """A library that was moved away is noticed at the next change; put back, it works again."""
        server = Server(folder=self.folder)
        client = Client(server)
        path = os.path.join(self.folder, "games.sqlite")
        try:
            game = client.post("/api/games", {"game": "gomoku"}, 201)["id"]
            os.rename(path, path + ".away")
            status, answer = client.send("POST", f"/api/games/{game}/moves", {"node": 0, "move": "h8"})
            self.assertEqual(status, 507)
            self.assertIn("was moved or deleted", answer["error"]["message"])
            os.rename(path + ".away", path)
            client.post(f"/api/games/{game}/moves", {"node": 0, "move": "h8"})
        finally:
            client.close()
            server.stop()

    def test_private_library(self):
        """Nobody else can read the library, even in a folder that others can read."""
        os.chmod(self.folder, 0o755)
        path = os.path.join(self.folder, "games.sqlite")
        with open(path, "wb"):
            os.chmod(path, 0o644)
        server = Server(folder=self.folder)
        client = Client(server)
        try:
            client.post("/api/games", {"game": "gomoku"}, 201)
            for name in ("games.sqlite", "games.sqlite-wal"):
                mode = stat.S_IMODE(os.stat(os.path.join(self.folder, name)).st_mode)
                self.assertEqual(mode, 0o600, name)
        finally:
            client.close()
            server.stop()


# How long a client may take to send its first request.
with open(os.path.join(SOURCE, "src/server/net/connection_watch.c"), encoding="utf-8") as watch:
    FIRST_SECONDS = int(re.search(r"FIRST_SECONDS = (\d+)", watch.read())[1])


class Connections(unittest.TestCase):
    def open(self, server, count, source):
        made = []
        for _ in range(count):
            made.append(socket.create_connection((server.host, server.port), timeout=600, source_address=(source, 0)))
        return made

    def test_one_address_has_a_limit(self):
        """Of 700 silent connections from one address, the server closes the oldest as others arrive; 600 may stay."""
        server = Server()
        idle = []
        try:
            idle += self.open(server, 700, "127.0.0.1")
            client = Client(server, timeout=600)
            client.get("/api/status")  # it came last, so the others have been accepted
            closed = [connection for connection in idle if select.select([connection], [], [], 0)[0]]
            self.assertGreater(len(closed), 90)
            self.assertEqual(closed[0].recv(1), b"")
            client.close()
        finally:
            for connection in idle:
                connection.close()
            server.stop()

    def test_silence_before_the_first_request(self):
        """Who has not asked for anything is closed before who has asked and been silent for longer."""
        server = Server()
        try:
            client = Client(server, timeout=600)
            client.get("/api/status")
            time.sleep(2)  # were they treated alike, the other one would be closed first
            [silent] = self.open(server, 1, "127.0.0.1")
            closed = select.select([client.connection.sock, silent], [], [], 600)[0]
            self.assertIn(silent, closed)
            silent.close()
            client.close()
        finally:
            server.stop()

    def test_idle_connections_lock_nobody_out(self):
        """1,300 silent connections, from one address and from two: a newcomer is served at once."""
        server = Server()
        idle = []
        try:
            idle += self.open(server, 700, "127.0.0.1")
            client = Client(server, timeout=600)
            client.get("/api/status")
            idle += self.open(server, 600, "127.0.0.2")
            client.get("/api/status")  # this connection was idle for the shortest time
            client.close()
            again = Client(server, timeout=600)
            self.assertLessEqual(again.get("/api/status")["connections"], 1200)
            again.close()
        finally:
            for connection in idle:
                connection.close()
            server.stop()

    def test_a_request_that_waits_is_not_late(self):
        """A server that was stopped for longer than a client may take reads what has arrived before it hangs up."""
        server = Server()
        waiting = []
        try:
            client = Client(server, timeout=600)
            while True:  # until the server is stopped before it may hang up on anyone, which takes a busy machine a few tries
                begin = time.monotonic()
                waiting = self.open(server, 40, "127.0.0.1")
                while client.get("/api/status")["connections"] < 41 and time.monotonic() - begin < FIRST_SECONDS - 2:
                    time.sleep(0.01)
                server.process.send_signal(signal.SIGSTOP)
                if time.monotonic() - begin < FIRST_SECONDS - 2:
                    break
                server.process.send_signal(signal.SIGCONT)
                for connection in waiting:
                    connection.close()
            for connection in waiting:
                connection.sendall(f"GET /api/status HTTP/1.1\r\nHost: {server.authority}\r\n\r\n".encode())
            time.sleep(FIRST_SECONDS + 1)
            server.process.send_signal(signal.SIGCONT)
            answers = [connection.recv(12) for connection in waiting]
            self.assertEqual(answers, [b"HTTP/1.1 200"] * 40)
            client.close()
        finally:
            server.process.send_signal(signal.SIGCONT)
            for connection in waiting:
                connection.close()
            server.stop()


if __name__ == "__main__":
    unittest.main()
