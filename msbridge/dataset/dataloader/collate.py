"""Collation of samples into a batch."""

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.torch_private import collate
from msbridge.core.types.dtype import float64

__all__ = ["default_collate", "default_convert"]


def default_collate(batch: Sequence[Any]) -> Any:
    """Return samples as one: Tensors along a new first axis; in lists, tuples and dicts, part by part.

    Args:
        batch: samples of one kind: Tensors, arrays, numbers, texts, or lists, tuples and dicts of those.

    Returns:
        A Tensor of arrays or numbers (of Python's, Int64 and Float64), a list of texts, a list of what tuples hold.

    Raises:
        TypeError: samples of another kind.
        RuntimeError: lists or tuples of several lengths.
        ValueError: arrays or Tensors of several shapes.

    Follows: mindspore.dataset.dataloader.default_collate (2.10).
    """
    return collate(batch, collate_fn_map=KINDS)


def default_convert(data: Any) -> Any:
    """Return a sample with Tensors in place of arrays and of numpy's numbers, in lists, tuples and dicts, too.

    Args:
        data: what is neither, or an array of texts or objects, stays; a tuple becomes a list.

    Follows: mindspore.dataset.dataloader.default_convert (2.10).
    """
    if isinstance(data, np.number | np.bool_):
        return Tensor(data)
    if isinstance(data, np.ndarray):
        return data if _is_foreign(data) else Tensor.from_numpy(data)
    if isinstance(data, Mapping):
        return _mapping({key: default_convert(value) for key, value in data.items()}, data)
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _sequence(list(map(default_convert, data)), data)
    return data


def _mapping(collated: dict[Any, Any], like: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return a dict as the mapping that its values were made of, with everything else that that one has."""
    try:
        if isinstance(like, MutableMapping):
            made = copy.copy(like)
            made.update(collated)
            return made
        return type(like)(collated)  # type: ignore[call-arg]
    except TypeError:
        return collated


def _sequence(collated: list[Any], like: Sequence[Any]) -> Sequence[Any]:
    if isinstance(like, tuple):
        return collated
    try:
        if isinstance(like, MutableSequence):
            made = copy.copy(like)
            for place, value in enumerate(collated):
                made[place] = value
            return made
        return type(like)(collated)  # type: ignore[call-arg]
    except TypeError:
        return collated


def _is_foreign(array: np.ndarray) -> bool:
    return array.dtype.kind in "SUO"


def _tensors(batch: Sequence[Tensor], **_: Any) -> Tensor:
    return Tensor(np.stack([one.asnumpy() for one in batch]))


def _arrays(batch: Sequence[np.ndarray], **_: Any) -> Tensor:
    if _is_foreign(batch[0]):
        raise TypeError(f"NumPy arrays with dtype {batch[0].dtype} are not supported for collation.")
    return Tensor.from_numpy(np.stack(batch))


def _numbers(batch: Sequence[Any], **_: Any) -> Tensor:
    return Tensor(list(batch))


def _floats(batch: Sequence[float], **_: Any) -> Tensor:
    return Tensor(list(batch), dtype=float64)


def _texts(batch: Sequence[Any], **_: Any) -> Sequence[Any]:
    return batch


KINDS: dict[type | tuple[type, ...], Callable[..., Any]] = {
    Tensor: _tensors,
    np.ndarray: _arrays,
    (np.bool_, np.number, np.object_): _numbers,
    float: _floats,
    int: _numbers,
    str: _texts,
    bytes: _texts,
}
