"""Distinct, nonzero and largest elements, against numpy and torch."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import msbridge as ms
from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)
IMAGE = torch.from_numpy(DRAW.normal(size=(1, 2, 4, 6)).astype(np.float32))
NUMBERS = np.array([3, 1, 3, 2, 1, 3], np.int32)


def test_distinct_elements() -> None:
    wanted = np.unique(NUMBERS, return_inverse=True, return_counts=True)
    found = gen.Unique2()(Tensor(NUMBERS), True, True, True)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(found, wanted, strict=True))
    assert np.array_equal(gen.InnerUnique()(Tensor(NUMBERS), True, True)[1], wanted[1])
    table = NUMBERS.reshape(2, 3)[:, [0, 1, 0]]
    values, places, counts = gen.UniqueDim()(Tensor(table), True, True, 1)
    assert np.array_equal(values, np.unique(table, axis=1))
    assert counts.asnumpy().tolist() == [1, 2]
    assert np.array_equal(values.asnumpy()[:, places.asnumpy()], table)


def test_places_that_are_not_zero() -> None:
    table = np.array([[1, 0, 2], [0, 3, 0]])
    assert np.array_equal(gen.InnerNonZero()(Tensor(table)), np.stack(np.nonzero(table)))
    for ours, theirs in zip(gen.NonZeroExt()(Tensor(table)), np.nonzero(table), strict=True):
        assert np.array_equal(ours, theirs)


def test_places_by_tensors() -> None:
    table = np.arange(6, dtype=np.float32).reshape(2, 3)
    places = [Tensor([0, 1, 1]), Tensor([1, 2, 1])]
    assert gen.InnerIndex()(Tensor(table), places).asnumpy().tolist() == [1, 5, 4]
    ours = Tensor(table.copy())
    gen.InnerInplaceIndexPut()(ours, places, Tensor([1.0, 2.0, 3.0]), True)
    assert ours.asnumpy().tolist() == [[0, 2, 2], [3, 7, 7]]


def test_medians() -> None:
    values, places = gen.MedianDim()(Tensor([[3.0, 1.0, 2.0, 5.0]]))
    assert (values.asnumpy().tolist(), places.asnumpy().tolist()) == ([2.0], [2])


def test_the_largest_of_windows() -> None:
    wanted, places = F.max_pool2d(IMAGE, 2, 1, 1, return_indices=True)
    for found in (gen.FuncMaxPool2D()(Tensor(IMAGE), 2, 1, 1), gen.MaxPoolWithIndices(2, 1, 1)(Tensor(IMAGE))):
        assert np.array_equal(found[0], wanted)
        assert np.array_equal(found[1], places)
    assert gen.MaxPoolWithIndices(2, argmax_type=ms.int32)(Tensor(IMAGE))[1].dtype == ms.int32
    leaf, seed = IMAGE.clone().requires_grad_(), torch.rand_like(wanted)
    (slope,) = torch.autograd.grad(F.max_pool2d(leaf, 2, 1, 1), leaf, seed)
    assert np.allclose(gen.MaxPoolGradWithIndices(2, 1, 1)(*map(Tensor, (IMAGE, seed, places))), slope)
    with pytest.raises(ValueError, match="argmax_type"):
        gen.MaxPoolWithIndices(2, argmax_type=ms.float32)(Tensor(IMAGE))


def test_a_number_of_maxima() -> None:
    found = gen.AdaptiveMaxPool1D()(Tensor(IMAGE[0]), (3,))
    for ours, theirs in zip(found, F.adaptive_max_pool1d(IMAGE[0], 3, True), strict=True):
        assert np.array_equal(ours, theirs)
