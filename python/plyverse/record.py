# SPDX-License-Identifier: MIT
"""Game records: reading, writing and converting them."""
from __future__ import annotations

from typing import Any

from plyverse._core import Error, bytes_of, check, encode, ffi, lib, new_error, string, text_of
from plyverse.rules import Rules, rules_of
from plyverse.state import State, state_of


class Record:
    """A game record: moves with variations and comments, tags and a result.

    `Record(state)` is a record of the moves of a state; `Record.read` reads one from text.
    """

    def __init__(self, state: State, *, tags: dict[str, str] | None = None) -> None:
        source = state_of(state)
        self.rules = source.rules
        made = ffi.new("ply_record *")
        check(lib.ply_record_from_state(made, source._state))
        self._record = ffi.gc(made, lib.ply_record_free)
        for name, value in (tags or {}).items():
            raw = encode(name, "the name of a tag"), encode(value, "the value of a tag")
            check(lib.ply_record_set_tag(self._record, raw[0], len(raw[0]), raw[1], len(raw[1])))

    @classmethod
    def _adopt(cls, made: Any) -> Record:
        record = cls.__new__(cls)
        record._record = made
        variant = text_of(lambda out: lib.ply_rules_format(ffi.addressof(made, "rules"), out))
        record.rules = Rules(string(made.rules.game.id), variant)
        return record

    @classmethod
    def read_all(cls, text: str | bytes, rules: Rules | str, variant: str = "", *, format: str | None = None) -> list[Record]:
        """Reads the games of a text; without `format`, the text is recognised. `rules` are those to assume."""
        assumed, error = rules_of(rules, variant), new_error()
        raw = text if isinstance(text, bytes) else encode(text, "text")
        if format is None:
            form = lib.ply_format_detect(assumed._rules, raw, len(raw))
            if not form:
                raise Error(f"this is not a record of {assumed.game} in any format that Plyverse reads", "BAD_TEXT")
        else:
            form = _format(assumed, format)
            if not form.read:
                raise ValueError(f"the format {format} cannot be read")
        keep = ffi.new("char[]", raw)
        cursor = ffi.new("ply_cursor *", lib.ply_cursor_make(keep, len(raw), error))
        records: list[Record] = []
        found = ffi.new("bool *")
        while True:
            made = ffi.new("ply_record *")
            check(lib.ply_record_init(made, assumed._rules))
            record = ffi.gc(made, lib.ply_record_free)
            check(form.read(cursor, record, found), error)
            if not found[0]:
                return records
            records.append(cls._adopt(record))

    @classmethod
    def read(cls, text: str | bytes, rules: Rules | str, variant: str = "", *, format: str | None = None) -> Record:
        """Reads the first game of a text."""
        records = cls.read_all(text, rules, variant, format=format)
        if not records:
            raise Error("the text holds no game", "BAD_TEXT")
        return records[0]

    def write_bytes(self, format: str) -> bytes:
        """The record as the bytes of a file; `rules.formats` lists the formats."""
        form, error = _format(self.rules, format), new_error()
        if not form.write:
            raise ValueError(f"the format {format} cannot be written")
        return bytes_of(lambda out: check(form.write(self._record, out, error), error))

    def write(self, format: str) -> str:
        """The record as text. A format that is not UTF-8, such as KIF in Shift JIS, needs `write_bytes`."""
        try:
            return self.write_bytes(format).decode()
        except UnicodeDecodeError:
            raise ValueError(f"files of the format {format} are not UTF-8; use write_bytes") from None

    @property
    def tags(self) -> dict[str, str]:
        """The tags, in the order of the file."""
        found = (self._record.tags[i] for i in range(self._record.tag_count))
        return {string(tag.name): string(tag.value) for tag in found}

    @property
    def result(self) -> str:
        """The result: "first", "second", "draw" or "ongoing"."""
        return string(lib.ply_result_name(self._record.result))

    def final_state(self) -> State:
        """The state at the end of the main variation."""
        made, error = ffi.new("ply_state *"), new_error()
        check(lib.ply_record_final_state(self._record, made, error), error)
        made.rules = self.rules._rules  # the same rules, which the state keeps alive
        return State._adopt(self.rules, made)

    def __repr__(self) -> str:
        return f"<Record of {self.rules.game!r}: {self._record.node_count - 1} moves, {self.result}>"


def _format(rules: Rules, name: str) -> Any:
    form = lib.ply_format_find(rules._rules.game, encode(name, "format"))
    if not form:
        raise ValueError(f"{rules.game} has no format '{name}'; its formats are {', '.join(rules.formats)}")
    return form
