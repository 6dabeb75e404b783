"""Labeled Faces in the Wild: people, and pairs of faces."""

from typing import Unpack

import numpy as np

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, all_lines
from msbridge.dataset.readers.source import check_choice, check_folder

__all__ = ["LFWDataset"]

FOLDERS = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
DIGITS = 4  # of the numbers in the images' names
LISTS = {"10fold": ("",), "train": ("DevTrain",), "test": ("DevTest",), "all": ("DevTrain", "DevTest")}


class LFWDataset(ImageFilesDataset):
    """Images of LFW, uint8, the files' bytes.

    The columns are `image` and `label` uint32 (), the person's line in lfw-names.txt, or for pairs `image1`, `image2`
    and `label` uint32 (), 1 where both are the same person.

    Args:
        dataset_dir: folder with lfw-names.txt, the lists and the images' folders.
        task: "people" or "pairs"; None is "people".
        usage: "10fold", "train", "test" or "all", which is both the latter; None is "all".
        image_set: "original", "funneled" or "deepfunneled"; None is "funneled".
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `task`, `usage`, `image_set` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.LFWDataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        task: str | None = None,
        usage: str | None = None,
        image_set: str | None = None,
        **common: Unpack[ImageArguments],
    ) -> None:
        check_folder(dataset_dir)
        self.task = "people" if task is None else check_choice(task, "task", ("people", "pairs"))
        self.usage = "all" if usage is None else check_choice(usage, "usage", tuple(LISTS))
        self.image_set = "funneled" if image_set is None else check_choice(image_set, "image_set", tuple(FOLDERS))
        super().__init__(dataset_dir, **common)

    def _names(self) -> list[str]:
        return ["image", "label"] if self.task == "people" else ["image1", "image2", "label"]

    def _table(self) -> Table:
        return self._people() if self.task == "people" else self._pairs()

    def _people(self) -> Table:
        listed_names = all_lines(self.dataset_dir / "lfw-names.txt")
        labels = {line.split("\t")[0]: number for number, line in enumerate(listed_names)}
        rows = []
        for name, count in self._lines("people", (2,)):
            if name not in labels:
                raise pipeline_error(f"Invalid data, {self.dataset_dir / 'lfw-names.txt'} does not list {name!r}.")
            rows += [(self._image(name, str(number + 1)), labels[name]) for number in range(self._number(count, name))]
        return {"image": Images(path for path, _ in rows), "label": np.array([label for _, label in rows], np.uint32)}

    def _pairs(self) -> Table:
        rows = []
        for name, number, *other in self._lines("pairs", (3, 4)):
            other_name, other_number = other if len(other) == 2 else (name, other[0])
            rows.append((self._image(name, number), self._image(other_name, other_number), len(other) == 1))
        return {
            "image1": Images(first for first, _, _ in rows),
            "image2": Images(second for _, second, _ in rows),
            "label": np.array([is_same for _, _, is_same in rows], np.uint32),
        }

    def _lines(self, task: str, fields: tuple[int, ...]) -> list[list[str]]:
        """Read the fields of lines that are not counts."""
        lines = [
            line.rstrip().split("\t")
            for part in LISTS[self.usage]
            for line in all_lines(self.dataset_dir / f"{task}{part}.txt")
        ]
        return [line for line in lines if len(line) in fields]

    def _image(self, name: str, number: str) -> str:
        return f"{self.dataset_dir}/{FOLDERS[self.image_set]}/{name}/{name}_{self._number(number, name):0{DIGITS}}.jpg"

    def _number(self, text: str, name: str) -> int:
        if not text.isdecimal() or len(text) > DIGITS:
            raise pipeline_error(
                f"Invalid data, the lists in {self.dataset_dir} should have a number of at most {DIGITS} digits behind "
                f"{name!r}, got {text!r}."
            )
        return int(text)
