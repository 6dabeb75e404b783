"""Food-101: dishes, listed for training and for testing."""

from msbridge.dataset.readers.image_files import Images, ImagesOfPart, Table, all_lines

__all__ = ["Food101Dataset"]


class Food101Dataset(ImagesOfPart):
    """Images of Food-101: `image` uint8, the file's bytes, and `label` str (), the name of the dish.

    Args:
        dataset_dir: folder with images and meta.
        usage: "train", "test" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing, or an image cannot be decoded.

    Follows: mindspore.dataset.Food101Dataset (2.10).
    """

    def _table(self) -> Table:
        parts = ("train", "test") if self.usage == "all" else (self.usage,)
        names = [name for part in parts for name in all_lines(self.dataset_dir / "meta" / f"{part}.txt") if name]
        return {
            "image": Images(f"{self.dataset_dir}/images/{name}.jpg" for name in names),
            "label": [name.partition("/")[0] for name in names],
        }
