"""Primitives of special functions."""

from msbridge.ops import special
from msbridge.ops.primitive import REQUIRED, derive

__all__ = [
    "BesselI0",
    "BesselI0e",
    "BesselI1",
    "BesselI1e",
    "BesselJ0",
    "BesselJ1",
    "BesselK0",
    "BesselK0e",
    "BesselK1",
    "BesselK1e",
    "BesselY0",
    "BesselY1",
    "Digamma",
    "Erf",
    "Erfc",
    "Erfinv",
    "Igamma",
    "Igammac",
    "Lgamma",
    "Mvlgamma",
    "Polygamma",
    "Sinc",
    "Zeta",
]

BesselI0 = derive("BesselI0", special.bessel_i0)
BesselI0e = derive("BesselI0e", special.bessel_i0e)
BesselI1 = derive("BesselI1", special.bessel_i1)
BesselI1e = derive("BesselI1e", special.bessel_i1e)
BesselJ0 = derive("BesselJ0", special.bessel_j0)
BesselJ1 = derive("BesselJ1", special.bessel_j1)
BesselK0 = derive("BesselK0", special.bessel_k0)
BesselK0e = derive("BesselK0e", special.bessel_k0e)
BesselK1 = derive("BesselK1", special.bessel_k1)
BesselK1e = derive("BesselK1e", special.bessel_k1e)
BesselY0 = derive("BesselY0", special.bessel_y0)
BesselY1 = derive("BesselY1", special.bessel_y1)
Digamma = derive("Digamma", special.digamma)
Erf = derive("Erf", special.erf)
Erfc = derive("Erfc", special.erfc)
Erfinv = derive("Erfinv", special.erfinv)
Igamma = derive("Igamma", special.igamma)
Igammac = derive("Igammac", special.igammac)
Lgamma = derive("Lgamma", special.lgamma)
Mvlgamma = derive("Mvlgamma", special.mvlgamma, {"p": REQUIRED})
Polygamma = derive("Polygamma", special.polygamma)
Sinc = derive("Sinc", special.sinc)
Zeta = derive("Zeta", special.zeta)
