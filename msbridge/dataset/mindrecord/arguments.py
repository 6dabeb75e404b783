"""Argument checks of MindRecord: they raise the errors of this format."""

import os
from pathlib import Path
from typing import Any

from msbridge.core.checks.arguments import is_int
from msbridge.core.runtime.path_mapping import resolve
from msbridge.dataset.mindrecord.errors import ParamValueError

FORBIDDEN_IN_NAMES = set("\\:*?\"<>|`&;'")


def check_path(file_name: Any) -> Path:
    """Return the path of a MindRecord file, with path mappings applied.

    Raises:
        ParamValueError: it is not a string, is empty, or has characters that a file's name should not have.
    """
    if file_name is None or file_name == "":
        raise ParamValueError("File path is not allowed None or empty!")
    if not isinstance(file_name, (str, os.PathLike)):
        raise ParamValueError(f"File path: {file_name!r} is not string.")
    text = resolve(file_name)
    if text.endswith("/"):
        raise ParamValueError(f"File path can not end with '/', got {text!r}.")
    path = Path(text)
    if forbidden := sorted(FORBIDDEN_IN_NAMES & set(path.name)):
        raise ParamValueError(
            f"File name should not contains any of {sorted(FORBIDDEN_IN_NAMES)}, got {forbidden} in {text!r}."
        )
    return path


def check_consumers(num_consumer: Any) -> None:
    """Raise ParamValueError unless the number of reading threads is a positive int; it has no effect."""
    if not is_int(num_consumer):
        raise ParamValueError(f"Parameter num_consumer is not int, got {num_consumer!r}.")
    if num_consumer < 1:
        raise ParamValueError(f"Parameter num_consumer: {num_consumer} should be at least 1.")
