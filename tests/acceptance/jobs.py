"""The rows of `jobs.toml`: what the acceptance run does with each repository.

A job's commands run one after the other in a copy of a folder of the checkout, `msbridge run` before each. In them
{data} represents the folder that `data` fills, {home} for the home folder, {own} for this folder, and {newest:PATTERN}
for the newest such file that an earlier command left.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import data
import data_audio
import data_detection
import data_faces
import data_physics
import data_pictures
import data_points
import data_reading
import data_scenes
import data_segmentation
import data_speech
import data_words

__all__ = ["JOBS", "Job", "read"]

Maker = Callable[[Path], None]
MAKERS = (
    *(data, data_audio, data_detection, data_faces, data_physics, data_pictures, data_points, data_reading),
    *(data_scenes, data_segmentation, data_speech, data_words),
)


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the table.

    Attributes:
        at: the folder of a checkout in which the commands run, e.g. "models/official/cv/SSD".
        name: what is done there.
        commands: the words after `msbridge run`.
        data: fills the folder {data}; a table names a function of a file `data….py` and its arguments.
        data_at: where {data} is, from the copy of the folder, for scripts that have its path in them.
        under: where in the copy the commands run.
        installed: the copy's packages are found from everywhere, as if it were installed.
        home: fills the home folder with what the scripts would download.
        falls: finds the losses in the output of the first command that prints any; their mean falls from the
            first third to the last.
        leaves: patterns of files that are there afterwards.
        kind: what tells the cases: "script" the exit codes, "pytest" the tests' outcomes, "cases" lines of JSON.
        limit_s: how long each command may take.
    """

    at: str
    name: str
    commands: tuple[str, ...]
    data: Maker | None = None
    data_at: str = "../data"
    under: str = ""
    installed: bool = False
    home: Maker | None = None
    falls: str = ""
    leaves: tuple[str, ...] = ()
    kind: str = "script"
    limit_s: int = 600


def read(path: Path) -> tuple[Job, ...]:
    """Return the rows of a table."""
    return tuple(_job(row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["job"])


def _job(row: dict[str, Any]) -> Job:
    lines = re.sub(r"\n\s+", " ", row.pop("commands")).strip().splitlines()
    makers = {name: _maker(row.pop(name)) for name in ("data", "home") if name in row}
    return Job(commands=tuple(lines), leaves=tuple(row.pop("leaves", ())), **makers, **row)


def _maker(row: Mapping[str, Any]) -> Maker:
    settings = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    name = settings.pop("maker")
    holder = next(module for module in MAKERS if name in module.__all__)
    return getattr(holder, name)(**settings)


JOBS = read(Path(__file__).with_name("jobs.toml"))
