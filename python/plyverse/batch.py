# SPDX-License-Identifier: MIT
"""Many games stepped together, for machine learning."""
from __future__ import annotations

from typing import Any, Iterable, Mapping, NamedTuple

import numpy as np
import numpy.typing as npt

from plyverse._core import Error, check, encode, ffi, lib, new_error, owned, text_of, whole
from plyverse.dlpack import CPU, CUDA, Borrowed, Tensor, from_dlpack
from plyverse.rules import Rules, rules_of
from plyverse.state import State, state_of

_OUTPUTS = {
    "observations": lib.PLY_BATCH_OBSERVATIONS, "mask_bits": lib.PLY_BATCH_MASK_BITS,
    "mask_bytes": lib.PLY_BATCH_MASK_BYTES, "legal_actions": lib.PLY_BATCH_LEGAL_ACTIONS, "keys": lib.PLY_BATCH_KEYS,
    "final_observations": lib.PLY_BATCH_FINAL_OBSERVATIONS,
}
_RESETS = {"same_step": lib.PLY_BATCH_RESET_SAME_STEP, "next_step": lib.PLY_BATCH_RESET_NEXT_STEP,
           "never": lib.PLY_BATCH_RESET_NEVER}
_ILLEGAL = {"loses": lib.PLY_BATCH_ILLEGAL_LOSES, "passes": lib.PLY_BATCH_ILLEGAL_PASSES,
            "random": lib.PLY_BATCH_ILLEGAL_RANDOM, "fails": lib.PLY_BATCH_ILLEGAL_FAILS}
# The type of each array, and its shape after the number of games.
_ARRAYS: dict[str, tuple[str, tuple[str | int, ...]]] = {
    "rewards": ("f4", (2,)), "terminated": ("u1", ()), "truncated": ("u1", ()), "illegal": ("u1", ()),
    "players": ("u1", ()), "results": ("u1", ()), "plies": ("u4", ()), "legal_counts": ("u4", ()),
    "observations": ("u1", ("planes", "height", "width")), "mask_bits": ("u8", ("mask_words",)),
    "mask_bytes": ("u1", ("actions",)), "legal_actions": ("i4", ("list_room",)), "keys": ("u8", ()),
    "final_observations": ("u1", ("planes", "height", "width")), "choices": ("i4", ()),
}
NO_ACTION = -1
_LEGACY_STREAM = 1  # CUDA's name of its default stream, which frameworks call 0


class Totals(NamedTuple):
    """What random steps have played: plies, and games by how they ended."""

    plies: int
    first_wins: int
    second_wins: int
    draws: int
    truncated: int


def _choice(value: object, choices: Mapping[str, int], what: str) -> int:
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{what} must be one of {', '.join(choices)}, not {value!r}")
    return choices[value]


def _device(name: object) -> tuple[int, int]:
    """A device as DLPack has it: kind and number."""
    if name == "cpu":
        return CPU
    kind, _, number = name.partition(":") if isinstance(name, str) else ("", "", "")
    if kind != "cuda" or (number and not number.isdecimal()) or name == "cuda:":
        raise ValueError(f"device must be cpu, cuda or cuda:N, not {name!r}")
    return CUDA, int(number or 0)


class Batch:
    """Many games of one set of rules, stepped together.

    >>> batch = Batch("neighbours", games=1000, outputs=["observations", "mask_bytes"], seed=1)
    >>> batch.step(batch.sample())
    >>> batch.observations.shape, batch.mask_bytes.shape
    ((1000, 3, 6, 6), (1000, 288))

    The arrays are read-only NumPy views of the batch's own memory: they show the new positions after each step, and
    they keep the batch alive. Copy what must not change. `tensor(name)` gives the same memory to any framework that
    speaks DLPack. `arrays` lends arrays of the caller's own in their place: NumPy arrays or anything that speaks DLPack.

    `outputs`: observations, mask_bits, mask_bytes, legal_actions, keys, final_observations.
    `reset`: what happens to a game that has ended: "same_step", "next_step" or "never".
    `illegal`: what an illegal action does: "loses", "passes", "random" or "fails" (the default on the CPU).
    `observation`: in place of the game's own observation another one that it offers, such as "pgx" for shogi.
    `max_boards`: 5D chess: a game with more boards is truncated; 0: no bound on the CPU, 128 boards on a device.
    `device`: "cpu", "cuda" or "cuda:N". The games and arrays of a batch on a device are in its memory, and steps are
    started without waiting for them: `tensor(name)` is for frameworks, `read(name)` copies to the host. `stream` is the
    CUDA stream to work in, such as `torch.cuda.current_stream().cuda_stream`; None: one of the batch's own.
    """

    def __init__(self, rules: Rules | str, games: int = 1, variant: str = "", *, outputs: Iterable[str] = (),
                 threads: int = 1, seed: int = 0, max_plies: int = 0, reset: str = "same_step",
                 illegal: str | None = None, history: int = 0, repetition: int = 0, list_room: int = 0,
                 start: State | None = None, arrays: Mapping[str, Any] | None = None,
                 observation: str | None = None, max_boards: int = 0, device: str = "cpu",
                 stream: int | None = None) -> None:
        self.rules = rules_of(rules, variant)
        self._batch: Any = None
        self._device = _device(device)
        on_device = self._device != CPU
        if illegal is None:
            illegal = "loses" if on_device else "fails"
        if stream is not None and not on_device:
            raise ValueError("the CPU has no streams")
        if isinstance(outputs, str):
            raise TypeError("outputs must be a list of names")
        wanted = 0
        for name in outputs:
            wanted |= _choice(name, _OUTPUTS, "an output")
        options = ffi.new("ply_batch_options *", {
            "games": whole(games, "games", 1, 2**32), "threads": whole(threads, "threads", 1, 1024), "outputs": wanted,
            "seed": whole(seed, "seed"), "max_plies": whole(max_plies, "max_plies", 0, 2**32),
            "reset": _choice(reset, _RESETS, "reset"), "illegal": _choice(illegal, _ILLEGAL, "illegal"),
            "history": whole(history, "history", 0, 1024), "repetition": whole(repetition, "repetition", 0, 1024),
            "list_room": whole(list_room, "list_room", 0, 2**31 - 1),
            "max_boards": whole(max_boards, "max_boards", 0, 2**32)})
        if start is not None:
            options.start = state_of(start)._state
        if observation is not None:
            name = ffi.new("char[]", observation.encode())
            options.observation = name
        if stream is not None:
            options.stream = ffi.cast("void *", whole(stream, "stream") or _LEGACY_STREAM)
        lent = self._lend(options, arrays or {})
        if on_device:
            options.device, options.device_index = lib.PLY_DEVICE_CUDA, self._device[1]
        made, error = ffi.new("ply_batch **"), new_error()
        check(lib.ply_batch_new(made, self.rules._rules, options, error), error)
        # Whatever refers to the memory of the batch refers to this.
        self._owner = self._batch = owned(made[0], lib.ply_batch_free, self.rules._rules, lent)
        self._data = lib.ply_batch_data(self._batch)
        self.games = int(self._data.games)
        self.actions = int(self._data.actions)
        self._views: dict[str, npt.NDArray[Any]] = {}
        self._used: Any = None  # the actions that the device may still be reading

    def _shape(self, name: str, numbers: Any) -> tuple[int, ...]:
        rest = (n if isinstance(n, int) else int(getattr(numbers, n)) for n in _ARRAYS[name][1])
        return (int(numbers.games), *rest)

    def _lend(self, options: Any, arrays: Mapping[str, Any]) -> Any:
        """Checks the caller's arrays against those that a batch of one game on the CPU would have."""
        if not arrays:
            return ()
        kept: list[Any] = []
        probe, error = ffi.new("ply_batch **"), new_error()
        games, options.games = options.games, 1
        check(lib.ply_batch_new(probe, self.rules._rules, options, error), error)
        options.games = games
        numbers = lib.ply_batch_data(probe[0])
        lent = ffi.new("ply_batch_arrays *")
        try:
            for name, given in arrays.items():
                if name not in _ARRAYS:
                    raise ValueError(f"there is no array '{name}'; the arrays are {', '.join(_ARRAYS)}")
                if name in _OUTPUTS and not options.outputs & _OUTPUTS[name]:
                    raise ValueError(f"{name} is lent but not among the outputs")
                array: Any
                if self._device != CPU:
                    array = Borrowed(given, self._device, int(ffi.cast("uintptr_t", options.stream)) or None)
                    usable, address = array.contiguous, array.address
                else:
                    array = given if isinstance(given, np.ndarray) else from_dlpack(given)
                    usable = array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
                    address = array.ctypes.data
                shape = (int(games), *self._shape(name, numbers)[1:])
                if array.dtype.str[1:] != _ARRAYS[name][0] or array.shape != shape:
                    raise ValueError(f"{name} must be an array of {np.dtype(_ARRAYS[name][0])} of the shape {shape}, "
                                     f"not of {array.dtype} of the shape {array.shape}")
                if not usable:
                    raise ValueError(f"{name} must be contiguous, aligned and writable")
                setattr(lent, name, ffi.cast(ffi.typeof(getattr(lent, name)), address))
                kept.append(array)
        finally:
            lib.ply_batch_free(probe[0])
        options.arrays = lent
        return (lent, kept)

    def _open(self) -> Any:
        if self._batch is None:
            raise ValueError("the batch is closed")
        return self._batch

    def close(self) -> None:
        """Gives the batch up. Its memory is freed as soon as no view of it is left."""
        self._owner = self._batch = self._data = self._used = None
        self._views = {}

    # --- arrays ------------------------------------------------------------------------------
    def tensor(self, name: str) -> Tensor:
        """An array of the batch for frameworks that speak DLPack; they must not write to it."""
        self._open()
        if name not in _ARRAYS:
            raise ValueError(f"there is no array '{name}'; the arrays are {', '.join(_ARRAYS)}")
        pointer = getattr(self._data, name)
        if not pointer:
            raise ValueError(f"the batch was made without the output '{name}'; make it with outputs=['{name}']")
        batch, own = self._owner, self.stream

        def finish(stream: Any) -> None:
            if stream is None or stream != own:
                error = new_error()
                check(lib.ply_batch_wait(batch, error), error)

        return Tensor(batch, int(ffi.cast("uintptr_t", pointer)), self._shape(name, self._data), _ARRAYS[name][0],
                      self._device, finish if self._device != CPU else None)

    def read(self, name: str) -> npt.NDArray[Any]:
        """A copy of an array in the memory of the host, once all steps are done."""
        array = self.tensor(name)
        copy = np.empty(array.shape, array.dtype)
        check(lib.ply_batch_read(self._open(), ffi.cast("void *", copy.ctypes.data),
                                 ffi.cast("void *", array.address), copy.nbytes))
        return copy

    @property
    def device(self) -> str:
        """Where the games and arrays are: "cpu" or "cuda:N"."""
        return "cpu" if self._device == CPU else f"cuda:{self._device[1]}"

    @property
    def stream(self) -> int | None:
        """The CUDA stream in whose order a batch on a device works."""
        return int(ffi.cast("uintptr_t", lib.ply_batch_stream(self._open()))) if self._device != CPU else None

    def wait(self) -> None:
        """Waits until all steps are done. What has failed on a device is reported here."""
        error = new_error()
        check(lib.ply_batch_wait(self._open(), error), error)

    def _view(self, name: str) -> npt.NDArray[Any]:
        if self._batch is None or name not in self._views:
            self._views[name] = self.tensor(name).numpy()
        return self._views[name]

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """[games, 2]: of player 0 and 1 in the last step: 1 won, -1 lost, 0 anything else."""
        return self._view("rewards")

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """[games]: the game has ended by its rules, or by an illegal action."""
        return self._view("terminated").view(np.bool_)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """[games]: the game was cut off."""
        return self._view("truncated").view(np.bool_)

    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """[games]: the last action was illegal."""
        return self._view("illegal").view(np.bool_)

    @property
    def players(self) -> npt.NDArray[np.uint8]:
        """[games]: the player to move, 0 or 1."""
        return self._view("players")

    @property
    def results(self) -> npt.NDArray[np.uint8]:
        """[games]: of the game that ended in the last step: 1 the first player won, 2 the second, 3 a draw; else 0."""
        return self._view("results")

    @property
    def plies(self) -> npt.NDArray[np.uint32]:
        """[games]: moves played so far."""
        return self._view("plies")

    @property
    def legal_counts(self) -> npt.NDArray[np.uint32]:
        """[games]: the number of legal actions; 0 when the game is over."""
        return self._view("legal_counts")

    @property
    def observations(self) -> npt.NDArray[np.uint8]:
        """[games, planes, height, width]: what the player to move sees."""
        return self._view("observations")

    @property
    def final_observations(self) -> npt.NDArray[np.uint8]:
        """[games, planes, height, width]: of games that ended in the last step, with reset="same_step"."""
        return self._view("final_observations")

    @property
    def mask_bits(self) -> npt.NDArray[np.uint64]:
        """[games, words]: bit a % 64 of word a / 64 is set if action a is legal."""
        return self._view("mask_bits")

    @property
    def mask_bytes(self) -> npt.NDArray[np.bool_]:
        """[games, actions]: whether an action is legal."""
        return self._view("mask_bytes").view(np.bool_)

    @property
    def legal_actions(self) -> npt.NDArray[np.int32]:
        """[games, room]: the legal actions in ascending order, then NO_ACTION."""
        return self._view("legal_actions")

    @property
    def keys(self) -> npt.NDArray[np.uint64]:
        """[games]: the keys of the positions."""
        return self._view("keys")

    # --- playing -----------------------------------------------------------------------------
    def _row(self, values: Any, dtype: str, what: str) -> npt.NDArray[Any]:
        if values is None:
            raise TypeError(f"{what} must be an array, not None")
        if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__") and not isinstance(values, np.generic):
            values = from_dlpack(values)
        given = np.asarray(values)
        if given.shape != (self.games,):
            raise ValueError(f"{what} must have the shape ({self.games},), not {given.shape}")
        if given.dtype.kind not in "iub":
            raise TypeError(f"{what} must be whole numbers, not {given.dtype}")
        if given.dtype.kind != "b" and dtype == "i4" and given.dtype.itemsize > 2:
            given = np.where((given < -1) | (given > 2**31 - 1), -1, given)
        return np.ascontiguousarray(given, dtype)

    def _to_device(self, values: Any, dtype: str, what: str) -> Any:
        """The address of a row in the memory of the device: the caller's own, or `choices` with a copy."""
        if isinstance(values, Tensor) or (hasattr(values, "__dlpack_device__") and not isinstance(values, np.ndarray)
                                          and int(values.__dlpack_device__()[0]) == self._device[0]):
            array: Any = values if isinstance(values, Tensor) else Borrowed(values, self._device, self.stream)
            if array.shape != (self.games,) or not getattr(array, "contiguous", True) or array.dtype != dtype:
                raise ValueError(f"{what} on the device must be contiguous {np.dtype(dtype)} of the shape "
                                 f"({self.games},), not {array.dtype} of the shape {array.shape}")
            self._used = array
            return ffi.cast("void *", array.address)
        row = self._row(values, "i4", what)
        row = row if dtype == "i4" else (row != 0).astype(dtype)
        to = ffi.cast("void *", self._data.choices)
        check(lib.ply_batch_write(self._open(), to, ffi.cast("void *", row.ctypes.data), row.nbytes))
        return to

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays an action in each game and fills in the arrays; see `illegal` for illegal ones.

        On a device the actions may be there, as int32: the work of their framework's current stream comes first.
        """
        batch = self._open()
        if self._device != CPU:
            check(lib.ply_batch_step(batch, ffi.cast("int32_t *", self._to_device(actions, "i4", "actions"))))
            return
        row = self._row(actions, "i4", "actions")
        status = lib.ply_batch_step(batch, ffi.cast("int32_t *", row.ctypes.data))
        if status == lib.PLY_ILLEGAL_MOVE:
            bad = next(g for g in range(self.games)
                       if self.legal_counts[g] and not lib.ply_batch_move(batch, g, int(row[g])))
            raise Error(f"illegal action in game {bad}: {row[bad]}", "ILLEGAL_MOVE")
        check(status)

    def sample(self) -> Any:
        """A random legal action for each game, each equally likely; NO_ACTION where the game is over.

        A new array; on a device a Tensor of memory that the batch uses again.
        """
        batch = self._open()
        if self._device != CPU:
            lib.ply_batch_sample(batch, self._data.choices)
            return self.tensor("choices")
        actions = np.empty(self.games, np.int32)
        lib.ply_batch_sample(batch, ffi.cast("int32_t *", actions.ctypes.data))
        return actions

    def random_steps(self, steps: int) -> Totals:
        """Plays that many random actions in each game, and fills in the arrays after the last."""
        totals = ffi.new("ply_batch_totals *")
        check(lib.ply_batch_random_steps(self._open(), whole(steps, "steps"), totals))
        cut_off, first, second, drawn = totals.games
        return Totals(int(totals.plies), first, second, drawn, cut_off)

    def reset(self, which: npt.ArrayLike | None = None) -> None:
        """Starts games again: all of them, or those where `which` is not 0 (on a device, bytes)."""
        batch = self._open()
        if which is None:
            check(lib.ply_batch_reset(batch, ffi.NULL))
        elif self._device != CPU:
            check(lib.ply_batch_reset(batch, ffi.cast("uint8_t *", self._to_device(which, "u1", "which"))))
        else:
            row = (self._row(which, "i4", "which") != 0).astype(np.uint8)
            check(lib.ply_batch_reset(batch, ffi.cast("uint8_t *", row.ctypes.data)))

    # --- single games ------------------------------------------------------------------------
    def _number(self, game: int) -> int:
        if not -self.games <= whole(game, "game", -self.games, self.games - 1):
            raise IndexError(game)
        return int(game) % self.games

    def __len__(self) -> int:
        return self.games

    def __getitem__(self, game: int) -> State:
        """A copy of a game as a State."""
        batch, made = self._open(), ffi.new("ply_state *")
        try:
            number = self._number(game)
        except ValueError:
            raise IndexError(f"there is no game {game}") from None
        check(lib.ply_batch_get(batch, number, made))
        return State._adopt(self.rules, made)

    def __setitem__(self, game: int, state: State) -> None:
        """Makes a game a copy of a State of the same rules."""
        batch = self._open()
        if state_of(state).rules != self.rules:
            raise ValueError(f"the state has {state.rules}, the batch {self.rules}")
        check(lib.ply_batch_set(batch, self._number(game), state._state))

    def copy_game(self, game: int, source: Batch, number: int) -> None:
        """Makes a game a copy of game `number` of a batch with equal rules."""
        if not isinstance(source, Batch):
            raise TypeError(f"expected a Batch, not {type(source).__name__}")
        check(lib.ply_batch_copy(self._open(), self._number(game), source._open(), source._number(number)))

    def copy_games(self, games: npt.ArrayLike, source: Batch, numbers: npt.ArrayLike) -> None:
        """Makes games[i] a copy of game numbers[i] of a batch with equal rules, for every i."""
        if not isinstance(source, Batch):
            raise TypeError(f"expected a Batch, not {type(source).__name__}")
        rows = []
        for given, batch in ((games, self), (numbers, source)):
            row = np.asarray(given)
            if row.ndim != 1 or (row.size and row.dtype.kind not in "iu"):
                raise TypeError("the numbers of games must be a list of whole numbers")
            if row.size and not 0 <= int(row.min()) <= int(row.max()) < batch.games:
                raise IndexError(f"games are numbered from 0 to {batch.games - 1}")
            rows.append(np.ascontiguousarray(row, np.uint32))
        if rows[0].size != rows[1].size:
            raise ValueError(f"{rows[0].size} games cannot be copies of {rows[1].size}")
        check(lib.ply_batch_copy_games(self._open(), ffi.cast("uint32_t *", rows[0].ctypes.data), source._open(),
                                       ffi.cast("uint32_t *", rows[1].ctypes.data), rows[0].size))

    def save(self, game: int) -> str:
        """A game as text, with the random numbers it has drawn."""
        batch, number = self._open(), self._number(game)
        return text_of(lambda out: check(lib.ply_batch_save(batch, number, out)))

    def load(self, game: int, text: str) -> None:
        """Reads what `save` wrote."""
        batch, number, raw, error = self._open(), self._number(game), encode(text, "text"), new_error()
        check(lib.ply_batch_load(batch, number, raw, len(raw), error), error)

    def move(self, game: int, action: int) -> str | None:
        """The move of an action in a game; None if it is not legal there."""
        batch, number = self._open(), self._number(game)
        move = lib.ply_batch_move(batch, number, whole(action, "action", -1, 2**31 - 1))
        return self[game]._move_text(move) if move else None

    def action(self, game: int, move: str) -> int:
        """The action of a legal move in a game; NO_ACTION if it has none."""
        return int(lib.ply_batch_action(self._open(), self._number(game), self[game]._parse_move(move)))

    def __repr__(self) -> str:
        return f"<Batch of {self.games} games of {self.rules.game!r}>" if self._batch is not None else "<closed Batch>"


def symmetries(rules: Rules | str, variant: str = "") -> list[tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]]:
    """The symmetries of the rules for data augmentation: pairs (cells, actions), the identity first.

    What is at place c of a plane belongs at cells[c] in the image, and action a becomes actions[a].
    """
    wanted = rules_of(rules, variant)
    raw, found = wanted._rules, []
    for i in range(lib.ply_batch_symmetries(raw)):
        cells = np.zeros(raw.plane_height * raw.plane_width, np.uint32)
        actions = np.zeros(raw.actions, np.uint32)
        check(lib.ply_batch_symmetry(raw, i, ffi.cast("uint32_t *", cells.ctypes.data),
                                     ffi.cast("uint32_t *", actions.ctypes.data)))
        found.append((cells, actions))
    return found
