"""Images that are computed, for trying a pipeline without data."""

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.arguments import worker_count
from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.sampling.sampler_arguments import check_sampling
from msbridge.dataset.readers.source import MappableDataset, check_sampler_conflicts

__all__ = ["FakeImageDataset"]

WORDS_AT_ONCE = 1024


class FakeImageDataset(MappableDataset, VisionBaseDataset):
    """Random images: `image` uint8 of `image_size`, `label` uint32 (); the same for the same `base_seed`, bit for bit.

    Args:
        num_images: how many.
        image_size: height, width, channels.
        num_classes: labels are in [0, num_classes).
        base_seed: image i and its label come from the seed `base_seed` + i.
        num_samples: at most how many are read; None is all.
        num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is not positive, `image_size` has not three, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other.

    As in MindSpore the bytes of an image are those of normally distributed numbers of double precision, negative ones
    set to zero: about half of them are zero.

    Follows: mindspore.dataset.FakeImageDataset (2.10).
    """

    column_names = ("image", "label")

    def __init__(
        self,
        num_images: int = 1000,
        image_size: tuple[int, int, int] = (224, 224, 3),
        num_classes: int = 10,
        base_seed: int = 0,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        worker_count(num_parallel_workers)
        check_sampling(num_samples, shuffle, num_shards, shard_id)
        self.num_images = int_within(num_images, "num_images")
        if len(require_type(image_size, "image_size", (list, tuple))) != 3:
            raise ValueError(f"image_size should be a list or tuple of length 3, but got {len(image_size)}.")
        self.image_size = tuple(int_within(side, f"image_size[{place}]") for place, side in enumerate(image_size))
        self._class_count = int_within(num_classes, "num_classes")
        self.base_seed = require_type(base_seed, "base_seed", int)
        check_sampler_conflicts(num_samples, shuffle, sampler, num_shards, shard_id)
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)

    def num_classes(self) -> int | None:
        return self._class_count

    def _length(self) -> int:
        return self.num_images

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        seeds = [self.base_seed + index for index in range(self.num_images)]
        labels = [_uniform(words(seed), self._class_count) for seed in seeds]
        return {"image": FakeImages(self.image_size, self.base_seed), "label": ArrayRows(np.array(labels, np.uint32))}


class FakeImages:
    """Images by index, computed when they are needed."""

    def __init__(self, shape: tuple[int, ...], base_seed: int) -> None:
        self.shape, self.base_seed = shape, base_seed

    def __call__(self, indices: np.ndarray) -> np.ndarray:
        return np.stack([self._image(index) for index in indices.tolist()])

    def _image(self, index: int) -> np.ndarray:
        count = math.prod(self.shape)
        numbers = _normal(words(self.base_seed + index), -(-count // 8))
        clipped = np.clip(np.array(numbers), 0, 255)
        return clipped.view(np.uint8)[:count].reshape(self.shape)


def words(seed: int) -> Iterator[int]:
    """Yield the 32-bit words of a Mersenne twister, seeded as C++ does it."""
    twister = np.random.MT19937()
    twister._legacy_seeding(seed % 2**32)
    while True:
        yield from twister.random_raw(WORDS_AT_ONCE).tolist()


def _uniform(source: Iterator[int], count: int) -> int:
    """Draw from [0, count) as GCC's uniform_int_distribution does."""
    step = (2**32 - 1) // count
    return next(word for word in source if word < count * step) // step


def _normal(source: Iterator[int], count: int) -> list[float]:
    """Draw as GCC's normal_distribution does: by Marsaglia's polar method."""
    drawn: list[float] = []
    while len(drawn) < count:
        x, y = _draw_signed(source), _draw_signed(source)
        square = x * x + y * y
        if 0 < square <= 1:
            scale = math.sqrt(-2 * math.log(square) / square)
            drawn += [y * scale, x * scale]
    return drawn[:count]


def _draw_signed(source: Iterator[int]) -> float:
    """Draw from [-1, 1)."""
    low, high = next(source), next(source)
    return 2 * ((low + high * 2.0**32) / 2.0**64) - 1
