"""Finds in source files, without running them, what will not work on a real device: findings with lines and fixes.

The names are imported when they are asked for: the command line names the levels in its help.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msbridge.scan.engine import SECTIONS, Report, Section, scan
    from msbridge.scan.findings import Finding, Level, Rule

__all__ = ["SECTIONS", "Finding", "Level", "Report", "Rule", "Section", "scan"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    source = "findings" if name in ("Finding", "Level", "Rule") else "engine"
    return getattr(importlib.import_module(f"msbridge.scan.{source}"), name)
