"""The sync wait operator: rows that wait until `sync_update` lets them pass."""

import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msbridge.core.checks.arguments import require_type
from msbridge.dataset import config
from msbridge.dataset.engine.blocks import Block, split_rows
from msbridge.dataset.engine.nodes import ExecutionContext, Input, Operator, Release


@dataclass(eq=False, repr=False)
class SyncWait(Operator):
    """Rows, of which `num_batch` batches pass at the beginning of a run, and as many at each `sync_update`."""

    condition_name: str
    num_batch: int
    callback: Callable[[Any], Any] | None = None

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        require_type(self.condition_name, "condition_name", str)
        if require_type(self.num_batch, "num_batch", int) <= 0:
            raise ValueError(f"num_batch need to be greater than 0, got {self.num_batch}.")
        if self.condition_name in self.children[0].sync_notifiers():
            raise RuntimeError(f"Condition name is already in use: {self.condition_name!r}.")
        self._gate = Gate(self.num_batch, self.callback)

    def sync_notifiers(self) -> dict[str, Release]:
        return {**self.children[0].sync_notifiers(), self.condition_name: self._gate.release}

    def is_sync(self) -> bool:
        return True

    def disable_sync(self) -> None:
        self._gate.open()

    def update_sync_batch_size(self, batch_size: int) -> None:
        """Count in batches of `batch_size` of these rows."""
        self._gate.rows *= batch_size

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        if self not in context.callback_watchers:
            context.callback_watchers[self] = self._gate.restart()
        turn = context.callback_watchers[self]
        for row in split_rows(self.children[0].stream(context, epoch)):
            self._gate.wait(turn)
            yield row


class Gate:
    """Lets rows pass one by one, as many as were released.

    Args:
        rows: how many pass at first, and at each release that does not say how many.
        callback: takes what a release passes.
    """

    def __init__(self, rows: int, callback: Callable[[Any], Any] | None) -> None:
        self.rows = rows
        self._callback = callback
        self._changed = threading.Condition()
        self._left = rows
        self._is_open = False
        self._turn = 0

    def restart(self) -> int:
        """Begin a new run, and return its number; what waits in earlier ones passes."""
        with self._changed:
            self._left = self.rows
            self._turn += 1
            self._changed.notify_all()
            return self._turn

    def wait(self, turn: int) -> None:
        """Wait until the next row may pass; after the timeout of callbacks all rows pass."""
        with self._changed:
            timeout_s = config.get_callback_timeout()
            if not self._changed.wait_for(lambda: self._left > 0 or self._is_open or turn != self._turn, timeout_s):
                warnings.warn(
                    f"sync_wait: no sync_update came for {timeout_s} seconds; from now on all rows pass.",
                    RuntimeWarning,
                    stacklevel=1,
                )
                self._is_open = True
            if turn == self._turn:
                self._left -= 1

    def release(self, rows: int | None, data: Any) -> None:
        """Let `rows` more pass, None being the usual number, and hand `data` to the callback first."""
        with self._changed:
            self._left += self.rows if rows is None else rows
            if self._callback is not None:
                self._callback(data)
            self._changed.notify_all()

    def open(self) -> None:
        """Let all rows pass from now on."""
        with self._changed:
            self._is_open = True
            self._changed.notify_all()
