"""Pooling to a given size of the output."""

from collections.abc import Callable
from typing import Any, ClassVar

from msbridge.core.checks.arguments import boolean, instance, non_negative_int, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling import functions as pooling

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
]


class AdaptiveAvgPool1d(Cell):
    """Compute `output_size` means over the last axis.

    Args:
        output_size: how many windows, an int.

    Inputs:
        input: shape (N, C, L) or (C, L); floats.

    Outputs:
        A Tensor of shape (N, C, output_size) or (C, output_size) and the dtype of `input`.

    Follows: mindspore.nn.AdaptiveAvgPool1d (2.10).
    """

    def __init__(self, output_size: int) -> None:
        super().__init__()
        self.output_size = positive_int(output_size, "output_size", self.cls_name)

    def construct(self, input: Tensor) -> Tensor:
        return pooling.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Cell):
    """Compute `output_size` means over the last two axes; None keeps an axis.

    Args:
        output_size: how many windows: an int or (height, width); None keeps an axis.

    Inputs:
        input: shape (N, C, H, W) or (C, H, W); floats.

    Outputs:
        A Tensor of the dtype of `input` and its shape, with `output_size` for the last two axes.

    Follows: mindspore.nn.AdaptiveAvgPool2d (2.10).
    """

    def __init__(self, output_size: int | tuple[int | None, int | None]) -> None:
        super().__init__()
        self.output_size = _check_output_size(output_size, self.cls_name, 2)

    def construct(self, input: Tensor) -> Tensor:
        return pooling.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Cell):
    """Compute `output_size` means over the last three axes; None keeps an axis.

    Args:
        output_size: how many windows: an int or (depth, height, width); None keeps an axis.

    Inputs:
        input: shape (N, C, D, H, W) or (C, D, H, W); floats.

    Outputs:
        A Tensor of the dtype of `input` and its shape, with `output_size` for the last three axes.

    Follows: mindspore.nn.AdaptiveAvgPool3d (2.10).
    """

    def __init__(self, output_size: int | tuple[int | None, int | None, int | None]) -> None:
        super().__init__()
        self.output_size = _check_output_size(output_size, self.cls_name, 3)

    def construct(self, input: Tensor) -> Tensor:
        return pooling.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(Cell):
    """Compute `output_size` maxima over the last axis.

    Args:
        output_size: how many windows, an int.

    Inputs:
        x: shape (N, C, L) or (C, L); floats.

    Outputs:
        A Tensor of shape (N, C, output_size) or (C, output_size) and the dtype of `x`.

    Follows: mindspore.nn.AdaptiveMaxPool1d (2.10).
    """

    def __init__(self, output_size: int) -> None:
        super().__init__()
        self.output_size = positive_int(output_size, "output_size", self.cls_name)

    def construct(self, x: Tensor) -> Tensor:
        return pooling.adaptive_max_pool1d(x, self.output_size)


class AdaptiveMaxPool2d(Cell):
    """Compute `output_size` maxima over the last two axes; with `return_indices` (values, positions).

    Args:
        output_size: how many windows: an int or (height, width); None keeps an axis.
        return_indices: whether to return (values, positions).

    Inputs:
        input: shape (N, C, H, W) or (C, H, W); floats.

    Outputs:
        A Tensor of the dtype of `input` and its shape, with `output_size` for the last two axes; with `return_indices`
            a tuple of it and the positions, Int64.

    Follows: mindspore.nn.AdaptiveMaxPool2d (2.10).
    """

    def __init__(self, output_size: int | tuple[int | None, int | None], return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = _check_output_size(output_size, self.cls_name, 2)
        self.return_indices = boolean(return_indices, "return_indices", self.cls_name)

    def construct(self, input: Tensor) -> Any:
        return pooling.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(Cell):
    """Compute `output_size` maxima over the last three axes; with `return_indices` (values, positions).

    Args:
        return_indices: whether to return (values, positions).
        output_size: how many windows: an int or (depth, height, width); None keeps an axis.

    Inputs:
        input: shape (N, C, D, H, W) or (C, D, H, W); floats.

    Outputs:
        A Tensor of the dtype of `input` and its shape, with `output_size` for the last three axes; with
            `return_indices` a tuple of it and the positions, Int64.

    Follows: mindspore.nn.AdaptiveMaxPool3d (2.10).
    """

    def __init__(
        self, output_size: int | tuple[int | None, int | None, int | None], return_indices: bool = False
    ) -> None:
        super().__init__()
        self.output_size = _check_output_size(output_size, self.cls_name, 3)
        self.return_indices = boolean(return_indices, "return_indices", self.cls_name)

    def construct(self, input: Tensor) -> Any:
        return pooling.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _FractionalMaxPool(Cell):
    _pool: ClassVar[Callable[..., Any]]

    def __init__(
        self,
        kernel_size: Sizes,
        output_size: Sizes | None = None,
        output_ratio: float | tuple[float, ...] | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = return_indices
        self._random_samples = _random_samples

    def construct(self, input: Tensor) -> Any:
        sizes = (self.kernel_size, self.output_size, self.output_ratio)
        return self._pool(input, *sizes, self.return_indices, self._random_samples)


class FractionalMaxPool2d(_FractionalMaxPool):
    """Compute the largest element of windows at drawn positions; `output_size` or `output_ratio` says how many.

    Args:
        kernel_size: an int or (height, width).
        output_size: how many windows: an int or (height, width).
        output_ratio: how many windows, as a share of the input's size in (0, 1): a float or (height, width).
        return_indices: whether to return (values, positions).

    Inputs:
        input: shape (N, C, H, W) or (C, H, W); floats.

    Outputs:
        A Tensor of the dtype of `input` and its shape, with the number of windows for the last two axes; with
            `return_indices` a tuple of it and the positions, Int64.

    Follows: mindspore.nn.FractionalMaxPool2d (2.10).
    """

    _pool = staticmethod(pooling.fractional_max_pool2d)


class FractionalMaxPool3d(_FractionalMaxPool):
    """Compute the largest element of windows at drawn positions; `output_size` or `output_ratio` says how many.

    Args:
        kernel_size: an int or (depth, height, width).
        output_size: how many windows: an int or (depth, height, width).
        output_ratio: how many windows, as a share of the input's size in (0, 1): a float or (depth, height, width).
        return_indices: whether to return (values, positions).

    Inputs:
        input: shape (N, C, D, H, W) or (C, D, H, W); floats.

    Outputs:
        A Tensor of the dtype of `input` and its shape, with the number of windows for the last three axes; with
            `return_indices` a tuple of it and the positions, Int64.

    Follows: mindspore.nn.FractionalMaxPool3d (2.10).
    """

    _pool = staticmethod(pooling.fractional_max_pool3d)


def _check_output_size(output_size: Any, owner: str, rank: int) -> Any:
    """Return an output size: an int, or an int or None for each of `rank` axes."""
    sizes = instance(output_size, "output_size", owner, (int, tuple))
    sizes = sizes if isinstance(sizes, tuple) else (sizes,)
    if isinstance(output_size, tuple) and len(sizes) != rank:
        raise ValueError(f"For '{owner}', 'output_size' must have {rank} entries, but got {output_size!r}.")
    for size in sizes:
        if size is not None:
            non_negative_int(size, "output_size", owner)
    return output_size
