"""Optimizer methods that subclasses in scripts call: checks and the steps of construction.

They answer as MindSpore's do. The optimizer itself is made without them, from rows of parameters (`groups`).

Follows: mindspore.nn.Optimizer (2.10).
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import boolean
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context import context
from msbridge.core.parameter.step_scalars import scalar_parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.distributed import get_group_size, get_rank
from msbridge.distributed.gradient_buckets import shares, take_updates
from msbridge.distributed.parallel import _get_pipeline_stages, _is_in_data_parallel_mode
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.cells.groups import check_groups, check_weight_decay
from msbridge.nn.optim.cells.rates import as_schedule, rate_of
from msbridge.nn.optim.checks import legal, list_of_parameters
from msbridge.nn.optim.engine import Engine
from msbridge.nn.schedules.cells import LearningRateSchedule

__all__ = ["Extendable", "ScaledDecay"]


class ScaledDecay(Cell):
    """A weight decay that changes, times the loss scale."""

    def __init__(self, decay: Cell, loss_scale: float) -> None:
        super().__init__()
        self.weight_decay = decay
        self.loss_scale = loss_scale

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the weight decay after `global_step` steps, in float32."""
        return wrap(self.weight_decay(global_step)._data.float() * self.loss_scale)


class Extendable(Engine):
    """Base of `Optimizer`: the protected methods that its subclasses call."""

    loss_scale: float
    param_length: int
    dev_num: int
    dynamic_lr: bool
    dynamic_weight_decay: bool
    is_group_lr: bool

    _support_parallel_optimizer = False
    optim_filter: tuple[bool, ...]
    param_rank: Any = None

    @property
    def ps_parameters(self) -> tuple[bool, ...]:
        """Whether a server keeps each parameter: none does. Optimizers of scripts of r1.x hand it to their update."""
        return (False,) * self.param_length

    cache_enable = use_distributed_opt_flags = ps_parameters  # whether each is cached, and updated in another process

    @staticmethod
    def _parameters_base_check(parameters: Any, param_info: str) -> list[Any]:
        """Return an iterable as a list; ValueError where it is None or empty, TypeError for no iterable."""
        return list_of_parameters(parameters, param_info)

    @staticmethod
    def _preprocess_grad_centralization(grad_centralization: bool) -> bool:
        """Return the switch; TypeError where it is not a bool."""
        return boolean(grad_centralization, "gradients_centralization", "Optimizer")

    def _preprocess_weight_decay(self, weight_decay: Any) -> Any:
        """Return a weight decay times the loss scale: a float, or a Cell that is called with the step."""
        decay = check_weight_decay(weight_decay, type(self).__name__)
        if isinstance(decay, Cell):
            self.dynamic_weight_decay = True
            return ScaledDecay(decay, self.loss_scale)
        return decay * self.loss_scale

    def _preprocess_single_lr(self, learning_rate: Any) -> Any:
        """Return a learning rate as a float, a schedule, or a float32 Tensor of one rate or of one per step."""
        if isinstance(learning_rate, int | float | np.number):
            return legal(float(learning_rate), "learning rate", type(self).__name__)
        if isinstance(learning_rate, Tensor) and learning_rate.ndim == 0:
            return learning_rate.astype(mstype.float32)
        rate: Any = rate_of(learning_rate, "learning_rate", type(self).__name__)
        self.dynamic_lr = True
        return rate if isinstance(learning_rate, LearningRateSchedule) else wrap(rate.learning_rate._data)

    def _build_single_lr(self, learning_rate: Any, name: str) -> Any:
        """Return the result of `_preprocess_single_lr` as a Parameter of that name, or as a schedule."""
        if not isinstance(learning_rate, float | Tensor):
            return learning_rate
        if isinstance(learning_rate, float):
            rate: Any = scalar_parameter(np.float32(learning_rate), name)
        else:
            rate = rate_of(learning_rate, name, type(self).__name__)
        return as_schedule(rate) if self.is_group_lr and self.dynamic_lr else rate

    def _check_group_params(self, parameters: Sequence[dict[str, Any]]) -> None:
        """Check the keys of groups and what they hold."""
        check_groups(parameters)

    def _is_dynamic_lr_or_weight_decay(self) -> bool:
        """Whether the learning rate or the weight decay changes with the step."""
        return self.dynamic_lr or self.dynamic_weight_decay

    def _get_parameter_group_id(self) -> tuple[int, ...]:
        """Return for each parameter the device that would update it, of `dev_num` in turn."""
        return tuple(index % self.dev_num for index in range(self.param_length))

    def _use_parallel_optimizer(self) -> None:
        """Set in `optim_filter` which parameters this process updates: all of them, or some in a data parallel mode.

        Raises:
            RuntimeError: there are more processes than parameters.
        """
        is_asked = bool(context.get_auto_parallel_context("enable_parallel_optimizer")) and get_group_size() > 1
        self.use_parallel = is_asked and _is_in_data_parallel_mode()
        self.optim_filter = (True,) * self.param_length
        if is_asked:
            self._say_what_is_not_divided()
        if not self.use_parallel:
            return
        self.dev_num = get_group_size()
        if self.dev_num > self.param_length:
            raise RuntimeError(
                f"The {self.param_length} parameters of '{type(self).__name__}' cannot be divided among {self.dev_num} "
                "processes: leave enable_parallel_optimizer out."
            )
        self.param_rank = shares([parameter._data.nbytes for parameter in self.parameters], self.dev_num)
        self.optim_filter = tuple(rank == get_rank() for rank in self.param_rank)

    @staticmethod
    def _say_what_is_not_divided() -> None:
        if _get_pipeline_stages() > 1:
            without_effect("mindspore.set_auto_parallel_context.enable_parallel_optimizer")
        for name, value in context.get_auto_parallel_context("parallel_optimizer_config").items():
            if value == "level3" or (name == "optimizer_weight_shard_size" and value != -1):
                without_effect(f"mindspore.set_auto_parallel_context.parallel_optimizer_config.{name}", value)

    def gradient_owners(self) -> tuple[int, ...] | None:
        """Return the only process that needs the gradient of each parameter; None where all processes need all.

        So it is with `optimizer_level` "level2" and "level3" of `parallel_optimizer_config`.
        """
        level = context.get_auto_parallel_context("parallel_optimizer_config").get("optimizer_level", "level1")
        is_ours = type(self).construct is Engine.construct  # a script's own update may look at all gradients
        return self.param_rank if self.use_parallel and is_ours and level != "level1" else None

    def _keep_own(self) -> None:
        """Leave the parameters of other processes out of the buckets."""
        for bucket in self._buckets:
            bucket.indices = [index for index in bucket.indices or () if self.optim_filter[index]]
        self._buckets = [bucket for bucket in self._buckets if bucket.indices]

    def _keep(self, name: str, start: float | str = "zeros", *, prefix: str = "") -> None:
        super()._keep(name, start, prefix=prefix)
        for held, is_own in zip(getattr(self, name), self.optim_filter, strict=True):
            if not is_own:  # its values are where it is updated; here is one number for all of them
                held._data = held._data.flatten()[:1].clone().expand(held.shape)

    def _take_updates(self) -> None:
        take_updates([parameter._data for parameter in self.parameters], self.param_rank)

    def _grad_sparse_indices_deduplicate(self, gradients: Iterable[Any]) -> Iterable[Any]:
        """Return the gradients as they are: they are dense, so no row is in one twice."""
        return gradients

    def _set_base_target(self, value: str) -> None:
        """Note where MindSpore would update the parameters; TypeError and ValueError as for `target`."""
        if not isinstance(value, str):
            raise TypeError(f"For 'Optimizer', the property 'target' must be string, but got type {type(value)}.")
        if value not in ("CPU", "Ascend", "GPU"):
            raise ValueError(
                f"For 'Optimizer', the property 'target' must be one of 'CPU', 'Ascend', 'GPU', got {value!r}."
            )
        self.__dict__["_target"] = value
