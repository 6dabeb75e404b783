"""Primitives of fractional pooling."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import boolean, instance, one_of, positive_int
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.random.seeds import sequence
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, int64
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import Primitive, derive


class _Fractional(Primitive):
    """Base: the rows and columns at which windows begin are drawn."""

    def __init__(
        self,
        pooling_ratio: list[float],
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
    ) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("pooling_ratio", instance(pooling_ratio, "pooling_ratio", self.name, list))
        flags = {"pseudo_random": pseudo_random, "overlapping": overlapping, "deterministic": deterministic}
        for name, flag in flags.items():
            self.add_prim_attr(name, boolean(flag, name, self.name))
        self.add_prim_attr("seed", seed)
        self.add_prim_attr("seed2", seed2)
        self._generator: torch.Generator | None = None

    def _starts(self, length: int, ratio: float) -> list[int]:
        """Return the starts of windows along an axis, and its end: floor(length / ratio) windows of about `ratio`."""
        count = math.floor(length / ratio)
        if self.attrs["pseudo_random"]:
            alpha, offset = length / count, float(torch.rand((), generator=self._make_generator()))
            most = math.ceil(alpha)
            offset *= min(most / alpha, (length + 1 - most) / alpha - (count - 1), 1)
            first = math.ceil(alpha * offset)
            return [*(math.ceil(alpha * (place + offset)) - first for place in range(count)), length]
        small = length // count
        larger = torch.randperm(count, generator=self._make_generator())[: length % count].tolist()
        starts = [0]
        for place in range(count):
            starts.append(starts[-1] + small + (place in larger))
        return starts

    def _make_generator(self) -> torch.Generator | None:
        """Return the generator to draw from; None is the global one. A deterministic one begins again."""
        seeds = self.attrs["seed"] * 1_000_003 + self.attrs["seed2"]
        if self.attrs["deterministic"]:
            return torch.Generator().manual_seed(seeds)
        if self._generator is None and seeds:
            self._generator = sequence(seeds, torch.device("cpu"))
        return self._generator

    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        try:
            ratios = self.attrs["pooling_ratio"]
            data = x._data
            axes = [self._starts(data.shape[axis], ratios[axis]) for axis in (1, 2)]
            rows, columns = (list(pairwise(starts)) for starts in axes)
            over = int(self.attrs["overlapping"])
            stacks = [
                torch.stack([self._pool(data[:, top : low + over, left : right + over]) for left, right in columns], 1)
                for top, low in rows
            ]
            places = [torch.tensor(starts, device=torch_device()) for starts in axes]
            return wrap(torch.stack(stacks, 1)), wrap(places[0]), wrap(places[1])
        except Exception as error:
            raise explain(error, self.name, x=x) from error

    def _pool(self, window: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError


class FractionalMaxPool(_Fractional):
    """Return the largest value of windows of uneven sizes of images (N, H, W, C), and where the windows begin.

    Args:
        pooling_ratio: how much smaller each axis gets; 1.0 for the first and the last.
        pseudo_random: whether the windows follow an even pace from a random start.
        overlapping: whether windows share their borders.
        deterministic: whether every call has the same windows.
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        x: shape (N, H, W, C).

    Outputs:
        (result, rows, columns): of the dtype of `x`, and where the windows begin and end along both axes, Int64.

    Raises:
        TypeError: an argument of another type.

    Follows: mindspore.ops.FractionalMaxPool (2.10); other windows are drawn.
    """

    def _pool(self, window: torch.Tensor) -> torch.Tensor:
        return window.amax((1, 2))


class FractionalAvgPool(_Fractional):
    """Return the mean of windows of uneven sizes of images (N, H, W, C), and where the windows begin.

    Args:
        pooling_ratio: how much smaller each axis gets; 1.0 for the first and the last.
        pseudo_random: whether the windows follow an even pace from a random start.
        overlapping: whether windows share their borders.
        deterministic: whether every call has the same windows.
        seed: with a seed, this object has a sequence of its own.
        seed2: a second part of the seed.

    Inputs:
        x: shape (N, H, W, C).

    Outputs:
        (result, rows, columns): of the dtype of `x`, and where the windows begin and end along both axes, Int64.

    Follows: mindspore.ops.FractionalAvgPool (2.10); other windows are drawn.
    """

    def _pool(self, window: torch.Tensor) -> torch.Tensor:
        return window.double().mean((1, 2)).to(window.dtype)


class _FixedWindow(Primitive):
    """Base: windows of one size, at places that samples say."""

    _rank: int
    _formats: tuple[str, ...]
    _torch: Callable[..., tuple[torch.Tensor, torch.Tensor]]

    def __init__(self, ksize: Any, output_shape: Any, data_format: str) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("data_format", one_of(data_format, "data_format", self.name, self._formats))
        for name, value in (("ksize", ksize), ("output_shape", output_shape)):
            sizes = value if isinstance(value, tuple) else (value,) * self._rank
            if len(sizes) != self._rank:
                raise ValueError(f"For '{self.name}', {name} must have {self._rank} sizes, got {value}.")
            self.add_prim_attr(name, tuple(positive_int(size, name, self.name) for size in sizes))

    def __call__(self, x: Tensor, random_samples: Tensor) -> tuple[Tensor, Tensor]:
        return call_kernel(self._pool, self.name, x, random_samples)  # type: ignore[no-any-return]

    def _pool(self, data: torch.Tensor, samples: torch.Tensor) -> Sequence[torch.Tensor]:
        is_last = self.attrs["data_format"][-1] == "C"
        moved = data.movedim(-1, 1) if is_last else data
        exact = moved if moved.is_floating_point() and moved.dtype != torch.half else moved.double()
        settings = (self.attrs["ksize"], self.attrs["output_shape"], samples.to(exact.dtype))
        found, places = type(self)._torch(exact, *settings)
        found = found.to(data.dtype)
        return (found.movedim(1, -1), places.movedim(1, -1)) if is_last else (found, places)


class FractionalMaxPoolWithFixedKsize(_FixedWindow):
    """Return the largest value of windows of one size, and their places: `x` (N, C, H, W), samples (N, C, 2).

    Args:
        ksize: an int or (height, width) of the windows.
        output_shape: an int or (height, width) of the result.
        data_format: "NCHW".

    Inputs:
        input_x: shape (N, C, H, W).
        random_samples: places of the windows, in [0, 1), (N, C, 2).

    Outputs:
        (values, indices), of shape (N, C, *output_shape): of the dtype of `input_x`, and Int64.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is not positive, or another format.

    Follows: mindspore.ops.FractionalMaxPoolWithFixedKsize (2.10).
    """

    _rank, _formats, _torch = 2, ("NCHW",), torch.ops.aten.fractional_max_pool2d

    def __init__(self, ksize: Any, output_shape: Any, data_format: str = "NCHW") -> None:
        super().__init__(ksize, output_shape, data_format)


class FractionalMaxPool3DWithFixedKsize(_FixedWindow):
    """Return the largest value of windows of one size, and their places: `x` (N, C, D, H, W), samples (N, C, 3).

    Args:
        ksize: an int or (depth, height, width) of the windows.
        output_shape: an int or (depth, height, width) of the result.
        data_format: "NCDHW" or "NDHWC".

    Inputs:
        x: shape (N, C, D, H, W).
        random_samples: places of the windows, in [0, 1), (N, C, 3).

    Outputs:
        (values, indices), of shape (N, C, *output_shape): of the dtype of `x`, and Int64.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is not positive, or another format.

    Follows: mindspore.ops.FractionalMaxPool3DWithFixedKsize (2.10).
    """

    _rank, _formats, _torch = 3, ("NCDHW", "NDHWC"), torch.ops.aten.fractional_max_pool3d

    def __init__(self, ksize: Any, output_shape: Any, data_format: str = "NCDHW") -> None:
        super().__init__(ksize, output_shape, data_format)


def _max_pool(
    x: Tensor,
    ksize: Any,
    strides: Any,
    pads: Any,
    dilation: Any = (1, 1, 1),
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    argmax_type: Type = int64,
) -> tuple[Tensor, Tensor]:
    """Return the largest value of windows of volumes (N, C, D, H, W), and their places.

    Args:
        x: shape (N, C, D, H, W); floats.
        ksize: an int, or (depth, height, width).
        strides: from a window to the next, likewise.
        pads: minus infinity around the volume, likewise.
        dilation: gaps between the elements of a window.
        ceil_mode: whether a window that runs over the end counts.
        data_format: "NCDHW".
        argmax_type: Int32 or Int64.

    Returns:
        (values, places), of shape (N, C, D_out, H_out, W_out): of the dtype of `x`, and of `argmax_type`.
    """
    one_of(data_format, "data_format", "MaxPool3DWithArgmax", ("NCDHW",))

    def pool(data: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        found, places = F.max_pool3d(data, ksize, strides, pads, dilation, ceil_mode, return_indices=True)
        return found, places.to(argmax_type.torch)

    return call_kernel(pool, "MaxPool3DWithArgmax", x)  # type: ignore[no-any-return]


DERIVED = (derive("MaxPool3DWithArgmax", _max_pool, "ksize strides pads dilation ceil_mode data_format argmax_type"),)
