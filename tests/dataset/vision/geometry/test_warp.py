import numpy as np
import pytest

from msbridge.dataset.vision import Inter
from msbridge.dataset.vision.geometry.warp import perspective_matrix, rotation_matrix, warp_affine, warp_perspective

pytest.importorskip("cv2")
IMAGE = np.random.RandomState(1).randint(0, 256, (6, 7, 3)).astype(np.uint8)
WAYS = (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC)


@pytest.mark.parametrize("way", WAYS)
def test_a_matrix_that_moves_nothing_changes_nothing(way: Inter) -> None:
    found = warp_affine(IMAGE, np.eye(3)[:2], (6, 7), way, (0, 0, 0), "test")
    np.testing.assert_array_equal(found, IMAGE)
    found = warp_perspective(IMAGE, np.eye(3), (6, 7), way, (0, 0, 0), "test")
    np.testing.assert_array_equal(found, IMAGE)


@pytest.mark.parametrize("way", WAYS)
def test_a_quarter_turn_is_exact(way: Inter) -> None:
    square = IMAGE[:, :6]
    found = warp_affine(square, rotation_matrix((2.5, 2.5), 90), (6, 6), way, (0, 0, 0), "test")
    np.testing.assert_array_equal(found, np.rot90(square))


def test_four_points_lie_on_four_others() -> None:
    start, end = [(0, 0), (6, 0), (6, 5), (0, 5)], [(1, 1), (5, 0), (6, 4), (0, 5)]
    matrix = perspective_matrix(start, end)
    found = np.column_stack([start, np.ones(4)]) @ matrix.T
    np.testing.assert_allclose(found[:, :2] / found[:, 2:], end, atol=1e-9)


def test_points_on_a_line_have_no_matrix() -> None:
    assert perspective_matrix([(0, 0)] * 4, [(1, 1)] * 4).tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
