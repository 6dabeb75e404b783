"""Helpers: what one side has and the other has not, as short definitions that are written into the new source.

They lie in `helper_sources/`, as text that nothing here runs. Each has the name and arguments of the side that is
translated; a class is a subclass of the other side's layer where there is one. A source gets those that it uses, and
what these use.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msbridge.translate.direction import TO_MINDSPORE, Direction

if TYPE_CHECKING:
    from msbridge.translate.context import Context

__all__ = ["Helper", "has", "helpers", "text_of"]

FOLDER = Path(__file__).parent / "helper_sources"


@dataclass(frozen=True, slots=True)
class Helper:
    """A definition."""

    name: str
    text: str
    uses: tuple[str, ...]  # other helpers
    roots: tuple[str, ...]  # of the imports that it needs
    place: str  # the file that it is in


@cache
def helpers(direction: Direction = TO_MINDSPORE) -> dict[str, Helper]:
    """Return all helpers of a direction by name, in the order of their files."""
    definitions: dict[str, Helper] = {}
    trees = {one: ast.parse((FOLDER / f"{one}.txt").read_text(encoding="utf-8")) for one in direction.helpers}
    every = {_name(node) for tree in trees.values() for node in tree.body} - {""}
    for place, tree in trees.items():
        lines = (FOLDER / f"{place}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        for node in tree.body:
            if name := _name(node):
                first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
                names = _free_names(node)
                uses = tuple(sorted(names & every - {name}))
                roots = tuple(one for one in direction.imports if one in names)
                definitions[name] = Helper(
                    name, "".join(lines[first - 1 : node.end_lineno]).rstrip(), uses, roots, place
                )
    return definitions


def _free_names(node: ast.AST) -> set[str]:
    """Return the names that a definition reads and does not bind."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    bound = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return names - bound - {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}


def _name(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return node.name
    return node.targets[0].id if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else ""


def has(path: str, direction: Direction = TO_MINDSPORE) -> bool:
    """Whether a name has a helper."""
    module, _, name = path.rpartition(".")
    one = helpers(direction).get(name)
    return one is not None and module in direction.helpers[one.place]


def text_of(context: "Context") -> tuple[str, list[str]]:
    """Return the helpers of a source as text, and the roots of what they import."""
    wanted: dict[str, None] = {}
    known = helpers(context.direction)
    waiting = list(context.helpers)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted[name] = None
            waiting += known[name].uses
    every = [one for one in known.values() if one.name in wanted]
    if not every:
        return "", []
    text = "\n\n\n".join(one.text for one in every)
    for one in every:
        if one.name in context.names:
            text = re.sub(rf"(?<![\w.]){one.name}\b(?!=[^=])", f"{one.name}_of_{context.direction.suffix}", text)
    roots = sorted({root for one in every for root in one.roots})
    for root in roots:
        if (now := context.use(root)) != root:
            text = re.sub(rf"(?<![\w.]){root}\.", f"{now}.", text)
    return f"\n\n{context.direction.header}{text}\n", roots
