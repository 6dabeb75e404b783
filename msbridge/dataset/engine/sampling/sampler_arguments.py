"""Samplers by the arguments of a reader."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.engine.sampling.samplers import (
    BuiltinSampler,
    DistributedSampler,
    RandomSampler,
    SequentialSampler,
    SubsetSampler,
    check_num_samples,
)
from msbridge.dataset.engine.sampling.user_samplers import IterSampler

__all__ = ["as_sampler", "check_sampling", "check_whole_shard", "select_sampler"]


def select_sampler(
    num_samples: int | None, sampler: Any, shuffle: bool | None, num_shards: int | None, shard_id: int | None
) -> BuiltinSampler:
    """Choose the sampler that a reader's arguments ask for.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a sampler was given beside other arguments, or only one of `num_shards` and `shard_id`.
    """
    check_sampling(num_samples, shuffle, num_shards, shard_id)
    if sampler is not None:
        chosen = as_sampler([sampler] if isinstance(sampler, int) else sampler)
        # A list of indices is its own order, regardless of `shuffle`.
        given = (num_samples, shuffle, num_shards, shard_id) if chosen is sampler else (num_shards, shard_id)
        if any(value is not None for value in given):
            raise ValueError(
                f"Conflicting arguments during sampler assignments. num_samples: {num_samples}, num_shards: "
                f"{num_shards}, shard_id: {shard_id}, shuffle: {shuffle}; with a sampler they must be None."
            )
        if chosen is not sampler and num_samples is not None:
            chosen.num_samples = num_samples
        return chosen
    if (num_shards is None) != (shard_id is None):
        raise ValueError("num_shards and shard_id need to be passed in together.")
    if num_shards is not None and shard_id is not None:
        int_within(num_shards, "num_shards")
        int_within(shard_id, "shard_id", 0)
        if shard_id >= num_shards:
            raise ValueError(f"shard_id should be less than num_shards, got {shard_id} of {num_shards}.")
        return DistributedSampler(num_shards, shard_id, shuffle is not False, num_samples)
    return SequentialSampler(num_samples=num_samples) if shuffle is False else RandomSampler(num_samples=num_samples)


def check_sampling(num_samples: Any, shuffle: Any, num_shards: Any, shard_id: Any) -> None:
    """Check the types of what a reader takes beside `sampler`.

    Raises:
        TypeError: one of them is neither None nor of its type.
        ValueError: `num_samples` is negative.
    """
    check_num_samples(num_samples)
    for name, value, kind in (("num_shards", num_shards, int), ("shard_id", shard_id, int), ("shuffle", shuffle, bool)):
        if value is not None:
            require_type(value, name, kind)


def check_whole_shard(num_shards: Any, shard_id: Any) -> None:
    """Refuse half a shard.

    Raises:
        RuntimeError: only one of the two is given.
    """
    if num_shards is not None and shard_id is None:
        raise RuntimeError("num_shards is specified and currently requires shard_id as well.")
    if num_shards is None and shard_id is not None:
        raise RuntimeError("shard_id is specified but num_shards is not.")


def as_sampler(sampler: Any) -> BuiltinSampler:
    """Return the sampler for a reader's `sampler` argument: a sampler, indices, or an iterable of indices."""
    if isinstance(sampler, BuiltinSampler):
        return sampler
    if isinstance(sampler, (list, tuple, np.ndarray)):
        return SubsetSampler(sampler)
    if (hasattr(sampler, "__iter__") or hasattr(sampler, "__getitem__")) and not isinstance(sampler, str | bytes):
        return IterSampler(sampler)
    raise TypeError(f"sampler should be either iterable or from mindspore.dataset.samplers, got {type(sampler)}.")
