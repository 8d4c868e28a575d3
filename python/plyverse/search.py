# SPDX-License-Identifier: MIT
"""Finding good moves."""
from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, List

import numpy as np
import numpy.typing as npt

from plyverse._core import Callbacks, check, encode, ffi, interruptible, lib, owned, text_of, whole
from plyverse.rules import Rules, rules_of
from plyverse.state import State, state_of

__all__ = ["Leaf", "RootMove", "SearchResult", "Searcher", "Variation", "search"]


@dataclass(frozen=True)
class Variation:
    """A sequence of moves with its score for the player to move, in hundredths of the smallest piece."""

    score: int
    moves: list[str]

    @property
    def score_text(self) -> str:
        """The score for people: "+1.25", "win in 7" or "loss in 4"."""
        return text_of(lambda out: lib.ply_score_text(self.score, out))


@dataclass(frozen=True)
class RootMove:
    """A move as MCTS sees it; `value` is the mean result for the player to move: 1 win, 0 draw, -1 loss."""

    move: str
    action: int
    visits: int
    prior: float
    value: float


@dataclass(frozen=True)
class SearchResult:
    """What a search found. `root` is for MCTS; there `nodes` counts simulations."""

    move: str
    score: int
    depth: int
    nodes: int
    seconds: float
    variations: list[Variation]
    root: list[RootMove] = field(default_factory=list, repr=False)

    @property
    def score_text(self) -> str:
        """The score for people."""
        return self.variations[0].score_text

    def policy(self, actions: int, temperature: float = 1.0) -> npt.NDArray[np.float32]:
        """The visits of MCTS as probabilities of `actions` actions: what AlphaZero-style learning wants."""
        target = np.zeros(actions, np.float32)
        for move in self.root:
            if move.action >= 0:
                target[move.action] = move.visits
        if temperature == 0:
            return (np.arange(actions) == int(np.argmax(target))).astype(np.float32)
        target = (target / max(float(target.max()), 1.0)) ** np.float32(1 / temperature)
        return target / target.sum()


class _Priors:
    """How `Leaf.priors` is read and assigned: a descriptor, because what can be assigned has a type of its own."""

    def __init__(self) -> None:
        self.__doc__ = "The priors, one for each move, to be filled in or assigned; 1 beforehand."

    def __get__(self, leaf: Leaf | None, owner: type | None = None) -> npt.NDArray[np.float32]:
        if leaf is None:
            return self  # type: ignore[return-value]  # the attribute of the class, for help()
        size = leaf._leaf.move_count * ffi.sizeof("float")
        return np.frombuffer(ffi.buffer(leaf._leaf.priors, size), np.float32)

    def __set__(self, leaf: Leaf, values: npt.ArrayLike) -> None:
        given = np.asarray(values, np.float32)
        if given.shape != (leaf._leaf.move_count,):
            raise ValueError(f"{leaf._leaf.move_count} priors are needed, one for each move, not {given.shape}")
        if not (given.min() >= 0 and given.max() < np.inf):
            raise ValueError("priors must be finite and not negative")
        leaf.priors[:] = given


class Leaf:
    """A position that an evaluator is asked about. It is valid during the call only.

    Set `value`, the expected result for the player to move (1 win, 0 draw, -1 loss), and fill in `priors`, one number
    for each move: how promising it is, not negative, in any scale.
    """

    def __init__(self, rules: Rules, leaf: Any) -> None:
        self._rules, self._leaf = rules, leaf

    @property
    def is_root(self) -> bool:
        """Whether this is the position that is searched: the place for noise."""
        return bool(self._leaf.is_root)

    @property
    def side(self) -> int:
        """The player to move, 0 or 1."""
        return int(self._rules._rules.game.side(self._rules._rules, self._leaf.position))

    @property
    def actions(self) -> npt.NDArray[np.int64]:
        """The action of each move, in the numbering of batches."""
        rules, leaf = self._rules._rules, self._leaf
        if not rules.learning.action:
            raise ValueError(f"{self._rules.game} has no action numbering")
        number = rules.learning.action
        position = leaf.position
        return np.array([number(rules, position, move) for move in ffi.unpack(leaf.moves, leaf.move_count)], np.int64)

    @property
    def moves(self) -> list[str]:
        """The moves as texts."""
        rules, leaf = self._rules._rules, self._leaf
        write = rules.game.format_move
        return [text_of(functools.partial(write, rules, leaf.position, leaf.moves[i])) for i in range(leaf.move_count)]

    def observe(self, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:
        """The planes that a batch without history shows for this position, as the player to move sees them."""
        rules = self._rules._rules
        shape = (rules.planes, rules.plane_height, rules.plane_width)
        if not rules.learning.observe:
            raise ValueError(f"{self._rules.game} has no observations")
        if out is None:
            out = np.empty(shape, np.uint8)
        if out.shape != shape or out.dtype != np.uint8 or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"out must be a writable, contiguous array of uint8 of the shape {shape}")
        rules.learning.observe(rules, self._leaf.position, self.side, ffi.from_buffer("uint8_t[]", out, True))
        return out

    priors = _Priors()

    @property
    def value(self) -> float:
        """The expected result for the player to move."""
        return float(self._leaf.value)

    @value.setter
    def value(self, value: float) -> None:
        if not -1 <= value <= 1:
            raise ValueError(f"a value must be from -1 to 1, not {value}")
        self._leaf.value = value


Evaluator = Callable[[List[Leaf]], None]


class Searcher:
    """A search that keeps what it has learned from one call to the next.

    `kind` is "alphabeta", "mcts" or "playouts" (MCTS with random games). With `evaluator`, MCTS asks it about many
    positions at a time (PUCT): a function that takes a list of `Leaf` and fills in priors and values.
    """

    def __init__(self, rules: Rules | str, variant: str = "", *, kind: str = "alphabeta", memory_mb: int = 16,
                 threads: int = 1, seed: int = 0, network: str | None = None, tablebase_dir: str | None = None,
                 evaluator: Evaluator | None = None, evaluator_batch: int = 16, exploration: float = 1.5) -> None:
        self.rules = rules_of(rules, variant)
        self._running = False
        self._callbacks = Callbacks(self.stop)
        number = ffi.new("ply_search_kind *")
        if not lib.ply_search_kind_find(encode("mcts" if evaluator else kind, "kind"), number):
            raise ValueError(f"kind must be 'alphabeta', 'mcts' or 'playouts', not {kind!r}")
        texts = [ffi.new("char[]", encode(text, what)) if text is not None else ffi.NULL
                 for text, what in ((network, "network"), (tablebase_dir, "tablebase_dir"))]
        options = ffi.new("ply_search_options *", {
            "kind": number[0], "memory_mb": whole(memory_mb, "memory_mb", 1, 2**20),
            "threads": whole(threads, "threads", 1, 1024), "seed": whole(seed, "seed"), "network": texts[0],
            "tablebase_dir": texts[1], "evaluator_batch": whole(evaluator_batch, "evaluator_batch", 1, 65536),
            "exploration": exploration})
        if network is not None:
            loaded, error = ffi.new("ply_network **"), ffi.new("ply_error *")
            check(lib.ply_network_load(self.rules._rules, texts[0], loaded, error), error)
            lib.ply_network_free(loaded[0])
        if evaluator is not None:
            if not callable(evaluator):
                raise TypeError("evaluator must be a function")
            function = evaluator
            options.evaluator = lib.plypy_evaluate
            options.evaluator_context = self._callbacks.handle
            self._callbacks.evaluate = lambda leaves, count: function(
                [Leaf(self.rules, leaves + i) for i in range(count)])
        made = lib.ply_searcher_new(self.rules._rules, options)
        if not made:
            raise MemoryError
        self._searcher: Any = owned(made, lib.ply_searcher_free, self.rules._rules)

    def stop(self) -> None:
        """Makes a search that runs on another thread return within milliseconds."""
        lib.ply_searcher_stop(self._open())

    def clear(self) -> None:
        """Forgets everything learned, as for a new game."""
        lib.ply_searcher_clear(self._idle())

    def close(self) -> None:
        """Frees the memory now instead of when the object is collected."""
        if self._searcher is not None:
            self._idle()
            ffi.release(self._searcher)
            self._searcher = None

    def _open(self) -> Any:
        if self._searcher is None:
            raise ValueError("the searcher is closed")
        return self._searcher

    def _idle(self) -> Any:
        if self._running:
            raise RuntimeError("the searcher is searching")
        return self._open()

    def run(self, state: State, *, millis: int = 0, nodes: int = 0, depth: int = 0, multipv: int = 1,
            only: Iterable[str] | None = None, listener: Callable[[SearchResult], object] | None = None) -> SearchResult:
        """Searches until a limit is reached (0: no such limit), one second without any; ctrl-C stops it.

        `only` lists the moves to consider. `listener` gets a result after each iteration.
        """
        searcher, source = self._idle(), state_of(state)
        if source.rules != self.rules:
            raise ValueError(f"the state has {source.rules}, the searcher {self.rules}")
        limits = ffi.new("ply_search_limits *", {
            "millis": whole(millis, "millis"), "nodes": whole(nodes, "nodes"), "depth": whole(depth, "depth", 0, 10_000),
            "multipv": whole(multipv, "multipv", 1, 1000)})
        if not (millis or nodes or depth):
            limits.millis = 1000
        if only is not None:
            allowed = ffi.new("ply_move[]", [source._parse_move(move) for move in only])
            limits.only, limits.only_count = allowed, len(allowed)
            if not len(allowed):
                raise ValueError("only lists no move")
        report = ffi.new("ply_search_report *")
        self._callbacks.error = None
        if listener is not None:
            hear = listener
            self._callbacks.listener = lambda found: hear(self._result(source, found))
        heard = (lib.plypy_on_search, self._callbacks.handle) if listener else (ffi.NULL, ffi.NULL)
        self._running = True
        try:
            lib.ply_searcher_arm(searcher, False)
            with interruptible(lib.PLYPY_SEARCHER, searcher):
                status = lib.ply_searcher_run(searcher, source._state, limits, *heard, report)
        finally:
            self._running = False
        self._callbacks.finish()
        if status == lib.PLY_UNSUPPORTED:
            raise ValueError("the game is over")
        check(status)
        return self._result(source, report)

    def _result(self, state: State, report: Any) -> SearchResult:
        variations = []
        for i in range(report.pv_count):
            pv, walk, moves = report.pv[i], state.copy(), []
            for k in range(pv.length):
                moves.append(walk._move_text(pv.moves[k]))
                check(lib.ply_state_play(walk._state, pv.moves[k]))
            variations.append(Variation(pv.score, moves))
        root = []
        number = self.rules._rules.learning.action
        for i in range(report.root_count):
            found = report.root[i]
            action = number(self.rules._rules, state._state.position, found.move) if number else lib.PLY_ACTION_NONE
            root.append(RootMove(state._move_text(found.move), -1 if action == lib.PLY_ACTION_NONE else action,
                                 found.visits, found.prior, found.value))
        return SearchResult(variations[0].moves[0], variations[0].score, report.depth, report.nodes, report.seconds,
                            variations, root)


def search(state: State, *, millis: int = 0, nodes: int = 0, depth: int = 0, multipv: int = 1,
           only: Iterable[str] | None = None, listener: Callable[[SearchResult], object] | None = None,
           kind: str = "alphabeta", memory_mb: int = 16, threads: int = 1, seed: int = 0, network: str | None = None,
           tablebase_dir: str | None = None, evaluator: Evaluator | None = None, evaluator_batch: int = 16,
           exploration: float = 1.5) -> SearchResult:
    """Searches a state with a new searcher; the arguments are those of `Searcher` and `Searcher.run`.

    >>> search(State("neighbours"), depth=6).depth
    6
    """
    searcher = Searcher(state_of(state).rules, kind=kind, memory_mb=memory_mb, threads=threads, seed=seed,
                        network=network, tablebase_dir=tablebase_dir, evaluator=evaluator,
                        evaluator_batch=evaluator_batch, exploration=exploration)
    try:
        return searcher.run(state, millis=millis, nodes=nodes, depth=depth, multipv=multipv, only=only,
                            listener=listener)
    finally:
        searcher.close()
