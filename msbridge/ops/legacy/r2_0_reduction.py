"""Reductions as they were: indices were Int32, sums of whole numbers kept their dtype, repeated axes counted once."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, bool_, int32
from msbridge.ops.kernel_calls.families import Axis, Function, Number, reduction
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.extremes import functions as extremes
from msbridge.ops.reduce.extremes import methods as extremes_methods
from msbridge.ops.reduce.reduction import functions, kernels, methods


def _int32_indices(function: Callable[..., Any], index: int = 1) -> Callable[..., Any]:
    """Wrap a function to return the indices among its results as Int32."""

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
    """Add up along axes; whole numbers keep their dtype, bools yield Int32.

    Follows: mindspore.Tensor.sum (2.0).
    """
    kept = dtype or (int32 if str(self.dtype) == "Bool" else self.dtype)
    return methods.sum(self.astype(kept), axis, keepdims=keepdims, initial=initial).astype(kept)


def prod_of_same(self: Tensor, axis: Axis = None, keep_dims: bool = False, dtype: Type | None = None) -> Tensor:
    """Multiply along axes; whole numbers keep their dtype; the gradient of the product of all elements is one.

    Follows: mindspore.Tensor.prod (2.0).
    """
    if axis in (None, ()) and not keep_dims and self._data.requires_grad:
        return wrap(_product_of_all(self._data))
    return methods.prod(self, axis, keep_dims, dtype).astype(dtype or self.dtype)


def prod(input: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Multiply along axes; whole numbers keep their dtype.

    Follows: mindspore.ops.prod (2.0).
    """
    return functions.prod(input, axis, keep_dims).astype(input.dtype)


def sum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; whole numbers keep their dtype, bools yield Int64.

    Follows: mindspore.ops.sum (2.0).
    """
    result = functions.sum(input, _once(dim), keepdim, dtype=dtype)
    return result if dtype or str(input.dtype) == "Bool" else result.astype(input.dtype)


def all(input: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Return whether all elements are true; an axis named twice counts once.

    Follows: mindspore.ops.all (2.0).
    """
    return functions.all(input, _once(axis), keep_dims).astype(bool_)


def any(input: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Return whether one element is true, a Bool; an axis named twice counts once.

    Follows: mindspore.ops.any (2.0).
    """
    return functions.any(input, _once(axis), keep_dims).astype(bool_)


def _once(axis: Axis) -> Axis:
    return tuple(dict.fromkeys(axis)) if isinstance(axis, tuple) else axis


def var(self: Tensor, axis: Axis = None, ddof: int | bool = 0, keepdims: bool = False) -> Tensor:
    """Compute the variance; that of whole numbers is computed in whole numbers, cut off.

    Follows: mindspore.Tensor.var (2.0).
    """
    if self._data.dtype.is_floating_point or self._data.dtype is torch.bool:
        return methods.var(self, axis, ddof, keepdims)
    axes = tuple(range(self.ndim)) if axis is None else axis
    count = self.size // max(functions.sum(self, axes)._data.numel(), 1)
    mean = functions.mean(self, axes, True)._data
    squares = ((self._data - mean) ** 2).to(self._data.dtype)
    total = squares.sum(axes, keepdim=keepdims, dtype=self._data.dtype)
    return wrap(torch.div(total, count - int(ddof), rounding_mode="trunc"))


def argmin(self: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the index of the smallest element, Int32; bools count as numbers.

    Follows: mindspore.Tensor.argmin (2.0).
    """
    return extremes_methods.argmin(self.astype(int32) if self._data.dtype is torch.bool else self, axis, keepdims)


def std(self: Tensor, axis: Axis = None, ddof: int | bool = 0, keepdims: bool = False) -> Tensor:
    """Return the square root of the variance, Float32 of whole numbers.

    Follows: mindspore.Tensor.std (2.0).
    """
    if self._data.dtype.is_floating_point or self._data.dtype is torch.bool:
        return methods.std(self, axis, ddof, keepdims)
    return wrap(var(self, axis, ddof, keepdims)._data.float().sqrt())


def _along_one_axis(function: Callable[..., Any], kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Send the gradient of an extremum along one axis to the first of equal elements."""

    @wraps(function)
    def compute(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == 1 and type(args[0]) is int:
            return kernel(self, args[0], False)[1]
        return function(self, *args, **kwargs)

    return compute


def _product_of_all(data: torch.Tensor) -> torch.Tensor:
    total = data.sum()
    return data.detach().prod() + (total - total.detach())  # each factor has the gradient one


def largest(x: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the indices of the largest elements, Int32, and the elements.

    Follows: mindspore.ops.ArgMaxWithValue (2.0), and mindspore.ops.max (1.10).
    """
    return _with_int32(kernels.largest_with_index(x, axis, keep_dims), 0)


def smallest(x: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the indices of the smallest elements, Int32, and the elements.

    Follows: mindspore.ops.ArgMinWithValue (2.0), and mindspore.ops.min (1.10).
    """
    return _with_int32(kernels.smallest_with_index(x, axis, keep_dims), 0)


NAMED_ONCE = ("ReduceMax", "ReduceMin", "ReduceSum", "amax", "amin", "count_nonzero", "mean", "prod")
"""Reductions whose kernels count an axis once that is named twice; the others refuse it."""


def with_repeated_axes(names: tuple[str, ...]) -> Callable[..., Tensor]:
    """Return the family of reductions for which those of these names take an axis twice."""

    def reduce(fn: Function, op: str, input: Tensor, axis: Axis, keep_dims: bool) -> Tensor:
        if op in names and isinstance(axis, tuple | list) and isinstance(input, Tensor):
            rank = input.ndim
            axis = tuple({place % rank if -rank <= place < rank else place: place for place in axis}.values())
        return reduction(fn, op, input, axis, keep_dims)

    return reduce


OVERRIDES = {
    "Tensor.argmax_with_value": _int32_indices(extremes_methods.argmax_with_value),
    "Tensor.argmin": argmin,
    "Tensor.argmin_with_value": _int32_indices(extremes_methods.argmin_with_value),
    "Tensor.max": _int32_indices(_along_one_axis(extremes_methods.max, kernels.largest_with_index)),
    "Tensor.min": _int32_indices(_along_one_axis(extremes_methods.min, kernels.smallest_with_index)),
    "Tensor.prod": prod_of_same,
    "Tensor.std": std,
    "Tensor.sum": sum_of_same,
    "Tensor.var": var,
    "ops.ArgMaxWithValue": derive("ArgMaxWithValue", largest, "axis keep_dims"),
    "ops.ArgMinWithValue": derive("ArgMinWithValue", smallest, "axis keep_dims"),
    "ops.ReduceMax": [Part(room, "reduction", with_repeated_axes(NAMED_ONCE)) for room in (functions, extremes)],
    "ops.all": all,
    "ops.any": any,
    "ops.max": _int32_indices(extremes.max),
    "ops.min": _int32_indices(extremes.min),
    "ops.prod": prod,
    "ops.sum": sum,
}
