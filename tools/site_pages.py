"""What the site has beside the pages in docs/: files of the root, and the reference, which is made of docstrings."""

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
OF_ROOT = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/RESULTS.md": "measurements.md",
    "examples/README.md": "examples/index.md",
}
EXAMPLES = [str(page.relative_to(ROOT)) for page in sorted((ROOT / "examples").glob("*/README.md"))]
OF_ROOT |= {page: page.replace("README.md", "index.md") for page in EXAMPLES}
PAGES = OF_ROOT | {"README.md": "index.md", "msbridge/api.py": "api/index.md"}  # what a link to a file leads to
REFERENCE: dict[str, tuple[str, ...]] = {
    "msbridge": (
        "msbridge.dropin.importing.install.install",
        "msbridge.dropin.importing.install.uninstall",
        "msbridge.core.releases.release.set_release",
        "msbridge.strict_mode.strict.strict",
        "msbridge.nn.bridge.conversion.to_torch",
        "msbridge.nn.bridge.conversion.from_torch",
    ),
    "converters": (
        "converters.conversion.convert",
        "converters.checkpoint.open_checkpoint",
        "converters.checkpoint.Checkpoint",
        "converters.loading.load_into",
        "converters.options.Options",
        "converters.report.Report",
        "converters.errors.CheckpointError",
    ),
    "verify": (
        "msbridge.verify.side_by_side.compare",
        "msbridge.verify.against_recording.compare_recorded",
        "msbridge.verify.plugin.side_by_side",
        "msbridge.verify.plugin.assert_same",
    ),
    "tensor": ("msbridge.core.tensor.tensor.Tensor",),
    "amp": (
        "msbridge.train.amp.auto_mixed_precision",
        "msbridge.train.amp.custom_mixed_precision",
        "msbridge.train.amp.get_white_list",
        "msbridge.train.amp.get_black_list",
        "msbridge.train.loss_scalers.LossScaler",
        "msbridge.train.loss_scalers.StaticLossScaler",
        "msbridge.train.loss_scalers.DynamicLossScaler",
        "msbridge.train.loss_scalers.all_finite",
        "msbridge.train.loss_scalers.init_status",
    ),
}
PACKAGES = {  # whose public names are documented one by one
    "nn": "msbridge.nn",
    "train": "msbridge.train",
    "dataset": "msbridge.dataset",
    "transforms": "msbridge.dataset.transforms",
    "vision": "msbridge.dataset.vision",
    "text": "msbridge.dataset.text",
    "audio": "msbridge.dataset.audio",
}
OPERATORS = ("ops", "mint", "numpy")  # rooms whose functions a stub lists, with the files that they are in
INDEX = {
    "msbridge": "Start: serve `import mindspore`, choose a release, be strict, pass networks to torch and back",
    "tensor": "`Tensor` and its methods",
    "ops": "Operators: `mindspore.ops`",
    "mint": "Operators with torch's argument names: `mindspore.mint`",
    "nn": "Cells, layers, losses and optimizers: `mindspore.nn`",
    "numpy": "Functions with numpy's names: `mindspore.numpy`",
    "train": "`Model`, callbacks, metrics and checkpoints: `mindspore.train`",
    "amp": "Mixed precision and loss scaling: `mindspore.amp`",
    "dataset": "Readers, operations and samplers: `mindspore.dataset`",
    "transforms": "Transforms of any data: `mindspore.dataset.transforms`",
    "vision": "Transforms of images: `mindspore.dataset.vision`",
    "text": "Transforms of text: `mindspore.dataset.text`",
    "audio": "Transforms of sound: `mindspore.dataset.audio`",
    "converters": "Convert and load checkpoints in Python",
    "verify": "Compare networks in Python and in pytest",
}
_LISTED = re.compile(r"^from (msbridge\.\S+) import (\w+) as \2$", re.MULTILINE)
_LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)\s#]+)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not in docs/."""
    from mkdocs.structure.files import File

    for source, page in OF_ROOT.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=of_root(text, source)))
        for beside in (ROOT / source).parent.iterdir() if source in EXAMPLES else ():
            if beside.suffix in (".py", ".ipynb"):
                files.append(File.generated(config, str(beside.relative_to(ROOT)), abs_src_path=str(beside)))
    rooms = REFERENCE | {room: listed(room) for room in OPERATORS}
    rooms |= {room: sorted(published(module), key=_last) for room, module in PACKAGES.items()}
    for room, names in rooms.items():
        members = "\n".join(f"::: {name}" for name in names)
        files.append(File.generated(config, f"api/{room}.md", content=f"# {room}\n\n{INDEX[room]}.\n\n{members}\n"))
    files.append(File.generated(config, "api/index.md", content=index_of(rooms)))
    return files


def index_of(rooms: Mapping[str, Sequence[str]]) -> str:
    """Return the page that lists the parts of the reference, each with the names that it documents."""
    rows = [f"| [{room}]({room}.md) | {INDEX[room]} | {len(rooms[room])} |" for room in INDEX]
    head = "# API reference\n\nEvery public name with its arguments, results and errors; the search finds names, too.\n"
    return "\n".join([head, "| Part | What it holds | Entries |", "|---|---|--:|", *rows, ""])


def published(module: str, room: str = "") -> dict[str, None]:
    """Return the paths of the classes and functions that a module defines, or takes from files of its package."""
    room = room or module
    tree = ast.parse(_source(module))
    found = dict.fromkeys(
        f"{module}.{node.name}"
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
    )
    if found and (listed := _names_in_all(tree)):
        found = {path: None for path in found if _last(path) in listed}
    for node in _imports(tree.body):
        taken = {each.name for each in node.names if each.asname == each.name or _is_contents(module)}
        if taken and str(node.module).startswith(f"{room}."):
            theirs = published(str(node.module), room)
            found |= {path: None for path in theirs if "*" in taken or _last(path) in taken}
    return found


def _imports(body: Sequence[ast.stmt]) -> Iterator[ast.ImportFrom]:
    """Yield the imports of names at the top of a file, those for type checkers, too."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _imports(node.body)
        elif isinstance(node, ast.ImportFrom):
            yield node


def _names_in_all(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return {each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)}
    return set()


def _is_contents(module: str) -> bool:
    return (ROOT / module.replace(".", "/") / "__init__.py").exists()


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def listed(room: str) -> list[str]:
    """Return the paths of the functions of a room that are written out, by name; tables make the others."""
    stub = (ROOT / "msbridge" / room / "__init__.pyi").read_text(encoding="utf-8")
    found = sorted(_LISTED.findall(stub), key=lambda each: each[1])
    return [f"{path}.{name}" for path, name in found if re.search(rf"^def {name}\(", _source(path), re.MULTILINE)]


@cache
def _source(path: str) -> str:
    file = ROOT / path.replace(".", "/")
    return next(one for one in (file.with_suffix(".py"), file / "__init__.py") if one.exists()).read_text(
        encoding="utf-8"
    )


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Have links from docs/ to files of the root lead to their pages."""
    return _LINK.sub(lambda found: PAGES.get(found[1].removeprefix("../"), found[1]), markdown)


def of_root(text: str, source: str) -> str:
    """Return a file of the root with links as from docs/."""
    up = "../" * OF_ROOT[source].count("/")

    def linked(found: re.Match[str]) -> str:
        path, mark, anchor = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[1])).partition("#")
        there = path.removeprefix("docs/") if path.startswith("docs/") else PAGES.get(path, path)
        return f"{up}{there}{mark}{anchor}"

    return _LINK.sub(linked, text)
