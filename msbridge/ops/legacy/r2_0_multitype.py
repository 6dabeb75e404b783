"""Python's operators as functions of 2.0: two tuples have no sum."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.composite import multitype


def _add(x: Any, y: Any) -> Any:
    """Add; the sum of two tuples is None."""
    return None if isinstance(x, tuple) and isinstance(y, tuple) else x + y


OVERRIDES = {"ops.composite.multitype_ops.add": Part(multitype, "add", multitype.Operator("add", _add))}
