"""Unpooling of 2.0: an `output_size` without lengths is none."""

import torch

from msbridge.core.releases.overrides import Part
from msbridge.ops.neural.pooling import functions


def _sizes_of_axes(output_size: tuple[int, ...] | None, axes: int, data: torch.Tensor) -> tuple[int, ...] | None:
    return _today_sizes(output_size or None, axes, data)


_today_sizes = functions._sizes_of_axes
OVERRIDES = {"ops.max_unpool1d": Part(functions, "_sizes_of_axes", _sizes_of_axes)}
