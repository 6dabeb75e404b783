"""What scripts take from MindSpore's private modules of training steps: gradients scaled, and asked for an overflow."""

from msbridge.core.tensor import Tensor
from msbridge.ops.composite.functions import MultitypeFuncGraph
from msbridge.ops.operations import FloatStatus, Reciprocal

_grad_scale = MultitypeFuncGraph("grad_scale")
_grad_overflow = MultitypeFuncGraph("_grad_overflow")
reciprocal = Reciprocal()
grad_overflow = FloatStatus()


@_grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale: Tensor, grad: Tensor) -> Tensor:
    """Return a gradient divided by the scale of the loss, in its own dtype.

    Follows: mindspore.nn.wrap.loss_scale.tensor_grad_scale (2.10).
    """
    return grad * reciprocal(scale).astype(grad.dtype)


@_grad_overflow.register("Tensor")
def _tensor_grad_overflow(grad: Tensor) -> Tensor:
    """Return 1 where a gradient has an infinity or a NaN, and 0 else, of shape (1,).

    Follows: mindspore.nn.wrap.loss_scale._tensor_grad_overflow (2.10).
    """
    overflow: Tensor = grad_overflow(grad)
    return overflow
