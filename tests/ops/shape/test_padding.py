"""Borders: values recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import Tensor, ops
from tests.tensors import f, i64

VALUES = [
    (lambda: ops.pad(f(2, 2), [1, 1, 0, 1]), [[0, 0, 1, 0], [0, 2, 3, 0], [0, 0, 0, 0]]),
    (lambda: ops.pad(f(2, 2), (1, 1), value=2.5), [[2.5, 0, 1, 2.5], [2.5, 2, 3, 2.5]]),
    (lambda: ops.pad(f(1, 3), (-1, 0)), [[1, 2]]),
    (lambda: ops.pad(f(1, 2, 3), (1, 1), mode="reflect")[0], [[1, 0, 1, 2, 1], [4, 3, 4, 5, 4]]),
    (lambda: ops.pad(f(1, 2, 3), (1, 1), mode="replicate")[0], [[0, 0, 1, 2, 2], [3, 3, 4, 5, 5]]),
    (lambda: ops.pad(f(1, 2, 3), (1, 1), mode="circular")[0], [[2, 0, 1, 2, 0], [5, 3, 4, 5, 3]]),
    (lambda: ops.Pad(((1, 0), (0, 1)))(f(2, 2)), [[0, 0, 0], [0, 1, 0], [2, 3, 0]]),
    (lambda: ops.PadV3()(f(2, 2), i64([1, 0]), Tensor(2.0)), [[2, 0, 1], [2, 2, 3]]),
    (lambda: ops.MirrorPad()(f(2, 3), i64([[0, 0], [1, 2]])), [[1, 0, 1, 2, 1, 0], [4, 3, 4, 5, 4, 3]]),
    (lambda: ops.MirrorPad("SYMMETRIC")(f(1, 3), i64([[1, 0], [2, 0]])), [[1, 0, 0, 1, 2], [1, 0, 0, 1, 2]]),
    (lambda: ops.padding(f(2, 1), 3), [[0, 0, 0], [1, 0, 0]]),
]


@pytest.mark.parametrize(("call", "values"), VALUES)
def test_values(call: Callable[[], Tensor], values: list) -> None:
    result = call()
    assert (result.asnumpy().tolist() if isinstance(result, Tensor) else list(result)) == values


MISTAKES = [
    (lambda: ops.pad(f(2, 3), (1,)), ValueError, "divisible by 2, got 1"),
    (lambda: ops.pad(f(2, 3), (1.0, 1)), TypeError, "ints"),
    (lambda: ops.pad(f(2, 3), (1, 1), mode="foo"), ValueError, "mode must be"),
    (lambda: ops.pad(f(3), (1, 1), mode="reflect"), ValueError, "cannot pad 1 axes"),
    (lambda: ops.Pad(((1, -1),))(f(2)), ValueError, "at least 0"),
    (lambda: ops.MirrorPad()(f(1, 2), i64([[0, 0], [2, 0]])), ValueError, "cannot be mirrored"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


GRADIENTS = [
    (lambda x: ops.MirrorPad()(x, i64([[0, 0], [1, 1]])), lambda x: x[:, [1, 0, 1, 2, 1]]),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    x = f(2, 3)
    leaf = torch.arange(6.0).reshape(2, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.array_equal(ops.grad(lambda x: (ours(x) ** 2).sum())(x).asnumpy(), leaf.grad.numpy())
