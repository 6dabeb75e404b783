"""Cells, layers, losses, optimizers and the wrappers that train."""

from msbridge.nn.cell import *
from msbridge.nn.containers import *
from msbridge.nn.dynamic_lr import *
from msbridge.nn.grad_reducer import *
from msbridge.nn.learning_rate_schedule import *
from msbridge.nn.loss_scale import *
from msbridge.nn.optim import *
from msbridge.nn.wrappers import *
