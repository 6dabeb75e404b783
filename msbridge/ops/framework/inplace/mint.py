"""Functions of `mint` under torch's argument names."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.inplace.kernels import write_in_place
from msbridge.ops.kernel_calls.families import Number


def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Make `beta * input + alpha * outer(vec1, vec2)` of `input`, in place.

    Follows: mindspore.mint.addr_ (2.10).
    """
    return write_in_place(torch.Tensor.addr_, "addr_", input, vec1, vec2, beta=beta, alpha=alpha)
