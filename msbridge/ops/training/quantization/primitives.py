"""Primitives of simulated quantisation.

Follows: mindspore.ops.operations._quant_ops (1.9, 2.10), whose kernels are those of GPU and Ascend.
"""

from typing import Any

import torch

from msbridge.core.checks.arguments import in_range, instance, non_negative_int, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.primitive.primitive import Primitive
from msbridge.ops.training.quantization import folding, kernels, learnable

BITS = (4, 7, 8)
DERIVED = (*folding.DERIVED, *learnable.DERIVED)


class _Quantization(Primitive):
    """Base: attributes are checked and kept by name, and the axis of the channels is settled."""

    _per_channel = False

    def __init__(self, channel_axis: int | None = None, **attributes: Any) -> None:
        super().__init__(type(self).__name__)
        if channel_axis is not None:
            attributes["channel_axis"] = channel_axis
        for name, value in attributes.items():
            self.add_prim_attr(name, _check_attribute(self.name, name, value))

    def _axis(self, data: torch.Tensor) -> int | None:
        if not self._per_channel:
            return None
        return 0 if data.dim() == 1 else int(self.channel_axis)  # type: ignore[attr-defined]


def _check_attribute(op: str, name: str, value: Any) -> Any:
    """Return an attribute as it is.

    Raises:
        TypeError: it is of another type.
        ValueError: it is out of range.
    """
    if name in ("quant_delay", "channel_axis"):
        return non_negative_int(value, name, op)
    if name == "ema_decay":
        return in_range(value, name, op, 0, 1, "[]")
    return one_of(value, name, op, BITS) if name == "num_bits" else instance(value, name, op, bool)


def _averages(op: str, ema: bool, ema_decay: float) -> None:
    if ema and not ema_decay:
        raise ValueError(f"For '{op}', ema needs an ema_decay other than 0.")


class MinMaxUpdatePerLayer(_Quantization):
    """Return the range of `x`, zero within, averaged with the former one where `ema` says so.

    Args:
        ema: whether to average.
        ema_decay: share of the former range, in [0, 1].

    Raises:
        TypeError: an argument of another type.
        ValueError: `ema_decay` is out of range, or 0 with `ema`.

    Follows: mindspore.ops.operations._quant_ops.MinMaxUpdatePerLayer (1.9).
    """

    def __init__(self, ema: bool = False, ema_decay: float = 0.999) -> None:
        _averages(type(self).__name__, ema, ema_decay)
        super().__init__(ema=ema, ema_decay=ema_decay)

    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> tuple[Tensor, Tensor]:
        try:
            decay = self.ema_decay if self.ema else 0.0  # type: ignore[attr-defined]
            low, high = kernels.update_range(x._data, min._data, max._data, decay, self._axis(x._data))
            return wrap(low), wrap(high)
        except Exception as error:
            raise explain(error, self.name, x=x, min=min, max=max) from error


class MinMaxUpdatePerChannel(MinMaxUpdatePerLayer):
    """Return the range of every channel of `x`: as MinMaxUpdatePerLayer, along `channel_axis`.

    Follows: mindspore.ops.operations._quant_ops.MinMaxUpdatePerChannel (1.9).
    """

    _per_channel = True

    def __init__(self, ema: bool = False, ema_decay: float = 0.999, channel_axis: int = 1) -> None:
        _averages(type(self).__name__, ema, ema_decay)
        _Quantization.__init__(self, channel_axis, ema=ema, ema_decay=ema_decay)


class _Delayed(_Quantization):
    """Base of what starts after `quant_delay` training steps, counted by the calls."""

    def __init__(self, channel_axis: int | None = None, **attributes: Any) -> None:
        super().__init__(channel_axis, **attributes)
        self._calls = 0

    def _waits(self) -> bool:
        if not (self.training and self.quant_delay):  # type: ignore[attr-defined]
            return False
        self._calls += 1
        return self._calls <= self.quant_delay  # type: ignore[attr-defined]


class FakeQuantPerLayer(_Delayed):
    """Round `x` to the steps of the range [min, max]; the gradient passes where `x` lies within.

    Args:
        num_bits: 4, 7 or 8.
        ema: of the operator that updates the range; without effect here.
        ema_decay: likewise.
        quant_delay: training steps that pass before it rounds.
        symmetric: whether the range is made symmetric.
        narrow_range: whether the first step is left out.
        training: whether `quant_delay` counts.

    Raises:
        TypeError: an argument of another type.
        ValueError: an argument out of range.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantPerLayer (1.9).
    """

    def __init__(
        self,
        num_bits: int = 8,
        ema: bool = False,
        ema_decay: float = 0.999,
        quant_delay: int = 0,
        symmetric: bool = False,
        narrow_range: bool = False,
        training: bool = True,
        channel_axis: int | None = None,
    ) -> None:
        _averages(type(self).__name__, ema, ema_decay)
        settings = {"num_bits": num_bits, "ema": ema, "ema_decay": ema_decay, "quant_delay": quant_delay}
        flags = {"symmetric": symmetric, "narrow_range": narrow_range, "training": training}
        super().__init__(channel_axis, **settings, **flags)
        self._steps = kernels.limits(num_bits, narrow_range)

    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> Tensor:
        if self._waits():
            return x
        try:
            symmetric = self.symmetric  # type: ignore[attr-defined]
            datas = (x._data, min._data, max._data)
            return wrap(kernels.fake_quantize(*datas, self._steps, symmetric, self._axis(x._data)))
        except Exception as error:
            raise explain(error, self.name, x=x, min=min, max=max) from error


class FakeQuantPerChannel(FakeQuantPerLayer):
    """Round every channel of `x` to the steps of its range: as FakeQuantPerLayer, along `channel_axis`.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantPerChannel (1.9).
    """

    _per_channel = True
    __init__ = with_defaults(FakeQuantPerLayer.__init__, channel_axis=1)


class FakeQuantPerLayerGrad(_Quantization):
    """Return the gradient `dout` where `x` lies within the range, and 0 elsewhere.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantPerLayerGrad (1.9).
    """

    def __init__(
        self,
        num_bits: int = 8,
        quant_delay: int = 0,
        symmetric: bool = False,
        narrow_range: bool = False,
        channel_axis: int | None = None,
    ) -> None:
        flags = {"symmetric": symmetric, "narrow_range": narrow_range}
        super().__init__(channel_axis, num_bits=num_bits, quant_delay=quant_delay, **flags)
        self._steps = kernels.limits(num_bits, narrow_range)

    def __call__(self, dout: Tensor, x: Tensor, min: Tensor, max: Tensor) -> Tensor:
        symmetric = self.symmetric  # type: ignore[attr-defined]

        def forward(data: torch.Tensor) -> torch.Tensor:
            return kernels.fake_quantize(data, min._data, max._data, self._steps, symmetric, self._axis(data))

        return backward(self.name, forward, dout, x)[0]


class FakeQuantPerChannelGrad(FakeQuantPerLayerGrad):
    """Return the gradient of FakeQuantPerChannel.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantPerChannelGrad (1.9).
    """

    _per_channel = True
    __init__ = with_defaults(FakeQuantPerLayerGrad.__init__, channel_axis=1)


class FakeLearnedScaleQuantPerLayer(_Delayed):
    """Round `x` to steps of a learned scale; the scale has a gradient, too.

    Args:
        quant_delay: training steps that pass before it rounds.
        neg_trunc: whether what is negative becomes 0.
        training: whether `quant_delay` counts.

    Follows: mindspore.ops.operations._quant_ops.FakeLearnedScaleQuantPerLayer (1.9).
    """

    def __init__(
        self, quant_delay: int = 0, neg_trunc: bool = False, training: bool = True, channel_axis: int | None = None
    ) -> None:
        super().__init__(channel_axis, quant_delay=quant_delay, neg_trunc=neg_trunc, training=training)

    def __call__(self, input_x: Tensor, alpha: Tensor, quant_max: Tensor) -> Tensor:
        if self._waits():
            return input_x
        try:
            settings = (self.neg_trunc, self._axis(input_x._data))  # type: ignore[attr-defined]
            return wrap(kernels.fake_quantize_learned(input_x._data, alpha._data, quant_max._data, *settings))
        except Exception as error:
            raise explain(error, self.name, input_x=input_x, alpha=alpha, quant_max=quant_max) from error


class FakeLearnedScaleQuantPerChannel(FakeLearnedScaleQuantPerLayer):
    """Round every channel of `x` to steps of its learned scale, along `channel_axis`.

    Follows: mindspore.ops.operations._quant_ops.FakeLearnedScaleQuantPerChannel (1.9).
    """

    _per_channel = True
    __init__ = with_defaults(FakeLearnedScaleQuantPerLayer.__init__, channel_axis=1)


class FakeLearnedScaleQuantPerLayerGrad(_Quantization):
    """Return the gradients of FakeLearnedScaleQuantPerLayer with respect to `x` and to the scale.

    Follows: mindspore.ops.operations._quant_ops.FakeLearnedScaleQuantPerLayerGrad (1.9).
    """

    def __init__(self, quant_delay: int = 0, neg_trunc: bool = False, channel_axis: int | None = None) -> None:
        super().__init__(channel_axis, quant_delay=quant_delay, neg_trunc=neg_trunc)

    def __call__(self, dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor) -> tuple[Tensor, ...]:
        def forward(data: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
            neg_trunc = self.neg_trunc  # type: ignore[attr-defined]
            return kernels.fake_quantize_learned(data, scale, quant_max._data, neg_trunc, self._axis(data))

        return backward(self.name, forward, dout, x, alpha)


class FakeLearnedScaleQuantPerChannelGrad(FakeLearnedScaleQuantPerLayerGrad):
    """Return the gradients of FakeLearnedScaleQuantPerChannel.

    Follows: mindspore.ops.operations._quant_ops.FakeLearnedScaleQuantPerChannelGrad (1.9).
    """

    _per_channel = True
    __init__ = with_defaults(FakeLearnedScaleQuantPerLayerGrad.__init__, channel_axis=1)


class FakeQuantWithMinMaxVars(Primitive):
    """Round `x` to the steps of [min, max]; what lies beyond an end passes its gradient to that end.

    Args:
        num_bits: from 2 to 16.
        narrow_range: whether the first step is left out.

    Raises:
        TypeError: an argument of another type.
        ValueError: `num_bits` is out of range.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVars (2.10).
    """

    _axis: int | None = None

    def __init__(self, num_bits: int = 8, narrow_range: bool = False) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr(
            "num_bits", in_range(instance(num_bits, "num_bits", self.name, int), "num_bits", self.name, 2, 16, "[]")
        )
        self.add_prim_attr("narrow_range", instance(narrow_range, "narrow_range", self.name, bool))
        self._steps = kernels.limits(num_bits, narrow_range)

    def _between(self, x: torch.Tensor, low: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
        return kernels.fake_quantize_between(x, low, high, self._steps, self._axis)

    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> Any:
        try:
            return wrap(self._between(x._data, min._data, max._data))
        except Exception as error:
            raise explain(error, self.name, x=x, min=min, max=max) from error


class FakeQuantWithMinMaxVarsPerChannel(FakeQuantWithMinMaxVars):
    """Round `x`, of shape (…, d), to the steps of d ranges: as FakeQuantWithMinMaxVars, along the last axis.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVarsPerChannel (2.10).
    """

    _axis = -1


class FakeQuantWithMinMaxVarsGradient(FakeQuantWithMinMaxVars):
    """Return the gradients of FakeQuantWithMinMaxVars with respect to `x`, `min` and `max`.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVarsGradient (2.10).
    """

    def __call__(self, gradients: Tensor, x: Tensor, min: Tensor, max: Tensor) -> Any:  # type: ignore[override]
        return backward(self.name, self._between, gradients, x, min, max)


class FakeQuantWithMinMaxVarsPerChannelGradient(FakeQuantWithMinMaxVarsGradient):
    """Return the gradients of FakeQuantWithMinMaxVarsPerChannel.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVarsPerChannelGradient (2.10).
    """

    _axis = -1


class FakeQuantParam(Primitive):
    """Return the input; keep how it was quantised as attributes.

    Args:
        quant_dtype: a QuantDtype.
        quant_algo_name: the name of the algorithm.
        is_per_channel: whether there are parameters for each channel.
        kwargs: the parameters.

    Follows: mindspore.ops.operations._quant_ops.FakeQuantParam (2.10).
    """

    attr_key_linear_quant_scale = "linear_quant_scale"
    attr_key_linear_quant_zero_point = "linear_quant_zero_point"
    attr_value_linear_quant_algo_name = "linear_quant_algo"

    def __init__(self, quant_dtype: Any, quant_algo_name: str, is_per_channel: bool, **kwargs: Any) -> None:
        super().__init__(type(self).__name__)
        own = {"quant_algo_name": quant_algo_name, "is_per_channel": is_per_channel, "quant_dtype": quant_dtype.value}
        for name, value in (own | kwargs).items():
            self.add_prim_attr(name, value)

    @classmethod
    def linear_quant_param(
        cls, quant_dtype: Any, scale: Any, zp: Any, is_per_channel: bool = False, **kwargs: Any
    ) -> "FakeQuantParam":
        """Return the primitive of a scale and a zero point, or of several, one for each channel.

        Raises:
            TypeError: `scale` is not a float or `zp` is not an int, nor a list or tuple.

        Follows: mindspore.ops.operations._quant_ops.FakeQuantParam.linear_quant_param (2.10).
        """
        op = cls.__name__
        instance(scale, "scale", op, (float, tuple, list))
        instance(zp, "zero_point", op, (int, tuple, list))
        instance(is_per_channel, "is_per_channel", op, bool)
        kwargs[cls.attr_key_linear_quant_scale] = [scale] if isinstance(scale, float) else scale
        kwargs[cls.attr_key_linear_quant_zero_point] = [zp] if isinstance(zp, int) else zp
        return cls(quant_dtype, cls.attr_value_linear_quant_algo_name, is_per_channel, **kwargs)

    def __call__(self, input_x: Tensor) -> Tensor:
        return input_x
