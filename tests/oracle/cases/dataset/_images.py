"""Images and arrays that transforms are called with, new for every case."""

from typing import Any

import numpy as np

_random = np.random.RandomState(7)  # the legacy generator: the same numbers in every release of numpy


def _bytes(*shape: int) -> np.ndarray:
    return _random.randint(0, 256, shape).astype(np.uint8)


INPUTS = {
    "grey": _bytes(28, 28, 1),
    "plane": _bytes(15, 11),
    "rgb": _bytes(9, 13, 3),
    "rgba": _bytes(7, 6, 4),
    "batch": _bytes(2, 6, 8, 3),
    "float32": (_random.rand(8, 10, 3) * 255).astype(np.float32),
    "float64": _random.rand(8, 10, 1) * 255,
    "int16": _random.randint(-3000, 3000, (8, 10, 3)).astype(np.int16),
    "int32": _random.randint(-300000, 300000, (6, 7, 3)).astype(np.int32),
    "int64": _random.randint(0, 256, (4, 4, 3)),
    "bools": _random.rand(5, 6, 1) > 0.5,
    "flat": np.full((4, 4, 3), 7, np.uint8),
    "dark": _random.randint(60, 140, (12, 10, 3)).astype(np.uint8),
    "chw": _bytes(3, 6, 5),
    "vector": np.array([1.7, -2.5, 300.9, 0.0, 2.0]),
    "ints": np.arange(12).reshape(3, 4),
    "row": np.array([3, 1, 2]),
    "label": np.array(2),
    "label32": np.array(1, np.int32),
    "labels": np.array([0, 2, 1]),
    "label_column": np.array([[1], [0]]),
    "strings": np.array(["a", "bb"]),
    "unit": _random.rand(6, 7, 3).astype(np.float32),
    "unit_chw": _random.rand(3, 5, 4),
    "five": _bytes(7, 6, 5),
    "nchw": _bytes(2, 3, 5, 6),
    "wide": _bytes(3, 70, 3),
    "uint16": _random.randint(0, 65536, (9, 8, 3)).astype(np.uint16),
    "six": np.arange(6.0).reshape(2, 3),
    "boxes": np.array([[1, 2, 3, 4, 9], [0.5, 0.25, 6, 5.5, 8]], np.float32),
    "outside": np.array([[5, 2, 30, 4]], np.float32),
    "doubles": np.array([[1.0, 2, 3, 4]]),
    "onehot": np.eye(4, dtype=np.uint32)[[0, 2]],
}


def scope() -> dict[str, Any]:
    """The inputs by name."""
    return {name: value.copy() for name, value in INPUTS.items()}


def arrays(result: Any) -> Any:
    """The pixels of an image of Pillow, or of several."""
    return tuple(map(np.asarray, result)) if isinstance(result, tuple) else np.asarray(result)
