"""Reductions as they were: indices were Int32, and sums of whole numbers kept their dtype."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from msbridge.core.dtype import Type, int32
from msbridge.core.earlier import Earlier
from msbridge.core.tensor import Tensor
from msbridge.ops.families import Axis, Number
from msbridge.ops.primitive import derive
from msbridge.ops.reduction import functions, kernels, methods


def _int32_indices(function: Callable[..., Any], index: int = 1) -> Callable[..., Any]:
    """Give the indices among the results as Int32."""

    @wraps(function)
    def compute(*args: Any, **kwargs: Any) -> Any:
        results = function(*args, **kwargs)
        return _with_int32(results, index) if isinstance(results, tuple) else results

    return compute


def _with_int32(results: tuple[Tensor, ...], index: int) -> Any:
    return tuple(one.astype(int32) if place == index else one for place, one in enumerate(results))


def sum_of_same(
    self: Tensor,
    axis: Axis = None,
    dtype: Type | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
) -> Tensor:
    """Add up along axes; whole numbers keep their dtype, bools give Int32.

    Follows: mindspore.Tensor.sum (2.0).
    """
    kept = dtype or (int32 if str(self.dtype) == "Bool" else self.dtype)
    return methods.sum(self.astype(kept), axis, dtype=kept, keepdims=keepdims, initial=initial).astype(kept)


def prod_of_same(self: Tensor, axis: Axis = None, keep_dims: bool = False, dtype: Type | None = None) -> Tensor:
    """Multiply along axes; whole numbers keep their dtype.

    Follows: mindspore.Tensor.prod (2.0).
    """
    return methods.prod(self, axis, keep_dims, dtype).astype(dtype or self.dtype)


def _largest(x: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return where the largest elements are, Int32, and the elements.

    Follows: mindspore.ops.ArgMaxWithValue (2.0).
    """
    return _with_int32(kernels.largest_with_index(x, axis, keep_dims), 0)


def _smallest(x: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return where the smallest elements are, Int32, and the elements.

    Follows: mindspore.ops.ArgMinWithValue (2.0).
    """
    return _with_int32(kernels.smallest_with_index(x, axis, keep_dims), 0)


ROWS = [
    Earlier("core.tensor.Tensor.sum", "2.3", sum_of_same),
    Earlier("core.tensor.Tensor.prod", "2.3", prod_of_same),
    Earlier("core.tensor.Tensor.max", "2.3", _int32_indices(methods.max)),
    Earlier("core.tensor.Tensor.min", "2.3", _int32_indices(methods.min)),
    Earlier("ops.ArgMaxWithValue", "2.3", derive("ArgMaxWithValue", _largest, "axis keep_dims")),
    Earlier("ops.ArgMinWithValue", "2.3", derive("ArgMinWithValue", _smallest, "axis keep_dims")),
    Earlier("ops.max", "2.3", _int32_indices(functions.max)),
    Earlier("ops.min", "2.3", _int32_indices(functions.min)),
]
