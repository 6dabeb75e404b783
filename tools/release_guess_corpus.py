"""Units of public projects whose release is known, read from copies of their repositories without a checkout.

`release_guess_units.tsv` lists commits and the folders in them that are a unit each: all .py files below a folder, and
the files beside them that state a release. `**.ipynb` makes a unit of each notebook: the lines of its cells of code,
without those for the shell. Units of equal .py files are one: it is for the releases of all of them.
"""

import hashlib
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from msbridge.dropin.release_guess.stated_releases import FILES
from msbridge.mappings.tables import read_columns

__all__ = ["Unit", "read_units"]

UNITS = Path(__file__).with_name("release_guess_units.tsv")
MAX_BYTES = 1 << 20  # of a file
Blobs = dict[str, str]  # a path → the object's id


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of release_guess_units.tsv.

    Attributes:
        repository: owner/name.
        commit: the branch or tag of a release, as the commit it was.
        folders: patterns of folders with blanks between them, or `**.ipynb` behind a folder.
        releases: the releases of MindSpore that the project states for it.
    """

    repository: str
    commit: str
    folders: str
    releases: str


@dataclass(slots=True)
class Unit:
    """A project, or a part of one that stands alone.

    Attributes:
        name: the last part of its path; or the repository's name.
        where: the repository, commit and path.
        releases: those that it is for.
        files: by path in the unit, the bytes of what a release is found by.
    """

    name: str
    where: str
    releases: set[str]
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def is_held_out(self) -> bool:
        """Whether it is of the two thirds that the guess is not tuned on, with all releases of the project."""
        return hashlib.sha256(self.name.lower().encode()).digest()[0] % 3 != 0

    def write(self, folder: Path) -> None:
        """Write its files."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def read_units(mirrors: Path) -> Iterator[Unit]:
    """Yield the units.

    Args:
        mirrors: a folder with the git directory of each repository, `owner+name/repo`; a repository that is not
            there is left out.
    """
    by_repository: defaultdict[str, list[Listed]] = defaultdict(list)
    for row in read_columns(UNITS, Listed, repeated=True):
        by_repository[row.repository].append(row)
    for repository, rows in by_repository.items():
        git = mirrors / repository.replace("/", "+") / "repo"
        if not git.is_dir():
            continue
        known: dict[tuple[tuple[str, str], ...], tuple[Unit, Blobs]] = {}
        for row in rows:
            for unit, blobs in _find_units(row, _list_tree(git, row.commit)):
                code = tuple(sorted((name, blob) for name, blob in blobs.items() if not _is_statement(name)))
                found, _ = known.setdefault(code, (unit, blobs))
                found.releases |= unit.releases
        with _Objects(git) as objects:
            for unit, blobs in known.values():
                unit.files = {name: objects.read(blob) for name, blob in blobs.items()}
                yield unit


def _find_units(row: Listed, tree: Blobs) -> Iterator[tuple[Unit, Blobs]]:
    releases = set(row.releases.split())
    project = row.repository.partition("/")[2]
    for pattern in row.folders.split():
        if pattern.endswith(".ipynb"):
            for path in (path for path in tree if fnmatch(path, pattern)):
                name = path.rpartition("/")[2].removesuffix(".ipynb")
                yield Unit(name, f"{row.repository} {row.commit} {path}", {*releases}), {f"{name}.ipynb": tree[path]}
            continue
        for folder, blobs in _folders(pattern, tree).items():
            if any(name.endswith(".py") for name in blobs):
                name = folder.rpartition("/")[2] or project
                yield Unit(name, f"{row.repository} {row.commit} {folder or '.'}", {*releases}), blobs


def _folders(pattern: str, tree: Blobs) -> dict[str, Blobs]:
    """Return the files of the folders that a pattern fits, by path inside."""
    depth = 0 if pattern == "." else pattern.count("/") + 1
    found: defaultdict[str, Blobs] = defaultdict(dict)
    for path, blob in tree.items():
        parts = path.split("/")
        folder, inner = parts[:depth], "/".join(parts[depth:])
        fits = not depth or (len(folder) == depth and all(map(fnmatch, folder, pattern.split("/"))))
        if fits and inner and ((inner.endswith(".py") and "tests" not in parts) or _is_statement(inner)):
            found["/".join(folder)][inner] = blob
    return found


def _is_statement(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in FILES) and "/" not in name


def _list_tree(git: Path, commit: str) -> Blobs:
    lines = _run(git, "ls-tree", "-r", "-l", "-z", commit).decode("utf-8", "replace").split("\0")
    found = {}
    for line in filter(None, lines):
        about, _, path = line.partition("\t")
        _, kind, blob, size = about.split()
        if kind == "blob" and size.isdecimal() and int(size) <= MAX_BYTES:  # of an object that is not there it is "BAD"
            found[path] = blob
    return found


def _run(git: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", git, *words], check=True, capture_output=True).stdout


class _Objects:
    """Objects of a repository, by one process."""

    def __init__(self, git: Path):
        command = ["git", "-C", str(git), "cat-file", "--batch"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> "_Objects":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def read(self, blob: str) -> bytes:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{blob}\n".encode())
        self._process.stdin.flush()
        size = int(self._process.stdout.readline().split()[2])
        return self._process.stdout.read(size + 1)[:-1]


def code_of_notebook(data: bytes) -> str:
    """Return the code of a notebook, without lines for the shell; "" where it is none."""
    try:
        cells = json.loads(data)["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        return ""
    return "\n\n".join(re.sub(r"(?m)^\s*[!%?].*$", "", text) for text in texts)
