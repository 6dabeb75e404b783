"""WIDER FACE: images with boxes around faces."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.image_files import Images, ImagesOfPart, Table, all_lines

__all__ = ["WIDERFaceDataset"]

ATTRIBUTES = ("blur", "expression", "illumination", "occlusion", "pose", "invalid")
PARTS = {"train": ("train",), "valid": ("val",), "all": ("train", "val")}


class WIDERFaceDataset(ImagesOfPart):
    """Images of WIDER FACE, uint8, the files' bytes, and what n faces in them are.

    The columns are `image` and, unless `usage` is "test", `bbox` int32 (n, 4) and `blur`, `expression`,
    `illumination`, `occlusion`, `pose`, `invalid` int32 (n,).

    Args:
        dataset_dir: folder with WIDER_train, WIDER_val, WIDER_test and wider_face_split.
        usage: "train", "test", "valid" or "all", which is training and validation; None is "all".
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Images that were not downloaded are left out. The order is that of the lists; MindSpore's is the order in which the
    file system lists the images. As in MindSpore, the last three columns are the last three numbers of a line in this
    order, although the files' own description names them invalid, occlusion, pose.

    Follows: mindspore.dataset.WIDERFaceDataset (2.10).
    """

    usages: ClassVar = ("train", "test", "valid", "all")

    def _names(self) -> list[str]:
        return ["image"] if self.usage == "test" else ["image", "bbox", *ATTRIBUTES]

    def _table(self) -> Table:
        split = self.dataset_dir / "wider_face_split"
        if self.usage == "test":
            names = [name for name in all_lines(split / "wider_face_test_filelist.txt") if name]
            return {"image": Images(f"{self.dataset_dir}/WIDER_test/images/{name}" for name in names)}
        rows = [row for part in PARTS[self.usage] for row in self._faces(part)]
        table: Table = {"image": Images(path for path, _ in rows), "bbox": [faces[:, :4] for _, faces in rows]}
        for place, name in enumerate(ATTRIBUTES, 4):
            table[name] = [faces[:, place] for _, faces in rows]
        return table

    def _faces(self, part: str) -> Iterator[tuple[str, np.ndarray]]:
        """Yield path and faces (n, 10) of the images of a part."""
        path = self.dataset_dir / "wider_face_split" / f"wider_face_{part}_bbx_gt.txt"
        lines = [line.strip() for line in all_lines(path)]
        place = 0
        while place < len(lines):
            name = lines[place]
            try:
                count = max(int(lines[place + 1]), 1)  # without a face there is one of zeros
                numbers = [[int(field) for field in line.split()] for line in lines[place + 2 : place + 2 + count]]
                faces = np.array(numbers, np.int32).reshape(count, 10)
            except (IndexError, ValueError, OverflowError) as error:
                raise pipeline_error(
                    f"Invalid annotation, line {place + 1} of {path} should be an image, followed by the number of its "
                    f"faces and 10 numbers for each, got {lines[place : place + 3]}."
                ) from error
            image = self.dataset_dir / f"WIDER_{part}" / "images" / name
            if image.is_file():
                yield str(image), faces
            place += 2 + count
