"""Primitives of special functions."""

from msbridge.ops.primitive import derive
from msbridge.ops.special import functions as special

DERIVED = (
    derive("BesselI0", special.bessel_i0),
    derive("BesselI0e", special.bessel_i0e),
    derive("BesselI1", special.bessel_i1),
    derive("BesselI1e", special.bessel_i1e),
    derive("BesselJ0", special.bessel_j0),
    derive("BesselJ1", special.bessel_j1),
    derive("BesselK0", special.bessel_k0),
    derive("BesselK0e", special.bessel_k0e),
    derive("BesselK1", special.bessel_k1),
    derive("BesselK1e", special.bessel_k1e),
    derive("BesselY0", special.bessel_y0),
    derive("BesselY1", special.bessel_y1),
    derive("Digamma", special.digamma),
    derive("Erf", special.erf),
    derive("Erfc", special.erfc),
    derive("Erfinv", special.erfinv),
    derive("Igamma", special.igamma),
    derive("Igammac", special.igammac),
    derive("Lgamma", special.lgamma),
    derive("Mvlgamma", special.mvlgamma, "p"),
    derive("Polygamma", special.polygamma),
    derive("Sinc", special.sinc),
    derive("Zeta", special.zeta),
)
