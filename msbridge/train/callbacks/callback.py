"""The base of callbacks, their run context, and the list of them that a run calls.

A callback may define the names of the 1.x releases (`begin`, `step_end`, …), which are called in training and in
evaluation, or those of 2.x (`on_train_step_end`, `on_eval_end`, …), which go first where both are defined.
"""

import contextlib
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.defining_modules import is_own

_OLD_HOOKS = ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")
_NAMED_BEFORE = {f"on_{phase}_{hook}": hook for phase in ("train", "eval") for hook in _OLD_HOOKS}


class NoSuchParameter(KeyError, AttributeError):
    """A callback asked for something that the run has not set; found by `except KeyError` and by `hasattr`."""


class InternalCallbackParam(dict[str, Any]):
    """The parameters of a run for its callbacks: a dict whose entries are attributes too.

    Attributes:
        data_seed: from which the run's dataset draws; no entry, for MindSpore has none like it.
    """

    data_seed: int | None = None

    def note_data_seed(self, seed: int) -> None:
        """Set `data_seed`."""
        vars(self)["data_seed"] = seed

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise NoSuchParameter(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def as_callbacks(callbacks: Callback | Sequence[Callback] | None) -> list[Callback]:
    """Return the callbacks of a run as a list.

    Raises:
        TypeError: something is not a Callback.
    """
    if callbacks is None:
        return []
    found = list(callbacks) if isinstance(callbacks, list | tuple) else [callbacks]
    if not all(isinstance(callback, Callback) for callback in found):
        raise TypeError("When the 'callbacks' is a list, the elements in 'callbacks' must be Callback functions.")
    return found  # type: ignore[return-value]


def check_named_for_phase(callbacks: Sequence[Callback]) -> None:
    """Refuse a script's callbacks that define names of 1.x, for runs that train and evaluate.

    Raises:
        ValueError: there is one.
    """
    for callback in callbacks:
        if is_own(type(callback)):
            continue
        old = sorted(name for name in _OLD_HOOKS if name in vars(type(callback)))
        if old:
            raise ValueError(
                f"For {type(callback).__name__} callback, {old} methods may not be supported in later version, "
                "Use methods prefixed with 'on_train' or 'on_eval' instead when using customized callbacks."
            )


def _calling(hook: str) -> Any:
    def call_all(self: "CallbackManager", run_context: RunContext) -> None:
        self.call(hook, run_context)

    call_all.__name__ = hook
    return call_all


class CallbackManager(Callback):
    """Calls several callbacks, in order; entered and left together.

    Args:
        callbacks: one Callback, several, or None.

    Raises:
        TypeError: something is not a Callback.
    """

    def __init__(self, callbacks: Callback | Sequence[Callback] | None) -> None:
        self.callbacks = as_callbacks(callbacks)
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> "CallbackManager":
        with contextlib.ExitStack() as stack:
            self.callbacks = [stack.enter_context(callback) or callback for callback in self.callbacks]
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        return self._stack.__exit__(kind, error, traceback)

    def call(self, hook: str, run_context: RunContext) -> None:
        """Call the hook of that name of each callback, or the one of 1.x that it represents; not those of the base."""
        base, named_before = getattr(Callback, hook), _NAMED_BEFORE.get(hook, hook)
        for callback in self.callbacks:
            method = getattr(callback, hook)
            if getattr(method, "__func__", None) is base:
                method = getattr(callback, named_before)
                if getattr(method, "__func__", None) is getattr(Callback, named_before):
                    continue
            method(run_context)

    begin, epoch_begin, step_begin, step_end, epoch_end, end = map(
        _calling, ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")
    )
    on_train_begin, on_train_epoch_begin, on_train_step_begin, on_train_step_end, on_train_epoch_end, on_train_end = (
        map(
            _calling,
            (
                *("on_train_begin", "on_train_epoch_begin", "on_train_step_begin"),
                *("on_train_step_end", "on_train_epoch_end", "on_train_end"),
            ),
        )
    )
    on_eval_begin, on_eval_epoch_begin, on_eval_step_begin, on_eval_step_end, on_eval_epoch_end, on_eval_end = map(
        _calling,
        (
            *("on_eval_begin", "on_eval_epoch_begin", "on_eval_step_begin"),
            *("on_eval_step_end", "on_eval_epoch_end", "on_eval_end"),
        ),
    )


def first_output(outputs: Any) -> Any:
    """Return the loss of a step: what the network returned, or the first of several."""
    return outputs[0] if isinstance(outputs, tuple | list) and outputs else outputs
