"""Parameters of which a process comes to hold a part, and what optimizers keep for them."""

from collections.abc import Iterator
from typing import Any

from msbridge.core.context.grad_state import state
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.tensor.tensor import Tensor

__all__ = ["refuse_in_use", "slots_of"]


def refuse_in_use(parameter: Parameter) -> None:
    """Refuse to divide a Parameter that a gradient function is differentiating.

    Raises:
        RuntimeError: it is.
    """
    if id(parameter) in state.lent:
        raise RuntimeError(
            f"The parameter '{parameter.name}' is in use by a gradient function that began before the mode: "
            "put AutoParallel around the whole training step, or set the mode before."
        )


def slots_of(optimizer: Any) -> Iterator[tuple[Tensor, Parameter]]:
    """Yield the optimizer's state of each of its parameters, with the parameter."""
    parameters = optimizer.parameters
    for held in optimizer.__dict__.values():
        if not isinstance(held, ParameterTuple | tuple | list) or len(held) != len(parameters):
            continue
        for one, owner in zip(held, parameters, strict=True):
            if isinstance(one, Tensor) and one is not owner:
                yield one, owner
