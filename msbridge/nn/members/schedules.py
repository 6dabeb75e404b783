"""Schedules of learning rates: their operators and constants."""

import math

from msbridge.nn.members.attaching import Members, P

members = Members()

members(
    "CosineDecayLR",
    cos=P.Cos,
    delta=lambda one: 0.5 * (one.max_lr - one.min_lr),
    math_pi=math.pi,
    min=P.Minimum,
    sin=P.Sin,
)
members("ExponentialDecayLR", pow=P.Pow)
members("NaturalExpDecayLR", math_e=math.e, pow=P.Pow)
members(
    "PolynomialDecayLR",
    ceil=P.Ceil,
    diff_learning_rate=lambda one: one.learning_rate - one.end_learning_rate,
    max=P.Maximum,
    min=P.Minimum,
    pow=P.Pow,
    start_learning_rate=lambda one: one.learning_rate,
)
members("WarmUpLR", min=P.Minimum)
members("CosineDecayLR", "ExponentialDecayLR", "InverseDecayLR", "NaturalExpDecayLR", "WarmUpLR", cast=P.Cast)
