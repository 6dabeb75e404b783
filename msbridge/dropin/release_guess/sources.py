"""Names of MindSpore that a script and its own modules use, as they are written; nothing of it is run."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from msbridge.core.runtime.plain_files import read_file
from msbridge.dropin.release_guess.bindings import Bound
from msbridge.dropin.release_guess.nodes import Nodes

MAX_BYTES = 16 << 20  # of a module
_COLUMNS = ("input_columns", "output_columns")
MAX_FILES = 200  # of the script's own modules that are read


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file.

    Attributes:
        name: its path, from the script's folder.
        names: what its names represent.
    """

    name: str
    names: Bound


def modules_of(script: Path) -> Iterator[Source]:
    """Yield `script` and the modules beside it that it imports, parsed."""
    waiting, seen = [script], {script}
    while waiting and len(seen) <= MAX_FILES:
        file = waiting.pop()
        if (tree := parse_file(file)) is None:
            continue
        yield Source(str(file.relative_to(script.parent)), Bound(Nodes(tree)))
        for name in _find_imports(tree, file, script.parent):
            path = script.parent.joinpath(*name.split("."))
            for beside in (path.with_suffix(".py"), path / "__init__.py"):
                if beside not in seen and beside.is_file():
                    seen.add(beside)
                    waiting.append(beside)


def parse_file(file: Path) -> ast.Module | None:
    """Parse a file; None where it cannot be read, or is not Python: Python itself will say so, if it comes to that."""
    try:
        return ast.parse(read_file(file, MAX_BYTES))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def sources_of(files: Iterable[Path]) -> Iterator[Source]:
    """Yield files, parsed, but those that cannot be."""
    trees = ((str(file), parse_file(file)) for file in files)
    return (Source(name, Bound(Nodes(tree))) for name, tree in trees if tree is not None)


def names_in(sources: Iterable[Source]) -> set[str]:
    """Return the names of MindSpore that files use: dotted paths as they are written.

    An argument that a call names follows the path in parentheses, "mindspore.nn.Dropout(p)", and so does the number of
    those without names, "mindspore.ops.norm(#3)". Of a dataset's columns that become more or fewer without a list of
    all, "*.map(no column_order)" decides.
    """
    names: set[str] = set()
    for source in sources:
        names.update(name for name, _ in uses(source.names))
        names.update(_counts(source.names))
    return names


def uses(names: Bound) -> Iterator[tuple[str, ast.AST]]:
    """Yield a file's uses of MindSpore as names, as in `names_in`, with their nodes: imports, attributes, and calls.

    Args:
        names: what the names of the file represent, of MindSpore or of other packages.
    """
    nodes = names.nodes
    for one in nodes.of(ast.Import):
        yield from ((alias.name, alias) for alias in one.names if names.has(alias.name))
    for each in nodes.of(ast.ImportFrom):
        if not each.level and each.module and names.has(each.module):
            yield each.module, each
            yield from ((f"{each.module}.{alias.name}", alias) for alias in each.names if alias.name != "*")
    for node in nodes.of(ast.Attribute) if names.wanted else ():
        if path := names.path(node):
            yield path, node  # and what it is an attribute of, which is a node of its own
    for call in nodes.of(ast.Call):
        if call.keywords:
            yield from ((name, call) for name in _arguments(call, names))


def _arguments(call: ast.Call, names: Bound) -> Iterator[str]:
    path = names.path(call.func)
    if not path and isinstance(call.func, ast.Attribute):
        path = f"*.{call.func.attr}"  # a method of an unknown object
    words = {word.arg: word.value for word in call.keywords if word.arg}
    if path:
        yield from (f"{path}({word})" for word in words)
    counts = {len(one.elts) for name in _COLUMNS if isinstance(one := words.get(name), ast.List)}
    if path == "*.map" and len(counts) > 1 and "column_order" not in words:
        yield "*.map(no column_order)"


def _counts(names: Bound) -> Iterator[str]:
    """Yield the calls of names with several arguments by place: the path, and how many."""
    for call in names.nodes.of(ast.Call) if names.wanted else ():
        is_shown = len(call.args) > 1 and not any(isinstance(each, ast.Starred) for each in call.args)
        if is_shown and (path := names.path(call.func)):
            yield f"{path}(#{len(call.args)})"


def _find_imports(tree: ast.Module, file: Path, root: Path) -> Iterator[str]:
    """Yield the dotted names that `file` imports; those that are relative to it, relative to `root`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (not node.level or root in list(file.parents)[node.level - 1 :]):
            folder = file.parents[node.level - 1].relative_to(root).parts if node.level else ()
            module = ".".join([*folder, *([node.module] if node.module else [])])
            yield from filter(None, (module, *(f"{module}.{alias.name}" for alias in node.names)))
