"""Photo Tour: patches around points of photographs."""

from functools import cached_property, lru_cache
from pathlib import Path
from typing import Unpack

import numpy as np

from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import IndexedArguments, StrPath
from msbridge.dataset.readers.image_files import all_lines, file_bytes
from msbridge.dataset.readers.source import FolderDataset, check_choice, check_folder
from msbridge.dataset.vision.base import import_cv2

__all__ = ["PhotoTourDataset"]

PLACES = ("notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris", "liberty_harris")
PATCH, PER_SIDE = 64, 16
PER_SHEET = PER_SIDE * PER_SIDE
MAX_CACHED_SHEETS = 64  # of 1 MiB each
MATCHES = "m50_100000_100000_0.txt"


class PhotoTourDataset(FolderDataset, VisionBaseDataset):
    """Patches of Photo Tour, uint8 (64, 64, 1).

    The columns are `image` for training; for testing `image1`, `image2` and `matches` uint32 (), 1 where both show the
    same point.

    Args:
        dataset_dir: folder with the places' folders.
        name: "notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris" or "liberty_harris".
        usage: "train" or "test"; None is "train".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `name`, `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.PhotoTourDataset (2.10).
    """

    def __init__(
        self, dataset_dir: StrPath, name: str, usage: str | None = None, **common: Unpack[IndexedArguments]
    ) -> None:
        check_folder(dataset_dir)
        self.name = check_choice(name, "name", PLACES)
        self.usage = "train" if usage is None else check_choice(usage, "usage", ("train", "test"))
        super().__init__(dataset_dir, **common)

    def _names(self) -> list[str]:
        return ["image"] if self.usage == "train" else ["image1", "image2", "matches"]

    @cached_property
    def _patch_count(self) -> int:
        return len(all_lines(self.dataset_dir / self.name / "info.txt"))

    @cached_property
    def _pairs(self) -> np.ndarray:
        """Both patches, and whether they show the same point: (n, 3)."""
        path, rows = self.dataset_dir / self.name / MATCHES, []
        for number, line in enumerate(all_lines(path), 1):
            try:
                first, point, _, second, other_point, *_ = map(int, line.split())
            except ValueError as error:
                raise pipeline_error(
                    f"Invalid file, line {number} of {path} should have seven numbers, got {line!r}."
                ) from error
            if not (0 <= first < self._patch_count and 0 <= second < self._patch_count):
                raise pipeline_error(
                    f"Invalid file, line {number} of {path} names a patch that info.txt does not list: {line!r}."
                )
            rows.append((first, second, point == other_point))
        return np.array(rows, np.int64).reshape(-1, 3)

    def _length(self) -> int:
        return self._patch_count if self.usage == "train" else len(self._pairs)

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        sheets = Sheets(self.dataset_dir / self.name)
        if self.usage == "train":
            return {"image": Patches(sheets, np.arange(self._patch_count))}
        first, second, is_same = self._pairs.T
        return {
            "image1": Patches(sheets, first),
            "image2": Patches(sheets, second),
            "matches": ArrayRows(is_same.astype(np.uint32)),
        }


class Patches:
    """Patches by number, cut from their sheets when they are needed."""

    def __init__(self, sheets: "Sheets", numbers: np.ndarray) -> None:
        self.sheets, self.numbers = sheets, numbers

    def __call__(self, indices: np.ndarray) -> np.ndarray:
        return np.stack([self.sheets.patch(number) for number in self.numbers[indices].tolist()])


class Sheets:
    """The files of 16 × 16 patches, of which the last ones are kept in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._sheet = lru_cache(MAX_CACHED_SHEETS)(self._read)

    def patch(self, number: int) -> np.ndarray:
        """Return a patch (64, 64, 1)."""
        sheet, place = divmod(number, PER_SHEET)
        row, column = divmod(place, PER_SIDE)
        patch = self._sheet(sheet)[row * PATCH : (row + 1) * PATCH, column * PATCH : (column + 1) * PATCH]
        return patch[..., None]

    def _read(self, number: int) -> np.ndarray:
        cv2 = import_cv2("PhotoTourDataset")
        path = self.folder / f"patches{number:04}.bmp"
        data = file_bytes(str(path))
        sheet = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE) if data.size else None
        if sheet is None or sheet.shape != (PATCH * PER_SIDE, PATCH * PER_SIDE):
            raise pipeline_error(f"Invalid file, {path} is no image of {PATCH * PER_SIDE} × {PATCH * PER_SIDE} pixels.")
        return np.asarray(sheet)
