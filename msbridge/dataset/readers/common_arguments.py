"""Arguments that readers have in common: their types, their order, and their lines in the readers' docstrings.

A constructor spells out what is its own and takes the others as keywords,

    def __init__(self, dataset_dir: StrPath, name: str, **common: Unpack[IndexedArguments]) -> None:
        super().__init__(dataset_dir, **common)

When the class is defined, the keys of `IndexedArguments` become arguments of its constructor that can be given by
position: behind its own ones, in front of those behind a `*`. Their defaults are those of the base's constructor, or
in `default_arguments`.
A docstring names them in one line, `num_samples, shuffle, cache: as in every reader.`, which becomes a line for each
(`msbridge/core/runtime/shared_sections.py`).
"""

import functools
import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any, TypedDict, Unpack, get_origin, get_type_hints

from msbridge.dataset.engine.sampling.samplers import Shuffle

__all__ = [
    "INDEXED",
    "STREAMED",
    "ImageArguments",
    "IndexedArguments",
    "LateWorkersArguments",
    "StrPath",
    "StreamArguments",
    "UncachedArguments",
    "UncachedImageArguments",
    "expand_constructor",
]

StrPath = str | os.PathLike[str]


class UncachedArguments(TypedDict, total=False):
    """Arguments of readers that find a row by its number and keep nothing."""

    num_samples: int | None
    num_parallel_workers: int | None
    shuffle: bool | None
    sampler: Any
    num_shards: int | None
    shard_id: int | None


class IndexedArguments(UncachedArguments, total=False):
    """Arguments of readers that find a row by its number."""

    cache: Any


class UncachedImageArguments(TypedDict, total=False):
    """Arguments of readers of image files that keep nothing."""

    num_samples: int | None
    num_parallel_workers: int | None
    shuffle: bool | None
    decode: bool | None
    sampler: Any
    num_shards: int | None
    shard_id: int | None


class ImageArguments(UncachedImageArguments, total=False):
    """Arguments of readers of image files."""

    cache: Any


class StreamArguments(TypedDict, total=False):
    """Arguments of readers that run through files."""

    num_samples: int | None
    num_parallel_workers: int | None
    shuffle: bool | Shuffle | None
    num_shards: int | None
    shard_id: int | None
    cache: Any


class LateWorkersArguments(TypedDict, total=False):
    """Arguments of readers that run through files, for those that take the number of workers behind the shards."""

    num_samples: int | None
    shuffle: bool | Shuffle | None
    num_shards: int | None
    shard_id: int | None
    num_parallel_workers: int | None
    cache: Any


# Of readers that find a row by its number.
INDEXED: Mapping[str, str] = {
    "num_samples": "at most how many rows; None is all.",
    "num_parallel_workers": "threads for decoding and transforms; None takes the global setting.",
    "shuffle": "None and True read in random order.",
    "decode": "read images (H, W, 3) instead of bytes.",
    "sampler": "chooses rows; excludes num_samples, shuffle, num_shards and shard_id.",
    "num_shards": "into how many parts the rows are divided.",
    "shard_id": "which part is read.",
    "cache": "a DatasetCache that keeps rows in this process; None keeps none.",
}
# Of readers that run through files.
STREAMED: Mapping[str, str] = {
    "num_samples": "at most how many rows of each shard; None and 0 are all.",
    "num_parallel_workers": "into how many queues files are dealt out; None takes the global setting.",
    "num_shards": INDEXED["num_shards"],
    "shard_id": INDEXED["shard_id"],
    "cache": "accepted; the files are read in each pass.",
}


def expand_constructor(
    init: Callable[..., None], base: Callable[..., None], defaults: Mapping[str, Any]
) -> Callable[..., None]:
    """Return a constructor that takes its common arguments by position and by name; one without any as it is.

    Args:
        init: the constructor, whose last argument may be `**common: Unpack[…]`.
        base: the base's constructor, whose defaults they have.
        defaults: other defaults, by argument.
    """
    signature = inspect.signature(init)
    *parameters, last = signature.parameters.values()
    if get_origin(last.annotation) is not Unpack:
        return init
    inherited = inspect.signature(base).parameters
    common = [
        inherited[name].replace(default=defaults.get(name, inherited[name].default), annotation=kind)
        for name, kind in get_type_hints(last.annotation.__args__[0]).items()
    ]
    before = [each for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    behind = [each.replace(kind=each.POSITIONAL_OR_KEYWORD) for each in parameters if each.kind is each.KEYWORD_ONLY]
    whole = signature.replace(parameters=[*before, *common, *behind])

    @functools.wraps(init)
    def __init__(*args: Any, **kwargs: Any) -> None:
        try:
            given = whole.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{init.__qualname__}() {error}") from None
        given.apply_defaults()
        init(**given.arguments)

    __init__.__signature__ = whole  # type: ignore[attr-defined]
    return __init__
