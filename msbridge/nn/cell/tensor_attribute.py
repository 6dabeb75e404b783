"""Attributes that scripts read as Tensors, and that computations take as numbers."""

from typing import Any

import numpy as np

from msbridge.core.tensor.tensor import Tensor

__all__ = ["TensorAttribute"]


class TensorAttribute(property):
    """A property whose value is a Tensor; its number, or the tuple of its numbers, is in `_name_number`.

    The number is rounded as the Tensor is: of 0.999 in float32, 1 - β differs by 1e-5. Setting it changes both.
    It is a property since Cells hand attributes to properties.

    Args:
        shape: of the Tensor of a number.
        dtype: of the Tensor, as numpy has it.
    """

    def __init__(self, shape: tuple[int, ...] = (), dtype: Any = np.float32) -> None:
        super().__init__(self._read, self._write)
        self._shape = shape
        self._dtype = dtype

    def __set_name__(self, owner: type, name: str) -> None:
        self._slot = f"_{name}_number"

    def _read(self, owner: Any) -> Tensor:
        value = owner.__dict__[self._slot]
        array = np.array(value, self._dtype)
        return Tensor(array if isinstance(value, tuple) else array.reshape(self._shape))

    def _write(self, owner: Any, value: Any) -> None:
        if isinstance(value, Tensor):
            value = value.item() if value.size == 1 else value.tolist()
        rounded = np.array(value, self._dtype).tolist()
        owner.__dict__[self._slot] = tuple(rounded) if isinstance(rounded, list) else rounded
