"""The base of converters of well-known datasets."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from msbridge.dataset.mindrecord.writing.file_writer import FileWriter
from msbridge.dataset.vision.base import import_cv2

ROWS_AT_ONCE = 256
LARGE_PAGE_BYTES = 64 * 1024**2


def write_rows(writer: FileWriter, rows: Iterable[dict[str, Any]]) -> None:
    """Write all rows, some at a time, and commit."""
    rows = iter(rows)
    while portion := list(islice(rows, ROWS_AT_ONCE)):
        writer.write_raw_data(portion)
    writer.commit()


def as_jpeg(image: np.ndarray, converter: str) -> bytes:
    """Encode an RGB image (H, W, 1) or (H, W, 3) as JPEG."""
    cv2 = import_cv2(converter)
    return cv2.imencode(".jpeg", np.ascontiguousarray(image[..., ::-1]))[1].tobytes()
