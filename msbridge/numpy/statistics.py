"""Counts, histograms, correlations and interpolation."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import describe, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, Data, cast, data_of, promote_pair, tensor_of, value_error
from msbridge.numpy.dtypes import DType
from msbridge.numpy.ranges import linspace
from msbridge.ops.reduce.cumulative import functions as cumulative
from msbridge.ops.reduce.sorting import functions as sorting

Bins = int | Array
Range = tuple[float, float] | list[float] | None


@explaining
def cov(
    m: Array,
    y: Array | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Array | None = None,
    aweights: Array | None = None,
    dtype: DType | None = None,
) -> Tensor:
    """Return the covariances of the rows (or columns) of a matrix, Float32.

    Args:
        m: a variable in each row, an observation in each column.
        y: more variables.
        rowvar: whether variables are rows.
        bias: whether to divide by n, not n - 1.
        ddof: what is subtracted from n; overrules `bias`.
        fweights: how often each observation counts, integers.
        aweights: the weight of each observation.
        dtype: the dtype of the result.

    Returns:
        A Tensor of shape (n, n), n the number of variables.

    Follows: mindspore.numpy.cov (2.10).
    """
    variables = _variables("cov", m, rowvar)
    if y is not None:
        variables = torch.cat([variables, _variables("cov", y, rowvar)])
    correction = ddof if ddof is not None else 0 if bias else 1
    weights = {
        name: None if value is None else tensor_of(value, "cov", name)
        for name, value in (("fweights", fweights), ("aweights", aweights))
    }
    return cast(cumulative.cov(wrap(variables), correction=correction, **weights), dtype)


def corrcoef(x: Array, y: Array | None = None, rowvar: bool = True, dtype: DType | None = None) -> Tensor:
    """Return the coefficients of correlation of the rows (or columns) of a matrix, Float32.

    Args:
        x: a variable in each row, an observation in each column.
        y: more variables; None for none.
        rowvar: whether variables are rows.
        dtype: of the result; None for Float32.

    Returns:
        A Tensor of shape (n, n), n the number of variables.

    Follows: mindspore.numpy.corrcoef (2.10).
    """
    covariance = cov(x, y, rowvar)._data
    if covariance.dim() == 0:
        return cast(wrap(covariance / covariance), dtype)
    deviations = covariance.diagonal().sqrt()
    return cast(wrap((covariance / deviations[:, None] / deviations).clamp(-1, 1)), dtype)


def bincount(x: Array, weights: Array | None = None, minlength: int = 0, length: int | None = None) -> Tensor:
    """Count how often each of 0, 1, 2 … occurs, Float32.

    Args:
        x: a vector of integers; negative ones count as 0.
        weights: what each adds instead of 1.
        minlength: how many counts there are at least.
        length: how many counts there are, regardless of `x`.

    Returns:
        A Tensor of shape (n,), Float32.

    Follows: mindspore.numpy.bincount (2.10).
    """
    data = data_of(x, "bincount", "x")
    if data.dim() != 1:
        raise value_error(f"For 'bincount', x must have one axis, got shape {tuple(data.shape)}.")
    if data.is_floating_point() or data.dtype is torch.bool:
        raise TypeError(f"For 'bincount', x must hold integers, got {describe(tensor_of(x, 'bincount'))}.")
    shares = None if weights is None else wrap(data_of(weights, "bincount", "weights").float())
    counts = cumulative.bincount(wrap(data.long().clamp(min=0)), shares, max(minlength, length or 0))._data.float()
    return wrap(counts if length is None else counts[:length])


@explaining
def histogram_bin_edges(a: Array, bins: Bins = 10, range: Range = None, weights: Array | None = None) -> Tensor:
    """Return the borders between bins; `weights` change nothing.

    Args:
        a: what would be counted.
        bins: how many of equal width, or their borders.
        range: from where to where; None for all elements.
        weights: without effect.

    Returns:
        A Float32 Tensor of shape (bins + 1,).

    Raises:
        NotImplementedError: `bins` names a rule.

    Follows: mindspore.numpy.histogram_bin_edges (2.10).
    """
    return _edges("histogram_bin_edges", data_of(a, "histogram_bin_edges", "a"), bins, range)


@explaining
def histogram(
    a: Array, bins: Bins = 10, range: Range = None, weights: Array | None = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    """Count the elements in bins: (counts, borders), counts Float32; the last bin holds its upper border, too.

    Args:
        a: what to count.
        bins: how many of equal width, or their borders.
        range: from where to where; by default all elements.
        weights: what each element adds instead of 1.
        density: whether counts are divided so that their integral is 1.

    Returns:
        A pair of Float32 Tensors, of shapes (bins,) and (bins + 1,).

    Follows: mindspore.numpy.histogram (2.10).
    """
    data = data_of(a, "histogram", "a")
    edges = _edges("histogram", data, bins, range)
    return wrap(_counts([data.reshape(-1)], [edges._data], _flat_weights("histogram", weights), density)), edges


def histogram2d(
    x: Array,
    y: Array,
    bins: Bins | Sequence[Bins] = 10,
    range: Sequence[Range] | None = None,
    weights: Array | None = None,
    density: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Count points of a plane in bins: (counts, borders along x, borders along y).

    Args:
        x: one coordinate of the points, a vector.
        y: the other, a vector of that length.
        bins: how many bins of equal width, or their borders; one for both axes, or one for each.
        range: (from, to) for each axis; None for all points.
        weights: what each point adds instead of 1.
        density: whether counts are divided so that their integral is 1.

    Returns:
        A tuple of Float32 Tensors, of shapes (bins, bins), (bins + 1,) and (bins + 1,).

    Follows: mindspore.numpy.histogram2d (2.10).
    """
    columns = [data_of(item, "histogram2d", name).float() for name, item in (("x", x), ("y", y))]
    shapes = [tuple(column.shape) for column in columns]
    if any(len(shape) != 1 for shape in shapes) or shapes[0] != shapes[1]:
        raise value_error(f"For 'histogram2d', x and y must be vectors of one length, got shapes {shapes}.")
    counts, edges = histogramdd(wrap(torch.stack(columns, 1)), bins, range, weights, density)
    return counts, edges[0], edges[1]


def histogramdd(
    sample: Array,
    bins: Bins | Sequence[Bins] = 10,
    range: Sequence[Range] | None = None,
    weights: Array | None = None,
    density: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    """Count points in bins: (counts, a list of the borders along each axis).

    A point is a row of a Tensor; a list or tuple holds the coordinates axis by axis.

    Args:
        sample: shape (points, axes), or a list of coordinates, axis by axis.
        bins: how many bins of equal width, or their borders; one for all axes, or one for each.
        range: (from, to) for each axis; None for all points.
        weights: what each point adds instead of 1.
        density: whether counts are divided so that their integral is 1.

    Returns:
        A pair of a Float32 Tensor, with an axis for each coordinate, and a list of the borders.

    Follows: mindspore.numpy.histogramdd (2.10).
    """
    points = _points(sample)
    dimensions = points.shape[1]
    per_axis = list(bins) if isinstance(bins, tuple | list) and len(bins) == dimensions else [bins] * dimensions
    ranges = [None] * dimensions if range is None else range
    edges = [
        _edges("histogramdd", column, chosen, limits)
        for column, chosen, limits in zip(points.T, per_axis, ranges, strict=True)
    ]
    columns = list(points.T)
    borders = [edge._data for edge in edges]
    return wrap(_counts(columns, borders, _flat_weights("histogramdd", weights), density)), edges


def digitize(x: Array, bins: Array, right: bool = False) -> Tensor:
    """Return for each element the number of the bin that it is in, Int32; borders rise or fall.

    Args:
        x: any shape; any dtype but Bool and Complex.
        bins: the borders, a vector.
        right: whether a bin holds its right border instead of its left one.

    Returns:
        An Int32 Tensor of the shape of `x`.

    Raises:
        ValueError: `bins` is not a vector.

    Follows: mindspore.numpy.digitize (2.10).
    """
    values, borders = promote_pair(data_of(x, "digitize", "x"), data_of(bins, "digitize", "bins"))
    if borders.dim() != 1:
        raise value_error(f"For 'digitize', bins must have one axis, got shape {tuple(borders.shape)}.")
    if len(borders) and bool(borders[0] > borders[-1]):
        found = len(borders) - torch.searchsorted(borders.flip(0).contiguous(), values.contiguous(), right=not right)
    else:
        found = torch.searchsorted(borders.contiguous(), values.contiguous(), right=not right)
    return wrap(found.int())


def searchsorted(a: Array, v: Array, side: str = "left", sorter: Array | None = None) -> Tensor:
    """Return the places in a sorted vector before which values would go, Int32.

    Args:
        a: a vector that grows; any dtype but Bool and Complex.
        v: what is looked for: any shape.
        side: "left": before equal elements; "right": behind them.
        sorter: the indices that sort `a`; None where it is sorted.

    Returns:
        An Int32 Tensor of the shape of `v`.

    Raises:
        ValueError: `a` is not a vector, or `side` is neither "left" nor "right".

    Follows: mindspore.numpy.searchsorted (2.10).
    """
    sequence, values = promote_pair(data_of(a, "searchsorted", "a"), data_of(v, "searchsorted", "v"))
    if sequence.dim() != 1:
        raise value_error(f"For 'searchsorted', a must have one axis, got shape {tuple(sequence.shape)}.")
    one_of(side, "side", "searchsorted", ("left", "right"))
    order = None if sorter is None else wrap(data_of(sorter, "searchsorted", "sorter").long())
    return sorting.searchsorted(wrap(sequence), wrap(values), out_int32=True, side=side, sorter=order)


def interp(x: Array, xp: Array, fp: Array, left: float | None = None, right: float | None = None) -> Tensor:
    """Return the values at `x` of the line through the points (xp, fp), `left` and `right` outside of them.

    Args:
        x: where to evaluate it: any shape and dtype.
        xp: growing places, a vector.
        fp: the values there, a vector of that length.
        left: the value before the first place; None for `fp[0]`.
        right: the value behind the last place; None for `fp[-1]`.

    Returns:
        A Float32 Tensor of the shape of `x`.

    Follows: mindspore.numpy.interp (2.10).
    """
    at = data_of(x, "interp", "x").float()
    points, values = data_of(xp, "interp", "xp").float(), data_of(fp, "interp", "fp").float()
    if points.dim() != 1 or points.shape != values.shape:
        shapes = f"{tuple(points.shape)} and {tuple(values.shape)}"
        raise value_error(f"For 'interp', xp and fp must be vectors of one length, got shapes {shapes}.")
    after = torch.searchsorted(points, at.contiguous(), right=True).clamp(1, max(len(points) - 1, 1))
    before = after - 1
    after = after.clamp(max=len(points) - 1)
    width = points[after] - points[before]
    share = torch.where(width == 0, 0, (at - points[before]) / width).clamp(0, 1)
    result = values[before] + share * (values[after] - values[before])
    result = torch.where(at < points[0], values[0] if left is None else left, result)
    return wrap(torch.where(at > points[-1], values[-1] if right is None else right, result))


def _variables(op: str, value: Array, rowvar: bool) -> Data:
    data = data_of(value, op)
    if data.dim() > 2:
        raise value_error(f"For '{op}', two axes at most are allowed, got shape {tuple(data.shape)}.")
    rows = data.float().reshape(1, -1) if data.dim() < 2 else data.float()
    return rows if rowvar or rows.shape[0] == 1 else rows.T


def _points(sample: Array) -> Data:
    if isinstance(sample, list | tuple):
        return torch.stack([data_of(item, "histogramdd", "sample").float() for item in sample], -1)
    data = data_of(sample, "histogramdd", "sample").float()
    if data.dim() != 2:
        raise value_error(f"For 'histogramdd', a sample must have two axes, got shape {tuple(data.shape)}.")
    return data


def _edges(op: str, data: Data, bins: Any, limits: Range) -> Tensor:
    if isinstance(bins, str):
        error = NotImplementedError(f"For '{op}', bins must be a number or the borders, got {bins!r}.")
        error.explained = True  # type: ignore[attr-defined]  # it stays what it is
        raise error
    if isinstance(bins, Tensor | list | tuple):
        return tensor_of(bins, op, "bins")
    if not isinstance(bins, int):
        raise TypeError(f"For '{op}', bins must be an int or the borders, got {describe(bins)}.")
    if limits is None:
        low, high = (data.min().item(), data.max().item()) if data.numel() else (0, 1)
    else:
        low, high = limits
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges: Tensor = linspace(float(low), float(high), bins + 1)
    return edges


def _flat_weights(op: str, weights: Array | None) -> Data | None:
    return None if weights is None else data_of(weights, op, "weights").reshape(-1).float()


def _counts(columns: list[Data], edges: list[Data], weights: Data | None, density: bool) -> Data:
    """Add up weights in the boxes that borders make along each axis."""
    shape = [len(edge) - 1 for edge in edges]
    place = torch.zeros(len(columns[0]), dtype=torch.int64, device=columns[0].device)
    inside = torch.ones_like(place, dtype=torch.bool)
    for column, edge, count in zip(columns, edges, shape, strict=True):
        values, borders = column.float().contiguous(), edge.float().contiguous()
        box = torch.searchsorted(borders, values, right=True) - 1
        box = torch.where(values == borders[-1], count - 1, box)
        inside &= (box >= 0) & (box < count)
        place = place * count + box
    shares = torch.ones_like(place, dtype=torch.float32) if weights is None else weights
    total = torch.Size(shape).numel()
    counts = torch.bincount(place[inside], shares[inside], total).reshape(shape)
    if density:
        counts = counts / counts.sum()
        for axis, edge in enumerate(edges):
            counts = counts / edge.diff().reshape([-1 if index == axis else 1 for index, _ in enumerate(edges)])
    return counts.float()
