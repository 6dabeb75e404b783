"""`msbridge verify`: a torch module and its Cell side by side, layer by layer."""

import argparse
import shlex
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.terminal import format_error
from msbridge.converters.user_modules import user_modules
from msbridge.core.checks.stack_frames import is_ours
from msbridge.core.runtime.printable import printable
from msbridge.core.runtime.terminal import tell
from msbridge.verify.options import Options

if TYPE_CHECKING:
    from msbridge.verify import Comparison

CODES = """\
inputs:
  [KIND[<LIMIT][@DTYPE]:]SHAPE, one --input for each argument of the networks, such as
  image:1,3,224,224   ids<30522:2,128   mask:2,128   normal@float16:8,32   4,10
  kinds: bool, ids, image, mask, normal, ones, special (infinities, tiny and huge), uniform, zeros

exit codes:
  0  both compute the same, up to rounding (notes included)
  1  they do not; the first layer that differs is named with its likely cause
  2  they could not be compared: bad options, a factory that fails, a file that cannot be read
  70  a defect of msbridge
  130  interrupted
"""


REMEDIES = {"rules"}  # options of conversion that this command has too

DEFECTS = (AssertionError, AttributeError, LookupError, NameError)  # where no line of the user's had a part in it


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "verify",
        usage="msbridge verify --torch SPEC (--cell SPEC | --mindir FILE) [--input SPEC]... [OPTIONS]",
        description="Convert the weights, run a torch module and a Cell on the same inputs, and compare every layer.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser, Options)
    results = parser.add_argument_group("results")
    results.add_argument("--report", metavar="FILE", help="write the report as one HTML file; the inputs lie beside it")
    results.add_argument("--json", metavar="FILE", help="write everything as JSON; - prints it")
    results.add_argument("--csv", metavar="FILE", help="write one line for each layer, with all its numbers")
    results.add_argument("--junit", metavar="FILE", help="write JUnit's XML")
    results.add_argument("--all", action="store_true", help="print every layer, not only those around a fault")
    results.add_argument("--quiet", action="store_true", help="print nothing but errors")
    results.add_argument("--traceback", action="store_true", help="show where an error was raised, in full")
    parser.add_argument("unnamed", nargs="*", help=argparse.SUPPRESS)
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Compare, and return the exit code."""
    import msbridge
    from msbridge.verify.request import answer, with_circumstances

    try:
        _refuse_unnamed(options)
        asked = record_of(Options, options)
        _check_results(options)
        msbridge.install(options.release)
        with user_modules(options.torch, options.cell):
            comparison = answer(asked, _beside(options.report))
        if comparison is None:
            return 0
        words = sys.argv[1:] if sys.argv[1:2] == ["verify"] else ["verify", *sys.argv[1:]]
        comparison = with_circumstances(comparison, asked, shlex.join(["msbridge", *words]))
        _write(comparison, options)
    except KeyboardInterrupt:
        tell("msbridge verify: interrupted.")
        return 130
    except Exception as error:  # most come from the user's own code and files
        if isinstance(error, DEFECTS) and not getattr(error, "__notes__", ()) and not _place(error):
            raise
        if options.traceback:
            traceback.print_exc()
        tell(printable(f"msbridge verify: {_one_line(error)}"))
        return 2
    return 0 if comparison.is_same else 1


def _one_line(error: Exception) -> str:
    """Format an error in one line, with its place in the user's own files."""
    if notes := getattr(error, "__notes__", ()):
        return f"{notes[-1]}: {type(error).__name__}: {_text(error)}{_place(error)}"
    if isinstance(error, ValueError | TypeError | ImportError | OSError):
        return _text(error)
    return f"{type(error).__name__}: {_text(error)}{_place(error)}"


def _text(error: BaseException) -> str:
    """Return an error in one line, with those remedies that are options of this command."""
    from msbridge.converters import CheckpointError

    if isinstance(error, CheckpointError):
        offered = [one for one in error.remedies if {*one.options} <= REMEDIES]
        error = CheckpointError(error.problem, *offered, problems=error.problems)
    return " ".join(format_error(error).split())


def _place(error: BaseException) -> str:
    """Return the last line of the user's own that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [one for one in frames if not is_ours(one.filename) and "site-packages" not in one.filename]
    own = [one for one in own if not one.filename.startswith((sys.prefix, sys.base_prefix, "<"))]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno}; --traceback shows the way)" if own else ""


def _refuse_unnamed(options: argparse.Namespace) -> None:
    if options.unnamed:
        raise ValueError(
            f"say which is which: --torch SPEC --cell SPEC, got {' '.join(options.unnamed)} without a name."
        )


def _check_results(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written, before anything runs."""
    for name in ("report", "json", "csv", "junit", "record"):
        path = getattr(options, name)
        if path == "-" and name != "json":
            raise ValueError(f"--{name} writes a file; only --json takes -.")
        if path and path != "-" and not Path(path).absolute().parent.is_dir():
            raise ValueError(f"--{name} {path}: the folder {Path(path).parent} does not exist.")


def _beside(report: str | None) -> Path | None:
    return Path(report).with_suffix(".inputs.npz") if report else None


def _write(comparison: "Comparison", options: argparse.Namespace) -> None:
    if options.json == "-":
        print(comparison.to_json())
    elif options.json:
        comparison.to_json(options.json)
    if options.csv:
        comparison.to_csv(options.csv)
    if options.junit:
        comparison.to_junit(options.junit)
    if options.report:
        comparison.to_html(options.report)
    if not options.quiet and options.json != "-":
        comparison.print(all_rows=options.all)
        if options.report:
            print(printable(f"  report     {options.report}"))
