"""Names that 1.8 published in `ops`, and 1.9 no more."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.ops import operations
from msbridge.ops.legacy.without_kernel import without_kernel
from msbridge.ops.operations import ReduceProd

_SERVER = {name: without_kernel(name, primitive_target="CPU") for name in ("PullWeight", "PushWeight")}


OVERRIDES: dict[str, Any] = {
    "ops.print_info": print,
    "ops.reduce_prod": ReduceProd(),
    **{f"ops.{name}": [kind, Part(operations, name, kind)] for name, kind in _SERVER.items()},
}
