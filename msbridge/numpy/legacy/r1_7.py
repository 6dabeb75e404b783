"""Functions of numpy of 1.7."""

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, data_of
from msbridge.ops.legacy import r1_7


def unique(x: Array, return_inverse: bool = False) -> Tensor | tuple[Tensor, Tensor]:
    """Return the distinct elements as today's does; floats become Float32, Int16 becomes Int32.

    Follows: mindspore.numpy.unique (1.7).
    """
    values, places = r1_7.unique(wrap(data_of(x, "unique", "x").reshape(-1)))
    return (values, places) if return_inverse else values


OVERRIDES = {"numpy.unique": unique}
