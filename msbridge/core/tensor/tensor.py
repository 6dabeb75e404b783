"""Tensor: a thin wrapper around one torch tensor.

The operators and methods that compute are attached by `msbridge.ops`; this file is what a tensor is: how it is created,
what it holds, how it is read, printed, indexed, copied and pickled.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from msbridge.core.context import context
from msbridge.core.context.grad_state import state
from msbridge.core.errors.explain import refuse
from msbridge.core.html.notebook_table import html_table
from msbridge.core.runtime import accelerators, device_to_host
from msbridge.core.runtime.lazy_tensors import materialize
from msbridge.core.tensor import indexing, printing
from msbridge.core.tensor.construction import (
    Portable,
    fill_by_initializer,
    from_value,
    make_unfilled,
    place,
    portable,
    restore,
    share,
    storage_dtype,
)
from msbridge.core.tensor.item_assignment import assign_item, is_basic, writable
from msbridge.core.tensor.pending_hook import PendingHook
from msbridge.core.types.dtype import FROM_TORCH, Type, dtype_to_torch, string
from msbridge.core.types.symbolic import Unfilled

_NOTHING = ()  # of which Python has only one


class Tensor:
    """An n-dimensional array on the device of the context.

    Args:
        input_data: Tensor and torch.Tensor share their memory; ndarray, numbers, lists and tuples are copied. A Python
            int becomes Int64, a float Float32, bool Bool, complex Complex128; numpy keeps its dtype.
        dtype: a MindSpore dtype to cast to; None keeps.
        shape: with `init`: the shape to fill. With `dtype` only: None for a length, or for all of it, makes a
            placeholder, which describes inputs of unknown shape and has no values.
        init: an Initializer that fills a tensor of `shape` and `dtype`.
        const_arg: MindSpore's mark for graph constants; kept as an attribute.
        device: MindSpore's "CPU" keeps the tensor on the host; None means the context's device.

    Raises:
        TypeError: `input_data` or `dtype` is of another type.
        ValueError: `input_data` is given together with `init` or `shape`; or a shape without `dtype`.

    Follows: mindspore.Tensor (2.10).
    """

    __slots__ = ("__dict__", "__weakref__", "_data")

    _data: torch.Tensor
    _is_numpys: bool = False  # whether it came as memory of numpy, and prints as that
    _is_part: bool = False  # whether an index took it of another, into which item assignment writes
    _has_fixed_memory: bool = False  # whether something else, such as a torch module, relies on its memory
    init: Any = None  # the Initializer that filled it, until `init_data`
    _is_registered: bool = False  # whether it is a Parameter, whose memory gets what a graph assigns to it

    def __init__(
        self,
        input_data: Any = None,
        dtype: Type | None = None,
        shape: int | tuple[int, ...] | list[int] | None = None,
        init: Any = None,
        const_arg: bool = False,
        device: str | None = None,
    ) -> None:
        if const_arg:
            self.const_arg = True
        if init is not None:
            self._data = fill_by_initializer(input_data, dtype, shape, init)  # type: ignore[assignment]  # see there
            self.init = init
            return
        if shape is not None or (input_data is None and dtype is not None):
            self._data = make_unfilled(input_data, dtype, shape)  # type: ignore[assignment]  # see there
            return
        target = None if dtype is None or dtype is string else storage_dtype(dtype)  # nothing is cast to strings
        self._data = as_torch(input_data, target, torch.device("cpu") if device == "CPU" else None)

    # -- what it is --------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return tuple(self._data.shape)

    @property
    def dtype(self) -> Type:
        """MindSpore's type of the elements."""
        return FROM_TORCH[self._data.dtype]

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._data.dim()

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._data.numel()

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._data.element_size()

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._data.numel() * self._data.element_size()

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes to step along each axis."""
        size = self._data.element_size()
        return tuple(step * size for step in self._data.stride())

    @property
    def device(self) -> str:
        """MindSpore's name of the device that holds the elements."""
        if self._data.device.type in ("cpu", "meta"):
            return "CPU" if self._data.device.type == "cpu" else "meta"
        target = context.device_target()
        target = accelerators.ACCELERATORS[self._data.device.type].target if target == "CPU" else target
        return f"{target}:{self._data.device.index or 0}"

    @property
    def T(self) -> "Tensor":
        """The tensor with its axes reversed; a view."""
        data = self._data
        rank = data.dim()
        return self if rank < 2 else wrap(data.permute(indexing.REVERSED[rank]))

    @property
    def has_init(self) -> bool:
        """Whether an initializer made it, and `init_data` was not called; it is filled when it is constructed."""
        return self.init is not None

    def dim(self) -> int:
        """Return the number of axes."""
        return self._data.dim()

    def __len__(self) -> int:
        if self._data.dim() == 0:
            raise TypeError("Not support len of a 0-D tensor")
        return self._data.shape[0]

    def __hash__(self) -> int:
        return id(self)

    # -- reading -----------------------------------------------------------------------------------------------------

    def asnumpy(self) -> np.ndarray:
        """Return the values as an ndarray; shares memory on CPU, unless this is a view (a row, a reshape …) of another.

        Follows: mindspore.Tensor.asnumpy (2.10).
        """
        return device_to_host.to_numpy(self._data, copies_views=True)

    numpy = asnumpy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.asnumpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def item(self) -> int | float | bool | complex:
        """Return the only element as a Python number.

        Raises:
            ValueError: there are more elements, or none.

        Follows: mindspore.Tensor.item (2.10).
        """
        return _only_number(self)

    def tolist(self) -> Any:
        """Return the values as nested Python lists, or a number for a 0-d tensor."""
        return device_to_host.read(self._data).tolist()

    def __bool__(self) -> bool:
        state.effects += 1  # a graph branches
        return bool(_only_number(self))

    def __int__(self) -> int:
        return int(_only_number(self))  # type: ignore[arg-type]

    def __float__(self) -> float:
        return float(_only_number(self))  # type: ignore[arg-type]

    def __complex__(self) -> complex:
        return complex(_only_number(self))

    def __index__(self) -> int:
        if self._data.is_floating_point() or self._data.is_complex():
            raise ValueError(
                f"Only integer tensors of a single element can be converted to an index, got {self.dtype}."
            )
        return int(_only_number(self))  # type: ignore[arg-type]

    def __iter__(self) -> Iterator["Tensor"]:
        if self._data.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return map(_wrap_part, self._data.unbind(0))

    def __contains__(self, element: Any) -> bool:
        return bool((self._data == getattr(element, "_data", element)).any())

    def __str__(self) -> str:
        return printing.to_str(self._data)

    def __repr__(self) -> str:
        return printing.to_repr(self._data, self._is_numpys)

    def _repr_html_(self) -> str:
        return html_table(("shape", "dtype", "values"), [(str(tuple(self._data.shape)), str(self.dtype), str(self))])

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError(f"unsupported format string passed to {type(self).__name__}.__format__")
        return str(self)

    # -- indexing ----------------------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> "Tensor":
        if index is Ellipsis or index is _NOTHING:
            return self
        data = indexing.get(self._data, index)
        return wrap(data) if index is None else _wrap_part(data)

    def __setitem__(self, index: Any, value: Any) -> None:
        if state.depth or state.is_graph or not is_basic(index, value):
            assign_item(self, index, value)
        else:
            indexing.put(writable(self), index, value)

    # -- writing, copying --------------------------------------------------------------------------------------------

    def set_dtype(self, dtype: Type) -> Type:
        """Cast this tensor in place and return the dtype.

        Follows: mindspore.Tensor.set_dtype (2.10).
        """
        self._data = self._data.to(dtype_to_torch(dtype))
        return dtype

    def init_data(
        self, slice_index: int | None = None, shape: Any = None, opt_shard_group: str | None = None
    ) -> "Tensor":
        """Return this tensor, which is filled when it is constructed.

        Raises:
            ValueError: its Initializer cannot fill this shape.

        Follows: mindspore.Tensor.init_data (2.10).
        """
        if isinstance(self._data, Unfilled) and callable(self.init):
            self._data = fill_by_initializer(None, self.dtype, self.shape, self.init)  # type: ignore[assignment]
        self.init = None
        return self

    def copy(self) -> "Tensor":
        """Return a copy with memory of its own; gradients flow through.

        Follows: mindspore.Tensor.copy (2.10).
        """
        return wrap(self._data.clone())

    def __copy__(self) -> "Tensor":
        return wrap(self._data.clone())

    def __deepcopy__(self, memodict: Any) -> "Tensor":
        return wrap(self._data.detach().clone())

    def __reduce__(self) -> tuple[Any, ...]:
        data: Any = self._data
        return (wrap, (data,)) if isinstance(data, Unfilled) else (_restore, (portable(data),))

    @staticmethod
    def from_numpy(array: np.ndarray) -> "Tensor":
        """Return a Tensor that shares memory with an ndarray (on CPU).

        Raises:
            TypeError: `array` is not an ndarray.

        Follows: mindspore.Tensor.from_numpy (2.10).
        """
        if not isinstance(array, np.ndarray):
            raise TypeError(f"The input must be a numpy.ndarray, but got {type(array)}.")
        if array.dtype.kind in "US":
            return Tensor(array)
        return wrap_numpys(place(share(array), None))

    def flush_from_cache(self) -> None:
        """Do nothing: tensors here have no cache to flush."""

    # -- exchange ----------------------------------------------------------------------------------------------------

    def __dlpack__(self, **arguments: Any) -> Any:
        return self._data.detach().__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._data.__dlpack_device__()

    def register_hook(self, hook: Any) -> Any:
        """Call `hook(grad)` with the gradient of this tensor when one is computed; what it returns replaces it.

        Returns:
            A handle whose `remove()` takes the hook away.

        Follows: mindspore.Tensor.register_hook (2.10).
        """

        def on_torch(grad: torch.Tensor) -> torch.Tensor | None:
            result = hook(wrap(materialize(grad)))
            if result is not None and not isinstance(result, Tensor):
                raise RuntimeError(f"A hook of a Tensor must return a Tensor or None, but returned {result!r}.")
            if result is not None and result._data.shape != grad.shape:
                raise RuntimeError(f"A hook must keep the shape {tuple(grad.shape)}, but returned {result.shape}.")
            return None if result is None else result._data.to(grad.dtype)

        if not self._data.requires_grad:
            return PendingHook(self, on_torch)
        if id(self) in state.lent:  # a gradient function's alias of a weight, which ends with it
            return PendingHook(self, on_torch, self._data.register_hook(on_torch))
        return self._data.register_hook(on_torch)


def wrap(data: torch.Tensor) -> Tensor:
    """Wrap a torch tensor in a Tensor that shares its memory; nothing is checked."""
    tensor = object.__new__(Tensor)  # in full: Dynamo before torch 2.13 traces no other name of it
    tensor._data = data
    return tensor


def _wrap_part(data: torch.Tensor) -> Tensor:
    tensor = object.__new__(Tensor)
    tensor._data = data
    tensor._is_part = True
    return tensor


def to_torch(tensor: Tensor) -> torch.Tensor:
    """Return the torch tensor inside, sharing its memory.

    Raises:
        TypeError: `tensor` is not a Tensor.
    """
    try:
        return tensor._data
    except AttributeError:
        raise TypeError(f"to_torch takes a Tensor, got {type(tensor).__name__}.") from None


def tensor(
    input_data: Any = None,
    dtype: Type | None = None,
    shape: Any = None,
    init: Any = None,
    const_arg: bool = False,
    device: str | None = None,
) -> Tensor:
    """Return a Tensor: the function form of `Tensor(...)`.

    Args:
        input_data: a number, list, tuple, ndarray or Tensor; None where `shape` and `init` are given.
        dtype: of the result; None for that of the values.
        shape: of the result, with `init`.
        init: an initializer that fills it.
        const_arg: kept for scripts that set it; whether graph mode takes it for a constant.
        device: where it is; None for the context's device.

    Returns:
        A Tensor.

    Follows: mindspore.tensor (2.10).
    """
    return Tensor(input_data, dtype, shape, init, const_arg, device)


def as_torch(value: Any, dtype: torch.dtype | None, device: torch.device | None = None) -> torch.Tensor:
    """Turn what `Tensor(...)` accepts into a torch tensor: a Tensor shares its memory, the rest is `from_value`'s.

    Raises:
        TypeError: `value` cannot become a tensor.
    """
    if isinstance(value, Tensor):
        return value._data if dtype is None else value._data.to(dtype)
    return from_value(value, dtype, device)


def _restore(kept: Portable) -> Tensor:
    return wrap(place(restore(kept), None))


def _only_number(tensor: Tensor) -> int | float | bool | complex:
    if tensor._data.numel() != 1:
        raise refuse(
            ValueError(
                f"The tensor should have only one element, but got {tensor._data.numel()}, "
                "more than one element is ambiguous."
            )
        )
    return device_to_host.read(tensor._data).item()


def wrap_numpys(data: torch.Tensor) -> Tensor:
    """Wrap a torch tensor that is numpy's memory: it prints as that."""
    tensor = wrap(data)
    tensor._is_numpys = True
    return tensor


def from_numpy(array: np.ndarray) -> Tensor:
    """Return a Tensor that shares memory with an ndarray (on CPU).

    Args:
        array: an ndarray of a dtype that there is here.

    Returns:
        A Tensor of its shape and dtype.

    Follows: mindspore.from_numpy (2.10).
    """
    return Tensor.from_numpy(array)


def is_tensor(obj: object) -> bool:
    """Whether `obj` is a Tensor.

    Args:
        obj: anything.

    Returns:
        A bool.

    Follows: mindspore.is_tensor (2.10).
    """
    return isinstance(obj, Tensor)
