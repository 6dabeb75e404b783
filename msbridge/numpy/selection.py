"""Choosing elements by conditions, indices and sets."""

from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import (
    NARROW,
    WIDE_UNSIGNED,
    Array,
    Data,
    axis_in,
    common,
    compute,
    data_of,
    promote_pair,
    tensor_of,
    tensors_of,
    value_error,
)
from msbridge.ops.reduce.sorting import functions as sorting
from msbridge.ops.shape.gather_and_select import functions as indexing


def where(condition: Array, x: Array | None = None, y: Array | None = None) -> Tensor:
    """Take from `x` where the condition is true (not zero), else from `y`; all three broadcast.

    Args:
        condition: any shape; not zero is true.
        x: what broadcasts against it.
        y: likewise.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype of `x` and `y`.

    Follows: mindspore.numpy.where (2.10).
    """
    chosen = data_of(condition, "where", "condition").bool()
    first, second = tensor_of(x, "where", "x"), tensor_of(y, "where", "y")
    if WIDE_UNSIGNED & {first._data.dtype, second._data.dtype}:
        first, second = common([first, second])
    else:
        first, second = map(wrap, promote_pair(first._data, second._data))
    return indexing.where(wrap(chosen), first, second)


@explaining
def take(a: Array, indices: Array, axis: int | None = None, mode: str = "clip") -> Tensor:
    """Take slices along an axis, of the flattened tensor by default.

    Args:
        a: where to take from.
        indices: which; negative ones count from the end.
        axis: along which axis.
        mode: what an index out of range does: "clip" or "wrap".

    Returns:
        A Tensor of the dtype of `a`, with the axes of `indices` instead of that axis.

    Raises:
        NotImplementedError: `mode` is "raise".

    Follows: mindspore.numpy.take (2.10).
    """
    data, places = data_of(a, "take", "a"), data_of(indices, "take", "indices")
    if axis is None:
        data, axis = data.reshape(-1), 0
    place = axis_in(axis, data.dim(), "take")
    count = data.shape[place]
    found = _in_range("take", torch.where(places < -count, -count, places), count, mode, negative=True).long()
    result = data.index_select(place, found.reshape(-1))
    return wrap(result.reshape((*data.shape[:place], *places.shape, *data.shape[place + 1 :])))


def take_along_axis(arr: Array, indices: Array, axis: int | None) -> Tensor:
    """Take elements along an axis, one place for each of the result, of the flattened tensor where `axis` is None.

    Args:
        arr: any shape and dtype.
        indices: integers, with as many axes, which broadcast against `arr` but for that axis.
        axis: in [-arr.ndim, arr.ndim); None flattens `arr`.

    Returns:
        A Tensor of the dtype of `arr`.

    Follows: mindspore.numpy.take_along_axis (2.10).
    """
    data, places = data_of(arr, "take_along_axis", "arr"), data_of(indices, "take_along_axis", "indices").long()
    if axis is None:
        data, axis = data.reshape(-1), 0
    place = axis_in(axis, data.dim(), "take_along_axis")
    if places.dim() != data.dim():
        raise value_error(
            f"For 'take_along_axis', indices must have {data.dim()} axes, got shape {tuple(places.shape)}."
        )
    return compute(torch.take_along_dim, "take_along_axis", wrap(data), wrap(places), dim=place)


@explaining
def choose(a: Array, choices: Any, mode: str = "clip") -> Tensor:
    """Take each element from the one of `choices` that `a` names.

    Args:
        a: which choice.
        choices: tensors that broadcast with `a`.
        mode: what an index out of range does: "clip" or "wrap".

    Returns:
        A Tensor of the broadcast shape and the promoted dtype of `choices`.

    Raises:
        NotImplementedError: `mode` is "raise".
        ValueError: the shapes do not fit.

    Follows: mindspore.numpy.choose (2.10).
    """
    arrays = [tensor._data for tensor in common(tensors_of(choices, "choose", "choices"))]
    try:
        places, *arrays = torch.broadcast_tensors(data_of(a, "choose", "a"), *arrays)
    except RuntimeError as error:
        raise value_error("For 'choose', a and choices do not broadcast.") from error
    found = _in_range("choose", places, len(arrays), mode, negative=False).long()
    return wrap(torch.stack(list(arrays)).gather(0, found.unsqueeze(0)).squeeze(0))


def select(condlist: Any, choicelist: Any, default: Array = 0) -> Tensor:
    """Take from the first of `choicelist` whose condition is true, else `default`.

    Args:
        condlist: a sequence of Bool arrays.
        choicelist: a sequence of as many arrays, which broadcast against them.
        default: what is taken where no condition is true.

    Returns:
        A Tensor of the broadcast shape.

    Follows: mindspore.numpy.select (2.10).
    """
    conditions, choices = tensors_of(condlist, "select", "condlist"), tensors_of(choicelist, "select", "choicelist")
    if len(conditions) != len(choices):
        raise value_error(f"For 'select', {len(conditions)} conditions do not go with {len(choices)} choices.")
    choices = common(choices)
    dtype = choices[0]._data.dtype
    if not isinstance(choicelist, Tensor):  # a list becomes one Tensor, of the dtype of lists
        dtype = NARROW.get(dtype, dtype)
    choices = [wrap(choice._data.to(dtype)) for choice in choices]
    result: Tensor = wrap(tensor_of(default, "select", "default")._data.to(dtype))
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = where(condition, choice, result)
    return result


def piecewise(x: Array, condlist: Any, funclist: list[Any], *args: Any, **kw: Any) -> Tensor:
    """Apply to each element the function (or take the number) whose condition is true; one more is for the rest.

    Args:
        x: the elements.
        condlist: the conditions; the first that is true counts.
        funclist: functions or numbers; without one for the rest, the rest is 0.
        args: further arguments of the functions.
        kw: further arguments of the functions.

    Returns:
        A Tensor of the shape of `x`.

    Raises:
        ValueError: there are too many or too few functions.

    Follows: mindspore.numpy.piecewise (2.10).
    """
    tensor = tensor_of(x, "piecewise", "x")
    conditions = tensors_of(condlist, "piecewise", "condlist")
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise value_error(f"For 'piecewise', {len(conditions)} conditions do not go with {len(funclist)} functions.")
    pieces = [piece(tensor, *args, **kw) if callable(piece) else piece for piece in funclist]
    rest = pieces.pop() if len(pieces) > len(conditions) else 0
    *choices, result = common([tensor_of(piece, "piecewise") for piece in [*pieces, rest]])
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = where(condition, choice, result)
    return result


def argwhere(a: Array) -> Tensor:
    """Return the indices of the elements that are not zero, a row each, Int64.

    Args:
        a: any shape and dtype.

    Returns:
        An Int64 Tensor of shape (n, a.ndim).

    Follows: mindspore.numpy.argwhere (2.10).
    """
    return indexing.argwhere(tensor_of(a, "argwhere", "a"))


def unique(x: Array, return_inverse: bool = False) -> Tensor | tuple[Tensor, Tensor]:
    """Return the distinct elements in the order in which they come; with `return_inverse` where each went, too.

    Args:
        x: any shape; any dtype but Complex.
        return_inverse: whether to return (elements, places), too.

    Returns:
        A Tensor of one axis and the dtype of `x`; with `return_inverse` a tuple of it and an Int32 Tensor of shape
            (x.size,).

    Follows: mindspore.numpy.unique (2.10).
    """
    values, places = sorting.unique(wrap(data_of(x, "unique", "x").reshape(-1)))
    return (values, places) if return_inverse else values


def intersect1d(
    ar1: Array, ar2: Array, assume_unique: bool = False, return_indices: bool = False
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Return the elements that both hold, sorted; with `return_indices` where they first are in each, Int32.

    Args:
        ar1: any shape; integers or floats.
        ar2: likewise.
        assume_unique: whether each holds every element once, which saves time.
        return_indices: whether to return (elements, indices in `ar1`, indices in `ar2`).

    Returns:
        A Tensor of one axis and the promoted dtype; with `return_indices` a tuple of three.

    Follows: mindspore.numpy.intersect1d (2.10).
    """
    first, second = promote_pair(
        data_of(ar1, "intersect1d", "ar1").reshape(-1), data_of(ar2, "intersect1d", "ar2").reshape(-1)
    )
    shared = first[torch.isin(first, second)]
    shared = shared.sort().values if assume_unique else shared.unique()
    if not return_indices:
        return wrap(shared)
    return wrap(shared), wrap(_first_places(first, shared)), wrap(_first_places(second, shared))


@explaining
def setdiff1d(ar1: Array, ar2: Array, assume_unique: bool = False) -> Tensor:
    """Return the elements of `ar1` that `ar2` does not hold, sorted unless they are said to be unique.

    Args:
        ar1: any shape; integers or floats.
        ar2: any shape.
        assume_unique: whether each holds every element once; the result is not sorted then.

    Returns:
        A Tensor of one axis and the dtype of `ar1`.

    Follows: mindspore.numpy.setdiff1d (2.10).
    """
    values = data_of(ar1, "setdiff1d", "ar1").reshape(-1)
    values = values if assume_unique else values.unique()
    first, second = promote_pair(values, data_of(ar2, "setdiff1d", "ar2").reshape(-1))
    return wrap(values[~torch.isin(first, second)])


def ravel_multi_index(multi_index: Any, dims: tuple[int, ...], mode: str = "clip", order: str = "C") -> Tensor:
    """Return the places in the flattened tensor that indices along each axis name, Float32.

    Args:
        multi_index: a sequence of arrays, one for each axis.
        dims: the shape that they index.
        mode: what an index out of range does: "clip" or "wrap".
        order: "C": the last axis is dense; "F": the first one.

    Returns:
        A Float32 Tensor of the shape of the arrays.

    Raises:
        NotImplementedError: `mode` is "raise".
        ValueError: `order` is neither "C" nor "F", or the number of axes differs.

    Follows: mindspore.numpy.ravel_multi_index (2.10).
    """
    indices = [tensor._data for tensor in tensors_of(multi_index, "ravel_multi_index", "multi_index")]
    if len(indices) != len(dims):
        raise value_error(f"For 'ravel_multi_index', {len(indices)} rows of indices do not go with dims {dims!r}.")
    place = torch.zeros((), dtype=torch.int64, device=indices[0].device)
    for index, size in _order("ravel_multi_index", list(zip(indices, dims, strict=True)), order):
        place = place * size + _in_range("ravel_multi_index", index, size, mode, negative=False)
    return wrap(place.float())


def unravel_index(indices: Array, shape: int | tuple[int, ...], order: str = "C") -> tuple[Tensor, ...]:
    """Return the indices along each axis of places in the flattened tensor; places out of range are clipped.

    Args:
        indices: places in the flattened tensor, of any shape.
        shape: the shape that they index.
        order: "C": the last axis is dense; "F": the first one.

    Returns:
        A tuple of Tensors of the shape and dtype of `indices`, one for each axis.

    Raises:
        ValueError: `order` is neither "C" nor "F".

    Follows: mindspore.numpy.unravel_index (2.10).
    """
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    count = torch.Size(sizes).numel()
    places = data_of(indices, "unravel_index", "indices")
    rest = torch.where(places < 0, places + count, places).clamp(0, count - 1)
    indices_by_axis = []
    for size in reversed(_order("unravel_index", list(sizes), order)):
        indices_by_axis.append(wrap(rest % size))
        rest = rest.div(size, rounding_mode="floor")
    return tuple(_order("unravel_index", indices_by_axis[::-1], order))


def _in_range(op: str, places: Data, count: int, mode: str, negative: bool) -> Data:
    """Bring indices into range; with `negative`, those below 0 count from the end."""
    if mode == "wrap":
        return places % count
    if mode == "clip":
        return (
            torch.where(places < 0, places + count, places).clamp(0, count - 1)
            if negative
            else places.clamp(0, count - 1)
        )
    if mode == "raise":
        raise NotImplementedError(f"For '{op}', the mode 'raise' is not supported; 'clip' and 'wrap' are.")
    raise value_error(f"For '{op}', mode must be 'clip' or 'wrap', got {mode!r}.")


def _order(op: str, items: list[Any], order: str) -> list[Any]:
    """Return the axes from the slowest to the fastest."""
    one_of(order, "order", op, ("C", "F"))
    return items if order == "C" else items[::-1]


def _first_places(values: Data, wanted: Data) -> Data:
    return (values == wanted[:, None]).int().argmax(1).int()
