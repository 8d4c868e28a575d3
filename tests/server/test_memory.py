# SPDX-License-Identifier: MIT
"""A server whose allocations fail one at a time: it keeps running, and everything it has acknowledged is there."""
import http.client
import mmap
import os
import struct
import tempfile
import unittest

from support import Client, SANITIZER, Server


class Counter:
    """The number of allocations of the server up to the one that fails; 0: none does. See tests/faults/preload_memory.c."""

    def __init__(self, path):
        self.path = path
        with open(path, "w+b") as file:
            file.write(bytes(8))
            file.flush()
            self.shared = mmap.mmap(file.fileno(), 8)

    def __int__(self):
        return struct.unpack("Q", self.shared)[0]

    def set(self, number):
        self.shared[:] = struct.pack("Q", number)


@unittest.skipIf(SANITIZER, "sanitizers have allocators of their own")
class Memory(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="plyverse-memory-")
        self.addCleanup(self.folder.cleanup)
        self.counter = Counter(os.path.join(self.folder.name, "counter"))
        self.data = os.path.join(self.folder.name, "data")
        self.server = Server(folder=self.data, memory_counter=self.counter.path)
        self.client = Client(self.server)
        self.addCleanup(self.end)

    def end(self):
        self.client.close()
        if self.server.process.poll() is None:
            self.server.kill()

    def send(self, method, target, body=None):
        """The status and the answer; no status if the server hung up, or if the HTTP library answered in its place."""
        try:
            return self.client.send(method, target, body)
        except (http.client.HTTPException, ConnectionError):
            self.client.close()
            return None, None
        except KeyError as missing:
            self.assertEqual(missing.args, ("content-security-policy",))
            return None, None

    def every_failure(self, method, target, body=None):
        """Sends a request with the n-th allocation failing, for every n. Yields n and the answers that are no refusal."""
        for n in range(1, 100000):
            self.counter.set(n)
            status, answer = self.send(method, target, body() if callable(body) else body)
            is_last = int(self.counter) > 0  # there were fewer than n
            self.counter.set(0)
            self.assertIsNone(self.server.process.poll(), f"{method} {target}: the server died at allocation {n}")
            refused = status is None or status == 429 or (status == 507 and answer["error"]["code"] == "io") or \
                (status == 400 and answer["error"]["code"] == "bad-json")  # the JSON library does not tell why
            if not refused:
                self.assertIn(status, (200, 201, 204), (method, target, n, answer))
                yield n, answer
            if is_last:
                self.assertFalse(refused, (method, target, n, status, answer))
                self.assertGreater(n, 10)
                return

    def restart(self):
        self.client.close()
        self.server.kill()
        self.server = Server(folder=self.data)
        self.client = Client(self.server)

    def test_changes(self):
        """Moves, comments and titles: those that were acknowledged are there after a crash, and nothing else."""
        url = f"/api/games/{self.client.post('/api/games', {'game': 'gomoku'}, 201)['id']}"
        cells = [f"{file}{rank}" for rank in range(1, 16) for file in "abcdefghijklmno"]
        moves, comment, title = [], "", ""
        for _, answer in self.every_failure("POST", url + "/moves", lambda: {"node": 0, "move": cells[len(moves)]}):
            moves.append(cells[len(moves)])
        for n, _ in self.every_failure("PATCH", url + "/nodes/0", lambda: {"comment": f"{comment}+"}):
            comment += "+"
        for n, _ in self.every_failure("PATCH", url, lambda: {"title": f"{title}+", "tags": {"Site": f"{title}+"}}):
            title += "+"
        self.restart()
        game = self.client.get(url)
        self.assertEqual([node["move"] for node in game["tree"][1:]], moves)
        # A change that was not acknowledged may have been made; the next request repeats it.
        self.assertEqual((game["tree"][0]["comment"], game["title"], game["tags"]["Site"]), (comment, title, title))

    def test_new_games(self):
        """New and imported games, and moves of the engine: what was acknowledged is whole."""
        record = b'tag Site "here"\ntag White "A"\nmoves a1a2 {a remark} ( b1b3 ) a6a5\nresult *\n'
        made = {answer["id"]: answer for _, answer in self.every_failure("POST", "/api/games", {"game": "neighbours"})}
        for _, answer in self.every_failure("POST", "/api/import?game=neighbours&format=ply", record):
            self.assertEqual([player.get("name") for player in answer["games"][0]["players"]], ["A", None])
            made[answer["games"][0]["id"]] = None
        last = max(made)
        url = f"/api/games/{last}"
        tip = max(answer["node"] for _, answer in self.every_failure("POST", url + "/engine", {"node": 3, "engine": "random"}))
        self.restart()
        for id, answer in made.items():
            game = self.client.get(f"/api/games/{id}")
            if answer:
                self.assertEqual((game["game"], len(game["tree"]), game["players"]), ("neighbours", 1, answer["players"]))
            else:
                self.assertEqual(game["tags"], {"Site": "here", "White": "A"})
                self.assertEqual([node["move"] for node in game["tree"][:4]], [None, "a1a2", "b1b3", "a6a5"])
                self.assertEqual(game["tree"][1]["comment"], "a remark")
        self.assertGreater(len(self.client.get(url)["tree"]), tip)

    def test_reading(self):
        """An answer is right, or there is none."""
        url = f"/api/games/{self.client.post('/api/games', {'game': 'shogi', 'moves': '7g7f 3c3d', 'title': 'T'}, 201)['id']}"
        self.client.patch(url, {"tags": {"Site": "here"}})
        for target in (url, url + "/nodes/2", url + "/export?format=kifu", "/api/games?q=T", "/api/games?limit=5"):
            right = self.client.get(target)
            for n, answer in self.every_failure("GET", target):
                self.assertEqual(answer, right, (target, n))


if __name__ == "__main__":
    unittest.main()
