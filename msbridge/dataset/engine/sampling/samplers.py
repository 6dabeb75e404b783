"""Samplers: which rows of a random-access source are read, and in which order."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import Style, is_number, require_type
from msbridge.dataset import config
from msbridge.dataset.engine.user_values import pipeline_error

__all__ = [
    "BuiltinSampler",
    "DistributedSampler",
    "PKSampler",
    "RandomSampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
]

INT64_MAX = 2**63 - 1
_STYLE = Style(
    of_exact="{name} must be integer but was: {value!r}.", of_bool="{name} must be a boolean value but was: {value!r}."
)


class Shuffle(str, Enum):  # noqa: UP042 - str() names the member, as in MindSpore
    """The levels at which several files are shuffled.

    Follows: mindspore.dataset.Shuffle (2.10).
    """

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"


class BuiltinSampler:
    """The base of all samplers: a limit on the number of samples, and a child that chooses first.

    Follows: mindspore.dataset.BuiltinSampler (2.10).
    """

    reshuffle_each_epoch = True

    def __init__(self, num_samples: int | None = None) -> None:
        self.num_samples = num_samples
        self.child_sampler: BuiltinSampler | None = None

    def add_child(self, sampler: "BuiltinSampler") -> None:
        """Set the sampler that chooses first; this one chooses among its choices."""
        if sampler is None:
            return
        if self.child_sampler is not None:
            raise RuntimeError("Cannot add child sampler, this sampler already has a child.")
        if not isinstance(sampler, BuiltinSampler):
            raise AttributeError(f"Cannot add child sampler: {sampler!r} is not a sampler.")
        self.child_sampler = sampler

    def get_child(self) -> "BuiltinSampler | None":
        """Return the sampler that chooses first, or None."""
        return self.child_sampler

    def get_num_samples(self) -> int | None:
        """Return the largest number of samples to choose: the least that was set here or below; None is any."""
        below = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        known = [count for count in (self.num_samples, below) if count is not None]
        return min(known, default=None)

    def is_shuffled(self) -> bool:
        """Whether the order is random, here or below.

        Follows: mindspore.dataset.BuiltinSampler.is_shuffled (2.10).
        """
        return self._shuffles() or (self.child_sampler is not None and self.child_sampler.is_shuffled())

    def is_sharded(self) -> bool:
        """Whether a part of several is chosen, here or below.

        Follows: mindspore.dataset.BuiltinSampler.is_sharded (2.10).
        """
        return self._shards() or (self.child_sampler is not None and self.child_sampler.is_sharded())

    def keeps_order(self) -> bool:
        """Whether the order, here or below, is that of the first epoch in all of them."""
        return not self.reshuffle_each_epoch or (self.child_sampler is not None and self.child_sampler.keeps_order())

    def _shuffles(self) -> bool:
        return False

    def _shards(self) -> bool:
        return False

    def _select_indices(
        self, size: int, generator: np.random.Generator, labels: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the indices to read, in order.

        Args:
            size: rows in the source.
            generator: for random orders.
            labels: shape (size,); the class of each row, for samplers by class.
        """
        if self.child_sampler is None:
            return self._choose(size, generator, labels)
        chosen = self.child_sampler._select_indices(size, generator, labels)
        announced = self.child_sampler._count_announced(len(chosen), size)
        below = self._choose(announced, generator, None if labels is None else labels[chosen])
        return chosen[in_bounds(below, len(chosen))]

    def _count_rows(self, size: int) -> int | None:
        """Return the number of indices, or None where only choosing shows it."""
        if self.child_sampler is not None:
            below = self.child_sampler._count_rows(size)
            return None if below is None else self._count_selected(below)
        return self._count_selected(size)

    def _count_announced(self, chosen: int, size: int) -> int:
        """Return among how many rows a parent chooses, of the `chosen` ones out of `size`."""
        return chosen

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        """Choose among `size` rows."""
        raise NotImplementedError

    def _count_selected(self, size: int) -> int | None:
        """Return the number of rows chosen of `size`."""
        return self._limit_count(size)

    def _limit_count(self, count: int) -> int:
        return min(self.num_samples, count) if self.num_samples else count


class SequentialSampler(BuiltinSampler):
    """Rows in the order of the source.

    Args:
        start_index: the first row; None is 0.
        num_samples: how many; None or 0 is all.

    Follows: mindspore.dataset.SequentialSampler (2.10).
    """

    def __init__(self, start_index: int | None = None, num_samples: int | None = None) -> None:
        check_num_samples(num_samples)
        if start_index is not None:
            _STYLE.integer(start_index, "start_index")
        super().__init__(num_samples)
        self.start_index = start_index

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        start = self.start_index or 0
        if start < 0:
            raise pipeline_error(f"SequentialSampler: start_index must be greater than or equal to 0, got {start}.")
        if start >= size > 0:
            raise pipeline_error(
                f"SequentialSampler: start_index must be less than the number of rows {size}, got {start}."
            )
        return np.arange(start, start + self._limit_count(size - start))

    def _count_selected(self, size: int) -> int | None:
        return self._limit_count(max(size - (self.start_index or 0), 0))


class RandomSampler(BuiltinSampler):
    """Rows in random order, another one in each epoch.

    Args:
        replacement: draw with replacement.
        num_samples: how many; None or 0 is as many as there are.
        shuffle: which level of several files is shuffled; kept, without effect outside of MindRecord files.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.dataset.RandomSampler (2.10).
    """

    def __init__(
        self, replacement: bool = False, num_samples: int | None = None, shuffle: Shuffle = Shuffle.GLOBAL
    ) -> None:
        _STYLE.boolean(replacement, "replacement")
        check_num_samples(num_samples)
        if shuffle not in tuple(Shuffle)[1:]:  # a level, or its value
            raise TypeError(f"shuffle must be valid shuffle mode but was: {shuffle}.")
        super().__init__(num_samples)
        self.replacement = replacement
        self.shuffle = shuffle
        self.deterministic = False

    def _shuffles(self) -> bool:
        return True

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        if self.replacement:
            return generator.integers(0, size, self._limit_count(size)) if size else np.empty(0, np.int64)
        return generator.permutation(size)[: self._limit_count(size)]


class DistributedSampler(BuiltinSampler):
    """Every `num_shards`-th row, beginning with row `shard_id`.

    Rows from the start are added at the end, so that all shards are equally long.

    Args:
        num_shards: into how many parts the rows are divided.
        shard_id: which part, in [0, num_shards).
        shuffle: divide a random order, which all shards agree on and which changes with the epoch.
        num_samples: at most how many; None or 0 means no limit.
        offset: which shard begins with row 0; then nothing is padded. -1 is off.

    Follows: mindspore.dataset.DistributedSampler (2.10).
    """

    def __init__(
        self, num_shards: int, shard_id: int, shuffle: bool = True, num_samples: int | None = None, offset: int = -1
    ) -> None:
        for name, value in (("num_shards", num_shards), ("shard_id", shard_id), ("offset", offset)):
            _STYLE.integer(value, name)
        _STYLE.boolean(shuffle, "shuffle")
        check_num_samples(num_samples)
        super().__init__(num_samples)
        self.num_shards, self.shard_id, self.shuffle, self.offset = num_shards, shard_id, shuffle, offset
        self.seed = config.get_seed()

    def set_offset(self, offset: int) -> None:
        """Set which shard begins with row 0.

        Follows: mindspore.dataset.DistributedSampler.set_offset (2.10).
        """
        self.offset = offset

    def _shuffles(self) -> bool:
        return self.shuffle

    def _shards(self) -> bool:
        return self.num_shards > 1

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        self._check()
        order = generator.permutation(size) if self.shuffle else np.arange(size)
        places = self._places(size)
        return order[places[: self._limit_count(len(places))]]

    def _count_selected(self, size: int) -> int | None:
        self._check()
        return self._limit_count(len(self._places(size)))

    def _count_announced(self, chosen: int, size: int) -> int:
        # Not its share: in MindSpore, too, a parent without a limit reads beyond the rows.
        return self._limit_count(size)

    def _places(self, size: int) -> np.ndarray:
        if self.offset < 0:
            per_shard = -(-size // self.num_shards)
            return (np.arange(per_shard) * self.num_shards + self.shard_id) % max(size, 1)
        return np.arange((self.shard_id - self.offset) % self.num_shards, size, self.num_shards)

    def _check(self) -> None:
        if self.num_shards < 1:
            raise pipeline_error(f"DistributedSampler: num_shards must be greater than 0, got {self.num_shards}.")
        if not 0 <= self.shard_id < self.num_shards:
            raise pipeline_error(
                f"DistributedSampler: shard_id must be in [0, num_shards({self.num_shards})), got {self.shard_id}."
            )
        if self.offset > self.num_shards:
            raise pipeline_error(
                f"DistributedSampler: offset must be no more than num_shards({self.num_shards}), got {self.offset}."
            )


class SubsetSampler(BuiltinSampler):
    """The rows with the given indices, in that order.

    Args:
        indices: one int or several, each in [0, rows).
        num_samples: at most how many; None or 0 means no limit.

    Follows: mindspore.dataset.SubsetSampler (2.10).
    """

    def __init__(self, indices: Iterable[int] | int, num_samples: int | None = None) -> None:
        check_num_samples(num_samples)
        indices = [indices] if not isinstance(indices, Iterable) else list(indices)
        for position, index in enumerate(indices):
            if not isinstance(index, int | np.integer):
                raise TypeError(
                    f"{type(self).__name__}: Type of indices element must be int, but got list[{position}]: {index!r}, "
                    f"type: {type(index)}."
                )
        super().__init__(num_samples)
        self.indices = indices[: num_samples or None]

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        return in_bounds(self.indices, size)[: self._limit_count(len(self.indices))]

    def _count_selected(self, size: int) -> int | None:
        return self._limit_count(len(self.indices))

    def get_num_samples(self) -> int | None:
        """Return the number of rows, or of those that the sampler below chooses at most."""
        below = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        own = self._limit_count(len(self.indices))
        return own if below is None else min(own, below)


class SubsetRandomSampler(SubsetSampler):
    """The rows with the given indices, in random order.

    Args:
        indices: the numbers of rows, an int or ints.
        num_samples: at most how many; None for all.

    Follows: mindspore.dataset.SubsetRandomSampler (2.10).
    """

    def _shuffles(self) -> bool:
        return True

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        return generator.permutation(in_bounds(self.indices, size))[: self._limit_count(len(self.indices))]


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn with the given weights.

    Args:
        weights: shape (rows,), or one number for one row; not negative, not all zero.
        num_samples: how many; None or 0 is as many as there are rows.
        replacement: draw with replacement.

    Follows: mindspore.dataset.WeightedRandomSampler (2.10).
    """

    def __init__(
        self, weights: Sequence[float] | float, num_samples: int | None = None, replacement: bool = True
    ) -> None:
        listed: list[Any] = list(weights) if isinstance(weights, (list, tuple, np.ndarray)) else [weights]
        for position, weight in enumerate(listed):
            if not (is_number(weight) or isinstance(weight, np.number)):
                raise TypeError(f"type of weights element must be number, but got w[{position}]: {weight!r}.")
        _STYLE.boolean(replacement, "replacement")
        check_num_samples(num_samples)
        super().__init__(num_samples)
        self.weights, self.replacement = listed, replacement

    def _shuffles(self) -> bool:
        return True

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        weights = self._checked_weights()
        if len(weights) > size:
            raise pipeline_error(f"WeightedRandomSampler: {len(weights)} weights for {size} rows.")
        count = self._limit_count(size)
        if not self.replacement and count > len(weights):
            raise pipeline_error(
                f"WeightedRandomSampler: {count} rows cannot be drawn without replacement with {len(weights)} weights."
            )
        if self.replacement:
            return generator.choice(len(weights), count, p=weights / weights.sum())
        # The smallest of exponential waiting times: a weighted draw without replacement; zero weights come last.
        with np.errstate(divide="ignore"):
            waiting = generator.exponential(size=len(weights)) / weights
        return np.argsort(waiting, kind="stable")[:count]

    def _count_selected(self, size: int) -> int | None:
        self._checked_weights()
        return super()._count_selected(size)

    def _checked_weights(self) -> np.ndarray:
        weights = np.array(self.weights, np.float64)
        if len(weights) == 0 or (weights < 0).any() or not weights.sum():
            raise pipeline_error("WeightedRandomSampler: weights must not be empty, negative or all zero.")
        return weights


class PKSampler(BuiltinSampler):
    """`num_val` random rows of each class.

    Args:
        num_val: rows per class.
        num_class: only None: all classes.
        shuffle: take the classes in random order.
        class_column: the column that holds the class.
        num_samples: at most how many rows; None or 0 means no limit.

    Follows: mindspore.dataset.PKSampler (2.10).
    """

    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: int | None = None,
    ) -> None:
        _STYLE.integer(num_val, "num_val")
        if num_class is not None:
            raise NotImplementedError("Not supported to specify num_class for PKSampler.")
        _STYLE.boolean(shuffle, "shuffle")
        require_type(class_column, "class_column", str)
        check_num_samples(num_samples)
        super().__init__(num_samples)
        self.num_val, self.shuffle, self.class_column = num_val, shuffle, class_column

    def _shuffles(self) -> bool:
        return self.shuffle

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        if labels is None:
            raise pipeline_error("PKSampler: the dataset has no classes to sample by.")
        if self.num_val < 1:
            raise pipeline_error(f"PKSampler: num_val must be greater than 0, got {self.num_val}.")
        classes = np.unique(labels)
        if self.shuffle:
            classes = generator.permutation(classes)
        rows = [generator.choice(np.flatnonzero(labels == label), self.num_val) for label in classes]
        chosen = np.concatenate(rows) if rows else np.empty(0, np.int64)
        return chosen[: self._limit_count(len(chosen))]

    def _count_selected(self, size: int) -> int | None:
        return None


def in_bounds(indices: list[int] | np.ndarray, size: int) -> np.ndarray:
    """Return indices of `size` rows.

    Raises:
        RuntimeError: one is out of range, or several are in place of one.
    """
    if isinstance(indices, np.ndarray) and indices.dtype == object:
        raise pipeline_error("The sampler yields several indices at once, which only GeneratorDataset takes.")
    chosen = np.asarray(indices, np.int64)
    for index in chosen[(chosen < 0) | (chosen >= size)][:1]:
        raise pipeline_error(f"Sample ID ({index}) is out of bound, expected range [0, {size - 1}].")
    return chosen


def check_num_samples(num_samples: int | None) -> None:
    if num_samples is not None and not 0 <= _STYLE.integer(num_samples, "num_samples") <= INT64_MAX:
        raise ValueError(f"num_samples exceeds the boundary between 0 and {INT64_MAX}(INT64_MAX), got {num_samples}.")
