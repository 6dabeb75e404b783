"""Methods of Tensor."""

from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.families import Number
from msbridge.ops.linalg import functions
from msbridge.ops.reduction import functions as reduction
from msbridge.ops.reduction.methods import _cast


def addmv(self: Tensor, mat: Tensor, vec: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Return `beta * self + alpha * (mat @ vec)`.

    Follows: mindspore.Tensor.addmv (2.10).
    """
    return functions.addmv(self, mat, vec, beta=beta, alpha=alpha)


def outer(self: Tensor, vec2: Tensor) -> Tensor:
    """Return the products of all pairs of elements, both flattened.

    Follows: mindspore.Tensor.outer (2.10).
    """
    return functions.outer(self.reshape(-1), vec2.reshape(-1))  # type: ignore[attr-defined]


def trace(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Type | None = None) -> Tensor:
    """Add up a diagonal over two axes.

    Follows: mindspore.Tensor.trace (2.10).
    """
    if (offset, axis1, axis2, dtype, self.ndim) == (0, 0, 1, None, 2):
        return functions.trace(self)
    return reduction.reduce_sum(_cast(self.diagonal(offset, axis1, axis2), dtype), -1)


SAME = same(functions, "addbmm addmm addr adjoint baddbmm bmm cross dot ger inner matmul matrix_power mm norm renorm")
