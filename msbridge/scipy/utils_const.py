"""Functions by name, and the Python classes of MindSpore's types."""

from types import FunctionType
from typing import Any

from msbridge.core.sparse import CSRTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype

__all__ = ["StringDict", "is_within_graph", "mstype_to_pytype"]

CLASSES = {dtype.TensorType: Tensor, dtype.CSRTensorType: CSRTensor, dtype.FunctionType: FunctionType}


class StringDict:
    """Objects by name.

    Follows: mindspore.scipy.utils_const.StringDict (2.10).
    """

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}

    def register(self, obj_str: str, obj: Any) -> None:
        """Put an object under a name.

        Raises:
            TypeError: the name is not a str.
        """
        self.data[_name(obj_str)] = obj

    def get(self, obj_str: str) -> Any:
        """Return the object of a name, or None.

        Raises:
            TypeError: the name is not a str.
        """
        return self.data.get(_name(obj_str))


def _name(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"A name must be a str, got {type(value).__name__}.")
    return value


def mstype_to_pytype(type_: Any) -> type | None:
    """Return the Python class of `TensorType`, `CSRTensorType` or `FunctionType`; None of any other.

    Follows: mindspore.scipy.utils_const.mstype_to_pytype (2.10).
    """
    return CLASSES.get(type_)


def is_within_graph(x: Any) -> bool:
    """Return True: functions run eagerly.

    Follows: mindspore.scipy.utils_const.is_within_graph (2.0).
    """
    return True
