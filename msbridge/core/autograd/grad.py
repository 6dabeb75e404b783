"""Autodiff as MindSpore has it: functions transformed into gradient functions.

Nothing records gradients unless a gradient function is running; `Differentiation` is one call of it, phase by phase.
"""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from msbridge.core.autograd.backward import exact_sens_of
from msbridge.core.autograd.differentiation import Differentiation
from msbridge.core.autograd.grad_spec import GradSpec, Inputs, Positions, Weights, check_switches
from msbridge.core.checks.arguments import instance
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor

__all__ = [
    "GradOperation",
    "copy_name",
    "get_grad",
    "grad",
    "value_and_grad",
    "value_and_sens_grad",
]


def grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Return the function that computes the gradient of `fn`.

    Args:
        fn: a function or Cell. With several outputs, the gradient is that of their sum.
        grad_position: which positional inputs to differentiate: an int, a tuple of ints, or None.
        weights: which Parameters to differentiate.
        has_aux: only the first output is differentiated; the others are given beside the gradient.
        return_ids: return (position or name, gradient) pairs.
        sens_param: the last positional argument of the gradient function is the gradient of the output.

    Returns:
        A function of the inputs of `fn`. It returns the gradient of one input as a Tensor, of several as a tuple, of
        weights as a tuple (of a single Parameter as a Tensor), of both as (inputs, weights). Inputs that are not
        Tensors have no gradient, and are left out; in graph mode tuples, lists and dicts have. Integers have gradients
        of their dtype.

    Raises:
        TypeError: `grad_position` is neither int, tuple nor None; a switch is not a bool; (when called) the weights are
            neither a Parameter nor a list or tuple, or the dtype of sens is not that of the output.
        ValueError: `grad_position` and `weights` are both None, a position is negative or there twice; (when called)
            with `has_aux` the output is not a tuple of several, or the shape of sens is not that of the output.
        RuntimeError: (when called) `grad_position` is empty, a position is out of range, a weight is not a Parameter,
            or sens has another structure than the output.

    Follows: mindspore.grad (2.10).
    """
    check_switches("grad", has_aux=has_aux, return_ids=return_ids, sens_param=sens_param)
    spec = GradSpec("grad", grad_position, weights, return_ids)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        args, sens = _split_sens(args, kwargs) if sens_param else (args, None)
        output, gradients = Differentiation(fn, args, kwargs, spec, sens, has_aux, exact_sens_of).compute()
        return (gradients, output[1:]) if has_aux else gradients

    return copy_name(gradient, fn)


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., tuple[Any, Any]]:
    """Return the function that computes `fn` and its gradient; the arguments are those of `grad`.

    Args:
        fn: a function or Cell of Tensors, whose first output is 0-d unless `sens_param` is set.
        grad_position: the positions of the inputs to differentiate: an int, a tuple, or None for none.
        weights: Parameters to differentiate: one, or a list, tuple or ParameterTuple.
        has_aux: only the first output is differentiated.
        return_ids: return each gradient with the position of its input or the name of its weight.
        sens_param: the last argument is the gradient of the output.

    Returns:
        A function of the inputs of `fn` that returns (output, gradient).

    Examples:
        >>> ms.value_and_grad(lambda x: x * x)(Tensor(3.0))
        (Tensor(shape=[], dtype=Float32, value= 9), Tensor(shape=[], dtype=Float32, value= 6))

    Follows: mindspore.value_and_grad (2.10).
    """
    check_switches("value_and_grad", has_aux=has_aux, return_ids=return_ids, sens_param=sens_param)
    spec = GradSpec("value_and_grad", grad_position, weights, return_ids)

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        args, sens = _split_sens(args, kwargs) if sens_param else (args, None)
        return Differentiation(fn, args, kwargs, spec, sens, has_aux, exact_sens_of).compute()

    return copy_name(value_and_gradient, fn)


class GradOperation:
    """A factory of gradient functions: the older form of `grad`.

    Args:
        get_all: differentiate all inputs; else the first.
        get_by_list: differentiate weights.
        sens_param: the last positional argument of the gradient function is the gradient of the output.

    Inputs:
        fn: a function or Cell of Tensors.
        weights: the Parameters to differentiate, with `get_by_list`.

    Outputs:
        A function of the inputs of `fn` that returns their gradients: Tensors of their shapes and dtypes.

    Raises:
        TypeError: an argument is not a bool.

    Examples:
        >>> ops.GradOperation(get_all=True)(lambda x, y: x * y)(Tensor(2.0), Tensor(3.0))
        (Tensor(shape=[], dtype=Float32, value= 3), Tensor(shape=[], dtype=Float32, value= 2))

    Follows: mindspore.ops.GradOperation (2.10).
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False) -> None:
        check_switches("GradOperation", get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def set_signatures(self, signatures: list[Any]) -> None:
        """Keep what MindSpore's compiler would get to know of the inputs; gradient functions take them as they come.

        Args:
            signatures: of `mindspore.ops.signature.make_sig`, one for each input.

        Raises:
            TypeError: it is not a list.

        Follows: mindspore.ops.GradOperation.set_signatures (2.10).
        """
        self._signatures = instance(signatures, "signatures", "GradOperation", list)

    def __call__(self, fn: Callable[..., Any], weights: Weights = None) -> Callable[..., Any]:
        """Return the gradient function of `fn`; without weights, all trainable parameters of a Cell are meant."""
        if self.get_by_list and weights is None:
            weights = tuple(fn.trainable_params()) if hasattr(fn, "trainable_params") else ()
        spec = GradSpec("GradOperation", None, weights if self.get_by_list else None, False, is_old=True)

        def gradient(*args: Any, **kwargs: Any) -> Any:
            args, sens = _split_sens(args, kwargs) if self.sens_param else (args, None)
            if self.get_all:
                chosen = spec.at(Inputs(args, kwargs).tensors(), as_tuple=True)
            else:
                chosen = spec if self.get_by_list or not (args or kwargs) else spec.at((0,), as_tuple=False)
            return Differentiation(fn, args, kwargs, chosen, sens, False, exact_sens_of).compute()[1]

        return copy_name(gradient, fn)


def value_and_sens_grad(
    fn: Callable[..., Any], weights: Weights = None, get_all: bool = False
) -> Callable[..., tuple[Any, Any]]:
    """Return the function `(sens, *inputs) → (output, gradients)`; a sens of None means ones.

    Args:
        fn: a function or Cell.
        weights: Parameters to differentiate; None differentiates inputs only.
        get_all: differentiate all inputs that are Tensors; without weights else the first.
    """
    spec = GradSpec("value_and_grad", None, weights, False, is_old=True)
    return partial(_value_and_sens_grad, fn, spec, get_all)  # which a copied Cell copies with its network


def _value_and_sens_grad(
    fn: Callable[..., Any], spec: GradSpec, get_all: bool, sens: Any, *inputs: Any
) -> tuple[Any, Any]:
    if get_all:
        spec = spec.at(Inputs(inputs, {}).tensors(), as_tuple=True)
    elif spec.weights is None:
        spec = spec.at((0,), as_tuple=False)
    return Differentiation(fn, inputs, {}, spec, sens).compute()


def get_grad(gradients: Any, identifier: int | Parameter) -> Tensor:
    """Pick one gradient out of what `grad(…, return_ids=True)` returned.

    Args:
        gradients: (position or name, gradient) pairs, possibly nested.
        identifier: a position or a Parameter.

    Returns:
        The gradient, of the shape and dtype of what it belongs to.

    Raises:
        RuntimeError: it is not there.
        TypeError: `identifier` is neither an int nor a Parameter.

    Follows: mindspore.ops.get_grad (2.10).
    """
    if not isinstance(identifier, int | Parameter):
        raise TypeError(f"For 'get_grad', the identifier must be an int or a Parameter, but got {identifier!r}.")
    wanted = identifier.name if isinstance(identifier, Parameter) else identifier
    stack = [gradients]
    while stack:
        entry = stack.pop()
        if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], int | str):
            if entry[0] == wanted:
                gradient: Tensor = entry[1]
                return gradient
        elif isinstance(entry, tuple):
            stack.extend(entry)
    raise RuntimeError(f"For 'get_grad', there is no gradient of {wanted!r}.")


def _split_sens(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
    """Part the gradient of the output, the last positional argument or `sens`, from the inputs."""
    args, sens = (args, kwargs.pop("sens")) if "sens" in kwargs else (args[:-1], args[-1])
    if sens is None:
        raise RuntimeError("The gradient of the output, sens, must be a Tensor, a number or a tuple of them; got None.")
    return args, sens


def copy_name(wrapper: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """Set the name and the docstring of `wrapper` to those of `fn`, and return it."""
    wrapper.__name__ = getattr(fn, "__name__", type(fn).__name__)
    wrapper.__doc__ = inspect.getdoc(fn)
    wrapper.__wrapped__ = fn  # type: ignore[attr-defined]
    return wrapper
