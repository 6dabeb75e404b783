"""Boxes. Judge: the real MindSpore 2.10 (numbers)."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops
from tests.tensors import arange, close, tensor


def test_overlaps() -> None:
    anchors, truth = tensor([[0, 0, 10, 10], [5, 5, 10, 10]]), tensor([[0, 0, 5, 5], [5, 5, 12, 12]])
    close(ops.iou(anchors, truth), [[0.29752, 0.01408], [0.24161, 0.5625]])
    close(ops.IOU("iof")(anchors, truth), [[1.0, 0.02778], [0.5625, 0.5625]])


def test_suppression() -> None:
    boxes = tensor([[0, 0, 10, 10, 0.6], [1, 1, 11, 11, 0.9], [20, 20, 30, 30, 0.7], [0, 0, 9, 9, 0.8]])
    ordered, positions, kept = ops.NMSWithMask(0.1)(boxes)
    close(ordered[:, 4], [0.9, 0.8, 0.7, 0.6])
    np.testing.assert_array_equal(positions.asnumpy(), [0, 1, 2, 3])
    np.testing.assert_array_equal(kept.asnumpy(), [True, False, True, False])


def test_what_a_suppressed_box_overlaps_is_kept() -> None:
    boxes = tensor([[0, 0, 4, 4, 0.9], [2, 0, 6, 4, 0.8], [4, 0, 8, 4, 0.7]])
    np.testing.assert_array_equal(ops.NMSWithMask(0.3)(boxes)[2].asnumpy(), [True, False, True])


def test_check_valid() -> None:
    boxes = tensor([[0, 0, 7, 5], [0, 0, 8, 3], [0, 0, 7, 9], [0, 0, 7, 9.5], [-1, 0, 3, 3]])
    np.testing.assert_array_equal(
        ops.check_valid(boxes, tensor([10, 8, 1])).asnumpy(), [True, False, True, False, False]
    )


def test_box_coding() -> None:
    anchors, truth = tensor([[2, 2, 5, 5], [2, 2, 6, 3]]), tensor([[1, 2, 4, 4], [3, 3, 7, 4]])
    coded = ops.bounding_box_encode(anchors, truth)
    close(coded, [[-0.25, -0.125, 0, -0.28768], [0.2, 0.5, 0, 0]])
    close(ops.bounding_box_decode(anchors, coded, (100, 100)), truth.asnumpy())
    close(ops.BoundingBoxEncode((0.1,) * 4, (0.5,) * 4)(anchors[:1], truth[:1]), [[-0.7, -0.45, -0.2, -0.77536]])


def test_decoded_boxes_are_cut() -> None:
    deltas = tensor([[3, 1, 2, 2], [-1, 0.5, 1, 1.4]])
    result = ops.bounding_box_decode(tensor([[4, 1, 6, 9], [2, 5, 5, 5]]), deltas, (768, 1280))
    close(result, [[3.41642, 0, 24.58358, 46.75075], [0, 3.9724, 4.43656, 7.0276]])
    clipped = ops.BoundingBoxDecode((20, 30), (0.1,) * 4, (0.5,) * 4, 0.1)(
        tensor([[4, 1, 6, 9]]), tensor([[0.3, 0.1, 5, -5]])
    )
    close(clipped, [[0, 6.4, 20.25, 6.3]])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ((2, 2, 0.5, 2, 1), [[0.7625, 0.9325], [1.9175, 2.0875]]),
        ((2, 2, 0.5, 2, 0), [[0.675, 0.82], [1.68, 1.825]]),
    ],
)
def test_roi_align(settings, expected) -> None:
    close(ops.ROIAlign(*settings)(arange(1, 1, 6, 6), tensor([[0, 0.2, 0.3, 6.0, 7.0]]))[0, 0], expected)


@pytest.mark.parametrize("samples", [0, 2])
def test_roi_align_of_many_regions_is_that_of_each(samples: int) -> None:
    rng = np.random.default_rng(0)
    x, corners = rng.random((2, 3, 9, 7)).astype(np.float32), rng.uniform(-2, 12, (8, 2))
    boxes = [np.arange(8)[:, None] % 2, corners, corners + rng.uniform(0, 20, (8, 2))]
    regions = np.concatenate(boxes, 1).astype(np.float32)
    align = ops.ROIAlign(2, 3, 0.5, samples)
    every = align(Tensor(x), Tensor(regions)).asnumpy()
    np.testing.assert_allclose(
        every, np.concatenate([align(Tensor(x), Tensor(one)) for one in regions[:, None]]), 1e-5, 1e-6
    )
    assert align(Tensor(x), Tensor(regions[:0])).shape == (0, 3, 2, 3)


def test_roi_align_is_linear_in_the_images_and_gives_the_boxes_no_gradient() -> None:
    """As MindSpore 2.10, whose gradient of the boxes is zero."""
    x, regions = arange(1, 1, 6, 6), tensor([[0, 0.2, 0.3, 6.0, 7.0]])

    def energy(x: Tensor, regions: Tensor) -> Tensor:
        return (ops.ROIAlign(2, 2, 0.5)(x, regions) ** 2).sum()

    of_images, of_boxes = ms.grad(energy, (0, 1))(x, regions)
    assert np.allclose((of_images * x).sum().asnumpy(), 2 * energy(x, regions).asnumpy())
    assert not of_boxes.asnumpy().any()
    again = ms.grad(lambda x: (ms.grad(energy)(x, regions) * x).sum())(x)
    assert np.allclose(again, 2 * of_images)


def test_roi_align_chooses_its_samples() -> None:
    result = ops.ROIAlign(2, 2, 1.0, 0)(arange(1, 1, 6, 6), tensor([[0, 0.2, 0.3, 4.0, 5.0]]))
    close(result[0, 0], [[1.175, 1.415], [2.79875, 3.03875]])


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: ops.iou(arange(1, 4), arange(1, 4), "foo"), KeyError, "mode"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()


@pytest.mark.parametrize(
    ("scores", "order"),
    [([1] * 6, [5, 4, 3, 2, 1, 0]), ([1, 2, 1, 2, 1, 2, 1, 2, 2], [8, 1, 3, 5, 7, 6, 4, 2, 0])],
)
def test_equal_scores_stand_as_in_mindspore(scores: list[int], order: list[int]) -> None:
    """Judge: MindSpore 2.10.0."""
    boxes = [[10.0 * n, 0, 10 * n + 1, 1, score] for n, score in enumerate(scores)]
    ordered, _, _ = ops.operations.NMSWithMask(0.5)(Tensor(boxes))
    assert (ordered.asnumpy()[:, 0] / 10).tolist() == order


def test_a_region_that_is_no_number_holds_nothing() -> None:  # as the real MindSpore 2.10 on a CPU
    features = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
    regions = Tensor([[0, np.nan, 0, 4, 4], [0, np.nan, np.nan, np.nan, np.nan], [0, -np.inf, 0, 4, 4]], ms.float32)
    assert ops.ROIAlign(2, 2, 0.5, 2, 0)(features, regions).asnumpy().tolist() == np.zeros((3, 1, 2, 2)).tolist()
