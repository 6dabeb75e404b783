"""Engine queries of libraries to a Tensor: methods that do what they say, or refuse, and attributes."""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import torch

from msbridge.core.context.grad_state import state
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.interop import from_dlpack, to_dlpack
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.core.tensor.twins import update_twins
from msbridge.core.types.dtype import Type, dtype_to_torch

__all__ = ["ATTRIBUTES", "SAME", "STATIC"]


def set_init_flag(self: Tensor, flag: bool) -> None:
    """Set `init_flag`, by which MindSpore notes that the device has the values.

    Args:
        self: the tensor.
        flag: True or False.

    Returns:
        None.
    """
    self.init_flag = flag


def is_init(self: Tensor) -> bool:
    """Return `init_flag`.

    Returns:
        True or False.
    """
    return bool(self.init_flag)


def wait_pipeline(self: Tensor) -> None:
    """Do nothing: there is no pipeline in front of the operators.

    Returns:
        None.
    """


def set_cast_dtype(self: Tensor, dtype: Type | None = None) -> None:
    """Note the dtype that a graph of MindSpore casts this tensor to; without effect, as in PyNative mode.

    Args:
        self: the tensor.
        dtype: without effect.

    Returns:
        None.
    """


def hooks(self: Tensor) -> list[Any]:
    """Return the hooks on a weight's gradient that every gradient function runs.

    Returns:
        A list of functions.
    """
    return list(self.__dict__.get("_pending_hooks", ()))


def offload_file_path(self: Tensor) -> str:
    """Return "": no values are kept in a file.

    Returns:
        An empty string.
    """
    return ""


def offload(self: Tensor, *arguments: Any) -> NoReturn:
    """Refuse to keep the values in a file.

    Args:
        self: the tensor.
        arguments: anything.

    Returns:
        Nothing.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("Tensor.offload: msbridge keeps values in memory; Tensor.to('CPU') has them on the host.")


def set_device_address(self: Tensor, address: int, shape: Any, dtype: Type) -> NoReturn:
    """Refuse memory of an Ascend at an address.

    Args:
        self: the tensor.
        address: the address.
        shape: the shape.
        dtype: the dtype.

    Returns:
        Nothing.

    Raises:
        RuntimeError: always, as in MindSpore without an Ascend.
    """
    raise RuntimeError("Tensor.set_device_address is for the memory of an Ascend, which is not here.")


def set_param_info(self: Tensor, info: Any) -> None:
    """Set `param_info`; that of a Parameter cannot be another's.

    Args:
        self: the tensor.
        info: what is kept.

    Returns:
        None.
    """
    self.param_info = info


def assign_value(self: Tensor, value: Tensor) -> Tensor:
    """Take the memory of another Tensor, and its dtype; weights and inputs of a gradient function take its values.

    Args:
        self: changed in place.
        value: any shape and dtype.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.assign_value (2.10).
    """
    data = as_torch(value, None)
    if state.depth and (isinstance(self, Parameter) or id(self) in state.lent):
        overwrite(self, data)
    else:
        self._data = data
        update_twins(self)
    return self


assign_value_cpp = assign_value


def _convert_bytes_to_tensor(data: bytes, shape: tuple[int, ...], dtype: Type) -> Tensor:
    """Return a Tensor of what `get_bytes` returned.

    Args:
        data: the bytes.
        shape: the shape.
        dtype: the dtype.

    Returns:
        A Tensor of shape `shape` and dtype `dtype`.

    Follows: mindspore.Tensor.convert_bytes_to_tensor (2.10).
    """
    flat = torch.frombuffer(bytearray(data), dtype=dtype_to_torch(dtype)) if data else torch.empty(0)
    return Tensor(flat.reshape(shape).to(dtype_to_torch(dtype)))


def _retain_grad(self: Tensor) -> None:
    """Keep the gradient of an intermediate result as `_grad`.

    Raises:
        RuntimeError: nothing records gradients of it.
    """
    self._data.retain_grad()


def _numpy_non_blocking(self: Tensor) -> np.ndarray:
    return self.asnumpy()


def _get_user_data(self: Tensor, key: str) -> Any:
    return self.__dict__.get("_user_data", {}).get(key)


def _set_user_data(self: Tensor, key: str, value: Any) -> None:
    self.__dict__.setdefault("_user_data", {})[key] = value


def _has_auto_grad(self: Tensor) -> bool:
    return self._data.requires_grad


def _data_ptr(self: Tensor) -> int:
    return self._data.data_ptr()


def _nothing(self: Tensor, *arguments: Any) -> None:
    """Do nothing: values are where operators take them from."""


def _false(*arguments: Any) -> bool:
    return False


SAME: dict[str, Callable[..., Any]] = {
    "_data_ptr": _data_ptr,
    "_flush_from_cache": _nothing,
    "_get_user_data": _get_user_data,
    "_getitem": Tensor.__getitem__,
    "_getitem_origin": Tensor.__getitem__,
    "_has_auto_grad": _has_auto_grad,
    "_is_test_stub": _false,
    "_item": Tensor.item,
    "_load": _nothing,
    "_numpy_non_blocking": _numpy_non_blocking,
    "_offload": offload,
    "_retain_grad": _retain_grad,
    "_set_user_data": _set_user_data,
    "_setitem": Tensor.__setitem__,
    "_setitem_origin": Tensor.__setitem__,
    "_tolist": Tensor.tolist,
    "_update_data": assign_value_cpp,
    "to_dlpack": to_dlpack,
}
STATIC: dict[str, Callable[..., Any]] = {
    "convert_bytes_to_tensor": _convert_bytes_to_tensor,
    "from_dlpack": from_dlpack,
}


class _Read:
    """An attribute that is computed, unless the Tensor has one of its own: a Parameter has `_requires_grad`."""

    def __init__(self, read: Callable[[Tensor], Any]) -> None:
        self._read = read

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        return self if tensor is None else self._read(tensor)


def _grad_of(tensor: Tensor) -> Tensor | None:
    data = tensor._data
    gradient = data.grad if data.is_leaf or data.retains_grad else None
    return None if gradient is None else wrap(gradient)


# What a Tensor answers until a script or library sets it.
MARKS: dict[str, Any] = {
    "const_arg": False,
    "delta_seed": 0,
    "index_of_parent_": None,
    "init": None,
    "init_finished": True,
    "init_flag": False,
    "param_info": None,
    "parent_tensor_": None,
    "virtual_flag": False,
    "_dtensor_info": None,
}
READ: dict[str, Callable[[Tensor], Any]] = {
    "is_meta": lambda tensor: tensor._data.is_meta,
    "symbolic_shape": lambda tensor: getattr(tensor._data, "known_lengths", None),  # a placeholder's
    "_dtype": lambda tensor: tensor.dtype,
    "_grad": _grad_of,
    "_grad_node": lambda tensor: tensor._data.grad_fn,
    "_is_leaf": lambda tensor: tensor._data.is_leaf,
    "_itemsize": lambda tensor: tensor.itemsize,
    "_nbytes": lambda tensor: tensor.nbytes,
    "_output_index": lambda tensor: tensor._data.output_nr,
    "_requires_grad": lambda tensor: tensor._data.requires_grad,
    "_retains_grad": lambda tensor: tensor._data.retains_grad,
    "_shape": lambda tensor: tensor.shape,
    "_size": lambda tensor: tensor.size,
    "_strides": lambda tensor: tensor.strides,
    "_version": lambda tensor: tensor._data._version,
}
ATTRIBUTES: dict[str, Any] = MARKS | {name: _Read(read) for name, read in READ.items()}
