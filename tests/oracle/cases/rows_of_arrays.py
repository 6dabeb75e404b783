"""Rows of datasets of arrays: which share the user's memory."""

import numpy as np
from mindspore import dataset as ds  # noqa: F401 - the cases use it

from tests.oracle.case import Case

OUTPUTS = (True, False)
PIPELINES = (
    "ds.NumpySlicesDataset(a, ['x'], shuffle=False)",
    "ds.NumpySlicesDataset({'x': a}, shuffle=False)",
    "ds.NumpySlicesDataset((a, a + 1), ['x', 'y'], shuffle=False)",
    "ds.NumpySlicesDataset(a[::2], ['x'], shuffle=False)",
    "ds.NumpySlicesDataset(a.T, ['x'], shuffle=False)",
    "ds.NumpySlicesDataset(a[0], ['x'], shuffle=False)",
    "ds.NumpySlicesDataset(a, ['x'], shuffle=False).skip(1).take(2)",
    "ds.NumpySlicesDataset(a, ['x'], shuffle=False).repeat(2)",
    "ds.NumpySlicesDataset(a, ['x'], shuffle=False).rename(['x'], ['z']).project(['z'])",
    "ds.NumpySlicesDataset(a, ['x'], shuffle=False).map(lambda v: v, ['x'])",
    "ds.NumpySlicesDataset(a, ['x'], shuffle=False).batch(2)",
    "ds.zip((ds.NumpySlicesDataset(a, ['x'], shuffle=False), ds.NumpySlicesDataset(a, ['y'], shuffle=False)))",
    "ds.NumpySlicesDataset(a.tolist(), ['x'], shuffle=False)",
    "ds.GeneratorDataset(a, ['x'], shuffle=False)",
    "ds.GeneratorDataset([(r, r + 1) for r in a], ['x', 'y'], shuffle=False)",
    "ds.GeneratorDataset(a, ['x'], shuffle=False).repeat(2)",
    "ds.GeneratorDataset(a, ['x'], shuffle=False).skip(1).take(2)",
    "ds.GeneratorDataset(a, ['x'], shuffle=False).filter(lambda v: True)",
    "ds.GeneratorDataset(a, ['x'], shuffle=False).batch(2)",
    "ds.GeneratorDataset(a, ['x'], shuffle=False).map(lambda v: v.__iadd__(1), ['x'])",
    "ds.GeneratorDataset(a.T, ['x'], shuffle=False)",
)


def written(make: object, output_numpy: bool) -> tuple:
    """Write into every row: the array that the dataset was made of, and the rows."""
    array = np.arange(8, dtype="f4").reshape(4, 2)
    rows = []
    for row in make(array).create_tuple_iterator(num_epochs=1, output_numpy=output_numpy):
        row[0][..., :1] = 100.0
        rows.append(row[0] if output_numpy else row[0].asnumpy())
    return array, np.stack(rows)


def changed(make: object, output_numpy: bool) -> tuple:
    """Change the array after the rows were read, and before: the rows."""
    array = np.arange(8, dtype="f4").reshape(4, 2)
    dataset = make(array)
    array[1] = 50.0
    rows = [row[0] for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=output_numpy)]
    array[:] = -1.0
    return tuple(row if output_numpy else row.asnumpy() for row in rows)


CASES = [
    Case(f"{action}(lambda a: {make}, {is_numpy})")
    for action in ("written", "changed")
    for make in PIPELINES
    for is_numpy in OUTPUTS
    if not (make.startswith("ds.NumpySlicesDataset(a[0]") and action == "written")
    if not (".tolist()" in make and action == "changed")
]
