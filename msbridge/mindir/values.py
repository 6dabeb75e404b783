"""Constants and parameters of a file as Tensors and values of Python."""

from typing import Any

import torch

from msbridge.converters.mindir.records import ElementType, Monad, Named, TensorData
from msbridge.core.parameter.parameter import Parameter, adopt
from msbridge.core.tensor.construction import place
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype

MAX_COMPARED = 64  # bytes of a tensor, items of a tuple


class Unreadable(Exception):
    """A constant is of a kind that is not here."""


def torch_dtype(name: str) -> torch.dtype:
    """Return torch's type of a name in a file."""
    return getattr(torch, name)  # type: ignore[no-any-return]


def element_type(name: str) -> Any:
    """Return MindSpore's type of a name in a file."""
    return mstype.from_torch(torch_dtype(name))


def data_of(tensor: TensorData) -> torch.Tensor:
    """Return the elements in memory of their own."""
    dtype = torch_dtype(tensor.dtype)
    data = torch.empty(tensor.shape, dtype=dtype)
    if tensor.data is not None and tensor.nbytes:
        target: Any = data.view(-1).view(torch.uint8).numpy()
        memoryview(target)[:] = tensor.data
    return data


def identity(value: Any, otherwise: Any) -> Any:
    """Return a key that is equal for equal constants; for those that are large to compare, `otherwise`."""
    if isinstance(value, TensorData):
        if value.data is None or value.nbytes > MAX_COMPARED:
            return otherwise
        return value.dtype, value.shape, bytes(value.data)
    if isinstance(value, tuple | list | dict):
        return otherwise if len(value) > MAX_COMPARED or "memory" in (text := repr(value)) else text
    return type(value), value


def value_of(value: Any) -> Any:
    """Return a constant as the operators take it.

    Raises:
        Unreadable: it is of a kind that is not here.
    """
    if isinstance(value, TensorData):
        if value.data is None and value.nbytes:
            raise Unreadable("a tensor without elements")
        return _tensor(value)
    if isinstance(value, tuple | list):
        return type(value)(value_of(one) for one in value)
    if isinstance(value, dict):
        return {name: value_of(one) for name, one in value.items()}
    if isinstance(value, ElementType):
        return element_type(value.name)
    if isinstance(value, Named):
        raise Unreadable(f"a {value.kind} ({value.name[:40]!r})")
    return None if isinstance(value, Monad) else value


def _tensor(value: TensorData) -> Tensor:
    return wrap(place(data_of(value), None))


def parameter_of(value: TensorData) -> Parameter:
    """Return a parameter with the values of a file."""
    return adopt(place(data_of(value), None), value.key)
