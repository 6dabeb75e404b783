"""Convolutions whose weights are rounded as they compute, with the normalisation folded into the weights or not."""

from typing import Any, Self, Unpack

from msbridge.core.checks.arguments import boolean, non_negative_int, one_of, per_axis, positive_int
from msbridge.core.context.grad_state import is_repeat
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.combined import Conv2dBnAct
from msbridge.nn.layers.convolution import Conv2d
from msbridge.nn.layers.normalization.batch_norm import BatchNorm2d
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.nn.quantization.dtypes import QuantDtype
from msbridge.nn.quantization.observers import LegacyArguments, QuantConfig, config_of, quant_config_default
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.normalization.kernels import normalize_batch
from msbridge.ops.operations import BatchNormFold, BatchNormFold2, BiasAdd, Conv2D, CorrectionMul

__all__ = ["Conv2dBnFoldQuant", "Conv2dBnFoldQuantOneConv", "Conv2dBnWithoutFoldQuant", "Conv2dQuant"]

NO_FREEZE_STEP = 100000  # the step that a fold waits for, by default


class _QuantizedConvolution(Cell):
    """Base: arguments, the weight and its observer, the operator."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        window: tuple[Sizes, Sizes, str, Any, Sizes, int],
        fills: tuple[bool, Init, Init],
        quant_config: QuantConfig,
        quant_dtype: QuantDtype,
        former: LegacyArguments,
    ) -> None:
        super().__init__()
        op = self.cls_name
        kernel_size, stride, pad_mode, padding, dilation, group = window
        has_bias, weight_init, bias_init = fills
        self.in_channels = positive_int(in_channels, "in_channels", op)
        self.out_channels = positive_int(out_channels, "out_channels", op)
        self.kernel_size = per_axis(kernel_size, "kernel_size", op, 2)
        self.stride = per_axis(stride, "stride", op, 2)
        self.dilation = per_axis(dilation, "dilation", op, 2)
        self.pad_mode = one_of(pad_mode, "pad_mode", op, ("valid", "same", "pad"))
        for size in padding if isinstance(padding, tuple) else (padding,):
            non_negative_int(size, "padding", op)
        self.padding = padding
        self.group = positive_int(group, "group", op)
        self.has_bias = boolean(has_bias, "has_bias", op)
        settings = (pad_mode, padding, self.stride, self.dilation, group)
        self.conv = Conv2D(out_channels, self.kernel_size, 1, *settings)
        self.bias_add = BiasAdd()
        shape = (out_channels, in_channels // group, *self.kernel_size)
        self.weight = make_parameter(weight_init, shape, mstype.float32, "weight")
        self.bias = make_parameter(bias_init, (out_channels,), mstype.float32, "bias") if has_bias else None
        self.quant_config = config_of(quant_config, former, op)
        self.quant_dtype = quant_dtype
        self.fake_quant_weight = observer_of_weight(self.quant_config, quant_dtype, out_channels)

    def _make_statistics(self, beta_init: Init, gamma_init: Init, mean_init: Init, var_init: Init) -> None:
        shape = (self.out_channels,)
        self.gamma = make_parameter(gamma_init, shape, mstype.float32, "gamma")
        self.beta = make_parameter(beta_init, shape, mstype.float32, "beta")
        self.moving_mean = make_parameter(mean_init, shape, mstype.float32, "moving_mean", False)
        self.moving_variance = make_parameter(var_init, shape, mstype.float32, "moving_variance", False)

    def _convolve(self, x: Tensor, weight: Tensor) -> Tensor:
        found = self.conv(x, weight)
        return self.bias_add(found, self.bias) if self.has_bias else found  # type: ignore[no-any-return]

    def extend_repr(self) -> str:
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}"
        )


def observer_of_weight(config: QuantConfig, quant_dtype: QuantDtype, channels: int) -> Any:
    """Return the observer of a weight; a type other than INT8 comes before that of the factory."""
    dtype = {} if quant_dtype is QuantDtype.INT8 else {"quant_dtype": quant_dtype}
    return config.weight(channel_axis=0, num_channels=channels, **dtype)


def _settings_of(layer: Conv2d) -> dict[str, Any]:
    """Return the arguments that a quantised convolution has in common with one that is not."""
    names = "in_channels out_channels kernel_size stride pad_mode padding dilation group has_bias weight_init bias_init"
    return {name: getattr(layer, name) for name in names.split()}


def _settings_of_block(block: Conv2dBnAct, with_fills: bool) -> dict[str, Any]:
    """Return the arguments that a folded convolution has in common with a block."""
    settings = _settings_of(block.conv)
    if block.has_bn:
        norm = block.batchnorm
        settings |= {"eps": norm.eps, "momentum": 1 - norm.momentum}
        if with_fills:
            fills = {"beta": norm.beta, "gamma": norm.gamma, "mean": norm.moving_mean, "var": norm.moving_variance}
            settings |= {f"{name}_init": Tensor(value) for name, value in fills.items()}
    return settings


class Conv2dQuant(_QuantizedConvolution):
    """Convolve with a weight that is rounded.

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        pad_mode: "same", "valid" or "pad".
        padding: with "pad": an int, or (top, bottom, left, right).
        dilation: an int or (height, width).
        group: groups of channels.
        has_bias: whether there is a bias.
        weight_init: fills the weight.
        bias_init: fills the bias.
        quant_config: the factories of the observers.
        quant_dtype: the type that is simulated, where the factory does not say another.
        former: num_bits, quant_delay, per_channel, symmetric, narrow_range, as 1.0 takes them.

    Raises:
        TypeError: an argument of another type.
        ValueError: an argument out of range.

    Follows: mindspore.nn.Conv2dQuant (1.9).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        **former: Unpack[LegacyArguments],
    ) -> None:
        window = (kernel_size, stride, pad_mode, padding, dilation, group)
        fills = (has_bias, weight_init, bias_init)
        super().__init__(in_channels, out_channels, window, fills, quant_config, quant_dtype, former)

    @classmethod
    def from_float(cls, conv: Conv2d, quant_config: QuantConfig) -> Self:
        """Return this layer with the settings of a Conv2d.

        Follows: mindspore.nn.Conv2dQuant.from_float (1.9).
        """
        return cls(**_settings_of(conv), quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:
        return self._convolve(x, self.fake_quant_weight(self.weight))

    def extend_repr(self) -> str:
        return f"{super().extend_repr()}, has_bias={self.has_bias}"


class Conv2dBnWithoutFoldQuant(_QuantizedConvolution):
    """Convolve with a weight that is rounded, then normalise over the batch.

    Args: as Conv2dQuant, and:
        eps: of the normalisation.
        momentum: how much of the moving statistics stays.

    Follows: mindspore.nn.Conv2dBnWithoutFoldQuant (1.9).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        eps: float = 1e-5,
        momentum: float = 0.997,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        **former: Unpack[LegacyArguments],
    ) -> None:
        window = (kernel_size, stride, pad_mode, padding, dilation, group)
        fills = (has_bias, weight_init, bias_init)
        super().__init__(in_channels, out_channels, window, fills, quant_config, quant_dtype, former)
        self.batchnorm = BatchNorm2d(out_channels, eps, momentum)

    @classmethod
    def from_float(cls, convbn: Conv2dBnAct, quant_config: QuantConfig) -> Self:
        """Return this layer with the settings of a Conv2dBnAct.

        Follows: mindspore.nn.Conv2dBnWithoutFoldQuant.from_float (1.9).
        """
        return cls(**_settings_of_block(convbn, with_fills=False), quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:
        return self.batchnorm(self._convolve(x, self.fake_quant_weight(self.weight)))  # type: ignore[no-any-return]

    def extend_repr(self) -> str:
        return f"{super().extend_repr()}, has_bias={self.has_bias}"


class _Folded(_QuantizedConvolution):
    """Base of the layers whose weight takes in the factor of the normalisation before it is rounded."""

    _takes_share = False  # whether `momentum` is kept as the share of the batch

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        eps: float = 1e-5,
        momentum: float = 0.997,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        beta_init: Init = "zeros",
        gamma_init: Init = "ones",
        mean_init: Init = "zeros",
        var_init: Init = "ones",
        fake: bool = True,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        **former: Unpack[LegacyArguments],
    ) -> None:
        window = (kernel_size, stride, pad_mode, padding, dilation, group)
        fills = (has_bias, weight_init, bias_init)
        super().__init__(in_channels, out_channels, window, fills, quant_config, quant_dtype, former)
        self.eps = eps
        self.momentum = 1 - momentum if self._takes_share else momentum
        self.fake = boolean(fake, "fake", self.cls_name)
        self._make_statistics(beta_init, gamma_init, mean_init, var_init)


class Conv2dBnFoldQuantOneConv(_Folded):
    """Convolve once, with a weight that took in the moving normalisation and is rounded; undo that, and normalise.

    Args: as Conv2dBnFoldQuant, without `freeze_bn`. The bias of the convolution is without effect, as in MindSpore.

    Follows: mindspore.nn.Conv2dBnFoldQuantOneConv (1.9).
    """

    _takes_share = True
    freeze_bn = False

    @classmethod
    def from_float(cls, convbn: Conv2dBnAct, quant_config: QuantConfig) -> Self:
        """Return this layer with the settings of a Conv2dBnAct.

        Follows: mindspore.nn.Conv2dBnFoldQuantOneConv.from_float (1.9).
        """
        return cls(**_settings_of_block(convbn, with_fills=True), quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:
        running_std = (self.moving_variance + self.eps).sqrt()
        factor = self.gamma / running_std
        weight = self.weight * factor.reshape((-1, 1, 1, 1))
        convolved = self.conv(x, self.fake_quant_weight(weight) if self.fake else weight)
        if self.freeze_bn:
            shift = self.beta - self.gamma * self.moving_mean / running_std
            return convolved + shift.reshape((1, -1, 1, 1))  # type: ignore[no-any-return]
        plain = convolved / factor.reshape((1, -1, 1, 1))
        parameters = (self.gamma, self.beta, self.moving_mean, self.moving_variance)
        return normalize_batch(plain, *parameters, self.training, self.momentum, self.eps)

    def extend_repr(self) -> str:
        return f"{super().extend_repr()}, fake={self.fake}, momentum={self.momentum}"


class Conv2dBnFoldQuant(_Folded):
    """Convolve for the statistics of the batch, and again with a weight that took in the normalisation and is rounded.

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        pad_mode: "same", "valid" or "pad".
        padding: with "pad": an int, or (top, bottom, left, right).
        dilation: an int or (height, width).
        group: groups of channels.
        eps: of the normalisation.
        momentum: how much of the moving statistics stays.
        has_bias: whether there is a bias.
        weight_init: fills the weight.
        bias_init: fills the bias.
        beta_init: fills the normalisation's bias.
        gamma_init: fills its factors.
        mean_init: fills the moving means.
        var_init: fills the moving variances.
        fake: whether the weight is rounded.
        quant_config: the factories of the observers.
        quant_dtype: the type that is simulated, where the factory does not say another.
        freeze_bn: the training step from which on the moving statistics are used, and stay.
        former: num_bits, quant_delay, per_channel, symmetric, narrow_range, as 1.0 takes them.

    Raises:
        TypeError: an argument of another type.
        ValueError: an argument out of range.

    Follows: mindspore.nn.Conv2dBnFoldQuant (1.9).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        eps: float = 1e-5,
        momentum: float = 0.997,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        beta_init: Init = "zeros",
        gamma_init: Init = "ones",
        mean_init: Init = "zeros",
        var_init: Init = "ones",
        fake: bool = True,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        freeze_bn: int = NO_FREEZE_STEP,
        **former: Unpack[LegacyArguments],
    ) -> None:
        window = (kernel_size, stride, pad_mode, padding, dilation, group)
        fills = (has_bias, weight_init, bias_init, beta_init, gamma_init, mean_init, var_init)
        settings = (*window, eps, momentum, *fills, fake, quant_config, quant_dtype)
        super().__init__(in_channels, out_channels, *settings, **former)
        self.freeze_bn = non_negative_int(freeze_bn, "freeze_bn", self.cls_name)
        self.bn_train = BatchNormFold(self.momentum, self.eps, True, freeze_bn)
        self.bn_infer = BatchNormFold(self.momentum, self.eps, False, freeze_bn)
        self.correct_mul = CorrectionMul(0)
        self.batchnorm_fold2_train = BatchNormFold2(freeze_bn)
        self.batchnorm_fold2_infer = BatchNormFold2(0)
        self.step = make_parameter("zeros", (1,), mstype.int32, "step", False)

    @classmethod
    def from_float(cls, convbn: Conv2dBnAct, quant_config: QuantConfig, extra_args: dict[str, Any]) -> Self:
        """Return this layer with the settings of a Conv2dBnAct, and `extra_args`.

        Follows: mindspore.nn.Conv2dBnFoldQuant.from_float (1.9).
        """
        return cls(**_settings_of_block(convbn, with_fills=True), quant_config=quant_config, **extra_args)

    def construct(self, x: Tensor) -> Tensor:
        fold = self.bn_train if self.training else self.bn_infer
        moving_mean: Tensor = self.moving_mean
        moving_variance: Tensor = self.moving_variance
        if self.training and is_repeat():  # they are up to date already
            moving_mean, moving_variance = Tensor(moving_mean), Tensor(moving_variance)
        plain = self._convolve(x, self.weight)
        batch_mean, batch_std, mean, std = fold(plain, moving_mean, moving_variance, self.step)
        weight = self.correct_mul(self.weight, self.gamma, std)
        convolved = self._convolve(x, self.fake_quant_weight(weight) if self.fake else weight)
        fold2 = self.batchnorm_fold2_train if self.training else self.batchnorm_fold2_infer
        convolved = fold2(convolved, self.beta, self.gamma, batch_std, batch_mean, std, mean, self.step)
        if self.training and not is_repeat():
            overwrite(self.step, self.step._data + 1)
        return convolved

    def extend_repr(self) -> str:
        return f"{super().extend_repr()}, fake={self.fake}, freeze_bn={self.freeze_bn}, momentum={self.momentum}"
