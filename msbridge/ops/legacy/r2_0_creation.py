"""New tensors as they were: the smallest steps of numbers were others, and what is counted kept its dtype."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.framework.creation import functions
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.primitive.primitive import derive

_STEPS = {torch.float16: 2.0**-14, torch.float32: 2.0**-16}


def _eps(x: Tensor) -> Tensor:
    """Fill the shape of `x` with a small number of its dtype: 2^-14 in Float16, 2^-16 in Float32.

    Follows: mindspore.ops.Eps (2.0).
    """
    if x._data.dtype not in _STEPS:
        return functions.eps(x)
    return wrap(torch.full_like(x._data, _STEPS[x._data.dtype]))


def _counting(today: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make the function that returns numbers in the dtype of the Tensors that they are counted by."""

    @wraps(today)
    def count(*args: Any, **kwargs: Any) -> Tensor:
        result = today(*args, **kwargs)
        kept = next((one.dtype for one in (*args, *kwargs.values()) if isinstance(one, Tensor)), result.dtype)
        return result if kwargs.get("dtype") is not None else result.astype(kept)

    return count


_range = _counting(functions.range)


def range(start: Number | Tensor, end: Number | Tensor, step: Number | Tensor, maxlen: int = 1000000) -> Tensor:
    """Count from `start` up to, not with, `end`; Tensors set the dtype.

    Follows: mindspore.ops.range (2.0).
    """
    return _range(start, end, step, maxlen)


OVERRIDES = {
    "ops.Eps": derive("Eps", _eps),
    "ops.Range": derive("Range", range, "maxlen"),
    "ops.arange": _counting(functions.arange),
    "ops.range": range,
    "ops.tensor_range": range,
}
