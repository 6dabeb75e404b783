"""Primitives that look rows up."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.neural.embedding import kernels
from msbridge.ops.primitive.primitive import derive


def _lookup(input_params: Tensor, input_indices: Tensor, offset: int = 0) -> Tensor:
    """Return the rows `input_indices - offset`; rows that the table has not are zero."""
    return kernels.lookup_with_zeros(input_params, input_indices, offset)


DERIVED = (derive("EmbeddingLookup", _lookup),)
