"""Shapes: values recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import Parameter, Tensor, ops
from tests.tensors import f, i64

SHAPES = [
    (lambda: ops.reshape(f(2, 3), (3, -1)), (3, 2)),
    (lambda: ops.reshape(f(2, 3), i64([3, 2])), (3, 2)),
    (lambda: ops.Reshape()(f(2, 3), (i64(3), 2)), (3, 2)),
    (lambda: ops.reshape(f(0, 3), (3, 0)), (3, 0)),
    (lambda: f(2, 3).reshape(3, 2), (3, 2)),
    (lambda: f(2, 3).reshape([3, -1]), (3, 2)),
    (lambda: f(2, 3).view(-1), (6,)),
    (lambda: f(2, 3).T.view(6), (6,)),
    (lambda: ops.transpose(f(2, 3, 4), (-1, 0, 1)), (4, 2, 3)),
    (lambda: ops.Transpose()(f(2, 3), (1, 0)), (3, 2)),
    (lambda: f(2, 3, 4).transpose(), (4, 3, 2)),
    (lambda: f(2, 3, 4).transpose(0, 2, 1), (2, 4, 3)),
    (lambda: f(2, 3, 4).transpose((0, 2, 1)), (2, 4, 3)),
    (lambda: f(2, 3, 4).transpose(0, 1), (3, 2, 4)),
    (lambda: f(2, 3, 4).permute(2, 0, 1), (4, 2, 3)),
    (lambda: ops.swapaxes(f(2, 3, 4), 0, 2), (4, 3, 2)),
    (lambda: ops.moveaxis(f(2, 3, 4), 0, 2), (3, 4, 2)),
    (lambda: ops.movedim(f(2, 3, 4), (0, 1), (2, 0)), (3, 4, 2)),
    (lambda: ops.squeeze(f(1, 3, 1)), (3,)),
    (lambda: ops.squeeze(f(1, 3, 1), 1), (1, 3, 1)),
    (lambda: ops.Squeeze((0, 2))(f(1, 3, 1)), (3,)),
    (lambda: ops.Squeeze()(f(1, 3, 1)), (3,)),
    (lambda: f(1, 3, 1).squeeze(axis=(0, 2)), (3,)),
    (lambda: ops.expand_dims(f(2, 3), -3), (1, 2, 3)),
    (lambda: ops.expand_dims(f(2, 3), i64(1)), (2, 1, 3)),
    (lambda: f(2, 3).unsqueeze(dim=1), (2, 1, 3)),
    (lambda: f(2, 3).unsqueeze(axis=1), (2, 1, 3)),
    (lambda: ops.broadcast_to(f(3), (4, 2, -1)), (4, 2, 3)),
    (lambda: ops.BroadcastTo(shape=(2, 3))(f(1, 3)), (2, 3)),
    (lambda: f(1, 3).expand(2, 3), (2, 3)),
    (lambda: ops.flatten(f(2, 3, 4)), (2, 12)),
    (lambda: ops.flatten(f(3)), (3,)),
    (lambda: ops.flatten(f(2, 3, 4), start_dim=0, end_dim=1), (6, 4)),
    (lambda: ops.Flatten()(f(2, 3, 4)), (2, 12)),
    (lambda: f(2, 3, 4).flatten(), (24,)),
    (lambda: f(2, 3, 4).flatten(1), (2, 12)),
    (lambda: ops.atleast_3d(f(2, 3)), (2, 3, 1)),
    (lambda: ops.view_as(f(6), f(2, 3)), (2, 3)),
    (lambda: ops.t(f(2, 3)), (3, 2)),
]


@pytest.mark.parametrize(("call", "shape"), SHAPES)
def test_shape(call: Callable[[], Tensor], shape: tuple[int, ...]) -> None:
    assert call().shape == shape


VALUES = [
    (lambda: ops.flatten(f(2, 2, 2), order="F"), [[0, 4, 2, 6], [1, 5, 3, 7]]),
    (lambda: f(2, 2).flatten("F"), [0, 2, 1, 3]),
    (lambda: ops.flip(f(2, 2), (0, 1)), [[3, 2], [1, 0]]),
    (lambda: ops.ReverseV2(axis=[1])(f(2, 2)), [[1, 0], [3, 2]]),
    (lambda: ops.rot90(f(2, 2), 1, [0, 1]), [[1, 3], [0, 2]]),
    (lambda: f(2, 2).resize((2, 3)), [[0, 1, 2], [3, 0, 0]]),
    (lambda: ops.TensorToTuple()(i64([1, 2])), [1, 2]),
]


@pytest.mark.parametrize(("call", "values"), VALUES)
def test_values(call: Callable[[], Tensor], values: list) -> None:
    result = call()
    assert (result.asnumpy().tolist() if isinstance(result, Tensor) else list(result)) == values


MISTAKES = [
    (lambda: ops.reshape(f(2, 3), (4, 2)), ValueError, "as many elements"),
    (lambda: ops.reshape(f(2, 3), "a"), TypeError, "tuple of ints"),
    (lambda: ops.transpose(f(2, 3), (0, 0)), ValueError, "transpose"),
    (
        lambda: ops.swapaxes(f(2, 3, 4), 0, 5),
        ValueError,
        r"axis must be in \[-3, 3\), got axis1=5 for shape \(2, 3, 4\)",
    ),
    (lambda: ops.expand_dims(f(2, 3), 3), ValueError, r"axis must be in \[-3, 3\), got 3"),
    (lambda: ops.expand_dims(f(2, 3), (0, 1)), TypeError, "expand_dims"),
    (lambda: ops.broadcast_to(f(2), (3,)), ValueError, "broadcast_to"),
    (lambda: ops.flatten(f(2), order="X"), ValueError, "order must be"),
    (lambda: ops.reshape([1, 2], (2,)), TypeError, "must be a Tensor"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


@pytest.mark.parametrize("view", [lambda x: x.view(4), lambda x: ops.reshape(x, (4,)), lambda x: ops.swapaxes(x, 0, 1)])
def test_a_write_to_a_view_shows_in_the_source(view: Callable[[Tensor], Tensor]) -> None:
    source = f(2, 2)
    view(source)[0] = 9.0
    assert source.asnumpy().flatten()[0] == 9


def test_a_parameter_reshapes_into_a_tensor() -> None:
    assert type(ops.reshape(Parameter(f(4), name="p"), (2, 2))) is Tensor


GRADIENTS = [
    (lambda x: ops.transpose(x, (1, 0)), lambda x: x.t()),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    x = f(2, 3)
    leaf = torch.arange(6.0).reshape(2, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.array_equal(ops.grad(lambda x: (ours(x) ** 2).sum())(x).asnumpy(), leaf.grad.numpy())
