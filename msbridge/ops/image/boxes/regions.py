"""Regions of images pooled to one size, at places between the pixels.

A cell of the result is a weighted sum of pixels. Which pixels and with which weights is computed for all regions at
once; torch's `embedding_bag` then adds rows of a table of pixels up, without a copy of each that is looked at.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch.nn import functional as F

__all__ = ["align"]

#: how many pixels, with their weights, are listed at once: 12 bytes each
LISTED = 1 << 23


def align(
    data: torch.Tensor,
    regions: torch.Tensor,
    pooled: tuple[int, int],
    scale: float,
    end_mode: int,
    sample_num: int,
) -> torch.Tensor:
    """Return the means of bilinear samples in the cells of regions: shape (M, C, *pooled).

    Args:
        data: shape (N, C, H, W).
        regions: shape (M, 5): which image, and the box; gets no gradient.
        pooled: how many cells a region has, down and along.
        scale: from the coordinates of `regions` to those of `data`.
        end_mode: whether (1) the last pixel of a box counts in, or (0) not.
        sample_num: samples along each axis of a cell; 0 takes as many as the cell has pixels, rounded down.
    """
    regions = regions.detach()
    pixels = data.permute(0, 2, 3, 1).reshape(-1, data.shape[1])
    order, parts = [], []
    for where, samples in _alike(regions, pooled, scale, end_mode, sample_num):
        step = max(1, LISTED // (4 * pooled[0] * pooled[1] * samples[0] * samples[1]))
        for some in where.split(step) if len(where) else (where,):
            order.append(some)
            parts.append(_some(data.shape, pixels, regions[some], pooled, scale, end_mode, samples))
    if len(parts) == 1:
        return parts[0]
    return torch.cat(parts)[torch.argsort(torch.cat(order))]


def _alike(
    regions: torch.Tensor, pooled: tuple[int, int], scale: float, end_mode: int, sample_num: int
) -> Iterator[tuple[torch.Tensor, tuple[int, int]]]:
    """Yield the places of regions whose cells have the same numbers of samples, and these."""
    if sample_num > 0 or not len(regions):
        yield torch.arange(len(regions), device=regions.device), (max(sample_num, 1),) * 2
        return
    size = ((regions[:, 3:5] + end_mode - regions[:, 1:3]) * scale).clamp_min(1).flip(-1)
    counts = (size / size.new_tensor(pooled)).long().clamp_min(1)
    kinds, kind_of = torch.unique(counts, dim=0, return_inverse=True)
    for number, (down, along) in enumerate(kinds.tolist()):
        yield torch.nonzero(kind_of == number)[:, 0], (down, along)


def _some(
    shape: torch.Size,
    pixels: torch.Tensor,
    regions: torch.Tensor,
    pooled: tuple[int, int],
    scale: float,
    end_mode: int,
    samples: tuple[int, int],
) -> torch.Tensor:
    start = regions[:, 1:3] * scale
    size = (regions[:, 3:5] + end_mode) * scale - start
    if not end_mode:
        size = size.clamp_min(1)
    rows, down = _along_axis(start[:, 1], size[:, 1], pooled[0], samples[0], shape[2])
    columns, along = _along_axis(start[:, 0], size[:, 0], pooled[1], samples[1], shape[3])
    rows = rows + (regions[:, 0].long() * shape[2])[:, None, None]
    places = (rows * shape[3])[:, :, None, :, None] + columns[:, None, :, None, :]
    weights = down[:, :, None, :, None] * along[:, None, :, None, :]
    count = weights.shape[3] * weights.shape[4]
    cells = _sum_weighted(pixels, places.reshape(-1, count), weights.reshape(-1, count))
    return cells.reshape(len(regions), *pooled, shape[1]).permute(0, 3, 1, 2).contiguous()


def _along_axis(
    start: torch.Tensor, size: torch.Tensor, cells: int, samples: int, length: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the places that the samples of each cell look at, and their weights: shape (M, cells, 2·samples).

    More than one pixel outside, or at no number, weighs nothing.
    """
    steps = (torch.arange(cells * samples, device=start.device, dtype=start.dtype) + 0.5) / (cells * samples)
    where = start[:, None] + steps * size[:, None]
    inside = (where >= -1) & (where <= length)
    where = where.clamp(0, length - 1).nan_to_num(0.0)
    low = where.floor()
    part = where - low
    places = torch.stack([low.long(), (low.long() + 1).clamp_max(length - 1)], -1)
    weights = torch.stack([1 - part, part], -1) * (inside.to(part.dtype) / samples)[..., None]
    return places.reshape(-1, cells, 2 * samples), weights.reshape(-1, cells, 2 * samples)


def _sum_weighted(table: torch.Tensor, places: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return sums of rows (n, C) of a table, of each row of `places` (m, k) with its weights: shape (m, C)."""
    weights = weights.to(table.dtype)
    if torch.compiler.is_compiling():  # exported graphs have no bags
        return (table[places] * weights[..., None]).sum(1)
    return _Gathered.apply(table, places, weights)  # type: ignore[no-any-return, no-untyped-call]


class _Gathered(torch.autograd.Function):
    """Weighted sums of rows, which torch differentiates only once."""

    generate_vmap_rule = True

    @staticmethod
    def forward(table: torch.Tensor, places: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return F.embedding_bag(places, table, per_sample_weights=weights, mode="sum")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[torch.Tensor, ...], _output: torch.Tensor) -> None:
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        ctx.rows = len(inputs[0])

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        return _Spread.apply(gradient, *ctx.saved_tensors, ctx.rows), None, None  # type: ignore[no-untyped-call]

    @staticmethod
    def jvp(ctx: Any, tangent: torch.Tensor, *_: None) -> torch.Tensor:
        return _Gathered.apply(tangent, *ctx.saved_tensors)  # type: ignore[no-any-return, no-untyped-call]


class _Spread(torch.autograd.Function):
    """The transpose of `_Gathered`: each sum goes back to the rows that it was made of."""

    generate_vmap_rule = True

    @staticmethod
    def forward(sums: torch.Tensor, places: torch.Tensor, weights: torch.Tensor, rows: int) -> torch.Tensor:
        table = sums.new_zeros(rows, sums.shape[-1])
        for column in range(places.shape[1]):  # one of the k at a time: all of them are k copies of the sums
            table = table.index_add_(0, places[:, column], sums * weights[:, column, None])
        return table

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], _output: torch.Tensor) -> None:
        ctx.save_for_backward(*inputs[1:3])
        ctx.save_for_forward(*inputs[1:3])
        ctx.rows = inputs[3]

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None, None]:
        return _Gathered.apply(gradient, *ctx.saved_tensors), None, None, None  # type: ignore[no-untyped-call]

    @staticmethod
    def jvp(ctx: Any, tangent: torch.Tensor, *_: None) -> torch.Tensor:
        return _Spread.apply(tangent, *ctx.saved_tensors, ctx.rows)  # type: ignore[no-any-return, no-untyped-call]
