"""KITTI: streets with boxes in two and three dimensions."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.image_files import Images, ImagesOfPart, Table, all_lines, existing, files_of

__all__ = ["KITTIDataset"]

CLASSES = ("Car", "Cyclist", "DontCare", "Misc", "Pedestrian", "Person_sitting", "Tram", "Truck", "Van")
COLUMNS: dict[str, tuple[slice, Any]] = {  # places in a line, which begins with the class
    "label": (slice(0, 1), np.uint32),
    "truncated": (slice(1, 2), np.float32),
    "occluded": (slice(2, 3), np.uint32),  # -1, which is at DontCare, is 2³² - 1
    "alpha": (slice(3, 4), np.float32),
    "bbox": (slice(4, 8), np.float32),
    "dimensions": (slice(8, 11), np.float32),
    "location": (slice(11, 14), np.float32),
    "rotation_y": (slice(14, 15), np.float32),
}
FIELDS = 15


class KITTIDataset(ImagesOfPart):
    """Images of KITTI, uint8, the files' bytes, and for training what n objects in them are.

    The columns are `image` and, of training, `label` and `occluded` uint32 (n, 1), `truncated`, `alpha` and
    `rotation_y` float32 (n, 1), `bbox` float32 (n, 4), `dimensions` and `location` float32 (n, 3).

    Args:
        dataset_dir: folder with data_object_image_2 and, for training, data_object_label_2.
        usage: "train" or "test"; None is "train". Images without objects are left out.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.KITTIDataset (2.10).
    """

    usages: ClassVar = ("train", "test")
    usage_unless_given: ClassVar = "train"

    def _names(self) -> list[str]:
        return ["image"] if self.usage == "test" else ["image", *COLUMNS]

    def _table(self) -> Table:
        part = "training" if self.usage == "train" else "testing"
        folder = self.dataset_dir / "data_object_image_2" / part / "image_2"
        images = [f"{folder}/{number:06}.png" for number in range(len(files_of(folder)))]
        if self.usage == "test":
            return {"image": Images(images)}
        folder = self.dataset_dir / "data_object_label_2" / part / "label_2"
        objects = [(image, _objects(folder / f"{Path(image).stem}.txt")) for image in images]
        objects = [(image, lines) for image, lines in objects if len(lines)]
        table: Table = {"image": Images(image for image, _ in objects)}
        for name, (places, kind) in COLUMNS.items():
            table[name] = [_as(kind, lines[:, places]) for _, lines in objects]
        return table


def _as(kind: Any, values: np.ndarray) -> np.ndarray:
    return values.astype(np.int64).astype(kind) if kind is np.uint32 else values.astype(kind)


def _objects(path: Path) -> np.ndarray:
    """Read the objects of an image, the class as its number: (n, 15)."""
    rows = []
    for number, line in enumerate(all_lines(Path(existing(path))), 1):
        fields = line.split()
        if not fields:
            continue
        try:
            rows.append([CLASSES.index(fields[0]), *map(float, fields[1:FIELDS])])
        except ValueError as error:
            raise pipeline_error(
                f"Invalid label, line {number} of {path} should be a class of {list(CLASSES)} and numbers, got "
                f"{line!r}."
            ) from error
        if len(rows[-1]) < FIELDS:
            raise pipeline_error(f"Invalid label, line {number} of {path} should have {FIELDS} fields, got {line!r}.")
    return np.array(rows, np.float64).reshape(-1, FIELDS)
