# SPDX-License-Identifier: MIT
"""Games and their rules."""
from __future__ import annotations

from typing import Any

from plyverse._core import check, encode, ffi, lib, new_error, string, text_of


def games() -> dict[str, str]:
    """The games of the library: their ids and names."""
    found = (lib.ply_game_at(i) for i in range(lib.ply_game_count()))
    return {string(game.id): string(game.name) for game in found}


def variants(game: str) -> dict[str, str]:
    """The variants of a game: their ids and names, the default first."""
    found = lib.ply_game_find(encode(game, "game"))
    if not found:
        check(lib.PLY_UNKNOWN_GAME)
    return {string(found.variants[i].id): string(found.variants[i].name) for i in range(found.variant_count)}


class Rules:
    """The rules in force: a game, a variant of it, and options.

    >>> Rules("gomoku", "renju")
    Rules('gomoku', 'renju')

    `variant` is NAME, NAME:option=value,... or :option=value; "" is the default variant. Rules are never changed and
    can be shared between threads.
    """

    def __init__(self, game: str, variant: str = "") -> None:
        self._rules = ffi.new("ply_rules *")
        error = new_error()
        found = lib.ply_game_find(encode(game, "game"))
        status = lib.ply_rules_make(self._rules, found, encode(variant, "variant"), error)
        if status == lib.PLY_UNKNOWN_GAME:
            error.message = f"there is no game '{game}'; the games are {', '.join(games())}".encode()[:231]
        check(status, error)

    @property
    def game(self) -> str:
        """The id of the game, such as "shogi"."""
        return string(self._rules.game.id)

    @property
    def name(self) -> str:
        """The name of the game."""
        return string(self._rules.game.name)

    @property
    def variant(self) -> str:
        """The text that makes these rules."""
        return text_of(lambda out: lib.ply_rules_format(self._rules, out))

    @property
    def players(self) -> tuple[str, str]:
        """The names of player 0, who starts, and player 1."""
        return (string(lib.ply_game_player_name(self._rules, 0)), string(lib.ply_game_player_name(self._rules, 1)))

    @property
    def actions(self) -> int:
        """The size of the action numbering of batches; 0 if the game has none."""
        return int(self._rules.actions)

    @property
    def goals(self) -> list[str]:
        """What a solver can try to force, the default first."""
        found: list[str] = []
        while True:
            goal = lib.ply_goal_at(self._rules.game, len(found))
            if not goal:
                return found
            found.append(string(goal.id))

    @property
    def formats(self) -> list[str]:
        """The formats in which records can be read or written, the game's own first."""
        found: list[str] = []
        while True:
            form = lib.ply_format_at(self._rules.game, len(found))
            if not form:
                return found
            found.append(string(form.id))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return (self.game, self.variant) == (other.game, other.variant)

    def __hash__(self) -> int:
        return hash((self.game, self.variant))

    def __repr__(self) -> str:
        return f"Rules({self.game!r}, {self.variant!r})"

    def __reduce__(self) -> Any:
        return (Rules, (self.game, self.variant))


def rules_of(what: Rules | str, variant: str = "") -> Rules:
    """Rules as they are, or those of a game's id."""
    if isinstance(what, Rules):
        if variant:
            raise TypeError("a variant needs the id of a game, not Rules")
        return what
    if isinstance(what, str):
        return Rules(what, variant)
    raise TypeError(f"expected Rules or the id of a game, not {type(what).__name__}")
