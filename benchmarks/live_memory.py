"""The bytes of tensors that are alive, at their most, while a block runs: counted, and so always the same."""

import weakref
from collections.abc import Iterable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

__all__ = ["LiveBytes"]


class LiveBytes(TorchDispatchMode):
    """Counts the memory behind the tensors that operators of this block make, until they are let go.

    Attributes:
        now: bytes of tensors that are alive.
        peak: the most that there were.
        curve: the bytes after each operator.
    """

    def __init__(self, held: Iterable[torch.Tensor] = ()) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.now = self.peak = 0
        self.curve: list[int] = []
        self._known: set[int] = set()
        for tensor in held:
            self._note(tensor)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run an operator and count what it makes."""
        result = func(*args, **(kwargs or {}))
        for one in tree_leaves(result):
            if isinstance(one, torch.Tensor):
                self._note(one)
        self.curve.append(self.now)
        return result

    def _note(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        if storage._cdata in self._known:
            return
        size = storage.nbytes()
        self._known.add(storage._cdata)
        self.now += size
        self.peak = max(self.peak, self.now)
        weakref.finalize(storage, self._forget, storage._cdata, size)

    def _forget(self, key: int, size: int) -> None:
        self._known.discard(key)
        self.now -= size
