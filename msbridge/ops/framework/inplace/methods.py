"""Methods of Tensor."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.arithmetic.kernels import truncating_divide
from msbridge.ops.faces import same
from msbridge.ops.framework.inplace import functions
from msbridge.ops.framework.inplace.kernels import write_in_place
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number


def add_(input: Tensor, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
    """Add `alpha * other` in place.

    Args:
        input: changed in place.
        other: a number, or a Tensor that broadcasts to this one.
        alpha: what `other` is multiplied by.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.add_ (2.10).
    """
    return write_in_place(torch.Tensor.add_, "add_", input, other, alpha=alpha)


def sub_(input: Tensor, other: Any = None, *, alpha: Number = 1, y: Any = None) -> Tensor:
    """Subtract `alpha * other` in place; `y` is another name of `other`.

    Args:
        input: changed in place.
        other: a number, or a Tensor that broadcasts to this one.
        alpha: what `other` is multiplied by.
        y: another name of `other`.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.sub_ (2.10).
    """
    return write_in_place(torch.Tensor.sub_, "sub_", input, other if y is None else y, alpha=alpha)


mul_ = define(
    write_in_place,
    torch.Tensor.mul_,
    "Multiply in place.",
    "input other",
    types=(Tensor, Tensor | Number),
    args=("input: changed in place.\nother: a number, or a Tensor that broadcasts to this one."),
    returns="This Tensor itself.",
)


def div_(input: Tensor, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide in place.

    Args:
        input: changed in place; floats, unless there is a `rounding_mode`.
        other: a number, or a Tensor that broadcasts to this one.
        rounding_mode: None, "floor" or "trunc".

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.div_ (2.10).
    """
    if rounding_mode == "trunc":
        return write_in_place(_truncate_, "div_", input, other)
    return write_in_place(torch.Tensor.div_, "div_", input, other, rounding_mode=rounding_mode)


def _truncate_(data: torch.Tensor, other: Any) -> torch.Tensor:
    return data.copy_(truncating_divide(data, other))


floor_divide_ = define(write_in_place, torch.Tensor.floor_divide_, "Divide and round down in place.", like=mul_)
remainder_ = define(
    write_in_place, torch.Tensor.remainder_, "Take the remainder of the division that rounds down, in place.", like=mul_
)


def addmm_(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Make `beta * input + alpha * (mat1 @ mat2)` of `input`, in place.

    Args:
        input: changed in place: shape (n, p), or one that broadcasts to it.
        mat1: shape (n, m).
        mat2: shape (m, p).
        beta: what this one is multiplied by.
        alpha: what the product is multiplied by.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.addmm_ (2.10).
    """
    return write_in_place(torch.Tensor.addmm_, "addmm_", input, mat1, mat2, beta=beta, alpha=alpha)


def copy_(input: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    """Write the values of `src`, cast and broadcast, into `input`.

    Args:
        input: changed in place.
        src: a Tensor that broadcasts to this one, of any dtype.
        non_blocking: do not wait for a copy between page-locked memory and the device.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.copy_ (2.10).
    """
    return write_in_place(torch.Tensor.copy_, "copy_", input, src, non_blocking)


fill_ = define(
    write_in_place,
    torch.Tensor.fill_,
    "Write one value into every element.",
    "input value",
    like=mul_,
    args=("input: changed in place.\nvalue: a number or a 0-d Tensor."),
    returns="This Tensor itself.",
)
exp_ = define(
    write_in_place,
    torch.Tensor.exp_,
    "Raise e to the elements in place.",
    "input",
    types=(Tensor,),
    args="input: changed in place.",
    returns="This Tensor itself.",
)
log_ = define(write_in_place, torch.Tensor.log_, "Take the natural logarithm in place.", like=exp_)
floor_ = define(write_in_place, torch.Tensor.floor_, "Round down in place.", like=exp_)
sigmoid_ = define(write_in_place, torch.Tensor.sigmoid_, "Take the logistic function in place.", like=exp_)
sign_ = define(write_in_place, torch.Tensor.sign_, "Take the sign in place.", like=exp_)


def fill_diagonal_(input: Tensor, fill_value: Number, wrap: bool = False) -> Tensor:
    """Write one value into the diagonal; `wrap` starts it again below a tall matrix.

    Args:
        input: changed in place; at least two axes, of equal lengths if there are more.
        fill_value: a number.
        wrap: start again below a tall matrix.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.fill_diagonal_ (2.10).
    """
    return write_in_place(torch.Tensor.fill_diagonal_, "fill_diagonal_", input, fill_value, wrap)


def index_copy_(input: Tensor, dim: int, index: Tensor, tensor: Tensor) -> Tensor:
    """Write slices of `tensor` where `index` says along an axis.

    Args:
        input: changed in place.
        dim: along which axis, in [-rank, rank).
        index: places along the axis, (n,); Int64.
        tensor: of the same shape, but n along the axis.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.index_copy_ (2.10).
    """
    return write_in_place(torch.Tensor.index_copy_, "index_copy_", input, dim, index, tensor)


def index_fill_(input: Tensor, dim: int, index: Tensor, value: Tensor | Number) -> Tensor:
    """Write one value into the slices that `index` names along an axis.

    Args:
        input: changed in place.
        dim: along which axis, in [-rank, rank).
        index: places along the axis, (n,); Int64.
        value: a number or a 0-d Tensor.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.index_fill_ (2.10).
    """
    return write_in_place(torch.Tensor.index_fill_, "index_fill_", input, dim, index, value)


def index_add_(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
    """Add slices of `source` where `index` says along an axis.

    Args:
        input: changed in place.
        dim: along which axis, in [-rank, rank).
        index: places along the axis, (n,); Int32 or Int64.
        source: of the same shape, but n along the axis.
        alpha: what `source` is multiplied by.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.index_add_ (2.10).
    """
    return write_in_place(torch.Tensor.index_add_, "index_add_", input, dim, index, source, alpha=alpha)


def masked_scatter_(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Write the elements of `source`, in order, where `mask` is true.

    Args:
        input: changed in place.
        mask: Bool; broadcasts to this tensor.
        source: at least as many elements as `mask` has True.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.masked_scatter_ (2.10).
    """
    return write_in_place(torch.Tensor.masked_scatter_, "masked_scatter_", input, mask, source)


def put_(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Write `source` at places of the flattened tensor; `accumulate` adds.

    Args:
        input: changed in place.
        index: places in the flattened tensor, any shape; Int64.
        source: of as many elements.
        accumulate: add to what is there.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.put_ (2.10).
    """
    return write_in_place(torch.Tensor.put_, "put_", input, index, source, accumulate)


def scatter_(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None
) -> Tensor:
    """Write single elements of `src` (or `value`), each at its place except along an axis.

    `reduce` is "add" or "multiply".

    Args:
        input: changed in place.
        dim: along which axis, in [-rank, rank).
        index: places along the axis, as many axes as there are here; Int64.
        src: a Tensor of at least the shape of `index`, or a number.
        value: another name of `src`.
        reduce: "add", "multiply", or None to write.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.scatter_ (2.10).
    """
    settings = {} if reduce is None else {"reduce": reduce}
    return write_in_place(
        torch.Tensor.scatter_, "scatter_", input, dim, index, src if value is None else value, **settings
    )


def scatter_add_(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add single elements of `src`, each at its place except along an axis.

    Args:
        input: changed in place.
        dim: along which axis, in [-rank, rank).
        index: places along the axis, as many axes as there are here; Int64.
        src: of at least the shape of `index`.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.scatter_add_ (2.10).
    """
    return write_in_place(torch.Tensor.scatter_add_, "scatter_add_", input, dim, index, src)


SAME = same(functions, "clamp_ erfinv_ tanh_ zero_")
