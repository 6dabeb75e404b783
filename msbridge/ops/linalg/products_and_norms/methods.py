"""Methods of Tensor."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, bool_
from msbridge.ops.contents import same
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.linalg.products_and_norms import functions
from msbridge.ops.reduce.reduction import functions as reduction
from msbridge.ops.reduce.reduction.methods import _cast


def addmv(self: Tensor, mat: Tensor, vec: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Return `beta * self + alpha * (mat @ vec)`.

    Follows: mindspore.Tensor.addmv (2.10).
    """
    return functions.addmv(self, mat, vec, beta=beta, alpha=alpha)


def matmul(self: Tensor, other: Any = None, *, tensor2: Tensor | None = None) -> Tensor:
    """Return the matrix product; `tensor2` is another name of `other`.

    Follows: mindspore.Tensor.matmul (2.10).
    """
    return functions.matmul(self, other if tensor2 is None else tensor2)


def trace(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Type | None = None) -> Tensor:
    """Add up a diagonal over two axes; integers give Int64, bools whether one is true.

    Follows: mindspore.Tensor.trace (2.10).
    """
    diagonal = _cast(self.diagonal(offset, axis1, axis2), dtype)
    return (reduction.any if diagonal.dtype == bool_ else reduction.sum)(diagonal, -1)


SAME = same(functions, "addbmm addmm addr adjoint baddbmm bmm cross dot ger inner matrix_power mm norm outer renorm")
