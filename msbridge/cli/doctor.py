"""`msbridge doctor`: what is installed here, what is found, and which requirement lines are not needed."""

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from msbridge.core.runtime.printable import printable
from msbridge.core.runtime.terminal import tell
from msbridge.doctor.environment import Row, concerns_users, environment, release_of
from msbridge.doctor.remedies import file_report, is_release, lines, remedies, verdict


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "doctor",
        description="Say whether scripts run here and what to fix; show versions and devices; check requirement "
        "files for unneeded lines, and say which release a script is for. A line with ! is followed by the command "
        "that fixes it.",
        epilog="exit codes: 0; 1 when torch is missing; 2 when a file cannot be read",
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="e.g. requirements.txt, train.py; requirements files of this folder are looked at anyway",
    )
    parser.add_argument("--all", action="store_true", help="show every row, also settings and optional packages")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Print the findings.

    Returns:
        0; 1 when torch is missing; 2 when a file cannot be read.
    """
    advice = list(remedies(os.environ, Path(), options.files))
    if not is_release(os.environ.get("MSBRIDGE_RELEASE", "2")):
        del os.environ["MSBRIDGE_RELEASE"]  # `advice` reports it; msbridge itself does not start with it
    print(verdict(advice))
    for text in lines(advice):
        print(text)
    _show([row for row in environment() if options.all or concerns_users(row)])
    code = 0 if importlib.util.find_spec("torch") else 1
    for file in options.files:
        if file.suffix == ".py" and file.is_file():
            print(f"{file}: {release_of(file)}")
            continue
        try:
            print("\n".join(file_report(file)))
        except OSError as error:
            tell(f"{file}: {error.strerror}.")
            code = 2
    return code


def _show(findings: list[Row]) -> None:
    if not sys.stdout.isatty() or importlib.util.find_spec("rich") is None:  # lines that can be copied
        for name, found, note in findings:
            print(printable(f"{name}: {found}{f' ({note})' if note else ''}"))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(style="dim", overflow="fold")
    for finding in findings:
        table.add_row(*map(printable, finding))
    Console(markup=False, highlight=False).print(table)
