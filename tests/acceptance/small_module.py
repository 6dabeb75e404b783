"""Put other values into a script's Python file of settings, for those that no option sets; started by jobs.

msbridge run small_module.py FILE NAME=VALUE …      # batch_size=2, config.image_size=(96, 96): the value in Python

Set are assignments, keys of dictionaries, keywords of calls and defaults of `add_argument` that have the name's last
part. The parts before it name assignments, keys, functions or classes around them.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["main", "places"]


def main(file: str, *changes: str) -> None:
    """Change the file, which is a copy of the script's."""
    for name, value in (change.split("=", 1) for change in changes):
        text = Path(file).read_text(encoding="utf-8")
        found = [node for path, node in places(ast.parse(text), ()) if fits(path, tuple(name.split(".")))]
        if not found:
            raise SystemExit(f"{file}: no setting is called {name}")
        starts = [0]
        for line in text.encode().splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        content = text.encode()
        for node in sorted(found, key=lambda node: (-node.lineno, -node.col_offset)):
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            content = content[:begin] + value.encode() + content[end:]
        Path(file).write_bytes(content)


def fits(path: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether a place has the name's last part, and the other parts, in order, around it."""
    around = iter(path[:-1])
    return path[-1] == wanted[-1] and all(part in around for part in wanted[:-1])


def places(node: ast.AST, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ast.expr]]:
    """Give every value in a file that has a name, with the names around it."""
    inside = path
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        inside = (*path, ast.unparse(targets[0]).rpartition(".")[2])
        yield inside, node.value
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield (*path, str(key.value)), value
                yield from places(value, (*path, str(key.value)))
        return
    elif isinstance(node, ast.Call):
        option = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
        for word in node.keywords:
            named = str(option).lstrip("-") if word.arg == "default" else word.arg
            yield (*path, named or ""), word.value
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = (*path, node.name)
    for child in ast.iter_child_nodes(node):
        yield from places(child, inside)


if __name__ == "__main__":
    main(*sys.argv[1:])
