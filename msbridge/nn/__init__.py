"""Cells, layers, losses, optimizers and the wrappers that train."""

from msbridge.nn.cell import *
from msbridge.nn.layers.activation import *
from msbridge.nn.layers.combined import *
from msbridge.nn.layers.containers import *
from msbridge.nn.layers.convolution import *
from msbridge.nn.layers.dense import *
from msbridge.nn.layers.dropout import *
from msbridge.nn.layers.embedding import *
from msbridge.nn.layers.image import *
from msbridge.nn.layers.math import *
from msbridge.nn.layers.normalization import *
from msbridge.nn.layers.pooling import *
from msbridge.nn.layers.recurrent import *
from msbridge.nn.layers.shape import *
from msbridge.nn.layers.transformer import *
from msbridge.nn.losses.elementwise import *
from msbridge.nn.losses.margins import *
from msbridge.nn.losses.regions import *
from msbridge.nn.optim import *
from msbridge.nn.schedules import *
from msbridge.nn.steps.grad_reducer import *
from msbridge.nn.steps.loss_scale import *
from msbridge.nn.steps.wrappers import *
