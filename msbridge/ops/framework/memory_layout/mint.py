"""Functions of `mint` under torch's argument names."""

from typing import Any

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap


@explaining
def item(input: Tensor) -> Any:
    """Return the only element as a Python number.

    Follows: mindspore.mint.item (2.10).
    """
    return input.item()


@explaining
def clone(input: Tensor) -> Tensor:
    """Return a Tensor of the same values in memory of its own; gradients flow through.

    Follows: mindspore.mint.clone (2.10).
    """
    return wrap(input._data.clone())
