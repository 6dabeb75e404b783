"""Gradient specs: positions of inputs, weights, and the form of the result."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.checks.arguments import boolean
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.sparse.base import SparseBase
from msbridge.core.tensor.tensor import Tensor

__all__ = [
    "GradSpec",
    "Inputs",
    "Positions",
    "Weights",
    "can_have_gradient",
    "check_positions",
    "check_switches",
    "tuple_of",
]

Positions = int | tuple[int, ...] | None
Weights = Parameter | Sequence[Parameter] | None


class GradSpec:
    """The inputs and weights to differentiate, and the form of the result.

    Args:
        op: the function that was called.
        grad_position: which inputs.
        weights: which Parameters; None asks for none.
        return_ids: the result has (position or name, gradient) pairs.
        is_old: neither inputs nor weights need to be asked for.

    What is wrong with the weights, or that the positions are empty, is said by a call (`check`), as in MindSpore.
    """

    __slots__ = ("as_tuple", "is_single_weight", "op", "positions", "refusal", "return_ids", "weights")

    def __init__(
        self, op: str, grad_position: Positions, weights: Weights, return_ids: bool, is_old: bool = False
    ) -> None:
        if grad_position is None and weights is None and not is_old:
            raise ValueError("`grad_position` and `weight` can not be None at the same time.")
        self.op = op
        self.positions: tuple[int, ...] = () if grad_position is None else check_positions(op, grad_position)
        self.refusal = _refusal_of(op, grad_position, weights)
        self.as_tuple = False
        self.is_single_weight = isinstance(weights, Tensor)
        self.weights = None if weights is None or self.refusal is not None else tuple_of(weights)
        self.return_ids = return_ids

    def check(self) -> None:
        """Check what a call needs.

        Raises:
            RuntimeError: the positions are empty, or a weight is not a Parameter.
            TypeError: the weights are neither a Parameter nor a list or tuple.
        """
        if self.refusal is not None:
            raise type(self.refusal)(*self.refusal.args)

    def at(self, positions: tuple[int, ...], as_tuple: bool) -> "GradSpec":
        """Return the same for other positions; `as_tuple` makes a tuple of a single gradient too."""
        result = GradSpec.__new__(GradSpec)
        result.op, result.positions, result.as_tuple = self.op, positions, as_tuple
        result.refusal = self.refusal
        result.is_single_weight, result.weights, result.return_ids = (
            self.is_single_weight,
            self.weights,
            self.return_ids,
        )
        return result

    def with_others(self, others: Sequence[Parameter]) -> "GradSpec":
        """Return the same for more weights; the gradients of weights are then a tuple of Tensors."""
        result = self.at(self.positions, self.as_tuple)
        result.weights, result.is_single_weight, result.return_ids = (*(self.weights or ()), *others), False, False
        return result

    def arrange(self, of_inputs: dict[int, Any], of_weights: tuple[Any, ...]) -> Any:
        """Arrange the gradients of inputs, by position, and of weights as the caller expects them."""
        inputs: Any = tuple(of_inputs.items()) if self.return_ids else tuple(of_inputs.values())
        if len(inputs) == 1 and not self.as_tuple:
            inputs = inputs[0]
        if self.weights is None:
            return inputs
        result = self.arrange_weights(of_weights)
        return (inputs, result) if self.positions or self.as_tuple else result

    def arrange_weights(self, of_weights: tuple[Any, ...]) -> Any:
        """Arrange the gradients of weights as the caller expects them."""
        if self.return_ids:
            of_weights = tuple((weight.name, of) for weight, of in zip(self.weights or (), of_weights, strict=True))
        return of_weights[0] if self.is_single_weight else of_weights


class Inputs:
    """The inputs of a call by position, those given by name after the others.

    Args:
        args: what was given in order.
        kwargs: what was given by name.
    """

    __slots__ = ("_count", "_names", "values")

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.values = [*args, *kwargs.values()]
        self._count, self._names = len(args), list(kwargs)

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return them as a call takes them."""
        return tuple(self.values[: self._count]), dict(zip(self._names, self.values[self._count :], strict=True))

    def tensors(self) -> tuple[int, ...]:
        """Return the positions of Tensors, sparse ones too."""
        return tuple(index for index, value in enumerate(self.values) if isinstance(value, Tensor | SparseBase))


def can_have_gradient(value: Any) -> bool:
    """Whether MindSpore computes a gradient for an input: a Tensor, a sparse one; in graph mode a container of them."""
    if isinstance(value, Tensor | SparseBase):
        return True
    return isinstance(value, tuple | list | dict) and is_graph()


def check_positions(op: str, grad_position: Any) -> tuple[int, ...]:
    """Return positions as a tuple of ints.

    Raises:
        TypeError: they are something else.
        ValueError: one is negative, or there twice.
    """
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    if not all(isinstance(position, int) for position in positions):
        raise TypeError(f"For 'F.{op}', the 'grad_position' must be int or tuple.")
    if any(position < 0 for position in positions):
        raise ValueError(f"For '{op}', grad_position must be >= 0, got {grad_position}.")
    if len(set(positions)) < len(positions):
        raise ValueError(f"For '{op}', there are duplicate positions in grad_position: {grad_position}.")
    return tuple(map(int, positions))


def check_switches(op: str, **switches: Any) -> None:
    """Check that arguments are bools.

    Raises:
        TypeError: one is not.
    """
    for name, value in switches.items():
        boolean(value, name, op)


def _refusal_of(op: str, grad_position: Any, weights: Any) -> Exception | None:
    """Return the error for positions and weights that do not fit a call; None where they do."""
    if grad_position == ():
        return RuntimeError(f"For '{op}', grad_position is empty: it must name an input, or be None.")
    if weights is None:
        return None
    try:
        parameters = tuple_of(weights)
    except TypeError as error:
        return error
    if all(isinstance(parameter, Tensor) for parameter in parameters):
        return None
    return RuntimeError(f"For '{op}', the weights must be Parameters, but got {weights!r}.")


def tuple_of(weights: Any) -> tuple[Parameter, ...]:
    """Return one Parameter, or several, as a tuple.

    Raises:
        TypeError: there is neither a Parameter nor a list or tuple of them.
    """
    if isinstance(weights, Tensor):
        return (weights,)  # type: ignore[return-value]
    if not isinstance(weights, tuple | list):
        raise TypeError(f"The weights must be a Parameter, or a list or tuple of them, but got {weights!r}.")
    return tuple(weights)
