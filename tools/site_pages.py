"""What the site has beside the pages in docs/: files of the root, and the reference, which is made of docstrings."""

import posixpath
import re
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
OF_ROOT = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/RESULTS.md": "measurements.md",
    "examples/README.md": "examples/index.md",
}
EXAMPLES = [str(page.relative_to(ROOT)) for page in sorted((ROOT / "examples").glob("*/README.md"))]
OF_ROOT |= {page: page.replace("README.md", "index.md") for page in EXAMPLES}
REFERENCE = {
    "msbridge": (
        "msbridge.dropin.importing.install.install",
        "msbridge.dropin.importing.install.uninstall",
        "msbridge.core.releases.release.set_release",
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
    "nn": ("msbridge.nn",),
    "train": ("msbridge.train",),
    "tensor": ("msbridge.core.tensor.tensor.Tensor",),
}
OPERATORS = ("ops", "mint")  # rooms whose functions a stub lists, with the files that they are in
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
    for room, names in (REFERENCE | {room: listed(room) for room in OPERATORS}).items():
        members = "\n".join(f"::: {name}" for name in names)
        files.append(File.generated(config, f"api/{room}.md", content=f"# {room}\n\n{members}\n"))
    return files


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
    return _LINK.sub(lambda found: OF_ROOT.get(found[1].removeprefix("../"), found[1]), markdown)


def of_root(text: str, source: str) -> str:
    """Return a file of the root with links as from docs/."""
    up = "../" * OF_ROOT[source].count("/")

    def linked(found: re.Match[str]) -> str:
        path, mark, anchor = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[1])).partition("#")
        there = path.removeprefix("docs/") if path.startswith("docs/") else OF_ROOT.get(path, path)
        return f"{up}{there}{mark}{anchor}"

    return _LINK.sub(linked, text)
