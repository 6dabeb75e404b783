"""Autodiff as MindSpore has it: functions transformed into gradient functions.

Nothing records gradients unless one of these functions is running. For its thread it puts aliases in place of the
weights it was asked for, passes aliases of the inputs it was asked for to the function, runs it, lets torch compute the
gradients, and puts everything back. Inside another gradient function it leaves its own history for the outer one.
"""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch._C._functorch import peek_interpreter_stack

from msbridge.core.autograd.backward import alias_of, exact_sens_of, gradients_of, heads_of, released, sens_of
from msbridge.core.autograd.grad_spec import Inputs, Positions, Wanted, Weights, can_have_gradient, checked_switches
from msbridge.core.autograd.pytree import map_tensors, unwrap_tree, wrap_tree
from msbridge.core.checks.arguments import instance
from msbridge.core.context.grad_state import repeats, state
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.jit.graph_results import apart
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime import observers
from msbridge.core.runtime.device_to_host import link
from msbridge.core.sparse.base import SparseBase
from msbridge.core.tensor.integer_gradients import dual_of
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.recorded_writes import settle
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.thread_local_data import alias_to_lend, lend, put_back, put_in_place, take_back

__all__ = [
    "GradOperation",
    "get_grad",
    "grad",
    "named_after",
    "surround_gradients",
    "value_and_grad",
    "value_and_sens_grad",
]

_Alias = tuple[Tensor, Tensor, torch.Tensor]


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
        weights as a tuple (of a single Parameter as a Tensor), of both as (inputs, weights). Inputs that are no Tensors
        have no gradient, and are left out; in graph mode tuples, lists and dicts have. Integers have gradients of their
        dtype.

    Raises:
        TypeError: `grad_position` is neither int, tuple nor None; a switch is no bool; (when called) the dtype of sens
            is not that of the output.
        ValueError: `grad_position` and `weights` are both None, a position is negative or there twice; (when called)
            with `has_aux` the output is no tuple of several, or the shape of sens is not that of the output.
        RuntimeError: `grad_position` is empty; (when called) a position is out of range, or sens has another structure
            than the output.

    Follows: mindspore.grad (2.10).
    """
    checked_switches("grad", has_aux=has_aux, return_ids=return_ids, sens_param=sens_param)
    spec = Wanted("grad", grad_position, weights, return_ids)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        args, sens = _split_sens(args, kwargs) if sens_param else (args, None)
        output, gradients = _differentiate(fn, args, kwargs, spec, sens, has_aux, exact_sens_of)
        return (gradients, output[1:]) if has_aux else gradients

    return named_after(gradient, fn)


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., tuple[Any, Any]]:
    """Return the function that computes `fn` and its gradient; the arguments are those of `grad`.

    Returns:
        A function of the inputs of `fn` that returns (output, gradient).

    Follows: mindspore.value_and_grad (2.10).
    """
    checked_switches("value_and_grad", has_aux=has_aux, return_ids=return_ids, sens_param=sens_param)
    spec = Wanted("value_and_grad", grad_position, weights, return_ids)

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        args, sens = _split_sens(args, kwargs) if sens_param else (args, None)
        return _differentiate(fn, args, kwargs, spec, sens, has_aux, exact_sens_of)

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
        checked_switches("GradOperation", get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def set_signatures(self, signatures: list[Any]) -> None:
        """Keep what MindSpore's compiler is told of the inputs; gradient functions take them as they come.

        Args:
            signatures: of `mindspore.ops.signature.make_sig`, one for each input.

        Raises:
            TypeError: it is no list.

        Follows: mindspore.ops.GradOperation.set_signatures (2.10).
        """
        self._signatures = instance(signatures, "signatures", "GradOperation", list)

    def __call__(self, fn: Callable[..., Any], weights: Weights = None) -> Callable[..., Any]:
        """Return the gradient function of `fn`; without weights, all trainable parameters of a Cell are meant."""
        if self.get_by_list and weights is None:
            weights = tuple(fn.trainable_params()) if hasattr(fn, "trainable_params") else ()
        spec = Wanted("GradOperation", None, weights if self.get_by_list else None, False, is_old=True)

        def gradient(*args: Any, **kwargs: Any) -> Any:
            args, sens = _split_sens(args, kwargs) if self.sens_param else (args, None)
            if self.get_all:
                chosen = spec.at(Inputs(args, kwargs).tensors(), as_tuple=True)
            else:
                chosen = spec if self.get_by_list or not (args or kwargs) else spec.at((0,), as_tuple=False)
            return _differentiate(fn, args, kwargs, chosen, sens, False, exact_sens_of)[1]

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
    spec = Wanted("value_and_grad", None, weights, False, is_old=True)
    return partial(_value_and_sens_grad, fn, spec, get_all)  # which a copied Cell copies with its network


def _value_and_sens_grad(
    fn: Callable[..., Any], spec: Wanted, get_all: bool, sens: Any, *inputs: Any
) -> tuple[Any, Any]:
    if get_all:
        spec = spec.at(Inputs(inputs, {}).tensors(), as_tuple=True)
    elif spec.weights is None:
        spec = spec.at((0,), as_tuple=False)
    return _differentiate(fn, inputs, {}, spec, sens=sens)


def get_grad(gradients: Any, identifier: int | Parameter) -> Tensor:
    """Pick one gradient out of what `grad(…, return_ids=True)` returned.

    Args:
        gradients: (position or name, gradient) pairs, possibly nested.
        identifier: a position or a Parameter.

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


def _differentiate(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    spec: Wanted,
    sens: Any = None,
    has_aux: bool = False,
    sens_fit: Callable[..., Any] = sens_of,
) -> tuple[Any, Any]:
    """Run `fn` and compute its gradients: (output, gradients)."""
    if peek_interpreter_stack() is not None or torch.compiler.is_compiling():
        return _differentiate_in_transform(fn, args, kwargs, spec, sens, has_aux, sens_fit)
    is_nested = state.depth > 0
    originals = args
    sources: list[torch.Tensor] = []
    weights: list[Parameter] = []
    leaves: dict[int, torch.Tensor] = {}
    handles: list[Any] = []
    for weight in spec.weights or ():
        data = weight._data
        if not data.requires_grad and weight._requires_grad:
            alias = leaves.get(id(weight))
            if alias is None:
                alias = leaves[id(weight)] = alias_to_lend(data) if data.is_floating_point() else dual_of(data)
                weights.append(weight)
                if weight.__dict__.get("_pending_hooks"):
                    observers.call_out(f"it calls the hooks of '{weight.name}'")
                    handles += map(alias.register_hook, weight.__dict__["_pending_hooks"])
            data = alias
        sources.append(data)
    lent: list[Tensor] = [*weights]
    aliases = list(leaves.values())
    aliased: dict[int, list[_Alias]] = {}
    if spec.positions:
        args, kwargs, aliased = _with_aliases(fn, args, kwargs, spec, leaves)
        sources = [data for group in aliased.values() for _, _, data in group] + sources
        if not is_graph():  # there inputs are values; here they are Tensors that the function may know by other names
            also = {id(original): (original, data) for group in aliased.values() for original, _, data in group}
            lent += [original for key, (original, _) in also.items() if key not in leaves]
            aliases += [data for key, (_, data) in also.items() if key not in leaves]
    watching = () if is_nested else observers.active
    for observer in watching:
        observer.begin_gradients(originals, weights)
    gradients: Any = None
    before = lend(lent, aliases)
    state.depth += 1
    outer, state.is_graph = state.is_graph, is_graph()
    try:
        with torch.enable_grad():
            state.is_repeat = repeats(fn, originals)
            output = fn(*args, **kwargs)
            state.is_repeat = False
            state.is_graph = outer
            heads = heads_of(_first_of(output) if has_aux else output)
            if not heads:
                _check_empty(output)
            gradients = gradients_of(heads, sources, sens_fit(sens, heads), create_graph=is_nested)
    finally:
        state.depth -= 1
        state.is_graph = outer
        state.is_repeat = False
        settle()
        for tensor, alias, current in zip(lent, aliases, take_back(lent, before), strict=True):
            if current is not alias:
                overwrite(tensor, current.detach())
        for handle in handles:
            handle.remove()
        for group in aliased.values():
            for original, stand_in, data in group:
                if stand_in is not original and stand_in._data is not data:
                    original._data.data.copy_(stand_in._data.detach())
        for observer in reversed(watching):
            observer.end_gradients(gradients)
    if not is_nested:
        output = released(output)
        if is_graph() and not state.is_graph:  # where a function of `jit` or a Cell runs this, the graph ends there
            output = apart(output, originals)
        link.pending = True
    if not aliased:
        return output, spec.shaped({}, tuple(map(wrap, gradients)))
    wrapped = iter(map(wrap, gradients))
    values = Inputs(originals, kwargs).values
    plain = (Tensor,) if is_graph() else (Tensor, SparseBase)  # the gradient of a sparse one is sparse in graphs alone
    of_inputs = {
        position: next(wrapped)
        if isinstance(values[position], plain)
        else map_tensors(lambda _: next(wrapped), values[position])
        for position in aliased
    }
    return output, spec.shaped(of_inputs, tuple(wrapped))


_own_differentiate = _differentiate


def surround_gradients(around: Callable[[Callable[..., Any]], Callable[..., Any]] | None) -> None:
    """Put something around what all gradient functions do, or take it away with None.

    Args:
        around: gives the new `_differentiate` of the one inside.
    """
    global _differentiate
    _differentiate = _own_differentiate if around is None else around(_own_differentiate)


def _with_aliases(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    spec: Wanted,
    leaves: dict[int, torch.Tensor],
) -> tuple[tuple[Any, ...], dict[str, Any], dict[int, list[_Alias]]]:
    """Substitute aliases for the inputs to differentiate; return (original, alias, its torch tensor) of each.

    In PyNative mode a Tensor stays itself, and its alias is lent: where it is there twice, is among the weights too, or
    is used by the function without being passed to it, all its gradients are summed.
    """
    inputs = Inputs(args, kwargs)
    aliased: dict[int, list[_Alias]] = {}
    known = {} if is_graph() else dict(leaves)

    for position in spec.positions:
        if position >= len(inputs.values):
            fn(*args, **kwargs)  # what is wrong with the call comes first
            raise RuntimeError(f"Position index {position} is exceed input size.")
        value = inputs.values[position]
        if not can_have_gradient(value):
            continue
        group: list[_Alias] = []

        def put_alias(original: Tensor, group: list[_Alias] = group) -> Tensor:
            data = known.get(id(original))
            if data is None:
                data = alias_of(original._data)
                for hook in original.__dict__.get("_pending_hooks", ()) if data.requires_grad else ():
                    data.register_hook(hook)
                if not is_graph():
                    known[id(original)] = data
            group.append((original, wrap(data) if is_graph() else original, data))
            return group[-1][1]

        inputs.values[position] = map_tensors(put_alias, value)
        aliased[position] = group
    return *inputs.arguments(), aliased


def _first_of(output: Any) -> Any:
    """Return what is differentiated of an output with auxiliary values."""
    if not isinstance(output, tuple) or len(output) < 2:
        raise ValueError("When has_aux is True, the function must return a tuple of two values or more.")
    return output[0]


def _check_empty(output: Any) -> None:
    if isinstance(output, tuple | list) and not output:
        raise RuntimeError("The function returns an empty tuple or list, of which there is no gradient.")


def _differentiate_in_transform(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    spec: Wanted,
    sens: Any,
    has_aux: bool,
    sens_fit: Callable[..., Any],
) -> tuple[Any, Any]:
    """Do what `_differentiate` does inside vmap or a compiled region, where only torch.func may take gradients."""
    weights = spec.weights or ()
    values = Inputs(args, kwargs).values
    positions = [position for position in spec.positions if isinstance(values[position], Tensor)]
    count = len(positions)

    def over_torch(*sources: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], Any]:
        inputs = Inputs(args, kwargs)
        for position, source in zip(positions, sources[:count], strict=True):
            inputs.values[position] = wrap(source)
        in_order, named = inputs.arguments()
        before = put_in_place(weights, sources[count:])
        try:
            output = fn(*in_order, **named)
        finally:
            put_back(weights, before)
        return tuple(heads_of(_first_of(output) if has_aux else output)), unwrap_tree(output)

    state.depth += 1
    try:
        sources = [value._data for value in (*(values[position] for position in positions), *weights)]
        heads, pull_back, output = torch.func.vjp(over_torch, *sources, has_aux=True)  # type: ignore[misc]
        cotangents = sens_fit(sens, list(heads)) or [torch.ones_like(head) for head in heads]
        gradients = pull_back(tuple(cotangents))
    finally:
        state.depth -= 1
    wrapped = tuple(map(wrap, gradients))
    return wrap_tree(output), spec.shaped(dict(zip(positions, wrapped[:count], strict=True)), wrapped[count:])


def named_after(wrapper: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """Set the name and the docstring of `wrapper` to those of `fn`, and return it."""
    wrapper.__name__ = getattr(fn, "__name__", type(fn).__name__)
    wrapper.__doc__ = inspect.getdoc(fn)
    wrapper.__wrapped__ = fn  # type: ignore[attr-defined]
    return wrapper
