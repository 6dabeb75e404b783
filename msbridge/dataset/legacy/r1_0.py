"""Data processing as it was: texts came as bytes, and r1.0 took the sides of a border in another order."""

import functools
import inspect
from collections.abc import Callable, Sequence
from collections.abc import Iterator as Rows
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.releases.overrides import Part
from msbridge.core.releases.unavailable import refuse
from msbridge.core.types.dtype import Type
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.iterators import DictIterator, Iterator
from msbridge.dataset.engine.sampling import samplers
from msbridge.dataset.mindrecord.format.schema import FieldValue
from msbridge.dataset.mindrecord.reading.file_reader import FileReader
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms import arrays, cast, compose
from msbridge.dataset.transforms.base import eager_draw
from msbridge.dataset.vision.color import pixel_values
from msbridge.dataset.vision.enums import Border
from msbridge.dataset.vision.geometry import pad
from msbridge.dataset.vision.legacy import r1_10

_today_value = Iterator._value


def _value(self: Iterator, value: Any) -> Any:
    """Convert a value of a row for the user: a text to the bytes of its UTF-8.

    Follows: mindspore.dataset.DictIterator (1.0).
    """
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        return np.asarray(np.char.encode(value, "utf-8"))
    return _today_value(self, value)


def next_row(self: Iterator) -> Any:
    """Return the next row; after the last one what has nothing in it, and then the first again.

    Follows: mindspore.dataset.DictIterator.get_next (1.0).
    """
    return next(self, {} if isinstance(self, DictIterator) else [])


class Pad(pad.Pad):
    """Pad images.

    Args:
        padding: pixels on all sides; or (left and top, right and bottom); or (top, bottom, left, right).
        fill_value: of a constant border: one number, or one per channel of RGB; in [0, 255].
        padding_mode: how the border is filled.

    Follows: mindspore.dataset.vision.c_transforms.Pad (1.0).
    """

    def __init__(
        self,
        padding: int | Sequence[int],
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        super().__init__(padding, fill_value, padding_mode)
        if not isinstance(padding, int):
            first = tuple(padding)
            top, bottom, left, right = first if len(first) == 4 else (*first, *first)
            self.padding = (left, top, right, bottom)


class Compose(compose.PyCompose):
    """Compose several operations of Python on one value: several results of one go to the next as a tuple.

    Follows: mindspore.dataset.transforms.py_transforms.Compose (1.0).
    """

    def __init__(self, transforms: list[compose.Operation]) -> None:
        self.transforms = list(
            require_type(transforms, "transforms list", list)
        )  # what they are is seen when they are called

    def call(self, row: tuple[Any, ...], draw: RowRandom | None) -> Any:
        (value,) = row
        for number, operation in enumerate(self.transforms):
            value = compose.call(operation, (value,), None if draw is None else draw.child(number))
        return value

    def __call__(self, *inputs: Any) -> Any:
        return self.call(inputs, eager_draw())


class OneHotOp(arrays.OneHotFloats):
    """Encode one label as a row of float64.

    Follows: mindspore.dataset.transforms.py_transforms.OneHotOp (1.0).
    """

    def transform_value(self, value: Any) -> np.ndarray:
        hot = super().transform_value(value)
        return hot.reshape(1, self.num_classes) if value.ndim == 0 else hot


class TypeCast(cast.TypeCast):
    """Cast arrays; the type is one of MindSpore's.

    Follows: mindspore.dataset.transforms.c_transforms.TypeCast (1.0).
    """

    def __init__(self, data_type: Type) -> None:
        super().__init__(require_type(data_type, "data_type", Type))


class Normalize(pixel_values.Normalize):
    """Subtract means and divide by deviations, of three channels.

    Follows: mindspore.dataset.vision.c_transforms.Normalize (1.0).
    """

    def __init__(self, mean: Sequence[float], std: Sequence[float]) -> None:
        if len(mean) != len(std):
            raise ValueError(f"Length of mean and std must be equal, got {len(mean)} and {len(std)}.")
        if not isinstance(mean, list | tuple) or len(mean) != 3:
            raise TypeError(f"Normalize: mean and std must have three items, got {mean!r} and {std!r}.")
        super().__init__(mean, std)


class DistributedSampler(samplers.DistributedSampler):
    """One shard of the rows; see today's.

    Follows: mindspore.dataset.DistributedSampler (1.0).
    """

    def __init__(
        self, num_shards: int, shard_id: int, shuffle: bool = True, num_samples: int | None = None, offset: int = -1
    ) -> None:
        super().__init__(num_shards, shard_id, shuffle, num_samples, offset)
        if not 0 <= shard_id < num_shards:
            raise ValueError(f"shard_id is invalid, it must be in [0, {num_shards}), got {shard_id}.")


class ToTensor(r1_10.DividedToTensor):
    """Make a float array of an image, channels first; the type is looked at when it is called.

    Follows: mindspore.dataset.vision.py_transforms.ToTensor (1.0).
    """

    def __init__(self, output_type: Any = np.float32) -> None:
        self._asked = output_type
        super().__init__(output_type if isinstance(output_type, type | np.dtype) else np.float32)

    def transform_value(self, value: Any) -> np.ndarray:
        np.dtype(self._asked)
        return super().transform_value(value)


class SubsetRandomSampler(samplers.SubsetRandomSampler):
    """The rows of the given indices in random order; what they are is looked at when they are read.

    Follows: mindspore.dataset.SubsetRandomSampler (1.0).
    """

    def __init__(self, indices: Any, num_samples: int | None = None) -> None:
        super().__init__([] if isinstance(indices, str) else indices, num_samples)


def _map(self: Dataset, *args: Any, **kwargs: Any) -> Dataset:
    """Map a function over columns; where it makes more or fewer of them, all are listed.

    Follows: mindspore.dataset.Dataset.map (1.0).
    """
    mapped = _late(_today_map)(self, *args, **kwargs)
    given = _MAP.bind(self, *args, **kwargs).arguments
    sources, results = (_count(given.get(name)) for name in ("input_columns", "output_columns"))
    is_ordered = given.get("column_order") or isinstance(given.get("num_parallel_workers"), list)  # it was the fourth
    if sources and results and sources != results and not is_ordered:
        raise ValueError(
            f"map: {sources} columns that become {results} need 'column_order'; MindSpore 2.0 does without it "
            "(`msbridge run --release 2.0`)."
        )
    return mapped


def _late(today: Callable[..., Dataset]) -> Callable[..., Dataset]:
    """Return a step whose mistaken numbers and functions are found when rows are read, not when it is made."""

    @functools.wraps(today)
    def make_late(self: Dataset, *args: Any, **kwargs: Any) -> Dataset:
        try:
            return today(self, *args, **kwargs)
        except (ValueError, RuntimeError) as error:
            return _today_map(self, _Mistaken(str(error)))

    return make_late


class _Mistaken:
    """Raises what was found when the step was made."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __call__(self, *columns: Any) -> Any:
        raise RuntimeError(self.message)


def _random_apply(self: Any, transforms: Any, prob: float = 0.5) -> None:
    """Construct the transform; of no transforms it does nothing."""
    _today_random_apply(self, transforms or [_same], prob)


def _same(value: Any) -> Any:
    return value


def _read(self: FileReader) -> Rows[dict[str, FieldValue]]:
    """Yield the rows as dicts; a float without a fraction is an int.

    Follows: mindspore.mindrecord.FileReader.get_next (1.0).
    """
    for row in _today_read(self):
        yield {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in row.items()
        }


def _count(columns: str | Sequence[str] | None) -> int:
    return isinstance(columns, str) or len(columns or ())


_today_map = Dataset.map
_today_read = FileReader.get_next
_today_random_apply = compose.RandomApply.__init__
_MAP = inspect.signature(Dataset.map)
_SIZE = "size, scale=(0.08, 1.0), ratio=(0.75, 1.3333333333333333), max_attempts=10"
_JPEG = "it decodes as an Ascend does. Use the transform without SoftDvpp in its name."
_SOFT = {"SoftDvppDecodeRandomCropResizeJpeg": _SIZE, "SoftDvppDecodeResizeJpeg": "size"}
OVERRIDES = {
    "dataset.Dataset.batch": _late(Dataset.batch),
    "dataset.Dataset.create_dict_iterator": [Part(Iterator, "get_next", next_row), Part(Iterator, "_value", _value)],
    "dataset.Dataset.map": functools.wraps(_today_map)(_map),
    "dataset.Dataset.skip": _late(Dataset.skip),
    "dataset.DistributedSampler": DistributedSampler,
    "dataset.SubsetRandomSampler": SubsetRandomSampler,
    "dataset.transforms.c_transforms.TypeCast": TypeCast,
    "dataset.transforms.py_transforms.Compose": Compose,
    "dataset.transforms.py_transforms.OneHotOp": OneHotOp,
    "dataset.transforms.py_transforms.RandomApply": Part(
        compose.RandomApply, "__init__", functools.wraps(_today_random_apply)(_random_apply)
    ),
    **{f"dataset.vision.c_transforms.{name}": refuse(name, was, _JPEG) for name, was in _SOFT.items()},
    "dataset.vision.c_transforms.Normalize": Normalize,
    "dataset.vision.c_transforms.Pad": Pad,
    "dataset.vision.py_transforms.ToTensor": ToTensor,
    "mindrecord.FileReader.get_next": _read,
}
