# SPDX-License-Identifier: MIT
"""Plays shogi through uci2wb: we speak xboard to it, and it speaks USI to the engine.

Our moves are random legal ones; every reply must be legal. xboard counts files from the left, a to i, and ranks from
the bottom; USI counts files from the right and ranks from the top.
"""
import json
import os
import random
import stat
import subprocess
import sys
import tempfile

PLYVERSE = os.path.abspath(os.environ["PLYVERSE"])
GAMES = 12 if os.environ.get("PLY_TIER") == "long" else 3
PLIES = 60


def square(text):
    """Converts a square from USI to xboard or back."""
    if text[0].isdigit():
        return chr(ord("a") + 9 - int(text[0])) + str(9 - (ord(text[1]) - ord("a")))
    return str(9 - (ord(text[0]) - ord("a"))) + chr(ord("a") + 9 - int(text[1]))


def to_xboard(move):
    if move[1] == "*":
        return move[0] + "@" + square(move[2:4])
    return square(move[0:2]) + square(move[2:4]) + ("+" if move.endswith("+") else "")


def to_usi(move):
    move = move.strip().rstrip("=")
    if move[1] == "@":
        return move[0] + "*" + square(move[2:4])
    return square(move[0:2]) + square(move[2:4]) + ("+" if move.endswith("+") else "")


class Client:
    def __init__(self, engine):
        self.process = subprocess.Popen(["uci2wb", "-s", engine], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)
        self.pings = 0

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, *starts):
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(lines[-5:])
            lines.append(line.rstrip("\n"))
            if line.startswith(starts):
                return lines

    def order(self, line):
        """Sends a command and waits until it has been processed."""
        self.send(line)
        self.pings += 1
        self.send(f"ping {self.pings}")
        self.until(f"pong {self.pings}")

    def close(self):
        self.send("quit")
        return self.process.wait(timeout=600)


def legal(moves):
    out = subprocess.run([PLYVERSE, "moves", "shogi", "--json", "--moves", " ".join(moves)],
                         capture_output=True, text=True, check=True).stdout
    view = json.loads(out)
    return view["moves"] if view["result"] == "ongoing" else []


def play(engine, seed):
    """One game; returns what went wrong, or None."""
    choose = random.Random(seed)
    client = Client(engine)
    client.send("xboard")
    client.send("protover 2")
    hello = client.until("feature smp=1 memory=1 done=1")
    for words in ['feature variants="shogi', "MultiPV", "impasse"]:
        if not any(words in line for line in hello):
            return f"uci2wb does not announce {words}"
    for line in ["new", "variant shogi", "level 0 1 0", "post", "easy", "sd 3"]:
        client.order(line)
    moves, thinking_lines = [], 0
    while len(moves) < PLIES:
        choice = legal(moves)
        if not choice:
            break
        # Promotions and drops are what adapters get wrong: prefer them.
        rare = [m for m in choice if m.endswith("+") or m[1] == "*"]
        ours = choose.choice(rare if rare and choose.random() < 0.5 else choice)
        moves.append(ours)
        client.order("time 6000")
        client.order("otim 6000")
        client.send("usermove " + to_xboard(ours))
        received = client.until("move ", "resign", "1-0", "0-1", "1/2-1/2")
        thinking_lines += sum(line.strip()[:1].isdigit() for line in received)
        choice = legal(moves)
        if not received[-1].startswith("move "):
            if choice:
                return f"{received[-1]} after {' '.join(moves)}"
            break
        answer = to_usi(received[-1][5:])
        if answer not in choice:
            return f"{answer} is not legal after {' '.join(moves)}"
        moves.append(answer)
    if len(moves) < 10 or thinking_lines < len(moves) // 2:
        return f"only {len(moves)} moves and {thinking_lines} thinking lines"
    if client.close() != 0:
        return "uci2wb failed"
    return None


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        engine = os.path.join(folder, "engine")  # uci2wb gives its engine no arguments
        with open(engine, "w", encoding="ascii") as script:
            script.write(f"#!/bin/sh\nexec '{PLYVERSE}' engine usi --hash 4\n")
        os.chmod(engine, os.stat(engine).st_mode | stat.S_IXUSR)
        for seed in range(GAMES):
            try:
                problem = play(engine, seed)
            except EOFError as end:
                problem = f"uci2wb ended: {end}"
            passed += problem is None
            failed += problem is not None
            if problem:
                print(f"game {seed}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
