# SPDX-License-Identifier: MIT
"""Perft and random games."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from plyverse._core import Watch, check, ffi, interruptible, lib, whole
from plyverse.state import State, state_of

Progress = Callable[[int, int], object]


def tqdm_progress(bar: Any) -> Progress:
    """Makes a progress callback from a bar of tqdm: `perft(state, 9, progress=tqdm_progress(tqdm()))`."""

    def update(done: int, total: int) -> None:
        if total:
            bar.total = total
        bar.update(done - bar.n)

    return update


def perft(state: State, depth: int, *, threads: int = 1, hash_mb: int = 0, progress: Progress | None = None) -> int:
    """The number of leaves `depth` plies below the position; in 5D chess, turns.

    `progress(done, total)` is called ten times a second; `total` is 0 while unknown.
    """
    numbers, nodes = ffi.new("ply_progress *"), ffi.new("uint64_t *")
    options = ffi.new("ply_perft_options *", {"threads": whole(threads, "threads", 1, 1024), "progress": numbers,
                                              "hash_mb": whole(hash_mb, "hash_mb", 0, 2**20)})
    source, plies = state_of(state)._state, whole(depth, "depth", 0, 10_000)
    with Watch(progress, numbers), interruptible(lib.PLYPY_PROGRESS, numbers):
        status = lib.ply_perft(source, plies, options, nodes, ffi.NULL, ffi.NULL)
    _finish(status, numbers)
    return int(nodes[0])


@dataclass(frozen=True)
class Playouts:
    """Totals of random games; `first`, `second`, `draws` and `unfinished` count games."""

    games: int
    plies: int
    first: int
    second: int
    draws: int
    unfinished: int
    signature: int


def playouts(state: State, games: int, *, seed: int = 0, threads: int = 1, max_plies: int = 0,
             progress: Progress | None = None) -> Playouts:
    """Plays random games from a position. The same seed gives the same games on any number of threads."""
    numbers, totals = ffi.new("ply_progress *"), ffi.new("ply_playout_totals *")
    options = ffi.new("ply_playout_options *", {
        "games": whole(games, "games", 1), "seed": whole(seed, "seed"), "threads": whole(threads, "threads", 1, 1024),
        "max_plies": whole(max_plies, "max_plies", 0, 2**32), "progress": numbers})
    source = state_of(state)._state
    with Watch(progress, numbers), interruptible(lib.PLYPY_PROGRESS, numbers):
        status = lib.ply_playouts(source, options, totals)
    _finish(status, numbers)
    results = totals.results
    return Playouts(totals.games, totals.plies, results[lib.PLY_FIRST_WINS], results[lib.PLY_SECOND_WINS],
                    results[lib.PLY_DRAW], results[lib.PLY_ONGOING], totals.signature)


def _finish(status: int, numbers: Any) -> None:
    if status == lib.PLY_STOPPED and numbers.stop:
        raise KeyboardInterrupt
    check(status)
