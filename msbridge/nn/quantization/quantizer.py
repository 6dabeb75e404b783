"""Conversion of a network into one that is trained for quantisation."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from msbridge.core.checks.arguments import boolean, instance, non_negative_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import HSigmoid, HSwish, Sigmoid
from msbridge.nn.layers.activations.rectifiers import LeakyReLU, ReLU, ReLU6
from msbridge.nn.layers.combined import Conv2dBnAct, DenseBnAct
from msbridge.nn.quantization.activations import ActQuant, DenseQuant, MulQuant, TensorAddQuant
from msbridge.nn.quantization.convolutions import (
    Conv2dBnFoldQuant,
    Conv2dBnFoldQuantOneConv,
    Conv2dBnWithoutFoldQuant,
    Conv2dQuant,
)
from msbridge.nn.quantization.dtypes import QuantDtype
from msbridge.nn.quantization.observers import FakeQuantWithMinMaxObserver, QuantConfig, dtype_of
from msbridge.nn.quantization.thresholds import compute_kl_threshold
from msbridge.ops.primitive.primitive import Primitive

__all__ = [
    "ExportToQuantInferNetwork",
    "OptimizeOption",
    "QuantizationAwareTraining",
    "Quantizer",
    "convert_quant_network",
    "create_quant_config",
    "export",
]

Two = Any  # one value for weights and activations, or a list or tuple of both
WEIGHTED = (Conv2dBnFoldQuantOneConv, Conv2dBnFoldQuant, Conv2dBnWithoutFoldQuant, Conv2dQuant, DenseQuant)
QUANTIZED = (FakeQuantWithMinMaxObserver, *WEIGHTED, ActQuant, TensorAddQuant, MulQuant)
ROUNDED = frozenset({"Add", "TensorAdd", "Sub", "Mul", "RealDiv", "ReduceMean"})
EPSILON = 1e-5


class OptimizeOption(enum.Enum):
    """The methods of finding ranges: followed (`QAT`) or trained (`LEARNED_SCALE`).

    Follows: mindspore.compression.quant.quantizer.OptimizeOption (1.9).
    """

    QAT = "QAT"
    LEARNED_SCALE = "LEARNED_SCALE"

    def __str__(self) -> str:
        return self.value


class Quantizer(ABC):
    """Base of what converts networks.

    Args:
        optimize_option: an OptimizeOption, or several.

    Raises:
        TypeError: it is not one.

    Follows: mindspore.compression.quant.quantizer.Quantizer (1.9).
    """

    def __init__(self, optimize_option: Any = OptimizeOption.QAT) -> None:
        options = optimize_option if isinstance(optimize_option, list | tuple) else [optimize_option]
        for option in options:
            instance(option, "optimize_option", type(self).__name__, OptimizeOption)
        self.optimize_option = options

    @abstractmethod
    def quantize(self, network: Cell) -> Cell:
        """Return the network that is trained for quantisation."""


def create_quant_config(
    quant_observer: Sequence[type] = (FakeQuantWithMinMaxObserver, FakeQuantWithMinMaxObserver),
    quant_delay: Sequence[int] = (0, 0),
    quant_dtype: Sequence[QuantDtype] = (QuantDtype.INT8, QuantDtype.INT8),
    per_channel: Sequence[bool] = (False, False),
    symmetric: Sequence[bool] = (False, False),
    narrow_range: Sequence[bool] = (False, False),
    mode: str = "DEFAULT",
) -> QuantConfig:
    """Return the factories of observers for weights and for activations; each argument has a value for both.

    Args:
        quant_observer: the classes.
        quant_delay: training steps that pass before they round.
        quant_dtype: the types that are simulated.
        per_channel: whether every channel has a range of its own; activations have none.
        symmetric: whether the range is made symmetric.
        narrow_range: whether the first step is left out.
        mode: "DEFAULT" or "LEARNED_SCALE".

    Raises:
        ValueError: activations per channel.

    Follows: mindspore.compression.quant.create_quant_config (1.9).
    """
    if per_channel[-1]:
        raise ValueError("For 'create_quant_config', the second element of per_channel must be False.")
    observers: list[Any] = [quant_observer[0], quant_observer[-1]]
    factories = [
        observer.partial_init(
            quant_delay=quant_delay[place],
            quant_dtype=quant_dtype[place],
            per_channel=per_channel[place],
            symmetric=symmetric[place],
            narrow_range=narrow_range[place],
            mode=mode,
        )
        for place, observer in zip((0, -1), observers, strict=True)
    ]
    return QuantConfig(*factories)


def _identity(value: Any) -> Any:
    return value


class _Rounded(Cell):
    """An operator or a layer's end whose result is rounded."""

    def __init__(self, subcell: Any, observer: FakeQuantWithMinMaxObserver) -> None:
        super().__init__(auto_prefix=False)
        self.subcell = subcell
        self.fake_quant_act = observer

    def construct(self, *inputs: Any) -> Tensor:
        return self.fake_quant_act(self.subcell(*inputs))  # type: ignore[no-any-return]


class QuantizationAwareTraining(Quantizer):
    """Convert the Conv2dBnAct, DenseBnAct and the sums, products and means of a network into rounding ones.

    Args:
        bn_fold: whether normalisation is folded into the weights of convolutions.
        freeze_bn: the training step from which on the moving statistics are used, with two convolutions.
        quant_delay: training steps that pass before weights and activations are rounded.
        quant_dtype: the types that are simulated.
        per_channel: whether every channel of weights has a range of its own; activations have none.
        symmetric: whether ranges are made symmetric.
        narrow_range: whether the first step is left out.
        optimize_option: an OptimizeOption, or several.
        one_conv_fold: whether folding takes one convolution or two.

    Raises:
        TypeError: an argument of another type.
        ValueError: a list is longer than 2, or settings do not go with LEARNED_SCALE.

    Follows: mindspore.compression.quant.QuantizationAwareTraining (1.9), on any device.
    """

    def __init__(
        self,
        bn_fold: bool = True,
        freeze_bn: int = 10000000,
        quant_delay: Two = (0, 0),
        quant_dtype: Two = (QuantDtype.INT8, QuantDtype.INT8),
        per_channel: Two = (False, False),
        symmetric: Two = (False, False),
        narrow_range: Two = (False, False),
        optimize_option: Any = OptimizeOption.QAT,
        one_conv_fold: bool = True,
    ) -> None:
        super().__init__(optimize_option)
        op = type(self).__name__
        self.bn_fold = boolean(bn_fold, "bn_fold", op)
        self.freeze_bn = non_negative_int(freeze_bn, "freeze_bn", op)
        self.one_conv_fold = boolean(one_conv_fold, "one_conv_fold", op)
        self.weight_qdelay, self.act_qdelay = _weight_and_activation_values(quant_delay, "quant_delay", op, int)
        for delay in (self.weight_qdelay, self.act_qdelay):
            non_negative_int(delay, "quant_delay", op)
        self.weight_dtype, self.act_dtype = _weight_and_activation_values(quant_dtype, "quant_dtype", op, QuantDtype)
        self.weight_channel, self.act_channel = _weight_and_activation_values(per_channel, "per_channel", op, bool)
        self.weight_symmetric, self.act_symmetric = _weight_and_activation_values(symmetric, "symmetric", op, bool)
        self.weight_range, self.act_range = _weight_and_activation_values(narrow_range, "narrow_range", op, bool)
        self.mode = "DEFAULT"
        if OptimizeOption.LEARNED_SCALE in self.optimize_option:
            self.mode = "LEARNED_SCALE"
            self._check_learned(op)
        self.quant_config = create_quant_config(
            quant_delay=(self.weight_qdelay, self.act_qdelay),
            quant_dtype=(self.weight_dtype, self.act_dtype),
            per_channel=(self.weight_channel, self.act_channel),
            symmetric=(self.weight_symmetric, self.act_symmetric),
            narrow_range=(self.weight_range, self.act_range),
            mode=self.mode,
        )
        self.eps = EPSILON

    def _check_learned(self, op: str) -> None:
        wanted = {
            "symmetric=(True, True)": self.weight_symmetric and self.act_symmetric,
            "narrow_range=(True, True)": self.weight_range and self.act_range,
            "freeze_bn=0": self.freeze_bn == 0,
            "quant_delay=(0, 0)": self.weight_qdelay == self.act_qdelay == 0,
        }
        for setting, holds in wanted.items():
            if not holds:
                raise ValueError(f"For '{op}', OptimizeOption.LEARNED_SCALE needs {setting}.")

    def quantize(self, network: Cell) -> Cell:
        """Convert a network in place, and return it.

        Raises:
            ValueError: a block has an activation that has no rounding form.

        Follows: mindspore.compression.quant.QuantizationAwareTraining.quantize (1.9).
        """
        network.update_cell_prefix()
        self._convert(network)
        return network

    def _convert(self, network: Cell) -> None:
        for name, cell in network.name_cells().items():
            if cell is network:
                continue
            if isinstance(cell, Conv2dBnAct | DenseBnAct):
                self._convert_block(cell)
                cell.update_parameters_name(f"{cell.param_prefix or name}.")
            else:
                self._convert(cell)
        if not isinstance(network, QUANTIZED):
            self._round_operators(network)

    def _round_operators(self, network: Cell) -> None:
        """Put an observer behind every sum, product or mean that is an attribute of a Cell."""
        public = [(name, value) for name, value in vars(network).items() if name[0] != "_"]
        for name, value in public:
            if isinstance(value, Primitive) and value.name in ROUNDED:
                rounded = _Rounded(value, self._observer())
                prefix = f"{network.param_prefix}." if network.param_prefix else ""
                rounded.update_parameters_name(f"{prefix}{name}.")
                del network.__dict__[name]
                network.insert_child_to_cell(name, rounded)

    def _observer(self) -> FakeQuantWithMinMaxObserver:
        end = 16 if self.mode == "LEARNED_SCALE" else 6
        return self.quant_config.activation(min_init=-end, max_init=end, ema=True)  # type: ignore[no-any-return]

    def _convert_block(self, block: Conv2dBnAct | DenseBnAct) -> None:
        inner = "conv" if isinstance(block, Conv2dBnAct) else "dense"
        old = getattr(block, inner)
        low, high = self._first_range(old, block)
        config = self.quant_config._replace(weight=self.quant_config.weight.partial_init(min_init=low, max_init=high))
        new = self._convolution(block, config) if inner == "conv" else self._dense(block, config)
        new.weight = old.weight
        if old.has_bias:
            new.bias = old.bias
        setattr(block, inner, new)
        if block.has_act and block.activation is not None:
            block.activation = self._activation(block.activation)
        elif block.after_fake:
            block.has_act = True
            block.activation = _Rounded(_identity, self._observer())

    def _dense(self, block: Any, config: QuantConfig) -> DenseQuant:
        dense = block.dense
        settings = {"has_bias": dense.has_bias, "quant_config": config, "quant_dtype": self.weight_dtype}
        return DenseQuant(dense.in_channels, dense.out_channels, **settings)

    def _convolution(self, block: Any, config: QuantConfig) -> Cell:
        conv = block.conv
        names = "in_channels out_channels kernel_size stride pad_mode padding dilation group has_bias"
        settings = {name: getattr(conv, name) for name in names.split()}
        settings |= {"quant_config": config, "quant_dtype": self.weight_dtype}
        if not block.has_bn:
            return Conv2dQuant(**settings)
        norm = block.batchnorm
        settings |= {"eps": norm.eps, "momentum": 1 - norm.momentum}
        new: Any
        if not self.bn_fold:
            new = Conv2dBnWithoutFoldQuant(**settings)
        elif self.one_conv_fold:
            new = Conv2dBnFoldQuantOneConv(**settings)
        else:
            new = Conv2dBnFoldQuant(**settings, freeze_bn=self.freeze_bn)
        place = new if self.bn_fold else new.batchnorm
        for name in ("gamma", "beta", "moving_mean", "moving_variance"):
            setattr(place, name, getattr(norm, name))
        del block.batchnorm
        block.batchnorm = None
        block.has_bn = False
        return new  # type: ignore[no-any-return]

    def _activation(self, activation: Any) -> ActQuant:
        settings = {"quant_config": self.quant_config, "quant_dtype": self.act_dtype}
        if type(activation) in (ReLU, ReLU6, Sigmoid):
            return ActQuant(activation, **settings)
        if type(activation) in (LeakyReLU, HSigmoid, HSwish):
            return ActQuant(activation, ema=True, fake_before=True, **settings)
        raise ValueError(f"For 'quantize', the activation {activation} of a block has no rounding form.")

    def _first_range(self, layer: Any, block: Any) -> tuple[Any, Any]:
        if self.mode != "LEARNED_SCALE":
            return -6, 6
        return first_learned_range(
            layer.weight, block.batchnorm if block.has_bn else None, self.weight_dtype, self.weight_channel
        )

    def _set_mixed_bits(self, network: Cell, strategy: Sequence[Sequence[int]]) -> Cell:
        """Set the bits of every Conv2dBnAct and DenseBnAct of a converted network, with LEARNED_SCALE only.

        Args:
            network: the converted network.
            strategy: for every block, in order, a list with the number of bits.

        Raises:
            ValueError: the option is another one, or there are more or fewer blocks.
        """
        if self.mode != "LEARNED_SCALE":
            raise ValueError("For '_set_mixed_bits', optimize_option must be OptimizeOption.LEARNED_SCALE.")
        blocks = [cell for _, cell in network.cells_and_names() if isinstance(cell, Conv2dBnAct | DenseBnAct)]
        if len(blocks) != len(strategy):
            raise ValueError(f"For '_set_mixed_bits', there are {len(blocks)} blocks, but {len(strategy)} strategies.")
        for block, bits in zip(blocks, strategy, strict=True):
            inner: Any = block.conv if isinstance(block, Conv2dBnAct) else block.dense
            block.weight_dtype = dtype_of(bits[0], "_set_mixed_bits")
            reset_learned(inner, block.weight_dtype, self.weight_channel)
        return network


def reset_learned(layer: Any, dtype: QuantDtype, per_channel: bool) -> None:
    """Begin the learned range of a quantised layer again, from its weights."""
    low, high = first_learned_range(layer.weight, layer if hasattr(layer, "gamma") else None, dtype, per_channel)
    layer.fake_quant_weight.reset(quant_dtype=dtype, min_init=low, max_init=high)


def first_learned_range(
    weight: Tensor, norm: Any, dtype: QuantDtype, per_channel: bool
) -> tuple[list[float], list[float]]:
    """Return the first learned range, or that of every channel, of weights that take in a normalisation."""
    values = weight.asnumpy()
    if norm is not None:
        factor = norm.gamma.asnumpy() / np.sqrt(norm.moving_variance.asnumpy() + EPSILON)
        values = values * factor.reshape(-1, *[1] * (values.ndim - 1))
    high = [compute_kl_threshold(part, dtype) for part in (values if per_channel else [values])]
    return [-end for end in high], high


def _weight_and_activation_values(value: Two, name: str, op: str, kind: type) -> tuple[Any, Any]:
    """Return the values of weights and of activations.

    Raises:
        TypeError: a value is of another type.
        ValueError: there are more than two.
    """
    values = value if isinstance(value, list | tuple) else [value]
    if not 0 < len(values) <= 2:
        raise ValueError(f"For '{op}', {name} must have one value or two, got {len(values)}.")
    for one in values:
        instance(one, name, op, kind)
    return values[0], values[-1]


def convert_quant_network(
    network: Cell,
    bn_fold: bool = True,
    freeze_bn: int = 10000000,
    quant_delay: Two = (0, 0),
    num_bits: Two = (8, 8),
    per_channel: Two = (False, False),
    symmetric: Two = (False, False),
    narrow_range: Two = (False, False),
) -> Cell:
    """Convert a network in place for training that knows of quantisation, and return it.

    Args:
        network: a Cell of Conv2dBnAct and DenseBnAct.
        bn_fold: whether normalisation is folded into the weights of convolutions, with two convolutions.
        freeze_bn: the training step from which on the moving statistics are used.
        quant_delay: training steps that pass before weights and activations are rounded.
        num_bits: of weights and activations.
        per_channel: whether every channel of weights has a range of its own.
        symmetric: whether ranges are made symmetric.
        narrow_range: whether the first step is left out.

    Raises:
        TypeError: an argument of another type.
        ValueError: a list is longer than 2, or numbers of bits that there are no types for.

    Follows: mindspore.train.quant.convert_quant_network (1.0).
    """
    bits = num_bits if isinstance(num_bits, list | tuple) else [num_bits]
    dtypes = [dtype_of(one, "convert_quant_network") for one in bits]
    settings = (quant_delay, dtypes, per_channel, symmetric, narrow_range)
    return QuantizationAwareTraining(bn_fold, freeze_bn, *settings, one_conv_fold=False).quantize(network)


def export(network: Cell, *inputs: Tensor, **settings: Any) -> NoReturn:
    """Refuse to export an integer network: its MindIR has integer kernels, which are not written here.

    Raises:
        NotImplementedError: always.

    Follows: mindspore.train.quant.export (1.0).
    """
    raise NotImplementedError(
        "the MindIR of an integer network has integer kernels, which msbridge does not write. Use "
        "mindspore.save_checkpoint, or msbridge.to_torch(network) with torch's tools of quantisation."
    )


class ExportToQuantInferNetwork:
    """The conversion of a trained network to an integer one; refused, since only MindIR files hold such networks.

    Args:
        network: the trained network.
        inputs: examples of its inputs.
        settings: mean, std_dev and is_mindir.

    Raises:
        NotImplementedError: always.

    Follows: mindspore.compression.export.quant_export.ExportToQuantInferNetwork (1.9).
    """

    def __init__(self, network: Cell, *inputs: Tensor, **settings: Mapping[str, Any]) -> None:
        export(network)
