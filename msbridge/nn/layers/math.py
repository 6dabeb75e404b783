"""Layers of plain mathematics: products, norms, sums, moments."""

from typing import Any

import torch

from msbridge.core.checks.arguments import above, instance, number
from msbridge.core.context.context import torch_device
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.tensor_attribute import TensorAttribute
from msbridge.nn.layers.plain import PlainLayer
from msbridge.ops.elementwise.special import functions as special
from msbridge.ops.kernel_calls.families import Axis, binary_same, unary_with
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.norms import functions as norms
from msbridge.ops.linalg.products_and_norms.kernels import matmul_transposed
from msbridge.ops.reduce.reduction import functions as reduction
from msbridge.ops.shape.diagonals import functions as diagonals
from msbridge.ops.shape.scatter_elements import functions as placing

__all__ = [
    "ClipByNorm",
    "DiGamma",
    "IGamma",
    "L1Regularizer",
    "LBeta",
    "LGamma",
    "MatDet",
    "MatInverse",
    "MatMul",
    "MatrixDiag",
    "MatrixDiagPart",
    "MatrixSetDiag",
    "Moments",
    "Norm",
    "Range",
    "ReduceLogSumExp",
]


class Norm(Cell):
    """Compute the Euclidean norm over `axis`; () means all.

    Args:
        axis: which axes; () for all.
        keep_dims: whether they stay, with length 1.

    Inputs:
        x: a Tensor of any shape and dtype.

    Outputs:
        A Tensor of the dtype of `x`; Float32 for integers and bools.

    Follows: mindspore.nn.Norm (1.10).
    """

    def __init__(self, axis: Axis = (), keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = instance(axis, "axis", "Norm", (int, list, tuple))
        self.keep_dims = instance(keep_dims, "keep_dims", "Norm", bool)

    def construct(self, x: Tensor) -> Tensor:
        return norms.vector_norm(x, 2, None if self.axis == () else self.axis, self.keep_dims)

    def extend_repr(self) -> str:
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class ClipByNorm(Cell):
    """Shrink `x` to a norm of at most `clip_norm`, over `axis` (None means all); the result is Float32.

    Args:
        axis: over which axes the norm is taken; None for all.

    Inputs:
        x: a Tensor of any shape; floats.
        clip_norm: shape () or one that broadcasts against `x`; floats.

    Outputs:
        A Float32 Tensor of the shape of `x`.

    Raises:
        TypeError: `axis` is of another type; or `clip_norm` is not a floating Tensor (on call).

    Examples:
        >>> print(nn.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)))
        [0.6 0.8]

    Follows: mindspore.nn.ClipByNorm (1.10).
    """

    def __init__(self, axis: Axis = None) -> None:
        super().__init__()
        if axis is not None:
            instance(axis, "axis", "ClipByNorm", (int, tuple, list))
        self.axis = axis if axis is None or isinstance(axis, int) else tuple(axis)

    def construct(self, x: Tensor, clip_norm: Tensor) -> Tensor:
        if not isinstance(clip_norm, Tensor) or not clip_norm._data.is_floating_point():
            raise TypeError(f"For 'ClipByNorm', clip_norm must be a Float16 or Float32 Tensor, got {clip_norm!r}.")
        return unary_with(_clip_norm, "ClipByNorm", x, clip_norm._data, self.axis)


def _clip_norm(data: torch.Tensor, limit: torch.Tensor, axis: Any) -> torch.Tensor:
    data, limit = data.float(), limit.float()
    norm = torch.linalg.vector_norm(data, 2, axis, keepdim=True)
    return data * limit / torch.maximum(norm, limit)


class MatMul(Cell):
    """Compute the product of two matrices, or batches of them, transposed or not.

    Args:
        transpose_x1: whether the last two axes of `x1` are exchanged first.
        transpose_x2: whether those of `x2` are.

    Inputs:
        x1: shape (..., n, k); any dtype but Bool.
        x2: shape (..., k, m).

    Outputs:
        A Tensor of shape (..., n, m) and the promoted dtype.

    Follows: mindspore.nn.MatMul (1.10).
    """

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False) -> None:
        super().__init__()
        self.transpose_x1 = instance(transpose_x1, "transpose_x1", "MatMul", bool)
        self.transpose_x2 = instance(transpose_x2, "transpose_x2", "MatMul", bool)

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        return matmul_transposed(x1, x2, self.transpose_x1, self.transpose_x2)


class ReduceLogSumExp(Cell):
    """Compute log(Σ exp(x)) over `axis`.

    Args:
        axis: which axes; () for all.
        keep_dims: whether they stay, with length 1.

    Inputs:
        x: a Tensor of any shape and dtype.

    Outputs:
        A Tensor of the dtype of `x`; Float32 for integers and bools.

    Follows: mindspore.nn.ReduceLogSumExp (1.10).
    """

    def __init__(self, axis: Axis, keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = instance(axis, "axis", "ReduceLogSumExp", (int, list, tuple))
        self.keep_dims = instance(keep_dims, "keep_dims", "ReduceLogSumExp", bool)

    def construct(self, x: Tensor) -> Tensor:
        return reduction.logsumexp(x, self.axis, self.keep_dims)


class CosineSimilarity(Cell):
    """Return the cosine of the angle between vectors; mindspore.nn has the metric of that name.

    Args:
        dim: the axis of the vectors.
        eps: the least product of their norms.

    Raises:
        TypeError: an input is not a Tensor.

    Follows: mindspore.nn.layer.CosineSimilarity (2.10).
    """

    def __init__(self, dim: int = 1, eps: float = 1e-08) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        return binary_same(self._cosine, "CosineSimilarity", x1, x2)

    def _cosine(self, x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
        products = (x1 * x1).sum(self.dim) * (x2 * x2).sum(self.dim)
        return (x1 * x2).sum(self.dim) / products.clamp(min=self.eps**2).sqrt()


class Moments(Cell):
    """Compute mean and variance over `axis`; None means all.

    Args:
        axis: which axes; None for all.
        keep_dims: whether they stay, with length 1; None for False.

    Inputs:
        x: a Tensor of any shape.

    Outputs:
        A tuple (mean, variance) of Tensors: the mean of the dtype of `x`, the variance too but Float32 for integers and
            bools.

    Follows: mindspore.nn.Moments (1.10).
    """

    def __init__(self, axis: Axis = None, keep_dims: bool | None = None) -> None:
        super().__init__()
        self.axis = axis if axis is None else instance(axis, "axis", "Moments", (int, tuple))
        self.keep_dims = keep_dims is not None and instance(keep_dims, "keep_dims", "Moments", bool)

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        variance, mean = reduction.var_mean(x, None if self.axis == () else self.axis, 0, self.keep_dims)
        return mean, variance


class Range(Cell):
    """Generate start, start + delta, … below `limit`; with one argument, from 0 up to it.

    The dtype is Int32 for ints and Float32 for floats.

    Args:
        start: the first number, or the end where it is the only argument.
        limit: the end, which is not reached.
        delta: the distance from one to the next, not 0.

    Outputs:
        A Tensor of shape (n,), Int32 or Float32.

    Follows: mindspore.nn.Range (1.10).
    """

    def __init__(self, start: float, limit: float | None = None, delta: float = 1) -> None:
        super().__init__()
        if delta == 0:
            raise ValueError("For 'Range', the 'delta' must not be 0.")
        bounds = (0, start) if limit is None else (start, limit)
        is_int = all(isinstance(value, int) for value in (*bounds, delta))
        kind = torch.int32 if is_int else torch.float32
        self.result = wrap(torch.arange(*bounds, delta, dtype=kind, device=torch_device()))

    def construct(self) -> Tensor:
        return self.result


class L1Regularizer(Cell):
    """Compute scale·Σ|weights|.

    Args:
        scale: > 0.

    Inputs:
        weights: a Tensor of any shape; any dtype but Bool.

    Outputs:
        A Float32 Tensor of shape ().

    Raises:
        ValueError: `scale` is not positive.

    Follows: mindspore.nn.L1Regularizer (2.10).
    """

    scale = TensorAttribute()

    def __init__(self, scale: float) -> None:
        super().__init__()
        number(scale, "scale", "L1Regularizer")
        above(scale, "scale", "L1Regularizer")
        self.scale = float(scale)

    def construct(self, weights: Tensor) -> Tensor:
        return unary_with(_l1_penalty, "L1Regularizer", weights, self._scale_number)


def _l1_penalty(data: torch.Tensor, scale: float) -> torch.Tensor:
    total = data.abs().sum()
    return total.float() * scale if total.dtype is torch.float16 else total * scale


class LGamma(PlainLayer):
    """Compute the logarithm of |Γ(x)|.

    Inputs, Outputs: elementwise, real -> float.

    Follows: mindspore.nn.LGamma (1.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return special.lgamma(x)


class DiGamma(PlainLayer):
    """Compute the derivative of log Γ(x).

    Inputs, Outputs: elementwise, real -> float.

    Follows: mindspore.nn.DiGamma (1.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return special.digamma(x)


class LBeta(PlainLayer):
    """Compute the logarithm of |B(x, y)|.

    Inputs, Outputs: elementwise, real -> float.

    Follows: mindspore.nn.LBeta (1.10).
    """

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return binary_same(_log_beta, "LBeta", x, y)


def _log_beta(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return torch.lgamma(left) + torch.lgamma(right) - torch.lgamma(left + right)


class IGamma(PlainLayer):
    """Compute the lower regularised incomplete gamma function P(a, x).

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.nn.IGamma (1.10).
    """

    def __init__(self) -> None:
        super().__init__()
        self.lgamma = LGamma()

    def construct(self, a: Tensor, x: Tensor) -> Tensor:
        return special.igamma(a, x)


class MatInverse(PlainLayer):
    """Compute the inverse of symmetric positive definite matrices.

    Inputs:
        a: shape (..., n, n); Float32, Float64 or complex numbers.

    Outputs:
        A Tensor of the shape and dtype of `a`.

    Follows: mindspore.nn.MatInverse (1.10).
    """

    def construct(self, a: Tensor) -> Tensor:
        return decomposition.inverse(a)


class MatDet(PlainLayer):
    """Compute the determinant of symmetric positive definite matrices.

    Inputs:
        a: shape (..., n, n); floats or complex numbers.

    Outputs:
        A Tensor of shape (...) and the dtype of `a`.

    Follows: mindspore.nn.MatDet (1.10).
    """

    def construct(self, a: Tensor) -> Tensor:
        return decomposition.det(a)


class MatrixDiag(PlainLayer):
    """Construct matrices whose diagonals are the last axis of the input.

    Inputs:
        input_x: shape (..., n); any dtype.

    Outputs:
        A Tensor of shape (..., n, n) and the dtype of `input_x`; zeros beside the diagonal.

    Follows: mindspore.nn.MatrixDiag (1.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return diagonals.diag_embed(input_x)


class MatrixDiagPart(PlainLayer):
    """Extract the diagonals of matrices.

    Inputs:
        input_x: shape (..., n, m); any dtype.

    Outputs:
        A Tensor of shape (..., min(n, m)) and the dtype of `input_x`.

    Follows: mindspore.nn.MatrixDiagPart (1.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return diagonals.diagonal(input_x, 0, -2, -1)


class MatrixSetDiag(PlainLayer):
    """Replace the diagonals of matrices.

    Inputs:
        input_x: shape (..., n, m); any dtype.
        diagonal: shape (..., min(n, m)).

    Outputs:
        A Tensor of the shape and dtype of `input_x`.

    Follows: mindspore.nn.MatrixSetDiag (1.10).
    """

    def construct(self, input_x: Tensor, diagonal: Tensor) -> Tensor:
        return placing.diagonal_scatter(input_x, diagonal, 0, -2, -1)
