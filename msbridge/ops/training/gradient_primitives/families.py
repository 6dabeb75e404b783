"""The families of gradients: torch's backward pass through the operator, or the slope computed from its result.

of_primitive("SmoothL1LossGrad", P.SmoothL1Loss, "prediction target dout", "prediction target", "prediction",
             beta=1.0, reduction="none")
"""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.primitive.primitive import Derived, derive
from msbridge.ops.primitive.row_functions import row_function

Forward = Callable[..., Tensor]
_GRADIENTS = "dout doutput dy grad grad_output gradients grads input_grad out_backprop y_grad"


def gradient(op: str, forward: Forward, dout: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
    """Return the gradients of `forward`, a function on Tensors, with respect to all of its inputs."""

    def plain(*datas: torch.Tensor) -> torch.Tensor:
        return forward(*map(wrap, datas))._data  # type: ignore[no-any-return]

    return backward(op, plain, dout, *inputs)


def of_input(name: str, forward: Forward, is_input_first: bool = False) -> type[Derived]:
    """Make the gradient of an operator of one input: called with the gradient and the input, or the other way round."""

    def after(dout: Tensor, x: Tensor, out: Tensor | None = None) -> Tensor:
        """Return the gradient of the input; the result of the operator is not needed."""
        return gradient(name, forward, dout, x)[0]

    def before(x: Tensor, dout: Tensor) -> Tensor:
        """Return the gradient of the input."""
        return gradient(name, forward, dout, x)[0]

    return derive(name, before if is_input_first else after)


def of_output(name: str, slope: Callable[[torch.Tensor], torch.Tensor], is_output_first: bool = True) -> type[Derived]:
    """Make the gradient of an operator whose slope follows from its result."""

    def run(out: torch.Tensor, dout: torch.Tensor) -> torch.Tensor:
        return (dout * slope(out)).to(dout.dtype)

    def before(y: Tensor, dy: Tensor) -> Tensor:
        """Return the gradient of the input, from the operator's result."""
        return call_kernel(run, name, y, dy)  # type: ignore[no-any-return]

    def after(dy: Tensor, y: Tensor) -> Tensor:
        """Return the gradient of the input, from the operator's result."""
        return call_kernel(run, name, y, dy)  # type: ignore[no-any-return]

    return derive(name, before if is_output_first else after)


def back(op: str, forward: Callable[[Tensor], Tensor], dout: Tensor, shape: Any) -> Tensor:
    """Return the gradient of an input of which only the shape matters."""
    zeros = wrap(torch.zeros(plain_shape(shape), dtype=dout._data.dtype, device=dout._data.device))
    return gradient(op, forward, dout, zeros)[0]


def of_primitive(
    name: str, forward: Callable[..., Any], inputs: str, taken: str, of: str, /, shape: str = "", **attributes: Any
) -> type[Derived]:
    """Make the gradient of an operator that is itself a primitive.

    Args:
        name: the primitive's name.
        forward: makes the operator of the attributes.
        inputs: of a call, in order; one of them is the gradient of the result.
        taken: what the operator takes, in order.
        of: what gradients are returned of: one, or several in a tuple.
        shape: the input that is the shape of `of`, where that is not an input: its values do not matter.
        attributes: of the primitive, with their defaults.
    """
    names, order, targets = inputs.split(), taken.split(), of.split()
    (seed,) = {*_GRADIENTS.split()} & {*names}

    def run(given: Mapping[str, Any]) -> Any:
        operator = forward(**{key: given[key] for key in attributes})

        def compute(*values: Tensor) -> Tensor:
            now = {**given, **dict(zip(targets, values, strict=True))}
            return operator(*(now[key] for key in order))  # type: ignore[no-any-return]

        if shape:
            return back(name, compute, given[seed], given[shape])
        found = gradient(name, compute, given[seed], *(given[key] for key in targets))
        return found if len(found) > 1 else found[0]

    operator = getattr(forward, "__name__", name.removesuffix("Grad"))
    function = row_function(
        name, run, dict.fromkeys(names, Any), attributes, Any, f"Return the gradient of {of} of `{operator}`."
    )
    return derive(name, function, " ".join(attributes))
