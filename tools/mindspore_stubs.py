"""Write the stubs by which type checkers and editors resolve `import mindspore` to msbridge's types (PEP 561).

    python tools/mindspore_stubs.py FOLDER      # as setup.py does for the wheel

A stub only points at our rooms, as msbridge/core/releases/public_modules.py, mappings/module_aliases.tsv and
msbridge/__init__.py do for running scripts; nothing that needs torch is imported to write it. Private and deep paths
have one where public scripts use them (mappings/names.tsv).
"""

import ast
import re
import runpy
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
MARKER = "partial\n"  # what has no stub is looked for in MindSpore itself, where it is installed
TOP = "mindspore._top"
LONG = 200  # characters of a stub that is worth an import of another
PRIVATE = re.compile(r"^(_\w+)( =|:)| as _", re.MULTILINE)  # what `import *` leaves out
DEFINITION = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)
DEEP = tuple(f"mindspore.{room}." for room in ("dataset", "mint.nn", "nn", "ops.operations", "train"))
INTERNAL = {
    "cli",
    "converters",
    "core",
    "device",
    "distributed",
    "dropin",
    "mappings",
    "verify",
    "api",
    "scan",
    "launcher",
    "doctor",
}


def generate() -> dict[str, str]:
    """Return the text of every file of `mindspore-stubs`, by its path there."""
    paths = modules()
    texts = {"py.typed": MARKER, "_top.pyi": top()}
    for path in sorted(paths):
        below = {other.rpartition(".")[2] for other in paths if other.rpartition(".")[0] == path}
        place = "/".join(path.split(".")[1:])
        file = f"{place}/__init__.pyi".lstrip("/") if below else f"{place}.pyi"
        texts[file] = stub(path, below)
    return texts | dict(shared(texts))


def shared(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what is in place of texts that another stub has too: an import of all that is there."""
    first: dict[str, str] = {}
    for file, text in texts.items():
        module = "mindspore." + file.removesuffix(".pyi").replace("/", ".")
        if text in first and len(text) > LONG and not PRIVATE.search(text):
            yield file, f"from {first[text]} import *\n"
        first.setdefault(text, module)


@cache
def namespace(file: str) -> dict[str, Any]:
    """Return what a file of ours that imports nothing of ours defines."""
    return runpy.run_path(str(ROOT / "msbridge" / file))


@cache
def rows() -> dict[str, dict[str, str]]:
    """Return the paths of MindSpore that are here, and their names that are elsewhere, with the dotted paths."""
    rooms, aliases = namespace("core/releases/public_modules.py"), list(lines_of("module_aliases.tsv"))
    known = [*rooms["SAME"], *rooms["ROOMS"], *rooms["MOVED"]]
    paths = {*(f"mindspore.{path}" for path in known), *(module for module, *_ in lines_of("module_names.tsv"))}
    found: dict[str, dict[str, str]] = {path: {} for path in paths if path != "mindspore"}
    for place, target in rooms["OBJECTS"].items():
        path, _, name = f"mindspore.{place}".rpartition(".")
        found.setdefault(path, {})[name] = rooms["in_our_tree"](target)
    for name, origin, modules, *_ in aliases:
        for path in modules.split():
            found.setdefault(path, {})[name] = origin
    return found


@cache
def names_of(path: str) -> frozenset[str]:
    """Return the names that a module has in MindSpore."""
    cells = next((cells for cells in lines_of("module_names.tsv") if cells[0] == path), [])
    return frozenset(name for cell in cells[1:] for name in cell.split())


def lines_of(table: str) -> Iterator[list[str]]:
    """Yield the cells of a table's lines."""
    lines = (ROOT / "mappings" / table).read_text(encoding="utf-8").splitlines()
    yield from [line.split("\t") for line in lines if line and line[0] != "#"][1:]


@cache
def rooms_for(path: str) -> list[str]:
    """Return our modules that answer for a path, in the order in which they are asked."""
    rooms = namespace("core/releases/public_modules.py")
    if same := rooms["SAME"].get(path.removeprefix("mindspore.")):
        return [rooms["in_our_tree"](same)]
    own = "msbridge" + path.removeprefix("mindspore")  # the top's is `msbridge`
    found = [room for room in (own, *rooms["rooms_of"](path)) if file_of(room) or not room.startswith("msbridge")]
    above = next(filter(file_of, rooms["rooms_above"](path)), "msbridge")
    return [*dict.fromkeys(found if file_of(own) else [*found, above])]


def in_our_files(place: str) -> str:
    """Return where a name is in our files; a public path leads to one of its rooms."""
    module, _, name = place.rpartition(".")
    if not place.startswith("mindspore."):
        return place
    places = [f"{room}.{name}" for room in rooms_for(module)]
    bound = (each for each in places if file_of(each) or is_bound(name, each.rpartition(".")[0]))
    return next(bound, places[0])


def modules() -> set[str]:
    """Return the MindSpore modules that get a stub."""
    used = set(names_in_use())
    used |= {f"{name}.".rpartition(".")[0].rpartition(".")[0] for name in used}
    ours = {f"mindspore.{path.parent.relative_to(ROOT / 'msbridge')}" for path in ROOT.glob("msbridge/*/__init__.py")}
    wanted = {"mindspore"} | ours
    wanted |= {path for path in rows() if "._" not in path and (path.count(".") <= 2 or path.startswith(DEEP))}
    wanted |= {path for path in used if path in rows() or file_of("msbridge" + path[9:])}
    found = {path for path in wanted if f"{path}.".split(".")[1] not in INTERNAL}
    return found.union(*({path.rsplit(".", up)[0] for up in range(1, path.count("."))} for path in found))


@cache
def names_in_use() -> frozenset[str]:
    """Return the names that public scripts use, with their modules."""
    lines = (ROOT / "mappings/names.tsv").read_text(encoding="utf-8").splitlines()
    return frozenset(line.partition("\t")[0] for line in lines if line.startswith("mindspore"))


@cache
def file_of(module: str) -> Path | None:
    """Return the file of one of our modules; stubs come first, as for a type checker."""
    inside = module.removeprefix("msbridge").replace(".", "/").lstrip("/")
    top = ROOT if inside.partition("/")[0] in ("converters", "mappings") else ROOT / "msbridge"
    found = [top / inside / "__init__.pyi", top / inside / "__init__.py"]
    found += [top / f"{inside}.pyi", top / f"{inside}.py"] if inside else []
    return next((path for path in found if path.is_file()), None)


def stub(path: str, below: Iterable[str]) -> str:
    """Return what the stub of a MindSpore module says: its submodules, then the names of our rooms."""
    renames, rooms = rows().get(path, {}), rooms_for(path)
    taken = {*renames} | {name for room in rooms for name in defined(room)}
    first = [f"from {path} import {child} as {child}" for child in sorted(below) if child not in taken]
    for room in rooms:
        first += [f"from {TOP} import *"] if room == "msbridge" else [*private(path, room), f"from {room} import *"]
        first += passed_on(room)
    lines = [line for name, place in sorted(renames.items()) for line in renamed(name, in_our_files(place))]
    lines += private_names(path, taken)
    version = ["__version__: str"] if path == "mindspore" else []
    # There and back: of two imports of a name mypy takes the first, pyright the last.
    return "\n".join([*first, *lines, *reversed(first if len(first) > 1 else []), *version, ""])


def private(path: str, room: str) -> Iterator[str]:
    """Yield the imports of names in use that begin with an underscore, which are no part of `import *`."""
    file = file_of(room)
    for name in sorted(names_in_use()) if file and file.stem != "__init__" else ():
        module, _, own = name.rpartition(".")
        if module == path and own.startswith("_") and own in defined(room):
            yield f"from {room} import {own} as {own}"


def private_names(path: str, taken: set[str]) -> Iterator[str]:
    """Yield the lines of a module's names that have files of their own, by themselves or without their underscore."""
    files = namespace("dropin/importing/private_names.py")["FILES"]
    homes = {name: module for module, names in files.items() for name in names.split()}
    known = {each.rpartition(".")[2] for each in names_in_use() if each.rpartition(".")[0] == path}
    for name in sorted((known | names_of(path)) - taken):
        if (own := name if name in homes else name.lstrip("_")) in homes:
            yield from renamed(name, f"{homes[own]}.{own}")


def renamed(name: str, place: str) -> Iterator[str]:
    """Yield the lines by which `name` is what is at `place`."""
    module, _, own = place.rpartition(".")
    if own == "__version__":
        yield f"{name}: str"
        return
    while module != "msbridge" and own in imports_of(module):
        module = imports_of(module)[own]
    if not file_of(place) and not is_bound(own, module):  # made while running
        yield "from typing import Any"
        yield f"{name}: Any"
    elif name == own:
        yield f"from {TOP if module == 'msbridge' else module} import {name} as {name}"
    else:
        yield f"from {TOP if module == 'msbridge' else module} import {own} as _{own}_"
        yield f"{name} = _{own}_"


def is_bound(name: str, module: str) -> bool:
    """Whether a type checker finds a name in the file of one of our modules, or in what it imports as a whole."""
    file = file_of(module)
    text = "" if file is None else file.read_text(encoding="utf-8")
    if module == "msbridge":
        return name in defined(module)
    return " import *" in text or bool(re.search(rf"^(def |class )?{name}\b|^from .*\b{name}\b", text, re.M))


@cache
def imports_of(module: str) -> dict[str, str]:
    """Return the names that one of our files imports from others of ours for its own use, with their modules."""
    file = file_of(module)
    tree = ast.parse("" if file is None else file.read_text(encoding="utf-8"))
    nodes = [
        node for node in tree.body if isinstance(node, ast.ImportFrom) and str(node.module).startswith("msbridge.")
    ]
    names = [(name.name, str(node.module)) for node in nodes for name in node.names if not name.asname]
    return {name: module for name, module in names if not file_of(f"{module}.{name}")}


@cache
def defined(room: str) -> frozenset[str]:
    """Return the names of functions and classes in the files of a room, by which a submodule may be hidden."""
    file = file_of(room)
    if file is None or room == "msbridge":
        return frozenset(re.findall(r"as (\w+)$", top(), re.MULTILINE))
    files = file.parent.rglob("*.py") if file.stem == "__init__" else [file]
    return frozenset(name for path in files for name in DEFINITION.findall(path.read_text(encoding="utf-8")))


def passed_on(room: str) -> Iterator[str]:
    """Yield the imports of one room's table of contents that a type checker would take for its own use."""
    file = file_of(room)
    if file is None or file.stem != "__init__":
        return
    for name, module in imports_of(room).items():
        if name[0] not in "*_":
            yield f"from {module} import {name} as {name}"


@cache
def top() -> str:
    """Return the stub of MindSpore's first level without its submodules."""
    lines = []
    tree = ast.parse((ROOT / "msbridge/__init__.py").read_text(encoding="utf-8"))
    table = next(
        node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_NAMES"
    )
    for module, names in eval(ast.unparse(table.value)).items():
        for name in names:
            place = f"{module}.{name}" if file_of(f"{module}.{name}") else module
            if place == module or name in defined(place):  # else a room
                lines.append(f"from {place} import {name} as {name}")
    for node in ast.parse((ROOT / "msbridge/api.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module != "msbridge":
            part = [name.name for name in node.names]
            lines += [f"from {node.module} import " + ("*" if name == "*" else f"{name} as {name}") for name in part]
    return "\n".join([*lines, ""])


def write(folder: Path) -> None:
    """Write the stub package into `folder`."""
    for name, text in generate().items():
        path = folder / "mindspore-stubs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
