"""Operators of complex numbers, and Fourier transforms."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.train.exporting.graph import Graph, Value

__all__ = ["RULES", "TRANSFORMS"]

Rule = Callable[..., Value]
aten = torch.ops.aten
# Of one tensor of complex numbers.
PARTS = {"angle": "Angle", "conj_physical": "Conj", "imag": "Imag", "real": "Real"}
# Of one axis, and of several: the primitive has torch's name in capitals.
ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
AXES = ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
TRANSFORMS = frozenset(name.upper() for name in (*ONE_AXIS, *AXES))
NORMS = {None: None, "backward": 0, "forward": 1, "ortho": 2}


def _part(primitive: str) -> Rule:
    def rule(g: Graph, x: Value) -> Value:
        return g.call(primitive, x)

    return rule


def _complex(g: Graph, real: Value, imag: Value) -> Value:
    return g.call("Complex", real, imag)


def _polar(g: Graph, length: Value, angle: Value) -> Value:
    return g.call("Polar", length, angle)


def _as_real(g: Graph, x: Value) -> Value:
    """The real and the imaginary part side by side along a new last axis."""
    parts = [g.call(kind, x, meta=x.meta.real) for kind in ("Real", "Imag")]
    return g.call("Stack", parts, axis=-1)


def _as_complex(g: Graph, x: Value) -> Value:
    return g.call("Complex", *(_end(g, x, number) for number in (0, 1)))


def _end(g: Graph, x: Value, number: int) -> Value:
    """One element of the last axis."""
    return g.call("Gather", x, g.constant(torch.tensor(number)), x.rank - 1, meta=x.meta[..., number], batch_dims=0)


def _along_one_axis(primitive: str) -> Rule:
    def rule(g: Graph, x: Value, n: int | None = None, dim: int = -1, norm: str | None = None) -> Value:
        return g.call(primitive, x, n, dim, NORMS[norm])

    return rule


def _along_axes(primitive: str) -> Rule:
    def rule(
        g: Graph, x: Value, s: Sequence[int] | None = None, dim: Sequence[int] | None = None, norm: str | None = None
    ) -> Value:
        axes = (-2, -1) if dim is None and primitive.endswith("2") else dim
        return g.call(primitive, x, s, axes, NORMS[norm])

    return rule


RULES: dict[Any, Rule] = {
    **{getattr(aten, name).default: _part(primitive) for name, primitive in PARTS.items()},
    **{getattr(aten, f"fft_{name}").default: _along_one_axis(name.upper()) for name in ONE_AXIS},
    **{getattr(aten, f"fft_{name}").default: _along_axes(name.upper()) for name in AXES},
    aten.complex.default: _complex,
    aten.polar.default: _polar,
    aten.view_as_real.default: _as_real,
    aten.view_as_complex.default: _as_complex,
    aten._conj.default: _part("Conj"),
    aten._conj_physical.default: _part("Conj"),
}
