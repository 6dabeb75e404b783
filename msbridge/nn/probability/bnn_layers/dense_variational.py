"""Fully connected layers whose weights are distributions."""

from typing import Any

from msbridge.core.checks.arguments import boolean, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import get_activation
from msbridge.nn.probability.bnn_layers._variational import Posterior, Prior, Variational
from msbridge.nn.probability.bnn_layers.layer_distribution import NormalPrior, normal_post_fn
from msbridge.nn.probability.distribution.normal import Normal
from msbridge.ops.elementwise.elementwise.functions import sqrt, square
from msbridge.ops.operations import BiasAdd, MatMul

__all__ = ["DenseLocalReparam", "DenseReparam"]


class _DenseVariational(Variational, Cell):
    """A fully connected layer whose weight and bias are distributions; a subclass applies the weight."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        activation: str | Cell | None = None,
        has_bias: bool = True,
        weight_prior_fn: Prior = NormalPrior,
        weight_posterior_fn: Posterior = normal_post_fn,
        bias_prior_fn: Prior = NormalPrior,
        bias_posterior_fn: Posterior = normal_post_fn,
    ) -> None:
        super().__init__()
        self.in_channels = positive_int(in_channels, "in_channels", self.cls_name)
        self.out_channels = positive_int(out_channels, "out_channels", self.cls_name)
        self.has_bias = boolean(has_bias, "has_bias", self.cls_name)
        functions = (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        self._distribute([out_channels, in_channels], [out_channels], *functions)
        self.activation: Any = get_activation(activation) if isinstance(activation, str) and activation else activation
        self.activation_flag = bool(activation)
        if self.activation_flag and not isinstance(self.activation, Cell):
            raise ValueError(f"The type of `activation` must be str or Cell, but got {type(activation).__name__}.")
        self.matmul = MatMul(transpose_b=True)
        self.bias_add = BiasAdd()

    def construct(self, x: Tensor) -> Tensor:
        outputs = self._apply_variational_weight(x)
        if self.has_bias:
            outputs = self.apply_variational_bias(outputs)
        return self.activation(outputs) if self.activation_flag else outputs

    def extend_repr(self) -> str:
        text = f"in_channels={self.in_channels}, out_channels={self.out_channels}, {self._format_posteriors()}"
        return f"{text}, activation={self.activation}" if self.activation_flag else text


class DenseReparam(_DenseVariational):
    """A fully connected layer with weights drawn again in every call, by the reparameterisation trick.

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        activation: a name or a Cell, applied at the end.
        has_bias: whether there is a bias.
        weight_prior_fn: makes the prior of the weight, or is one.
        weight_posterior_fn: makes the posterior of the weight from its name and shape.
        bias_prior_fn: makes the prior of the bias, or is one.
        bias_posterior_fn: makes the posterior of the bias.

    Raises:
        TypeError: a prior or posterior is not a normal one, or another argument is of another type.
        ValueError: a size is not positive, or `activation` is neither a name nor a Cell.

    Follows: mindspore.nn.probability.bnn_layers.DenseReparam (2.10).
    """

    def _apply_variational_weight(self, inputs: Tensor) -> Tensor:
        return self.matmul(inputs, self.weight_posterior("sample"))


class DenseLocalReparam(_DenseVariational):
    """A fully connected layer that draws its outputs, not its weights: of less variance than DenseReparam.

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        activation: a name or a Cell, applied at the end.
        has_bias: whether there is a bias.
        weight_prior_fn: makes the prior of the weight, or is one.
        weight_posterior_fn: makes the posterior of the weight from its name and shape.
        bias_prior_fn: makes the prior of the bias, or is one.
        bias_posterior_fn: makes the posterior of the bias.

    Raises:
        TypeError: a prior or posterior is not a normal one, or another argument is of another type.
        ValueError: a size is not positive, or `activation` is neither a name nor a Cell.

    Follows: mindspore.nn.probability.bnn_layers.DenseLocalReparam (2.10).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        activation: str | Cell | None = None,
        has_bias: bool = True,
        weight_prior_fn: Prior = NormalPrior,
        weight_posterior_fn: Posterior = normal_post_fn,
        bias_prior_fn: Prior = NormalPrior,
        bias_posterior_fn: Posterior = normal_post_fn,
    ) -> None:
        functions = (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        super().__init__(in_channels, out_channels, activation, has_bias, *functions)
        self.normal = Normal()

    def _apply_variational_weight(self, inputs: Tensor) -> Tensor:
        mean = self.matmul(inputs, self.weight_posterior("mean"))
        variance = self.matmul(square(inputs), square(self.weight_posterior("sd")))
        return self.normal("sample", mean=mean, sd=sqrt(variance))
