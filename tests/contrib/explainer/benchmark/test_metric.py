"""What gathers results."""

import numpy as np
import pytest

from msbridge import Tensor, int32
from msbridge.contrib.explainer.benchmark.metric import LabelAgnosticMetric, LabelSensitiveMetric, label_of


def test_results_by_label():
    metric = LabelSensitiveMetric(3)
    metric.aggregate(0.5, 1)
    metric.aggregate(np.array([1.0, 0.0]), Tensor([1, 2], int32))
    assert metric.get_results() == {0: [], 1: [0.5, 1.0], 2: [0.0]}
    assert metric.class_performances == [0, 0.75, 0]
    assert metric.performance == 0.5
    metric.reset()
    assert metric.performance == 0
    with pytest.raises(ValueError, match="labels"):
        metric.aggregate(np.zeros(2), Tensor([1], int32))


def test_results_of_images():
    metric = LabelAgnosticMetric()
    metric.aggregate(np.array([0.25]))
    metric.aggregate(0.75)
    assert metric.get_results() == [0.25, 0.75]
    assert metric.performance == 0.5
    metric.reset()
    assert metric.get_results() == []


def test_one_label():
    assert label_of("f", 3) == label_of("f", Tensor(3, int32)) == label_of("f", Tensor([3], int32)) == 3
    with pytest.raises(ValueError, match="one label"):
        label_of("f", Tensor([1, 2], int32))
    with pytest.raises(TypeError, match="num_labels"):
        LabelSensitiveMetric("3")
