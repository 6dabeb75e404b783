"""A loss scale for each group of layers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell

__all__ = ["GroupLossScaleManager"]


class GroupLossScaleManager(Cell):
    """Keeps a loss scale for each group of layers; a call multiplies what passes from one group into another.

    Args:
        init_loss_scale: the first scale.
        loss_scale_groups: the names of the parameters of each group.

    Follows: mindspore.boost.GroupLossScaleManager (2.10), whose kernel runs on an Ascend only.
    """

    def __init__(self, init_loss_scale: float, loss_scale_groups: Sequence[Any]) -> None:
        super().__init__()
        self._loss_scale = init_loss_scale
        self.loss_scale_groups = loss_scale_groups
        self.loss_scale_number = 0
        self.layer_loss_scale: tuple[Any, ...] | None = None
        self.dynamic_loss_scale: Any = None

    def set_loss_scale_status(self, loss_scale_number: int, init_loss_scale: Any) -> None:
        """Make the scales: 1 before and behind the groups, and for each group its first one.

        Args:
            loss_scale_number: how many groups there are.
            init_loss_scale: the first scale of all, or a list of them.

        Follows: mindspore.boost.GroupLossScaleManager.set_loss_scale_status (2.10).
        """
        self.loss_scale_number = loss_scale_number
        self.layer_loss_scale = (_scale,) * (loss_scale_number + 1)
        given = init_loss_scale if isinstance(init_loss_scale, list) else [init_loss_scale] * loss_scale_number
        scales = [1, *given, *[1] * (loss_scale_number + 1 - len(given))]
        self.dynamic_loss_scale = ParameterTuple(
            Parameter(Tensor(np.float32(_number(scale))), name=f"layer_loss_scale_{place}", requires_grad=False)
            for place, scale in enumerate(scales)
        )

    def update_loss_scale_status(self, layer: int, update_ratio: Any) -> Tensor:
        """Multiply the scale of a group with a ratio, and return it.

        Follows: mindspore.boost.GroupLossScaleManager.update_loss_scale_status (2.10).
        """
        scale = self.dynamic_loss_scale[layer + 1]
        updated: Tensor = scale * update_ratio
        scale.set_data(updated)
        return updated

    def construct(self, x: Tensor, layer1: int, layer2: int) -> Tensor:
        scales, passes = self.dynamic_loss_scale, self.layer_loss_scale or ()
        scaled: Tensor = passes[layer1](x, scales[layer1] / scales[layer2])
        return scaled

    def get_loss_scale(self) -> float:
        """Return the first scale.

        Follows: mindspore.boost.GroupLossScaleManager.get_loss_scale (2.10).
        """
        return self._loss_scale

    def get_update_cell(self) -> "GroupLossScaleManager":
        """Return the Cell that changes the scales: this one.

        Follows: mindspore.boost.GroupLossScaleManager.get_update_cell (2.10).
        """
        return self


def _number(scale: Any) -> float:
    return float(scale.asnumpy()) if isinstance(scale, Tensor) else float(scale)


def _scale(x: Tensor, ratio: Tensor) -> Tensor:
    return x * ratio.astype(x.dtype)
