# SPDX-License-Identifier: MIT
"""What the modules share: the C library, its errors, texts, and stopping long jobs with ctrl-C."""
from __future__ import annotations

import contextlib
import threading
from typing import Any, Callable, Iterator

from plyverse._plyverse import ffi, lib

__all__ = ["Error", "ffi", "lib"]


class Error(ValueError):
    """What the library refuses: its message says what is wrong and, for text, where.

    `status` is the name of the status code, such as "ILLEGAL_MOVE"; `line` and `column` count from 1 and are 0 where
    there is no location.
    """

    def __init__(self, message: str, status: str = "BAD_ARGUMENT", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.line = line
        self.column = column


Error.__module__ = "plyverse"  # which is where users find it


def string(pointer: Any) -> str:
    """A C string as text; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def encode(text: object, what: str) -> bytes:
    """Text for the library. Raises TypeError for anything else."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a string, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError(f"{what} must not contain a NUL character")
    return text.encode()


def whole(number: object, what: str, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number in a range. Raises TypeError or ValueError for anything else."""
    try:
        value = number.__index__()  # type: ignore[attr-defined]
    except AttributeError:
        raise TypeError(f"{what} must be a whole number, not {type(number).__name__}") from None
    if not least <= value <= most:
        raise ValueError(f"{what} must be from {least} to {most}, not {value}")
    return int(value)


def new_error() -> Any:
    return ffi.new("ply_error *")


def check(status: int, error: Any = None) -> None:
    """Raises what a status means; `error` is the library's own account of it."""
    if status == lib.PLY_OK:
        return
    name = string(lib.ply_status_name(status))
    message = string(error.message) if error is not None and error.message[0] != b"\0" else ""
    message = message or string(lib.ply_status_text(status))
    line, column = (error.line, error.column) if error is not None else (0, 0)
    where = f"line {line}, column {column}: " if line else ""
    if status == lib.PLY_NO_MEMORY:
        raise MemoryError(message)
    if status == lib.PLY_IO:
        raise OSError(message)
    raise Error(where + message, name, line, column)


def owned(made: Any, free: Callable[[Any], object], *keep: object) -> Any:
    """An object of the library, freed when it is collected; what it refers to (`keep`) lives at least as long."""
    return ffi.gc(made, lambda pointer, keep=keep: free(pointer))


def bytes_of(write: Callable[[Any], object]) -> bytes:
    """Calls `write` with an empty ply_text and returns what it wrote."""
    text = ffi.new("ply_text *", lib.ply_text_growing())
    try:
        write(text)
        if text.failed:
            raise MemoryError
        return bytes(ffi.buffer(text.data, text.length)) if text.data else b""
    finally:
        lib.ply_text_free(text)


def text_of(write: Callable[[Any], object]) -> str:
    """The same as text."""
    return bytes_of(write).decode("utf-8", "replace")


@contextlib.contextmanager
def interruptible(kind: int, job: Any) -> Iterator[None]:
    """While the body runs on the main thread, ctrl-C stops the job; KeyboardInterrupt follows when it has returned."""
    guarded = threading.current_thread() is threading.main_thread() and lib.plypy_guard(kind, job)
    try:
        yield
    finally:
        if guarded:
            lib.plypy_unguard()


class Callbacks:
    """What C calls back while a job runs. An exception stops the job and is raised again when it has returned."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self.stop = stop
        self.error: BaseException | None = None
        self.handle = ffi.new_handle(self)
        self.listener: Callable[[Any], object] | None = None
        self.evaluate: Callable[[Any, int], None] | None = None

    def guard(self, call: Callable[[], object]) -> None:
        if self.error is not None:
            return
        try:
            call()
        except BaseException as error:  # pylint: disable=broad-except
            self.error = error
            self.stop()

    def finish(self) -> None:
        """To be called when the job has returned."""
        if self.error is not None:
            raise self.error


def _escaped(_kind: object, error: BaseException, traceback: Any) -> None:
    """ctrl-C can be noticed in a callback before anything guards it."""
    if traceback is not None:
        callbacks = ffi.from_handle(traceback.tb_frame.f_locals["context"])
        callbacks.error = callbacks.error or error
        callbacks.stop()


@ffi.def_extern(onerror=_escaped)
def plypy_on_search(context: Any, report: Any) -> None:
    callbacks = ffi.from_handle(context)
    callbacks.guard(lambda: callbacks.listener(report))


@ffi.def_extern(onerror=_escaped)
def plypy_on_solve(context: Any, report: Any) -> None:
    callbacks = ffi.from_handle(context)
    callbacks.guard(lambda: callbacks.listener(report))


@ffi.def_extern(onerror=_escaped)
def plypy_on_slice(context: Any, name: Any, positions: int, seconds: float) -> None:
    callbacks = ffi.from_handle(context)
    callbacks.guard(lambda: callbacks.listener((string(name), positions, seconds)))


@ffi.def_extern(onerror=_escaped)
def plypy_evaluate(context: Any, leaves: Any, count: int) -> None:
    callbacks = ffi.from_handle(context)
    callbacks.guard(lambda: callbacks.evaluate(leaves, count))


class Watch:
    """Calls `progress(done, total)` ten times a second while a job runs on this thread; `total` is 0 while unknown.

    The job's numbers are read on a thread of their own, so the job loses no time. `update` of tqdm wants differences:
    see `plyverse.tqdm_progress`.
    """

    def __init__(self, progress: Callable[[int, int], object] | None, numbers: Any) -> None:
        self.progress = progress
        self.numbers = numbers
        self.ended = threading.Event()
        self.error: BaseException | None = None
        self.thread: threading.Thread | None = None

    def report(self) -> None:
        assert self.progress is not None
        now = lib.ply_progress_read(self.numbers)
        try:
            if now.parts_total:
                self.progress(now.parts_done, now.parts_total)
            else:
                self.progress(now.units, 0)
        except BaseException as error:  # pylint: disable=broad-except
            self.error = error
            lib.ply_progress_stop(self.numbers)

    def run(self) -> None:
        while self.error is None and not self.ended.wait(0.1):
            self.report()

    def __enter__(self) -> Watch:
        if self.progress is not None:
            self.thread = threading.Thread(target=self.run, daemon=True)
            self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        if self.thread is not None:
            self.thread.join()
            if self.error is None:
                self.report()
        if self.error is not None:
            raise self.error
