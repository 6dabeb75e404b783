"""Limits of memory and precisions act on every gradient function. Judge: sizes counted by hand; torch in float16."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import nn
from msbridge.core.autograd.grad import grad, value_and_grad
from msbridge.core.context import context
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import NumpySlicesDataset
from msbridge.device.ascend import GIB
from msbridge.device.limits import room
from msbridge.device.rounding import MODES
from msbridge.ops import matmul
from msbridge.train import Model

WEIGHTS = 4 * 50 * 50  # bytes


def network() -> nn.Cell:
    return nn.SequentialCell(nn.Dense(50, 50, has_bias=False), nn.Sigmoid())


def batch(size: int) -> Tensor:
    return Tensor(np.ones((size, 50), np.float32))


def gib(size: float) -> str:
    return f"{size / GIB:.12f}GB"


@pytest.fixture
def step() -> Callable[[int], None]:
    net = network()
    optimizer = nn.Adam(net.trainable_params())
    compute = value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)
    return lambda size: optimizer(compute(batch(size))[1])


def test_nothing_watches_unless_it_is_set(ascend: None) -> None:
    assert observers.active == ()
    context.set_context(max_device_memory="3GB")
    assert len(observers.active) == 1
    context.set_context(max_device_memory="1024GB")
    assert observers.active == ()


def test_a_step_of_a_loop_by_hand_is_refused_with_what_needs_what(ascend: None, step: Callable[[int], None]) -> None:
    context.set_context(max_device_memory=gib(2 * WEIGHTS + 100 * 50 * 4))
    with pytest.raises(RuntimeError, match=r"max_device_memory allows .* take 9.77 KiB.* in 1 \(Sigmoid\)"):
        step(100)  # weights, gradients, inputs; and the result of the Sigmoid is kept, too


def test_what_fits_runs_until_a_larger_batch_does_not(ascend: None, step: Callable[[int], None]) -> None:
    context.set_context(max_device_memory=gib(4.1 * WEIGHTS + 2 * 20 * 50 * 4))
    step(10)
    step(20)
    with pytest.raises(RuntimeError, match="batch of 40"):
        step(40)


def test_state_of_the_optimizer_counts(ascend: None, step: Callable[[int], None]) -> None:
    context.set_context(max_device_memory=gib(3 * WEIGHTS))
    with pytest.raises(RuntimeError, match=r"optimizers 19.\d KiB"):
        step(1)


def test_variables_have_their_part(ascend: None) -> None:
    context.set_context(variable_memory_max_size="6GB")
    assert (room().resident, room().passing, room().total) == (6 * GIB, 25 * GIB, None)
    context.set_context(max_device_memory="40GB")
    assert (room().resident, room().passing, room().total) == (40 * GIB, 40 * GIB, 40 * GIB)


def test_a_model_is_limited_in_sinks_and_without(ascend: None) -> None:
    context.set_context(max_device_memory=gib(WEIGHTS))
    data = NumpySlicesDataset({"x": np.ones((8, 50), np.float32), "y": np.ones((8, 50), np.float32)}).batch(4)
    net = network()
    for is_sunk in (True, False):
        model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
        with pytest.raises(RuntimeError, match="Device memory is not enough"):
            model.train(1, data, dataset_sink_mode=is_sunk)


def test_a_failure_of_the_network_is_told_as_ever(ascend: None) -> None:
    context.set_context(max_device_memory="3GB")
    with pytest.raises(ZeroDivisionError):
        grad(lambda x: x / (1 // 0))(batch(1))
    context.set_context(max_device_memory="1024GB")
    grad(lambda x: x * x)(Tensor(2.0))


def test_the_cpu_is_not_limited(step: Callable[[int], None]) -> None:
    context.set_context(device_target="CPU")
    with pytest.warns(UserWarning, match="max_device_memory='0.001GB' has no effect"):
        context.set_context(max_device_memory="0.001GB")
    assert context.get_context("max_device_memory") == 1024.0
    step(100)
    assert observers.active == ()


def test_precision_acts_in_gradient_functions_called_by_hand(ascend: None) -> None:
    left, right = (np.random.default_rng(number).random((4, 4)).astype(np.float32) for number in (1, 2))

    def gradient() -> np.ndarray:
        return grad(lambda x: matmul(x, Tensor(right)).sum())(Tensor(left)).asnumpy()

    exact = gradient()
    context.set_context(ascend_config={"precision_mode": "allow_fp32_to_fp16"})
    half = torch.from_numpy(right).half().float()
    expected = (torch.ones(4, 4) @ half.T).half().float().numpy()
    assert np.array_equal(gradient(), expected)
    assert not np.array_equal(exact, expected)
    context.set_context(ascend_config={"precision_mode": "must_keep_origin_dtype"})
    assert np.array_equal(gradient(), exact)


def test_the_modes_that_can_be_set_are_those_that_round() -> None:
    from msbridge.core.context.settings import PRECISION_MODES

    assert set(MODES) == set(PRECISION_MODES)
