"""Layers that normalise each channel: over the batch, or over each sample."""

from functools import cached_property
from typing import Any

from msbridge.core.checks.arguments import boolean, in_range, instance, integer, one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.ops import operations
from msbridge.ops.kernel_calls.channels_last import ChannelsLast
from msbridge.ops.neural.normalization.kernels import normalize_batch, normalize_instance

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"]


def _check_features(num_features: Any, momentum: float, op: str) -> None:
    if integer(num_features, "num_features", op) < 1:
        raise ValueError(f"For '{op}', the 'num_features' must be at least 1, but got {num_features}.")
    in_range(momentum, "momentum", op, 0, 1, "[]")


def _channel_repr(cell: Any, momentum: float) -> str:
    return (
        f"num_features={cell.num_features}, eps={cell.eps}, momentum={momentum}, gamma={cell.gamma}, "
        f"beta={cell.beta}, moving_mean={cell.moving_mean}, moving_variance={cell.moving_variance}"
    )


class BatchNormBase(Cell):
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

    # Operators for strategies.
    bn_train = cached_property(lambda self: operations.BatchNorm(True, self.eps, self.momentum, self.format))
    bn_infer = cached_property(lambda self: operations.BatchNorm(False, self.eps, self.momentum, self.format))

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
        self.gamma_init = gamma_init
        self.beta_init = beta_init
        self.moving_mean_init = moving_mean_init
        self.moving_var_init = moving_var_init
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
            return ChannelsLast(self._normalize)(x, uses_batch)
        return self._normalize(x, uses_batch)

    def _normalize(self, x: Tensor, uses_batch: bool) -> Tensor:
        if x._data.dim() not in self._ranks:  # torch takes any
            raise _wrong_rank(self.cls_name, self._ranks, x)
        parameters = (self.gamma, self.beta, self.moving_mean, self.moving_variance)
        return normalize_batch(x, *parameters, uses_batch, self.momentum, self.eps)

    def _by_operators(self, x: Tensor) -> Tensor:
        uses_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        parameters = (self.gamma, self.beta, self.moving_mean, self.moving_variance)
        return (self.bn_train if uses_batch else self.bn_infer)(x, *parameters)[0]  # type: ignore[no-any-return]

    def extend_repr(self) -> str:
        return _channel_repr(self, self._kept)


def _wrong_rank(op: str, ranks: tuple[int, ...], x: Tensor) -> ValueError:
    return ValueError(f"For '{op}', the input must have {' or '.join(map(str, ranks))} axes, got shape {x.shape}.")


class BatchNorm1d(BatchNormBase):
    """Normalise each channel of (N, C) or (N, C, L) over the batch.

    Args:
        num_features: length C of the input's axis 1.
        eps: as in every normalization.
        momentum: how much of the moving statistics stays in each step, in [0, 1]: one minus torch's.
        affine, gamma_init, beta_init: as in every normalization.
        moving_mean_init, moving_var_init, use_batch_statistics: as in every normalization.
        data_format: "NCHW", or "NHWC" for channels last.
        dtype: as in every normalization.

    Inputs:
        x: shape (N, C) or (N, C, L); Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

    Follows: mindspore.nn.BatchNorm1d (2.10).
    """

    _ranks = (2, 3)


class BatchNorm2d(BatchNormBase):
    """Normalise each channel of (N, C, H, W) over the batch.

    Args:
        num_features: length C of the input's axis 1.
        eps: as in every normalization.
        momentum: how much of the moving statistics stays in each step, in [0, 1]: one minus torch's.
        affine, gamma_init, beta_init: as in every normalization.
        moving_mean_init, moving_var_init, use_batch_statistics: as in every normalization.
        data_format: "NCHW", or "NHWC" for channels last.
        dtype: as in every normalization.

    Inputs:
        x: shape (N, C, H, W), or (N, H, W, C) with "NHWC"; Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

    Examples:
        >>> norm = nn.BatchNorm2d(3).set_train()
        >>> norm(ops.randn(2, 3, 4, 4)).shape
        (2, 3, 4, 4)

    Follows: mindspore.nn.BatchNorm2d (2.10).
    """

    _ranks = (4,)


class BatchNorm3d(Cell):
    """Normalise each channel of (N, C, D, H, W) over the batch; the parameters are those of its child `bn2d`.

    Args:
        num_features: length C of the input's axis 1.
        eps: as in every normalization.
        momentum: how much of the moving statistics stays in each step, in [0, 1]: one minus torch's.
        affine, gamma_init, beta_init: as in every normalization.
        moving_mean_init, moving_var_init, use_batch_statistics: as in every normalization.
        dtype: as in every normalization.

    Inputs:
        x: shape (N, C, D, H, W); Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

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
        instance(momentum, "momentum", self.cls_name, float)
        _check_features(num_features, momentum, self.cls_name)
        boolean(affine, "affine", self.cls_name)
        self.num_features = num_features
        self.eps = instance(eps, "eps", self.cls_name, float)
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

    Args:
        num_features: length C of the input's axis 1.
        eps: as in every normalization.
        momentum: how far the moving statistics go towards those of the batch, in [0, 1]: torch's meaning.
        affine, gamma_init, beta_init, dtype: as in every normalization.

    Inputs:
        x: shape (N, C, L); Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

    Follows: mindspore.nn.InstanceNorm1d (2.10).
    """

    _rank = 3


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each sample of (N, C, H, W).

    Args:
        num_features: length C of the input's axis 1.
        eps: as in every normalization.
        momentum: how far the moving statistics go towards those of the batch, in [0, 1]: torch's meaning.
        affine, gamma_init, beta_init, dtype: as in every normalization.

    Inputs:
        x: shape (N, C, H, W); Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

    Follows: mindspore.nn.InstanceNorm2d (2.10).
    """

    _rank = 4


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each sample of (N, C, D, H, W).

    Args:
        num_features: length C of the input's axis 1.
        eps: as in every normalization.
        momentum: how far the moving statistics go towards those of the batch, in [0, 1]: torch's meaning.
        affine, gamma_init, beta_init, dtype: as in every normalization.

    Inputs:
        x: shape (N, C, D, H, W); Float16, BFloat16 or Float32.

    Outputs: as in every normalization.

    Follows: mindspore.nn.InstanceNorm3d (2.10).
    """

    _rank = 5
