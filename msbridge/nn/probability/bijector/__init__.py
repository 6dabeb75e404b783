"""Invertible functions of samples.

Follows: mindspore.nn.probability.bijector (2.10).
"""

from msbridge.nn.probability._base.transforming import Bijector
from msbridge.nn.probability.bijector.exp import Exp
from msbridge.nn.probability.bijector.gumbel_cdf import GumbelCDF
from msbridge.nn.probability.bijector.invert import Invert
from msbridge.nn.probability.bijector.power_transform import PowerTransform
from msbridge.nn.probability.bijector.scalar_affine import ScalarAffine
from msbridge.nn.probability.bijector.softplus import Softplus

__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]
