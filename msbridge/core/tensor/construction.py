"""Torch tensors of the values that Tensors are constructed from, and the form in which they are pickled."""

from typing import Any

import numpy as np
import torch

from msbridge.core.context import context
from msbridge.core.releases.rows import Default
from msbridge.core.runtime import device_to_host
from msbridge.core.tensor import indexing
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import FROM_TORCH, Type, dtype_to_torch
from msbridge.core.types.strings import Strings
from msbridge.core.types.symbolic import UNKNOWN_LENGTH, UNKNOWN_RANK, Symbol, Unfilled

__all__ = [
    "Portable",
    "exact_scalar",
    "fill_by_initializer",
    "from_value",
    "make_unfilled",
    "place",
    "portable",
    "restore",
    "share",
    "storage_dtype",
]

Portable = tuple[bytes, str, tuple[int, ...]]  # the elements, the name of the dtype, the shape

_EXTENDED = {"bfloat16", "float8_e4m3fn", "float8_e5m2"}  # numpy has them from ml_dtypes, which torch does not take
_NUMPYS = 1  # `isbuiltin` of a dtype that is numpy's own
_ARRAYS = (np.ndarray, np.generic)  # Dynamo (torch 2.13) does not trace the union of these two
_NUMBERS = frozenset((bool, int, float))
_MAX = 1 << 62  # of a number that int64 and both floats hold: beyond, torch.tensor wraps, is infinite, or refuses
_OWN = {bool: torch.bool, int: torch.int64}
_OF_ANY = frozenset((torch.float32, torch.float64))
_ACCEPTED = "Tensor, ndarray, list, tuple, float, int, bool, complex, numpy scalar, bytes or torch.Tensor"
_FLOAT = Default("Tensor.dtype", "float32")  # of a Python float
_FLOATS = {"float32": torch.float32, "float64": torch.float64}


def exact_scalar(value: Any, dtype: torch.dtype) -> torch.Tensor | None:
    """Return a tensor of a number on the CPU, in a fifth of the time of torch.tensor; None where that may differ."""
    kind = type(value)
    if (dtype in _OF_ANY and (kind is float or kind in _OWN)) or _OWN.get(kind) is dtype:
        return torch.scalar_tensor(value, dtype=dtype) if -_MAX <= value <= _MAX else None
    return None


def from_value(value: Any, dtype: torch.dtype | None, device: torch.device | None = None) -> torch.Tensor:
    """Turn what `Tensor(...)` accepts, but for a Tensor, into a torch tensor.

    Args:
        value: shared if it is a torch.Tensor, else copied.
        dtype: the dtype to cast to; None follows MindSpore's rules for the type of `value`.
        device: where to; None means the context's device (a torch.Tensor stays where it is).

    Raises:
        TypeError: `value` cannot become a tensor.
        RuntimeError: an int has more than 64 bits.
    """
    if isinstance(value, torch.Tensor):
        return value if dtype is None else value.to(dtype)
    if isinstance(value, bytes) or (isinstance(value, _ARRAYS) and value.dtype.kind in "US"):
        return Strings(np.array(value))  # type: ignore[return-value]  # see there
    if isinstance(value, _ARRAYS):
        data = _from_numpy(np.asarray(value))
    elif isinstance(value, bool | int | float | complex):
        exact = exact_scalar(value, dtype or _python_dtype(value, is_cast=False))
        if exact is not None:
            return place(exact, device)
        try:
            data = torch.tensor(value, dtype=_python_dtype(value, is_cast=dtype is not None))
        except (OverflowError, ValueError) as error:
            raise RuntimeError(f"For 'Tensor', the int {value} does not fit into 64 bits.") from error
    elif isinstance(value, list | tuple):
        data = _from_list(value, dtype)
    else:
        raise TypeError(
            f"For 'Tensor', the type of 'input_data' should be one of {_ACCEPTED}, "
            f"but got {value!r} of type '{type(value).__name__}'."
        )
    return place(data if dtype is None else data.to(dtype), device)


def share(array: np.ndarray) -> torch.Tensor:
    """Return a torch tensor that shares the memory of an ndarray (of a copy of it, if that is not C-contiguous).

    numpy leaves any stride on an axis of length 1, and torch (2.13) infers the memory format of images from the
    strides: a transposed array of one channel would take the channels-last kernels. So the strides are set again.
    """
    if array.dtype.isbuiltin == _NUMPYS and array.flags.c_contiguous and array.size > 1 and 1 not in array.shape:
        return torch.from_numpy(array)
    return _torch_of(np.ascontiguousarray(array).reshape(-1)).view(array.shape).detach()  # it is not a view of a Tensor


def place(data: torch.Tensor, device: torch.device | None) -> torch.Tensor:
    """Return `data` on a device; None means the device of the context."""
    target = device or context.torch_device()
    return data if data.device == target else data.to(target, non_blocking=True)


def storage_dtype(dtype: Any) -> torch.dtype:
    """Return the torch dtype that holds the elements of a Tensor.

    Raises:
        TypeError: `dtype` is not a MindSpore dtype of tensors.
    """
    if not isinstance(dtype, Type) or dtype.torch is None:
        raise TypeError(
            f"For 'Tensor', the 'dtype' should be one of {[mstype.bool_, *mstype.NUMBERS]}, but got {dtype!r}."
        )
    return dtype.torch


def fill_by_initializer(input_data: Any, dtype: Type | None, shape: Any, init: Any) -> torch.Tensor | Unfilled:
    """Return a torch tensor of `shape` and `dtype` that the Initializer `init` filled.

    An `init` that cannot be called, such as an Initializer's name, fills nothing: the Tensor has a shape and no values.

    Raises:
        ValueError: `input_data` is given too, or `dtype` or `shape` is missing.
    """
    if input_data is not None:
        raise ValueError("For 'Tensor', 'input_data' and 'init' cannot both be given.")
    if dtype is None or shape is None:
        raise ValueError("For 'Tensor', 'dtype' and 'shape' must be given together with 'init'.")
    target = storage_dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if not callable(init):
        return Unfilled(shape, target)
    data = torch.zeros(shape, dtype=torch.float32)
    if shape == () or 0 not in shape:
        init(data.numpy())
    return place(data.to(target), None)


def make_unfilled(input_data: Any, dtype: Type | None, shape: Any) -> torch.Tensor | Unfilled:
    """Return the data of a Tensor made of a shape and a dtype: zeros, or nothing where a length is unknown.

    Raises:
        TypeError: a length is not a number, or the shape a text.
        ValueError: there are values besides a shape, or no dtype.
    """
    if input_data is not None:
        raise ValueError(f"For 'Tensor', with input_data shape must be None, but got shape: {shape}.")
    if isinstance(shape, str):
        raise TypeError(f"For 'Tensor', shape must be a list or a tuple, got {shape!r}.")
    if dtype is None and isinstance(shape, list | tuple) and all(type(length) is int for length in shape):
        raise TypeError("For 'Tensor', there must be input_data, or a dtype and an init together with the shape.")
    if dtype is None:
        raise ValueError("For 'Tensor', dtype must be given together with a shape that has unknown lengths.")
    target = storage_dtype(dtype)
    if shape is None:
        return Unfilled(UNKNOWN_RANK, target)
    symbols = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    try:
        lengths = tuple(UNKNOWN_LENGTH if item is None or isinstance(item, Symbol) else int(item) for item in symbols)
    except ValueError:
        raise ValueError(f"For 'Tensor', shape must hold ints, None and Symbols, got {shape!r}.") from None
    if min(lengths, default=0) < 0:
        return Unfilled(lengths, target, symbols)
    return place(torch.zeros(lengths, dtype=target), None)


def portable(data: torch.Tensor) -> Portable:
    """Return the values of a torch tensor in a form that pickles."""
    host_data = device_to_host.read(data).contiguous()
    raw = host_data.reshape(-1).view(torch.uint8).numpy().tobytes() if host_data.numel() else b""
    return raw, str(FROM_TORCH[data.dtype]), tuple(data.shape)


def restore(kept: Portable) -> torch.Tensor:
    """Return the torch tensor, on the host, of which `portable` was taken."""
    raw, dtype, shape = kept
    data_type = dtype_to_torch(mstype.FROM_NAME[dtype])
    if not raw:
        return torch.empty(shape, dtype=data_type)
    return torch.frombuffer(bytearray(raw), dtype=torch.uint8).view(data_type).reshape(shape)


def _python_dtype(value: bool | int | float | complex, is_cast: bool) -> torch.dtype:
    """Return the dtype of a Python number; one that is to be cast keeps all its digits until then."""
    if isinstance(value, bool):
        return torch.bool
    if isinstance(value, int):
        return torch.int64 if value < 2**63 else torch.uint64
    if isinstance(value, float):
        return torch.float64 if is_cast else _FLOATS[_FLOAT.value]
    return torch.complex128


def _from_numpy(array: np.ndarray) -> torch.Tensor:
    if array.dtype.kind not in "biufc" and array.dtype.name not in mstype.FROM_TORCH_NAMES:
        raise TypeError(f"For 'Tensor', an array of dtype {array.dtype} cannot become a Tensor.")
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("="))
    return _torch_of(np.array(array, order="C"))


def _torch_of(array: np.ndarray) -> torch.Tensor:
    """Return a torch tensor that shares the memory of an ndarray, also of a dtype of the package ml_dtypes."""
    dtype = array.dtype
    if dtype.isbuiltin == _NUMPYS or (name := dtype.name) not in _EXTENDED:  # the name takes numpy a microsecond
        return torch.from_numpy(array)
    return torch.from_numpy(array.view(f"i{array.itemsize}")).view(getattr(torch, name))


_LISTED = {torch.float64: torch.float32, torch.int32: torch.int64}  # what lists of numbers become


def _with_arrays(values: Any) -> Any:
    """Replace the Tensors inside nested lists by what their values are in numpy."""
    if isinstance(values, list | tuple):
        return [_with_arrays(value) for value in values]
    data = getattr(values, "_data", None)
    return device_to_host.read(data).numpy() if isinstance(data, torch.Tensor) else values


def _from_list(values: list[Any] | tuple[Any, ...], dtype: torch.dtype | None) -> torch.Tensor:
    if torch.compiler.is_compiling():  # Dynamo (torch 2.13) does not trace the questions about arrays below
        data = torch.tensor(indexing.plain_list(values), dtype=dtype)
        return data.to(_FLOATS[_FLOAT.value]) if dtype is None and data.is_floating_point() else data
    try:
        numbers = values if _NUMBERS.issuperset(map(type, values)) else _with_arrays(values)
        array = np.array(numbers)  # numpy's own numbers and arrays decide on the dtype
    except ValueError as error:
        raise TypeError(f"For Tensor, the input_data is {values!r} that contain unsupported element.") from error
    if array.dtype.kind not in "biufc":
        raise TypeError(f"For Tensor, the input_data is {values!r} that contain unsupported element.")
    data = _torch_of(array.view(np.uint64) if array.dtype.char == "Q" else array)  # C's other name of uint64
    if dtype is None and _FLOATS[_FLOAT.value] is torch.float32:
        return data.to(_LISTED.get(data.dtype, data.dtype))
    return data
