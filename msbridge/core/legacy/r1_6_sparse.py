"""Sparse tensors of 1.6: three attributes that may be anything."""

from typing import Any

from msbridge.core.runtime.read_only import read_only
from msbridge.core.sparse.matrices import SparseTensor as Today


class SparseTensor(Today):
    """A matrix of which some elements are kept.

    Args:
        indices: the coordinates of each value.
        values: the values.
        dense_shape: of the dense tensor.

    Follows: mindspore.SparseTensor (1.6).
    """

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        self._indices, self._values, self._shape = indices, values, dense_shape

    __repr__ = object.__repr__
    dense_shape: Any = read_only("_shape", "Length of each axis of the dense tensor.")


OVERRIDES = {"SparseTensor": SparseTensor}
