"""LSUN, whose images are unpacked: a folder for each scene and part."""

from pathlib import Path
from typing import Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, files_of
from msbridge.dataset.readers.source import check_choice, check_folder

__all__ = ["LSUNDataset"]

SCENES = (
    "bedroom",
    "bridge",
    "church_outdoor",
    "classroom",
    "conference_room",
    "dining_room",
    "kitchen",
    "living_room",
    "restaurant",
    "tower",
)
PARTS = {"train": ("train",), "valid": ("val",), "all": ("train", "val")}


class LSUNDataset(ImageFilesDataset):
    """Images of LSUN: `image` uint8, the file's bytes, and `label` uint32 (), which numbers the folders that are read.

    Args:
        dataset_dir: folder with the folders bedroom_train, bedroom_val, … and test.
        usage: "train", "valid", "test", whose label is always 0, or "all", which is training and validation, where
            the two folders of a scene have different labels; None is "all".
        classes: which scenes to read; None reads those that are there.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage`, a class or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: there are no images, or one cannot be decoded.

    Follows: mindspore.dataset.LSUNDataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        usage: str | None = None,
        classes: list[str] | None = None,
        **common: Unpack[ImageArguments],
    ) -> None:
        check_folder(dataset_dir)
        self.usage = "all" if usage is None else check_choice(usage, "usage", ("train", "test", "valid", "all"))
        super().__init__(dataset_dir, **common)
        for name in [] if classes is None else require_type(classes, "classes", list):
            check_choice(name, "classes", SCENES)
        self.classes = classes

    def num_classes(self) -> int | None:
        """Return the number of scenes; of the test images, which have none, 0."""
        return len({folder.name.rpartition("_")[0] for folder in self._folders()} - {""})

    def _folders(self) -> list[Path]:
        if self.usage == "test":
            return [self.dataset_dir / "test"]
        folders = [
            self.dataset_dir / f"{scene}_{part}" for scene in self.classes or SCENES for part in PARTS[self.usage]
        ]
        return sorted(folder for folder in folders if folder.is_dir())

    def _table(self) -> Table:
        rows = [(path, label) for label, folder in enumerate(self._folders()) for path in files_of(folder)]
        return {"image": Images(path for path, _ in rows), "label": np.array([label for _, label in rows], np.uint32)}
