"""Functions of `mint` under torch's argument names."""

from typing import Any

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import int64
from msbridge.ops.contents import same
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.reduce.sorting import functions, methods
from msbridge.ops.shape.reshaping.mint import narrow, squeeze


def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """Sort along an axis: (values, indices), indices Int64. Equal elements keep their order.

    Follows: mindspore.mint.sort (2.10).
    """
    values, indices = functions.sort(input, dim, descending)
    return values, elementwise.cast(indices, int64)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Return the places that sort along an axis, Int64.

    Follows: mindspore.mint.argsort (2.10).
    """
    return elementwise.cast(functions.argsort(input, dim, descending), int64)


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """Return the `k` largest (or smallest) elements along an axis: (values, indices), indices Int64.

    Follows: mindspore.mint.topk (2.10).
    """
    values, indices = functions.topk(input, k, dim, largest, sorted)
    return values, elementwise.cast(indices, int64)


@explaining
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the k-th smallest element along an axis: (values, indices), indices Int64.

    Follows: mindspore.mint.kthvalue (2.10).
    """
    values, indices = sort(input, dim=dim)
    kth = [narrow(each, dim, k - 1, 1) for each in (values, indices)]
    return tuple(each if keepdim else squeeze(each, dim) for each in kth)  # type: ignore[return-value]


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the distinct elements; with `return_inverse` and `return_counts` where and how many, too.

    Follows: mindspore.mint.unique (2.10).
    """
    return methods.unique(input, sorted, return_inverse, return_counts, dim)


SAME = same(functions, "searchsorted unique_consecutive")
