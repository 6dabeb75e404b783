"""`msbridge inspect`: what is in a checkpoint, and how two of them differ."""

import argparse
import math
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from msbridge.cli.options import add_option
from msbridge.cli.terminal import byte_size, console, escaped, explained, tell
from msbridge.converters.options import DEFAULTS, OPTIONS
from msbridge.core.runtime.printable import json_text

MAX_PIPE_WIDTH = 100_000  # columns of a table in a pipe
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
    parser.add_argument("--stats", action="store_true", help="read the values: least, greatest, mean, NaN, Inf, zeros")
    parser.add_argument(
        "--diff", metavar="OTHER", help="compare names, types, shapes and values with another checkpoint"
    )
    parser.add_argument(
        "--graph",
        metavar="FILE",
        help="draw the network of a .mindir, layer by layer: FILE.dot is text for Graphviz, which makes FILE.svg",
    )
    for name in ("key", "mode"):
        add_option(parser, name, OPTIONS[name], DEFAULTS[name])
    parser.add_argument("--crc-check", action="store_true", help="compare the check sum that MindSpore stored")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Show what is asked for; return the exit code."""
    from msbridge.converters import CheckpointError, open_checkpoint
    from msbridge.converters.errors import UnsafeError
    from msbridge.core.runtime.files import read_key

    try:
        key = read_key(options.key) if options.key else None
        arguments = {"key": key, "mode": options.mode, "crc_check": options.crc_check}
        with open_checkpoint(options.file, **arguments) as checkpoint:
            if options.graph:
                _draw(checkpoint, options.graph, key, options.mode)
                if not options.json:
                    _print(escaped(f"The picture of its network is in {options.graph}."))
            if options.diff is None:
                _show(checkpoint, options)
                return 0
            with open_checkpoint(options.diff, **arguments) as other:
                return _compare(checkpoint, other, options.json)
    except BrokenPipeError:
        raise
    except (CheckpointError, OSError, ImportError, MemoryError) as error:
        tell(f"msbridge inspect: {explained(error)}")
        return 3 if isinstance(error, UnsafeError) else 2


def _draw(checkpoint: Any, target: str, key: bytes | None, mode: str) -> None:
    """Write a picture of the network in a file."""
    from msbridge.converters import CheckpointError
    from msbridge.converters.files.atomic_write import replacing
    from msbridge.converters.mindir.reading import read_model
    from msbridge.mindir.drawing import to_dot, to_svg

    if checkpoint.format != "mindir":
        raise CheckpointError(f"--graph draws the network of a .mindir; {checkpoint.path} holds parameters alone.")
    if not target.endswith((".dot", ".svg")):
        raise CheckpointError(f"--graph writes DOT or SVG: give a name that ends with .dot or .svg, not {target}.")
    model = read_model(checkpoint.path, key, mode)
    picture = to_dot(model).encode() if target.endswith(".dot") else to_svg(model)
    with replacing(target) as sink:
        sink.write(picture)


def _show(checkpoint: Any, options: argparse.Namespace) -> None:
    from msbridge.converters.tensors.statistics import statistics

    rows = {
        name: {"type": one.type, "shape": list(one.shape), "bytes": one.nbytes}
        | ({"value": one.text()} if one.is_text else statistics(one) if options.stats else {})
        for name, one in checkpoint.entries.items()
    }
    if options.json:
        summary = {"file": str(checkpoint.path), "format": checkpoint.format, "bytes": checkpoint.nbytes}
        more = {
            "metadata": checkpoint.metadata,
            "skipped": checkpoint.skipped,
            "files": list(map(str, checkpoint.shards)),
        }
        print(json_text(summary | {"tensors": rows} | more))
        return
    if options.tree:
        _print(_tree(rows))
    else:
        _print_table(rows, options.stats)
    for name, kind in checkpoint.skipped.items():
        _print(escaped(f"skipped {name}: {kind}"))
    for name, text in checkpoint.metadata.items() if checkpoint.format == "mindir" else ():
        _print(escaped(f"{name}: {text}"))
    count = sum(math.prod(row["shape"]) for row in rows.values() if row["type"] != "str")
    places = f" in {len(checkpoint.shards)} files" if len(checkpoint.shards) > 1 else ""
    numbers = f"{len(rows)} entries, {count:,} elements, {byte_size(checkpoint.nbytes)}"
    _print(escaped(f"{checkpoint.path}: {checkpoint.format}{places}, {numbers}"))


def _compare(one: Any, other: Any, as_json: bool) -> int:
    from msbridge.converters.tensors.statistics import difference

    others, mapped = _under_names_of(one, other)
    names = dict.fromkeys([*one.entries, *others])
    found = {name: difference(one.entries.get(name), others.get(name)) for name in names}
    changed = {name: row for name, row in found.items() if row["status"] != "equal"}
    if as_json:
        files = [str(one.path), str(other.path)]
        shown = {"files": files, "equal": not changed, "names": mapped, "differences": changed}
        print(json_text(shown))
        return 1 if changed else 0
    if changed:
        headings = ("name", "difference", "first", "second", "elements", "greatest", "mean")
        rows = []
        for name, row in changed.items():
            numbers = (row.get("elements"), row.get("max_abs"), row.get("mean_abs"))
            rows.append([name, row["status"], row.get("first", "-"), row.get("second", "-"), *map(_number, numbers)])
        _print_rows(headings, rows, right=("elements", "greatest", "mean"))
    _print(escaped(f"first: {one.path}\nsecond: {other.path}"))
    if mapped:
        _print(escaped(mapped))
    print(f"{len(found) - len(changed)} equal bit for bit, {len(changed)} different")
    return 1 if changed else 0


def _under_names_of(one: Any, other: Any) -> tuple[Mapping[str, Any], str]:
    """Return the second checkpoint's entries under names as the first has them, and what was mapped."""
    from msbridge.converters.names.conventions import naming_of
    from msbridge.converters.options import Options
    from msbridge.converters.planning import plan

    there, here = naming_of(other), naming_of(one)
    if there == here or other.entries.keys() == one.entries.keys():
        return other.entries, ""
    made = plan(other, Options(to=here, of=there))
    guessed = sum(outcome.guessed for outcome in made.outcomes)
    owners = {"torch": "torch's", "mindspore": "MindSpore's"}
    text = f"The second's names are {owners[there]}; it was compared under {owners[here]}, {guessed} of them guessed."
    return {entry.name: entry for entry in made.entries}, text


def _print_table(rows: Mapping[str, Mapping[str, Any]], with_statistics: bool) -> None:
    columns = ("min", "max", "mean", "std", "zeros", "nan", "inf") if with_statistics else ()
    lines = []
    for name, row in rows.items():
        cells = [name, row["type"], str(tuple(row["shape"])) if row["type"] != "str" else repr(row["value"])]
        lines.append([*cells, byte_size(row["bytes"]), *(_number(row.get(column)) for column in columns)])
    bad = {name for name, row in rows.items() if row.get("nan") or row.get("inf")}
    _print_rows(("name", "type", "shape", "size", *columns), lines, ("size", *columns), bad)


def _print_rows(
    headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str], red: Container[str] = ()
) -> None:
    """Print a table; where the terminal is too narrow for it, a paragraph for each row: no name is cut or folded."""
    from rich.table import Table

    out = console(highlight=False)
    table = Table()
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(escaped, row), style="red" if row[0] in red else None)
    wanted = out.measure(table, options=out.options.update(max_width=MAX_PIPE_WIDTH)).maximum
    if wanted > out.width and not out.is_terminal:
        out.width = wanted
    if wanted <= out.width:
        out.print(table)
        return
    for name, *cells in rows:
        out.print(escaped(name), style="bold red" if name in red else "bold", soft_wrap=True)
        line = ""
        for heading, cell in zip(headings[1:], cells, strict=True):
            pair = f"  {heading} {cell}" if cell != "-" else ""
            if len(line) + len(pair) > out.width:
                out.print(escaped(line), soft_wrap=True)
                line = ""
            line += pair
        out.print(escaped(line), soft_wrap=True)


def _tree(rows: Mapping[str, Mapping[str, Any]]) -> Any:
    from rich.tree import Tree

    sizes: dict[str, int] = {}
    for name, row in rows.items():
        for path in _paths(name):
            sizes[path] = sizes.get(path, 0) + row["bytes"]
    root = Tree(f"{len(rows)} entries")
    branches: dict[str, Any] = {}
    for name, row in rows.items():
        above = root
        for path in _paths(name):
            if path == name:
                above.add(escaped(f"{path.rpartition('.')[2]}  {row['type']} {tuple(row['shape'])}"))
            else:
                if path not in branches:
                    branches[path] = above.add(escaped(f"{path.rpartition('.')[2]}  {byte_size(sizes[path])}"))
                above = branches[path]
    return root


def _paths(name: str) -> Iterator[str]:
    """Return "a", "a.b" and "a.b.c" for "a.b.c"."""
    parts = name.split(".")
    return (".".join(parts[: end + 1]) for end in range(len(parts)))


def _print(what: Any) -> None:
    console(highlight=False).print(what, soft_wrap=isinstance(what, str))


def _number(value: float | int | None) -> str:
    return "-" if value is None else f"{value:.5g}" if isinstance(value, float) else str(value)
