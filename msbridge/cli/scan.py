"""`msbridge scan`: what in source files will not work on a real device, without running them."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from msbridge.cli.terminal import console, escaped, explained
from msbridge.scan.findings import Level

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
SHOWN_FROM = 50  # files; fewer take no time


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    from msbridge.scan.scanning import SECTIONS

    parser = commands.add_parser(
        "scan",
        help="find what is not here, and what a real graph mode refuses or changes",
        description="Read Python files, without running them, and find what will not work on a real device.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a file, or a folder with files")
    what = parser.add_argument_group("what to look for (everything, unless said)")
    for name, section in SECTIONS.items():
        what.add_argument(f"--{name}", action="store_true", help=section.summary)
    results = parser.add_argument_group("results")
    results.add_argument(
        "--level", choices=[str(one) for one in Level], default="advice", help="leave out what is less grave than this"
    )
    results.add_argument("--ignore", action="append", default=[], metavar="RULE", help="leave a rule out")
    results.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Scan, and return the exit code."""
    from msbridge.core.nearest import did_you_mean
    from msbridge.scan import sentences
    from msbridge.scan.scanning import SECTIONS, UNREADABLE, scan

    sections = [name for name in SECTIONS if getattr(options, name)] or list(SECTIONS)
    known = {rule.id for name in sections for rule in SECTIONS[name].rules} | {UNREADABLE.id}
    if unknown := [name for name in options.ignore if name not in known]:
        print(f"msbridge scan: there is no rule {unknown[0]!r}.{did_you_mean(unknown[0], known)}", file=sys.stderr)
        return 2
    try:
        with _progress(not options.json) as advance:
            report = scan(options.paths, sections, advance)
    except OSError as error:
        print(f"msbridge scan: {explained(error)}", file=sys.stderr)
        return 2
    wanted = Level(options.level).rank
    kept = [one for one in report.findings if one.rule.level.rank <= wanted and one.rule.id not in options.ignore]
    report = replace(report, findings=tuple(kept))
    if options.json:
        print(json.dumps(sentences.values(report), ensure_ascii=False))
    else:
        out = console(highlight=False)
        for text, level in sentences.lines(report):
            out.print(escaped(text), style=COLOURS[level] if level else None, soft_wrap=True)
        out.print(escaped(sentences.summary(report)), soft_wrap=True)
    return 1 if report.count(Level.REFUSED) else 0


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
        yield lambda done, of: bar.update(task, completed=done, total=of, visible=of >= SHOWN_FROM)
