"""Tensors that hold only some of their rows.

Follows: mindspore.RowTensor (2.10).
"""

from msbridge.core.tensor import Tensor

__all__ = ["RowTensor"]


class RowTensor:
    """Some rows of a tensor, and which they are: the gradient of a table of which few rows were read.

    msbridge's gradients are dense, so no operator returns one; scripts make them, and ask whether something is one.

    Args:
        indices: shape (n,), the rows' positions; integers.
        values: shape (n, ...), the rows.
        shape: of the whole tensor.
        row_tensor: another RowTensor, instead of these three.

    Raises:
        TypeError: `indices` or `values` is not a Tensor, or some of the three are missing.

    Follows: mindspore.RowTensor (2.10).
    """

    indices: Tensor
    values: Tensor
    dense_shape: tuple[int, ...]

    def __init__(
        self,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: tuple[int, ...] | None = None,
        row_tensor: "RowTensor | None" = None,
    ) -> None:
        if row_tensor is not None:
            indices, values, shape = row_tensor.indices, row_tensor.values, row_tensor.dense_shape
        if not isinstance(indices, Tensor) or not isinstance(values, Tensor) or shape is None:
            given = f"{type(indices).__name__}, {type(values).__name__} and {type(shape).__name__}"
            raise TypeError(f"For 'RowTensor', indices and values must be Tensors, and shape a tuple; got {given}.")
        self.indices = indices
        self.values = values
        self.dense_shape = tuple(shape)

    def __repr__(self) -> str:
        head = f"RowTensor(shape={list(self.dense_shape)}, dtype={self.values.dtype}"
        return f"{head}, indices={self.indices!r}, values={self.values!r})"
