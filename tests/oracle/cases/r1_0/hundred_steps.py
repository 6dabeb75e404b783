"""A hundred steps of training in 1.0.0, of what its CPU has kernels for."""

# ruff: noqa: F401  # the expressions use what is imported

from mindspore import nn
from mindspore.nn.dynamic_lr import cosine_decay_lr, piecewise_constant_lr
from mindspore.train.loss_scale_manager import FixedLossScaleManager

from tests.oracle.case import each
from tests.oracle.cases.r1_0._hundred_steps import (
    STEPS,
    Encoder,
    Mlp,
    Residual,
    Sentiment,
    Separable,
    accumulated,
    convolved,
    dense,
    evaluated,
    fitted,
    grouped,
    helped,
    loop,
    modelled,
    read,
    steps,
)

PAGES = """
    dense('s001_r10_one_step_dense')
    loop('s001_r10_custom_loop_sink')
    loop('s001_r10_custom_loop_sink', 0.5)
    helped('s001_r10_custom_loop_sink', 20)
    modelled('s001_r10_model_train_sink')
    modelled('s001_r10_model_train_sink', True)
    modelled('s001_r10_model_train_sink', loss_scale_manager=FixedLossScaleManager(1024, False))
    evaluated('s001_r10_model_train_sink')
"""
PARTS = """
    steps(lambda n: nn.Momentum(n.trainable_params(), 0.01, 0.9, weight_decay=0.01))
    steps(lambda n: nn.Momentum(n.trainable_params(), 0.01, 0.9, loss_scale=2.0))
    steps(lambda n: nn.Momentum(grouped(n), 0.01, 0.9))
    steps(lambda n: nn.Momentum(n.trainable_params(), cosine_decay_lr(0.001, 0.02, STEPS, 10, 10), 0.9))
    steps(lambda n: nn.Momentum(n.trainable_params(), piecewise_constant_lr([30, STEPS], [0.02, 0.005]), 0.9))
    accumulated()
    fitted(nn.MSELoss())
    fitted(nn.SoftmaxCrossEntropyWithLogits(reduction='mean'))
    convolved(Residual(False))
    convolved(Residual(False), lambda n: nn.Momentum(grouped(n), 0.01, 0.9))
    read(Sentiment(True), 8, 5)
"""
CASES = each(PAGES + PARTS, tolerance=1e-4)
