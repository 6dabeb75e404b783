"""Callbacks that print: the loss, and the time."""

import math
import time
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import boolean, non_negative_int
from msbridge.core.releases.rows import Default
from msbridge.core.runtime import device_to_host
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.standard_streams import print_now
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device.losses import LossList

_LINE = Default("train.TimeMonitor.epoch_end", "{phase} epoch time: {epoch:5.3f} ms, per step time: {step:5.3f} ms")
_LOSS = Default("train.LossMonitor", "python")


class LossMonitor(Callback):
    """Prints the loss every `per_print_times` steps, and stops the training when it is NaN or infinite.

    A loss in the memory of the CPU is looked at in every step. From a device it is read only when it is printed: that
    a loss between was not finite is found at the next line, or at the end of the epoch, and reported with the step at
    which it happened. In releases before 1.8, and for networks that return several outputs, MindSpore prints on and
    never stops; so does this.

    Args:
        per_print_times: steps between two lines; 0 prints none.

    Raises:
        TypeError: `per_print_times` is not an int.
        ValueError: it is negative.

    Examples:
        >>> rows = [(np.float32([1]), np.float32([1]))] * 2
        >>> net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
        >>> model.train(1, ds.GeneratorDataset(rows, ["x", "y"]).batch(1), [ms.LossMonitor()])
        epoch: 1 step: 1, loss is 0.0
        epoch: 1 step: 2, loss is 0.0

    Follows: mindspore.train.LossMonitor (2.10).
    """

    def __init__(self, per_print_times: int = 1) -> None:
        super().__init__()
        non_negative_int(per_print_times, "per_print_times", "LossMonitor")
        self._per_print_times = per_print_times
        self._is_python_value = _LOSS.value == "python"
        self._last_print_step = 0
        self._forget_watched()

    def begin(self, run_context: RunContext) -> None:
        """Reset the counts."""
        self._last_print_step = 0
        self._forget_watched()

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Reset the counts, unless the evaluation is part of a training."""
        if "cur_epoch_num" not in run_context.original_args():
            self.begin(run_context)

    def step_end(self, run_context: RunContext) -> None:
        """Print the loss, when it is time.

        Raises:
            ValueError: the loss is NaN or infinite.
        """
        cb_params = run_context.original_args()
        if cb_params.get("mode") == "eval" and "cur_epoch_num" in cb_params:
            return
        step = cb_params.cur_step_num
        if not self._per_print_times or step - self._last_print_step < self._per_print_times:
            self._watch(cb_params)
            return
        self._last_print_step = step
        self._check_watched(cb_params)
        loss = self._value(cb_params.net_outputs)
        epoch, step_in_epoch = _place(cb_params)
        if isinstance(loss, float) and not math.isfinite(loss) and not isinstance(loss, np.floating):
            raise _not_finite(epoch, step_in_epoch)
        print_now(f"epoch: {epoch} step: {step_in_epoch}, loss is {loss!s}")

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Print the result of the evaluation that `Model.fit` made after this epoch.

        Raises:
            ValueError: the loss of a step that was not printed is NaN or infinite.
        """
        cb_params = run_context.original_args()
        self._check_watched(cb_params)
        if cb_params.get("metrics"):
            print_now(f"Eval result: epoch {cb_params.cur_epoch_num}, metrics: {cb_params.metrics}")

    def _value(self, outputs: Any) -> Any:
        if isinstance(outputs, Tensor):
            mean = np.mean(outputs.asnumpy())
            return float(mean) if self._is_python_value else mean
        if isinstance(outputs, tuple | list) and outputs and isinstance(outputs[0], Tensor):
            return np.mean(outputs[0].asnumpy())
        return outputs

    def _watch(self, cb_params: Any) -> None:
        """Keep the loss of a step that is not printed, to look at later whether it was finite."""
        loss = cb_params.net_outputs
        if not self._is_python_value or not isinstance(loss, Tensor) or not loss._data.is_floating_point():
            return
        if loss._data.is_cpu:  # nothing has to be waited for
            if not bool(torch.isfinite(loss._data.mean())):
                raise _not_finite(*_place(cb_params))
            return
        self._watched_steps.append(cb_params.cur_step_num)
        self._watched.record(loss if loss._data.numel() == 1 else wrap(loss._data.mean()))

    def _check_watched(self, cb_params: Any) -> None:
        if not self._watched_steps:
            return
        is_finite = device_to_host.read(torch.isfinite(self._watched.values())).tolist()
        bad = next((step for step, good in zip(self._watched_steps, is_finite, strict=True) if not good), None)
        self._forget_watched()
        if bad is not None:
            batches = cb_params.batch_num
            steps_ago = cb_params.cur_step_num - bad
            epochs_ago = (cb_params.cur_step_num - 1) // batches - (cb_params.cur_step_num - 1 - steps_ago) // batches
            raise _not_finite(cb_params.cur_epoch_num - epochs_ago, (bad - 1) % batches + 1)

    def _forget_watched(self) -> None:
        self._watched = LossList()
        self._watched_steps: list[int] = []


def _place(cb_params: Any) -> tuple[int, int]:
    """Return the epoch, and the step in it."""
    return cb_params.get("cur_epoch_num", 1), (cb_params.cur_step_num - 1) % cb_params.batch_num + 1


def _not_finite(epoch: int, step: int) -> ValueError:
    return ValueError(
        f"In epoch: {epoch} step: {step}, loss is NAN or INF, training process cannot continue, terminating training."
    )


class TimeMonitor(Callback):
    """Prints how long each epoch took, and how long a step on average.

    Args:
        data_size: steps of an epoch; the run knows them, so this is needed only where it does not.
        data_time: print how long a step waited for its data, too; where the data is sunk, how long the dataset took for
            a batch.

    Raises:
        TypeError: `data_time` is not a bool.

    Examples:
        >>> rows = [(np.float32([1]), np.float32([1]))] * 2
        >>> net = nn.Dense(1, 1)
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
        >>> model.train(1, ds.GeneratorDataset(rows, ["x", "y"]).batch(1), [ms.TimeMonitor()])  # doctest: +ELLIPSIS
        Train epoch time: ... ms, per step time: ... ms

    Follows: mindspore.train.TimeMonitor (2.10).
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False) -> None:
        super().__init__()
        self.data_size = data_size
        self.data_time = boolean(data_time, "data_time", "TimeMonitor")
        self._line = _LINE.value
        self.epoch_time = time.time()  # when the epoch began, as of MindSpore's attributes, which subclasses read
        self.data_time_sum = 0.0  # seconds
        self.data_time_start = 0.0

    def epoch_begin(self, run_context: RunContext) -> None:
        """Note the time."""
        self.epoch_time = self.data_time_start = time.time()
        self.data_time_sum = 0.0

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Count how long the data took."""
        if self.data_time_start:
            self.data_time_sum += time.time() - self.data_time_start

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Note the time."""
        self.data_time_start = time.time()

    def epoch_end(self, run_context: RunContext) -> None:
        """Print the times in milliseconds."""
        cb_params = run_context.original_args()
        mode = cb_params.get("mode", "train")
        epoch_ms = (time.time() - self.epoch_time) * 1000
        steps = cb_params.get("batch_num") or self.data_size or 1
        line = self._line.format(phase=mode.capitalize(), epoch=epoch_ms, step=epoch_ms / steps)
        if self.data_time:
            line += f" (data time: {self._data_ms(run_context, steps):5.3f} ms)"
        print_now(line)

    def _data_ms(self, run_context: RunContext, steps: int) -> float:
        cb_params = run_context.original_args()
        if cb_params.get("dataset_sink_mode") and "dataset_helper" in cb_params:
            times = cb_params.dataset_helper.get_send_info(run_context).epoch(cb_params.cur_epoch_num)
            return float(times["fetch_data_time"])
        return self.data_time_sum * 1000 / steps
