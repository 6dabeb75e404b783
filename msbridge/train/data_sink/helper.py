"""DatasetHelper: what a loop over a dataset goes over, with a sink or without."""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean
from msbridge.core.context import context
from msbridge.core.runtime.accelerators import with_streams
from msbridge.core.runtime.callback import RunContext
from msbridge.core.tensor.tensor import Tensor
from msbridge.device.channel import DataChannel
from msbridge.device.sink import can_sink
from msbridge.train.data_sink.calls import Calls, SendInfo
from msbridge.train.data_sink.feed import begin
from msbridge.train.data_sink.plan import SinkPlan, SinkSize, check_sink_size, plan_sinks
from msbridge.train.loop.resuming import Start

__all__ = ["DatasetHelper"]


class DatasetHelper:
    """Iterates over a dataset: over its batches, or over the calls that a sink needs. One loop is one epoch.

    Args:
        dataset: the dataset.
        dataset_sink_mode: sink the data into the device.
        sink_size: steps of one sink; -1 is the whole dataset; "auto", which MindSpore does not know, is the whole
            dataset in sinks of at most 100 steps.
        epoch_num: how often the dataset is traversed, at most; -1 is any number.

    Attributes:
        iter: an iterator: over lists of Tensors, or in a sink over the empty inputs of the connected network.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sink_size` is neither -1 nor positive, or the dataset is empty.
        RuntimeError: a sink was asked for on the CPU.

    Follows: mindspore.DatasetHelper (2.10), and what its code does on an Ascend.
    """

    def __init__(
        self, dataset: Any, dataset_sink_mode: bool = True, sink_size: SinkSize = -1, epoch_num: int = 1
    ) -> None:
        boolean(dataset_sink_mode, "dataset_sink_mode", "DatasetHelper")
        sink_size = check_sink_size(sink_size, "The 'sink_size' must be -1 or positive, but got sink_size {}.")
        if dataset_sink_mode and not can_sink():
            raise RuntimeError(
                "Currently dataset sink mode is not supported when the device target is CPU, please set "
                "dataset_sink_mode to False in Model.train()"
            )
        self.iter: Calls | _Batches
        if dataset_sink_mode:
            plan = plan_sinks(dataset, sink_size)
            _place_at_an_end(dataset, plan)
            self.iter = Calls(dataset, plan, epoch_num)
        else:
            self.iter = _Batches(dataset, epoch_num)

    def __iter__(self) -> Iterator[Sequence[Any]]:
        return iter(self.iter)

    def begin_at(self, start: Start) -> None:
        """Set where in the data the first batch is.

        Args:
            start: the step, counted from the first epoch on.
        """
        self.iter.begin_at(start)

    def sink_size(self) -> int:
        """Return the number of steps of a sink.

        Returns:
            An int.

        Raises:
            AttributeError: there is no sink.

        Follows: mindspore.DatasetHelper.sink_size (2.10).
        """
        return self.calls.get_sink_size()

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """Return the dtypes and the shapes of a batch.

        Returns:
            (dtypes of MindSpore, shapes), a list each, by columns.

        Raises:
            AttributeError: there is no sink.

        Follows: mindspore.DatasetHelper.types_shapes (2.10).
        """
        return self.calls.types_shapes()

    def get_data_info(self) -> tuple[list[Any], list[Any]]:
        """Return numpy's dtypes and the shapes of a batch.

        Returns:
            (dtypes of numpy, shapes), a list each, by columns.

        Follows: mindspore.DatasetHelper.get_data_info (2.10).
        """
        return self.calls.get_data_info()

    def get_mbuf_queue_size(self) -> int:
        """Return the number of batches that are on the device already; on the CPU none is transferred ahead.

        Returns:
            An int.

        Follows: mindspore.DatasetHelper.get_mbuf_queue_size (2.10).
        """
        return self.calls.get_mbuf_queue_size()

    def get_send_info(self, run_context: RunContext) -> SendInfo:
        """Return the dataset's durations for its batches, by epochs of the run.

        Args:
            run_context: of the run that this helper serves.

        Returns:
            A SendInfo.

        Follows: mindspore.DatasetHelper.get_send_info (2.10).
        """
        return SendInfo(self.calls.get_send_info(), run_context.original_args())

    def stop_send(self) -> None:
        """End the sink: nothing more is sent to the device.

        Follows: mindspore.DatasetHelper.stop_send (2.10).
        """
        self.calls.stop_send()

    def release(self) -> None:
        """End the sink, and the thread that fills it.

        Follows: mindspore.DatasetHelper.release (2.10).
        """
        self.calls.release()

    def continue_send(self) -> None:
        """Continue sending: the sink does so by itself.

        Follows: mindspore.DatasetHelper.continue_send (2.10).
        """
        self.calls.continue_send()

    @property
    def calls(self) -> Calls:
        """The calls that the sink needs.

        Raises:
            AttributeError: there is no sink.
        """
        if not isinstance(self.iter, Calls):
            raise AttributeError("This DatasetHelper has no sink: dataset_sink_mode is False.")
        return self.iter


class _Batches:
    """Passes over the batches of a dataset, as the host's loop takes them.

    To a device with streams, a batch is on its way while the step before it runs.
    """

    def __init__(self, dataset: Any, epoch_num: int) -> None:
        device = context.torch_device()
        self.dataset = dataset
        self._device = device if with_streams(device) is not None else None
        form = {"do_copy": True} if self._device is None else {"output_numpy": True}
        self.iter = dataset.create_tuple_iterator(num_epochs=epoch_num, **form)

    def __iter__(self) -> Iterator[Sequence[Tensor]]:
        return iter(self.iter) if self._device is None else self._pass_ahead(self._device)

    def __next__(self) -> Sequence[Tensor]:
        batch: Sequence[Any] = next(self.iter)
        return batch if self._device is None else list(map(Tensor, batch))

    def _pass_ahead(self, device: torch.device) -> Iterator[Sequence[Tensor]]:
        with DataChannel(self.iter, device, capacity=1) as channel:
            yield from map(list, channel)

    def begin_at(self, start: Start) -> None:
        begin(self.iter, start)


def _place_at_an_end(dataset: Any, plan: SinkPlan) -> None:
    """Round the dataset's initial step down to the end of a sink, in graph mode; in PyNative mode each step is one."""
    step = getattr(dataset, "get_init_step", int)()
    place = plan.begin_of_call(step)
    if place != step:
        dataset.set_init_step(place)
        warnings.warn(
            f"Init global step must be the end of the epoch in sink mode, but got: {step}. Reset it to the end of "
            f"epoch {place // plan.epoch_steps} at step {place}.",
            stacklevel=3,
        )
