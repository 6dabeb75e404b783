"""Questions about elements as they were: Float16 had a sign, and a cast always copied."""

from typing import Any

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.arguments import override_arguments
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.elementwise.casting import methods as casting
from msbridge.ops.elementwise.elementwise import functions
from msbridge.ops.framework.device_placement import methods as placement
from msbridge.ops.shape.reshaping import methods as reshaping


def is_signed(self: Tensor) -> bool:
    """Return whether the elements have a sign.

    Follows: mindspore.Tensor.is_signed (2.0).
    """
    return self._data.is_signed()


def cast(input: Any, dtype: Any) -> Any:
    """Change the dtype; a Tensor that has it is copied, a Parameter is returned itself.

    Follows: mindspore.ops.cast (2.0).
    """
    result = functions.cast(input, dtype)
    return wrap(result._data.clone()) if result is input and not isinstance(input, Parameter) else result


def _copy(tensor: Tensor) -> Tensor:
    return twin(tensor) if isinstance(tensor, Parameter) else wrap(tensor._data.clone())


def resize(self: Tensor, *new_shape: Any) -> Tensor:
    """Return the first elements in another shape, in memory of its own; zeros fill what is missing.

    Follows: mindspore.Tensor.resize (2.0).
    """
    return wrap(reshaping.resize(self, *new_shape)._data.clone())


def reshape(self: Tensor, *shape: Any) -> Tensor:
    """Return the elements in another shape; without one, that of a number.

    Follows: mindspore.Tensor.reshape (2.0).
    """
    return reshaping.reshape(self, *(shape or ((),)))


OVERRIDES = {
    "Tensor.astype": Part(casting, "twin", _copy),
    "Tensor.is_signed": is_signed,
    "Tensor.reshape": reshape,
    "Tensor.resize": resize,
    "Tensor.to": Part(placement, "twin", _copy),
    "ops.cast": override_arguments(cast, "*args", {}),
}
