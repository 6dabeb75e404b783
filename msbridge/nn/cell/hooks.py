"""Hooks of Cells: what is registered, in which order, and how it is taken away."""

import itertools
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.traversal import CellTraversal

__all__ = ["HookHandle", "Hooks", "Registered", "parameter_hooks"]

_serial = itertools.count()


class Registered(OrderedDict[int, Any]):
    """The hooks registered under the numbers of handles, which refer to them weakly."""


class Hooks(Registered):
    """Hooks on the calls of a Cell, which may go back to plain calls when one is removed.

    Args:
        owner: the Cell; it is not kept alive.
    """

    def __init__(self, owner: Any) -> None:
        super().__init__()
        self._owner = weakref.ref(owner)

    def __delitem__(self, key: int) -> None:
        super().__delitem__(key)
        if not self and (owner := self._owner()) is not None:
            owner._refresh_call()


class HookHandle:
    """Removes a hook.

    Args:
        hook_dict: where the hook is under `handle_id`.
        extra_dict: one or several in which more is said of it.

    Follows: mindspore.common.hook_handle.HookHandle (2.10).
    """

    def __init__(
        self,
        hook_dict: "OrderedDict[int, Any] | None" = None,
        *,
        extra_dict: "OrderedDict[int, Any] | Sequence[OrderedDict[int, Any]] | None" = None,
    ) -> None:
        self.handle_id = next(_serial)
        extra = (extra_dict,) if isinstance(extra_dict, dict) else tuple(extra_dict or ())
        self._places = [weakref.ref(place) for place in (*extra, hook_dict) if place is not None]

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        for place in self._places:
            hooks = place()
            if hooks is not None and self.handle_id in hooks:
                del hooks[self.handle_id]


def parameter_hooks(cell: CellTraversal, hook: Any) -> list[tuple[Parameter, Callable[[Tensor], Tensor]]]:
    """Return the Parameters that are computed with a function's result in their place, and the functions.

    Args:
        cell: whose Parameters are meant where `hook` is a function.
        hook: a function, or mappings of "params" and "hook".

    Raises:
        TypeError: a function cannot be called, or one of the "params" is not a Parameter.
        ValueError: a mapping has other keys.
    """
    if callable(hook):
        return [(parameter, hook) for parameter in cell.get_parameters()]
    if not isinstance(hook, list | tuple):
        raise TypeError(f"For 'register_parameter_forward_hook', a function or a list is expected, got {hook!r}.")
    hooked: list[tuple[Parameter, Callable[[Tensor], Tensor]]] = []
    for row in hook:
        if not isinstance(row, Mapping) or row.keys() != {"params", "hook"}:
            raise ValueError(
                f"For 'register_parameter_forward_hook', a mapping of 'params' and 'hook' is expected, got {row!r}."
            )
        for parameter in row["params"]:
            if not isinstance(parameter, Parameter):
                raise TypeError(
                    f"For 'register_parameter_forward_hook', 'params' must be Parameters, got {parameter!r}."
                )
            if not callable(row["hook"]):
                raise TypeError(f"For 'register_parameter_forward_hook', {row['hook']!r} cannot be called.")
            hooked.append((parameter, row["hook"]))
    return hooked
