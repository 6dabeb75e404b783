"""Calls of a Cell that do more than `construct`: precision, hooks, recomputation, a backward pass of its own.

A plain Cell never comes here; `Cell.__call__` asks one attribute.
"""

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from torch.utils.hooks import BackwardHook

from msbridge.core.autograd.custom_bprop import in_order, with_bprop
from msbridge.core.autograd.pytree import unwrap_tree, wrap_tree
from msbridge.core.autograd.saved_tensor_hooks import register_saved_tensors_hooks
from msbridge.core.context.grad_state import RepeatedCall, running, state
from msbridge.core.context.graph_mode import is_graph_mode
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.thread_local_data import put_back, put_in_place
from msbridge.nn.cell.call_settings import CallSettings
from msbridge.nn.cell.hooks import HookHandle, Hooks, Registered, parameter_hooks
from msbridge.nn.cell.input_specs import check_inputs
from msbridge.nn.cell.precision import is_cast_at_door, with_casts
from msbridge.ops.precision import ComputingIn

if TYPE_CHECKING:
    from msbridge.nn.cell.cell import Cell

Run = Callable[..., Any] | None  # in place of `construct`


class CellCalls:
    """The state that a Cell keeps about its calls."""

    _special: CallSettings | None = None
    _casts_parameters = True  # under to_float; a Cell may compute with its parameters as they are
    _has_operators = True  # whether `construct` computes by operators, which to_float casts the inputs of

    def register_forward_pre_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Call `hook_fn(cell, inputs)` before `construct`; a result that is not None replaces the inputs.

        Args:
            hook_fn: the hook.
            prepend: call it before those that are registered.
            with_kwargs: call `hook_fn(cell, inputs, kwargs)`, which returns None or (inputs, kwargs).

        Raises:
            TypeError: `hook_fn` cannot be called.
            RuntimeError: (in a call) a hook with keyword arguments returned something else.

        Follows: mindspore.nn.Cell.register_forward_pre_hook (2.10).
        """
        return self._register_hook("register_forward_pre_hook", "pre_hooks", hook_fn, prepend, with_kwargs)

    def register_forward_hook(
        self,
        hook_fn: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> HookHandle:
        """Call `hook_fn(cell, inputs, output)` after `construct`; a result that is not None replaces the output.

        Args:
            hook_fn: the hook.
            prepend: call it before those that are registered.
            with_kwargs: call `hook_fn(cell, inputs, kwargs, output)`.
            always_call: call it after a failure, too, which is raised in any case.

        Raises:
            TypeError: `hook_fn` cannot be called.

        Follows: mindspore.nn.Cell.register_forward_hook (2.10).
        """
        return self._register_hook("register_forward_hook", "hooks", hook_fn, prepend, with_kwargs, always_call)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_output)` before the backward pass of this Cell; a result replaces the gradient.

        Follows: mindspore.nn.Cell.register_backward_pre_hook (2.10).
        """
        return self._register_hook("register_backward_pre_hook", "backward_pre_hooks", hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_input, grad_output)` after this Cell's backward pass; a result replaces the first.

        Follows: mindspore.nn.Cell.register_backward_hook (2.10).
        """
        return self._register_hook("register_backward_hook", "backward_hooks", hook_fn)

    def _register_hook(
        self,
        method: str,
        kind: str,
        hook: Callable[..., Any],
        is_first: bool = False,
        with_kwargs: bool = False,
        is_always: bool = False,
    ) -> HookHandle:
        if not callable(hook):
            raise TypeError(f"For '{method}', hook_fn must be a function, but got {hook!r}.")
        settings = self._call_settings()
        hooks: Hooks = getattr(settings, kind)
        handle = HookHandle(hooks, extra_dict=(settings.with_kwargs, settings.always_called))
        hooks[handle.handle_id] = hook
        if is_first:
            hooks.move_to_end(handle.handle_id, last=False)
        if with_kwargs:
            settings.with_kwargs[handle.handle_id] = True
        if is_always:
            settings.always_called[handle.handle_id] = True
        self.__dict__.setdefault("_special", settings)  # another thread may have gone back to plain calls
        return handle

    def register_saved_tensors_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Pack what `construct` keeps for the backward pass as `mindspore.saved_tensors_hooks` does.

        Follows: mindspore.nn.Cell.register_saved_tensors_hooks (2.10).
        """
        self._call_settings().saving = (pack_hook, unpack_hook)

    def register_parameter_forward_hook(self, hook: Callable[[Tensor], Tensor] | Sequence[Mapping[str, Any]]) -> None:
        """Compute with what a function makes of parameters; gradients flow through it.

        MindSpore's acts in graph mode only; here it acts in both modes, in which Cells run alike.

        Args:
            hook: a function for all parameters of this Cell and those below it; or mappings of "params", a list of
                Parameters, and "hook", the function for these.

        Raises:
            TypeError: a function cannot be called, or one of the "params" is not a Parameter.
            ValueError: a mapping has other keys.

        Follows: mindspore.nn.Cell.register_parameter_forward_hook (2.10).
        """
        self._call_settings().parameter_hooks = parameter_hooks(self, hook)
        self._refresh_call()

    def _call_settings(self) -> CallSettings:
        settings = self._special
        return self.__dict__.setdefault("_special", CallSettings(self)) if settings is None else settings

    @property
    def _forward_pre_hook(self) -> Hooks:
        return self._call_settings().pre_hooks

    @property
    def _forward_hook(self) -> Hooks:
        return self._call_settings().hooks

    @property
    def _backward_pre_hook(self) -> Hooks:
        return self._call_settings().backward_pre_hooks

    @property
    def _backward_hook(self) -> Hooks:
        return self._call_settings().backward_hooks

    @property
    def _forward_pre_hook_with_kwargs(self) -> Registered:
        return self._call_settings().with_kwargs

    @property
    def _forward_hook_with_kwargs(self) -> Registered:
        return self._call_settings().with_kwargs

    @property
    def _forward_hook_always_called(self) -> Registered:
        return self._call_settings().always_called

    def _run_construct(self, *args: Any, **kwargs: Any) -> Any:
        return call(self, self._call_settings(), args, kwargs)  # type: ignore[arg-type]  # a Cell

    _complex_call = _run_construct

    def _call_custom_bprop(self, *args: Any, **kwargs: Any) -> Any:
        return with_bprop(self.construct, self.bprop, in_order(self.construct, args, kwargs))  # type: ignore[attr-defined]

    @property
    def enable_backward_hook(self) -> bool:
        """Whether gradients go through hooks of this Cell.

        Follows: mindspore.nn.Cell.enable_backward_hook (2.10), which is there but not set.
        """
        settings = self._special
        return settings is not None and bool(settings.backward_hooks or settings.backward_pre_hooks)

    @property
    def has_bprop(self) -> bool:
        """Whether gradients come from this Cell's own `bprop`, as they do where its class defines one."""
        settings = self._special
        return hasattr(type(self), "bprop") if settings is None else settings.has_bprop

    @has_bprop.setter
    def has_bprop(self, value: bool) -> None:
        if value != self.has_bprop:
            self._call_settings().has_bprop = value

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


class _Progress:
    """The progress of a call, for the hooks that run after a failure, too."""

    __slots__ = ("args", "called", "kwargs", "output")

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.args, self.kwargs = args, kwargs
        self.output: Any = None
        self.called: set[int] = set()


def call(cell: "Cell", settings: CallSettings, args: tuple, kwargs: dict[str, Any], compiled: Run = None) -> Any:
    """Run a Cell with all that its settings ask for; `compiled` runs in place of its `construct`."""
    if settings.precision is None or is_cast_at_door(cell, settings, compiled):
        return _call_cell(cell, settings, args, kwargs, compiled)
    with ComputingIn(settings.precision):
        return _call_cell(cell, settings, args, kwargs, compiled)


def _call_cell(cell: "Cell", settings: CallSettings, args: tuple, kwargs: dict[str, Any], compiled: Run) -> Any:
    if settings.is_naming:
        settings.is_naming = False
        cell._tell_parameters_apart()
        cell._refresh_call()
    progress = _Progress(args, kwargs)
    try:
        return _all_steps(cell, settings, progress, compiled)
    except Exception:
        if settings.always_called:
            _call_the_others(cell, settings, progress)
        raise


def _all_steps(cell: "Cell", settings: CallSettings, progress: _Progress, compiled: Run) -> Any:
    if settings.expected is not None and is_graph_mode():
        check_inputs(cell, settings.expected, progress.args, progress.kwargs)
    repeated_call = settings.repeated_call
    if repeated_call is not None and cell.training and not state.depth:
        repeated_call.note(progress.args)
    if settings.has_hooks():
        observers.call_out(f"it calls the hooks of {type(cell).__name__}")
    for key, hook in tuple(settings.pre_hooks.items()):
        _call_pre_hook(cell, hook, key in settings.with_kwargs, progress)
    args, kwargs = progress.args, progress.kwargs
    watcher = None
    if settings.backward_hooks or settings.backward_pre_hooks:
        watcher = _backward_watcher(cell, settings)
        args = wrap_tree(watcher.setup_input_hook(unwrap_tree(args)))
    run: Callable[..., Any] = settings.compiled or compiled or settings.prepared or cell.construct
    if settings.parameter_hooks:
        run = functools.partial(_with_parameters, settings.parameter_hooks, run)
    if settings.saving is not None and running():
        run = register_saved_tensors_hooks(*settings.saving)(run)
    if settings.has_bprop:
        if kwargs or getattr(cell.construct, "__defaults__", None):
            args = in_order(cell.construct, args, kwargs)
        output = with_bprop(run, cell.bprop, args)
    elif settings.recomputing is not None:
        output = settings.recomputing.run(_run_hooks_and_construct, cell, settings, compiled, run, args, kwargs)
    else:
        output = _run_hooks_and_construct(cell, settings, compiled, run, args, kwargs)
    progress.output = output
    for key, hook in tuple(settings.hooks.items()):
        _call_forward_hook(cell, key, hook, settings, progress)
    if watcher is not None:
        progress.output = wrap_tree(watcher.setup_output_hook(unwrap_tree(progress.output)))
    return progress.output


def _run_hooks_and_construct(
    cell: "Cell",
    settings: CallSettings,
    compiled: Run,
    run: Callable[..., Any],
    args: tuple,
    kwargs: dict[str, Any],
) -> Any:
    if settings.precision is None:
        return run(*args, **kwargs)
    if is_cast_at_door(cell, settings, compiled):
        return with_casts(cell, settings.precision, run, args, kwargs)
    with ComputingIn(settings.precision):  # already, unless the backward pass computes this again
        return run(*args, **kwargs)


def _call_pre_hook(cell: "Cell", hook: Callable[..., Any], with_kwargs: bool, progress: _Progress) -> None:
    """Call a hook before `construct`."""
    if not with_kwargs:
        changed = hook(cell, progress.args)
        if changed is not None:
            progress.args = changed if isinstance(changed, tuple) else (changed,)
        return
    changed = hook(cell, progress.args, progress.kwargs)
    if changed is None:
        return
    if not isinstance(changed, tuple) or len(changed) != 2:
        raise RuntimeError(
            f"A hook before {type(cell).__name__}.construct that takes its keyword arguments must return None or "
            f"(inputs, keyword arguments), but it returned {changed!r}."
        )
    progress.args, progress.kwargs = changed


def _call_forward_hook(
    cell: "Cell", key: int, hook: Callable[..., Any], settings: CallSettings, progress: _Progress
) -> None:
    """Call a hook after `construct`."""
    progress.called.add(key)
    kwargs = (progress.kwargs,) if key in settings.with_kwargs else ()
    changed = hook(cell, progress.args, *kwargs, progress.output)
    if changed is not None:
        progress.output = changed


def _call_the_others(cell: "Cell", settings: CallSettings, progress: _Progress) -> None:
    """After a failure, call the hooks that were to be called in any case and were not."""
    for key, hook in tuple(settings.hooks.items()):
        if key in settings.always_called and key not in progress.called:
            try:
                _call_forward_hook(cell, key, hook, settings, progress)
            except Exception as error:
                warnings.warn(
                    f"A hook of {type(cell).__name__}, called after a failure, failed as well: {error}", stacklevel=4
                )


def _with_parameters(
    hooks: Sequence[tuple[Parameter, Callable[[Tensor], Tensor]]], run: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """Run a function that finds, in place of parameters, what their hooks make of them."""
    parameters = [parameter for parameter, _ in hooks]
    before = put_in_place(parameters, [hook(wrap(parameter._data))._data for parameter, hook in hooks])
    try:
        return run(*args, **kwargs)
    finally:
        put_back(parameters, before)


def _backward_watcher(cell: "Cell", settings: CallSettings) -> BackwardHook:
    def on_inputs(_: Any, grad_inputs: Any, grad_outputs: Any) -> Any:
        gradients = wrap_tree(grad_inputs)
        for hook in tuple(settings.backward_hooks.values()):
            changed = hook(cell, gradients, wrap_tree(grad_outputs))
            gradients = _replaced_gradients(changed, gradients, f"A backward hook of {type(cell).__name__}")
        return unwrap_tree(gradients)

    def on_outputs(_: Any, grad_outputs: Any) -> Any:
        gradients = wrap_tree(grad_outputs)
        for hook in tuple(settings.backward_pre_hooks.values()):
            changed = hook(cell, gradients)
            gradients = _replaced_gradients(changed, gradients, f"A backward pre-hook of {type(cell).__name__}")
        return unwrap_tree(gradients)

    return BackwardHook(cell, [on_inputs], [on_outputs])


def _replaced_gradients(changed: Any, gradients: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    """Return the gradients that a hook returned, or those of before.

    Raises:
        TypeError: it returned another number of gradients, or None for one.
    """
    if changed is None:
        return gradients
    changed = changed if isinstance(changed, tuple) else (changed,)
    if len(changed) != len(gradients):
        raise TypeError(f"{name} must return {len(gradients)} gradients, but returned {len(changed)}.")
    for new, old in zip(changed, gradients, strict=True):
        if new is None and old is not None:
            raise TypeError(f"{name} must return Tensors, but returned None for a gradient.")
    return changed
