"""Questions about elements as they were: Float16 had a sign."""

from msbridge.core.tensor.tensor import Tensor


def is_signed(self: Tensor) -> bool:
    """Return whether the elements have a sign.

    Follows: mindspore.Tensor.is_signed (2.0).
    """
    return self._data.is_signed()


OVERRIDES = {"Tensor.is_signed": is_signed}
