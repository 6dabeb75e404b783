"""The file that summaries go to: TensorBoard's, written by torch's writer for it."""

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from msbridge.converters.files.replacing import replacing_path
from msbridge.core import host
from msbridge.core.tensor import Tensor

IMAGES_SHOWN = 10  # of a batch


class EventFile:
    """Writes values into an event file, in a thread of its own.

    Args:
        folder: where the file lies; created if it is missing.
        suffix: ends the file's name.
        limit_bytes: no more is written once the file is that large; None for no limit.
        exports_tensors: write Tensors as .npy files too, into a folder beside the file.

    Raises:
        ImportError: TensorBoard is not installed.
        OSError: the folder cannot be created.
    """

    def __init__(self, folder: Path, suffix: str, limit_bytes: int | None, exports_tensors: bool) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise ImportError(
                "summaries are written as TensorBoard's files: pip install 'msbridge[summary]', or tensorboard"
            ) from error
        folder.mkdir(parents=True, exist_ok=True)
        before = set(folder.iterdir())
        self._writer = SummaryWriter(str(folder), filename_suffix=suffix)
        (self.path,) = set(folder.glob("*tfevents*")) - before
        self._limit_bytes = limit_bytes
        self._export = folder / f"export_{int(time.time())}" / "tensor" if exports_tensors else None

    @property
    def is_full(self) -> bool:
        """Whether the file has reached its limit."""
        if self._limit_bytes is None:
            return False
        self._writer.flush()
        return self.path.stat().st_size >= self._limit_bytes

    def write(self, kind: str, name: str, value: Any, step: int) -> None:
        """Write one value: a Tensor as "scalar", "image", "histogram" or "tensor"; anything else as text."""
        if not isinstance(value, Tensor):
            text = value if isinstance(value, str) else json.dumps(value, indent=1, default=str)
            self._writer.add_text(name, f"```\n{text}\n```", step)
            return
        data = host.read(value._data.detach())
        if kind == "scalar":
            self._writer.add_scalar(name, data.item(), step)
        elif kind == "image":
            self._writer.add_images(name, _scaled(data.float().numpy()[:IMAGES_SHOWN]), step)
        elif kind == "histogram":
            finite = data.double()[data.double().isfinite()]
            if finite.numel():
                self._writer.add_histogram(name, finite, step)
        else:
            self._writer.add_tensor(name, data, step)
            if self._export is not None:
                self._export.mkdir(parents=True, exist_ok=True)
                target = self._export / f"{quote(name, safe='')}_{step}.npy"
                with replacing_path(target) as partial, partial.open("wb") as file:
                    np.save(file, host.to_numpy(data))

    def flush(self) -> None:
        """Wait until all is in the file."""
        self._writer.flush()

    def close(self) -> None:
        """Write what is left, and close the file."""
        self._writer.close()


def _scaled(images: np.ndarray) -> np.ndarray:
    """Bring images of any range to [0, 1], as one cannot tell what a network's input was divided by."""
    least, greatest = images.min(), images.max()
    if least >= 0 and greatest <= 1:
        return images
    scaled: np.ndarray = (images - least) / max(greatest - least, 1e-12)
    return scaled
