"""An empty folder for each case and the usual settings of pipelines; short ways to write files and to read rows."""

import contextlib
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mindspore.dataset as ds

VIDEOS = Path(__file__).resolve().parents[3] / "dataset" / "videos"


@contextlib.contextmanager
def case_context() -> Iterator[None]:
    """Evaluate in an empty folder; restore what a case may set."""
    before, workers = Path.cwd(), ds.config.get_num_parallel_workers()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        ds.config.set_num_parallel_workers(1)
        try:
            yield
        finally:
            os.chdir(before)
            ds.config.set_num_parallel_workers(workers)
            if hasattr(ds.config, "ErrorSamplesMode"):  # since 2.0
                ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


def write(path: str, data: bytes | str) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data if isinstance(data, bytes) else data.encode())


def rows(data: Any) -> list[Any]:
    """The rows of a dataset, in order, without the names of its columns."""
    return [list(row) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def tries(*calls: Any) -> list[Any]:
    """The results of the calls, or the class that it raises."""
    found: list[Any] = []
    for call in calls:
        try:
            found.append(call())
        except Exception as error:
            found.append(f"raises {type(error).__name__}")
    return found
