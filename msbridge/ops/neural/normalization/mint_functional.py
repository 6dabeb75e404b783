"""Functions of `mint.nn.functional` under torch's argument names."""

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.framework.creation.functions import ones, zeros
from msbridge.ops.kernel_calls.families import unary_with
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.neural.normalization import functions


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divide by the p-norm along an axis, at least `eps`.

    Follows: mindspore.mint.nn.functional.normalize (2.10).
    """
    return unary_with(torch.nn.functional.normalize, "normalize", input, p, dim, eps)


@explaining
def batch_norm(
    input: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Bring each channel to mean 0 and variance 1, then scale and shift.

    Follows: mindspore.mint.nn.functional.batch_norm (2.10).
    """
    channels, dtype = (input.shape[1],), running_mean.dtype
    scale = ones(channels, dtype) if weight is None else weight
    shift = zeros(channels, dtype) if bias is None else bias
    settings = (training, momentum, eps)
    if training:  # which writes into the statistics
        return functions.batch_norm(input, running_mean, running_var, scale, shift, *settings)
    return with_common_dtype(functions.batch_norm, input, running_mean, running_var, scale, shift, *settings)


SAME = same(functions, "group_norm layer_norm")
