"""Print the numbers of the house; with --check, exit with 1 when one of its limits is broken.

    python tools/house.py [--check] [ROOM]

A ROOM such as `core`, `nn` or `converters` restricts numbers and lists to its files, and shows the lists in full.
A module imports what its import statements name, inside functions too; the packages around that do not count.
"""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeGuard

import networkx

from house_words import prose_files, replaced_phrases, replaced_words, vague_places

ROOT = Path(__file__).parent.parent
MAX_LINES = 450
# The rooms by floor, lower floors first: a room imports from lower floors and from itself.
FLOORS = (
    {"mappings"},
    {"core"},
    {"converters", "distributed"},
    {"device"},
    {"ops"},
    {"dataset"},  # its Tensors come with the methods that ops puts on them
    {"mindir", "numpy"},
    {"nn"},
    {"mint", "scipy"},
    {"train"},
    {"verify"},
    {"dropin"},
    {"contrib"},  # named in tables only, and imported at the first use of a name
    {"doctor", "launcher", "networks", "scan"},
    {"api_lookup", "strict_mode", "translate"},
    {"cli"},
)
# The packages of a room by floor, as above.
INNER_FLOORS = {
    "core": (
        {"checks", "html", "runtime"},
        {"releases"},
        {"context", "types"},
        {"errors"},
        {"tensor"},
        {"random", "sparse"},
        {"parameter"},
        {"jit"},
        {"autograd"},
        {"legacy"},
    ),
}
# The modules that others import for type checkers only though they import those, and why both sides need each other.
TYPE_CIRCLES = {
    "msbridge.contrib.rewrite.blocks": "a block is made of statements, and a statement knows the block that it is in",
    "msbridge.device.report.outcome": "an outcome is written by the forms of a report, which are given the outcome",
    "msbridge.translate.reverse.walker": "a walker has nodes changed by functions, which are given the walker",
    "msbridge.translate.walker": "a walker has every kind of node changed by functions, which are given the walker",
    "msbridge.nn.cell.cell": "a Cell is put together of parts, which are given the Cell that they work on",
}
MAX_SHOWN = 20
MAX_FOLDERS = 8  # that are shown


def product_files() -> list[Path]:
    """Return the files of product code."""
    return sorted(path for room in ("msbridge", "converters", "mappings") for path in (ROOT / room).rglob("*.py"))


def module_of(path: Path) -> str:
    """Return the name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts if parts[0] == "msbridge" else ("msbridge", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(path: Path) -> str:
    """Return the room that a file is in."""
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "msbridge" else parts[0]


def files_by_room() -> dict[str, list[Path]]:
    """Return the files of every room that is there, lower floors first."""
    every = [path for path in product_files() if path.parent != ROOT / "msbridge"]
    rooms = {room: [path for path in every if room_of(path) == room] for floor in FLOORS for room in sorted(floor)}
    return {room: files for room, files in rooms.items() if files}


def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Source:
    """The facts of a file of code, by one parse of it; the trees themselves are not kept."""

    lines: int
    imports: list[tuple[ast.Import | ast.ImportFrom | ast.Call, bool]]  # and whether each is for type checkers only
    import_lines: int
    all_lines: int  # of `__all__`
    has_late_all: bool
    replaced_words: list[str]
    vague_names: list[str]


@cache
def source(path: Path) -> Source:
    """Return the facts of a file."""
    tree = tree_of(path)
    nodes = list(ast.walk(tree))
    return Source(
        lines=len(path.read_text(encoding="utf-8").splitlines()),
        imports=_imports(nodes),
        import_lines=_lines_of(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)),
        all_lines=all_lines(tree),
        has_late_all=has_late_all(tree),
        replaced_words=replaced_words(path, tree),
        vague_names=vague_places(path, tree),
    )


def line_count(path: Path) -> int:
    """Return the number of lines of a file."""
    return source(path).lines


def long_files(files: Iterable[Path]) -> list[str]:
    """Return the files over the limit, as paths from the root."""
    return [str(path.relative_to(ROOT)) for path in files if line_count(path) > MAX_LINES]


def import_nodes(path: Path, has_types: bool = False) -> list[ast.Import | ast.ImportFrom | ast.Call]:
    """Return the imports of a file, inside functions and by `import_module` too; with `has_types` for type checkers."""
    return [node for node, for_types in source(path).imports if has_types or not for_types]


def _imports(nodes: list[ast.AST]) -> list[tuple[ast.Import | ast.ImportFrom | ast.Call, bool]]:
    """Return the imports of a file, and whether each is for type checkers only."""
    of_types = {
        id(inner)
        for node in nodes
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    return [(node, id(node) in of_types) for node in nodes if _is_import(node)]


def _is_import(node: ast.AST) -> TypeGuard[ast.Import | ast.ImportFrom | ast.Call]:
    if isinstance(node, ast.Call):
        return "import_module" in (getattr(node.func, "attr", ""), getattr(node.func, "id", "").lstrip("_"))
    return isinstance(node, ast.Import | ast.ImportFrom)


def imports_of(path: Path, modules: set[str], has_types: bool = False) -> set[str]:
    """Return those of `modules` that a file imports; see `import_nodes`."""
    found: set[str] = set()
    for node in import_nodes(path, has_types):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & modules
            found |= submodules
            if len(submodules) < len(node.names):
                found.add(node.module)
        elif isinstance(node, ast.Call):
            found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return found & modules


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms that a file imports, inside functions too, but not for type checkers only."""
    return {name.split(".")[1] for name in _imported_names(path) if name.startswith("msbridge.")}


def package_of(path: Path) -> str | None:
    """Return the package of its room that a file is in, or None for a file of the room itself."""
    parts = path.relative_to(ROOT).parts
    parts = parts[1:] if parts[0] == "msbridge" else parts
    return parts[1] if len(parts) > 2 else None


def imported_packages(path: Path) -> set[str]:
    """Return the packages of its room that a file imports, inside functions too, but not for type checkers only."""
    parts = [name.split(".") for name in _imported_names(path)]
    return {names[2] for names in parts if len(names) > 2 and names[:2] == ["msbridge", room_of(path)]}


def _imported_names(path: Path) -> list[str]:
    names: list[str] = []
    for node in import_nodes(path):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "msbridge":
            names += [f"msbridge.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def import_graph(files: Iterable[Path], has_types: bool = False) -> dict[str, set[str]]:
    """Return which of the modules each module imports; with `has_types` for type checkers, too."""
    paths = {module_of(path): path for path in files}
    return {name: imports_of(path, set(paths), has_types) - {name} for name, path in paths.items()}


def type_circles(files: list[Path]) -> dict[str, list[str]]:
    """Return the modules whose types others need that they import themselves, and those others."""
    executed, whole = import_graph(files), import_graph(files, has_types=True)
    arrows = [
        (other, name)
        for circle in circles(whole)
        for name in sorted(circle)
        for other in (whole[name] - executed[name]) & circle
    ]
    return {other: [name for each, name in arrows if each == other] for other, _ in sorted(arrows)}


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the sets of modules that import each other: the strongly connected components."""
    found = networkx.strongly_connected_components(networkx.DiGraph(graph))
    return sorted((component for component in found if len(component) > 1), key=min)


def _lines_of(nodes: Iterable[ast.stmt]) -> int:
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def _sets_all(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _lists_names(node: ast.stmt) -> bool:
    """Whether a statement assigns a list of nothing but constants."""
    return all(isinstance(item, ast.Constant) for item in getattr(getattr(node, "value", None), "elts", [None]))


def all_lines(tree: ast.Module) -> int:
    """Return how many lines `__all__` takes."""
    return _lines_of(filter(_sets_all, tree.body))


def has_late_all(tree: ast.Module) -> bool:
    """Whether a list of names in `__all__` is anywhere but right after the imports; one that is computed may."""
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    place = next((index for index, node in enumerate(body) if _sets_all(node) and _lists_names(node)), 0)
    return any(
        not (isinstance(node, ast.Import | ast.ImportFrom | ast.Try) or "TYPE_CHECKING" in ast.unparse(node))
        for node in body[:place]
    )


def crowded_folders(files: Iterable[Path]) -> list[str]:
    """Return the folders with the most files of code, the fullest first, as "folder (number)"."""
    counts = Counter(path.parent.relative_to(ROOT) for path in files)
    return [f"{folder} ({count})" for folder, count in sorted(counts.items(), key=lambda row: (-row[1], row[0]))]


def loaded_modules() -> int:
    """Return the number of modules of msbridge that `import mindspore` loads."""
    program = (
        "import sys, msbridge; msbridge.install(); import mindspore;"
        "print(sum(name.partition('.')[0] == 'msbridge' for name in sys.modules))"
    )
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def broken_limits() -> list[str]:
    """Return the files over the limit, the modules that import each other, and words that were replaced."""
    files = product_files()
    return [
        *(f"{path} is over {MAX_LINES} lines: split it by topic" for path in long_files(files)),
        *(f"{' '.join(sorted(circle))} import each other" for circle in circles(import_graph(files))),
        *(
            f"{' '.join(others)} import {name} for its types, and {name} imports them: separate them, or say why not"
            for name, others in type_circles(files).items()
            if name not in TYPE_CIRCLES
        ),
        *(place for path in files for place in (*source(path).replaced_words, *source(path).vague_names)),
        *(place for path in prose_files() for place in replaced_phrases(path)),
    ]


def main(arguments: list[str]) -> int:
    """Print the numbers, and return the exit code."""
    rooms = {argument for argument in arguments if not argument.startswith("-")}
    every = product_files()
    files = [path for path in every if not rooms or rooms & set(path.relative_to(ROOT).parts)]
    total = sum(map(line_count, files))
    print(f"{total} lines of product code in {len(files)} files")
    print(f"{100 * sum(source(path).import_lines for path in files) / total:.1f} % of them import")
    print(f"{100 * sum(source(path).all_lines for path in files) / total:.1f} % of them are __all__")
    for room, paths in files_by_room().items():
        if kept := [path for path in paths if path in set(files)]:
            print(f"{sum(map(line_count, kept)):8} lines in {len(kept):3} files of {room}")
    print(f"fullest folders: {', '.join(crowded_folders(files)[:MAX_FOLDERS])}")
    if not rooms:
        print(
            f"{loaded_modules()} modules are loaded by `import mindspore`; tools/frames.py counts the frames of calls"
        )
    names = {module_of(path) for path in files}
    met = [sorted(circle) for circle in circles(import_graph(every)) if circle & names]
    lists = {
        f"files over {MAX_LINES} lines": [f"{path} ({line_count(ROOT / path)})" for path in long_files(files)],
        "import circles": [" ".join(circle) for circle in met],
        "circles of types": [
            f"{name} and {' '.join(others)}: {TYPE_CIRCLES.get(name, 'no reason is known')}"
            for name, others in type_circles(every).items()
            if names & {name, *others}
        ],
        "files whose __all__ is not right after the imports": [
            str(path.relative_to(ROOT)) for path in files if source(path).has_late_all
        ],
        "words that the vocabulary has replaced": [place for path in files for place in source(path).replaced_words],
        "names that say nothing and live long": [place for path in files for place in source(path).vague_names],
    }
    for title, rows in lists.items():
        print(f"{len(rows)} {title}")
        shown = rows if rooms else rows[:MAX_SHOWN]
        print("".join(f"    {row}\n" for row in shown), end="")
    broken = broken_limits()
    print("".join(f"{problem}\n" for problem in broken), end="")
    return 1 if "--check" in arguments and broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
