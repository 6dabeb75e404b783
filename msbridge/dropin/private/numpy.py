"""Private parts of `mindspore.numpy`, which scripts import."""

from typing import Any, NoReturn

from msbridge.core.tensor.tensor import Tensor
from msbridge.numpy import asarray


def to_tensor(*args: Any) -> Tensor | tuple[Tensor, ...]:
    """Return the Tensor of one number, list or tuple, or a tuple of those of several; a Tensor comes back itself.

    Raises:
        TypeError: it is nothing like an array.

    Follows: mindspore.numpy.utils._to_tensor (2.10).
    """
    for arg in args:
        if not isinstance(arg, bool | int | float | list | tuple | Tensor):
            raise TypeError(f"Expect input to be array like, got {type(arg).__name__}.")
    tensors = tuple(arg if isinstance(arg, Tensor) else asarray(arg) for arg in args)
    return tensors[0] if len(tensors) == 1 else tensors


def check_input_tensor(*tensors: Any) -> bool:
    """Return True.

    Raises:
        TypeError: one is not a Tensor.

    Follows: mindspore.numpy.utils._check_input_tensor (2.10).
    """
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"expect Tensor, but got {type(tensor).__name__}")
    return True


def raise_value_error(info: str, param: Any = "") -> NoReturn:
    """Raise a ValueError of the two.

    Follows: mindspore.numpy.utils_const._raise_value_error (2.10).
    """
    raise ValueError(f"{info}{param}")


def raise_type_error(info: str, param: Any = "") -> NoReturn:
    """Raise a TypeError of the two; of a value it shows the type.

    Follows: mindspore.numpy.utils_const._raise_type_error (2.10).
    """
    raise TypeError(info if isinstance(param, str) and not param else f"{info}{type(param)}")


def raise_runtime_error(info: str, param: Any = "") -> NoReturn:
    """Raise a RuntimeError of the two.

    Follows: mindspore.numpy.utils_const._raise_runtime_error (2.10).
    """
    raise RuntimeError(f"{info}{param}")


def raise_unimplemented_error(info: str, param: Any = "") -> NoReturn:
    """Raise a NotImplementedError of the two.

    Follows: mindspore.numpy.utils_const._raise_unimplemented_error (2.10).
    """
    raise NotImplementedError(f"{info}{param}")
