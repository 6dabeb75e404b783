"""Gradients of what is computed element by element, and along an axis.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Callable
from functools import partial

import torch

from msbridge.core import torch_private
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops import operations as P
from msbridge.ops.elementwise.activation import functions as activation
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import REQUIRED, derive
from msbridge.ops.training.gradient_primitives.families import of_input, of_output, of_primitive

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


def _soft_shrink(input_grad: Tensor, input_x: Tensor, lambd: float = 0.5) -> Tensor:
    """Return the gradient of `SoftShrink`."""
    return call_kernel(  # type: ignore[no-any-return]
        lambda dout, x: torch.where(x.abs() > lambd, dout, 0), "SoftShrinkGrad", input_grad, input_x
    )


def _hard_shrink(gradients: Tensor, features: Tensor, lambd: float = 0.5) -> Tensor:
    """Return the gradient of `HShrink`."""
    return call_kernel(  # type: ignore[no-any-return]
        lambda dout, x: torch.where(x.abs() > lambd, dout, 0), "HShrinkGrad", gradients, features
    )


def _log_softmax(logits: Tensor, grad: Tensor, axis: int = -1) -> Tensor:
    """Return the gradient of `LogSoftmax`, from its result."""
    return call_kernel(  # type: ignore[no-any-return]
        lambda out, dout: dout - out.exp() * dout.sum(axis, keepdim=True), "LogSoftmaxGrad", logits, grad
    )


def _maximum(x: Tensor, y: Tensor, grads: Tensor, grad_x: bool = True, grad_y: bool = True) -> tuple[Tensor, Tensor]:
    """Return the gradients of `Maximum`; where both are equal, the first gets all."""
    return call_kernel(partial(_choose, torch.ge), "MaximumGrad", x, y, grads)  # type: ignore[no-any-return]


def _minimum(x1: Tensor, x2: Tensor, grads: Tensor, grad_x: bool = True, grad_y: bool = True) -> tuple[Tensor, Tensor]:
    """Return the gradients of `Minimum`; where both are equal, the first gets all."""
    return call_kernel(partial(_choose, torch.le), "MinimumGrad", x1, x2, grads)  # type: ignore[no-any-return]


def _choose(
    compare: Callable[..., torch.Tensor], x: torch.Tensor, y: torch.Tensor, dout: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    takes_first = compare(x, y)
    return (dout * takes_first).sum_to_size(x.shape), (dout * ~takes_first).sum_to_size(y.shape)


def _dropout(dy: Tensor, mask: Tensor, keep_prob: float = 0.5) -> Tensor:
    """Return the gradient of `Dropout`, from its mask."""
    return call_kernel(lambda dout, kept: dout * kept / keep_prob, "DropoutGrad", dy, mask)  # type: ignore[no-any-return]


def _l2_normalize(x: Tensor, out: Tensor, dout: Tensor, axis: int = 0, epsilon: float = 1e-4) -> Tensor:
    """Return the gradient of `L2Normalize`, from its input and its result."""

    def run(data: torch.Tensor, result: torch.Tensor, seed: torch.Tensor) -> torch.Tensor:
        length = data.square().sum(axis, keepdim=True).clamp(min=epsilon).sqrt()
        return (seed - result * (result * seed).sum(axis, keepdim=True)) / length

    return call_kernel(run, "L2NormalizeGrad", x, out, dout)  # type: ignore[no-any-return]


def _incomplete_gamma(a: Tensor, x: Tensor) -> Tensor:
    """Return the derivative of `Igamma` with respect to `a`.

    torch (2.13) has none; these are central differences of fourth order in float64, exact to about 1e-9.
    """

    def run(order: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
        wide, step = order.double(), 1e-3 * order.double().clamp(min=1e-3)
        values = [torch.special.gammainc(wide + count * step, data.double()) for count in (-2, -1, 1, 2)]
        slope = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
        return slope.to(torch.result_type(order, data))

    return call_kernel(run, "IgammaGradA", a, x)  # type: ignore[no-any-return]


def _gamma_sample(alpha: Tensor, sample: Tensor) -> Tensor:
    """Return the derivative of samples of a gamma distribution with respect to `alpha`."""
    return call_kernel(  # type: ignore[no-any-return]
        lambda shape, drawn: torch_private.standard_gamma_grad(shape.expand_as(drawn), drawn),
        "RandomGammaGrad",
        alpha,
        sample,
    )


def _elu_slope(out: torch.Tensor) -> torch.Tensor:
    return torch.where(out < 0, out + 1, torch.ones_like(out))


def _selu_slope(out: torch.Tensor) -> torch.Tensor:
    return torch.where(out < 0, out + SELU_SCALE * SELU_ALPHA, torch.full_like(out, SELU_SCALE))


DERIVED = (
    of_input("ACosGrad", P.ACos(), True),
    of_input("AbsGrad", P.Abs(), True),
    of_input("AsinGrad", P.Asin(), True),
    of_input("AtanGrad", P.Atan(), True),
    of_input("FastGeLUGrad", P.FastGeLU()),
    of_input("GeLUGrad", P.GeLU()),
    of_input("HSigmoidGrad", P.HSigmoid()),
    of_input("HSwishGrad", P.HSwish()),
    of_input("ReLU6Grad", P.ReLU6()),
    of_input("ReluGrad", P.ReLU()),
    of_input("SiLUGrad", activation.silu),
    of_input("SoftplusGrad", P.Softplus()),
    of_output("AcoshGrad", lambda out: 1 / out.sinh()),
    of_output("AsinhGrad", lambda out: 1 / out.cosh()),
    of_output("EluGrad", _elu_slope, False),
    of_output("InvGrad", lambda out: -out.square()),
    of_output("ReciprocalGrad", lambda out: -out.square()),
    of_output("RsqrtGrad", lambda out: -0.5 * out**3),
    of_output("SeluGrad", _selu_slope, False),
    of_output("SigmoidGrad", lambda out: out * (1 - out)),
    of_output("SqrtGrad", lambda out: 0.5 / out),
    of_output("TanhGrad", lambda out: 1 - out.square()),
    derive("DropoutGrad", _dropout, "keep_prob"),
    of_primitive("GluGrad", P.GLU, "grads x", "x", "x", axis=REQUIRED),
    derive("HShrinkGrad", _hard_shrink, "lambd"),
    derive("IgammaGradA", _incomplete_gamma),
    derive("L2NormalizeGrad", _l2_normalize, "axis epsilon"),
    derive("LogSoftmaxGrad", _log_softmax, "axis"),
    of_primitive("LogitGrad", P.Logit, "grad input", "input", "input", eps=-1.0),
    derive("MaximumGrad", _maximum, "grad_x grad_y"),
    derive("MinimumGrad", _minimum, "grad_x grad_y"),
    of_primitive("MvlgammaGrad", P.Mvlgamma, "y_grad x", "x", "x", p=REQUIRED),
    of_primitive("PReLUGrad", P.PReLU, "dy x weight", "x weight", "x weight"),
    of_primitive("PdistGrad", P.Pdist, "y_grad x y", "x", "x", p=2.0),
    derive("RandomGammaGrad", _gamma_sample),
    derive("SoftShrinkGrad", _soft_shrink, "lambd"),
)
