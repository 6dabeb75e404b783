"""Autodiff as MindSpore has it: functions transformed into gradient functions.

Nothing records gradients unless one of these functions is running. For its thread it puts aliases in the place of the
weights it was asked for, passes aliases of the inputs it was asked for to the function, runs it, lets torch compute the
gradients, and puts everything back. Inside another gradient function it leaves its own history for the outer one.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch._C._functorch import peek_interpreter_stack

from msbridge.core import observing
from msbridge.core.gradients import alias_of, gradients_of, heads_of, released, sens_of
from msbridge.core.host import link
from msbridge.core.lending import alias_to_lend, lend, put_back, put_in_place, take_back
from msbridge.core.parameter import Parameter
from msbridge.core.recording import repeats, state
from msbridge.core.sparse.base import SparseBase
from msbridge.core.tensor import Tensor, overwrite, wrap
from msbridge.core.trees import map_tensors, unwrap_tree, wrap_tree

Positions = int | tuple[int, ...] | None
Weights = Parameter | Sequence[Parameter] | None
_Aliases = list[tuple[Tensor, Tensor, torch.Tensor]]


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
        weights as a tuple (of a single Parameter as a Tensor), of both as (inputs, weights).

    Raises:
        TypeError: `grad_position` is neither int, tuple nor None.
        ValueError: `grad_position` and `weights` are both None.
        RuntimeError: (when called) a position is out of range.

    Follows: mindspore.grad (2.10).
    """
    spec = _Spec("grad", grad_position, weights, return_ids)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        args, sens = _split_sens(args, kwargs) if sens_param else (args, None)
        output, gradients = _differentiate(fn, args, kwargs, spec, sens, has_aux)
        return (gradients, output[1:]) if has_aux else gradients

    return named_after(gradient, fn)


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Return the function that computes `fn` and its gradient; the arguments are those of `grad`.

    Returns:
        A function of the inputs of `fn` that returns (output, gradient).

    Follows: mindspore.value_and_grad (2.10).
    """
    spec = _Spec("value_and_grad", grad_position, weights, return_ids)

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        args, sens = _split_sens(args, kwargs) if sens_param else (args, None)
        return _differentiate(fn, args, kwargs, spec, sens, has_aux)

    return named_after(value_and_gradient, fn)


class GradOperation:
    """A factory of gradient functions: the older form of `grad`.

    Args:
        get_all: differentiate all inputs; else the first.
        get_by_list: differentiate weights.
        sens_param: the last positional argument of the gradient function is the gradient of the output.

    Raises:
        TypeError: an argument is not a bool.

    Follows: mindspore.ops.GradOperation (2.10).
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False) -> None:
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'GradOperation', the '{name}' should be bool, but got {type(value).__name__}")
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def __call__(self, fn: Callable[..., Any], weights: Weights = None) -> Callable[..., Any]:
        """Return the gradient function of `fn`; without weights, all trainable parameters of a Cell are meant."""
        if self.get_by_list and weights is None:
            weights = tuple(fn.trainable_params())  # type: ignore[attr-defined]
        spec = _Spec("GradOperation", None, weights if self.get_by_list else None, False, is_old=True)

        def gradient(*args: Any, **kwargs: Any) -> Any:
            args, sens = _split_sens(args, kwargs) if self.sens_param else (args, None)
            if self.get_all:
                positions = tuple(index for index, value in enumerate(args) if isinstance(value, Tensor))
                chosen = spec.at(positions, as_tuple=True)
            else:
                chosen = spec if self.get_by_list else spec.at((0,), as_tuple=False)
            return _differentiate(fn, args, kwargs, chosen, sens)[1]

        return named_after(gradient, fn)


def value_and_sens_grad(
    fn: Callable[..., Any], weights: Weights = None, get_all: bool = False
) -> Callable[..., tuple[Any, Any]]:
    """Return the function `(sens, *inputs) → (output, gradients)`; a sens of None stands for ones.

    Args:
        fn: a function or Cell.
        weights: Parameters to differentiate; None differentiates inputs only.
        get_all: differentiate all inputs that are Tensors; without weights else the first.
    """
    spec = _Spec("value_and_grad", None, weights, False, is_old=True)

    def compute(sens: Any, *inputs: Any) -> tuple[Any, Any]:
        chosen = spec
        if get_all:
            positions = tuple(index for index, value in enumerate(inputs) if isinstance(value, Tensor))
            chosen = spec.at(positions, as_tuple=True)
        elif weights is None:
            chosen = spec.at((0,), as_tuple=False)
        return _differentiate(fn, inputs, {}, chosen, sens=sens)

    return compute


def get_grad(gradients: Any, identifier: int | Parameter) -> Tensor:
    """Pick one gradient out of what `grad(…, return_ids=True)` returned.

    Args:
        gradients: (position or name, gradient) pairs, possibly nested.
        identifier: a position or a Parameter.

    Raises:
        RuntimeError: it is not there.

    Follows: mindspore.ops.get_grad (2.10).
    """
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


class _Spec:
    """Which inputs and weights to differentiate, and the form of the result."""

    __slots__ = ("as_tuple", "is_single_weight", "names", "op", "positions", "return_ids", "weights")

    def __init__(
        self, op: str, grad_position: Positions, weights: Weights, return_ids: bool, is_old: bool = False
    ) -> None:
        if grad_position is None and weights is None and not is_old:
            raise ValueError("`grad_position` and `weight` can not be None at the same time.")
        self.op = op
        self.positions = () if grad_position is None else checked_positions(op, grad_position)
        self.as_tuple = len(self.positions) > 1
        self.is_single_weight = isinstance(weights, Parameter)
        self.weights = None if weights is None else tuple_of(weights)
        self.return_ids = return_ids

    def at(self, positions: tuple[int, ...], as_tuple: bool) -> "_Spec":
        """Return the same specification for other positions."""
        result = _Spec.__new__(_Spec)
        result.op, result.positions, result.as_tuple = self.op, positions, as_tuple
        result.is_single_weight, result.weights, result.return_ids = (
            self.is_single_weight,
            self.weights,
            self.return_ids,
        )
        return result

    def shaped(self, of_inputs: Any, of_weights: Any, has_inputs: bool) -> Any:
        """Arrange the gradients of inputs and weights as the caller expects them."""
        if self.return_ids:
            of_inputs = tuple(zip(self.positions, of_inputs, strict=True))
            names = [weight.name for weight in self.weights or ()]
            of_weights = tuple(zip(names, of_weights, strict=True))
        if has_inputs and not self.as_tuple:
            of_inputs = of_inputs[0]
        if self.is_single_weight:
            of_weights = of_weights[0]
        if self.weights is None:
            return of_inputs
        return (of_inputs, of_weights) if has_inputs else of_weights


def _split_sens(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
    """Part the gradient of the output, the last positional argument or `sens`, from the inputs."""
    return (args, kwargs.pop("sens")) if "sens" in kwargs else (args[:-1], args[-1])


def _differentiate(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    spec: _Spec,
    sens: Any = None,
    has_aux: bool = False,
) -> tuple[Any, Any]:
    """Run `fn` and compute its gradients: (output, gradients)."""
    if peek_interpreter_stack() is not None or torch.compiler.is_compiling():
        return _differentiate_in_transform(fn, args, kwargs, spec, sens, has_aux)
    is_nested = state.depth > 0
    aliased: _Aliases = []
    originals = args
    if spec.positions:
        args, aliased = _with_aliases(args, spec)
    sources = [data for _, _, data in aliased]
    weights: list[Parameter] = []
    leaves: dict[int, torch.Tensor] = {}
    handles: list[Any] = []
    for weight in spec.weights or ():
        data = weight._data
        if not data.requires_grad and weight._requires_grad and data.is_floating_point():
            alias = leaves.get(id(weight))
            if alias is None:
                alias = leaves[id(weight)] = alias_to_lend(data)
                weights.append(weight)
                if weight.__dict__.get("_pending_hooks"):
                    observing.call_out(f"it calls the hooks of '{weight.name}'")
                    handles += map(alias.register_hook, weight.__dict__["_pending_hooks"])
            data = alias
        sources.append(data)
    aliases = list(leaves.values())
    observers = () if is_nested else observing.active
    for observer in observers:
        observer.begin_gradients(originals, weights)
    gradients: Any = None
    before = lend(weights, aliases)
    state.depth += 1
    try:
        with torch.enable_grad():
            state.is_repeat = repeats(fn, originals)
            output = fn(*args, **kwargs)
            state.is_repeat = False
            heads = heads_of(output[0] if has_aux else output)
            gradients = gradients_of(heads, sources, sens_of(sens, heads), create_graph=is_nested)
    finally:
        state.depth -= 1
        state.is_repeat = False
        for weight, alias, current in zip(weights, aliases, take_back(weights, before), strict=True):
            if current is not alias:
                overwrite(weight, current.detach())
        for handle in handles:
            handle.remove()
        for original, stand_in, data in aliased:
            if stand_in._data is not data:
                original._data.data.copy_(stand_in._data.detach())
        for observer in reversed(observers):
            observer.end_gradients(gradients)
    if not is_nested:
        output = released(output)
        link.pending = True
    wrapped = iter(map(wrap, gradients))
    of_inputs = tuple(
        next(wrapped) if isinstance(original, SparseBase) else map_tensors(lambda _: next(wrapped), original)
        for original in (originals[position] for position in spec.positions)
    )
    return output, spec.shaped(of_inputs, tuple(wrapped), bool(spec.positions) or spec.as_tuple)


def _differentiate_in_transform(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], spec: _Spec, sens: Any, has_aux: bool
) -> tuple[Any, Any]:
    """Do what `_differentiate` does inside vmap or a compiled region, where only torch.func may take gradients."""
    weights = spec.weights or ()
    count = len(spec.positions)

    def over_torch(*sources: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], Any]:
        arguments = list(args)
        for position, source in zip(spec.positions, sources[:count], strict=True):
            arguments[position] = wrap(source)
        before = put_in_place(weights, sources[count:])
        try:
            output = fn(*arguments, **kwargs)
        finally:
            put_back(weights, before)
        return tuple(heads_of(output[0] if has_aux else output)), unwrap_tree(output)

    state.depth += 1
    try:
        sources = [value._data for value in (*(args[position] for position in spec.positions), *weights)]
        heads, pull_back, output = torch.func.vjp(over_torch, *sources, has_aux=True)  # type: ignore[misc]
        cotangents = sens_of(sens, list(heads)) or [torch.ones_like(head) for head in heads]
        gradients = pull_back(tuple(cotangents))
    finally:
        state.depth -= 1
    wrapped = tuple(map(wrap, gradients))
    return wrap_tree(output), spec.shaped(wrapped[:count], wrapped[count:], bool(spec.positions) or spec.as_tuple)


def _with_aliases(args: tuple[Any, ...], spec: _Spec) -> tuple[tuple[Any, ...], _Aliases]:
    """Substitute aliases for the inputs to differentiate; return (original, alias, its torch tensor) of each."""
    aliased: _Aliases = []

    def put_alias(original: Tensor) -> Tensor:
        data = alias_of(original._data)
        aliased.append((original, wrap(data), data))
        return aliased[-1][1]

    arguments = list(args)
    for position in spec.positions:
        if not -len(args) <= position < len(args):
            raise RuntimeError(f"Position index {position} is exceed input size.")
        if not isinstance(args[position], Tensor | tuple | list | SparseBase):
            raise TypeError(
                f"For '{spec.op}', input {position} must be a Tensor to be differentiated, got {args[position]!r}."
            )
        arguments[position] = map_tensors(put_alias, args[position])
    return tuple(arguments), aliased


def checked_positions(op: str, grad_position: Any) -> tuple[int, ...]:
    """Return positions as a tuple of ints.

    Raises:
        TypeError: they are something else.
    """
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    if not all(isinstance(position, int) and not isinstance(position, bool) for position in positions):
        raise TypeError(f"For 'F.{op}', the 'grad_position' must be int or tuple.")
    return positions


def tuple_of(weights: Any) -> tuple[Parameter, ...]:
    """Return one Parameter, or several, as a tuple.

    Raises:
        TypeError: there is neither a Parameter nor a row of them.
    """
    if isinstance(weights, Parameter):
        return (weights,)
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        raise TypeError(f"The weights must be a Parameter, or a list or tuple of them, but got {weights!r}.")
    return tuple(weights)


def named_after(wrapper: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """Set the name and the docstring of `wrapper` to those of `fn`, and return it."""
    wrapper.__name__ = getattr(fn, "__name__", type(fn).__name__)
    wrapper.__doc__ = inspect.getdoc(fn)
    wrapper.__wrapped__ = fn  # type: ignore[attr-defined]
    return wrapper
