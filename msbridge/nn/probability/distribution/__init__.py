"""Distributions.

Follows: mindspore.nn.probability.distribution (2.10).
"""

from msbridge.nn.probability._base.distribution import Distribution
from msbridge.nn.probability._base.transforming import TransformedDistribution
from msbridge.nn.probability.distribution.bernoulli import Bernoulli
from msbridge.nn.probability.distribution.beta import Beta
from msbridge.nn.probability.distribution.categorical import Categorical
from msbridge.nn.probability.distribution.cauchy import Cauchy
from msbridge.nn.probability.distribution.exponential import Exponential
from msbridge.nn.probability.distribution.gamma import Gamma
from msbridge.nn.probability.distribution.geometric import Geometric
from msbridge.nn.probability.distribution.gumbel import Gumbel
from msbridge.nn.probability.distribution.half_normal import HalfNormal
from msbridge.nn.probability.distribution.laplace import Laplace
from msbridge.nn.probability.distribution.log_normal import LogNormal
from msbridge.nn.probability.distribution.logistic import Logistic
from msbridge.nn.probability.distribution.normal import Normal
from msbridge.nn.probability.distribution.poisson import Poisson
from msbridge.nn.probability.distribution.student_t import StudentT
from msbridge.nn.probability.distribution.uniform import Uniform

__all__ = [
    "Bernoulli", "Beta", "Categorical", "Cauchy", "Distribution", "Exponential", "Gamma", "Geometric", "Gumbel",
    "HalfNormal", "Laplace", "LogNormal", "Logistic", "Normal", "Poisson", "StudentT", "TransformedDistribution",
    "Uniform",
]  # fmt: skip
