"""Replacing the layers of a network by ones whose weights are distributions."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from msbridge.core.checks.arguments import is_number
from msbridge.core.runtime.defining_modules import is_own
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.convolution import Conv2d
from msbridge.nn.layers.dense import Dense
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.probability.bnn_layers.bnn_cell_wrapper import WithBNNLossCell, a_factor
from msbridge.nn.probability.bnn_layers.conv_variational import ConvReparam
from msbridge.nn.probability.bnn_layers.dense_variational import DenseReparam
from msbridge.nn.steps.wrappers import TrainOneStepCell

__all__ = ["TransformToBNN"]

Reading = Callable[[Any], dict[str, Any]]
DENSE = ("in_channels", "has_bias", "out_channels", "activation")
CONV = (
    *("in_channels", "out_channels", "pad_mode", "kernel_size", "stride", "has_bias"),
    *("padding", "dilation", "group"),
)


def _dense_arguments(layer: Any) -> dict[str, Any]:
    return {name: getattr(layer, name) for name in DENSE}


def _conv_arguments(layer: Any) -> dict[str, Any]:
    return {name: getattr(layer, name) for name in CONV}


class TransformToBNN:
    """Turns the layers of a network under training into layers whose weights are distributions.

    Args:
        trainable_dnn: a TrainOneStepCell of a WithLossCell of the network.
        dnn_factor: weight of the loss.
        bnn_factor: weight of the divergence of the weights from their priors.

    Raises:
        TypeError: a factor is not a number.
        ValueError: a factor is negative.

    Follows: mindspore.nn.probability.transforms.TransformToBNN (1.x).
    """

    def __init__(self, trainable_dnn: Any, dnn_factor: float = 1, bnn_factor: float = 1) -> None:
        self.dnn_factor = a_factor(dnn_factor, "dnn_factor")
        self.bnn_factor = a_factor(bnn_factor, "bnn_factor")
        with_loss = trainable_dnn.network
        self.optimizer = trainable_dnn.optimizer
        self.backbone: Cell = with_loss.backbone_network
        self.loss_fn = with_loss._loss_fn

    def transform_to_bnn_model(
        self,
        get_dense_args: Reading = _dense_arguments,
        get_conv_args: Reading = _conv_arguments,
        add_dense_args: Mapping[str, Any] | None = None,
        add_conv_args: Mapping[str, Any] | None = None,
    ) -> Cell:
        """Replace every Dense and Conv2d, and return the training step of the new network.

        Args:
            get_dense_args: the arguments of the new layer, from a Dense.
            get_conv_args: the arguments of the new layer, from a Conv2d.
            add_dense_args: further arguments in place of a Dense.
            add_conv_args: further arguments in place of a Conv2d.

        Raises:
            TypeError: the optimizer is none of `mindspore.nn`.
        """
        _replace_layers(self.backbone, Dense, lambda old: DenseReparam(**get_dense_args(old), **(add_dense_args or {})))
        _replace_layers(self.backbone, Conv2d, lambda old: ConvReparam(**get_conv_args(old), **(add_conv_args or {})))
        return self._step()

    def transform_to_bnn_layer(
        self,
        dnn_layer_type: type[Cell],
        bnn_layer_type: type[Cell],
        get_args: Reading | None = None,
        add_args: Mapping[str, Any] | None = None,
    ) -> Cell:
        """Replace the layers of one class, and return the training step of the new network.

        Args:
            dnn_layer_type: Dense or Conv2d.
            bnn_layer_type: DenseReparam or ConvReparam.
            get_args: the arguments of the new layer, from an old one.
            add_args: further arguments.

        Raises:
            TypeError: the optimizer is none of `mindspore.nn`.
            ValueError: another class.
        """
        if dnn_layer_type not in (Dense, Conv2d):
            raise ValueError(f"'dnn_layer' {dnn_layer_type} should be one of values in 'nn.Dense', 'nn.Conv2d'.")
        if bnn_layer_type not in (DenseReparam, ConvReparam):
            raise ValueError(f"'bnn_layer' {bnn_layer_type} should be one of values in 'DenseReparam', 'ConvReparam'.")
        read = get_args or (_dense_arguments if dnn_layer_type is Dense else _conv_arguments)
        _replace_layers(self.backbone, dnn_layer_type, lambda old: bnn_layer_type(**read(old), **(add_args or {})))
        return self._step()

    def _step(self) -> Cell:
        for name, parameter in self.backbone.parameters_and_names():
            parameter.name = name
        with_loss = WithBNNLossCell(self.backbone, self.loss_fn, self.dnn_factor, self.bnn_factor)
        return TrainOneStepCell(with_loss, _rebuild_optimizer(self.optimizer, self.backbone))


def _replace_layers(network: Cell, kind: type[Cell], make: Callable[[Cell], Cell]) -> None:
    for name, cell in network.name_cells().items():
        if isinstance(cell, kind):
            setattr(network, name, make(cell))
        else:
            _replace_layers(cell, kind, make)


def _rebuild_optimizer(optimizer: Any, network: Cell) -> Cell:
    """Return an optimizer of the same class and settings for the parameters of `network`."""
    kind = type(optimizer)
    if not isinstance(optimizer, Optimizer) or not is_own(kind):
        raise TypeError(f"The optimizer must be one of mindspore.nn, but got {kind.__name__}.")
    settings = {}
    for name in list(inspect.signature(kind).parameters)[1:]:
        value = getattr(optimizer, name, None)
        if isinstance(value, Tensor) and value.size == 1:
            value = value.asnumpy().item()
        if isinstance(value, bool | Cell) or is_number(value):
            settings[name] = value
    return kind(network.trainable_params(), **settings)
