"""Functions of `mint` under torch's argument names."""

from typing import Any

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, int64
from msbridge.ops.contents import same
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.kernel_calls.families import Axis
from msbridge.ops.reduce.reduction import functions


def sum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; integers and bools give Int64.

    Follows: mindspore.mint.sum (2.10).
    """
    return functions.sum(input, dim, keepdim, dtype=dtype)


def mean(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Average along axes.

    Follows: mindspore.mint.mean (2.10).
    """
    return functions.mean(input if dtype is None else elementwise.cast(input, dtype), dim, keepdim)


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Multiply along an axis; integers and bools give Int64.

    Follows: mindspore.mint.prod (2.10).
    """
    return functions.prod(input, dim, keepdim, dtype)


def all(input: Tensor, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Return whether all elements along axes are true (not zero).

    Follows: mindspore.mint.all (2.10).
    """
    return functions.all(input, dim, keepdim)


def any(input: Tensor, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Return whether one element along axes is true (not zero).

    Follows: mindspore.mint.any (2.10).
    """
    return functions.any(input, dim, keepdim)


def amax(input: Tensor, dim: Axis = (), keepdim: bool = False) -> Tensor:
    """Return the largest elements along axes.

    Follows: mindspore.mint.amax (2.10).
    """
    return functions.amax(input, dim, keepdim)


def amin(input: Tensor, dim: Axis = (), keepdim: bool = False) -> Tensor:
    """Return the smallest elements along axes.

    Follows: mindspore.mint.amin (2.10).
    """
    return functions.amin(input, dim, keepdim)


def max(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None) -> Any:
    """Return the largest element; with an axis (values, indices); with a Tensor the larger of each two elements.

    Follows: mindspore.mint.max (2.10).
    """
    if other is not None or isinstance(dim, Tensor):
        return arithmetic.maximum(input, dim if other is None else other)
    return functions.max(input)[0] if dim is None else functions.max(input, dim, keepdim)


def min(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None) -> Any:
    """Return the smallest element; with an axis (values, indices); with a Tensor the smaller of each two elements.

    Follows: mindspore.mint.min (2.10).
    """
    if other is not None or isinstance(dim, Tensor):
        return arithmetic.minimum(input, dim if other is None else other)
    return functions.min(input)[0] if dim is None else functions.min(input, dim, keepdim)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return where the largest element is, Int64; None looks at the flattened tensor.

    Follows: mindspore.mint.argmax (2.10).
    """
    return functions.argmax(input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return where the smallest element is, Int64; None looks at the flattened tensor.

    Follows: mindspore.mint.argmin (2.10).
    """
    return elementwise.cast(functions.argmin(input, dim, keepdim), int64)


def std(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Return the standard deviation along axes; `correction` is subtracted from the count of elements.

    Follows: mindspore.mint.std (2.10).
    """
    return functions.std(input, dim, correction, keepdim)


def var(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Return the variance along axes; `correction` is subtracted from the count of elements.

    Follows: mindspore.mint.var (2.10).
    """
    return functions.var(input, dim, correction, keepdim)


def std_mean(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return standard deviation and mean along axes.

    Follows: mindspore.mint.std_mean (2.10).
    """
    return functions.std_mean(input, dim, correction, keepdim)


def var_mean(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return variance and mean along axes.

    Follows: mindspore.mint.var_mean (2.10).
    """
    return functions.var_mean(input, dim, correction, keepdim)


@explaining
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the middle element; with an axis (values, indices).

    Follows: mindspore.mint.median (2.10).
    """
    if dim is None:
        return functions.median(wrap(input._data.reshape(-1)), 0)[0]
    return functions.median(input, dim, keepdim)


def nansum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; NaN counts as 0.

    Follows: mindspore.mint.nansum (2.10).
    """
    return functions.nansum(input, dim, keepdim, dtype=dtype)


def count_nonzero(input: Tensor, dim: Axis = None) -> Tensor:
    """Count the elements along axes that are not 0, Int64.

    Follows: mindspore.mint.count_nonzero (2.10).
    """
    return functions.count_nonzero(input, dim, False, int64)


SAME = same(functions, "logsumexp")
