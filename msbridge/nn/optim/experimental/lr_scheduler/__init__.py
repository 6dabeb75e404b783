"""Schedules for the optimizers with `param_groups`."""

from msbridge.nn.optim.experimental.lr_scheduler.base import LRScheduler as LRScheduler
from msbridge.nn.optim.experimental.lr_scheduler.cycles import *
from msbridge.nn.optim.experimental.lr_scheduler.factors import *
