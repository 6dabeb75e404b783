"""Autodiff as MindSpore has it: gradient functions made of functions.

Nothing records gradients unless one of these functions is running. It switches recording on for the weights it was
asked for, gives the function aliases of the inputs it was asked for, runs it, lets torch compute the gradients, and
puts everything back. Inside another gradient function it leaves its own history for the outer one.
"""

import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ContextDecorator, contextmanager
from typing import Any

import torch
from torch._C._functorch import peek_interpreter_stack

from msbridge.core.parameter import Parameter
from msbridge.core.tensor import Tensor, wrap
from msbridge.core.trees import map_tensors, tensors_of, unwrap_tree, wrap_tree

Positions = int | tuple[int, ...] | None
Weights = Parameter | Sequence[Parameter] | None

observers: list[Callable[[list[torch.Tensor]], None]] = []  # called with the gradients of every gradient function


class _Running(threading.local):
    """What is running in this thread.

    Attributes:
        depth: how many gradient functions, one inside the other.
        is_repeat: the innermost runs a Cell that the script has just called on the same inputs.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.is_repeat = False


_running = _Running()


def running() -> bool:
    """Whether a gradient function is running."""
    return _running.depth > 0


def is_repeat() -> bool:
    """Whether what is running was run just before on the same inputs, so that its statistics are counted already.

    A training step written by hand calls its network for the loss, and then takes the gradient of the same call.
    MindSpore runs both as one: in graph mode, and in PyNative mode after `set_grad()`.
    """
    return _running.is_repeat


@contextmanager
def recording() -> Iterator[None]:
    """Record gradients in the block, as a gradient function does while it runs its function."""
    _running.depth += 1
    try:
        with torch.enable_grad():
            yield
    finally:
        _running.depth -= 1


class _no_grad(ContextDecorator):
    """Record nothing in a block, or in a function that this decorates: gradients take what it gives for constants.

    A gradient function that is called inside records as ever; MindSpore refuses it.

    Follows: mindspore._no_grad (2.10).
    """

    def __enter__(self) -> None:
        self.was_enabled = torch.is_grad_enabled()
        torch.set_grad_enabled(False)

    def __exit__(self, *error: object) -> None:
        torch.set_grad_enabled(self.was_enabled)

    def _recreate_cm(self) -> "_no_grad":
        return _no_grad()


def stop_gradient(value: Any) -> Any:
    """Give the same values, through which no gradient flows.

    Args:
        value: a Tensor, or a tuple or list of them.

    Follows: mindspore.ops.stop_gradient (2.10).
    """
    return map_tensors(lambda tensor: wrap(tensor._data.detach()), value)


def grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Make the function that computes the gradient of `fn`.

    Args:
        fn: a function or Cell. With several outputs, the gradient is that of their sum.
        grad_position: which positional inputs to differentiate: an int, a tuple of ints, or None.
        weights: which Parameters to differentiate.
        has_aux: only the first output is differentiated; the others are given beside the gradient.
        return_ids: give (position or name, gradient) pairs.
        sens_param: the last positional argument of the gradient function is the gradient of the output.

    Returns:
        A function of the inputs of `fn`. It gives the gradient of one input as a Tensor, of several as a tuple, of
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
    """Make the function that computes `fn` and its gradient; the arguments are those of `grad`.

    Returns:
        A function of the inputs of `fn` that gives (output, gradient).

    Follows: mindspore.value_and_grad (2.10).
    """
    spec = _Spec("value_and_grad", grad_position, weights, return_ids)

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        args, sens = _split_sens(args, kwargs) if sens_param else (args, None)
        return _differentiate(fn, args, kwargs, spec, sens, has_aux)

    return named_after(value_and_gradient, fn)


class GradOperation:
    """Makes gradient functions; the older form of `grad`.

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
        """Make the gradient function of `fn`; without weights, all trainable parameters of a Cell are meant."""
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
    """Make the function `(sens, *inputs) → (output, gradients)`; a sens of None stands for ones.

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
    """Pick one gradient out of what `grad(…, return_ids=True)` gave.

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
                return entry[1]
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
        """Give the same specification for other positions."""
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


def _split_sens(args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, Any]:
    """Part the gradient of the output, the last positional argument or `sens`, from the inputs."""
    return (args, kwargs.pop("sens")) if "sens" in kwargs else (args[:-1], args[-1])


def _differentiate(
    fn: Callable[..., Any],
    args: tuple,
    kwargs: dict[str, Any],
    spec: _Spec,
    sens: Any = None,
    has_aux: bool = False,
) -> tuple[Any, Any]:
    """Run `fn` and compute its gradients: (output, gradients)."""
    if peek_interpreter_stack() is not None or torch.compiler.is_compiling():
        return _differentiate_in_transform(fn, args, kwargs, spec, sens, has_aux)
    is_nested = _running.depth > 0
    aliased: list[tuple[Tensor, Tensor, torch.Tensor]] = []
    originals = args
    if spec.positions:
        args, aliased = _with_aliases(args, spec)
    sources = [data for _, _, data in aliased]
    switched: list[tuple[Parameter, torch.Tensor]] = []
    handles: list[Any] = []
    _running.depth += 1
    try:
        for weight in spec.weights or ():
            data = weight._data
            sources.append(data)
            if not data.requires_grad and weight._requires_grad and data.is_floating_point():
                data.requires_grad_(True)
                switched.append((weight, data))
                if "_pending_hooks" in weight.__dict__:
                    handles += [data.register_hook(hook) for hook in weight.__dict__["_pending_hooks"]]
        with torch.enable_grad():
            _running.is_repeat = _was_just_called(fn, originals)
            output = fn(*args, **kwargs)
            _running.is_repeat = False
            heads = heads_of(output[0] if has_aux else output)
            gradients = gradients_of(heads, sources, _sens_of(sens, heads), create_graph=is_nested)
    finally:
        _running.depth -= 1
        _running.is_repeat = False
        for weight, data in switched:
            data.requires_grad_(False)
            if weight._data is not data:
                data.copy_(weight._data.detach())
                weight._data = data
        for handle in handles:
            handle.remove()
        for original, alias, data in aliased:
            if alias._data is not data:
                original._data.data.copy_(alias._data.detach())
    if not is_nested:
        output = released(output)
    wrapped = iter(map(wrap, gradients))
    of_inputs = tuple(map_tensors(lambda _: next(wrapped), originals[position]) for position in spec.positions)
    return output, spec.shaped(of_inputs, tuple(wrapped), bool(spec.positions) or spec.as_tuple)


def _differentiate_in_transform(
    fn: Callable[..., Any], args: tuple, kwargs: dict[str, Any], spec: _Spec, sens: Any, has_aux: bool
) -> tuple[Any, Any]:
    """Do what `_differentiate` does inside vmap or a compiled region, where only torch.func may take gradients."""
    weights = spec.weights or ()
    originals = [weight._data for weight in weights]
    count = len(spec.positions)

    def over_torch(*sources: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], Any]:
        arguments = list(args)
        for position, source in zip(spec.positions, sources[:count], strict=True):
            arguments[position] = wrap(source)
        try:
            for weight, source in zip(weights, sources[count:], strict=True):
                weight._data = source
            output = fn(*arguments, **kwargs)
        finally:
            for weight, data in zip(weights, originals, strict=True):
                weight._data = data
        return tuple(heads_of(output[0] if has_aux else output)), unwrap_tree(output)

    _running.depth += 1
    try:
        sources = [*(args[position]._data for position in spec.positions), *originals]
        heads, pull_back, output = torch.func.vjp(over_torch, *sources, has_aux=True)  # type: ignore[misc]
        cotangents = _sens_of(sens, list(heads)) or [torch.ones_like(head) for head in heads]
        gradients = pull_back(tuple(cotangents))
    finally:
        _running.depth -= 1
    wrapped = tuple(map(wrap, gradients))
    return wrap_tree(output), spec.shaped(wrapped[:count], wrapped[count:], bool(spec.positions) or spec.as_tuple)


def _was_just_called(fn: Callable[..., Any], args: tuple) -> bool:
    """Whether `fn` is a Cell whose last call, outside any gradient function, had these very inputs."""
    last = getattr(fn, "__dict__", {}).pop("_last_inputs", None)
    if last is None or len(last) != len(args):
        return False
    return all(kept is data_of(value) for kept, value in zip(last, args, strict=True))


def _with_aliases(args: tuple, spec: _Spec) -> tuple[tuple, list[tuple[Tensor, Tensor, torch.Tensor]]]:
    """Put aliases where the inputs to differentiate stand; give (original, alias, its torch tensor) of each."""
    aliased: list[tuple[Tensor, Tensor, torch.Tensor]] = []

    def put_alias(original: Tensor) -> Tensor:
        data = alias_of(original._data)
        aliased.append((original, wrap(data), data))
        return aliased[-1][1]

    arguments = list(args)
    for position in spec.positions:
        if not -len(args) <= position < len(args):
            raise RuntimeError(f"Position index {position} is exceed input size.")
        if not isinstance(args[position], Tensor | tuple | list):
            raise TypeError(
                f"For '{spec.op}', input {position} must be a Tensor to be differentiated, got {args[position]!r}."
            )
        arguments[position] = map_tensors(put_alias, args[position])
    return tuple(arguments), aliased


def gradients_of(
    heads: list[torch.Tensor], sources: list[torch.Tensor], sens: list[torch.Tensor] | None, create_graph: bool
) -> list[torch.Tensor]:
    """Compute the gradients of the sum of `heads`; zeros where there is no way from a source to a head."""
    if sens is None and all(head.dim() == 0 for head in heads):
        weights = None
    else:
        weights = [torch.ones_like(head) for head in heads] if sens is None else sens
        if len(weights) < len(heads):
            raise RuntimeError(f"The output has {len(heads)} tensors, but gradients of {len(weights)} were given.")
    pairs = [
        (head, None if weights is None else weights[index]) for index, head in enumerate(heads) if head.requires_grad
    ]
    wanted = [source for source in sources if source.requires_grad]
    if not pairs or not wanted:
        return [torch.zeros_like(source) for source in sources]
    found = iter(
        torch.autograd.grad(
            [head for head, _ in pairs],
            wanted,
            None if weights is None else [weight for _, weight in pairs],
            create_graph=create_graph,
            retain_graph=create_graph or None,
            allow_unused=True,
        )
    )
    result = []
    for source in sources:
        gradient = next(found) if source.requires_grad else None
        result.append(torch.zeros_like(source) if gradient is None else gradient)
    for observer in observers:
        observer(result)
    return result


def heads_of(output: Any) -> list[torch.Tensor]:
    """Give the torch tensors of an output that can have gradients, in order."""
    if type(output) is Tensor:
        return [output._data]
    return [tensor._data for tensor in tensors_of(output)]


def _sens_of(sens: Any, heads: list[torch.Tensor]) -> list[torch.Tensor] | None:
    if sens is None:
        return None
    values = tensors_of(sens) if isinstance(sens, Tensor | tuple | list | dict) else [sens]
    result = []
    for value, head in zip(values, heads, strict=False):
        data = data_of(value)
        if not isinstance(data, torch.Tensor):
            data = torch.full((), data)
        try:
            result.append(data.to(head).expand(head.shape))
        except RuntimeError as error:
            raise RuntimeError(
                f"For 'GradOperation', sens of shape {tuple(data.shape)} does not broadcast to the output's shape "
                f"{tuple(head.shape)}."
            ) from error
    return result


def alias_of(data: torch.Tensor) -> torch.Tensor:
    """Give a tensor that shares memory and can be differentiated; connected to `data` where that has a history."""
    if data.requires_grad:
        return data.view_as(data)
    alias = data.detach()
    return alias.requires_grad_() if alias.is_floating_point() or alias.is_complex() else alias


def released(value: Any) -> Any:
    """Give the same values without their gradient history."""
    if type(value) is Tensor:
        return wrap(value._data.detach()) if value._data.requires_grad else value
    return map_tensors(lambda tensor: wrap(tensor._data.detach()) if tensor._data.requires_grad else tensor, value)


def checked_positions(op: str, grad_position: Any) -> tuple[int, ...]:
    """Give positions as a tuple of ints.

    Raises:
        TypeError: they are something else.
    """
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    if not all(isinstance(position, int) and not isinstance(position, bool) for position in positions):
        raise TypeError(f"For 'F.{op}', the 'grad_position' must be int or tuple.")
    return positions


def tuple_of(weights: Any) -> tuple[Parameter, ...]:
    """Give one Parameter, or several, as a tuple."""
    return (weights,) if isinstance(weights, Parameter) else tuple(weights)


def data_of(value: Any) -> Any:
    """Give the torch tensor inside a Tensor; leave other values as they are."""
    return value._data if isinstance(value, Tensor) else value


def named_after(wrapper: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """Give `wrapper` the name and the docstring of the function that it was made of."""
    wrapper.__name__ = getattr(fn, "__name__", type(fn).__name__)
    wrapper.__doc__ = inspect.getdoc(fn)
    wrapper.__wrapped__ = fn  # type: ignore[attr-defined]
    return wrapper
