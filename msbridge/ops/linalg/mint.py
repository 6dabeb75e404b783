"""Functions of `mint` under torch's argument names."""

from functools import partial

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.faces import face, same
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Axis, Number, binary_same, binary_weak, ternary
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.decomposition import kernels as decomposition_kernels
from msbridge.ops.linalg.distances import functions as distances
from msbridge.ops.linalg.norms import functions as norms
from msbridge.ops.linalg.products_and_norms import functions as products_and_norms


def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
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

    Follows: mindspore.mint.baddbmm (2.10).
    """
    return with_common_dtype(products_and_norms.baddbmm, input, batch1, batch2, beta, alpha)


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

    Follows: mindspore.mint.addmm (2.10).
    """
    return with_common_dtype(_add_product_of_one_dtype, input, mat1, mat2, beta=beta, alpha=alpha)


def _add_product_of_one_dtype(input: Tensor, mat1: Tensor, mat2: Tensor, beta: Number, alpha: Number) -> Tensor:
    return ternary(partial(torch.addmm, beta=beta, alpha=alpha), "addmm", input, mat1, mat2)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Return the products of all pairs of elements of two vectors.

    Args:
        input: a vector of length n, of any dtype.
        vec2: a vector of length m.

    Returns:
        A Tensor of shape (n, m).

    Raises:
        ValueError: one has not just one axis.

    Follows: mindspore.mint.outer (2.10).
    """
    return binary_weak(torch.outer, "outer", input, vec2)


dot = define(
    binary_same,
    torch.dot,
    "Sum the products of two vectors.",
    args=("input: shape (n,).\nother: shape (n,), of the dtype of `input`."),
    returns="A 0-d Tensor of their dtype.",
)
vdot = define(
    binary_same,
    torch.vdot,
    "Sum the products of two vectors, the first conjugated.",
    args=("input: shape (n,).\nother: shape (n,), of the dtype of `input`."),
    returns="A 0-d Tensor of their dtype.",
)


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """Return the p-norm distances between the rows of two matrices; `compute_mode` does not change the result.

    Args:
        x1: shape (…, n, k); floats.
        x2: shape (…, m, k).
        p: of the norm, 0 or more.
        compute_mode: a word of torch's, without effect.

    Returns:
        A Tensor of shape (…, n, m) and the dtype of `x1`.

    Raises:
        TypeError: an input is not a Tensor, or not of floats.

    Follows: mindspore.mint.cdist (2.10).
    """
    return distances.cdist(x1, x2, p)


def norm(
    input: Tensor,
    p: Number | str | None = "fro",
    dim: Axis = None,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """Return the p-norm along axes, or of all elements.

    Args:
        input: any shape and dtype.
        p: a number, "fro" or "nuc".
        dim: one axis or several, in [-input.ndim, input.ndim); None for all.
        keepdim: keep the reduced axes, with length 1.
        dtype: of the result; None for that of `input`, or Float32 for integers and bools.

    Returns:
        A Tensor of the shape of `input` without the axes `dim`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.norm (2.10).
    """
    if isinstance(p, str) and p != "fro":
        return norms.norm(input, p, dim, keepdim, dtype=dtype)
    return norms.vector_norm(input, 2 if p in (None, "fro") else p, dim, keepdim, dtype=dtype)  # type: ignore[arg-type]


FACES = (
    face("bmm", products_and_norms.bmm, "input mat2"),
    face("mv", products_and_norms.mv, "input vec"),
)
SAME = (
    same(decomposition, "inverse")
    | same(decomposition_kernels, "triangular_solve")
    | same(products_and_norms, "addbmm addmv cross einsum matmul mm trace")
)
