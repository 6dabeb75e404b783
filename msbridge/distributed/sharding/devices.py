"""The processes as one array for all operators, and what a division of axes means on it.

Operators see the devices as arrays of different shapes, such as (4,), (2, 2) or (2, 1, 2). torch's DTensor moves
tensors between divisions of one DeviceMesh only. So there is one, whose axes have the prime factors of the number of
processes as lengths, and an operator's axis of length 4 is two of these.
"""

import functools
import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import DTensor, Partial, Placement, Replicate, Shard

from msbridge.core.context import context
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import communicator
from msbridge.distributed.sharding.strategies import Degrees, Label

__all__ = [
    "Placements",
    "by_batch",
    "by_labels",
    "by_layout",
    "by_parts",
    "full_tensor",
    "make_dtensor",
    "redistribute",
    "replicas",
    "replicate_everywhere",
    "world_mesh",
]

Placements = tuple[Placement, ...]


def world_mesh() -> DeviceMesh:
    """Return the array of all processes."""
    return _make_mesh(communicator(), context.torch_device().type)


@functools.lru_cache(maxsize=1)  # processes that have left and joined again get another
def _make_mesh(world: Communicator, device: str) -> DeviceMesh:
    logging.getLogger("torch.distributed.tensor._redistribute").setLevel(logging.ERROR)  # advice to who makes meshes
    shape = tuple(_prime_factors(world.size))
    mesh = init_device_mesh(device, shape, mesh_dim_names=tuple(f"factor_{axis}" for axis in range(len(shape))))
    if mesh.ndim > 1:
        mesh._flatten()  # one collective over all axes instead of one for each
    return mesh


def _prime_factors(number: int) -> list[int]:
    factors = []
    for factor in range(2, number + 1):
        while number % factor == 0:
            factors.append(factor)
            number //= factor
    return factors


def replicate_everywhere() -> Placements:
    """Return the placements of a tensor that every process has."""
    return (Replicate(),) * world_mesh().ndim


def by_batch(rank: int) -> Placements:
    """Return the placements of a tensor whose first axis is divided over all processes."""
    return (Shard(0),) * world_mesh().ndim if rank else replicate_everywhere()


def by_parts(what: str, parts: Degrees) -> Placements:
    """Return the placements of a tensor whose axes are divided into so many parts.

    Raises:
        ValueError: the processes cannot be divided like that.
    """
    labels = tuple(("", axis) for axis in range(len(parts)))
    return by_labels(what, [labels], dict(zip(labels, parts, strict=True)))[0]


def by_labels(what: str, labels: Sequence[tuple[Label, ...]], parts: Mapping[Label, int]) -> list[Placements]:
    """Return the placements of tensors whose axes have labels, each divided into so many parts.

    Raises:
        ValueError: the processes cannot be divided like that.
    """
    taken = _mesh_axes_of_lengths(what, tuple(parts.values()))
    axes_of = dict(zip(parts, taken, strict=True))
    return [_shard_placements([axes_of.get(label, ()) for label in names]) for names in labels]


def by_layout(what: str, layout: Mapping[str, Any]) -> Placements:
    """Return the placements that a Layout's dict describes.

    Raises:
        ValueError: it is for another number of devices, or cannot be carried out on them.
    """
    lengths, size = layout["device_matrix"], communicator().size
    has_parts = bool(layout.get("interleaved_parallel"))  # its last axis is parts that one device computes one by one
    lengths = lengths[: len(lengths) - has_parts]
    if math.prod(lengths) != size:
        raise ValueError(f"For '{what}', the Layout's device_matrix {lengths} is not for {size} devices.")
    if not has_parts and list(layout.get("rank_list", range(size))) != list(range(size)):
        raise ValueError(f"For '{what}', the rank_list of a Layout must be the devices in their order: {dict(layout)}.")
    taken = [() for _ in range(has_parts)] + _mesh_axes_of_lengths(what, lengths)[::-1]
    of_axis = [axis if isinstance(axis, tuple) else (axis,) for axis in layout["tensor_map"]]
    return _shard_placements([sum((taken[place] for place in axis if place >= 0), ()) for axis in of_axis])


def _mesh_axes_of_lengths(what: str, lengths: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the axes of the mesh that make up axes of these lengths, from the first on."""
    shape, first, mesh_axes = world_mesh().shape, 0, []
    for length in lengths:
        end = first
        while math.prod(shape[first:end]) < length and end < len(shape):
            end += 1
        if math.prod(shape[first:end]) != length:
            raise ValueError(
                f"For '{what}', {math.prod(shape)} devices cannot be divided as {tuple(lengths)}: "
                f"their number is factored as {'·'.join(map(str, shape))}."
            )
        mesh_axes.append(tuple(range(first, end)))
        first = end
    return mesh_axes


def _shard_placements(axes: Sequence[tuple[int, ...]]) -> Placements:
    placements = list(replicate_everywhere())
    for axis, of_mesh in enumerate(axes):
        for place in of_mesh:
            placements[place] = Shard(axis)
    return tuple(placements)


def make_dtensor(data: torch.Tensor, placements: Placements, is_local: bool = False) -> DTensor:
    """Return the DTensor of a torch tensor.

    Args:
        data: the whole, the same in every process, or this process's part.
        placements: how it is divided.
        is_local: whether `data` is the part.
    """
    if is_local:
        return DTensor.from_local(data, world_mesh(), placements, run_check=False)
    return redistribute(DTensor.from_local(data, world_mesh(), replicate_everywhere(), run_check=False), placements)


def redistribute(data: DTensor, placements: Placements) -> DTensor:
    """Divide a DTensor otherwise."""
    return data if data.placements == placements else data.redistribute(placements=placements)


def full_tensor(data: torch.Tensor) -> torch.Tensor:
    """Return all of a DTensor in every process; all of them call this."""
    return data.full_tensor() if isinstance(data, DTensor) else data


def replicas(data: DTensor) -> int:
    """Return the number of processes that hold the same part."""
    shape = world_mesh().shape
    return math.prod(
        shape[axis] for axis, place in enumerate(data.placements) if not isinstance(place, Shard | Partial)
    )
