"""Joins, parts and repetitions: values recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import Tensor, ops
from msbridge.core.releases.release import set_release
from tests.tensors import f

SHAPES = [
    (lambda: ops.tile(f(2, 3), (2, 1, 1)), (2, 2, 3)),
    (lambda: ops.tile(f(2, 3), (2,)), (2, 6)),
    (lambda: f(2, 3).tile(2, 1), (4, 3)),
    (lambda: ops.concat((f(2, 3), f(1, 3)), 0), (3, 3)),
    (lambda: ops.Concat(axis=-1)((f(2, 2), f(2, 2))), (2, 4)),
]


@pytest.mark.parametrize(("call", "shape"), SHAPES)
def test_shape(call: Callable[[], Tensor], shape: tuple[int, ...]) -> None:
    assert call().shape == shape


VALUES = [
    (lambda: ops.stack([f(2), f(2)], 1), [[0, 0], [1, 1]]),
    (lambda: ops.Stack(axis=-1)((f(2), f(2))), [[0, 0], [1, 1]]),
    (lambda: ops.Pack()((f(2), f(2))), [[0, 1], [0, 1]]),
    (lambda: ops.column_stack([f(2), f(2)]), [[0, 0], [1, 1]]),
    (lambda: ops.repeat_elements(f(2, 2), 2, 1), [[0, 0, 1, 1], [2, 2, 3, 3]]),
    (lambda: ops.repeat_interleave(f(2, 2), [1, 2], 0), [[0, 1], [2, 3], [2, 3]]),
]


@pytest.mark.parametrize(("call", "values"), VALUES)
def test_values(call: Callable[[], Tensor], values: list) -> None:
    result = call()
    assert (result.asnumpy().tolist() if isinstance(result, Tensor) else list(result)) == values


PARTS = [
    (lambda: ops.split(f(5), 2), [[0, 1], [2, 3], [4]]),
    (lambda: ops.split(f(6), [1, 2, 3]), [[0], [1, 2], [3, 4, 5]]),
    (lambda: ops.Split(0, 2)(f(4)), [[0, 1], [2, 3]]),
    (lambda: ops.Split()(f(3)), [[0, 1, 2]]),
    (lambda: ops.SplitV((1, -1), 0, 2)(f(4)), [[0], [1, 2, 3]]),
    (lambda: f(4).split(2), [[0, 1], [2, 3]]),
    (lambda: f(4).split(axis=0, output_num=2), [[0, 1], [2, 3]]),
    (lambda: ops.chunk(f(5), 4), [[0, 1], [2, 3], [4]]),
    (lambda: ops.tensor_split(f(5), (1, 3)), [[0], [1, 2], [3, 4]]),
    (lambda: ops.unstack(f(2, 2), 1), [[0, 2], [1, 3]]),
    (lambda: ops.Unstack(axis=0, num=2)(f(2, 2)), [[0, 1], [2, 3]]),
    (lambda: f(2, 2).unbind(), [[0, 1], [2, 3]]),
    (lambda: ops.hsplit(f(4), 2), [[0, 1], [2, 3]]),
]


@pytest.mark.parametrize(("call", "values"), PARTS)
def test_parts(call: Callable[[], tuple], values: list) -> None:
    result = call()
    assert isinstance(result, tuple)
    assert [part.asnumpy().tolist() for part in result] == values


MISTAKES = [
    (lambda: ops.tile(f(3), (-1,)), ValueError, "tile"),
    (lambda: ops.concat([]), ValueError, "no tensor"),
    (lambda: ops.concat([f(2), 3]), TypeError, "tensors must be a list or tuple of Tensors"),
    (lambda: ops.concat((f(2, 3), f(3, 2))), ValueError, "the shapes must be equal, but for the axis"),
    (lambda: ops.stack([f(2), f(1)]), ValueError, "the shapes must be equal"),
    (lambda: ops.split(f(6), (1, 2)), ValueError, "must sum to the length"),
    (lambda: ops.split(f(6), 0), ValueError, "more than zero"),
    (lambda: ops.split(f(6), 2.0), TypeError, "tuple of ints"),
    (lambda: ops.Split(0, 2)(f(5)), ValueError, "divisible by output_num = 2, got 5"),
    (lambda: ops.Unstack(0, 3)(f(2)), ValueError, "num must be"),
    (lambda: ops.repeat_elements(f(2), 0), ValueError, "rep must be positive"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


def test_concat_promotes() -> None:
    assert str(ops.concat([f(2), Tensor(np.float16([1]))]).dtype) == "Float32"


@pytest.mark.parametrize(("release", "values"), [("1.8", [0, 0, 1, 1]), ("2.10", [0, 1, 0, 1])])
def test_repeat_follows_the_release(release: str, values: list) -> None:
    """Judge: the documentation of each release."""
    set_release(release)
    assert f(2).repeat(2).asnumpy().tolist() == values


GRADIENTS = [
    (lambda x: ops.concat((x, x * 2), 1), lambda x: torch.cat((x, x * 2), 1)),
    (lambda x: ops.split(x, 1, 1)[1], lambda x: x[:, 1:2]),
    (lambda x: ops.tile(x, (2, 1)), lambda x: x.tile(2, 1)),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    x = f(2, 3)
    leaf = torch.arange(6.0).reshape(2, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.array_equal(ops.grad(lambda x: (ours(x) ** 2).sum())(x).asnumpy(), leaf.grad.numpy())


def test_the_older_form_of_split_counts_the_parts() -> None:
    x = Tensor(np.arange(8.0).reshape(2, 4))
    for parts in (ops.split(x, axis=1, output_num=2), ops.split(x, 1, output_num=2)):
        assert [part.shape for part in parts] == [(2, 2), (2, 2)]
    with pytest.raises(ValueError, match="output_num"):
        ops.split(x, axis=1, output_num=3)


def test_split_in_the_words_of_r1_x() -> None:
    """By the documentation of 1.10."""
    assert [part.shape for part in ops.split(input_x=f(4, 3), axis=0, output_num=2)] == [(2, 3), (2, 3)]
