"""Omniglot: folders of alphabets with folders of characters."""

from typing import Any, Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, files_of, subfolders

__all__ = ["OmniglotDataset"]


class OmniglotDataset(ImageFilesDataset):
    """Images of Omniglot: `image` uint8, the file's bytes, and `label` int32 (), which numbers characters by path.

    Args:
        dataset_dir: folder with images_background and images_evaluation.
        background: read images_background, otherwise images_evaluation; None is True.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other; on reading: there are no images, or one cannot be decoded.

    Follows: mindspore.dataset.OmniglotDataset (2.10).
    """

    def __init__(self, dataset_dir: StrPath, background: bool | None = None, **common: Unpack[ImageArguments]) -> None:
        super().__init__(dataset_dir, **common)
        self.background = background is None or require_type(background, "background", bool)

    def num_classes(self) -> int | None:
        return len(self._characters())

    def _characters(self) -> list[Any]:
        part = self.dataset_dir / ("images_background" if self.background else "images_evaluation")
        return [character for alphabet in subfolders(part) for character in subfolders(alphabet)]

    def _table(self) -> Table:
        rows = [(path, label) for label, folder in enumerate(self._characters()) for path in files_of(folder)]
        return {"image": Images(path for path, _ in rows), "label": np.array([label for _, label in rows], np.int32)}
