"""Operators of 1.3: sums of bools, and the order of the largest elements."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, bool_
from msbridge.ops.kernel_calls.families import Axis, Number
from msbridge.ops.legacy.r2_0_reduction import sum_of_same
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.sorting.functions import topk


def sum_as_given(
    self: Tensor, axis: Axis = None, dtype: Type | None = None, keepdims: bool = False, initial: Number | None = None
) -> Tensor:
    """Add up along axes; the sum has the dtype of the elements, that of bools is whether one is true.

    Follows: mindspore.Tensor.sum (1.3).
    """
    total = sum_of_same(self, axis, dtype, keepdims, initial)
    return total.astype(bool_) if dtype is None and self.dtype == bool_ else total


def _top_k(x: Tensor, k: int, sorted: bool = False) -> tuple[Tensor, ...]:
    """Return the k largest elements along the last axis; unsorted they are in the order of their places."""
    values, places = topk(x, k)
    if sorted:
        return values, places
    order = places._data.argsort(-1)
    return wrap(values._data.gather(-1, order)), wrap(places._data.gather(-1, order))


OVERRIDES: dict[str, Any] = {"Tensor.sum": sum_as_given, "ops.TopK": derive("TopK", _top_k, "sorted", sorted=False)}
