"""Operators as they were until 1.2."""

from typing import Any

from msbridge.ops.primitive.primitive import Primitive


def _shard(self: Primitive, strategy: Any) -> Primitive:
    """Keep how the operator is divided, unchecked."""
    return self.add_prim_attr("strategy", strategy)


OVERRIDES = {"ops.Primitive.shard": _shard}
