"""Private parts of MindSpore's distributions, by MindSpore's names."""

from msbridge.nn.probability._base.checks import as_tensor as cast_to_tensor
from msbridge.nn.probability._base.checks import not_negative as check_greater_equal_zero
from msbridge.nn.probability._base.checks import parameter_type as set_param_type
from msbridge.nn.probability._base.checks import positive as check_greater_zero
from msbridge.nn.probability._base.checks import probabilities as check_prob
from msbridge.nn.probability._base.checks import same_distribution as check_distribution_name
from msbridge.nn.probability._base.checks import sums_to_one as check_sum_equal_one

__all__ = [
    "cast_to_tensor",
    "check_distribution_name",
    "check_greater_equal_zero",
    "check_greater_zero",
    "check_prob",
    "check_sum_equal_one",
    "set_param_type",
]
