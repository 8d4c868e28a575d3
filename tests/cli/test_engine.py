# SPDX-License-Identifier: MIT
"""plyverse engine: pipes, end of input, clients that disconnect, and DXP over TCP."""
import os
import socket
import subprocess
import time
import unittest

from command import PLYVERSE, CommandTest, run

NAME = "Tester".ljust(32)


class Client:
    """An engine process, driven line by line as a board or a match runner would."""

    def __init__(self, *args):
        self.process = subprocess.Popen([PLYVERSE, "engine", *args], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, start):
        """The lines up to the first that begins with `start`."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(lines)
            lines.append(line.rstrip("\n"))
            if line.startswith(start):
                return lines

    def close(self):
        """Closes the engine's input; returns its exit status, the rest of its output, and its errors."""
        out, err = self.process.communicate(timeout=600)
        return self.process.returncode, out, err


class Engines(CommandTest):
    def test_usi_game(self):
        """The engine plays both sides for a few moves; `plyverse moves` must list each of them."""
        client = Client("usi", "--hash", "8")
        client.send("usi")
        self.assertIn("option name USI_Hash type spin default 8 min 1 max 65536",
                      client.until("usiok"))
        client.send("isready")
        client.until("readyok")
        client.send("usinewgame")
        moves = []
        for _ in range(6):
            client.send("position startpos moves " + " ".join(moves) if moves
                        else "position startpos")
            client.send("go btime 1000 wtime 1000 byoyomi 20")
            best = client.until("bestmove")[-1].split()[1]
            self.assertIn(best, self.json("moves", "shogi", "--moves", " ".join(moves))["moves"])
            moves.append(best)
        client.send("go infinite")
        client.send("stop")
        client.until("bestmove")
        client.send("quit")
        self.assertEqual(client.close(), (0, "", ""))

    def test_every_protocol_ends_with_its_input(self):
        for protocol, lines, answer in [
                ("usi", "position startpos\ngo infinite", "bestmove "),
                ("gomocup", "START 15\nBEGIN", ","),
                ("hub", "pos start\nlevel infinite\ngo think", "done move="),
                ("ply", "go infinite", "bestmove ")]:
            status, out, err = run("engine", protocol, stdin=lines)
            self.assertEqual((status, err), (0, ""), protocol)
            self.assertIn(answer, out.splitlines()[-1])
            self.assertEqual(run("engine", protocol, stdin="")[:2], (0, ""))

    def test_client_that_does_not_read(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([PLYVERSE, "engine", "ply"], input="ply\ngo depth 3\nstate\n", text=True,
                              stdout=writer, stderr=subprocess.PIPE, timeout=600)
        os.close(writer)
        self.assertEqual(done.returncode, 0)

    def test_long_and_binary_lines(self):
        line = "position startpos moves " + "7g7f " * 400000
        status, out, err = run("engine", "usi", stdin=line + "\nisready\n")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[-1], "readyok")
        done = subprocess.run([PLYVERSE, "engine", "ply"], input=b"\0\xff\0\nisready\n",
                              capture_output=True, timeout=600)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith(b"readyok\n"))

    def test_bad_usage(self):
        self.bad("no protocol 'uci'; choose from usi, gomocup, hub, dxp, ply", "engine", "uci")
        self.bad("protocol usi is for shogi, not for checkers", "engine", "usi", "--game", "checkers")
        self.bad("no game 'go'", "engine", "ply", "--game", "go")
        self.bad("'magic' is none of alphabeta, mcts, playouts", "engine", "ply", "--engine", "magic")
        self.bad("are for dxp only", "engine", "ply", "--port", "5")
        self.bad("martian", "engine", "hub", "--variant", "martian")
        self.bad("is not an IPv4 address", "engine", "dxp", "--host", "nowhere")


class Dxp(CommandTest):
    def setUp(self):
        self.server = subprocess.Popen([PLYVERSE, "engine", "dxp", "--port", "0", "--once"],
                                       stderr=subprocess.PIPE, text=True)
        self.port = int(self.server.stderr.readline().rsplit(None, 1)[1])

    def tearDown(self):
        self.server.wait(timeout=600)
        self.server.stderr.close()

    def test_messages_end_with_nul(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=600) as peer:
            peer.sendall(f"R01{NAME}W001075BWeeeeeeeeeeeeezeeeeeeezeeeweeeeee\0".encode())
            received = b""
            while received.count(b"\0") < 2:
                received += peer.recv(100)
            first, second, rest = received.split(b"\0")
            self.assertEqual(first, b"A" + b"Plyverse".ljust(32) + b"0")
            self.assertEqual(second, b"M00002610021422")
            self.assertEqual(rest, b"")
            peer.sendall(b"E1")
            time.sleep(0.05)
            peer.sendall(b"1\0")  # in two parts
            self.assertEqual(peer.recv(100), b"E01\0")
            self.assertEqual(peer.recv(100), b"")  # closed
        self.assertEqual(self.server.wait(timeout=600), 0)

    def test_client_that_disconnects(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=600) as peer:
            peer.sendall(f"R01{NAME}Z005075A\0".encode())  # starts a search
        self.assertEqual(self.server.wait(timeout=600), 0)

    def test_connection_refused(self):
        with socket.create_connection(("127.0.0.1", self.port)):
            pass
        self.server.wait(timeout=600)
        self.bad("refused", "engine", "dxp", "--connect", "--port", str(self.port))


if __name__ == "__main__":
    unittest.main()
