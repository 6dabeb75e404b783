"""Computations that the faces of elementwise share."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import binary_same, unary


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


def real_part(data: torch.Tensor) -> torch.Tensor:
    """Return a view of the real parts of complex numbers; a copy of real ones."""
    return data.real if data.is_complex() else data.clone()


def imaginary_part(data: torch.Tensor) -> torch.Tensor:
    """Return a view of the imaginary parts of complex numbers; zeros for real ones."""
    return data.imag if data.is_complex() else torch.zeros_like(data)


def conjugate(data: torch.Tensor) -> torch.Tensor:
    """Return the complex conjugates, in memory of their own."""
    return data.conj_physical() if data.is_complex() else data.clone()
