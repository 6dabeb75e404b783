"""Functions of `mint.nn.functional` under torch's argument names."""

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, torch_of
from msbridge.ops.elementwise.activation import functions
from msbridge.ops.faces import face, same
from msbridge.ops.framework.inplace.kernels import write_in_place
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, unary

relu_ = define(
    write_in_place,
    torch.relu_,
    "Replace negative elements by 0, in place.",
    "input",
    types=(Tensor,),
    args="input: any shape; integers or floats.",
    returns="`input` itself.",
)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Bound the elements to [0, 6].

    Args:
        input: any shape; integers or floats.
        inplace: write into `input`.

    Returns:
        A Tensor of the shape and dtype of `input`; `input` itself with `inplace`.

    Follows: mindspore.mint.nn.functional.relu6 (2.10).
    """
    return hardtanh(input, 0.0, 6.0, inplace)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Replace negative elements x by alpha * (exp(x) - 1).

    Args:
        input: any shape; floats.
        alpha: the limit is -alpha for x → -∞.
        inplace: write into `input`.

    Returns:
        A Tensor of the shape and dtype of `input`; `input` itself with `inplace`.

    Follows: mindspore.mint.nn.functional.elu (2.10).
    """
    return elu_(input, alpha) if inplace else functions.elu(input, alpha)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Replace negative elements x by alpha * (exp(x) - 1), in place.

    Args:
        input: any shape; floats.
        alpha: the limit is -alpha for x → -∞.

    Returns:
        `input` itself.

    Follows: mindspore.mint.nn.functional.elu_ (2.10).
    """
    return write_in_place(torch.nn.functional.elu_, "elu_", input, alpha)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return x * sigmoid(x).

    Args:
        input: any shape; floats.
        inplace: write into `input`.

    Returns:
        A Tensor of the shape and dtype of `input`; `input` itself with `inplace`.

    Follows: mindspore.mint.nn.functional.silu (2.10).
    """
    if inplace:
        return write_in_place(lambda data: torch.nn.functional.silu(data, inplace=True), "silu", input)
    return functions.silu(input)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Bound the elements.

    Args:
        input: any shape; integers or floats.
        min_val: the least value of the result.
        max_val: the largest.
        inplace: write into `input`.

    Returns:
        A Tensor of the shape and dtype of `input`; `input` itself with `inplace`.

    Follows: mindspore.mint.nn.functional.hardtanh (2.10).
    """
    return hardtanh_(input, min_val, max_val) if inplace else functions.hardtanh(input, min_val, max_val)


def hardtanh_(input: Tensor, min_val: Number = -1, max_val: Number = 1) -> Tensor:
    """Bound the elements in place.

    Args:
        input: any shape; integers or floats.
        min_val: the least value of the result.
        max_val: the largest.

    Returns:
        `input` itself.

    Follows: mindspore.mint.nn.functional.hardtanh_ (2.10).
    """
    return write_in_place(torch.nn.functional.hardtanh_, "hardtanh_", input, min_val, max_val)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Replace elements that are not above `threshold` by `value`.

    Args:
        input: any shape; integers or floats.
        threshold: the limit, exclusive.
        value: what takes the place of the other elements.
        inplace: write into `input`.

    Returns:
        A Tensor of the shape and dtype of `input`; `input` itself with `inplace`.

    Follows: mindspore.mint.nn.functional.threshold (2.10).
    """
    return threshold_(input, threshold, value) if inplace else functions.threshold(input, threshold, value)


def threshold_(input: Tensor, threshold: Number, value: Number) -> Tensor:
    """Replace elements that are not above `threshold` by `value`, in place.

    Args:
        input: any shape; integers or floats.
        threshold: the limit, exclusive.
        value: what takes the place of the other elements.

    Returns:
        `input` itself.

    Follows: mindspore.mint.nn.functional.threshold_ (2.10).
    """
    return write_in_place(torch.threshold_, "threshold_", input, threshold, value)


def softmax(input: Tensor, dim: int | None = None, dtype: Type | None = None) -> Tensor:
    """Scale the exponentials so that they sum to one along an axis: by default 0 for 0, 1 and 3 axes, else 1.

    Args:
        input: shape (..., n, ...); floats.
        dim: which axis is n, in [-rank, rank).
        dtype: what to cast `input` to first; None keeps.

    Returns:
        A Tensor of the shape of `input`; its dtype, or `dtype`.

    Follows: mindspore.mint.nn.functional.softmax (2.10).
    """
    return functions.softmax(input, _default_axis(input, dim), dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Type | None = None) -> Tensor:
    """Return the logarithm of `softmax`.

    Args:
        input: shape (..., n, ...); floats.
        dim: which axis is n, in [-rank, rank); None as in `softmax`.
        dtype: what to cast `input` to first; None keeps.

    Returns:
        A Tensor of the shape of `input`; its dtype, or `dtype`.

    Follows: mindspore.mint.nn.functional.log_softmax (2.10).
    """
    axis = _default_axis(input, dim)
    target = torch_of(dtype)
    return unary(lambda data: torch.log_softmax(data, axis, target), "log_softmax", input)


@explaining
def _default_axis(input: Tensor, dim: int | None) -> int:
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim


FACES = (
    face("glu", functions.glu, "input dim"),
    face("leaky_relu", functions.leaky_relu, "input negative_slope", negative_slope=0.01),
    face("logsigmoid", functions.logsigmoid, "input"),
    face("mish", functions.mish, "input"),
    face("selu", functions.selu, "input"),
)
SAME = same(functions, "gelu hardshrink hardsigmoid hardswish prelu relu sigmoid softplus softshrink tanh")
