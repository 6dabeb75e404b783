"""Encoded images. Pillow made the JPEG files of one image, in many forms; some are odd, or damaged by a byte."""

from pathlib import Path

import numpy as np

_KINDS = "444 422 420 progressive restarts rgb grey cmyk turned one_pixel trailing_bytes without_its_end damaged"
KINDS = tuple(_KINDS.split(" "))


def file(name: str) -> np.ndarray:
    """Return the bytes of a file."""
    return np.fromfile(Path(__file__).with_name(name), np.uint8)
