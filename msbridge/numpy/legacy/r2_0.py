"""Functions of numpy of 2.0."""

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.numpy import creation, diagonals, math
from msbridge.numpy._faces import Array, cast, tensor_of
from msbridge.numpy.dtypes import DType
from msbridge.ops.legacy.r1_10_products import matmul as promoting_matmul

_today_sign, _today_trace = math.sign, diagonals.trace


def sign(x: Array, dtype: DType | None = None) -> Tensor:
    """Return -1, 0 or 1 in the dtype of `x`.

    Follows: mindspore.numpy.sign (2.0).
    """
    return _today_sign(x, dtype or tensor_of(x, "sign", "x").dtype)


def trace(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DType | None = None) -> Tensor:
    """Add up a diagonal over two axes; the sum has the dtype of `a`, and is cast.

    Follows: mindspore.numpy.trace (2.0).
    """
    return _today_trace(a, offset, axis1, axis2).astype(dtype or tensor_of(a, "trace", "a").dtype)


def _cast_to_own(tensor: Tensor) -> Tensor:
    """Cast to the dtype that it has: a Parameter is itself, a Tensor is copied."""
    return tensor.astype(tensor.dtype)


def matmul(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Multiply matrices, in the wider of their dtypes.

    Follows: mindspore.numpy.matmul (2.0).
    """
    return cast(promoting_matmul(tensor_of(x1, "matmul", "x1"), tensor_of(x2, "matmul", "x2")), dtype)


OVERRIDES = {
    "numpy.asfarray": Part(creation, "twin", _cast_to_own),
    "numpy.matmul": matmul,
    "numpy.sign": sign,
    "numpy.trace": trace,
}
