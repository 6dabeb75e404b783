"""Rows that fail and are replaced, by epochs, workers and batches."""

# ruff: noqa: F401

import mindspore.dataset as ds
import numpy as np

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context


def replaced(n, bad, epochs=1, again=1, workers=1, size=0, first=0):
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.REPLACE)

    def good(x):
        if int(x) in bad:
            raise ValueError("bad")
        return x

    d = ds.NumpySlicesDataset(np.arange(n), ["a"], shuffle=False).map(good, num_parallel_workers=workers)
    d = d.skip(first) if first else d
    d = d.repeat(again) if again > 1 else d
    d = d.batch(size) if size else d
    it = d.create_tuple_iterator(output_numpy=True, num_epochs=epochs)
    return [[np.ravel(x[0]).tolist() for x in it] for _ in range(epochs)]


CASES = each(
    r"""
replaced(6, {1}, 3)
replaced(6, {0}, 3)
replaced(6, {5}, 3)
replaced(6, {1, 2}, 3)
replaced(6, {1, 2, 3, 4}, 3)
replaced(6, {0, 5}, 3)
replaced(6, {1}, 1, 3)
replaced(6, {1, 2}, 2, 2)
replaced(6, {2, 3, 4}, 4)
replaced(6, {1}, 3, 1, 2)
replaced(16, {3, 9}, 4)
replaced(17, {3, 9}, 3)
replaced(20, {1, 5, 9}, 3)
replaced(20, {0, 1, 2}, 1, 3)
replaced(20, {17, 18, 19}, 2)
replaced(40, set(range(5, 38)), 3)
replaced(40, set(range(20, 40)), 2)
replaced(60, set(range(0, 60, 2)), 2)
replaced(60, set(range(0, 60, 7)), 2, 2, 2)
replaced(5, {3}, 4, 2)
replaced(20, {4, 8}, 2, 1, 1, 6)
replaced(20, {4, 8}, 2, 1, 1, 0, 3)
replaced(6, set(range(6)))
""",
    may_raise=True,
)
