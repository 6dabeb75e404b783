"""Networks with random codes.

Follows: mindspore.nn.probability.dpn (1.x).
"""

from msbridge.nn.probability.dpn.vae import VAE, ConditionalVAE

__all__ = ["VAE", "ConditionalVAE"]
