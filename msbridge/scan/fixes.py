"""Fixes: former names of MindSpore are replaced by today's, where both mean the same (mappings/renames.toml).

So are the keywords of arguments that another release renamed, where the rest of the call means the same.
"""

import ast
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from msbridge.converters.files.atomic_write import replacing
from msbridge.core.releases.rows import rows_of_name
from msbridge.dropin.release_guess.bindings import Bound
from msbridge.dropin.release_guess.call_forms import renamed_keywords
from msbridge.dropin.release_guess.open_calls import public_names
from msbridge.mappings import table
from msbridge.scan.sources import Source, UnreadableError, python_files

__all__ = ["Fix", "fixes", "write_fix"]

# Modules that have the names of the package above them.
MODULES = re.compile(
    r"^(mindspore\.ops)\.(?:operations|composite|functional)(?:\.\w+)?(?=\.\w+$)|"
    r"^(mindspore)\.common(?:\.api)?(?=\.\w+$)"
)
Edit = tuple[int, int, bytes, bytes]  # line, column in bytes, what is there, what replaces it


@dataclass(frozen=True, slots=True)
class Rename:
    """A row of renames.toml.

    Attributes:
        name: the former name, by its public path.
        now: today's name in the same module.
        bare: whether a call of the former name took other arguments.
    """

    name: str
    now: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """A file with today's names."""

    path: Path
    before: bytes
    after: bytes
    count: int  # of names

    def diff(self) -> str:
        """Return the change as a unified diff."""
        before, after = (text.decode().splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(difflib.unified_diff(before, after, f"a/{self.path}", f"b/{self.path}"))


def fixes(paths: Iterable[Path]) -> Iterator[Fix]:
    """Yield the files that have former names, without writing them; notebooks are left alone.

    Raises:
        FileNotFoundError: a path does not exist.
    """
    for source in python_files(paths):
        if source.is_notebook or "mindspore" not in _text(source):
            continue
        before = source.path.read_bytes()
        lines = before.split(b"\n")
        edits = {edit[:2]: edit for edit in _edits(source) if _is_there(lines, edit)}
        for line, column, old, new in sorted(edits.values(), reverse=True):
            text = lines[line - 1]
            lines[line - 1] = text[:column] + new + text[column + len(old) :]
        if edits:
            yield Fix(source.path, before, b"\n".join(lines), len(edits))


def write_fix(fix: Fix) -> None:
    """Write a fixed file; it appears when it is complete.

    Raises:
        OSError: it cannot be written.
    """
    with replacing(fix.path) as sink:
        sink.write(fix.after)


def _text(source: Source) -> str:
    """Return the text of a file that is Python in UTF-8; "" of others."""
    try:
        text = source.text if source.tree else ""
        return text if text.encode() == source.path.read_bytes().replace(b"\r\n", b"\n") else ""
    except (UnreadableError, OSError):
        return ""


def _is_there(lines: list[bytes], edit: Edit) -> bool:
    line, column, old, _ = edit
    return lines[line - 1][column : column + len(old)] == old


def _edits(source: Source) -> Iterator[Edit]:
    rows: Mapping[str, Rename] = table("renames.toml", Rename)

    def row_of(path: str) -> Rename | None:
        row = rows.get(MODULES.sub(lambda found: found[1] or found[2], path))
        is_called = row and row.bare and re.search(rf"\b{row.name.rpartition('.')[2]}\s*\(", source.text)
        return None if is_called else row

    bound = Bound(source.nodes)
    for node in source.nodes.of(ast.Attribute):
        path = bound.path(node)
        if path and (row := row_of(path)) and not bound.is_unsure(node):
            old = node.attr.encode()
            yield node.end_lineno or 0, (node.end_col_offset or 0) - len(old), old, row.now.encode()
    yield from _keyword_edits(source, bound)
    for each in source.nodes.of(ast.ImportFrom):
        for alias in each.names if each.module and not each.level else ():
            if row := row_of(f"{each.module}.{alias.name}"):
                new = row.now if alias.asname else f"{row.now} as {alias.name}"
                yield alias.lineno, alias.col_offset, alias.name.encode(), new.encode()


def _keyword_edits(source: Source, bound: Bound) -> Iterator[Edit]:
    for call in source.nodes.of(ast.Call):
        path = bound.path(call.func) if call.keywords else ""
        if not path or bound.is_unsure(call.func):
            continue
        for name in public_names(path):
            for word in call.keywords if any(row.arguments is not None for row in rows_of_name(name)) else ():
                new = renamed_keywords(name, call).get(word.arg or "")
                if new:
                    yield word.lineno, word.col_offset, (word.arg or "").encode(), new.encode()
