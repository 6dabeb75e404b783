"""Reductions under torch's argument names; deviations are unbiased by default."""

from typing import Any

from msbridge.core.dtype import Type, int64
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.cumulative import functions as cumulative
from msbridge.ops.elementwise import functions as elementwise
from msbridge.ops.families import Axis, Number
from msbridge.ops.linalg import functions as linalg
from msbridge.ops.reduction import functions as reduction


def sum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; integers and bools give Int64.

    Follows: mindspore.mint.sum (2.10).
    """
    return reduction.sum(input, dim, keepdim, dtype=dtype)


def mean(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Average along axes.

    Follows: mindspore.mint.mean (2.10).
    """
    return reduction.mean(input if dtype is None else elementwise.cast(input, dtype), dim, keepdim)


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Multiply along an axis; integers and bools give Int64.

    Follows: mindspore.mint.prod (2.10).
    """
    return reduction.prod(input, dim, keepdim, dtype)


def all(input: Tensor, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Say whether all elements along axes are true (not zero).

    Follows: mindspore.mint.all (2.10).
    """
    return reduction.all(input, dim, keepdim)


def any(input: Tensor, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Say whether one element along axes is true (not zero).

    Follows: mindspore.mint.any (2.10).
    """
    return reduction.any(input, dim, keepdim)


def amax(input: Tensor, dim: Axis = (), keepdim: bool = False) -> Tensor:
    """Give the largest elements along axes.

    Follows: mindspore.mint.amax (2.10).
    """
    return reduction.amax(input, dim, keepdim)


def amin(input: Tensor, dim: Axis = (), keepdim: bool = False) -> Tensor:
    """Give the smallest elements along axes.

    Follows: mindspore.mint.amin (2.10).
    """
    return reduction.amin(input, dim, keepdim)


def max(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False) -> Any:
    """Give the largest element; with an axis (values, indices); with a Tensor the larger of each two elements.

    Follows: mindspore.mint.max (2.10).
    """
    if isinstance(dim, Tensor):
        return arithmetic.maximum(input, dim)
    return reduction.max(input)[0] if dim is None else reduction.max(input, dim, keepdim)


def min(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False) -> Any:
    """Give the smallest element; with an axis (values, indices); with a Tensor the smaller of each two elements.

    Follows: mindspore.mint.min (2.10).
    """
    if isinstance(dim, Tensor):
        return arithmetic.minimum(input, dim)
    return reduction.min(input)[0] if dim is None else reduction.min(input, dim, keepdim)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Give where the largest element is, Int64; None looks at the flattened tensor.

    Follows: mindspore.mint.argmax (2.10).
    """
    return reduction.argmax(input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Give where the smallest element is, Int64; None looks at the flattened tensor.

    Follows: mindspore.mint.argmin (2.10).
    """
    return elementwise.cast(reduction.argmin(input, dim, keepdim), int64)


def std(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Give the standard deviation along axes; `correction` is subtracted from the count of elements.

    Follows: mindspore.mint.std (2.10).
    """
    return reduction.std(input, dim, correction, keepdim)


def var(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Give the variance along axes; `correction` is subtracted from the count of elements.

    Follows: mindspore.mint.var (2.10).
    """
    return reduction.var(input, dim, correction, keepdim)


def std_mean(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Give standard deviation and mean along axes.

    Follows: mindspore.mint.std_mean (2.10).
    """
    return reduction.std_mean(input, dim, correction, keepdim)


def var_mean(input: Tensor, dim: Axis = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Give variance and mean along axes.

    Follows: mindspore.mint.var_mean (2.10).
    """
    return reduction.var_mean(input, dim, correction, keepdim)


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Give the middle element; with an axis (values, indices).

    Follows: mindspore.mint.median (2.10).
    """
    if dim is None:
        return reduction.median(wrap(input._data.reshape(-1)), 0)[0]
    return reduction.median(input, dim, keepdim)


def nansum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; NaN counts as 0.

    Follows: mindspore.mint.nansum (2.10).
    """
    return reduction.nansum(input, dim, keepdim, dtype=dtype)


def count_nonzero(input: Tensor, dim: Axis = None) -> Tensor:
    """Count the elements along axes that are not 0, Int64.

    Follows: mindspore.mint.count_nonzero (2.10).
    """
    return reduction.count_nonzero(input, dim, False, int64)


def norm(
    input: Tensor,
    p: Number | str | None = "fro",
    dim: Axis = None,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """Give the p-norm along axes, or of all elements.

    Follows: mindspore.mint.norm (2.10).
    """
    if isinstance(p, str) and p != "fro":
        return linalg.norm(input, p, dim, keepdim, dtype=dtype)
    return linalg.vector_norm(input, 2 if p in (None, "fro") else p, dim, keepdim, dtype=dtype)  # type: ignore[arg-type]


def cumsum(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """Give the running sums along an axis; integers give Int64.

    Follows: mindspore.mint.cumsum (2.10).
    """
    is_real = input.dtype.is_floating_point or input.dtype.is_complex
    return cumulative.cumsum(input, dim, dtype or (None if is_real else int64))


def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Give the running maxima along an axis and where they are, Int64.

    Follows: mindspore.mint.cummax (2.10).
    """
    return cumulative.cummax(input, dim)


def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Give the running minima along an axis and where they are, Int64.

    Follows: mindspore.mint.cummin (2.10).
    """
    values, indices = cumulative.cummin(input, dim)
    return values, elementwise.cast(indices, int64)


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """Give the n-th differences of neighbours along an axis.

    Follows: mindspore.mint.diff (2.10).
    """
    return cumulative.diff(input, n, dim, prepend, append)
