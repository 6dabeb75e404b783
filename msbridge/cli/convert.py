"""`msbridge convert`: a checkpoint of one format and naming becomes one of another."""

import argparse
import sys
from pathlib import Path
from typing import Any

from msbridge.cli.options import add_options
from msbridge.cli.terminal import format_error
from msbridge.converters.options import OPTIONS, Options, flag_of
from msbridge.converters.user_modules import user_modules
from msbridge.core.checks.option_records import defaults_of
from msbridge.core.runtime.printable import escape_markup, json_text
from msbridge.core.runtime.terminal import console, tell

NETWORKS = (".onnx", ".pt2")  # files of whole networks
CODES = """\
exit codes:
  0  converted (or, with --dry-run, could be)
  1  names or shapes do not fit the model or the rules, or --strict met a guess
  2  the source cannot be read, the target cannot be written, or the options do not go together
  3  the source tries to run code
  70  a defect of msbridge
  130  interrupted
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "convert",
        usage="msbridge convert [OPTIONS] SRC DST",
        description="Convert a checkpoint: .ckpt, safetensors, torch (.pth .pt .bin), .npz, sharded folders; "
        "or the network of a .mindir to .onnx or .pt2 (torch.export). "
        "The source's format is detected by its content, the target's from its suffix.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="SRC", help="a file, an index of shards, or a folder with one")
    parser.add_argument("target", metavar="DST", help="the file to write; a folder with --max-shard-size")
    work = add_options(parser, Options)["work"]
    work.add_argument("--report", metavar="FILE", help="write what happened to every name, as JSON")
    work.add_argument("--quiet", action="store_true", help="print nothing but errors")
    work.add_argument("--json", action="store_true", help="print the report as JSON, without a progress bar")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Convert; return the exit code."""
    from msbridge.converters import convert
    from msbridge.converters.errors import CheckpointError, MismatchError, UnsafeError
    from msbridge.converters.report import check_report_file
    from msbridge.converters.terminal.conversion import progress_bar, show
    from msbridge.core.runtime.plain_files import read_key

    if options.cell or options.torch_model:
        import msbridge

        msbridge.install()  # they import mindspore
    shown = not options.quiet and not options.json
    try:
        if options.report:
            check_report_file(Path(options.report), (options.source, options.target))
        if Path(options.target).suffix in NETWORKS:
            return _convert_network(options)
        given = {name: getattr(options, name) for name in OPTIONS}
        given |= {name: read_key(path) for name, path in given.items() if isinstance(path, Path)}
        with progress_bar(shown and sys.stderr.isatty()) as progress, user_modules(options.torch_model, options.cell):
            report = convert(options.source, options.target, progress=progress, **given)
        if options.report:
            report.write(options.report)
    except BrokenPipeError:
        raise
    except (CheckpointError, OSError, ImportError, MemoryError) as error:
        advised = isinstance(error, CheckpointError) and any("force" in one.options for one in error.remedies)
        tell(f"msbridge convert: {format_error(error)}{'' if advised else _advice(options)}")
        return 3 if isinstance(error, UnsafeError) else 1 if isinstance(error, MismatchError) else 2
    except KeyboardInterrupt:
        tell(f"msbridge convert: interrupted; no part of a file was left.{_advice(options)}")
        return 130
    if options.json:
        print(json_text(report.as_dict()))
    elif shown:
        show(report)
    return 0


def _convert_network(options: argparse.Namespace) -> int:
    """Write a whole network for other programs; return the exit code."""
    from msbridge.converters.errors import CheckpointError
    from msbridge.core.runtime.plain_files import read_key
    from msbridge.train.exporting.convert_mindir import convert_network

    taken = {"key", "mode", "force"}
    others = {name: one for name, one in defaults_of(Options).items() if name not in taken}
    unused = [flag_of(name) for name, default in others.items() if getattr(options, name) not in (default, [])]
    unused += ["--report"] if options.report else []
    source, target = Path(options.source), Path(options.target)
    if unused:
        raise CheckpointError(f"{', '.join(unused)} is for checkpoints: a network is written to {target} as it is.")
    key = read_key(options.key) if options.key else None
    written = convert_network(source, target, key, options.mode, force=options.force)
    if options.json:
        print(json_text({"source": str(source), "target": str(target), "bytes": target.stat().st_size}))
    elif not options.quiet:
        console().print(escape_markup(written), soft_wrap=True)
    return 0


def _advice(options: argparse.Namespace) -> str:
    from msbridge.converters.files.staging import is_unfinished

    if not is_unfinished(options.target):
        return ""
    return " The finished shards are kept: the same command with --resume continues, with --force begins again."
