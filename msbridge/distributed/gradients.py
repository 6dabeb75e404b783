"""Gradients of several processes made equal: few large reductions instead of one per parameter."""

from collections.abc import Iterator, Sequence

import torch

from msbridge.distributed.group import HCCL_WORLD_COMM_GROUP, communicator

BUCKET_BYTES = 32 * 2**20  # large enough for full bandwidth, small enough to start before the last gradient is packed


def all_reduce_mean(
    tensors: Sequence[torch.Tensor],
    mean: bool,
    group: str = HCCL_WORLD_COMM_GROUP,
    bucket_bytes: int | None = None,
) -> list[torch.Tensor]:
    """Sum each tensor over the processes, and divide by their number when `mean`.

    Args:
        tensors: the same shapes and dtypes, in the same order, in every process.
        mean: whether to return the mean instead of the sum.
        group: the group's name.
        bucket_bytes: how much is reduced in one message; None for 32 MiB.

    Returns:
        New tensors in the order given; the given ones themselves when the process runs alone.
    """
    members = communicator(group, "all_reduce_mean")
    if members.size == 1:
        return list(tensors)
    results = list(tensors)
    for places in _buckets(tensors, BUCKET_BYTES if bucket_bytes is None else bucket_bytes):
        flat = members.all_reduce(torch.cat([tensors[place].reshape(-1) for place in places]), "avg" if mean else "sum")
        parts = flat.split([tensors[place].numel() for place in places])
        for place, part in zip(places, parts, strict=True):
            results[place] = part.view(tensors[place].shape)
    return results


def _buckets(tensors: Sequence[torch.Tensor], limit: int) -> Iterator[list[int]]:
    """Group the places of tensors of one dtype and device, each group up to the bucket's size."""
    open_buckets: dict[tuple[torch.dtype, torch.device], tuple[list[int], int]] = {}
    for place, tensor in enumerate(tensors):
        key = (tensor.dtype, tensor.device)
        places, size = open_buckets.get(key, ([], 0))
        if places and size + tensor.nbytes > limit:
            yield places
            places, size = [], 0
        open_buckets[key] = ([*places, place], size + tensor.nbytes)
    for places, _ in open_buckets.values():
        yield places
