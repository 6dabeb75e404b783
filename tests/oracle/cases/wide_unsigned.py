"""Unsigned integers of 16 to 64 bits beside others, remainders by the integer 0, and `any` of uint8."""

import mindspore as ms
import mindspore.numpy as mnp  # noqa: F401  # the expressions name it
from mindspore import Tensor, ops  # noqa: F401

from tests.oracle.case import each

ROWS = [
    f"mnp.{call}"
    for first in ("bool_", "int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64")
    for second in ("uint16", "uint32", "uint64")
    for call in (
        f"stack([two('{first}'), two('{second}')])",
        f"concatenate([two('{first}'), two('{second}')])",
        f"append(two('{first}'), two('{second}'))",
        f"where(two('{first}') > 0, two('{first}'), two('{second}'))",
    )
]
REMAINDERS = [
    f"mnp.{name}(three('{kind}'), nothing('{kind}'))"
    for name in ("mod", "fmod", "remainder", "divmod")
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")
]
ANY = """
    three("uint8").any()
    three("uint8").any(0)
    three("uint8").any(0, True)
    ops.any(three("uint8"))
    ops.ReduceAny()(three("uint8"))
    mnp.sometrue(three("uint8"))
    three("bool_").any()
    """


def two(name):
    return Tensor([1, 0], getattr(ms, name))


def three(name):
    return Tensor([5, 0, 7], getattr(ms, name))


def nothing(name):
    return Tensor([0, 0, 3], getattr(ms, name))


CASES = each("\n".join([*ROWS, *REMAINDERS, ANY.strip()]))
