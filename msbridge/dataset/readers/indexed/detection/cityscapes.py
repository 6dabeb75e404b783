"""Cityscapes: streets with labelled pixels or polygons."""

import json
from pathlib import Path
from typing import ClassVar, Unpack

import numpy as np

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import (
    ImageFilesDataset,
    Images,
    Table,
    existing,
    file_bytes,
    files_of,
    subfolders,
)
from msbridge.dataset.readers.json_text import parse_json
from msbridge.dataset.readers.source import check_choice

__all__ = ["CityscapesDataset"]

PARTS = {"fine": ("train", "test", "val"), "coarse": ("train", "train_extra", "val")}
FOLDERS = {"fine": "gtFine", "coarse": "gtCoarse"}
ENDINGS = {
    "instance": "instanceIds.png",
    "semantic": "labelIds.png",
    "polygon": "polygons.json",
    "color": "color.png",
}


class CityscapesDataset(ImageFilesDataset):
    """Images of Cityscapes: `image` uint8, the file's bytes, and `task` uint8, likewise, or str () of JSON.

    Args:
        dataset_dir: folder with leftImg8bit and gtFine or gtCoarse.
        usage: "train", "val" or "all", and "test" of fine, "train_extra" of coarse quality.
        quality_mode: "fine" or "coarse".
        task: "instance", "semantic", "polygon" or "color": which annotation is read.
        decode: read images (H, W, 3) instead of bytes, those of the task too; None is False.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage`, `quality_mode`, `task` or `shard_id` is none of those
            allowed.
        RuntimeError: arguments contradict each other; on reading: a file or folder is missing or damaged.

    Follows: mindspore.dataset.CityscapesDataset (2.10).
    """

    column_names = ("image", "task")

    default_arguments: ClassVar = {"decode": None}

    def __init__(
        self,
        dataset_dir: StrPath,
        usage: str = "train",
        quality_mode: str = "fine",
        task: str = "instance",
        **common: Unpack[ImageArguments],
    ) -> None:
        super().__init__(dataset_dir, **common)
        self.task = check_choice(task, "task", tuple(ENDINGS))
        self.quality_mode = check_choice(quality_mode, "quality_mode", tuple(PARTS))
        self.usage = check_choice(usage, "usage", (*PARTS[self.quality_mode], "all"))

    def _table(self) -> Table:
        parts = PARTS[self.quality_mode] if self.usage == "all" else (self.usage,)
        images = [
            image
            for part in parts
            for city in subfolders(self.dataset_dir / "leftImg8bit" / part)
            for image in files_of(city, ".png")
        ]
        tasks = [self._task_of(Path(image)) for image in images]
        return {"image": Images(images), "task": JsonFiles(tasks) if self.task == "polygon" else Images(tasks)}

    def _task_of(self, image: Path) -> str:
        folder = FOLDERS[self.quality_mode]
        name = f"{image.name.removesuffix('_leftImg8bit.png')}_{folder}_{ENDINGS[self.task]}"
        return existing(self.dataset_dir / folder / image.parts[-3] / image.parts[-2] / name)


class JsonFiles:
    """JSON files, one for each row, read when they are needed; without blanks and by keys, as MindSpore writes them."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    def __len__(self) -> int:
        return len(self.paths)

    def __call__(self, indices: np.ndarray) -> list[np.ndarray]:
        return [self._tree(self.paths[index]) for index in indices.tolist()]

    def _tree(self, path: str) -> np.ndarray:
        try:
            tree = parse_json(file_bytes(path).tobytes())
        except (ValueError, RecursionError) as error:
            raise pipeline_error(f"Invalid file, {path} is not JSON: {error}.") from error
        return np.array(json.dumps(tree, separators=(",", ":"), sort_keys=True, ensure_ascii=False))
