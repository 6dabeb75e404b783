"""`msbridge scan`: what in source files will not work on a real device, without running them."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.terminal import format_error
from msbridge.core.runtime.printable import json_text
from msbridge.core.runtime.terminal import tell
from msbridge.scan.findings import Level
from msbridge.scan.options import Options, Results

if TYPE_CHECKING:
    from msbridge.scan.engine import Report

EPILOG = """\
levels:
  refused   it raises an error, in graph mode or at once
  changed   it runs, but the result differs from eager mode, or a side effect happens only once
  fallback  it runs, but falls back to Python, slowly; the strict syntax refuses it
  advice    the result is the same, but it costs time, or an Ascend lacks it

To ignore a finding, write a comment in its line: # msbridge: ignore[RULE], or for all rules: # msbridge: ignore

exit codes:
  0  nothing is refused
  1  something is
  2  a path that does not exist or cannot be read, an unknown rule, or settings that cannot be read

Settings may be in pyproject.toml, under the names of the options; the command line overrides them:
  [tool.msbridge.scan]
  ignore = ["data-path"]
  baseline = "msbridge-baseline.json"
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "scan",
        description="Read Python files and notebooks without running them, and report what will not work, here or on a "
        "real device.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="a file, a notebook, or a folder such as a clone of a repository"
    )
    parser.add_argument("--rules", action="store_true", help="list the rules and explain them, without a scan")
    parser.add_argument("--fix", action="store_true", help="write today's names for former ones that mean the same")
    parser.add_argument("--diff", action="store_true", help="show what --fix would write, and write nothing")
    add_options(parser, Options, Results)
    parser.set_defaults(call=run, **_defaults())


def _defaults() -> Mapping[str, Any]:
    """Return the project's settings as defaults of options, or what is wrong with them."""
    from msbridge.scan.settings import SettingsError, project_settings

    try:
        return {"problem": "", **project_settings(Path())}
    except SettingsError as error:
        return {"problem": str(error)}


def run(options: argparse.Namespace) -> int:
    """Scan, and return the exit code."""
    from msbridge.scan.baseline import BaselineError
    from msbridge.scan.engine import SECTIONS, UnknownRuleError
    from msbridge.scan.request import answer, write_results
    from msbridge.scan.terminal import show_rules

    is_asked = options.paths or options.rules
    if problem := options.problem or ("" if is_asked else "give a PATH, such as: msbridge scan ."):
        tell(f"msbridge scan: {problem}")
        return 2
    if options.rules:
        show_rules(record_of(Options, options).sections or SECTIONS)
        return 0
    if options.fix or options.diff:
        return _fix(options.paths, options.diff)
    results = record_of(Results, options)
    try:
        report = answer(options.paths, record_of(Options, options), results)
        write_results(report, options.paths, results)
    except (OSError, BaselineError, UnknownRuleError) as error:
        tell(f"msbridge scan: {format_error(error)}")
        return 2
    _show(report, results)
    return 1 if report.count(Level.REFUSED) else 0


def _fix(paths: list[str], only_shows: bool) -> int:
    """Write or show today's names; return the exit code."""
    from msbridge.core.runtime.printable import printable
    from msbridge.scan.fixes import fixes, write_fix

    count = files = 0
    try:
        for fix in fixes(map(Path, paths)):
            count, files = count + fix.count, files + 1
            if only_shows:
                print(printable(fix.diff().replace("\t", "    ")), end="")
            else:
                write_fix(fix)
    except OSError as error:
        tell(f"msbridge scan: {format_error(error)}")
        return 2
    tell(
        f"msbridge scan: {count} name{'s' * (count != 1)} in {files} file{'s' * (files != 1)} "
        f"{'would be' if only_shows else 'were'} replaced."
    )
    return 0


def _show(report: "Report", results: Results) -> None:
    from msbridge.scan import messages
    from msbridge.scan.sarif import sarif_text
    from msbridge.scan.terminal import show

    if results.sarif == "-":
        print(sarif_text(report), end="")
    if results.json:
        print(json_text(messages.values(report)))
    elif not results.prints_data:
        show(report)
