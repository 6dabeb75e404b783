"""DIV2K: images in high and in low resolution."""

from pathlib import Path
from typing import ClassVar, Unpack

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, existing, files_of
from msbridge.dataset.readers.source import check_choice

__all__ = ["DIV2KDataset"]

PARTS = {"train": ("train",), "valid": ("valid",), "all": ("train", "valid")}
SCALES = (2, 3, 4, 8)
DOWNGRADES = ("bicubic", "unknown", "mild", "difficult", "wild")
DOWNGRADES_OF_2018 = DOWNGRADES[2:]


class DIV2KDataset(ImageFilesDataset):
    """Images of DIV2K: `hr_image` and `lr_image` uint8, the files' bytes.

    Args:
        dataset_dir: folder with DIV2K_train_HR, DIV2K_train_LR_bicubic, …
        usage: "train", "valid" or "all".
        downgrade: how the images in low resolution were made: "bicubic", "unknown", "mild", "difficult" or "wild".
        scale: 2, 3, 4 or 8, which is for "bicubic" only; the last three downgrades take only 4.
        decode: read images (H, W, 3) instead of bytes; None is False.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage`, `downgrade`, `scale` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file or folder is missing or damaged.

    Follows: mindspore.dataset.DIV2KDataset (2.10).
    """

    column_names = ("hr_image", "lr_image")

    default_arguments: ClassVar = {"decode": None}

    def __init__(
        self,
        dataset_dir: StrPath,
        usage: str = "train",
        downgrade: str = "bicubic",
        scale: int = 2,
        **common: Unpack[ImageArguments],
    ) -> None:
        super().__init__(dataset_dir, **common)
        self.usage = check_choice(usage, "usage", tuple(PARTS))
        self.downgrade = check_choice(downgrade, "downgrade", DOWNGRADES)
        if require_type(scale, "scale", int) not in SCALES:
            raise ValueError(f"Input scale is not within the valid set of {list(SCALES)}, got {scale}.")
        if scale == 8 and downgrade != "bicubic":
            raise ValueError(f"DIV2KDataset: scale equal to 8 is allowed only in bicubic downgrade, got {downgrade!r}.")
        if scale != 4 and downgrade in DOWNGRADES_OF_2018:
            raise ValueError(f"DIV2KDataset: {downgrade} downgrade requires scale equal to 4, got {scale}.")
        self.scale = scale

    def _table(self) -> Table:
        pairs = [
            (image, existing(low / f"{Path(image).stem}{ending}"))
            for part in PARTS[self.usage]
            for low, ending in [self._low(part)]
            for image in files_of(self.dataset_dir / f"DIV2K_{part}_HR", ".png")
        ]
        return {"hr_image": Images(high for high, _ in pairs), "lr_image": Images(low for _, low in pairs)}

    def _low(self, part: str) -> tuple[Path, str]:
        """Return the folder of the images in low resolution, and how their names end."""
        ending = f"x{self.scale}{self.downgrade[0] if self.downgrade in DOWNGRADES_OF_2018 else ''}.png"
        if self.scale == 8:
            name = f"DIV2K_{part}_LR_x8"
        elif self.downgrade in DOWNGRADES_OF_2018:
            name = f"DIV2K_{part}_LR_{self.downgrade}"
        else:
            name = f"DIV2K_{part}_LR_{self.downgrade}/X{self.scale}"
        folder = self.dataset_dir / name
        if not folder.is_dir():
            raise pipeline_error(f"Invalid path, div2k lr image dir: {folder} is not a directory.")
        return folder, ending
