"""SUN397: scenes, whose folders a file lists."""

import os

import numpy as np

from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, all_lines, files_of

__all__ = ["SUN397Dataset"]


class SUN397Dataset(ImageFilesDataset):
    """Images of SUN397: `image` uint8, the file's bytes, and `label` uint32 ().

    Args:
        dataset_dir: folder with ClassName.txt, whose lines name the classes' folders, such as /a/abbey; labels number
            the lines. Images are called sun_*.jpg.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other; on reading: a file or folder is missing, there are no images, or
            one cannot be decoded.

    Follows: mindspore.dataset.SUN397Dataset (2.10).
    """

    def _table(self) -> Table:
        names = [name for name in all_lines(self.dataset_dir / "ClassName.txt") if name]
        rows = sorted(
            (path, label)
            for label, name in enumerate(names)
            for path in files_of(self.dataset_dir / name.strip("/"), ".jpg")
            if os.path.basename(path).startswith("sun_")  # noqa: PTH119 - a string of many
        )
        if not rows:
            raise self._no_rows()
        return {"image": Images(path for path, _ in rows), "label": np.array([label for _, label in rows], np.uint32)}
