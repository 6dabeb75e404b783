"""A Tensor is no image: transforms of images refuse it, those of any value take it."""

import numpy as np
from mindspore import Tensor
from mindspore.dataset import transforms, vision  # noqa: F401  # the expressions name them

from tests.oracle.case import each

IMAGE = Tensor(np.zeros((4, 4, 3), "uint8"))
VECTOR = Tensor([1.0])

CASES = [
    *each(
        """
        vision.RandomCrop(4)(VECTOR)
        vision.RandomCrop(4, (0, 0, 0, 0))(IMAGE)
        vision.CenterCrop(2)(IMAGE)
        vision.Resize(3)(IMAGE)
        vision.Normalize([0.5], [0.5])(IMAGE)
        vision.HWC2CHW()(IMAGE)
        vision.Rescale(1.0, 0.0)(VECTOR)
        vision.RandomSharpness((1.0, 1.0))(VECTOR)
        vision.HorizontalFlip()(IMAGE)
        vision.ToTensor()(IMAGE)
        vision.Pad(1)(IMAGE)
        vision.Rotate(3)(VECTOR)
        vision.RandAugment()(IMAGE)
        vision.NormalizePad([0.5], [0.5])(IMAGE)
        """,
        raises=TypeError,
    ),
    *each(
        """
        vision.ToType(np.float32)(IMAGE)
        transforms.OneHot(3)(Tensor([1, 2]))
        transforms.Fill(1)(Tensor([1, 2]))
        transforms.Slice([0])(Tensor([1, 2]))
        """
    ),
]
