# SPDX-License-Identifier: MIT
"""A small gomoku engine that can misbehave.

usage: fake_engine.py PROTOCOL [FAULT [AFTER [FOLDER]]]

PROTOCOL is ply, gomocup or usi (shogi; always resigns, and FAULT is its name). The engine plays the first empty cell in a fixed order over the board.
After AFTER moves of its own in a game it commits its fault: exit, signal, illegal, nonsense, hang,
resign, claim, slow (0.2 s per move from then on), burn (0.2 s of CPU time per move from then on),
chatter (an endless line), close (its output), error (says ERROR instead of a move).
Before it hangs, it makes a file in FOLDER.
Faults before the first game: mute, refuse. The fault gloomy reports bad scores; grumble complains
about every INFO; deaf complains about INFO and never moves; forgetful loses the word TURN,
and every other time the word START.
"""
import os
import signal
import sys
import time

SIZE = 15
PROTOCOL = sys.argv[1]
FAULT = sys.argv[2] if len(sys.argv) > 2 else "none"
AFTER = int(sys.argv[3]) if len(sys.argv) > 3 else 0
taken = set()
moves_made = 0
starts = 0


def say(line):
    print(line, flush=True)


def cell_name(cell):
    return chr(ord("a") + cell[0]) + str(SIZE - cell[1])


def parse_cell(name):
    return ord(name[0]) - ord("a"), SIZE - int(name[1:])


def answer(text):
    say(("bestmove " if PROTOCOL == "ply" else "") + text)


def misbehave():
    if FAULT == "exit":
        sys.exit(3)
    elif FAULT == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif FAULT == "illegal":
        cell = sorted(taken)[0]
        answer(cell_name(cell) if PROTOCOL == "ply" else "%d,%d" % cell)
    elif FAULT == "nonsense":
        answer("\u2654\x01 nonsense" if PROTOCOL == "ply" else "99,99")
    elif FAULT == "hang":
        if len(sys.argv) > 4:
            open(os.path.join(sys.argv[4], str(os.getpid())), "w").close()
        time.sleep(600)
    elif FAULT == "resign":
        answer("resign")
    elif FAULT == "error":
        say("ERROR no idea")
    elif FAULT == "deaf":
        time.sleep(600)
    elif FAULT == "claim":
        answer("win")
    elif FAULT == "close":
        os.close(1)
        time.sleep(600)
    elif FAULT == "chatter":
        os.write(1, b"x" * (3 << 20))
        time.sleep(600)
    else:
        return False
    return True


def move():
    global moves_made
    moves_made += 1
    if moves_made > AFTER:
        if FAULT == "slow":
            time.sleep(0.2)
        elif FAULT == "burn":
            until = time.process_time() + 0.2
            while time.process_time() < until:
                pass
        elif misbehave():
            return
    cell = next((x, y) for x, y in (((n * 4) % SIZE, n * 4 // SIZE * 2 % SIZE + n // 120)
                                    for n in range(100000))
                if x < SIZE and y < SIZE and (x, y) not in taken)
    taken.add(cell)
    if PROTOCOL == "ply":
        say("info depth 1 score cp %d pv x" % (-500 if FAULT == "gloomy" else 3))
    answer(cell_name(cell) if PROTOCOL == "ply" else "%d,%d" % cell)


def ply(line):
    global moves_made, taken
    words = line.split()
    if words[0] == "ply":
        if FAULT == "refuse":
            sys.exit(1)
        if FAULT != "mute":
            say("id name Fake\nplyok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "newgame":
        moves_made = 0
    elif words[0] == "position":
        played = words[words.index("moves") + 1:] if "moves" in words else []
        taken = {parse_cell(m) for m in played}
    elif words[0] == "go":
        move()
    elif words[0] == "quit":
        sys.exit(0)


board = False


def gomocup(line):
    global moves_made, taken, board, starts
    words = line.upper().split()
    if board:
        if words[0] == "DONE":
            board = False
            move()
        else:
            x, y, _ = line.split(",")
            taken.add((int(x), int(y)))
    elif words[0] == "START":
        taken, moves_made, starts = set(), 0, starts + 1
        if FAULT == "forgetful" and starts % 2:
            say("ERROR Unknown command: " + words[1])
            return
        say("ERROR too tired" if FAULT == "refuse" else "MESSAGE hello\nOK")
    elif words[0] == "BOARD":
        board = True
    elif words[0] == "BEGIN":
        move()
    elif words[0] == "TURN" and FAULT == "forgetful":
        say("ERROR Unknown command: " + words[1])
    elif words[0] == "TURN":
        x, y = words[1].split(",")
        taken.add((int(x), int(y)))
        move()
    elif words[0] == "INFO" and FAULT in ("grumble", "deaf"):
        say("UNKNOWN command" if words[1] == "RULE" else "ERROR unsupported " + words[1])
    elif words[0] == "END":
        sys.exit(0)


def usi(line):
    words = line.split()
    if words[0] == "usi":
        say("id name %s\nusiok" % FAULT)
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "go":
        say("bestmove resign")
    elif words[0] == "quit":
        sys.exit(0)


for text in sys.stdin:
    if text.strip():
        {"ply": ply, "gomocup": gomocup, "usi": usi}[PROTOCOL](text.strip())
