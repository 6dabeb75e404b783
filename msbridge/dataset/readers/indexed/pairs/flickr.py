"""Flickr8k and Flickr30k: images with sentences about them."""

from typing import ClassVar, Unpack

import numpy as np

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, all_lines, existing, is_image
from msbridge.dataset.readers.source import check_file

__all__ = ["FlickrDataset"]


class FlickrDataset(ImageFilesDataset):
    """Images of Flickr8k or Flickr30k: `image` uint8, the file's bytes, and `annotation` str (n,), its sentences.

    Args:
        dataset_dir: folder of the images.
        annotation_file: Flickr8k.token.txt or results_20130124.token: lines of an image's name, #, the sentence's
            number, a tabulator and the sentence.
        decode: read images (H, W, 3) instead of bytes; None is False.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder or the file does not exist, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other; on reading: an image is missing, or a file is damaged.

    Follows: mindspore.dataset.FlickrDataset (2.10).
    """

    column_names = ("image", "annotation")

    default_arguments: ClassVar = {"decode": None}

    def __init__(self, dataset_dir: StrPath, annotation_file: StrPath, **common: Unpack[ImageArguments]) -> None:
        super().__init__(dataset_dir, **common)
        self.annotation_file = check_file(annotation_file, "annotation_file")

    def _table(self) -> Table:
        sentences: dict[str, list[str]] = {}
        for number, line in enumerate(all_lines(self.annotation_file), 1):
            if not line:
                continue
            name, tabulator, sentence = line.partition("\t")
            image, mark, _ = name.rpartition("#")
            if not tabulator or not mark:
                raise pipeline_error(
                    f"Invalid annotation, line {number} of {self.annotation_file} should be an image's name, #, a "
                    f"number, a tabulator and a sentence, got {line!r}."
                )
            sentences.setdefault(image, []).append(sentence)
        names = [name for name in sorted(sentences) if is_image(existing(self.dataset_dir / name))]
        if not names:
            raise self._no_rows()
        return {
            "image": Images(f"{self.dataset_dir}/{name}" for name in names),
            "annotation": [np.array(sentences[name]) for name in names],
        }
