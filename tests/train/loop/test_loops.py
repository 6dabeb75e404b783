"""Runs that sink, on an emulated Ascend. Judge: what MindSpore's own loop does there, and the same steps without."""

import re

import numpy as np
import pytest
import torch

from msbridge import nn
from msbridge.core.context import context
from msbridge.dataset import GeneratorDataset, NumpySlicesDataset
from msbridge.device import ledger
from msbridge.train import (
    Callback,
    CheckpointConfig,
    DynamicLossScaleManager,
    LossMonitor,
    Model,
    ModelCheckpoint,
    TimeMonitor,
    load_checkpoint,
)
from tests.train.helpers_model import CountingLoss, data, model, momentum, numbers

pytestmark = pytest.mark.usefixtures("all_threads_end")


class Steps(Callback):
    """Notes the step number at each end of a step, and what callbacks are told."""

    def __init__(self):
        self.steps = []

    def on_train_step_end(self, run_context):
        self.params = run_context.original_args()
        self.steps.append(self.params.cur_step_num)


def train(epochs, count, sink_size, **kwargs):
    """Train on the numbers 0, 1, 2 …; give what the network saw."""
    network = CountingLoss()
    Model(network).train(epochs, numbers(count), dataset_sink_mode=True, sink_size=sink_size, **kwargs)
    return network.seen


def test_on_the_cpu_a_sink_runs_step_by_step(capsys):
    model().train(1, data(4), callbacks=LossMonitor(), dataset_sink_mode=True, sink_size=1)
    where = [line.split(",")[0] for line in capsys.readouterr().out.splitlines()]
    assert where == ["epoch: 1 step: 1"] * 4
    assert ledger.sinks == 0


@pytest.mark.usefixtures("ascend")
def test_one_line_per_sink_with_the_last_loss(capsys):
    train(3, 8, 4, callbacks=LossMonitor())
    assert capsys.readouterr().out.splitlines() == [
        "epoch: 1 step: 4, loss is 3.0",
        "epoch: 2 step: 4, loss is 7.0",
        "epoch: 3 step: 4, loss is 3.0",
    ]


@pytest.mark.usefixtures("ascend")
def test_one_host_sync_per_sink():
    train(3, 8, 4, callbacks=LossMonitor())
    assert (ledger.steps, ledger.sinks, ledger.host_syncs) == (12, 3, 3)


@pytest.mark.usefixtures("ascend")
@pytest.mark.parametrize(
    ("count", "sink_size", "seen"),
    [
        (5, 3, [0, 1, 2, 3, 4, 0, 1, 2, 3]),  # does not divide: the data continues
        (2, 3, [0, 1] * 4 + [0]),  # more than the dataset: into the next traversal
        (3, -1, [0, 1, 2] * 3),
    ],
)
def test_data_goes_on_where_the_last_sink_ended(count, sink_size, seen):
    assert train(3, count, sink_size) == seen


@pytest.mark.usefixtures("ascend")
def test_every_traversal_is_shuffled_again():
    dataset = NumpySlicesDataset(np.arange(16, dtype=np.float32), ["x"]).batch(1)
    network = CountingLoss()
    Model(network).train(2, dataset, dataset_sink_mode=True)
    first, second = network.seen[:16], network.seen[16:]
    assert sorted(first) == sorted(second) == list(range(16))
    assert first != second


@pytest.mark.usefixtures("ascend")
def test_step_numbers_and_what_callbacks_are_told():
    steps = Steps()
    train(2, 8, 4, callbacks=steps)
    assert steps.steps == [4, 8]
    assert steps.params.batch_num == 4
    assert steps.params.train_dataset_element == ()


@pytest.mark.usefixtures("ascend")
def test_losses_of_all_steps_of_a_sink():
    steps = Steps()
    train(1, 8, 4, callbacks=steps)
    assert steps.params.sink_losses.asnumpy().tolist() == [0, 1, 2, 3]


@pytest.mark.usefixtures("ascend_pynative")
def test_in_pynative_mode_callbacks_see_every_step():
    steps = Steps()
    train(2, 8, 4, callbacks=steps)
    assert steps.steps == [1, 2, 3, 4, 5, 6, 7, 8]
    assert ledger.sinks == 0


@pytest.mark.usefixtures("ascend")
def test_sunk_training_is_the_training(capsys):
    sunk, plain = model(), model()
    sunk.train(2, data(4), dataset_sink_mode=True)
    plain.train(2, data(4), dataset_sink_mode=False)
    assert np.array_equal(sunk._network.weight.asnumpy(), plain._network.weight.asnumpy())


@pytest.mark.usefixtures("ascend")
def test_request_to_stop_ends_after_the_sink():
    class Stop(Callback):
        def on_train_step_end(self, run_context):
            run_context.request_stop()

    assert train(3, 8, 4, callbacks=Stop()) == [0, 1, 2, 3]


@pytest.mark.usefixtures("ascend")
def test_error_of_the_dataset_reaches_the_training():
    def source():
        yield (np.float32(0),)
        raise KeyError("no such file")

    dataset = GeneratorDataset(source, ["x"], shuffle=False)
    dataset.get_dataset_size = lambda: 4
    with pytest.raises(Exception, match="no such file"):
        Model(CountingLoss()).train(1, dataset, dataset_sink_mode=True)


@pytest.mark.usefixtures("ascend")
def test_error_of_the_network_passes_through():
    class Broken(nn.Cell):
        def construct(self, x):
            raise ZeroDivisionError("in the network")

    with pytest.raises(ZeroDivisionError, match="in the network"):
        Model(Broken()).train(1, numbers(4), dataset_sink_mode=True)


@pytest.mark.usefixtures("ascend")
def test_fit_evaluates_between_sinks():
    trained = model(metrics={"mse"})
    trained.fit(2, data(4), data(1), dataset_sink_mode=True)
    assert (ledger.sinks, ledger.steps) == (2, 10)


@pytest.mark.usefixtures("ascend")
def test_checkpoints_of_sinks_keep_the_names(tmp_path):
    checkpoint = ModelCheckpoint("p", str(tmp_path), CheckpointConfig(save_checkpoint_steps=4))
    model().train(2, data(4), callbacks=checkpoint, dataset_sink_mode=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p-1_4.ckpt", "p-2_4.ckpt"]
    assert {"weight", "bias", "global_step"} <= load_checkpoint(str(tmp_path / "p-2_4.ckpt")).keys()


@pytest.mark.usefixtures("ascend")
def test_build_prepares_nothing_but_checks():
    model().build(data(1))
    with pytest.raises(ValueError, match="sink_size"):
        model().build(data(1), sink_size=0)


@pytest.mark.usefixtures("ascend")
def test_precision_mode_reaches_the_steps():
    context.set_context(ascend_config={"precision_mode": "force_fp16"})
    seen = []

    class Product(nn.Cell):
        def construct(self, x):
            seen.append((x._data @ x._data.T).item())
            return x

    row = np.array([[1.0001, 1.0]], np.float32)
    Model(Product()).train(1, NumpySlicesDataset(row, ["x"]).batch(1), dataset_sink_mode=True)
    assert seen == [2.0]


@pytest.mark.usefixtures("ascend")
def test_time_monitor_tells_what_the_dataset_took_for_a_batch(capsys):
    train(2, 8, 4, callbacks=TimeMonitor(data_time=True))
    assert len(re.findall(r"ms \(data time: +\d+\.\d{3} ms\)$", capsys.readouterr().out, re.MULTILINE)) == 2


@pytest.mark.usefixtures("ascend")
def test_size_of_its_own_choice_serves_callbacks_within_an_epoch(capsys):
    steps = Steps()
    assert train(2, 150, "auto", callbacks=[LossMonitor(), steps]) == [*range(150)] * 2
    assert capsys.readouterr().out.splitlines() == [
        "epoch: 1 step: 75, loss is 74.0",
        "epoch: 1 step: 150, loss is 149.0",
        "epoch: 2 step: 75, loss is 74.0",
        "epoch: 2 step: 150, loss is 149.0",
    ]
    assert (steps.steps, steps.params.batch_num, steps.params.sink_size) == ([75, 150, 225, 300], 150, 75)
    assert (ledger.sinks, len(steps.params.sink_losses)) == (4, 75)


@pytest.mark.usefixtures("ascend")
def test_last_call_of_an_epoch_may_be_shorter():
    steps = Steps()
    train(2, 202, "auto", callbacks=steps)
    assert steps.steps == [68, 136, 202, 270, 338, 404]
    assert len(steps.params.sink_losses) == 66


@pytest.mark.usefixtures("ascend")
@pytest.mark.parametrize(("step", "first_steps"), [(202, [68, 136, 202]), (270, [68, 134])])
def test_run_goes_on_between_two_calls_of_an_epoch(step, first_steps):
    rows, steps, network = numbers(202), Steps(), CountingLoss()
    rows.set_init_step(step)
    Model(network).train(2, rows, callbacks=steps, dataset_sink_mode=True, sink_size="auto", initial_epoch=1)
    assert steps.steps == first_steps
    assert network.seen == [*range(step - 202, 202)]


@pytest.mark.usefixtures("ascend")
def test_initial_step_within_a_call_is_rounded_down():
    rows, network = numbers(202), CountingLoss()
    rows.set_init_step(300)
    with pytest.warns(UserWarning, match="at step 270"):
        Model(network).train(2, rows, dataset_sink_mode=True, sink_size="auto", initial_epoch=1)
    assert network.seen == [*range(68, 202)]


@pytest.mark.parametrize("mode", ["ascend", "ascend_pynative"])
def test_nothing_is_read_in_a_sink(mode, request, monkeypatch):
    request.getfixturevalue(mode)
    trained, reads = model(momentum(0.1), metrics={"mse", "loss"}, loss_scale_manager=DynamicLossScaleManager()), []
    for name in ("item", "numpy", "cpu", "tolist", "__bool__", "__float__", "__int__", "__index__"):
        method = getattr(torch.Tensor, name)
        monkeypatch.setattr(torch.Tensor, name, lambda data, *rest, call=method: reads.append(1) or call(data, *rest))
    trained.train(2, data(6), callbacks=TimeMonitor(), dataset_sink_mode=True, sink_size=4)
    assert not reads
    trained.eval(data(6), callbacks=Seen(reads), dataset_sink_mode=True)
    assert len(reads) == 4  # each metric's sum and count, at the end


class Seen(Callback):
    def __init__(self, reads):
        self.reads = reads

    def on_eval_epoch_end(self, run_context):
        assert not self.reads


@pytest.mark.usefixtures("ascend")
def test_sunk_evaluation_is_the_evaluation():
    sunk, plain = model(metrics={"mse", "mae", "loss"}), model(metrics={"mse", "mae", "loss"})
    assert sunk.eval(data(5), dataset_sink_mode=True) == plain.eval(data(5), dataset_sink_mode=False)


@pytest.mark.usefixtures("ascend")
def test_epochs_are_those_that_the_model_was_built_for():
    trained, rows = model(), data(2)
    trained.build(rows, epoch=2)
    with pytest.raises(ValueError, match="the value of epoch in build 2"):
        trained.train(3, rows, dataset_sink_mode=True)
    trained.train(2, rows, dataset_sink_mode=True)
