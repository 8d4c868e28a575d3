# SPDX-License-Identifier: MIT
"""Computer players, and matches between them."""
from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any, Callable, Union

from plyverse._core import check, encode, ffi, interruptible, lib, new_error, owned, whole
from plyverse.rules import Rules, rules_of
from plyverse.state import State, state_of


class Player:
    """A computer player, described by a text such as "alphabeta:level=3" or "mcts:nodes=5000".

    Kinds: alphabeta, mcts, playouts, greedy, random. Keys: level (1 to 10), depth, nodes, time (milliseconds per move),
    hash (MiB), threads, seed, temperature, overlook, net and book.
    """

    def __init__(self, rules: Rules | str, spec: str, variant: str = "") -> None:
        self.rules = rules_of(rules, variant)
        self.spec = spec
        parsed, error = ffi.new("ply_player_spec *"), new_error()
        check(lib.ply_player_spec_parse(parsed, encode(spec, "spec"), error), error)
        made = lib.ply_player_new(self.rules._rules, parsed)
        if not made:
            raise MemoryError
        self._player: Any = owned(made, lib.ply_player_free, self.rules._rules)

    def new_game(self, number: int) -> None:
        """Forgets everything learned. Each game number has its own random choices for a given seed."""
        lib.ply_player_new_game(self._open(), whole(number, "number"))

    def choose(self, state: State) -> str:
        """The player's move; ctrl-C stops it."""
        player = self._open()
        if state_of(state).rules != self.rules:
            raise ValueError(f"the state has {state.rules}, the player {self.rules}")
        answer = ffi.new("ply_player_answer *")
        with interruptible(lib.PLYPY_PLAYER, player):
            status = lib.ply_player_choose(player, state._state, ffi.NULL, ffi.NULL, ffi.NULL, answer)
        if status == lib.PLY_UNSUPPORTED:
            raise ValueError("the game is over")
        check(status)
        return state._move_text(answer.pv.moves[0])

    __call__ = choose

    def close(self) -> None:
        """Frees the memory now instead of when the object is collected."""
        if self._player is not None:
            ffi.release(self._player)
            self._player = None

    def _open(self) -> Any:
        if self._player is None:
            raise ValueError("the player is closed")
        return self._player


Chooser = Union[str, Player, Callable[[State], str]]


@dataclass
class MatchResult:
    """The score of the first player: games won, drawn and lost; `unfinished` were cut off and count as draws."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first player's points per game, from 0 to 1."""
        return (self.wins + self.draws / 2) / max(1, self.games)

    @property
    def elo(self) -> tuple[float, float]:
        """The difference in Elo and its 95% margin; infinite where one side won everything."""
        n, s = max(1, self.games), self.score
        if not 0 < s < 1:
            return (math.inf if s >= 1 else -math.inf, math.inf)
        variance = (self.wins * (1 - s) ** 2 + self.draws * (0.5 - s) ** 2 + self.losses * s**2) / n
        slope = 400 / math.log(10) / (s * (1 - s))
        return (-400 * math.log10(1 / s - 1), 1.96 * math.sqrt(variance / n) * slope)


def match(rules: Rules | str, first: Chooser, second: Chooser, games: int, variant: str = "", *, opening_plies: int = 2,
          seed: int = 0, max_plies: int = 1000, progress: Callable[[int, int], object] | None = None,
          listener: Callable[[int, State], object] | None = None) -> MatchResult:
    """Plays games between two players: specs of `Player`, or functions that take a State and return a move.

    Games come in pairs with the same random opening and the sides exchanged. `progress(done, games)` is called after
    each game, and `listener(number, state)` with its final state. For engines in other programs, clocks and SPRT there
    is the command `plyverse match`.
    """
    wanted, count = rules_of(rules, variant), whole(games, "games", 1)
    players = [Player(wanted, player) if isinstance(player, str) else player for player in (first, second)]
    for player in players:
        if not callable(player):
            raise TypeError(f"a player is a spec or a function, not {type(player).__name__}")
    result = MatchResult()
    for number in range(count):
        state = _opening(wanted, random.Random(f"{seed}-{number // 2}"), whole(opening_plies, "opening_plies"))
        for player in players:
            if isinstance(player, Player):
                player.new_game(number)
        while state.outcome is None and state.plies < max_plies:
            state.play(players[state.side ^ (number & 1)](state))  # type: ignore[operator]
        outcome = state.outcome
        if outcome is None or outcome.winner is None:
            result.draws += 1
            result.unfinished += outcome is None
        elif outcome.winner == number & 1:
            result.wins += 1
        else:
            result.losses += 1
        if listener is not None:
            listener(number, state)
        if progress is not None:
            progress(number + 1, count)
    return result


def _opening(rules: Rules, chance: random.Random, plies: int) -> State:
    """A random opening that does not end the game."""
    for _ in range(100):
        state = State(rules)
        for _ in range(plies):
            if state.outcome is None:
                state.play(chance.choice(state.moves()))
        if state.outcome is None:
            return state
    return State(rules)
