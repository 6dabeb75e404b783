"""Checks of the parts of a sparse matrix."""

from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor

__all__ = ["check_coo", "check_csr", "require_tensors"]


def check_coo(indices: Any, values: Any, shape: Any) -> None:
    """Check the parts of a COOTensor.

    Raises:
        TypeError: one is of another type.
        ValueError: a shape does not fit.
    """
    owner = "COOTensor"
    require_tensors(owner, indices=indices, values=values)
    instance(shape, "shape", owner, tuple)
    if len(shape) != 2:
        raise ValueError(f"For '{owner}', the length of 'shape' must be 2, but got {shape}.")
    _require_sizes(owner, shape)
    _require_integers(owner, indices=indices)
    if indices.shape == (0,) and values.shape == (0,):
        return
    if len(indices.shape) != 2 or indices.shape[1] != 2:
        raise ValueError(f"For '{owner}', the shape of 'indices' must be (n, 2), but got {indices.shape}.")
    if values.shape != indices.shape[:1]:
        raise ValueError(f"For '{owner}', the shape of 'values' must be {indices.shape[:1]}, but got {values.shape}.")
    if values.size > shape[0] * shape[1]:
        raise ValueError(f"For '{owner}', the shape {shape} is too small for {values.size} values.")


def check_csr(indptr: Any, indices: Any, values: Any, shape: Any) -> None:
    """Check the parts of a CSRTensor.

    Raises:
        TypeError: one is of another type.
        ValueError: a shape does not fit.
    """
    owner = "CSRTensor"
    require_tensors(owner, indptr=indptr, indices=indices, values=values)
    _require_sizes(owner, shape)
    _require_integers(owner, indptr=indptr, indices=indices)
    if indptr.shape == indices.shape == values.shape == (0,):
        return
    for name, value, wanted in (
        ("indptr", indptr.shape, (shape[0] + 1,)),
        ("indices", indices.shape, values.shape[:1]),
        ("values", values.shape, (*indices.shape, *shape[2:])),
    ):
        if value != wanted:
            raise ValueError(f"For '{owner}', the shape of '{name}' must be {wanted}, but got {value}.")
    if len(shape) < 2:
        raise ValueError(f"For '{owner}', 'shape' must have at least 2 elements, but got {shape}.")


def require_tensors(owner: str, **values: Any) -> None:
    """Check that all are Tensors.

    Raises:
        TypeError: one is not.
    """
    for name, value in values.items():
        instance(value, name, owner, Tensor)


def _require_sizes(owner: str, shape: Any) -> None:
    """Check that a shape is a tuple of positive ints.

    Raises:
        TypeError: it is not a tuple, or has something else in it.
        ValueError: a size is not positive.
    """
    instance(shape, "shape", owner, tuple)
    for size in shape:
        if not isinstance(size, int):
            raise TypeError(f"For '{owner}', the elements of 'shape' must be int, but got {type(size)}.")
        if size <= 0:
            raise ValueError(f"For '{owner}', the elements of 'shape' must be positive, but got {size} in {shape}.")


def _require_integers(owner: str, **values: Tensor) -> None:
    """Check that indices are int16, int32 or int64.

    Raises:
        TypeError: they have another dtype.
    """
    for name, value in values.items():
        if str(value.dtype) not in ("Int16", "Int32", "Int64"):
            raise TypeError(f"For '{owner}', the dtype of '{name}' must be int16, int32 or int64, got {value.dtype}.")
