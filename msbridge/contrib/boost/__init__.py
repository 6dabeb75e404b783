"""Boost: what makes training of some networks take fewer steps or less work, by settings of Model.

Follows: mindspore.boost (2.10).
"""

from msbridge.contrib.boost.ada_sum import AdaSum
from msbridge.contrib.boost.auto import AutoBoost
from msbridge.contrib.boost.base import OptimizerProcess, ParameterProcess
from msbridge.contrib.boost.dim_reduce import DimReduce
from msbridge.contrib.boost.grad_accumulation import GradientAccumulation, gradient_accumulation_op, gradient_clear_op
from msbridge.contrib.boost.grad_freeze import FreezeOpt, GradientFreeze, freeze_cell
from msbridge.contrib.boost.group_loss_scale_manager import GroupLossScaleManager
from msbridge.contrib.boost.less_batch_normalization import CommonHeadLastFN, LessBN
from msbridge.contrib.boost.steps import BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell

__all__ = [
    "AdaSum",
    "AutoBoost",
    "BoostTrainOneStepCell",
    "BoostTrainOneStepWithLossScaleCell",
    "CommonHeadLastFN",
    "DimReduce",
    "FreezeOpt",
    "GradientAccumulation",
    "GradientFreeze",
    "GroupLossScaleManager",
    "LessBN",
    "OptimizerProcess",
    "ParameterProcess",
    "freeze_cell",
    "gradient_accumulation_op",
    "gradient_clear_op",
]
