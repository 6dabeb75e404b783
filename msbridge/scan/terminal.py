"""The report of a scan on a terminal."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.runtime.printable import escaped
from msbridge.core.runtime.terminal import console
from msbridge.scan import messages
from msbridge.scan.engine import Report
from msbridge.scan.findings import Level

__all__ = ["show"]

COLOURS = {Level.REFUSED: "red", Level.CHANGED: "yellow", Level.FALLBACK: "cyan", Level.ADVICE: "dim"}


def show(report: Report) -> None:
    """Print the findings, a table of the sections, and a summary."""
    out = console(highlight=False)
    for text, level in messages.lines(report):
        out.print(escaped(text), style=COLOURS[level] if level else None, soft_wrap=True)
    if report.findings and len(report.sections) > 1:
        out.print(_table(messages.table(report)))
    out.print(escaped(messages.summary(report)), soft_wrap=True)


def _table(rows: Sequence[Sequence[str]]) -> Any:
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    headings, *others = rows
    for number, heading in enumerate(headings):
        style = COLOURS[Level(heading)] if number else None
        made.add_column(heading, justify="right" if number else "left", style=style)
    for row in others:
        made.add_row(*row)
    return made
