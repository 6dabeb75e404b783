"""Grids of coordinates."""

from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.errors.explain import describe
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import int32
from msbridge.numpy._faces import Array, Data, common, data_of, tensor_of, value_error
from msbridge.numpy.dtypes import DType
from msbridge.numpy.ranges import arange, linspace


def meshgrid(*xi: Array, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """Spread vectors over a grid, one tensor for each.

    Args:
        xi: the vectors.
        sparse: whether each keeps one axis that is not 1, for broadcasting.
        indexing: "xy": the first two axes are exchanged; "ij": axes in the order of the vectors.

    Returns:
        A list of Tensors, one for each vector, of its dtype.

    Follows: mindspore.numpy.meshgrid (2.10).
    """
    if indexing not in ("xy", "ij"):
        raise TypeError(f"For 'meshgrid', indexing must be 'xy' or 'ij', got {indexing!r}.")
    grids = _open([data_of(item, "meshgrid", "xi").reshape(-1) for item in xi])
    if indexing == "xy" and len(grids) > 1:
        grids = [grid.swapaxes(0, 1) for grid in grids]
    return [wrap(grid) for grid in (grids if sparse else torch.broadcast_tensors(*grids))]


def indices(dimensions: tuple[int, ...] | list[int], dtype: DType = int32, sparse: bool = False) -> list[Tensor]:
    """Return for every axis of a shape the indices along it, as a grid.

    Args:
        dimensions: the shape.
        dtype: of the result.
        sparse: whether each keeps one axis that is not 1, for broadcasting.

    Returns:
        A list of Tensors, one for each axis, of the shape `dimensions`.

    Follows: mindspore.numpy.indices (2.10).
    """
    instance(dimensions, "dimensions", "indices", (tuple, list))
    return meshgrid(*(arange(size, dtype=dtype) for size in dimensions), sparse=sparse, indexing="ij")


def ix_(*args: Array) -> tuple[Tensor, ...]:
    """Return vectors an axis each, so that they index a grid together.

    Args:
        args: vectors of integers or bools.

    Returns:
        A tuple of Tensors, as many as vectors, each of as many axes.

    Raises:
        ValueError: an argument is not a vector.

    Follows: mindspore.numpy.ix_ (2.10).
    """
    vectors = [tensor_of(vector, "ix_") for vector in args]
    if any(vector.ndim != 1 for vector in vectors):
        raise value_error(f"For 'ix_', vectors are needed, got shapes {[vector.shape for vector in vectors]}.")
    return tuple(map(wrap, _open([vector._data for vector in vectors])))


class NdGrid:
    """Coordinates by slices: `start:stop:step`, or `start:stop:5j` for 5 points with both ends.

    Args:
        sparse: whether each keeps one axis that is not 1, for broadcasting.

    Follows: mindspore.numpy.array_creations.NdGrid (2.10).
    """

    def __init__(self, sparse: bool = False) -> None:
        self._sparse = sparse

    def __getitem__(self, keys: slice | tuple[slice, ...]) -> Any:
        if not isinstance(keys, tuple):
            return _points(keys)
        vectors = [_points(key) for key in keys]
        if self._sparse:
            return meshgrid(*vectors, sparse=True, indexing="ij")
        return wrap(torch.stack([grid._data for grid in meshgrid(*common(vectors), indexing="ij")]))


class MGridClass(NdGrid):
    """Coordinates of a full grid.

    Follows: mindspore.numpy.array_creations.MGridClass (2.10).
    """

    def __init__(self) -> None:
        super().__init__(sparse=False)


class OGridClass(NdGrid):
    """Coordinates that broadcast to a grid.

    Follows: mindspore.numpy.array_creations.OGridClass (2.10).
    """

    def __init__(self) -> None:
        super().__init__(sparse=True)


mgrid = MGridClass()
"""Coordinates of a full grid: `mgrid[0:2, 0:3]` has shape (2, 2, 3). Follows: mindspore.numpy.mgrid (2.10)."""
ogrid = OGridClass()
"""Coordinates that broadcast to a grid: `ogrid[0:2, 0:3]`. Follows: mindspore.numpy.ogrid (2.10)."""


def _open(vectors: list[Data]) -> list[Data]:
    """Return each vector an axis of its own."""
    count = len(vectors)
    return [
        vector.reshape([-1 if axis == place else 1 for axis in range(count)]) for place, vector in enumerate(vectors)
    ]


def _points(key: slice) -> Tensor:
    if not isinstance(key, slice):
        raise TypeError(f"A grid is made of slices, got {describe(key)}.")
    start = 0 if key.start is None else key.start
    if isinstance(key.step, complex):
        points: Tensor = linspace(start, key.stop, int(abs(key.step)))
        return points
    return arange(start, key.stop, key.step)


SAME = {"mgrid": mgrid, "ogrid": ogrid}
