"""Primitives that look rows up."""

from msbridge.ops.faces import face
from msbridge.ops.neural.embedding import kernels
from msbridge.ops.primitive.primitive import derive

_lookup = face("lookup_with_zeros", kernels.lookup_with_zeros, "input_params input_indices offset")


DERIVED = (derive("EmbeddingLookup", _lookup),)
