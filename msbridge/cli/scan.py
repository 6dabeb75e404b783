"""`msbridge scan`: what in source files will not work on a real device, without running them."""

import argparse
import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msbridge.cli.terminal import console, escaped, explained, tell
from msbridge.core.runtime.printable import json_text
from msbridge.scan.findings import SUMMARIES, Level

if TYPE_CHECKING:
    from msbridge.scan.engine import Report

EPILOG = """\
levels:
  refused   it ends with an error, in graph mode or at once
  changed   it runs, but gives another result, or does once what eagerly happens in every step
  fallback  it runs by going back to Python; the strict syntax refuses it
  advice    it gives the same, but costs time, or an Ascend lacks it

A comment in the line of a finding ignores it: # msbridge: ignore[RULE], or all: # msbridge: ignore

exit codes:
  0  nothing that is refused
  1  something is
  2  a path that does not exist or cannot be read, or an unknown rule
"""
COLOURS = {Level.REFUSED: "red", Level.CHANGED: "yellow", Level.FALLBACK: "cyan", Level.ADVICE: "dim"}
MIN_FILES_FOR_PROGRESS = 50  # files; fewer take no time


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "scan",
        description="Read Python files and notebooks, without running them, and find what will not work, here or on a "
        "real device.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="a file, a notebook, or a folder such as a clone of a repository"
    )
    what = parser.add_argument_group("what to look for (everything, unless said)")
    for name, summary in SUMMARIES.items():
        what.add_argument(f"--{name}", action="store_true", help=summary)
    results = parser.add_argument_group("results")
    results.add_argument(
        "--level", choices=[str(one) for one in Level], default="advice", help="leave out what is less grave than this"
    )
    results.add_argument("--ignore", action="append", default=[], metavar="RULE", help="leave a rule out")
    results.add_argument("--json", action="store_true", help="print JSON")
    results.add_argument("--sarif", metavar="FILE", help="write SARIF, which code hosts and editors show; - prints it")
    results.add_argument("--html", metavar="FILE", help="write a page that needs nothing else")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Scan, and return the exit code."""
    from msbridge.core.checks.suggestions import did_you_mean
    from msbridge.scan import messages
    from msbridge.scan.engine import SECTIONS, UNREADABLE, USUAL, scan

    sections = [name for name in SECTIONS if getattr(options, name)] or USUAL
    known = {rule.id for name in sections for rule in SECTIONS[name].rules} | {UNREADABLE.id}
    if unknown := [name for name in options.ignore if name not in known]:
        tell(f"msbridge scan: there is no rule {unknown[0]!r}.{did_you_mean(unknown[0], known)}")
        return 2
    try:
        with _progress(not options.json and options.sarif != "-") as advance, _without_collecting():
            report = scan(options.paths, sections, advance)
        report = _kept(report, options)
        _written(report, options)
    except OSError as error:
        tell(f"msbridge scan: {explained(error)}")
        return 2
    if options.json:
        print(json_text(messages.values(report)))
    elif options.sarif != "-":
        _show(report)
    return 1 if report.count(Level.REFUSED) else 0


def _kept(report: "Report", options: argparse.Namespace) -> "Report":
    """Return a report without what the options leave out."""
    wanted = Level(options.level).rank
    kept = [one for one in report.findings if one.rule.level.rank <= wanted and one.rule.id not in options.ignore]
    return replace(report, findings=tuple(kept))


def _written(report: "Report", options: argparse.Namespace) -> None:
    """Write the files that are asked for."""
    from msbridge.converters.files.atomic_write import write_text

    if options.sarif:
        from msbridge.scan.sarif import sarif

        text = json_text(sarif(report), indent=1) + "\n"
        if options.sarif == "-":
            print(text, end="")
        else:
            write_text(options.sarif, text)
    if options.html:
        from msbridge.scan.page import render

        write_text(options.html, render(report, options.paths))


def _show(report: "Report") -> None:
    from msbridge.scan import messages

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


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Leave the syntax trees to the end of the process: to look through them for cycles takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def _progress(shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield what tells a progress bar how many of how many files are done."""
    if not shown or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("scanning", visible=False)
        yield lambda done, of: bar.update(task, completed=done, total=of, visible=of >= MIN_FILES_FOR_PROGRESS)
