"""Cumulative operators: running sums and extremes, differences, counts in bins."""

from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, torch_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Function, along_axis, unary_with
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype


def cumsum(x: Tensor, axis: int, dtype: Type | None = None) -> Tensor:
    """Return the running sums along an axis; the dtype stays.

    Args:
        x: any shape; any dtype.
        axis: in [-x.ndim, x.ndim).
        dtype: of the sums; None for that of `x`, or Int64 for bools.

    Returns:
        A Tensor of the shape of `x`.

    Raises:
        TypeError: `x` is not a Tensor.
        ValueError: `axis` is out of range.

    Follows: mindspore.ops.cumsum (2.10).
    """
    return along_axis(lambda data, axis: torch.cumsum(data, axis, dtype=_result_dtype(data, dtype)), "cumsum", x, axis)


def cumprod(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """Return the running products along an axis; integers yield Int64.

    Args:
        input: any shape and dtype.
        dim: an axis in [-input.ndim, input.ndim).
        dtype: of the products; None for that of `input`, or Int64 for integers and bools.

    Returns:
        A Tensor of the shape of `input`.

    Raises:
        TypeError: `input` is not a Tensor.
        ValueError: `dim` is out of range.

    Follows: mindspore.ops.cumprod (2.10).
    """
    target = torch_of(dtype)
    return along_axis(lambda data, axis: torch.cumprod(data, axis, dtype=target), "cumprod", input, dim)


def cummax(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Return the running maxima along an axis and where they are, Int64.

    Args:
        input: any shape; any dtype but Complex.
        axis: in [-input.ndim, input.ndim).

    Returns:
        Two Tensors of the shape of `input`: the values in its dtype, and the indices along `axis` in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `axis` is out of range.

    Follows: mindspore.ops.cummax (2.10).
    """
    values, indices = _pair(torch.cummax, "cummax", input, axis)
    return wrap(values), wrap(indices)


def cummin(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Return the running minima along an axis and where they are, Int32.

    Args:
        input: any shape; any dtype but Complex.
        axis: along which axis, in [-rank, rank).

    Returns:
        (values, indices), of the shape of `input`: of its dtype, and Int32.

    Follows: mindspore.ops.cummin (2.10).
    """
    values, indices = _pair(torch.cummin, "cummin", input, axis)
    return wrap(values), wrap(indices.int())


logcumsumexp = define(
    along_axis,
    torch.logcumsumexp,
    "Return the logarithms of the running sums of exponentials along an axis.",
    args=("input: any shape; floats.\naxis: along which axis, in [-rank, rank)."),
    returns="A Tensor of the shape and dtype of `input`.",
)


@explaining
def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
    """Return the n-th differences of neighbours along an axis.

    Args:
        x: at least one axis.
        n: how often to take differences.
        axis: along which axis.
        prepend: what is put before `x`.
        append: what is put after `x`.

    Returns:
        A Tensor of the dtype of `x`, shorter by `n` along the axis.

    Follows: mindspore.ops.diff (2.10).
    """
    ends = {name: value._data for name, value in (("prepend", prepend), ("append", append)) if value is not None}
    return along_axis(lambda data, axis: torch.diff(data, n, axis, **ends), "diff", x, axis)


def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Integrate along an axis by trapezoids, at the points `x` or at distance `dx`.

    Args:
        y: the values, at least one axis; integers or floats.
        x: their points, of a shape that broadcasts against `y`; None for equal distances.
        dx: the distance of neighbours.
        dim: along which axis, in [-rank, rank).

    Returns:
        A Tensor of the shape of `y` without the axis; Float32, or the wider float of an input.

    Follows: mindspore.ops.trapz (2.10).
    """
    if x is None:
        return along_axis(lambda data, axis: torch.trapz(_float32(data), dx=dx, dim=axis), "trapz", y, dim)
    return along_axis(lambda data, axis: torch.trapz(_float32(data), _float32(x._data), dim=axis), "trapz", y, dim)


def _float32(data: torch.Tensor) -> torch.Tensor:
    """Return numbers in Float32, of complex ones the real part; Float16 stays."""
    return data.real.float() if data.is_complex() else data if data.dtype is torch.float16 else data.float()


def cov(
    input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """Return the covariances of the rows of a matrix.

    Args:
        input: shape (variables, observations), or (observations,).
        correction: subtracted from the count of observations.
        fweights: how often each observation counts, (observations,), integers.
        aweights: the weight of each observation, (observations,).

    Returns:
        A Tensor of shape (variables, variables), or 0-d; floats.

    Follows: mindspore.ops.cov (2.10).
    """
    weights: dict[str, Any] = {
        name: value._data for name, value in (("fweights", fweights), ("aweights", aweights)) if value is not None
    }
    return unary_with(lambda data: torch.cov(_wide(data), correction=correction, **weights), "cov", input)


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int | Tensor = 0) -> Tensor:
    """Count how often each integer from 0 up appears, or add up their weights; the result is Float32.

    Negative numbers and fractions are left out.

    Args:
        input: a vector of integers, none negative.
        weights: a vector of the same length, added up in place of ones.
        minlength: of the result.

    Returns:
        A Float32 vector, of the length of the largest integer plus 1, or `minlength`.

    Follows: mindspore.ops.bincount (2.10).
    """
    return unary_with(_bincount, "bincount", input, weights, minlength)


def _bincount(data: torch.Tensor, weights: Tensor | None, minlength: int | Tensor) -> torch.Tensor:
    if data.dim() != 1:
        raise ValueError(f"input must be a vector, got shape {tuple(data.shape)}.")
    if weights is None and data.is_cpu and not (data.is_floating_point() or data.is_complex()):
        try:
            return torch.bincount(data, minlength=max(int(minlength), 0)).float()
        except RuntimeError:  # of a negative number, or of bools
            pass
    shares = torch.ones(len(data), device=data.device) if weights is None else weights._data.float()
    if len(shares) != len(data):
        raise ValueError(f"there must be a weight for each element, got {len(shares)} and {len(data)}.")
    whole = data.real.long() if data.is_complex() else data.long()
    length = max(int(minlength), int(whole.max()) + 1)
    is_counted = (whole >= 0) & ((whole == data) if data.is_floating_point() or data.is_complex() else True)
    return torch.zeros(max(length, 0), device=data.device).index_add(0, whole[is_counted], shares[is_counted])


def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in bins of equal width between `min` and `max`; both 0 mean the range of the elements.

    Args:
        input: any shape and dtype.
        bins: how many.
        min: the lower end of the first bin.
        max: the upper end of the last one.

    Returns:
        A vector of `bins` counts, in the dtype of `input`; Float32 for Float16.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.histc (2.10).
    """
    return unary_with(
        lambda data: torch.histc(_wide(data).float(), bins, min, max).to(_wide(data).dtype), "histc", input
    )


def _wide(data: torch.Tensor) -> torch.Tensor:
    return data.float() if data.dtype in (torch.float16, torch.bfloat16) else data


def _result_dtype(data: torch.Tensor, dtype: Type | None) -> torch.dtype | None:
    if dtype is not None:
        return dtype.torch
    return None if data.dtype is torch.bool else data.dtype


def _pair(fn: Function, op: str, input: Tensor, axis: int) -> tuple[torch.Tensor, torch.Tensor]:
    try:
        return fn(input._data, axis)
    except Exception as error:
        return retry_in_wider_dtype(error, op, _pair, fn, op, input, axis, input=input, axis=axis)
