"""Element-wise functions as they were: bounds took the dtype of what they bound."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.elementwise import functions


def clamp(input: Tensor | Sequence[Tensor], min: Any = None, max: Any = None) -> Any:
    """Bound the elements; the bounds of whole numbers are cut off to whole ones. Gradients are as of `clip_by_value`.

    Follows: mindspore.ops.clamp (2.0).
    """
    if isinstance(input, Tensor) and not input._data.dtype.is_floating_point:
        min, max = (Tensor(one).astype(input.dtype) if isinstance(one, float) else one for one in (min, max))
    return functions.clip_by_value(input, min, max)


def clip(x: Tensor | Sequence[Tensor], min: Any = None, max: Any = None) -> Any:
    """Bound the elements, as `clamp` does.

    Follows: mindspore.ops.clip (2.0).
    """
    return clamp(x, min, max)


OVERRIDES = {"Tensor.clamp": clamp, "Tensor.clip": clamp, "ops.clamp": clamp, "ops.clip": clip}
