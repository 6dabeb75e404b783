"""ImageNet's folders as MindRecord files."""

import os
from collections.abc import Iterator
from typing import Any

from msbridge.core.runtime.plain_files import read_file
from msbridge.dataset.mindrecord.arguments import check_path
from msbridge.dataset.mindrecord.convert.base import write_rows
from msbridge.dataset.mindrecord.errors import SUCCESS, MSRStatus
from msbridge.dataset.mindrecord.writing.file_writer import FileWriter

__all__ = ["ImageNetToMR"]

MAX_MAP_BYTES = 64 << 20  # of the file that maps folders to labels


class ImageNetToMR:
    """Folders of JPEG files: fields `label` (int32), `image` (the file's bytes) and `file_name` (string).

    Args:
        map_file: text file with one line per folder: its name and its label.
        image_dir: where the folders are.
        destination: the file to write.
        partition_number: how many files.

    Raises:
        ParamValueError: an argument is of another type or not allowed.

    Follows: mindspore.mindrecord.ImageNetToMR (2.10).
    """

    def __init__(self, map_file: str, image_dir: str, destination: str, partition_number: int = 1) -> None:
        self.map_file = check_path(map_file)
        self.image_dir = check_path(image_dir)
        self._writer = FileWriter(destination, partition_number)

    def run(self) -> MSRStatus:
        """Write the files, as `transform` does."""
        labels = self._labels()
        schema = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
        self._writer.add_schema(schema, "imagenet_schema")
        self._writer.add_index(["label", "file_name"])
        write_rows(self._writer, self._rows(labels))
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Write all images of the folders that the map file names.

        Raises:
            FileNotFoundError: the map file or a folder is missing.
            ValueError: a line of the map file is not a name and a number.
            RuntimeError: the destination is there already.
        """
        return self.run()

    def _labels(self) -> dict[str, int]:
        labels = {}
        for number, line in enumerate(read_file(self.map_file, MAX_MAP_BYTES).decode().splitlines(), 1):
            words = line.split()
            if not words:
                continue
            if len(words) != 2 or not words[1].isdecimal() or len(words[1]) > 10:
                raise ValueError(f"{self.map_file}, line {number}: a folder and its label are expected, got {line!r}.")
            labels[words[0]] = int(words[1])
        return labels

    def _rows(self, labels: dict[str, int]) -> Iterator[dict[str, Any]]:
        for folder, label in labels.items():
            for path in sorted((self.image_dir / folder).iterdir()):
                if path.is_file():
                    yield {"label": label, "image": path.read_bytes(), "file_name": os.fspath(path)}
