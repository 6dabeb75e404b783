"""String Tensors: Tensors of str or bytes, which can be held, read, copied and printed, and not computed with.

Follows: mindspore.Tensor of mindspore.string (2.10).
"""

from typing import Any, Self

import numpy as np
import torch

from msbridge.core.runtime.read_only import read_only
from msbridge.core.types.dtype import FROM_TORCH, string
from msbridge.core.types.symbolic import Unfilled

__all__ = ["Strings"]


class Strings(Unfilled):
    """Stands in a String Tensor in place of the torch tensor.

    Args:
        array: the values; its dtype is of kind "U" or "S".
    """

    __slots__ = ("array",)

    is_cpu = True

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(array.shape, _DTYPE)  # type: ignore[arg-type]  # no dtype of torch
        self.array = array

    nbytes: int = read_only("array.nbytes", "Bytes of all elements.")

    def numel(self) -> int:
        """Return the number of elements."""
        return self.array.size

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return self.array.itemsize

    def stride(self) -> tuple[int, ...]:
        """Return the elements to step along each axis."""
        return tuple(step // (self.array.itemsize or 1) for step in self.array.strides)

    def is_floating_point(self) -> bool:
        """Return False."""
        return False

    def is_complex(self) -> bool:
        """Return False."""
        return False

    def is_contiguous(self, memory_format: torch.memory_format = torch.contiguous_format) -> bool:
        """Return True: nothing makes a view of it."""
        return True

    def contiguous(self) -> Self:
        """Return this."""
        return self

    def clone(self, memory_format: torch.memory_format = torch.contiguous_format) -> Self:
        """Return this: it is never changed."""
        return self

    def view_as(self, other: Any) -> Self:
        """Return this: what a view is taken for is to be another object."""
        return self

    def to(self, target: Any, non_blocking: bool = False) -> Self:
        """Return this on the host, where strings stay; another dtype is refused."""
        if isinstance(target, torch.dtype):
            raise self._refusal()
        return self

    def __eq__(self, other: object) -> Any:
        return np.False_  # as `"a" in tensor` answers in MindSpore

    __hash__ = Unfilled.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Strings, (self.array,)

    def numpy(self) -> np.ndarray:
        """Return the values."""
        return self.array

    def cpu(self) -> Self:
        """Return this."""
        return self

    to_read = detach = cpu
    _is_zerotensor = is_conj = is_neg = _is_view = is_floating_point

    def refusal_of(self, operator: str) -> Exception:
        """Return the error of an operator that is called with it."""
        return TypeError(f"For '{operator}': {self.complaint()}")

    def complaint(self) -> str:
        """Return the message for code that computes with it."""
        return f"A Tensor of strings, of shape {self.shape}, can be held, read and printed, and not computed with."


class _StringDtype:
    """The dtype of a `Strings`, in place of one of torch."""

    is_floating_point = is_complex = is_signed = False

    def __str__(self) -> str:
        return "string"


_DTYPE = _StringDtype()
FROM_TORCH[_DTYPE] = string  # type: ignore[index]
