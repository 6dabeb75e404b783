"""Functions of `mint.nn.functional` under torch's argument names."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.inplace.kernels import write_in_place
from msbridge.ops.kernel_calls.families import unary_with
from msbridge.ops.neural.dropout.kernels import drop_elements


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to 0 with probability `p`, and scale the rest by 1 / (1 - p).

    Follows: mindspore.mint.nn.functional.dropout (2.10).
    """
    if not training:
        return input
    if inplace:
        return write_in_place(lambda data: torch.nn.functional.dropout(data, p, True, True), "dropout", input)
    return unary_with(drop_elements, "dropout", input, p)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set whole channels to 0 with probability `p`, and scale the rest by 1 / (1 - p).

    Follows: mindspore.mint.nn.functional.dropout2d (2.10).
    """
    if not training:
        return input
    if inplace:
        return write_in_place(lambda data: torch.nn.functional.dropout2d(data, p, True, True), "dropout2d", input)
    return unary_with(torch.nn.functional.dropout2d, "dropout2d", input, p)
