"""The checks of `mindspore._checkparam` on axes and shapes, with the classes of errors of MindSpore 2.10."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any

from msbridge.core.checks.arguments import in_range, instance, is_int, one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype

Shape = tuple[int, ...]
INDEX_TYPES = (mstype.int16, mstype.int32, mstype.int64)


def check_axis_type(axis: Any, type_int: bool = True, type_tuple: bool = True, type_list: bool = True) -> bool:
    """Require an axis, or several in a tuple or list, as far as each is allowed.

    Raises:
        TypeError: it is of another class, or an element is not an int.
    """
    allowed = {int: type_int, tuple: type_tuple, list: type_list}
    if not any(isinstance(axis, kind) for kind, is_allowed in allowed.items() if is_allowed):
        names = ", ".join(kind.__name__ for kind, is_allowed in allowed.items() if is_allowed)
        raise TypeError(f"The axis must be of {names}, got {type(axis).__name__}.")
    if not isinstance(axis, int) and not all(isinstance(one, int) for one in axis):
        raise TypeError(f"The axes must be ints, got {axis}.")
    return True


def check_axis_in_range(axis: Any, ndim: int) -> int:
    """Return an axis, counted from the front.

    Raises:
        TypeError: it is not an int.
        ValueError: it is out of range.
    """
    instance(axis, "axis", None, (int, bool))
    return in_range(axis, "axis", None, -ndim, ndim) % ndim  # type: ignore[no-any-return]


def check_and_canonicalize_axes(axes: Any, ndim: int) -> Shape:
    """Return axes as a tuple, counted from the front.

    Raises:
        TypeError: one is not an int.
        ValueError: one is out of range, or is there twice.
    """
    return _distinct(tuple(check_axis_in_range(axis, ndim) for axis in (axes if isinstance(axes, tuple) else (axes,))))


def check_axis_valid(axes: Any, ndim: int) -> Shape:
    """Return axes as `check_and_canonicalize_axes` does; None is all of them, and they may be a list."""
    if axes is None:
        return tuple(range(ndim))
    return check_and_canonicalize_axes(tuple(axes) if isinstance(axes, list) else axes, ndim)


def _distinct(axes: Shape) -> Shape:
    if len(set(axes)) < len(axes):
        raise ValueError(f"An axis is listed twice: {axes}.")
    return axes


def check_swapaxes_axis(axes: Any, ndim: int) -> int | Shape:
    """Return one axis, or several, counted from the front.

    Raises:
        TypeError: neither int, list nor tuple, or an element is not an int.
        ValueError: one is out of range.
    """
    if isinstance(axes, list | tuple):
        return tuple(check_axis_in_range(axis, ndim) for axis in axes)
    return check_axis_in_range(axes, ndim)


def check_transpose_axis(axes: tuple[Any, ...], ndim: int) -> Any:
    """Return the order of the axes that the arguments of `Tensor.transpose` mean; without any, all reversed.

    Raises:
        TypeError: the only argument is neither int, list nor tuple.
        ValueError: another number of axes.
    """
    if not axes or axes == (None,):
        return tuple(range(ndim - 1, -1, -1))
    if len(axes) == 1 and not isinstance(axes[0], int):
        return tuple(instance(axes[0], "axes", "Tensor.transpose", (int, list, tuple)))
    if len(axes) != ndim:
        raise ValueError(f"For 'Tensor.transpose', {ndim} axes are needed, got {len(axes)}.")
    return axes


def check_reshape_shp(shp: Any) -> Any:
    """Return the shape that the arguments of `Tensor.reshape` mean.

    Raises:
        TypeError: the only argument is neither int, list nor tuple.
    """
    if len(shp) != 1 or isinstance(shp[0], int):
        return shp
    return tuple(instance(shp[0], "shape", "Tensor.reshape", (int, list, tuple)))


def check_flatten_order(order: Any) -> None:
    """Require "C" or "F".

    Raises:
        TypeError: it is not a str.
        ValueError: another one.
    """
    one_of(instance(order, "order", "Tensor.flatten", str), "order", "Tensor.flatten", ("C", "F"))


def check_reduce_shape(
    ori_shape: Sequence[int], shape: Sequence[int], axis: Any, prim_name: str | None, arg_name1: str, arg_name2: str
) -> None:
    """Require a shape to be another one without some axes.

    Raises:
        ValueError: it is not.
    """
    gone = tuple(axis) if isinstance(axis, Iterable) else (axis,)
    if list(shape) != [length for number, length in enumerate(ori_shape) if number not in gone]:
        raise ValueError(
            f"For '{prim_name}', {arg_name2} of shape {tuple(shape)} is not {arg_name1} of shape {tuple(ori_shape)} "
            f"without axis {axis}."
        )


def prepare_shape_for_squeeze(shape: Shape, axes: Any) -> Shape:
    """Return a shape without axes of length 1.

    Raises:
        TypeError: axes are neither int, list nor tuple.
        ValueError: an axis is out of range, or longer.
    """
    instance(axes, "axes", "Tensor.squeeze", (int, bool, list, tuple))
    gone = {check_axis_in_range(axis, len(shape)) for axis in ((axes,) if isinstance(axes, int) else axes)}
    if longer := [axis for axis in sorted(gone) if shape[axis] != 1]:
        raise ValueError(f"For 'Tensor.squeeze', axis {longer[0]} of shape {shape} must have length 1.")
    return tuple(length for axis, length in enumerate(shape) if axis not in gone)


def expanded_shape(ndim: int, axis_size: int, axis: int) -> Shape:
    """Return a shape of ones, with a length along one axis."""
    return tuple(axis_size if number == axis else 1 for number in range(ndim))


def infer_out_shape(*shapes: Shape) -> Shape:
    """Return the shape to which others broadcast.

    Raises:
        ValueError: they do not.
    """
    joint = []
    for lengths in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        longest = 0 if 0 in lengths else max(lengths)
        if any(length not in (1, longest) for length in lengths):
            raise ValueError(f"The shapes {shapes} do not broadcast.")
        joint.append(longest)
    return tuple(reversed(joint))


def tuple_slice(tup: tuple[Any, ...], start: int | None, end: int | None) -> tuple[Any, ...]:
    """Return a part of a tuple."""
    return tup[start:end]


def max_(*args: Any) -> Any:
    """Return the largest."""
    return max(*args)


def min_(*args: Any) -> Any:
    """Return the smallest."""
    return min(*args)


def _repeating(count: int, kinds: Any) -> Callable[[Any], Any]:
    """Return a function that returns `count` ints for one of them, or checks those of a tuple."""

    def expand(m: Any) -> Any:
        if is_int(m):
            return (m,) * count
        if not isinstance(m, kinds) or len(m) != count or not all(is_int(one) for one in m):
            raise TypeError(f"An int or {count} of them are needed, got {m!r}.")
        return tuple(m)

    return expand


once, twice, triple = (_repeating(count, (tuple,)) for count in (1, 2, 3))
once_sequence, twice_sequence, triple_sequence = (_repeating(count, (tuple, list)) for count in (1, 2, 3))


def check_sparse_tensor_input(indices: Any, values: Any, shape: Any) -> None:
    """Require two Tensors and a tuple.

    Raises:
        TypeError: one is of another class.
    """
    for name, value, kind in (("indices", indices, Tensor), ("values", values, Tensor), ("shape", shape, tuple)):
        instance(value, name, "SparseTensors", kind)


def check_coo_tensor_input(indices: Any, values: Any, shape: Any) -> None:
    """Check the arguments of COOTensor. Raises as `check_sparse_tensor_input`."""
    check_sparse_tensor_input(indices, values, shape)


def check_csr_tensor_input(indptr: Any, indices: Any, values: Any, shape: Any) -> None:
    """Check the arguments of CSRTensor. Raises as `check_sparse_tensor_input`."""
    check_sparse_tensor_input(indptr, values, shape)
    check_sparse_tensor_input(indices, values, shape)


def check_coo_tensor_dtype(indices_dtype: Any) -> None:
    """Require a type of indices: Int16, Int32 or Int64.

    Raises:
        TypeError: another one.
    """
    if indices_dtype not in INDEX_TYPES:
        raise TypeError(f"For a sparse tensor: indices must be Int16, Int32 or Int64, got {indices_dtype}.")


def check_csr_tensor_dtype(indptr_dtype: Any, indices_dtype: Any) -> None:
    """Require two types of indices. Raises as `check_coo_tensor_dtype`."""
    check_coo_tensor_dtype(indptr_dtype)
    check_coo_tensor_dtype(indices_dtype)


def check_coo_tensor_shape(indices_shp: Shape, values_shp: Shape, coo_shp: Shape) -> None:
    """Require shapes of a COOTensor's parts that fit together; empty ones do.

    Raises:
        TypeError: a length is not an int.
        ValueError: they do not fit.
    """
    _require("COOTensor", len(coo_shp) == 2, f"shape must have two axes, got {coo_shp}")
    if indices_shp == values_shp == (0,):
        return
    room = _room("COOTensor", coo_shp)
    _require("COOTensor", room >= values_shp[0], f"shape {coo_shp} cannot hold {values_shp[0]} values")
    fits = len(indices_shp) == 2 and len(values_shp) == 1 and indices_shp == (values_shp[0], 2)
    _require("COOTensor", fits, f"values (n,) need indices (n, 2), got {values_shp} and {indices_shp}")


def check_csr_tensor_shape(indptr_shp: Shape, indices_shp: Shape, values_shp: Shape, csr_shp: Shape) -> None:
    """Require shapes of a CSRTensor's parts that fit together; empty ones do.

    Raises:
        TypeError: a length is not an int.
        ValueError: they do not fit.
    """
    if indptr_shp == indices_shp == values_shp == (0,):
        return
    room = _room("CSRTensor", csr_shp)
    _require("CSRTensor", all(length > 0 for length in values_shp), f"values are empty: {values_shp}")
    _require("CSRTensor", room >= math.prod(values_shp), f"shape {csr_shp} cannot hold values {values_shp}")
    _require("CSRTensor", len(indices_shp) == 1, f"indices must have one axis, got {indices_shp}")
    _require("CSRTensor", indptr_shp == (csr_shp[0] + 1,), f"indptr must be ({csr_shp[0] + 1},), got {indptr_shp}")
    fits = indices_shp[0] == values_shp[0] and len(values_shp) + 1 == len(csr_shp) and values_shp[1:] == csr_shp[2:]
    _require("CSRTensor", fits, f"values {values_shp} and indices {indices_shp} do not fit shape {csr_shp}")


def _room(owner: str, shape: Shape) -> int:
    for length in shape:
        _require(owner, length > 0, f"lengths of the shape must be positive, got {shape}")
        instance(length, "each length of shape", owner, (int, bool))
    return math.prod(shape)


def _require(owner: str, fits: bool, otherwise: str) -> None:
    if not fits:
        raise ValueError(f"For '{owner}', {otherwise}.")


def check_3d_int_or_tuple(
    arg_name: str,
    arg_value: int | Shape,
    prim_name: str,
    allow_five: bool = False,
    ret_five: bool = False,
    greater_zero: bool = True,
    third_one: bool = False,
    three_input: bool = False,
    pad_value: int = 1,
) -> Shape:
    """Return an int, or a tuple of three or five, as the sizes of a 3-D layer.

    Args:
        arg_name: what the errors call it.
        arg_value: the int or tuple.
        prim_name: for whom the errors speak.
        allow_five: whether a tuple may have five elements.
        ret_five: return five: `pad_value` twice before three.
        greater_zero: refuse 0.
        third_one: refuse a depth other than 1.
        three_input: refuse tuples of five, regardless of `allow_five`.
        pad_value: what comes before three.

    Raises:
        TypeError: neither int nor tuple.
        ValueError: another number of elements, or an element is not an int or too small.

    Follows: mindspore._checkparam._check_3d_int_or_tuple (2.10).
    """
    given = "an int, or a tuple of three" + (" or five" if allow_five and not three_input else "")
    wrong = f"For '{prim_name}', '{arg_name}' must be {given}, each at least {int(greater_zero)}, got {arg_value}."
    instance(arg_value, arg_name, prim_name, (int, tuple))
    sizes = (arg_value,) * 3 if isinstance(arg_value, int) else arg_value
    if len(sizes) not in ((3, 5) if allow_five and not three_input else (3,)):
        raise ValueError(wrong)
    if not all(is_int(size) and size >= greater_zero for size in sizes):
        raise ValueError(wrong)
    if third_one and sizes[-3] != 1:
        raise ValueError(f"For '{prim_name}', the depth of '{arg_name}' must be 1, got {sizes[-3]}.")
    return ((pad_value, pad_value, *sizes) if ret_five and len(sizes) == 3 else sizes)[0 if ret_five else -3 :]
