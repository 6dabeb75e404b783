"""Computations that the faces of activation share."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import along_axis


def softmax_over(input: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Scale the exponentials of `input` so that they sum to one over several axes together."""
    return along_axis(_softmax_over, "Softmax", input, axes)  # type: ignore[arg-type]


def _softmax_over(data: torch.Tensor, axes: tuple[int, ...]) -> torch.Tensor:
    return torch.exp(data - torch.logsumexp(data, axes, keepdim=True))
