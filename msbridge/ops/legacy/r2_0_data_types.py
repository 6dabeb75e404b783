"""Pairs of a type and a format of 2.0: none of BFloat16."""

from msbridge.ops.legacy.data_types import without_pairs

OVERRIDES = {"ops.DataType": without_pairs("BF16_.*")}
