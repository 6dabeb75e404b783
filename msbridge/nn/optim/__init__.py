"""Optimizers."""

from msbridge.nn.optim.cells.adafactor import AdaFactor
from msbridge.nn.optim.cells.adam import Adam, AdaMax, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
from msbridge.nn.optim.cells.adaptive import FTRL, Adadelta, Adagrad, ProximalAdagrad, RMSProp
from msbridge.nn.optim.cells.lars import LARS
from msbridge.nn.optim.cells.momentum import SGD, Momentum
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.cells.stepwise import ASGD, Rprop

__all__ = [
    "ASGD",
    "FTRL",
    "LARS",
    "SGD",
    "AdaFactor",
    "AdaMax",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "Lamb",
    "LazyAdam",
    "Momentum",
    "Optimizer",
    "ProximalAdagrad",
    "RMSProp",
    "Rprop",
]
