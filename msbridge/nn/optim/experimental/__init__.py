"""Optimizers whose options are in `param_groups`, and their schedules: `mindspore.experimental.optim`."""

from msbridge.nn.optim.experimental import adam, adaptive, lr_scheduler, stepwise
from msbridge.nn.optim.experimental.adam import *
from msbridge.nn.optim.experimental.adaptive import *
from msbridge.nn.optim.experimental.optimizer import Optimizer
from msbridge.nn.optim.experimental.stepwise import *

__all__ = ["Optimizer", "lr_scheduler"]
__all__ += adam.__all__
__all__ += adaptive.__all__
__all__ += stepwise.__all__
