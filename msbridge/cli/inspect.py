"""`msbridge inspect`: what is in a checkpoint, and how two of them differ."""

import argparse
from typing import TYPE_CHECKING, Any

from msbridge.cli.options import add_option
from msbridge.cli.terminal import format_error
from msbridge.cli.user_code import report_failure
from msbridge.converters.options import OPTIONS, Options
from msbridge.core.checks.option_records import defaults_of
from msbridge.core.runtime.printable import json_text
from msbridge.core.runtime.terminal import tell

if TYPE_CHECKING:
    from msbridge.converters import Checkpoint

CODES = """\
exit codes:
  0  shown (with --diff: the two are equal)
  1  with --diff: they differ
  2  a file cannot be read
  3  a file tries to run code
  70  a defect of msbridge
  130  interrupted
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "inspect",
        usage="msbridge inspect [OPTIONS] FILE",
        description="List names, types, shapes and sizes of a checkpoint of any format.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="a file, an index of shards, or a folder with one")
    parser.add_argument("--tree", action="store_true", help="show the names as a tree, with the bytes of each branch")
    parser.add_argument("--stats", action="store_true", help="read the values: minimum, maximum, mean, NaN, Inf, zeros")
    parser.add_argument(
        "--diff", metavar="OTHER", help="compare names, types, shapes and values with another checkpoint"
    )
    parser.add_argument(
        "--graph",
        metavar="FILE",
        help="FILE.html: a page to fold and search a checkpoint, a .mindir, an .onnx or package.module:factory; "
        "FILE.dot: a drawing of a .mindir, layer by layer, for Graphviz; FILE.svg: the same, drawn by Graphviz",
    )
    for name in ("key", "mode"):
        add_option(parser, name, OPTIONS[name], defaults_of(Options)[name])
    parser.add_argument("--crc-check", action="store_true", help="compare the checksum that MindSpore stored")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Show what is asked for; return the exit code."""
    from msbridge.converters import CheckpointError, open_checkpoint
    from msbridge.converters.errors import UnsafeError
    from msbridge.converters.terminal.inspection import show_line
    from msbridge.core.runtime.plain_files import read_key

    if (options.graph or "").endswith(".html"):
        return _write_page(options)
    try:
        key = read_key(options.key) if options.key else None
        arguments = {"key": key, "mode": options.mode, "crc_check": options.crc_check}
        with open_checkpoint(options.file, **arguments) as checkpoint:
            if options.graph:
                from msbridge.mindir.drawing import write_picture

                write_picture(checkpoint, options.graph, key, options.mode)
                if not options.json:
                    show_line(f"The picture of its network is in {options.graph}.")
            if options.diff is None:
                _show(checkpoint, options)
                return 0
            with open_checkpoint(options.diff, **arguments) as other:
                return _compare(checkpoint, other, options.json)
    except BrokenPipeError:
        raise
    except (CheckpointError, OSError, ImportError, MemoryError) as error:
        tell(f"msbridge inspect: {format_error(error)}")
        return 3 if isinstance(error, UnsafeError) else 2


def _write_page(options: argparse.Namespace) -> int:
    """Write the page of a network, which may be the user's code."""
    import msbridge
    from msbridge.converters.errors import UnsafeError
    from msbridge.converters.terminal.inspection import show_line
    from msbridge.converters.user_modules import user_modules
    from msbridge.core.runtime.plain_files import read_key
    from msbridge.networks.graph_request import write_page

    try:
        key = read_key(options.key) if options.key else None
        msbridge.install()
        with user_modules(options.file):
            write_page(options.file, options.graph, key, options.mode)
    except UnsafeError as error:
        tell(f"msbridge inspect: {format_error(error)}")
        return 3
    except Exception as error:  # of the user's own code and files
        return report_failure("inspect", error, shows_traceback=False)
    if not options.json:
        show_line(f"The page of the network is in {options.graph}.")
    return 0


def _show(checkpoint: "Checkpoint", options: argparse.Namespace) -> None:
    from msbridge.converters.inspection import entry_rows, summary
    from msbridge.converters.terminal.inspection import show_entries

    rows = entry_rows(checkpoint, options.stats)
    if options.json:
        print(json_text(summary(checkpoint, rows)))
    else:
        show_entries(checkpoint, rows, options.tree, options.stats)


def _compare(first: "Checkpoint", other: "Checkpoint", as_json: bool) -> int:
    from msbridge.converters.inspection import differences
    from msbridge.converters.terminal.inspection import show_differences

    compared = differences(first, other)
    if as_json:
        files = [str(first.path), str(other.path)]
        print(
            json_text(
                {
                    "files": files,
                    "equal": not compared.changed,
                    "names": compared.mapped,
                    "differences": compared.changed,
                }
            )
        )
    else:
        show_differences(first, other, compared)
    return 1 if compared.changed else 0
