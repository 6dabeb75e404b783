"""Variational inference.

Follows: mindspore.nn.probability.infer (1.x).
"""

from msbridge.nn.probability.infer.elbo import ELBO
from msbridge.nn.probability.infer.svi import SVI

__all__ = ["ELBO", "SVI"]
