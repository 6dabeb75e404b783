"""Attributes of Parameters of 1.7."""

from msbridge.core.parameter.parallel_attributes import attribute

OVERRIDES = {"Parameter.key": attribute("key", -1)}
