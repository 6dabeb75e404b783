"""The families of gradients: torch's backward pass through the operator, or the slope told by its result."""

from collections.abc import Callable

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.primitive.primitive import Derived, derive

Forward = Callable[..., Tensor]


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
    """Make the gradient of an operator whose slope its result tells."""

    def run(out: torch.Tensor, dout: torch.Tensor) -> torch.Tensor:
        return (dout * slope(out)).to(dout.dtype)

    def before(y: Tensor, dy: Tensor) -> Tensor:
        """Return the gradient of the input, from the operator's result."""
        return call_kernel(run, name, y, dy)  # type: ignore[no-any-return]

    def after(dy: Tensor, y: Tensor) -> Tensor:
        """Return the gradient of the input, from the operator's result."""
        return call_kernel(run, name, y, dy)  # type: ignore[no-any-return]

    return derive(name, before if is_output_first else after)
