"""Rarer distributions. Judge: their quantiles, and the rules of seeds."""

import numpy as np

from msbridge import Tensor, float32, int32, int64, ops, set_seed


def test_cauchy_has_its_quartiles() -> None:
    set_seed(1)
    found = ops.Cauchy([20000], 3.0, 2.0)().asnumpy()
    np.testing.assert_allclose(np.quantile(found, [0.25, 0.5, 0.75]), [1, 3, 5], atol=0.15)


def test_integers_come_from_the_whole_range() -> None:
    for dtype in (int32, int64):
        found = ops.NonDeterministicInts(dtype)(Tensor((100, 100), int32)).asnumpy()
        limits = np.iinfo(found.dtype)
        assert found.min() < 0.9 * limits.min
        assert found.max() > 0.9 * limits.max


def test_rows_of_a_truncated_normal_have_their_own_ends() -> None:
    mean, std = Tensor([0.0, 5.0]), Tensor([1.0, 2.0])
    low, high = Tensor([-1.0, 4.0]), Tensor([0.5, 20.0])
    draw = ops.ParameterizedTruncatedNormal(4, 2)
    found = draw(Tensor((2, 20000), int32), mean, std, low, high).asnumpy()
    assert found[0].min() >= -1
    assert found[0].max() <= 0.5
    assert found[1].min() >= 4
    np.testing.assert_allclose(found.mean(1), [-0.2075, 6.0185], atol=0.04)
    again = ops.ParameterizedTruncatedNormal(4, 2)(Tensor((2, 20000), int32), mean, std, low, high).asnumpy()
    np.testing.assert_array_equal(found, again)


def test_a_drawn_part_covers_a_box() -> None:
    draw = ops.SampleDistortedBoundingBoxV2(1, 2, area_range=(0.2, 0.9))
    size, box = Tensor(np.array([40, 60, 3], np.int32)), Tensor(np.array([[[0.2, 0.2, 0.6, 0.7]]], np.float32))
    parts = [draw(size, box, Tensor([0.5], float32)) for _ in range(20)]
    assert len({tuple(part[0].asnumpy()) for part in parts}) > 3
    for begin, extent, corners in parts:
        top, left, low, right = corners.asnumpy()[0, 0]
        np.testing.assert_allclose([top * 40, left * 60], begin.asnumpy()[:2], atol=1e-4)
        np.testing.assert_allclose([(low - top) * 40, (right - left) * 60], extent.asnumpy()[:2], atol=1e-4)
        shared = (min(low, 0.6) - max(top, 0.2)) * (min(right, 0.7) - max(left, 0.2))
        assert shared >= 0.5 * 0.2 - 1e-6 or (top, left, low, right) == (0, 0, 1, 1)
