"""Side-by-side verification: a torch module and its Cell run on the same inputs, compared layer by layer.

The names are imported when they are asked for: pytest loads the plugin of this room at every start.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msbridge.verify.explain.findings import Fact, Finding
    from msbridge.verify.judge.status import Row
    from msbridge.verify.measure.difference import Difference, compare_tensors
    from msbridge.verify.record.archive import read_recorded, recorded_inputs, write_recorded
    from msbridge.verify.recorded import compare_recorded
    from msbridge.verify.report.comparison import Comparison
    from msbridge.verify.report.sentences import described, fix_of
    from msbridge.verify.side_by_side import compare

__all__ = [
    "Comparison",
    "Difference",
    "Fact",
    "Finding",
    "Row",
    "compare",
    "compare_recorded",
    "compare_tensors",
    "described",
    "fix_of",
    "read_recorded",
    "recorded_inputs",
    "write_recorded",
]

_FILES = {
    "measure.difference": ("Difference", "compare_tensors"),
    "explain.findings": ("Fact", "Finding"),
    "judge.status": ("Row",),
    "record.archive": ("read_recorded", "recorded_inputs", "write_recorded"),
    "recorded": ("compare_recorded",),
    "report.comparison": ("Comparison",),
    "report.sentences": ("described", "fix_of"),
    "side_by_side": ("compare",),
}
_FILE_OF = {name: file for file, names in _FILES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _FILE_OF:
        raise AttributeError(f"module 'msbridge.verify' has no attribute {name!r}", name=name)
    return getattr(importlib.import_module(f"msbridge.verify.{_FILE_OF[name]}"), name)
