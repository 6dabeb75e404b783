"""Gradients of several processes made equal: few large reductions instead of one per parameter."""

from collections.abc import Iterator, Sequence

import torch

from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator

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
    for places in buckets(tensors, BUCKET_BYTES if bucket_bytes is None else bucket_bytes):
        flat = members.all_reduce(torch.cat([tensors[place].reshape(-1) for place in places]), "avg" if mean else "sum")
        parts = flat.split([tensors[place].numel() for place in places])
        for place, part in zip(places, parts, strict=True):
            results[place] = part.view(tensors[place].shape)
    return results


@torch.no_grad()
def take_updates(tensors: Sequence[torch.Tensor], owners: Sequence[int]) -> None:
    """Overwrite tensors with those of the processes that have updated them.

    Args:
        tensors: the same shapes and dtypes, in the same order, in every process.
        owners: the rank of the process that has updated each.
    """
    members = communicator(HCCL_WORLD_COMM_GROUP, "take_updates")
    for root in range(members.size):
        chosen = [tensor for tensor, owner in zip(tensors, owners, strict=True) if owner == root]
        for places in buckets(chosen, BUCKET_BYTES):
            flat = members.broadcast(torch.cat([chosen[place].reshape(-1) for place in places]), root)
            if root != members.rank:
                parts = flat.split([chosen[place].numel() for place in places])
                for place, part in zip(places, parts, strict=True):
                    chosen[place].copy_(part.view(chosen[place].shape))


def shares(sizes: Sequence[int], count: int) -> tuple[int, ...]:
    """Divide parameters among processes so that each gets about as many bytes: the process of each of them.

    Args:
        sizes: bytes of each parameter.
        count: how many processes there are.
    """
    held, owners = [0] * count, [0] * len(sizes)
    for place in sorted(range(len(sizes)), key=lambda one: -sizes[one]):  # the largest first, to who has the least
        owners[place] = min(range(count), key=held.__getitem__)
        held[owners[place]] += sizes[place]
    return tuple(owners)


def buckets(
    tensors: Sequence[torch.Tensor], limit: int, first: int | None = None, owners: Sequence[int] | None = None
) -> Iterator[list[int]]:
    """Group the places of tensors of one dtype, device and owner.

    Args:
        tensors: what is grouped, in this order.
        limit: the most bytes of a group; a larger tensor is by itself.
        first: that of the first group, where it is another.
        owners: a number for each tensor; None where all have the same.
    """
    allowed = limit if first is None else first
    open_buckets: dict[tuple[torch.dtype, torch.device, int], tuple[list[int], int]] = {}
    for place, tensor in enumerate(tensors):
        key = (tensor.dtype, tensor.device, owners[place] if owners else 0)
        places, size = open_buckets.get(key, ([], 0))
        if places and size + tensor.nbytes > allowed:
            yield places
            places, size, allowed = [], 0, limit
        open_buckets[key] = ([*places, place], size + tensor.nbytes)
    for places, _ in open_buckets.values():
        yield places
