"""Cells that return the output of a function and push a tangent forward, or pull a gradient back."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.jacobians import jvp, vjp
from msbridge.core.autograd.pytree import tensors_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell

__all__ = ["Jvp", "Vjp"]


class _Differential(Cell):
    """A function, and what is called with its inputs and a direction."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__()
        if not callable(fn):
            raise ValueError(f"For '{self.cls_name}', 'fn' must be a function or Cell, but got {fn!r}.")
        self.fn = fn


class Jvp(_Differential):
    """Return the output of a function and the tangent of the output.

    Args:
        fn: a function or Cell.

    Inputs:
        inputs: those of `fn`.
        v: their tangents: a Tensor for one input, a tuple of Tensors for several.

    Returns:
        (output, tangent of the output); tuples where the output is one.

    Raises:
        ValueError: `fn` is not callable.
        TypeError: there are more or fewer tangents than inputs.

    Follows: mindspore.nn.Jvp (2.10).
    """

    def construct(self, *args: Any) -> tuple[Any, Any]:
        *inputs, v = args
        tangents = (v,) if len(inputs) == 1 else v
        if not inputs or not isinstance(tangents, tuple) or len(tangents) != len(inputs):
            raise TypeError(f"For '{self.cls_name}', the last input must be the tangents of those before, a tuple.")
        found: tuple[Any, Any] = jvp(self.fn, tuple(inputs), tuple(map(_like_tensor, tangents, inputs)))  # type: ignore[assignment]
        return found


class Vjp(_Differential):
    """Return the output of a function and the gradients of its inputs.

    Args:
        fn: a function or Cell.

    Inputs:
        inputs: those of `fn`.
        v: the gradient of the output, a Tensor; a tuple where the output is one.

    Returns:
        (output, gradient of the input), and a tuple of gradients for several inputs.

    Raises:
        ValueError: `fn` is not callable.
        TypeError: there is no gradient of the output, or more or fewer than outputs.

    Follows: mindspore.nn.Vjp (2.10).
    """

    def construct(self, *args: Any) -> tuple[Any, Any]:
        *inputs, v = args
        if not inputs:
            raise TypeError(f"For '{self.cls_name}', the last input must be the gradient of the output.")
        output, pull_back = vjp(self.fn, *inputs)
        heads, sens = tensors_of(output), tensors_of(v)
        if len(heads) != len(sens):
            raise TypeError(f"For '{self.cls_name}', {len(heads)} outputs need as many gradients, but got {len(sens)}.")
        gradients = pull_back(*map(_like_tensor, sens, heads))
        return output, gradients[0] if len(inputs) == 1 else gradients


def _like_tensor(direction: Tensor, tensor: Tensor) -> Tensor:
    """Return a tangent or a gradient in the shape of what it belongs to."""
    is_same = not isinstance(direction, Tensor) or direction.shape == tensor.shape
    return direction if is_same else wrap(direction._data.expand_as(tensor._data))
