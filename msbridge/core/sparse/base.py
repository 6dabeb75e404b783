"""The base of all sparse tensors: values at some places of a dense shape."""

from collections.abc import Callable
from typing import Any

from msbridge.core.context.graph_mode import within_graph
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type

__all__ = ["PlacedValues", "SparseBase", "format_part"]


class SparseBase:
    """Values at some places of a dense shape; gradients flow through the values only."""

    _indices: Tensor
    _values: Tensor
    _shape: tuple[int, ...]

    indices: Tensor = read_only("_indices", "The places of the values.")
    values: Tensor = read_only("_values", "The values that are kept.")

    @property
    def _dtype(self) -> Type:
        return self._values.dtype

    def with_values(self, values: Any) -> Any:
        """Return other values at the same places."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._values = values
        return copy

    def map_values(self, fn: Callable[[Tensor], Any]) -> Any:
        """Return the same places with `fn` of the values; the same object where `fn` leaves them."""
        values = fn(self._values)
        return self if values is self._values else self.with_values(values)

    def of_dense(self, op: str, dense: Any) -> Any:
        """Compute `dense op self`, an operator of a Tensor that is on the left.

        Args:
            op: the operator's name or symbol, such as "add" or "+".
            dense: what is on the left.

        Raises:
            TypeError: there is no such operator.
        """
        raise TypeError(f"For '{op}', a {type(dense).__name__} and a {type(self).__name__} do not go together.")

    def _parts(self) -> str:
        return f"indices={format_part(self._indices)}, values={format_part(self._values)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={list(self._shape)}, dtype={self._values.dtype}, {self._parts()})"


class PlacedValues(SparseBase):
    """The base of COO and CSR tensors."""

    shape: tuple[int, ...] = read_only("_shape", "Length of each axis of the dense tensor.")
    dtype: Type = read_only("_values.dtype", "MindSpore's type of the values.")
    size: int = read_only("_values.size", "Number of values that are kept.")
    itemsize: int = read_only("_values.itemsize", "Bytes of one value.")

    @property
    def ndim(self) -> int:
        """Number of axes of the dense tensor."""
        return len(self._shape)

    def abs(self) -> Any:
        """Return the absolute values at the same places."""
        return self.with_values(self._values.abs())

    def astype(self, dtype: Type | str) -> Any:
        """Change the dtype of the values.

        Args:
            dtype: a MindSpore dtype, or its name.

        Raises:
            TypeError: there is no such dtype.
        """
        return self.with_values(self._values.astype(dtype))

    def to_tuple(self) -> tuple[Any, ...]:
        """Return the parts: the places, the values and the shape; within a graph, numbers and indices apply to them."""
        raise NotImplementedError

    def __neg__(self) -> Any:
        return self.with_values(-self._values)

    def __rmul__(self, other: Any) -> Any:
        return self.to_tuple() * other if isinstance(other, int) and within_graph() else NotImplemented

    def __getitem__(self, index: Any) -> Any:
        if within_graph():
            return self.to_tuple()[index]
        raise TypeError(f"'{type(self).__name__}' object is not subscriptable")

    def _same_shape(self, other: Any) -> None:
        """Check an operand of `+` and its like.

        Raises:
            AttributeError: it has no shape; in a graph that is a TypeError.
            ValueError: it has another one.
        """
        if not hasattr(other, "shape") and within_graph():
            raise TypeError(f"In a graph, a {type(self).__name__} and {type(other)} do not go together.")
        if self._shape != other.shape:
            raise ValueError(f"Input tensors should have the same shape, got {self._shape} and {other.shape}.")


def format_part(tensor: Tensor) -> str:
    """Return the printed form of a part of a sparse tensor: that of a Tensor without commas between the elements."""
    head, sign, values = repr(tensor).partition("value=")
    return f"{head}{sign}{values.lstrip(' ').replace(',', '')}"
