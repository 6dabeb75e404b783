"""What the real MindSpore exported and computed: the records of `mindir_files` and `r2_0.mindir_files`."""

import ast
import base64
import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

RECORDS = Path(__file__).parents[1] / "oracle" / "records"
PATHS = {"2.0": RECORDS / "2.0.0" / "r2_0.mindir_files.json.gz", "2.10": RECORDS / "mindir_files.json.gz"}


@cache
def _recorded() -> dict[str, dict[str, Any]]:
    """Return the parts of each answer by release and name of the network, what could not be exported left out."""
    found = {}
    for release, path in PATHS.items():
        for expression, answer in json.loads(gzip.decompress(path.read_bytes()))["cases"].items():
            if "dict" in answer:
                name = ast.literal_eval(expression.removeprefix("exported"))
                found[f"{release}/{name}"] = dict(answer["dict"])
    return found


def cases() -> list[str]:
    """Return their names, such as "2.10/lenet"."""
    return sorted(_recorded())


def content(case: str) -> bytes:
    """Return the bytes of a file."""
    return bytes.fromhex(_recorded()[case]["file"]["bytes"])


def file(case: str, folder: Path) -> Path:
    """Return a file in a folder."""
    path = folder / f"{case.replace('/', '_')}.mindir"
    path.write_bytes(content(case))
    return path


def arrays(case: str, part: str) -> list[np.ndarray]:
    """Return the inputs ("in") or the outputs ("out") of a case."""
    return [
        np.frombuffer(base64.b64decode(each["data"]), each["numpy"]).reshape(each["shape"]).copy()
        for each in _recorded()[case][part]
    ]
