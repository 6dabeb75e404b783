"""Datasets joined to networks: batches handed to the host's loop, or sunk into the device.

With a sink, the network that `connect_network_with_dataset` returns takes no inputs: a call runs `sink_size` steps (in
graph mode; a single step in PyNative mode), and each call goes on in the data where the last one ended.
"""

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msbridge.core import context
from msbridge.core.arguments import boolean, integer, positive_int
from msbridge.core.tensor import Tensor
from msbridge.device.channel import Channel, open_channel
from msbridge.device.sink import SinkExecutor, can_sink
from msbridge.nn.cell import Cell
from msbridge.train.resuming import Start


class DatasetHelper:
    """Iterates over a dataset: over its batches, or over the calls that a sink needs.

    Args:
        dataset: the dataset.
        dataset_sink_mode: sink the data into the device.
        sink_size: steps of one sink; -1 is the whole dataset.
        epoch_num: how often the dataset is traversed, at most; -1 is any number.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sink_size` is neither -1 nor positive.
        RuntimeError: a sink was asked for on the CPU.

    Follows: mindspore.DatasetHelper (2.10); sinks as release 1.1 has them on an Ascend.
    """

    def __init__(self, dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1) -> None:
        boolean(dataset_sink_mode, "dataset_sink_mode", "DatasetHelper")
        if integer(sink_size, "sink_size", "DatasetHelper") < -1 or sink_size == 0:
            raise ValueError(f"The 'sink_size' must be -1 or positive, but got sink_size {sink_size}.")
        if dataset_sink_mode and not can_sink():
            raise RuntimeError(
                "Currently dataset sink mode is not supported when the device target is CPU, please set "
                "dataset_sink_mode to False in Model.train()"
            )
        if dataset_sink_mode and sink_size > 0 and context.get_context("mode") == context.GRAPH_MODE:
            _place_at_an_end(dataset, sink_size)
        self.dataset = dataset
        self.iter: _Sink | _Batches = (
            _Sink(dataset, sink_size, epoch_num) if dataset_sink_mode else _Batches(dataset, epoch_num)
        )

    def __iter__(self) -> Iterator[Sequence[Any]]:
        return iter(self.iter)

    def sink_size(self) -> int:
        """Return the number of steps that one call of the connected network runs.

        Raises:
            AttributeError: there is no sink.

        Follows: mindspore.DatasetHelper.sink_size (2.10).
        """
        return self._sink().steps_per_call

    def begin_at(self, start: Start) -> None:
        """Set where in the data the first batch is."""
        self.iter.begin_at(start)

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """Return the dtypes and the shapes of a batch.

        Raises:
            AttributeError: there is no sink.

        Follows: mindspore.DatasetHelper.types_shapes (2.10).
        """
        self._sink()
        return self.dataset.output_types(), self.dataset.output_shapes()

    def get_data_info(self) -> tuple[list[Any], list[Any]]:
        """Return the dtypes and the shapes of a batch.

        Follows: mindspore.DatasetHelper.get_data_info (2.10).
        """
        return self.types_shapes()

    def stop_send(self) -> None:
        """End the sink: nothing more is sent to the device.

        Follows: mindspore.DatasetHelper.stop_send (2.10).
        """
        self._sink().close()

    def release(self) -> None:
        """End the sink, and the thread that fills it.

        Follows: mindspore.DatasetHelper.release (2.10).
        """
        self._sink().close()

    def continue_send(self) -> None:
        """Go on sending: the sink does so by itself.

        Follows: mindspore.DatasetHelper.continue_send (2.10).
        """
        self._sink()

    def _sink(self) -> "_Sink":
        if not isinstance(self.iter, _Sink):
            raise AttributeError("This DatasetHelper has no sink: dataset_sink_mode is False.")
        return self.iter


class _Batches:
    """Passes over the batches of a dataset, as the host's loop takes them."""

    def __init__(self, dataset: Any, epoch_num: int) -> None:
        self._iterator = dataset.create_tuple_iterator(num_epochs=epoch_num, do_copy=True)

    def __iter__(self) -> Iterator[Sequence[Tensor]]:
        return iter(self._iterator)

    def begin_at(self, start: Start) -> None:
        _begin(self._iterator, start)


class _Sink:
    """The way of a dataset into the device; opened with the first batch that is taken."""

    def __init__(self, dataset: Any, sink_size: int, epoch_num: int) -> None:
        self._dataset = dataset
        self._epoch_num = epoch_num
        self._start: Start | None = None
        self._calls_before = 0
        self._channel: Channel | None = None
        size = dataset.get_dataset_size()
        is_graph = context.get_context("mode") == context.GRAPH_MODE
        steps = sink_size if sink_size > 0 else size
        loop_size = getattr(dataset, "__loop_size__", None)
        if loop_size is not None:
            _check_loop_size(loop_size, size)
            steps = loop_size
        self.steps_per_call = steps if is_graph else 1
        if loop_size is not None:
            self.calls = math.ceil(size / self.steps_per_call)
        else:
            self.calls = 1 if is_graph else steps

    def __iter__(self) -> Iterator[tuple[()]]:
        calls, self._calls_before = self.calls - self._calls_before, 0
        return itertools.repeat((), calls)

    def __next__(self) -> tuple[Tensor, ...]:
        if self._channel is None:
            batches = _traversals(self._dataset, self._epoch_num, self._start)
            self._channel = open_channel(batches, context.torch_device())
        return self._channel.take()

    def begin_at(self, start: Start) -> None:
        self._start = start
        self._calls_before = start.step // self.steps_per_call % self.calls  # of the sink in which a run goes on

    def close(self) -> None:
        """End the channel."""
        if self._channel is not None:
            self._channel.close()


def _check_loop_size(loop_size: int, size: int) -> None:
    larger, smaller = max(loop_size, size), min(loop_size, size)
    if larger % smaller:
        raise ValueError(
            f"Dataset size {size} and '__loop_size__' {loop_size} are not matched: one must be divisible by the other."
        )


def _place_at_an_end(dataset: Any, sink_size: int) -> None:
    """Round the dataset's initial step down to the end of a sink."""
    step = getattr(dataset, "get_init_step", int)()
    if step % sink_size:
        epoch = step // sink_size
        dataset.set_init_step(epoch * sink_size)
        warnings.warn(
            f"Init global step must be the end of the epoch in sink mode, but got: {step}. Reset it to the end of "
            f"epoch {epoch} at step {epoch * sink_size}.",
            stacklevel=3,
        )


def _begin(iterator: Any, start: Start) -> None:
    """Let an iterator begin somewhere; one of a script's own making begins where it likes."""
    if hasattr(iterator, "begin_at"):
        iterator.begin_at(start.step, start.data_seed)


def _traversals(dataset: Any, epoch_num: int, start: Start | None) -> Iterator[Sequence[Any]]:
    """Return the batches of several passes, one after another, as ndarrays."""
    iterator = dataset.create_tuple_iterator(num_epochs=epoch_num, output_numpy=True)
    if start is not None:
        _begin(iterator, start)
    first = iterator.position()["epoch"] if hasattr(iterator, "position") else 0
    try:
        for _ in itertools.count() if epoch_num == -1 else range(first, epoch_num):
            is_empty = True
            for batch in iterator:
                is_empty = False
                yield batch
            if is_empty:
                return
    finally:
        if hasattr(iterator, "release"):
            iterator.release()


class SunkNetwork(Cell):
    """A network whose inputs come from a sink.

    Args:
        network: called with the batches.
        helper: has the sink.

    Attributes:
        executor: runs the steps; it has the losses of the last sink.
    """

    def __init__(self, network: Cell, helper: DatasetHelper) -> None:
        super().__init__(auto_prefix=False)
        sink = helper._sink()
        self.network = network
        self.training = network.training
        self.executor = SinkExecutor(network, sink, sink.steps_per_call, list(network.get_parameters()))
        self._is_graph = context.get_context("mode") == context.GRAPH_MODE

    def construct(self) -> Any:
        """Run one sink, or in PyNative mode one step, and return the last step's result."""
        return self.executor.run() if self._is_graph else self.executor.run_step()


def connect_network_with_dataset(network: Cell, dataset_helper: DatasetHelper) -> SunkNetwork:
    """Join a network to the sink of a DatasetHelper.

    Args:
        network: called with the batches of the dataset.
        dataset_helper: made with `dataset_sink_mode=True`.

    Returns:
        A network without inputs; see the top of this module.

    Raises:
        RuntimeError: the helper has no sink.

    Follows: mindspore.connect_network_with_dataset (2.10).
    """
    if not isinstance(dataset_helper.iter, _Sink):
        raise RuntimeError("The API 'connect_network_with_dataset' should be called in dataset sink mode.")
    return SunkNetwork(network, dataset_helper)


def data_sink(
    fn: Callable[..., Any], dataset: Any, sink_size: int = 1, jit_config: Any = None, input_signature: None = None
) -> Callable[[], Any]:
    """Return a function without arguments that runs `fn` on the next `sink_size` batches.

    Args:
        fn: called with the Tensors of a batch.
        dataset: traversed as often as needed.
        sink_size: batches per call.
        jit_config: how MindSpore's graph compiler is to be run; it has no effect.
        input_signature: only None.

    Returns:
        A function that returns what `fn` returned for the last batch.

    Raises:
        TypeError: `sink_size` is not an int, or `input_signature` is given.
        ValueError: `sink_size` is not positive, or the device target is the CPU.

    Follows: mindspore.data_sink (2.10).
    """
    positive_int(sink_size, "sink_size", "data_sink")
    if input_signature is not None:
        raise TypeError(f"For 'data_sink', input_signature must be None, got {input_signature!r}.")
    if not can_sink():
        raise ValueError(
            f"Data sinking supports ascend or gpu device target, but device target is {context.device_target()}."
        )
    executor = SinkExecutor(fn, _Sink(dataset, sink_size, -1), sink_size)
    return executor.run
