"""CelebA: faces with attributes."""

import os
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.sampling.samplers import PKSampler
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.image_files import Decrypt, ImageFilesDataset, Images, Table, all_lines, check_decrypt

__all__ = ["CelebADataset"]

ATTRIBUTES, PARTITION = "list_attr_celeba.txt", "list_eval_partition.txt"
PARTS = {"all": "", "train": "0", "valid": "1", "test": "2"}


class CelebADataset(ImageFilesDataset):
    """Images of CelebA: `image` uint8, the file's bytes, and `attr` uint32 (n,), 1 where the face has the attribute.

    Args:
        dataset_dir: folder of the images, with list_attr_celeba.txt and, for parts, list_eval_partition.txt.
        usage: "all", "train", "valid" or "test": a line of list_eval_partition.txt says it of the row with its number.
        extensions: endings to read, with their dot; None reads every file.
        decrypt: function from the path of an encrypted file to the bytes of the image; None reads the file.
        num_parallel_workers, shuffle, sampler, decode, num_samples, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, `usage` or `shard_id` is none of those allowed, or the sampler is one by
            class.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.CelebADataset (2.10).
    """

    column_names = ("image", "attr")

    def __init__(
        self,
        dataset_dir: str | os.PathLike[str],
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        usage: str | None = "all",
        sampler: Any = None,
        decode: bool = False,
        extensions: list[str] | None = None,
        num_samples: int | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Decrypt | None = None,
    ) -> None:
        if extensions is not None:
            for ending in require_type(extensions, "extensions", list):
                require_type(ending, "extensions", str)
        if usage is not None and usage not in PARTS:
            raise ValueError(f"usage should be 'all', 'train', 'valid' or 'test', got {usage!r}.")
        if isinstance(sampler, PKSampler):
            raise ValueError("CelebADataset doesn't support PKSampler: its rows have no class.")
        super().__init__(
            dataset_dir, num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache
        )
        self.decrypt = check_decrypt(decrypt)
        self.usage = "all" if usage is None else usage
        self.extensions = tuple(extensions or ())

    def _table(self) -> Table:
        path = self.dataset_dir / ATTRIBUTES
        lines = all_lines(path)
        if not lines or not lines[0].strip().isdecimal():
            raise pipeline_error(f"Invalid rows_num, the first line of {path} should be the number of rows.")
        rows = [line.split() for line in lines[2:] if line.strip()]
        if self.usage != "all":
            partition = [line.split()[-1:] for line in self._partition()]
            rows = [row for row, part in zip(rows, partition, strict=False) if part == [PARTS[self.usage]]]
        if self.extensions:
            rows = [row for row in rows if f".{row[0].rpartition('.')[2]}" in self.extensions]
        return {
            "image": Images(f"{self.dataset_dir}/{name}" for name, *_ in rows),
            "attr": [self._attributes(name, values) for name, *values in rows],
        }

    def _partition(self) -> list[str]:
        path = self.dataset_dir / PARTITION
        if not path.is_file():
            raise RuntimeError(f"Partition file {path} can not be found when usage is not 'all'.")
        return all_lines(path)

    def _attributes(self, name: str, values: list[str]) -> np.ndarray:
        try:
            return np.array([int(value) == 1 for value in values], np.uint32)
        except ValueError as error:
            raise pipeline_error(
                f"Invalid label index, the attributes of {name} in {self.dataset_dir / ATTRIBUTES} should be 1 or -1, "
                f"got {values}."
            ) from error
