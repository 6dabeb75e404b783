"""Methods of Tensor."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.faces import same
from msbridge.ops.kernel_calls.data_movement import bind_form, long, rearrange, scatter_at
from msbridge.ops.kernel_calls.families import Number, scalar_or_tensor
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype
from msbridge.ops.shape.scatter_elements import functions
from msbridge.ops.shape.scatter_elements.functions import _scatter
from msbridge.ops.shape.scatter_rows.functions import tensor_scatter_add

_REDUCED = {"add": "add", "multiply": "mul"}


def scatter(
    self: Tensor,
    *arguments: Any,
    axis: int | None = None,
    dim: int | None = None,
    index: Any = None,
    src: Any = None,
    value: Any = None,
    reduce: str = "none",
) -> Tensor:
    """Write single elements of `src` (or `value`) into a copy, each at its place except along `axis` (or `dim`).

    Args:
        self: where to write.
        arguments: (axis, index, src, reduce), as far as they are not named.
        axis: the axis along which `index` has the places.
        dim: another name of `axis`.
        index: places.
        src: what to write: a Tensor of the shape of `index`, or a number.
        value: another name of `src`.
        reduce: "none", "add" or "multiply": what becomes of the elements that are there.

    Returns:
        A Tensor of the same shape and dtype.

    Raises:
        ValueError: another `reduce`.

    Follows: mindspore.Tensor.scatter (2.10).
    """
    axis, source = axis if dim is None else dim, src if value is None else value
    if len(arguments) > 1 and isinstance(arguments[-1], str):
        *arguments, reduce = arguments  # type: ignore[assignment]
    axis, index, source = bind_form("scatter", tuple(arguments), axis=axis, index=index, src=source)
    if reduce == "none":
        return functions.scatter(self, axis, index, source)
    if reduce not in _REDUCED:
        raise ValueError(f"For 'scatter', 'reduce' must be 'none', 'add' or 'multiply', but got {reduce!r}.")
    if not isinstance(source, Tensor):
        source = wrap(torch.full_like(index._data, source, dtype=self._data.dtype))
    return scatter_at(_scatter, "scatter", self, index, source, axis, _REDUCED[reduce])


def scatter_add(
    self: Tensor,
    *arguments: Any,
    indices: Any = None,
    updates: Any = None,
    dim: Any = None,
    index: Any = None,
    src: Any = None,
) -> Tensor:
    """Add into a copy: by index vectors, `(indices, updates)`, or along an axis, `(dim, index, src)`.

    Args:
        self: any shape; it stays as it is.
        arguments: those of one form, by position.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        dim: the axis along which `index` has the places.
        index: places, as many axes as there are here; Int32 or Int64.
        src: of the shape of `index`.

    Returns:
        A Tensor of the same shape and dtype.

    Follows: mindspore.Tensor.scatter_add (2.10).
    """
    if dim is not None or src is not None or (arguments and isinstance(arguments[0], int)):
        dim, index, src = bind_form("scatter_add", arguments, dim=dim, index=index, src=src)
        return scatter_at(_scatter, "scatter_add", self, index, src, dim, "add")
    return tensor_scatter_add(self, *bind_form("scatter_add", arguments, indices=indices, updates=updates))


def index_add(
    self: Tensor,
    *arguments: Any,
    dim: Any = None,
    index: Any = None,
    source: Any = None,
    indices: Any = None,
    y: Any = None,
    axis: int | None = None,
    alpha: Number = 1,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> Tensor:
    """Add slices in place: `index_add(indices, y, axis)` or `index_add(dim, index, source, alpha=1)`.

    Additions are never lost, and indices always checked, regardless of `use_lock` and `check_index_bound`.

    Args:
        self: changed in place.
        arguments: those of one form, by position.
        dim: along which axis.
        index: places along the axis, (n,); Int32.
        source: of the same shape, but n along the axis.
        indices: another name of `index`.
        y: another name of `source`.
        axis: another name of `dim`.
        alpha: what `source` is multiplied by.
        use_lock: without effect.
        check_index_bound: without effect.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.index_add (2.10).
    """
    if dim is not None or index is not None or (arguments and isinstance(arguments[0], int)):
        dim, index, source = bind_form("index_add", arguments, dim=dim, index=index, source=source)
        return functions.index_add(self, index, source if alpha == 1 else wrap(source._data * alpha), dim)
    return functions.index_add(self, *bind_form("index_add", arguments, indices=indices, y=y, axis=axis))


def index_put(self: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False) -> Tensor:
    """Write `values` at the places that one index Tensor for each axis names, into a copy.

    Args:
        self: any shape; it stays as it is.
        indices: integers that broadcast against each other, one Tensor for each leading axis.
        values: broadcasts to the elements that are named.
        accumulate: add to what is there.

    Returns:
        A Tensor of the same shape and dtype.

    Follows: mindspore.Tensor.index_put (2.10).
    """
    return rearrange(_index_put, "index_put", self, indices, values, bool(accumulate))


def index_put_(self: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False) -> Tensor:
    """Write `values` at the places that one index Tensor for each axis names, in place.

    Args:
        self: changed in place.
        indices: integers that broadcast against each other, one Tensor for each leading axis.
        values: broadcasts to the elements that are named.
        accumulate: add to what is there.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.index_put_ (2.10).
    """
    try:
        places = tuple(long(index._data) for index in indices)
        data = writable(self)
        data.index_put_(places, values._data.to(data.dtype), bool(accumulate))
    except Exception as error:
        raise explain(error, "index_put_", input=self, indices=indices, values=values) from error
    return self


def masked_fill_(self: Tensor, mask: Tensor, value: Number | Tensor) -> Tensor:
    """Put `value` where `mask` is True, in place.

    Args:
        self: changed in place.
        mask: Bool; broadcasts to this tensor.
        value: a number or a 0-d Tensor.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.masked_fill_ (2.10).
    """
    try:
        writable(self).masked_fill_(mask._data, scalar_or_tensor(value))
    except Exception as error:
        retry_in_wider_dtype(error, "masked_fill_", masked_fill_, self, mask, value, input=self, mask=mask, value=value)
    return self


def masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Write the elements of `source`, in order, where `mask` is True, into a copy.

    Args:
        self: any shape; it stays as it is.
        mask: Bool; broadcasts to this tensor.
        source: at least as many elements as `mask` has True.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.Tensor.masked_scatter (2.10).
    """
    return with_common_dtype(partial(scatter_at, torch.masked_scatter, "masked_scatter"), self, mask, source)


def _index_put(data: torch.Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool) -> torch.Tensor:
    return torch.index_put(data, tuple(long(index._data) for index in indices), values._data.to(data.dtype), accumulate)


SAME = same(
    functions,
    "diagonal_scatter index_fill inplace_update select_scatter slice_scatter",
)
