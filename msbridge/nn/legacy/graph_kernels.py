"""Cells that MindSpore 1.0 composed of small operators, for its compiler to fuse; here they call the operators.

Follows: mindspore.nn.graph_kernels (1.0), most of which runs on an Ascend only.
"""

from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.ops import operations as P
from msbridge.ops.primitive.primitive import Primitive

__all__ = [
    "AbsGrad",
    "ApplyMomentum",
    "BiasAdd",
    "BiasAddGrad",
    "EqualCount",
    "Gelu",
    "InplaceAssign",
    "LambNextMV",
    "LambUpdateWithLR",
    "LayerNorm",
    "LayerNormBetaGammaBackprop",
    "LayerNormForward",
    "LayerNormXBackprop",
    "LogSoftmax",
    "MaximumGrad",
    "MinimumGrad",
    "ReLU",
    "ReduceMean",
    "Softmax",
    "SoftmaxCrossEntropyWithLogits",
    "Tanh",
    "TanhGrad",
]


class InplaceAssign(Primitive):
    """Writes y into x, and returns z.

    Follows: mindspore.nn.graph_kernels.graph_kernels.InplaceAssign (1.0).
    """

    def __init__(self) -> None:
        super().__init__("InplaceAssign")

    def __call__(self, x: Any, y: Tensor, z: Tensor) -> Tensor:
        """Write, and return the third."""
        P.Assign()(x, y)
        return z


class _ChosenGrad(Cell):
    """Divides a gradient between two inputs, by which of them was chosen."""

    def __init__(self, grad_x: bool = True, grad_y: bool = True) -> None:
        super().__init__()
        self.grad_x, self.grad_y = grad_x, grad_y

    def divide(self, is_first: Tensor, dout: Tensor) -> tuple[Tensor, Tensor]:
        """Return the parts."""
        first = dout * is_first.astype(dout.dtype)
        return first, dout - first


class MaximumGrad(_ChosenGrad):
    """The gradients of a maximum: `dout` where x ≥ y for x, elsewhere for y.

    Args:
        grad_x: kept, and unread.
        grad_y: kept, and unread.

    Follows: mindspore.nn.graph_kernels.MaximumGrad (1.0).
    """

    def construct(self, x: Tensor, y: Tensor, dout: Tensor) -> tuple[Tensor, Tensor]:
        return self.divide(x >= y, dout)


class MinimumGrad(_ChosenGrad):
    """The gradients of a minimum: `dout` where x ≤ y for x, elsewhere for y.

    Args:
        grad_x: kept, and unread.
        grad_y: kept, and unread.

    Follows: mindspore.nn.graph_kernels.MinimumGrad (1.0).
    """

    def construct(self, x: Tensor, y: Tensor, dout: Tensor) -> tuple[Tensor, Tensor]:
        return self.divide(x <= y, dout)


class AbsGrad(Cell):
    """The gradient of a magnitude: `dout` with the sign of the input.

    Follows: mindspore.nn.graph_kernels.AbsGrad (1.0).
    """

    def construct(self, input_x: Tensor, dout: Tensor) -> Tensor:
        return wrap(input_x._data.sign() * dout._data)


class ApplyMomentum(Cell):
    """Updates a variable and its accumulation in place, and returns (accumulation, variable).

    Args:
        use_nesterov: kept, and unread.
        use_locking: kept, and unread.
        gradient_scale: what the gradient is multiplied with.

    Raises:
        TypeError: `gradient_scale` is not a float.

    Follows: mindspore.nn.graph_kernels.ApplyMomentum (1.0).
    """

    def __init__(self, use_nesterov: bool = False, use_locking: bool = False, gradient_scale: float = 1.0) -> None:
        super().__init__()
        self.gradient_scale = instance(gradient_scale, "gradient_scale", "ApplyMomentum", float)
        self.assign = InplaceAssign()

    def construct(
        self, variable: Any, accumulation: Any, learning_rate: Any, gradient: Tensor, momentum: Any
    ) -> tuple[Tensor, Tensor]:
        accumulated = accumulation * momentum + gradient * self.gradient_scale
        updated = variable - accumulated * learning_rate
        return self.assign(accumulation, accumulated, accumulated), self.assign(variable, updated, updated)


class BiasAdd(Cell):
    """The sum of a batch, whose channels are its second axis, and a bias for each channel.

    Follows: mindspore.nn.graph_kernels.BiasAdd (1.0).
    """

    def construct(self, x: Tensor, bias: Tensor) -> Tensor:
        return x + bias.reshape((1, -1, 1, 1) if x.ndim == 4 else (1, -1))


class BiasAddGrad(Cell):
    """The gradient of a bias: the sum over all axes but the second.

    Follows: mindspore.nn.graph_kernels.BiasAddGrad (1.0).
    """

    def construct(self, x: Tensor) -> Tensor:
        return wrap(x._data.sum([axis for axis in range(x.ndim) if axis != 1]))


class EqualCount(Cell):
    """The number of equal elements of two inputs along their first axis, in the dtype of the first.

    Follows: mindspore.nn.graph_kernels.EqualCount (1.0).
    """

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return wrap((x._data.float() == y._data.float()).sum(0).to(x._data.dtype))


class ReduceMean(Cell):
    """The mean over axes.

    Args:
        keep_dims: keep them with the size 1.

    Raises:
        TypeError: it is not a bool.

    Follows: mindspore.nn.graph_kernels.ReduceMean (1.0).
    """

    def __init__(self, keep_dims: bool = True) -> None:
        super().__init__()
        self.keep_dims = instance(keep_dims, "keep_dims", "ReduceMean", bool)

    def construct(self, x: Tensor, axis: Any) -> Tensor:
        return wrap(x._data.mean(tuple(axis), keepdim=self.keep_dims))


class ReLU(Cell):
    """The positive part.

    Follows: mindspore.nn.graph_kernels.ReLU (1.0).
    """

    def construct(self, x: Tensor) -> Tensor:
        return wrap(torch.relu(x._data))


class SoftmaxCrossEntropyWithLogits(Cell):
    """The cross entropy of each row with labels of the same shape, and its gradient by the logits.

    Follows: mindspore.nn.graph_kernels.SoftmaxCrossEntropyWithLogits (1.0).
    """

    def construct(self, features: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        logits, shares = features._data, labels._data.detach()
        loss = -(shares * torch.log_softmax(logits, 1)).sum(1)
        return wrap(loss), wrap(torch.softmax(logits.detach(), 1) - shares)


class LayerNormForward(Cell):
    """Normalisation over the last axes, with a scale and an offset; returns the mean and the variance, too.

    Args:
        begin_norm_axis: the first axis that is normalised over.
        begin_params_axis: the first axis of the scale; kept.

    Raises:
        TypeError: an axis is not an int.

    Follows: mindspore.nn.graph_kernels.graph_kernels.LayerNormForward (1.0).
    """

    def __init__(self, begin_norm_axis: int = 1, begin_params_axis: int = 1) -> None:
        super().__init__()
        self.begin_norm_axis = instance(begin_norm_axis, "begin_norm_axis", "LayerNormForward", int)
        self.begin_params_axis = instance(begin_params_axis, "begin_params_axis", "LayerNormForward", int)

    def construct(self, input_x: Tensor, input_gamma: Tensor, input_beta: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        data = input_x._data
        axes = tuple(range(data.dim()))[self.begin_norm_axis :]
        mean = data.mean(axes, keepdim=True)
        variance = (data - mean).square().mean(axes, keepdim=True)
        normal = (data - mean) * torch.rsqrt(variance + _least(input_x))
        return wrap(input_gamma._data * normal + input_beta._data), wrap(mean), wrap(variance)


class LayerNorm(LayerNormForward):
    """As `LayerNormForward`, with other defaults.

    Args:
        begin_norm_axis: the first axis that is normalised over.
        begin_params_axis: the first axis of the scale; kept.

    Raises:
        TypeError: an axis is not an int.

    Follows: mindspore.nn.graph_kernels.LayerNorm (1.0).
    """

    def __init__(self, begin_norm_axis: int = -1, begin_params_axis: int = -1) -> None:
        super().__init__(begin_norm_axis, begin_params_axis)


class LayerNormXBackprop(Cell):
    """The gradient of a layer normalisation by its input; the axes are those of which `mean` has one place.

    Follows: mindspore.nn.graph_kernels.LayerNormXBackprop (1.0).
    """

    def construct(self, dy: Tensor, input_x: Tensor, variance: Tensor, mean: Tensor, input_gamma: Tensor) -> Tensor:
        sizes = list(zip(input_x.shape, mean.shape, strict=True))
        first = next((axis for axis, (size, other) in enumerate(sizes) if size != other), len(sizes) - 1)
        axes = tuple(range(first, len(sizes)))
        scale = torch.rsqrt(variance._data + _least(input_x))
        normal = (input_x._data - mean._data) * scale
        gradient = input_gamma._data * dy._data
        along = (gradient * normal).mean(axes, keepdim=True)
        return wrap(scale * (gradient - gradient.mean(axes, keepdim=True) - normal * along))


class LayerNormBetaGammaBackprop(Cell):
    """The gradients of a layer normalisation by its offset and its scale, whose shape is given.

    Follows: mindspore.nn.graph_kernels.LayerNormBetaGammaBackprop (1.0).
    """

    def construct(
        self, dy: Tensor, input_x: Tensor, variance: Tensor, mean: Tensor, shape_gamma: Any
    ) -> tuple[Tensor, Tensor]:
        axes = tuple(range(input_x.ndim - len(shape_gamma)))
        normal = (input_x._data - mean._data) * torch.rsqrt(variance._data + _least(input_x))
        parts = (dy._data, dy._data * normal)
        offset, scale = (part.sum(axes) if axes else part.clone() for part in parts)
        return wrap(offset), wrap(scale)


class LogSoftmax(Cell):
    """The logarithm of a softmax.

    Args:
        axis: along which axis.

    Raises:
        TypeError: it is not an int.

    Follows: mindspore.nn.graph_kernels.LogSoftmax (1.0).
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = instance(axis, "axis", "LogSoftmax", int)

    def construct(self, input_x: Tensor) -> Tensor:
        return wrap(torch.log_softmax(input_x._data, self.axis))


class Softmax(Cell):
    """Exponentials, scaled to sum to one along axes.

    Args:
        axis: an axis, or several.

    Raises:
        TypeError: it is neither int nor tuple of ints.

    Follows: mindspore.nn.graph_kernels.Softmax (1.0).
    """

    def __init__(self, axis: int | tuple[int, ...]) -> None:
        super().__init__()
        instance(axis, "axis", "Softmax", (int, tuple))
        self.axis = axis if isinstance(axis, tuple) else (axis,)
        for item in self.axis:
            instance(item, "item of axis", "Softmax", int)

    def construct(self, x: Tensor) -> Tensor:
        return wrap((x._data - x._data.logsumexp(self.axis, keepdim=True)).exp())


class Tanh(Cell):
    """The hyperbolic tangent.

    Follows: mindspore.nn.graph_kernels.Tanh (1.0).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return wrap(torch.tanh(input_x._data))


class TanhGrad(Cell):
    """The gradient of a hyperbolic tangent, given its output.

    Follows: mindspore.nn.graph_kernels.TanhGrad (1.0).
    """

    def construct(self, out: Tensor, dout: Tensor) -> Tensor:
        return wrap((1 - out._data.square()) * dout._data)


class Gelu(Cell):
    """The GELU by its approximation with a tangent.

    Follows: mindspore.nn.graph_kernels.Gelu (1.0).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return wrap(torch.nn.functional.gelu(input_x._data, approximate="tanh"))


class LambUpdateWithLR(Cell):
    """Updates a weight in place by LAMB: by the ratio of two lengths, within bounds, and the learning rate.

    The ratio is input1 / input2 if both input0 and input1 are greater than `greater_y`, else `select_e`; it is held
    between `greater_y` and `minimum_y`.

    Follows: mindspore.nn.graph_kernels.LambUpdateWithLR (1.0).
    """

    def construct(
        self,
        input0: Tensor,
        input1: Tensor,
        input2: Tensor,
        input3: Tensor,
        input4: Tensor,
        input5: Any,
        greater_y: Tensor,
        select_e: Tensor,
        minimum_y: Tensor,
    ) -> Tensor:
        is_ratio = (input0._data > greater_y._data) & (input1._data > greater_y._data)
        ratio = torch.where(is_ratio, input1._data / input2._data, select_e._data)
        held = torch.maximum(torch.minimum(ratio, minimum_y._data), greater_y._data)
        updated = wrap(input5._data - held * input3._data * input4._data)
        return InplaceAssign()(input5, updated, updated)


class LambNextMV(Cell):
    """Updates the moments of LAMB in place: the first is input5, the second input2; returns the steps.

    With the squared gradient input1, the gradient input4, the weight input7, the corrections input3 and input6 of the
    second and first moment, the decays inputx0, inputx1 (second), input8, input9 (first), the decay of weights inputx2
    and the small number inputx3, the steps are m̂ / √(v̂ + ε) + decay · weight, and m̂ / (√v̂ + ε).

    Follows: mindspore.nn.graph_kernels.LambNextMV (1.0).
    """

    def construct(
        self,
        input1: Tensor,
        input2: Any,
        input3: Tensor,
        input4: Tensor,
        input5: Any,
        input6: Tensor,
        input7: Tensor,
        input8: Tensor,
        input9: Tensor,
        inputx0: Tensor,
        inputx1: Tensor,
        inputx2: Tensor,
        inputx3: Tensor,
    ) -> tuple[Tensor, Tensor]:
        second = inputx0 * input2 + inputx1 * input1
        first = input8 * input5 + input9 * input4
        mean, variance = first / input6, second / input3
        with_decay = mean._data * torch.rsqrt((variance + inputx3)._data) + (inputx2 * input7)._data
        without = mean._data / (variance._data.sqrt() + inputx3._data)
        InplaceAssign()(input5, first, first)
        InplaceAssign()(input2, second, second)
        return wrap(with_decay), wrap(without)


def _least(x: Tensor) -> torch.Tensor:
    """Return the small number that MindSpore adds to a variance of this dtype."""
    return P.Eps()(x)._data
