"""The class of its own behind Parameter, up to 1.6."""

import functools
from typing import Any

from msbridge.core.parameter.parameter import Parameter


class ParameterTensor(Parameter):
    """The class behind Parameter that each kind of values had."""

    __slots__ = ()
    __module__ = "mindspore.common.parameter"


@functools.wraps(Parameter.__init__)
def construct(self: Parameter, *args: Any, **kwargs: Any) -> None:
    """Construct a Parameter, which becomes one of the class behind it."""
    _today(self, *args, **kwargs)
    if type(self) is Parameter:
        object.__setattr__(self, "__class__", ParameterTensor)


_today = Parameter.__init__
