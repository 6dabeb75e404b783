"""Running sums and products of unsigned integers."""

import mindspore.numpy as mnp  # noqa: F401  # the expressions name it
from mindspore import Tensor, dtype

from tests.oracle.case import each


def three(name):
    return Tensor([5, 3, 60000], getattr(dtype, name))


CASES = each(
    """
    mnp.cumsum(three("uint16"))
    mnp.cumsum(three("uint32"))
    mnp.cumsum(three("uint64"))
    mnp.cumsum(three("uint32"), 0)
    mnp.cumprod(three("uint16"))
    mnp.cumprod(three("uint32"))
    mnp.cumprod(three("uint64"))
    mnp.nancumsum(three("uint16"))
    mnp.nancumsum(three("uint64"))
    """
)
