"""Making layers of distributions of a network's layers.

Follows: mindspore.nn.probability.transforms (1.x).
"""

from msbridge.nn.probability.transforms.transform_bnn import TransformToBNN

__all__ = ["TransformToBNN"]
