"""Primitives of sequences."""

from msbridge.ops.framework.graph_sequences import functions
from msbridge.ops.primitive.primitive import derive

DERIVED = (derive("ScalarCast", functions.scalar_cast),)
