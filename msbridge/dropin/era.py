"""Guess the release that a script was written for, from module paths that only one era had."""

import ast
from collections.abc import Iterator
from pathlib import Path

from msbridge.core.files import read_file
from msbridge.core.release import NEWEST, parse
from msbridge.dropin.forwarding import rows

MOST_BYTES = 16 << 20  # of a module
LIMIT_FILES = 200  # of the script's own modules that are read


def guess(script: Path) -> tuple[str, str] | None:
    """Read which MindSpore modules the script and its own modules import.

    Args:
        script: the file that runs.

    Returns:
        The newest release that had all of them, and the path that says so; None when the newest era had them all, or
        when no single release did.
    """
    used = set(imports(script))
    dated = [rows()[path] for path in used if path in rows()]
    first = max((parse(row.since) for row in dated if row.since), default=(1, 0))
    ended = [row for row in dated if row.until]
    if not ended:
        return None
    last = min(ended, key=lambda row: (parse(row.until), row.path))
    if parse(last.until) < first or parse(last.until)[0] == NEWEST[0]:
        return None
    return last.until, last.path


def imports(script: Path) -> Iterator[str]:
    """Yield the MindSpore modules that `script` imports, and those that the modules beside it import."""
    waiting, seen = [script], {script}
    while waiting and len(seen) <= LIMIT_FILES:
        for name in _imported(waiting.pop(), script.parent):
            if name.partition(".")[0] == "mindspore":
                yield name
                continue
            path = script.parent.joinpath(*name.split("."))
            for file in (path.with_suffix(".py"), path / "__init__.py"):
                if file not in seen and file.is_file():
                    seen.add(file)
                    waiting.append(file)


def _imported(file: Path, root: Path) -> Iterator[str]:
    """Yield the dotted names that `file` imports; those that are relative to it, relative to `root`."""
    try:
        tree = ast.parse(read_file(file, MOST_BYTES))
    except (
        OSError,
        SyntaxError,
        ValueError,
        RecursionError,
        MemoryError,
    ):  # Python itself will say so, if it comes to that
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (not node.level or root in list(file.parents)[node.level - 1 :]):
            folder = file.parents[node.level - 1].relative_to(root).parts if node.level else ()
            module = ".".join([*folder, *([node.module] if node.module else [])])
            yield from filter(None, (module, *(f"{module}.{alias.name}" for alias in node.names)))
