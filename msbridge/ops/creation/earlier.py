"""New tensors as they were: the smallest steps of numbers were others."""

import torch

from msbridge.core.earlier import Earlier
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.creation import functions
from msbridge.ops.primitive import derive

_STEPS = {torch.float16: 2.0**-14, torch.float32: 2.0**-16}


def _eps(x: Tensor) -> Tensor:
    """Fill the shape of `x` with a small number of its dtype: 2^-14 in Float16, 2^-16 in Float32.

    Follows: mindspore.ops.Eps (2.0).
    """
    if x._data.dtype not in _STEPS:
        return functions.eps(x)
    return wrap(torch.full_like(x._data, _STEPS[x._data.dtype]))


ROWS = [Earlier("ops.Eps", "2.3", derive("Eps", _eps))]
