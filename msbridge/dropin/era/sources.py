"""Which names of MindSpore a script and its own modules use, as they are written; nothing of it is run."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from msbridge.core.files import read_file
from msbridge.dropin.era.nodes import children, statements, walk

MOST_BYTES = 16 << 20  # of a module
_COLUMNS = ("input_columns", "output_columns")
LIMIT_FILES = 200  # of the script's own modules that are read


def modules_of(script: Path) -> Iterator[ast.Module]:
    """Yield `script` and the modules beside it that it imports, parsed."""
    waiting, seen = [script], {script}
    while waiting and len(seen) <= LIMIT_FILES:
        file = waiting.pop()
        if (tree := parsed(file)) is None:
            continue
        yield tree
        for name in _imported(tree, file, script.parent):
            path = script.parent.joinpath(*name.split("."))
            for beside in (path.with_suffix(".py"), path / "__init__.py"):
                if beside not in seen and beside.is_file():
                    seen.add(beside)
                    waiting.append(beside)


def parsed(file: Path) -> ast.Module | None:
    """Parse a file; None where it cannot be read, or is no Python: Python itself will say so, if it comes to that."""
    try:
        return ast.parse(read_file(file, MOST_BYTES))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def names_in(trees: Iterable[ast.Module]) -> set[str]:
    """Return what is used of MindSpore: dotted paths as they are written.

    An argument that a call names follows the path in parentheses: "mindspore.nn.Dropout(p)". Of a dataset's columns
    that become more or fewer without a list of all, "*.map(no column_order)" tells.
    """
    return {name for tree in trees for name, _ in uses(tree)}


def uses(tree: ast.Module, packages: Collection[str] = ("mindspore",)) -> Iterator[tuple[str, ast.AST]]:
    """Yield what is used of MindSpore, as `names_in` has it, with where that is: imports, attributes, and calls.

    A name that an argument or a variable of a function hides is left out there.

    Args:
        tree: a file.
        packages: other packages than MindSpore.
    """
    known = dict(_known(tree, packages))
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, hidden = waiting.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias) for alias in node.names if _is_of(alias.name, packages))
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module and _is_of(node.module, packages):
            yield node.module, node
            yield from ((f"{node.module}.{alias.name}", alias) for alias in node.names if alias.name != "*")
        elif isinstance(node, ast.Attribute):
            if (path := _path(node, known)) and _first(node) not in hidden:
                yield path, node  # and what it is an attribute of, as its child
        elif isinstance(node, ast.Call) and node.keywords:
            seen = {} if _first(node.func) in hidden else known
            yield from ((name, node) for name in _arguments(node, seen))
        body: set[int] = set()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = {id(node.body)} if isinstance(node, ast.Lambda) else set(map(id, node.body))
        inner = hidden | _own(node) if body and known else hidden
        waiting += [(child, inner if id(child) in body else hidden) for child in children(node)]


def _own(node: ast.AST) -> set[str]:
    """Return the names of a function's arguments and variables."""
    inner = list(walk(node))
    arguments = {each.arg for each in inner if isinstance(each, ast.arg)}
    return arguments | {each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _first(node: ast.expr) -> str:
    """Return the name that a dotted path begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _arguments(call: ast.Call, known: Mapping[str, str]) -> Iterator[str]:
    path = _path(call.func, known)
    if path is None and isinstance(call.func, ast.Attribute):
        path = f"*.{call.func.attr}"  # a method of an unknown object
    words = {word.arg: word.value for word in call.keywords if word.arg}
    if path is not None:
        yield from (f"{path}({word})" for word in words)
    counts = {len(one.elts) for name in _COLUMNS if isinstance(one := words.get(name), ast.List)}
    if path == "*.map" and len(counts) > 1 and "column_order" not in words:
        yield "*.map(no column_order)"


def _known(tree: ast.Module, packages: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the local names that imports bind to those of some packages, with their paths."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_of(alias.name, packages):
                    first = alias.name.partition(".")[0]
                    yield (alias.asname, alias.name) if alias.asname else (first, first)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module and _is_of(node.module, packages):
            yield from (
                (alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names if alias.name != "*"
            )


def _path(node: ast.expr, known: Mapping[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute) and (owner := _path(node.value, known)):
        return f"{owner}.{node.attr}"
    return None


def _is_of(path: str, packages: Collection[str]) -> bool:
    return path.partition(".")[0] in packages


def _imported(tree: ast.Module, file: Path, root: Path) -> Iterator[str]:
    """Yield the dotted names that `file` imports; those that are relative to it, relative to `root`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (not node.level or root in list(file.parents)[node.level - 1 :]):
            folder = file.parents[node.level - 1].relative_to(root).parts if node.level else ()
            module = ".".join([*folder, *([node.module] if node.module else [])])
            yield from filter(None, (module, *(f"{module}.{alias.name}" for alias in node.names)))
