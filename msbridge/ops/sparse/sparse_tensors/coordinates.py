"""Computations on lists of coordinates that several faces share: torch tensors in, torch tensors out."""

from collections.abc import Sequence

import torch

from msbridge.core.sparse import kernels

__all__ = ["coalesce_checked", "concatenate", "sizes"]


def sizes(shape: torch.Tensor | Sequence[int]) -> tuple[int, ...]:
    """Return a shape that is given as a tensor, or as ints."""
    return tuple(shape.tolist()) if isinstance(shape, torch.Tensor) else tuple(shape)


def coalesce_checked(indices: torch.Tensor, values: torch.Tensor, shape: torch.Tensor) -> kernels.Listed:
    """Sort coordinates of shape (n, rank), and add up values of the same ones.

    Raises:
        ValueError: a coordinate is outside of the shape, or there are not as many values as coordinates.
    """
    if len(indices) != len(values):
        raise ValueError(f"there are {len(indices)} coordinates, but {len(values)} values.")
    if len(indices) and bool(((indices < 0) | (indices >= shape)).any()):
        raise ValueError(f"the coordinates must be inside of the shape {sizes(shape)}.")
    return kernels.coalesce(indices, values, sizes(shape))


def concatenate(
    lists: Sequence[kernels.Listed], shapes: Sequence[tuple[int, ...]], axis: int
) -> tuple[torch.Tensor, torch.Tensor, tuple[int, ...]]:
    """Join lists of coordinates along an axis, and sort them.

    Raises:
        ValueError: along another axis, the sizes differ.
    """
    rank = len(shapes[0])
    axis %= rank
    whole, moved = list(shapes[0]), []
    whole[axis] = 0
    for (indices, _), shape in zip(lists, shapes, strict=True):
        if any(size != shapes[0][at] for at, size in enumerate(shape) if at != axis):
            raise ValueError(f"the shapes {shapes[0]} and {shape} differ along another axis than {axis}.")
        offset = torch.zeros(rank, dtype=indices.dtype, device=indices.device)
        offset[axis] = whole[axis]
        moved.append(indices + offset)
        whole[axis] += shape[axis]
    every = torch.cat(moved)
    order = kernels.keys_of(every, tuple(whole)).argsort(stable=True)
    return every[order], torch.cat([values for _, values in lists])[order], tuple(whole)
