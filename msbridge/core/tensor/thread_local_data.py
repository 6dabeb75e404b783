"""Thread-local data of Tensors: one thread sees another torch tensor in a Tensor, for a time.

A gradient function differentiates aliases of the weights, and `to_float` computes with casts of them. Only the thread
that runs it may see these: another one that computes with the same network meanwhile would record into the graph of the
first, or take its cast for the weight.

A Tensor is read through a slot, which all threads share. So while something is lent to some thread, the class of the
Tensor is replaced by a subclass whose `_data` is a property that asks which thread is reading:

    nothing lent                 lent to thread 1, by lend([w], [alias])
    ────────────                 ──────────────────────────────────────
    w: Parameter                 w: Borrowed + Parameter, one class per class, made once
    w._data ─► slot              w._data in thread 1 ─► state.lent[id(w)] = alias     read and written here
                                 w._data in thread 2 ─► the slot                      as if nothing were lent

Nothing is paid where nothing is lent: a property on every Parameter would cost 60 ns per reading.

- `_borrowed` has the Tensors of which some thread has a loan, `_further` counts the threads beyond the first: the class
  goes back when the last one returns its loan. Both change under `_lock`, as does the class.
- Loans nest: `lend` returns what this thread had before, and `take_back` puts that back, in the reverse order, since a
  Tensor may be there twice.
- `take_back` returns what is there by now, which the borrower may have replaced: the caller decides what to do with it.
- A forked process has one thread: it forgets the loans of the others. The lock is held over the fork, so that the maps
  and the classes fit together there.
"""

import functools
import os
import threading
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context.grad_state import state
from msbridge.core.tensor.tensor import Tensor

__all__ = [
    "Borrowed",
    "Standpoint",
    "alias_to_lend",
    "lend",
    "own_class",
    "put_back",
    "put_in_place",
    "show_as",
    "take_back",
]

Before = Sequence[torch.Tensor | None] | None  # what was lent before to a thread

_slot = Tensor.__dict__["_data"]
_read, _write = _slot.__get__, _slot.__set__
_borrowed: dict[int, Tensor] = {}  # Tensors of which some thread has a loan, by identity
_further: dict[int, int] = {}  # how many threads more than one have a loan of these
_classes: dict[type, Any] = {}  # what the Tensors of a class have for a class while they are borrowed

_lock = threading.RLock()


class Borrowed:
    """Comes before the class of a Tensor of which some thread has a loan."""

    __slots__ = ()

    @property
    def _data(self) -> torch.Tensor:
        lent = state.lent.get(id(self))
        return _read(self) if lent is None else lent

    @_data.setter
    def _data(self, data: torch.Tensor) -> None:
        if id(self) in state.lent:
            state.lent[id(self)] = data
        else:
            _write(self, data)


def lend(tensors: Sequence[Tensor], datas: Sequence[torch.Tensor]) -> Before:
    """Let this thread, and no other, see and replace `datas` in place of the torch tensors of `tensors`.

    Returns:
        What was lent to this thread before, for `take_back`: one or None for each; None where nothing was lent.
    """
    lent = state.lent
    with _lock:
        if not _borrowed:  # all at once: of a training step of 16 small weights, one by one took 4 %
            _borrowed.update(zip(map(id, tensors), tensors, strict=True))
            if len(_borrowed) == len(tensors):
                lent.update(zip(_borrowed, datas, strict=True))
                for tensor in tensors:
                    kind = tensor.__class__
                    tensor.__class__ = _classes.get(kind) or _borrowed_class(kind)
                return None
            _borrowed.clear()  # one is there twice
        return [_lend_one(lent, tensor, data) for tensor, data in zip(tensors, datas, strict=True)]


def _lend_one(lent: dict[int, torch.Tensor], tensor: Tensor, data: torch.Tensor) -> torch.Tensor | None:
    key = id(tensor)
    before = lent.get(key)
    if key not in _borrowed:
        kind = tensor.__class__
        _borrowed[key] = tensor
        tensor.__class__ = _classes.get(kind) or _borrowed_class(kind)
    elif before is None:
        _further[key] = _further.get(key, 0) + 1
    lent[key] = data
    return before


def take_back(tensors: Sequence[Tensor], before: Before) -> list[torch.Tensor]:
    """End loans to this thread, and return what is in place of each by now.

    Args:
        tensors: what was lent.
        before: what `lend` returned.
    """
    lent, replaced = state.lent, []
    with _lock:
        if before is None:
            if not _further and len(_borrowed) == len(tensors):  # still nothing else is lent to anybody
                replaced = [lent[id(tensor)] for tensor in tensors]
                lent.clear()
                _borrowed.clear()
                for tensor in tensors:
                    tensor.__class__ = tensor._own_class  # type: ignore[attr-defined]
                return replaced
            before = [None] * len(tensors)
        for tensor, data in zip(reversed(tensors), reversed(before), strict=True):  # one may be there twice
            key = id(tensor)
            replaced.append(lent.pop(key))
            if data is not None:
                lent[key] = data
            elif key in _further:
                _further[key] -= 1
                if not _further[key]:
                    del _further[key]
            else:
                del _borrowed[key]
                tensor.__class__ = tensor._own_class  # type: ignore[attr-defined]
    return replaced[::-1]


class Standpoint:
    """Thread state of the forward pass, which the backward pass restores where it runs a function.

    The backward pass may run in a thread of torch's engine, and after loans have ended: an outer gradient function
    differentiates what an inner one has computed with aliases of its own, and `to_float` takes its casts back when the
    Cell returns. What is not lent any more is lent again for the time of the block.
    """

    __slots__ = ("_before", "_depth", "_live", "_outer", "_renewed", "_seen")

    def __init__(self) -> None:
        self._depth, self._live = state.depth, state.lent
        self._seen = [(_borrowed[key], data) for key, data in state.lent.items()]

    def __enter__(self) -> None:
        self._outer = state.depth, state.lent
        state.depth, state.lent = self._depth, self._live
        ended = [(tensor, data) for tensor, data in self._seen if self._live.get(id(tensor)) is not data]
        self._renewed = [tensor for tensor, _ in ended]
        self._before = lend(self._renewed, [data for _, data in ended])

    def __exit__(self, *error: object) -> None:
        take_back(self._renewed, self._before)
        state.depth, state.lent = self._outer


def put_in_place(tensors: Sequence[Tensor], datas: Sequence[torch.Tensor]) -> Before:
    """Set thread-local data in compiled regions too: there one thread traces, and nothing of this is run again."""
    if not torch.compiler.is_compiling():
        return lend(tensors, datas)
    before = []
    for tensor, data in zip(tensors, datas, strict=True):
        before.append(tensor._data)
        tensor._data = data
    return before


def put_back(tensors: Sequence[Tensor], before: Before) -> list[torch.Tensor]:
    """Undo `put_in_place`, and return what was in place of each by now."""
    if not torch.compiler.is_compiling():
        return take_back(tensors, before)
    found = [tensor._data for tensor in tensors]
    for tensor, data in zip(reversed(tensors), reversed(before or ()), strict=True):
        tensor._data = data  # type: ignore[assignment]
    return found


def show_as(tensors: Sequence[Tensor], mixin: type[Borrowed]) -> None:
    """Put a mixin before the class of borrowed Tensors, until nothing of them is lent to any thread."""
    with _lock:
        for tensor in tensors:
            tensor.__class__ = _mixed_class(own_class(tensor), mixin)  # type: ignore[arg-type]  # classes are hashable


def own_class(tensor: Tensor) -> Any:
    """Return the class that a Tensor has when nothing is lent."""
    return getattr(tensor, "_own_class", type(tensor))


def alias_to_lend(data: torch.Tensor) -> torch.Tensor:
    """Return an alias of `data` that can be differentiated.

    It counts its versions apart: where another thread changes `data` in place, as optimizers do, the gradient is
    computed from what is there, as MindSpore's is, while `detach()` would have torch refuse the backward pass.
    """
    alias = data.data
    alias.requires_grad = True
    return alias


def _borrowed_class(kind: type) -> Any:
    _classes[kind] = _mixed_class(kind, Borrowed)
    return _classes[kind]


@functools.cache
def _mixed_class(kind: type, mixin: type[Borrowed]) -> Any:
    attributes = {"__slots__": (), "__module__": kind.__module__, "_own_class": kind}
    return type(kind.__name__, (mixin, kind), attributes)


def _forget_other_threads() -> None:
    """Forget the loans of the threads that a forked process does not have."""
    _further.clear()
    for key, tensor in list(_borrowed.items()):
        if key not in state.lent:
            del _borrowed[key]
            tensor.__class__ = own_class(tensor)
    _lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget_other_threads)
