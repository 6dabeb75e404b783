"""The report of a scan as one HTML file."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from msbridge.core.html.page import render_page
from msbridge.scan import messages
from msbridge.scan.engine import Report
from msbridge.scan.findings import Level

__all__ = ["render"]

TEMPLATE = Path(__file__).with_name("page.html")
OPEN = 200  # findings; where there are more, the files are folded


def render(report: Report, paths: Sequence[str]) -> str:
    """Return the page of a report on `paths`."""
    heading, *sections = messages.table(report)
    by_path = groupby(report.findings, key=lambda one: one.path)
    return render_page(
        TEMPLATE,
        paths=paths,
        report=report,
        verdict=messages.verdict(report),
        is_ready=not report.count(Level.REFUSED),
        share=messages.share,
        levels=[(level, messages.LEVELS[level], report.count(level)) for level in Level],
        heading=heading,
        sections=sections,
        rules=messages.by_rule(report.findings),
        files=[(path, list(found)) for path, found in by_path],
        is_open=len(report.findings) <= OPEN,
    )
