"""Film reviews, one per file."""

from functools import cached_property
from pathlib import Path

import numpy as np

from msbridge.dataset.engine.dataset import TextBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.source import PartsDataset

__all__ = ["IMDBDataset"]

LABELS = {"pos": 1, "neg": 0}
PARTS = {"train": ("train",), "test": ("test",), "all": ("train", "test"), None: ("train", "test")}


class IMDBDataset(PartsDataset, TextBaseDataset):
    """Reviews in the folders train/pos, train/neg, test/pos and test/neg: `text` string (), `label` int32 ().

    As in MindSpore, a review is the last line of its file; the published files have one.

    Args:
        dataset_dir: the folder.
        usage: "train", "test" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, `usage` is another one, or arguments contradict each other.
        RuntimeError: on reading: a folder is missing, or a file is not UTF-8.

    Follows: mindspore.dataset.IMDBDataset (2.10).
    """

    column_names = ("text", "label")

    @cached_property
    def _files(self) -> list[tuple[Path, int]]:
        files = []
        for part in PARTS[self.usage]:
            for name, label in LABELS.items():
                folder = self.dataset_dir / part / name
                if not folder.is_dir():
                    raise pipeline_error(
                        f"Invalid parameter, dataset dir may not exist or is not a directory: {folder}"
                    )
                files += [(path, label) for path in sorted(folder.iterdir()) if path.is_file()]
        return files

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        labels = np.array([label for _, label in self._files], np.int32)
        return {"text": self._texts, "label": ArrayRows(labels)}

    def _texts(self, indices: np.ndarray) -> list[np.ndarray]:
        return [np.array(_last_line(self._files[index][0])) for index in indices.tolist()]

    def _length(self) -> int:
        return len(self._files)


def _last_line(path: Path) -> str:
    try:
        data = path.read_bytes()
        return data.decode().removesuffix("\n").rpartition("\n")[2]
    except (OSError, UnicodeDecodeError) as error:
        raise pipeline_error(f"Invalid file, {path} cannot be read as text ({error}).") from error
