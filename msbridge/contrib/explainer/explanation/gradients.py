"""Explanations by gradients of the score of a class."""

import copy
from collections.abc import Callable
from typing import Any

import torch

from msbridge.contrib.explainer.explanation.attribution import Attribution, labels_of
from msbridge.core.autograd import grad
from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.rectifiers import ReLU

__all__ = ["Deconvolution", "GradCAM", "Gradient", "GuidedBackprop"]


class Gradient(Attribution):
    """The gradient of a class's logit, as the greatest magnitude over the channels.

    Args:
        network: the classifier, which returns logits of shape (n, classes).

    Raises:
        TypeError: `network` is not a Cell; when called, the images are not a Tensor, or the labels neither Tensor nor
            int.
        ValueError: when called, a shape does not fit.

    Called with images of shape (n, c, h, w), and a label or n of them, it returns maps of shape (n, 1, h, w).

    Follows: mindspore.explainer.explanation.Gradient (1.3).
    """

    def __init__(self, network: Cell) -> None:
        super().__init__(network)
        self._backward_model = copy.deepcopy(network)

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Return the maps, shape (n, 1, h, w)."""
        score = _score_of(self._backward_model, labels_of(type(self).__name__, inputs, targets))
        return wrap(grad.grad(score)(inputs)._data.abs().amax(1, keepdim=True))


class Deconvolution(Gradient):
    """As `Gradient`, but a layer `nn.ReLU` passes the positive gradients that come to it, regardless of its input.

    Args:
        network: the classifier; its ReLUs are Cells, for operators stay as they are.

    Raises:
        TypeError: `network` is not a Cell; when called, the images are not a Tensor, or the labels neither Tensor nor
            int.
        ValueError: when called, a shape does not fit.

    Follows: mindspore.explainer.explanation.Deconvolution (1.3).
    """

    def __init__(self, network: Cell) -> None:
        super().__init__(network)
        _hook(self._backward_model, lambda cell, below, above: _positive(above))


class GuidedBackprop(Gradient):
    """As `Gradient`, but a layer `nn.ReLU` passes only what is positive of its gradient.

    Args:
        network: the classifier; its ReLUs are Cells, for operators stay as they are.

    Raises:
        TypeError: `network` is not a Cell; when called, the images are not a Tensor, or the labels neither Tensor nor
            int.
        ValueError: when called, a shape does not fit.

    Follows: mindspore.explainer.explanation.GuidedBackprop (1.3).
    """

    def __init__(self, network: Cell) -> None:
        super().__init__(network)
        _hook(self._backward_model, lambda cell, below, above: _positive(below))


class GradCAM(Gradient):
    """The output of a layer, its channels weighted by their mean gradients and summed, without what is negative.

    Args:
        network: the classifier, which returns logits.
        layer: the path of the layer, often the last convolution; "" is the input.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the network has no such layer; when called, a shape does not fit.

    Called with images of shape (n, c, h, w), and a label or n of them, it returns maps of shape (n, 1, h, w). They are
    brought to that size in floating point: MindSpore goes through bytes, where values beyond 1 are lost.

    Follows: mindspore.explainer.explanation.GradCAM (1.3).
    """

    def __init__(self, network: Cell, layer: str = "") -> None:
        super().__init__(network)
        instance(layer, "layer", "GradCAM", str)
        cells = dict(self._backward_model.cells_and_names())
        if layer not in cells:
            raise ValueError(
                f"For 'GradCAM', the network has no layer {layer!r}; it has {', '.join(filter(None, cells))}."
            )
        self._layer = cells[layer] if layer else None

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Return the maps, shape (n, 1, h, w)."""
        score = _score_of(self._backward_model, labels_of("GradCAM", inputs, targets))
        if self._layer is None:
            activation, gradient = inputs, grad.grad(score)(inputs)
        else:
            activation, gradient = _at(self._layer, score, inputs)
        weights = gradient._data.mean((2, 3), keepdim=True)
        maps = (weights * activation._data).sum(1, keepdim=True).relu()
        size = tuple(inputs.shape[2:])
        if tuple(maps.shape[2:]) != size:
            maps = torch.nn.functional.interpolate(maps, size, mode="bilinear", align_corners=False)
        return wrap(maps)


def _score_of(network: Cell, labels: Any) -> Callable[[Tensor], Tensor]:
    """Return the function that sums up the logits of the labels; those of places are summed, too."""

    def score(images: Tensor) -> Tensor:
        logits = network(images)._data
        place = torch.as_tensor(labels.copy(), device=logits.device)
        return wrap(logits[torch.arange(len(logits), device=logits.device), ..., place].sum())

    return score


def _at(layer: Cell, score: Callable[[Tensor], Tensor], inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Return the output of a layer, and the gradient of the score by it."""
    construct, outputs = layer.construct, []

    def keep(*args: Any, **kwargs: Any) -> Any:
        outputs.append(construct(*args, **kwargs))
        return outputs[-1]

    def score_with(offset: Tensor) -> Tensor:
        layer.construct = lambda *args, **kwargs: construct(*args, **kwargs) + offset  # type: ignore[method-assign]
        return score(inputs)

    try:
        layer.construct = keep  # type: ignore[method-assign]
        score(inputs)
        (activation,) = outputs
        return activation, grad.grad(score_with)(wrap(torch.zeros_like(activation._data)))
    finally:
        layer.construct = construct  # type: ignore[method-assign]


def _hook(network: Cell, rule: Callable[[Cell, Any, Any], Any]) -> None:
    for _, cell in network.cells_and_names():
        if isinstance(cell, ReLU):
            cell.register_backward_hook(rule)


def _positive(gradients: Any) -> tuple[Tensor, ...]:
    return tuple(wrap(one._data.relu()) for one in (gradients if isinstance(gradients, tuple) else (gradients,)))
