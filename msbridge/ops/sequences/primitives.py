"""Primitives of sequences."""

from msbridge.ops.primitive import derive
from msbridge.ops.sequences import functions

DERIVED = (derive("ScalarCast", functions.scalar_cast),)
