"""Primitives of linear algebra."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.kernel_calls.families import Axis
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.distances import functions as distances
from msbridge.ops.linalg.products_and_norms import functions, kernels
from msbridge.ops.primitive.primitive import derive


def _cross(input: Tensor, other: Tensor, dim: int = -65530) -> Tensor:
    """Return the cross product along an axis; -65530 means the first of length 3."""
    return functions.cross(input, other, None if dim == -65530 else dim)


def _einsum(operands: tuple[Tensor, ...], equation: str) -> Tensor:
    """Sum products as the equation of indices says."""
    return functions.einsum(equation, *operands)


def _inverse(x: Tensor, adjoint: bool = False) -> Tensor:
    """Return the inverse of square matrices, or of their conjugate transpose."""
    return decomposition.inverse(functions.adjoint(x) if adjoint else x)


def _nuclear_norm(x: Tensor, dim: tuple[int, int] | None = None, keepdim: bool = False) -> Tensor:
    """Add up the singular values of matrices over two axes."""
    return functions.norm(x, "nuc", (0, 1) if dim is None else tuple(dim), keepdim)


def _euclidean_norm(x: Tensor, axes: Axis, keep_dims: bool = False) -> Tensor:
    """Return the 2-norm along axes."""
    return functions.vector_norm(x, 2, tuple(int(axis) for axis in axes), keep_dims)  # type: ignore[union-attr]


def _lp_norm(
    input: Tensor, axis: int | Sequence[int], p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Tensor:
    """Return the p-norm along axes, at least `epsilon`."""
    axes = axis if isinstance(axis, int) else tuple(axis)
    return elementwise.clamp(functions.vector_norm(input, p, axes, keep_dims), epsilon)


DERIVED = (
    derive("BatchMatMul", kernels.matmul_transposed, "transpose_a transpose_b"),
    derive("Cdist", distances.cdist, "p"),
    derive("Cross", _cross, "dim"),
    derive("Einsum", _einsum, "equation"),
    derive("Ger", functions.ger),
    derive("MatMul", kernels.matmul_transposed, "transpose_a transpose_b"),
    derive("MatrixInverse", _inverse, "adjoint"),
    derive("MatrixPower", functions.matrix_power, "n"),
    derive("NuclearNorm", _nuclear_norm, "dim keepdim"),
    derive("Pdist", distances.pdist, "p"),
    derive("Renorm", distances.renorm, "p dim maxnorm", renamed={"dim": "axis"}),
    derive("Trace", functions.trace),
    derive("EuclideanNorm", _euclidean_norm, "keep_dims"),
    derive("LpNorm", _lp_norm, "axis p keep_dims epsilon"),
)
