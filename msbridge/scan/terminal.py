"""The report of a scan on a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msbridge.core.runtime.printable import escape_markup
from msbridge.core.runtime.terminal import console
from msbridge.scan import messages
from msbridge.scan.engine import Report
from msbridge.scan.findings import Level

__all__ = ["progress", "show", "show_rules"]

COLOURS = {Level.REFUSED: "red", Level.CHANGED: "yellow", Level.FALLBACK: "cyan", Level.ADVICE: "dim"}
MIN_FILES_FOR_PROGRESS = 50  # files; fewer take no time


def show(report: Report) -> None:
    """Print the findings, a table of the sections, and a summary."""
    out = console(highlight=False)
    for text, level in messages.lines(report):
        out.print(escape_markup(text), style=COLOURS[level] if level else None, soft_wrap=True)
    if report.findings and len(report.sections) > 1:
        out.print(_table(messages.table(report)))
    out.print(escape_markup(messages.summary(report)), soft_wrap=True)


def show_rules(sections: Iterable[str]) -> None:
    """Print what the rules of sections find, why, and what to write instead."""
    out = console(highlight=False)
    for text, level in messages.explanations(sections):
        out.print(escape_markup(text), style=COLOURS[level] if level else None, soft_wrap=True)


def _table(rows: Sequence[Sequence[str]]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    headings, *others = rows
    for number, heading in enumerate(headings):
        style = COLOURS[Level(heading)] if number else None
        table.add_column(heading, justify="right" if number else "left", style=style)
    for row in others:
        table.add_row(*row)
    return table


@contextmanager
def progress(shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield the function that sets a progress bar to so many of so many files."""
    if not shown or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("scanning", visible=False)
        yield lambda done, of: bar.update(task, completed=done, total=of, visible=of >= MIN_FILES_FOR_PROGRESS)
