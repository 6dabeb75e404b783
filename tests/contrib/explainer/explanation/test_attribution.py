"""The base of explanations: which labels are meant."""

import numpy as np
import pytest

from msbridge import Tensor, int32
from msbridge.contrib.explainer.explanation.attribution import labels_of

IMAGES = Tensor(np.zeros((3, 1, 4, 4), np.float32))


@pytest.mark.parametrize(
    ("targets", "labels"), [(2, [2, 2, 2]), (Tensor(1, int32), [1, 1, 1]), (Tensor([0, 1, 2], int32), [0, 1, 2])]
)
def test_one_label_for_each_image(targets, labels):
    assert labels_of("Gradient", IMAGES, targets).tolist() == labels


def test_labels_of_another_number_are_refused():
    with pytest.raises(ValueError, match="3 images"):
        labels_of("Gradient", IMAGES, Tensor([0, 1], int32))
