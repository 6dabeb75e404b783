"""The files of a prefix in a folder, as subclasses of ModelCheckpoint keep them in number.

Follows: mindspore.train.callback._checkpoint.CheckpointManager (2.10).
"""

import os
import warnings
from pathlib import Path

from msbridge.core.runtime.path_mapping import StrPath

__all__ = ["CheckpointManager"]


class CheckpointManager:
    """Lists checkpoint files, and removes some of them.

    Args:
        format: "ckpt" or "safetensors", their ending.
    """

    def __init__(self, format: str = "ckpt") -> None:
        self._format = format
        self._ckpoint_filelist: list[str] = []

    @property
    def ckpoint_filelist(self) -> list[str]:
        """The files of the last look."""
        return self._ckpoint_filelist

    @property
    def ckpoint_num(self) -> int:
        """The number of checkpoints."""
        return len(self._ckpoint_filelist)

    def update_ckpoint_filelist(self, directory: StrPath, prefix: str) -> None:
        """Look for the files `PREFIX-EPOCH_STEP` of a folder."""
        start, ending = f"{prefix}-", f".{self._format}"
        self._ckpoint_filelist = [
            os.path.join(directory, name)  # noqa: PTH118  scripts compare it with paths made so
            for name in os.listdir(directory)  # noqa: PTH208
            if name.startswith(start)
            and name.endswith(ending)
            and not any(character.isalpha() for character in name[len(prefix) : -len(ending)])
        ]

    def remove_ckpoint_file(self, file_name: str) -> None:
        """Remove a file, and leave it out of the list; a warning says where that fails."""
        try:
            Path(file_name).unlink()
            self._ckpoint_filelist.remove(file_name)
        except (OSError, ValueError) as error:
            warnings.warn(f"The older checkpoint {file_name} could not be removed: {error}", stacklevel=2)

    def remove_oldest_ckpoint_file(self) -> None:
        """Remove the file that was changed first."""
        self.remove_ckpoint_file(min(self._ckpoint_filelist, key=_modification_time))

    def keep_one_ckpoint_per_minutes(self, minutes: float, cur_time: float) -> None:
        """Of the files changed in the last so many minutes before `cur_time`, keep the oldest."""
        recent = sorted(
            (name for name in self._ckpoint_filelist if cur_time - _modification_time(name) < 60 * minutes),
            key=_modification_time,
        )
        for name in recent[1:]:
            self.remove_ckpoint_file(name)


def _modification_time(name: str) -> float:
    return Path(name).stat().st_mtime
