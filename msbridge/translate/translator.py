"""`translate`: reads a text, walks through it once, and writes what was changed."""

import ast
import warnings
from bisect import bisect_right
from collections.abc import Collection

from msbridge.translate import imports, reverse
from msbridge.translate.context import Context
from msbridge.translate.direction import TO_MINDSPORE, TO_TORCH
from msbridge.translate.translation import Kind, Line, Translation, UntranslatableError
from msbridge.translate.walker import Walker

__all__ = ["translate"]

DIRECTIONS = {"mindspore": TO_MINDSPORE, "torch": TO_TORCH}


def translate(
    source: str, *, module: str | None = None, to: str = "mindspore", packages: Collection[str] = ()
) -> Translation:
    """Return MindSpore source for torch source, or torch source for MindSpore source; nothing of it is run.

    Args:
        source: the text of a file.
        module: the class that is wanted, which must be in it; None takes the file as it is.
        to: "mindspore" or "torch".
        packages: those that are translated as well, whose imports stay, such as the package that the file is in.

    Returns:
        The new source, and what became of each line.

    Raises:
        UntranslatableError: the text is not Python, or has no such class.
    """
    tree = _parse(source)
    if module is not None and not any(isinstance(one, ast.ClassDef) and one.name == module for one in ast.walk(tree)):
        known = ", ".join(one.name for one in tree.body if isinstance(one, ast.ClassDef))
        raise UntranslatableError(f"there is no class {module!r}; the file has {known or 'none'}.")
    if to not in DIRECTIONS:
        raise UntranslatableError(f"to must be 'mindspore' or 'torch', got {to!r}.")
    context = Context(source, tree, packages, DIRECTIONS[to])
    if to == "torch":
        reverse.Walker(context).body(tree.body)
    else:
        imports.take_fallbacks(context)
        Walker(context).body(tree.body)
    imports.visit(context)
    imports.write(context)
    return _finish(context)


def _parse(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise UntranslatableError(f"line {error.lineno}: {error.msg}.") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise UntranslatableError(f"{str(error) or 'nested too deeply'}.") from error


def _finish(context: Context) -> Translation:
    """Write the marks, apply the edits, and say where each line went."""
    text = context.text
    for number, reasons in context.marks.items():
        line = text.lines[number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        text.insert(text.line_start(number), "".join(f"{indent}# msbridge: {one}\n" for one in reasons))
    result = text.result()
    shifts: list[tuple[int, int]] = []
    added, last = 0, 0
    for edit in text.edits:
        if edit.start >= last:
            added += edit.text.count("\n") - text.source.count("\n", edit.start, edit.end)
            shifts.append((edit.end, added))
            last = edit.end
    ends = [place for place, _ in shifts]
    lines = []
    for number in range(1, len(text.lines) + 1):
        index = bisect_right(ends, text.line_start(number))
        output = number + (shifts[index - 1][1] if index else 0)
        kind = context.kinds.get(number, Kind.SAME)
        lines.append(Line(number, kind, tuple(context.reasons.get(number, ())), output))
    _check(result)
    return Translation(result, tuple(lines), text.source)


def _check(result: str) -> None:
    try:
        _parse(result)
    except UntranslatableError as error:
        raise AssertionError(f"the translation is not Python: {error}") from error
