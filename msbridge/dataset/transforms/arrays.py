"""Transforms of arrays of any meaning: OneHot, Fill, PadEnd, Slice, Mask, Concatenate, Duplicate, Unique."""

from enum import IntEnum
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.core.types.dtype import bool_
from msbridge.dataset.transforms.base import Transform, one_input
from msbridge.dataset.transforms.cast import as_numpy_dtype

__all__ = ["Concatenate", "Duplicate", "Fill", "Mask", "OneHot", "PadEnd", "Relational", "Slice", "Unique"]


class OneHot(Transform):
    """Encode labels as one-hot vectors.

    Args:
        num_classes: the length of the vectors, more than 0.
        smoothing_rate: spread evenly over all places, in [0, 1].

    Follows: mindspore.dataset.transforms.OneHot (2.10).
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        require_type(num_classes, "num_classes", int)
        if num_classes < 1:
            raise ValueError(f"Input must be greater than 0: num_classes is {num_classes}.")
        within(require_type(smoothing_rate, "smoothing_rate", (float, int)), "smoothing_rate", 0.0, 1.0)
        self.num_classes, self.smoothing_rate = num_classes, smoothing_rate

    def transform_value(self, value: Any) -> np.ndarray:
        labels = np.asarray(value)
        return self._encode(labels.squeeze())

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return self._encode(rows) if rows.ndim == 1 else None

    def _encode(self, labels: np.ndarray) -> np.ndarray:
        if labels.dtype.kind not in "iu":
            raise RuntimeError(f"OneHot: Only support input of int type, but got: {labels.dtype}.")
        if labels.size and not 0 <= labels.min() <= labels.max() < self.num_classes:
            raise RuntimeError(
                f"OneHot: index values must be in [0, num classes: {self.num_classes}), but got values in "
                f"[{labels.min()}, {labels.max()}]."
            )
        hot = labels[..., None] == np.arange(self.num_classes)
        if not self.smoothing_rate:
            return hot.astype(labels.dtype)
        low = self.smoothing_rate / self.num_classes
        return np.where(hot, 1 - self.smoothing_rate + low, low)


class OneHotFloats(OneHot):
    """Encode labels as one-hot vectors of float64, of an array of any shape.

    Args:
        num_classes: the length of the vectors, more than 0.
        smoothing_rate: spread evenly over all places, in [0, 1].

    Follows: mindspore.dataset.transforms.py_transforms.OneHotOp (1.10).
    """

    def transform_value(self, value: Any) -> np.ndarray:
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "iu":
            raise ValueError(f"OneHotOp: the input should be an ndarray of integers, got {value!r}.")
        if value.size and value.max() >= self.num_classes:
            raise ValueError(f"OneHotOp: num_classes {self.num_classes} is too small for the category {value.max()}.")
        hot = (value[..., None] == np.arange(self.num_classes)).astype(np.int64)
        return (1 - self.smoothing_rate) * hot + self.smoothing_rate / self.num_classes

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return None


class Fill(Transform):
    """Fill arrays with one value; shape and dtype stay.

    Args:
        fill_value: a number, bytes or a string, of the kind of the arrays.

    Follows: mindspore.dataset.transforms.Fill (2.10).
    """

    def __init__(self, fill_value: Any) -> None:
        require_type(fill_value, "fill_value", (bool, int, float, str, bytes))
        self.fill_value = fill_value

    def transform_value(self, value: Any) -> np.ndarray:
        array = np.asarray(value)
        text = isinstance(self.fill_value, (str, bytes))
        if text != (array.dtype.kind in "US"):
            raise RuntimeError(
                "Fill: fill_value and the input tensor must be of the same data type when involving strings or bytes, "
                f"but got {self.fill_value!r} and {array.dtype}."
            )
        if text:
            return np.full(array.shape, self.fill_value)
        return np.full(array.shape, np.asarray(self.fill_value).astype(array.dtype))


class PadEnd(Transform):
    """Pad (or cut) arrays at the end of each axis.

    Args:
        pad_shape: the shape to reach; None keeps an axis.
        pad_value: None is 0 or an empty string.

    Follows: mindspore.dataset.transforms.PadEnd (2.10).
    """

    def __init__(self, pad_shape: list[int | None], pad_value: Any = None) -> None:
        require_type(pad_shape, "pad_shape", list)
        for size in pad_shape:
            if size is not None:
                int_within(size, "dimension in pad_shape")
        if pad_value is not None:
            require_type(pad_value, "pad_value", (bool, int, float, str, bytes))
        self.pad_shape, self.pad_value = pad_shape, pad_value

    def transform_value(self, value: Any) -> np.ndarray:
        array = np.asarray(value)
        if not array.ndim:
            return array
        if array.ndim != len(self.pad_shape):
            raise RuntimeError(
                f"PadEnd: invalid pad shape, as rank of input is: {array.ndim}, and rank of pad value: "
                f"{len(self.pad_shape)}."
            )
        shape = [have if want is None else want for have, want in zip(array.shape, self.pad_shape, strict=True)]
        return pad_array(array, shape, self.pad_value)


def pad_array(array: np.ndarray, shape: list[int], fill: Any) -> np.ndarray:
    """Pad at the end of each axis up to `shape`, or cut; None fills with 0 or an empty string."""
    empty: Any = "" if array.dtype.kind == "U" else b"" if array.dtype.kind == "S" else 0
    value = np.asarray(empty if fill is None else fill)
    if (value.dtype.kind in "US") != (array.dtype.kind in "US"):
        raise RuntimeError(f"Pad: cannot fill an array of {array.dtype} with {fill!r}.")
    if list(array.shape) == shape:
        return array
    dtype = np.result_type(array.dtype, value.dtype) if array.dtype.kind in "US" else array.dtype
    full = np.full(shape, value.astype(dtype), dtype=dtype)
    common = tuple(slice(0, min(have, want)) for have, want in zip(array.shape, shape, strict=True))
    full[common] = array[common]
    return full


class Slice(Transform):
    """Slice arrays as by indexing; an int keeps its axis.

    Args:
        slices: per axis an int, a list of ints, a slice, None or True (all), or one Ellipsis.

    Follows: mindspore.dataset.transforms.Slice (2.10).
    """

    def __init__(self, *slices: Any) -> None:
        for part in slices:
            if part is not None and not isinstance(part, (int, list, slice, type(Ellipsis))):
                raise TypeError(
                    f"Argument slice with value {part!r} is not an int, list of ints, slice, None, bool or Ellipsis, "
                    f"but got {type(part)}."
                )
        self.slices = slices

    def transform_value(self, value: Any) -> np.ndarray:
        array = np.asarray(value)
        parts = list(self.slices)
        if Ellipsis in [part for part in parts if not isinstance(part, list)]:
            at = next(number for number, part in enumerate(parts) if part is Ellipsis)
            parts[at : at + 1] = [slice(None)] * (array.ndim - len(parts) + 1)
        if len(parts) > array.ndim:
            raise RuntimeError(f"Slice: {len(parts)} slices for an array of {array.ndim} dimensions.")
        for axis, part in enumerate(parts):
            array = self._cut(array, axis, part)
        return array

    def _cut(self, array: np.ndarray, axis: int, part: Any) -> np.ndarray:
        if part is None or part is True or isinstance(part, slice):
            cut = part if isinstance(part, slice) else slice(None)
            return array[(slice(None),) * axis + (cut,)]
        indices = [part] if isinstance(part, int) else part
        size = array.shape[axis]
        for index in indices:
            if not -size <= index < size:
                raise RuntimeError(f"Slice: Index {index} is out of bounds for an axis of {size}.")
        return array.take(indices, axis=axis)


class Relational(IntEnum):
    """The comparisons of `Mask`.

    Follows: mindspore.dataset.transforms.Relational (2.10).
    """

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARISONS = {
    Relational.EQ: np.equal,
    Relational.NE: np.not_equal,
    Relational.GT: np.greater,
    Relational.GE: np.greater_equal,
    Relational.LT: np.less,
    Relational.LE: np.less_equal,
}


class Mask(Transform):
    """Compare each element with a constant.

    Args:
        operator: how to compare.
        constant: what to compare with.
        dtype: of the result.

    Follows: mindspore.dataset.transforms.Mask (2.10).
    """

    pointwise = True

    def __init__(self, operator: Relational, constant: Any, dtype: Any = bool_) -> None:
        require_type(operator, "operator", Relational)
        require_type(constant, "constant", (bool, int, float, str, bytes))
        self.operator, self.constant, self.dtype = operator, constant, as_numpy_dtype(dtype)

    def transform_value(self, value: Any) -> np.ndarray:
        array = np.asarray(value)
        if isinstance(self.constant, (str, bytes)) != (array.dtype.kind in "US"):
            raise RuntimeError(f"Mask: cannot compare an array of {array.dtype} with {self.constant!r}.")
        constant = np.asarray(self.constant)
        if array.dtype.kind not in "US":
            constant = constant.astype(array.dtype)  # 1.5 is 1 beside whole numbers, 2 is True beside bools
        return np.asarray(_COMPARISONS[self.operator](array, constant)).astype(self.dtype)

    def stack(self, rows: np.ndarray) -> np.ndarray:
        return self.transform_value(rows)


class Duplicate:
    """Duplicate arrays: one column becomes two.

    Follows: mindspore.dataset.transforms.Duplicate (2.10).
    """

    def __call__(self, *values: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the array and a copy."""
        array = one_input("Duplicate", values)
        return array, array.copy()


class Concatenate:
    """Concatenate columns along an axis; only arrays of one dimension.

    Args:
        axis: 0 or -1.
        prepend: an array to put in front.
        append: an array to put at the end.

    Follows: mindspore.dataset.transforms.Concatenate (2.10).
    """

    def __init__(self, axis: int = 0, prepend: np.ndarray | None = None, append: np.ndarray | None = None) -> None:
        require_type(axis, "axis", int)
        if axis not in (0, -1):
            raise ValueError(f"only 1D concatenation supported: axis must be 0 or -1, got {axis}.")
        for name, part in (("prepend", prepend), ("append", append)):
            if part is not None:
                require_type(part, name, np.ndarray)
                if part.ndim != 1:
                    raise ValueError(f"can only prepend and append 1D arrays, {name} has {part.ndim} dimensions.")
        self.axis, self.prepend, self.append = axis, prepend, append

    def __call__(self, *values: Any) -> np.ndarray:
        """Return `prepend`, the inputs and `append`, concatenated."""
        arrays = [np.asarray(value) for value in values]
        parts = [part for part in (self.prepend, *arrays, self.append) if part is not None]
        for part in parts:
            if part.ndim != 1:
                raise RuntimeError(f"Concatenate: only 1D input supported, got {part.ndim} dimensions.")
            if part.dtype != arrays[0].dtype and part.dtype.kind not in "US":
                raise RuntimeError(
                    f"Concatenate: input datatype does not match, got {arrays[0].dtype} and {part.dtype}."
                )
        return np.concatenate(parts)


class Unique:
    """Find the unique elements, the index of each element among them, and their counts: one column becomes three.

    The elements are in the order of their first occurrence.

    Follows: mindspore.dataset.transforms.Unique (2.10).
    """

    def __call__(self, *values: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (elements, indices int32, counts int32) of the flattened input."""
        flat = one_input("Unique", values).reshape(-1)
        elements, first, inverse, counts = np.unique(flat, return_index=True, return_inverse=True, return_counts=True)
        order = np.argsort(first)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return elements[order], place[inverse].astype(np.int32), counts[order].astype(np.int32)
