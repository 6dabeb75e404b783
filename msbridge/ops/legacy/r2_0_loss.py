"""Losses as they were: binary cross entropy had no gradient for its labels."""

import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.loss import functions
from msbridge.ops.primitive.primitive import derive


def binary_cross_entropy(
    logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Compute the cross entropy of probabilities; the gradient of the labels is zero.

    Follows: mindspore.ops.binary_cross_entropy (2.0).
    """
    still = wrap(labels._data.detach()) if isinstance(labels, Tensor) else labels
    return functions.binary_cross_entropy(logits, still, weight, reduction)


def _divergence(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return labels·(log(labels) - logits), 0 without a gradient where the label is not above 0."""
    return torch.where(labels > 0, torch.xlogy(labels, labels) - labels * logits, 0)


OVERRIDES = {
    "ops.BinaryCrossEntropy": derive("BinaryCrossEntropy", binary_cross_entropy, "reduction"),
    "ops.binary_cross_entropy": binary_cross_entropy,
    "ops.kl_div": Part(functions, "_divergence", _divergence),
}
