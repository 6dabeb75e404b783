"""Transformations of functions beyond the gradient: vjp, jvp, linearize, Jacobians."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.autograd.backward import alias_of, exact_sens_of, gradients_of, heads_of, release
from msbridge.core.autograd.custom_bprop import with_bprop
from msbridge.core.autograd.grad import copy_name
from msbridge.core.autograd.grad_spec import Weights, check_positions, tuple_of
from msbridge.core.autograd.pytree import map_tensors, tensors_of, unwrap_tree, wrap_tree
from msbridge.core.context.grad_state import recording, running
from msbridge.core.runtime.lazy_tensors import materialize
from msbridge.core.tensor.integer_gradients import history_of
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.thread_local_data import put_back, put_in_place
from msbridge.core.torch_private import peek_interpreter_stack

__all__ = ["CustomVjp", "custom_vjp", "jacfwd", "jacrev", "jvp", "linearize", "vjp"]

_NO_FORWARD_MODE = (RuntimeError, NotImplementedError, ValueError)


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Weights = None, has_aux: bool = False) -> tuple[Any, ...]:
    """Run `fn` and return the function that pulls a gradient of its output back to its inputs.

    Args:
        fn: a function or Cell.
        inputs: its positional inputs, Tensors or tuples and lists of them; all Tensors among them are differentiated.
        weights: Parameters to differentiate as well.
        has_aux: only the first output is differentiated; the others are given as a third result.

    Returns:
        (output, function); the function takes gradients of the outputs, of their shapes and dtypes, and returns those
        of the inputs as a tuple; with weights ((inputs), (weights)), of a single Parameter ((inputs), weight). It can
        be called again.

    Raises:
        TypeError: an input is something else, or `has_aux` is not a bool; (in the function) a gradient is of another
            dtype.
        ValueError: with `has_aux` the output is not a tuple of several; (in the function) a gradient has another shape.
        RuntimeError: (in the function) there are more or fewer gradients than outputs.

    Follows: mindspore.vjp (2.10).
    """
    _check_aux(has_aux)
    if not all(isinstance(value, Tensor | tuple | list) for value in inputs):
        raise TypeError("For 'vjp', the inputs must be Tensors.")
    parameters = () if weights is None else tuple_of(weights)
    positions = [index for index, value in enumerate(inputs) if isinstance(value, Tensor)]
    aliases = [alias_of(inputs[index]._data) for index in positions]
    arguments = list(inputs)
    known: dict[int, tuple[Tensor, torch.Tensor]] = {}  # what the function uses without being passed it counts, too
    for index, alias in zip(positions, aliases, strict=True):
        arguments[index] = wrap(alias)
        known[id(inputs[index])] = inputs[index], alias
    leaves = [alias_of(parameter._data) for parameter in parameters]
    known.update(zip(map(id, parameters), zip(parameters, leaves, strict=True), strict=True))
    lent, data = [tensor for tensor, _ in known.values()], [alias for _, alias in known.values()]
    before = put_in_place(lent, data)
    try:
        with recording():
            output = fn(*arguments)
    finally:
        for tensor, alias, current in zip(lent, data, put_back(lent, before), strict=True):
            if current is not alias:
                overwrite(tensor, current.detach())
    heads = heads_of(_several(output)[0] if has_aux else output)

    def pull_back(*cotangents: Any) -> Any:
        if not all(isinstance(cotangent, Tensor | tuple | list) for cotangent in cotangents):
            raise TypeError("For 'vjp', the gradients of the outputs must be Tensors.")
        sens = exact_sens_of(cotangents, heads)
        before = put_in_place(parameters, leaves)  # layers that are computed again see them
        try:
            gradients = gradients_of(heads, [*aliases, *leaves], sens, create_graph=running())
        finally:
            put_back(parameters, before)
        of_inputs = tuple(map(wrap, gradients[: len(aliases)]))
        if weights is None:
            return of_inputs
        of_weights = tuple(map(wrap, gradients[len(aliases) :]))
        return of_inputs, of_weights[0] if isinstance(weights, Tensor) else of_weights

    value = release(output[0] if has_aux else output)
    return (value, pull_back, _rest(release(output))) if has_aux else (value, pull_back)


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Run `fn` and push a tangent of its inputs through it.

    Args:
        fn: a function or Cell that returns a Tensor, or a tuple or list of them.
        inputs: a Tensor, or a tuple or list of Tensors.
        v: the tangents, like `inputs`; they broadcast to them.
        has_aux: only the first output has a tangent; the others are given as a third result.

    Returns:
        (output, tangent of the output).

    Raises:
        TypeError: `inputs`, `v` or the output is something else, or `has_aux` is not a bool.
        ValueError: there are more or fewer tangents than inputs, or one does not broadcast; with `has_aux` the output
            is not a tuple of several.

    Follows: mindspore.jvp (2.10).
    """
    _check_aux(has_aux)
    _check_function("jvp", fn)
    primals, tangents = _row("jvp", inputs), _row("jvp", v)
    if len(primals) != len(tangents):
        raise ValueError(f"For 'jvp', inputs and v must be of one length, got {len(primals)} and {len(tangents)}.")
    datas, along = [], []
    for primal, tangent in zip(primals, tangents, strict=True):
        datas.append(primal._data)
        try:
            along.append(tangent._data.to(primal._data.dtype).expand(primal._data.shape))
        except RuntimeError:
            raise ValueError(
                f"For 'jvp', v of shape {tuple(tangent.shape)} does not broadcast to the input's {tuple(primal.shape)}."
            ) from None

    def over_torch(*datas: torch.Tensor) -> Any:
        output = fn(*map(wrap, datas))
        head = _tensors("jvp", _several(output)[0] if has_aux else output)
        return unwrap_tree(head), unwrap_tree(_rest(output)) if has_aux else ()

    if all(data.is_floating_point() for data in datas):
        try:
            results: Any = torch.func.jvp(over_torch, tuple(datas), tuple(along), has_aux=True)
        except _NO_FORWARD_MODE as error:
            if _is_ours(error):
                raise
            results = _jvp_by_reverse(over_torch, datas, along)
    else:
        results = _jvp_by_reverse(over_torch, datas, along)
    value, tangent, rest = (map_tensors(lambda one: wrap(materialize(one._data)), wrap_tree(part)) for part in results)
    return (value, tangent, rest) if has_aux else (value, tangent)


def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Run `fn`, and return the function that pushes tangents of its inputs through it.

    Args:
        fn: a function or Cell.
        inputs: a Tensor, or a tuple or list of Tensors.

    Returns:
        (output, function from tangents, like `inputs`, to the tangent of the output).

    Raises:
        TypeError: `inputs` is something else.

    Follows: mindspore.ops.linearize (2.10).
    """
    primals = tuple(_row("linearize", inputs))

    def push_forward(v: Any) -> Any:
        return jvp(fn, primals, v)[1]

    return fn(*primals), push_forward


def jacrev(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return the function that computes the Jacobian of `fn` by reverse mode.

    Args:
        fn: a function or Cell that returns a Tensor, or a tuple of Tensors.
        grad_position: which inputs to differentiate.
        has_aux: only the first output is differentiated; the others are given beside the Jacobian.

    Returns:
        A function of the inputs of `fn`; for one input of shape S and one output of shape R a Tensor of shape R + S,
        for several inputs or several outputs a tuple, for several of both a tuple of tuples, outputs first.

    Raises:
        TypeError: `has_aux` is not a bool; (when called) `grad_position` is neither int nor tuple of ints, an input or
            output is not a Tensor, or is of whole numbers.
        ValueError: (when called) `fn` cannot be called, a position is negative, there twice or out of range, or with
            `has_aux` the output is not a tuple of several.
        RuntimeError: (when called) `grad_position` is empty.

    Follows: mindspore.jacrev (2.10).
    """
    _check_aux(has_aux)

    def jacobian(*args: Any) -> Any:
        positions = check_positions("jacrev", grad_position)
        _check_inputs("jacrev", fn, args, positions)
        if peek_interpreter_stack() is not None:
            return _in_transform(torch.func.jacrev, fn, args, positions, has_aux)
        arguments = list(args)
        aliases = [alias_of(args[position]._data) for position in positions]
        for position, alias in zip(positions, aliases, strict=True):
            arguments[position] = wrap(alias)
        is_nested = running()
        with recording():
            output = fn(*arguments)
            heads = heads_of(_outputs("jacrev", output, has_aux))
            rows = [_jacobian_rows(head, aliases, is_nested) for head in heads]
        result = _arrange(rows)
        return (result, _rest(release(output))) if has_aux else result

    return copy_name(jacobian, fn)


def jacfwd(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return the function that computes the Jacobian of `fn` by forward mode; all else is as in `jacrev`.

    Args:
        fn: a function or Cell of Tensors.
        grad_position: the positions of the inputs to differentiate.
        has_aux: only the first output is differentiated.

    Returns:
        A function of the inputs of `fn` that returns a Tensor of shape (*output.shape, *input.shape), or a tuple of
        them.

    Follows: mindspore.jacfwd (2.10).
    """
    _check_aux(has_aux)

    def jacobian(*args: Any) -> Any:
        positions = check_positions("jacfwd", grad_position)
        _check_inputs("jacfwd", fn, args, positions)
        return _in_transform(torch.func.jacfwd, fn, args, positions, has_aux)

    return copy_name(jacobian, fn)


class CustomVjp:
    """A function with a backward pass of its own, which `defbwd` sets.

    Args:
        fwd: the function.

    Follows: mindspore.ops.function.grad.grad_func.custom_vjp (2.10).
    """

    def __init__(self, fwd: Callable[..., Any]) -> None:
        self.fwd = fwd
        self.bwd: Callable[..., Any] | None = None

    def defbwd(self, bwd: Callable[..., Any]) -> None:
        """Set the backward pass: a function of the inputs, the output and its gradient."""
        self.bwd = bwd

    def __call__(self, *args: Any) -> Any:
        """Run the function."""
        return self.fwd(*args) if self.bwd is None else with_bprop(self.fwd, self.bwd, args)


def custom_vjp(fn: Callable[..., Any] | None = None) -> Any:
    """Decorate a function that gets a backward pass of its own; see `CustomVjp.defbwd`.

    Follows: mindspore.ops.function.grad.grad_func.custom_vjp (2.10).
    """
    return CustomVjp if fn is None else CustomVjp(fn)


def _check_function(op: str, fn: Any) -> None:
    if not callable(fn):
        raise ValueError(f"For '{op}', a function or Cell is needed, but got {fn!r}.")


def _check_aux(has_aux: Any) -> None:
    if not isinstance(has_aux, bool):
        raise TypeError(f"'has_aux' must be bool, but got {has_aux!r}.")


def _several(output: Any) -> Any:
    """Return an output with auxiliary values, if it is one."""
    if not isinstance(output, tuple) or len(output) < 2:
        raise _own(ValueError("When 'has_aux' is True, the function must return a tuple of two values or more."))
    return output


def _rest(output: Any) -> Any:
    """Return the auxiliary values of an output, a single one by itself."""
    return output[1] if len(output) == 2 else output[1:]


def _row(op: str, values: Any) -> Sequence[Tensor]:
    row = values if isinstance(values, tuple | list) else (values,)
    if not all(isinstance(value, Tensor) for value in row):
        raise TypeError(f"For '{op}', the inputs must be a Tensor, or a tuple or list of Tensors.")
    return row


def _tensors(op: str, output: Any) -> Any:
    """Return an output, if it is a Tensor or a tuple or list of Tensors."""
    for value in output if isinstance(output, tuple | list) else (output,):
        if not isinstance(value, Tensor):
            raise _own(TypeError(f"For '{op}', the function must return Tensors, but got a {type(value).__name__}."))
    return output


def _outputs(op: str, output: Any, has_aux: bool) -> Any:
    if has_aux and isinstance(output, Tensor) and not output.ndim:
        raise _own(TypeError("When 'has_aux' is True, the function must return a tuple, but got a 0-d Tensor."))
    head = _several(output)[0] if has_aux else output
    if isinstance(head, list):
        raise TypeError(f"For '{op}', the function must return a Tensor or a tuple of Tensors, but returns a list.")
    return _tensors(op, head)


def _own(error: Exception) -> Exception:
    error.about_outputs = True  # type: ignore[attr-defined]
    return error


def _is_ours(error: Exception) -> bool:
    return getattr(error, "about_outputs", False)


def _check_inputs(op: str, fn: Any, args: tuple[Any, ...], positions: tuple[int, ...]) -> None:
    _check_function(op, fn)
    if not positions:
        raise RuntimeError(f"For '{op}', grad_position is empty: it must name an input.")
    if not args:
        fn()
    if max(positions) >= len(args):
        raise ValueError(f"For '{op}', grad_position must be in [0, {len(args)}), but got {max(positions)}.")
    for value in args:
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{op}', the inputs must be Tensors, but got {value!r}.")
    for position in positions:
        data = args[position]._data
        if not (data.is_floating_point() or data.is_complex()):
            raise TypeError(
                f"For '{op}', input {position} must be of floating numbers, but its dtype is {args[position].dtype}."
            )


def _arrange(rows: Sequence[Sequence[Any]]) -> Any:
    """Arrange Jacobians, by output and input, as MindSpore does: flat where there is one output or one input."""
    if len(rows) > 1 and len(rows[0]) > 1:
        return tuple(map(tuple, rows))
    flat = tuple(jacobian for row in rows for jacobian in row)
    return flat[0] if len(flat) == 1 else flat


def _in_transform(
    transform: Any, fn: Callable[..., Any], args: tuple[Any, ...], positions: tuple[int, ...], has_aux: bool
) -> Any:
    """Compute Jacobians with torch's own transformation, which nests."""
    rest: Any = None

    def over_torch(*datas: Any) -> Any:
        nonlocal rest
        output = fn(*map(wrap, datas))
        heads = tuple(heads_of(_outputs(transform.__name__, output, has_aux)))
        rest = _rest(output) if has_aux else ()
        return heads, tuple(tensor._data for tensor in tensors_of(rest))

    rows, beside = transform(over_torch, argnums=positions, has_aux=True)(*(value._data for value in args))
    result = _arrange([[wrap(materialize(data)) for data in row] for row in rows])
    if not has_aux:
        return result
    tensors = iter(beside)
    return result, map_tensors(lambda _: wrap(next(tensors)), rest)


def _jvp_by_reverse(
    over_torch: Callable[..., Any], datas: Sequence[torch.Tensor], along: Sequence[torch.Tensor]
) -> tuple[Any, Any, Any]:
    """Push tangents through by two backward passes, for what has no forward mode: the gradient of the gradient."""
    aliases = [alias_of(data) for data in datas]
    with recording():
        output, rest = over_torch(*aliases)
        heads = tensors_of(wrap_tree(output))
        weights = [torch.zeros_like(head._data, dtype=history_of(head._data).dtype).requires_grad_() for head in heads]
        pulled = gradients_of([head._data for head in heads], aliases, weights, create_graph=True)
        beside = list(map(history_of, pulled))
        tangents = [tangent.to(data.dtype) for tangent, data in zip(along, beside, strict=True)]
        pushed = gradients_of(beside, weights, tangents, running())
    flat = iter([tangent.to(head._data.dtype) for tangent, head in zip(pushed, heads, strict=True)])
    value, tangent = wrap_tree(output), map_tensors(lambda _: next(flat), wrap_tree(output))
    return unwrap_tree(release(value)), tangent, unwrap_tree(release(wrap_tree(rest)))


def _jacobian_rows(head: torch.Tensor, sources: list[torch.Tensor], create_graph: bool) -> tuple[Tensor, ...]:
    count = head.numel()
    if not head.requires_grad:  # a constant, such as the gradient of a linear function
        return tuple(wrap(source.new_zeros((*head.shape, *source.shape))) for source in sources)
    basis = torch.eye(count, dtype=head.dtype, device=head.device).view(count, *head.shape)
    rows = torch.autograd.grad(
        head,
        sources,
        basis,
        retain_graph=True,
        create_graph=create_graph,
        allow_unused=True,
        is_grads_batched=True,
    )
    shaped = []
    for row, source in zip(rows, sources, strict=True):
        data = source.new_zeros(head.numel(), *source.shape) if row is None else materialize(row)
        shaped.append(wrap(data.reshape((*head.shape, *source.shape))))
    return tuple(shaped)
