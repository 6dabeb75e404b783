"""PASCAL VOC: images with segmentations or boxes."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import (
    Decrypt,
    ImageFilesDataset,
    Images,
    Table,
    all_lines,
    check_decrypt,
    existing,
)
from msbridge.dataset.readers.indexed.classification.image_folder import check_labels
from msbridge.dataset.readers.source import check_file

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["VOCDataset"]

FOLDERS = {"Segmentation": "Segmentation", "Detection": "Main"}
CORNERS = ("xmin", "ymin", "xmax", "ymax")
Box = tuple[str, list[np.float32], int, int]  # class, left, top, width and height, difficult, truncated


class VOCDataset(ImageFilesDataset):
    """Images of PASCAL VOC, `image` uint8, the files' bytes, with segmentations or n boxes.

    Segmentation adds `target` uint8, likewise; Detection adds `bbox` float32 (n, 4) of left, top, width and height, and
    `label`, `difficult`, `truncate` uint32 (n, 1).

    Args:
        dataset_dir: folder with JPEGImages, ImageSets and SegmentationClass or Annotations.
        task: "Segmentation" or "Detection".
        usage: the name of a list in ImageSets/Segmentation or ImageSets/Main, without ending.
        class_indexing: name → label, for the classes to read in Detection; images without any are left out. None
            numbers all in alphabetical order.
        extra_metadata: add the column _meta-filename, the image's name without ending; rows hold it once it is renamed.
        decrypt: function from the path of an encrypted file to the bytes of the image; None reads the file.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: folder or list do not exist, `task` or `shard_id` is none of those allowed, or `class_indexing` is
            given for Segmentation.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.VOCDataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        task: str = "Segmentation",
        usage: str = "train",
        class_indexing: dict[str, int] | None = None,
        *,
        extra_metadata: bool = False,
        decrypt: Decrypt | None = None,
        **common: Unpack[ImageArguments],
    ) -> None:
        super().__init__(dataset_dir, **common)
        self.decrypt = check_decrypt(decrypt)
        if require_type(task, "task", str) not in FOLDERS:
            raise ValueError(f"Invalid task : {task}; it must be one of {list(FOLDERS)}.")
        if task == "Segmentation" and class_indexing is not None:
            raise ValueError("class_indexing is not supported in Segmentation task.")
        name = f"{require_type(usage, 'usage', str)}.txt"
        self.image_list = check_file(self.dataset_dir / "ImageSets" / FOLDERS[task] / name, "usage")
        self.task, self.usage = task, usage
        self.class_indexing = None if class_indexing is None else check_labels(class_indexing) or None
        self.extra_metadata = require_type(extra_metadata, "extra_metadata", bool)
        self._boxes: dict[str, list[Box]] | None = None

    def _names(self) -> list[str]:
        columns = ["target"] if self.task == "Segmentation" else ["bbox", "label", "difficult", "truncate"]
        return ["image", *columns, *["_meta-filename"] * self.extra_metadata]

    def get_class_indexing(self) -> dict[str, int]:
        """Return the labels by class name.

        Raises:
            NotImplementedError: `task` is not "Detection".
        """
        if self.task != "Detection":
            raise NotImplementedError("Only 'Detection' support get_class_indexing.")
        if self.class_indexing is None:
            if not self._boxes_by_image():
                raise self._no_rows()
            names = sorted({box[0] for boxes in self._boxes_by_image().values() for box in boxes})
            self.class_indexing = {name: label for label, name in enumerate(names)}
        return self.class_indexing

    def _table(self) -> Table:
        table = self._segmentations() if self.task == "Segmentation" else self._detections()
        if not self._length_of(table):
            raise self._no_rows()
        if self.extra_metadata:
            table["_meta-filename"] = [Path(path).stem for path in table["image"]]  # type: ignore[union-attr]
        return table

    @staticmethod
    def _length_of(table: Table) -> int:
        return len(table["image"])

    def _segmentations(self) -> Table:
        names = self._images()
        return {
            "image": Images(map(self._image, names)),
            "target": Images(f"{self.dataset_dir}/SegmentationClass/{name}.png" for name in names),
        }

    def _detections(self) -> Table:
        labels = self.get_class_indexing()
        rows = {name: [box for box in boxes if box[0] in labels] for name, boxes in self._boxes_by_image().items()}
        rows = {name: boxes for name, boxes in rows.items() if boxes}
        return {
            "image": Images(map(self._image, rows)),
            "bbox": [np.array([box[1] for box in boxes], np.float32) for boxes in rows.values()],
            "label": [_column([labels[box[0]] for box in boxes]) for boxes in rows.values()],
            "difficult": [_column([box[2] for box in boxes]) for boxes in rows.values()],
            "truncate": [_column([box[3] for box in boxes]) for boxes in rows.values()],
        }

    def _boxes_by_image(self) -> dict[str, list[Box]]:
        if self._boxes is None:
            annotations = self.dataset_dir / "Annotations"
            self._boxes = {name: _boxes(annotations / f"{name}.xml") for name in self._images()}
        return self._boxes

    def _images(self) -> list[str]:
        return [line for line in all_lines(self.image_list) if line]

    def _image(self, name: str) -> str:
        return f"{self.dataset_dir}/JPEGImages/{name}.jpg"


def _column(values: list[int]) -> np.ndarray:
    return np.array(values, np.uint32).reshape(-1, 1)


def _boxes(path: Path) -> list[Box]:
    """Read the objects of an image that have a name."""
    from xml.etree import ElementTree  # 2 ms of the import of every script otherwise

    try:
        with open_file(existing(path)) as file:
            root = ElementTree.parse(file).getroot()
    except (OSError, ElementTree.ParseError, ValueError, LookupError) as error:
        raise pipeline_error(
            f"Invalid xml, failed to load {path}: the xml file is damaged or incorrect format: {error}."
        ) from error
    objects = root.findall("object")
    if not objects:
        raise pipeline_error(f"Invalid xml, the node of object is missing in {path}.")
    return [_box(each, path) for each in objects if each.findtext("name")]


def _box(each: "Element", path: Path) -> Box:
    box = each.find("bndbox")
    if box is None:
        raise pipeline_error(f"Invalid xml, the node of bndbox is missing in {path}.")
    left, top, right, bottom = (np.float32(_number(box.findtext(corner))) for corner in CORNERS)
    if not (0 < left < right and 0 < top < bottom):
        raise pipeline_error(
            f"Invalid bndbox, the coordinate of bndbox in {path} should be greater than 0 and in order, but got "
            f"{{{left:g}, {top:g}, {right:g}, {bottom:g}}}."
        )
    difficult, truncated = (int(_number(each.findtext(name))) % 2**32 for name in ("difficult", "truncated"))
    return each.findtext("name") or "", [left, top, right - left, bottom - top], difficult, truncated


def _number(text: str | None) -> float:
    """Return the number, 0 where there is none: scripts that made the files wrote "Unspecified" too."""
    try:
        number = float(text or 0)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0
