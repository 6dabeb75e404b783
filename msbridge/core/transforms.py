"""Transformations of functions beyond the gradient: vjp, jvp, Jacobians.

Follows: mindspore.vjp, jvp, jacrev, jacfwd (2.10).
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.autograd import forward_ad

from msbridge.core.autograd import named_after
from msbridge.core.gradients import alias_of, data_of, gradients_of, heads_of, released
from msbridge.core.lending import put_back, put_in_place
from msbridge.core.recording import recording, running
from msbridge.core.tensor import Tensor, overwrite, wrap
from msbridge.core.trees import map_tensors, tensors_of, unwrap_tree, wrap_tree
from msbridge.core.wanted import Weights, checked_positions, tuple_of


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Weights = None, has_aux: bool = False) -> tuple[Any, ...]:
    """Run `fn` and return the function that pulls a gradient of its output back to its inputs.

    Args:
        fn: a function or Cell.
        inputs: its positional inputs; all Tensors among them are differentiated.
        weights: Parameters to differentiate as well.
        has_aux: only the first output is differentiated; the others are given as a third result.

    Returns:
        (output, function); the function takes gradients of the output, and returns those of the inputs as a tuple; with
        weights ((inputs), (weights)).

    Follows: mindspore.vjp (2.10).
    """
    parameters = () if weights is None else tuple_of(weights)
    positions = [index for index, value in enumerate(inputs) if isinstance(value, Tensor)]
    aliases = [alias_of(inputs[index]._data) for index in positions]
    arguments = list(inputs)
    for index, alias in zip(positions, aliases, strict=True):
        arguments[index] = wrap(alias)
    leaves = [alias_of(parameter._data) for parameter in parameters]
    before = put_in_place(parameters, leaves)
    try:
        with recording():
            output = fn(*arguments)
    finally:
        for parameter, leaf, current in zip(parameters, leaves, put_back(parameters, before), strict=True):
            if current is not leaf:
                overwrite(parameter, current.detach())
    heads = heads_of(output[0] if has_aux else output)

    def pull_back(*cotangents: Any) -> Any:
        sens = [data_of(cotangent) for cotangent in tensors_of(cotangents)]
        before = put_in_place(parameters, leaves)  # layers that are computed again see them
        try:
            gradients = gradients_of(heads, [*aliases, *leaves], sens, create_graph=running())
        finally:
            put_back(parameters, before)
        of_inputs = tuple(map(wrap, gradients[: len(aliases)]))
        if weights is None:
            return of_inputs
        return of_inputs, tuple(map(wrap, gradients[len(aliases) :]))

    value = released(output[0] if has_aux else output)
    return (value, pull_back, released(output[1:])) if has_aux else (value, pull_back)


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Run `fn` and push a tangent of its inputs through it.

    Args:
        fn: a function or Cell.
        inputs: a Tensor, or a tuple of Tensors.
        v: the tangents, like `inputs`.
        has_aux: only the first output has a tangent; the others are given as a third result.

    Returns:
        (output, tangent of the output).

    Follows: mindspore.jvp (2.10).
    """
    primals = inputs if isinstance(inputs, tuple | list) else (inputs,)
    tangents = v if isinstance(v, tuple | list) else (v,)
    if len(primals) != len(tangents):
        raise ValueError(f"For 'jvp', inputs and v must be of one length, got {len(primals)} and {len(tangents)}.")
    with forward_ad.dual_level():
        pairs = zip(primals, tangents, strict=True)
        output = fn(*(wrap(forward_ad.make_dual(data_of(primal), data_of(tangent))) for primal, tangent in pairs))
        head = output[0] if has_aux else output
        value = map_tensors(lambda tensor: wrap(forward_ad.unpack_dual(tensor._data).primal), head)
        tangent = map_tensors(_tangent, head)
        rest = (
            map_tensors(lambda tensor: wrap(forward_ad.unpack_dual(tensor._data).primal), output[1:]) if has_aux else ()
        )
    return (value, tangent, rest) if has_aux else (value, tangent)


def jacrev(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return the function that computes the Jacobian of `fn` by reverse mode.

    Returns:
        A function of the inputs of `fn`; for one input of shape S and one output of shape R a Tensor of shape R + S,
        for several inputs a tuple.

    Follows: mindspore.jacrev (2.10).
    """
    positions = checked_positions("jacrev", grad_position)

    def jacobian(*args: Any) -> Any:
        arguments = list(args)
        aliases = [alias_of(args[position]._data) for position in positions]
        for position, alias in zip(positions, aliases, strict=True):
            arguments[position] = wrap(alias)
        is_nested = running()
        with recording():
            output = fn(*arguments)
            heads = heads_of(output[0] if has_aux else output)
            results = [_jacobian_rows(head, aliases, is_nested) for head in heads]
        result: Any = results[0] if len(results) == 1 else tuple(results)
        if isinstance(grad_position, int) and len(results) == 1:
            result = results[0][0]
        return (result, released(output[1:])) if has_aux else result

    return named_after(jacobian, fn)


def jacfwd(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return the function that computes the Jacobian of `fn` by forward mode; results are those of `jacrev`.

    Follows: mindspore.jacfwd (2.10).
    """
    positions = checked_positions("jacfwd", grad_position)

    def jacobian(*args: Any) -> Any:
        def over_torch(*datas: Any) -> Any:
            output = unwrap_tree(fn(*wrap_tree(datas)))
            return (output[0], output[1:]) if has_aux else output

        argnums = grad_position if isinstance(grad_position, int) else positions
        result = torch.func.jacfwd(over_torch, argnums=argnums, has_aux=has_aux)(*unwrap_tree(args))
        return wrap_tree(result)

    return named_after(jacobian, fn)


def _jacobian_rows(head: torch.Tensor, sources: list[torch.Tensor], create_graph: bool) -> tuple[Tensor, ...]:
    basis = torch.eye(head.numel(), dtype=head.dtype, device=head.device).view(head.numel(), *head.shape)
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
        data = source.new_zeros(head.numel(), *source.shape) if row is None else row
        shaped.append(wrap(data.reshape(*head.shape, *source.shape)))
    return tuple(shaped)


def _tangent(tensor: Tensor) -> Tensor:
    primal, tangent = forward_ad.unpack_dual(tensor._data)
    return wrap(torch.zeros_like(primal) if tangent is None else tangent)
