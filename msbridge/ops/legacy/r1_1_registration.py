"""Descriptions of kernels of 1.1: whether the kernel chooses the formats is `dynamic_format`."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.custom.registration import RegOp, TBERegOp
from msbridge.ops.legacy import r1_3_registration

_FIELD = "is_dynamic_format"


def _get_op_info(self: RegOp) -> dict[str, Any]:
    """Return the description, with the field before that of shapes."""
    fields = [(key, value) for key, value in r1_3_registration.get_op_info(self).items() if key != _FIELD]
    place = [key for key, _ in fields].index("dynamic_shape") if isinstance(self, TBERegOp) else len(fields)
    own = [("dynamic_format", self.dynamic_format_)] if isinstance(self, TBERegOp) else []
    return dict(fields[:place] + own + fields[place:])


OVERRIDES = {"ops.TBERegOp.get_op_info": Part(RegOp, "get_op_info", _get_op_info)}
