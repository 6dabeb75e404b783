"""A hundred steps of training in 1.1.1: those of 1.0.0, and what the CPU of that has no kernels for."""

# ruff: noqa: F403, F405  # the expressions use the names of 1.0.0's

from tests.oracle.case import each
from tests.oracle.cases.r1_0.hundred_steps import *

LATER = """
    steps(lambda n: nn.Adam(n.trainable_params(), 0.005))
    steps(lambda n: nn.Adam(grouped(n), 0.005))
    steps(lambda n: nn.AdamWeightDecay(n.trainable_params(), 0.005, weight_decay=0.01))
    steps(lambda n: nn.LazyAdam(n.trainable_params(), 0.005))
    steps(lambda n: nn.RMSProp(n.trainable_params(), 0.002))
    steps(lambda n: nn.Adagrad(n.trainable_params()))
    steps(lambda n: nn.Momentum(n.trainable_params(), nn.ExponentialDecayLR(0.02, 0.9, 10), 0.9))
    steps(lambda n: nn.Momentum(n.trainable_params(), nn.PolynomialDecayLR(0.02, 0.001, 80, 0.5), 0.9))
    steps(lambda n: nn.Momentum(n.trainable_params(), nn.WarmUpLR(0.02, 20), 0.9))
    fitted(nn.L1Loss())
    fitted(nn.SmoothL1Loss())
    convolved(Residual(True))
    convolved(Residual(True), lambda n: nn.Adam(n.trainable_params(), 0.002))
    convolved(Separable())
    read(Sentiment(), 8, 5)
    read(Sentiment(), 8, 5, make=lambda n: nn.Adam(n.trainable_params(), 0.005))
    read(Encoder(), 8)
    read(Encoder(), 8, make=lambda n: nn.Adam(n.trainable_params(), 0.005))
"""
CASES = each(PAGES.replace("s001_r10", "s000_r11") + PARTS + LATER, tolerance=1e-4)
