"""Optimizers whose options stand in `param_groups`, and their schedules: `mindspore.experimental.optim`."""

from msbridge.nn.optim.experimental import lr_scheduler
from msbridge.nn.optim.experimental.adam import Adam, Adamax, AdamW, NAdam, RAdam
from msbridge.nn.optim.experimental.adaptive import Adadelta, Adagrad, RMSprop
from msbridge.nn.optim.experimental.optimizer import Optimizer
from msbridge.nn.optim.experimental.stepwise import ASGD, SGD, Rprop

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]
