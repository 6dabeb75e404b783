"""The base of the optimizers whose options are in `param_groups`, as in torch, and may be changed between steps."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from msbridge.core import torch_private
from msbridge.core.checks.arguments import at_least, instance
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.parameter.step_scalars import scalar_parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.optim.checks import list_of_parameters
from msbridge.nn.optim.engine import Bucket, Engine
from msbridge.ops.training.optimizer_updates import lists
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["Group", "Optimizer"]

Group = dict[str, Any]


class Optimizer(Engine):
    """Base of these optimizers: a subclass defines `construct`, or `_update`.

    Args:
        params: Parameters, or groups: dicts with "params" and any of the options.
        defaults: the options of the optimizer, for what a group leaves open.

    Inputs:
        gradients: a tuple of Tensors, one for each parameter, in their order and of their shapes.

    Outputs:
        True; the parameters are updated in place.

    Raises:
        TypeError: something is not a Parameter, or an option has another type.
        ValueError: there are no parameters, one is in two groups, or a number is out of range.

    Follows: mindspore.experimental.optim.Optimizer (2.10).
    """

    def __init__(self, params: Any, defaults: Group) -> None:
        super().__init__()
        self.defaults = defaults
        self.state: defaultdict[Any, dict] = defaultdict(dict)
        self.param_groups: list[Group] = []
        self.group_start_id = [0]
        self.lrs: list[Parameter] = []
        self.parameters = ParameterTuple(())
        items = self._parameters_base_check(params, "params")
        for group in items if isinstance(items[0], dict) else [{"params": items}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: Group) -> None:
        """Add a group of parameters; its state begins at its start values.

        Raises:
            TypeError: it is not a dict, or holds something that is not a Parameter.
            ValueError: one of its parameters is in another group.

        Follows: mindspore.experimental.optim.Optimizer.add_param_group (2.10).
        """
        index = len(self.param_groups)
        group = self._preprocess_param_group(param_group)
        for name, default in self.defaults.items():
            group.setdefault(name, default)
        group["lr"] = self._build_single_lr(group.get("lr"), f"learning_rate_group_{index}")
        group["weight_decay"] = self._preprocess_weight_decay(group.get("weight_decay", 0.0))
        first = self.group_start_id[-1]
        self.lrs.append(group["lr"])
        self.param_groups.append(group)
        self.group_start_id.append(first + len(group["params"]))
        self._fill_buckets(first, ((parameter, group["lr"], group, None) for parameter in group["params"]))
        self._join("parameters", group["params"])
        for name, (prefix, start) in self._slots.items():
            self._join(name, ParameterTuple(group["params"]).clone(prefix=prefix, init=start))

    def _rate_source(self, bucket: Bucket) -> Any:
        rate = bucket.options["lr"]
        return rate if isinstance(rate, float) else bucket.rate

    def _prepare_gradients(self, bucket: Bucket, g: Tensors) -> Tensors:
        return torch_private.foreach_neg(g) if bucket.options.get("maximize") else g

    def _join(self, name: str, more: Iterable[Parameter]) -> None:
        setattr(self, name, ParameterTuple((*getattr(self, name), *more)))

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for index, group in enumerate(self.param_groups):
            options = {name: group[name] for name in sorted(group) if name != "params"}
            if isinstance(options["lr"], Parameter):
                options["lr"] = options["lr"].value()
            text += f"\nParameter Group {index}\n" + "".join(f"    {name}: {options[name]}\n" for name in options)
        return text + ")"

    @staticmethod
    def _parameters_base_check(parameters: Any, param_info: str) -> list[Any]:
        """Return an iterable as a list; ValueError where it is None or empty, TypeError for no iterable."""
        return list_of_parameters(parameters, param_info)

    def _decay_weight(
        self, weight_decay: float, params: Sequence[Parameter], gradients: Sequence[Tensor]
    ) -> Sequence[Tensor]:
        """Return the gradients with the weight decay added."""
        if weight_decay == 0.0:
            return gradients
        rows = zip(params, gradients, strict=True)
        return tuple(wrap(lists.add_weight_decay([p._data], [g._data], weight_decay)[0]) for p, g in rows)

    def _preprocess_weight_decay(self, weight_decay: Any) -> float:
        """Return the weight decay of a group as a float; TypeError for no number, ValueError for a negative one."""
        instance(weight_decay, "weight_decay", "Optimizer", (int, float, bool))
        return float(at_least(weight_decay, "weight_decay", type(self).__name__))

    def _preprocess_param_group(self, group: Group) -> Group:
        instance(group, "param_group", "Optimizer", dict)
        params = group["params"]
        if isinstance(params, set):
            raise TypeError("For 'Optimizer', the parameters of a group must have an order: pass a list, not a set.")
        group["params"] = [params] if isinstance(params, Parameter) else list(params)
        for parameter in group["params"]:
            instance(parameter, "each of params", "Optimizer", Parameter)
        known = {id(parameter) for other in self.param_groups for parameter in other["params"]}
        for parameter in group["params"]:
            if id(parameter) in known:
                raise ValueError(
                    f"For 'Optimizer', some parameters appear in more than one parameter group: {parameter.name}."
                )
        return group

    def _build_single_lr(self, rate: Any, name: str) -> Parameter:
        if isinstance(rate, Tensor):
            if rate.ndim:
                raise ValueError(
                    f"For 'Optimizer', a learning rate that is a Tensor should be scalar, got shape {rate.shape}."
                )
            rate = float(rate.asnumpy())
        instance(rate, "learning_rate", "Optimizer", (int, float, bool, Tensor))
        at_least(rate, "learning rate", type(self).__name__)
        return scalar_parameter(np.float32(rate), name)
