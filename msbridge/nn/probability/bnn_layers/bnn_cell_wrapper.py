"""A network of distributions, with its loss."""

from collections.abc import Callable
from typing import Any

from msbridge.core.checks.arguments import number
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.probability.bnn_layers._variational import Variational

__all__ = ["WithBNNLossCell"]


def a_factor(value: float, name: str) -> float:
    """Return `value`, a number of 0 or more.

    Raises:
        TypeError: it is not a number.
        ValueError: it is negative.
    """
    number(value, name, None)
    if value < 0:
        raise ValueError(f"The value of `{name}` should >= 0")
    return value


class WithBNNLossCell(Cell):
    """Compute dnn_factor·loss(backbone(x), label) + bnn_factor·(divergence of the weights from their priors).

    Args:
        backbone: the network.
        loss_fn: takes its output and the label.
        dnn_factor: weight of the loss.
        bnn_factor: weight of the divergence.

    Raises:
        TypeError: a factor is not a number.
        ValueError: a factor is negative.

    Follows: mindspore.nn.probability.bnn_layers.WithBNNLossCell (2.10).
    """

    def __init__(
        self, backbone: Cell, loss_fn: Callable[..., Tensor], dnn_factor: float = 1, bnn_factor: float = 1
    ) -> None:
        super().__init__(auto_prefix=False)
        self.dnn_factor = a_factor(dnn_factor, "dnn_factor")
        self.bnn_factor = a_factor(bnn_factor, "bnn_factor")
        self._backbone = backbone
        self._loss_fn = loss_fn
        self.kl_loss: list[Callable[[], Tensor]] = []
        self._add_kl_loss(backbone)

    def construct(self, x: Tensor, label: Tensor) -> Tensor:
        loss = self._loss_fn(self._backbone(x), label) * self.dnn_factor
        divergence: Any = 0
        for divergence_of_layer in self.kl_loss:
            divergence += divergence_of_layer()
        return loss + divergence * self.bnn_factor

    def _add_kl_loss(self, net: Cell) -> None:
        for layer in net.name_cells().values():
            if isinstance(layer, Variational):
                self.kl_loss.append(layer.compute_kl_loss)
            else:
                self._add_kl_loss(layer)

    backbone_network: Cell = read_only("_backbone", "The network.")
