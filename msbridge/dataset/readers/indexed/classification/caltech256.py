"""Caltech-256: a folder with one folder of images per class."""

import numpy as np

from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, files_of, subfolders

__all__ = ["Caltech256Dataset"]


class Caltech256Dataset(ImageFilesDataset):
    """Images of Caltech-256: `image` uint8, the file's bytes, and `label` int32 ().

    Args:
        dataset_dir: folder with a folder of .jpg files for each class; labels number them by name.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other; on reading: there are no images, or one cannot be decoded.

    Follows: mindspore.dataset.Caltech256Dataset (2.10).
    """

    def num_classes(self) -> int | None:
        return len(subfolders(self.dataset_dir))

    def _table(self) -> Table:
        rows = [
            (path, label)
            for label, folder in enumerate(subfolders(self.dataset_dir))
            for path in files_of(folder, ".jpg", ".JPEG")
        ]
        return {"image": Images(path for path, _ in rows), "label": np.array([label for _, label in rows], np.int32)}
