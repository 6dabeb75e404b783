"""Descriptions of kernels of 1.10: other words for the fields of operators, inputs and attributes."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.custom.registration import RegOp

_WORDS = {
    "binfile": "binfile_name",
    "defaultValue": "default_value",
    "dynamicCompileStatic": "dynamic_compile_static",
    "dynamicFormat": "is_dynamic_format",
    "dynamicRankSupport": "dynamic_rank_support",
    "dynamicShapeSupport": "dynamic_shape",
    "kernel": "kernel_name",
    "needCheckSupport": "need_check_supported",
    "needCompile": "need_compile",
    "paramType": "param_type",
    "valueDepend": "value_depend",
}


def get_op_info(self: RegOp, *later: str) -> dict[str, Any]:
    """Return the description, without fields of later releases."""
    return {key: value for key, value in _put_words(_today(self)).items() if key not in later}


def _put_words(said: Any) -> Any:
    if isinstance(said, list):
        return list(map(_put_words, said))
    if not isinstance(said, dict):
        return said
    return {_WORDS.get(key, key): _put_words(value) for key, value in said.items()}


_today = RegOp.get_op_info
OVERRIDES = {"ops.TBERegOp.get_op_info": Part(RegOp, "get_op_info", get_op_info)}
