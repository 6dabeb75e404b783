"""Worker processes of a stage: forked when the iterator begins, so that they have all that the script has made.

    thread of a stage ──arguments──► socket, shared memory ──► process: function(*arguments)
                      ◄──result or error──                  ◄──

Why forked and not spawned: functions, sources and open files need not be pickled, and nothing is imported again. So it
has to happen before the iterator has threads (`nodes.fork_workers`): a lock that another thread holds stays locked in
the child. What else a child inherits and must not use is given up at once: sockets of other workers (`_after_fork`),
Ctrl-C, OpenCV's and torch's own threads, and the collection of what the parent had.

Why a process answers one call at a time: a thread of the stage takes a free process, asks, and waits for the answer;
the order of results, the bound and the number at work are those of the `OrderedParallelMap` that the thread belongs to.
Large arrays go through shared memory, one piece for each direction, which is why nobody may ask twice.

How they end: at once when the parent ends or closes the socket (`_end_with`), also while they compute; by SIGKILL when
the iterator is dropped, at any point of any thread. One that ends by itself is reported with its signal.
"""

import atexit
import contextlib
import gc
import os
import random
import select
import signal
import socket
import struct
import sys
import threading
import warnings
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import torch

from msbridge.core.runtime import standard_streams
from msbridge.core.runtime.bounded_channel import ChannelClosed
from msbridge.dataset import config
from msbridge.dataset.engine.execution.shared_memory import SIZE_BYTES, SharedMemory
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.transforms.base import SEEDED_BY_ROW

LOOK_S = 1.0  # how often a process that does not answer is looked at
_LENGTH = struct.Struct("<Q")


class Processes:
    """Processes that all compute one function.

    Args:
        count: how many.
        function: what they compute; takes and returns what can be pickled.
        name: of the node, for messages.
    """

    def __init__(self, count: int, function: Callable[..., Any], name: str) -> None:
        self._name = name
        self._free = deque(_Process(function) for _ in range(count))
        self._all = list(self._free)
        self._some_free = threading.Semaphore(count)
        self._is_closed = False
        _pools.add(self)

    def call(self, *arguments: Any) -> Any:
        """Compute the function in a process that is free.

        Raises:
            RuntimeError: the process has ended.
            BaseException: what the function raised.
        """
        with self._some_free:
            process = self._free.popleft()
            try:
                is_result, value = process.ask(arguments)
            except (OSError, EOFError) as error:
                if self._is_closed:
                    raise ChannelClosed from error
                raise self._exit_error(process) from error
            finally:
                self._free.append(process)
                if self._is_closed:
                    self._leave_free()
        if is_result:
            return value
        raise value

    def pids(self) -> list[int]:
        """Return the processes' numbers."""
        return [process.pid for process in self._all]

    def close(self) -> None:
        """Kill all processes: nobody needs what they compute. May be called again, at any point of any thread."""
        self._is_closed = True
        for process in self._all:
            process.kill()
        for process in self._all:
            process.reap()
        self._leave_free()

    def _leave_free(self) -> None:
        """Close the ways that nobody waits at; whoever does comes here when he no longer does."""
        with contextlib.suppress(IndexError):
            while True:
                self._free.popleft().leave()

    def _exit_error(self, process: "_Process") -> RuntimeError:
        code = process.exit_code()
        if code is not None and code < 0:
            number = -code
            how = f"was killed by signal {number} ({signal.Signals(number).name})"
            if number == signal.SIGKILL:
                how += "; perhaps the machine had no memory left: try fewer num_parallel_workers"
        else:
            how = f"ended with exit code {code}"
        return pipeline_error(f"Worker process {process.pid} of {self._name} {how}.")


class _Process:
    """One process, and this end of the way to it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        size = SIZE_BYTES if config.get_enable_shared_mem() else 0
        self._questions, self._answers = SharedMemory(size), SharedMemory(size)
        self._socket, other = socket.socketpair()
        standard_streams.flush(sys.stdout)  # the process must not write it once more
        standard_streams.flush(sys.stderr)
        self._exit_code: int | None = None
        self._reaping = threading.RLock()
        with warnings.catch_warnings():  # Python 3.12 warns of forks beside threads; the process needs none of them
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if not self.pid:
            self._socket.close()
            _serve(function, other, self._questions, self._answers)
        other.close()
        self._owner = os.getpid()
        self._socket.settimeout(LOOK_S)
        _sockets.add(self._socket)

    def ask(self, arguments: Any) -> tuple[bool, Any]:
        """Return whether the function returned, and what, or what it raised."""
        _send(self._socket, self._questions.pack(arguments), self._is_alive)
        return self._answers.unpack(_receive(self._socket, self._is_alive))

    def kill(self) -> None:
        """End the process now."""
        with self._reaping:
            if self._owner == os.getpid() and self._exit_code is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGKILL)

    def leave(self) -> None:
        """Close this end of the way."""
        self._socket.close()

    def reap(self) -> None:
        """Wait for the end of the process, which was killed."""
        self._wait(0)

    def exit_code(self) -> int | None:
        """Return the exit of a process whose end of the socket is closed: the signal's number below 0, or its code."""
        self.kill()  # where it closed only that
        self._wait(0)
        return self._exit_code

    def _is_alive(self) -> bool:
        self._wait(os.WNOHANG)
        return self._exit_code is None

    def _wait(self, options: int) -> None:
        with self._reaping:
            if self._owner != os.getpid() or self._exit_code is not None:
                return
            try:
                pid, status = os.waitpid(self.pid, options)
            except ChildProcessError:  # somebody else waited for it
                pid, status = self.pid, 0
            if pid:
                self._exit_code = os.waitstatus_to_exitcode(status)


def _serve(
    function: Callable[..., Any], way: socket.socket, questions: SharedMemory, answers: SharedMemory
) -> NoReturn:
    """Answer calls until the other end is closed. Never comes back: the frames above are the parent's."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        gc.freeze()  # what the parent had is not collected here
        torch.set_num_threads(1)
        if cv2 := sys.modules.get("cv2"):
            cv2.setNumThreads(0)
        SEEDED_BY_ROW.append(_seed_all)
        threading.Thread(target=_end_with, args=(way,), daemon=True).start()
        while True:
            arguments = questions.unpack(_receive(way))
            try:
                answer: tuple[bool, Any] = True, function(*arguments)
            except BaseException as error:
                answer = False, error
            standard_streams.flush(sys.stdout)
            standard_streams.flush(sys.stderr)
            try:
                message = answers.pack(answer)
            except Exception as error:
                message = answers.pack((False, pipeline_error(f"A result cannot go to another process: {error}")))
            _send(way, message)
    except (OSError, EOFError):
        code = 0
    finally:
        os._exit(code)


def _end_with(way: socket.socket) -> None:
    """End this process when the other end is closed, also while it computes."""
    hung_up = select.poll()
    hung_up.register(way, 0)
    hung_up.poll()
    os._exit(0)


def _seed_all(key: int) -> None:
    """Seed the generators that functions share: 14 µs, so that a row's numbers do not depend on who computes it."""
    random.seed(key)
    np.random.seed(key & 0xFFFFFFFF)
    torch.default_generator.manual_seed(key >> 1)


def _send(way: socket.socket, message: bytes, is_alive: Callable[[], bool] = lambda: True) -> None:
    rest = memoryview(_LENGTH.pack(len(message)) + message)
    while rest:
        try:
            rest = rest[way.send(rest) :]
        except TimeoutError:
            if not is_alive():
                raise EOFError from None


def _receive(way: socket.socket, is_alive: Callable[[], bool] = lambda: True) -> bytearray:
    (length,) = _LENGTH.unpack(_exactly(way, _LENGTH.size, is_alive))
    return _exactly(way, length, is_alive)


def _exactly(way: socket.socket, count: int, is_alive: Callable[[], bool]) -> bytearray:
    data = bytearray(count)
    rest = memoryview(data)
    while rest:
        try:
            got = way.recv_into(rest)
        except TimeoutError:
            if is_alive():
                continue
            got = 0
        if not got:
            raise EOFError
        rest = rest[got:]
    return data


_pools: "weakref.WeakSet[Processes]" = weakref.WeakSet()
_sockets: "weakref.WeakSet[socket.socket]" = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for pool in list(_pools):
        pool.close()


def _after_fork() -> None:
    """Leave the ways to the workers to the process above: they end when it does."""
    for way in list(_sockets):
        way.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
