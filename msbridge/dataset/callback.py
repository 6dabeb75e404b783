"""Callbacks of a pipeline: what `map` reports to them, and those that keep step with a training run."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.dataset import config
from msbridge.dataset.engine.blocks import Block
from msbridge.dataset.engine.user_values import user_error

__all__ = ["DSCallback", "WaitedDSCallback"]

_HOOKS = ("ds_begin", "ds_epoch_begin", "ds_epoch_end", "ds_step_begin", "ds_step_end")
_WAITING_HOOKS = {"ds_epoch_begin": "sync_epoch_begin", "ds_step_begin": "sync_step_begin"}


@dataclass(frozen=True, slots=True)
class CallbackParam:
    """The position of a pipeline, which its callbacks receive."""

    cur_epoch_num: int  # the epoch, from 1; 0 before the first
    cur_step_num_in_epoch: int  # the row of the epoch, from 1
    cur_step_num: int  # the row, counted over all epochs


class DSCallback:
    """Base of a script's own callbacks of `map`; it defines the methods that it needs.

    Args:
        step_size: the step methods are called for every `step_size`-th row, beginning with the first.

    Raises:
        TypeError: `step_size` is not an int.
        ValueError: it is less than 1.

    Follows: mindspore.dataset.DSCallback (2.10).
    """

    def __init__(self, step_size: int = 1) -> None:
        self.step_size = int_within(step_size, "step_size")

    def ds_begin(self, ds_run_context: CallbackParam) -> None:
        """Called before the pipeline starts."""

    def ds_epoch_begin(self, ds_run_context: CallbackParam) -> None:
        """Called before each epoch."""

    def ds_epoch_end(self, ds_run_context: CallbackParam) -> None:
        """Called after each epoch that was read to its end."""

    def ds_step_begin(self, ds_run_context: CallbackParam) -> None:
        """Called before the operations are applied to a row."""

    def ds_step_end(self, ds_run_context: CallbackParam) -> None:
        """Called after the operations were applied to a row."""

    def hooks(self) -> dict[str, Callable[[CallbackParam], None]]:
        """Return the methods that this class defines, by name."""
        return {name: getattr(self, name) for name in _HOOKS if getattr(type(self), name) is not vars(DSCallback)[name]}


class WaitedDSCallback(Callback, DSCallback):
    """Base of callbacks that keep a pipeline in step with a training run: pass it to `map` and to `Model.train`.

    From the second step (epoch) on, the pipeline waits until the run has finished the one before, then calls
    `sync_step_begin` (`sync_epoch_begin`).

    Args:
        step_size: rows of one training step, usually the batch size.

    Follows: mindspore.dataset.WaitedDSCallback (2.10).
    """

    def __init__(self, step_size: int = 1) -> None:
        self.step_size = step_size
        self.training_ended = False
        self.step_event, self.epoch_event = threading.Event(), threading.Event()
        self.step_run_context: RunContext | None = None
        self.epoch_run_context: RunContext | None = None

    def sync_epoch_begin(self, train_run_context: Any, ds_run_context: CallbackParam) -> None:
        """Called before an epoch of the pipeline, after the training epoch before it."""

    def sync_step_begin(self, train_run_context: Any, ds_run_context: CallbackParam) -> None:
        """Called before a step of the pipeline, after the training step before it."""

    def hooks(self) -> dict[str, Callable[[CallbackParam], None]]:
        """Return the methods that wait for what this class defines, by name."""
        return {
            name: getattr(self, name)
            for name, defined in _WAITING_HOOKS.items()
            if getattr(type(self), defined) is not vars(WaitedDSCallback)[defined]
        }

    def ds_epoch_begin(self, ds_run_context: CallbackParam) -> None:
        """Wait for the end of the training epoch before."""
        if ds_run_context.cur_epoch_num > 1:
            self._wait(self.epoch_event, "ds_epoch_begin")
            self.sync_epoch_begin(self.epoch_run_context, ds_run_context)

    def ds_step_begin(self, ds_run_context: CallbackParam) -> None:
        """Wait for the end of the training step before."""
        if ds_run_context.cur_step_num > self.step_size:
            self._wait(self.step_event, "ds_step_begin")
            self.sync_step_begin(self.step_run_context, ds_run_context)

    def _wait(self, event: threading.Event, where: str) -> None:
        if self.training_ended:
            return
        timeout_s = config.get_callback_timeout()
        if not event.wait(timeout_s):
            raise RuntimeError(f"{where} timed out after {timeout_s} second(s).")
        event.clear()

    def epoch_end(self, run_context: RunContext) -> None:
        """Let the pipeline begin its next epoch."""
        self.epoch_run_context = run_context
        self.epoch_event.set()

    def step_end(self, run_context: RunContext) -> None:
        """Let the pipeline begin its next step."""
        self.step_run_context = run_context
        self.step_event.set()

    def end(self, run_context: RunContext) -> None:
        """Let the pipeline continue without waiting: training has ended."""
        self.training_ended = True
        self.epoch_end(run_context)
        self.step_end(run_context)


class Watch:
    """Notifies the callbacks of a `map` of the position of one run of the pipeline."""

    def __init__(self, callbacks: Sequence[DSCallback]) -> None:
        self._hooks = [(callback.step_size, callback.hooks()) for callback in callbacks]
        self._epoch: int | None = None
        self._step = self._step_in_epoch = 0
        self._tell("ds_begin", 0)

    def enter(self, epoch: int, row: int) -> None:
        """Begin a pass in `epoch`, which counts from 0, unless the epoch is under way already; `row` is its first."""
        if epoch == self._epoch:
            return
        self._step_in_epoch = 0
        self._epoch = epoch
        self._tell("ds_epoch_begin", epoch + 1)
        self._step, self._step_in_epoch = self._step + row, row

    def around(self, compute: Callable[[Block, int], Block]) -> Callable[[Block, int], Block]:
        """Return `compute` with callbacks notified before and after."""

        def compute_and_notify(row: Block, number: int) -> Block:
            self._step += 1
            self._step_in_epoch += 1
            self._tell("ds_step_begin", self._number)
            computed = compute(row, number)
            self._tell("ds_step_end", self._number)
            return computed

        return compute_and_notify

    def epoch_end(self) -> None:
        """The last row of the epoch was computed."""
        self._tell("ds_epoch_end", self._number)

    @property
    def _number(self) -> int:
        return 0 if self._epoch is None else self._epoch + 1

    def _tell(self, name: str, epoch: int) -> None:
        position = CallbackParam(epoch, self._step_in_epoch, self._step)
        for step_size, hooks in self._hooks:
            if name in hooks and (not name.startswith("ds_step") or (self._step_in_epoch - 1) % step_size == 0):
                try:
                    hooks[name](position)
                except Exception as error:
                    raise user_error(error, f"the callback method {name}") from error


def check_callbacks(callbacks: Any) -> list[DSCallback]:
    """Return the callbacks of `map`'s argument as a list.

    Raises:
        TypeError: something is not a DSCallback.
        AttributeError: a callback defines no method.
    """
    if callbacks is None:
        return []
    listed = callbacks if isinstance(callbacks, list) else [callbacks]
    for position, callback in enumerate(listed):
        require_type(callback, "callbacks" if listed is not callbacks else f"callbacks[{position}]", DSCallback)
        if not callback.hooks():
            raise AttributeError(
                f"{type(callback).__name__} defines none of a callback's methods, check the usage of user defined "
                "Callback."
            )
    return listed
