"""What the real MindSpore exported and computed: the answers of `mindir_files` and `r2_0.mindir_files`."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.oracle.recorded import answers

ANSWERS = {"2.0": ("r2_0.mindir_files", "2.0.0"), "2.10": ("mindir_files", "")}


@cache
def _recorded() -> dict[str, dict[str, Any]]:
    """Return the parts of each answer by release and name of the network, what could not be exported left out."""
    return {
        f"{release}/{ast.literal_eval(expression.removeprefix('exported'))}": answer
        for release, family in ANSWERS.items()
        for expression, answer in answers(*family).items()
        if "file" in answer
    }


def cases() -> list[str]:
    """Return their names, such as "2.10/lenet"."""
    return sorted(_recorded())


def content(case: str) -> bytes:
    """Return the bytes of a file."""
    data: bytes = _recorded()[case]["file"]
    return data


def file(case: str, folder: Path) -> Path:
    """Return a file in a folder."""
    path = folder / f"{case.replace('/', '_')}.mindir"
    path.write_bytes(content(case))
    return path


def arrays(case: str, part: str) -> list[np.ndarray]:
    """Return the inputs ("in") or the outputs ("out") of a case."""
    return list(_recorded()[case][part])
