"""Gradient freezing: some steps train only the last layers of a network."""

from typing import Any

import numpy as np

from msbridge.contrib.boost.base import ParameterProcess, recreate_optimizer
from msbridge.contrib.boost.grad_accumulation import GradientAccumulation
from msbridge.core.autograd import grad
from msbridge.core.checks.arguments import instance
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.cells.lars import LARS
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.steps.grad_reducer import DistributedGradReducer

__all__ = ["CONTINUOUS_STRATEGY", "INTERVAL_STRATEGY", "FreezeOpt", "GradientFreeze", "freeze_cell"]

CONTINUOUS_STRATEGY = 0
INTERVAL_STRATEGY = 1


class FreezeOpt(Cell):
    """An optimizer for each of several groups of parameters, made of one; names of weights stay as they are.

    Args:
        opt: an optimizer of mindspore.nn.
        train_parameter_groups: the groups, lists of Parameters or of groups with options; by default all Parameters.
        train_strategy: which of the groups each step trains, by its number.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the strategy has something else than ints, or comes without groups.

    Follows: mindspore.boost.FreezeOpt (2.10).
    """

    def __init__(self, opt: Optimizer, train_parameter_groups: Any = None, train_strategy: Any = None) -> None:
        super().__init__(auto_prefix=False)
        instance(opt, "opt", None, Optimizer)
        if train_strategy is not None and train_parameter_groups is None:
            raise ValueError(
                "When the 'train_strategy' is specified, the value of 'train_parameter_groups' must also be specified"
            )
        single: Any = opt.opt if isinstance(opt, LARS) else opt
        self.is_lars = isinstance(opt, LARS)
        self.single_opt = single
        self.parameters = single.parameters
        self.dynamic_lr = single.dynamic_lr
        self.learning_rate = single.init_learning_rate
        groups = [tuple(opt.parameters)] if train_parameter_groups is None else train_parameter_groups
        if not isinstance(groups, tuple | list):
            raise TypeError("The specified 'train_parameter_groups' should be tuple or list")
        self.groups_num = len(groups)
        self.train_strategy = _strategy(train_strategy)
        for group in groups:
            if not isinstance(group, tuple | list):
                raise TypeError(
                    "The each element of 'train_parameter_groups' should be tuple or list to store the Parameter"
                )
        rates = self._rates()
        self.__dict__["opts"] = [
            recreate_optimizer(opt, group, rate) for group, rate in zip(groups, rates, strict=True)
        ]
        for index, made in enumerate(self.opts):
            weights = {id(parameter) for parameter in made.parameters}
            for parameter in made.get_parameters():
                if id(parameter) not in weights:
                    parameter.name = f"boost_{index}.{parameter.name}"

    def _rates(self) -> list[Any]:
        """Return the learning rate of each group: of a list of rates, those of the steps that train the group."""
        rate, strategy = self.learning_rate, self.train_strategy
        if not isinstance(rate, list) or strategy is None or len(rate) > len(strategy):
            return [None] * self.groups_num
        chosen: list[list[float]] = [[] for _ in range(self.groups_num)]
        for value, group in zip(rate, strategy.asnumpy().tolist(), strict=False):
            chosen[group].append(value)
        return [values or None for values in chosen]


def _strategy(given: Any) -> Tensor | None:
    if given is None:
        return None
    if isinstance(given, Tensor):
        if given.ndim != 1 or given.dtype != mstype.int32:
            raise ValueError("When train_strategy is a Tensor, the dimension should be 1 and the dtype should be int32")
        return given
    if not isinstance(given, tuple | list):
        raise TypeError("The specified 'train_strategy' should be None, tuple, list or Tensor")
    if not all(isinstance(item, int) for item in given):
        raise ValueError("The element in train_strategy should be int number")
    return Tensor(np.array(given, np.int32))


class GradientFreeze:
    """Makes an optimizer freeze the first layers in a part of the steps.

    Args:
        param_groups: how many groups of parameters there are; the n-th leaves out the first n parts of the network.
        freeze_type: 0 goes through the groups in turn; 1 draws them.
        freeze_p: the part of steps that train all parameters, in [0, 1).
        total_steps: for how many steps a sequence is made.

    Follows: mindspore.boost.GradientFreeze (2.10).
    """

    def __init__(self, param_groups: int, freeze_type: int, freeze_p: float, total_steps: int) -> None:
        self._param_groups = param_groups
        self._freeze_type = freeze_type
        self._freeze_p = freeze_p
        self._total_steps = total_steps

    def split_parameters_groups(self, net: Cell, freeze_para_groups_number: int) -> list[list[Parameter]]:
        """Return groups of trainable Parameters, each of which begins further back in the network."""
        parts: list[list[Parameter]] = [[]]
        for parameter in net.trainable_params():
            if "bn" not in parameter.name and "bias" not in parameter.name and len(parts[-1]) >= 3:
                parts.append([])
            parts[-1].append(parameter)
        stride = len(parts) // freeze_para_groups_number
        starts = [number * stride for number in range(freeze_para_groups_number)]
        return [[parameter for part in parts[start:] for parameter in part] for start in starts]

    def generate_freeze_index_sequence(
        self, parameter_groups_number: int, freeze_strategy: int, freeze_p: float, total_steps: int
    ) -> list[int]:
        """Return the group that each step trains, for a hundredth more steps than asked for.

        Raises:
            ValueError: the strategy is neither 0 nor 1.
        """
        count = int(total_steps * 1.01)
        if parameter_groups_number <= 1:
            return [0] * count
        others = list(range(1, parameter_groups_number))
        if freeze_strategy == CONTINUOUS_STRATEGY:
            whole = int(freeze_p * (parameter_groups_number - 1) // (1 - freeze_p) + 0.5)
            turn = [0] * whole + others
            return turn * -(-count // len(turn))
        if freeze_strategy != INTERVAL_STRATEGY:
            raise ValueError(f"Unsupported freezing training strategy '{freeze_strategy}'")
        chances = [number / sum(others) for number in others]
        sequence, frozen = [0], 0
        while len(sequence) < count:
            if frozen / len(sequence) < 1 - freeze_p:
                sequence.append(int(np.random.choice(others[::-1], p=chances)))
                frozen += 1
            else:
                sequence.append(0)
        return sequence

    def freeze_generate(self, network: Cell, optimizer: Optimizer) -> tuple[Cell, FreezeOpt]:
        """Return the network, and the optimizer as a FreezeOpt."""
        given: Any = optimizer.opt if isinstance(optimizer, LARS) else optimizer
        groups = [
            [
                one
                for one in ParameterProcess.generate_group_params(part, given.init_params["params"])
                if _holds_any(one)
            ]
            for part in self.split_parameters_groups(network, self._param_groups)
        ]
        sequence = self.generate_freeze_index_sequence(
            self._param_groups, self._freeze_type, self._freeze_p, self._total_steps
        )
        return network, FreezeOpt(optimizer, groups, sequence)


def _holds_any(group: dict[str, Any]) -> bool:
    return "order_params" in group or bool(group["params"])


class _TrainFreezeCell(Cell):
    """A step that trains the parameters of one optimizer."""

    def __init__(self, net: Cell, sens: Any, reducer: Any, steps: int, optimizer: Optimizer) -> None:
        super().__init__(auto_prefix=False)
        self.net = net
        self.sens = sens
        self.opt = optimizer
        self.parameters = optimizer.parameters
        self.grad_reducer = reducer
        self.accumulate = GradientAccumulation(steps, optimizer) if steps > 1 else None
        self._compute = grad.value_and_sens_grad(net, self.parameters)

    def construct(self, *inputs: Any) -> Any:
        loss, grads = self._compute(None if self.sens == 1.0 else self.sens, *inputs)
        grads = self.grad_reducer(grads)
        if self.accumulate is not None:
            return self.accumulate(loss, grads)
        self.opt(grads)
        return loss


def freeze_cell(
    reducer_flag: bool,
    network: Cell,
    optimizer: FreezeOpt,
    sens: Any,
    grad: Any,
    use_grad_accumulation: bool,
    mean: bool | None = None,
    degree: int | None = None,
    max_accumulation_step: int = 1,
) -> tuple[Cell, ...]:
    """Return a training step for each optimizer of a FreezeOpt.

    Args:
        reducer_flag: average gradients over processes.
        network: returns the loss.
        optimizer: the optimizers.
        sens: the factor of the gradients.
        grad: how MindSpore differentiates; the step has its own way.
        use_grad_accumulation: add gradients up over steps.
        mean: average over processes rather than sum.
        degree: by what to divide.
        max_accumulation_step: over how many steps gradients are added up.

    Follows: mindspore.boost.freeze_cell (2.10).
    """
    steps = max_accumulation_step if use_grad_accumulation else 1
    return tuple(
        _TrainFreezeCell(
            network, sens, DistributedGradReducer(opt.parameters, mean, degree) if reducer_flag else tuple, steps, opt
        )
        for opt in optimizer.opts
    )
