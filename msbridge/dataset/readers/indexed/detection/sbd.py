"""SBD: the boundaries and segmentations of objects."""

from pathlib import Path
from typing import ClassVar, Unpack

import numpy as np

from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import StrPath, UncachedImageArguments
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, all_lines
from msbridge.dataset.readers.matlab import mat_of_row
from msbridge.dataset.readers.source import check_choice

__all__ = ["SBDataset"]

LISTS = {"train": ("train",), "val": ("val",), "train_noval": ("train_noval",), "all": ("train", "val")}
CATEGORIES = 20


class SBDataset(ImageFilesDataset, UnionBaseDataset):
    """Images of SBD: `image` uint8, the file's bytes, and `task` uint8.

    For Boundaries `task` is (20, H, W), 1 on the boundaries of each category; for Segmentation (H, W), the category of
    each pixel.

    Args:
        dataset_dir: folder with img, cls and the lists train.txt, val.txt and train_noval.txt.
        task: "Boundaries" or "Segmentation".
        usage: "train", "val", "train_noval" or "all", which is the first two.
        decode: read images (H, W, 3) instead of bytes; None is False.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `task`, `usage` or `shard_id` is none of those allowed.
        FileNotFoundError: a list is missing.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.
        ImportError: SciPy is missing.

    Follows: mindspore.dataset.SBDataset (2.10).
    """

    column_names = ("image", "task")

    default_arguments: ClassVar = {"num_parallel_workers": 1, "decode": None}

    def __init__(
        self,
        dataset_dir: StrPath,
        task: str = "Boundaries",
        usage: str = "all",
        **common: Unpack[UncachedImageArguments],
    ) -> None:
        super().__init__(dataset_dir, **common)
        self.usage = check_choice(usage, "usage", tuple(LISTS))
        self.task = check_choice(task, "task", ("Boundaries", "Segmentation"))
        for path in self._lists():
            if not path.is_file():
                raise FileNotFoundError(f"SBDataset: {path} not found")

    def _lists(self) -> list[Path]:
        return [self.dataset_dir / f"{name}.txt" for name in LISTS[self.usage]]

    def _table(self) -> Table:
        names = [line.strip() for path in self._lists() for line in all_lines(path)]
        return {
            "image": Images(f"{self.dataset_dir}/img/{name}.jpg" for name in names),
            "task": Contours([self.dataset_dir / "cls" / f"{name}.mat" for name in names], self.task),
        }


class Contours:
    """The annotations of images, one for each row, read when they are needed."""

    def __init__(self, paths: list[Path], task: str) -> None:
        self.paths, self.task = paths, task

    def __len__(self) -> int:
        return len(self.paths)

    def __call__(self, indices: np.ndarray) -> list[np.ndarray]:
        return [self._read(self.paths[index]) for index in indices.tolist()]

    def _read(self, path: Path) -> np.ndarray:
        variables = mat_of_row(path, "GTcls")
        try:
            found = variables["GTcls"][0][self.task][0]
            if self.task == "Segmentation":
                return np.asarray(found)
            return np.stack([found[category][0].toarray() for category in range(CATEGORIES)])
        except (AttributeError, IndexError, ValueError, TypeError) as error:
            raise pipeline_error(f"Invalid file, {path} has no {self.task} of {CATEGORIES} categories.") from error
