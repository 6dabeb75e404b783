"""Arrays of strings to arrays of bytes, and back."""

import numpy as np

__all__ = ["to_bytes", "to_str"]


def to_bytes(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Encode an array of strings.

    Args:
        array: strings.
        encoding: the name of a character encoding.

    Returns:
        An array of bytes, of the same shape.

    Raises:
        ValueError: `array` is not an ndarray.

    Follows: mindspore.dataset.text.to_bytes (2.10).
    """
    if not isinstance(array, np.ndarray):
        raise ValueError(f"input should be a NumPy array, got {type(array)}.")
    return np.char.encode(array, encoding)


def to_str(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Decode an array of bytes.

    Args:
        array: bytes.
        encoding: the name of a character encoding.

    Returns:
        An array of strings, of the same shape.

    Raises:
        TypeError: `array` is not an ndarray.

    Follows: mindspore.dataset.text.to_str (2.10).
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"input should be a NumPy array, got {type(array)}.")
    return np.char.decode(array, encoding)
