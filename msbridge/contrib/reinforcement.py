"""Layers of MindSpore 2.0 for reinforcement learning."""

from collections.abc import Sequence
from typing import Any

from msbridge.contrib.ops.reinforcement import queues as arrays
from msbridge.core.checks.arguments import non_negative_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import NUMBERS, Type, bool_
from msbridge.nn.cell.cell import Cell

__all__ = ["TensorArray"]


class TensorArray(Cell):
    """An array of Tensors that grows when it is written behind its end.

    Args:
        dtype: of the elements: of numbers or bool.
        element_shape: their shape.
        dynamic_size: whether it grows.
        size: how many elements it has at first.
        name: what it is called.

    Raises:
        TypeError: `dtype` is not a dtype of numbers or bool.
        ValueError: `size` is not an int, or negative.

    Follows: mindspore.nn.TensorArray (2.0).
    """

    def __init__(
        self, dtype: Type, element_shape: Sequence[int], dynamic_size: bool = True, size: int = 0, name: str = "TA"
    ) -> None:
        super().__init__()
        if dtype not in (*NUMBERS, bool_):
            raise TypeError(f"For 'TensorArray', dtype must be a dtype of numbers or bool, got {dtype!r}.")
        non_negative_int(size, "size", "TensorArray")
        self._dtype = dtype
        self.handle_ = arrays.TensorArray(dtype, element_shape, dynamic_size, size, name)()
        self.tensor_array_write = arrays.TensorArrayWrite()
        self.tensor_array_read = arrays.TensorArrayRead(dtype, element_shape)
        self.tensor_array_close = arrays.TensorArrayClose()
        self.tensor_array_clear = arrays.TensorArrayClear()
        self.tensor_array_stack = arrays.TensorArrayStack(dtype, element_shape, dynamic_size, size)
        self.tensor_array_size = arrays.TensorArraySize()

    def write(self, index: Any, value: Any) -> bool:
        """Write an element, and return True.

        Follows: mindspore.nn.TensorArray.write (2.0).
        """
        element = value if isinstance(value, Tensor) else Tensor(value, self._dtype)
        self.tensor_array_write(self.handle_, index, element)
        return True

    def read(self, index: Any) -> Tensor:
        """Return an element.

        Follows: mindspore.nn.TensorArray.read (2.0).
        """
        return self.tensor_array_read(self.handle_, index)

    def close(self) -> bool:
        """Free the array, and return True.

        Follows: mindspore.nn.TensorArray.close (2.0).
        """
        self.tensor_array_close(self.handle_)
        return True

    def clear(self) -> bool:
        """Remove the elements, and return True.

        Follows: mindspore.nn.TensorArray.clear (2.0).
        """
        self.tensor_array_clear(self.handle_)
        return True

    def stack(self) -> Tensor:
        """Return the elements as one Tensor.

        Follows: mindspore.nn.TensorArray.stack (2.0).
        """
        return self.tensor_array_stack(self.handle_)

    def size(self) -> Tensor:
        """Return the number of elements.

        Follows: mindspore.nn.TensorArray.size (2.0).
        """
        return self.tensor_array_size(self.handle_)
