"""Values of user code: everything becomes an ndarray, and failures keep their traceback."""

import traceback
from typing import Any

import numpy as np

from msbridge.core.checks.stack_frames import is_ours
from msbridge.dataset.transforms.base import is_pil

ALLOWED_KINDS = "biufUS"  # of numpy dtypes: bool, int, uint, float, str, bytes


def as_array(value: Any, is_lent: bool = False) -> Any:
    """Return a value of user code as an ndarray; a dict stays a dict of any Python objects.

    Args:
        value: of user code.
        is_lent: the ndarray may share the value's memory.

    Raises:
        TypeError: numpy has no plain dtype for the value (None, objects, ragged lists, complex numbers, dates).
    """
    if type(value) is np.ndarray:
        array = value if is_lent else value.copy()
    elif isinstance(value, dict):
        return dict(value)
    elif hasattr(value, "asnumpy"):
        array = value.asnumpy() if is_lent else np.array(value.asnumpy())
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


def as_output(value: Any) -> Any:
    """Return a row's value as an iterator yields it: a contiguous, writeable ndarray, or a dict."""
    if type(value) is np.ndarray:
        if value.flags.c_contiguous and value.flags.writeable:
            return value
        return np.array(value, order="C")
    if is_pil(value):
        return np.array(value)
    return _inside_of_dict(value) if isinstance(value, dict) else as_array(value)


def _inside_of_dict(value: Any) -> Any:
    """Convert the values of a dict in a row: numbers and strings become ndarrays, other objects stay as they are."""
    if isinstance(value, dict):
        return {key: _inside_of_dict(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_inside_of_dict, value))
    return as_output(value) if isinstance(value, bool | int | float | str | np.ndarray | np.generic) else value


def stack_dicts(rows: list[dict[Any, Any]], name: str) -> dict[Any, np.ndarray]:
    """Stack dicts key by key.

    Raises:
        RuntimeError: their keys differ, or the values of a key do not form an array.
    """
    if any(row.keys() != rows[0].keys() for row in rows):
        keys = [list(row) for row in rows]
        raise pipeline_error(f"Cannot batch dicts with different keys in column {name!r}: {keys}.")
    stacked = {}
    for key in rows[0]:
        values = [value.asnumpy() if hasattr(value := row[key], "asnumpy") else value for row in rows]
        try:
            stacked[key] = as_array(values)
        except TypeError as error:
            raise pipeline_error(
                f"Batch: failed to create a NumPy array of what column {name!r} holds at {key!r}: {values!r}. Make "
                "numbers or arrays of one shape of it with map, or combine the dicts yourself with per_batch_map."
            ) from error
    return stacked


def user_error(error: BaseException, where: str) -> RuntimeError:
    """Return the error for a failure of user code, with its traceback from the first frame of the user's on."""
    place = error.__traceback__
    while place is not None and is_ours(place.tb_frame.f_code.co_filename):
        place = place.tb_next
    stack = "".join(traceback.format_exception(type(error), error, place or error.__traceback__))
    return RuntimeError(
        f"Exception thrown from user defined Python function in dataset. In {where}.\n\n- Python Call Stack:\n{stack}"
    )


def pipeline_error(text: str) -> RuntimeError:
    """Return the error for a pipeline that cannot continue."""
    return RuntimeError(f"Exception thrown from dataset pipeline. {text}")
