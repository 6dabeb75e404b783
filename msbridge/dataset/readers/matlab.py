"""MATLAB's files, which SciPy reads."""

from pathlib import Path
from typing import Any

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.user_values import pipeline_error


def load_mat(path: Path, *names: str) -> dict[str, Any]:
    """Read the variables of a MATLAB file.

    Args:
        path: the file, in a version before 7.3.
        names: the variables that it must hold.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged, or lacks a variable.
        ImportError: SciPy is missing.
    """
    try:
        from scipy.io import loadmat
    except ImportError as error:
        raise ImportError('Files of MATLAB need SciPy: pip install "msbridge[vision]".') from error
    with open_file(path) as file:
        try:
            variables: dict[str, Any] = loadmat(file)
        except Exception as error:  # damaged files bring the reader to many kinds of errors
            raise ValueError(f"Invalid file, {path} is not a MATLAB file that can be read: {error}.") from error
    if missing := [name for name in names if name not in variables]:
        raise ValueError(f"Invalid file, {path} has no {missing}, it has {sorted(variables)}.")
    return variables


def mat_of_row(path: Path, *names: str) -> dict[str, Any]:
    """Read the variables of a file that belongs to a row, while the pipeline runs.

    Raises:
        RuntimeError: there is no such file, it is damaged, or lacks a variable.
    """
    try:
        return load_mat(path, *names)
    except (OSError, ValueError) as error:
        raise pipeline_error(f"Invalid file, failed to read {path}: {error}") from error
