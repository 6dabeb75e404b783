"""Schedules of learning rates: their operators and constants."""

import math

from msbridge.nn.members.attaching import members
from msbridge.nn.schedules import cells
from msbridge.ops import operations as P

members(
    cells.CosineDecayLR,
    cos=P.Cos,
    delta=lambda one: 0.5 * (one.max_lr - one.min_lr),
    math_pi=math.pi,
    min=P.Minimum,
    sin=P.Sin,
)
members(cells.ExponentialDecayLR, pow=P.Pow)
members(cells.NaturalExpDecayLR, math_e=math.e, pow=P.Pow)
members(
    cells.PolynomialDecayLR,
    ceil=P.Ceil,
    diff_learning_rate=lambda one: one.learning_rate - one.end_learning_rate,
    max=P.Maximum,
    min=P.Minimum,
    pow=P.Pow,
    start_learning_rate=lambda one: one.learning_rate,
)
members(cells.WarmUpLR, min=P.Minimum)
