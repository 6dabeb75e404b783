"""Linear algebra: inverses, determinants, factorisations, solutions of linear systems."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.recorded_writes import is_traced
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import bool_
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import binary_same, unary, unary_with
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype


def _floating(data: torch.Tensor) -> torch.Tensor:
    return data if data.is_floating_point() or data.is_complex() else data.float()


inverse = define(
    unary,
    lambda data: torch.linalg.inv(_floating(data)),
    "Return the inverse of square matrices.",
    name="inverse",
    args="input: shape (..., n, n); integers count as Float32.",
    returns="A Tensor of the shape of `input`; floats or complex numbers.",
)


def pinv(x: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Tensor:
    """Return the pseudo-inverse of matrices.

    Args:
        x: shape (..., m, n); floats or complex numbers.
        atol: the magnitude below which a singular value counts as 0: a number or a Tensor.
        rtol: the same relative to the largest one.
        hermitian: whether the matrices are Hermitian; the lower triangle is read.

    Returns:
        A Tensor of shape (..., n, m) and the dtype of `x`.

    Follows: mindspore.ops.pinv (2.10).
    """
    bounds = {name: getattr(value, "_data", value) for name, value in (("atol", atol), ("rtol", rtol))}
    return unary(lambda data: torch.linalg.pinv(data, hermitian=hermitian, **bounds), "pinv", x)


det = define(
    unary,
    torch.linalg.det,
    "Return the determinant of square matrices.",
    args="input: shape (..., n, n); floats or complex numbers.",
    returns="A Tensor of shape (...) and the dtype of `input`.",
)


matrix_determinant = det


def slogdet(input: Tensor) -> tuple[Tensor, Tensor]:
    """Return sign and logarithm of the magnitude of the determinant.

    Args:
        input: shape (..., n, n); floats or complex numbers.

    Returns:
        (sign, logarithm), of shape (...) and the dtype of `input`; the logarithm is real.

    Follows: mindspore.ops.slogdet (2.10).
    """
    return _several(torch.linalg.slogdet, "slogdet", input)


log_matrix_determinant = slogdet


logdet = define(
    unary,
    torch.logdet,
    "Return the logarithm of the determinant; NaN where it is negative.",
    args="input: shape (..., n, n); floats or complex numbers.",
    returns="A Tensor of shape (...) and the dtype of `input`.",
)
matrix_exp = define(
    unary,
    torch.linalg.matrix_exp,
    "Return the exponential of square matrices.",
    args="input: shape (..., n, n); floats or complex numbers.",
    returns="A Tensor of the shape and dtype of `input`.",
)


def cond(A: Tensor, p: Any = None) -> Tensor:
    """Return the condition number of matrices for a norm.

    Args:
        A: shape (..., m, n), square unless `p` is None, 2 or -2; floats or complex numbers.
        p: 1, -1, 2, -2, inf, -inf, "fro" or "nuc"; None means 2.

    Returns:
        A Tensor of shape (...); floats.

    Follows: mindspore.ops.cond (2.10).
    """
    return unary_with(torch.linalg.cond, "cond", A, p)


def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Return the singular values, and with `compute_uv` (values, U, V), such that input = U diag(values) Vᴴ.

    Args:
        input: shape (..., m, n); floats or complex numbers.
        full_matrices: whether U and V are square.
        compute_uv: whether U and V are returned.

    Returns:
        A Tensor of shape (..., k), k = min(m, n); with `compute_uv`, (values, U, V): (..., k), (..., m, k) and (..., n,
        k).

    Follows: mindspore.ops.svd (2.10).
    """
    if not compute_uv:
        return unary(torch.linalg.svdvals, "svd", input)
    return _several(lambda data: _svd(data, full_matrices), "svd", input)


def qr(input: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Return Q with orthonormal columns and the upper triangular R.

    Args:
        input: shape (..., m, n); floats or complex numbers.
        mode: "reduced": k = min(m, n) columns of Q; "complete": m.

    Returns:
        (Q, R), of shapes (..., m, k) and (..., k, n) and the dtype of `input`.

    Raises:
        ValueError: `mode` is neither "reduced" nor "complete".

    Follows: mindspore.ops.qr (2.10).
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"For 'qr', mode must be 'reduced' or 'complete', got {mode!r}.")
    return _several(lambda data: torch.linalg.qr(data, mode), "qr", input)


def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """Return the QR factorisation in LAPACK's form: R with the reflectors below, and their factors.

    Args:
        input: shape (..., m, n); floats or complex numbers.

    Returns:
        (R, factors), of shapes (..., m, n) and (..., min(m, n)) and the dtype of `input`.

    Follows: mindspore.ops.geqrf (2.10).
    """
    return _several(torch.geqrf, "geqrf", input)


orgqr = define(
    binary_same,
    torch.linalg.householder_product,
    "Return Q of the result of `geqrf`.",
    "input input2",
    name="orgqr",
    args=("input: the first result of `geqrf`, (..., m, n).\ninput2: the second, (..., k)."),
    returns="A Tensor of shape (..., m, n) and the dtype of `input`.",
)


def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """Multiply `other` by the Q of what `geqrf` returned, without forming Q.

    Args:
        input: the first result of `geqrf`, (..., m, n).
        tau: the second, (..., k).
        other: shape (..., m, p) from the left, (..., p, m) from the right.
        left: whether Q is the left factor.
        transpose: whether Q is transposed and conjugated.

    Returns:
        A Tensor of the shape and dtype of `other`.

    Follows: mindspore.ops.ormqr (2.10).
    """
    try:
        return wrap(torch.ormqr(input._data, tau._data, other._data, left, transpose))
    except Exception as error:
        raise explain(error, "ormqr", input=input, tau=tau, other=other) from error


def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """Return the triangular L with L Lᴴ = input, or with `upper` U with Uᴴ U = input.

    Args:
        input_x: shape (..., n, n), Hermitian and positive definite; floats or complex numbers.
        upper: return U.

    Returns:
        A Tensor of the shape and dtype of `input_x`.

    Follows: mindspore.ops.cholesky (2.10).
    """
    return unary(lambda data: torch.linalg.cholesky(data, upper=upper), "cholesky", input_x)


def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """Return the inverse of the matrix whose Cholesky factor is given.

    Args:
        input_x: the factor, (..., n, n); floats or complex numbers.
        upper: whether it is the upper one.

    Returns:
        A Tensor of the shape and dtype of `input_x`.

    Follows: mindspore.ops.cholesky_inverse (2.10).
    """
    return unary(lambda data: torch.cholesky_inverse(data, upper), "cholesky_inverse", input_x)


def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """Solve A x = input, given the Cholesky factor `input2` of A.

    Args:
        input: the right side, (..., n, k); floats or complex numbers.
        input2: the factor, (..., n, n).
        upper: whether it is the upper one.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.cholesky_solve (2.10).
    """
    return binary_same(
        lambda right, factor: torch.cholesky_solve(right, factor, upper), "cholesky_solve", input, input2
    )


def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    """Return eigenvalues and eigenvectors of square matrices, complex.

    Args:
        A: shape (..., n, n); floats or complex numbers.

    Returns:
        (values, vectors), of shapes (..., n) and (..., n, n); Complex64 or Complex128.

    Follows: mindspore.ops.eig (2.10).
    """
    return _several(torch.linalg.eig, "eig", A)


def _eigenvalues(data: torch.Tensor) -> torch.Tensor:
    if (
        data.is_cpu and not is_traced() and not data.isfinite().all()
    ):  # which torch looks for in `eig` only: LAPACK ends the process
        raise ValueError("the matrices must be finite.")
    return torch.linalg.eigvals(data)


eigvals = define(
    unary,
    _eigenvalues,
    "Return the eigenvalues of square matrices, complex.",
    "A",
    name="eigvals",
    args="A: shape (..., n, n); floats or complex numbers.",
    returns="A Tensor of shape (..., n); Complex64 or Complex128.",
)


def _least_squares(matrix: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    columns = right.unsqueeze(-1) if right.dim() == 1 else right
    try:
        return torch.linalg.lstsq(matrix, columns).solution
    except RuntimeError as error:
        if "INTERNAL ASSERT" not in str(error):  # what torch says of NaN on a CPU
            raise
        return torch.full((matrix.shape[1], columns.shape[1]), torch.nan, dtype=matrix.dtype, device=matrix.device)


lstsq = define(
    binary_same,
    _least_squares,
    "Return the x that makes the norm of `input @ x - A` least.",
    "input A",
    name="lstsq",
    args=("input: shape (m, n); floats.\nA: shape (m,) or (m, k)."),
    returns="A Tensor of shape (n, 1) or (n, k) and the dtype of `input`.",
)


def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """Solve A x = b, given the LU factorisation of A.

    Args:
        b: the right side, (..., n, k); floats or complex numbers.
        LU_data: both factors in one, (..., n, n).
        LU_pivots: the exchanged rows, from 1 on, (..., n); Int32.

    Returns:
        A Tensor of the broadcast shape and the dtype of `b`.

    Follows: mindspore.ops.lu_solve (2.10).
    """
    try:
        return wrap(torch.linalg.lu_solve(LU_data._data, LU_pivots._data.int(), b._data))
    except Exception as error:
        raise explain(error, "lu_solve", b=b, LU_data=LU_data, LU_pivots=LU_pivots) from error


def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, ...]:
    """Return P, L and U of an LU factorisation.

    Args:
        LU_data: both factors in one, (..., m, n).
        LU_pivots: the exchanged rows, from 1 on, (..., min(m, n)); integers.
        unpack_data: whether L and U are returned.
        unpack_pivots: whether P is returned.

    Returns:
        (P, L, U), of shapes (..., m, m), (..., m, k) and (..., k, n) and the dtype of `LU_data`.

    Follows: mindspore.ops.lu_unpack (2.10).
    """
    try:
        shape, pivots = LU_data.shape, LU_pivots._data
        if LU_pivots.dtype.is_floating_point or LU_pivots.dtype == bool_:
            raise TypeError(f"LU_pivots must be integers, got {LU_pivots.dtype}.")
        if tuple(pivots.shape) != (*shape[:-2], min(shape[-2:])):  # torch would read beyond them
            raise ValueError(f"LU_pivots must be of shape {(*shape[:-2], min(shape[-2:]))}, got {tuple(pivots.shape)}.")
        found = torch.lu_unpack(LU_data._data, pivots.int(), unpack_data, unpack_pivots)
        return tuple(map(wrap, found))
    except Exception as error:
        raise explain(error, "lu_unpack", LU_data=LU_data, LU_pivots=LU_pivots) from error


def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """Solve matrix x = rhs, or with `adjoint` matrixᴴ x = rhs.

    Args:
        matrix: shape (..., n, n); floats or complex numbers.
        rhs: shape (..., n, k).
        adjoint: solve with the conjugate transpose.

    Returns:
        A Tensor of the shape and dtype of `rhs`.

    Follows: mindspore.ops.matrix_solve (2.10).
    """
    return binary_same(
        lambda left, right: torch.linalg.solve(left.mH if adjoint else left, right), "matrix_solve", matrix, rhs
    )


def _svd(data: torch.Tensor, full_matrices: bool) -> Sequence[torch.Tensor]:
    left, values, right = torch.linalg.svd(data, full_matrices)
    return values, left, right.mH.resolve_conj()


def _several(fn: Any, op: str, input: Tensor) -> Any:
    try:
        return tuple(map(wrap, fn(input._data)))
    except Exception as error:
        return retry_in_wider_dtype(error, op, _several, fn, op, input, input=input)


def matrix_power(input: Tensor, n: int) -> Tensor:
    """Multiply a square matrix `n` times by itself; negative `n` inverts it.

    Args:
        input: shape (..., n, n); floats or complex numbers.
        n: how often.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.matrix_power (2.10).
    """
    return unary_with(torch.linalg.matrix_power, "matrix_power", input, n)
