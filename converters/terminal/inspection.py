"""The terminal output of a checkpoint's inspection, and of the differences of two."""

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.inspection import Differences
from msbridge.core.runtime.printable import escape_markup
from msbridge.core.runtime.terminal import byte_size, console

__all__ = ["show_differences", "show_entries", "show_line"]

MAX_PIPE_WIDTH = 100_000  # columns of a table in a pipe


def show_entries(checkpoint: Checkpoint, rows: Mapping[str, Mapping[str, Any]], as_tree: bool, stats: bool) -> None:
    """Print the entries of a checkpoint, what was skipped, and the totals."""
    if as_tree:
        console(highlight=False).print(_tree(rows))
    else:
        _print_table(rows, stats)
    for name, kind in checkpoint.skipped.items():
        show_line(f"skipped {name}: {kind}")
    for name, text in checkpoint.metadata.items() if checkpoint.format == "mindir" else ():
        show_line(f"{name}: {text}")
    count = sum(math.prod(row["shape"]) for row in rows.values() if row["type"] != "str")
    places = f" in {len(checkpoint.shards)} files" if len(checkpoint.shards) > 1 else ""
    numbers = f"{len(rows)} entries, {count:,} elements, {byte_size(checkpoint.nbytes)}"
    show_line(f"{checkpoint.path}: {checkpoint.format}{places}, {numbers}")


def show_differences(first: Checkpoint, other: Checkpoint, compared: Differences) -> None:
    """Print how two checkpoints differ."""
    if compared.changed:
        headings = ("name", "difference", "first", "second", "elements", "greatest", "mean")
        rows = []
        for name, row in compared.changed.items():
            numbers = (row.get("elements"), row.get("max_abs"), row.get("mean_abs"))
            rows.append([name, row["status"], row.get("first", "-"), row.get("second", "-"), *map(_number, numbers)])
        _print_rows(headings, rows, right=("elements", "greatest", "mean"))
    show_line(f"first: {first.path}\nsecond: {other.path}")
    if compared.mapped:
        show_line(compared.mapped)
    show_line(f"{compared.equal} equal bit for bit, {len(compared.changed)} different")


def show_line(text: str) -> None:
    """Print a line, which is not folded."""
    console(highlight=False).print(escape_markup(text), soft_wrap=True)


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
        table.add_row(*map(escape_markup, row), style="red" if row[0] in red else None)
    wanted = out.measure(table, options=out.options.update(max_width=MAX_PIPE_WIDTH)).maximum
    if wanted > out.width and not out.is_terminal:
        out.width = wanted
    if wanted <= out.width:
        out.print(table)
        return
    for name, *cells in rows:
        out.print(escape_markup(name), style="bold red" if name in red else "bold", soft_wrap=True)
        line = ""
        for heading, cell in zip(headings[1:], cells, strict=True):
            pair = f"  {heading} {cell}" if cell != "-" else ""
            if len(line) + len(pair) > out.width:
                out.print(escape_markup(line), soft_wrap=True)
                line = ""
            line += pair
        out.print(escape_markup(line), soft_wrap=True)


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
                above.add(escape_markup(f"{path.rpartition('.')[2]}  {row['type']} {tuple(row['shape'])}"))
            else:
                if path not in branches:
                    branches[path] = above.add(escape_markup(f"{path.rpartition('.')[2]}  {byte_size(sizes[path])}"))
                above = branches[path]
    return root


def _paths(name: str) -> Iterator[str]:
    """Return "a", "a.b" and "a.b.c" for "a.b.c"."""
    parts = name.split(".")
    return (".".join(parts[: end + 1]) for end in range(len(parts)))


def _number(value: float | int | None) -> str:
    return "-" if value is None else f"{value:.5g}" if isinstance(value, float) else str(value)
