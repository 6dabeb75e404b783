"""Normalisation layers with torch's argument and parameter names."""

from msbridge.core.checks.arguments import boolean, divisible, instance, integer
from msbridge.core.context.grad_state import is_repeat
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.mint.nn._parameters import kind_of
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.normalization.sync_batch_norm import normalize_over_processes
from msbridge.nn.layers.parameter_init import make_parameter
from msbridge.ops.framework.creation.functions import full_like
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.neural.normalization.functions import group_norm
from msbridge.ops.neural.normalization.kernels import normalize_batch

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "SyncBatchNorm"]


class _BatchNorm(Cell):
    """Normalise each channel over the batch; in training the running statistics follow it.

    `running = (1 - momentum)·running + momentum·batch`, as in torch. The statistics and the number of batches are
    Parameters that are not trained, so a checkpoint has them.

    Args:
        num_features: length C of the input's axis 1.
        eps: keeps the divisor from 0.
        momentum: how far the running statistics follow; None for the mean of all batches.
        affine: whether there are `weight` and `bias`.
        track_running_stats: whether there are running statistics; without them the batch's count always.
        dtype: of the parameters; None for Float32.

    Raises:
        TypeError: `num_features` is not an int.
        ValueError: the input has another number of axes (on call).
    """

    _ranks: tuple[int, ...]
    _casts_parameters = False  # torch takes Float16 input beside Float32 parameters, and writes to the statistics

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Type | None = None,
    ) -> None:
        super().__init__()
        integer(num_features, "num_features", self.cls_name)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.dtype = kind = kind_of(dtype)
        shape = (num_features,)
        self.weight = make_parameter("ones", shape, kind, "weight") if affine else None
        self.bias = make_parameter("zeros", shape, kind, "bias") if affine else None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if track_running_stats:
            self.running_mean = make_parameter("zeros", shape, kind, "running_mean", False)
            self.running_var = make_parameter("ones", shape, kind, "running_var", False)
            self.num_batches_tracked = make_parameter("zeros", (), mstype.int64, "num_batches_tracked", False)

    def reset_running_stats(self) -> None:
        """Set the running means to 0, the variances to 1 and the number of batches to 0."""
        for statistic, value in ((self.running_mean, 0), (self.running_var, 1), (self.num_batches_tracked, 0)):
            if statistic is not None:
                statistic.set_data(full_like(statistic, value))

    def reset_parameters(self) -> None:
        """Reset the running statistics, and set `weight` to 1 and `bias` to 0."""
        self.reset_running_stats()
        for parameter, value in ((self.weight, 1), (self.bias, 0)):
            if parameter is not None:
                parameter.set_data(full_like(parameter, value))

    def construct(self, input: Tensor) -> Tensor:
        if input._data.dim() not in self._ranks:  # torch's function takes any
            ranks = " or ".join(f"{rank}D" for rank in self._ranks)
            raise ValueError(f"For '{self.cls_name}', expected {ranks} input, but got {input._data.dim()}D input.")
        return self._normalize(input, self._share_of_batch())

    def _share_of_batch(self) -> float:
        """Count the batch; return how far the running statistics follow it."""
        count = self.num_batches_tracked
        if count is None or not self.training:
            return 0.0 if self.momentum is None else self.momentum
        if not is_repeat():
            count._data.add_(1)
        return 1.0 / float(count._data) if self.momentum is None else self.momentum

    def _normalize(self, input: Tensor, momentum: float) -> Tensor:
        uses_batch = self.training or self.running_mean is None
        parameters = (self.weight, self.bias, self.running_mean, self.running_var)
        if uses_batch:  # which may write into the statistics
            return normalize_batch(input, *parameters, True, momentum, self.eps)
        return with_common_dtype(normalize_batch, input, *parameters, False, momentum, self.eps)

    def extend_repr(self) -> str:
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Normalise each channel of (N, C) or (N, C, L) over the batch.

    Args:
        num_features: C.
        eps: keeps the divisor from 0.
        momentum: how far the running statistics follow; None for the mean of all batches.
        affine: whether there are `weight` and `bias`.
        track_running_stats: whether there are running statistics.
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C) or (N, C, L); floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.BatchNorm1d (2.10).
    """

    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalise each channel of (N, C, H, W) over the batch.

    Args:
        num_features: C.
        eps: keeps the divisor from 0.
        momentum: how far the running statistics follow; None for the mean of all batches.
        affine: whether there are `weight` and `bias`.
        track_running_stats: whether there are running statistics.
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C, H, W); floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.BatchNorm2d (2.10).
    """

    _ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalise each channel of (N, C, D, H, W) over the batch.

    Args:
        num_features: C.
        eps: keeps the divisor from 0.
        momentum: how far the running statistics follow; None for the mean of all batches.
        affine: whether there are `weight` and `bias`.
        track_running_stats: whether there are running statistics.
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C, D, H, W); floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.BatchNorm3d (2.10).
    """

    _ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """Normalise each channel of (N, C, ...) over the batches of all processes of a group.

    Args:
        num_features: length C of the input's axis 1.
        eps: keeps the divisor from 0.
        momentum: how far the running statistics follow; None for the mean of all batches.
        affine: whether there are `weight` and `bias`.
        track_running_stats: whether there are running statistics.
        process_group: name of the group; None for all processes.
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C, ...); floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.SyncBatchNorm (2.10).
    """

    _ranks = (2, 3, 4, 5)
    _torch_layer = None  # torch's is for GPUs

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: str | None = None,
        dtype: Type | None = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        self.process_group = process_group

    def _normalize(self, input: Tensor, momentum: float) -> Tensor:
        uses_batch = self.training or self.running_mean is None
        processes = communicator(self.process_group or HCCL_WORLD_COMM_GROUP, self.cls_name)
        if not uses_batch or processes.size == 1:
            return super()._normalize(input, momentum)
        running = (self.running_mean, self.running_var) if self.training else (None, None)
        parameters = (self.weight, self.bias, *running)
        return normalize_over_processes(input, *parameters, momentum, self.eps, processes.torch_group)


class GroupNorm(Cell):
    """Normalise each of `num_groups` groups of channels of each sample of (N, C, ...).

    Args:
        num_groups: how many groups.
        num_channels: C.
        eps: keeps the divisor from 0.
        affine: whether `weight` and `bias` are trained; they are there in any case.
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C, ...); floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: an argument is of another type.
        ValueError: C is not a multiple of `num_groups`.

    Follows: mindspore.mint.nn.GroupNorm (2.10).
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: Type | None = None
    ) -> None:
        super().__init__()
        op = self.cls_name
        instance(eps, "eps", op, (int, float, bool))
        self.num_groups = num_groups
        self.num_channels = divisible(num_channels, "num_channels", op, num_groups, "num_groups")
        self.eps = eps
        self.affine = boolean(affine, "affine", op)
        self.weight = make_parameter("ones", (num_channels,), kind_of(dtype), "weight", affine)
        self.bias = make_parameter("zeros", (num_channels,), kind_of(dtype), "bias", affine)

    def construct(self, input: Tensor) -> Tensor:
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    _cal_output = construct  # subclasses call it in a `construct` of their own

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, affine={self.affine}"
