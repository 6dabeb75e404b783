"""Training on a device: the CPU's weights, no needless wait of the host, and no stop where a graph fails."""

import warnings
from collections.abc import Callable

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, amp, nn, ops, train
from msbridge.device.capture import CapturedStep, CaptureWarning
from msbridge.device.capture.recorders import cuda_recorder

GPU = torch.device("cuda", 0)
ROWS = 32
X = np.random.default_rng(0).standard_normal((ROWS, 6)).astype(np.float32)
LABELS = (np.arange(ROWS) % 3).astype(np.int32)


def dense(*shape: int) -> nn.Dense:
    weights = np.cos(np.arange(np.prod(shape))).reshape(shape[::-1]).astype(np.float32)
    return nn.Dense(*shape, weight_init=Tensor(weights), bias_init="zeros")


def network() -> nn.Cell:
    return nn.SequentialCell(dense(6, 5), nn.ReLU(), nn.BatchNorm1d(5), dense(5, 3))


def data(batch: int = 4, repeats: int = 1) -> ms.dataset.Dataset:
    columns = {"x": X, "label": LABELS}
    return ms.dataset.NumpySlicesDataset(columns, shuffle=False).batch(batch, drop_remainder=True).repeat(repeats)


def loss() -> nn.Cell:
    return nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")


def weights(cell: nn.Cell) -> dict[str, np.ndarray]:
    return {item.name: item.asnumpy() for item in cell.get_parameters()}


def trained(target: str, sink: bool, optimizer: Callable, level: str = "O0", **settings: object) -> dict:
    ms.set_context(device_target=target, mode=ms.GRAPH_MODE)
    net = network()
    model = train.Model(net, loss(), optimizer(net.trainable_params()), amp_level=level, **settings)
    model.train(4, data(), dataset_sink_mode=sink)
    return weights(net)


OPTIMIZERS = {
    "Momentum": lambda params: nn.Momentum(params, 0.05, 0.9),
    "Adam": lambda params: nn.Adam(params, 0.01),
    "SGD with a schedule": lambda params: nn.SGD(params, nn.ExponentialDecayLR(0.1, 0.9, 2), 0.9),
}


@pytest.mark.parametrize("sink", [True, False], ids=["sink", "steps"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_weights_are_those_of_the_cpu(name: str, sink: bool) -> None:
    found = trained("GPU", sink, OPTIMIZERS[name])
    expected = trained("CPU", False, OPTIMIZERS[name])
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, rtol=1e-3, atol=1e-4, err_msg=key)


@pytest.mark.parametrize("sink", [True, False], ids=["sink", "steps"])
def test_mixed_precision_trains(sink: bool) -> None:
    manager = ms.amp.DynamicLossScaleManager(2.0**10, 2, 4) if hasattr(ms.amp, "DynamicLossScaleManager") else None
    found = trained("GPU", sink, OPTIMIZERS["Momentum"], "O2", loss_scale_manager=manager)
    expected = trained("GPU", sink, OPTIMIZERS["Momentum"])
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, rtol=0.1, atol=0.05, err_msg=key)


class Skipping(nn.TrainOneStepWithLossScaleCell):
    """Leaves its update out after an overflow, as scripts write it."""

    def construct(self, x: Tensor, label: Tensor) -> tuple:
        scale = self.scale_sense
        value = self.network(x, label)
        grads = self.grad(self.network, self.weights)(x, label, ops.ones_like(value) * scale)
        grads = self.hyper_map(lambda grad: grad / scale, grads)
        cond = self.get_overflow_status(None, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            self.optimizer(grads)
            self.follow()
        return value, cond, scale

    def follow(self) -> None:
        pass


@pytest.mark.parametrize("sink", [True, False], ids=["sink", "steps"])
@pytest.mark.parametrize("scale", ["fixed", "dynamic", "Tensor"])
def test_step_that_leaves_its_update_out_runs(scale: str, sink: bool) -> None:
    ms.set_context(mode=ms.GRAPH_MODE)
    managers = {
        "fixed": lambda: nn.FixedLossScaleUpdateCell(128),
        "dynamic": lambda: nn.DynamicLossScaleUpdateCell(2**14, 2, 3),
        "Tensor": lambda: Tensor(128.0, ms.float32),
    }
    net = nn.WithLossCell(dense(6, 3), loss())
    before = weights(net)
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    train.Model(Skipping(net, optimizer, managers[scale]())).train(3, data(), dataset_sink_mode=sink)
    assert all(np.isfinite(value).all() for value in weights(net).values())
    assert any((value != before[key]).any() for key, value in weights(net).items())


def test_custom_step_of_a_function_gives_the_weights_of_the_cpu() -> None:
    def weights_after(target: str) -> dict[str, np.ndarray]:
        ms.set_context(device_target=target)
        net = network()
        optimizer = nn.Adam(net.trainable_params(), 0.01)
        measure = loss()
        step = ms.value_and_grad(lambda x, label: measure(net(x), label), None, optimizer.parameters)
        for x, label in data().create_tuple_iterator():
            _, grads = step(x, label)
            optimizer(ops.clip_by_global_norm(grads, 1.0))
        return weights(net)

    found, expected = weights_after("GPU"), weights_after("CPU")
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, rtol=1e-3, atol=1e-4, err_msg=key)


# Waits of the host


class Quiet(train.Callback):
    """Counts the waits between the ends of steps, after those in which a network is built."""

    def __init__(self, waits: Callable) -> None:
        self.waits, self.counts, self.open = waits, [], None

    def on_train_step_end(self, run_context: object) -> None:
        if self.open is not None:
            block, seen = self.open
            block.__exit__(None, None, None)
            self.counts.append(seen.count)
        block = self.waits()
        self.open = block, block.__enter__()

    def on_train_end(self, run_context: object) -> None:
        self.open[0].__exit__(None, None, None)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_step_without_a_sink_waits_for_nothing(name: str, waits: Callable) -> None:
    net = network()
    counting = Quiet(waits)
    model = train.Model(net, loss(), OPTIMIZERS[name](net.trainable_params()))
    model.train(2, data(), [counting], dataset_sink_mode=False)
    assert counting.counts[1:7] == [0] * 6


def test_iterator_of_a_script_waits_for_nothing(waits: Callable) -> None:
    rows = data().create_dict_iterator()
    next(rows)
    with waits() as seen:
        batch = next(rows)
    assert batch["x"].device == "GPU:0"
    assert seen.count == 0


def test_eager_step_waits_for_nothing(waits: Callable) -> None:
    net = network()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss()), nn.Adam(net.trainable_params(), 0.01)).set_train()
    batch = Tensor(X[:4]), Tensor(LABELS[:4])
    step(*batch)
    with waits() as seen:
        for _ in range(3):
            step(*batch)
    assert seen.count == 0


# Graphs


def counted_step() -> tuple[nn.Cell, Callable[[int], tuple[Tensor, Tensor]]]:
    net = dense(6, 3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss()), nn.Momentum(net.trainable_params(), 0.05, 0.9)).set_train()
    return step, lambda rows: (Tensor(X[:rows]), Tensor(LABELS[:rows]))


def test_results_of_graphs_of_several_shapes_stay_until_their_own_graph_runs_again() -> None:
    step, batch = counted_step()
    captured = CapturedStep(step, GPU, cuda_recorder(GPU))
    for _ in range(6):
        for rows in (4, 8):
            captured(*batch(rows))
    assert captured.is_replayed, captured.status
    small = captured(*batch(4))
    value = small.asnumpy().copy()
    large = captured(*batch(8))
    assert small.asnumpy() == value
    assert large.asnumpy() != value
    captured(*batch(4))
    assert small.asnumpy() != value


def test_result_that_is_held_outlives_the_graphs_and_new_ones_are_made() -> None:
    step, batch = counted_step()
    captured = CapturedStep(step, GPU, cuda_recorder(GPU))
    for _ in range(6):
        held = captured(*batch(4))
    value = held.asnumpy().copy()
    step.sens = 2.0  # a setting: what was recorded is gone
    captured.look_at_settings()
    with warnings.catch_warnings():
        warnings.simplefilter("error", CaptureWarning)
        for _ in range(6):
            captured(*batch(4))
    assert captured.is_replayed, captured.status
    assert held.asnumpy() == value


@pytest.mark.parametrize("error", [RuntimeError, TypeError, ValueError])
def test_training_goes_on_where_a_trial_fails(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = trained("GPU", True, OPTIMIZERS["Momentum"])

    def fail(graph: object) -> None:
        raise error("no replay here")

    monkeypatch.setattr(torch.cuda.CUDAGraph, "replay", fail)
    with pytest.warns(CaptureWarning, match="a replay failed: no replay here"):
        found = trained("GPU", True, OPTIMIZERS["Momentum"])
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, rtol=1e-4, atol=1e-5, err_msg=key)


def test_training_goes_on_where_the_settings_of_a_step_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(owner: object) -> None:
        raise LookupError("no settings here")

    monkeypatch.setattr("msbridge.device.capture.step.settings_of", fail)
    with pytest.warns(CaptureWarning, match="no settings here"):
        trained("GPU", True, OPTIMIZERS["Momentum"])


def test_levels_of_mixed_precision_compute_on_the_device() -> None:
    for level, kind in (("O2", ms.float16), ("O3", ms.float16), ("auto", ms.bfloat16)):
        net = amp.auto_mixed_precision(network(), level, kind)
        result = net(Tensor(X[:4]))
        assert result.device == "GPU:0"
