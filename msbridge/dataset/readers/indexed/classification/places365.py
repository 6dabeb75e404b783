"""Places365: scenes, listed with their labels."""

import re
from typing import Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import IndexedArguments, StrPath
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, all_lines, existing
from msbridge.dataset.readers.source import check_choice, check_folder

__all__ = ["Places365Dataset"]

LISTS = {
    "train-standard": ("places365_train_standard.txt", "data_256_standard", "data_large_standard"),
    "train-challenge": ("places365_train_challenge.txt", "data_256_challenge", "data_large_challenge"),
    "val": ("places365_val.txt", "val_256", "val_large"),
}
ROW = re.compile(r"(?P<name>\S+) +(?P<label>\d{1,9})\s*")


class Places365Dataset(ImageFilesDataset):
    """Images of Places365: `image` uint8, the file's bytes, and `label` uint32 ().

    Args:
        dataset_dir: folder with categories_places365.txt, places365_train_standard.txt, places365_train_challenge.txt
            or places365_val.txt, and the folders that they speak of.
        usage: "train-standard", "train-challenge" or "val"; None is "train-standard".
        small: read images of 256 × 256 pixels, otherwise the large ones.
        decode, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.Places365Dataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        usage: str | None = None,
        small: bool = True,
        decode: bool = False,
        **common: Unpack[IndexedArguments],
    ) -> None:
        check_folder(dataset_dir)
        self.usage = "train-standard" if usage is None else check_choice(usage, "usage", tuple(LISTS))
        super().__init__(dataset_dir, decode=decode, **common)
        self.small = require_type(small, "small", bool)

    def _table(self) -> Table:
        all_lines(self.dataset_dir / "categories_places365.txt")  # MindSpore refuses a folder without it
        name, small, large = LISTS[self.usage]
        folder, rows = self.dataset_dir / (small if self.small else large), []
        for number, line in enumerate(all_lines(self.dataset_dir / name), 1):
            if not line:
                continue
            if (row := ROW.fullmatch(line)) is None:
                raise pipeline_error(
                    f"Invalid data, line {number} of {self.dataset_dir / name} should be a file and a label, got "
                    f"{line!r}."
                )
            rows.append((existing(folder / row["name"].lstrip("/")), int(row["label"])))
        return {"image": Images(path for path, _ in rows), "label": np.array([label for _, label in rows], np.uint32)}
