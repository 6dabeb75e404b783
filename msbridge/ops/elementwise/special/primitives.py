"""Primitives of special functions."""

from msbridge.ops.elementwise.special import functions
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("BesselI0", functions.bessel_i0),
    derive("BesselI0e", functions.bessel_i0e),
    derive("BesselI1", functions.bessel_i1),
    derive("BesselI1e", functions.bessel_i1e),
    derive("BesselJ0", functions.bessel_j0),
    derive("BesselJ1", functions.bessel_j1),
    derive("BesselK0", functions.bessel_k0),
    derive("BesselK0e", functions.bessel_k0e),
    derive("BesselK1", functions.bessel_k1),
    derive("BesselK1e", functions.bessel_k1e),
    derive("BesselY0", functions.bessel_y0),
    derive("BesselY1", functions.bessel_y1),
    derive("Digamma", functions.digamma),
    derive("Erf", functions.erf),
    derive("Erfc", functions.erfc),
    derive("Erfinv", functions.erfinv),
    derive("Igamma", functions.igamma),
    derive("Igammac", functions.igammac),
    derive("Lgamma", functions.lgamma),
    derive("Mvlgamma", functions.mvlgamma, "p"),
    derive("Polygamma", functions.polygamma),
    derive("Sinc", functions.sinc),
    derive("Zeta", functions.zeta),
)
