"""Gradient accumulation."""

from typing import Any

from msbridge.core import torch_private
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.ops.framework.composite.functions import HyperMap, MultitypeFuncGraph

__all__ = ["GradientAccumulation", "gradient_accumulation_op", "gradient_clear_op"]

gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Number", "Tensor", "Tensor")
def _accumulate(steps: int, total: Tensor, grad: Tensor) -> Tensor:
    total._data.add_(grad._data, alpha=1 / steps)
    return total


@gradient_clear_op.register("Tensor")
def _clear(total: Tensor) -> Tensor:
    total._data.zero_()
    return total


class GradientAccumulation(Cell):
    """Adds up the gradients of several steps, and hands their mean to the optimizer.

    Args:
        max_accumulation_step: how many steps make an update.
        optimizer: makes the update.

    Inputs:
        loss: what is passed through.
        grads: the gradients of the optimizer's parameters, in their order.

    Returns:
        `loss`.

    Follows: mindspore.boost.GradientAccumulation (2.10).
    """

    def __init__(self, max_accumulation_step: int, optimizer: Cell) -> None:
        super().__init__()
        self._max_accumulation_step = max_accumulation_step
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.hyper_map = HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(Tensor(0, mstype.int32), name="accumulation_step")
        self._steps = 0  # the same number, known without asking the device

    def construct(self, loss: Any, grads: tuple[Tensor, ...]) -> Any:
        totals = [total._data for total in self._grad_accumulation]
        torch_private.foreach_add_(totals, [grad._data for grad in grads], alpha=1 / self._max_accumulation_step)
        self._steps += 1
        if self._steps >= self._max_accumulation_step:
            self.optimizer(self._grad_accumulation)
            torch_private.foreach_zero_(totals)
            self._steps = 0
        self._accumulation_step._data.fill_(self._steps)
        return loss
