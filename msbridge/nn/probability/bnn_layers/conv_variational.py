"""Convolutions whose weights are distributions."""

from typing import Any

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.layers.convolution import Convolution
from msbridge.nn.probability.bnn_layers._variational import Posterior, Prior, Variational
from msbridge.nn.probability.bnn_layers.layer_distribution import NormalPrior, normal_post_fn
from msbridge.ops.operations import BiasAdd, Conv2D

__all__ = ["ConvReparam"]

PAD_MODES = ("valid", "same", "pad")


class _ConvVariational(Variational, Convolution):
    """Base of the convolutions whose weights are distributions; a subclass applies the weight."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_prior_fn: Prior = NormalPrior,
        weight_posterior_fn: Posterior = normal_post_fn,
        bias_prior_fn: Prior = NormalPrior,
        bias_posterior_fn: Posterior = normal_post_fn,
    ) -> None:
        one_of(pad_mode, "pad_mode", None, PAD_MODES)
        super().__init__(
            2,
            False,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            "normal",
            "zeros",
            "NCHW",
            mstype.float32,
        )
        self.shape = [out_channels, in_channels // group, *self.kernel_size]
        self.weight.requires_grad = False  # kept, as in MindSpore, but not part of the computation
        if self.bias is not None:
            self.bias.requires_grad = False
        functions = (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        self._distribute(self.shape, [out_channels], *functions)
        self.bias_add = BiasAdd()
        self.conv2d = Conv2D(
            out_channel=out_channels,
            kernel_size=self.kernel_size,
            mode=1,
            pad_mode=pad_mode,
            pad=padding,
            stride=self.stride,
            dilation=self.dilation,
            group=group,
        )

    def construct(self, inputs: Tensor) -> Tensor:
        outputs = self._apply_variational_weight(inputs)
        return self.apply_variational_bias(outputs) if self.has_bias else outputs

    def extend_repr(self) -> str:
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, {self._format_posteriors()}"
        )


class ConvReparam(_ConvVariational):
    """A convolution over images with weights drawn again in every call, by the reparameterisation trick.

    Args:
        in_channels: channels of the input, shape (n, in_channels, h, w).
        out_channels: channels of the output.
        kernel_size: height and width.
        stride: by axis.
        pad_mode: "same", "valid" or "pad".
        padding: with "pad", rows and columns of zeros.
        dilation: by axis.
        group: the channels fall into so many groups.
        has_bias: whether there is a bias.
        weight_prior_fn: makes the prior of the weight, or is one.
        weight_posterior_fn: makes the posterior of the weight from its name and shape.
        bias_prior_fn: makes the prior of the bias, or is one.
        bias_posterior_fn: makes the posterior of the bias.

    Raises:
        TypeError: a prior or posterior is not a normal one, or another argument is of another type.
        ValueError: a size is out of range, or `pad_mode` is another one.

    Follows: mindspore.nn.probability.bnn_layers.ConvReparam (2.10).
    """

    def _apply_variational_weight(self, inputs: Tensor) -> Any:
        return self.conv2d(inputs, self.weight_posterior("sample"))
