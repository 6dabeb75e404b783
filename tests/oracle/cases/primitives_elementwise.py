"""Primitives that work element by element, or reduce along an axis, as scripts of r1.x and r2.x call them."""

import mindspore as ms  # noqa: F401  used by the expressions
from mindspore.ops import operations as P  # noqa: F401

from tests.oracle.case import Case, arange, bools, distinct, each, ints, rand, scalar, values, words

BESSEL = words("BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e")
POSITIVE = {"x": rand(2, 3, low=0.25, high=4)}
PAIR = {"x": rand(2, 3, low=0.25, high=4), "y": rand(2, 3, low=0.25, high=4)}
COMPLEX = values([1 + 2j, -0.5j], [3.0, 2 - 1j], dtype="complex64")
COMPLEX128 = values([1 + 2j, -0.5j], [2j, 1.0], dtype="complex128")
NAN = float("nan")
INTEGERS = {"x": ints(2, 3, low=1, high=9), "y": ints(2, 3, low=1, high=4)}

CASES = [
    *[Case(f"P.{name}()(x)", grad=True, tolerance=1e-4, **POSITIVE) for name in [*BESSEL, "BesselY0", "BesselY1"]],
    *[Case(f"P.{name}()(x)", x=rand(3, low=0.25, high=4, dtype="float64")) for name in [*BESSEL, "BesselY0"]],
    Case("P.BesselY1()(x)", x=rand(3, low=0.25, high=4, dtype="float64")),
    *each(
        """
        P.BitwiseAnd()(x, y)
        P.BitwiseOr()(x, y)
        P.BitwiseXor()(x, y)
        P.LeftShift()(x, y)
        P.RightShift()(x, y)
        P.Gcd()(x, y)
        P.Lcm()(x, y)
        P.TruncateDiv()(x, y)
        P.TruncateMod()(x, y)
        P.Fmax()(x, y)
        """,
        **INTEGERS,
    ),
    *each(
        """
        P.BitwiseAnd()(x, 6)
        P.BitwiseOr()(x, y)
        P.BitwiseXor()(x, True)
        P.LeftShift()(x, y)
        P.RightShift()(x, y)
        """,
        x=ints(4, dtype="int16"),
        y=values(1, 0, 3, 2, dtype="int16"),
    ),
    *each(
        """
        P.Gcd()(x, y)
        P.Lcm()(x, y)
        P.TruncateDiv()(x, y)
        """,
        x=values(-12, 18, 7, -5, dtype="int64"),
        y=values(8, -12, 3, 2, dtype="int64"),
    ),
    *each(
        """
        P.TruncateDiv()(x, y)
        P.TruncateMod()(x, y)
        P.NextAfter()(x, y)
        P.Heaviside()(x, y)
        P.Igamma()(x, y)
        P.Igammac()(x, y)
        P.Complex()(x, y)
        P.Polar()(x, y)
        P.IsClose()(x, x + 1e-9)
        P.IsClose(rtol=0.0, atol=0.5)(x, y)
        """,
        **PAIR,
    ),
    *each(
        "P.Fmax()(x, y)\nP.Xdivy()(x, y)\nP.MulNoNan()(x, y)",
        grad=True,
        **PAIR,
    ),
    *each(
        """
        P.Xdivy()(x, y)
        P.MulNoNan()(x, y)
        P.Heaviside()(x, y)
        P.NextAfter()(x, y)
        """,
        x=values(0.0, 0.0, 1.0, -2.0, dtype="float64"),
        y=values(0.0, 3.0, 0.0, -4.0, dtype="float64"),
    ),
    *each(
        """
        P.Igammac()(x, y)
        P.Zeta()(x + 1, y)
        P.Complex()(x, y)
        P.Polar()(x, y)
        """,
        x=rand(3, low=0.25, high=4, dtype="float64"),
        y=rand(3, low=0.25, high=4, dtype="float64"),
    ),
    Case(
        "P.Igamma()(x, y)",
        tolerance=1e-7,
        x=rand(3, low=0.25, high=4, dtype="float64"),
        y=values(0.5, 1.0, 3.0, dtype="float64"),
    ),
    Case("P.Zeta()(x, y)", x=values(2.0, 4.0, 10.0), y=values(1.0, 0.5, 3.0)),
    Case("P.Polygamma()(a, x)", a=scalar(1, dtype="int64"), **POSITIVE),
    Case("P.Polygamma()(a, x)", a=scalar(3, dtype="int32"), x=rand(3, low=0.25, high=4, dtype="float64")),
    Case("P.Digamma()(x)", grad=True, **POSITIVE),
    Case("P.Digamma()(x)", x=values(-0.5, -1.75, 0.25, dtype="float64"), tolerance=1e-6),
    Case("P.Mvlgamma(2)(x)", x=rand(2, 3, low=2, high=6)),
    Case("P.Mvlgamma(p=3)(x)", grad=True, x=rand(4, low=3, high=6)),
    Case("P.Mvlgamma(0)(x)", x=rand(2), raises=ValueError),
    Case("P.Sinc()(x)", grad=True, x=values(0.25, -1.5, 2.0)),
    Case("P.Sinc()(x)", x=ints(3, low=1)),
    Case("P.Rint()(x)", x=values(0.5, 1.5, -0.5, 2.3, -1.7)),
    Case("P.Rint()(x)", x=rand(3, low=-9, high=9, dtype="float64")),
    Case("P.CeLU()(x)", grad=True, x=rand(2, 3)),
    Case("P.CeLU(2.0)(x)", x=rand(2, 3, dtype="float16")),
    *each("P.FastGeLU()(x)\nP.Gelu()(x)\nP.Logit(0.25)(x)", grad=True, x=rand(2, 3)),
    *each("P.FastGeLU()(x)\nP.Gelu()(x)\nP.Logit()(x)", x=rand(3, low=0, high=1, dtype="float16")),
    *each(
        "P.Conj()(x)\nP.Imag()(x)\nP.ComplexAbs()(x)\nP.ConjugateTranspose()(x, (1, 0))",
        x=COMPLEX,
    ),
    *each(
        "P.Conj()(x)\nP.Imag()(x)\nP.ComplexAbs()(x)\nP.ConjugateTranspose()(x, (0, 1))",
        x=COMPLEX128,
    ),
    Case("P.Conj()(x)", x=rand(2)),
    Case("P.Imag()(x)", x=rand(2)),
    Case("P.NanToNum()(x)", x=values(NAN, float("inf"), float("-inf"), 1.5)),
    Case("P.NanToNum(1.0, 2.0, 3.0)(x)", x=values(NAN, float("inf"), float("-inf"), 1.5)),
    Case("P.CheckNumerics()(x)", x=rand(2, 3)),
    Case("P.CheckNumerics()(x)", x=values(1.0, NAN), raises=RuntimeError),
    *each("P.Cummax(0)(x)\nP.Cummin(1)(x)\nP.Cummax(axis=-1)(x)\nP.Cummin(axis=0)(x)", x=distinct(3, 4)),
    *each(
        """
        P.CumulativeLogsumexp()(x, Tensor(0, ms.int32))
        P.CumulativeLogsumexp(exclusive=True)(x, Tensor(1, ms.int32))
        P.CumulativeLogsumexp(reverse=True)(x, Tensor(1, ms.int32))
        """,
        x=rand(2, 3),
    ),
    *each(
        """
        P.ReduceStd()(x)
        P.ReduceStd(axis=1, unbiased=False, keep_dims=True)(x)
        P.NuclearNorm()(x)
        P.NuclearNorm((0, 1), True)(x)
        P.SquareSumAll()(x, x + 1)
        P.Trace()(x)
        P.Rank()(x)
        P.Renorm(1, 0, 1.0)(x)
        P.Renorm(2, -1, 0.5)(x)
        """,
        x=rand(3, 4),
    ),
    Case("P.SquareSumAll()(x, x)", x=rand(2), grad=True),
    Case("P.Trace()(x)", x=ints(3, 3)),
    Case("P.Rank()(x)", x=rand(1, 2, 3)),
    Case("P.NthElement()(x, Tensor(1, ms.int32))", x=distinct(2, 4)),
    Case("P.NthElement(reverse=True)(x, 2)", x=distinct(2, 4)),
    *each(
        """
        P.Addcdiv()(x, y, z, Tensor([2.0]))
        P.Cross(dim=1)(x, y)
        P.Cross()(x, y)
        P.ApproximateEqual(0.5)(x, y)
        P.IdentityN()((x, y))
        """,
        x=rand(2, 3),
        y=rand(2, 3),
        z=rand(2, 3, low=1, high=2),
    ),
    *each(
        "P.Addcdiv()(x, y, z, Tensor(0.5))\nP.IdentityN()([x, y])",
        grad=True,
        x=rand(3),
        y=rand(3),
        z=rand(3, low=1, high=2),
    ),
    Case("P.IdentityN()((x, y))", x=rand(2), y=ints(2)),
    Case("P.EqualCount()(x, y)", x=values(1, 2, 3, dtype="int32"), y=values(1, 2, 4, dtype="int32")),
    Case("P.EqualCount()(x, y)", x=values(1.0, 2.0), y=values(1.0, 2.0)),
    *each("P.Histogram()(x)\nP.Histogram(4, -2.0, 2.0)(x)\nP.Histogram(bins=3)(x)", x=rand(9)),
    Case("P.Histogram(4)(x)", x=ints(9)),
    Case("P.Histogram(0)(x)", x=rand(9), raises=ValueError),
    Case("P.InTopK(2)(x, Tensor([1, 3], ms.int32))", x=distinct(2, 5)),
    Case("P.InTopK(1)(x, Tensor([0, 9], ms.int64))", x=distinct(2, 5)),
    Case("P.InTopK('a')(x, x)", x=rand(1, 2), raises=TypeError),
    *each("P.Bucketize([0.0, 1.0])(x)\nP.Bucketize([-1.5, -0.5, 0.5])(x)", x=rand(2, 3)),
    Case("P.Bucketize([1.0, 3.0])(x)", x=ints(4)),
    Case("P.Bucketize([1.0, 3.0, 4.0])(x)", x=arange(6)),
    Case("P.Bucketize([1.0, 3.0, 4.0])(x)", x=arange(2, 3, dtype="int32")),
    *each(
        """
        P.LowerBound()(x, v)
        P.UpperBound()(x, v)
        P.LowerBound(ms.int64)(x, v)
        P.UpperBound(out_type=ms.int64)(x, v)
        """,
        x=values([0, 1, 1, 3], [4, 5, 6, 7], dtype="int32"),
        v=values([1, 9], [5, 4], dtype="int32"),
    ),
    *each(
        """
        P.Cdist()(x, y)
        P.Cdist(1.0)(x, y)
        P.Cdist(p=float('inf'))(x, y)
        P.Pdist()(x)
        P.Pdist(1.0)(x)
        """,
        grad=True,
        x=rand(3, 2),
        y=rand(4, 2),
    ),
    Case("P.Eps()(x)", x=rand(2, 3)),
    Case("P.Eps()(x)", x=rand(2, dtype="float64")),
    Case("P.StopGradient()(x) * x", x=rand(3), grad=True),
    Case("P.StopGradient()(x)", x=rand(3)),
    Case("P.MaskedSelect()(x, m)", x=ints(2, 3), m=bools(2, 3)),
    Case("P.MaskedScatter()(x, m, y)", x=rand(2, 3), m=bools(2, 3), y=rand(6)),
    Case("P.MaskedScatter()(x, m, y)", x=ints(2, 3), m=bools(3), y=ints(2, 3)),
]
