"""SBU: photographs with captions."""

from typing import Unpack

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, all_lines
from msbridge.dataset.readers.source import check_file, check_folder

__all__ = ["SBUDataset"]

ADDRESSES = "SBU_captioned_photo_dataset_urls.txt"
CAPTIONS = "SBU_captioned_photo_dataset_captions.txt"


class SBUDataset(ImageFilesDataset):
    """Images of SBU: `image` uint8, the file's bytes, and `caption` str ().

    Images that were not downloaded are left out.

    Args:
        dataset_dir: folder with SBU_captioned_photo_dataset_urls.txt, SBU_captioned_photo_dataset_captions.txt and
            sbu_images.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder, or what it should hold, does not exist, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other; on reading: an address is none of Flickr's, there are no images,
            or one cannot be decoded.

    Follows: mindspore.dataset.SBUDataset (2.10).
    """

    column_names = ("image", "caption")

    def __init__(self, dataset_dir: StrPath, **common: Unpack[ImageArguments]) -> None:
        super().__init__(dataset_dir, **common)
        for name in (ADDRESSES, CAPTIONS):
            check_file(self.dataset_dir / name, "dataset_dir")
        check_folder(self.dataset_dir / "sbu_images")

    def _table(self) -> Table:
        addresses, captions = all_lines(self.dataset_dir / ADDRESSES), all_lines(self.dataset_dir / CAPTIONS)
        rows = []
        for number, (address, caption) in enumerate(zip(addresses, captions, strict=False), 1):
            folder, slash, name = address.removeprefix("http://static.flickr.com/").partition("/")
            if not slash or folder == address.partition("/")[0]:
                raise pipeline_error(
                    f"Invalid url in {self.dataset_dir / ADDRESSES}, line {number} should begin with "
                    f"http://static.flickr.com/, got {address!r}."
                )
            image = self.dataset_dir / "sbu_images" / f"m_{folder}_{name}"
            if image.is_file():
                rows.append((str(image), caption.strip()))
        return {"image": Images(path for path, _ in rows), "caption": [caption for _, caption in rows]}
