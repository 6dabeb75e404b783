"""A notice board of processes in the store where they met: what they pass to operations, and how they ended."""

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeVar

from torch.distributed import PrefixStore  # type: ignore[attr-defined]

_MAX_OPERATIONS = 64  # operations of a group that can be asked about; no process is further ahead of another
_MAX_WAIT_S = 2.0  # for the others to report how they ended, once an operation has failed
_PAUSE_S = 0.002  # between two looks
_LEFT_TO_THEM_S = 0.5  # to be the first that a launcher sees end
_WAITS = "waits"

T = TypeVar("T")


class Board:
    """A board in a store that all processes of the world reach.

    To put up a word takes some 4 µs and waits for nobody; it is read where something is new, or has failed.

    Args:
        store: torch's.
        rank: the number of this process in the world.
        size: how many processes there are.
    """

    def __init__(self, store: Any, rank: int, size: int) -> None:
        self._store, self._rank, self._size = PrefixStore("board", store), rank, size
        self._has_told = False
        if rank == 0:
            self._store.set("ends", "")

    def agreement(self, name: str, ranks: Sequence[int], timeout: timedelta) -> "Agreement":
        """Return the check that the members of a group pass the same to an operation."""
        return Agreement(PrefixStore(name, self._store), self._rank, ranks, timeout.total_seconds())

    def tell_end(self) -> None:
        """Post how the script of this process ended: with the exception that Python has just printed, or well."""
        error = getattr(sys, "last_value", None)
        end = f"ended with {_format_exception(error)}" if error is not None else "has come to the end of its script"
        with suppress(RuntimeError, TimeoutError):  # who keeps the store may have left before
            _call_with_timeout(_MAX_WAIT_S, lambda: self._report_end(end))

    def what_of_others(self) -> str:
        """Return a sentence about the processes that do not wait for others, as this one does; "" for none.

        Another process that waits fails at about the same time, and reports that it waits.
        """
        try:
            return _call_with_timeout(2 * _MAX_WAIT_S, self._collect_answers)
        except TimeoutError:
            return "Nothing is heard of rank 0, which keeps the meeting place: it may have been stopped."

    def _collect_answers(self) -> str:
        deadline = time.monotonic() + _MAX_WAIT_S
        try:
            self._report_end(_WAITS)
            while len(ends := self._read_ends()) < self._size and time.monotonic() < deadline:
                time.sleep(10 * _PAUSE_S)
        except RuntimeError:  # what torch raises for a store that is gone
            return "Rank 0, which keeps the meeting place, has ended."
        if any(end != _WAITS for end in ends.values()):
            time.sleep(_LEFT_TO_THEM_S)
        reports = [f"rank {rank} {end}" for rank, end in sorted(ends.items()) if end != _WAITS]
        silent = [rank for rank in range(self._size) if rank not in ends]
        if silent:
            ranks = f"rank{'s' if silent[1:] else ''} {', '.join(map(str, silent))}"
            reports.append(f"nothing is heard of {ranks}: killed, or busy with something else")
        return "".join(f"{line[0].upper()}{line[1:]}. " for line in reports).strip()

    def _report_end(self, end: str) -> None:
        if not self._has_told:
            self._has_told = True
            line = json.dumps([self._rank, end]) + "\n"
            self._store.append("ends", line)  # type: ignore[attr-defined]  # torch 2.13 does not annotate it

    def _read_ends(self) -> dict[int, str]:
        return dict(map(json.loads, self._store.get("ends").decode().splitlines()))


class Agreement:
    """Finds out whether the members of a group pass the same to an operation: Gloo aborts processes that do not.

    Every process puts up what it passes; one that passes something for the first time looks at what the others do.

    Args:
        store: the group's.
        rank: the number of this process in the world.
        ranks: those of the members.
        timeout_s: how long to wait for the others.
    """

    def __init__(self, store: Any, rank: int, ranks: Sequence[int], timeout_s: float) -> None:
        self._store, self._rank, self._others = store, rank, [other for other in ranks if other != rank]
        self._timeout_s = timeout_s
        self._number = 0
        self._known: set[str] = set()
        self._transfers: dict[tuple[int, int, int], tuple[int, str]] = {}  # how many, and the last one

    def on(self, operation: str, waits: bool = True) -> None:
        """Post what this process does next, and compare it where it is new.

        Args:
            operation: what it does.
            waits: whether to wait for the others; if not, it is compared with those that have come, so that the last
                one sees all.

        Raises:
            ValueError: another one does something else.
            RuntimeError: another one does not come.
        """
        number, self._number = self._number, self._number + 1
        self._store.set(f"{self._rank} {number % _MAX_OPERATIONS}", f"{number} {operation}")
        if operation in self._known:
            return
        try:
            done = _call_with_timeout(self._timeout_s + _MAX_WAIT_S, lambda: self._operations_of_others(number, waits))
        except TimeoutError as error:
            raise RuntimeError("wait timeout: no answer") from error
        for rank, other in done.items():
            if other not in (None, operation):
                raise ValueError(
                    "The processes of a group must call the same operation, with tensors of the same shape and dtype: "
                    f"rank {self._rank} calls {operation}, but rank {rank} {other}."
                )
        if waits:
            self._known.add(operation)

    def on_transfer(self, source: int, target: int, tag: int, tensor: str) -> None:
        """Post what this process sends or expects next, and compare it where it is not what it was before.

        It waits for nobody: the one of the two that comes last sees what the other has said.

        Raises:
            ValueError: the other one expects, or sends, something else.
        """
        way = source, target, tag
        number, last = self._transfers.get(way, (0, ""))
        self._transfers[way] = number + 1, tensor
        verb, other = ("sends", "expects") if self._rank == source else ("expects", "sends")
        key = f"{source} to {target}, {tag}, {number % _MAX_OPERATIONS}"
        self._store.set(f"{verb} {key}", f"{number} {tensor}")
        if tensor == last:
            return
        with suppress(TimeoutError):  # the operation itself says that the others do not answer
            said = _call_with_timeout(_MAX_WAIT_S, lambda: self._operation_of_member(f"{other} {key}", number, None))
            if said not in (None, tensor):
                peer = target if self._rank == source else source
                raise ValueError(
                    "What is received must be of the size and dtype of what is sent: "
                    f"rank {self._rank} {verb} {tensor}, but rank {peer} {other} {said}."
                )

    def _operations_of_others(self, number: int, waits: bool) -> dict[int, str | None]:
        deadline = time.monotonic() + self._timeout_s if waits else None
        return {
            rank: self._operation_of_member(f"{rank} {number % _MAX_OPERATIONS}", number, deadline)
            for rank in self._others
        }

    def _operation_of_member(self, key: str, number: int, deadline: float | None) -> str | None:
        """Return a member's entry for its operation of that number; None for one that is long past it.

        Without a deadline it is None for one that has not come, too.
        """
        while True:
            if self._store.check([key]):
                at, _, operation = self._store.get(key).decode().partition(" ")
                if int(at) >= number:
                    return operation if int(at) == number else None
            if deadline is None:
                return None
            if time.monotonic() > deadline:
                raise RuntimeError(f"wait timeout: no {key}")
            time.sleep(_PAUSE_S)


def _call_with_timeout(limit_s: float, ask: Callable[[], T]) -> T:
    """Return the answer of the store, which waits for ever where the process that keeps it was stopped.

    Raises:
        TimeoutError: there is no answer.
        RuntimeError: torch's, where the store is gone.
    """
    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer.result(limit_s)


def _format_exception(error: BaseException) -> str:
    """Return an exception's class and words, and the line of the script that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if f"{os.sep}msbridge{os.sep}" not in frame.filename] or frames
    where = f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {str(error).strip().rstrip('.')}{where}"
