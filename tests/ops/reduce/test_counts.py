"""What the CPU build of MindSpore has no kernel for. Judge: its documentation's numbers, and numpy."""

import numpy as np
import pytest

from msbridge import Tensor, int64, ops


def test_accidental_hits() -> None:
    classes, samples = Tensor(np.array([[1, 2], [0, 4], [3, 3]])), Tensor(np.arange(5))
    rows, places, weights = ops.ComputeAccidentalHits(2)(classes, samples)
    np.testing.assert_array_equal(rows.asnumpy(), [0, 0, 1, 1, 2, 2])
    np.testing.assert_array_equal(places.asnumpy(), [1, 2, 0, 4, 3, 3])
    assert (weights.asnumpy() == np.finfo(np.float32).min).all()
    with pytest.raises(ValueError, match="true_classes"):
        ops.ComputeAccidentalHits(1)(classes, samples)


def test_confusion_matrix() -> None:
    labels, guesses = Tensor(np.array([0, 1, 1, 3], np.int32)), Tensor(np.array([1, 2, 1, 3], np.int32))
    expected = [[0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    np.testing.assert_array_equal(ops.ConfusionMatrix(4)(labels, guesses).asnumpy(), expected)
    weighted = ops.ConfusionMatrix(4, "float32")(labels, guesses, Tensor(np.array([1.0, 2, 3, 4], np.float32)))
    np.testing.assert_array_equal(weighted.asnumpy()[1], [0, 3, 2, 0])


def test_histogram_of_fixed_width() -> None:
    values, ends = Tensor(np.array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], np.float32)), Tensor(np.array([0.0, 5.0]))
    np.testing.assert_array_equal(ops.HistogramFixedWidth(5)(values, ends).asnumpy(), [2, 1, 1, 0, 2])


def test_quantile() -> None:
    data = np.array([[0.07, -0.5446, 0.9214], [1, np.nan, 3]], np.float32)
    quantiles = Tensor(np.array([0, 0.5, 1], np.float32))
    np.testing.assert_allclose(ops.Quantile()(Tensor(data[0]), quantiles).asnumpy(), [-0.5446, 0.07, 0.9214])
    found = ops.Quantile(1, True, True)(Tensor(data), 0.5)
    np.testing.assert_allclose(found.asnumpy(), [[0.07], [2]])


def test_an_empty_truth_is_infinitely_far() -> None:
    none, some = Tensor(np.zeros((0, 2), np.int64)), Tensor(np.array([[0, 0]]))
    shape = Tensor(np.array([1, 2]), int64)
    empty = Tensor(np.zeros(0, np.int32))
    assert ops.EditDistance()(some, Tensor(np.array([1], np.int32)), shape, none, empty, shape).asnumpy() == [np.inf]
