"""CIFAR's Python version as MindRecord files."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from msbridge.dataset.mindrecord.arguments import check_path
from msbridge.dataset.mindrecord.convert.base import as_jpeg, write_rows
from msbridge.dataset.mindrecord.convert.cifar_pickle import read_cifar
from msbridge.dataset.mindrecord.errors import SUCCESS, MSRStatus, PathNotExistsError
from msbridge.dataset.mindrecord.writing.file_writer import FileWriter

__all__ = ["Cifar10ToMR", "Cifar100ToMR"]


class _CifarToMR:
    """Both sizes of CIFAR: which files hold what, and which labels there are."""

    train_files: ClassVar[tuple[str, ...]]
    test_files: ClassVar[tuple[str, ...]]
    labels: ClassVar[dict[str, bytes]]  # field → key in the pickles

    def __init__(self, source: str, destination: str) -> None:
        self.source = check_path(source)
        self.destination = os.fspath(check_path(destination))

    def run(self, fields: list[str] | None = None) -> MSRStatus:
        """Write the files, as `transform` does."""
        if fields is not None and not isinstance(fields, list):
            raise ValueError(f"The parameter fields should be None or list, got {fields!r}.")
        for files, destination, description in (
            (self.train_files, self.destination, "img_train"),
            (self.test_files, f"{self.destination}_test", "img_test"),
        ):
            paths = [self.source / name for name in files]
            if missing := [str(path) for path in paths if not path.is_file()]:
                raise PathNotExistsError(f"{missing} do not exist; the Python version of CIFAR is needed.")
            writer = FileWriter(destination, 1)
            numbers = {name: {"type": "int64"} for name in ("id", *self.labels)}
            writer.add_schema({**numbers, "data": {"type": "bytes"}}, description)
            if fields:
                writer.add_index(fields)
            write_rows(writer, self._rows(paths))
        return SUCCESS

    def transform(self, fields: list[str] | None = None) -> MSRStatus:
        """Write `destination` with the images for training, and `destination` + "_test".

        Args:
            fields: those to look rows up by; None is all but the images.

        Raises:
            PathNotExistsError: a file of the dataset is missing.
            ValueError: `fields` is not a list.
            RuntimeError: a file is damaged, or the destination is there already.
        """
        return self.run(fields)

    def _rows(self, paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
        number = 0
        for path in paths:
            try:
                content = read_cifar(path)
                images = _pixels(content[b"data"]).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
                labels = {name: list(map(_label, content[key])) for name, key in self.labels.items()}
            except (KeyError, ValueError, TypeError, OverflowError, OSError) as error:
                raise _not_cifar(path, error) from error
            for name, values in labels.items():
                if len(values) != len(images):
                    raise _not_cifar(path, f"{len(images)} images, but {len(values)} of {name}")
            for place, image in enumerate(images):
                picked = {name: values[place] for name, values in labels.items()}
                yield {"id": number, **picked, "data": as_jpeg(image, type(self).__name__)}
                number += 1


class Cifar10ToMR(_CifarToMR):
    """CIFAR-10: fields `id`, `label` (int64) and `data` (JPEG).

    Args:
        source: folder with data_batch_1 … data_batch_5 and test_batch, of the Python version.
        destination: the file to write; a second one gets "_test" behind its name.

    Raises:
        ParamValueError: an argument is not a string.

    Follows: mindspore.mindrecord.Cifar10ToMR (2.10).
    """

    train_files = tuple(f"data_batch_{number}" for number in range(1, 6))
    test_files = ("test_batch",)
    labels: ClassVar = {"label": b"labels"}


class Cifar100ToMR(_CifarToMR):
    """CIFAR-100: fields `id`, `fine_label`, `coarse_label` (int64) and `data` (JPEG).

    Args:
        source: folder with train and test, of the Python version.
        destination: the file to write; a second one gets "_test" behind its name.

    Raises:
        ParamValueError: an argument is not a string.

    Follows: mindspore.mindrecord.Cifar100ToMR (2.10).
    """

    train_files = ("train",)
    test_files = ("test",)
    labels: ClassVar = {"fine_label": b"fine_labels", "coarse_label": b"coarse_labels"}


def _pixels(value: Any) -> np.ndarray:
    if not isinstance(value, np.ndarray):  # numpy would make an array of lists in each other, however many those are
        raise ValueError(f"its images are a {type(value).__name__}, not an array")
    return value.astype(np.uint8, copy=False)


def _label(value: Any) -> int:
    if not isinstance(value, int | np.integer):
        raise ValueError(f"a label is a {type(value).__name__}")
    return int(value)


def _not_cifar(path: Path, problem: object) -> RuntimeError:
    return RuntimeError(f"Invalid file, {path} is not a file of CIFAR's Python version: {problem}.")
