"""Build what a release consists of, check it, and write its notes: dist/*.whl, dist/*.tar.gz, dist/notes.md.

    python tools/release.py [--no-install]

The wheel is built from the source distribution, so that lacks nothing. twine checks both; the wheel must have every
module and table of the checkout, and be installed and run by every Python that is found (`smoke_test_wheel.py`).
The notes are the version's section of CHANGELOG.md.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import matrix

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
PACKAGES = {"msbridge": "msbridge", "converters": "msbridge/converters", "mappings": "msbridge/mappings"}
SUFFIXES = {".py", ".pyi", ".toml", ".tsv", ".html", ".css", ".typed"}
NAMED = {  # the other files that name the version
    "action.yml": r"@v([\d.]+\d)\b",
    ".pre-commit-hooks.yaml": r"rev: v([\d.]+\d)\b",
    "CITATION.cff": r"(?m)^version: ([\d.]+)$",
    "README.md": r"beta software \(([\d.]+)\)",
}
# It has 3.8 MB: 1,700 files of Python, most with the docstrings of an API; tables are 10 % of it, msbridge.contrib 6 %.
MAX_WHEEL_MB = 4.0


def main() -> int:
    """Build and check; return 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-install", action="store_true", help="do not try the wheel in new environments")
    options = parser.parse_args()
    notes, problems = notes_of(version(), (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")), [*outdated(version())]
    if not notes:
        problems.append(f"CHANGELOG.md has no section of {version()}")
    if not problems:
        for folder in (ROOT / "build", DIST):
            shutil.rmtree(folder, ignore_errors=True)
        _run("-m", "build")
        (wheel,) = DIST.glob("*.whl")
        _run("-m", "twine", "check", "--strict", *map(str, DIST.iterdir()))
        problems += wheel_problems(wheel)
        (DIST / "notes.md").write_text(notes, encoding="utf-8")
    if not problems and not options.no_install:
        pythons = [word for path in matrix.installed_pythons().values() for word in ("--python", str(path))]
        _run("tools/smoke_test_wheel.py", "--extra", "", *pythons)
    sys.stdout.write("".join(f"{problem}\n" for problem in problems) or f"dist/ has {version()} and its notes.\n")
    return int(bool(problems))


def version() -> str:
    """Return the version that pyproject.toml names."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def notes_of(version: str, changelog: str) -> str:
    """Return the section of a version, without its heading; empty where there is none."""
    found = re.search(rf"^## {re.escape(version)} \([\d-]+\)\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return found[1].strip() + "\n" if found else ""


def outdated(version: str) -> Iterator[str]:
    """Yield the files that name another version, or none."""
    for name, pattern in NAMED.items():
        found = re.findall(pattern, (ROOT / name).read_text(encoding="utf-8"))
        if not found or any(each not in (version, version.rpartition(".")[0]) for each in found):
            yield f"{name} names {', '.join(found) or 'no version'}, and this is {version}"


def wheel_problems(wheel: Path) -> Iterator[str]:
    """Yield what a wheel lacks of the checkout, what it should not have, and whether it is too large."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    yield from (f"{wheel.name} lacks {name}" for name in sorted(set(expected()) - names))
    yield from (f"{wheel.name} has {name}" for name in sorted(unexpected(names)))
    size = wheel.stat().st_size / 1e6
    if size > MAX_WHEEL_MB:
        yield f"{wheel.name} has {size:.2f} MB, over {MAX_WHEEL_MB}"


def expected() -> Iterator[str]:
    """Yield the names that the files of the packages have in a wheel."""
    for folder, place in PACKAGES.items():
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                yield f"{place}/{path.relative_to(ROOT / folder).as_posix()}"


def unexpected(names: Iterable[str]) -> set[str]:
    """Return the names that are of neither the package, its stubs nor its metadata."""
    return {name for name in names if not re.match(r"(msbridge|mindspore-stubs|msbridge-[^/]+\.dist-info)/", name)}


def _run(*words: str) -> None:
    """Run a program of this Python; what it prints is shown as it comes, but that of the build only if it fails."""
    is_shown = words[:2] != ("-m", "build")
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=not is_shown, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout or ''}{done.stderr or ''}{' '.join(words)} failed.")


if __name__ == "__main__":
    sys.exit(main())
