"""Operators of Python functions in 2.0, which take their inputs in a tuple as well."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.custom.primitives import PyFunc


def _call(self: PyFunc, *args: Any) -> Any:
    """Return a tuple of Tensors."""
    is_tuple = len(args) == 1 and isinstance(args[0], tuple | list)
    return _today(self, *args[0]) if is_tuple else _today(self, *args)


_today = PyFunc.__call__
OVERRIDES = {"ops.operations.other_ops.PyFunc": Part(PyFunc, "__call__", _call)}
