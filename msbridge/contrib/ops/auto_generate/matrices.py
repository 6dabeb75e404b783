"""Linear algebra, correlation and transforms, whose other faces are in another order."""

import math
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.faces import face
from msbridge.ops.kernel_calls.families import Axis, Number, binary_same, call_kernel, plain_shape, unary
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.linalg.norms import functions as norms
from msbridge.ops.linalg.products_and_norms import functions as linalg

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def correlate(a: Tensor, v: Tensor, pad_mode: str = "valid") -> Tensor:
    """Return the sums of products of two sequences at all shifts between them.

    Args:
        a: shape (n,).
        v: shape (m,); integers, complex or not, are computed as floating point.
        pad_mode: "full", all shifts with an overlap; "same", the middle, as long as the longer one; "valid", those with
            a full overlap.

    Follows: mindspore.ops.auto_generate.correlate (2.10).
    """
    one_of(pad_mode, "pad_mode", "Correlate", ("full", "same", "valid"))

    def run(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        if not (left.is_floating_point() or left.is_complex()):
            wide = torch.float64 if left.dtype in (torch.int64, torch.uint64, torch.float64) else torch.float32
            left, right = left.to(wide), right.to(wide)
        short, long = sorted((len(left), len(right)))
        kernel = right.conj().resolve_conj()
        padded = torch.nn.functional.pad(left, (len(right) - 1,) * 2)
        convolved = (padded.unfold(0, len(right), 1) * kernel).sum(-1)
        if pad_mode == "full":
            return convolved
        size = long if pad_mode == "same" else long - short + 1
        start = short - 1 - (short // 2 if pad_mode == "same" else 0)
        start = start if len(left) >= len(right) else len(convolved) - size - start
        return convolved[start : start + size]

    return binary_same(run, "Correlate", a, v)


def cdist_grad(grad: Tensor, input_x: Tensor, input_y: Tensor, cdist: Tensor, p: float = 2.0) -> Tensor:
    """Return the gradient of the first input of `ops.cdist`, from the distances.

    Follows: mindspore.ops.auto_generate.CdistGrad (2.10).
    """

    def run(seed: torch.Tensor, left: torch.Tensor, right: torch.Tensor, far: torch.Tensor) -> torch.Tensor:
        apart = left.unsqueeze(-2) - right.unsqueeze(-3)
        sizes, seeds = far.unsqueeze(-1), seed.unsqueeze(-1)
        if p == 0:
            return torch.zeros_like(left)
        if p == 1:
            shares = apart.sign()
        elif math.isinf(p):
            shares = apart.sign() * (apart.abs() == sizes)
        elif p < 2:
            shares = apart.sign() * apart.abs() ** (p - 1) * sizes ** (1 - p)
            shares = torch.where((sizes == 0) | (apart == 0), 0, shares)
        else:
            shares = torch.where(sizes == 0, 0, apart * apart.abs() ** (p - 2) * sizes ** (1 - p))
        return (shares * seeds).sum(-2)

    return call_kernel(run, "CdistGrad", grad, input_x, input_y, cdist)  # type: ignore[no-any-return]


linalg_vector_norm = face("linalg_vector_norm", norms.vector_norm, "x ord dim keepdim dtype")


def lp_norm_v2(input: Tensor, p: Number = 2, dim: Axis = None, keepdim: bool = False, epsilon: float = 1e-12) -> Tensor:
    """Return the p-norm of vectors along axes, at least `epsilon`.

    Follows: mindspore.ops.auto_generate.LpNormV2 (2.10).
    """
    axes = None if dim == () else dim

    def run(data: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = torch.linalg.vector_norm(data, p, axes, keepdim)
        return found.clamp_min(epsilon)

    return unary(run, "LpNormV2", input)


def lstsq_v2(A: Tensor, B: Tensor, driver: str | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the x that makes the squares of A·x - B least, the sums of squares, the rank and the singular values.

    What the driver does not compute is empty.

    Args:
        A: shape (..., m, n).
        B: shape (..., m) or (..., m, k).
        driver: "gels", "gelsy", "gelsd" or "gelss", LAPACK's routines; None means "gelsy".

    Raises:
        ValueError: there is no such driver, or the shapes do not fit.

    Follows: mindspore.ops.auto_generate.LstsqV2 (2.10).
    """
    kind = one_of(driver or "gelsy", "driver", "LstsqV2", _DRIVERS)

    def run(matrix: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, ...]:
        columns = right.unsqueeze(-1) if right.dim() == matrix.dim() - 1 else right
        solved = torch.linalg.lstsq(matrix, columns, driver=kind)
        return (
            solved.solution.reshape(_solution_shape(matrix, right)),
            solved.residuals,
            solved.rank,
            solved.singular_values,
        )

    return call_kernel(run, "LstsqV2", A, B)  # type: ignore[no-any-return]


def lstsq_v2_grad(gX: Tensor, A: Tensor, B: Tensor) -> tuple[Tensor, ...]:
    """Return the gradients of the solution of `lstsq_v2` with respect to both inputs.

    Follows: mindspore.ops.auto_generate.LstsqV2Grad (2.10).
    """

    def forward(matrix: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        columns = right.unsqueeze(-1) if right.dim() == matrix.dim() - 1 else right
        return (torch.linalg.pinv(matrix) @ columns).reshape(_solution_shape(matrix, right))

    return backward("LstsqV2Grad", forward, gX, A, B)


def _solution_shape(matrix: torch.Tensor, right: torch.Tensor) -> tuple[int, ...]:
    behind = () if right.dim() == matrix.dim() - 1 else (right.shape[-1],)
    return (*matrix.shape[:-2], matrix.shape[-1], *behind)


def solve_triangular(a: Tensor, b: Tensor, trans: int = 0, lower: bool = False, unit_diagonal: bool = False) -> Tensor:
    """Solve a·x = b for a triangular matrix.

    Args:
        a: shape (..., n, n); one triangle is read.
        b: shape (..., n) or (..., n, k), of the same dtype.
        trans: 0 for a, 1 for its transpose, 2 for the conjugate of that.
        lower: read the lower triangle; else the upper one.
        unit_diagonal: take the diagonal for ones.

    Raises:
        ValueError: the shapes do not fit, or there is no such `trans`.

    Follows: mindspore.ops.auto_generate.solve_triangular (2.10).
    """
    one_of(trans, "trans", "SolveTriangular", (0, 1, 2))

    def run(matrix: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        columns = right.unsqueeze(-1) if right.dim() == matrix.dim() - 1 else right
        triangle = matrix.tril() if lower else matrix.triu()
        triangle = (triangle, triangle.mT, triangle.mH)[trans]
        found = torch.linalg.solve_triangular(
            triangle, columns, upper=lower == bool(trans), unitriangular=unit_diagonal
        )
        return found.reshape(right.shape)

    return binary_same(run, "SolveTriangular", a, b)


def trace_v2(input: Tensor, offset: int = 0, axis1: int = 1, axis2: int = 0, dtype: Type | None = None) -> Tensor:
    """Return the sums of diagonals over two axes.

    Args:
        input: at least 2 axes.
        offset: which diagonal; above the main one where it is positive.
        axis1: the axis along which the diagonal's first index runs.
        axis2: the other axis.
        dtype: of the result; None means Int64 for integers, else that of `input`.

    Follows: mindspore.ops.auto_generate.TraceV2 (2.10).
    """

    def run(data: torch.Tensor) -> torch.Tensor:
        return data.diagonal(offset, axis1, axis2).sum(-1, dtype=None if dtype is None else dtype.torch)

    return unary(run, "TraceV2", input)


def trace_v2_grad(
    dout: Tensor, shape: Tensor | Sequence[int], offset: int = 0, axis1: int = 1, axis2: int = 0
) -> Tensor:
    """Return the gradient of `trace_v2` for an input of this shape: what is on the diagonal.

    Follows: mindspore.ops.auto_generate.TraceV2Grad (2.10).
    """

    def run(seed: torch.Tensor) -> torch.Tensor:
        found = seed.new_zeros(plain_shape(shape))
        diagonal = found.diagonal(offset, axis1, axis2)
        diagonal.copy_(seed.unsqueeze(-1).expand_as(diagonal))
        return found

    return unary(run, "TraceV2Grad", dout)


def einsum_ext(equation: str, operands: Sequence[Tensor]) -> Tensor:
    """Return the sums of products that an equation describes, as `ops.einsum`, of tensors in one tuple.

    Follows: mindspore.ops.auto_generate.EinsumExt (2.10).
    """
    return linalg.einsum(equation, *operands)


def fft_shape_copy(dout: Tensor, shape: Sequence[int]) -> Tensor:
    """Cut each axis to a size, or fill it with zeros behind.

    Follows: mindspore.ops.auto_generate.FFTShapeCopy (2.10).
    """

    def run(data: torch.Tensor) -> torch.Tensor:
        sizes = zip(reversed(plain_shape(shape)), reversed(data.shape), strict=True)
        pairs: list[Any] = [part for wanted, size in sizes for part in (0, wanted - size)]
        return torch.nn.functional.pad(data, pairs)

    return unary(run, "FFTShapeCopy", dout)
