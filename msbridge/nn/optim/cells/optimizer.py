"""Optimizer: what all update rules share — groups, learning rates, weight decay, loss scale, state.

The hyperparameters (learning rate, momentum, step) are Parameters on the host, so that reading them never waits for the
device. Parameters that share learning rate and weight decay are updated together, in one call of the rule.

Follows: mindspore.nn.Optimizer (2.10).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core import dtype as mstype
from msbridge.core.parameter import Parameter, ParameterTuple
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell
from msbridge.nn.layers.containers import CellList
from msbridge.nn.optim.rules import Tensors
from msbridge.nn.schedules.cells import LearningRateSchedule
from msbridge.ops.composite.functions import HyperMap, Map

_GROUP_KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")
Rate = float | Tensor | LearningRateSchedule | Iterable[float]


class _IteratorLearningRate(LearningRateSchedule):
    """Learning rates listed step by step."""

    def __init__(self, rates: Sequence[float], name: str) -> None:
        super().__init__()
        self.learning_rate = host_parameter(np.asarray(rates, np.float32), name)

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the rate of a step.

        Raises:
            RuntimeError: the list has ended.
        """
        step = int(global_step._data.item())
        rates = self.learning_rate._data
        if step >= rates.numel():
            raise RuntimeError(
                f"For 'Optimizer', the list of learning rates has {rates.numel()} entries, but step {step} was reached."
            )
        return wrap(rates[step])


class _FixedRate(LearningRateSchedule):
    """A constant learning rate, among groups of which another one changes."""

    def __init__(self, rate: Parameter) -> None:
        super().__init__()
        self.learning_rate = rate

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the rate."""
        return wrap(self.learning_rate._data)


class _Bucket:
    """Parameters that are updated in one call.

    Attributes:
        indices: their positions among all parameters, or None for all of them in order.
        rate: where their learning rate comes from.
        decay: their weight decay: a number, or a Cell called with the step.
        is_centralized: subtract the mean of each gradient.
    """

    __slots__ = ("decay", "indices", "is_centralized", "rate")

    def __init__(self, rate: Any, decay: Any, is_centralized: bool) -> None:
        self.indices: list[int] | None = []
        self.rate = rate
        self.decay = decay
        self.is_centralized = is_centralized

    def of(self, tensors: Sequence[Tensor]) -> list[torch.Tensor]:
        """Give the torch tensors of this bucket out of those of all parameters."""
        if self.indices is None:
            return [tensor._data for tensor in tensors]
        return [tensors[index]._data for index in self.indices]


class Optimizer(Cell):
    """Base of the optimizers; a subclass defines `_update`.

    Args:
        learning_rate: a number, a schedule called with the step, or a list of rates, one per step.
        parameters: Parameters, or groups: dicts with "params" and optionally "lr", "weight_decay" and
            "grad_centralization"; one dict may hold "order_params".
        weight_decay: a number or a Cell called with the step. Without groups, parameters with "beta" or "gamma" in
            their name are not decayed.
        loss_scale: gradients are divided by it.

    Raises:
        KeyError: a group has an unknown key.
        RuntimeError: a parameter stands in two groups.
        TypeError: something of another type.
        ValueError: a number out of range, or no parameters.

    Follows: mindspore.nn.Optimizer (2.10).
    """

    # For the `construct` of subclasses, which scripts take for given.
    hyper_map = HyperMap()
    map_ = Map()

    def __init__(
        self, learning_rate: Rate, parameters: Any, weight_decay: float | Cell = 0.0, loss_scale: float = 1.0
    ) -> None:
        super().__init__(auto_prefix=False)
        groups = _groups_of(parameters)
        _check_decay(type(self).__name__, weight_decay)
        if isinstance(loss_scale, int) and not isinstance(loss_scale, bool):
            loss_scale = float(loss_scale)
        if not isinstance(loss_scale, float) or loss_scale <= 0:
            raise ValueError(
                f"For '{type(self).__name__}', the 'loss_scale' must be float and must > 0, but got '{loss_scale}' "
                f"with type '{type(loss_scale).__name__}'."
            )
        self.loss_scale = loss_scale
        self.need_scale = loss_scale != 1.0
        self.reciprocal_scale = 1.0 / loss_scale
        self.is_group = isinstance(groups[0], dict)
        self.is_group_lr = self.is_group and any("lr" in group for group in groups)
        self.global_step = host_parameter(np.zeros(1, np.int32), "global_step")
        self.global_step_increase_tensor = Tensor(1, mstype.int32, device="CPU")
        self.dynamic_lr = False
        if self.is_group:
            rows = self._rows_of_groups(groups, learning_rate, weight_decay)
        else:
            rate = self._rate(learning_rate, "learning_rate")
            self.learning_rate = rate
            rows = [(parameter, rate, _own_decay(parameter, weight_decay), False) for parameter in groups]
        self.parameters = ParameterTuple(row[0] for row in rows)
        self._parameters = self.parameters
        if self.is_group_lr:
            # The rates are registered one by one; the common one stays registered under the name `learning_rate`.
            self.__dict__["group_lr"] = self.__dict__["learning_rate"] = tuple(row[1] for row in rows)
        self.weight_decay: Any = tuple(row[2] for row in rows) if self.is_group else weight_decay
        self.decay_flags = tuple(isinstance(row[2], Cell) or row[2] > 0 for row in rows)
        self.dynamic_weight_decay = any(isinstance(row[2], Cell) for row in rows)
        self.exec_weight_decay = any(self.decay_flags)
        self.grad_centralization = any(row[3] for row in rows)
        self.param_length = len(rows)
        self._unique = True
        self.__dict__["_buckets"] = _buckets_of(rows)
        self.__dict__["_done"] = (True,) * len(rows)

    # -- the step ----------------------------------------------------------------------------------------------------

    def construct(self, gradients: Sequence[Tensor]) -> tuple[bool, ...]:
        """Update all parameters from their gradients.

        Args:
            gradients: one per parameter, in the order of `parameters`.

        Returns:
            A tuple of True.

        Raises:
            RuntimeError: there is not one gradient per parameter.

        Follows: mindspore.nn.Optimizer (2.10).
        """
        if len(gradients) != self.param_length:
            raise RuntimeError(
                f"For '{type(self).__name__}', one gradient per parameter is needed: {self.param_length}, "
                f"got {len(gradients)}."
            )
        rates: dict[int, float] = {}
        self._before_step()
        for bucket in self._buckets:
            parameters = bucket.of(self._parameters)
            grads: Tensors = bucket.of(gradients)
            if grads[0].dtype is not parameters[0].dtype:
                grads = [grad.to(parameter.dtype) for grad, parameter in zip(grads, parameters, strict=True)]
            if self.need_scale:
                grads = torch._foreach_mul(grads, self.reciprocal_scale)
            if bucket.is_centralized:
                grads = [_centralized(grad) for grad in grads]
            key = id(bucket.rate)
            if key not in rates:
                rates[key] = _number(bucket.rate, self._step())
            decay = bucket.decay
            self._update(
                bucket,
                parameters,
                grads,
                rates[key],
                decay if type(decay) is float else _number(decay, self.global_step),
            )
        self.global_step._data.add_(1)
        return self._done

    def _step(self) -> Tensor:
        """Give the step as schedules take it, 0-d; a weight decay that changes gets `global_step` itself."""
        return wrap(self.global_step._data.reshape(()))

    def _before_step(self) -> None:
        """Change what is common to all buckets; for rules that need it."""

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        """Apply the rule to one bucket."""
        raise NotImplementedError(
            f"{type(self).__name__} must define construct, or _update for one group of parameters."
        )

    # -- what scripts ask for, and optimizers of their own build on --------------------------------------------------

    def get_lr(self) -> Any:
        """Give the learning rate now: a Parameter, a Tensor from a schedule, or with groups a tuple of these.

        Follows: mindspore.nn.Optimizer.get_lr (2.10).
        """

        def now(rate: Any) -> Any:
            return rate(self._step()) if isinstance(rate, Cell) else rate

        return tuple(map(now, self.learning_rate)) if self.is_group_lr else now(self.learning_rate)

    def get_lr_parameter(self, param: Parameter | Sequence[Parameter]) -> Any:
        """Give the learning rate of a parameter, or of each of several.

        Raises:
            TypeError: `param` is not a Parameter of this optimizer.

        Follows: mindspore.nn.Optimizer.get_lr_parameter (2.10).
        """
        if isinstance(param, list | tuple):
            return [self.get_lr_parameter(each) for each in param]
        for index, known in enumerate(self.parameters):
            if known is param:
                return self.learning_rate[index] if self.is_group_lr else self.learning_rate
        raise TypeError(f"For 'get_lr_parameter', param must be a Parameter of this optimizer, got {param!r}.")

    def get_weight_decay(self) -> Any:
        """Give the weight decay now, as a Tensor, or with groups a tuple of them.

        Follows: mindspore.nn.Optimizer.get_weight_decay (2.10).
        """
        decays = self.weight_decay if self.is_group else (self.weight_decay,)
        values = tuple(Tensor(_number(decay, self.global_step), mstype.float32) for decay in decays)
        return values if self.is_group else values[0]

    def decay_weight(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Give the gradients with weight decay added where it applies.

        Follows: mindspore.nn.Optimizer.decay_weight (2.10).
        """
        if not self.exec_weight_decay:
            return tuple(gradients)
        decays = self.weight_decay if self.is_group else (self.weight_decay,) * self.param_length
        rows = zip(gradients, self.parameters, decays, self.decay_flags, strict=True)
        return tuple(
            wrap(gradient._data.add(parameter._data, alpha=_number(decay, self.global_step))) if flag else gradient
            for gradient, parameter, decay, flag in rows
        )

    def scale_grad(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Give the gradients divided by the loss scale.

        Follows: mindspore.nn.Optimizer.scale_grad (2.10).
        """
        if not self.need_scale:
            return tuple(gradients)
        return tuple(wrap(gradient._data * self.reciprocal_scale) for gradient in gradients)

    def gradients_centralization(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Give the gradients without their mean over all axes but the first, where that was asked for.

        Follows: mindspore.nn.Optimizer.gradients_centralization (2.10).
        """
        result = list(gradients)
        for bucket in self._buckets:
            if bucket.is_centralized:
                for index in range(len(result)) if bucket.indices is None else bucket.indices:
                    result[index] = wrap(_centralized(result[index]._data))
        return tuple(result)

    def flatten_gradients(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """Give the gradients as they are: they need no flattening here."""
        return gradients

    def broadcast_params(self, optim_result: Any) -> Any:
        """Give `optim_result`: every process updates all parameters itself."""
        return optim_result

    def assignadd(self, variable: Parameter, value: Tensor | int | float) -> Parameter:
        """Add to a Parameter in place and give it."""
        variable._data.add_(getattr(value, "_data", value))
        return variable

    @property
    def target(self) -> str:
        """Where MindSpore would update the parameters; here always their own device."""
        return self.__dict__.get("_target", "Ascend")

    @target.setter
    def target(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"For 'Optimizer', the property 'target' must be string, but got type {type(value)}.")
        if value not in ("CPU", "Ascend", "GPU"):
            raise ValueError(
                f"For 'Optimizer', the property 'target' must be one of 'CPU', 'Ascend', 'GPU', got {value!r}."
            )
        self.__dict__["_target"] = value

    @property
    def unique(self) -> bool:
        """MindSpore's switch for deduplicating sparse gradients; gradients here are dense."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"For 'Optimizer', the property 'unique' must be bool, but got {type(value).__name__}.")
        self.__dict__["_unique"] = value

    # -- groups ------------------------------------------------------------------------------------------------------

    def _rate(self, rate: Any, name: str) -> Any:
        if isinstance(rate, LearningRateSchedule):
            self.dynamic_lr = True
            return rate
        if isinstance(rate, Cell):
            raise TypeError(f"For '{type(self).__name__}', a learning rate Cell must be a LearningRateSchedule.")
        if isinstance(rate, Tensor) and rate.ndim <= 1:
            rate = rate.asnumpy()
            rate = rate.item() if rate.ndim == 0 else rate.tolist()
        elif isinstance(rate, Tensor):
            raise ValueError(
                f"For 'Optimizer', the dim of learning rate must be 0 or 1, but got a Tensor of shape {rate.shape}."
            )
        if isinstance(rate, Iterable) and not isinstance(rate, str):
            rates = [float(value) for value in rate]
            for value in rates:
                self._check_rate(value)
            self.dynamic_lr = True
            return _IteratorLearningRate(rates, name)
        return host_parameter(np.float32(self._check_rate(rate)), name)

    def _check_rate(self, rate: Any) -> float:
        rate = float(rate)
        if not rate >= 0:
            raise ValueError(
                f"For '{type(self).__name__}', the 'learning rate' must be float and must >= 0, but got '{rate}' "
                f"with type '{type(rate).__name__}'."
            )
        return rate

    def _rows_of_groups(
        self, groups: list[dict[str, Any]], learning_rate: Any, weight_decay: Any
    ) -> list[tuple[Parameter, Any, Any, bool]]:
        """Give (parameter, rate, decay, is centralised) of every parameter, in the order of the update."""
        for group in groups:
            if unknown := [key for key in group if key not in _GROUP_KEYS]:
                raise KeyError(
                    f"For 'Optimizer', the key in group params must be one of in {list(_GROUP_KEYS)}, "
                    f"but got {unknown}."
                )
        rows: list[tuple[Parameter, Any, Any, bool]] = []
        group_rates = [
            self._rate(group["lr"], f"learning_rate_group_{number}") if "lr" in group else None
            for number, group in enumerate(groups)
        ]
        common = self._rate(learning_rate, "learning_rate")
        if self.dynamic_lr:
            group_rates = [_FixedRate(rate) if isinstance(rate, Parameter) else rate for rate in group_rates]
            common = _FixedRate(common) if isinstance(common, Parameter) else common
            self.group_schedules = CellList([rate for rate in group_rates if rate is not None], auto_prefix=False)
        for number, rate in enumerate(group_rates):
            if isinstance(rate, Parameter):
                setattr(self, f"learning_rate_group_{number}", rate)
        self.learning_rate = common
        order = None
        for group, rate in zip(groups, group_rates, strict=True):
            if "order_params" in group:
                order = list(group["order_params"])
                continue
            decay = group.get("weight_decay", weight_decay)
            _check_decay(type(self).__name__, decay)
            decay = float(decay) if not isinstance(decay, Cell) else decay
            parameters = list(group["params"])
            if not parameters:
                raise ValueError("For 'Optimizer', the argument parameters of a group must not be empty.")
            for parameter in parameters:
                _check_parameter(parameter)
                rows.append((parameter, rate or common, decay, bool(group.get("grad_centralization", False))))
        _check_repeated([row[0] for row in rows])
        if order is None:
            return rows
        if len(order) != len(rows):
            raise ValueError(
                f"For 'Optimizer', the 'order_params' must hold all {len(rows)} parameters of the groups, "
                f"got {len(order)}."
            )
        by_id = {id(row[0]): row for row in rows}
        return [by_id[id(parameter)] for parameter in order]


def host_parameter(value: Any, name: str) -> Parameter:
    """Make a Parameter that stays on the host, where reading it does not wait for the device."""
    return Parameter(Tensor(value, device="CPU"), name=name, device="CPU")


def check_range(owner: str, name: str, value: Any, low: float, high: float, *, low_in: bool = False) -> float:
    """Check that a number lies between bounds, the upper one excluded.

    Raises:
        TypeError: `value` is no number.
        ValueError: it is out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"For '{owner}', the type of '{name}' must be float, but got {type(value).__name__}.")
    if not (low < value < high or (low_in and value == low)):
        bracket = "[" if low_in else "("
        raise ValueError(f"For '{owner}', the '{name}' must be in range of {bracket}{low}, {high}), but got {value}.")
    return float(value)


def _number(source: Any, step: Tensor) -> float:
    if isinstance(source, Cell):
        source = source(step)
    return float(source._data.item()) if isinstance(source, Tensor) else float(source)


def _groups_of(parameters: Any) -> list[Any]:
    if not isinstance(parameters, Iterable) or isinstance(parameters, Parameter | dict | str):
        raise TypeError(
            "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or 'dict', "
            f"please check the 'parameters': got {type(parameters).__name__}."
        )
    items = list(parameters)
    if not items:
        raise ValueError("For 'Optimizer', the argument parameters must not be empty.")
    if all(isinstance(item, dict) for item in items):
        return items
    for item in items:
        _check_parameter(item)
    _check_repeated(items)
    return items


def _check_parameter(item: Any) -> None:
    if not isinstance(item, Parameter):
        raise TypeError(
            "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or 'dict', "
            f"please check the 'parameters': got an element of type {type(item).__name__}."
        )


def _check_repeated(parameters: list[Parameter]) -> None:
    seen: set[int] = set()
    for parameter in parameters:
        if id(parameter) in seen:
            raise RuntimeError(
                f"For 'Optimizer', the {parameter.name} parameter already exists, it does not support repeated setting."
            )
        seen.add(id(parameter))


def _check_decay(owner: str, decay: Any) -> None:
    if isinstance(decay, Cell):
        return
    if isinstance(decay, bool) or not isinstance(decay, int | float):
        raise TypeError(
            f"For 'Optimizer', the argument 'Weight_decay' must be int, float or Cell.but got {type(decay)}"
        )
    if decay < 0 or math.isnan(decay):
        raise ValueError(f"For '{owner}', the 'weight_decay' must be float and must >= 0, but got '{decay}'.")


def _own_decay(parameter: Parameter, decay: Any) -> Any:
    if "beta" in parameter.name or "gamma" in parameter.name:
        return 0.0
    return decay if isinstance(decay, Cell) else float(decay)


def _buckets_of(rows: list[tuple[Parameter, Any, Any, bool]]) -> list[_Bucket]:
    buckets: dict[tuple, _Bucket] = {}
    for index, (parameter, rate, decay, centralized) in enumerate(rows):
        decay_key = id(decay) if isinstance(decay, Cell) else decay
        key = (id(rate), decay_key, centralized, parameter._data.dtype, parameter._data.device)
        bucket = buckets.setdefault(key, _Bucket(rate, decay, centralized))
        bucket.indices.append(index)  # type: ignore[union-attr]
    if len(buckets) == 1:
        next(iter(buckets.values())).indices = None
    return list(buckets.values())


def _centralized(gradient: torch.Tensor) -> torch.Tensor:
    if gradient.dim() < 2:
        return gradient
    return gradient - gradient.mean(tuple(range(1, gradient.dim())), keepdim=True)


__all__ = ["Optimizer"]
