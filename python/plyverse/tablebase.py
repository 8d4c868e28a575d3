# SPDX-License-Identifier: MIT
"""Endgame tablebases: exact values of positions."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from plyverse._core import Callbacks, Watch, check, encode, ffi, interruptible, lib, new_error, owned, text_of, whole
from plyverse.rules import Rules, rules_of
from plyverse.state import State, state_of


@dataclass(frozen=True)
class Value:
    """`result` is "win", "loss" or "draw" for the player to move; `plies` are those to the end of the game."""

    result: str
    plies: int

    def __str__(self) -> str:
        number = {name: key for key, name in _RESULTS.items()}[self.result]
        return text_of(lambda out: lib.ply_tablebase_value_text({"result": number, "plies": self.plies}, out))


_RESULTS = {lib.PLY_TABLEBASE_WIN: "win", lib.PLY_TABLEBASE_LOSS: "loss", lib.PLY_TABLEBASE_DRAW: "draw"}


def _value(found: Any) -> Value:
    return Value(_RESULTS[found.result], found.plies)


class Tablebase:
    """The tablebase files of a set of rules in a folder. Probing is safe from several threads."""

    def __init__(self, rules: Rules | str, folder: str, variant: str = "", *, memory_mb: int = 64) -> None:
        self.rules = rules_of(rules, variant)
        made, error = ffi.new("ply_tablebase **"), new_error()
        check(lib.ply_tablebase_open(self.rules._rules, encode(folder, "folder"),
                                     whole(memory_mb, "memory_mb", 1, 2**20), made, error), error)
        self._tablebase: Any = owned(made[0], lib.ply_tablebase_close, self.rules._rules)

    def _open(self, state: State) -> Any:
        if self._tablebase is None:
            raise ValueError("the tablebase is closed")
        if state_of(state).rules != self.rules:
            raise ValueError(f"the state has {state.rules}, the tablebase {self.rules}")
        return self._tablebase

    def close(self) -> None:
        """Frees the memory now instead of when the object is collected."""
        if self._tablebase is not None:
            ffi.release(self._tablebase)
            self._tablebase = None

    def __len__(self) -> int:
        return int(lib.ply_tablebase_count(self._tablebase)) if self._tablebase is not None else 0

    def _failure(self) -> None:
        error = new_error()
        if lib.ply_tablebase_error(self._tablebase, error):
            check(error.status, error)

    def probe(self, state: State) -> Value | None:
        """The value of a position; None where no file covers it."""
        tablebase, value = self._open(state), ffi.new("ply_tablebase_value *")
        if lib.ply_tablebase_probe(tablebase, state._state.position, value):
            return _value(value)
        self._failure()
        return None

    def moves(self, state: State) -> dict[str, Value | None]:
        """The value of each legal move for the player who makes it; its plies include the move."""
        tablebase = self._open(state)
        found = ffi.new("ply_tablebase_move[]", self.rules._rules.max_moves)
        count = lib.ply_tablebase_moves(tablebase, state._state.position, found)
        self._failure()
        return {state._move_text(found[i].move): _value(found[i].value) if found[i].known else None
                for i in range(count)}


def build_tablebase(rules: Rules | str, folder: str, variant: str = "", *, up_to: str | None = None, threads: int = 1,
                    memory_mb: int = 0, progress: Callable[[int, int], object] | None = None,
                    listener: Callable[[tuple[str, int, float]], object] | None = None) -> None:
    """Builds the files that are missing; a build that was stopped continues.

    `up_to` is "N" pieces, or "AvB"; `listener` gets the name, the positions and the seconds of each slice.
    """
    wanted, error, numbers = rules_of(rules, variant), new_error(), ffi.new("ply_progress *")
    texts = [ffi.new("char[]", encode(folder, "folder")),
             ffi.new("char[]", encode(up_to, "up_to")) if up_to is not None else ffi.NULL]
    callbacks = Callbacks(lambda: lib.ply_progress_stop(numbers))
    callbacks.listener = listener
    job = ffi.new("ply_tablebase_job *", {
        "dir": texts[0], "up_to": texts[1], "threads": whole(threads, "threads", 1, 1024),
        "memory_mb": whole(memory_mb, "memory_mb", 0, 2**24), "progress": numbers,
        "listener": lib.plypy_on_slice if listener else ffi.NULL, "context": callbacks.handle})
    with Watch(progress, numbers), interruptible(lib.PLYPY_PROGRESS, numbers):
        status = lib.ply_tablebase_build(wanted._rules, job, error)
    callbacks.finish()
    if status == lib.PLY_STOPPED:
        raise KeyboardInterrupt
    check(status, error)
