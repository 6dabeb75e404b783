"""COCO: images with boxes, outlines, key points, panoptic segments or captions."""

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.sampling.samplers import PKSampler
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import Decrypt, ImageFilesDataset, Images, Table, check_decrypt
from msbridge.dataset.readers.json_text import parse_json
from msbridge.dataset.readers.source import check_file

__all__ = ["CocoDataset"]

Row = dict[str, list[Any]]  # what the objects of an image are, by column
COLUMNS = {
    "Detection": ("bbox", "category_id", "iscrowd"),
    "Stuff": ("segmentation", "iscrowd"),
    "Keypoint": ("keypoints", "num_keypoints"),
    "Panoptic": ("bbox", "category_id", "iscrowd", "area"),
    "Captioning": ("captions",),
}
COORDINATES = ("bbox", "segmentation", "keypoints")
WITH_CLASSES = ("Detection", "Panoptic")


class CocoDataset(ImageFilesDataset):
    """Images of COCO, `image` uint8, the files' bytes, and what n objects in them are, by task.

    Detection: `bbox` float32 (n, 4), `category_id` and `iscrowd` uint32 (n, 1). Stuff: `segmentation` float32 (m, k),
    shorter outlines filled up with -1, `iscrowd`. Keypoint: `keypoints` float32 (n, k), `num_keypoints` uint32 (n, 1).
    Panoptic: `bbox`, `category_id`, `iscrowd`, `area` uint32 (n, 1). Captioning: `captions` str (n, 1).

    Args:
        dataset_dir: folder of the images.
        annotation_file: the JSON file of the annotations. Images without any are left out.
        task: one of those above.
        extra_metadata: add the column _meta-filename, the image's name without ending; rows hold it once it is renamed.
        decrypt: function from the path of an encrypted file to the bytes of the image; None reads the file.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: folder or file do not exist, `task` or `shard_id` is none of those allowed, or the sampler is one by
            class.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.CocoDataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        annotation_file: StrPath,
        task: str = "Detection",
        *,
        extra_metadata: bool = False,
        decrypt: Decrypt | None = None,
        **common: Unpack[ImageArguments],
    ) -> None:
        self.annotation_file = check_file(annotation_file, "annotation_file")
        if require_type(task, "task", str) not in COLUMNS:
            raise ValueError(f"Invalid task type: {task}; it must be one of {list(COLUMNS)}.")
        if isinstance(common.get("sampler"), PKSampler):
            raise ValueError("CocoDataset doesn't support PKSampler: its rows have no class.")
        super().__init__(dataset_dir, **common)
        self.decrypt = check_decrypt(decrypt)
        self.task = task
        self.extra_metadata = require_type(extra_metadata, "extra_metadata", bool)

    def _names(self) -> list[str]:
        return ["image", *COLUMNS[self.task], *["_meta-filename"] * self.extra_metadata]

    def get_class_indexing(self) -> dict[str, list[int]]:
        """Return the numbers of the categories by name, for panoptic segments with whether they are things.

        Raises:
            NotImplementedError: `task` is neither "Detection" nor "Panoptic".
        """
        if self.task not in WITH_CLASSES:
            raise NotImplementedError("Only 'Detection' and 'Panoptic' support get_class_indexing.")
        self._rows_by_column  # noqa: B018 - a file that is damaged elsewhere is refused
        return dict(self._annotations.classes)

    @property
    def _annotations(self) -> "Annotations":
        if self._read is None:
            self._read = Annotations(self.annotation_file, self.task)
        return self._read

    _read: "Annotations | None" = None

    def _table(self) -> Table:
        names, rows = self._annotations.rows()
        if not names:
            raise self._no_rows()
        table: Table = {"image": Images(f"{self.dataset_dir}/{name}" for name in names)}
        for column in COLUMNS[self.task]:
            make: Callable[[list[Any]], np.ndarray] = _fill_up if column in COORDINATES else _single
            try:
                table[column] = [make(row[column]) for row in rows]
            except (ValueError, TypeError, OverflowError) as error:
                raise pipeline_error(
                    f"Invalid annotation, '{column}' has values that are not numbers of its range in annotation file: "
                    f"{self.annotation_file} ({error})."
                ) from error
        if self.extra_metadata:
            table["_meta-filename"] = [_stem(name) for name in names]
        return table


class Annotations:
    """A file of annotations, checked for what a task needs of it."""

    def __init__(self, path: Any, task: str) -> None:
        self.path, self.task = path, task
        try:
            with open_file(path) as file:
                self.tree = parse_json(file.read())
        except (OSError, ValueError, RecursionError) as error:
            raise pipeline_error(
                f"Invalid annotation file, Coco Dataset annotation file: {path} load failed: {error}."
            ) from error
        self.names = dict(map(self._image, self._get(self.tree, "images", list)))
        self.classes: dict[str, list[int]] = {}
        if task in WITH_CLASSES:
            for category in self._get(self.tree, "categories", list):
                things = [int(self._get(category, "isthing", (int, float)))] if task == "Panoptic" else []
                self.classes[self._get(category, "name", str)] = [self._get(category, "id", int), *things]
        self._categories = {numbers[0] for numbers in self.classes.values()}

    def rows(self) -> tuple[list[str], list[Row]]:
        """Return the names of the images that have annotations, in the file's order, and their rows."""
        by_image: dict[Any, Row] = {}
        for annotation in self._get(self.tree, "annotations", list):
            image = self._get(annotation, "image_id", (int, str))
            if image not in self.names:
                raise pipeline_error(
                    f"Invalid annotation, the attribute of 'image_id': {image} is missing in the node of 'image' from "
                    f"annotation file: {self.path}."
                )
            row = by_image.setdefault(image, {column: [] for column in COLUMNS[self.task]})
            self._add(row, annotation)
        self.tree = {}  # of a whole part of COCO it takes gigabytes
        images = [image for image in self.names if image in by_image]
        return [self.names[image] for image in images], [by_image[image] for image in images]

    def _add(self, row: Row, annotation: Any) -> None:
        if self.task != "Panoptic":
            self._get(annotation, "id", (int, str))
        if self.task == "Detection":
            self._add_object(row, annotation)
        elif self.task == "Panoptic":
            for segment in self._get(annotation, "segments_info", list):
                self._add_object(row, segment)
                row["area"].append(int(self._get(segment, "area", (int, float))))
        elif self.task == "Stuff":
            outlines = self._get(annotation, "segmentation", (list, dict))
            lengths = isinstance(outlines, dict)
            row["segmentation"] += [self._get(outlines, "counts", list)] if lengths else outlines
            row["iscrowd"].append(self._get(annotation, "iscrowd", int))
        elif self.task == "Keypoint":
            row["keypoints"].append(self._get(annotation, "keypoints", list))
            row["num_keypoints"].append(self._get(annotation, "num_keypoints", int))
        else:
            row["captions"].append(self._get(annotation, "caption", str))

    def _add_object(self, row: Row, item: Any) -> None:
        category = self._get(item, "category_id", int)
        if category not in self._categories:
            raise pipeline_error(
                f"Invalid annotation, the attribute of 'category_id': {category} is missing in the node of "
                f"'categories' from annotation file: {self.path}."
            )
        row["bbox"].append(self._get(item, "bbox", list))
        row["category_id"].append(category)
        row["iscrowd"].append(self._get(item, "iscrowd", int) if "iscrowd" in item else 0)

    def _image(self, image: Any) -> tuple[Any, str]:
        return self._get(image, "id", (int, str)), self._get(image, "file_name", str)

    def _get(self, node: Any, name: str, kinds: type | tuple[type, ...]) -> Any:
        if not isinstance(node, dict) or not isinstance(node.get(name), kinds):
            raise pipeline_error(
                f"Invalid annotation, the attribute of '{name}' is missing or of another type in annotation file: "
                f"{self.path}."
            )
        return node[name]


def _fill_up(rows: list[list[float]]) -> np.ndarray:
    """Return rows of coordinates as one array, shorter ones filled up with -1."""
    filled = np.full((len(rows), max(map(len, rows), default=0)), -1, np.float32)
    for place, row in enumerate(rows):
        filled[place, : len(row)] = row
    return filled


def _single(values: list[Any]) -> np.ndarray:
    array = np.array(values) if values and isinstance(values[0], str) else np.array(values, np.uint32)
    return array.reshape(-1, 1)


def _stem(name: str) -> str:
    stem, dot, _ = name.partition(".")
    if not dot:
        raise pipeline_error(f"Invalid image, 'image_id': {name} should be with suffix like \".jpg\".")
    return stem
