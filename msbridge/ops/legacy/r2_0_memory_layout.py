"""Questions about elements as they were: Float16 had a sign, and a cast always copied."""

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.elementwise.casting import methods as casting


def is_signed(self: Tensor) -> bool:
    """Return whether the elements have a sign.

    Follows: mindspore.Tensor.is_signed (2.0).
    """
    return self._data.is_signed()


def _copy(tensor: Tensor) -> Tensor:
    return twin(tensor) if isinstance(tensor, Parameter) else wrap(tensor._data.clone())


OVERRIDES = {"Tensor.astype": Part(casting, "twin", _copy), "Tensor.is_signed": is_signed}
