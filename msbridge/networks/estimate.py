"""The memory that training of a network needs, without running it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from msbridge import nn
from msbridge.core.autograd.grad import value_and_grad
from msbridge.core.autograd.pytree import tensors_of
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor
from msbridge.device.report.estimating import Estimate, Estimator
from msbridge.nn.bridge.conversion import from_torch
from msbridge.ops import sum as sum_elements

__all__ = ["estimate"]

_RATE = 0.1  # where one is required; which it is makes no difference to the memory
_MAKERS: Mapping[str, Callable[[Any], Any]] = {
    "adam": nn.Adam,
    "adamw": nn.AdamWeightDecay,
    "lamb": lambda parameters: nn.Lamb(parameters, _RATE),
    "momentum": lambda parameters: nn.Momentum(parameters, _RATE, 0.9),
    "rmsprop": nn.RMSProp,
    "sgd": lambda parameters: nn.SGD(parameters, _RATE),
}


def estimate(network: nn.Cell | torch.nn.Module, inputs: Sequence[Any], optimizer: str, limit: int) -> Estimate:
    """Return the memory that a training step of a network needs; the loss is the sum of its outputs.

    Args:
        network: a Cell or a torch module.
        inputs: what it is called with.
        optimizer: one of `options.OPTIMIZERS`.
        limit: the memory of the device, in bytes.

    Raises:
        ValueError: the network has no parameters that are trained.
    """
    cell = network if isinstance(network, nn.Cell) else from_torch(network)
    weights = cell.trainable_params()
    if not weights:
        raise ValueError("the network has no parameters that are trained.")
    was_training = cell.training
    results: list[Estimate] = []
    estimator = Estimator(limit, results.append)
    compute = value_and_grad(lambda *values: _loss(cell(*values)), None, weights)
    observers.add(estimator)
    try:
        cell.set_train()
        compute(*(one if isinstance(one, Tensor) else Tensor(one) for one in inputs))
        estimator.update(_MAKERS[optimizer](weights))
    finally:
        observers.remove(estimator)
        cell.set_train(was_training)
    return results[0]


def _loss(outputs: Any) -> Tensor:
    """Return a number that depends on all outputs of a network."""
    floats = [one for one in tensors_of(outputs) if one.is_floating_point()]
    total = sum_elements(floats[0].float())
    for one in floats[1:]:
        total = total + sum_elements(one.float())
    return total
