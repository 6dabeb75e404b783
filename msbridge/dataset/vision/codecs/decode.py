"""Decode: from the bytes of image files to images."""

import io
from typing import Any, ClassVar

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.transforms.base import Transform
from msbridge.dataset.vision.base import OnDevice, import_cv2, import_pil
from msbridge.dataset.vision.codecs.jpeg import Frame, decode_jpeg_file, frame_of

__all__ = ["Decode"]


class Decode(OnDevice, Transform):
    """Decode the bytes of an image file into an RGB image.

    Args:
        to_pil: return a PIL image instead of a uint8 array (H, W, 3).

    Raises:
        TypeError: an eager call gets neither bytes nor a 1-D array.
        RuntimeError: the bytes are not an image that OpenCV reads, or of more than 2 ** 30 pixels.
        ValueError: the bytes are not an image that Pillow reads.

    Examples:
        >>> file = vision.encode_png(np.zeros((4, 6, 3), np.uint8))
        >>> vision.Decode()(file).shape
        (4, 6, 3)

    Follows: mindspore.dataset.vision.Decode (2.10).
    """

    accepts: ClassVar[str] = "data"
    heavy: ClassVar[bool] = True

    def __init__(self, to_pil: bool = False) -> None:
        require_type(to_pil, "to_pil", bool)
        self.to_pil = to_pil

    def check_chip(self) -> None:
        if self.to_pil:
            raise ValueError('Decode(to_pil=True) cannot be performed on Ascend; please set "to_pil=False".')

    def __call__(self, img: Any) -> Any:
        """Transform the bytes of one image file outside of a pipeline."""
        return super().__call__(img)

    def transform_value(self, value: Any) -> Any:
        return decode_with_pil(value) if self.to_pil else decode_image(value)

    def check_inputs(self, *inputs: Any) -> Any:
        if len(inputs) == 1 and isinstance(inputs[0], bytes):
            return inputs[0]
        if len(inputs) != 1 or not isinstance(inputs[0], np.ndarray):
            raise TypeError(
                f"The type of the encoded image should be <class 'numpy.ndarray'>, but got {type(inputs[0])}."
            )
        if inputs[0].ndim != 1 or inputs[0].dtype.kind == "U":
            raise TypeError(
                "The encoded image should be an array of one dimension, but got "
                f"{inputs[0].ndim} dimensions of {inputs[0].dtype}."
            )
        return inputs[0]


def decode_image(data: Any, rows: int | None = None, frame: Frame | None = None) -> np.ndarray:
    """Decode an image into a uint8 RGB array (H, W, 3).

    Args:
        data: the file's bytes.
        rows: how many of the first rows are needed; those below may be left out.
        frame: the frame header of a JPEG file, where the caller knows it.
    """
    encoded = as_bytes(data)
    frame = frame or frame_of(encoded)
    if frame is not None and (image := decode_jpeg_file(encoded, frame, rows)) is not None:
        return image
    cv2 = import_cv2("Decode")
    form = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        image = cv2.imdecode(encoded, form) if encoded.size else None
    except cv2.error as error:  # of more than 2 ** 30 pixels, among others
        raise RuntimeError(f"Decode: image decode failed: {error.err}.") from error
    if image is None:
        raise RuntimeError("Decode: image decode failed: the bytes are not an image that can be read.")
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB)


def decode_with_pil(data: Any) -> Any:
    """Decode an image into a PIL image of mode RGB; of one with too many pixels Pillow's own error says so."""
    pil = import_pil("Decode")
    try:
        image = pil.open(io.BytesIO(as_bytes(data).tobytes()))
        if image.format == "EPS":
            raise ValueError("PostScript is a program, which Pillow would have run")
        return image.convert("RGB")
    except (pil.DecompressionBombError, MemoryError):
        raise
    except Exception as error:  # damaged files bring Pillow's readers to OSError, SyntaxError, struct.error …
        raise ValueError(f"Decode: image decode failed: {error}.") from error


def as_bytes(data: Any) -> np.ndarray:
    """Return a file's bytes as a uint8 array."""
    if isinstance(data, bytes):
        return np.frombuffer(data, np.uint8)
    array = np.asarray(data)
    if array.dtype.kind == "S" and array.ndim == 0:
        return np.frombuffer(array.tobytes(), np.uint8)
    if array.ndim != 1:
        raise TypeError(f"The number of array dimensions of the encoded image should be 1, but got {array.ndim}.")
    return np.ascontiguousarray(array).view(np.uint8)


class DecodeArray(Decode):
    """Decode the bytes of an image file into a uint8 RGB array (H, W, 3).

    Args:
        rgb: only True.

    Follows: mindspore.dataset.vision.c_transforms.Decode (1.10).
    """

    def __init__(self, rgb: bool = True) -> None:
        if rgb is not True:
            raise NotImplementedError(f"For 'Decode', rgb must be True, got {rgb!r}.")
        super().__init__(to_pil=False)


class DecodePIL(Decode):
    """Decode the bytes of an image file into a PIL image of mode RGB.

    Follows: mindspore.dataset.vision.py_transforms.Decode (1.10).
    """

    def __init__(self) -> None:
        super().__init__(to_pil=True)
