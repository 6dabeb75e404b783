"""Scans of a text, for tests."""

import tempfile
from pathlib import Path

from msbridge.scan import Finding, Level, scan


def findings(text: str) -> tuple[Finding, ...]:
    """Return what graph mode would not do of a file with this text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "snippet.py"
        path.write_text(text, encoding="utf-8")
        return scan([path], ["graph"]).findings


def rules(text: str) -> list[str]:
    """Return the rules that fit a text, by line."""
    return [one.rule.id for one in findings(text)]


def gravest(text: str) -> str:
    """Return the gravest level that is found in a text, advice left out; "" for none."""
    levels = [one.rule.level for one in findings(text) if one.rule.level != Level.ADVICE]
    return min(levels, key=lambda level: level.rank).value if levels else ""
