"""Pairs of a type and a format of 1.10: no lists and tuples of Tensors, and fewer of three spatial axes."""

from msbridge.ops.legacy.data_types import without_pairs

OVERRIDES = {"ops.DataType": without_pairs(".*_Default_(List|Tuple)|[IU]8_(NC1HWC0|NCDHW)|I32_(NCDHW|NDC1HWC0)")}
