"""Dtypes of 1.10."""

from msbridge.core.types.dtype import Type

OVERRIDES = {"dtype.Type.__repr__": Type.__repr__}  # mindspore.bool, as in 1.0.0 and today
