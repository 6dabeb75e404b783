"""The base of transforms, and the random numbers that they get."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from typing import Any, ClassVar

import numpy as np

from msbridge.core.runtime.shared_sections import expand
from msbridge.dataset import config
from msbridge.dataset.row_random import BlockRandom, RowRandom, fold_in
from msbridge.dataset.transforms.kept_arguments import keep_arguments, set_argument
from msbridge.dataset.transforms.shared_docs import FAMILIES

__all__ = ["PyTensorOperation", "TensorOperation", "not_random"]

Rows = np.ndarray | list[Any]


class Implementation(IntEnum):
    """The implementation that a transform names, for scripts and subclasses that set it; here there is one.

    It takes arrays as MindSpore's in C++ does, and PIL images as the one in Python does.

    Follows: mindspore.dataset.transforms.py_transforms_util.Implementation (2.10).
    """

    C = 0
    PY = 1


class TensorOperation:
    """Root of all transforms; a user's own may inherit it and define `__call__`.

    Follows: mindspore.dataset.transforms.TensorOperation (2.10).
    """

    implementation: Implementation | None = None
    device_target = "CPU"
    python_only: bool = False  # MindSpore has no C++ operator of it: a Compose that it is in returns a tuple

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "__init__" in vars(cls) and cls.__module__.startswith("msbridge."):
            keep_arguments(cls)
        if " as in every " in (vars(cls).get("__doc__") or "") and cls.__module__.startswith("msbridge."):
            cls.__doc__ = expand(cls.__doc__ or "", FAMILIES)

    def __setattr__(self, name: str, value: Any) -> None:
        if not set_argument(self, name, value):
            super().__setattr__(name, value)


class PyTensorOperation(TensorOperation):
    """Base of a user's transform in Python: `_execute_py` takes the input of a call.

    Follows: mindspore.dataset.transforms.PyTensorOperation (2.10).
    """

    def _execute_py(self, *inputs: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define _execute_py, or __call__.")

    def __call__(self, *inputs: Any) -> Any:
        """Transform one row's values."""
        return self._execute_py(*inputs)


class TextTensorOperation(PyTensorOperation):
    """Base of a user's transform of text; `_execute_py` takes the input of a call; `parse` is not asked.

    Follows: mindspore.dataset.text.transforms.TextTensorOperation (2.10).
    """


def not_random(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as one that returns the same for the same input: its attribute `random` is False.

    Args:
        function: a function that transforms rows.

    Returns:
        The function itself.

    Follows: mindspore.dataset.transforms.not_random (2.10).
    """
    function.random = False  # type: ignore[attr-defined]
    return function


class Transform(TensorOperation):
    """A transform of one value into one value, without memory.

    Subclasses define `transform_value`, and `stack` where a stack of rows is computed at once, bit for bit the same.
    """

    pointwise: bool = False  # each output element depends on the same input element only, for any shape
    by_channel: bool = False  # … and on its channel, of an image (H, W, C), which may become (C, H, W)
    deterministic: ClassVar[bool] = True
    costly: ClassVar[bool] = False  # worth keeping the result, where the source lies in memory
    heavy: ClassVar[bool] = False  # long work without Python's lock: rows are shared out among threads
    deferrable: bool = True  # may run later, on whole batches; user code in it has to run in its place
    accepts: ClassVar[str] = "data"  # "image": an eager call takes only ndarrays and PIL images

    def transform_value(self, value: Any) -> Any:
        """Transform one value; never in place."""
        raise NotImplementedError

    def stack(self, rows: np.ndarray) -> Rows | None:
        """Transform all rows of a stack (n, ...) into a stack or a list; None: it has to be done one by one."""
        return None

    def __call__(self, *inputs: Any) -> Any:
        """Transform a value outside of a pipeline.

        Args:
            inputs: one ndarray (or PIL image, number, list, bytes where the transform takes them).

        Returns:
            A new ndarray, or a PIL image where the input was one and the transform keeps it.
        """
        return self.transform_value(self.check_inputs(*inputs))

    def check_inputs(self, *inputs: Any) -> Any:
        """Return the single input of an eager call, as an array unless it is an image."""
        if len(inputs) != 1:
            raise self._refused_count(inputs)
        value = inputs[0]
        if isinstance(value, np.ndarray):
            return value
        if is_pil(value):
            return value
        if self.accepts == "image":
            raise not_an_image(value)
        return value.asnumpy() if hasattr(value, "asnumpy") else as_input(value)

    def _refused_count(self, inputs: tuple[Any, ...]) -> Exception:
        """Return the complaint about more or fewer inputs; that about one of another type comes before."""
        for value in inputs if self.accepts == "image" else ():
            if not isinstance(value, np.ndarray) and not is_pil(value):
                return not_an_image(value)
        return RuntimeError(f"{type(self).__name__}: it takes one input, got {len(inputs)}.")


def not_an_image(value: Any) -> TypeError:
    """Return the complaint about an input of a transform of images."""
    return TypeError(f"Input should be NumPy or PIL image, got {type(value)}.")


def one_input(name: str, inputs: tuple[Any, ...]) -> np.ndarray:
    """Return the input of a call by hand as an array.

    Raises:
        RuntimeError: there is none, or more than one.
    """
    if len(inputs) != 1:
        raise RuntimeError(f"{name}: it takes one input, got {len(inputs)}.")
    return np.asarray(inputs[0])


def as_input(value: Any) -> Any:
    """Return an input of an eager call as an array, unless it is one, or a PIL image."""
    if isinstance(value, np.ndarray) or is_pil(value):
        return value
    array = np.asarray(value)
    if array.dtype == np.object_:
        raise TypeError(f"Invalid user input. Got {type(value)}: {value!r}, cannot be converted into tensor.")
    return array


class RandomTransform(Transform):
    """A transform whose result also depends on random numbers passed in."""

    deterministic: ClassVar[bool] = False

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        """Transform one value with the row's random numbers."""
        raise NotImplementedError

    def stack(self, rows: np.ndarray, draws: BlockRandom | None = None) -> np.ndarray | None:
        """Transform all rows of a stack, each with its own random numbers."""
        return None

    def __call__(self, *inputs: Any) -> Any:
        """Transform a value by hand, with numbers that follow from the seed and from earlier calls.

        In a Python function of a pipeline the numbers belong to the row, as they do where the pipeline transforms it.
        """
        return self.transform_value(self.check_inputs(*inputs), eager_draw())


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One transform of a chain; `stream_id` sets its random numbers apart from those of the other steps."""

    transform: Transform
    stream_id: int = 0


def as_list(rows: Rows) -> list[Any]:
    """Return the rows as a list; rows of a stack are arrays, 0-d ones included."""
    if isinstance(rows, np.ndarray):
        return [rows[index, ...] for index in range(len(rows))]
    return rows


def stack_if_uniform(rows: Rows) -> Rows:
    """Stack a list of arrays of one shape and dtype; anything else is returned as it is."""
    if isinstance(rows, np.ndarray) or not rows:
        return rows
    first = rows[0]
    if not isinstance(first, np.ndarray):
        return rows
    for row in rows:
        if not isinstance(row, np.ndarray) or row.shape != first.shape or row.dtype != first.dtype:
            return rows
    return first[None] if len(rows) == 1 else np.stack(rows)


def is_pil(value: object) -> bool:
    """Whether `value` is a PIL image; PIL is not imported."""
    return hasattr(value, "getbands") and hasattr(value, "mode")


class _Row(threading.local):
    """The row whose Python function runs in this thread, as numbers that identify it."""

    parts: tuple[int, ...] | None = None
    calls = 0


_ROW = _Row()


SEEDED_BY_ROW: list[Callable[[int], None]] = []  # in a worker process: what seeds the generators of all its code


def enter_row(*parts: int) -> None:
    """Let eager calls in this thread draw numbers that belong to a row: the same, whoever else draws meanwhile."""
    _ROW.parts, _ROW.calls = parts, 0
    for seed in SEEDED_BY_ROW:
        seed(fold_in(*parts))


def leave_row() -> None:
    """End what `enter_row` began."""
    _ROW.parts = None


def eager_draw() -> RowRandom:
    """Return the random numbers of the next eager call."""
    if _ROW.parts is None:
        return _EAGER.next()
    _ROW.calls += 1
    return RowRandom(fold_in(*_ROW.parts, _ROW.calls))


class _EagerDraws:
    """Random numbers for calls outside of pipelines: a new row for each call, restarted when the seed changes."""

    def __init__(self) -> None:
        self._state: tuple[int | None, int, Iterator[int]] = (None, 0, count(1))  # the seed, the key, the calls

    def next(self) -> RowRandom:
        seed = config.get_seed()
        known, key, calls = self._state
        if seed != known:
            key, calls = config.draw_seed() if seed == config.UNSEEDED else seed, count(1)
            self._state = seed, key, calls
        return RowRandom(fold_in(key, next(calls)))


_EAGER = _EagerDraws()
