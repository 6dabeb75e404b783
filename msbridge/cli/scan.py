"""`msbridge scan`: what in source files will not work on a real device, without running them."""

import argparse
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.terminal import format_error
from msbridge.core.runtime.printable import json_text
from msbridge.core.runtime.terminal import tell
from msbridge.scan.findings import Level
from msbridge.scan.options import Options

if TYPE_CHECKING:
    from msbridge.scan.engine import Report

EPILOG = """\
levels:
  refused   it ends with an error, in graph mode or at once
  changed   it runs, but computes another result, or does once what eagerly happens in every step
  fallback  it runs by going back to Python; the strict syntax refuses it
  advice    it computes the same, but costs time, or an Ascend lacks it

A comment in the line of a finding ignores it: # msbridge: ignore[RULE], or all: # msbridge: ignore

exit codes:
  0  nothing that is refused
  1  something is
  2  a path that does not exist or cannot be read, or an unknown rule
"""


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
    results = add_options(parser, Options)["results"]
    results.add_argument("--json", action="store_true", help="print JSON")
    results.add_argument("--sarif", metavar="FILE", help="write SARIF, which code hosts and editors show; - prints it")
    results.add_argument("--html", metavar="FILE", help="write a page that needs nothing else")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Scan, and return the exit code."""
    from msbridge.scan import messages
    from msbridge.scan.engine import USUAL, UnknownRuleError, scan
    from msbridge.scan.terminal import progress, show

    asked = record_of(Options, options)
    try:
        with progress(not options.json and options.sarif != "-") as advance, _without_collecting():
            report = scan(
                options.paths, asked.sections or USUAL, advance, level=Level(asked.level), ignore=asked.ignore
            )
        _write(report, options)
    except (OSError, UnknownRuleError) as error:
        tell(f"msbridge scan: {format_error(error)}")
        return 2
    if options.json:
        print(json_text(messages.values(report)))
    elif options.sarif != "-":
        show(report)
    return 1 if report.count(Level.REFUSED) else 0


def _write(report: "Report", options: argparse.Namespace) -> None:
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


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Leave the syntax trees to the end of the process: to look through them for cycles takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
