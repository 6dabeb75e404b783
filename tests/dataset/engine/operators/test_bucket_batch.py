"""bucket_batch_by_length. Judge: what MindSpore 2.10 answered."""

import numpy as np
import pytest

from tests.dataset.pipelines import column, generated


def test_buckets_hold_rows_of_similar_length() -> None:
    lengths = generated([(np.ones(size),) for size in (1, 5, 2, 6, 3)])
    found = column(lengths.bucket_batch_by_length(["x"], [3, 6], [2, 2, 2]), "x")
    assert [np.shape(batch) for batch in found] == [(2, 2), (2, 5), (1, 6)]
    padded = column(
        lengths.bucket_batch_by_length(["x"], [3, 7], [2, 2, 1], None, {"x": ([None], 7)}, pad_to_bucket_boundary=True),
        "x",
    )
    assert [np.shape(batch) for batch in padded] == [(2, 2), (2, 6), (1, 6)]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ((["x"], [3, 2], [1, 1, 1]), ValueError),
        ((["x"], [3], [1]), ValueError),
        ((["x", "y"], [3], [1, 1]), ValueError),
        ((["x"], [3.0], [1, 1]), TypeError),
        ((["x"], [3], [1, 0]), ValueError),
    ],
)
def test_wrong_buckets_raise_at_once(arguments: tuple, kind: type) -> None:
    with pytest.raises(kind):
        generated([]).bucket_batch_by_length(*arguments)
