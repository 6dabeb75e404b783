"""Pairs of a type and a format of 1.5."""

from msbridge.ops.legacy.data_types import without_pairs

OVERRIDES = {"ops.DataType": without_pairs("[IU]8_NDC1HWC0")}
