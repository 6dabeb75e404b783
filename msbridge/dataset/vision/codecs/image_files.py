"""Functions on image files and on encoded images: read_image, write_jpeg, encode_png, get_image_size and their like."""

from pathlib import Path
from typing import Any

import numpy as np

from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision.base import import_cv2
from msbridge.dataset.vision.enums import ImageReadMode

__all__ = [
    "encode_jpeg",
    "encode_png",
    "get_image_num_channels",
    "get_image_size",
    "read_file",
    "read_image",
    "write_file",
    "write_jpeg",
    "write_png",
]

QUALITIES = (1, 100)
COMPRESSIONS = (0, 9)


def encode_jpeg(image: Any, quality: int = 75) -> np.ndarray:
    """Encode an image as JPEG.

    Args:
        image: an ndarray or Tensor of uint8, (H, W), (H, W, 1) or (H, W, 3).
        quality: from 1 to 100.

    Returns:
        The file's bytes, uint8 (n,).

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: the image or the quality is not allowed.

    Follows: mindspore.dataset.vision.encode_jpeg (2.10).
    """
    level = _level(quality, "quality", QUALITIES, "EncodeJpeg")
    return _encode_image(image, level, "EncodeJpeg", ".jpg")


def encode_png(image: Any, compression_level: int = 6) -> np.ndarray:
    """Encode an image as PNG.

    Args:
        image: an ndarray or Tensor of uint8, (H, W), (H, W, 1) or (H, W, 3).
        compression_level: from 0 to 9.

    Returns:
        The file's bytes, uint8 (n,).

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: the image or the level is not allowed.

    Follows: mindspore.dataset.vision.encode_png (2.10).
    """
    return _encode_image(
        image, _level(compression_level, "compression_level", COMPRESSIONS, "EncodePng"), "EncodePng", ".png"
    )


def get_image_num_channels(image: Any) -> int:
    """Return the number of channels of an ndarray (H, W) or (…, H, W, C), or of a PIL image.

    Args:
        image: an ndarray or a PIL image.

    Returns:
        An int; 1 for an ndarray (H, W).

    Raises:
        TypeError: `image` is neither.
        RuntimeError: it has fewer than two dimensions.

    Follows: mindspore.dataset.vision.get_image_num_channels (2.10).
    """
    if is_pil(image):
        return len(image.getbands())
    shape = _shape(image, "GetImageNumChannels")
    return 1 if len(shape) == 2 else int(shape[-1])


def get_image_size(image: Any) -> list[int]:
    """Return [height, width] of an ndarray (H, W) or (…, H, W, C), or of a PIL image.

    Args:
        image: an ndarray or a PIL image.

    Returns:
        Two ints.

    Raises:
        TypeError: `image` is neither.
        RuntimeError: it has fewer than two dimensions.

    Follows: mindspore.dataset.vision.get_image_size (2.10).
    """
    if is_pil(image):
        return [image.height, image.width]
    shape = _shape(image, "GetImageSize")
    return list(shape) if len(shape) == 2 else list(shape[-3:-1])


def read_file(filename: str) -> np.ndarray:
    """Read a file's bytes, uint8 (n,).

    Args:
        filename: the path of a file.

    Returns:
        An ndarray of uint8, shape (n,).

    Raises:
        TypeError: `filename` is not a string.
        RuntimeError: there is no such file.

    Follows: mindspore.dataset.vision.read_file (2.10).
    """
    return np.frombuffer(_existing(filename, "ReadFile").read_bytes(), np.uint8)


def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> np.ndarray:
    """Read and decode an image file.

    Args:
        filename: of the file.
        mode: GRAYSCALE and COLOR convert, and turn the image as its EXIF tag says; UNCHANGED does neither, and leaves
            out an alpha channel.

    Returns:
        The image (H, W, 3), red first, or (H, W, 1); uint8, or uint16 where the file holds that and stays unchanged.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: there is no such file, or it is not an image that can be read.

    Follows: mindspore.dataset.vision.read_image (2.10).
    """
    if not isinstance(mode, ImageReadMode):
        raise TypeError(f"Input mode is not of type {ImageReadMode}, but got: {type(mode)}.")
    path = _existing(filename, "ReadImage")
    cv2 = import_cv2("read_image")
    flags = {
        ImageReadMode.UNCHANGED: cv2.IMREAD_UNCHANGED,
        ImageReadMode.GRAYSCALE: cv2.IMREAD_GRAYSCALE,
        ImageReadMode.COLOR: cv2.IMREAD_COLOR,
    }
    encoded = np.frombuffer(path.read_bytes(), np.uint8)
    image = cv2.imdecode(encoded, flags[mode]) if encoded.size else None
    if image is None:
        raise RuntimeError(f"ReadImage: Failed to read file {filename}: it is not an image that OpenCV reads.")
    return image[..., None] if image.ndim == 2 else np.ascontiguousarray(image[..., 2::-1])


def write_file(filename: str, data: Any) -> None:
    """Write bytes into a file.

    Args:
        filename: of the file.
        data: an ndarray or Tensor of uint8, (n,).

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: the data is not one-dimensional or not uint8, or the file cannot be written.

    Follows: mindspore.dataset.vision.write_file (2.10).
    """
    _check_name(filename)
    array = _array(data, "data")
    if array.dtype != np.uint8:
        raise RuntimeError(f"WriteFile: The type of the elements of data should be UINT8, but got {array.dtype}.")
    if array.ndim != 1:
        raise RuntimeError(f"WriteFile: The data should have only one dimension, but got {array.ndim} dimensions.")
    _write(filename, array, "WriteFile")


def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Encode an image as JPEG into a file, as `encode_jpeg` does.

    Args:
        filename: the path of the file, which is replaced.
        image: an ndarray or Tensor of uint8, (H, W), (H, W, 1) or (H, W, 3).
        quality: from 1 to 100.

    Follows: mindspore.dataset.vision.write_jpeg (2.10).
    """
    _check_name(filename)
    level = _level(quality, "quality", QUALITIES, "WriteJpeg")
    _write(filename, _encode_image(image, level, "WriteJpeg", ".jpg"), "WriteJpeg")


def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Encode an image as PNG into a file, as `encode_png` does.

    Args:
        filename: the path of the file, which is replaced.
        image: an ndarray or Tensor of uint8, (H, W), (H, W, 1) or (H, W, 3).
        compression_level: from 0 to 9.

    Follows: mindspore.dataset.vision.write_png (2.10).
    """
    _check_name(filename)
    level = _level(compression_level, "compression_level", COMPRESSIONS, "WritePng")
    _write(filename, _encode_image(image, level, "WritePng", ".png"), "WritePng")


def _level(value: Any, name: str, ends: tuple[int, int], op: str) -> int:
    if not isinstance(value, int):
        raise TypeError(f"Input {name} is not of type {int}, but got: {type(value)}.")
    if not ends[0] <= value <= ends[1]:
        raise RuntimeError(f"{op}: Invalid {name} {value}, should be in range of [{ends[0]}, {ends[1]}].")
    return value


def _encode_image(image: Any, level: int, op: str, ending: str) -> np.ndarray:
    array = _array(image, "image")
    if array.dtype != np.uint8:
        raise RuntimeError(f"{op}: The type of the elements of image should be UINT8, but got {array.dtype}.")
    if array.ndim not in (2, 3) or not array.size or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise RuntimeError(f"{op}: The image should be of shape (H, W), (H, W, 1) or (H, W, 3), got {array.shape}.")
    cv2 = import_cv2(op)
    setting = cv2.IMWRITE_JPEG_QUALITY if ending == ".jpg" else cv2.IMWRITE_PNG_COMPRESSION
    pixels = array[..., ::-1] if array.ndim == 3 and array.shape[2] == 3 else array
    done, encoded = cv2.imencode(ending, np.ascontiguousarray(pixels), [setting, level])
    if not done:
        raise RuntimeError(f"{op}: OpenCV could not encode an image of shape {array.shape}.")
    return np.asarray(encoded).reshape(-1)


def _array(value: Any, name: str) -> np.ndarray:
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "asnumpy"):
        return np.asarray(value.asnumpy())
    raise TypeError(f"Input {name} is not of type ndarray or Tensor, but got: {type(value)}.")


def _shape(image: Any, op: str) -> tuple[int, ...]:
    if not isinstance(image, np.ndarray):
        raise TypeError(f"Input image is not of type ndarray or PIL image, but got: {type(image)}.")
    if image.ndim < 2:
        raise RuntimeError(f"{op}: invalid parameter, image should have at least two dimensions, got {image.shape}.")
    return image.shape


def _check_name(filename: Any) -> None:
    if not isinstance(filename, str):
        raise TypeError(f"Input filename is not of type {str}, but got: {type(filename)}.")


def _existing(filename: Any, op: str) -> Path:
    _check_name(filename)
    path = Path(filename)
    if not path.is_file():
        reason = "is not a regular file" if path.exists() else "does not exist"
        raise RuntimeError(f"{op}: Invalid file path, {filename} {reason}.")
    return path


def _write(filename: str, data: np.ndarray, op: str) -> None:
    try:
        Path(filename).write_bytes(data.tobytes())
    except OSError as error:
        raise RuntimeError(f"{op}: {filename} cannot be written: {error.strerror}.") from error
