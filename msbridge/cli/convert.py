"""`msbridge convert`: a checkpoint of one format and naming becomes one of another."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

UNITS = {
    "": 1,
    "K": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "KI": 1 << 10,
    "MI": 1 << 20,
    "GI": 1 << 30,
    "TI": 1 << 40,
}
MODES = ("AES-GCM", "AES-CBC", "SM4-CBC")
LISTED = 30  # more changed tensors than these are summed up
CODES = """\
exit codes:
  0  converted (or, with --dry-run, could be)
  1  names or shapes do not fit the model or the rules, or --strict met a guess
  2  the source cannot be read, the target cannot be written, or the options do not go together
  3  the source tries to run code
  130  interrupted
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "convert",
        help="convert a checkpoint between torch and MindSpore",
        description="Convert a checkpoint: .ckpt, safetensors, torch (.pth .pt .bin), .npz, sharded folders. "
        "The source's format is told from its content, the target's from its suffix.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="SRC", help="a file, an index of shards, or a folder with one")
    parser.add_argument("target", metavar="DST", help="the file to write; a folder with --max-shard-size")
    names = parser.add_argument_group("names")
    models = "package.module:factory of the same architecture: names are mapped by its layer types, shapes are checked"
    names.add_argument("--torch-model", metavar="SPEC", help=models)
    names.add_argument("--cell", metavar="SPEC", help="the same with a Cell")
    names.add_argument(
        "--to", choices=("torch", "mindspore"), help="whose names the target has (default: by its format)"
    )
    names.add_argument("--of", choices=("torch", "mindspore"), help="whose names the source has (default: found out)")
    names.add_argument("--rules", metavar="FILE", help="TOML rules, which decide first: renames, axes, splits, merges")
    names.add_argument("--reverse-rules", action="store_true", help="apply the rules backwards")
    names.add_argument("--prefix", default="", metavar="[OLD=]NEW", help="put NEW before every name, or replace OLD")
    names.add_argument("--include", action="append", default=[], metavar="PATTERN", help="take only such names (*, ?)")
    names.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="leave such names out")
    names.add_argument(
        "--by-order", action="store_true", help="with --cell: pair layers whose names differ by their shapes and order"
    )
    names.add_argument("--strip-optimizer", action="store_true", help="leave out the optimizer's state")
    names.add_argument("--allow-unmatched", action="store_true", help="leave out what does not fit the model")
    names.add_argument("--strict", action="store_true", help="refuse guesses and skipped objects")
    data = parser.add_argument_group("data")
    data.add_argument(
        "--dtype", metavar="TYPE", help="cast floating-point tensors: float16, bfloat16, float32, float64"
    )
    data.add_argument("--format", choices=("ckpt", "safetensors", "pth", "npz"), help="the target's format")
    data.add_argument("--max-shard-size", type=size, metavar="SIZE", help="cut into files of at most SIZE, e.g. 5GB")
    data.add_argument("--crc-check", action="store_true", help="store MindSpore's check sum")
    data.add_argument(
        "--no-check-source",
        action="store_true",
        help="trust the source: do not compare the check sums in it with its bytes first",
    )
    data.add_argument("--key-file", type=Path, metavar="FILE", help="opens an encrypted source: the key's bytes")
    data.add_argument("--key-mode", default="AES-GCM", choices=MODES, help="how the source is encrypted")
    data.add_argument("--encrypt-key-file", type=Path, metavar="FILE", help="encrypts a .ckpt: the key's bytes")
    data.add_argument("--encrypt-mode", default="AES-GCM", choices=MODES, help="how the target is encrypted")
    work = parser.add_argument_group("work")
    work.add_argument("--dry-run", action="store_true", help="say what would be written, write nothing")
    work.add_argument("--force", action="store_true", help="replace a target that is there")
    work.add_argument("--resume", action="store_true", help="keep the shards that an interrupted run has finished")
    work.add_argument("--jobs", type=count, default=2, metavar="N", help="shards written at the same time")
    work.add_argument("--report", metavar="FILE", help="write what became of every name, as JSON")
    work.add_argument("--quiet", action="store_true", help="print nothing but errors")
    work.add_argument("--json", action="store_true", help="print the report as JSON, no progress bar")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Convert; give the exit code."""
    from msbridge.converters import convert
    from msbridge.converters.errors import CheckpointError, MismatchError, UnsafeError

    sys.path.insert(0, "")  # the user's own modules, for --torch-model and --cell
    if options.cell or options.torch_model:
        import msbridge

        msbridge.install()  # they import mindspore
    show = not options.quiet and not options.json
    try:
        _check(options)
        with _progress(show and sys.stderr.isatty()) as progress:
            report = convert(
                options.source,
                options.target,
                torch_model=options.torch_model,
                cell=options.cell,
                to=options.to,
                of=options.of,
                rules=options.rules,
                reverse_rules=options.reverse_rules,
                dtype=options.dtype,
                prefix=options.prefix,
                include=options.include,
                exclude=options.exclude,
                by_order=options.by_order,
                strip_optimizer=options.strip_optimizer,
                strict=options.strict,
                allow_unmatched=options.allow_unmatched,
                format=options.format,
                max_shard_bytes=options.max_shard_size,
                crc_check=options.crc_check,
                check_source=not options.no_check_source,
                key=_key(options.key_file),
                mode=options.key_mode,
                encrypt_key=_key(options.encrypt_key_file),
                encrypt_mode=options.encrypt_mode,
                dry_run=options.dry_run,
                force=options.force,
                resume=options.resume,
                jobs=options.jobs,
                progress=progress,
            )
        if options.report:
            report.write(options.report)
    except (CheckpointError, OSError, ImportError, MemoryError) as error:
        print(f"msbridge convert: {_advised(explained(error), options)}", file=sys.stderr)
        return 3 if isinstance(error, UnsafeError) else 1 if isinstance(error, MismatchError) else 2
    except KeyboardInterrupt:
        print(f"msbridge convert: interrupted; no part of a file was left.{_advice(options)}", file=sys.stderr)
        return 130
    if options.json:
        print(json.dumps(report.as_dict(), ensure_ascii=False))
    elif show:
        _show(report)
    return 0


def explained(error: BaseException) -> str:
    """Say what went wrong in one line, without what would steer a terminal."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return printable(f"{error.filename}: {error.strerror}.")
    if isinstance(error, MemoryError):
        return f"out of memory. {error}".rstrip()
    return printable(str(error))


def printable(text: str) -> str:
    """Show control characters, which a name in a file may hold, as they are written in Python."""
    return "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in text)


def _advised(text: str, options: argparse.Namespace) -> str:
    return text if "--force" in text else text + _advice(options)


def _advice(options: argparse.Namespace) -> str:
    from msbridge.converters.writing import is_unfinished

    if not is_unfinished(options.target):
        return ""
    return " The finished shards are kept: the same command with --resume goes on, with --force begins anew."


def byte_size(count: float) -> str:
    """Give a number of bytes as people read it."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.4g} {unit}"
        count /= 1000
    return f"{count:.4g} GB"


def size(text: str) -> int:
    """Read "5GB", "500MiB" or "1000" as bytes.

    Raises:
        argparse.ArgumentTypeError: the text is no such size.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?", text.strip().upper())
    if not found or found[2] not in UNITS or not (count := int(float(found[1]) * UNITS[found[2]])):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write it like 5GB or 500MiB")
    return count


def count(text: str) -> int:
    """Read a number of at least one.

    Raises:
        argparse.ArgumentTypeError: the text is no such number.
    """
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of at least 1")
    return int(text)


def _check(options: argparse.Namespace) -> None:
    """Refuse what would be ignored, and a report that cannot be written or would replace a checkpoint."""
    from msbridge.converters.errors import CheckpointError
    from msbridge.converters.formats.detect import SUFFIXES

    if options.reverse_rules and not options.rules:
        raise CheckpointError("--reverse-rules needs --rules.")
    if not options.report:
        return
    report = Path(options.report)
    if not report.absolute().parent.is_dir():
        raise CheckpointError(f"--report {report}: there is no folder {report.parent}.")
    if report.suffix in SUFFIXES or any(
        Path(one).exists() and report.exists() and report.samefile(one) for one in (options.source, options.target)
    ):
        raise CheckpointError(f"--report {report} would replace a checkpoint; give the name of a .json file.")


def _key(file: Path | None) -> bytes | None:
    return None if file is None else file.read_bytes()


@contextmanager
def _progress(shown: bool) -> Iterator[Callable[[int], Callable[[int], None]] | None]:
    """Give what makes a progress bar of a number of bytes."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def begin(total: int) -> Callable[[int], None]:
            task = bar.add_task("converting", total=total)
            return lambda count: bar.advance(task, count)

        yield begin


def _show(report: Any) -> None:
    """Print what changed, what was guessed, and the totals."""
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    if not console.is_terminal:
        console.width = 200  # a pipe has no width; do not fold names
    changed = [one for one in report.outcomes if one.status != "kept" or one.guessed]
    if len(changed) > LISTED:
        console.print(_summary(changed))
        console.print("--report FILE lists every name.", style="dim")
    elif changed:
        console.print(_listing(changed))
    for name, kind in report.skipped.items():
        console.print(escape(printable(f"skipped {name}: {kind}")), style="dim")
    if report.missing:
        missing = printable(", ".join(report.missing[:20]))
        console.print(escape(f"{len(report.missing)} of the model are missing: {missing}"))
    counts = ", ".join(f"{count} {status}" for status, count in report.counts.most_common())
    verb = "written" if report.written else "would be written (dry run)"
    rate = f", {report.nbytes / report.seconds / 1e6:.0f} MB/s" if report.written and report.seconds > 0.1 else ""
    console.print(
        escape(f"{counts}; {byte_size(report.nbytes)} {verb}: {report.target} in {report.seconds:.1f} s{rate}")
    )
    if ordered := report.ordered:
        said = f"{len(ordered)} tensors of equal shapes rest on the order of definition alone"
        console.print(f"{said}; msbridge verify runs both networks and shows whether they are right.", style="yellow")
    elif report.guessed:
        console.print(f"{len(report.guessed)} guessed; --torch-model or --cell makes it exact.", style="yellow")


def _listing(outcomes: Sequence[Any]) -> Any:
    """Make a table with a row for each tensor."""
    from rich.markup import escape

    from msbridge.converters.tensors.steps import described

    table = _table("outcome", "from", "to", "type and shape", "why")
    for one in outcomes:
        shapes = " -> ".join(
            dict.fromkeys(", ".join(map(described, kinds)) or "-" for kinds in (one.before, one.after))
        )
        cells = (one.status, "\n".join(one.sources), "\n".join(one.targets) or "-", shapes, _why(one))
        table.add_row(*[escape(printable(cell)) for cell in cells], style="yellow" if one.guessed else None)
    return table


def _summary(outcomes: Sequence[Any]) -> Any:
    """Make a table with a row for each kind of change and reason."""
    from rich.markup import escape

    alike: dict[tuple[str, str], list[Any]] = {}
    for one in outcomes:
        alike.setdefault((one.status, _why(one)), []).append(one)
    table = _table("outcome", "tensors", "for example", "why")
    for (status, why), several in alike.items():
        first = several[0]
        example = f"{', '.join(first.sources)} -> {', '.join(first.targets) or '-'}"
        cells = (status, str(len(several)), example, why)
        table.add_row(*[escape(printable(cell)) for cell in cells], style="yellow" if first.guessed else None)
    return table


def _table(*headings: str) -> Any:
    from rich.table import Table

    table = Table()
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _why(one: Any) -> str:
    return f"{one.reason} (guessed)" if one.guessed else one.reason
