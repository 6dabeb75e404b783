"""Optimizers."""

from msbridge.nn.optim.adam import Adam, AdaMax, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
from msbridge.nn.optim.adaptive import FTRL, Adadelta, Adagrad, ProximalAdagrad, RMSProp
from msbridge.nn.optim.momentum import SGD, Momentum
from msbridge.nn.optim.optimizer import Optimizer
from msbridge.nn.optim.stepwise import ASGD, Rprop

__all__ = [
    "ASGD",
    "FTRL",
    "SGD",
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
