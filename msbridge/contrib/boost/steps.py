"""Training steps with the methods of boost: freezing and accumulation."""

from typing import Any

from msbridge.contrib.boost.auto import AutoBoost
from msbridge.contrib.boost.grad_accumulation import GradientAccumulation
from msbridge.contrib.boost.grad_freeze import FreezeOpt, freeze_cell
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.steps.loss_scaling import TrainOneStepWithLossScaleCell
from msbridge.nn.steps.wrappers import TrainOneStepCell

__all__ = ["BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell"]


class BoostTrainOneStepCell(TrainOneStepCell):
    """One step of training: as TrainOneStepCell; a FreezeOpt trains the group whose turn it is.

    Gradients are accumulated where AutoBoost has "grad_accumulation" on.

    Args:
        network: returns the loss.
        optimizer: an optimizer, or a FreezeOpt.
        sens: the gradients are scaled by it.

    Follows: mindspore.boost.BoostTrainOneStepCell (2.10).
    """

    def __init__(self, network: Cell, optimizer: Any, sens: Any = None) -> None:
        super().__init__(network, optimizer, sens)
        self.auto_boost = AutoBoost()
        self.freeze = isinstance(optimizer, FreezeOpt)
        steps = self.auto_boost.grad_accumulation_step
        self.use_grad_accumulation = self.auto_boost.boost_config["grad_accumulation"] and steps > 1
        self.max_accumulation_step = steps if self.use_grad_accumulation else 1
        self.train_strategy = getattr(optimizer, "train_strategy", None)
        self.step = Parameter(Tensor(0, mstype.int32), name="step", requires_grad=False)
        self._turn = 0  # the same number, known without asking the device
        self._accumulate: Any = None
        if self.freeze:
            mean = self.mean if self.reducer_flag else None
            self.__dict__["freeze_nets"] = freeze_cell(
                self.reducer_flag,
                network,
                optimizer,
                self.sens,
                self.grad,
                self.use_grad_accumulation,
                mean,
                None,
                self.max_accumulation_step,
            )
            self._order = None if self.train_strategy is None else self.train_strategy.asnumpy().tolist()
        elif self.use_grad_accumulation:
            self._accumulate = GradientAccumulation(steps, optimizer)

    def construct(self, *inputs: Any) -> Any:
        """Update the parameters and return the loss from before the update."""
        if self.freeze:
            return self.gradient_freeze_process(*inputs)
        if self._accumulate is None:
            return super().construct(*inputs)
        loss, grads = self._compute(None if type(self.sens) is float and self.sens == 1.0 else self.sens, *inputs)
        return self.gradient_accumulation_process(loss, self.grad_reducer(grads))

    def gradient_freeze_process(self, *inputs: Any) -> Any:
        """Train the group of parameters whose turn it is."""
        order = range(len(self.freeze_nets)) if self._order is None else self._order
        loss = self.freeze_nets[order[self._turn]](*inputs)
        self._turn = (self._turn + 1) % len(order)
        self.step._data.fill_(self._turn)
        return loss

    def gradient_accumulation_process(self, loss: Any, grads: Any) -> Any:
        """Add gradients up, and update in the last of so many steps."""
        return self._accumulate(loss, grads)


class BoostTrainOneStepWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """One step of training with a scaled loss: as TrainOneStepWithLossScaleCell.

    Args:
        network: returns the loss.
        optimizer: updates its parameters.
        scale_sense: the scale as a Tensor of shape () or (1,), or a Cell that changes it.

    Raises:
        NotImplementedError: the optimizer is a FreezeOpt, or AutoBoost has "grad_accumulation" on.
        TypeError: `scale_sense` is neither Cell nor Tensor.

    Follows: mindspore.boost.BoostTrainOneStepWithLossScaleCell (2.10).
    """

    def __init__(self, network: Cell, optimizer: Any, scale_sense: Cell | Tensor) -> None:
        self.__dict__["auto_boost"] = boost = AutoBoost()
        if isinstance(optimizer, FreezeOpt) or boost.boost_config["grad_accumulation"]:
            raise NotImplementedError(
                "mindspore.boost: freezing and accumulation with a dynamic loss scale are not available in msbridge. "
                "Turn 'grad_freeze' and 'grad_accumulation' off, or use a FixedLossScaleManager without dropping."
            )
        super().__init__(network, optimizer, scale_sense)
