"""Gradient state of a thread: whether a gradient function is running, and whether it repeats a call."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager, nullcontext
from typing import Any

import torch

from msbridge.core import torch_private

__all__ = [
    "Count",
    "RepeatedCall",
    "in_place",
    "is_repeat",
    "recording",
    "repeats",
    "running",
    "state",
    "unnoted_writes",
]


class _State(threading.local):
    """The functions that are running in this thread.

    Attributes:
        depth: how many gradient functions, one inside the other.
        is_graph: a function that `jit` marks is running.
        inputs: what the outermost graph was called with.
        has_noted: a call was noted that a gradient function may repeat (`RepeatedCall`).
        is_repeat: the innermost runs a Cell that the script has just called on the same inputs.
        lent: the torch tensors that are in place of those of Tensors, by the identity of these (`thread_local_data`).
        assigned: Tensors that got other values meanwhile, and their own torch tensors, by identity (`recorded_writes`).
        rebound: Tensors that have other values until the graph ends, and their own torch tensors, by identity.
        effects: how many times a Tensor was written, or a branch was taken by one.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.is_graph = False
        self.inputs: tuple[Any, ...] = ()
        self.has_noted = False
        self.is_repeat = False
        self.lent: dict[int, torch.Tensor] = {}
        self.assigned: dict[int, tuple[Any, torch.Tensor]] = {}
        self.rebound: dict[int, tuple[Any, torch.Tensor]] = {}
        self.effects = 0


state = _State()


def running() -> bool:
    """Whether a gradient function is running."""
    return state.depth > 0


def is_repeat() -> bool:
    """Whether what is running was run just before on the same inputs, so that its statistics are counted already.

    A training step written by hand calls its network for the loss, and then takes the gradient of the same call.
    MindSpore runs both as one: in graph mode, and in PyNative mode after `set_grad()`.
    """
    return state.is_repeat


class RepeatedCall(threading.local):
    """The inputs of this thread's last call of a function outside any gradient function.

    What is called keeps one as `_repeated_call` and fills it with `note`; gradient functions ask `repeats`.
    """

    def __init__(self) -> None:
        self._inputs: list[Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return RepeatedCall, ()  # a copy was not called

    def note(self, args: Iterable[Any]) -> None:
        """Note a call, unless a gradient function is running."""
        if not state.depth:
            state.has_noted = True
            self._inputs = [getattr(value, "_data", value) for value in args]

    def take(self, args: tuple[Any, ...]) -> bool:
        """Whether the call noted last had these very inputs; it is forgotten."""
        noted, self._inputs = self._inputs, None
        if noted is None or len(noted) != len(args):
            return False
        return all(kept is getattr(value, "_data", value) for kept, value in zip(noted, args, strict=True))


def repeats(fn: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Whether `fn` keeps a RepeatedCall, and was called on the same inputs just before."""
    noted: RepeatedCall | None = getattr(fn, "_repeated_call", None)
    return noted is not None and noted.take(args)


@contextmanager
def recording() -> Iterator[None]:
    """Record gradients in the block, as a gradient function does while it runs its function."""
    state.depth += 1
    try:
        with torch.enable_grad():
            yield
    finally:
        state.depth -= 1


class Count:
    """A number that all threads count up."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def add(self) -> None:
        """Count one more."""
        self.count += 1


unnoted_writes = Count()  # how often `in_place` was asked for: who keeps something made of a weight compares it


def in_place() -> AbstractContextManager[Any]:
    """Change tensors in place in the block without torch's notes, unless this thread records gradients.

    torch counts the changes of a tensor, and refuses a backward pass that has kept it: that of another thread too, when
    one trains a part of a network of which the other takes gradients. MindSpore computes with what is there. (torch
    2.13; without the notes, updates of small networks take a quarter less.)
    """
    if state.depth or torch.compiler.is_compiling():
        return nullcontext()
    unnoted_writes.count += 1
    return torch_private.AutoDispatchBelowADInplaceOrView()  # type: ignore[no-any-return]


class _no_grad(ContextDecorator):
    """Record nothing in a block, or in a function that this decorates: gradients take its results for constants.

    A gradient function that is called inside records as ever; MindSpore refuses it.

    Follows: mindspore._no_grad (2.10).
    """

    def __enter__(self) -> None:
        self.was_enabled = torch.is_grad_enabled()
        torch.set_grad_enabled(False)

    def __exit__(self, *error: object) -> None:
        torch.set_grad_enabled(self.was_enabled)

    def _recreate_cm(self) -> "_no_grad":
        return _no_grad()
