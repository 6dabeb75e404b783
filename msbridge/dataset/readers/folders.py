"""Checks of the folders and options that readers take."""

import os
from pathlib import Path
from typing import Any

from msbridge.core.paths import resolve
from msbridge.dataset.checks import check_type


def checked_folder(dataset_dir: Any) -> Path:
    """Give the folder, with path mappings applied, or raise unless it exists.

    Raises:
        TypeError: `dataset_dir` is no string or path.
        ValueError: there is no such folder.
    """
    check_type(dataset_dir, (str, os.PathLike), "dataset_dir")
    folder = Path(resolve(dataset_dir))
    if not folder.is_dir() or not os.access(folder, os.R_OK):
        mapped = "" if str(folder) == os.fspath(dataset_dir) else f" (mapped to {folder})"
        raise ValueError(
            f"The folder {os.fspath(dataset_dir)}{mapped} does not exist or is not a directory or permission denied!"
        )
    return folder


def checked_usage(usage: Any, allowed: list[str]) -> str | None:
    """Give `usage`, or raise unless it is None or one of `allowed`."""
    if usage is None:
        return None
    check_type(usage, (str,), "usage")
    if usage not in allowed:
        raise ValueError(f"Input usage is not within the valid set of {allowed}, got {usage!r}.")
    return usage
