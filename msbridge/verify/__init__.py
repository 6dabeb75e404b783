"""Side-by-side verification: a torch module and its Cell run on the same inputs, compared layer by layer."""

from msbridge.verify.comparison import Comparison, Finding, Row
from msbridge.verify.metrics import Difference, measure
from msbridge.verify.recorded import compare_recorded, read_recorded, write_recorded
from msbridge.verify.side_by_side import compare

__all__ = [
    "Comparison",
    "Difference",
    "Finding",
    "Row",
    "compare",
    "compare_recorded",
    "measure",
    "read_recorded",
    "write_recorded",
]
