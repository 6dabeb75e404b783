"""Dense layer, activations, sums and products whose weights or results are rounded as they compute."""

from typing import Any, Self, Unpack

from msbridge.core.checks.arguments import boolean, instance, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import HSigmoid, HSwish, get_activation
from msbridge.nn.layers.activations.rectifiers import LeakyReLU, ReLU, ReLU6
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.parameter_init import Init, make_parameter
from msbridge.nn.quantization.convolutions import observer_of_weight
from msbridge.nn.quantization.dtypes import QuantDtype
from msbridge.nn.quantization.observers import LegacyArguments, QuantConfig, config_of, dtype_of, quant_config_default
from msbridge.ops.operations import Add, BiasAdd, MatMul, Mul
from msbridge.ops.primitive.primitive import Primitive

__all__ = [
    "ActQuant",
    "DenseQuant",
    "HSigmoidQuant",
    "HSwishQuant",
    "LeakyReLUQuant",
    "MulQuant",
    "TensorAddQuant",
]


class DenseQuant(Cell):
    """Compute activation(x @ weight.T + bias) with a weight that is rounded.

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        weight_init: fills the weight.
        bias_init: fills the bias.
        has_bias: whether there is a bias.
        activation: a name, Cell or Primitive applied at the end.
        quant_config: the factories of the observers.
        quant_dtype: the type that is simulated, where the factory does not say another.
        former: num_bits, quant_delay, per_channel, symmetric, narrow_range, as 1.0 takes them.

    Raises:
        TypeError: an argument of another type.
        ValueError: a size is not positive, or a Tensor to fill with has another shape.

    Follows: mindspore.nn.DenseQuant (1.9).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
        activation: str | Cell | Primitive | None = None,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        **former: Unpack[LegacyArguments],
    ) -> None:
        super().__init__()
        op = self.cls_name
        self.in_channels = positive_int(in_channels, "in_channels", op)
        self.out_channels = positive_int(out_channels, "out_channels", op)
        self.has_bias = boolean(has_bias, "has_bias", op)
        shapes = {"weight": (out_channels, in_channels), "bias": (out_channels,)}
        for (name, shape), init in zip(shapes.items(), (weight_init, bias_init), strict=True):
            if isinstance(init, Tensor) and init.shape != shape:
                raise ValueError(f"For '{op}', the shape of '{name}_init' must be {shape}, got {init.shape}.")
        self.weight = make_parameter(weight_init, shapes["weight"], mstype.float32, "weight")
        self.bias = make_parameter(bias_init, shapes["bias"], mstype.float32, "bias") if has_bias else None
        self.matmul = MatMul(transpose_b=True)
        self.bias_add = BiasAdd()
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None:
            instance(self.activation, "activation", op, (Cell, Primitive))
        self.activation_flag = self.activation is not None
        self.fake_quant_weight = observer_of_weight(config_of(quant_config, former, op), quant_dtype, out_channels)

    @classmethod
    def from_float(cls, dense: Dense, quant_config: QuantConfig) -> Self:
        """Return this layer with the settings and values of a Dense.

        Follows: mindspore.nn.DenseQuant.from_float (1.9).
        """
        bias = Tensor(dense.bias) if dense.has_bias else "zeros"
        settings = (dense.in_channels, dense.out_channels, Tensor(dense.weight), bias, dense.has_bias)
        return cls(*settings, dense.activation, quant_config=quant_config)

    def construct(self, x: Tensor) -> Tensor:
        x = self.matmul(x, self.fake_quant_weight(self.weight))
        x = self.bias_add(x, self.bias) if self.has_bias else x
        return self.activation(x) if self.activation is not None else x

    def extend_repr(self) -> str:
        bias = f", bias={self.bias}" if self.has_bias else ""
        activation = f", activation={self.activation}" if self.activation_flag else ""
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, weight={self.weight}, "
            f"has_bias={self.has_bias}{bias}{activation}"
        )


class _QuantActivation(Cell):
    """Base of the layers that wrap an activation."""

    def get_origin(self) -> Cell:
        """Return the activation.

        Follows: mindspore.nn.ActQuant.get_origin (1.9).
        """
        return self.act  # type: ignore[no-any-return]


class ActQuant(_QuantActivation):
    """Activate, and round the result.

    Args:
        activation: a Cell.
        ema: whether the range is averaged over the steps.
        ema_decay: how much of the former range stays.
        fake_before: whether the input is rounded, too.
        quant_config: the factories of the observers.
        quant_dtype: the type that is simulated.
        former: num_bits, quant_delay, symmetric, narrow_range, as 1.0 takes them.

    Raises:
        TypeError: `activation` is not a Cell, or `fake_before` is not a bool.

    Follows: mindspore.nn.ActQuant (1.9).
    """

    def __init__(
        self,
        activation: Cell,
        ema: bool = False,
        ema_decay: float = 0.999,
        fake_before: bool = False,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        **former: Unpack[LegacyArguments],
    ) -> None:
        super().__init__()
        self.act = instance(activation, "activation", self.cls_name, Cell)
        self.fake_before = boolean(fake_before, "fake_before", self.cls_name)
        make = config_of(quant_config, former, self.cls_name).activation
        if "num_bits" in former:
            quant_dtype = dtype_of(former["num_bits"], self.cls_name)
        settings = {"min_init": -6, "max_init": 6, "ema": ema, "ema_decay": ema_decay, "quant_dtype": quant_dtype}
        if fake_before:
            self.fake_quant_act_before = make(**settings)
        preset = make.p.keywords
        self.neg_trunc = preset.get("mode") == "LEARNED_SCALE" and type(activation) in (ReLU, ReLU6)
        self.narrow_range = False if self.neg_trunc else preset.get("narrow_range", False)
        self.fake_quant_act = make(**settings, neg_trunc=self.neg_trunc, narrow_range=self.narrow_range)

    def construct(self, x: Tensor) -> Tensor:
        x = self.fake_quant_act_before(x) if self.fake_before else x
        return self.fake_quant_act(self.act(x))  # type: ignore[no-any-return]


class _RoundedOnBothSides(ActQuant):
    """Base of the activations of 1.0 that round their input, too."""

    _kind: type[Cell]

    def __init__(
        self,
        activation: Cell,
        ema_decay: float = 0.999,
        per_channel: bool = False,
        num_bits: int = 8,
        symmetric: bool = False,
        narrow_range: bool = False,
        quant_delay: int = 0,
    ) -> None:
        if not isinstance(activation, self._kind):
            raise ValueError(f"For '{type(self).__name__}', activation must be nn.{self._kind.__name__}.")
        former: LegacyArguments = {"num_bits": num_bits, "quant_delay": quant_delay, "per_channel": per_channel}
        former |= {"symmetric": symmetric, "narrow_range": narrow_range}
        super().__init__(activation, True, ema_decay, True, **former)


class LeakyReLUQuant(_RoundedOnBothSides):
    """Round, apply nn.LeakyReLU, and round again.

    Follows: mindspore.nn.LeakyReLUQuant (1.0).
    """

    _kind = LeakyReLU


class HSwishQuant(_RoundedOnBothSides):
    """Round, apply nn.HSwish, and round again.

    Follows: mindspore.nn.HSwishQuant (1.0).
    """

    _kind = HSwish


class HSigmoidQuant(_RoundedOnBothSides):
    """Round, apply nn.HSigmoid, and round again.

    Follows: mindspore.nn.HSigmoidQuant (1.0).
    """

    _kind = HSigmoid


class _RoundedResult(Cell):
    """Base of operators of two inputs whose result is rounded."""

    def __init__(
        self,
        ema_decay: float = 0.999,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        **former: Unpack[LegacyArguments],
    ) -> None:
        super().__init__()
        make = config_of(quant_config, former, self.cls_name).activation
        if "num_bits" in former:
            quant_dtype = dtype_of(former["num_bits"], self.cls_name)
        self.fake_quant_act = make(min_init=-6, max_init=6, ema=True, ema_decay=ema_decay, quant_dtype=quant_dtype)


class TensorAddQuant(_RoundedResult):
    """Add, and round the result.

    Args:
        ema_decay: how much of the former range stays.
        quant_config: the factories of the observers.
        quant_dtype: the type that is simulated.
        former: num_bits, quant_delay, symmetric, narrow_range, as 1.0 takes them.

    Follows: mindspore.nn.TensorAddQuant (1.9).
    """

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        return self.fake_quant_act(Add()(x1, x2))  # type: ignore[no-any-return]


class MulQuant(_RoundedResult):
    """Multiply, and round the result.

    Args: as TensorAddQuant.

    Follows: mindspore.nn.MulQuant (1.9).
    """

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        return self.fake_quant_act(Mul()(x1, x2))  # type: ignore[no-any-return]


class QuantBlock(Cell):
    """Quantise, compute, activate, and take the quantisation back: a layer after training.

    Args:
        core_op: the operator, of the input, the weight and, if there is one, the bias.
        weight: its weight.
        quant_op: quantises the input.
        dequant_op: takes a result and `dequant_scale`.
        dequant_scale: the scale.
        bias: of the operator.
        activation: a Cell; nn.ReLU becomes the attribute `relu_flag` of `dequant_op`.

    Follows: mindspore.nn.layer.quant.QuantBlock (1.0).
    """

    def __init__(
        self,
        core_op: Any,
        weight: Tensor,
        quant_op: Any,
        dequant_op: Primitive,
        dequant_scale: Tensor,
        bias: Tensor | None = None,
        activation: Cell | None = None,
    ) -> None:
        super().__init__()
        self.core_op = core_op
        self.weight = weight
        self.quant = quant_op
        self.dequant = dequant_op
        self.dequant_scale = dequant_scale
        self.bias = bias
        self.has_bias = bias is not None
        if isinstance(activation, ReLU):
            dequant_op.add_prim_attr("relu_flag", True)
            activation = None
        self.activation = activation
        self.has_act = activation is not None

    def construct(self, x: Tensor) -> Tensor:
        x = self.core_op(self.quant(x), self.weight, *([self.bias] if self.has_bias else []))
        x = self.activation(x) if self.activation is not None else x
        return self.dequant(x, self.dequant_scale)  # type: ignore[no-any-return]

    def extend_repr(self) -> str:
        bias = f", bias=shape[{self.bias.shape}]" if self.bias is not None else ""
        activation = f", activation={self.activation}" if self.has_act else ""
        return (
            f"quant={self.quant}, core_op={type(self.core_op)}, weight=shape[{self.weight.shape}]{bias}{activation}, "
            f"dequant={self.dequant}"
        )
