"""Functions of `mint` under torch's argument names."""

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int64
from msbridge.ops.contents import same
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.reduce.cumulative import functions


@explaining
def cumsum(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """Return the running sums along an axis; integers give Int64.

    Follows: mindspore.mint.cumsum (2.10).
    """
    is_real = input.dtype.is_floating_point or input.dtype.is_complex
    return functions.cumsum(input, dim, dtype or (None if is_real else int64))


def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the running maxima along an axis and where they are, Int64.

    Follows: mindspore.mint.cummax (2.10).
    """
    return functions.cummax(input, dim)


def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the running minima along an axis and where they are, Int64.

    Follows: mindspore.mint.cummin (2.10).
    """
    values, indices = functions.cummin(input, dim)
    return values, elementwise.cast(indices, int64)


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """Return the n-th differences of neighbours along an axis.

    Follows: mindspore.mint.diff (2.10).
    """
    return functions.diff(input, n, dim, prepend, append)


SAME = same(functions, "bincount cumprod histc")
