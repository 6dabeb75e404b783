"""Computations that the faces of elementwise share."""

import torch

from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import binary_same, unary

complex = define(
    binary_same,
    torch.complex,
    "Make complex numbers of real and imaginary parts.",
    "real imag",
    op="Complex",
    args=("real: any shape; Float32 or Float64.\nimag: broadcasts against `real`, of the same dtype."),
    returns="A Tensor of the broadcast shape; Complex64 or Complex128.",
)
complex_abs = define(
    unary,
    torch.abs,
    "Return the magnitude of complex numbers, real.",
    "x",
    name="complex_abs",
    op="ComplexAbs",
    args="x: any shape; complex.",
    returns="A Tensor of the shape of `x`, of the float of half the size.",
)


def real_part(data: torch.Tensor) -> torch.Tensor:
    """Return a view of the real parts of complex numbers; a copy of real ones."""
    return data.real if data.is_complex() else data.clone()


def imaginary_part(data: torch.Tensor) -> torch.Tensor:
    """Return a view of the imaginary parts of complex numbers; zeros for real ones."""
    return data.imag if data.is_complex() else torch.zeros_like(data)


def conjugate(data: torch.Tensor) -> torch.Tensor:
    """Return the complex conjugates, in memory of their own."""
    return data.conj_physical() if data.is_complex() else data.clone()
