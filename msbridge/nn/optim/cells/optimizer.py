"""Optimizer of `mindspore.nn`: groups, learning rates, weight decay and loss scale, fixed when it is constructed.

Learning rate and step are Parameters beside the weights, which no step reads back; a script may, when it wants to know.
"""

import functools
import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core import torch_private
from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.context import context
from msbridge.core.context.graph_mode import is_graph_mode
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.parameter.step_scalars import number, scalar_parameter
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import CellList
from msbridge.nn.optim.cells.extending import Extendable, ScaledDecay
from msbridge.nn.optim.cells.groups import (
    Decay,
    Row,
    check_parameters,
    check_weight_decay,
    is_spared,
    rows_of_groups,
    rows_of_parameters,
)
from msbridge.nn.optim.cells.rates import Rate, as_schedule, listed_rates, rate_of
from msbridge.nn.optim.checks import legal
from msbridge.nn.optim.engine import Bucket, NumberRate
from msbridge.ops.training.optimizer_updates import lists
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["Optimizer"]

_NO_SETTINGS = ("params", "parameters", "learning_rate", "optimizer")
_COMMON_RATE = Default("nn.Optimizer.parameters", True)
_COUNT = Default("nn.Optimizer.global_step", "always")
_NUMBERS = Default("nn.Optimizer.weight_decay", "Tensor")


class Optimizer(Extendable):
    """Base of these optimizers; a subclass defines `_update`.

    Args:
        learning_rate: a number, a schedule called with the step, or a list of rates, one per step.
        parameters: Parameters, or groups: dicts with "params" and optionally "lr", "weight_decay" and
            "grad_centralization"; one dict may hold "order_params".
        weight_decay: a number or a Cell called with the step. Without groups, parameters with "beta" or "gamma" in
            their name are not decayed.
        loss_scale: gradients are divided by it.

    Inputs:
        gradients: a tuple of Tensors, one for each parameter, in their order and of their shapes.

    Outputs:
        A tuple of True, one for each parameter; the parameters are updated in place.

    Raises:
        KeyError: a group has an unknown key.
        RuntimeError: a parameter is in two groups.
        TypeError: something of another type.
        ValueError: a number out of range, or no parameters.

    Follows: mindspore.nn.Optimizer (2.10).
    """

    learning_rate: Any
    _spared: tuple[str, ...] = ("beta", "gamma")  # words in names of parameters that are not decayed, without groups
    _always_counts = False  # whether `global_step` counted in every release, at any rate

    def __init__(
        self, learning_rate: Rate, parameters: Any, weight_decay: Decay = 0.0, loss_scale: float = 1.0
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        items = self.__dict__["_items"] = check_parameters(parameters)
        instance(loss_scale, "loss_scale", owner, (float, int, bool))
        self.is_group = isinstance(items[0], dict)
        self.is_group_lr = self.is_group and any("lr" in group for group in items)
        self._count("global_step", np.zeros(1, np.int32))
        self.dynamic_lr = False
        rate: Any
        if self.is_group:
            rate = self._rates_of(items, learning_rate)
        else:
            rate = self.learning_rate = rate_of(learning_rate, "learning_rate", owner)
            self.dynamic_lr = isinstance(rate, Cell)
        self.loss_scale = loss_scale = legal(float(loss_scale), "loss_scale", owner, is_positive=True)
        self.need_scale = loss_scale != 1.0
        decay = check_weight_decay(weight_decay, owner)
        self.reciprocal_scale = self._attribute_value(1.0 / loss_scale)
        self.global_step_increase_tensor = Tensor([1], mstype.int32)
        if self.is_group:
            rows = rows_of_groups(items, rate, decay, owner)
        else:
            rows = rows_of_parameters(items, rate, decay, self._spared)
        self.parameters = ParameterTuple(row.parameter for row in rows)
        self._parameters = self.parameters
        if self.is_group_lr:
            # The rates are registered one by one; the common one stays registered under the name `learning_rate`.
            rates = [row.rate for row in rows]
            held: Any = CellList(rates, auto_prefix=False) if self.dynamic_lr else ParameterTuple(rates)
            is_used = any(rate is self._params.get("learning_rate") for rate in rates)
            if not (is_used and (_COMMON_RATE.value or is_graph_mode())):
                self._params.pop("learning_rate", None)
            self.__dict__["group_lr"] = self.__dict__["learning_rate"] = held
        # Scaled like the gradients, to which a rule of a script adds them before it calls `scale_grad`.
        scaled = (
            [_scale_decay(row.decay, loss_scale) for row in rows]
            if self.is_group
            else [_scale_decay(decay, loss_scale)]
        )
        self.__dict__["_scaled_decays"] = scaled
        shown = tuple(map(self._attribute_value, scaled))
        self.__dict__["weight_decay"] = shown if self.is_group else shown[0]
        self.exec_weight_decay = any(isinstance(value, Cell) or value > 0 for value in scaled)
        if self.is_group:
            self.decay_flags = tuple(isinstance(row.decay, Cell) or row.decay > 0 for row in rows)
        else:
            self.decay_flags = tuple(not is_spared(row.parameter, self._spared) for row in rows)
        self.dynamic_decay_flags = tuple(isinstance(row.decay, Cell) for row in rows) if self.is_group else False
        self.is_group_params_ordered = self.is_group and any("order_params" in group for group in items)
        if self.is_group:
            self._keep_groups(rows)
        self.dynamic_weight_decay = any(isinstance(row.decay, Cell) for row in rows)
        self.grad_centralization = any(row.is_centralized for row in rows)
        self.param_length = len(rows)
        self._unique = True
        self._use_parallel_optimizer()
        self._done = (True,) * len(rows)
        self._fill_buckets(0, map(_bucket_row, rows))
        if self.use_parallel:
            self._keep_own()
        elif len(self._buckets) == 1:
            self._buckets[0].indices = None
        is_asked = self.dynamic_lr or self.dynamic_weight_decay or self._always_counts
        if not is_asked and _COUNT.value == "dynamic":
            self.__dict__["_steps"] = scalar_parameter(np.zeros(1, np.int32), "steps")  # `global_step` stays 0
            self._counter = "_steps"

    def _keep_groups(self, rows: list[Row]) -> None:
        """Keep what the groups say of each parameter, in lists."""
        self.group_params = [row.parameter for row in rows]
        self.group_weight_decay = self._scaled_decays
        self.group_grad_centralization = [row.is_centralized for row in rows]
        self.grad_centralization_flags = tuple(self.group_grad_centralization)
        if not self.is_group_lr:
            self.__dict__["group_lr"] = [row.rate for row in rows]

    def _attribute_value(self, value: float | Cell) -> Any:
        """Return a number as scripts meet it in an attribute: a float32 Tensor, a float before MindSpore 1.7."""
        if isinstance(value, Cell) or _NUMBERS.value == "float":
            return value
        return Tensor(value, mstype.float32)

    def _rates_of(self, groups: list[dict[str, Any]], learning_rate: Any) -> list[Any]:
        """Return the rate of each group, and register what holds it."""
        owner = type(self).__name__
        rates = [
            rate_of(group["lr"], f"learning_rate_group_{position}", owner) if "lr" in group else None
            for position, group in enumerate(groups)
        ]
        common = rate_of(learning_rate, "learning_rate", owner)
        self.dynamic_lr = any(isinstance(rate, Cell) for rate in (*rates, common))
        if self.dynamic_lr:
            rates = [None if rate is None else as_schedule(rate) for rate in rates]
            common = as_schedule(common)
            self.group_schedules = CellList([rate for rate in rates if rate is not None], auto_prefix=False)
        for position, rate in enumerate(rates):
            if isinstance(rate, Parameter):
                setattr(self, f"learning_rate_group_{position}", rate)
        self.learning_rate = common
        return [common if rate is None else rate for rate in rates]

    def _prepare_gradients(self, bucket: Bucket, g: Tensors) -> Tensors:
        if self.need_scale:
            g = torch_private.foreach_mul(g, 1.0 / self.loss_scale)
        return [_centralize_gradient(grad) for grad in g] if bucket.options["grad_centralization"] else g

    @functools.cached_property
    def init_params(self) -> dict[str, Any]:
        """The parameters or groups that the optimizer was made with, under "params"."""
        return {"params": self._items}

    @functools.cached_property
    def init_learning_rate(self) -> Any:
        """The learning rate that the optimizer was made with; None if it is a schedule."""
        rate = self._arguments().get("learning_rate")
        return None if isinstance(rate, Cell) else rate

    @functools.cached_property  # MindSPONGE reads it from __dict__
    def init_args(self) -> dict[str, Any]:
        """The other arguments that the optimizer was made with, by name, defaults too.

        Follows: mindspore.nn.Optimizer.init_args (2.10).
        """
        return {name: value for name, value in self._arguments().items() if name not in _NO_SETTINGS}

    def _arguments(self) -> dict[str, Any]:
        args, kwargs = self._made_with
        init = type(self).__init__
        bound = inspect.signature(getattr(init, "registered", init).__get__(self)).bind(*args, **kwargs)
        bound.apply_defaults()
        return {**bound.arguments, **bound.arguments.pop("kwargs", {})}

    def get_lr(self) -> Any:
        """Return the learning rate now: a Parameter, a Tensor from a schedule, or with groups a tuple of these.

        Follows: mindspore.nn.Optimizer.get_lr (2.10).
        """
        count = getattr(self, self._counter)
        step = wrap(count._data.reshape(()))
        is_tensor = step_scalars.are_tensors(count._data.device)

        def now(rate: Any) -> Any:
            if isinstance(rate, NumberRate) and not is_tensor:
                return Tensor(rate.number_at(number(count)), mstype.float32)
            return rate(step) if isinstance(rate, Cell) else rate

        return tuple(map(now, self.learning_rate)) if self.is_group_lr else now(self.learning_rate)

    def get_lr_parameter(self, param: Parameter | Sequence[Parameter]) -> Any:
        """Return the Parameter or the schedule of a parameter's learning rate, or a list of those of several.

        Raises:
            TypeError: `param` is neither a Parameter nor a list of Parameters.
            ValueError: a parameter is not one of this optimizer's.

        Follows: mindspore.nn.Optimizer.get_lr_parameter (2.10).
        """
        if isinstance(param, list):
            return [self.get_lr_parameter(each) for each in param]
        if not isinstance(param, Parameter):
            raise TypeError(f"For 'get_lr_parameter', 'param' must be a Parameter or a list, but got {type(param)}.")
        for index, known in enumerate(self.parameters):
            if known is param:
                return listed_rates(self.learning_rate[index] if self.is_group_lr else self.learning_rate)
        raise ValueError(f"For 'get_lr_parameter', the parameter {param.name} is not in the optimizer.")

    def get_weight_decay(self) -> Any:
        """Return the weight decay now times the loss scale, as a Tensor, or with groups a tuple of them.

        Follows: mindspore.nn.Optimizer.get_weight_decay (2.10).
        """
        decays = self._scaled_decays
        values = tuple(Tensor(self._value(decay, self.global_step), mstype.float32) for decay in decays)
        return values if self.is_group else values[0]

    def decay_weight(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Return the gradients with weight decay added where it applies.

        Follows: mindspore.nn.Optimizer.decay_weight (2.10).
        """
        if not self.exec_weight_decay:
            return tuple(gradients)
        decays = self._scaled_decays if self.is_group else self._scaled_decays * self.param_length
        rows = zip(gradients, self.parameters, decays, self.decay_flags, strict=True)
        return tuple(
            wrap(lists.add_weight_decay([parameter._data], [gradient._data], self._value(decay, self.global_step))[0])
            if flag
            else gradient
            for gradient, parameter, decay, flag in rows
        )

    def scale_grad(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Return the gradients divided by the loss scale.

        Follows: mindspore.nn.Optimizer.scale_grad (2.10).
        """
        if not self.need_scale:
            return tuple(gradients)
        return tuple(wrap(gradient._data * (1.0 / self.loss_scale)) for gradient in gradients)

    def gradients_centralization(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Return the gradients without their mean over all axes but the first, where that was asked for.

        Follows: mindspore.nn.Optimizer.gradients_centralization (2.10).
        """
        result = list(gradients)
        for bucket in self._buckets:
            if bucket.options["grad_centralization"]:
                for index in range(len(result)) if bucket.indices is None else bucket.indices:
                    result[index] = wrap(_centralize_gradient(result[index]._data))
        return tuple(result)

    def flatten_gradients(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """Return the gradients as they are: they need no flattening here."""
        return gradients

    def broadcast_params(self, optim_result: Any) -> Any:
        """Return `optim_result`: every process updates all parameters itself."""
        return optim_result

    @property
    def target(self) -> str:
        """The target of MindSpore's updates of parameters, at first the context's; here always their own device."""
        return self.__dict__.get("_target") or context.get_context("device_target")

    @target.setter
    def target(self, value: str) -> None:
        self._set_base_target(value)

    @property
    def unique(self) -> bool:
        """MindSpore's switch for deduplicating sparse gradients; gradients here are dense."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        self.__dict__["_unique"] = boolean(value, "unique", "Optimizer")


def _bucket_row(row: Row) -> tuple:
    options = {"weight_decay": row.decay, "grad_centralization": row.is_centralized}
    decay = id(row.decay) if isinstance(row.decay, Cell) else row.decay
    return row.parameter, row.rate, options, (id(row.rate), decay, row.is_centralized)


def _scale_decay(decay: Decay, loss_scale: float) -> float | Cell:
    if not isinstance(decay, Cell):
        return decay * loss_scale
    return decay if loss_scale == 1.0 else ScaledDecay(decay, loss_scale)


def _centralize_gradient(gradient: torch.Tensor) -> torch.Tensor:
    if gradient.dim() < 2:
        return gradient
    return gradient - gradient.mean(tuple(range(1, gradient.dim())), keepdim=True)
