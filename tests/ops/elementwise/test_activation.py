"""Activations. Judge: torch for values and gradients, the real MindSpore 2.10 for what differs from it."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import msbridge as ms
from msbridge import Tensor, nn, ops

X = np.array([-7.0, -3.0, -1.5, -0.5, 0.0, 0.3, 1.0, 2.5, 4.0, 7.0], np.float32)
TORCH = {
    "relu": torch.relu,
    "relu6": F.relu6,
    "gelu": F.gelu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "silu": F.silu,
    "mish": F.mish,
    "hardswish": F.hardswish,
    "hardsigmoid": F.hardsigmoid,
    "hardshrink": F.hardshrink,
    "softshrink": F.softshrink,
    "softplus": F.softplus,
    "softsign": F.softsign,
    "celu": F.celu,
    "elu": F.elu,
    "selu": F.selu,
    "logsigmoid": F.logsigmoid,
    "tanhshrink": F.tanhshrink,
    "hardtanh": F.hardtanh,
    "softmax": lambda x: F.softmax(x, -1),
    "log_softmax": lambda x: F.log_softmax(x, -1),
    "softmin": lambda x: F.softmin(x, -1),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.2),
    "glu": F.glu,
}
LAYERS = {
    nn.ReLU: "relu",
    nn.ReLU6: "relu6",
    nn.Sigmoid: "sigmoid",
    nn.Tanh: "tanh",
    nn.SiLU: "silu",
    nn.Mish: "mish",
    nn.HSwish: "hardswish",
    nn.HSigmoid: "hardsigmoid",
    nn.HShrink: "hardshrink",
    nn.SoftShrink: "softshrink",
    nn.Softsign: "softsign",
    nn.CELU: "celu",
    nn.ELU: "elu",
    nn.SeLU: "selu",
    nn.LogSigmoid: "logsigmoid",
    nn.Tanhshrink: "tanhshrink",
    nn.Hardtanh: "hardtanh",
    nn.Softmax: "softmax",
    nn.LogSoftmax: "log_softmax",
    nn.Softmin: "softmin",
    nn.LeakyReLU: "leaky_relu",
    nn.GLU: "glu",
}
PRIMITIVES = {
    "ReLU": "relu",
    "ReLU6": "relu6",
    "Sigmoid": "sigmoid",
    "Tanh": "tanh",
    "Elu": "elu",
    "SeLU": "selu",
    "HSwish": "hardswish",
    "HSigmoid": "hardsigmoid",
    "Softmax": "softmax",
    "LogSoftmax": "log_softmax",
    "Softplus": "softplus",
    "Softsign": "softsign",
    "Mish": "mish",
}


@pytest.mark.parametrize("name", TORCH)
def test_function_is_torchs(name) -> None:
    expected = TORCH[name](torch.tensor(X, dtype=torch.float64))
    np.testing.assert_allclose(getattr(ops, name)(Tensor(X)).asnumpy(), expected.numpy(), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", TORCH)
def test_gradient_is_torchs(name) -> None:
    points = X * np.float32(0.99)  # beside the kinks, where either slope would do
    leaf = torch.tensor(points, requires_grad=True)
    TORCH[name](leaf).square().sum().backward()
    gradient = ms.grad(lambda x: (getattr(ops, name)(x) ** 2).sum())(Tensor(points))
    np.testing.assert_allclose(gradient.asnumpy(), leaf.grad.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("layer", "name"), LAYERS.items(), ids=lambda item: getattr(item, "__name__", item))
def test_layer_is_the_function(layer, name) -> None:
    np.testing.assert_array_equal(layer()(Tensor(X)).asnumpy(), getattr(ops, name)(Tensor(X)).asnumpy())


@pytest.mark.parametrize(("primitive", "name"), PRIMITIVES.items())
def test_primitive_is_the_function(primitive, name) -> None:
    np.testing.assert_array_equal(
        getattr(ops, primitive)()(Tensor(X)).asnumpy(), getattr(ops, name)(Tensor(X)).asnumpy()
    )


def test_gelu_primitive_and_layer_approximate() -> None:
    expected = F.gelu(torch.tensor(X), approximate="tanh").numpy()
    np.testing.assert_array_equal(ops.GeLU()(Tensor(X)).asnumpy(), expected)
    np.testing.assert_array_equal(nn.GELU()(Tensor(X)).asnumpy(), expected)
    exact = F.gelu(torch.tensor(X, dtype=torch.float64)).numpy()
    np.testing.assert_allclose(nn.GELU(False)(Tensor(X)).asnumpy(), exact, rtol=1e-6, atol=1e-7)


def test_fast_gelu() -> None:
    np.testing.assert_allclose(ops.fast_gelu(Tensor([1.0])).asnumpy(), [0.845796], rtol=1e-6)


def test_prelu_of_one_axis() -> None:
    np.testing.assert_allclose(ops.prelu(Tensor([-2.0, 2.0]), Tensor([0.25])).asnumpy(), [-0.5, 2.0])


def test_softmax_over_two_axes() -> None:
    x = X.reshape(5, 2)
    result = nn.Softmax((0, 1))(Tensor(x)).asnumpy()
    np.testing.assert_allclose(result.ravel(), F.softmax(torch.tensor(X), 0).numpy(), rtol=1e-5, atol=1e-9)


def test_softmax_casts_first() -> None:
    assert ops.softmax(Tensor(X), dtype=ms.float16).dtype == ms.float16


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float64])
def test_dtype_stays(dtype) -> None:
    assert ops.softmax(Tensor(X, dtype)).dtype == dtype
    assert ops.gelu(Tensor(X, dtype)).dtype == dtype


def test_relu_in_place() -> None:
    x = Tensor([-1.0, 2.0])
    assert ops.relu(x, inplace=True) is x
    np.testing.assert_array_equal(x.asnumpy(), [0.0, 2.0])


def test_rrelu_slopes_are_in_range() -> None:
    slopes = -ops.rrelu(Tensor(np.full(1000, -1.0, np.float32))).asnumpy()
    assert slopes.min() >= 1 / 8
    assert slopes.max() <= 1 / 3
    assert slopes.std() > 0.01


def test_gumbel_softmax_is_one_hot() -> None:
    drawn = ops.gumbel_softmax(Tensor(np.zeros((4, 3), np.float32)), hard=True).asnumpy()
    np.testing.assert_allclose(np.sort(drawn), [[0.0, 0.0, 1.0]] * 4, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: ops.relu([1.0]), TypeError, "For 'relu', input must be a Tensor"),
        (lambda: ops.softmax(Tensor(X), 3), ValueError, "axis"),
        (lambda: ops.softmax(Tensor([1, 2])), TypeError, "For 'softmax', the dtypes do not fit: input int64"),
        (lambda: ops.gelu(Tensor(X), "foo"), ValueError, "approximate"),
        (lambda: ops.celu(Tensor(X), 0.0), ValueError, "alpha"),
        (lambda: nn.GELU(1), TypeError, "approximate"),
        (lambda: nn.Softmax("a"), TypeError, "axis"),
        (lambda: nn.PReLU(0), ValueError, "channel"),
        (lambda: nn.PReLU(2, [1.0]), ValueError, "length"),
        (lambda: nn.RReLU(0.5, 0.2), ValueError, "lower"),
        (lambda: nn.Hardtanh(2.0, 1.0), ValueError, "min_val"),
        (lambda: nn.HShrink("a"), TypeError, "lambd"),
        (lambda: nn.get_activation("foo"), KeyError, "foo"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()


def test_get_activation() -> None:
    assert nn.get_activation(None) is None
    assert isinstance(nn.get_activation("leakyrelu"), nn.LeakyReLU)
