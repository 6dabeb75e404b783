"""Helpers: what torch has and MindSpore has not, as short definitions that are written into the new source.

They lie in `helper_sources/`, as text that nothing here runs. Each has torch's name and arguments; a class is a
subclass of MindSpore's layer where there is one. A source gets those that it uses, and what these use.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from msbridge.translate.context import Context

__all__ = ["Helper", "has", "helpers", "text_of"]

FOLDER = Path(__file__).parent / "helper_sources"
# Which names of torch the definitions of a file answer to.
PLACES = {
    "functions": ("torch", "torch.nn.functional", "torch.Tensor", "torch.linalg", "torch.special"),
    "init": ("torch.nn.init",),
    "layers": ("torch.nn",),
    "networks": ("torch.utils.data",),
}
ROOTS = ("ms", "nn", "ops", "mint", "math", "np", "Tensor", "Parameter")
BEGIN = "# What torch has and MindSpore has not under that name, written out by `msbridge translate`.\n"


@dataclass(frozen=True, slots=True)
class Helper:
    """A definition."""

    name: str
    text: str
    uses: tuple[str, ...]  # other helpers
    roots: tuple[str, ...]  # of the imports that it needs
    place: str  # the file that it is in


@cache
def helpers() -> dict[str, Helper]:
    """Return all helpers by name, in the order of their files."""
    definitions: dict[str, Helper] = {}
    trees = {one: ast.parse((FOLDER / f"{one}.txt").read_text(encoding="utf-8")) for one in PLACES}
    every = {_name(node) for tree in trees.values() for node in tree.body} - {""}
    for place, tree in trees.items():
        lines = (FOLDER / f"{place}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        for node in tree.body:
            if name := _name(node):
                first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
                names = _free_names(node)
                uses = tuple(sorted(names & every - {name}))
                roots = tuple(one for one in ROOTS if one in names)
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


def has(path: str) -> bool:
    """Whether a name of torch has a helper."""
    module, _, name = path.rpartition(".")
    one = helpers().get(name)
    return one is not None and module in PLACES[one.place]


def text_of(context: "Context") -> tuple[str, list[str]]:
    """Return the helpers of a source as text, and the roots of what they import."""
    wanted: dict[str, None] = {}
    waiting = list(context.helpers)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted[name] = None
            waiting += helpers()[name].uses
    every = [one for one in helpers().values() if one.name in wanted]
    if not every:
        return "", []
    text = "\n\n\n".join(one.text for one in every)
    for one in every:
        if one.name in context.names:
            text = re.sub(rf"(?<![\w.]){one.name}\b(?!=[^=])", f"{one.name}_of_torch", text)
    roots = sorted({root for one in every for root in one.roots})
    for root in roots:
        if (now := context.use(root)) != root:
            text = re.sub(rf"(?<![\w.]){root}\.", f"{now}.", text)
    return f"\n\n{BEGIN}{text}\n", roots
