"""Linear algebra: products of matrices and vectors, and norms."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import torch

from msbridge.core.errors.explain import describe
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls import half_precision as _half
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import (
    Function,
    Number,
    binary,
    binary_same,
    binary_weak,
    ternary,
    unary,
)
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Multiply matrices over the last two axes, or vectors; the dtypes must be equal.

    Args:
        input: shape (n,), (…, k) or (…, n, k); any dtype but Bool.
        other: shape (k,) or (…, k, m), in the dtype of `input`; the axes in front broadcast.

    Returns:
        A Tensor of shape (…, n, m), without the axis that a vector lacks, in the dtype of `input`.

    Raises:
        TypeError: the dtypes differ.
        RuntimeError: the inner lengths differ.

    Follows: mindspore.ops.matmul (2.10).
    """
    return binary_same(_half.matmul, "matmul", input, other)


bmm = define(
    binary_same,
    _half.matmul,
    "Multiply batches of matrices.",
    "input_x mat2",
    name="bmm",
    args=("input_x: shape (..., n, m).\nmat2: shape (..., m, p), of the dtype of `input_x`."),
    returns="A Tensor of shape (..., n, p) and their dtype.",
)
mm = define(
    binary_same,
    torch.mm,
    "Multiply two matrices.",
    "input mat2",
    args=("input: shape (n, m).\nmat2: shape (m, p), of the dtype of `input`."),
    returns="A Tensor of shape (n, p) and their dtype.",
)
mv = define(
    binary_same,
    torch.mv,
    "Multiply a matrix and a vector.",
    "mat vec",
    args=("mat: shape (n, m).\nvec: shape (m,), of the dtype of `mat`."),
    returns="A Tensor of shape (n,) and their dtype.",
)


def dot(input: Tensor, other: Tensor) -> Tensor:
    """Sum products over the last axis of `input` and the last but one of `other` (the only one of a vector).

    Args:
        input: at least one axis; floats.
        other: at least one axis, of the dtype of `input`.

    Returns:
        A Tensor of the other axes of both, and their dtype.

    Follows: mindspore.ops.dot (2.10).
    """
    return binary_same(_dot, "dot", input, other)


inner = define(
    binary_same,
    torch.inner,
    "Sum products over the last axis of both.",
    args=("input: shape (..., n).\nother: shape (..., n), of the dtype of `input`."),
    returns="A Tensor of the other axes of both, and their dtype.",
)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Return the products of all pairs of elements of two vectors; a first factor of more axes counts as a vector.

    Args:
        input: shape (n,).
        vec2: shape (m,).

    Returns:
        A Tensor of shape (n, m) and the promoted dtype.

    Follows: mindspore.ops.outer (2.10).
    """
    return binary_weak(_outer, "outer", input, vec2)


def _outer(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return left.reshape(-1, 1) * right


ger = outer


def vecdot(x: Tensor, y: Tensor, *, axis: int = -1) -> Tensor:
    """Sum products along one axis; complex `x` is conjugated.

    Args:
        x: any shape of numbers.
        y: broadcasts against `x`.
        axis: along which axis, in [-rank, rank).

    Returns:
        A Tensor of the broadcast shape without the axis, and the promoted dtype.

    Follows: mindspore.ops.vecdot (2.10).
    """

    def multiply_and_sum(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        if left.is_floating_point() or left.is_complex():
            return torch.linalg.vecdot(left, right, dim=axis)
        return (left * right).sum(axis)

    return binary(multiply_and_sum, "vecdot", x, y)


def tensor_dot(x1: Tensor, x2: Tensor, axes: int | Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
    """Sum products over chosen axes.

    Args:
        x1: the left tensor.
        x2: the right tensor, of the same dtype.
        axes: how many axes, the last of `x1` and the first of `x2`; or the axes of each. Together they are as long as
            those of the other; unlike in numpy, they need not be so one by one.

    Returns:
        A Tensor of the other axes of both, and their dtype.

    Raises:
        ValueError: there are fewer axes, or their lengths do not go together.

    Follows: mindspore.ops.tensor_dot (2.10).
    """
    return binary_same(lambda left, right: _contract(left, right, axes), "tensor_dot", x1, x2)


def batch_dot(x1: Tensor, x2: Tensor, axes: int | Sequence[int] | None = None) -> Tensor:
    """Sum products over one axis of each, sample by sample.

    Args:
        x1: shape (batch, ...).
        x2: shape (batch, ...).
        axes: the axis of both, or of each; by default the last of `x1` and the last but one of `x2`.

    Returns:
        A Tensor of the batch and the other axes of both, and their dtype.

    Follows: mindspore.ops.batch_dot (2.10).
    """
    return binary_same(lambda left, right: _batch_dot(left, right, axes), "batch_dot", x1, x2)


def einsum(equation: str | Tensor, *operands: Any) -> Tensor:
    """Sum products as the equation of indices says, such as "ij,jk->ik".

    Instead of an equation, each operand may be followed by the list of its indices, numbers below 52 or `...`, and
    the last operand by that of the result: `einsum(x, [0, 1], y, [1, 2], [0, 2])`.

    Args:
        equation: a letter for each axis of each operand, `...` for further ones, and after `->` those of the result.
        operands: as many Tensors, of one dtype; any but Bool.

    Returns:
        A Tensor of the axes that the equation names.

    Follows: mindspore.ops.einsum (2.10).
    """
    tensors = operands[0] if len(operands) == 1 and isinstance(operands[0], list | tuple) else operands
    try:
        if isinstance(equation, str):
            return wrap(_half.einsum(equation, [tensor._data for tensor in tensors]))
        parts = (equation, *operands)
        return wrap(torch.einsum(*(part._data if isinstance(part, Tensor) else part for part in parts)))
    except Exception as error:
        if isinstance(equation, str) and not all(isinstance(tensor, Tensor) for tensor in tensors):
            raise ValueError(f"For 'einsum', the operands must be Tensors, got {describe(tensors)}.") from error
        if isinstance(equation, str) and not operands:
            raise RuntimeError("For 'einsum', there must be an operand or more.") from error
        again = (error, "einsum", einsum, equation, *operands)
        return retry_in_wider_dtype(*again, equation=equation, tensors=tensors)  # type: ignore[no-any-return]


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Return `beta * input + alpha * (mat1 @ mat2)`.

    Args:
        input: broadcasts to (n, m).
        mat1: shape (n, k), in the dtype of `input`; any dtype but Bool.
        mat2: shape (k, m).
        beta: a factor for `input`.
        alpha: a factor for the product.

    Returns:
        A Tensor of shape (n, m) and the dtype of `input`.

    Raises:
        TypeError: an input is not a Tensor, or holds bools.

    Follows: mindspore.ops.addmm (2.10).
    """
    return ternary(_bind_factors(partial(_add_product, torch.addmm, torch.mm), beta, alpha), "addmm", input, mat1, mat2)


def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Return `beta * input + alpha * (mat @ vec)`.

    Args:
        input: broadcasts to (n,).
        mat: shape (n, k), in the dtype of `input`; any dtype but Bool.
        vec: shape (k,).
        beta: a factor for `input`.
        alpha: a factor for the product.

    Returns:
        A Tensor of shape (n,) and the dtype of `input`.

    Follows: mindspore.ops.addmv (2.10).
    """
    return ternary(_bind_factors(partial(_add_product, torch.addmv, torch.mv), beta, alpha), "addmv", input, mat, vec)


def addr(x: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Return `beta * x + alpha * outer(vec1, vec2)`.

    Args:
        x: shape (n, m), or one that broadcasts to it.
        vec1: shape (n,).
        vec2: shape (m,).
        beta: what `x` is multiplied by.
        alpha: what the product is multiplied by.

    Returns:
        A Tensor of shape (n, m) and their dtype.

    Follows: mindspore.ops.addr (2.10).
    """
    return ternary(_bind_factors(torch.addr, beta, alpha), "addr", x, vec1, vec2)


def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Return `beta * input + alpha * Σ (batch1[i] @ batch2[i])`.

    Args:
        input: broadcasts to (n, m).
        batch1: shape (b, n, k), in the dtype of `input`; any dtype but Bool.
        batch2: shape (b, k, m).
        beta: a factor for `input`.
        alpha: a factor for the sum.

    Returns:
        A Tensor of shape (n, m) and the dtype of `input`.

    Follows: mindspore.ops.addbmm (2.10).
    """
    return ternary(_bind_factors(_add_products, beta, alpha), "addbmm", input, batch1, batch2)


def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Return `beta * input[i] + alpha * (batch1[i] @ batch2[i])` for each i.

    Args:
        input: broadcasts to (b, n, m).
        batch1: shape (b, n, k), in the dtype of `input`; any dtype but Bool.
        batch2: shape (b, k, m).
        beta: a factor for `input`.
        alpha: a factor for the products.

    Returns:
        A Tensor of shape (b, n, m) and the dtype of `input`.

    Raises:
        TypeError: an input is not a Tensor, or holds bools.

    Follows: mindspore.ops.baddbmm (2.10).
    """
    return ternary(_bind_factors(_with_products, beta, alpha), "baddbmm", input, batch1, batch2)


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Return the cross product of vectors of three along an axis: by default the first one of length 3.

    Args:
        input: any shape with an axis of length 3; any dtype but Bool.
        other: broadcasts against `input`.
        dim: the axis of length 3; None for the first one.

    Returns:
        A Tensor of the broadcast shape and the dtype of `input`.

    Raises:
        TypeError: an input is not a Tensor, or holds bools.

    Follows: mindspore.ops.cross (2.10).
    """
    return binary_same(lambda left, right: _cross(left, right, dim), "cross", input, other)


kron = define(
    binary_same,
    lambda left, right: torch.kron(left.contiguous(), right.contiguous()),  # of transposed ones torch 2.13 has no view
    "Return the Kronecker product.",
    name="kron",
    args="input: any shape of numbers.\nother: likewise.",
    returns="A Tensor whose lengths are the products of theirs.",
)
trace = define(
    unary,
    lambda data: data.diagonal().sum(dtype=data.dtype),
    "Add up the diagonal of a matrix.",
    name="trace",
    args="input: shape (n, m).",
    returns="A 0-d Tensor of the dtype of `input`.",
)


def adjoint(x: Tensor) -> Tensor:
    """Exchange the last two axes and take the complex conjugate.

    Args:
        x: shape (..., n, m).

    Returns:
        A Tensor of shape (..., m, n) and the dtype of `x`.

    Follows: mindspore.ops.adjoint (2.10).
    """
    return unary(lambda data: data.mH.resolve_conj(), "adjoint", x)


def _contract(
    left: torch.Tensor, right: torch.Tensor, axes: int | Sequence[int] | Sequence[Sequence[int]]
) -> torch.Tensor:
    if isinstance(axes, int):
        if axes > min(left.dim(), right.dim()):
            raise ValueError(f"axes must be at most the number of axes of each, got {axes}.")
        pair: list[list[int]] = [list(range(left.dim() - axes, left.dim())), list(range(axes))]
    else:
        pair = [[axis] if isinstance(axis, int) else list(axis) for axis in axes]
    first, second = ([axis % data.dim() for axis in side] for data, side in zip((left, right), pair, strict=True))
    rest_left = [axis for axis in range(left.dim()) if axis not in first]
    rest_right = [axis for axis in range(right.dim()) if axis not in second]
    length = math.prod(left.shape[axis] for axis in first)
    if length != math.prod(right.shape[axis] for axis in second):
        raise ValueError(
            f"the axes {pair[0]} of {tuple(left.shape)} and {pair[1]} of {tuple(right.shape)} must have equally many "
            "elements."
        )
    kept_left = [left.shape[axis] for axis in rest_left]
    kept_right = [right.shape[axis] for axis in rest_right]
    rows = left.permute(*rest_left, *first).reshape(math.prod(kept_left), length)
    columns = right.permute(*second, *rest_right).reshape(length, math.prod(kept_right))
    return _half.matmul(rows, columns).reshape(kept_left + kept_right)


def _dot(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    if left.dim() == 0 or right.dim() == 0:
        return left * right
    return torch.tensordot(left, right, ([left.dim() - 1], [right.dim() - 2 if right.dim() > 1 else 0]))


def _batch_dot(left: torch.Tensor, right: torch.Tensor, axes: int | Sequence[int] | None) -> torch.Tensor:
    if axes is None:
        axes = (left.dim() - 1, right.dim() - 2 if right.dim() > 2 else right.dim() - 1)
    first, second = (axes, axes) if isinstance(axes, int) else axes
    vectors = left.dim() == 2 and right.dim() == 2
    flat_left = left.movedim(first, -1).flatten(1, -2) if left.dim() > 2 else left.unsqueeze(1)
    flat_right = right.movedim(second, 1).flatten(2) if right.dim() > 2 else right.unsqueeze(2)
    rest_left = [size for axis, size in enumerate(left.shape[1:], 1) if axis != first % left.dim()]
    rest_right = [size for axis, size in enumerate(right.shape[1:], 1) if axis != second % right.dim()]
    shape = (left.shape[0], *rest_left, *rest_right)
    return torch.bmm(flat_left, flat_right).reshape((left.shape[0], 1) if vectors else shape)


def _cross(left: torch.Tensor, right: torch.Tensor, dim: int | None) -> torch.Tensor:
    if dim is None:
        dim = next((axis for axis, size in enumerate(left.shape) if size == 3), -1)
    left, right = torch.broadcast_tensors(left, right.to(left.dtype))
    return torch.linalg.cross(left, right, dim=dim)


def _bind_factors(fn: Function, beta: Number, alpha: Number) -> Function:
    return lambda total, left, right: fn(total, left, right, beta=beta, alpha=alpha)


def _add_product(
    fused: Function,
    product: Function,
    total: torch.Tensor,
    left: torch.Tensor,
    right: torch.Tensor,
    beta: Number,
    alpha: Number,
) -> torch.Tensor:
    """Add a product to a total, by torch's fused function where they have one dtype."""
    if total.dtype == left.dtype:
        return fused(total, left, right, beta=beta, alpha=alpha)
    return beta * total + alpha * product(left, right)


def _add_products(
    total: torch.Tensor, left: torch.Tensor, right: torch.Tensor, beta: Number, alpha: Number
) -> torch.Tensor:
    if left.dim() == right.dim() == 3 and total.dtype == left.dtype:
        return torch.addbmm(total, left, right, beta=beta, alpha=alpha)
    return beta * total + alpha * torch.matmul(left, right).sum(0)  # of matrices MindSpore sums the rows


def _with_products(
    total: torch.Tensor, left: torch.Tensor, right: torch.Tensor, beta: Number, alpha: Number
) -> torch.Tensor:
    if left.dim() == right.dim() == 3:
        return _half.baddbmm(total, left, right, beta, alpha)
    return beta * total + alpha * torch.matmul(left, right)
