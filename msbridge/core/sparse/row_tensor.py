"""Tensors that hold only some of their rows."""

from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.runtime.read_only import read_only
from msbridge.core.sparse.base import SparseBase
from msbridge.core.tensor.tensor import Tensor

__all__ = ["RowTensor", "RowTensorInner"]


class RowTensorInner(SparseBase):
    """Some rows of a tensor, and which they are: the gradient of a table of which few rows were read.

    msbridge's gradients are dense, so no operator returns one; scripts make them, and ask whether something is one.

    Args:
        indices: shape (n,), the rows' positions; integers.
        values: shape (n, ...), the rows.
        shape: of the whole tensor.
        row_tensor: another RowTensor, instead of these three.

    Raises:
        TypeError: `indices` or `values` is not a Tensor, `shape` is not a tuple, or `row_tensor` no RowTensor.

    Follows: mindspore.common.sparse_tensor.RowTensorInner (2.10).
    """

    def __init__(
        self,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: tuple[int, ...] | None = None,
        row_tensor: "RowTensorInner | None" = None,
    ) -> None:
        if row_tensor is not None:
            instance(row_tensor, "row_tensor", "RowTensor", RowTensorInner)
            if not (indices is None and values is None and shape is None):
                raise TypeError("For 'RowTensor', pass 'row_tensor', or 'indices', 'values' and 'shape'; not both.")
            indices, values, shape = row_tensor._indices, row_tensor._values, row_tensor._shape
        if not (isinstance(indices, Tensor) and isinstance(values, Tensor) and isinstance(shape, tuple)):
            given = f"{type(indices).__name__}, {type(values).__name__} and {type(shape).__name__}"
            raise TypeError(f"For 'RowTensor', indices and values must be Tensors, and shape a tuple; got {given}.")
        self._indices: Tensor = indices
        self._values: Tensor = values
        self._shape: tuple[int, ...] = shape

    dense_shape: tuple[int, ...] = read_only("_shape", "Shape of the whole tensor.")

    def __repr__(self) -> Any:
        return super().__repr__().replace(type(self).__name__, "RowTensor", 1)


class RowTensor(RowTensorInner):
    """Some rows of a tensor, and which they are; as `RowTensorInner`.

    Args:
        indices: which rows, shape (n,), Int32 or Int64.
        values: the rows, shape (n, ...).
        shape: of the whole tensor.
        row_tensor: a RowTensorInner instead of the three.

    Follows: mindspore.RowTensor (2.10).
    """
