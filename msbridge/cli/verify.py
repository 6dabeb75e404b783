"""`msbridge verify`: a torch module and its Cell side by side, layer by layer."""

import argparse
import shlex
import sys
from typing import TYPE_CHECKING, Any

from msbridge.cli.options import add_options, record_of
from msbridge.cli.user_code import report_failure
from msbridge.converters.user_modules import user_modules
from msbridge.core.runtime.printable import printable
from msbridge.core.runtime.terminal import tell
from msbridge.verify.options import Options, Results

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


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "verify",
        usage="msbridge verify --torch SPEC (--cell SPEC | --mindir FILE) [--input SPEC]... [OPTIONS]",
        description="Convert the weights, run a torch module and a Cell on the same inputs, and compare every layer.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    results = add_options(parser, Options, Results)["results"]
    results.add_argument("--traceback", action="store_true", help="show where an error was raised, in full")
    parser.add_argument("unnamed", nargs="*", help=argparse.SUPPRESS)
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Compare, and return the exit code."""
    import msbridge
    from msbridge.verify.request import answer, with_circumstances, write_results

    try:
        _refuse_unnamed(options)
        asked, results = record_of(Options, options), record_of(Results, options)
        msbridge.install(options.release)
        with user_modules(options.torch, options.cell):
            comparison = answer(asked, results.inputs)
        if comparison is None:
            return 0
        words = sys.argv[1:] if sys.argv[1:2] == ["verify"] else ["verify", *sys.argv[1:]]
        comparison = with_circumstances(comparison, asked, shlex.join(["msbridge", *words]))
        write_results(comparison, results)
        _show(comparison, results)
    except KeyboardInterrupt:
        tell("msbridge verify: interrupted.")
        return 130
    except Exception as error:  # most come from the user's own code and files
        return report_failure("verify", error, options.traceback, REMEDIES)
    return 0 if comparison.is_same else 1


def _show(comparison: "Comparison", results: Results) -> None:
    if results.json == "-":
        print(comparison.to_json())
    elif not results.quiet:
        comparison.print(all_rows=results.all)
        if results.report:
            print(printable(f"  report     {results.report}"))


def _refuse_unnamed(options: argparse.Namespace) -> None:
    if options.unnamed:
        raise ValueError(
            f"say which is which: --torch SPEC --cell SPEC, got {' '.join(options.unnamed)} without a name."
        )
