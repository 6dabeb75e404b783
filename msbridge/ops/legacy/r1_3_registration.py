"""Descriptions of kernels of 1.3: no complex types, no layouts of RNNs, no field of kernels for one shape."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.custom.registration import RegOp
from msbridge.ops.legacy import r1_7
from msbridge.ops.legacy.data_types import without_pairs


def get_op_info(self: RegOp) -> dict[str, Any]:
    """Return the description, as in 1.7 without `dynamic_compile_static`."""
    return {key: value for key, value in r1_7.get_op_info(self).items() if key != "dynamic_compile_static"}


OVERRIDES = {
    "ops.DataType": without_pairs("C.*_Default|.*_(FracZNRNN|ND_RNNBIAS)"),
    "ops.TBERegOp.get_op_info": Part(RegOp, "get_op_info", get_op_info),
}
