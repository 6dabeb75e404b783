"""Primitives of linear algebra."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.kernel_calls.families import Axis
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.distances import functions as distances
from msbridge.ops.linalg.norms import functions as norms
from msbridge.ops.linalg.products_and_norms import functions, kernels
from msbridge.ops.primitive.primitive import derive


def _cross(input: Tensor, other: Tensor, dim: int = -65530) -> Tensor:
    """Return the cross product along an axis; -65530 means the first of length 3.

    Args:
        input: of length 3 along the axis.
        other: of the same shape and dtype.
        dim: which axis.

    Returns:
        A Tensor of the shape and dtype of `input`.
    """
    return functions.cross(input, other, None if dim == -65530 else dim)


def _einsum(operands: tuple[Tensor, ...], equation: str) -> Tensor:
    """Sum products as the equation of indices says.

    Args:
        operands: a tuple or list of Tensors of one dtype.
        equation: such as "ij,jk->ik".

    Returns:
        A Tensor of the axes behind the arrow.
    """
    return functions.einsum(equation, *operands)


def _inverse(x: Tensor, adjoint: bool = False) -> Tensor:
    """Return the inverse of square matrices, or of their conjugate transpose.

    Args:
        x: shape (..., n, n); floats or complex numbers.
        adjoint: invert the conjugate transpose.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """
    return decomposition.inverse(functions.adjoint(x) if adjoint else x)


def _nuclear_norm(x: Tensor, dim: tuple[int, int] | None = None, keepdim: bool = False) -> Tensor:
    """Add up the singular values of matrices over two axes.

    Args:
        x: at least two axes; floats.
        dim: the axes of rows and columns; None for the first two.
        keepdim: keep the reduced axes with length 1.

    Returns:
        A Tensor of the shape of `x` without the two axes, and its dtype.
    """
    return norms.norm(x, "nuc", (0, 1) if dim is None else tuple(dim), keepdim)


def _euclidean_norm(x: Tensor, axes: Axis, keep_dims: bool = False) -> Tensor:
    """Return the 2-norm along axes.

    Args:
        x: any shape.
        axes: which axes.
        keep_dims: keep the reduced axes with length 1.

    Returns:
        A Tensor of the dtype of `x`, without the reduced axes.
    """
    return norms.vector_norm(x, 2, tuple(int(axis) for axis in axes), keep_dims)  # type: ignore[union-attr]


def _lp_norm(
    input: Tensor, axis: int | Sequence[int], p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Tensor:
    """Return the p-norm along axes, at least `epsilon`.

    Args:
        input: any shape; floats.
        axis: an axis, or several.
        p: the order of the norm.
        keep_dims: keep the reduced axes with length 1.
        epsilon: the least result.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes.
    """
    axes = axis if isinstance(axis, int) else tuple(axis)
    return elementwise.clamp(norms.vector_norm(input, p, axes, keep_dims), epsilon)


DERIVED = (
    derive("BatchMatMul", kernels.matmul_transposed, "transpose_a transpose_b"),
    derive("Cdist", distances.cdist, "p"),
    derive("Cross", _cross, "dim"),
    derive("Einsum", _einsum, "equation"),
    derive("Ger", functions.ger),
    derive("MatMul", kernels.matmul_transposed, "transpose_a transpose_b"),
    derive("MatrixInverse", _inverse, "adjoint"),
    derive("MatrixPower", decomposition.matrix_power, "n"),
    derive("NuclearNorm", _nuclear_norm, "dim keepdim"),
    derive("Pdist", distances.pdist, "p"),
    derive("Renorm", distances.renorm, "p dim maxnorm", renamed={"dim": "axis"}),
    derive("Trace", functions.trace),
    derive("EuclideanNorm", _euclidean_norm, "keep_dims"),
    derive("LpNorm", _lp_norm, "axis p keep_dims epsilon"),
)
