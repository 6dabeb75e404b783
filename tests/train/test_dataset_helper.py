"""Sinks on an emulated Ascend. Judge: semantics of release 1.1 on an Ascend, and the same steps without a sink."""

import gc
import threading

import numpy as np
import pytest
from helpers_model import CountingLoss, data, model, numbers

from msbridge import nn
from msbridge.core import context
from msbridge.core.tensor import Tensor
from msbridge.dataset import GeneratorDataset, NumpySlicesDataset
from msbridge.device import ledger
from msbridge.train import (
    Callback,
    CheckpointConfig,
    DatasetHelper,
    LossMonitor,
    Model,
    ModelCheckpoint,
    connect_network_with_dataset,
    data_sink,
    load_checkpoint,
)


class Steps(Callback):
    """Notes the step number at each end of a step, and what callbacks are told."""

    def __init__(self):
        self.steps = []

    def on_train_step_end(self, run_context):
        self.params = run_context.original_args()
        self.steps.append(self.params.cur_step_num)


def no_threads():
    """Whether all threads of datasets and channels end; they were told to, and may need a moment."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("msbridge-")]
    for thread in threads:
        thread.join(timeout=10)
    return not any(thread.is_alive() for thread in threads)


@pytest.fixture(autouse=True)
def all_threads_end():
    yield
    gc.collect()
    assert no_threads()


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
        (5, 3, [0, 1, 2, 3, 4, 0, 1, 2, 3]),  # does not divide: the data goes on
        (2, 3, [0, 1] * 4 + [0]),  # more than the dataset: into the next traversal
        (3, -1, [0, 1, 2] * 3),
    ],
)
def test_data_goes_on_where_the_last_sink_ended(count, sink_size, seen):
    assert train(3, count, sink_size) == seen


@pytest.mark.usefixtures("ascend")
def test_every_traversal_is_shuffled_anew():
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


# -- DatasetHelper ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ascend")
def test_loop_over_a_helper_runs_one_sink_per_pass():
    network = CountingLoss()
    helper = DatasetHelper(numbers(25), dataset_sink_mode=True, sink_size=10, epoch_num=10)
    connected = connect_network_with_dataset(network, helper)
    results = []
    for _ in range(10):
        for inputs in helper:
            assert inputs == ()
            results.append(connected(*inputs).asnumpy())
    helper.release()
    assert len(results) == 10
    assert network.seen == [float(number % 25) for number in range(100)]
    assert (ledger.steps, ledger.host_syncs) == (100, 10)


@pytest.mark.usefixtures("ascend")
def test_helper_that_is_dropped_ends_its_thread():
    helper = DatasetHelper(numbers(25), sink_size=10)
    connect_network_with_dataset(CountingLoss(), helper)()


@pytest.mark.usefixtures("ascend")
def test_helper_says_when_the_data_has_ended():
    helper = DatasetHelper(numbers(5), sink_size=4, epoch_num=1)
    connected = connect_network_with_dataset(CountingLoss(), helper)
    connected()
    with pytest.raises(RuntimeError, match="epoch_num"):
        connected()
    helper.release()


@pytest.mark.usefixtures("ascend")
def test_helper_without_sink_size_sinks_the_whole_dataset():
    helper = DatasetHelper(numbers(5))
    assert helper.sink_size() == 5
    assert len(list(helper)) == 1
    types, shapes = helper.types_shapes()
    assert (types, shapes) == (["float32"], [[1]])


@pytest.mark.usefixtures("ascend_pynative")
def test_helper_in_pynative_mode_gives_a_call_per_step():
    helper = DatasetHelper(numbers(5), sink_size=3)
    assert (helper.sink_size(), len(list(helper))) == (1, 3)


@pytest.mark.usefixtures("ascend")
def test_loop_size_must_divide_the_dataset():
    dataset = numbers(5)
    dataset.__loop_size__ = 2
    with pytest.raises(ValueError, match="divisible"):
        DatasetHelper(dataset)


def test_helper_without_sink_gives_batches():
    helper = DatasetHelper(data(3), dataset_sink_mode=False, epoch_num=2)
    for _ in range(2):
        batches = list(helper)
        assert [(type(batch), len(batch), type(batch[0])) for batch in batches] == [(list, 2, Tensor)] * 3


@pytest.mark.parametrize("method", ["sink_size", "types_shapes", "stop_send", "release", "continue_send"])
def test_helper_without_sink_has_none_of_its_methods(method):
    with pytest.raises(AttributeError, match="no sink"):
        getattr(DatasetHelper(data(1), dataset_sink_mode=False), method)()


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (lambda: DatasetHelper(data(1)), RuntimeError, "device target is CPU"),
        (lambda: DatasetHelper(data(1), 1), TypeError, "bool"),
        (lambda: DatasetHelper(data(1), True, 0), ValueError, "sink_size"),
        (lambda: DatasetHelper(data(1), True, 1.5), TypeError, "int"),
        (lambda: connect_network_with_dataset(nn.Cell(), DatasetHelper(data(1), False)), RuntimeError, "sink mode"),
        (lambda: data_sink(lambda x: x, data(1)), ValueError, "device target is CPU"),
        (lambda: data_sink(lambda x: x, data(1), 0), ValueError, "sink_size"),
    ],
)
def test_bad_argument(action, error, words):
    with pytest.raises(error, match=words):
        action()


# -- data_sink -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ascend")
def test_data_sink_runs_so_many_steps_per_call():
    network = CountingLoss()
    run = data_sink(network, numbers(5), sink_size=3)
    assert [float(run()), float(run())] == [2.0, 0.0]
    assert network.seen == [0, 1, 2, 3, 4, 0]
    assert (ledger.steps, ledger.host_syncs) == (6, 2)
    del run


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
