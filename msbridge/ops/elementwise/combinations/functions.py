"""Linear combinations of several tensors."""

from collections.abc import Sequence

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import (
    Number,
    many,
    scalar_or_tensor,
    ternary,
)


def lerp(input: Tensor, end: Tensor, weight: Tensor | float) -> Tensor:
    """Interpolate linearly: `input + weight * (end - input)`.

    Args:
        input: any shape; floats or complex numbers.
        end: of the dtype of `input`; broadcasts against it.
        weight: a number, or a Tensor that broadcasts.

    Returns:
        A Tensor of the broadcast shape and the dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor, or is of another dtype.

    Follows: mindspore.ops.lerp (2.10).
    """
    try:
        return wrap(torch.lerp(input._data, end._data, scalar_or_tensor(weight)))
    except Exception as error:
        raise explain(error, "lerp", input=input, end=end, weight=weight) from error


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    """Return `input + value * tensor1 * tensor2`.

    Args:
        input: any shape and dtype.
        tensor1: broadcasts against `input`.
        tensor2: broadcasts against `input`.
        value: a factor, a number or Tensor.

    Returns:
        A Tensor of the broadcast shape and the dtype of `input`; Int64 for bools.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.addcmul (2.10).
    """
    factor = scalar_or_tensor(value)
    return ternary(lambda x, a, b: x + factor * (a * b), "addcmul", input, tensor1, tensor2)


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    """Return `input + value * tensor1 / tensor2`.

    Args:
        input: any shape and dtype.
        tensor1: broadcasts against `input`.
        tensor2: broadcasts against `input`.
        value: a factor, a number or Tensor.

    Returns:
        A Tensor of the broadcast shape and the dtype of `input`; Float32 for integers and bools.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.addcdiv (2.10).
    """
    factor = scalar_or_tensor(value)
    return ternary(lambda x, a, b: x + factor * (a / b), "addcdiv", input, tensor1, tensor2)


def addn(x: Sequence[Tensor]) -> Tensor:
    """Add up tensors of one shape; of a single one, return itself.

    Args:
        x: a tuple or list of Tensors of one shape and dtype.

    Returns:
        A Tensor of their shape and dtype; the only one itself.

    Raises:
        TypeError: `x` is not a sequence of Tensors.

    Follows: mindspore.ops.addn (2.10).
    """
    total = many(_add_up, "addn", x)
    return x[0] if len(x) == 1 else total


def _add_up(tensors: list[torch.Tensor]) -> torch.Tensor:
    total = tensors[0]
    for data in tensors[1:]:
        total = total + data
    return total


accumulate_n = define(many, _add_up, "Add up tensors of one shape.", name="accumulate_n", like=addn)
