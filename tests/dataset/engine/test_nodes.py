"""What is known about the rows of a node."""

import numpy as np
from pipelines import generated

import msbridge.dataset as ds


def test_output_shapes_may_look_at_all_rows() -> None:
    data = generated([(np.zeros((2, size)),) for size in (3, 4)])
    assert (data.output_shapes(), data.output_shapes(estimate=True)) == ([[2, 3]], [[2, None]])


def test_dataset_size_is_known_when_it_was_asked_for():
    data = ds.NumpySlicesDataset([1, 2, 3, 4, 5], ["x"])
    batches = data.batch(2)
    assert batches.dataset_size is None
    assert batches.get_dataset_size() == batches.dataset_size == 3
    assert data.dataset_size is None
