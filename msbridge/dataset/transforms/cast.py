"""TypeCast: conversion to another dtype."""

from typing import Any

import numpy as np

from msbridge.core.types.dtype import Type, dtype_to_nptype
from msbridge.dataset.transforms.base import Transform

__all__ = ["TypeCast"]


class TypeCast(Transform):
    """Cast values to another dtype; floats are truncated.

    Args:
        data_type: a MindSpore dtype, or what numpy takes for one.

    Raises:
        TypeError: `data_type` is not a dtype.

    Examples:
        >>> transforms.TypeCast(ms.int32)(np.array([1.0, 2.0]))
        array([1, 2], dtype=int32)

    Follows: mindspore.dataset.transforms.TypeCast (2.10).
    """

    pointwise = True

    def __init__(self, data_type: Any) -> None:
        self.data_type = as_numpy_dtype(data_type)

    def transform_value(self, value: Any) -> np.ndarray:
        array = np.asarray(value)
        if array.dtype == self.data_type:
            return array
        if array.dtype.kind in "US":
            raise RuntimeError(f"TypeCast: TypeCast does not support cast from string to {self.data_type}.")
        if (
            array.dtype.kind == "f" and self.data_type.kind == "u"
        ):  # a negative float wraps around, by way of the integers
            return array.astype(np.int64).astype(self.data_type)
        with np.errstate(invalid="ignore", over="ignore"):
            return array.astype(self.data_type)

    def stack(self, rows: np.ndarray) -> np.ndarray:
        return self.transform_value(rows)


def as_numpy_dtype(data_type: Any) -> np.dtype:
    """Return the numpy dtype that a MindSpore dtype, numpy dtype, type or name represents."""
    if isinstance(data_type, Type):
        dtype = np.dtype(dtype_to_nptype(data_type))
    elif isinstance(data_type, (np.dtype, type, str)):
        try:
            dtype = np.dtype(data_type)
        except TypeError as error:
            raise TypeError(f"Argument data_type with value {data_type!r} is not a dtype.") from error
    else:
        raise TypeError(
            f"Argument data_type with value {data_type!r} is not a mindspore dtype or numpy dtype, but got "
            f"{type(data_type)}."
        )
    if dtype.kind not in "biuf":
        raise RuntimeError(f"TypeCast: it does not support cast to {data_type}.")
    return dtype
