"""Methods of Tensor: the functions themselves where the arguments are the same."""

from collections.abc import Sequence

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.faces import same
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.framework.creation import kernels as creation_kernels
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.shape.diagonals import functions as diagonals


def new_zeros(self: Tensor, size: int | Sequence[int], dtype: Type | None = None) -> Tensor:
    """Make a tensor of zeros of this dtype.

    Args:
        self: any shape.
        size: the shape; an int makes one axis.
        dtype: None for that of this tensor.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.Tensor.new_zeros (2.10).
    """
    return creation.zeros(size, dtype or self.dtype)


def new_ones(self: Tensor, size: int | Sequence[int], dtype: Type | None = None) -> Tensor:
    """Make a tensor of ones of this dtype.

    Args:
        self: any shape.
        size: the shape; an int makes one axis.
        dtype: None for that of this tensor.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.Tensor.new_ones (2.10).
    """
    return creation.ones(size, dtype or self.dtype)


def diag(self: Tensor, diagonal: int = 0) -> Tensor:
    """Make a matrix with these values on its diagonal.

    Args:
        self: at least one axis.
        diagonal: 0.

    Returns:
        A Tensor of twice as many axes and the same dtype.

    Raises:
        ValueError: `diagonal` is not 0.

    Follows: mindspore.Tensor.diag (2.10).
    """
    if diagonal != 0:
        raise ValueError(f"For 'Tensor.diag', the argument 'diagonal' should be 0, but got {diagonal}.")
    return diagonals.diag(self)


def new_full(self: Tensor, size: int | Sequence[int], fill_value: Number, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of one value of this dtype.

    Args:
        self: any shape.
        size: the shape; an int makes one axis.
        fill_value: a number.
        dtype: None for that of this tensor.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.Tensor.new_full (2.10).
    """
    return creation.full(size, fill_value, dtype=dtype or self.dtype)


@explaining
def new_empty(
    self: Tensor, size: int | Sequence[int], *, dtype: Type | None = None, device: str | None = None
) -> Tensor:
    """Make a tensor of this dtype whose values are not set; `device` as in `mint.empty`.

    Args:
        self: any shape.
        size: the shape; an int makes one axis.
        dtype: None for that of this tensor.
        device: "CPU", "Ascend", "npu" or "meta"; None for the context's.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.Tensor.new_empty (2.10).
    """
    return creation_kernels.empty(size, dtype=dtype or self.dtype, device=device)


SAME = (
    same(creation, "fills")
    | same(diagonals, "diagflat tril triu")
    | {
        "fill": creation.fills,
        "fill_diagonal": creation_kernels.fill_diagonal,
    }
)
