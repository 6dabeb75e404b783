"""Computations that the faces of elementwise share."""

import torch

from msbridge.core.tensor import Tensor
from msbridge.ops.families import binary_same, unary


def complex(real: Tensor, imag: Tensor) -> Tensor:
    """Make complex numbers of real and imaginary parts.

    Follows: mindspore.ops.Complex (2.10).
    """
    return binary_same(torch.complex, "Complex", real, imag)


def complex_abs(x: Tensor) -> Tensor:
    """Return the magnitude of complex numbers, real.

    Follows: mindspore.ops.ComplexAbs (2.10).
    """
    return unary(torch.abs, "ComplexAbs", x)
