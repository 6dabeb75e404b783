"""The observer: it follows the range of what flows through it, and rounds it to the steps of that range."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypedDict

import numpy as np

from msbridge.core.checks.arguments import instance, non_negative_int, one_of
from msbridge.core.context.grad_state import is_repeat
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.quantization.dtypes import QuantDtype
from msbridge.ops.training.quantization.primitives import (
    FakeLearnedScaleQuantPerChannel,
    FakeLearnedScaleQuantPerLayer,
    FakeQuantPerChannel,
    FakeQuantPerLayer,
    MinMaxUpdatePerChannel,
    MinMaxUpdatePerLayer,
)

__all__ = ["FakeQuantWithMinMax", "FakeQuantWithMinMaxObserver"]

Ends = float | list[float]
MODES = ("DEFAULT", "LEARNED_SCALE")


class Factory:
    """Makes observers with settings that are given in parts: `Observer.partial_init(symmetric=True)(num_channels=3)`.

    Args:
        make: the class, or a partial of it.
    """

    def __init__(self, make: partial) -> None:
        self.p = make

    def __call__(self, *args: Any, **settings: Any) -> Any:
        return self.p(*args, **settings)

    def partial_init(self, **settings: Any) -> "Factory":
        """Return a factory with more settings."""
        return Factory(partial(self.p, **settings))


def _partial_init(cls_or_self: Any, **kwargs: Any) -> Factory:
    """Return a factory of a class, or of another factory, with some settings.

    Follows: mindspore.nn.layer.quant._partial_init (1.10).
    """
    return Factory(partial(cls_or_self, **kwargs))


class UniformQuantObserver(Cell):
    """Base of observers whose steps have one length.

    Args:
        quant_dtype: the type that is simulated.
        per_channel: whether every channel has a range of its own.
        symmetric: whether the range is made symmetric.
        narrow_range: whether the first step is left out.
        num_channels: the number of channels.

    Follows: mindspore.nn.layer.quant.UniformQuantObserver (1.9).
    """

    def __init__(
        self,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        per_channel: bool = False,
        symmetric: bool = False,
        narrow_range: bool = False,
        num_channels: int = 1,
    ) -> None:
        super().__init__()
        self.quant_dtype = quant_dtype
        self.per_channel = per_channel
        self.symmetric = symmetric
        self.narrow_range = narrow_range
        self.num_channels = num_channels

    partial_init = classmethod(_partial_init)


class FakeQuantWithMinMaxObserver(UniformQuantObserver):
    """Follow the range of the input while training, and round the input to the steps of the range.

    Args:
        min_init: the lower end at first; a list for channels.
        max_init: the upper end at first.
        ema: whether the range is averaged over the steps.
        ema_decay: how much of the former range stays.
        per_channel: whether every channel has a range of its own.
        channel_axis: the axis of the channels.
        num_channels: how many there are.
        quant_dtype: the type that is simulated.
        symmetric: whether the range is made symmetric.
        narrow_range: whether the first step is left out.
        quant_delay: training steps that pass before it rounds.
        neg_trunc: with "LEARNED_SCALE", whether what is negative becomes 0.
        mode: "DEFAULT", or "LEARNED_SCALE", where the upper end is trained.

    Raises:
        TypeError: `min_init` or `max_init` is not a number and no list, `quant_delay` is not an int.
        ValueError: `min_init` is not less than `max_init`, a list has another length than there are channels, or
            settings do not go with the mode.

    Follows: mindspore.nn.FakeQuantWithMinMaxObserver (1.9).
    """

    def __init__(
        self,
        min_init: Ends = -6,
        max_init: Ends = 6,
        ema: bool = False,
        ema_decay: float = 0.999,
        per_channel: bool = False,
        channel_axis: int = 1,
        num_channels: int = 1,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        symmetric: bool = False,
        narrow_range: bool = False,
        quant_delay: int = 0,
        neg_trunc: bool = False,
        mode: str = "DEFAULT",
    ) -> None:
        super().__init__(quant_dtype, per_channel, symmetric, narrow_range, num_channels)
        self.ema = ema
        self.ema_decay = ema_decay
        self.channel_axis = channel_axis
        self.quant_delay = non_negative_int(quant_delay, "quant_delay", self.cls_name)
        self.neg_trunc = neg_trunc
        self.mode = one_of(mode, "mode", self.cls_name, MODES)
        ends = self._init_range(quant_dtype, min_init, max_init)
        if mode == "DEFAULT":
            self._hold_moving_range(*ends)
        else:
            self._hold_learned_range(*ends)

    def _init_range(self, quant_dtype: QuantDtype, min_init: Ends, max_init: Ends) -> tuple[np.ndarray, np.ndarray]:
        """Keep the type and the first range, and return the range's ends as arrays."""
        self.quant_dtype = quant_dtype
        self.num_bits = quant_dtype.num_bits
        self.min_init, self.max_init = min_init, max_init
        low, high = self._range_end_array(min_init, "min_init"), self._range_end_array(max_init, "max_init")
        if not (high > low).all():
            raise ValueError(
                f"For '{self.cls_name}', 'max_init' must be greater than 'min_init', got {max_init} and {min_init}."
            )
        return low, high

    def _range_end_array(self, end: Ends, name: str) -> np.ndarray:
        instance(end, name, self.cls_name, (int, float, list))
        count = self.num_channels if self.per_channel else 1
        if isinstance(end, list) and len(end) != count:
            raise ValueError(f"For '{self.cls_name}', the list '{name}' must have the length {count}, got {len(end)}.")
        return np.full(count, end, np.float32)

    def _hold_moving_range(self, low: np.ndarray, high: np.ndarray) -> None:
        self.minq = Parameter(Tensor(low), name="quant_min", requires_grad=False)
        self.maxq = Parameter(Tensor(high), name="quant_max", requires_grad=False)
        axis = {"channel_axis": self.channel_axis} if self.per_channel else {}
        update = MinMaxUpdatePerChannel if self.per_channel else MinMaxUpdatePerLayer
        self.ema_update = update(self.ema, self.ema_decay, **axis)
        self._prepare(
            FakeQuantPerChannel if self.per_channel else FakeQuantPerLayer,
            num_bits=self.num_bits,
            ema=self.ema,
            ema_decay=self.ema_decay,
            symmetric=self.symmetric,
            narrow_range=self.narrow_range,
            **axis,
        )

    def _hold_learned_range(self, low: np.ndarray, high: np.ndarray) -> None:
        if not self.symmetric:
            raise ValueError(f"For '{self.cls_name}', the mode 'LEARNED_SCALE' needs symmetric=True.")
        if self.narrow_range == self.neg_trunc:
            raise ValueError(
                f"For '{self.cls_name}', the mode 'LEARNED_SCALE' needs narrow_range=True, or, with neg_trunc=True, "
                f"narrow_range=False; got narrow_range={self.narrow_range} and neg_trunc={self.neg_trunc}."
            )
        self.minq = Parameter(Tensor(np.zeros_like(low) if self.neg_trunc else low), name="minq")
        self.maxq = Parameter(Tensor(high), name="maxq")
        self.quant_max = Parameter(Tensor(self._steps()), name="quant_max", requires_grad=False)
        axis = {"channel_axis": self.channel_axis} if self.per_channel else {}
        make = FakeLearnedScaleQuantPerChannel if self.per_channel else FakeLearnedScaleQuantPerLayer
        self._prepare(make, neg_trunc=self.neg_trunc, **axis)

    def _prepare(self, make: Callable[..., Any], **settings: Any) -> None:
        self.fake_quant_train = make(quant_delay=self.quant_delay, training=True, **settings)
        self.fake_quant_infer = make(quant_delay=self.quant_delay, training=False, **settings)

    def _steps(self) -> np.ndarray:
        """Return the number of steps of a learned range, on one side of zero."""
        return np.array([2 ** (self.num_bits - (not self.neg_trunc)) - 1], np.float32)

    def reset(self, quant_dtype: QuantDtype = QuantDtype.INT8, min_init: Ends = -6, max_init: Ends = 6) -> None:
        """Begin with another type and range; with "LEARNED_SCALE" only.

        Raises:
            ValueError: the mode is another one, or `min_init` is not less than `max_init`.

        Follows: mindspore.nn.FakeQuantWithMinMaxObserver.reset (1.9).
        """
        if self.mode != "LEARNED_SCALE":
            raise ValueError(f"For '{self.cls_name}', reset needs the mode 'LEARNED_SCALE', got {self.mode!r}.")
        low, high = self._init_range(quant_dtype, 0 if self.neg_trunc else min_init, max_init)
        self.minq.set_data(Tensor(low))
        self.maxq.set_data(Tensor(high))
        self.quant_max.set_data(Tensor(self._steps()))

    def construct(self, x: Tensor) -> Tensor:
        if self.mode == "LEARNED_SCALE":
            quantize = self.fake_quant_train if self.training else self.fake_quant_infer
            found: Tensor = quantize(x, self.maxq, self.quant_max)
            if self.training and not self.neg_trunc:
                overwrite(self.minq, -self.maxq._data.detach())
            return found
        if not self.training:
            return self.fake_quant_infer(x, self.minq, self.maxq)  # type: ignore[no-any-return]
        if not is_repeat():
            low, high = self.ema_update(x, self.minq, self.maxq)
            overwrite(self.minq, low._data)
            overwrite(self.maxq, high._data)
        return self.fake_quant_train(x, self.minq, self.maxq)  # type: ignore[no-any-return]

    def extend_repr(self) -> str:
        return (
            f"quant_dtype={self.quant_dtype}, symmetric={self.symmetric}, narrow_range={self.narrow_range}, "
            f"ema={self.ema}({self.ema_decay}), per_channel={self.per_channel}({self.channel_axis}, "
            f"{self.num_channels}), quant_delay={self.quant_delay}, min_init={self.min_init}, max_init={self.max_init}"
        )


class FakeQuantWithMinMax(FakeQuantWithMinMaxObserver):
    """The observer of 1.0, which takes the number of bits.

    Args:
        min_init: the lower end at first.
        max_init: the upper end at first.
        ema: whether the range is averaged over the steps.
        ema_decay: how much of the former range stays.
        per_channel: whether every channel has a range of its own.
        channel_axis: the axis of the channels.
        num_channels: how many there are.
        num_bits: 4, 7 or 8.
        symmetric: whether the range is made symmetric.
        narrow_range: whether the first step is left out.
        quant_delay: training steps that pass before it rounds.

    Follows: mindspore.nn.FakeQuantWithMinMax (1.0).
    """

    def __init__(
        self,
        min_init: Ends = -6,
        max_init: Ends = 6,
        ema: bool = False,
        ema_decay: float = 0.999,
        per_channel: bool = False,
        channel_axis: int = 1,
        num_channels: int = 1,
        num_bits: int = 8,
        symmetric: bool = False,
        narrow_range: bool = False,
        quant_delay: int = 0,
    ) -> None:
        channels = (per_channel, channel_axis, num_channels, dtype_of(num_bits, "FakeQuantWithMinMax"))
        super().__init__(min_init, max_init, ema, ema_decay, *channels, symmetric, narrow_range, quant_delay)


class QuantConfig(NamedTuple):
    """The factories of the observers of weights and of activations."""

    weight: Factory
    activation: Factory


quant_config_default = QuantConfig(
    FakeQuantWithMinMaxObserver.partial_init(), FakeQuantWithMinMaxObserver.partial_init()
)


class LegacyArguments(TypedDict, total=False):
    """The settings that layers of 1.0 took themselves, where later ones take a QuantConfig."""

    num_bits: int
    quant_delay: int
    per_channel: bool
    symmetric: bool
    narrow_range: bool


def config_of(config: QuantConfig, former: LegacyArguments, op: str) -> QuantConfig:
    """Return the factories, with what was given in the form of 1.0.

    Raises:
        TypeError: a name that is none of that form.
    """
    if unknown := former.keys() - LegacyArguments.__annotations__.keys():
        raise TypeError(f"{op}() got unexpected keyword arguments {sorted(unknown)}.")
    if not former:
        return config
    settings: dict[str, Any] = dict(former)
    if "num_bits" in settings:
        settings["quant_dtype"] = dtype_of(settings.pop("num_bits"), op)
    flow = {name: value for name, value in settings.items() if name != "per_channel"}
    return QuantConfig(config.weight.partial_init(**settings), config.activation.partial_init(**flow))


def dtype_of(num_bits: int, op: str) -> QuantDtype:
    """Return the signed type of so many bits."""
    return QuantDtype[f"INT{one_of(num_bits, 'num_bits', op, range(2, 9))}"]
