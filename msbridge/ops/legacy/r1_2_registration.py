"""Descriptions of kernels of 1.2: no layout with the channels last, fields of inputs that are not checked."""

from typing import Any

from msbridge.ops.framework.custom.registration import TBERegOp
from msbridge.ops.legacy.data_types import without_pairs


def _input(
    self: TBERegOp,
    index: int | None = None,
    name: str | None = None,
    need_compile: bool | None = None,
    param_type: str | None = None,
    shape: str | None = None,
    **kwargs: Any,
) -> TBERegOp:
    """Add an input.

    Follows: mindspore.ops.TBERegOp.input (1.2).
    """
    _today(self, index, name, need_compile, param_type, shape)
    self.inputs[-1] |= kwargs
    return self


_today = TBERegOp.input
OVERRIDES = {"ops.DataType": without_pairs(".*_ChannelLast"), "ops.TBERegOp.input": _input}
