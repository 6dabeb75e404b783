"""`msbridge inspect`: what is in a checkpoint, and how two of them differ."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

CODES = """\
exit codes:
  0  shown (with --diff: the two are equal)
  1  with --diff: they differ
  2  a file cannot be read
  3  a file tries to run code
"""


def register(commands: Any) -> None:
    """Add the subcommand to `commands`, the subparsers of `msbridge`."""
    parser = commands.add_parser(
        "inspect",
        help="show what is in a checkpoint, or how two differ",
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
    parser.add_argument("--key-file", type=Path, metavar="FILE", help="opens encrypted files: the key's bytes")
    parser.add_argument("--key-mode", default="AES-GCM", metavar="MODE", help="AES-GCM, AES-CBC or SM4-CBC")
    parser.add_argument("--crc-check", action="store_true", help="compare the check sum that MindSpore stored")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    """Show what is asked for; give the exit code."""
    from msbridge.converters import CheckpointError, open_checkpoint
    from msbridge.converters.errors import UnsafeError

    try:
        key = options.key_file.read_bytes() if options.key_file else None
        arguments = {"key": key, "mode": options.key_mode, "crc_check": options.crc_check}
        with open_checkpoint(options.file, **arguments) as checkpoint:
            if options.diff is None:
                _show(checkpoint, options)
                return 0
            with open_checkpoint(options.diff, **arguments) as other:
                return _compare(checkpoint, other, options.json)
    except (CheckpointError, OSError, ImportError) as error:
        print(f"msbridge inspect: {error}", file=sys.stderr)
        return 3 if isinstance(error, UnsafeError) else 2


def _show(checkpoint: Any, options: argparse.Namespace) -> None:
    from msbridge.converters.statistics import statistics

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
        print(json.dumps(summary | {"tensors": rows} | more, ensure_ascii=False))
        return
    _print(_tree(rows) if options.tree else _table(rows, options.stats))
    for name, kind in checkpoint.skipped.items():
        _print(f"skipped {name}: {kind}")
    count = sum(_elements(row["shape"]) for row in rows.values() if row["type"] != "str")
    places = f" in {len(checkpoint.shards)} files" if len(checkpoint.shards) > 1 else ""
    print(
        f"{checkpoint.path}: {checkpoint.format}{places}, {len(rows)} entries, {count:,} elements, "
        f"{_bytes(checkpoint.nbytes)}"
    )


def _compare(one: Any, other: Any, as_json: bool) -> int:
    from msbridge.converters.statistics import difference

    names = dict.fromkeys([*one.entries, *other.entries])
    found = {name: difference(one.entries.get(name), other.entries.get(name)) for name in names}
    changed = {name: row for name, row in found.items() if row["status"] != "equal"}
    if as_json:
        print(json.dumps({"files": [str(one.path), str(other.path)], "equal": not changed, "differences": changed}))
        return 1 if changed else 0
    if changed:
        from rich.table import Table

        table = Table("name", "difference", str(one.path), str(other.path), "elements", "greatest", "mean")
        for name, row in changed.items():
            numbers = (row.get("elements"), row.get("max_abs"), row.get("mean_abs"))
            cells = [name, row["status"], row.get("first", "-"), row.get("second", "-"), *map(_number, numbers)]
            table.add_row(*map(_escape, cells))
        _print(table)
    print(f"{len(found) - len(changed)} equal bit for bit, {len(changed)} different")
    return 1 if changed else 0


def _table(rows: Mapping[str, Mapping[str, Any]], with_statistics: bool) -> Any:
    from rich.table import Table

    columns = ("min", "max", "mean", "std", "zeros", "nan", "inf") if with_statistics else ()
    table = Table("name", "type", "shape", "size", *columns)
    for name, row in rows.items():
        cells = [name, row["type"], str(tuple(row["shape"])) if row["type"] != "str" else repr(row["value"])]
        cells += [_bytes(row["bytes"]), *(_number(row.get(column)) for column in columns)]
        bad = row.get("nan") or row.get("inf")
        table.add_row(*map(_escape, cells), style="red" if bad else None)
    return table


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
                above.add(_escape(f"{path.rpartition('.')[2]}  {row['type']} {tuple(row['shape'])}"))
            else:
                if path not in branches:
                    branches[path] = above.add(_escape(f"{path.rpartition('.')[2]}  {_bytes(sizes[path])}"))
                above = branches[path]
    return root


def _paths(name: str) -> Iterator[str]:
    """Give "a", "a.b" and "a.b.c" for "a.b.c"."""
    parts = name.split(".")
    return (".".join(parts[: end + 1]) for end in range(len(parts)))


def _print(what: Any) -> None:
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console.width = 200  # a pipe has no width; do not fold names
    console.print(what)


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _elements(shape: list[int]) -> int:
    count = 1
    for dim in shape:
        count *= dim
    return count


def _bytes(count: int) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.4g} {unit}"
        count /= 1000  # type: ignore[assignment]
    return f"{count:.4g} GB"


def _number(value: float | int | None) -> str:
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
