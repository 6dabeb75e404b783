"""Linear algebra under scipy's names.

A matrix is a Tensor of two axes; integers are computed in float64.
"""

from typing import Any

import torch

from msbridge.core.checks.arguments import instance, integer, one_of
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import float32
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.scipy._checks import flags, matrix_of, square_of, system_of

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "det",
    "eigh",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_pivots_to_permutation",
    "lu_solve",
    "solve_triangular",
]

_TRANSPOSED = {"N": 0, "T": 1, "C": 2}


def block_diag(*arrs: Tensor) -> Tensor:
    """Put matrices along the diagonal of zeros.

    Args:
        arrs: of at most two axes; a vector is a row.

    Returns:
        A matrix of the dtype of the first.

    Raises:
        ValueError: one has more than two axes.

    Follows: mindspore.scipy.linalg.block_diag (2.10).
    """
    if not arrs:
        return creation.zeros((1, 0), float32)
    if any(arr.ndim > 2 for arr in arrs):
        raise ValueError(f"For 'block_diag', at most 2 axes are wanted, got shapes {[arr.shape for arr in arrs]}.")
    kind = arrs[0]._data.dtype
    return wrap(torch.block_diag(*(arr._data.to(kind) for arr in arrs)))


def inv(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """Return the inverse of a square matrix.

    Args:
        a: the matrix.
        overwrite_a: scipy's leave to overwrite `a`; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        A matrix of the shape of `a`, Float32 or Float64.

    Raises:
        TypeError: `a` is not a Tensor of int32, int64, float32 or float64.
        ValueError: it is not a square matrix.

    Follows: mindspore.scipy.linalg.inv (2.10).
    """
    flags("inv", overwrite_a=overwrite_a, check_finite=check_finite)
    return decomposition.inverse(wrap(square_of("inv", a)))


def cho_factor(
    a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, bool]:
    """Return the Cholesky factor, and which one it is, as `cho_solve` takes them.

    Args:
        a: a symmetric, positive definite matrix.
        lower: return L of L·Lᵀ; else U of Uᵀ·U.
        overwrite_a: scipy's leave to overwrite `a`; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        A pair: a matrix of the shape of `a`, Float32 or Float64, whose other triangle is zero, and `lower`.

    Raises:
        TypeError: `a` is not a Tensor of int32, int64, float32 or float64.
        ValueError: it is not a square matrix.
        RuntimeError: it is not positive definite.

    Follows: mindspore.scipy.linalg.cho_factor (2.10).
    """
    return _cholesky("cho_factor", a, lower, overwrite_a, check_finite), lower


def cholesky(a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """Return the Cholesky factor.

    Args:
        a: a symmetric, positive definite matrix.
        lower: return L of L·Lᵀ; else U of Uᵀ·U.
        overwrite_a: scipy's leave to overwrite `a`; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        A matrix of the shape of `a`, Float32 or Float64, whose other triangle is zero.

    Follows: mindspore.scipy.linalg.cholesky (2.10).
    """
    return _cholesky("cholesky", a, lower, overwrite_a, check_finite)


def _cholesky(op: str, a: Tensor, lower: bool, overwrite_a: bool, check_finite: bool) -> Tensor:
    flags(op, overwrite_a=overwrite_a, check_finite=check_finite, lower=lower)
    data = square_of(op, a)
    is_symmetric = bool((data - data.T).abs().max() <= 1e-5 * data.abs().max()) if data.numel() else True
    factor, failed = torch.linalg.cholesky_ex(data)
    if not is_symmetric or bool(failed):
        raise RuntimeError(f"For '{op}', the matrix must be symmetric and positive definite.")
    return wrap(factor if lower else factor.T)


def cho_solve(
    c_and_lower: tuple[Tensor, bool], b: Tensor, overwrite_b: bool = False, check_finite: bool = True
) -> Tensor:
    """Solve A·x = b, given the Cholesky factor of A.

    Args:
        c_and_lower: what `cho_factor` returned.
        b: shape (n,) or (n, k).
        overwrite_b: scipy's leave to overwrite `b`; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        x, a Tensor of the shape and dtype of `b`.

    Raises:
        TypeError: an argument is of another type, or the dtypes differ.
        ValueError: the shapes do not fit.

    Follows: mindspore.scipy.linalg.cho_solve (2.10).
    """
    factor, lower = c_and_lower
    flags("cho_solve", overwrite_b=overwrite_b, check_finite=check_finite, lower=lower)
    matrix, right = system_of("cho_solve", factor, b, ("c", "b"))
    triangle = matrix.tril() if lower else matrix.triu()  # torch's gradient takes the other half for zeros
    solution = torch.cholesky_solve(right.reshape(len(right), -1), triangle, upper=not lower)
    return wrap(solution.reshape(right.shape))


def eigh(
    a: Tensor,
    b: None = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: None = None,
    type: int = 1,
    check_finite: bool = True,
) -> Any:
    """Return the eigenvalues of a symmetric or Hermitian matrix in ascending order, and its eigenvectors.

    Args:
        a: the matrix; one of its triangles is read. Complex64 and complex128 are taken, too.
        b: must be None: the generalised problem is not solved.
        lower: read the lower triangle; else the upper one. The gradient is that of the triangle.
        eigvals_only: return only the eigenvalues.
        overwrite_a: scipy's leave to overwrite `a`; without effect.
        overwrite_b: likewise.
        turbo: scipy's choice of a routine; without effect.
        eigvals: must be None: all are computed.
        type: scipy's kind of generalised problem; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        Eigenvalues of shape (n,), in the dtype of the matrix, and eigenvectors as columns of shape (n, n).

    Raises:
        TypeError: an argument is of another type.
        ValueError: `a` is not a square matrix, or `b` or `eigvals` is given.

    Follows: mindspore.scipy.linalg.eigh (2.10).
    """
    op = "eigh"
    flags(op, lower=lower, eigvals_only=eigvals_only, overwrite_a=overwrite_a, overwrite_b=overwrite_b)
    flags(op, turbo=turbo, check_finite=check_finite)
    integer(type, "type", "eigh")
    for name, value in (("b", b), ("eigvals", eigvals)):
        if value is not None:
            raise ValueError(f"For 'eigh', {name} must be None: nothing else is implemented.")
    return decompose_symmetric(wrap(square_of(op, a, has_complex=True)), not eigvals_only, lower)


def decompose_symmetric(A: Tensor, compute_eigenvectors: bool = True, lower: bool = True) -> Any:
    """Return the eigenvalues, and the eigenvectors if asked for, of the matrix that one triangle of `A` defines."""
    data = A._data if lower else A._data.mH
    below = data.tril(-1)
    whole = below + below.mH + torch.diag_embed(data.diagonal(dim1=-2, dim2=-1))
    try:
        numbers, vectors = torch.linalg.eigh(whole)
    except Exception as error:
        raise explain(error, "eigh", a=A) from error
    numbers = numbers.to(data.dtype)
    return (wrap(numbers), wrap(vectors)) if compute_eigenvectors else wrap(numbers)


def lu_pivots_to_permutation(pivots: Tensor, permutation_size: int) -> Tensor:
    """Return the order of rows that a sequence of exchanges leads to.

    Args:
        pivots: shape (..., k), the row that row i was exchanged with.
        permutation_size: how many rows there are.

    Returns:
        shape (..., permutation_size), Int32.

    Follows: mindspore.scipy.linalg.lu_pivots_to_permutation (2.10).
    """
    rows = pivots._data.long()
    start = torch.arange(permutation_size, dtype=torch.int32, device=rows.device)
    order = start.expand(*rows.shape[:-1], permutation_size).clone()
    for place in range(rows.shape[-1] if permutation_size else 0):
        other = rows[..., place : place + 1]
        mine, theirs = order[..., place : place + 1].clone(), order.gather(-1, other)
        order[..., place : place + 1] = theirs
        order.scatter_(-1, other, mine)
    return wrap(order)


def lu_factor(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, Tensor]:
    """Return L below the diagonal and U on and above it in one matrix, and the exchanges of rows, as `lu_solve` takes.

    Args:
        a: a square matrix.
        overwrite_a: scipy's leave to overwrite `a`; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        The matrix, and the row with which each was exchanged, counted from 0 (Int32).

    Raises:
        TypeError: `a` is not a Tensor of int32, int64, float32 or float64.
        ValueError: it is not a square matrix.

    Follows: mindspore.scipy.linalg.lu_factor (2.10).
    """
    flags("lu_factor", overwrite_a=overwrite_a, check_finite=check_finite)
    packed, pivots = torch.linalg.lu_factor(square_of("lu_factor", a))
    return wrap(packed), wrap(pivots - 1)


def lu(a: Tensor, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return a matrix of exchanges P, L with ones on its diagonal, and U, of which P·L·U is `a`.

    Args:
        a: a matrix with no more rows than columns.
        permute_l: return P·L and U.
        overwrite_a: scipy's leave to overwrite `a`; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        P (Int32), L and U.

    Raises:
        TypeError: `a` is not a Tensor of int32, int64, float32 or float64.
        ValueError: it is not a matrix, or has more rows than columns.

    Follows: mindspore.scipy.linalg.lu (2.10), which fails with `permute_l`.
    """
    flags("lu", permute_l=permute_l, overwrite_a=overwrite_a, check_finite=check_finite)
    data = matrix_of("lu", a)
    if data.shape[0] > data.shape[1]:
        raise ValueError(f"For 'lu', a must have no more rows than columns, got shape {tuple(data.shape)}.")
    exchanges, left, right = torch.linalg.lu(data)
    if permute_l:
        return wrap(exchanges @ left), wrap(right)
    return wrap(exchanges.detach().int()), wrap(left), wrap(right)


def lu_solve(
    lu_and_piv: tuple[Tensor, Tensor], b: Tensor, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Tensor:
    """Solve A·x = b, given what `lu_factor` returned for A.

    Args:
        lu_and_piv: the factors, and the exchanges of rows (Int32).
        b: shape (n,) or (n, k).
        trans: 0; 1 or 2 solve with the transposed matrix.
        overwrite_b: scipy's leave to overwrite `b`; without effect.
        check_finite: scipy's check for infinities; without effect.

    Raises:
        TypeError: an argument is of another type, or the dtypes differ.
        ValueError: the shapes do not fit, or `trans` is something else.

    Follows: mindspore.scipy.linalg.lu_solve (2.10), which fails where `b` has one axis; transposed, scipy's.
    """
    packed, pivots = lu_and_piv
    flags("lu_solve", overwrite_b=overwrite_b, check_finite=check_finite)
    if not isinstance(pivots, Tensor) or pivots._data.dtype is not torch.int32:
        raise TypeError("For 'lu_solve', the exchanges of rows must be a Tensor of int32.")
    matrix, right = system_of("lu_solve", packed, b, ("lu_matrix", "b"))
    if pivots.shape != matrix.shape[:1]:
        raise ValueError(f"For 'lu_solve', there must be {len(matrix)} exchanges of rows, got shape {pivots.shape}.")
    one_of(trans, "trans", "lu_solve", (0, 1, 2))
    columns = right.reshape(len(right), -1)
    solution = torch.linalg.lu_solve(matrix, pivots._data + 1, columns, adjoint=trans != 0)
    return wrap(solution.reshape(right.shape))


def det(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """Return the determinant of a square matrix; the arguments are those of `inv`.

    Follows: mindspore.scipy.linalg.det (2.10).
    """
    flags("det", overwrite_a=overwrite_a, check_finite=check_finite)
    return wrap(torch.linalg.det(square_of("det", a)))


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, driver: str | None = None) -> tuple[Tensor, ...]:
    """Return the x that makes the squares of A·x − B least.

    Args:
        A: shape (..., m, n).
        B: shape (..., m) or (..., m, k).
        rcond: MindSpore takes it and leaves it unread; without effect.
        driver: "gels", "gelsy", "gelsd" or "gelss", LAPACK's routines; None means "gelsy".

    Returns:
        x; the sums of squares, if m > n, A has full rank, and the driver computes them; the rank; the singular values,
        if the driver computes them.

    Raises:
        ValueError: there is no such driver, or the shapes do not fit.

    Follows: mindspore.scipy.linalg.lstsq (2.10).
    """
    if rcond is not None:
        without_effect("mindspore.scipy.linalg.lstsq.rcond", rcond)
    driver = one_of(driver or "gelsy", "driver", "lstsq", ("gels", "gelsy", "gelsd", "gelss"))
    try:
        matrix, right = A._data, B._data
        is_vector = right.dim() == matrix.dim() - 1
        solved = torch.linalg.lstsq(matrix, right.unsqueeze(-1) if is_vector else right, driver=driver)
    except Exception as error:
        raise explain(error, "lstsq", A=A, B=B) from error
    solution = solved.solution.squeeze(-1) if is_vector else solved.solution
    return tuple(map(wrap, (solution, solved.residuals, solved.rank, solved.singular_values)))


def solve_triangular(
    a: Tensor,
    b: Tensor,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Tensor:
    """Solve a·x = b for a triangular matrix.

    Args:
        a: shape (..., n, n); one triangle is read.
        b: shape (..., n) or (..., n, k), of the same dtype.
        trans: 0 or "N" for a; 1 or "T" for its transpose; 2 or "C" for the conjugate of that.
        lower: read the lower triangle; else the upper one.
        unit_diagonal: take the diagonal for ones.
        overwrite_b: scipy's leave to overwrite `b`; without effect.
        debug: scipy's; without effect.
        check_finite: scipy's check for infinities; without effect.

    Returns:
        x, a Tensor of the shape and dtype of `b`.

    Raises:
        TypeError: an argument is not a Tensor, or the dtypes differ.
        ValueError: the shapes do not fit, or there is no such `trans`.

    Follows: mindspore.scipy.linalg.solve_triangular (2.10).
    """
    if isinstance(trans, str):
        trans = _TRANSPOSED[one_of(trans, "trans", "solve_triangular", _TRANSPOSED)]
    if trans not in (0, 1, 2):
        raise RuntimeError(f"For 'solve_triangular', trans must be 0, 1, 2, 'N', 'T' or 'C', got {trans}.")
    for name, value in (("a", a), ("b", b)):
        instance(value, name, "solve_triangular", Tensor)
    if a._data.dtype is not b._data.dtype:
        raise TypeError(f"For 'solve_triangular', the dtypes must be the same, got {a.dtype} and {b.dtype}.")
    return wrap(_solve_triangular(_floating(a._data), _floating(b._data), trans, lower, unit_diagonal))


def _floating(data: torch.Tensor) -> torch.Tensor:
    if data.is_floating_point() or data.is_complex():
        return data
    return data.double() if data.dtype is torch.int64 else data.float()


def _solve_triangular(
    matrix: torch.Tensor, right: torch.Tensor, trans: int, lower: bool, has_ones: bool
) -> torch.Tensor:
    is_vector = right.dim() == matrix.dim() - 1
    if matrix.dim() < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise ValueError(f"For 'solve_triangular', a must be square, got shape {tuple(matrix.shape)}.")
    columns = right.unsqueeze(-1) if is_vector else right
    if columns.shape[:-1] != matrix.shape[:-1]:
        raise ValueError(
            f"For 'solve_triangular', the shapes {tuple(matrix.shape)} and {tuple(right.shape)} do not fit."
        )
    if trans:
        matrix, lower = matrix.mT if trans == 1 else matrix.mH, not lower
    # The other triangle may hold anything, NaN too; what torch reads of it would reach the gradient.
    matrix = matrix.tril() if lower else matrix.triu()
    solution: torch.Tensor = torch.linalg.solve_triangular(matrix, columns, upper=not lower, unitriangular=has_ones)
    return solution.squeeze(-1) if is_vector else solution
