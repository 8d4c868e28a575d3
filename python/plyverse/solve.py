# SPDX-License-Identifier: MIT
"""Forced wins: solving positions, and checking proofs."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

from plyverse._core import Callbacks, check, encode, ffi, interruptible, lib, new_error, owned, string, text_of, whole
from plyverse.state import State, state_of

_VERDICTS = {lib.PLY_VERDICT_UNKNOWN: "unknown", lib.PLY_VERDICT_WIN: "win", lib.PLY_VERDICT_NO: "no"}


@dataclass(frozen=True)
class Solution:
    """A solver's answer.

    `verdict` is "win" (the player to move forces the goal), "no" (proved that they cannot) or "unknown"; then
    `stop_reason` says why. `length` is the length of a win in plies (in 5D chess, turns of the attacker), and `moves` is
    the win against the longest defence. `proof` can be checked by `check_proof`; it is empty unless it was asked for.
    """

    verdict: str
    length: int
    shortest: bool
    moves: list[str]
    nodes: int
    seconds: float
    stop_reason: str | None = None
    proof: bytes = field(default=b"", repr=False)


def solve(state: State, goal: str = "", *, millis: int = 0, nodes: int = 0, memory_mb: int = 256, threads: int = 1,
          shortest: bool = False, ignore_futile: bool = False, proof: bool = False,
          progress: Callable[[int, int], object] | None = None) -> Solution:
    """Solves a position for the player to move; "" is the game's first goal, and 0 means no limit.

    `progress(nodes, 0)` is called about 20 times a second. ctrl-C stops the solver.
    """
    source = state_of(state)
    rules = source.rules._rules
    found = lib.ply_goal_find(rules.game, encode(goal, "goal"))
    if not found:
        raise ValueError(f"{source.rules.game} has no goal '{goal}'; its goals are {', '.join(source.rules.goals)}")
    made = lib.ply_solver_new(rules, found, ffi.new("ply_solve_options *", {
        "memory_mb": whole(memory_mb, "memory_mb", 1, 2**24), "threads": whole(threads, "threads", 1, 1024)}))
    if not made:
        raise MemoryError
    solver = owned(made, lib.ply_solver_free, rules)
    limits = ffi.new("ply_solve_limits *", {
        "millis": whole(millis, "millis"), "nodes": whole(nodes, "nodes"), "shortest": bool(shortest),
        "ignore_futile": bool(ignore_futile)})
    report = ffi.new("ply_solve_report *")
    callbacks = Callbacks(lambda: lib.ply_solver_stop(solver))
    if progress is not None:
        heard = progress
        callbacks.listener = lambda now: heard(now.nodes, 0)
    with interruptible(lib.PLYPY_SOLVER, solver):
        status = lib.ply_solver_run(solver, source._state.position, limits,
                                    lib.plypy_on_solve if progress else ffi.NULL, callbacks.handle, report)
    callbacks.finish()
    check(status)
    walk, moves = source.copy(), []
    for i in range(report.pv_length):
        moves.append(walk._move_text(report.pv[i]))
        check(lib.ply_state_play(walk._state, report.pv[i]))
    written = b""
    if proof and report.verdict != lib.PLY_VERDICT_UNKNOWN:
        written = _prove(solver)
    return Solution(_VERDICTS[report.verdict], report.length, bool(report.shortest), moves, report.nodes,
                    report.seconds, string(report.stop_reason) or None, written)


def _prove(solver: Any) -> bytes:
    memory = ffi.new("ply_proof_memory *")
    try:
        with interruptible(lib.PLYPY_SOLVER, solver):
            status = lib.ply_solver_prove(solver, ffi.addressof(lib, "ply_proof_memory_sink"), memory)
        check(status)
        return bytes(ffi.buffer(memory.bytes, memory.size))
    finally:
        lib.ply_free(memory.bytes)


@dataclass(frozen=True)
class ProofSummary:
    """What a proof has shown: the verdict about a position, and how large the proof is."""

    verdict: str
    attacker: int
    plies: int
    variant: str
    goal: str
    position: str
    nodes: int


def check_proof(game: str, proof: bytes) -> ProofSummary:
    """Checks a proof with the rules alone; shares no code with the solvers. Raises `Error` if anything is wrong."""
    found = lib.ply_game_find(encode(game, "game"))
    if not found:
        check(lib.PLY_UNKNOWN_GAME)
    data = ffi.from_buffer(proof)
    memory = ffi.new("ply_proof_memory *", {"bytes": ffi.cast("unsigned char *", data), "size": len(data)})
    source = ffi.new("ply_proof_source *", lib.ply_proof_memory_source(memory))
    summary, error, stop = ffi.new("ply_proof_summary *"), new_error(), ffi.new("bool *")

    def run(out: Any) -> None:
        with interruptible(lib.PLYPY_FLAG, stop):
            status = lib.ply_proof_check(found, source, 0, stop, summary, out, error)
        if status == lib.PLY_STOPPED:
            raise KeyboardInterrupt
        check(status, error)

    position = text_of(run)
    return ProofSummary(_VERDICTS[summary.verdict], summary.attacker, summary.plies, string(summary.variant),
                        string(summary.goal), position, summary.nodes)
