"""Make an environment that has what some requirements ask for, and nothing else, of what this one has installed.

It holds links to the files of those packages, and of the packages that they require, as `pip install` follows them; so
it takes a second, little room, and no index. Whether pip itself installs them is what `make release` tries.
"""

import sys
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SCRIPT = "#!{python}\nimport sys\nfrom {module} import {function}\n\nsys.exit({function}())\n"


def closure(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Return the packages that some requirements ask for, by name; one that is missing raises PackageNotFoundError."""
    found: dict[str, Distribution] = {}
    waiting = [Requirement(each) for each in requirements]
    seen: set[tuple[str, str]] = set()
    while waiting:
        asked = waiting.pop()
        name = canonicalize_name(asked.name)
        for extra in {"", *asked.extras} - {extra for of, extra in seen if of == name}:
            seen.add((name, extra))
            found[name] = package = distribution(name)
            for line in package.requires or ():
                needed = Requirement(line)
                if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                    waiting.append(needed)
    return found


def is_installed(requirements: Iterable[str]) -> str:
    """Return the name of a package that an environment of these requirements lacks here, or nothing."""
    try:
        closure(requirements)
    except PackageNotFoundError as error:
        return str(error.name)
    return ""


def make(folder: Path, requirements: Iterable[str]) -> Path:
    """Make the environment in an empty folder, and return its interpreter."""
    venv.create(folder)
    python = folder / "bin" / "python"
    site = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    for package in closure(requirements).values():
        for top in {file.parts[0] for file in package.files or () if file.parts[0] not in ("..", "__pycache__")}:
            _link(Path(str(package.locate_file(top))), site / top)
        for entry in package.entry_points.select(group="console_scripts"):
            script = folder / "bin" / entry.name
            function = entry.attr.partition(".")[0]
            script.write_text(SCRIPT.format(python=python, module=entry.module, function=function), encoding="utf-8")
            script.chmod(0o755)
    return python


def _link(there: Path, here: Path) -> None:
    """Link a file or a package; folders that several packages share are made, with links inside."""
    if here.is_symlink() or not there.exists():
        return
    if there.is_dir() and not (there / "__init__.py").exists() and not there.name.endswith((".dist-info", ".libs")):
        here.mkdir(exist_ok=True)
        for each in there.iterdir():
            _link(each, here / each.name)
    else:
        here.symlink_to(there)
