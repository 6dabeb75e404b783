"""Rows of a dataset in one form."""

import numpy as np
import pytest

from msbridge.contrib.explainer.batches import check_labels, read_batch


def test_labels_and_boxes():
    boxes = np.array([[[1, 2, 3, 4], [0, 0, 1, 1]], [[0, 0, 0, 0], [0, 0, 0, 0]]])
    batch = read_batch([np.zeros((2, 3, 8, 8)), np.array([[2, 0], [1, 7]]), boxes], 3)
    assert batch.images.dtype == np.float32
    assert batch.labels == [[0, 2], [1]]
    masks = batch.mask_of(0)
    assert sorted(masks) == [0, 2]
    assert masks[2].sum() == 12
    assert masks[2][0, 0, 2:6, 1:4].all()


def test_a_single_image_is_a_batch():
    batch = read_batch([np.zeros((1, 8, 8))], 3)
    assert batch.images.shape == (1, 1, 8, 8)
    assert batch.labels == [[]]
    assert batch.mask_of(0) == {}


@pytest.mark.parametrize(
    ("columns", "words"),
    [([np.zeros((1, 8, 8))] * 4, "columns"), ([np.zeros((2, 2, 8, 8))], "shape"), ([np.zeros((8, 8))], "shape")],
)
def test_other_columns_are_refused(columns, words):
    with pytest.raises(ValueError, match=words):
        read_batch(columns, 3)


@pytest.mark.parametrize("labels", [[], ["a", "a"], ["a", " "], ["a", 1]])
def test_bad_names(labels):
    with pytest.raises(ValueError, match="names"):
        check_labels(labels)
