"""Training steps with a scaled loss, for gradients in Float16."""

from contextlib import ExitStack
from typing import Any

import numpy as np
import torch

from msbridge.core import torch_private
from msbridge.core.checks.arguments import Style
from msbridge.core.context import context
from msbridge.core.context.context import ParallelMode
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.distributed.pipeline.running import running
from msbridge.nn.cell.cell import Cell, replaceable
from msbridge.nn.cell.tensor_attribute import TensorAttribute
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.skipping import undo_after, update_unless
from msbridge.nn.steps._branches import Branch, Overflow, branch_of
from msbridge.nn.steps.wrappers import TrainOneStepCell
from msbridge.ops.framework.composite.functions import HyperMap
from msbridge.ops.operations import LessEqual, ReduceSum
from msbridge.ops.training.float_status.kernels import are_finite

__all__ = ["DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "TrainOneStepWithLossScaleCell"]

_STYLE = Style(of_number="{the} type of '{name}' must be a number, but got {kind}.")


class DynamicLossScaleUpdateCell(Cell):
    """Halves the loss scale after an overflow, doubles it after `scale_window` good steps.

    Args:
        loss_scale_value: the first scale, > 0.
        scale_factor: the factor, > 0.
        scale_window: good steps in a row before the scale grows, > 0.

    Inputs:
        loss_scale: the scale, a Parameter, which is changed in place.
        overflow: whether there was an overflow, a Tensor of shape () or (1,).

    Outputs:
        `overflow`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.

    Follows: mindspore.nn.DynamicLossScaleUpdateCell (2.10).
    """

    scale_factor = TensorAttribute()
    scale_window = TensorAttribute(dtype=np.int32)

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: float) -> None:
        super().__init__()
        given = {"loss_scale_value": loss_scale_value, "scale_factor": scale_factor, "scale_window": scale_window}
        for name, value in given.items():
            _STYLE.above(_STYLE.number(value, name, self.cls_name), name, self.cls_name)
        self.loss_scale_value = loss_scale_value
        self.scale_factor = scale_factor
        self.scale_window = scale_window
        self.cur_iter = Parameter(Tensor(1, mstype.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, mstype.int32), name="last_overflow_iterator_step")

    def get_loss_scale(self) -> float:
        """Return the first scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: Parameter, overflow: Tensor) -> Tensor:
        """Change the scale in place, without waiting for the device, and return `overflow`.

        Args:
            loss_scale: the scale, float32, 0-d.
            overflow: whether the last step overflowed, bool, 0-d.
        """
        scale, step, last = loss_scale._data, self.cur_iter._data, self.last_overflow_iter._data
        failed = overflow._data.to(torch.bool).reshape(())
        lowered = (scale / self._scale_factor_number).clamp(min=1.0)
        last.copy_(torch.where(failed, step, last))
        is_due = ~failed & (step - last >= self._scale_window_number)
        scale.copy_(torch.where(failed, lowered, torch.where(is_due, scale * self._scale_factor_number, scale)))
        last.copy_(torch.where(is_due, step, last))
        step.add_(1)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """Keeps the loss scale.

    Args:
        loss_scale_value: the scale.

    Inputs:
        _: anything: the scale stays.
        overflow: whether there was an overflow, a Tensor.

    Outputs:
        `overflow`.

    Follows: mindspore.nn.FixedLossScaleUpdateCell (2.10).
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self) -> float:
        """Return the scale."""
        return self.loss_scale_value

    def construct(self, _: Any, overflow: Tensor) -> Tensor:
        """Return `overflow`."""
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training with a scaled loss; an update whose gradients overflowed is left out.

    Args:
        network: returns the loss.
        optimizer: updates its parameters.
        scale_sense: the scale as a Tensor of shape () or (1,), or a Cell that changes it
            (DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell).

    Inputs:
        inputs: what `network` takes.

    Outputs:
        A tuple of the loss, whether there was an overflow, a Bool of shape (), and the scale, Float32 of shape ().

    Raises:
        TypeError: `scale_sense` is neither Cell nor Tensor.
        ValueError: the Tensor has another shape.

    Follows: mindspore.nn.TrainOneStepWithLossScaleCell (2.10).
    """

    # For the `construct` of subclasses, which scripts take for given.
    hyper_map = HyperMap()
    reduce_sum = ReduceSum()
    less_equal = LessEqual()

    _branch: Branch | None = None  # in a step that a script defines: what it does where there was no overflow
    _undoing: ExitStack

    def __init__(self, network: Cell, optimizer: Optimizer, scale_sense: Cell | Tensor) -> None:
        super().__init__(network, optimizer, sens=None)
        self.base = Tensor(1, mstype.float32)
        self.is_distributed = self.parallel_mode != ParallelMode.STAND_ALONE
        self.gpu_target = context.device_target() == "GPU"
        self.loss_scaling_manager: Cell | None = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            value = scale_sense.get_loss_scale()  # type: ignore[operator]
            self.scale_sense = Parameter(Tensor(value, mstype.float32), name="scale_sense")
        elif isinstance(scale_sense, Tensor):
            if scale_sense.shape not in ((), (1,)):
                raise ValueError(
                    "For 'TrainOneStepWithLossScaleCell', the shape of 'scale_sense' must be (1,) or (), "
                    f"but got {scale_sense.shape}"
                )
            self.scale_sense = Parameter(scale_sense, name="scale_sense")
        else:
            raise TypeError(
                "For 'TrainOneStepWithLossScaleCell', the 'scale_sense' must be Cell or Tensor, "
                f"but got {type(scale_sense)}."
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        construct = type(self).construct
        if construct is TrainOneStepWithLossScaleCell.construct or context.get_context("mode") != context.GRAPH_MODE:
            return super().__call__(*args, **kwargs)
        branch = branch_of(construct)
        if branch is None or not all(isinstance(getattr(self, name), Parameter) for name in branch.attributes):
            return super().__call__(*args, **kwargs)
        with ExitStack() as self._undoing:  # what a script's `if not overflow` begins, once it is asked
            self._branch = branch
            try:
                return super().__call__(*args, **kwargs)
            finally:
                self._branch = None

    @replaceable
    def construct(self, *inputs: Any) -> tuple[Any, Tensor, Tensor]:
        """Update the parameters unless the gradients overflowed.

        Returns:
            (loss, whether the gradients overflowed, the scale that was used).
        """
        scale = wrap(self.scale_sense._data.clone())
        loss, grads = self._compute(scale, *inputs)
        grads = self._unscale_gradients(grads, scale)
        if self.reducer_flag:
            grads = self.grad_reducer(grads)
        overflow = self.process_loss_scale(self.get_overflow_status(None, grads))
        if isinstance(overflow, Tensor):
            update_unless(overflow, self.optimizer, grads)
        elif not overflow:
            self.optimizer(grads)
        return loss, overflow, scale

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> tuple[bool, Any]:
        """Return the status and the input of an overflow check; nothing has to be started.

        Follows: mindspore.nn.TrainOneStepWithLossScaleCell.start_overflow_check (2.10).
        """
        return False, compute_input

    def get_overflow_status(self, status: Any, compute_output: Any) -> Tensor:
        """Return whether a gradient is infinite or NaN, as a bool Tensor.

        Follows: mindspore.nn.TrainOneStepWithLossScaleCell.get_overflow_status (2.10).
        """
        overflows = ~are_finite([grad._data for grad in compute_output])
        if running.has_own_gradients:  # other stages have the others
            from msbridge.distributed.pipeline.places import place

            overflows = place().any(overflows)
        overflow = wrap(overflows)
        return overflow if self._branch is None else self._overflow_read_once(overflow)

    def process_loss_scale(self, overflow: Tensor) -> Tensor:
        """Change the scale after a step and return `overflow`.

        Follows: mindspore.nn.TrainOneStepWithLossScaleCell.process_loss_scale (2.10).
        """
        if self.loss_scaling_manager is not None:
            overflow = self.loss_scaling_manager(self.scale_sense, overflow)
        return (
            overflow if self._branch is None or isinstance(overflow, Overflow) else self._overflow_read_once(overflow)
        )

    def _overflow_read_once(self, overflow: Tensor) -> Tensor:
        """Return `overflow` as the `if` of a script's own step asks for it."""

        def begin() -> bool:
            if self._branch is None:
                return False
            if not has_begun:
                has_begun.append(True)
                optimizer = self.optimizer if self._branch.is_update_alone else self
                self._undoing.enter_context(undo_after(overflow, optimizer))
            return True

        has_begun: list[bool] = []
        result = Overflow(overflow)
        result.begin = begin
        return result

    def set_sense_scale(self, sens: Tensor) -> None:
        """Replace the scale.

        Raises:
            TypeError: `sens` is not a Tensor.

        Follows: mindspore.nn.TrainOneStepWithLossScaleCell.set_sense_scale (2.10).
        """
        if not isinstance(sens, Tensor):
            raise TypeError(f"For 'set_sense_scale', the input type must be Tensor, but got {type(sens)}")
        self.scale_sense.set_data(sens)

    def _unscale_gradients(self, grads: tuple[Tensor, ...], scale: Tensor) -> tuple[Tensor, ...]:
        datas = [grad._data.float() if grad.dtype == mstype.float16 else grad._data for grad in grads]
        return tuple(map(wrap, torch_private.foreach_div(datas, scale._data.reshape(()))))
