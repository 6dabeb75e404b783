"""Primitives that only r1.0 published; judge: formulas, and the loss of a transducer over all ways by hand."""

import itertools

import numpy as np
import pytest

import msbridge
from msbridge import Tensor
from msbridge.ops.legacy import r1_0_names

KINDS = r1_0_names._KINDS


def every_way(chances, labels, blank):
    """Sum the chances of all orders of waiting and speaking."""
    steps, count = chances.shape[0], len(labels)
    total = 0.0
    for order in set(itertools.permutations([0] * (steps - 1) + [1] * count)):
        step = place = 0
        chance = 1.0
        for speaks in order:
            chance *= chances[step, place, labels[place] if speaks else blank]
            step, place = step + (not speaks), place + speaks
        total += chance * chances[steps - 1, count, blank]
    return total


def test_the_transducer_loss_sums_over_all_ways():
    scores = np.sin(np.arange(3 * 3 * 4)).reshape(1, 3, 3, 4).astype(np.float32)
    labels = np.array([[1, 3]], np.int32)
    lengths = Tensor(np.array([3], np.int32)), Tensor(np.array([2], np.int32))
    cost, gradient = KINDS["RNNTLoss"](blank_label=0)(Tensor(scores), Tensor(labels), *lengths)
    chances = np.exp(scores[0]) / np.exp(scores[0]).sum(-1, keepdims=True)
    assert cost.asnumpy() == pytest.approx([-np.log(every_way(chances, labels[0], 0))], rel=1e-5)
    assert gradient.shape == (1, 3, 3, 4)
    assert gradient.asnumpy().sum() == pytest.approx(0, abs=1e-5)  # softmax: the sums over classes are zero


def test_the_fused_normalization_is_that_of_the_batch():
    x = Tensor(np.arange(8, dtype=np.float32).reshape(2, 2, 2, 1))
    scale, bias, moving, variance = (Tensor(np.full(2, value, np.float32)) for value in (1, 0, 0, 1))
    result, mean, *_ = KINDS["FusedBatchNorm"](mode=1)(x, scale, bias, moving, variance)
    assert mean.asnumpy().tolist() == [2.5, 4.5]
    assert result.asnumpy().mean() == pytest.approx(0, abs=1e-6)
    assert len(KINDS["FusedBatchNormEx"]()(x, scale, bias, moving, variance)) == 6


def test_a_switch_and_a_merge_undo_each_other():
    assert KINDS["GeSwitch"]()(3, True) == (None, 3)
    assert KINDS["Merge"]()(KINDS["GeSwitch"]()(3, False)) == (3, 0)


def test_they_are_there_under_their_release_alone(dropin):
    from mindspore.ops import operations

    assert not hasattr(operations, "FusedBatchNorm")
    msbridge.set_release("1.0")
    assert operations.FusedBatchNorm().mode == 0
    assert operations.MakeRefKey("w")() == "w"
    msbridge.set_release(None)
    assert not hasattr(operations, "FusedBatchNorm")
