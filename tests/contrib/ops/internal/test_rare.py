"""Primitives that few scripts name, against formulas in numpy: the CPU build of MindSpore has kernels for none but
`ResizeV2`, whose cases are recorded."""

import itertools

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor
from msbridge.contrib.ops.internal import rare
from msbridge.ops import operations as P

RNG = np.random.default_rng(3)


def loss_by_ways(logits: np.ndarray, labels: list[int], blank: int) -> float:
    """Minus the logarithm of the probability of all ways, each written out."""
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    times, count = logs.shape[0], len(labels)
    total = -np.inf
    for marks in itertools.combinations_with_replacement(range(times), count):  # when each label is emitted
        way, emitted = 0.0, 0
        for time in range(times):
            while emitted < count and marks[emitted] == time:
                way += logs[time, emitted, labels[emitted]]
                emitted += 1
            way += logs[time, emitted, blank]
        total = np.logaddexp(total, way)
    return -total


@pytest.mark.parametrize(("blank", "times", "count"), [(0, 4, 2), (2, 3, 3), (1, 1, 1), (0, 3, 1)])
def test_a_transducers_loss_is_that_of_all_ways(blank: int, times: int, count: int) -> None:
    logits = RNG.normal(size=(2, 4, 4, 5)).astype(np.float32)
    labels = np.array([[3, 4, 3], [4, 3, 4]], np.int32)
    sizes = [Tensor(np.array([4, times], np.int32)), Tensor(np.array([3, count], np.int32))]
    costs, slopes = P.RNNTLoss(blank)(Tensor(logits), Tensor(labels), *sizes)
    wanted = [loss_by_ways(logits[0], [3, 4, 3], blank)]
    wanted += [loss_by_ways(logits[1, :times, : count + 1], [4, 3, 4][:count], blank)]
    np.testing.assert_allclose(costs.asnumpy(), wanted, rtol=1e-5)
    step = np.zeros_like(logits)
    step[1, 0, 0, 3] = 1e-2
    ahead = P.RNNTLoss(blank)(Tensor(logits + step), Tensor(labels), *sizes)[0].asnumpy()
    behind = P.RNNTLoss(blank)(Tensor(logits - step), Tensor(labels), *sizes)[0].asnumpy()
    np.testing.assert_allclose(slopes.asnumpy()[1, 0, 0, 3], (ahead - behind)[1] / 2e-2, rtol=2e-2, atol=1e-4)
    assert slopes.shape == logits.shape


def test_a_transducers_loss_has_the_gradient_it_returns() -> None:
    logits, sizes = Tensor(RNG.normal(size=(1, 3, 3, 4)).astype(np.float32)), Tensor(np.array([3], np.int32))
    labels, count = Tensor(np.array([[1, 2]], np.int32)), Tensor(np.array([2], np.int32))
    slope = ms.grad(lambda acts: P.RNNTLoss()(acts, labels, sizes, count)[0].sum())(logits)
    np.testing.assert_allclose(slope.asnumpy(), P.RNNTLoss()(logits, labels, sizes, count)[1].asnumpy(), atol=1e-6)
    with pytest.raises(TypeError, match="blank_label"):
        P.RNNTLoss("a")


@pytest.mark.parametrize("places", [[0, 2], [2, 1]])
def test_a_token_is_written_into_a_cache(places: list[int]) -> None:
    past, cur = RNG.normal(size=(2, 2, 3, 4)).astype(np.float32), RNG.normal(size=(2, 2, 1, 4)).astype(np.float32)
    kept = Parameter(Tensor(past), name="past")
    result = rare.KVCacheMgr()(kept, Tensor(cur), Tensor(np.array(places, np.int32)))
    for row, place in enumerate(places):
        past[row, :, place] = cur[row, :, 0]
    np.testing.assert_array_equal(result.asnumpy(), past)
    np.testing.assert_array_equal(kept.asnumpy(), past)


def test_whether_all_is_finite() -> None:
    one, bad = Tensor([1.0, 2.0]), Tensor([np.inf, 1.0])
    assert rare.AllFinite()([one, one]).asnumpy() == np.True_
    assert rare.AllFinite()((one, bad)).asnumpy() == np.False_


def test_a_flag_of_overflow_is_cleared_and_read() -> None:
    status = Tensor(np.ones(8, np.int32))
    assert rare.NPUClearFloatStatusV2()(status).asnumpy().tolist() == [0] * 8
    ms.grad(lambda x: x * np.float32(np.inf))(Tensor([1.0]))
    assert rare.NPUGetFloatStatusV2()(status).asnumpy().any()
    rare.NPUClearFloatStatusV2()(status)
    ms.grad(lambda x: x * 2)(Tensor([1.0]))
    read = rare.NPUGetFloatStatusV2()(status)
    assert (read.asnumpy().tolist(), read.dtype) == ([0] * 8, ms.int32)


@pytest.mark.parametrize("kind", [rare.FusedBatchNorm, rare.FusedBatchNormEx])
def test_outdated_primitives_name_what_took_their_place(kind: type) -> None:
    with pytest.raises(TypeError, match="BatchNorm"):
        kind()
