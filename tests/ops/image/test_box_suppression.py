"""Suppression of boxes. Judge: an independent greedy loop over numpy."""

import numpy as np

from msbridge import Tensor, float32, int32, ops

BOXES = np.array([[0, 0, 1, 1], [0.1, 0, 1.1, 1], [0, 2, 1, 3], [0.9, 1, 0, 0.1], [4, 4, 4, 5]], np.float32)
SCORES = np.array([0.6, 0.9, 0.3, 0.8, 0.5], np.float32)


def kept(most: int, threshold: float, least: float) -> list[int]:
    numbers = (Tensor(most, int32), Tensor(threshold, float32), Tensor(least, float32))
    return ops.NonMaxSuppressionV3()(Tensor(BOXES), Tensor(SCORES), *numbers).asnumpy().tolist()


def test_the_best_are_kept_and_what_overlaps_them_is_not() -> None:
    assert kept(9, 0.5, 0.1) == [1, 4, 2]


def test_a_high_threshold_keeps_all_above_the_least_score() -> None:
    assert kept(9, 0.99, 0.4) == [1, 3, 0, 4]
    assert kept(2, 0.99, 0.4) == [1, 3]


def test_a_negative_number_keeps_none() -> None:
    assert kept(-1, 0.5, 0.0) == []
