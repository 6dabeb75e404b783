"""Axis patterns: what they do to shapes and values, and that they undo each other."""

import pytest
import torch

from msbridge.converters import CheckpointError
from msbridge.converters.tensors.axes import axes

AXES = [
    ("o i k -> o i 1 k", (4, 3, 5), (4, 3, 1, 5)),
    ("o i 1 k -> o i k", (4, 3, 1, 5), (4, 3, 5)),
    ("i o -> o i", (2, 3), (3, 2)),
    ("a b c -> c 1 a b", (2, 3, 4), (4, 1, 2, 3)),
    ("(a 1) b -> b a", (2, 3), (3, 2)),
]


@pytest.mark.parametrize(("pattern", "before", "after"), AXES)
def test_axes_move_as_the_pattern_says_and_back(pattern, before, after):
    tensor = torch.arange(torch.Size(before).numel()).reshape(before)
    there = axes(pattern).apply(tensor, "x")
    assert there.shape == after == axes(pattern).shape(before, "x")
    assert torch.equal(axes(pattern).inverse.apply(there, "x"), tensor)
    assert axes(pattern).keeps_order == torch.equal(there.reshape(-1), tensor.reshape(-1))


def test_axes_name_the_tensor_that_does_not_fit():
    for shape in [(2, 3), (2, 3, 4, 5), (2, 3, 2, 5)]:
        with pytest.raises(CheckpointError, match=r"'w' of shape .* does not fit"):
            axes("o i 1 k -> o i k").shape(shape, "w")


@pytest.mark.parametrize("pattern", ["o i", "o i -> o", "o o -> o o", "o -> i", "->x"])
def test_a_wrong_pattern_is_refused(pattern):
    with pytest.raises(CheckpointError, match="same axes"):
        axes(pattern)
