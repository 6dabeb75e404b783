"""The base of the methods: a network in inference mode, and what they are asked."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import SequentialCell

__all__ = ["Attribution", "PerturbationAttribution", "check_images", "labels_of"]


class Attribution:
    """Attributes the score of a class to pixels, when it is called with images and labels.

    Args:
        network: the classifier, which returns logits. It is set to inference mode.

    Raises:
        TypeError: `network` is not a Cell.

    Follows: mindspore.explainer.explanation, the base of its classes (1.3).
    """

    def __init__(self, network: Cell) -> None:
        self._network: Cell = instance(network, "network", type(self).__name__, Cell)
        network.set_train(False)
        network.set_grad(False)

    @property
    def network(self) -> Cell:
        """The classifier."""
        return self._network

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Return maps of how much every pixel counts for the labels."""
        raise NotImplementedError


class PerturbationAttribution(Attribution):
    """An attribution by probabilities of changed images.

    Args:
        network: the classifier, which returns logits.
        activation_fn: what makes probabilities of logits.
        perturbation_per_eval: how many changed images are evaluated at once.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `perturbation_per_eval` is not positive.

    Follows: mindspore.explainer.explanation, the base of its classes (1.3).
    """

    def __init__(self, network: Cell, activation_fn: Cell, perturbation_per_eval: int = 32) -> None:
        super().__init__(network)
        instance(activation_fn, "activation_fn", type(self).__name__, Cell)
        self._perturbation_per_eval = positive_int(perturbation_per_eval, "perturbation_per_eval", type(self).__name__)
        self._full_network = SequentialCell([network, activation_fn])

    def _probabilities(self, images: np.ndarray) -> np.ndarray:
        """Return the probabilities of the classes, shape (n, classes); those of places are averaged."""
        found: np.ndarray = self._full_network(Tensor(images.astype(np.float32))).asnumpy()
        averaged: np.ndarray = found.reshape(*found.shape[:2], -1).mean(-1)
        return averaged


def check_images(owner: str, inputs: Any) -> None:
    """Check that `inputs` is a Tensor of four axes.

    Raises:
        TypeError: it is not a Tensor.
        ValueError: it has another number of axes.
    """
    instance(inputs, "inputs", owner, Tensor)
    if inputs.ndim != 4:
        raise ValueError(f"For '{owner}', inputs must have the shape (n, c, h, w), got {inputs.shape}.")


def labels_of(owner: str, inputs: Tensor, targets: Any) -> np.ndarray:
    """Check images and labels, and return one label for each image.

    Args:
        owner: who asks.
        inputs: shape (n, c, h, w).
        targets: an int, or a Tensor of no axis or of shape (n,).

    Raises:
        TypeError: an argument is of another type.
        ValueError: a shape does not fit.
    """
    check_images(owner, inputs)
    instance(targets, "targets", owner, (Tensor, int))
    labels = np.asarray(targets.asnumpy() if isinstance(targets, Tensor) else targets)
    if labels.ndim > 1 or (labels.ndim == 1 and len(labels) != len(inputs)):
        raise ValueError(
            f"For '{owner}', targets must be one label, or one for each of {len(inputs)} images, got shape "
            f"{labels.shape}."
        )
    return np.broadcast_to(labels.astype(np.int64), (len(inputs),))
