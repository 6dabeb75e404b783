"""The types that Cells compute in, in the numbers of MindSpore's engine."""

from enum import IntEnum

import torch

__all__ = ["MixedPrecisionType"]


class MixedPrecisionType(IntEnum):
    """The type that a Cell casts its inputs and parameters to.

    Follows: mindspore._c_expression.MixedPrecisionType (2.10).
    """

    NOTSET, FP16, FP32, BF16 = range(4)

    def __str__(self) -> str:
        return f"MixedPrecisionType.{self.name}"

    def dtype(self) -> torch.dtype | None:
        """Return the torch dtype; None for NOTSET."""
        return _DTYPES[self]

    @classmethod
    def of(cls, dtype: torch.dtype | None) -> "MixedPrecisionType":
        """Return the type of a torch dtype."""
        return cls(_DTYPES.index(dtype))


_DTYPES = (None, torch.float16, torch.float32, torch.bfloat16)
