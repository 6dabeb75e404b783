"""Boost: what makes training of some networks take fewer steps or less work, by settings of Model.

Follows: mindspore.boost (2.10).
"""

from msbridge.contrib.boost.ada_sum import *
from msbridge.contrib.boost.auto import *
from msbridge.contrib.boost.base import *
from msbridge.contrib.boost.dim_reduce import *
from msbridge.contrib.boost.grad_accumulation import *
from msbridge.contrib.boost.grad_freeze import FreezeOpt, GradientFreeze, freeze_cell
from msbridge.contrib.boost.group_loss_scale_manager import *
from msbridge.contrib.boost.less_batch_normalization import *
from msbridge.contrib.boost.steps import *
