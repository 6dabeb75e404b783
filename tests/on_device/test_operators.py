"""Operators on a device where its kernels, or its memory, are not the CPU's."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.checks.no_effect_warnings import WithoutEffectWarning

INTEGERS = [ms.int8, ms.int16, ms.int32, ms.int64, ms.uint8]
PRODUCTS = {
    "matmul": lambda x, y: ops.matmul(x, y),
    "MatMul": lambda x, y: ops.MatMul(transpose_b=True)(x, y.T),
    "@": lambda x, y: x @ y,
    "mm": lambda x, y: ops.mm(x, y),
    "bmm": lambda x, y: ops.bmm(x[None], y[None])[0],
    "mv": lambda x, y: ops.mv(x, y[:, 0]),
    "dot": lambda x, y: x[0] @ y[:, 0],
    "inner": lambda x, y: ops.inner(x, y.T),
    "einsum": lambda x, y: ops.einsum("ij,jk->ik", x, y),
    "tensor_dot": lambda x, y: ops.tensor_dot(x, y, 1),
    "addmm": lambda x, y: ops.addmm(ops.zeros((3, 3), x.dtype), x, y, alpha=3),
    "addmv": lambda x, y: ops.addmv(ops.ones(3, x.dtype), x, y[:, 0]),
    "baddbmm": lambda x, y: ops.baddbmm(ops.ones((1, 3, 3), x.dtype), x[None], y[None])[0],
    "addbmm": lambda x, y: ops.addbmm(ops.ones((3, 3), x.dtype), x[None], y[None]),
    "matrix_power": lambda x, y: ops.matrix_power(x[:, :3], 3),
    "max_pool2d": lambda x, y: ops.max_pool2d(x[None, None], 2),
    "adaptive_max_pool2d": lambda x, y: ops.adaptive_max_pool2d(x[None], 2),
}


def on(target: str, compute, *arrays: np.ndarray) -> np.ndarray:
    ms.set_context(device_target=target)
    return compute(*map(Tensor, arrays)).asnumpy()


def outcome(*arguments) -> object:
    try:
        return on(*arguments)
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("name", PRODUCTS)
def test_integers_give_the_same_as_on_the_cpu(name: str, dtype: object) -> None:
    kind = np.iinfo(ms.dtype_to_nptype(dtype))
    random = np.random.default_rng(0)
    x, y = (random.integers(kind.min, kind.max, shape, kind.dtype) for shape in ((3, 5), (5, 3)))
    found, expected = (outcome(target, PRODUCTS[name], x, y) for target in ("GPU", "CPU"))
    np.testing.assert_array_equal(found, expected)


def test_bools_are_refused_in_the_same_words_as_on_the_cpu() -> None:
    data = np.ones((2, 2), bool)
    found, expected = (outcome(target, ops.matmul, data, data) for target in ("GPU", "CPU"))
    assert found == expected == "TypeError: For 'matmul', the dtypes do not fit: input bool, other bool."


@pytest.mark.parametrize("compute", [ops.add, ops.mul, ops.pow, ops.maximum, ops.greater, ops.atan2, ms.mint.add])
def test_result_of_two_numbers_is_on_the_device(compute) -> None:
    result = compute(3, 2)
    assert result.device == "GPU:0"
    assert ops.stack((result, result)).shape == (2,)


def test_rate_of_a_schedule_is_on_the_device() -> None:
    assert nn.CosineDecayLR(0.01, 0.1, 4)(3).device == "GPU:0"


def test_mixed_devices_are_named_by_argument() -> None:
    here, there = Tensor([1.0, 2.0]), Tensor([1.0, 2.0]).to("CPU")
    with pytest.raises(
        ValueError, match="For 'mul', all Tensors must be on one device, got input on GPU:0, other on CPU"
    ):
        ops.mul(here, there)
    with pytest.raises(ValueError, match="x on CPU, weight on GPU:0"):
        nn.Dense(2, 2)(there[None])
    with pytest.raises(ValueError, match=r"\[0\] on GPU:0, \w+\[1\] on CPU"):
        ops.concat((here, there))
    with pytest.raises(ValueError, match="on CPU"):
        ops.matmul(here, there)


@pytest.mark.parametrize("values", [Tensor, list, np.array], ids=lambda kind: kind.__name__)
def test_parameter_that_waits_on_the_host_is_used_on_the_device(values) -> None:
    with pytest.warns(WithoutEffectWarning, match="device='CPU' has no effect"):
        weight = Parameter(Tensor(values([1.0, 2.0])) if values is np.array else values([1.0, 2.0]), device="CPU")
    assert (weight * Tensor([2.0, 2.0])).asnumpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_descent_primitive_has_the_same_state_as_on_the_cpu(momentum: float) -> None:
    def update() -> list[list[float]]:
        held = [Parameter(Tensor(np.array(values, np.float32))) for values in ([1, 2], [0.3, 0.4], [1, 1])]
        sgd = ops.SGD(0.1)
        for _ in range(2):
            sgd(held[0], Tensor([1.0, 0.5]), Tensor(0.1), held[1], Tensor(momentum), held[2])
        return [item.asnumpy().tolist() for item in held]

    found = update()
    ms.set_context(device_target="CPU")
    np.testing.assert_allclose(found, update(), rtol=1e-6)


def test_numbers_of_no_solution_are_on_the_device() -> None:
    nothing = Tensor(np.full((3, 2), np.nan, np.float32))
    assert ops.lstsq(nothing, Tensor(np.ones((3, 1), np.float32))).device == "GPU:0"


def test_network_with_free_lengths_compiles() -> None:
    net = nn.Dense(3, 2)
    net.set_inputs(Tensor(shape=[None, 3], dtype=ms.float32))
    net.compile(Tensor(shape=[None, 3], dtype=ms.float32))
