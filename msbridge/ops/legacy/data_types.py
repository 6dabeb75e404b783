"""Pairs of a type and a format that earlier releases did not have."""

import re

from msbridge.core.releases.overrides import ABSENT, Part
from msbridge.ops.framework.custom.data_types import DataType


def without_pairs(pattern: str) -> list[Part]:
    """Return overrides that remove the pairs whose whole name matches a pattern from `DataType`."""
    return [Part(DataType, name, ABSENT) for name in vars(DataType) if re.fullmatch(pattern, name)]
