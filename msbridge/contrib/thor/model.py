"""Model for THOR: the second-order optimizer computes its inverses once in so many steps."""

from collections.abc import Callable
from typing import Any

from msbridge.contrib.thor.converting import ConvertNetUtils
from msbridge.contrib.thor.optimizer import ThorGpu
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.steps.wrappers import TrainOneStepCell
from msbridge.train.loss_scale_managers import LossScaleManager
from msbridge.train.model import Model

__all__ = ["ConvertModelUtils", "ConvertNetUtils", "ModelThor"]


class ModelThor(Model):
    """A Model whose optimizer is `nn.thor`'s: the first of every `frequency` steps computes the inverses again.

    See Model for the arguments. MindSpore does so where the data is sunk; here it holds for all ways to train.

    Follows: mindspore.train.train_thor.model_thor.ModelThor (2.10).
    """

    def __init__(
        self,
        network: Cell,
        loss_fn: Callable[..., Tensor] | None = None,
        optimizer: Any = None,
        metrics: Any = None,
        eval_network: Cell | None = None,
        eval_indexes: list[int] | None = None,
        amp_level: str = "O0",
        **kwargs: Any,
    ) -> None:
        super().__init__(network, loss_fn, optimizer, metrics, eval_network, eval_indexes, amp_level, **kwargs)
        second_order = network.optimizer if isinstance(network, TrainOneStepCell) else optimizer
        self._frequency = second_order.get_frequency()
        second_order.alternates = True


class ConvertModelUtils:
    """Converts Models for THOR.

    Follows: mindspore.train.ConvertModelUtils (2.10).
    """

    @staticmethod
    def convert_to_thor_model(
        model: Model,
        network: Cell,
        loss_fn: Callable[..., Tensor] | None = None,
        optimizer: Any = None,
        metrics: Any = None,
        amp_level: str = "O0",
        loss_scale_manager: LossScaleManager | None = None,
        keep_batchnorm_fp32: bool = False,
    ) -> Model:
        """Return a ModelThor of the same parts if the optimizer is `nn.thor`'s, and `model` itself if not.

        Args:
            model: a Model.
            network: its network, or a training step, which has the loss and the optimizer.
            loss_fn: its loss.
            optimizer: its optimizer.
            metrics: its metrics.
            amp_level: its level of mixed precision.
            loss_scale_manager: its loss scale manager.
            keep_batchnorm_fp32: whether BatchNorm computes in float32.

        Follows: mindspore.train.ConvertModelUtils.convert_to_thor_model (2.10).
        """
        if not isinstance(optimizer, ThorGpu):
            return model
        if isinstance(network, TrainOneStepCell):
            return ModelThor(network)
        settings: dict[str, Any] = {
            "loss_scale_manager": loss_scale_manager,
            "keep_batchnorm_fp32": keep_batchnorm_fp32,
        }
        return ModelThor(network, loss_fn, optimizer, metrics, amp_level=amp_level, **settings)
