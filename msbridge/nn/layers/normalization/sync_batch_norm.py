"""Batch normalisation over the batches of several processes."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import distributed
from torch.distributed.nn import functional as collectives

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.layers.normalization.batch_norm import BatchNormBase
from msbridge.nn.layers.parameter_init import Init

__all__ = ["SyncBatchNorm"]


class SyncBatchNorm(BatchNormBase):
    """Normalise each channel over the batches of all processes, or of each group of `process_groups`.

    Args:
        num_features: length C of the input's axis 1.
        eps: keeps the divisor from 0.
        momentum: how much of the moving statistics stays.
        affine: whether `gamma` and `beta` are trained.
        gamma_init: fills `gamma`.
        beta_init: fills `beta`.
        moving_mean_init: fills `moving_mean`.
        moving_var_init: fills `moving_variance`.
        use_batch_statistics: as in BatchNorm2d.
        process_groups: lists of ranks that share their batches; None for all.
        dtype: of the parameters.

    Inputs:
        x: shape (N, C, ...); Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

    Follows: mindspore.nn.SyncBatchNorm (2.10).
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: bool | None = None,
        process_groups: Sequence[Sequence[int]] | None = None,
        dtype: Type = mstype.float32,
    ) -> None:
        fills = (gamma_init, beta_init, moving_mean_init, moving_var_init)
        super().__init__(num_features, eps, momentum, affine, *fills, use_batch_statistics, "NCHW", dtype)
        self._is_shared = distributed.is_initialized() and distributed.get_world_size() > 1
        self._group = None
        self.process_groups = process_groups
        if process_groups is not None and self._is_shared:
            groups = {tuple(ranks): distributed.new_group(list(ranks)) for ranks in process_groups}
            self._group = next(group for ranks, group in groups.items() if distributed.get_rank() in ranks)

    def _normalize(self, x: Tensor, uses_batch: bool) -> Tensor:
        if not uses_batch or not self._is_shared:
            return super()._normalize(x, uses_batch)
        parameters = (self.gamma, self.beta, self.moving_mean, self.moving_variance)
        return normalize_over_processes(x, *parameters, self.momentum, self.eps, self._group)


def normalize_over_processes(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    momentum: float,
    epsilon: float,
    group: Any,
) -> Tensor:
    """Normalise each channel by the statistics of the batches of all processes of a torch group; None for all.

    The running `mean` and `variance` follow, where they are given.
    """
    data = input._data
    shape = (1, -1, *(1,) * (data.dim() - 2))
    axes = (0, *range(2, data.dim()))
    count = torch.full((1,), data.numel() / data.shape[1], dtype=torch.float32, device=data.device)
    wide = data.float()
    sums = collectives.all_reduce(torch.cat((wide.sum(axes), wide.square().sum(axes), count)), group=group)
    total = sums[-1]
    center, square = sums[:-1].chunk(2)
    center, square = center / total, square / total
    spread = square - center.square()
    if mean is not None and variance is not None:
        with torch.no_grad():
            mean._data.lerp_(center.to(mean._data.dtype), momentum)
            unbiased = spread * (total / (total - 1))
            variance._data.lerp_(unbiased.to(variance._data.dtype), momentum)
    result = (wide - center.reshape(shape)) * torch.rsqrt(spread.reshape(shape) + epsilon)
    if weight is not None and bias is not None:
        result = result * weight._data.reshape(shape) + bias._data.reshape(shape)
    return wrap(result.to(data.dtype))
