"""Optimizers made again with other groups of parameters."""

from collections.abc import Sequence
from typing import Any

from msbridge.contrib.boost.less_batch_normalization import CommonHeadLastFN
from msbridge.core.parameter.parameter import Parameter
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.convolution import Conv2d
from msbridge.nn.optim.cells.lars import LARS
from msbridge.nn.optim.cells.optimizer import Optimizer

__all__ = ["OptimizerProcess", "ParameterProcess"]


def recreate_optimizer(optimizer: Optimizer, parameters: Any, learning_rate: Any = None) -> Optimizer:
    """Return an optimizer of the same settings for other parameters, whose state begins again."""
    if isinstance(optimizer, LARS):
        return LARS(recreate_optimizer(optimizer.opt, parameters, learning_rate), **optimizer.init_args)
    rate = optimizer.init_learning_rate if learning_rate is None else learning_rate
    return type(optimizer)(params=parameters, learning_rate=rate, **optimizer.init_args)  # type: ignore[call-arg]


class OptimizerProcess:
    """Makes an optimizer again, with its gradients centralized.

    Args:
        opt: an optimizer of mindspore.nn.

    Follows: mindspore.boost.OptimizerProcess (2.10).
    """

    def __init__(self, opt: Optimizer) -> None:
        self.is_lars = isinstance(opt, LARS)
        self.single_opt: Any = opt.opt if isinstance(opt, LARS) else opt
        self.learning_rate = self.single_opt.init_learning_rate
        self.origin_params: Any = self.single_opt.init_params["params"]
        self._optimizer = opt

    @staticmethod
    def build_params_dict(network: Cell) -> dict[int, Cell]:
        """Return the Cell of every Parameter, by the identity of the Parameter."""
        cells = network.cells_and_names()
        return {id(parameter): cell for _, cell in cells for parameter in cell.get_parameters(expand=False)}

    @staticmethod
    def build_gc_params_group(
        params_dict: dict[int, Cell], parameters: Sequence[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return groups parted into Parameters whose gradients are centralized, and others.

        The others are biases, those of norms, of convolutions in groups, and of CommonHeadLastFN.
        """

        def is_centralized(parameter: Parameter) -> bool:
            cell = params_dict[id(parameter)]
            is_special = isinstance(cell, CommonHeadLastFN) or (isinstance(cell, Conv2d) and cell.group > 1)
            return not is_special and not any(part in parameter.name for part in ("beta", "gamma", "bias"))

        groups: list[dict[str, Any]] = []
        for group in parameters:
            if "order_params" in group:
                groups.append(group)
                continue
            chosen = [parameter for parameter in group["params"] if is_centralized(parameter)]
            rest = [parameter for parameter in group["params"] if not is_centralized(parameter)]
            groups += [{**group, "params": chosen, "grad_centralization": True}] if chosen else []
            groups += [{**group, "params": rest}] if rest else []
        return groups

    def add_grad_centralization(self, network: Cell) -> None:
        """Let gradients be centralized in the optimizer that is made; one without groups stays as it is.

        Raises:
            TypeError: the parameters are not a list of Parameters or groups.
            ValueError: there are none.
        """
        if _first_of(self.origin_params) is not Parameter:
            self.origin_params = self.build_gc_params_group(self.build_params_dict(network), self.origin_params)

    def generate_new_optimizer(self) -> Optimizer:
        """Return the optimizer, made again."""
        return recreate_optimizer(self._optimizer, self.origin_params, self.learning_rate)


class ParameterProcess:
    """Groups Parameters.

    Follows: mindspore.boost.ParameterProcess (2.10).
    """

    def __init__(self) -> None:
        self._parameter_indices = 1

    @staticmethod
    def generate_group_params(parameters: Sequence[Parameter], origin_params: Any) -> list[dict[str, Any]]:
        """Return `parameters` in the groups of `origin_params`, those that are in none in the last.

        Raises:
            TypeError: `origin_params` holds something else than Parameters or groups.
            ValueError: it is empty.
        """
        if _first_of(origin_params) is Parameter:
            return [{"params": list(parameters)}]
        left = {parameter.name: parameter for parameter in parameters}
        groups: list[dict[str, Any]] = []
        fullest: dict[str, Any] = {}
        for group in origin_params:
            if "order_params" in group:
                groups.append({**group, "order_params": list(parameters)})
                continue
            chosen = [left.pop(parameter.name) for parameter in group["params"] if parameter.name in left]
            groups.append({**group, "params": chosen})
            fullest = group if len(group) > len(fullest) else fullest
        return [*groups, {**fullest, "params": list(left.values())}] if left else groups

    def assign_parameter_group(self, parameters: Any, split_point: Sequence[int] | None = None) -> Any:
        """Number the groups in which gradients are sent between processes, from 1, and return the Parameters.

        Args:
            parameters: a list or tuple of Parameters.
            split_point: the positions at which groups begin; half way by default.
        """
        if not isinstance(parameters, list | tuple) or not parameters:
            return parameters
        points = split_point or [len(parameters) // 2]
        for position, parameter in enumerate(parameters):
            self._parameter_indices += position in points
            parameter.comm_fusion = self._parameter_indices
        return parameters


def _first_of(parameters: Any) -> type:
    """Return of what a list of parameters is: Parameter or dict."""
    items = list(parameters or ())
    if not items:
        raise ValueError("Optimizer got an empty parameter list.")
    if not isinstance(items[0], dict | Parameter):
        raise TypeError("Only a list of Parameter or dict can be supported.")
    return Parameter if isinstance(items[0], Parameter) else dict
