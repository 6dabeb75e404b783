"""What a collector notes of real little trainings: reads and their lines, sinks, shapes, memory, waits for data."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import pytest
import torch

from msbridge import nn
from msbridge.core.context import context
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import GeneratorDataset
from msbridge.device.capture.tape import Tape
from msbridge.device.report.collecting import Collector
from msbridge.train import Callback, LossMonitor, Model
from tests.device.report.reported import Net, batch, found, kinds

Step = Callable[[Tensor], Tensor]


def test_nothing_is_told_without_a_collector(step: Step) -> None:
    assert observers.active == ()
    step(batch())


def test_a_read_after_each_step_is_unplanned_and_names_its_line(collector: Collector, step: Step) -> None:
    for _ in range(10):
        loss = step(batch())
        float(loss)  # the read
    seen = collector.summarize()
    finding = found(seen, "unplanned read")
    assert (seen.steps, seen.updates, seen.waits, seen.unplanned) == (10, 10, 10, 10)
    assert finding.severity == "problem"
    assert Path(finding.place.file) == Path(__file__)
    assert finding.place.text == "float(loss)  # the read"
    assert finding.values["waits"] == 10


def test_a_second_read_of_finished_work_does_not_wait(collector: Collector, step: Step) -> None:
    loss = step(batch())
    loss.asnumpy()
    loss.asnumpy()
    assert [(read.count, read.waits, read.bytes) for read in collector.summarize().reads] == [(1, 1, 4), (1, 0, 4)]


def test_a_read_in_the_middle_of_a_step_is_another_finding(collector: Collector) -> None:
    class Reading(Net):
        def construct(self, x: Tensor) -> Tensor:
            out = super().construct(x)
            return out * 2 if out.sum() > 0 else out

    train(Reading(), [])
    finding = found(collector.summarize(), "read inside a step")
    assert finding.place.text == "return out * 2 if out.sum() > 0 else out"


def test_reads_of_threads_that_prepare_data_do_not_count(collector: Collector, step: Step) -> None:
    step(batch())
    thread = threading.Thread(target=Tensor(1.0).asnumpy)
    thread.start()
    thread.join()
    assert collector.summarize().reads == ()


def train(net: nn.Cell, callbacks: list[Callback], sink: bool = True, size: int = 4) -> None:
    rows = [(np.full((1, 4, 4), number, np.float32), np.int32(number % 3)) for number in range(24)]
    data = GeneratorDataset(rows, ["x", "y"], shuffle=False).batch(size)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9))
    model.train(4, data, callbacks=callbacks, dataset_sink_mode=sink, sink_size=3 if sink else -1)


class Reads(Callback):
    def step_end(self, run_context: object) -> None:
        run_context.original_args().net_outputs.asnumpy()


def test_a_sink_waits_once_and_reads_behind_it_wait_for_nothing(collector: Collector) -> None:
    train(Net(), [LossMonitor(), Reads()])
    seen = collector.summarize()
    assert (seen.steps, seen.sinks, seen.sunk_steps, seen.waits, seen.unplanned) == (12, 4, 12, 4, 0)
    assert [(span.sinks, span.steps, span.planned) for span in seen.spans] == [(1, 3, 1)] * 4
    assert {(read.reader, read.count, read.waits) for read in seen.reads} == {("LossMonitor", 4, 0), ("", 4, 0)}
    assert kinds(seen) == {"float16"}
    assert seen.mode == "graph"
    assert seen.bytes_to_device >= 12 * 4 * 64


def test_without_sinks_a_monitor_waits_in_every_step_and_shields_a_callback(collector: Collector) -> None:
    train(Net(), [LossMonitor(), Reads()], sink=False)
    seen = collector.summarize()
    assert (seen.steps, seen.sinks, seen.unplanned) == (24, 0, 0)
    assert found(seen, "frequent read").values["reader"] == "LossMonitor"
    assert "no sinks" in kinds(seen)


def test_shapes_are_counted_for_each_network(collector: Collector, step: Step) -> None:
    for size in (4, 4, 6, 5):
        step(batch(size))
    seen = collector.summarize()
    assert [(one.network, one.shapes, one.steps, one.first_step) for one in seen.shapes] == [
        (0, ((4, 1, 4, 4),), 2, 0),
        (0, ((6, 1, 4, 4),), 1, 2),
        (0, ((5, 1, 4, 4),), 1, 3),
    ]
    assert found(seen, "dynamic shapes").values["count"] == 3


def test_a_smaller_last_batch_is_told_as_such(collector: Collector) -> None:
    train(Net(), [], sink=False, size=5)
    assert found(collector.summarize(), "last batch").values["count"] == 2


def test_memory_of_a_step(collector: Collector, step: Step) -> None:
    step(batch(8))
    memory = collector.summarize().memory
    weights = 4 * (2 * 9 + 32 * 3 + 3)
    assert memory.parameters == weights
    assert memory.gradients == weights
    assert 2 * weights <= memory.optimizer <= 2 * weights + 64  # two moments, and scalars
    assert (memory.batch, memory.inputs) == (8, 8 * 16 * 4)
    by_path = {layer.path: layer for layer in memory.layers}
    assert (by_path["fc"].kind, by_path["fc"].bytes) == ("Dense", 8 * 32 * 4)
    assert memory.growing <= memory.inputs + memory.feature_maps


def test_state_that_a_training_step_has_counts_once(collector: Collector) -> None:
    net = Net()
    cell = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    cell.set_train()(batch(4), Tensor(np.ones((4, 3), np.float32)))
    memory = collector.summarize().memory
    weights = 4 * (2 * 9 + 32 * 3 + 3)
    assert memory.parameters == memory.gradients == weights
    assert weights <= memory.optimizer <= weights + 64


def test_the_largest_batch_is_that_at_which_memory_is_full(collector: Collector, step: Step) -> None:
    step(batch(2))
    small = collector.summarize()
    largest = small.room.largest_batch(small.memory)
    each = small.memory.growing / 2
    rest = small.memory.passing - small.memory.growing
    assert rest + largest * each <= small.room.passing < rest + (largest + 1) * each


def test_operators_that_an_ascend_narrows_are_named_with_their_cell(collector: Collector, step: Step) -> None:
    step(batch(scale=1e6))
    seen = collector.summarize()
    narrowed = {(one.mindspore, one.place): one for one in seen.operators if one.mindspore}
    assert {("Conv2D", "conv (Conv2d)"), ("MatMul", "fc (Dense)"), ("Conv2DBackprop", "the backward pass")} <= {
        *narrowed
    }
    assert narrowed["Conv2D", "conv (Conv2d)"].peak >= 1e6
    assert found(seen, "overflow in float16").values["peak"] >= 1e6


def test_waiting_for_data_is_told_of_and_the_first_batch_apart(collector: Collector, step: Step) -> None:
    steps: SimpleQueue[float] = SimpleQueue()  # how long they took

    def slow() -> object:
        for _ in range(10):
            time.sleep(max(0.03, steps.get(timeout=120)))  # nothing is read while a step runs, however long it takes
            yield (np.ones((1, 4, 4), np.float32),)

    data = GeneratorDataset(slow, ["x"], shuffle=False).batch(1)
    steps.put(0.5)  # more than it takes to ask for the first batch
    for (x,) in data.create_tuple_iterator(num_epochs=1):
        began = time.monotonic()
        step(x)
        steps.put(time.monotonic() - began)
    seen = collector.summarize()
    assert seen.data_s > 0.03
    assert seen.first_wait_s > 0
    assert seen.starved > 0.2
    assert found(seen, "starved").severity == "problem"


def test_a_step_that_fails_leaves_nothing_listening(collector: Collector, step: Step) -> None:
    with pytest.raises(ValueError, match="Dense"):
        step(Tensor(np.ones((4, 1, 5, 5), np.float32)))
    step(batch())
    seen = collector.summarize()
    assert (seen.steps, seen.measured) == (1, 1)
    assert seen.memory.batch == 4


def test_few_steps_are_measured(collector: Collector, step: Step) -> None:
    for size in range(1, 10):
        step(batch(size))
    assert collector.summarize().measured == 4


def test_a_step_that_is_taped_for_a_graph_is_not_measured(collector: Collector, step: Step) -> None:
    with Tape(torch.device("cpu")):
        step(batch())
    step(batch(3))
    seen = collector.summarize()
    assert (seen.steps, seen.measured) == (2, 1)
    assert seen.memory.batch == 3


def test_a_step_in_a_precision_mode_is_measured(collector: Collector, step: Step) -> None:
    context.set_context(ascend_config={"precision_mode": "allow_fp32_to_fp16"})
    step(batch())
    seen = collector.summarize()
    assert (seen.measured, seen.precision) == (1, "allow_fp32_to_fp16")
    assert "float16" not in kinds(seen)
