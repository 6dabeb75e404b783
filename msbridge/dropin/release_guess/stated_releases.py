"""Statements of a project on its MindSpore release: in its requirement files, setup.py and README files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from msbridge.core.runtime.plain_files import read_file

MAX_BYTES = 1 << 20  # of a file
PARENTS = 3  # folders above the script's that are looked into
FILES = ("*requirements*.txt", "setup.py", "setup.cfg", "pyproject.toml", "environment*.y*ml", "README*")
RELEASE = r"[rv]?(?P<release>[12]\.\d{1,2})(?:\.\w+)*"
# "mindspore-gpu==1.9.0", "MindSpore >= 2.2", "| MindSpore Version | 1.3.0 |", "**MindSpore** 2.0", "MindSpore版本：1.5"
NAMED = re.compile(
    r"mind[ _-]?spore(?:[-_ ](?:gpu|ascend|cpu|dev))?(?:\]\([^)\s]*\))?[*_`\])]*\s*(?:version|release|版本)?(?:\s+is)?"
    rf"[\s|:：*_`\"'(=~vV-]{{0,40}}(?P<least>[>≥]=?\s*)?(?<![\d.]){RELEASE}"
    r"(?P<more>\s*(?:\+|or (?:above|later|higher)|及以上))?",
    re.IGNORECASE,
)
COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#.*$")  # what stands in one is not required


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or line that names a release.

    Attributes:
        release: e.g. "1.9".
        is_least: whether later ones are meant, too.
        where: the file, and the words.
    """

    release: str
    is_least: bool
    where: str


def statements(script: Path) -> list[Statement]:
    """Return the statements in the folder of `script`, or in the nearest folder above that has any.

    `script` may be a folder itself.
    """
    place = script.resolve()
    for folder in [*([place] if place.is_dir() else []), *place.parents][: 1 + PARENTS]:
        if found := find_statements_in_folder(folder):
            return found
        if (folder / ".git").exists():
            break
    return []


def find_statements_in_folder(folder: Path) -> list[Statement]:
    """Return the statements in the files of a project in `folder`."""
    return [one for file in _files(folder) for one in find_statements(file)]


def find_statements(file: Path) -> Iterator[Statement]:
    """Yield the statements of a file; comments of files other than README are none."""
    try:
        text = bytes(read_file(file, MAX_BYTES)).decode("utf-8", "replace")
    except (OSError, ValueError, MemoryError):
        return
    for match in NAMED.finditer(text if file.name.startswith("README") else COMMENT.sub("", text)):
        words = " ".join(match[0].split())
        yield Statement(match["release"], bool(match["least"] or match["more"]), f"{file.name}: {words}")


def _files(folder: Path) -> Iterator[Path]:
    for pattern in FILES:
        yield from sorted(file for file in folder.glob(pattern) if file.is_file())
