"""Sparse matrices: COOTensor, a list of coordinates, and CSRTensor, with compressed rows."""

from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.context.graph_mode import within_graph
from msbridge.core.errors import explain
from msbridge.core.runtime.read_only import read_only
from msbridge.core.sparse import kernels
from msbridge.core.sparse.base import PlacedValues, SparseBase, format_part
from msbridge.core.sparse.checks import check_coo, check_csr, require_tensors
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.promotion import promote

__all__ = ["COOTensor", "CSRTensor", "SparseTensor"]


class COOTensor(PlacedValues):
    """A matrix of which some elements are kept, each with its coordinates; the others are zero.

    Args:
        indices: shape (n, 2), row and column of each value; int16, int32 or int64. No gradient flows through it.
        values: shape (n,).
        shape: of the matrix, a tuple of two ints.
        coo_tensor: another COOTensor, instead of these three.

    Raises:
        TypeError: `indices` or `values` is not a Tensor, `shape` is not a tuple of ints, or `indices` has no integers.
        ValueError: a shape does not fit.

    Follows: mindspore.COOTensor (2.10).
    """

    def __init__(
        self,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: tuple[int, ...] | None = None,
        coo_tensor: "COOTensor | SparseTensor | None" = None,
    ) -> None:
        if coo_tensor is not None:
            instance(coo_tensor, "coo_tensor", "COOTensor", (COOTensor, SparseTensor))
            if not (indices is None and values is None and shape is None):
                raise TypeError("For 'COOTensor', pass 'coo_tensor', or 'indices', 'values' and 'shape'; not both.")
            indices, values, shape = coo_tensor._indices, coo_tensor._values, coo_tensor._shape
        else:
            check_coo(indices, values, shape)
        self._indices: Tensor = indices  # type: ignore[assignment]  # they are checked
        self._values: Tensor = values  # type: ignore[assignment]
        self._shape: tuple[int, ...] = tuple(map(int, shape))  # type: ignore[arg-type]

    def to_tuple(self) -> tuple[Tensor, Tensor, tuple[int, ...]]:
        """Return (indices, values, shape)."""
        return self._indices, self._values, self._shape

    def to_dense(self) -> Tensor:
        """Return the matrix as a Tensor; values of the same coordinates add up.

        Raises:
            RuntimeError: a coordinate is outside of the shape.

        Follows: mindspore.COOTensor.to_dense (2.10).
        """
        return self._onto(None)

    def to_csr(self) -> "CSRTensor":
        """Return the matrix with compressed rows, sorted by row.

        Follows: mindspore.COOTensor.to_csr (2.10).
        """
        parts = kernels.compress_rows(self._indices._data, self._values._data, self._shape[0])
        return _csr(parts, self._shape)

    def coalesce(self) -> "COOTensor":
        """Return the matrix with its coordinates sorted, and values of the same coordinates added up.

        Follows: mindspore.COOTensor.coalesce (2.10).
        """
        return self._of(kernels.coalesce(self._indices._data, self._values._data, self._shape))

    def add(self, other: "COOTensor", thresh: Tensor) -> "COOTensor":
        """Add another COOTensor.

        Args:
            other: of the same shape.
            thresh: 0-d; a sum of two values whose magnitude is below it is left out.

        Raises:
            ValueError: the shapes differ.

        Follows: mindspore.COOTensor.add (2.10).
        """
        if self._shape != other.shape:
            raise ValueError(f"For 'COOTensor.add', the shapes must be the same, got {self._shape} and {other.shape}.")
        mine, theirs = (self._indices._data, self._values._data), (other._indices._data, other._values._data)
        return self._of(kernels.coo_sum(mine, theirs, self._shape, thresh._data))

    def of_dense(self, op: str, dense: Any) -> Any:
        """Compute `dense op self`."""
        if op in ("add", "+"):
            return self + dense
        if op in ("sub", "-"):
            return -self + dense
        return self * dense if op == "mul" else super().of_dense(op, dense)

    def __add__(self, other: Any) -> Any:
        self._same_shape(other)
        if isinstance(other, Tensor):
            return self._onto(other)
        if isinstance(other, COOTensor):
            return self.add(other, wrap(torch.zeros((), dtype=other._values._data.dtype)))
        raise TypeError(f"COOTensor add with {type(other)} is not supported.")

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Tensor | COOTensor):
            return self + -other
        self._same_shape(other)
        raise TypeError(f"COOTensor subtract with {type(other)} is not supported.")

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int) and within_graph():
            return self.to_tuple() * other
        self._same_shape(other)
        if isinstance(other, Tensor):
            result: COOTensor = self.with_values(self._values * self._gather_values(other))
            return result
        raise TypeError(f"COOTensor multiply with {type(other)} is not supported.")

    def __truediv__(self, other: Any) -> "COOTensor":
        self._same_shape(other)
        if isinstance(other, Tensor):
            result: COOTensor = self.with_values(self._values / self._gather_values(other))
            return result
        raise TypeError(f"COOTensor divide with {type(other)} is not supported.")

    def _gather_values(self, dense: Tensor) -> Tensor:
        row, column = self._indices._data.long().unbind(1)
        return wrap(dense._data[row, column])

    def _onto(self, dense: Tensor | None) -> Tensor:
        data, values = None if dense is None else dense._data, self._values._data
        try:
            return wrap(kernels.add_to_dense(data, self._indices._data, values, self._shape))
        except Exception as error:
            raise explain.explain(error, "COOTensor", indices=self._indices, shape=self._shape) from error

    def _of(self, parts: kernels.Listed) -> "COOTensor":
        return COOTensor(wrap(parts[0]), wrap(parts[1]), self._shape)


class SparseTensor(SparseBase):
    """A matrix of which some elements are kept: the older, smaller form of `COOTensor`.

    Args:
        indices: shape (n, rank), the coordinates of each value.
        values: shape (n,).
        shape: of the dense tensor, a tuple.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.SparseTensor (2.10).
    """

    def __init__(self, indices: Tensor, values: Tensor, shape: tuple[int, ...]) -> None:
        require_tensors("SparseTensor", indices=indices, values=values)
        instance(shape, "shape", "SparseTensor", tuple)
        self._indices, self._values, self._shape = indices, values, shape

    shape: tuple[int, ...] = read_only("_shape", "Length of each axis of the dense tensor.")

    def __repr__(self) -> str:
        return super().__repr__().replace("SparseTensor", "COOTensor", 1)


class CSRTensor(PlacedValues):
    """A matrix of which some elements are kept, row by row; the others are zero.

    Args:
        indptr: shape (rows + 1,), where each row begins among the values, and where the last one ends; integers.
        indices: shape (n,), the column of each value; integers. No gradient flows through both.
        values: shape (n, ...).
        shape: (rows, columns, ...).
        csr_tensor: another CSRTensor, instead of these four.

    Raises:
        TypeError: `indptr`, `indices` or `values` is not a Tensor, `shape` is not a tuple of ints, or an index no
            integer.
        ValueError: a shape does not fit.

    Follows: mindspore.CSRTensor (2.10).
    """

    def __init__(
        self,
        indptr: Tensor | None = None,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: tuple[int, ...] | None = None,
        csr_tensor: "CSRTensor | None" = None,
    ) -> None:
        if csr_tensor is not None:
            instance(csr_tensor, "csr_tensor", "CSRTensor", CSRTensor)
            if not (indptr is None and indices is None and values is None and shape is None):
                raise TypeError(
                    "For 'CSRTensor', pass 'csr_tensor', or 'indptr', 'indices', 'values' and 'shape'; not both."
                )
            indptr, indices, values, shape = csr_tensor.to_tuple()
        else:
            check_csr(indptr, indices, values, shape)
        self._indptr: Tensor = indptr  # type: ignore[assignment]  # they are checked
        self._indices: Tensor = indices  # type: ignore[assignment]
        self._values: Tensor = values  # type: ignore[assignment]
        self._shape: tuple[int, ...] = tuple(map(int, shape))  # type: ignore[arg-type]

    indptr: Tensor = read_only(
        "_indptr", "The offsets at which rows begin among the values, and where the last one ends."
    )

    def to_tuple(self) -> tuple[Tensor, Tensor, Tensor, tuple[int, ...]]:
        """Return (indptr, indices, values, shape)."""
        return self._indptr, self._indices, self._values, self._shape

    def to_coo(self) -> COOTensor:
        """Return the matrix as a list of coordinates.

        Raises:
            ValueError: it has more than two axes.

        Follows: mindspore.CSRTensor.to_coo (2.10).
        """
        self._matrix_only("to_coo")
        return COOTensor(wrap(self.coordinates()), self._values, self._shape)

    def to_dense(self) -> Tensor:
        """Return the matrix as a Tensor.

        Raises:
            ValueError: it has more than two axes.

        Follows: mindspore.CSRTensor.to_dense (2.10).
        """
        self._matrix_only("to_dense")
        try:
            return wrap(kernels.add_to_dense(None, self.coordinates(), self._values._data, self._shape))
        except Exception as error:
            raise explain.explain(error, "CSRTensor", indices=self._indices, shape=self._shape) from error

    def mv(self, dense_vector: Tensor) -> Tensor:
        """Multiply with a column.

        Args:
            dense_vector: shape (columns, 1).

        Returns:
            shape (rows, 1).

        Raises:
            TypeError: `dense_vector` is not a Tensor.
            ValueError: its shape does not fit.

        Follows: mindspore.CSRTensor.mv (2.10).
        """
        instance(dense_vector, "dense_vector", "CSRTensor.mv", Tensor)
        if dense_vector.shape != (self._shape[1], 1):
            raise ValueError(
                f"For 'CSRTensor.mv', the shape of the vector must be {(self._shape[1], 1)}, got {dense_vector.shape}."
            )
        return wrap(self._product(dense_vector))

    def mm(self, matrix: "Tensor | CSRTensor") -> Any:
        """Multiply with a matrix.

        Args:
            matrix: shape (columns, k), a Tensor or a CSRTensor.

        Returns:
            shape (rows, k): a Tensor, or a CSRTensor if `matrix` is one.

        Raises:
            TypeError: `matrix` is something else.
            ValueError: its shape does not fit.

        Follows: mindspore.CSRTensor.mm (2.10); the product of two CSRTensors, whose kernel is the GPU's, is numpy's.
        """
        instance(matrix, "matrix", "CSRTensor.mm", (Tensor, CSRTensor))
        if matrix.ndim != 2 or self.ndim != 2 or matrix.shape[0] != self._shape[1]:
            raise ValueError(f"For 'CSRTensor.mm', the shapes {self._shape} and {matrix.shape} cannot be multiplied.")
        if isinstance(matrix, CSRTensor):
            parts = kernels.csr_product(_parts_of(self), _parts_of(matrix), matrix._shape[1])
            return _csr(parts, (self._shape[0], matrix._shape[1]))
        return wrap(self._product(matrix))

    def sum(self, axis: int) -> Tensor:
        """Add up each row.

        Args:
            axis: 1, or the same counted from the last axis.

        Returns:
            shape (rows, 1, ...).

        Raises:
            TypeError: `axis` is not an int.
            ValueError: `axis` is another axis.

        Follows: mindspore.CSRTensor.sum (2.10).
        """
        if instance(axis, "axis", "CSRTensor.sum", int) not in (1, 1 - self.ndim):
            raise ValueError(f"For 'CSRTensor.sum', axis must be 1 or {1 - self.ndim}, got {axis}.")
        return wrap(kernels.row_sums(self._rows(), self._values._data, self._shape[0]).unsqueeze(1))

    def add(self, b: "CSRTensor", alpha: Tensor, beta: Tensor) -> "CSRTensor":
        """Return alpha·self + beta·b.

        Args:
            b: of the same shape.
            alpha: 0-d.
            beta: 0-d.

        Raises:
            TypeError: `b` is not a CSRTensor, or `alpha` or `beta` not a Tensor.
            ValueError: the shapes differ.

        Follows: mindspore.CSRTensor.add (2.10).
        """
        instance(b, "b", "CSRTensor.add", CSRTensor)
        require_tensors("CSRTensor.add", alpha=alpha, beta=beta)
        if self._shape != b._shape:
            raise ValueError(f"For 'CSRTensor.add', the shapes must be the same, got {self._shape} and {b._shape}.")
        parts = kernels.csr_sum(_parts_of(self), _parts_of(b), alpha._data, beta._data, self._shape)
        return _csr(parts, self._shape)

    def times(self, op: str, fn: Any, other: Any) -> Any:
        """Apply `fn`, torch's product or quotient, to the values and what a dense operand has at their places.

        Args:
            op: the name of the operator.
            fn: torch.mul or torch.div.
            other: a number or a Tensor of one element, which return the Tensor of the values; or a Tensor that
                broadcasts to the shape, which returns a CSRTensor.

        Raises:
            TypeError: `other` is something else.
            ValueError: it does not broadcast.
        """
        if isinstance(other, bool | int | float) and not within_graph():
            return wrap(fn(self._values._data, other))
        if not isinstance(other, Tensor):
            raise TypeError(f"For '{op}', a Tensor or a number is wanted beside a CSRTensor, got {type(other)}.")
        if other.ndim > self.ndim:
            raise ValueError(f"For '{op}', shape {other.shape} does not broadcast to {self._shape}.")
        values, dense = promote(self._values._data, other._data)
        if other.size == 1 and other.ndim <= 2:
            return wrap(fn(values, dense.reshape(())))
        try:
            taken = dense.broadcast_to(self._shape)[self._rows(), self._indices._data.long()]
        except Exception as error:
            raise explain.explain(error, op, shape=self._shape, other=other) from error
        return self.with_values(wrap(fn(values, taken)))

    def of_dense(self, op: str, dense: Any) -> Any:
        """Compute `dense op self`."""
        return self * dense if op == "mul" else super().of_dense(op, dense)

    def coordinates(self) -> torch.Tensor:
        """Return row and column of each value, shape (n, 2), in the dtype of the columns."""
        columns = self._indices._data
        return torch.stack((self._rows().to(columns.dtype), columns), 1)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int) and within_graph():
            return self.to_tuple() * other
        return self.times("mul", torch.mul, other)

    def __truediv__(self, other: Any) -> Any:
        return self.times("div", torch.true_divide, other)

    def __add__(self, other: Any) -> "CSRTensor":
        return self._plus(other, 1)

    def __sub__(self, other: Any) -> "CSRTensor":
        return self._plus(other, -1)

    def _plus(self, other: Any, sign: int) -> "CSRTensor":
        self._same_shape(other)
        if not isinstance(other, CSRTensor):
            raise TypeError(f"A CSRTensor and {type(other)} cannot be added or subtracted.")
        one = torch.ones((), dtype=self._values._data.dtype)
        return self.add(other, wrap(one), wrap(sign * one))

    def _product(self, matrix: Tensor) -> torch.Tensor:
        values, dense = promote(self._values._data, matrix._data)
        return kernels.row_products(self._rows(), self._indices._data.long(), values, dense, self._shape[0])

    def _rows(self) -> torch.Tensor:
        return kernels.row_numbers(self._indptr._data, self._values._data.shape[0]).long()

    def _matrix_only(self, op: str) -> None:
        if self.ndim != 2:
            raise ValueError(f"For 'CSRTensor.{op}', the tensor must have 2 axes, got shape {self._shape}.")

    def _parts(self) -> str:
        return f"indptr={format_part(self._indptr)}, {super()._parts()}"


def _parts_of(csr: CSRTensor) -> kernels.Compressed:
    return csr._indptr._data, csr._indices._data, csr._values._data


def _csr(parts: kernels.Compressed, shape: tuple[int, ...]) -> CSRTensor:
    starts, columns, values = map(wrap, parts)
    return CSRTensor(starts, columns, values, shape)
