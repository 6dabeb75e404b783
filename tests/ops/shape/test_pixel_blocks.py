"""Blocks and windows of images: values recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import Tensor, ops
from tests.tensors import f, i64

VALUES = [
    (lambda: ops.SpaceToDepth(2)(f(1, 2, 2, 2)).reshape(-1), [0, 4, 1, 5, 2, 6, 3, 7]),
    (lambda: ops.DepthToSpace(2)(f(1, 8, 1, 1)).reshape(2, -1), [[0, 2, 4, 6], [1, 3, 5, 7]]),
    (lambda: ops.batch_to_space_nd(f(4, 1, 1, 2), [2, 2], [[0, 0], [0, 1]])[0, 0], [[0, 2, 1], [4, 6, 5]]),
    (lambda: ops.channel_shuffle(f(1, 4, 1, 1), 2).reshape(-1), [0, 2, 1, 3]),
    (lambda: ops.reverse_sequence(f(3, 3), i64([1, 2, 3]), seq_dim=1), [[0, 1, 2], [4, 3, 5], [8, 7, 6]]),
    (lambda: ops.ReverseSequence(0, 1)(f(3, 3), i64([1, 2, 3])), [[0, 4, 8], [3, 1, 5], [6, 7, 2]]),
    (lambda: ops.unfold(f(1, 1, 3, 3), 2)[0, 0], [0, 1, 3, 4]),
    (lambda: ops.fold(f(1, 4, 4), i64([3, 3]), 2)[0, 0], [[0, 5, 5], [10, 30, 20], [10, 25, 15]]),
    (lambda: ops.Im2Col(2)(f(1, 1, 3, 3))[0, 0, 3], [4, 5, 7, 8]),
]


@pytest.mark.parametrize(("call", "values"), VALUES)
def test_values(call: Callable[[], Tensor], values: list) -> None:
    result = call()
    assert (result.asnumpy().tolist() if isinstance(result, Tensor) else list(result)) == values


MISTAKES = [
    (lambda: ops.SpaceToDepth(3)(f(1, 1, 2, 2)), ValueError, "blocks of 3"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


def test_space_to_batch_is_undone_by_batch_to_space() -> None:
    x = f(2, 3, 4, 6)
    there = ops.SpaceToBatchND([2, 3], [[1, 1], [0, 0]])(x)
    assert there.shape == (12, 3, 3, 2)
    assert np.array_equal(ops.BatchToSpaceND([2, 3], [[1, 1], [0, 0]])(there).asnumpy(), x.asnumpy())


def test_extract_image_patches_same_keeps_the_size() -> None:
    patches = ops.ExtractImagePatches([1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME")(f(1, 2, 4, 4))
    assert patches.shape == (1, 18, 4, 4)
    assert patches.asnumpy()[0, 8:10, 1, 1].tolist() == [5, 21]


GRADIENTS = [
    (lambda x: ops.unfold(x[None, None], 2), lambda x: torch.nn.functional.unfold(x[None, None], 2)),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    x = f(2, 3)
    leaf = torch.arange(6.0).reshape(2, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.array_equal(ops.grad(lambda x: (ours(x) ** 2).sum())(x).asnumpy(), leaf.grad.numpy())
