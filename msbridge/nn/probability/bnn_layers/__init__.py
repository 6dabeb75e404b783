"""Layers whose weights are normal distributions, learned by variational inference.

Follows: mindspore.nn.probability.bnn_layers (2.10).
"""

from msbridge.nn.probability.bnn_layers.bnn_cell_wrapper import WithBNNLossCell
from msbridge.nn.probability.bnn_layers.conv_variational import ConvReparam
from msbridge.nn.probability.bnn_layers.dense_variational import DenseLocalReparam, DenseReparam
from msbridge.nn.probability.bnn_layers.layer_distribution import NormalPosterior, NormalPrior

__all__ = ["ConvReparam", "DenseLocalReparam", "DenseReparam", "NormalPosterior", "NormalPrior", "WithBNNLossCell"]
