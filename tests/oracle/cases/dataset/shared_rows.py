"""What rows share memory with: the arrays of the user that they were read from, in both directions."""

from collections.abc import Callable

import mindspore.dataset as ds
import numpy as np

from tests.oracle.case import each


class Source:
    def __init__(self, items: object) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> object:
        return self.items[index]


def matrix() -> np.ndarray:
    return np.arange(8, dtype=np.float32).reshape(4, 2)


def vector() -> np.ndarray:
    return np.arange(4, dtype=np.float32)


def slices(data: object) -> object:
    return ds.NumpySlicesDataset(data, ["a"], shuffle=False)


def generated(items: object) -> object:
    return ds.GeneratorDataset(Source(items), ["a"], shuffle=False)


def shares(make: Callable, array: Callable, is_numpy: bool = True) -> list[bool]:
    """Whether a row shows what is written into the array, and the array what is written into the row."""
    source = array()
    row = next(make(source).create_tuple_iterator(num_epochs=1, output_numpy=is_numpy))[0]
    before = np.array(row if is_numpy else row.asnumpy())
    source[...] = 99
    shows = bool(((row if is_numpy else row.asnumpy()) != before).any())
    source = array()
    row = next(make(source).create_tuple_iterator(num_epochs=1, output_numpy=is_numpy))[0]
    row[...] = 77.0
    return [shows, bool((source == 77).any())]


def reads_late(make: Callable, array: Callable) -> object:
    """Return the first row where the array is written between making the dataset and reading it."""
    source = array()
    dataset = make(source)
    source[...] = 55
    return next(dataset.create_tuple_iterator(num_epochs=1, output_numpy=True))[0]


MAKERS = """
slices
lambda a: slices([a])
lambda a: slices((a,))
lambda a: slices([a, a])
lambda a: slices([a[:1], a[1:]])
lambda a: slices([a[:1], a[2:]])
lambda a: slices(list(a))
lambda a: slices(a.tolist())
lambda a: ds.NumpySlicesDataset({"a": a}, shuffle=False)
lambda a: ds.NumpySlicesDataset({"a": [a]}, shuffle=False)
lambda a: ds.NumpySlicesDataset((a, a), ["a", "b"], shuffle=False)
lambda a: slices(a.T)
lambda a: slices(a[::2])
lambda a: slices([a]).map(lambda x: x + 1)
lambda a: slices([a]).batch(1)
lambda a: slices([a]).repeat(2)
lambda a: slices([a, a]).skip(1)
lambda a: slices([a]).rename("a", "b")
generated
lambda a: generated([a])
lambda a: generated([(a,)])
lambda a: generated([a]).take(1)
"""

CASES = each(
    "\n".join(
        line
        for make in MAKERS.splitlines()
        if make
        for array in ("matrix", "vector")
        for line in (
            f"shares({make}, {array})",
            f"shares({make}, {array}, False)",
            f"reads_late({make}, {array})",
        )
    ),
    may_raise=True,
)
