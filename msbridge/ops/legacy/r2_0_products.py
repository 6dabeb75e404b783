"""Sums and products of matrices as they were: sums of diagonals kept their dtype, products of bytes were Int32."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int32
from msbridge.ops.kernel_calls import half_precision
from msbridge.ops.kernel_calls.families import binary_same
from msbridge.ops.legacy.r2_0_attributes import with_second_names
from msbridge.ops.linalg import methods
from msbridge.ops.linalg.products_and_norms import functions, kernels
from msbridge.ops.primitive.primitive import derive


def trace(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Type | None = None) -> Tensor:
    """Add up a diagonal over two axes; whole numbers keep their dtype.

    Follows: mindspore.Tensor.trace (2.0).
    """
    return methods.trace(self, offset, axis1, axis2, dtype or self.dtype).astype(dtype or self.dtype)


def _of_stacks(today: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make the product that returns Int32 for stacks of matrices of Int8."""

    @wraps(today)
    def multiply(x: Tensor, y: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if isinstance(x, Tensor) and x._data.dtype is torch.int8 and x.ndim > 2:
            return today(x.astype(int32), y.astype(int32), *args, **kwargs)
        return today(x, y, *args, **kwargs)

    return multiply


_product = _of_stacks(kernels.matmul_transposed)


def _multiply(x: Tensor, y: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    return _product(x, y, transpose_a, transpose_b)


def _matmul_of_primitive(input: Tensor, other: Tensor) -> Tensor:
    """Multiply as `matmul` does; what does not fit is refused as the primitive refuses it."""
    return binary_same(half_precision.matmul, "MatMul", input, other)


_matmul = _of_stacks(_matmul_of_primitive)
OVERRIDES = {
    "Tensor.trace": trace,
    "ops.BatchMatMul": with_second_names(derive("BatchMatMul", _multiply, "transpose_a transpose_b"), "BatchMatMul"),
    "ops.bmm": _of_stacks(functions.bmm),
    "ops.matmul": Part(functions, "matmul", _matmul),
}
