"""Several Tensors in one piece of memory."""

import itertools
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, is_int
from msbridge.core.tensor.memory import fix_memory
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["ContiguousTensorsHandle", "combine_tensor_list_contiguous"]


class ContiguousTensorsHandle:
    """Moves the elements of several Tensors into one piece of memory, which can be sliced; the Tensors share it.

    Args:
        tensor_list: Tensors; they keep shape and values, and their writes are seen in the slices.
        enable_mem_align: that each begins at a multiple of the hardware's choice; torch's memory needs none.

    Raises:
        TypeError: `tensor_list` is not a list of Tensors, or `enable_mem_align` is not a bool.

    Follows: mindspore.hal.contiguous_tensors_handle.ContiguousTensorsHandle (2.10).
    """

    def __init__(self, tensor_list: Sequence[Tensor], enable_mem_align: bool = True) -> None:
        if not isinstance(tensor_list, list | tuple) or not all(isinstance(one, Tensor) for one in tensor_list):
            raise TypeError("For 'ContiguousTensorsHandle', tensor_list must be a list or tuple of Tensors.")
        boolean(enable_mem_align, "enable_mem_align", "ContiguousTensorsHandle")
        if not tensor_list:
            raise IndexError("For 'ContiguousTensorsHandle', tensor_list must have at least one Tensor.")
        self.tensor_list = list(tensor_list)
        self.enable_mem_align = enable_mem_align
        dtype = tensor_list[0]._data.dtype
        unit = max(one._data.element_size() for one in tensor_list)  # where a Tensor of another type may begin
        pieces = [one._data.contiguous().reshape(-1).view(torch.uint8) for one in tensor_list]
        memory = torch.cat([torch.nn.functional.pad(piece, (0, -piece.numel() % unit)) for piece in pieces])
        ends = list(itertools.accumulate(-(-piece.numel() // unit) * unit for piece in pieces))
        for one, piece, begin in zip(tensor_list, pieces, [0, *ends], strict=False):
            own = memory[begin : begin + piece.numel()].view(one._data.dtype)
            one._data = own.reshape(one._data.shape)
            fix_memory(one)
        self._size = ends[-1]
        self._bounds = [0, *(end // dtype.itemsize for end in ends)]
        self._elements = memory.view(dtype)

    def __getitem__(self, item: Any) -> Tensor:
        """Return an element, as a Tensor of one, or a slice of all elements.

        Raises:
            TypeError: `item` is neither an int nor a slice.
            ValueError: it reaches beyond the elements.
        """
        count = self._elements.numel()
        if is_int(item):
            start, stop, step = item, item + 1, 1
        elif isinstance(item, slice):
            start, stop, step = item.start or 0, count if item.stop is None else item.stop, item.step or 1
        else:
            raise TypeError(f"Elements are chosen by an int or a slice of ints, got {item!r}.")
        if not 0 <= start < stop <= count:
            raise ValueError(f"The elements are numbered from 0 to {count - 1}, got {item!r}.")
        return wrap(self._elements[start:stop:step])

    def slice_by_tensor_index(self, start: int | None = None, end: int | None = None) -> Tensor:
        """Return the elements of the Tensors from number `start` to before number `end`, in one dimension.

        Follows: mindspore.hal.contiguous_tensors_handle.ContiguousTensorsHandle.slice_by_tensor_index (2.10).
        """
        first, last = start or 0, len(self.tensor_list) if end is None else end
        return wrap(self._elements[self._bounds[first] : self._bounds[last]])

    def __str__(self) -> str:
        shown = "".join(f"Tensor[{number}]: {one}\n" for number, one in enumerate(self.tensor_list))
        return f"Handle total size: {self._size}\n{shown}"


def combine_tensor_list_contiguous(
    tensor_list: Sequence[Tensor], enable_mem_align: bool = True
) -> ContiguousTensorsHandle:
    """Return a handle of several Tensors that share one piece of memory.

    Raises:
        TypeError: `tensor_list` is not a list of Tensors, or `enable_mem_align` is not a bool.

    Follows: mindspore.hal.contiguous_tensors_handle.combine_tensor_list_contiguous (2.10).
    """
    return ContiguousTensorsHandle(tensor_list, enable_mem_align)
