"""Quantisation-aware training: layers that round weights and activations to the steps of a few bits as they compute.

Follows: mindspore.nn.layer.quant and mindspore.compression (1.9), mindspore.train.quant (1.0).
"""

from msbridge.nn.quantization.activations import *
from msbridge.nn.quantization.convolutions import *
from msbridge.nn.quantization.observers import *
