"""Cells, layers, losses, optimizers and the wrappers that train."""

from msbridge.nn.activation import *
from msbridge.nn.cell import *
from msbridge.nn.combined import *
from msbridge.nn.containers import *
from msbridge.nn.convolution import *
from msbridge.nn.dense import *
from msbridge.nn.dropout import *
from msbridge.nn.dynamic_lr import *
from msbridge.nn.embedding import *
from msbridge.nn.grad_reducer import *
from msbridge.nn.image import *
from msbridge.nn.learning_rate_schedule import *
from msbridge.nn.loss import *
from msbridge.nn.loss_scale import *
from msbridge.nn.margin_loss import *
from msbridge.nn.math import *
from msbridge.nn.normalization import *
from msbridge.nn.optim import *
from msbridge.nn.pooling import *
from msbridge.nn.recurrent import *
from msbridge.nn.region_loss import *
from msbridge.nn.shape import *
from msbridge.nn.transformer import *
from msbridge.nn.wrappers import *
