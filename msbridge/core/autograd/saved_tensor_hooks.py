"""Saved-tensor hooks: values kept for the backward pass, packed by a script's own functions."""

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import torch

from msbridge.core.tensor.tensor import Tensor, to_torch, wrap

__all__ = ["register_saved_tensors_hooks", "saved_tensors_hooks"]

Function = TypeVar("Function", bound=Callable[..., Any])


class saved_tensors_hooks:
    """A block in which the tensors that operators keep for the backward pass are packed by a function.

    Which tensors an operator keeps is torch's choice; outside of gradient functions nothing is kept.

    Args:
        pack_hook: takes the Tensor that is to be kept and returns what is kept in its place.
        unpack_hook: takes what `pack_hook` returned and returns the Tensor, when the backward pass needs it.

    Raises:
        TypeError: (in the backward pass) `unpack_hook` returns no Tensor.

    Follows: mindspore.saved_tensors_hooks (2.10).
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self._entered: list[AbstractContextManager[Any]] = []

    def __enter__(self) -> None:
        hooks = torch.autograd.graph.saved_tensors_hooks(self._pack, self._unpack)
        hooks.__enter__()
        self._entered.append(hooks)

    def __exit__(self, *error: Any) -> None:
        self._entered.pop().__exit__(*error)

    def _pack(self, data: torch.Tensor) -> Any:
        return self.pack_hook(wrap(data.detach()))

    def _unpack(self, packed: Any) -> torch.Tensor:
        return to_torch(self.unpack_hook(packed))


def register_saved_tensors_hooks(
    pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
) -> Callable[[Function], Function]:
    """Return a decorator whose functions run inside `saved_tensors_hooks`.

    MindSpore's acts in graph mode only; here it acts in both modes, in which functions run alike.

    Args:
        pack_hook: takes a Tensor that is kept for the gradient, and returns what is kept instead.
        unpack_hook: takes that, and returns the Tensor.

    Returns:
        A decorator, which returns a function of the same arguments.

    Follows: mindspore.register_saved_tensors_hooks (2.10).
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with saved_tensors_hooks(pack_hook, unpack_hook):
                return function(*args, **kwargs)

        return run  # type: ignore[return-value]

    return decorate
