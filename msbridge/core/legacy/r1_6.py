"""Parameters of 1.6: of a class of their own behind Parameter."""

from msbridge.core.legacy.parameter_class import construct

OVERRIDES = {"Parameter.__init__": construct}
