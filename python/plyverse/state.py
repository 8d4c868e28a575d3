# SPDX-License-Identifier: MIT
"""A game in progress."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable

from plyverse._core import Error, check, encode, ffi, lib, new_error, owned, string, text_of, whole
from plyverse.rules import Rules, rules_of


@dataclass(frozen=True)
class Outcome:
    """How a game ended. `result` is "first", "second" or "draw"; `reason` is an id such as "no-move"."""

    result: str
    reason: str

    @property
    def winner(self) -> int | None:
        """The player who won, 0 or 1; None for a draw."""
        return {"first": 0, "second": 1}.get(self.result)


class State:
    """A game in progress: the rules, the position, and the moves that led to it.

    >>> game = State("shogi")
    >>> game.play("7g7f 3c3d")
    >>> game.side, len(game.moves())
    (0, 39)

    Moves are texts in the game's notation. In a notebook a state shows its board. A state is used by one thread at a
    time.
    """

    def __init__(self, rules: Rules | str, variant: str = "", *, position: str | None = None,
                 moves: str | Iterable[str] = "") -> None:
        self.rules = rules_of(rules, variant)
        made = ffi.new("ply_state *")
        check(lib.ply_state_init(made, self.rules._rules))
        self._state = owned(made, lib.ply_state_free, self.rules._rules)
        if position is not None:
            text, error = encode(position, "position"), new_error()
            check(lib.ply_state_parse(self._state, text, len(text), error), error)
        self.play(moves)

    @classmethod
    def _adopt(cls, rules: Rules, made: Any) -> State:
        """A state that the library has filled in."""
        state = cls.__new__(cls)
        state.rules = rules
        state._state = owned(made, lib.ply_state_free, rules._rules)
        return state

    # --- looking -----------------------------------------------------------------------------
    @property
    def position(self) -> str:
        """The position as text, which `State(rules, position=...)` reads."""
        return text_of(lambda out: lib.ply_state_format(self._state, out))

    @property
    def side(self) -> int:
        """The player to move, 0 or 1."""
        return int(lib.ply_state_side(self._state))

    @property
    def plies(self) -> int:
        """The number of moves played."""
        return int(self._state.plies)

    @property
    def key(self) -> int:
        """A 64-bit key: equal positions have equal keys, different ones almost certainly not."""
        return int(lib.ply_state_key(self._state))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        found = lib.ply_state_outcome(self._state)
        if found.result == lib.PLY_ONGOING:
            return None
        return Outcome(string(lib.ply_result_name(found.result)), string(found.reason))

    def _move_list(self) -> list[int]:
        room = self.rules._rules.max_moves
        moves = ffi.new("ply_move[]", min(room, 1024))
        count = lib.ply_state_moves(self._state, moves, len(moves))
        if count > len(moves):
            moves = ffi.new("ply_move[]", count)
            lib.ply_state_moves(self._state, moves, count)
        return ffi.unpack(moves, count) if count else []

    def _move_text(self, move: int) -> str:
        buffer = ffi.new("char[]", lib.PLY_MOVE_TEXT)
        text = ffi.new("ply_text *", lib.ply_text_fixed(buffer, lib.PLY_MOVE_TEXT))
        lib.ply_state_move_text(self._state, move, text)
        return string(buffer)

    def _parse_move(self, text: str) -> int:
        raw, error, move = encode(text, "move"), new_error(), ffi.new("ply_move *")
        check(lib.ply_state_parse_move(self._state, raw, len(raw), move, error), error)
        return int(move[0])

    def moves(self) -> list[str]:
        """The legal moves. A game can be over although there are some: see `outcome`."""
        return [self._move_text(move) for move in self._move_list()]

    def is_legal(self, move: str) -> bool:
        """Whether a text is a legal move."""
        try:
            self._parse_move(move)
        except Error:
            return False
        return True

    def history(self) -> list[str]:
        """The moves played so far."""
        back, found = self.copy(), []
        for i in range(self.plies - 1, -1, -1):
            lib.ply_state_undo(back._state)
            found.append(back._move_text(self._state.moves[i]))
        return found[::-1]

    def draw(self, *, ascii: bool = False) -> str:  # pylint: disable=redefined-builtin
        """The board as text."""
        return text_of(lambda out: lib.ply_state_draw(self._state, lib.PLY_DRAW_ASCII if ascii else 0, out))

    def svg(self, *, flipped: bool = False) -> str:
        """The board as an SVG drawing; flipped: turned round."""
        return text_of(lambda out: lib.ply_state_svg(self._state, lib.PLY_SVG_FLIPPED if flipped else 0, out))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        variant = f", {self.rules.variant!r}" if self.rules.variant else ""
        return f"<State of {self.rules.game!r}{variant}: {self.position}>"

    # --- playing -----------------------------------------------------------------------------
    def play(self, moves: str | Iterable[str]) -> None:
        """Plays moves: one text, in which spaces separate them, or a list. If one is illegal, none is played."""
        if not isinstance(moves, (str, Iterable)):
            raise TypeError(f"moves must be a text or a list of texts, not {type(moves).__name__}")
        if not isinstance(moves, str):
            moves = " ".join(str(encode(move, "move"), "utf-8") for move in moves)
        raw, error = encode(moves, "moves"), new_error()
        if raw.strip():
            check(lib.ply_state_play_text(self._state, raw, len(raw), error), error)

    def undo(self, plies: int = 1) -> None:
        """Takes back the last moves. Raises IndexError if there are fewer."""
        count = whole(plies, "plies")
        if count > self.plies:
            raise IndexError(f"only {self.plies} moves have been played")
        for _ in range(count):
            lib.ply_state_undo(self._state)

    def restart(self) -> None:
        """Returns to the start position and forgets the moves."""
        check(lib.ply_state_restart(self._state))

    def copy(self) -> State:
        """A copy with its moves."""
        made = ffi.new("ply_state *")
        check(lib.ply_state_copy(made, self._state))
        return State._adopt(self.rules, made)

    # --- saving ------------------------------------------------------------------------------
    def save(self) -> str:
        """The whole state as text: the moves and where they started. The rules are not part of it."""
        return text_of(lambda out: check(lib.ply_state_save(self._state, out)))

    def load(self, text: str) -> None:
        """Replaces the state by one that `save` wrote under the same rules."""
        raw, error = encode(text, "text"), new_error()
        check(lib.ply_state_load(self._state, raw, len(raw), error), error)

    def __reduce__(self) -> Any:
        return (_restore, (self.rules, self.save()))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()


def _restore(rules: Rules, text: str) -> State:
    state = State(rules)
    state.load(text)
    return state


def state_of(what: object) -> State:
    """Raises TypeError for anything but a State."""
    if not isinstance(what, State):
        raise TypeError(f"expected a State, not {type(what).__name__}")
    return what
