"""Element-wise functions as they were: bounds took the dtype of what they bound."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.releases.overrides import Earlier
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
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


def clip_of_arrays(self: Tensor, xmin: Any, xmax: Any, dtype: Type | None = None) -> Tensor:
    """Bound the elements by numbers or Tensors, of which one may be None, and cast to `dtype`.

    Raises:
        ValueError: both bounds are None.

    Follows: mindspore.Tensor.clip (1.10).
    """
    if xmin is None and xmax is None:
        raise ValueError("For 'Tensor.clip', one of xmin and xmax must be given.")
    clipped: Tensor = clamp(self, xmin, xmax)
    return clipped if dtype is None else clipped.astype(dtype)


ROWS = [
    *(Earlier(f"core.tensor.tensor.Tensor.{name}", "2.3", clamp) for name in ("clamp", "clip")),
    Earlier("core.tensor.tensor.Tensor.clip", "2.0", clip_of_arrays),
    Earlier("ops.clamp", "2.3", clamp),
    Earlier("ops.clip", "2.3", clip),
]
