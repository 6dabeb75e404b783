"""The loop of variational inference."""

from typing import Any

from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.probability.infer.elbo import ELBO
from msbridge.nn.steps.wrappers import TrainOneStepCell

__all__ = ["SVI"]


class SVI:
    """Stochastic variational inference: trains a network on the ELBO.

    Args:
        net_with_loss: a WithLossCell of the network and an ELBO.
        optimizer: updates the network's parameters.

    Raises:
        TypeError: the loss is not an ELBO, or the optimizer no Cell.

    Follows: mindspore.nn.probability.infer.SVI (1.x).
    """

    def __init__(self, net_with_loss: Cell, optimizer: Cell) -> None:
        self.net_with_loss = net_with_loss
        self.loss_fn = net_with_loss._loss_fn
        if not isinstance(self.loss_fn, ELBO):
            raise TypeError("The loss function for variational inference should be ELBO.")
        instance(optimizer, "optimizer", None, Cell)
        self.optimizer = optimizer
        self._loss: Any = 0.0

    def run(self, train_dataset: Any, epochs: int = 10) -> Cell:
        """Train, and return the network.

        Args:
            train_dataset: with the columns "image" and "label".
            epochs: how often it is gone through.

        Raises:
            TypeError: `epochs` is not an int.
            ValueError: `epochs` is not positive.
        """
        step = TrainOneStepCell(self.net_with_loss, self.optimizer)
        step.set_train()
        for _ in range(positive_int(epochs, "epochs", "SVI")):
            total, samples = Tensor(0.0, mstype.float32), 0
            for row in train_dataset.create_dict_iterator():
                x = Tensor(row["image"], dtype=mstype.float32)
                total = total + step(x, Tensor(row["label"], dtype=mstype.int32))
                samples += len(x)
            self._loss = total.asnumpy() / samples
        return self.net_with_loss.backbone_network

    def get_train_loss(self) -> Any:
        """Return the mean loss of a sample in the last epoch."""
        return self._loss
