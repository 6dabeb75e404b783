"""Normalisation layers.

Follows: mindspore.nn.BatchNorm1d … InstanceNorm3d (2.10).
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import torch
from torch import distributed
from torch.distributed.nn import functional as collectives
from torch.nn import functional as F

from msbridge.core import dtype as mstype
from msbridge.core.arguments import boolean, one_of
from msbridge.core.dtype import Type
from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell
from msbridge.nn.layers.parameters import Init, make_parameter
from msbridge.ops.normalization.functions import group_norm
from msbridge.ops.normalization.kernels import normalize_axes, normalize_batch, normalize_instance, normalize_layer
from msbridge.ops.operations import LayerNorm as LayerNormOperator
from msbridge.ops.primitive import Primitive

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LayerNorm",
    "LayerNormExt",
    "RMSNorm",
    "SyncBatchNorm",
]


def _check_features(num_features: Any, momentum: float, op: str) -> None:
    if isinstance(num_features, bool) or not isinstance(num_features, int):
        raise TypeError(f"For '{op}', the 'num_features' must be int, but got {type(num_features).__name__}.")
    if num_features < 1:
        raise ValueError(f"For '{op}', the 'num_features' must be at least 1, but got {num_features}.")
    if not 0 <= momentum <= 1:
        raise ValueError(f"For '{op}', the 'momentum' must be a number in range [0, 1], but got {momentum}.")


def _channel_repr(cell: Any, momentum: float) -> str:
    return (
        f"num_features={cell.num_features}, eps={cell.eps}, momentum={momentum}, gamma={cell.gamma}, "
        f"beta={cell.beta}, moving_mean={cell.moving_mean}, moving_variance={cell.moving_variance}"
    )


class _BatchNorm(Cell):
    """Normalise each channel over the batch; in training the moving statistics follow it.

    `moving = momentum·moving + (1 - momentum)·batch`: the momentum is one minus torch's. The variance is unbiased.

    Args:
        num_features: length C of the input's axis 1.
        eps: keeps the divisor from 0.
        momentum: how much of the moving statistics stays, in [0, 1].
        affine: whether `gamma` and `beta` are trained.
        gamma_init: fills `gamma`.
        beta_init: fills `beta`.
        moving_mean_init: fills `moving_mean`.
        moving_var_init: fills `moving_variance`.
        use_batch_statistics: True always uses (and follows) the batch, False never; None follows `set_train`.
        data_format: "NCHW", or "NHWC" for channels last.
        dtype: of the parameters.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range; or the input has another number of axes (on call).
    """

    _ranks: tuple[int, ...] = (2, 3, 4, 5)

    _casts_parameters = False  # torch takes Float16 input beside Float32 parameters, and writes to the statistics

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
        data_format: str = "NCHW",
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        op = self.cls_name
        _check_features(num_features, momentum, op)
        if use_batch_statistics is not None and not isinstance(use_batch_statistics, bool):
            raise ValueError(
                f"For '{op}', the 'use_batch_statistics' must be a bool or None, but got {use_batch_statistics}."
            )
        self.format = one_of(data_format, "format", op, ("NCHW", "NHWC"))
        self.num_features = num_features
        self.eps = eps
        self._kept = momentum
        self.momentum = 1.0 - momentum
        self.use_batch_statistics = use_batch_statistics
        shape = (num_features,)
        self.moving_mean = make_parameter(moving_mean_init, shape, dtype, "mean", False)
        self.moving_variance = make_parameter(moving_var_init, shape, dtype, "variance", False)
        self.gamma = make_parameter(gamma_init, shape, dtype, "gamma", affine)
        self.beta = make_parameter(beta_init, shape, dtype, "beta", affine)

    def construct(self, x: Tensor) -> Tensor:
        uses_batch = self.use_batch_statistics
        if uses_batch is None:
            uses_batch = self.training
        if self.format == "NHWC":
            return _channels_last(self._normalize, x, uses_batch)
        return self._normalize(x, uses_batch)

    def _normalize(self, x: Tensor, uses_batch: bool) -> Tensor:
        if x._data.dim() not in self._ranks:  # torch takes any
            raise _wrong_rank(self.cls_name, self._ranks, x)
        parameters = (self.gamma, self.beta, self.moving_mean, self.moving_variance)
        return normalize_batch(x, *parameters, uses_batch, self.momentum, self.eps)

    def extend_repr(self) -> str:
        return _channel_repr(self, self._kept)


def _wrong_rank(op: str, ranks: tuple[int, ...], x: Tensor) -> ValueError:
    return ValueError(f"For '{op}', the input must have {' or '.join(map(str, ranks))} axes, got shape {x.shape}.")


def _channels_last(normalize: Any, x: Tensor, uses_batch: bool) -> Tensor:
    return wrap(normalize(wrap(x._data.movedim(-1, 1)), uses_batch)._data.movedim(1, -1))


class BatchNorm1d(_BatchNorm):
    """Normalise each channel of (N, C) or (N, C, L) over the batch.

    Follows: mindspore.nn.BatchNorm1d (2.10).
    """

    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalise each channel of (N, C, H, W) over the batch.

    Follows: mindspore.nn.BatchNorm2d (2.10).
    """

    _ranks = (4,)


class BatchNorm3d(Cell):
    """Normalise each channel of (N, C, D, H, W) over the batch; the parameters are those of its child `bn2d`.

    Follows: mindspore.nn.BatchNorm3d (2.10).
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
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        fills = (gamma_init, beta_init, moving_mean_init, moving_var_init)
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, *fills, use_batch_statistics, "NCHW", dtype)

    def construct(self, x: Tensor) -> Tensor:
        shape = x._data.shape
        if len(shape) != 5:
            raise _wrong_rank(self.cls_name, (5,), x)
        return wrap(self.bn2d(wrap(x._data.flatten(2, 3)))._data.reshape(shape))


class SyncBatchNorm(_BatchNorm):
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


class LayerNorm(Cell):
    """Normalise over the trailing axes to mean 0 and variance 1, then scale by `gamma` and move by `beta`.

    Args:
        normalized_shape: shape of `gamma` and `beta`: the trailing axes.
        begin_norm_axis: the first axis to normalise over.
        begin_params_axis: the first axis of `gamma` and `beta`.
        gamma_init: fills `gamma`.
        beta_init: fills `beta`.
        epsilon: keeps the divisor from 0.
        dtype: of the parameters.

    Raises:
        TypeError: `normalized_shape` is neither tuple nor list.
        ValueError: `normalized_shape` is empty, or not the shape of the input's trailing axes.

    Follows: mindspore.nn.LayerNorm (2.10).
    """

    @cached_property
    def layer_norm(self) -> Primitive:
        """The operator, for the `construct` of subclasses; it gives the mean and the variance, too."""
        return LayerNormOperator(self.begin_norm_axis, self.begin_params_axis, self.epsilon)

    def __init__(
        self,
        normalized_shape: tuple[int, ...] | list[int],
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        epsilon: float = 1e-7,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        if not isinstance(normalized_shape, tuple | list):
            raise TypeError(
                f"For '{self.cls_name}', the 'normalized_shape' must be a tuple or list of ints, "
                f"but got {normalized_shape!r}."
            )
        if not normalized_shape:
            raise ValueError(f"For '{self.cls_name}', the 'normalized_shape' must have at least one element.")
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = make_parameter(gamma_init, normalized_shape, dtype, "gamma")
        self.beta = make_parameter(beta_init, normalized_shape, dtype, "beta")
        self._shape = tuple(normalized_shape)
        self._is_plain = begin_norm_axis == begin_params_axis == -len(self._shape)

    def construct(self, input_x: Tensor) -> Tensor:
        if self._is_plain:
            return normalize_layer(input_x, self._shape, self.gamma, self.beta, self.epsilon)
        return self._over_axes(input_x)

    def _over_axes(self, x: Tensor) -> Tensor:
        try:
            rank = x._data.dim()
            norm_axis, params_axis = self.begin_norm_axis % rank, self.begin_params_axis % rank
            if norm_axis == params_axis == rank - len(self._shape):
                return normalize_layer(x, self._shape, self.gamma, self.beta, self.epsilon)
            parameters = (self.gamma._data, self.beta._data)
            return wrap(normalize_axes(x._data, *parameters, norm_axis, params_axis, self.epsilon)[0])
        except Exception as error:
            raise explain(error, "LayerNorm", input=x, gamma=self.gamma) from error

    def extend_repr(self) -> str:
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


class LayerNormExt(Cell):
    """Normalise over the trailing axes, in torch's argument names.

    Follows: mindspore.mint.nn.LayerNorm (2.10).
    """

    def __init__(
        self,
        normalized_shape: int | tuple[int, ...] | list[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Type | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(normalized_shape, int | tuple | list):
            raise TypeError(
                f"For '{self.cls_name}', the 'normalized_shape' must be an int, a tuple or a list of ints, "
                f"but got {normalized_shape!r}."
            )
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        if not self.normalized_shape:
            raise ValueError(f"For '{self.cls_name}', the 'normalized_shape' must have at least one element.")
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        kind = mstype.float32 if dtype is None else dtype
        self.weight = make_parameter("ones", self.normalized_shape, kind, "weight") if elementwise_affine else None
        self.bias = (
            make_parameter("zeros", self.normalized_shape, kind, "bias") if elementwise_affine and bias else None
        )

    def construct(self, input: Tensor) -> Tensor:
        return normalize_layer(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class RMSNorm(Cell):
    """Divide by the root of the mean square over the trailing axes, and scale by `weight`.

    Args:
        normalized_shape: the trailing axes; an int or a tuple.
        eps: keeps the divisor from 0.
        dtype: of the parameter.

    Follows: mindspore.mint.nn.RMSNorm (2.10).
    """

    def __init__(
        self, normalized_shape: int | tuple[int, ...], eps: float = 1e-6, dtype: Type = mstype.float32
    ) -> None:
        super().__init__()
        self._shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight = make_parameter("ones", self._shape, dtype, "weight")

    def construct(self, x: Tensor) -> Tensor:
        try:
            return wrap(F.rms_norm(x._data, self._shape, self.weight._data, self.eps))
        except Exception as error:
            raise explain(error, "RMSNorm", x=x, weight=self.weight) from error


class GroupNorm(Cell):
    """Normalise each of `num_groups` groups of channels of each sample of (N, C, ...).

    Args:
        num_groups: how many groups.
        num_channels: C.
        eps: keeps the divisor from 0.
        affine: whether `gamma` and `beta` are trained.
        gamma_init: fills `gamma`, shape (C,).
        beta_init: fills `beta`, shape (C,).
        dtype: of the parameters.

    Raises:
        ValueError: C is no multiple of `num_groups`.

    Follows: mindspore.nn.GroupNorm (2.10).
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        if num_groups < 1 or num_channels < 1 or num_channels % num_groups:
            raise ValueError(
                f"For '{self.cls_name}', the 'num_channels' must be divided by 'num_groups', "
                f"but got {num_channels} and {num_groups}."
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = boolean(affine, "affine", self.cls_name)
        self.gamma = make_parameter(gamma_init, (num_channels,), dtype, "gamma", affine)
        self.beta = make_parameter(beta_init, (num_channels,), dtype, "beta", affine)

    def construct(self, x: Tensor) -> Tensor:
        return group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class _InstanceNorm(Cell):
    """Normalise each channel of each sample.

    Args:
        num_features: length C of the input's axis 1.
        eps: keeps the divisor from 0.
        momentum: how far the moving statistics go towards those of the batch, in [0, 1]: torch's meaning.
        affine: whether `gamma` and `beta` are trained.
        gamma_init: fills `gamma`.
        beta_init: fills `beta`.
        dtype: of the parameters.
    """

    _rank: int

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        _check_features(num_features, momentum, self.cls_name)
        boolean(affine, "affine", self.cls_name)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        shape = (num_features,)
        self.moving_mean = make_parameter("zeros", shape, dtype, "mean", False)
        self.moving_variance = make_parameter("ones", shape, dtype, "variance", False)
        self.gamma = make_parameter(gamma_init, shape, dtype, "gamma", affine)
        self.beta = make_parameter(beta_init, shape, dtype, "beta", affine)

    def construct(self, x: Tensor) -> Tensor:
        if x._data.dim() != self._rank:  # torch takes any
            raise _wrong_rank(self.cls_name, (self._rank,), x)
        parameters = (self.gamma, self.beta, self.moving_mean, self.moving_variance)
        return normalize_instance(x, *parameters, self.momentum, self.eps)

    def extend_repr(self) -> str:
        return _channel_repr(self, self.momentum)


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of each sample of (N, C, L).

    Follows: mindspore.nn.InstanceNorm1d (2.10).
    """

    _rank = 3


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each sample of (N, C, H, W).

    Follows: mindspore.nn.InstanceNorm2d (2.10).
    """

    _rank = 4


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each sample of (N, C, D, H, W).

    Follows: mindspore.nn.InstanceNorm3d (2.10).
    """

    _rank = 5
