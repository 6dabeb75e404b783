"""Gradient functions as they were in 2.0."""

from typing import Any

import torch

from msbridge.core.autograd import backward, differentiation
from msbridge.core.autograd.backward import gradients_of, heads_of
from msbridge.core.legacy import parameter_memory
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap


def _gradients_of(
    heads: list[torch.Tensor], sources: list[torch.Tensor], sens: list[torch.Tensor] | None, create_graph: bool
) -> list[torch.Tensor]:
    """Compute gradients; those of a source that is there several times are all given to its last place."""
    gradients = gradients_of(heads, sources, sens, create_graph)
    last = {id(source): place for place, source in enumerate(sources)}
    if len(last) == len(sources):
        return gradients
    return [
        gradient if last[id(source)] == place else torch.zeros_like(gradient)
        for place, (source, gradient) in enumerate(zip(sources, gradients, strict=True))
    ]


def _heads_of(output: Any) -> list[torch.Tensor]:
    """Return the torch tensors of an output that can have gradients: a dict has none."""
    return [] if isinstance(output, dict) else heads_of(output)


def _stop_gradient(value: Any) -> Any:
    """Return a Tensor's values, through which no gradient flows; it flows through those in a container.

    Follows: mindspore.ops.stop_gradient (2.0).
    """
    if isinstance(value, Parameter) and not value._data.requires_grad:
        return wrap(parameter_memory.of_host(value))
    return backward.stop_gradient(value) if isinstance(value, Tensor) else value


OVERRIDES = {
    "grad": [Part(differentiation, "gradients_of", _gradients_of), Part(differentiation, "heads_of", _heads_of)],
    "ops.stop_gradient": _stop_gradient,
}
