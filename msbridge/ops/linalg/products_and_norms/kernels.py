"""Computations that the faces of linalg share."""

import torch

from msbridge.core.context.grad_state import state
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls import half_precision as _half
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype


def matmul_transposed(x: Tensor, y: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """Multiply matrices, after exchanging the last two axes of one or both where asked.

    Args:
        x: shape (..., n, m), or (..., m, n) with `transpose_a`.
        y: shape (..., m, p), or (..., p, m) with `transpose_b`; of the dtype of `x`.
        transpose_a: exchange the last two axes of `x`.
        transpose_b: exchange those of `y`.

    Returns:
        A Tensor of shape (..., n, p) and their dtype.

    Raises:
        TypeError: the dtypes differ.
        ValueError: the inner lengths differ.

    Examples:
        >>> x = ops.ones((2, 3), ms.float32)
        >>> ops.MatMul(transpose_b=True)(x, x)
        Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 3.00000000e+00,  3.00000000e+00],
         [ 3.00000000e+00,  3.00000000e+00]])
        >>> ops.BatchMatMul()(ops.ones((5, 2, 3)), ops.ones((5, 3, 4))).shape
        (5, 2, 4)

    Follows: mindspore.ops.MatMul, mindspore.ops.BatchMatMul (2.10).
    """
    try:
        left, right = x._data, y._data
        return wrap(_half.matmul(left.mT if transpose_a else left, right.mT if transpose_b else right))
    except NotImplementedError as error:
        again = (matmul_transposed, x, y, transpose_a, transpose_b)
        return retry_in_wider_dtype(error, "MatMul", *again, x=x, y=y)  # type: ignore[no-any-return]
    except Exception as error:
        if isinstance(error, RuntimeError) and left.dtype == right.dtype and left.device == right.device:
            raise ValueError(
                f"For 'MatMul', the inner lengths must be equal, got the shapes {tuple(left.shape)} and "
                f"{tuple(right.shape)} with transpose_a={transpose_a} and transpose_b={transpose_b}."
            ) from error
        raise explain(error, "MatMul", x=x, y=y) from error


def distances(left: torch.Tensor, right: torch.Tensor, p: float) -> torch.Tensor:
    """Return the distances between the rows of two matrices.

    torch's (2.13) have a first derivative only; within two gradient functions they are norms of all differences.
    """
    if state.depth > 1 and (left.requires_grad or right.requires_grad):
        return torch.linalg.vector_norm(left.unsqueeze(-2) - right.unsqueeze(-3), p, -1)
    return torch.cdist(left, right, p)


def distances_of_pairs(rows: torch.Tensor, p: float) -> torch.Tensor:
    """Return the distances of each pair of rows of a matrix, differentiable as `distances` is."""
    if state.depth > 1 and rows.requires_grad:
        first, second = torch.triu_indices(len(rows), len(rows), 1, device=rows.device)
        return torch.linalg.vector_norm(rows[first] - rows[second], p, -1)
    return torch.pdist(rows, p)
