"""The file that summaries go to: TensorBoard's, written by torch's writer for it."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from msbridge.converters.files.atomic_write import replacing_path
from msbridge.core.runtime import device_to_host
from msbridge.core.tensor.tensor import Tensor

MAX_IMAGES = 10  # of a batch


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
        thread = self._writer._get_file_writer().event_writer._async_writer._worker
        self._records = thread._record_writer = _Records(thread._record_writer)
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
        """Write one value: a Tensor as "scalar", "image", "histogram" or "tensor"; anything else as text.

        Raises:
            OSError: an earlier one could not be written.
        """
        self._records.check()
        if not isinstance(value, Tensor):
            text = value if isinstance(value, str) else json.dumps(value, indent=1, default=str)
            self._writer.add_text(name, f"```\n{text}\n```", step)
            return
        data = device_to_host.read(value._data.detach())
        if kind == "scalar":
            self._writer.add_scalar(name, data.item(), step)
        elif kind == "image":
            self._writer.add_images(name, _scale_to_unit(data.float().numpy()[:MAX_IMAGES]), step)
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
                    np.save(file, device_to_host.to_numpy(data))

    def flush(self) -> None:
        """Wait until all is in the file; raises OSError if something could not be written."""
        self._writer.flush()
        self._records.check()

    def close(self) -> None:
        """Write what is left, and close the file; raises OSError if something could not be written."""
        self._writer.close()
        self._records.check()


class _Records:
    """TensorBoard's writer of records; keeps what fails, where its thread would end with a traceback."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._failure: OSError | None = None

    def write(self, record: bytes) -> None:
        """Write a record, unless an earlier one could not be written."""
        self._keeping(self._writer.write, record)

    def flush(self) -> None:
        """Bring what was written into the file."""
        self._keeping(self._writer.flush)

    def _keeping(self, call: Callable[..., None], *arguments: bytes) -> None:
        if self._failure is None:
            try:
                call(*arguments)
            except OSError as error:
                self._failure = error

    def check(self) -> None:
        """Raise what failed."""
        if self._failure is not None:
            raise self._failure


def _scale_to_unit(images: np.ndarray) -> np.ndarray:
    """Bring images of any range to [0, 1], as the divisor of a network's input is unknown."""
    least, greatest = images.min(), images.max()
    if least >= 0 and greatest <= 1:
        return images
    scaled: np.ndarray = (images - least) / max(greatest - least, 1e-12)
    return scaled
