"""The marks of Cells and primitives whose values MindSpore writes to files on an Ascend."""

from typing import Any

from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.nn.cell.cell import Cell
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["set_dump"]


def set_dump(target: Any, enabled: bool = True) -> None:
    """Mark a Cell, with what is in it, or a primitive; nothing is written, as is said once.

    Args:
        target: a Cell or a primitive.
        enabled: whether to mark it.

    Raises:
        ValueError: `target` is something else, or `enabled` is not a bool.

    Follows: mindspore.set_dump (2.10).
    """
    if not isinstance(target, Cell | Primitive):
        raise ValueError(f"For 'set_dump', target must be a Cell or a Primitive, got {type(target).__name__}.")
    if not isinstance(enabled, bool):
        raise ValueError(f"For 'set_dump', enabled must be a bool, got {enabled!r}.")
    without_effect("mindspore.set_dump")
    if isinstance(target, Primitive):
        target.add_prim_attr("dump", "true" if enabled else "false")
        return
    for _, cell in target.cells_and_names():
        cell.add_flags(dump=enabled)
        for primitive in cell._primitives.values():
            if "dump" in primitive.attrs:
                set_dump(primitive, enabled)
