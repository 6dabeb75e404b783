"""Values of user code: everything becomes an ndarray, and failures keep their traceback."""

import traceback
from typing import Any

import numpy as np

from msbridge.dataset.transforms.base import is_pil

ALLOWED_KINDS = "biufUS"  # of numpy dtypes: bool, int, uint, float, str, bytes


def as_array(value: Any) -> Any:
    """Return a value of user code as an ndarray of its own; a dict keeps its form with arrays as values.

    Raises:
        TypeError: numpy has no plain dtype for the value (None, objects, ragged lists, complex numbers, dates).
    """
    if type(value) is np.ndarray:
        array = value.copy()
    elif isinstance(value, dict):
        return {key: as_array(item) for key, item in value.items()}
    elif hasattr(value, "asnumpy"):
        array = np.array(value.asnumpy())
    else:
        try:
            array = np.array(value)
        except ValueError as error:
            raise TypeError(f"Invalid data: {value!r} cannot be an array ({error}).") from error
    if array.dtype.kind not in ALLOWED_KINDS:
        raise TypeError(
            f"Invalid data of type {type(value)}, numpy dtype {array.dtype}: a column must be of a bool, int, float, "
            "str or bytes dtype."
        )
    return array


def finished(value: Any) -> Any:
    """Return a row's value as the contiguous, writeable ndarray that an iterator yields."""
    if type(value) is np.ndarray:
        if value.flags.c_contiguous and value.flags.writeable:
            return value
        return np.array(value, order="C")
    if is_pil(value):
        return np.array(value)
    return as_array(value)


def user_error(error: BaseException, where: str) -> RuntimeError:
    """Return the error for a failure of user code, with its traceback."""
    stack = "".join(traceback.format_exception(error))
    return RuntimeError(
        f"Exception thrown from user defined Python function in dataset. In {where}: "
        f"{type(error).__name__}: {error}\n\n- Python Call Stack:\n{stack}"
    )


def pipeline_error(text: str) -> RuntimeError:
    """Return the error for a pipeline that cannot go on."""
    return RuntimeError(f"Exception thrown from dataset pipeline. {text}")
