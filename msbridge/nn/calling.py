"""Calls of a Cell that do more than `construct`: precision, hooks, recomputation, a backward pass of its own.

A plain Cell never comes here; `Cell.__call__` asks one attribute.
"""

import itertools
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import torch
from torch.utils import checkpoint
from torch.utils.hooks import BackwardHook

from msbridge.core import context, observing
from msbridge.core.bprop import with_bprop
from msbridge.core.jit.compiling import Compiled
from msbridge.core.lending import put_back, put_in_place
from msbridge.core.parameter import Parameter
from msbridge.core.random import SameDraws
from msbridge.core.recording import RepeatedCall, Standpoint, running
from msbridge.core.tensor import Tensor, wrap
from msbridge.core.trees import map_tensors, unwrap_tree, wrap_tree
from msbridge.nn.inputs import check_inputs

if TYPE_CHECKING:
    from msbridge.nn.cell import Cell

_serial = itertools.count()


class HookHandle:
    """Removes a hook.

    Follows: mindspore.utils.hooks (2.10).
    """

    def __init__(self, cell: "Calling", hooks: dict[int, Callable], key: int) -> None:
        self._cell = cell
        self._hooks = hooks
        self._key = key

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self._key, None)
        self._cell._refresh_call()


class CallSettings:
    """What the calls of one Cell do besides `construct`.

    Attributes:
        precision: the torch dtype that inputs and own parameters are cast to, or None.
        is_recomputed: keep no intermediate results for the backward pass; compute them again.
        compiled: runs in the place of `construct`, after `set_jit_config`; or None.
        expected: what `set_inputs` announced, which graph mode compares with the inputs.
        in_graph: the same in graph mode, after `set_context(jit_level="O2")`.
        repeated_call: after `set_grad()`: notes the calls, of which a gradient function may repeat the last.
        pre_hooks, hooks: run before and after `construct`.
        backward_pre_hooks, backward_hooks: see the gradients of the outputs, and of the inputs.
    """

    __slots__ = (
        *("backward_hooks", "backward_pre_hooks", "compiled", "expected", "hooks", "in_graph"),
        *("is_recomputed", "pre_hooks", "precision", "repeated_call"),
    )

    def __init__(self) -> None:
        self.precision: torch.dtype | None = None
        self.is_recomputed = False
        self.compiled: Compiled | None = None
        self.expected: Any = None
        self.in_graph: Compiled | None = None
        self.repeated_call: RepeatedCall | None = None
        self.pre_hooks: dict[int, Callable] = {}
        self.hooks: dict[int, Callable] = {}
        self.backward_pre_hooks: dict[int, Callable] = {}
        self.backward_hooks: dict[int, Callable] = {}

    def has_hooks(self) -> bool:
        """Whether calls run hooks."""
        return bool(self.pre_hooks or self.hooks or self.backward_pre_hooks or self.backward_hooks)

    def is_plain(self) -> bool:
        """Whether there is nothing to do besides `construct`."""
        return not any(getattr(self, name) for name in self.__slots__)


class Calling:
    """What a Cell keeps about its calls."""

    _special: CallSettings | None = None
    _casts_parameters = True  # under to_float; a Cell may compute with its parameters as they are

    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        """Call `hook_fn(cell, inputs)` before `construct`; a result that is not None replaces the inputs.

        Follows: mindspore.nn.Cell.register_forward_pre_hook (2.10).
        """
        return self._register("register_forward_pre_hook", "pre_hooks", hook_fn, with_kwargs)

    def register_forward_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        """Call `hook_fn(cell, inputs, output)` after `construct`; a result that is not None replaces the output.

        Follows: mindspore.nn.Cell.register_forward_hook (2.10).
        """
        return self._register("register_forward_hook", "hooks", hook_fn, with_kwargs)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_output)` before the backward pass of this Cell; a result replaces the gradient.

        Follows: mindspore.nn.Cell.register_backward_pre_hook (2.10).
        """
        return self._register("register_backward_pre_hook", "backward_pre_hooks", hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_input, grad_output)` after this Cell's backward pass; a result replaces the first.

        Follows: mindspore.nn.Cell.register_backward_hook (2.10).
        """
        return self._register("register_backward_hook", "backward_hooks", hook_fn)

    def _register(self, method: str, kind: str, hook: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        if not callable(hook):
            raise TypeError(f"For '{method}', hook_fn must be a function, but got {hook!r}.")
        if with_kwargs:
            raise ValueError(f"For '{method}', with_kwargs=True is not available in msbridge.")
        settings = self._call_settings()
        hooks = getattr(settings, kind)
        key = next(_serial)
        hooks[key] = hook
        self.__dict__.setdefault("_special", settings)  # another thread may have gone back to plain calls
        return HookHandle(self, hooks, key)

    def _call_settings(self) -> CallSettings:
        settings = self._special
        return self.__dict__.setdefault("_special", CallSettings()) if settings is None else settings

    @property
    def _repeated_call(self) -> RepeatedCall | None:
        settings = self._special
        return None if settings is None else settings.repeated_call

    def _refresh_call(self) -> None:
        """Go back to plain calls when nothing else is asked for any more."""
        settings = self._special
        if settings is not None and settings.is_plain() and not hasattr(type(self), "bprop"):
            self.__dict__.pop("_special", None)
            if not settings.is_plain():  # another thread has asked for something meanwhile
                self.__dict__.setdefault("_special", settings)


class _Again:
    """What a Cell that is computed once more finds as it was: what is lent to the thread, and the random numbers."""

    def __init__(self) -> None:
        self._standpoint, self._draws = Standpoint(), SameDraws()

    def __enter__(self) -> None:
        self._standpoint.__enter__()
        self._draws.__enter__()

    def __exit__(self, *error: object) -> None:
        self._draws.__exit__(*error)
        self._standpoint.__exit__(*error)  # type: ignore[arg-type]


def call(
    cell: "Cell", settings: CallSettings, args: tuple, kwargs: dict[str, Any], compiled: Compiled | None = None
) -> Any:
    """Run a Cell with all that its settings ask for; `compiled` runs in the place of its `construct`."""
    if settings.expected is not None and context.get_context("mode") == context.GRAPH_MODE:
        check_inputs(cell, settings.expected, args, kwargs)
    repeated_call = settings.repeated_call
    if repeated_call is not None and cell.training:
        repeated_call.note(args)
    if settings.has_hooks():
        observing.call_out(f"it calls the hooks of {type(cell).__name__}")
    for hook in tuple(settings.pre_hooks.values()):
        changed = hook(cell, args)
        if changed is not None:
            args = changed if isinstance(changed, tuple) else (changed,)
    watcher = None
    if settings.backward_hooks or settings.backward_pre_hooks:
        watcher = _backward_watcher(cell, settings)
        args = wrap_tree(watcher.setup_input_hook(unwrap_tree(args)))
    run: Callable[..., Any] = settings.compiled or compiled or cell.construct
    bprop = getattr(type(cell), "bprop", None)
    if bprop is not None:
        output = with_bprop(run, cell.bprop, args)  # type: ignore[attr-defined]
    elif settings.is_recomputed and running():
        again = _Again()
        output = checkpoint.checkpoint(
            *(_in_precision, cell, settings.precision, run, args, kwargs),
            use_reentrant=False,
            preserve_rng_state=False,  # see `SameDraws`
            context_fn=lambda: (nullcontext(), again),
        )
    else:
        output = _in_precision(cell, settings.precision, run, args, kwargs)
    if watcher is not None:
        output = wrap_tree(watcher.setup_output_hook(unwrap_tree(output)))
    for hook in tuple(settings.hooks.values()):
        changed = hook(cell, args, output)
        output = output if changed is None else changed
    return output


def _in_precision(
    cell: "Cell", precision: torch.dtype | None, run: Callable[..., Any], args: tuple, kwargs: dict[str, Any]
) -> Any:
    if precision is None:
        return run(*args, **kwargs)

    def cast(tensor: Tensor) -> Tensor:
        data = tensor._data
        return wrap(data.to(precision)) if data.is_floating_point() and data.dtype is not precision else tensor

    own: list[Parameter] = []
    if cell._casts_parameters:
        for parameter in cell._params.values():
            data = None if parameter is None else parameter._data
            if data is not None and data.is_floating_point() and data.dtype is not precision:
                own.append(parameter)
    casts = [parameter._data.to(precision) for parameter in own]
    versions = [data._version for data in casts]
    before = put_in_place(own, casts)
    try:
        return run(*map_tensors(cast, args), **map_tensors(cast, kwargs))
    finally:
        written = zip(own, casts, versions, put_back(own, before), strict=True)
        for parameter, data, version, current in written:  # what was written meanwhile is kept
            if current is not data or current._version != version:
                with torch.no_grad():
                    parameter._data.copy_(current)


def _backward_watcher(cell: "Cell", settings: CallSettings) -> BackwardHook:
    def on_inputs(_: Any, grad_inputs: Any, grad_outputs: Any) -> Any:
        gradients = wrap_tree(grad_inputs)
        for hook in tuple(settings.backward_hooks.values()):
            changed = hook(cell, gradients, wrap_tree(grad_outputs))
            if changed is not None:
                gradients = changed if isinstance(changed, tuple) else (changed,)
        return unwrap_tree(gradients)

    def on_outputs(_: Any, grad_outputs: Any) -> Any:
        gradients = wrap_tree(grad_outputs)
        for hook in tuple(settings.backward_pre_hooks.values()):
            changed = hook(cell, gradients)
            if changed is not None:
                gradients = changed if isinstance(changed, tuple) else (changed,)
        return unwrap_tree(gradients)

    return BackwardHook(cell, [on_inputs], [on_outputs])
