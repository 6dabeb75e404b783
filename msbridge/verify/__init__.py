"""Side-by-side verification: a torch module and its Cell run on the same inputs, compared layer by layer.

The names are imported when they are asked for: pytest loads the plugin of this room at every start.
"""

from typing import TYPE_CHECKING

from msbridge.core.runtime.lazy_names import lazy_names

if TYPE_CHECKING:
    from msbridge.verify.against_recording import compare_recorded
    from msbridge.verify.explain.findings import Fact, Finding
    from msbridge.verify.judge.status import Row
    from msbridge.verify.measure.difference import Difference, compare_tensors
    from msbridge.verify.record.archive import read_recorded, recorded_inputs, write_recorded
    from msbridge.verify.report.comparison import Comparison
    from msbridge.verify.report.sentences import code_of, described, fix_of
    from msbridge.verify.side_by_side import compare

__all__ = [
    "Comparison",
    "Difference",
    "Fact",
    "Finding",
    "Row",
    "code_of",
    "compare",
    "compare_recorded",
    "compare_tensors",
    "described",
    "fix_of",
    "read_recorded",
    "recorded_inputs",
    "write_recorded",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "msbridge.verify.explain.findings": "Fact Finding",
        "msbridge.verify.judge.status": "Row",
        "msbridge.verify.measure.difference": "Difference compare_tensors",
        "msbridge.verify.record.archive": "read_recorded recorded_inputs write_recorded",
        "msbridge.verify.against_recording": "compare_recorded",
        "msbridge.verify.report.comparison": "Comparison",
        "msbridge.verify.report.sentences": "code_of described fix_of",
        "msbridge.verify.side_by_side": "compare",
    },
)
