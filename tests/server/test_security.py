# SPDX-License-Identifier: MIT
"""Access control (Host, Origin, token), limits, malformed requests, slow and absent clients, start-up errors."""
import http.client
import json
import os
import random
import re
import socket
import subprocess
import time
import unittest

from support import ServerTest, Client, LONG, PLYVERSE, Server, check_headers


def send_raw(server, text, wait=5.0):
    """Sends raw bytes; returns everything received until the server closes the connection or falls silent."""
    with socket.create_connection((server.host, server.port), timeout=wait) as client:
        client.sendall(text)
        got = b""
        try:
            while chunk := client.recv(65536):
                got += chunk
        except (TimeoutError, ConnectionResetError):
            pass
        return got


def status_of(answer):
    found = re.match(rb"HTTP/1\.[01] (\d+)", answer)
    return int(found.group(1)) if found else None


class Origins(ServerTest):
    """Requests to a server that listens on the loopback address only."""

    def request(self, method="GET", target="/api/status", body=None, **headers):
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=600)
        connection.putrequest(method, target, skip_host=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        check_headers(answer)
        connection.close()
        return answer.status, data

    def test_host(self):
        port = self.server.port
        for good in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
            self.assertEqual(self.request(Host=good)[0], 200, good)
        for bad in ("127.0.0.1", f"evil.example:{port}", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil.example:{port}",
                    f"localhost.evil.example:{port}", f"127.0.0.1:{port}@evil.example", f"192.168.0.1:{port}", "", ":",
                    f"[::1:{port}", f"[::2]:{port}", f"0.0.0.0:{port}", f"127.0.0.1:0{port}", f"127.1:{port}"):
            self.assertIn(self.request(Host=bad)[0], (400, 403), bad)
        self.assertIn(status_of(send_raw(self.server, b"GET /api/status HTTP/1.1\r\nConnection: close\r\n\r\n")), (400, 403))
        self.assertIn(status_of(send_raw(self.server, b"GET /api/status HTTP/1.0\r\n\r\n")), (400, 403))

    def test_origin(self):
        host = f"127.0.0.1:{self.server.port}"
        body = b'{"game":"shogi"}'
        for origin in (f"http://{host}", None):
            headers = {"Origin": origin} if origin else {}
            self.assertEqual(self.request("POST", "/api/games", body, Host=host, Content_Type="application/json", **headers)[0], 201)
        for origin in ("null", "http://evil.example", f"https://{host}", f"http://{host}.evil.example", f"http://evil@{host}",
                       f"http://localhost:{self.server.port}", "", f"http://{host}/"):
            status, data = self.request("POST", "/api/games", body, Host=host, Origin=origin, Content_Type="application/json")
            self.assertEqual(status, 403, origin)
            self.assertEqual(json.loads(data)["error"]["code"], "bad-origin")
            self.assertEqual(self.request(Host=host, Origin=origin)[0], 403)

    def test_fetch_site(self):
        host = f"127.0.0.1:{self.server.port}"
        for site in ("cross-site", "same-site"):
            self.assertEqual(self.request(Host=host, Sec_Fetch_Site=site)[0], 403)
            self.assertEqual(self.request("POST", "/", b"", Host=host, Sec_Fetch_Site=site)[0], 403)
        for site in ("same-origin", "none"):
            self.assertEqual(self.request(Host=host, Sec_Fetch_Site=site)[0], 200)
        # Another site may link to the page.
        self.assertIn(self.request(target="/", Host=host, Sec_Fetch_Site="cross-site")[0], (200, 404))

    def test_simple_cross_site_posts_are_refused(self):
        """The three content types that another site can send without a CORS preflight."""
        before = self.client.get("/api/games")["total"]
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            self.check_error(415, "json", "POST", "/api/games", b'{"game":"shogi"}', {"Content-Type": kind})
            self.check_error(415, "octet", "POST", "/api/import?game=shogi", b"x", {"Content-Type": kind})
        self.assertEqual(self.client.get("/api/games")["total"], before)

    def test_paths_stay_inside(self):
        for target in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/a/../../b",
                       "//etc/passwd", "/%00", "/index.html%00.js", "/%c0%ae%c0%ae/x", "/%zz", "/%", "/\\..\\x", "/" + "a/" * 50,
                       "/api/../index.html", "/serve.lock", "/games.sqlite", "/api/games/../status"):
            status, data = self.request(target=target, Host=f"127.0.0.1:{self.server.port}")
            self.assertIn(status, (400, 404), target)
            self.assertIn("error", json.loads(data))

    def test_methods(self):
        for method in ("PUT", "OPTIONS", "TRACE", "CONNECT", "HEAD", "PROPFIND", "FOO"):
            answer = send_raw(self.server, f"{method} /api/status HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                          "Origin: http://evil.example\r\nConnection: close\r\n\r\n".encode())
            self.assertIn(status_of(answer), (400, 403, 405, 501), method)
            self.assertNotIn(b"access-control", answer.lower())
        for method, target in (("POST", "/api/catalog"), ("DELETE", "/api/games"), ("PATCH", "/api/games"), ("POST", "/")):
            self.check_error(405, "method", method, target, {})


class Bodies(ServerTest):
    def test_sizes(self):
        limit = self.client.get("/api/catalog")["limits"]["body_bytes"]
        self.check_error(413, "larger", "POST", "/api/import?game=shogi", b"x" * (limit + 1))
        self.check_error(413, "title", "POST", "/api/games", {"game": "shogi", "title": "x" * 301})
        self.check_error(413, "larger", "POST", "/api/view", {"game": "shogi", "position": "x" * limit})
        self.check_error(400, "too long", "GET", "/api/games?q=" + "x" * 9000)
        game = self.new_game("shogi")
        self.check_error(413, "comment", "PATCH", f"/api/games/{game['id']}/nodes/0", {"comment": "x" * 20001})
        answer = send_raw(self.server, b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 100000 + b"\r\n\r\n")
        self.assertIn(status_of(answer), (413, 431, 400, None))
        self.client.get("/api/status")

    def test_huge_body_is_discarded(self):
        before = self.client.get("/api/status")["memory"]
        with socket.create_connection((self.server.host, self.server.port), timeout=600) as client:
            client.sendall(f"POST /api/games HTTP/1.1\r\nHost: {self.server.authority}\r\nContent-Type: application/json\r\n"
                         "Content-Length: 67108864\r\n\r\n".encode())
            for _ in range(64):
                client.sendall(b" " * (1 << 20))
            self.assertEqual(status_of(client.recv(65536)), 413)
        after = self.client.get("/api/status")["memory"]
        self.assertLess(after - before, 32 << 20)

    def test_bad_json(self):
        for body, where in ((b"", 1), (b"{", 1), (b"[]", None), (b'{"game":"shogi"} x', 1), (b'\xff', 1), (b'{"a":1,"a":2}', 1),
                            (b"[" * 100000, 1), (b'{"game":"\\u0000"}', 1), (b'{"game":"sho\x00gi"}', 1), (b"null", None), (b"\n\n  {,", 3)):
            status, answer = self.client.send("POST", "/api/view", body, {"Content-Type": "application/json"})
            self.assertEqual(status, 400, body[:40])
            if where:
                self.assertEqual(answer["error"].get("line"), where, body[:40])
        for body in ({"game": 1}, {"game": None}, {"game": "shogi", "extra": 1}, {"variant": "x"}, {"game": "shogi", "moves": []}):
            status, _ = self.client.send("POST", "/api/view", body)
            self.assertEqual(status, 400, body)
        for body in ({"players": 1}, {"players": [{"kind": "person"}]}, {"players": [{"kind": "x"}, {"kind": "person"}]},
                     {"players": [{"kind": "engine", "level": 11}, {"kind": "person"}]},
                     {"players": [{"kind": "engine", "engine": "alphabeta:hash=99999"}, {"kind": "person"}]},
                     {"clock": 5}, {"clock": {"base": -1, "increment": 0, "byoyomi": 0}}, {"tags": 5}, {"tags": {"a": 5}}, {"clone": 5},
                     {"title": 5}):
            status, _ = self.client.send("POST", "/api/games", {"game": "shogi", **body})
            self.assertEqual(status, 400, body)

    def test_move_text_is_limited(self):
        """A move text that is too long changes nothing."""
        game = self.new_game("neighbours")
        url = f"/api/games/{game['id']}"
        rng, moves = random.Random(5), []
        while len(moves) < 40:
            view = self.client.post("/api/view", {"game": "neighbours", "moves": " ".join(moves)})
            if not view["moves"]:
                break
            moves.append(rng.choice(view["moves"])["move"])
        self.client.post(url + "/moves", {"node": 0, "move": " ".join(moves)})
        self.check_error(413, "longer", "POST", url + "/moves", {"node": 0, "move": "a1a2 " * 20000})
        self.assertEqual(self.client.get(url)["nodes"], len(moves) + 1)


class Token(ServerTest):
    arguments = ("--host", "127.0.0.1")

    def bare(self, target="/api/status", **headers):
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=600)
        connection.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def test_token_is_required(self):
        token = self.server.token
        self.assertRegex(token, r"^[0-9a-f]{32}$")
        self.assertEqual(self.client.get("/api/status")["games"], 0)
        for wrong in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer " + token[:-1]}, {"Authorization": token},
                      {"Authorization": "Bearer " + token + "0"}, {"Authorization": "Bearer " + token.upper() + "x"},
                      {"Cookie": "plyverse=" + token[:-1]}, {"Cookie": "xplyverse=" + token}, {"Cookie": "plyverse="}):
            for target in ("/api/status", "/", "/index.html", "/api/games", "/api/nothing"):
                answer = self.bare(target, **wrong)
                self.assertEqual(answer.status, 401, (wrong, target))
                self.assertEqual(answer.getheader("WWW-Authenticate"), "Bearer")
        for right in ({"Authorization": "Bearer " + token}, {"Cookie": "plyverse=" + token}, {"Cookie": "a=b; plyverse=" + token + "; c=d"}):
            self.assertEqual(self.bare(**right).status, 200, right)
        self.assertEqual(self.bare("/api/status?token=" + token).status, 200)
        self.assertEqual(self.bare("/api/status?token=x").status, 401)

    def test_addresses_for_other_devices(self):
        token = self.server.token
        self.assertEqual(self.bare("/api/addresses").status, 401)
        answer = self.bare("/api/addresses", Authorization="Bearer " + token)
        addresses = json.loads(answer.body)["addresses"]
        self.assertEqual(addresses, [f"http://127.0.0.1:{self.server.port}/?token={token}"])

    def test_programs_are_not_run_for_other_machines(self):
        plan = lambda spec: {"game": "shogi", "engines": [{"spec": "random"}, {"spec": spec}]}
        for spec in ("usi:/bin/true", "ply:sh -c 'echo'", "xshogi:gnushogi"):
            self.check_error(403, "this machine alone", "POST", "/api/tournament", plan(spec))
        self.assertFalse(self.client.post("/api/tournament", plan("random"), 201)["programs"])
        self.client.delete("/api/tournament", 200)
        self.check_error(403, "this machine alone", "POST", "/api/engines", {"protocol": "usi", "command": "x"})
        self.check_error(403, "this machine alone", "DELETE", "/api/engines/1")
        listed = self.client.get("/api/engines")
        self.assertEqual((listed["allowed"], listed["engines"]), (False, []))
        player = {"kind": "engine", "program": 1}
        made = self.client.post("/api/games", {"game": "shogi", "mode": "play", "players": [player, player]}, 201)
        self.check_error(403, "this machine alone", "POST", f"/api/games/{made['id']}/engine", {"node": 0})
        self.check_error(403, "this machine alone", "GET", f"/api/games/{made['id']}/nodes/0/analysis?program=1")
        self.check_error(403, "this machine alone", "GET", "/api/analysis?game=shogi&program=1")
        self.client.delete(f"/api/games/{made['id']}")

    def test_token_becomes_a_cookie(self):
        answer = self.bare("/?token=" + self.server.token)
        self.assertEqual((answer.status, answer.getheader("Location")), (303, "/"))
        cookie = answer.getheader("Set-Cookie")
        for part in ("plyverse=" + self.server.token, "HttpOnly", "SameSite=Strict"):
            self.assertIn(part, cookie)

    def test_names_by_dns_are_refused(self):
        for host, status in ((f"evil.example:{self.server.port}", 403), (f"10.1.2.3:{self.server.port}", 200)):
            self.assertEqual(self.bare(Host=host, Authorization="Bearer " + self.server.token).status, status)


class Lifecycle(ServerTest):
    def test_second_server_names_the_first(self):
        done = subprocess.run([PLYVERSE, "serve", "--data", self.server.folder, "--port", "0"], capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"http://{self.server.authority}/", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_taken_port(self):
        done = subprocess.run([PLYVERSE, "serve", "--data", self.server.folder + "/x", "--port", str(self.server.port)],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(str(self.server.port), done.stderr)

    def test_bad_arguments(self):
        for args in (["--port", "x"], ["--port", "65536"], ["--host", "nowhere.example"], ["--data", "/dev/null/x"], ["--data", ""],
                     ["--analyses", "0"], ["extra"]):
            done = subprocess.run([PLYVERSE, "serve", "--data", self.server.folder + "/y", *args], capture_output=True, text=True, timeout=600)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_data_folder(self):
        folder = os.path.join(self.server.folder, "xdg")
        process = subprocess.Popen([PLYVERSE, "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "XDG_DATA_HOME": folder})
        printed = json.loads(process.stdout.readline())
        self.assertEqual(printed["address"], f"http://127.0.0.1:{printed['port']}/")
        process.terminate()
        self.assertEqual(process.wait(600), 0)
        process.stdout.close()
        self.assertTrue(os.path.exists(os.path.join(folder, "plyverse", "games.sqlite")))
        self.assertEqual(os.stat(os.path.join(folder, "plyverse")).st_mode & 0o777, 0o700)

    def test_not_a_database(self):
        folder = os.path.join(self.server.folder, "bad")
        os.mkdir(folder)
        with open(os.path.join(folder, "games.sqlite"), "wb") as file:
            file.write(b"this is not a database, but long enough to be read as one" * 100)
        done = subprocess.run([PLYVERSE, "serve", "--data", folder, "--port", "0"], capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)

    def test_slow_senders_do_not_block_others(self):
        clients = []
        for i in range(60):
            client = socket.create_connection((self.server.host, self.server.port), timeout=600)
            client.sendall(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"[:10 + i % 40])
            clients.append(client)
        for _ in range(20):
            self.client.get("/api/status")
        for client in clients:
            client.close()

    def test_client_that_does_not_read(self):
        """A stream that is not read does not grow in memory, and ends when the client disconnects."""
        client = socket.create_connection((self.server.host, self.server.port), timeout=600)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(f"GET /api/analysis?game=neighbours&lines=8 HTTP/1.1\r\nHost: {self.server.authority}\r\n\r\n".encode())
        self.wait_for(1)
        time.sleep(1.5)  # long enough to fill its buffers
        self.assertEqual(self.client.get("/api/status")["analyses"]["running"], 1)
        client.close()
        self.wait_for(0)

    def test_stop_during_analysis(self):
        server = Server()
        client = Client(server)
        client.connection.request("GET", "/api/analysis?game=shogi")
        answer = client.connection.getresponse()
        answer.readline()
        status, errors = server.stop()
        self.assertEqual((status, errors), (0, ""))
        client.close()

    def slow_bodies_are_cut_off(self):
        with socket.create_connection((self.server.host, self.server.port), timeout=600) as client:
            client.sendall(f"POST /api/games HTTP/1.1\r\nHost: {self.server.authority}\r\nContent-Type: application/json\r\n"
                         "Content-Length: 1000\r\n\r\n".encode())
            begun = time.monotonic()
            try:
                while time.monotonic() - begun < 600:
                    client.sendall(b" ")
                    time.sleep(1)
                self.fail("the server waits forever")
            except (BrokenPipeError, ConnectionResetError):
                pass

    if LONG:
        test_slow_bodies_are_cut_off = slow_bodies_are_cut_off


if __name__ == "__main__":
    unittest.main()
